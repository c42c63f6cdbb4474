"""The multiplex layer: distributions in, one distribution out, and figures that add up."""

from __future__ import annotations

import json
import math
from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mls.magnifier.multiplex import Head, multiplex, norm

moderate = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=12).map(np.array)
finite = st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=12).map(np.array)


def assert_distribution(values: np.ndarray) -> None:
    assert (values >= 0).all()
    assert values.sum() == pytest.approx(1.0)


@given(finite)
@example(np.array([1e308, 1e308]))
@example(np.array([-1e308, 1e308]))
@example(np.array([5e-324, 0.0]))
def test_any_finite_numbers_become_a_distribution(values: np.ndarray) -> None:
    assert_distribution(norm(values))


@given(moderate)
def test_a_distribution_keeps_the_order_and_the_proportions(values: np.ndarray) -> None:
    distribution = norm(values)
    assert_distribution(distribution)
    raised = values - min(0.0, values.min())
    assert distribution * raised.sum() == pytest.approx(raised, abs=1e-6) or raised.sum() == 0


@given(st.lists(moderate, min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_attention_adds_up_to_the_same_bits_in_any_order(many: list[np.ndarray], rng: Random) -> None:
    """So that what is decided by sums and ties is the same for whoever adds up."""
    count = min(map(len, many))
    heads = [Head.of(str(n), "", 1 / len(many), values[:count]) for n, values in enumerate(many)]
    attention = multiplex(heads).attention
    assert_distribution(attention)
    shuffled = rng.sample(attention.tolist(), count)
    assert sum(shuffled) == math.fsum(shuffled) == float(attention.sum()) == sum(attention.tolist())
    assert json.loads(json.dumps(attention.tolist())) == attention.tolist()


def test_numbers_that_are_all_zero_or_all_equal_and_negative_become_uniform() -> None:
    assert norm(np.zeros(4)).tolist() == norm(np.full(4, -2.0)).tolist() == [0.25] * 4


def test_a_positive_minimum_is_not_shifted_away() -> None:
    assert norm(np.array([1.0, 3.0])).tolist() == [0.25, 0.75]
    assert norm(np.array([-1.0, 1.0, 0.0])) == pytest.approx(np.array([0, 2 / 3, 1 / 3]))


def heads(weights: list[float], raw: list[list[float]]) -> list[Head]:
    return [
        Head.of(f"h{n}", "?", weight, np.array(one)) for n, (weight, one) in enumerate(zip(weights, raw, strict=True))
    ]


@st.composite
def several_heads(draw: st.DrawFn) -> list[Head]:
    """Heads whose weights lie in [-1, 1] and sum to one, as `check_weights` demands."""
    count, sentences = draw(st.integers(1, 4)), draw(st.integers(1, 8))
    tenths = draw(
        st.lists(st.integers(-10, 10), min_size=count - 1, max_size=count - 1).filter(lambda some: 0 <= sum(some) <= 20)
    )
    scores = st.lists(st.floats(0, 100), min_size=sentences, max_size=sentences)
    raw = draw(st.lists(scores, min_size=count, max_size=count))
    return heads([tenth / 10 for tenth in (*tenths, 10 - sum(tenths))], raw)


@given(several_heads())
def test_attention_is_a_distribution_and_its_figures_add_up(some: list[Head]) -> None:
    joined = multiplex(some)
    assert_distribution(joined.attention)
    blend = sum(head.weight * norm(head.raw) for head in some) / len(some)
    assert joined.total > 0 >= joined.shift
    assert joined.attention * joined.total + joined.shift == pytest.approx(blend, abs=1e-9)
    assert joined.heads == tuple(some)


def test_three_heads_by_hand() -> None:
    joined = multiplex(heads([0.6, 0.8, -0.4], [[1, 1, 2], [0, 3, 1], [8, 1, 1]]))
    blend = (
        np.array([0.6 * 0.25 - 0.4 * 0.8, 0.6 * 0.25 + 0.8 * 0.75 - 0.4 * 0.1, 0.6 * 0.5 + 0.8 * 0.25 - 0.4 * 0.1]) / 3
    )
    assert joined.shift == pytest.approx(blend[0])
    assert joined.total == pytest.approx((blend - blend[0]).sum())
    assert joined.attention == pytest.approx((blend - blend[0]) / (blend - blend[0]).sum())


def test_one_head_alone_decides() -> None:
    joined = multiplex(heads([1.0], [[1, 3]]))
    assert joined.attention.tolist() == [0.25, 0.75]
    assert multiplex(heads([1.0, 0.0], [[1, 3], [9, 1]])).attention == pytest.approx(np.array([0.25, 0.75]))
