"""A job from start to end: take stock of the input, let an engine work, join the parts."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from mls.batch.engine import Engine
from mls.batch.output import check_output, join
from mls.batch.parts import Manifest, Parts
from mls.batch.plan import Plan, settings_of
from mls.batch.rows import check_names
from mls.batch.shards import SIZE, Shard, shards_of
from mls.budget import Budget
from mls.corpora.documents import Columns, read_entries
from mls.errors import MlsError
from mls.recipe import Recipe
from mls.summarizer import Summarizer

STANDARD_INPUT = "-"


@dataclass(frozen=True)
class Progress:
    """How far a job is: of so many documents, so many are done, some perhaps by an earlier run."""

    documents: int
    done: int


@dataclass(frozen=True)
class Outcome:
    """What a job came to."""

    documents: int
    failed: int
    reason: str  # why the first of those failed
    repeated: int  # documents with an id that an earlier one has
    rows: Path  # where they are: beside the output if all failed, for that may be a better one
    kept_input: Path | None  # what came from standard input, if all failed


@dataclass(frozen=True)
class Job:
    """Summaries of all documents in some sources, written to one file."""

    sources: Sequence[str]
    output: Path
    recipe: Recipe
    plan: Plan = field(default_factory=Plan)
    columns: Columns = field(default_factory=Columns)

    def run(self, engine: Engine, resume: bool, show: Callable[[Progress], None]) -> Outcome | None:
        """Do what is left to do. Killed at any moment, it can be resumed, and the output is the same.

        None: there is nothing to resume, for it is finished.
        """
        self._check()
        settings = self._settings()
        parts = Parts(self.output)
        if resume and parts.is_finished():
            return None
        with parts.held(resume):
            sources = [parts.kept_input(_standard_input) if s == STANDARD_INPUT else Path(s) for s in self.sources]
            ids = _Ids()
            manifest = self._take_stock(sources, settings, ids)
            parts.begin(manifest)
            self._make_parts(engine, sources, manifest, parts, show)
            failures = join(parts, len(manifest.shards), self.plan.names, self.plan.trace)
            rows, kept = self.output, None
            if failures.count == manifest.documents:
                rows, kept = parts.set_aside()
            else:
                parts.conclude()
        return Outcome(manifest.documents, failures.count, failures.first, ids.repeated, rows, kept)

    def _make_parts(
        self,
        engine: Engine,
        sources: Sequence[Path],
        manifest: Manifest,
        parts: Parts,
        show: Callable[[Progress], None],
    ) -> None:
        """Have the engine make all parts that are not there yet."""
        finished = parts.finished()
        done = sum(_size(manifest, index) for index in finished)
        show(Progress(manifest.documents, done))
        for part in engine.parts(self.recipe, self.plan, self._unfinished(sources, manifest, finished)):
            parts.write(part.index, part.rows)
            done += _size(manifest, part.index)
            show(Progress(manifest.documents, done))

    def _check(self) -> None:
        """An error at once for what would fail later."""
        check_output(self.output)
        if list(self.sources).count(STANDARD_INPUT) > 1:
            raise MlsError("standard input (-) is named twice, but can be read only once")
        output = Path(os.path.realpath(self.output))
        for source in self.sources:
            if Path(os.path.realpath(source)) in (output, *output.parents):
                raise MlsError(f"--output {self.output} lies in the input {source}; choose another path for it")
        check_names(self.plan.names)
        for budget in self.plan.budgets:
            Budget.parse(budget)

    def _take_stock(self, sources: Sequence[Path], settings: dict[str, Any], ids: _Ids) -> Manifest:
        """Read all input once: a file that breaks off is found before hours of work, not after."""
        documents = 0
        digests = []
        for shard in shards_of(read_entries(sources, self.columns, self.plan.longest)):
            documents += len(shard.entries)
            for entry in shard.entries:
                ids.see(entry.id)
            digests.append(shard.digest)
        if not documents:
            raise MlsError(f"there is no document in {', '.join(self.sources)}")
        return Manifest(settings, documents, tuple(digests))

    def _settings(self) -> dict[str, Any]:
        Summarizer(self.recipe)  # what can't be made is told now
        return settings_of(self.plan, self.columns, self.recipe)

    def _unfinished(self, sources: Sequence[Path], manifest: Manifest, finished: set[int]) -> Iterator[Shard]:
        for shard in shards_of(read_entries(sources, self.columns, self.plan.longest)):
            if shard.index >= len(manifest.shards) or shard.digest != manifest.shards[shard.index]:
                raise MlsError("the input changes while it is read; let it rest, then start again")
            if shard.index not in finished:
                yield shard


class _Ids:
    """Counts ids that come again, and keeps but a few bytes of each."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self.repeated = 0

    def see(self, name: str) -> None:
        known = hash(name)
        self.repeated += known in self._seen
        self._seen.add(known)


def _size(manifest: Manifest, index: int) -> int:
    """How many documents a shard has: all have the same number, but for the last."""
    return min(SIZE, manifest.documents - index * SIZE)


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise MlsError("standard input is closed; give a file")
    return sys.stdin.buffer
