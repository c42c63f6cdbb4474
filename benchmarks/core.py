"""Speed and memory of MLS, by its default recipe and by the light one, against sumy and summa in one run.

    make bench                      (documents made from the examples)
    python benchmarks/core.py --data DATA/cnndm/val.jsonl.xz

Every measurement is a process of its own, so that peak memory is its own too, and is ended after
--seconds. What is measured is CPU time, which neighbours on the same machine change least; still only ratios
mean anything: all take turns, --rounds times, on one thread each, and the best of each counts. The peers
are given our sentence splitting where they accept it, and asked for a quarter of the sentences.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from mls.workers import ONE_THREAD

SIZES = (30, 300, 1000, 10_000)
ROOT = Path(__file__).parent.parent


def run_default(text: str) -> None:
    from mls import Summarizer

    Summarizer().summarize(text, "1/4")


def run_light(text: str) -> None:
    from mls import Summarizer

    Summarizer("light").summarize(text, "1/4")


class _OurTokenizer:
    """sumy's own needs NLTK data; it takes any object with these two methods."""

    def to_sentences(self, paragraph: str) -> tuple[str, ...]:
        import sentencex

        return tuple(sentencex.segment("en", paragraph))

    def to_words(self, sentence: str) -> tuple[str, ...]:
        return tuple(word for word in sentence.split() if word[0].isalnum())


def _run_sumy(text: str, module: str, name: str) -> None:
    import importlib

    from sumy.parsers.plaintext import PlaintextParser

    document = PlaintextParser.from_string(text, _OurTokenizer()).document
    summarizer = getattr(importlib.import_module(f"sumy.summarizers.{module}"), name)()
    summarizer(document, len(document.sentences) // 4)


def run_lexrank(text: str) -> None:
    _run_sumy(text, "lex_rank", "LexRankSummarizer")


def run_textrank(text: str) -> None:
    _run_sumy(text, "text_rank", "TextRankSummarizer")


def run_summa(text: str) -> None:
    from summa.summarizer import summarize

    summarize(text, ratio=0.25)


RUNNERS: dict[str, Callable[[str], None]] = {
    "mls": run_default,
    "mls, light": run_light,
    "sumy LexRank": run_lexrank,
    "sumy TextRank": run_textrank,
    "summa": run_summa,
}


def measure_here(name: str, path: str) -> None:
    """Inside the measuring process: warm up on a small text of other sentences, then time the document."""
    text = Path(path).read_text(encoding="utf-8")
    RUNNERS[name]("It rained all day in Oslo.\nThe match was called off, and nobody minded.\nIt was played later.")
    started = time.process_time()
    RUNNERS[name](text)
    seconds = time.process_time() - started
    print(f"{seconds:.4f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}")


def measure(name: str, path: Path, limit: float) -> tuple[float, float] | None:
    """Its seconds of CPU and its peak in megabytes; None where it takes more than so many seconds of CPU."""

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit)))

    command = [sys.executable, __file__, "--measure", name, str(path)]
    environment = os.environ | ONE_THREAD
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, preexec_fn=bounded, env=environment)
    if done.returncode < 0:  # ended by the system
        return None
    done.check_returncode()
    seconds, megabytes = map(float, done.stdout.split())
    return seconds, megabytes


def sentences(data: Path | None) -> list[str]:
    """Enough different sentences: from the data, or the examples' words shuffled into new ones."""
    from mls.corpora.records import read_records
    from mls.text import Document

    if data:
        found: list[str] = []
        for record in read_records(data, print):
            found += [sentence.text for sentence in Document.parse(record.document).sentences]
            if len(found) >= max(SIZES):
                break
        return found
    shuffler = random.Random(1)
    own = [
        s.text for path in sorted((ROOT / "examples").glob("*.txt")) for s in Document.parse(path.read_text()).sentences
    ]
    words = [word for sentence in own for word in sentence.rstrip(".").split()]
    return own + [" ".join(shuffler.sample(words, shuffler.randint(8, 30))) + "." for _ in range(max(SIZES))]


def best_of(rounds: int, material: list[str], size: int, limit: float, folder: Path) -> dict[str, list[float]]:
    """Seconds and megabytes of each runner, the best of all rounds; infinite where it takes too long."""
    best = {name: [math.inf, math.inf] for name in RUNNERS}
    path = folder / "document.txt"
    path.write_text("\n".join(material[:size]), encoding="utf-8")
    for number in range(rounds):
        for name in RUNNERS:
            if number == 0 or best[name][0] < math.inf:  # who was too slow once is not asked again
                best[name] = list(map(min, best[name], measure(name, path, limit) or (math.inf, math.inf)))
    return best


def report_sizes(data: Path | None, sizes: Sequence[int], limit: float, rounds: int) -> None:
    material = sentences(data)
    mine: dict[int, float] = {}
    print(f"| sentences | {' | '.join(RUNNERS)} | mls is faster than LexRank | mls, light | peak memory of mls |")
    print("| ---: " * (len(RUNNERS) + 4) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            best = best_of(rounds, material, size, limit, Path(folder))
            mine[size], memory = best["mls"]
            peer = min(limit, best["sumy LexRank"][0])
            sign = "" if peer < limit else "> "
            cells = " | ".join(f"{s:.3f} s" if s < math.inf else f"> {limit:.0f} s" for s, _ in best.values())
            ratios = " | ".join(f"{sign}{peer / best[name][0]:.2f} x" for name in ("mls", "mls, light"))
            print(f"| {size:,} | {cells} | {ratios} | {memory:.0f} MB |", flush=True)
    few, many = sizes[-2:]
    exponent = math.log(mine[many] / mine[few]) / math.log(many / few)
    print(f"\ncost of mls from {few:,} to {many:,} sentences grows as n^{exponent:.2f}")


def report_cold_start(runs: int = 9) -> None:
    """A 500-word file, from the shell's point of view: an installed package is compiled, so this one is, too."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    words = (ROOT / "examples" / "news.txt").read_text(encoding="utf-8").split(" ")[:500]
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write(" ".join(words))
        file.flush()
        cold = [sys.executable, "-m", "mls", "summarize", file.name]
        bare = [sys.executable, "-c", "import click, numpy, onnxruntime, sentencex, tomotopy"]
        best = {"mls": math.inf, "bare": math.inf}
        subprocess.run(cold, check=True, stdout=subprocess.DEVNULL, env=environment)
        for _ in range(runs):  # alternating, so that both meet the same neighbours
            for name, command in (("mls", cold), ("bare", bare)):
                before = sum(os.times()[2:4])
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
                best[name] = min(best[name], sum(os.times()[2:4]) - before)
    print(
        f"\ncold `mls summarize` of 500 words: {best['mls']:.2f} s of CPU; bare imports: {best['bare']:.2f} s;", end=" "
    )
    print(f"ratio {best['mls'] / best['bare']:.2f} (best of {runs})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="JSON lines to take sentences from")
    parser.add_argument("--seconds", type=float, default=120.0, help="of CPU that a document may take")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="of documents, in sentences")
    parser.add_argument("--rounds", type=int, default=3, help="how often all take turns")
    parser.add_argument("--measure", nargs=2, metavar=("NAME", "FILE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        measure_here(*options.measure)
        return
    report_sizes(options.data, options.sizes, options.seconds, options.rounds)
    report_cold_start()


if __name__ == "__main__":
    main()
