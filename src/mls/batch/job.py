"""A job from start to end: take stock of the input, let an engine work, join the parts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from mls.batch.engine import Engine
from mls.batch.inputs import Columns, read_entries
from mls.batch.output import check_output, join
from mls.batch.parts import Manifest, Parts
from mls.batch.plan import Plan, settings_of
from mls.batch.rows import check_names
from mls.batch.shards import SIZE, Shard, shards_of
from mls.budget import Budget
from mls.errors import MlsError
from mls.recipe import Recipe
from mls.summarizer import Summarizer

STANDARD_INPUT = "-"


@dataclass(frozen=True)
class Progress:
    """How far a job is: of so many documents, so many are done, some by an earlier run."""

    documents: int
    done: int
    found: int


@dataclass(frozen=True)
class Outcome:
    """What a job came to."""

    documents: int
    failed: int


@dataclass(frozen=True)
class Job:
    """Summaries of all documents in some sources, written to one file."""

    sources: Sequence[str]
    output: Path
    recipe: Recipe
    plan: Plan = field(default_factory=Plan)
    columns: Columns = field(default_factory=Columns)

    def run(self, engine: Engine, resume: bool, show: Callable[[Progress], None]) -> Outcome:
        """Do what is left to do. Killed at any moment, it can be resumed, and the output is the same."""
        self._check()
        parts = Parts(self.output)
        with parts.held(resume):
            sources = [parts.keep_input(_standard_input()) if s == STANDARD_INPUT else Path(s) for s in self.sources]
            manifest = self._take_stock(sources)
            parts.begin(manifest)
            finished = parts.finished()
            found = sum(_size(manifest, index) for index in finished)
            done = found
            show(Progress(manifest.documents, done, found))
            for part in engine.parts(self.recipe, self.plan, self._unfinished(sources, manifest, finished)):
                parts.write(part.index, part.rows)
                done += _size(manifest, part.index)
                show(Progress(manifest.documents, done, found))
            failed = join(parts, len(manifest.shards), self.plan.names, self.plan.trace)
        return Outcome(manifest.documents, failed)

    def _check(self) -> None:
        """Refuse at once what would fail later."""
        check_output(self.output)
        output = self.output.resolve()
        for source in self.sources:
            if Path(source).resolve() in (output, *output.parents):
                raise MlsError(f"--output {self.output} lies in the input {source}; choose another place for it")
        check_names(self.plan.names)
        for budget in self.plan.budgets:
            Budget.parse(budget)

    def _take_stock(self, sources: Sequence[Path]) -> Manifest:
        """Read all input once: a file that breaks off is found before hours of work, not after."""
        documents = 0
        digests = []
        for shard in shards_of(read_entries(sources, self.columns, self.plan.longest)):
            documents += len(shard.entries)
            digests.append(shard.digest)
        if not documents:
            raise MlsError(f"there is no document in {', '.join(self.sources)}")
        return Manifest(self._settings(), documents, tuple(digests))

    def _settings(self) -> dict[str, Any]:
        Summarizer(self.recipe)  # what can't be made is told now
        return settings_of(self.plan, self.columns, self.recipe)

    def _unfinished(self, sources: Sequence[Path], manifest: Manifest, finished: set[int]) -> Iterator[Shard]:
        for shard in shards_of(read_entries(sources, self.columns, self.plan.longest)):
            if shard.index >= len(manifest.shards) or shard.digest != manifest.shards[shard.index]:
                raise MlsError("the input changes while it is read; let it rest, then start again")
            if shard.index not in finished:
                yield shard


def _size(manifest: Manifest, index: int) -> int:
    """How many documents a shard has: all have the same number, but for the last."""
    return min(SIZE, manifest.documents - index * SIZE)


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise MlsError("standard input is closed; give a file")
    return sys.stdin.buffer
