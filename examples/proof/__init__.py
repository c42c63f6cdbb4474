"""What `replay.py` checks, part by part. Nothing of the package that it checks is imported."""
