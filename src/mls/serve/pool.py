"""The workers, and who is asked: the event loop only ever waits for them.

Each worker does one job at a time, those that wait come in the order they came. A job goes to the
worker that remembers its text, unless that one has much more to do than another. A job that takes
too long is ended with its worker, and a new worker takes its place: no text can occupy a worker for
longer than the limit.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import sys
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import asdict, dataclass
from http import HTTPStatus
from types import TracebackType

from mls.errors import MlsError
from mls.recipe import Recipe
from mls.serve.engine import Job
from mls.serve.frames import frame, read_frame_async
from mls.serve.http import ProblemError
from mls.serve.limits import Limits
from mls.serve.worker import ANSWERED, FAILED, OUT_OF_MEMORY, WorkerSettings
from mls.workers import ONE_THREAD

_BUFFER = 2**20  # an answer mostly fits in, and is read without pauses
_START_SECONDS = 60.0
_CLOSE_SECONDS = 2.0
_PATIENCE = 2  # jobs by which a worker that knows the text may be behind another
_SMOOTHING = 0.1


@dataclass(frozen=True)
class Reply:
    body: bytes
    known: bool  # the text was remembered: only the writing had to be done
    seconds: float


class Worker:
    """A process that summarizes, one job at a time. It is started when it is first needed, or needed again."""

    def __init__(self, settings: WorkerSettings, remembers: int) -> None:
        self.settings = settings
        self.remembers = remembers
        self.turn = asyncio.Lock()  # hands out turns in the order they were asked for
        self.load = 0  # jobs at work or waiting
        self.known: OrderedDict[str, None] = OrderedDict()
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        if self.process and self.process.returncode is None:
            return
        self.known.clear()
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "mls.serve.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_BUFFER,
            env=os.environ | ONE_THREAD,
            start_new_session=True,  # Ctrl-C is for the server alone
        )
        async with asyncio.timeout(_START_SECONDS):
            outcome, body, _ = await self._exchange(asdict(self.settings))
        if outcome != ANSWERED:
            raise MlsError(body.decode())

    async def work(self, job: Job, seconds: float) -> tuple[str, bytes, bool]:
        """What the process says to a job; whatever goes wrong, the process is ended with it."""
        try:
            await self.start()
            async with asyncio.timeout(seconds):
                outcome, body, known = await self._exchange(asdict(job))
        except BaseException:
            await self.kill()
            raise
        if outcome == OUT_OF_MEMORY:
            await self.kill()
        self.known[job.key] = None
        self.known.move_to_end(job.key)
        if len(self.known) > self.remembers:
            self.known.popitem(last=False)
        return outcome, body, known

    async def _exchange(self, message: object) -> tuple[str, bytes, bool]:
        source, sink = (self.process.stdout, self.process.stdin) if self.process else (None, None)
        if source is None or sink is None:
            raise ConnectionError("the worker has not been started")
        sink.write(frame(json.dumps(message).encode()))
        await sink.drain()
        head = json.loads(await read_frame_async(source))
        return head["outcome"], await read_frame_async(source), head["known"]

    async def kill(self) -> None:
        """End the process whatever it does."""
        process, self.process = self.process, None
        self.known.clear()
        if process is None or process.stdin is None:
            return
        if process.returncode is None:
            process.kill()
        process.stdin.close()
        await process.wait()

    async def close(self) -> None:
        """Let the process leave by itself, as it does when its input ends."""
        if self.process and self.process.stdin:
            self.process.stdin.close()
            with suppress(TimeoutError):
                async with asyncio.timeout(_CLOSE_SECONDS):
                    await self.process.wait()
        await self.kill()


class Pool:
    """All workers of a server."""

    def __init__(self, limits: Limits, recipe: Recipe) -> None:
        settings = WorkerSettings(recipe.to_dict(), limits.analyses, limits.kept_characters, limits.worker_bytes)
        self.limits = limits
        self.workers = [Worker(settings, limits.analyses) for _ in range(limits.workers)]
        self.usual_seconds = 0.1
        self.ended = 0  # workers that had to be ended

    async def __aenter__(self) -> Pool:
        try:
            await asyncio.gather(*(worker.start() for worker in self.workers))
        except BaseException:  # Ctrl-C as well: nobody is left to work for
            await asyncio.gather(*(worker.kill() for worker in self.workers))
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.gather(*(worker.close() for worker in self.workers))

    @property
    def load(self) -> int:
        return sum(worker.load for worker in self.workers)

    @property
    def wait(self) -> int:
        """Whole seconds after which there is likely to be room again."""
        return max(1, math.ceil(self.usual_seconds * self.load / len(self.workers)))

    def _choose(self, key: str) -> Worker:
        return min(self.workers, key=lambda worker: worker.load - (_PATIENCE if key in worker.known else 0))

    async def ask(self, job: Job) -> Reply:
        """Have a job done; what can't be done is a `ProblemError`, what the user got wrong an `MlsError`."""
        worker = self._choose(job.key)
        worker.load += 1
        try:
            await self._turn(worker)
            try:
                return await self._work(worker, job)
            finally:
                worker.turn.release()
        finally:
            worker.load -= 1

    async def _turn(self, worker: Worker) -> None:
        try:
            async with asyncio.timeout(self.limits.seconds):
                await worker.turn.acquire()
        except TimeoutError:
            detail = f"the text waited {self.limits.seconds:g} seconds for its turn; try again later"
            raise self._unavailable(detail) from None

    async def _work(self, worker: Worker, job: Job) -> Reply:
        began = time.monotonic()
        try:
            outcome, body, known = await worker.work(job, self.limits.seconds)
        except TimeoutError:
            self.ended += 1
            detail = f"the text took longer than {self.limits.seconds:g} seconds and was given up; try a shorter one"
            raise self._unavailable(detail) from None
        except (asyncio.IncompleteReadError, ConnectionError):
            self.ended += 1
            raise self._unavailable("the process that worked on the text has died; try a shorter text") from None
        taken = time.monotonic() - began
        self.usual_seconds += _SMOOTHING * (taken - self.usual_seconds)
        if outcome == ANSWERED:
            return Reply(body, known, taken)
        if outcome == OUT_OF_MEMORY:
            self.ended += 1
            raise self._unavailable("the text needs more memory than one text may have here; try a shorter one")
        if outcome == FAILED:
            detail = "this is a fault of the server, not of what you sent"
            raise ProblemError(HTTPStatus.INTERNAL_SERVER_ERROR, detail)
        raise MlsError(body.decode())

    def _unavailable(self, detail: str) -> ProblemError:
        return ProblemError(HTTPStatus.SERVICE_UNAVAILABLE, detail, {"Retry-After": str(self.wait)})
