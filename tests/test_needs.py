"""The judges of sentences and of needs: a long text is judged in stretches, and the stretches do not show."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mls import needs
from mls.judge import network
from mls.leaning import leanings
from mls.parser.network import document_parser
from mls.perceptron import shipped_perceptrons
from mls.text import Document

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_the_judge_of_needs_has_learned_with_the_judge_of_sentences_that_ships() -> None:
    document = Document.parse((EXAMPLES / "news.txt").read_text(encoding="utf-8"))
    parses = document_parser()(document)
    judge = network.shipped_judge()
    pairs = needs.Pairs(document, parses, leanings(document, parses), judge(document, parses))
    inputs = pairs.seen().shape[1] + 2 * judge.seen(document, parses).shape[1]
    assert len(shipped_perceptrons("judge", "needs").mean) == inputs


@pytest.mark.parametrize("name", ["news.txt", "story.txt"])
def test_a_text_is_judged_the_same_in_stretches(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document.parse((EXAMPLES / name).read_text(encoding="utf-8"))
    parses = document_parser()(document)
    judge, rules = network.shipped_judge(), leanings(document, parses)

    def judged() -> tuple[np.ndarray, list[tuple[int, int]], list[float]]:
        judge._last = None
        pairs = list(needs._judged_pairs(document, parses, rules))
        return judge(document, parses), [(one, other) for one, other, _ in pairs], [sure for _, _, sure in pairs]

    at_once = judged()
    monkeypatch.setattr(network, "_AT_ONCE", 7)
    for short, stretch, block in ((0, 64, 16), (0, 5, 5), (10**9, 28, 7)):
        monkeypatch.setattr(needs, "_SHORT", short)
        monkeypatch.setattr(needs, "_STRETCH", stretch)
        monkeypatch.setattr(needs, "_BLOCK", block)
        monkeypatch.setattr(needs, "_AT_HAND", 2)
        worth, pairs, sure = judged()
        np.testing.assert_allclose(worth, at_once[0], atol=1e-6)
        assert pairs == at_once[1]
        np.testing.assert_allclose(sure, at_once[2], atol=1e-6)
