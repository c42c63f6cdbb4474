"""The greedy prototype of the ablation MLS+, after Otterbacher, Radev and Kareem (2006).

Their summaries for mobile devices grow by salience: sentences are ranked by how much of the
document's centroid they carry and how early they stand, and taken from the top unless they are too
like one taken before.
"""

from __future__ import annotations

import math
from collections import Counter

from mls.prototype.base import Prototype, PrototypeSentence
from mls.text import Document, Sentence

_SHARE = 0.15  # of the document's tokens: about what a PG-Network writes for a 400-token article
_FEWEST = 3  # sentences
_TOO_ALIKE = 0.5  # share of the shorter sentence's words that the other has as well
_MEMORY = 50  # of the sentences taken before, how many a candidate is compared with


class GreedyPrototype:
    """The most salient sentences of the document, in its own words. Paper: the draft of MLS+, section 3 D."""

    name = "greedy"

    def __call__(self, document: Document) -> Prototype:
        sets = [frozenset(sentence.content) for sentence in document.sentences]
        salience = _salience(document, sets)
        room = _SHARE * document.token_count
        chosen: list[int] = []
        for index in sorted(range(len(sets)), key=lambda number: (-salience[number], number)):
            length = len(document.sentences[index].tokens)
            if len(chosen) >= _FEWEST and length > room:
                continue
            if not any(_alike(sets[index], sets[other]) for other in chosen[-_MEMORY:]):
                chosen.append(index)
                room -= length
            if len(chosen) >= _FEWEST and room <= 0:
                break
        return Prototype(self.name, tuple(_taken(document.sentences[index]) for index in sorted(chosen)))


def _taken(sentence: Sentence) -> PrototypeSentence:
    return PrototypeSentence.copied(sentence)


def _salience(document: Document, sets: list[frozenset[str]]) -> list[float]:
    """Centroid value per content word, and a bonus for standing early."""
    frequency = Counter(word for words in sets for word in words)
    most = math.log(1 + max(frequency.values(), default=1))
    values = []
    for index, words in enumerate(sets):
        centroid = sum(math.log(1 + frequency[word]) for word in words) / (most * (len(words) + 3))
        values.append(centroid + 0.5 / math.sqrt(1 + index))
    return values


def _alike(words: frozenset[str], others: frozenset[str]) -> bool:
    return len(words & others) > _TOO_ALIKE * max(1, min(len(words), len(others)))
