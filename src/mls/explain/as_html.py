"""A summary's reasons as one HTML file that needs nothing else: no network, no other file."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import unicodedata
from importlib.resources import files
from typing import Any

_START = """
render(document.querySelector("main"), JSON.parse(document.getElementById("summary").textContent));
"""
_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")
_TITLE_LENGTH = 60
_IMPORT = re.compile(r'^import [^;]*? from "\./([\w.]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def to_html(data: dict[str, Any]) -> str:
    """The page that explains a summary, from the object that `to_dict` of `as_json` makes."""
    style, script = _page("explanation.css"), _joined("explanation.js", set()) + _START
    allowed = f"style-src {_hash(style)}; script-src {_hash(script)}"
    policy = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{html.escape(_title(data["text"]))}</title>
<style>{style}</style>
</head>
<body>
<main><noscript>This page needs JavaScript to show the reasons. It loads nothing from anywhere.</noscript></main>
<script type="application/json" id="summary">{_json(data)}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def _page(name: str) -> str:
    return files("mls.explain").joinpath("page", name).read_text("utf-8")


def _joined(name: str, seen: set[str]) -> str:
    """A module with all that it imports before it, as one script: an inline one can import nothing."""
    seen.add(name)
    script = _page(name)
    needed = [other for other in _IMPORT.findall(script) if other not in seen]
    before = "".join(_joined(other, seen) for other in needed if other not in seen)
    return before + _EXPORT.sub("", _IMPORT.sub("", script))


def _hash(text: str) -> str:
    """What a Content-Security-Policy calls an inline style or script that it allows."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _json(data: dict[str, Any]) -> str:
    r"""JSON in which no text can end the script element it stands in.

    >>> _json({"text": "</script>"})
    '{"text":"\\u003c/script\\u003e"}'
    """
    plain = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", plain)


def _title(text: str) -> str:
    """The beginning of the summary, without characters that could turn the title around.

    >>> _title("It\\u202e rained\\nall day.")
    'Why: It rained all day.'
    """
    visible = "".join(" " if unicodedata.category(character) in ("Cc", "Zl", "Zp") else character for character in text)
    words = "".join(character for character in visible if unicodedata.category(character) not in ("Cf", "Cs")).split()
    beginning = " ".join(words)
    return "Why: " + (beginning if len(beginning) <= _TITLE_LENGTH else beginning[: _TITLE_LENGTH - 1].rstrip() + "…")
