"""Two hundred simulated participants at once: is every answer stored exactly once, and how long do people wait?

    python benchmarks/study.py                       (two hundred people, the server killed three times)
    python benchmarks/study.py --people 50 --kills 0

Everything runs on this machine: a server process as `mls study serve` starts it, and one thread for each
participant. Nobody reads, so the server has to bear in seconds what real people spread over an hour. What
the participants were told is kept is compared with what the file holds. Times are of this machine on this
day; the ratio compares with the same people answering one after the other, without a network.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from mls.study.consent import CONSENT, DEFAULT_CONSENT
from mls.study.create import StudyPlan, codes, create
from mls.study.material import read_material
from mls.study.results import read_results
from mls.study.simulate import OverHttp, Simulated, key_of, simulate_here
from mls.study.store import Store
from mls.study.visit import Shown, State

ROOT = Path(__file__).parent.parent
METHODS = ("lead", "a1", "random", "none", "full")
KNOWN = {"lead": 0.8, "a1": 0.6, "random": 0.5, "none": 0.1, "full": 0.95}


class Recording(OverHttp):
    """Keeps what the server confirmed, and how long it took to."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.confirmed: list[tuple[str, int, str]] = []
        self.waits: list[float] = []

    def answer(self, shown: Shown, choice: str, reading: float) -> State:
        started = time.perf_counter()
        state = super().answer(shown, choice, reading)
        self.waits.append(time.perf_counter() - started)
        self.confirmed.append((shown.id, shown.level, choice))
        return state


class Server:
    """`mls study serve`, which can be killed and started again on the same port."""

    def __init__(self, study: Path) -> None:
        self.study, self.port = study, 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "mls", "study", "serve", str(self.study), "--port", str(self.port)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
        assert self.process.stderr
        line = self.process.stderr.readline()
        found = re.search(r"http://\S+:(\d+)", line)
        if not found:
            sys.exit(f"the server did not start: {line}")
        self.url, self.port = found[0], int(found[1])

    def end(self, number: int) -> None:
        self.process.send_signal(number)
        self.process.wait()


def make_study(folder: Path, people: int) -> Store:
    data = [str(ROOT / "examples"), str(ROOT / "examples" / "study" / "letters")]
    material = read_material(data, ROOT / "examples" / "study" / "questions.jsonl")
    plan = StudyPlan.checked(METHODS, ("1/32", "1/16", "1/8", "1/4", "1/2"), people, 1, False)
    store = create(folder, plan, material, lambda done, total: None)
    (folder / CONSENT).write_text(DEFAULT_CONSENT.read_text("utf-8"), encoding="utf-8")
    return store


def crowd(store: Store, server: Server, kills: int, seconds: float) -> tuple[list[Recording], float]:
    """Everybody at once; meanwhile the server dies now and then."""
    key = key_of(store)
    doors = [Recording(server.url) for _ in codes(store)]
    threads = [
        threading.Thread(
            target=Simulated(KNOWN, random.Random(f"person 1 {number}")).take_part, args=(door, code, key), daemon=True
        )
        for number, (door, code) in enumerate(zip(doors, codes(store), strict=True))
    ]
    started = time.monotonic()
    for thread in threads:
        thread.start()
    for kill in range(kills):
        wait_for(lambda kill=kill: sum(len(door.confirmed) for door in doors) > (kill + 1) * 300, started + seconds)
        server.end(signal.SIGKILL)
        server.start()
    for thread in threads:
        thread.join(max(0.0, started + seconds - time.monotonic()))
    if any(thread.is_alive() for thread in threads):
        sys.exit(f"not done after {seconds:g} seconds")
    return doors, time.monotonic() - started


def wait_for(happened, until: float) -> None:  # type: ignore[no-untyped-def]
    while not happened() and time.monotonic() < until:
        time.sleep(0.01)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--kills", type=int, default=3, help="how often the server is killed with SIGKILL meanwhile")
    parser.add_argument("--seconds", type=float, default=300, help="the most it may take")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = make_study(Path(folder) / "study", given.people)
        server = Server(Path(folder) / "study")
        try:
            doors, took = crowd(store, server, given.kills, given.seconds)
        finally:
            server.end(signal.SIGTERM)
        alone = make_study(Path(folder) / "alone", given.people)
        started = time.monotonic()
        simulate_here(alone, codes(alone), KNOWN, 0.1, 1)
        report(store, doors, took, time.monotonic() - started, given.kills)


def report(store: Store, doors: list[Recording], took: float, alone: float, kills: int) -> None:
    confirmed = sorted(answer for door in doors for answer in door.confirmed)
    stored = sorted(tuple(row) for row in store.rows("SELECT item, level, choice FROM answers"))
    waits = sorted(wait for door in doors for wait in door.waits)
    results = read_results(store)
    print(f"{len(doors)} participants at once, server killed {kills} times")
    print(f"{len(confirmed):,} answers confirmed, {len(stored):,} stored, exactly the same: {confirmed == stored}")
    print(f"{results.people.finished} participants finished, {len(results.outcomes):,} items answered")
    print(f"{took:.1f} s in all, {len(stored) / took:.0f} answers a second")
    most = waits[int(0.95 * len(waits))]
    print(f"waiting for an answer to be kept: median {statistics.median(waits):.3f} s, 95% {most:.3f} s")
    print(f"over HTTP and all at once / in process, one after the other: {took / alone:.1f}")
    if confirmed != stored:
        sys.exit("answers were lost or counted twice")


if __name__ == "__main__":
    main()
