"""Summarizers that fail in a known way, for workers to be tried with."""

from __future__ import annotations

import os
import signal
import time

from mls import Summarizer
from mls.errors import MlsError
from mls.prototype.base import Prototype
from mls.prototype.greedy import GreedyPrototype
from mls.text import Document


class FragilePrototype(GreedyPrototype):
    """Does what the document says, if it says one of these."""

    def __call__(self, document: Document) -> Prototype:
        if "RAISE" in document.text:
            raise ZeroDivisionError("division by zero\nand more")
        if "DIE" in document.text:
            os.kill(os.getpid(), signal.SIGKILL)
        if "LOOP" in document.text:
            while True:
                time.sleep(0.01)
        if "HANG" in document.text:
            time.sleep(600)  # as native code does: nothing in this process can interrupt it
        return super().__call__(document)


def fragile() -> Summarizer:
    return Summarizer(FragilePrototype())


def broken() -> Summarizer:
    raise MlsError("the model is gone")


def stillborn() -> Summarizer:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError
