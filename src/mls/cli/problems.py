"""Records that can't be used: the first few are shown, all are counted, and under --strict they are an error."""

from __future__ import annotations

import sys

from mls.corpora.records import Problem
from mls.errors import MlsError

_SHOWN = 5


class Problems:
    def __init__(self, strict: bool = False) -> None:
        self.strict = strict
        self.count = 0

    def report(self, problem: Problem) -> None:
        if self.strict:
            raise MlsError(f"{problem}; mend it, or leave out --strict to skip such records")
        self.count += 1
        if self.count <= _SHOWN:
            print(f"skipped {problem}", file=sys.stderr)

    def conclude(self, skipped: int | None = None) -> None:
        count = self.count if skipped is None else skipped
        if count:
            print(f"{count:,} record{'s' if count > 1 else ''} skipped in all", file=sys.stderr)
