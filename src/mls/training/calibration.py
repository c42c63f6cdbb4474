"""How much summaries of a kind of text take from beyond the first window.

The network was trained on the beginnings of documents, so it takes every window for one and expects
as much of the second as of the first. Pairs of document and summary tell what is really taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from mls.corpora.records import Record
from mls.model import Model
from mls.prototype.windows import read_in_windows
from mls.text import Document, fold, tokenize
from mls.training.selection import selected_positions
from mls.vocabulary import COMMON


def measure_later_windows(model: Model, records: Sequence[Record]) -> float | None:
    """What is taken of what was expected, in later windows beside the first; None where there are none."""
    taken, expected = [0.0, 0.0], [0.0, 0.0]
    common = frozenset(model.vocabulary.types[:COMMON])
    salience = model.salience()
    for record in records:
        windows = read_in_windows(Document.parse(record.document), model.config.window)
        said = [fold(entry.token.text) for window in windows for entry in window]
        summary = [fold(token.text) for token in tokenize(record.summary)]
        chosen = selected_positions(said, summary, common.__contains__)
        start = 0
        for number, (window, probabilities) in enumerate(zip(windows, salience.probabilities(windows), strict=True)):
            taken[number > 0] += sum(start <= position < start + len(window) for position in chosen)
            expected[number > 0] += float(probabilities.sum())
            start += len(window)
    if not expected[1] or not taken[0]:
        return None
    return round(min(1.0, (taken[1] / expected[1]) / (taken[0] / expected[0])), 2)
