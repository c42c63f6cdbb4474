"""Shorter forms of a sentence: what can be left out of it so that the rest is good English and still true."""
