"""Checks that what README and docs show is what the program prints.

    python tools/shown.py --check             # say what differs, and end with 1 if anything does
    python tools/shown.py --write             # renew what differs
    python tools/shown.py --check README.md   # of one page

In a `console` block, every line after `$ ` is a command, and what follows it is its output. `python` blocks of a page
run one after another; a `text` block right after one shows what it printed. All run in one folder, which holds the
examples. Blocks in other languages, such as `sh`, are there to be copied and do not run.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(r"^```(console|python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def renewed(text: str) -> str:
    """The text of a page with every output as the program prints it now."""
    names: dict[str, Any] = {"__name__": "__main__"}
    printed: list[str] = []  # what the Python block just before has printed, and where that block ended

    def renew(match: re.Match[str]) -> str:
        language, body = match.groups()
        if language == "text":
            follows = printed and not match.string[int(printed[1]) : match.start()].strip()
            return f"```text\n{printed[0]}```" if follows else match.group()
        if language == "python":
            printed[:] = [_ran(body, names), str(match.end())]
            return match.group()
        return f"```console\n{''.join(_told(command) for command in _commands(body))}```"

    with _examples():
        return _BLOCK.sub(renew, text)


def _commands(body: str) -> list[str]:
    """The commands of a block; one goes on in the next line after a backslash."""
    return re.findall(r"^\$ ((?:.*\\\n)*.*)$", body, re.MULTILINE)


def _told(command: str) -> str:
    """A command and what it prints, in a terminal of 80 columns."""
    folders = [str(Path(sys.executable).parent), os.environ["PATH"]]
    environment = os.environ | {"PATH": os.pathsep.join(folders), "COLUMNS": "80", "NO_COLOR": "1"}
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise SystemExit(f"{command}\nended with {done.returncode}: {done.stderr.strip()}")
    return f"$ {command}\n{_plain(done.stdout)}"


def _ran(body: str, names: dict[str, Any]) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(body, "a block of the page", "exec"), names)
    return _plain(printed.getvalue())


def _plain(output: str) -> str:
    """Without empty lines at its ends and whitespace at those of its lines."""
    return "\n".join(line.rstrip() for line in output.splitlines()).strip("\n") + "\n" if output.strip() else ""


@contextlib.contextmanager
def _examples() -> Iterator[None]:
    """Inside, the current folder is a new one that holds the examples."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "examples", Path(folder) / "examples")
        with contextlib.chdir(folder):
            yield


def difference(page: Path) -> str:
    """What a page shows and what the program prints, as a diff; nothing where they agree."""
    shown = page.read_text(encoding="utf-8")
    pair = shown.splitlines(), renewed(shown).splitlines()
    return "\n".join(difflib.unified_diff(*pair, f"{page.name} shows", "the program prints", lineterm=""))


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks that what README and docs show is what the program prints.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check", action="store_true", help="say what differs")
    what.add_argument("--write", action="store_true", help="renew what differs")
    parser.add_argument("pages", nargs="*", type=Path, default=PAGES)
    given = parser.parse_args()
    differences = {page: found for page in map(Path.resolve, given.pages) if (found := difference(page))}
    for page, found in differences.items():
        print(found)
        if given.write:
            page.write_text(renewed(page.read_text(encoding="utf-8")), encoding="utf-8")
    return int(bool(differences) and given.check)


if __name__ == "__main__":
    sys.exit(main())
