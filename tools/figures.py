"""Prints every figure that README, docs and results show, beside what they show.

    python tools/figures.py                                 # which command stands beside which lines with figures
    python tools/figures.py --data DATA                     # run them, one after another
    python tools/figures.py --data DATA --long              # those too that train for hours
    python tools/figures.py --data DATA docs/kinds.md       # those of one page
    python tools/figures.py --data DATA --only promises.py  # those that name something

A command is an indented line, or one in backquotes, that begins with `python benchmarks/`, or with `python tools/` or
`mls` and names DATA. What a page shows for it are the lines with digits from there to the next command or heading.
DATA in a command is the folder that is given, and what it writes with --out goes to a folder that is then deleted. A
command that names something else that only its reader has (FOLDER, a run, sheets) is not run, and that is said. What
blocks of `console` and `python` show, tools/shown.py checks to the letter.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "results" / "claims.md",
    *sorted((ROOT / "results").rglob("README.md")),
]
_BEGINS = r"(?:python (?:benchmarks|tools)/|mls )"
_COMMAND = re.compile(
    rf"^ {{4,8}}({_BEGINS}(?:.*\\\n)*.*)$|`({_BEGINS}[^`]*)`", re.MULTILINE
)  # indented, or in backquotes
_OWN = re.compile(r"\b(?:FOLDER|FILE|OWN|KEY|MODEL|STUDY|before\.jsonl)\b|runs/[\w/-]+")
_LONG = re.compile(r"mls (?:train|reproduce)\b")  # these take hours
_HEADING = re.compile(r"^#", re.MULTILINE)


@dataclass(frozen=True)
class Shown:
    """A command on a page, and the lines with figures that stand below it."""

    page: Path
    line: int
    command: str
    figures: tuple[str, ...]

    @property
    def missing(self) -> str | None:
        """What it names that nobody but its reader has."""
        return next((name for name in _OWN.findall(self.command) if not (ROOT / name).exists()), None)

    @property
    def is_long(self) -> bool:
        return bool(_LONG.match(self.command))


def shown_in(page: Path) -> Iterator[Shown]:
    """The commands of a page that print figures, each with what the page shows of it."""
    text = page.read_text(encoding="utf-8")
    found = [match for match in _COMMAND.finditer(text) if _prints_figures(match.group())]
    for number, match in enumerate(found):
        last = next(other for other in found[number:] if _figures(text, other) or other is found[-1])  # many, one table
        command = " ".join((match.group(1) or match.group(2)).replace("\\\n", " ").split())
        if figures := _figures(text, last):
            yield Shown(page, text.count("\n", 0, match.start()) + 1, command, figures)


def _figures(text: str, command: re.Match[str]) -> tuple[str, ...]:
    """The lines with digits below a command, up to what begins something else."""
    others = (one for one in _COMMAND.finditer(text, command.end()) if _prints_figures(one.group()))
    ends = [one.start() for found in (others, _HEADING.finditer(text, command.end())) for one in [*found][:1]]
    below = text[command.end() : min(ends, default=len(text))]
    return tuple(line.strip() for line in below.splitlines() if re.search(r"\d", line))


def _prints_figures(command: str) -> bool:
    return "python benchmarks/" in command or bool(re.search(r"\bDATA\b|shared/data", command))


def printed(command: str, data: str) -> str:
    """What a command prints now, and how it ended if not well."""
    folders = [str(Path(sys.executable).parent), os.environ["PATH"]]
    ready = re.sub(r"\bDATA\b|\S*shared/data", lambda _: data, command)
    environment = os.environ | {"PATH": os.pathsep.join(folders), "COLUMNS": "120", "NO_COLOR": "1"}
    with tempfile.TemporaryDirectory() as folder:  # nothing that ships is written anew by looking at it
        ready = re.sub(r"--out (?:\S*/)?(\S+)", rf"--out {folder}/\1", ready)
        done = subprocess.run(ready, shell=True, capture_output=True, text=True, env=environment, cwd=ROOT)
    return done.stdout if not done.returncode else f"{done.stdout}ended with {done.returncode}: {done.stderr[-400:]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="the folder that pages call DATA; without it nothing runs")
    parser.add_argument("--only", default="", help="commands in which this occurs")
    parser.add_argument("--long", action="store_true", help="run also what takes hours")
    parser.add_argument("pages", nargs="*", type=Path, default=PAGES)
    given = parser.parse_args()
    for one in (shown for page in given.pages for shown in shown_in(page.resolve()) if given.only in shown.command):
        print(f"\n== {one.page.relative_to(ROOT)}:{one.line}: {one.command}\n-- shows")
        print("\n".join(one.figures))
        if one.is_long and not given.long:
            print("-- takes hours: run by hand, or with --long")
        elif one.missing:
            print(f"-- not run: {one.missing} is not here")
        elif given.data:
            print(f"-- prints\n{printed(one.command, given.data)}", flush=True)


if __name__ == "__main__":
    main()
