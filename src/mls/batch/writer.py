"""From a shard to its part of the output. Both engines call this, and nothing else makes rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from mls.analysis import Analysis
from mls.batch.plan import Plan
from mls.batch.rows import Row, encode, error_row, row_of
from mls.batch.shards import Shard
from mls.batch.time_limit import TooSlowError, time_limit
from mls.budget import Budget
from mls.corpora.documents import Entry
from mls.errors import MlsError
from mls.summarizer import Summarizer
from mls.text import Document

T = TypeVar("T")
Watch = Callable[[int | None, float], None]
"""Told before each piece of work: the number of its document, if it is but one, and the seconds it may take."""


@dataclass(frozen=True)
class Failure:
    """Why a document has no summary."""

    reason: str


@dataclass(frozen=True)
class _Parsed:
    """A document and its number in the input."""

    number: int
    document: Document


class ShardWriter:
    """Holds a summarizer and turns shards into parts of the output, the same bytes every time.

    A document that fails becomes an error row. Documents are read together; where that fails, each
    is read alone, so that the others do not suffer. They read the same either way.
    """

    def __init__(self, summarizer: Summarizer, plan: Plan, watch: Watch = lambda document, seconds: None) -> None:
        summarizer.warm_up()
        self.summarizer = summarizer
        self.plan = plan
        self.watch = watch
        self.budgets = [Budget.parse(budget) for budget in plan.budgets]

    def part(self, shard: Shard) -> bytes:
        """The shard's rows, its documents read together."""
        parsed = [self._parsed(entry) for entry in shard.entries]
        analyses = iter(self._read_together([entry for entry in parsed if isinstance(entry, _Parsed)]))
        found = [entry if isinstance(entry, Failure) else next(analyses) for entry in parsed]
        return self._encoded(
            row for entry, one in zip(shard.entries, found, strict=True) for row in self._rows(entry, one)
        )

    def part_one_by_one(self, shard: Shard, given_up: Mapping[int, str]) -> bytes:
        """The same rows, its documents read one after another; those given up have their reason instead."""
        rows: list[Row] = []
        for entry in shard.entries:
            if entry.number in given_up:
                rows += self._rows(entry, Failure(given_up[entry.number]))
                continue
            parsed = self._parsed(entry)
            rows += self._rows(entry, parsed if isinstance(parsed, Failure) else self._read_alone(parsed))
        return self._encoded(rows)

    def _parsed(self, entry: Entry) -> _Parsed | Failure:
        if entry.text is None:
            return Failure(entry.problem or "there is no text")
        return self._attempt(entry.number, lambda: _Parsed(entry.number, entry.document()))

    def _read_together(self, parsed: Sequence[_Parsed]) -> Sequence[Analysis | Failure]:
        documents = [one.document for one in parsed]
        together = self._attempt(None, lambda: self.summarizer.read_many(documents), len(documents))
        return together if isinstance(together, list) else [self._read_alone(one) for one in parsed]

    def _read_alone(self, parsed: _Parsed) -> Analysis | Failure:
        return self._attempt(parsed.number, lambda: self.summarizer.read(parsed.document))

    def _rows(self, entry: Entry, analysis: Analysis | Failure) -> list[Row]:
        rows = analysis if isinstance(analysis, Failure) else self._written(entry, analysis)
        return [error_row(entry, rows.reason, self.plan.trace)] if isinstance(rows, Failure) else rows

    def _written(self, entry: Entry, analysis: Analysis) -> list[Row] | Failure:
        def write() -> list[Row]:
            asked = self.summarizer.refocus(analysis, entry.about or None)
            summaries = [self.summarizer.write(asked, budget) for budget in self.budgets]
            return [row_of(entry, summary, self.plan.trace) for summary in summaries]

        return self._attempt(entry.number, write)

    def _attempt(self, document: int | None, work: Callable[[], T], documents: int = 1) -> T | Failure:
        """What the work gives, or why it gives nothing. Whatever a document does, the job goes on."""
        seconds = self.plan.seconds * max(1, documents)
        self.watch(document, seconds)
        try:
            with time_limit(seconds):
                return work()
        except TooSlowError:
            return Failure(f"it took longer than the {self.plan.seconds:g} s of --seconds")
        except MlsError as error:
            return Failure(str(error))
        except Exception as error:
            return Failure(f"{type(error).__name__}: {error}".strip().split("\n")[0])

    def _encoded(self, rows: Iterable[Row]) -> bytes:
        return b"".join(encode(row, self.plan.names) for row in rows)
