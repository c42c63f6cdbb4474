"""What participants can do, and what happens when they do what they should not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mls.study.codes import as_written, new_code
from mls.study.create import codes
from mls.study.store import Store
from mls.study.visit import (
    AnsweredError,
    EnteredElsewhereError,
    NotShownError,
    NotYoursError,
    Shown,
    UnknownCodeError,
    Visits,
    check_times,
)


class Watch:
    """A clock that goes as it is told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def begin(visits: Visits, code: str) -> tuple[str, Shown]:
    token, _ = visits.enter(code)
    visits.consent(token)
    shown = visits.practise(token).shown
    assert shown is not None
    return token, shown


def kept(store: Store) -> list[tuple[object, ...]]:
    return [tuple(row) for row in store.rows("SELECT item, level, choice FROM answers ORDER BY item, level")]


def test_a_participant_goes_from_consent_to_the_end(study: Store) -> None:
    visits = Visits(study)
    token, state = visits.enter(next(iter(codes(study))))
    assert (state.stage, state.items, state.shown) == ("consent", 6, None)
    assert visits.consent(token).stage == "practice"
    state = visits.practise(token)
    seen = []
    while state.shown:
        seen.append((state.shown.id, state.shown.level))
        assert state.stage == "item"
        choice = "more" if state.shown.level == 0 else "yes"
        state = visits.answer(token, state.shown.id, state.shown.level, choice, 0.1)
    assert (state.stage, state.answered) == ("done", 6)
    assert sorted(seen) == [row[:2] for row in kept(study)]
    assert len({item for item, _ in seen}) == 6
    assert visits.enter(next(iter(codes(study))))[1].stage == "done"


def test_more_shows_a_longer_text_until_there_is_none(study: Store) -> None:
    visits = Visits(study)
    for code in codes(study):
        token, shown = begin(visits, code)
        state = visits.state(token)
        while state.shown:
            before = state.shown
            state = visits.answer(token, before.id, before.level, "more", 0.1)
            if state.shown and state.shown.id == before.id:
                assert not before.last
                assert len(state.shown.text) > len(before.text)
                assert state.shown.question == before.question
            else:
                assert before.last
        assert shown.level == 0


def test_the_extremes_have_one_level(study: Store) -> None:
    rows = study.rows("SELECT levels.*, documents.text AS whole FROM levels JOIN documents ON documents.id = document")
    for row in rows:
        if row["method"] in ("none", "full"):
            assert (row["level"], row["budget"]) == (0, "")
            assert row["text"] == ("" if row["method"] == "none" else row["whole"])


def test_a_made_up_code_is_refused(study: Store) -> None:
    visits = Visits(study)
    for code in ("", "AAAA-AAAA-AAAA", new_code(), "' OR 1=1 --", "%", "\x00", "\ud800"):
        with pytest.raises(UnknownCodeError):
            visits.enter(code)
    assert study.value("SELECT sum(entries) FROM participants") == 0


def test_a_code_is_taken_however_it_is_typed(study: Store) -> None:
    code = next(iter(codes(study)))
    for typed in (code.lower(), code.replace("-", " "), f"  {code} ", code.replace("0", "o").replace("1", "l")):
        assert Visits(study).enter(typed)[1].items == 6


@given(st.text(max_size=30))
def test_any_text_can_be_tried_as_a_code(text: str) -> None:
    assert as_written(as_written(text)) == as_written(text)


def test_the_same_code_twice_goes_on_in_the_later_place_only(study: Store) -> None:
    visits = Visits(study)
    code = next(iter(codes(study)))
    first, shown = begin(visits, code)
    second, state = visits.enter(code)
    assert state.shown == shown, "the second goes on where the first was"
    for act in (
        lambda: visits.state(first),
        lambda: visits.consent(first),
        lambda: visits.answer(first, shown.id, 0, "yes", 1.0),
    ):
        with pytest.raises(EnteredElsewhereError):
            act()
    assert kept(study) == []
    visits.answer(second, shown.id, 0, "yes", 0.0)
    assert kept(study) == [(shown.id, 0, "yes")]
    assert study.value("SELECT entry FROM answers") == 2


def test_somebody_elses_item_is_refused(study: Store) -> None:
    visits = Visits(study)
    mine, theirs, *_ = codes(study)
    token, _ = begin(visits, mine)
    _, shown = begin(visits, theirs)
    for item in (shown.id, "no such item", ""):
        with pytest.raises(NotYoursError):
            visits.answer(token, item, 0, "yes", 1.0)
    assert kept(study) == []


def test_an_answer_sent_twice_is_kept_once(study: Store) -> None:
    visits = Visits(study)
    token, shown = begin(visits, next(iter(codes(study))))
    after = visits.answer(token, shown.id, 0, "yes", 0.5)
    assert visits.answer(token, shown.id, 0, "yes", 99.0) == after
    with pytest.raises(AnsweredError):
        visits.answer(token, shown.id, 0, "no", 0.5)
    assert kept(study) == [(shown.id, 0, "yes")]


def test_what_was_not_shown_can_not_be_answered(study: Store) -> None:
    visits = Visits(study)
    code = next(iter(codes(study)))
    token, _ = visits.enter(code)
    items = [row[0] for row in study.rows("SELECT id FROM items WHERE participant = 1 ORDER BY position")]
    with pytest.raises(NotShownError):
        visits.answer(token, items[0], 0, "yes", 1.0)  # before consent
    token, _ = begin(visits, code)
    for item, level in ((items[1], 0), (items[0], 1), (items[0], 7)):
        with pytest.raises(NotShownError):
            visits.answer(token, item, level, "yes", 1.0)
    assert kept(study) == []


@pytest.mark.parametrize(
    ("passed", "measured", "expected"),
    [
        (10.0, 9.9, "ok"), (10.0, 10.9, "ok"), (3600.0, 12.0, "interrupted"), (10.0, 3600.0, "impossible"),
        (10.0, -5.0, "impossible"), (-7200.0, 10.0, "impossible"), (10.0, None, "impossible"),
        (10.0, float("nan"), "impossible"), (10.0, float("inf"), "impossible"), (1e9, 1e300, "impossible"),
    ],
)  # fmt: skip
def test_a_clock_that_jumps_costs_the_time_but_not_the_answer(
    study: Store, passed: float, measured: float | None, expected: str
) -> None:
    watch = Watch()
    visits = Visits(study, watch)
    token, shown = begin(visits, next(iter(codes(study))))
    watch.now += passed
    assert visits.answer(token, shown.id, 0, "yes", measured).answered == 1
    row = study.row("SELECT * FROM answers")
    assert row is not None
    assert (row["choice"], row["time_check"], row["server_seconds"]) == ("yes", expected, passed)


@given(st.none() | st.floats(), st.floats(allow_nan=False, allow_infinity=False))
def test_a_time_that_counts_is_possible(browser: float | None, server: float) -> None:
    if check_times(browser, server) != "impossible":
        assert browser is not None
        assert 0 <= browser <= server + 1


def test_nothing_shown_names_the_method(study: Store) -> None:
    visits = Visits(study)
    for code in codes(study):
        _, shown = begin(visits, code)
        assert set(vars(shown)) == {"id", "level", "question", "text", "last"}
        assert not any(name in shown.id for name in ("lead", "random", "none", "full"))


def test_a_reopened_store_goes_on(study: Store) -> None:
    token, shown = begin(Visits(study), next(iter(codes(study))))
    study.close()
    reopened = Store.open(study.path.parent)
    assert Visits(reopened).state(token).shown == shown
    reopened.close()
