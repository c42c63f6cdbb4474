"""pyarrow, which reads and writes Parquet and reads Zstandard, where it is installed."""

from __future__ import annotations

import importlib
from typing import Any

from mls.errors import MissingExtraError


def pyarrow(part: str) -> Any:
    """The module, for a part of the program that needs it."""
    try:
        importlib.import_module("pyarrow.parquet")
        return importlib.import_module("pyarrow")
    except ImportError as error:
        raise MissingExtraError(part, "pyarrow", "batch") from error
