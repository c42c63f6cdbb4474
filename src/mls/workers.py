"""Processes that work for another one, and how many of them there may be."""

from __future__ import annotations

import os
import threading

# One thread for each worker, as many workers as cores: nothing is gained by more, and sums stay the same.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def end_with_parent() -> None:
    """From now on this process ends when its parent does, however that ends: nobody is left to work for."""
    threading.Thread(target=_await_parent, daemon=True).start()


def _await_parent() -> None:
    import multiprocessing  # only workers need it

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
