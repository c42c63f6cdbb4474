"""Puts the table of the paper's claims, as results/claims.csv has it, wherever it is shown: all, or the chief ones.

python tools/claims.py --check    # say where another one stands, and end with 1 if it does anywhere
python tools/claims.py --write    # after `mls reproduce`: renew it
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path

from mls.lab.claims import BEGIN, CHIEF, CLAIMS, END, between, table
from mls.lab.evidence import from_csv

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "results"
PAGES = {RESULTS / "claims.md": CLAIMS, RESULTS / "README.md": CHIEF, ROOT / "docs" / "paper.md": CLAIMS}


def renewed(page: Path) -> str:
    """The text of a page with the table as it is now, its links as they are from there."""

    def link(match: re.Match[str]) -> str:
        return f"]({Path(os.path.relpath(RESULTS / match.group(1), page.parent)).as_posix()})"

    told = table(from_csv((RESULTS / "claims.csv").read_text(encoding="utf-8")), PAGES[page])
    ready = between(re.sub(r"\]\(([^)]+)\)", link, told))
    return re.sub(f"{BEGIN}.*?{END}", lambda _: ready, page.read_text(encoding="utf-8"), flags=re.DOTALL)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check", action="store_true")
    what.add_argument("--write", action="store_true")
    given = parser.parse_args()
    stale = [page for page in PAGES if renewed(page) != page.read_text(encoding="utf-8")]
    for page in stale:
        print(page.relative_to(ROOT))
        if given.write:
            page.write_text(renewed(page), encoding="utf-8")
    return int(bool(stale) and given.check)


if __name__ == "__main__":
    sys.exit(main())
