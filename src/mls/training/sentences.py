"""Sentences with what is known of them, as flat arrays: what the parser learns from.

A corpus is a folder of JSON lines (also .xz), one sentence a line: its `tokens`, and any of

    tags, heads, relations, entities    its tree, as tools/silver_trees.py writes it
    keep                                for each token whether people kept it, as "1101"
    opening                             1 where a text begins with it, 0 where it stands in the middle

What a row does not say is not learned from it.
"""

from __future__ import annotations

import json
import lzma
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mls.errors import MlsError
from mls.fingerprints import fingerprint
from mls.parser.features import HIDDEN, Featurizer, word_key
from mls.training.batches import alike_in_length
from mls.training.config import ParserConfig, Phase
from mls.vocabulary import PAD, Vocabulary

FORMAT = 1
LABELS = "labels.json"
UNLABELLED = -1
LONGEST = 80  # tokens; longer sentences are left out
_FEWEST_KEPT = 2  # times that a word type must occur
_KEEP_REPEATS = 2  # times an epoch that a sentence with its kept words is seen
_HIDE = 0.15  # share of sentences whose capital letters are hidden, so that chats can be read, too
_OF_TOKENS = ("ranks", "prefixes", "suffixes", "shapes", "tags", "heads", "relations", "entities", "keep")


@dataclass(frozen=True)
class Labels:
    """The names behind the numbers."""

    tags: tuple[str, ...]
    relations: tuple[str, ...]
    entities: tuple[str, ...]


def read_labels(path: Path) -> Labels:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return Labels(*(tuple(values[part.name]) for part in fields(Labels)))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MlsError(f"{path} is damaged: {error}") from error


@dataclass(frozen=True)
class SentenceBatch:
    """Padded numbers; B sentences of T tokens. `UNLABELLED` where nothing is known."""

    ranks: Tensor  # (B, T), and so all but the last
    prefixes: Tensor
    suffixes: Tensor
    shapes: Tensor
    tags: Tensor
    heads: Tensor  # a token's head; the root is its own
    relations: Tensor
    entities: Tensor
    keep: Tensor
    opening: Tensor  # (B,)

    def rows(self, share: slice) -> SentenceBatch:
        return SentenceBatch(*(getattr(self, part.name)[share] for part in fields(self)))


@dataclass(frozen=True)
class SentenceCorpus:
    """Sentences one after another; `ends` says where each stops."""

    tokens: dict[str, NDArray[Any]]  # one array for each of `_OF_TOKENS`
    ends: NDArray[np.int64]
    opening: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.ends)

    def order(self, batch_size: int, seed: int, epoch: int) -> list[NDArray[np.int64]]:
        """The sentences of every batch of one epoch, alike in length."""
        random = np.random.default_rng([seed, epoch])
        lengths = np.diff(self.ends, prepend=0)
        starts = self.ends - lengths
        with_keep = np.flatnonzero(self.tokens["keep"][starts] != UNLABELLED)
        seen = np.concatenate([np.arange(len(self)), *[with_keep] * (_KEEP_REPEATS - 1)])
        shuffled = seen[random.permutation(len(seen))]
        return alike_in_length(shuffled, lengths, batch_size, random)

    def batch(
        self, examples: NDArray[np.int64], _phase: Phase | None, random: np.random.Generator | None
    ) -> SentenceBatch:
        """Padded sentences; while training, the capital letters of some are hidden."""
        ends = self.ends[examples]
        starts = np.where(examples > 0, self.ends[examples - 1], 0)
        T = int((ends - starts).max())
        positions = starts[:, None] + np.arange(T)  # (B, T)
        real = positions < ends[:, None]
        positions = np.where(real, positions, 0)
        columns = {}
        for name in _OF_TOKENS:
            padding = PAD if name in _OF_TOKENS[:4] else UNLABELLED
            columns[name] = np.where(real, self.tokens[name][positions].astype(np.int64), padding)
        if random is not None:
            columns["shapes"][random.random(len(examples)) < _HIDE] = HIDDEN
        opening = self.opening[examples].astype(np.int64)
        parts = [torch.from_numpy(columns[name]) for name in _OF_TOKENS]
        return SentenceBatch(*parts, torch.from_numpy(opening))  # type: ignore[call-arg]


def sentence_corpus(
    folder: Path, cache: Path, config: ParserConfig, known: tuple[Vocabulary, Labels] | None
) -> tuple[SentenceCorpus, Vocabulary, Labels]:
    """The sentences of a folder as arrays, made anew only if its files or the features have changed."""
    files = sorted(path for path in folder.rglob("*") if path.name.endswith((".jsonl", ".jsonl.xz")))
    if not files:
        raise MlsError(f"{folder} holds no .jsonl or .jsonl.xz file of sentences; tools/silver_trees.py writes them")
    vocabulary, labels = known or _learn_names(files, config)
    folder = cache / f"sentences-{_fingerprint(files, config, vocabulary, labels)}"
    if not folder.is_dir():
        _build(files, Featurizer(vocabulary, config.prefixes, config.suffixes), labels, folder)
    arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in (*_OF_TOKENS, "ends", "opening")}
    ends, opening = arrays.pop("ends"), arrays.pop("opening")
    return SentenceCorpus(arrays, ends, opening), vocabulary, labels


def read_rows(files: list[Path]) -> Iterator[dict[str, Any]]:
    """The sentences of all files; `tokens` is a list in each."""
    for path in files:
        with (lzma.open if path.suffix == ".xz" else open)(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                try:
                    row = json.loads(line)
                    tokens = row["tokens"]
                except (ValueError, KeyError, TypeError) as error:
                    raise MlsError(f"{path}, line {number}: found no sentence with its `tokens`: {error}") from error
                row["tokens"] = tokens.split() if isinstance(tokens, str) else tokens
                if 0 < len(row["tokens"]) <= LONGEST:
                    yield row


def _learn_names(files: list[Path], config: ParserConfig) -> tuple[Vocabulary, Labels]:
    words: Counter[str] = Counter()
    names: dict[str, Counter[str]] = {"tags": Counter(), "relations": Counter(), "entities": Counter()}
    for row in read_rows(files):
        words.update(map(word_key, row["tokens"]))
        for kind, counted in names.items():
            counted.update(row.get(kind, ()))
    words.pop("<unk>", None)
    frequent = [word for word, count in words.most_common(config.vocabulary - 4) if count >= _FEWEST_KEPT]
    labels = Labels(*(tuple(sorted(counted)) for counted in names.values()))
    return Vocabulary.of((word, word) for word in frequent), labels


def _fingerprint(files: list[Path], config: ParserConfig, vocabulary: Vocabulary, labels: Labels) -> str:
    sizes = [(path.name, path.stat().st_size) for path in files]
    return fingerprint(repr((FORMAT, config.prefixes, config.suffixes, vocabulary.types, labels, sizes)), length=16)


def _build(files: list[Path], featurize: Featurizer, labels: Labels, folder: Path) -> None:
    """Write the arrays, all or none."""
    numbers = {
        "tags": {name: number for number, name in enumerate(labels.tags)},
        "relations": {name: number for number, name in enumerate(labels.relations)},
        "entities": {name: number for number, name in enumerate(labels.entities)},
    }
    parts: dict[str, list[NDArray[Any]]] = {name: [] for name in _OF_TOKENS}
    ends, opening, end = [], [], 0
    for row in read_rows(files):
        length = len(row["tokens"])
        features = np.array(featurize(row["tokens"]), dtype=np.int32).T
        for name, column in zip(_OF_TOKENS[:4], features, strict=True):
            parts[name].append(column)
        for name in ("tags", "relations", "entities"):
            given = [numbers[name].get(label, UNLABELLED) for label in row[name]] if name in row else None
            parts[name].append(_column(given, length))
        parts["heads"].append(_column(row.get("heads"), length))
        parts["keep"].append(_column([int(mark) for mark in row["keep"]] if "keep" in row else None, length))
        opening.append(row.get("opening", UNLABELLED))
        end += length
        ends.append(end)
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".sentences-"))
    try:
        for name, columns in parts.items():
            kind = np.int8 if name not in ("ranks", "prefixes", "suffixes") else np.uint16
            np.save(unfinished / f"{name}.npy", np.concatenate(columns).astype(kind))
        np.save(unfinished / "ends.npy", np.array(ends, dtype=np.int64))
        np.save(unfinished / "opening.npy", np.array(opening, dtype=np.int8))
        os.replace(unfinished, folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise


def _column(values: list[int] | None, length: int) -> NDArray[np.int32]:
    return np.full(length, UNLABELLED, dtype=np.int32) if values is None else np.array(values, dtype=np.int32)
