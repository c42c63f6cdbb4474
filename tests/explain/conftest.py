"""The tests of this folder may ask for a `browser`."""

from browser import browser

__all__ = ["browser"]
