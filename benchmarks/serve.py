"""The service on loopback: the slider, throughput by clients, and 500 clients at once.

    python benchmarks/serve.py                     (about a minute; texts made from the examples)
    python benchmarks/serve.py --seconds 20        (longer loads)

Server and clients share the machine, so that its times are of this machine on this day. Every part
is bounded in count and time. Needs the extra `serve`.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from mls.workers import cores

ROOT = Path(__file__).parent.parent
WORDS = 1000
STEPS = 160  # of the page's slider


@dataclass
class Connection:
    """One client's connection: plain HTTP/1.1, kept alive, opened again when the server closes it."""

    port: int
    streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(
        self, path: str, body: dict[str, object], accept: str = "identity"
    ) -> tuple[int, bytes, dict[str, str]]:
        data = json.dumps(body).encode()
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Accept-Encoding: {accept}\r\nContent-Length: {len(data)}"
        )
        writer.write(head.encode() + b"\r\n\r\n" + data)
        await writer.drain()
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        answer = await reader.readexactly(int(headers["content-length"]))
        if headers.get("connection") == "close":
            self.close()
        return int(lines[0].split()[1]), answer, headers

    def close(self) -> None:
        if self.streams:
            self.streams[1].close()
        self.streams = None


@dataclass
class Tally:
    """What became of the requests of one load."""

    seconds: list[float] = field(default_factory=list)  # of those that were answered with a summary
    statuses: Counter[int] = field(default_factory=Counter)
    lost: int = 0

    def at(self, share: float) -> float:
        ordered = sorted(self.seconds)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def texts(count: int) -> list[str]:
    """Texts of 1,000 words, each with its own end, so that each has to be read."""
    words = " ".join((ROOT / "examples" / f"{name}.txt").read_text("utf-8") for name in ("news", "story")).split(" ")
    return [" ".join(words[:WORDS]) + f" This was version {number}." for number in range(count)]


def budget(step: int) -> str:
    return f"{100 * 2 ** (step * 5 / STEPS - 5):.3f}%"


async def timed(connection: Connection, body: dict[str, object], tally: Tally) -> None:
    began = time.perf_counter()
    try:
        status, _, _ = await connection.post("/api/summarize", body)
    except (OSError, asyncio.IncompleteReadError):
        tally.lost += 1
        connection.close()
        return
    tally.statuses[status] += 1
    if status == 200:
        tally.seconds.append(time.perf_counter() - began)


async def slider(port: int, process: int) -> None:
    """One client, one text: the first request reads it, every further one only writes."""
    connection, first, moves = Connection(port), Tally(), Tally()
    (text,) = texts(1)
    await timed(connection, {"text": text, "budget": "1/8"}, first)
    used = cpu_seconds(process)
    for step in (*range(0, STEPS, 1), *range(STEPS, 0, -1)):
        await timed(connection, {"text": text, "budget": budget(step)}, moves)
    used = 1000 * (cpu_seconds(process) - used) / len(moves.seconds)
    connection.close()
    verdict = "holds" if moves.at(0.95) < 50 and not moves.lost else "DOES NOT HOLD"
    print(f"first request, text unknown: {first.at(0.5):.0f} ms")
    print(f"{len(moves.seconds)} moves of the slider, text known: median {moves.at(0.5):.1f} ms, "
          f"95th percentile {moves.at(0.95):.1f} ms; below 50 ms {verdict}")  # fmt: skip
    print(f"processor time of server and workers: {used:.1f} ms a move")


async def moves_of_a_long_text(port: int) -> None:
    """The slider on 10,000 words: all that `/api/summarize` says, and what the page asks `/api/move` for."""
    words = " ".join(texts(1)).split(" ")
    text = " ".join(f"{' '.join(words)} Version {number} of it." for number in range(10))
    connection = Connection(port)
    _, answer, _ = await connection.post("/api/move", {"text": text, "budget": "1/8"})
    have = json.loads(answer)["read"]
    asked: dict[str, tuple[str, dict[str, object], str]] = {
        "everything": ("/api/summarize", {"text": text}, "identity"),
        "what changed": ("/api/move", {"text": text, "have": have}, "gzip"),
    }
    print(f"\nthe slider on {len(text.split()):,} words:")
    seconds: dict[str, list[float]] = {name: [] for name in asked}
    sizes: dict[str, list[float]] = {name: [] for name in asked}
    for step in (*range(0, STEPS, 4), *range(2, STEPS, 4)):
        for name, (path, body, accept) in asked.items():  # in turn, so that whatever else goes on slows both
            began = time.perf_counter()
            _, answer, _ = await connection.post(path, {**body, "budget": budget(step)}, accept)
            json.loads(gzip.decompress(answer) if answer[:2] == b"\x1f\x8b" else answer)
            seconds[name].append(1000 * (time.perf_counter() - began))
            sizes[name].append(len(answer) / 1000)
    late = {name: sorted(times)[int(0.95 * len(times))] for name, times in seconds.items()}
    for name, times in seconds.items():
        print(f"  {name}: median {median(times):.0f} ms, 95th percentile {late[name]:.0f} ms, "
              f"median {median(sizes[name]):.0f} kB, most {max(sizes[name]):.0f} kB a move")  # fmt: skip
    print(f"  what changed takes {late['what changed'] / late['everything']:.2f} of the time at the 95th percentile, "
          f"{median(seconds['what changed']) / median(seconds['everything']):.2f} at the median, "
          f"{max(sizes['what changed']) / min(sizes['everything']):.3f} of the bytes")  # fmt: skip
    connection.close()


async def load(port: int, clients: int, seconds: float, given: list[str]) -> Tally:
    """Clients that ask one thing after another; each moves the slider on texts of its own turn."""
    tally = Tally()
    deadline = time.perf_counter() + seconds

    async def client(number: int) -> None:
        connection, turn = Connection(port), number
        while time.perf_counter() < deadline:
            body = {"text": given[(number + turn // 20) % len(given)], "budget": budget(turn * 7 % STEPS)}
            await timed(connection, body, tally)
            turn += 1
        connection.close()

    await asyncio.gather(*map(client, range(clients)))
    return tally


async def crowd(port: int, clients: int) -> Tally:
    """All at once, one request each, on new texts."""
    tally = Tally()
    given = texts(clients)

    async def client(number: int) -> None:
        connection = Connection(port)
        await timed(connection, {"text": f"{given[number]} Nobody has seen it before.", "budget": "1/8"}, tally)
        connection.close()

    await asyncio.gather(*map(client, range(clients)))
    return tally


def family(process: int) -> list[int]:
    """The server and its workers."""
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True).stdout
    return [process, *map(int, children.split())]


def cpu_seconds(process: int) -> float:
    """What the server and its workers have used of the processors, however many others used them too."""
    total = 0
    for number in family(process):
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def memory(process: int) -> float:
    """Megabytes of the server and its workers together."""
    total = 0
    for number in family(process):
        status = Path(f"/proc/{number}/status").read_text()
        total += int(re.findall(r"VmRSS:\s+(\d+)", status)[0])
    return total / 1024


async def measure(port: int, process: int, seconds: float) -> None:
    await slider(port, process)
    await moves_of_a_long_text(port)
    print("\n| clients | answers/s | median ms | 95th percentile ms | answered 429 | lost |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for clients in (1, 8, 64):
        tally = await load(port, clients, seconds, texts(8))
        rate = len(tally.seconds) / seconds
        print(f"| {clients} | {rate:.1f} | {tally.at(0.5):.0f} | {tally.at(0.95):.0f} "
              f"| {tally.statuses[429]} | {tally.lost} |", flush=True)  # fmt: skip
    before = memory(process)
    (alone,) = [await load(port, 1, 2.0, texts(1))]
    for wave in (1, 2, 3):
        tally = await crowd(port, 500)
        told = ", ".join(f"{count} x {status}" for status, count in sorted(tally.statuses.items()))
        print(f"\n500 clients at once, wave {wave}: {told}; lost {tally.lost}; memory {memory(process):.0f} MB", end="")
    again = await load(port, 1, 2.0, texts(1))
    print(f"\nmemory before: {before:.0f} MB")
    print(f"one client before: median {alone.at(0.5):.0f} ms, after: {again.at(0.5):.0f} ms")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {cores()} cores")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=8.0, help="of each load")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    command = [sys.executable, "-m", "mls", "serve", "--port", "0", "--workers", str(given.workers)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stderr
        line = server.stderr.readline()
        found = re.search(r":(\d+) ", line)
        if not found:
            sys.exit(f"the server did not start: {line}{server.stderr.read()}")
        try:
            asyncio.run(measure(int(found[1]), server.pid, given.seconds))
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
