"""Where the time goes: milliseconds of CPU that a document spends in each stage of the default recipe.

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

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")  # before numpy is imported

from mls import Summarizer, needs, summarizer
from mls.budget import Budget
from mls.corpora.records import read_records
from mls.forms import ladders
from mls.judge.network import Judge
from mls.parser.network import ParserModel, shipped_parser
from mls.text import Document

BUDGETS = [Budget.parse(budget) for budget in ("1/32", "1/16", "1/8", "1/4", "1/2")]


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


class Watched:
    """A graph whose running can be watched."""

    def __init__(self, graph: Any) -> None:
        self.graph = graph

    def run(self, *arguments: Any) -> Any:
        return self.graph.run(*arguments)


def watch_all(stages: Stages) -> None:
    shipped_parser().__dict__["graph"] = Watched(shipped_parser().graph)
    stages.watch(Document, "of", "sentences and tokens")
    stages.watch(Watched, "run", "parser: network")
    stages.watch(ParserModel, "parse", "parser: words to numbers, scores to trees")
    stages.watch(Judge, "__call__", "judge of sentences")
    stages.watch(needs, "leanings", "leaning: rules")
    stages.watch(summarizer, "needs", "leaning: judge of needs")
    stages.watch(ladders, "forms_of", "forms")
    stages.watch(Summarizer, "read", "other heads")
    stages.watch(Summarizer, "write", "writing five summaries")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="JSON lines with id, document and summary")
    parser.add_argument("--documents", type=int, default=64)
    options = parser.parse_args()
    texts = [record.document for record in islice(read_records(options.data, print), options.documents + 1)]
    made = Summarizer()
    made.levels(texts.pop(), BUDGETS)
    stages = Stages()
    watch_all(stages)
    for text in texts:
        analysis = made.read(text)
        for budget in BUDGETS:
            made.write(analysis, budget)
    total = sum(stages.spent.values())
    print("| | ms of CPU a document | share |\n| --- | ---: | ---: |")
    for stage, spent in sorted(stages.spent.items(), key=lambda entry: -entry[1]):
        print(f"| {stage} | {1000 * spent / len(texts):.1f} | {spent / total:.0%} |")
    print(f"| all | {1000 * total / len(texts):.1f} | |")


if __name__ == "__main__":
    main()
