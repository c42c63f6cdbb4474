"""What mkdocs has to be told of this project: a hook of mkdocs.yml.

The start page is README. What a page links to outside of docs/ (results, examples, source) comes along, so that no link
of the site leads nowhere. The pages of reference are filled in from the program and from the schema of a trace.
"""

from __future__ import annotations

import os
import posixpath
import re
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).parent))
import reference

ROOT = Path(__file__).parent.parent
_LINK = re.compile(r"(?<=\]\()([^)\s#:]+)(?=[#)])")
_FILLED = {"<!-- every command -->": reference.commands, "<!-- every field -->": reference.trace}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add README as the start page, and whatever is linked to from outside of docs/."""
    files.append(_from(ROOT / "README.md", config))
    waiting = list(files.documentation_pages())
    while waiting:
        page = waiting.pop()
        for target in _linked(page):
            file = _from(target, config)
            if target.is_file() and files.get_file_from_path(file.src_uri) is None:
                files.append(file)
                waiting += [file] if target.suffix == ".md" else []
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links as they are in the repository lead to where the site has their pages."""
    for mark, fill in _FILLED.items():
        if mark in markdown:
            markdown = markdown.replace(mark, fill())
    here = posixpath.dirname(page.file.src_uri)
    folder = Path(str(page.file.abs_src_path)).parent
    return _LINK.sub(lambda link: posixpath.relpath(_uri(_absolute(folder, link[0])), here or "."), markdown)


def _linked(page: File) -> list[Path]:
    """The files of the repository that a page links to."""
    path = Path(str(page.abs_src_path))
    return [_absolute(path.parent, link) for link in _LINK.findall(path.read_text(encoding="utf-8"))]


def _absolute(folder: Path, link: str) -> Path:
    return Path(os.path.normpath(folder / link))


def _uri(path: Path) -> str:
    """Where the site has a file of the repository."""
    name = path.relative_to(ROOT).as_posix()
    return "index.md" if name == "README.md" else name.removeprefix("docs/")


def _from(path: Path, config: MkDocsConfig) -> File:
    return File.generated(config, _uri(path), abs_src_path=str(path))
