"""The weight search finds what is best on its grid, and the calibration what is true."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.pairs import record
from mls import Summarizer
from mls.budget import Budget
from mls.corpora.records import Record
from mls.evaluation.surface import plot_surface
from mls.evaluation.tuning import STEPS, Point, Tuned, Weights, all_weights, climb, starts, tune
from mls.model import shipped_model
from mls.recipe import Recipe
from mls.training.calibration import measure_later_windows

pytest.importorskip("rouge_score")
BUDGETS = [Budget.parse("1/8"), Budget.parse("1/4")]


@pytest.mark.parametrize("heads", [1, 2, 3])
def test_the_grid_is_all_there_is(heads: int) -> None:
    grid = list(all_weights(heads))
    wanted = {w for w in product(range(-STEPS, STEPS + 1), repeat=heads) if sum(w) == STEPS}
    assert set(grid) == wanted
    assert len(grid) == len(wanted)


@pytest.mark.parametrize("heads", [2, 4, 5, 7])
def test_starts_are_on_the_grid(heads: int) -> None:
    assert all(sum(weights) == STEPS and len(weights) == heads for weights in starts(heads))


@pytest.mark.parametrize("goal", [(3, -2, 8, 1), (10, 0, 0, 0), (-5, 5, 5, 5)])
def test_climbing_reaches_the_top_of_a_hill(goal: Weights) -> None:
    def height(weights: Weights) -> float:
        return -sum((a - b) ** 2 for a, b in zip(weights, goal, strict=True))

    assert all(climb(height, begin, lambda: None) == goal for begin in starts(4))


def test_tuning_never_makes_it_worse(tmp_path: Path) -> None:
    records = [record(number) for number in range(3)]
    recipe = replace(Recipe.of("paper"), prototype="greedy")
    told: list[tuple[int, int]] = []
    found = tune(Summarizer(recipe), records, BUDGETS, lambda *_: None, lambda *now: told.append(now))
    assert len(found.points) == len(list(all_weights(3))) == told[-1][0]
    assert found.best.rouge1 >= found.at_start.rouge1
    assert sum(found.best.weights.values()) == pytest.approx(1)
    best = Summarizer(recipe.weighing(found.best.weights))
    again = tune(best, records, BUDGETS, lambda *_: None, lambda *_: None)
    assert again.at_start.rouge1 == pytest.approx(found.best.rouge1)
    plot_surface(found, tmp_path / "weights.svg", "towns")
    assert (tmp_path / "weights.svg").stat().st_size > 5_000


def test_weights_are_kept_unless_the_pairs_speak_against_them() -> None:
    start, near = Point({"a": 1.0, "b": 0.0}, (0.3, 0.3, 0.3)), Point({"a": 0.8, "b": 0.2}, (0.44, 0.38, 0.42))
    far = Point({"a": -0.5, "b": 1.5}, (0.5, 0.36, 0.42))
    assert Tuned((near, far), start).best == far
    assert Tuned((near, far), start).chosen == near, "the start is clearly worse, the next is not"
    lucky = Point({"a": 0.0, "b": 1.0}, (0.5, 0.2, 0.35))
    assert Tuned((lucky,), start).chosen == start


@given(st.lists(st.tuples(*[st.floats(0, 1)] * 4), min_size=1, max_size=6))
def test_what_is_chosen_is_nearer_or_better_than_all_others(scores: list[tuple[float, ...]]) -> None:
    points = [Point({"a": 1 - number / 10, "b": number / 10}, each) for number, each in enumerate(scores)]
    found = Tuned(tuple(points), points[0])
    assert found.chosen.is_as_good_as(found.best)
    for point in points[: points.index(found.chosen)]:
        assert not point.is_as_good_as(found.best)


def test_later_windows_are_measured_where_there_are_any() -> None:
    model = shipped_model()
    assert measure_later_windows(model, [record(1)]) is None
    filler = " ".join(
        f"The weather station on hill number {number} wrote down {number} degrees." for number in range(60)
    )
    said_early = Record("a", record(1).document + " " + filler, record(1).summary)
    said_late = Record("b", filler + " " + record(1).document, record(1).summary)
    early, late = (measure_later_windows(model, [one]) for one in (said_early, said_late))
    assert early is not None
    assert early < 0.2
    assert late is None or late > early
