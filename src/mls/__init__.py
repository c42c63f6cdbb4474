"""MLS, the Multi-Level Summarizer: a text at exactly the length you can afford, with its reasons."""

from mls.budget import Budget
from mls.errors import MlsError
from mls.summarizer import Summarizer
from mls.summary import Summary

__all__ = ["Budget", "MlsError", "Summarizer", "Summary"]
__version__ = "0.1.0"
