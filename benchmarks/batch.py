"""Speed and memory of `mls batch` against a plain loop and against peers, in one run.

    python benchmarks/batch.py --data DATA/cnndm/test.jsonl.xz --documents 2000 --sample 200 --ray

Every measurement is a process of its own. `mls batch` takes all documents; loops and peers, whose
speed does not depend on how many documents there are, take every n-th, `--sample` in all. The loop runs
on one half of them before `mls batch` and on the other after it, so that both meet the same neighbours. Times are
of this machine on this day: only their ratios mean anything. On a busy machine compare the seconds
of CPU a document takes, all processes together: neighbours hardly change them. Needs the extras `batch`, `bench` and
for `--ray` also `ray`; `--t5` needs `transformers` and `torch`.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

BUDGETS = ("1/32", "1/16", "1/8", "1/4", "1/2")
CORES = 2
LOOP = "a loop over Summarizer().levels"
LEXRANK = "sumy LexRank, pool of 2 processes"
T5 = "transformers, T5-small, random weights, 2 threads"
SHORT = 100  # words of a document where memory is looked at


def read_rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def texts_of(path: Path) -> list[str]:
    return [row["document"] for row in read_rows(path)]


def run_loop(path: Path) -> int:
    """What one writes first: a loop over `Summarizer().levels`."""
    from mls import Summarizer

    summarizer = Summarizer()
    rows = read_rows(path)
    summarizer.levels(rows[0]["document"], BUDGETS)
    started = time.perf_counter()
    said = {row["id"]: [one.text for one in summarizer.levels(row["document"], BUDGETS)] for row in rows}
    report(time.perf_counter() - started, len(rows))
    path.with_suffix(".loop").write_text(json.dumps(said), encoding="utf-8")
    return 0


def lexrank(text: str) -> int:
    """As many lengths as we write, as a share of the sentences."""
    from core import _OurTokenizer
    from sumy.parsers.plaintext import PlaintextParser
    from sumy.summarizers.lex_rank import LexRankSummarizer

    document = PlaintextParser.from_string(text, _OurTokenizer()).document
    summarizer = LexRankSummarizer()
    return sum(len(summarizer(document, max(1, len(document.sentences) // part))) for part in (32, 16, 8, 4, 2))


def run_lexrank(path: Path) -> int:
    import multiprocessing

    texts = texts_of(path)
    with multiprocessing.get_context("spawn").Pool(CORES) as pool:
        pool.map(lexrank, texts[:CORES])
        started = time.perf_counter()
        pool.map(lexrank, texts, chunksize=4)
        report(time.perf_counter() - started, len(texts))
    return 0


def run_t5(path: Path) -> int:
    """A T5-small of random weights that reads the same windows and writes as many tokens, with as many beams."""
    import torch
    from peers import t5_small, write_as_much

    from mls.model import shipped_model
    from mls.text import Document

    torch.set_num_threads(CORES)
    network, generate = t5_small(), shipped_model().prototype()
    texts = texts_of(path)[:5]
    started = time.perf_counter()
    for text in texts:
        write_as_much(network, Document.parse(text), generate)
    report(time.perf_counter() - started, len(texts))
    return 0


def report(seconds: float, documents: int) -> None:
    print(documents, seconds)


PEERS: dict[str, Callable[[Path], int]] = {
    LOOP: run_loop,
    LEXRANK: run_lexrank,
    T5: run_t5,
}


@dataclass(frozen=True)
class Speed:
    """Documents a second, and seconds of CPU for a document, those for starting included."""

    per_second: float
    cpu: float

    @classmethod
    def mean(cls, one: Speed, other: Speed) -> Speed:
        """Of two runs over as many documents."""
        per_second = 2 / (1 / one.per_second + 1 / other.per_second)
        return cls(per_second, (one.cpu + other.cpu) / 2)

    def row(self, name: str, mine: Speed | None = None) -> str:
        faster, less = (
            (f"{mine.per_second / self.per_second:.1f} x", f"{self.cpu / mine.cpu:.1f} x") if mine else ("", "")
        )
        return f"| {name} | {self.per_second:.2f} | {faster} | {self.cpu:.3f} | {less} |"


def cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(name: str, path: Path) -> Speed:
    before = cpu_of_children()
    # Threads that wait must sleep: on a busy machine those that spin take ten times as long.
    done = subprocess.run(
        [sys.executable, __file__, "--measure", name, str(path)],
        stdout=subprocess.PIPE, check=True, env={**os.environ, "OMP_WAIT_POLICY": "PASSIVE"},
    )  # fmt: skip
    documents, seconds = map(float, done.stdout.split())
    return Speed(documents / seconds, (cpu_of_children() - before) / documents)


class MemoryMeter(threading.Thread):
    """Watches what a process and its children hold, in MB."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid = pid
        self.peak: dict[int, int] = {}
        self.start()

    def run(self) -> None:
        while Path(f"/proc/{self.pid}").exists():
            for pid in (self.pid, *_children(self.pid)):
                self.peak[pid] = max(self.peak.get(pid, 0), _resident(pid))
            time.sleep(0.2)

    @property
    def parent(self) -> int:
        return self.peak[self.pid]

    @property
    def worker(self) -> int:
        return max(size for pid, size in self.peak.items() if pid != self.pid)


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 2**20
    except (OSError, IndexError):
        return 0


def run_batch(source: Path, output: Path, *options: str) -> tuple[Speed, MemoryMeter]:
    """How fast it is, starting and ending included, and the memory it took."""
    count = sum(1 for _ in source.open("rb"))
    command = [sys.executable, "-m", "mls", "batch", str(source), "-o", str(output), "--workers", str(CORES), *options]
    started, before = time.perf_counter(), cpu_of_children()
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    memory = MemoryMeter(process.pid)
    if process.wait():
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return Speed(count / (time.perf_counter() - started), (cpu_of_children() - before) / count), memory


def documents(data: Path, count: int) -> Iterator[dict[str, str]]:
    """The data's documents, again and again if it has too few."""
    from mls.corpora.records import read_records

    found = [{"id": record.id, "document": record.document} for record in islice(read_records(data, print), count)]
    for number in range(count):
        row = found[number % len(found)]
        yield row if number < len(found) else row | {"id": f"{row['id']}-{number}"}


def write(path: Path, rows: Iterator[dict[str, str]]) -> Path:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def compare_speed(folder: Path, data: Path, count: int, sample: int, ray: bool, t5: bool) -> None:
    source = write(folder / "all.jsonl", documents(data, count))
    rows = read_rows(source)
    chosen = rows[:: max(1, count // sample)][:sample]
    few = write(folder / "sample.jsonl", iter(chosen))
    halves = [write(folder / f"half-{part}.jsonl", iter(chosen[part::2])) for part in (0, 1)]
    options = ("--budgets", ",".join(BUDGETS))
    before = measure(LOOP, halves[0])
    mine, memory = run_batch(source, folder / "local.jsonl", *options)
    loop = Speed.mean(before, measure(LOOP, halves[1]))
    print(
        f"\n{count:,} documents at {len(BUDGETS)} budgets, two workers: memory of the parent {memory.parent} MB,",
        end=" ",
    )
    print(f"of the larger worker {memory.worker} MB\n")
    print("| | documents/s | mls batch is faster | CPU s/document | mls batch takes less |")
    print("| --- | ---: | ---: | ---: | ---: |\n" + mine.row("mls batch, 2 workers"))
    print(loop.row(LOOP, mine), flush=True)
    for name in (LEXRANK, T5) if t5 else (LEXRANK,):
        print(measure(name, few).row(name, mine), flush=True)
    if ray:
        speed, _ = run_batch(source, folder / "ray.jsonl", "--engine", "ray", *options)
        same = (folder / "ray.jsonl").read_bytes() == (folder / "local.jsonl").read_bytes()
        print(f"\nRay, 2 workers: {speed.per_second:.2f} documents/s")
        print(f"Ray and local output of {count:,} documents: {'the same bytes' if same else 'DIFFERENT'}")
    compare_texts(folder / "local.jsonl", [half.with_suffix(".loop") for half in halves])


def compare_texts(output: Path, loops: list[Path]) -> None:
    """Does a document read among others get the same summaries as one read alone?"""
    batch: dict[str, list[str]] = {}
    for line in output.open(encoding="utf-8"):
        row = json.loads(line)
        batch.setdefault(row["id"], []).append(row["summary"])
    alone = {name: said for loop in loops for name, said in json.loads(loop.read_text(encoding="utf-8")).items()}
    different = sum(batch[name] != said for name, said in alone.items())
    print(f"\nof {len(alone)} documents, {different} have other summaries in mls batch than in the loop")


def compare_memory(folder: Path, data: Path) -> None:
    print(f"\n| documents of {SHORT} words, greedy | parent, peak | larger worker, peak | documents/s |")
    print("| ---: | ---: | ---: | ---: |")
    for count in (1_000, 20_000):
        rows = ({**row, "document": " ".join(row["document"].split()[:SHORT])} for row in documents(data, count))
        source = write(folder / f"{count}.jsonl", rows)
        speed, memory = run_batch(source, folder / f"{count}.out.jsonl", "--prototype", "greedy")
        print(f"| {count:,} | {memory.parent} MB | {memory.worker} MB | {speed.per_second:.0f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="JSON lines with id, document and summary")
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--sample", type=int, default=200, help="documents for loops and peers")
    parser.add_argument("--ray", action="store_true", help="also run the Ray engine and compare the bytes")
    parser.add_argument("--t5", action="store_true", help="also run a T5-small that writes as much as the PG-Network")
    parser.add_argument("--only-memory", action="store_true")
    parser.add_argument("--measure", nargs=2, metavar=("NAME", "FILE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        raise SystemExit(PEERS[options.measure[0]](Path(options.measure[1])))
    if not options.data:
        parser.error("--data is needed")
    with tempfile.TemporaryDirectory() as folder:
        if not options.only_memory:
            compare_speed(Path(folder), options.data, options.documents, options.sample, options.ray, options.t5)
        compare_memory(Path(folder), options.data)


if __name__ == "__main__":
    main()
