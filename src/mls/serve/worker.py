"""A worker: a process of its own, which the server can end when a text takes too long.

    python -m mls.serve.worker        (the server starts it; it speaks in frames on its pipes)

It ends when its input does, that is, with the server, however that ended.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from dataclasses import dataclass
from typing import Any, BinaryIO

from mls.errors import MlsError
from mls.recipe import Recipe
from mls.serve.engine import Engine, Job
from mls.serve.frames import frame, read_frame

ANSWERED, MISTAKEN, FAILED, OUT_OF_MEMORY = "answered", "mistaken", "failed", "out of memory"


@dataclass(frozen=True)
class WorkerSettings:
    """What a worker is told first."""

    recipe: dict[str, Any]
    analyses: int
    characters: int
    memory: int


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):  # meant for the server, which ends its workers when it is done
        signal.signal(number, signal.SIG_IGN)
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not end up between the frames
    message = read_frame(source)
    if message is None:
        return
    settings = WorkerSettings(**json.loads(message))
    limit_memory(settings.memory)
    try:
        engine = Engine(Recipe.from_dict(settings.recipe), settings.analyses, settings.characters)
        engine.warm_up()
    except MlsError as error:
        _reply(sink, MISTAKEN, str(error))
        return
    _reply(sink, ANSWERED, "")
    while (message := read_frame(source)) is not None:
        _reply(sink, *_outcome(engine, message))


def _outcome(engine: Engine, message: bytes) -> tuple[str, str, bool]:
    try:
        fields = json.loads(message)
        answer, known = engine.answer(Job(**fields | {"budgets": tuple(fields["budgets"])}))
        return ANSWERED, answer, known
    except MlsError as error:
        return MISTAKEN, str(error), False
    except MemoryError:
        return OUT_OF_MEMORY, "", False
    except Exception:
        traceback.print_exc()
        return FAILED, "", False


def _reply(sink: BinaryIO, outcome: str, body: str, known: bool = False) -> None:
    sink.write(frame(json.dumps({"outcome": outcome, "known": known}).encode()))
    sink.write(frame(body.encode("utf-8", "replace")))  # as the command line does with what is no Unicode
    sink.flush()


def limit_memory(limit: int) -> None:
    """Let allocations beyond the limit fail. Where the system has no such limit, there is none."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


if __name__ == "__main__":
    main()
