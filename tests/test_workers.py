"""Workers do not outlive whom they work for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from mls.workers import end_with_parent

_PARENT = """
import multiprocessing
from test_workers import work
if __name__ == "__main__":
    worker = multiprocessing.get_context("spawn").Process(target=work)
    worker.start()
    print(worker.pid, flush=True)
    worker.join()
"""


def work() -> None:
    end_with_parent()
    print("working", flush=True)
    time.sleep(600)


@pytest.mark.parametrize("blow", [signal.SIGTERM, signal.SIGKILL])
def test_a_worker_ends_with_its_parent(blow: signal.Signals, tmp_path) -> None:  # type: ignore[no-untyped-def]
    script = tmp_path / "parent.py"
    script.write_text(_PARENT, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
    ) as parent:
        assert parent.stdout is not None
        parent.stdout.readline()
        assert parent.stdout.readline() == "working\n"
        parent.send_signal(blow)
        parent.wait()
        assert parent.stdout.read() == ""  # which ends only when the worker, who holds the other end, does
