"""MLS, the Multi-Level Summarizer: a text at exactly the length you can afford, with its reasons."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mls.budget import Budget
    from mls.cli.files import read_document
    from mls.errors import MlsError
    from mls.kernels.base import Kernel
    from mls.prototype.base import Prototype
    from mls.recipe import Recipe
    from mls.summarizer import Summarizer
    from mls.summary import Summary
    from mls.text import Document

__all__ = ["Budget", "Document", "Kernel", "MlsError", "Prototype", "Recipe", "Summarizer", "Summary", "read_document"]
__version__ = "0.2.0"

_MODULES = {
    "Budget": "mls.budget",
    "Document": "mls.text",
    "Kernel": "mls.kernels.base",
    "MlsError": "mls.errors",
    "Prototype": "mls.prototype.base",
    "Recipe": "mls.recipe",
    "Summarizer": "mls.summarizer",
    "Summary": "mls.summary",
    "read_document": "mls.cli.files",
}


def __getattr__(name: str) -> Any:
    """What the package offers is imported when it is first asked for: `import mls` itself costs next to nothing."""
    if name not in _MODULES:
        raise AttributeError(f"module 'mls' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
