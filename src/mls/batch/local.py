"""The local engine: worker processes, each with a model of its own.

A worker that dies is replaced and its shard done again. A shard whose workers keep dying is done one
document at a time, and a document that keeps killing them is given up. Workers end with the parent.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

from mls.batch.engine import Part
from mls.batch.plan import Plan
from mls.batch.shards import Shard
from mls.batch.writer import ShardWriter
from mls.errors import MlsError
from mls.recipe import Recipe
from mls.summarizer import Summarizer
from mls.workers import ONE_THREAD, end_with_parent

_SPAWN = multiprocessing.get_context("spawn")
_DEATHS_OF_A_SHARD = 2  # then its documents are read one by one
_DEATHS_OF_A_DOCUMENT = 3  # then it is given up
_FAILED_STARTS = 20  # in a row
_GRACE = 15.0  # seconds a worker may be late in noticing that a document takes too long
_READY, _AT, _DONE, _BROKEN = range(4)


def _work(connection: Connection, recipe: Recipe, plan: Plan) -> None:
    """The life of a worker."""
    end_with_parent()
    try:
        writer = ShardWriter(
            Summarizer(recipe), plan, lambda document, seconds: connection.send((_AT, (document, seconds)))
        )
    except MlsError as error:
        connection.send((_BROKEN, str(error)))
        return
    with suppress(EOFError, OSError):  # the parent is gone
        connection.send((_READY, None))
        while True:
            task: _Task = connection.recv()
            rows = writer.part_one_by_one(task.shard, task.given_up) if task.careful else writer.part(task.shard)
            connection.send((_DONE, rows))


@dataclass
class _Task:
    """A shard, and what was learned from workers that died over it."""

    shard: Shard
    deaths: int = 0
    deaths_at: Counter[int] = field(default_factory=Counter)
    given_up: dict[int, str] = field(default_factory=dict)

    @property
    def careful(self) -> bool:
        return self.deaths >= _DEATHS_OF_A_SHARD

    def blame(self, document: int | None, too_slow: str | None, code: int | None) -> None:
        """Learn from a death, if possible at which document."""
        self.deaths += 1
        if document is None:
            self.deaths += _DEATHS_OF_A_SHARD if too_slow else 0
            return
        self.deaths_at[document] += 1
        if too_slow:
            self.given_up[document] = too_slow
        elif self.deaths_at[document] >= _DEATHS_OF_A_DOCUMENT:
            self.given_up[document] = f"its worker died {_DEATHS_OF_A_DOCUMENT} times (exit code {code})"


class _Worker:
    """A process and what it is doing."""

    def __init__(self, recipe: Recipe, plan: Plan) -> None:
        self.connection, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_work, args=(theirs, recipe, plan), daemon=True)
        with _quiet_start():
            self.process.start()
        theirs.close()
        self.ready = False
        self.task: _Task | None = None
        self.document: int | None = None
        self.late_after = math.inf

    def take(self, task: _Task) -> None:
        self.task = task
        with suppress(OSError):  # it has just died: that will be noticed
            self.connection.send(task)

    def heard(self) -> tuple[int, Any] | None:
        """The next message, or None if no more will come."""
        try:
            message: tuple[int, Any] = self.connection.recv()
        except (EOFError, OSError):
            return None
        return message

    def is_at(self, document: int | None, seconds: float) -> None:
        self.document, self.late_after = document, time.monotonic() + seconds + _GRACE

    def is_free(self) -> None:
        self.task, self.document, self.late_after = None, None, math.inf

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


@contextmanager
def _quiet_start() -> Iterator[None]:
    """A child gets one thread, and leaves Ctrl-C to its parent."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(ONE_THREAD)
    main = threading.current_thread() is threading.main_thread()
    interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN) if main else None
    try:
        yield
    finally:
        if main:
            signal.signal(signal.SIGINT, interrupt)
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class LocalEngine:
    """Worker processes on this machine."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def parts(self, recipe: Recipe, plan: Plan, shards: Iterable[Shard]) -> Iterator[Part]:
        pool = _Pool(recipe, plan, self.workers, iter(shards))
        try:
            yield from pool.run()
        finally:
            pool.end()


class _Pool:
    """Workers, the shards that wait, and those that must be done again."""

    def __init__(self, recipe: Recipe, plan: Plan, count: int, shards: Iterator[Shard]) -> None:
        self.recipe, self.plan, self.count, self.shards = recipe, plan, count, shards
        self.again: deque[_Task] = deque()
        self.workers: list[_Worker] = []
        self.failed_starts = 0

    def run(self) -> Iterator[Part]:
        next_task = self._next()
        while next_task or any(worker.task for worker in self.workers):
            while next_task and len(self.workers) < self.count:
                self.workers.append(_Worker(self.recipe, self.plan))
            for worker in self.workers:
                if next_task and worker.ready and worker.task is None:
                    worker.take(next_task)
                    next_task = self._next()
            yield from self._listen()
            next_task = next_task or self._next()

    def _next(self) -> _Task | None:
        if self.again:
            return self.again.popleft()
        shard = next(self.shards, None)
        return _Task(shard) if shard else None

    def _listen(self) -> Iterator[Part]:
        """Wait until something happens, and deal with it."""
        speaking = wait([worker.connection for worker in self.workers], timeout=1.0)
        for worker in list(self.workers):
            if worker.connection in speaking:
                message = worker.heard()
                if message is None:
                    self._bury(worker, None)
                else:
                    yield from self._hear(worker, *message)
            elif time.monotonic() > worker.late_after:
                self._bury(worker, f"it took much longer than the {self.plan.seconds:g} s of --seconds")

    def _hear(self, worker: _Worker, kind: int, content: Any) -> Iterator[Part]:
        if kind == _BROKEN:
            raise MlsError(content)
        if kind == _READY:
            worker.ready, self.failed_starts = True, 0
        elif kind == _AT:
            worker.is_at(*content)
        elif worker.task:
            part = Part(worker.task.shard.index, content)
            worker.is_free()
            yield part

    def _bury(self, worker: _Worker, too_slow: str | None) -> None:
        worker.end()
        self.workers.remove(worker)
        if worker.task:
            worker.task.blame(worker.document, too_slow, worker.process.exitcode)
            self.again.append(worker.task)
        elif not worker.ready:
            self.failed_starts += 1
            if self.failed_starts >= _FAILED_STARTS:
                died = f"workers die as they start (exit code {worker.process.exitcode})"
                raise MlsError(f"{died}; is there memory enough for --workers {self.count}?")

    def end(self) -> None:
        for worker in self.workers:
            worker.end()
