"""Budgets as people write them, and lengths that add up."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nan

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from builders import document, texts
from mls.budget import Budget, Measure
from mls.errors import MlsError
from mls.text import Document, tidy

shares = st.tuples(st.integers(1, 10_000), st.integers(1, 10_000)).map(
    lambda pair: Budget(Fraction(min(pair), max(pair)), "share")
)
lengths = st.builds(
    lambda amount, unit: Budget(Fraction(amount), unit),
    st.integers(1, 10**9),
    st.sampled_from(["tokens", "words", "chars"]),
)
budgets = st.one_of(shares, lengths)
units = st.sampled_from(["tokens", "words", "chars"])


@given(budgets)
@example(Budget(Fraction(1), "share"))
def test_a_budget_is_read_as_it_is_written(budget: Budget) -> None:
    assert Budget.parse(str(budget)) == budget
    assert Budget.parse(budget) is budget


@given(st.integers(1, 10**9))
def test_a_whole_number_means_tokens(number: int) -> None:
    assert (
        Budget.parse(number)
        == Budget.parse(str(number))
        == Budget.parse(f"{number:,}")
        == Budget(Fraction(number), "tokens")
    )


@given(st.floats(min_value=0, max_value=1, exclude_min=True, allow_subnormal=False))
@example(0.00001)
def test_a_number_with_a_point_means_a_share(number: float) -> None:
    budget = Budget.parse(number)
    assert budget.unit == "share"
    assert float(budget.amount) == number


@given(st.integers(1, 100))
def test_a_percentage_means_a_share(number: int) -> None:
    expected = Budget(Fraction(number, 100), "share")
    assert Budget.parse(f"{number}%") == Budget.parse(f" {number} percent") == Budget.parse(f"{number}/100") == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("1/4", "1/4"), (" 1 / 4 ", "1/4"), ("0.25", "1/4"), (".5", "1/2"), (Fraction(1, 3), "1/3"), ("12.5%", "1/8"),
        ("120 tokens", "120 tokens"), ("1 token", "1 tokens"), ("1,200", "1200 tokens"), ("1_200", "1200 tokens"),
        ("80 Words", "80 words"), ("280chars", "280 chars"), ("280 characters", "280 chars"), ("+7 words", "7 words"),
    ],
)  # fmt: skip
def test_ways_to_write_a_budget(given: object, expected: str) -> None:
    assert str(Budget.parse(given)) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "given",
    [
        0, 0.0, "0", "0%", "0 words", -1, "-1", -0.25, "-5 words", "-5%", nan, inf, -inf, "nan", "inf",
        "101%", "100.1%", 1.5, "3/2", "1.01", "12 apples", "12 lines", "12 %%", "words", "abc", "", " ",
        True, False, None, b"25%", [3], "1/0", "1.2.3", "1/2/3", ".", ",", "5 5", "1e999999999",
        "1.5 words", "1/4 tokens",
    ],
    ids=repr,
)  # fmt: skip
def test_a_bad_budget_is_named_with_what_is_accepted(given: object) -> None:
    with pytest.raises(MlsError) as raised:
        Budget.parse(given)  # type: ignore[arg-type]
    assert repr(given) in str(raised.value)
    assert "'80 words'" in str(raised.value) or "at most 100% (1 alone is one token)" in str(raised.value)


@pytest.mark.parametrize("given", ["0,25", "1,5 words", "12,5%"])
def test_a_decimal_comma_is_refused(given: str) -> None:
    """To drop it would make 25 tokens of 0,25."""
    with pytest.raises(MlsError, match=repr(given)):
        Budget.parse(given)


@pytest.mark.parametrize("given", ["1.000 words", "1.000", "12.500 tokens", "1.234.567 chars"])
def test_a_point_between_thousands_is_refused(given: str) -> None:
    """To read it as a fraction would make 1 word of 1.000 words."""
    with pytest.raises(MlsError, match=f"write {given.split()[0].replace('.', '')},"):
        Budget.parse(given)


@given(st.lists(budgets, min_size=1, max_size=5))
def test_a_list_is_read_as_it_is_written(wanted: list[Budget]) -> None:
    assert Budget.parse_many(", ".join(map(str, wanted))) == wanted


@given(st.integers(1000, 10**12), st.sampled_from(["", " words", " chars", " tokens"]), st.sampled_from(["", "1/4,"]))
def test_thousands_in_a_list_are_an_error_that_says_how_to_write_both(number: int, unit: str, before: str) -> None:
    with pytest.raises(MlsError) as told:
        Budget.parse_many(f"{before}{number:,}{unit}")
    several = f"{number:,}".replace(",", ", ")
    assert f"write {number} for one, {several!r} for several" in str(told.value)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("1/8,120", ["1/8", "120 tokens"]), ("0.25,500", ["1/4", "500 tokens"]), ("5%,100", ["1/20", "100 tokens"]),
        ("30 chars,280 chars", ["30 chars", "280 chars"]), ("1_500,60", ["1500 tokens", "60 tokens"]),
        ("60, 120", ["60 tokens", "120 tokens"]), ("1000,2000", ["1000 tokens", "2000 tokens"]),
    ],
)  # fmt: skip
def test_lists_that_can_mean_but_one_thing(given: str, expected: list[str]) -> None:
    assert [str(budget) for budget in Budget.parse_many(given)] == expected


@pytest.mark.parametrize(
    "given", ["9" * 4301, "1/" + "9" * 4301, "9" * 4301 + " words", 10**5000, "1" * 10**6], ids="abcde"
)
def test_a_number_without_end_is_told_in_one_short_line(given: str | int) -> None:
    with pytest.raises(MlsError, match="'80 words'") as told:
        Budget.parse(given)
    assert len(str(told.value)) < 200


@given(budgets, texts)
def test_a_limit_is_never_below_one_unit(budget: Budget, text: str) -> None:
    read = Document.parse(text)
    limit = budget.limit(read)
    assert limit >= 1
    if budget.unit == "share":
        assert limit <= max(1, read.token_count)
        assert budget.measure == Measure("tokens")
    else:
        assert limit == budget.amount
        assert budget.measure == Measure(budget.unit)


def test_a_share_is_of_the_tokens_and_rounded_down() -> None:
    eleven = document("It rained all day.", "The match was off .", ".")
    assert eleven.token_count == 11
    assert [Budget.parse(share).limit(eleven) for share in ("1/11", "1/4", "1/2", "10/11", "100%", "1%")] == [
        1,
        2,
        5,
        10,
        11,
        1,
    ]


@given(st.lists(texts.map(tidy), max_size=5), units, st.sampled_from(" \n"))
def test_lengths_of_sentences_add_up_to_the_length_of_the_text(parts: list[str], unit: str, joint: str) -> None:
    measure = Measure(unit)
    assert measure.length(joint.join(parts)) == measure.total([measure.length(part) for part in parts])


def test_each_unit_counts_its_own() -> None:
    assert [Measure(unit).length("It didn't rain.") for unit in ("tokens", "words", "chars")] == [5, 3, 15]
    assert Measure("chars").total([3, 4]) == 8
    assert Measure("words").total([3, 4]) == Measure("tokens").total([3, 4]) == 7
