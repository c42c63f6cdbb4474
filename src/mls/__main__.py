"""`python -m mls` is `mls`."""

from mls.cli.main import main

main()
