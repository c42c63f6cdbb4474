"""Shows the examples of docstrings as Python on the site: an extension of griffe, named in mkdocs.yml."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>>.*?(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)


class Doctests(griffe.Extension):
    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Put a fence around each example of an object."""
        if obj.docstring:
            obj.docstring.value = _EXAMPLE.sub(lambda example: f"```python\n{example[0]}\n```", obj.docstring.value)
