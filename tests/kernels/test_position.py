"""Position: the earlier the better, and never nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import document, sentence
from mls.kernels.position import PositionKernel


@given(st.integers(1, 300))
def test_scores_fall_from_one_and_stay_above_zero(count: int) -> None:
    rain = document(*["It rained."] * count)
    scores = PositionKernel().score(rain, rain.sentences)
    assert scores[0] == pytest.approx(1.0)
    assert (np.diff(scores) < 0).all()
    assert scores[-1] > 0


def test_a_score_is_that_of_the_place_whoever_stands_there() -> None:
    rain = document("It rained.", "It snowed.", "It hailed.")
    asked = [sentence("It hailed hard.", index=2), rain.sentences[0], rain.sentences[2]]
    scores = PositionKernel().score(rain, asked)
    assert scores[0] == scores[2] < scores[1]


def test_scores_fall_with_the_logarithm() -> None:
    rain = document(*["It rained."] * 15)
    scores = PositionKernel().score(rain, rain.sentences)
    first, third, seventh, fifteenth = scores[[0, 2, 6, 14]]  # each twice as far as the one before
    assert first - third == pytest.approx(third - seventh) == pytest.approx(seventh - fifteenth)
