"""Work that may take only so long, in any thread: Ray runs its actors outside the main one."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class TooSlowError(BaseException):
    """The time is up. No `except Exception` on the way may swallow it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooSlowError in the block when the time is up, as soon as it runs Python code again."""
    alarm = _Alarm(threading.get_ident())
    timer = threading.Timer(seconds, alarm.ring)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        alarm.switch_off()


class _Alarm:
    """Raises an error in a thread, but never after it was switched off."""

    def __init__(self, thread: int) -> None:
        self.thread = ctypes.c_ulong(thread)
        self.lock = threading.Lock()
        self.is_on = True

    def ring(self) -> None:
        with self.lock:
            if self.is_on:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(self.thread, ctypes.py_object(TooSlowError))

    def switch_off(self) -> None:
        with self.lock:
            self.is_on = False
            ctypes.pythonapi.PyThreadState_SetAsyncExc(self.thread, None)  # it may have rung this moment
