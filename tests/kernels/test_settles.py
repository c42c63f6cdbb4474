"""The head that asks what a sentence settles."""

from __future__ import annotations

import math

import pytest

from mls import Document
from mls.kernels.settles import CUES, WORTH, SettlesKernel, features


def test_a_score_by_hand() -> None:
    """A decision with a date and six words of content; and a sentence of four that settles nothing."""
    document = Document.parse("The committee agreed to repaint the harbour railings on Friday. Old boats creak loudly.")
    decision, remark = SettlesKernel().score(document, document.sentences)

    def odds(content: int, *cues: str) -> float:
        size = math.log2(1 + content)
        return math.exp(sum(WORTH[cue] for cue in cues) + 1.84 * size - 0.95 * size * size / 4)

    assert decision == pytest.approx(odds(6, "decision", "date"))
    assert remark == pytest.approx(odds(4))


@pytest.mark.parametrize(
    ("sentence", "cue"),
    [
        ("Decision: we keep the boat.", "label"),
        ("They agreed on the colour.", "decision"),
        ("I'll write the minutes.", "commitment"),
        ("Please send the invoice.", "request"),
        ("The hirer shall send the invoice.", "request"),
        ("How about a smaller room?", "proposal"),
        ("It is late because the van broke down.", "reason"),
        ("The bottom line is clear.", "summary"),
        ("It costs $40 a head.", "amount"),
        ("We meet on Tuesday.", "date"),
        ("Who has the key?", "question"),
        ("and then we", "unfinished"),
        ("You know, it was fine.", "thinking"),
    ],
)
def test_every_cue_is_found_where_it_stands(sentence: str, cue: str) -> None:
    (row,) = features(Document.parse(sentence).sentences)
    assert row[list(CUES).index(cue)] == 1.0
    (other,) = features(Document.parse("Boats creak.").sentences)
    assert not other[: len(CUES)].any()


def test_each_cue_has_a_worth() -> None:
    assert list(WORTH) == [*CUES, "words", "words squared"]
