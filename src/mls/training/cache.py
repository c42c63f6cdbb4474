"""A corpus tokenized once into flat arrays that are memory-mapped when it is trained on.

Ids are ranks in one table of word types: those of the model's vocabulary first, then the rest. The
arrays lie one example after another; `*_ends` say where each stops.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mls.corpora.records import Problem, Record, ReportProblem, read_records, record_files
from mls.fingerprints import fingerprint
from mls.text import fold, tokenize
from mls.training.selection import selected_positions
from mls.vocabulary import COMMON, SPECIAL, Vocabulary

FORMAT = 2
_ENDS_SENTENCE = frozenset(".!?\"'”’")


@dataclass(frozen=True)
class Corpus:
    """Tokenized examples; `selected` marks the source tokens that the summary takes up."""

    source: NDArray[np.int32]
    selected: NDArray[np.uint8]
    source_ends: NDArray[np.int64]
    target: NDArray[np.int32]
    target_ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.source_ends)

    def example(self, index: int) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.int32]]:
        first = self.source_ends[index - 1] if index else 0
        source = slice(first, self.source_ends[index])
        target = slice(self.target_ends[index - 1] if index else 0, self.target_ends[index])
        return self.source[source], self.selected[source], self.target[target]


@dataclass(frozen=True)
class CachedCorpus:
    """A corpus and the vocabulary of its training part."""

    corpus: Corpus
    vocabulary: Vocabulary
    skipped: int


def cached_corpus(
    data: str, root: Path, vocabulary_size: int, report: ReportProblem, vocabulary: Vocabulary | None = None
) -> CachedCorpus:
    """Open the cache of `data` below `root`, making it first where there is none."""
    folder = root / _fingerprint(data, vocabulary_size, vocabulary)
    if not folder.exists():
        problems: list[Problem] = []

        def keep(problem: Problem) -> None:
            problems.append(problem)
            report(problem)

        builder = _Builder(vocabulary)
        for record in read_records(data, keep):
            if not tokenize(record.document):
                keep(Problem(record.id, "the document holds no word or punctuation mark"))
            else:
                builder.add(record)
        _write(builder, folder, vocabulary_size, len(problems))
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in Corpus.__dataclass_fields__}
    return CachedCorpus(Corpus(**arrays), Vocabulary.load(folder / "vocabulary.txt"), facts["skipped"])


def _fingerprint(data: str, vocabulary_size: int, vocabulary: Vocabulary | None) -> str:
    """Names the cache after everything that decides what is in it."""
    # Files by what they hold: a copy elsewhere is the same data.
    source = [data] if data.startswith("hf:") else record_files(Path(data))
    types = "\n".join((*vocabulary.types, *vocabulary.surfaces)) if vocabulary else ""
    return fingerprint(f"{FORMAT} {vocabulary_size}", *source, types, length=16)


class _Builder:
    """Collects examples under provisional ids, in the order in which types are first seen."""

    def __init__(self, vocabulary: Vocabulary | None) -> None:
        self.given = vocabulary
        types = vocabulary.types if vocabulary else SPECIAL
        self.ids: dict[str, int] = {key: number for number, key in enumerate(types)}
        self.counts: Counter[int] = Counter()
        self.surfaces: Counter[str] = Counter()
        self.source, self.target = array("i"), array("i")
        self.source_ends, self.target_ends = array("q"), array("q")

    def add(self, record: Record) -> None:
        self.source.extend(self._ids(record.document))
        self.source_ends.append(len(self.source))
        for line in filter(str.strip, record.summary.splitlines()):
            self.target.extend(self._ids(line if line.rstrip()[-1:] in _ENDS_SENTENCE else f"{line} ."))
        self.target_ends.append(len(self.target))

    def _ids(self, text: str) -> list[int]:
        ids = [self.ids.setdefault(key, len(self.ids)) for key in self._keys(text)]
        self.counts.update(ids)
        return ids

    def _keys(self, text: str) -> Iterator[str]:
        """The folded tokens; how a word is written counts only where no sentence begins."""
        for line in text.splitlines():
            inside = False
            for token in tokenize(line):
                if inside:
                    self.surfaces[token.text] += 1
                inside = token.text not in _ENDS_SENTENCE and token.text not in ":‘“("
                yield fold(token.text)

    def ranking(self) -> list[int]:
        """Provisional ids by rank: the special types and the given vocabulary keep theirs."""
        fixed = len(self.given) if self.given else len(SPECIAL)
        rest = sorted(range(fixed, len(self.ids)), key=lambda number: (-self.counts[number], number))
        return [*range(fixed), *rest]

    def usual_surfaces(self) -> dict[str, str]:
        best: dict[str, str] = {}
        for surface, count in sorted(self.surfaces.items()):
            key = fold(surface)
            if key not in best or count > self.surfaces[best[key]]:
                best[key] = surface
        return best


def _write(builder: _Builder, folder: Path, vocabulary_size: int, skipped: int) -> None:
    """Write all files into a temporary folder and rename it: a cache is whole or absent."""
    ranking = builder.ranking()
    ranks = np.empty(len(ranking), dtype=np.int32)
    ranks[ranking] = np.arange(len(ranking), dtype=np.int32)
    types = list(builder.ids)
    surfaces = builder.usual_surfaces()
    listed = [types[number] for number in ranking[len(SPECIAL) : vocabulary_size]]
    vocabulary = builder.given or Vocabulary.of((key, surfaces.get(key, key)) for key in listed)
    arrays: dict[str, NDArray[Any]] = {
        "source": ranks[np.frombuffer(builder.source, dtype=np.int32)],
        "target": ranks[np.frombuffer(builder.target, dtype=np.int32)],
        "source_ends": np.frombuffer(builder.source_ends, dtype=np.int64),
        "target_ends": np.frombuffer(builder.target_ends, dtype=np.int64),
    }
    arrays["selected"] = _select_all(arrays["source"], arrays["source_ends"], arrays["target"], arrays["target_ends"])
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(dir=folder.parent, prefix="unfinished-"))
    try:
        for name, values in arrays.items():
            np.save(unfinished / f"{name}.npy", values)
        vocabulary.save(unfinished / "vocabulary.txt")
        (unfinished / "facts.json").write_text(json.dumps({"skipped": skipped}), encoding="utf-8")
        os.replace(unfinished, folder)
    except BaseException as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        if not (
            isinstance(error, OSError) and folder.exists()
        ):  # else another process was faster; its cache is the same
            raise


def _select_all(
    source: NDArray[np.int32], source_ends: NDArray[np.int64], target: NDArray[np.int32], target_ends: NDArray[np.int64]
) -> NDArray[np.uint8]:
    selected = np.zeros(len(source), dtype=np.uint8)
    source_start = target_start = 0
    for source_end, target_end in zip(source_ends.tolist(), target_ends.tolist(), strict=True):
        document = source[source_start:source_end].tolist()
        summary = target[target_start:target_end].tolist()
        for position in selected_positions(document, summary, lambda number: number < COMMON):
            selected[source_start + position] = 1
        source_start, target_start = source_end, target_end
    return selected
