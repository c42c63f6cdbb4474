"""A server in a process of its own, as people start it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


class Server:
    """`mls serve`, or another command that serves, on a free port or the one in its options."""

    def __init__(self, *options: str, command: tuple[str, ...] = ("serve",)) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mls", *command, "--port", "0", *options],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        )
        assert self.process.stderr
        line = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        if not found:
            self.process.kill()
            pytest.fail(f"the server did not start: {line}{self.process.stderr.read()}")
        self.url = found[0]

    def end(self, number: int = signal.SIGTERM) -> int:
        """Ask it to end, and say how it did."""
        self.process.send_signal(number)
        try:
            return self.process.wait(timeout=60)
        finally:
            self.process.kill()
            assert self.process.stderr
            self.process.stderr.close()
