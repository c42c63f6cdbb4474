"""The figures, against scipy, against worked examples, and against what must always hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from mls.study.results import holm
from mls.study.statistics import difference, estimate, krippendorff_alpha, standard_errors, t_probability, t_quantile


@given(st.integers(1, 200), st.floats(0, 60))
def test_students_t_agrees_with_scipy(freedom: int, value: float) -> None:
    assert t_probability(value, freedom) == pytest.approx(stats.t.cdf(value, freedom), abs=1e-9)
    assert t_quantile(0.975, freedom) == pytest.approx(stats.t.ppf(0.975, freedom), abs=1e-6)


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(0, 100)), min_size=1, max_size=30))
def test_a_mean_lies_in_its_interval_and_the_interval_among_the_values(pairs: list[tuple[int, float]]) -> None:
    people, values = [person for person, _ in pairs], [value for _, value in pairs]
    found = estimate(people, values)
    assert found is not None
    assert found.mean == pytest.approx(np.mean(values))
    assert min(values) - 1e-9 <= found.low <= found.mean <= found.high <= max(values) + 1e-9
    assert (found.values, found.people) == (len(values), len(set(people)))
    assert estimate(people, values) == found


def test_no_values_have_no_mean() -> None:
    assert estimate([], []) is None


def test_an_interval_counts_people_and_not_answers() -> None:
    """Ten people who say the same ten times know no more than ten people who say it once."""
    values = [0.0, 1.0] * 5
    once = estimate(range(10), values)
    often = estimate(np.repeat(range(10), 10).tolist(), np.repeat(values, 10).tolist())
    assert once is not None
    assert often is not None
    assert (once.low, once.high) == (often.low, often.high)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(200):
        probabilities = rng.beta(5.4, 3.6, 24)
        values = rng.random((24, 6)) < probabilities[:, None]
        found = estimate(np.repeat(np.arange(24), 6).tolist(), values.ravel().astype(float).tolist())
        assert found is not None
        covered += found.low <= 0.6 <= found.high
    assert 175 <= covered <= 200


def test_a_difference_between_strangers_is_near_welchs_test() -> None:
    first, second = np.array([3.0, 2, 3, 1, 2, 3, 0, 3]), np.array([1.0, 0, 2, 1, 3, 0, 1, 1])
    nobody, three = np.zeros(8), np.full(8, 3.0)
    found = difference(np.r_[first, nobody], np.r_[three, nobody], np.r_[nobody, second], np.r_[nobody, three])
    assert found is not None
    assert found.mean == pytest.approx((first.mean() - second.mean()) / 3)
    welch = stats.ttest_ind(first / 3, second / 3, equal_var=False)
    assert found.p_value == pytest.approx(welch.pvalue, abs=0.02)
    assert found.low < found.mean < found.high


def test_a_difference_within_the_same_people_is_near_the_paired_test() -> None:
    first, second = np.array([3.0, 2, 3, 1, 2, 3, 1, 3]), np.array([2.0, 1, 3, 0, 2, 2, 0, 1])
    three = np.full(8, 3.0)
    found = difference(first, three, second, three)
    assert found is not None
    assert found.p_value == pytest.approx(stats.ttest_rel(first, second).pvalue, abs=0.005)


def test_what_can_not_be_told_is_not_told() -> None:
    one, none = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    assert difference(0 * one, 0 * one, none, none) is None  # nobody met the first
    assert difference(one, one, none, none) is None  # two people
    ones, zeros = np.ones(6), np.zeros(6)
    assert difference(np.r_[ones, zeros], np.r_[ones, zeros], np.r_[zeros, zeros], np.r_[zeros, ones]) is None  # alike


def test_false_alarms_are_as_rare_as_the_test_says() -> None:
    rng = np.random.default_rng(5)
    probabilities = rng.beta(5.4, 3.6, (4000, 24))
    right = rng.binomial(3, probabilities).astype(float)
    asked = np.full((4000, 24), 3.0)
    first, second = np.arange(24) < 12, np.arange(24) >= 12
    means, errors, freedom = standard_errors(right * first, asked * first, right * second, asked * second)
    alarms = (np.abs(means) > t_quantile(0.975, freedom) * errors).mean()
    assert 0.03 < alarms < 0.075


def test_alpha_of_a_published_example() -> None:
    """Krippendorff (2011), Computing Krippendorff's alpha-reliability, section C: nominal data, 0.743."""
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    units = [[str(row[unit]) for row in observers if row[unit] is not None] for unit in range(12)]
    alpha = krippendorff_alpha(units)
    assert alpha == pytest.approx(0.743, abs=0.0005)


@given(st.lists(st.lists(st.sampled_from(["yes", "no", "more"]), max_size=6), max_size=12), st.randoms())
def test_alpha_is_at_most_one_and_knows_no_order(units: list[list[str]], rng: object) -> None:
    alpha = krippendorff_alpha(units)
    if alpha is None:
        assert len({answer for unit in units if len(unit) > 1 for answer in unit}) < 2
        return
    assert alpha <= 1
    agreed = all(len(set(unit)) == 1 for unit in units if len(unit) > 1)
    assert agreed == (alpha == 1)
    rng.shuffle(units)  # type: ignore[attr-defined]
    assert krippendorff_alpha([sorted(unit) for unit in units]) == pytest.approx(alpha)


@given(st.lists(st.none() | st.floats(0, 1), max_size=8))
def test_holm_never_makes_a_p_value_smaller(values: list[float | None]) -> None:
    for before, after in zip(values, holm(values), strict=True):
        assert (before is None) == (after is None)
        if before is not None and after is not None:
            assert before <= after <= 1
