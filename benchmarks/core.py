"""Speed and memory of the core against sumy and summa, on the same documents in one run.

    make bench                      (documents made from the examples)
    python benchmarks/core.py --data DATA/cnndm/val.jsonl.xz

Every measurement is a process of its own, so that peak memory is its own too, and is ended after
--seconds. Times are of this machine on this day; only their ratios mean anything. The peers are
given our sentence splitting where they accept it, and asked for a quarter of the sentences.
"""

from __future__ import annotations

import argparse
import math
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

SIZES = (30, 300, 1000, 5000)
ROOT = Path(__file__).parent.parent


def run_mls(text: str) -> None:
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
    "mls": run_mls,
    "sumy LexRank": run_lexrank,
    "sumy TextRank": run_textrank,
    "summa": run_summa,
}


def measure_here(name: str, path: str) -> None:
    """Inside the measuring process: warm up on a small text, then time the document."""
    import resource

    text = Path(path).read_text(encoding="utf-8")
    RUNNERS[name]("\n".join(text.split("\n")[:30]))
    started = time.perf_counter()
    RUNNERS[name](text)
    seconds = time.perf_counter() - started
    print(f"{seconds:.4f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}")


def measure(name: str, path: Path, limit: float) -> tuple[float, float] | None:
    command = [sys.executable, __file__, "--measure", name, str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=True)
    except subprocess.TimeoutExpired:
        return None
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


def report_sizes(data: Path | None, limit: float) -> None:
    material = sentences(data)
    mine: dict[int, float] = {}
    print(f"| sentences | {' | '.join(RUNNERS)} | fastest peer / mls | mls peak memory |")
    print("| ---: " * (len(RUNNERS) + 3) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            path = Path(folder) / f"{size}.txt"
            path.write_text("\n".join(material[:size]), encoding="utf-8")
            results = {name: measure(name, path, limit) for name in RUNNERS}
            mine[size], memory = results["mls"] or (math.nan, math.nan)
            peers = [result[0] for name, result in results.items() if name != "mls" and result]
            cells = " | ".join(f"{result[0]:.3f} s" if result else f"> {limit:.0f} s" for result in results.values())
            ratio = f"{min(peers) / mine[size]:.0f}" if peers else f"> {limit / mine[size]:.0f}"
            print(f"| {size} | {cells} | {ratio} | {memory:.0f} MB |", flush=True)
    exponent = math.log(mine[5000] / mine[300]) / math.log(5000 / 300)
    print(f"\ncost of mls from 300 to 5,000 sentences grows as n^{exponent:.2f}")


def report_cold_start(runs: int = 9) -> None:
    """A 500-word file, from the shell's point of view."""
    words = (ROOT / "examples" / "news.txt").read_text(encoding="utf-8").split(" ")[:500]
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write(" ".join(words))
        file.flush()
        cold = [sys.executable, "-m", "mls", "summarize", file.name, "--recipe", "light"]
        bare = [sys.executable, "-c", "import numpy, onnxruntime, tomotopy"]
        times: dict[str, list[float]] = {"mls": [], "bare": []}
        for _ in range(runs):  # alternating, so that both meet the same neighbours
            for name, command in (("mls", cold), ("bare", bare)):
                started = time.perf_counter()
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
                times[name].append(time.perf_counter() - started)
    best = {name: min(values) for name, values in times.items()}
    print(f"\ncold `mls summarize` of 500 words: {best['mls']:.2f} s; bare imports: {best['bare']:.2f} s;", end=" ")
    print(f"ratio {best['mls'] / best['bare']:.2f} (best of {runs})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="JSON lines to take sentences from")
    parser.add_argument("--seconds", type=float, default=120.0, help="give a peer so long for one document")
    parser.add_argument("--measure", nargs=2, metavar=("NAME", "FILE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        measure_here(*options.measure)
        return
    report_sizes(options.data, options.seconds)
    report_cold_start()


if __name__ == "__main__":
    main()
