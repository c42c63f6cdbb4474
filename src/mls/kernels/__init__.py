"""What a summary is valued for: one property per file, each with the question it answers."""
