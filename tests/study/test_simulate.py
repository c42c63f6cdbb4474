"""Simulated people: their known accuracies come out again, here and over HTTP, and sizes can be believed."""

from __future__ import annotations

import csv
import io
import random
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from mls.errors import MlsError
from mls.study.create import codes
from mls.study.plot import to_svg
from mls.study.power import Question, Shape, sizes
from mls.study.report import COLUMNS, NOBODY, as_csv, as_markdown, summary_line
from mls.study.results import People, Results, read_results
from mls.study.simulate import (
    InProcess,
    Simulated,
    SimulatedClock,
    check_accuracy,
    key_of,
    person_probability,
    say_simulated,
    simulate_here,
    simulate_over_http,
)
from mls.study.store import Store
from mls.study.visit import Shown, State, Visits
from server import Server
from small_study import small_study

KNOWN = {"lead": 0.8, "random": 0.5, "none": 0.05, "full": 0.95}


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Results]]:
    store = small_study(tmp_path_factory.mktemp("simulated"), people=120)
    simulate_here(store, codes(store), KNOWN, 0.1, seed=1)
    yield store, read_results(store)
    store.close()


def test_known_accuracies_come_out_again(answered: tuple[Store, Results]) -> None:
    _, results = answered
    assert results.people.finished == 120
    assert len(results.outcomes) == 720
    for method, known in KNOWN.items():
        found = results.accuracy(method)
        assert found is not None
        assert found.values == 180
        assert abs(found.mean - known) < 0.08
        assert found.low - 0.02 <= known <= found.high + 0.02
        for data_set in results.data_sets:
            one = results.accuracy(method, data_set)
            assert one is not None
            assert one.people == 30, "every setting is seen by the same number of people"
    first = results.comparisons()[0]
    assert first.accuracy is not None
    assert first.accuracy.low <= 0.3 <= first.accuracy.high
    assert first.p_value is not None
    assert first.p_value < 0.001


def test_times_are_those_people_took(answered: tuple[Store, Results]) -> None:
    _, results = answered
    none, lead, full = (results.seconds(method) for method in ("none", "lead", "full"))
    assert none is not None
    assert lead is not None
    assert full is not None
    assert none.mean < lead.mean
    assert none.mean < full.mean
    assert {outcome.time_check for outcome in results.outcomes} == {"ok"}


def test_where_people_answered_adds_up(answered: tuple[Store, Results]) -> None:
    _, results = answered
    for method in results.methods:
        assert sum(results.answered_at(method).values()) == len(results.of(method))
    assert set(results.answered_at("lead")) == {"1/4", "1/2", "more"}
    assert set(results.answered_at("none")) == {"", "more"}
    mores = results.mores("lead")
    assert mores is not None
    assert 0.2 < mores.mean < 1.5


def test_the_list_of_answers_holds_nothing_personal(answered: tuple[Store, Results]) -> None:
    store, results = answered
    text = as_csv(results)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 720
    for code in codes(store):
        assert code not in text
    for row in store.rows("SELECT id FROM items"):
        assert row["id"] not in text
    numbers = {row["code"]: row["number"] for row in store.rows("SELECT code, number FROM participants")}
    by_position = [int(row["participant"]) for row in rows]
    assert sorted(set(by_position)) == list(range(1, len(numbers) + 1))
    dealt = [
        [
            tuple(row)
            for row in store.rows("SELECT method, document FROM items WHERE participant = ? ORDER BY position", n)
        ]
        for n in (1, 2, 3)
    ]
    told = [[(row["method"], row["document"]) for row in rows if row["participant"] == str(n)] for n in (1, 2, 3)]
    assert told != dealt, "the list is not in the order in which codes were handed out"


def test_the_report_is_whole(answered: tuple[Store, Results]) -> None:
    _, results = answered
    page = as_markdown(results, "mls study results x", "0")
    for part in ("Mean accuracy", "Differences", "Where people answered", "Krippendorff", "plot.svg", "answers.csv"):
        assert part in page
    rows = re.findall(r"^\|.*\|$", page, re.MULTILINE)
    assert len(rows) > 20
    picture = ElementTree.fromstring(to_svg(results))
    assert len(picture.findall(".//{http://www.w3.org/2000/svg}circle")) == 2 * 8 + 2
    assert summary_line(results) == "120 participants: 120 finished, 0 under way, 0 without an answer yet; 720 answers"


def test_what_nobody_answered_is_said_to_be_simulated(study: Store) -> None:
    assert not read_results(study).simulated
    assert NOBODY not in as_markdown(read_results(study), "c", "v")
    say_simulated(study)
    assert NOBODY in as_markdown(read_results(study), "c", "v")


def test_hostile_names_stay_text_in_picture_and_table() -> None:
    hostile = "<script>x</script>|&"
    results = Results((hostile,), (hostile, "b"), ("1/2",), (), People(1, 0, 0, 0))
    ElementTree.fromstring(to_svg(results))
    assert "<script>" not in as_markdown(results, "c", "v")
    assert "<script>" not in to_svg(results)


def test_results_of_a_study_nobody_took_part_in(study: Store) -> None:
    results = read_results(study)
    assert summary_line(results) == "12 participants: 0 finished, 0 under way, 12 without an answer yet; 0 answers"
    assert results.agreement() is None
    ElementTree.fromstring(to_svg(results))
    assert as_csv(results).count("\n") == 1
    as_markdown(results, "c", "v")


@pytest.mark.parametrize("alike", [0.0, 0.1, 0.5])
def test_people_differ_around_the_accuracy_they_are_given(alike: float) -> None:
    rng = random.Random(4)
    probabilities = np.array([person_probability(rng, 0.7, alike) for _ in range(4000)])
    assert probabilities.mean() == pytest.approx(0.7, abs=0.02)
    assert probabilities.var() == pytest.approx(alike * 0.7 * 0.3, abs=0.01)
    assert person_probability(rng, 1.0, 0.3) == 1.0


def test_accuracies_must_fit_the_study(study: Store) -> None:
    for given, expected in (
        ({}, "found accuracies of nothing; give one for each method: lead=0.6,random=0.6"),
        ({**KNOWN, "mls": 0.5}, "give one for each method"),
        ({**KNOWN, "lead": 1.5}, "the accuracy of lead is 1.5"),
        ({**KNOWN, "lead": float("nan")}, "the accuracy of lead is nan"),
    ):
        with pytest.raises(MlsError, match=expected):
            check_accuracy(study, given)


SHAPE = Shape(
    ("mls", "a2", "lead", "none", "full"),
    {"d1": ["a", "b", "c"], "d2": ["d", "e", "f"]},
    dict.fromkeys("abcdef", 1),
    False,
)


def test_power_grows_with_people_and_with_the_difference() -> None:
    small = list(sizes(SHAPE, Question(difference=0.2, trials=1000)))
    large = list(sizes(SHAPE, Question(difference=0.35, trials=1000)))
    assert len(large) < len(small)
    powers = [size.power for size in small]
    assert all(later > earlier - 0.05 for earlier, later in pairwise(powers))
    assert powers[-1] >= 0.8
    assert all(power < 0.8 for power in powers[:-1])
    assert all(size.participants % 10 == 0 and size.people_a_setting == size.participants // 5 for size in small)
    assert all(size.false_alarms < 0.11 for size in small)


def test_power_agrees_with_the_textbook() -> None:
    """People all alike and one answer each: the sample size formula for two proportions says 91 a group."""
    shape = Shape(("mls", "a2"), {"d": ["a"]}, {"a": 1}, False)
    *_, last = sizes(shape, Question(0.6, 0.2, 0.8, alike=0.0, trials=1000))
    z = 1.959964 + 0.841621
    expected = z**2 * (0.6 * 0.4 + 0.8 * 0.2) / 0.2**2
    assert abs(last.people_a_setting - expected) / expected < 0.15


def test_questions_that_make_no_sense() -> None:
    for question in (
        Question(0.9, 0.2), Question(0.5, 0.0), Question(0.5, -0.1), Question(power=1.0), Question(alike=1.0),
        Question(difference=float("nan")),
    ):  # fmt: skip
        with pytest.raises(MlsError):
            list(sizes(SHAPE, question))
    with pytest.raises(MlsError, match="a difference needs two"):
        list(sizes(Shape(("mls",), {"d": ["a", "b"]}, {"a": 1, "b": 1}, False), Question()))


def test_many_at_once_over_http_are_stored_exactly_once(tmp_path: Path) -> None:
    """Bounded in count and time; `benchmarks/study.py` does the same with two hundred."""
    store = small_study(tmp_path / "study", people=36)
    server = Server(str(tmp_path / "study"), command=("study", "serve"))
    try:
        simulate_over_http(server.url, list(codes(store)), key_of(store), KNOWN, 0.1, 1)
    finally:
        assert server.end() == 0
    results = read_results(store)
    assert results.people.finished == 36
    assert len(results.outcomes) == 36 * 6
    here = small_study(tmp_path / "here", people=36)
    simulate_here(here, codes(here), KNOWN, 0.1, 1)
    query = "SELECT participant, position, level, choice FROM answers JOIN items ON id = item ORDER BY 1, 2, 3"
    assert [tuple(row) for row in store.rows(query)] == [tuple(row) for row in here.rows(query)], "the same lots"


def test_somebody_who_sends_everything_twice_is_counted_once(study: Store) -> None:
    class Nervous(InProcess):
        def answer(self, shown: Shown, choice: str, reading: float) -> State:
            super().answer(shown, choice, reading)
            return super().answer(shown, choice, reading)

    clock = SimulatedClock()
    door = Nervous(Visits(study, clock), clock)
    Simulated(KNOWN, random.Random(1)).take_part(door, next(iter(codes(study))), key_of(study))
    assert read_results(study).people.finished == 1
    assert len(read_results(study).outcomes) == 6
