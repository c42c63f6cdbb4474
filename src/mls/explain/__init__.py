"""A summary's reasons, told to a terminal, to a program and to a browser."""
