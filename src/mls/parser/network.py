"""The parser as it ships: an ONNX graph, run over sentences of similar length at once."""

from __future__ import annotations

import json
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from mls.errors import MlsError
from mls.folders import check_seal
from mls.onnx import open_graph
from mls.parser.features import Featurizer, Word
from mls.parser.tree import Parse, certainty, heads_of
from mls.text import Document
from mls.vocabulary import PAD, Vocabulary

_AT_ONCE = 2048  # tokens of a batch, padding included: enough to be fast, few enough to stay in the cache
_COST_OF_A_BATCH = 1.0  # in sentences that could be read instead: more padding than that is not worth it
LONGEST = 500  # tokens of a sentence
_INPUTS = "ranks prefixes suffixes shapes"
_OUTPUTS = "tags arcs relations entities keep opening context"
CONTEXT_WIDTH = 48  # bytes of a token, or as many as its state has numbers
CONTEXT_UNIT = 2 / 127  # what a 1 among them stands for
_ROOT = "ROOT"
_LOOSE = "dep"


@dataclass(frozen=True)
class ParserModel:
    """A parser's folder that was found in order."""

    folder: Path
    prefixes: int
    suffixes: int
    tags: tuple[str, ...]
    relations: tuple[str, ...]
    entities: tuple[str, ...]

    @cached_property
    def graph(self) -> Any:
        return open_graph(self.folder / "parser.onnx", inputs=_INPUTS, outputs=_OUTPUTS)

    @cached_property
    def featurize(self) -> Featurizer:
        return Featurizer(Vocabulary.load(self.folder / "vocabulary.txt"), self.prefixes, self.suffixes)

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Parse | None]:
        """The parses of tokenized sentences; each reads as if it were the only one.

        What is empty, or longer than any sentence is, has none: the room a parse needs grows with the square of it.
        """
        parses: list[Parse | None] = [None] * len(sentences)
        for numbers in _batches([len(tokens) for tokens in sentences]):
            words = [self.featurize(sentences[number]) for number in numbers]
            for number, parse in zip(numbers, self._run(words), strict=True):
                parses[number] = parse
        return parses

    def _run(self, batch: Sequence[Sequence[Word]]) -> Iterator[Parse]:
        longest = max(map(len, batch))
        features = np.full((4, len(batch), longest), PAD, dtype=np.int64)
        for row, sentence in enumerate(batch):
            features[:, row, : len(sentence)] = np.array(sentence, dtype=np.int64).T
        tags, arcs, relations, entities, keep, opening, context = self.graph.run(
            None, dict(zip(_INPUTS.split(), features, strict=True))
        )
        tags, relations, entities = tags.tolist(), relations.tolist(), entities.tolist()
        for rows in _of_one_length(batch):
            T = len(batch[rows.start])
            scores = arcs[rows, :T, :T]
            trees = [heads_of(own) for own in scores]
            for row, heads, sure in zip(range(rows.start, rows.stop), trees, certainty(scores, trees), strict=True):
                yield Parse(
                    tuple(map(self.tags.__getitem__, tags[row][:T])),
                    heads,
                    self._relations(relations[row][:T], heads),
                    tuple(map(self.entities.__getitem__, entities[row][:T])),
                    sure,
                    keep[row, :T],
                    float(opening[row]),
                    context[row, :T],
                )

    def _relations(self, numbers: Sequence[int], heads: Sequence[int]) -> tuple[str, ...]:
        """The names of the relations: the root alone is called so."""
        names = [_LOOSE if name == _ROOT else name for name in map(self.relations.__getitem__, numbers)]
        names[next(token for token, head in enumerate(heads) if token == head)] = _ROOT
        return tuple(names)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Sentences of similar length together, none of them empty or beyond all measure."""
    parsed = (number for number, length in enumerate(lengths) if 0 < length <= LONGEST)
    order = sorted(parsed, key=lambda number: lengths[number])
    batch: list[int] = []
    real = 0  # tokens in it
    for number in order:
        length = lengths[number]
        padding = len(batch) * length - real
        if batch and (padding > _COST_OF_A_BATCH * length or (len(batch) + 1) * length > _AT_ONCE):
            yield batch
            batch, real = [], 0
        batch.append(number)
        real += length
    if batch:
        yield batch


def _of_one_length(batch: Sequence[Sequence[Word]]) -> Iterator[slice]:
    """Runs of sentences that are equally long: what is worked out of their trees takes them at once."""
    start = 0
    for _, run in groupby(batch, key=len):
        end = start + len(list(run))
        yield slice(start, end)
        start = end


class DocumentParser:
    """Parses documents; the one that was parsed last is known, for all who ask for it."""

    def __init__(self, model: ParserModel) -> None:
        self.model = model
        self._last: tuple[weakref.ref[Document], list[Parse | None]] | None = None

    def __call__(self, document: Document) -> list[Parse | None]:
        """The parse of every sentence."""
        last = self._last
        if last is not None and last[0]() is document:
            return last[1]
        parses = self.model.parse([sentence.tokens.texts for sentence in document.sentences])
        self._last = weakref.ref(document), parses
        return parses


@cache
def document_parser() -> DocumentParser:
    """The one parser of documents, which lies inside the package."""
    return DocumentParser(shipped_parser())


@cache
def shipped_parser() -> ParserModel:
    """The parser that lies inside the package."""
    return load_parser(Path(str(resources.files("mls"))) / "assets" / "parser")


def load_parser(folder: Path) -> ParserModel:
    """Open a parser's folder; what is wrong with it is said in one sentence."""
    path = folder / "config.json"
    if not path.is_file():
        raise MlsError(f"{folder} is no parser: it has no config.json; give a folder that mls export has written")
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        network, labels = values["network"], values["labels"]
        if network["kind"] != "parser":
            raise MlsError(f"the model in {folder} is a {network['kind']} network, but a parser is needed here")
        check_seal(folder, values)
        names = (tuple(map(str, labels[kind])) for kind in ("tags", "relations", "entities"))
        return ParserModel(folder, int(network["prefixes"]), int(network["suffixes"]), *names)
    except MlsError:
        raise
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise MlsError(f"{path} is damaged: {error!r}") from error
