"""How much one server takes on: everything it holds or waits for has a bound, and all bounds stand here."""

from __future__ import annotations

from dataclasses import dataclass

from mls.workers import cores


@dataclass(frozen=True)
class Limits:
    """The bounds of a server. What one asks beyond them gets an error of one sentence, never queued for ever."""

    characters: int = 200_000  # of a text
    file_bytes: int = 10 * 2**20
    budgets: int = 32  # of one request
    workers: int = cores()  # processes that summarize
    waiting: int = 64  # requests that wait for a worker
    seconds: float = 60.0  # that a request may wait, and that it may then take
    connections: int = 500  # open at once; beyond that, who has been idle longest goes
    arriving_bytes: int = 256 * 2**20  # of requests that are being sent or dealt with
    sending_seconds: float = 30.0  # that a request may take to arrive
    analyses: int = 64  # texts that a worker remembers,
    kept_characters: int = 1_000_000  # with so many characters together, at about 130 bytes each
    worker_bytes: int = 3 * 2**30  # memory of a worker

    @property
    def body_bytes(self) -> int:
        """A JSON text may spell each character as two escapes of six bytes."""
        return 12 * self.characters + 65_536

    @property
    def grace(self) -> float:
        """Seconds after which the last request that was accepted has been answered."""
        return self.sending_seconds + 2 * self.seconds + 5
