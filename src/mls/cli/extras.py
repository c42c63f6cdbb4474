"""Parts that need optional libraries, which are imported when the part is asked for."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from mls.errors import MissingExtraError


@contextmanager
def importing(part: str, module: str, extra: str) -> Iterator[None]:
    """Import what an extra brings, or say that it is missing.

    Ctrl-C waits until that is done: libraries that are interrupted as they load take it for a failure of their own.
    """
    try:
        with _uninterrupted():
            yield
    except ImportError as error:
        raise MissingExtraError(part, (error.name or module).split(".")[0], extra) from error


@contextmanager
def _uninterrupted() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    caught: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: caught.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if caught and before is not signal.SIG_IGN:
        raise KeyboardInterrupt
