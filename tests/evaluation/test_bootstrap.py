"""Intervals hold what they promise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mls.evaluation.bootstrap import compare, estimate

values = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@given(values)
def test_the_mean_lies_in_its_interval(given_values: list[float]) -> None:
    found = estimate(given_values)
    assert found.low - 1e-9 <= found.mean <= found.high + 1e-9
    assert min(given_values) - 1e-9 <= found.low <= found.high <= max(given_values) + 1e-9
    assert found == estimate(given_values)


def test_what_is_no_number_does_not_count() -> None:
    assert estimate([0.5, float("nan"), 0.5]).count == 2
    assert estimate([float("nan")]).count == 0
    assert compare([1.0, float("nan")], [0.0, 1.0]).count == 1


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    random = np.random.default_rng(7)
    hits = 0
    for _ in range(200):
        found = estimate(random.normal(0.5, 0.1, 40).tolist())
        hits += found.low <= 0.5 <= found.high
    assert 175 <= hits <= 200


def test_a_pair_shows_what_two_means_hide() -> None:
    base = np.random.default_rng(1).random(100)
    better = (base + 0.01).tolist()
    assert compare(better, base.tolist()).is_clear
    assert compare(better, base.tolist()).difference == pytest.approx(0.01)
    assert not compare(base.tolist(), base.tolist()).is_clear
