"""Where the time goes: milliseconds of CPU a document spends in each stage, alone and among others.

    python benchmarks/stages.py --data DATA/cnndm/test.jsonl.xz --documents 64

One process, one thread, five budgets. Each stage counts the time it spends itself, without the stages
it calls. CPU time is taken because neighbours on the same machine hardly change it.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import defaultdict
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from mls.workers import ONE_THREAD

os.environ |= ONE_THREAD  # before numpy is imported

from mls import Summarizer
from mls.budget import Budget
from mls.corpora.records import read_records
from mls.prototype import windows
from mls.prototype.onnx_network import OnnxPointerGenerator
from mls.prototype.pointer_generator import PointerGeneratorPrototype
from mls.text import Document

BUDGETS = [Budget.parse(budget) for budget in ("1/32", "1/16", "1/8", "1/4", "1/2")]
TOGETHER = 16


class Stages:
    """Counts the time of the innermost stage."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)
        self.inside: list[str] = []
        self.last = 0.0

    def switch(self) -> None:
        now = time.process_time()
        if self.inside:
            self.spent[self.inside[-1]] += now - self.last
        self.last = now

    def watch(self, owner: Any, name: str, stage: str) -> None:
        original: Callable[..., Any] = getattr(owner, name)

        def watched(*arguments: Any) -> Any:
            self.switch()
            self.inside.append(stage)
            try:
                return original(*arguments)
            finally:
                self.switch()
                self.inside.pop()

        setattr(owner, name, watched)


def watch_all(stages: Stages, generate: PointerGeneratorPrototype, summarizer: Summarizer) -> None:
    for name in ("encode", "select"):
        stages.watch(OnnxPointerGenerator, name, "network: encoder")
    stages.watch(OnnxPointerGenerator, "step", "network: decoder steps")
    stages.watch(windows, "beam_search", "beam search")
    stages.watch(PointerGeneratorPrototype, "__call__", "from tokens to text and back")
    for name in ("read", "read_many"):  # the latter came with batched decoding
        if hasattr(Summarizer, name):
            stages.watch(Summarizer, name, "heads and expansions")
    if hasattr(PointerGeneratorPrototype, "of_many"):
        stages.watch(PointerGeneratorPrototype, "of_many", "from tokens to text and back")
    stages.watch(Summarizer, "write", "writing five summaries")


def alone(summarizer: Summarizer, texts: list[str], cut: Callable[[str], Document]) -> None:
    for text in texts:
        analysis = summarizer.read(cut(text))
        for budget in BUDGETS:
            summarizer.write(analysis, budget)


def together(summarizer: Summarizer, texts: list[str], cut: Callable[[str], Document]) -> None:
    for start in range(0, len(texts), TOGETHER):
        for analysis in summarizer.read_many([cut(text) for text in texts[start : start + TOGETHER]]):
            for budget in BUDGETS:
                summarizer.write(analysis, budget)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="JSON lines with id, document and summary")
    parser.add_argument("--documents", type=int, default=64)
    options = parser.parse_args()
    texts = [record.document for record in islice(read_records(options.data, print), options.documents)]
    summarizer = Summarizer()
    summarizer.levels(texts[0], BUDGETS)
    stages = Stages()
    watch_all(stages, summarizer.generate, summarizer)
    cutter = type("Cutter", (), {"cut": staticmethod(Document.of)})
    stages.watch(cutter, "cut", "sentences and tokens")
    columns: dict[str, dict[str, float]] = {}
    ways = {"one at a time": alone} | ({f"{TOGETHER} together": together} if hasattr(summarizer, "read_many") else {})
    for name, way in ways.items():
        stages.spent.clear()
        way(summarizer, texts, lambda text: cutter.cut(text))
        columns[name] = dict(stages.spent)
    print(f"| ms of CPU a document | {' | '.join(columns)} |")
    print("| --- " + "| ---: " * len(columns) + "|")
    for stage in columns["one at a time"]:
        print(f"| {stage} | " + " | ".join(f"{1000 * c[stage] / len(texts):.1f}" for c in columns.values()) + " |")
    print("| all | " + " | ".join(f"{1000 * sum(c.values()) / len(texts):.1f}" for c in columns.values()) + " |")


if __name__ == "__main__":
    main()
