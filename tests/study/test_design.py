"""The design, checked by counting: whatever the numbers, everything is seen equally often."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mls.errors import MlsError
from mls.study.design import Item, assign, check_participants, multiples_of, parts_of


def sets_of(*sizes: int) -> dict[str, list[str]]:
    return {f"set{position}": [f"{position}.{number}" for number in range(size)] for position, size in enumerate(sizes)}


def deal(methods: int, sizes: tuple[int, ...], people: int, seed: int = 1, uneven: bool = False) -> list[list[Item]]:
    sets = sets_of(*sizes)
    questions = {
        document: 1 + number % 3 for number, document in enumerate(name for names in sets.values() for name in names)
    }
    return assign([f"m{number}" for number in range(methods)], sets, questions, people, seed, uneven)


def meetings(dealt: list[list[Item]], methods: int) -> list[int]:
    """How many people met each pair of methods."""
    met = Counter(pair for items in dealt for pair in combinations(sorted({item.method for item in items}), 2))
    return [met[pair] for pair in combinations([f"m{number}" for number in range(methods)], 2)]


def check_balance(dealt: list[list[Item]], methods: int, sizes: tuple[int, ...]) -> None:
    documents = {document for names in sets_of(*sizes).values() for document in names}
    for items in dealt:
        assert sorted(item.document for item in items) == sorted(documents), "everybody sees every document once"
        assert len({item.method for item in items}) <= 2, "nobody meets a third method"
    people = defaultdict(set)
    cells: Counter[tuple[str, str]] = Counter()
    asked: Counter[tuple[str, int, str]] = Counter()
    for person, items in enumerate(dealt):
        for item in items:
            people[item.method, item.data_set].add(person)
            cells[item.method, item.document] += 1
            asked[item.document, item.question, item.method] += 1
    assert len(people) == methods * len(sizes), "every setting is seen"
    assert len({len(seen) for seen in people.values()}) == 1, "every setting is seen by the same number of people"
    assert set(cells.values()) == {len(dealt) // methods}, "every document is seen equally often under every method"
    for (document, question, _), count in asked.items():
        same = {asked[document, question, f"m{number}"] for number in range(methods)}
        assert same == {count}, "a question is asked equally often under every method"


@pytest.mark.parametrize(
    ("methods", "sizes", "people"),
    [
        (5, (3, 3), 10), (5, (3, 3), 20), (5, (3, 3), 200), (2, (1, 1), 2), (2, (4,), 6), (3, (2, 2), 3),
        (3, (5, 1, 2), 9), (4, (3, 3), 12), (4, (2,), 24), (6, (1, 2, 3, 4), 30), (7, (3, 3), 21), (1, (3,), 4),
        (5, (1,), 5), (8, (2, 2, 2), 56), (9, (3, 4), 36),
    ],
)  # fmt: skip
def test_everything_is_seen_equally_often(methods: int, sizes: tuple[int, ...], people: int) -> None:
    dealt = deal(methods, sizes, people)
    assert len(dealt) == people
    check_balance(dealt, methods, sizes)
    if methods > 1 and sizes != (1,):
        assert set(meetings(dealt, methods)) == {2 * people // (methods * (methods - 1))}


@given(
    st.integers(1, 9), st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple), st.integers(1, 6), st.integers()
)
def test_any_design_is_balanced_and_pairs_differ_by_one_at_most(
    methods: int, sizes: tuple[int, ...], rounds: int, seed: int
) -> None:
    dealt = deal(methods, sizes, methods * rounds, seed, uneven=True)
    check_balance(dealt, methods, sizes)
    counts = meetings(dealt, methods)
    if counts and sizes != (1,):
        assert max(counts) - min(counts) <= 1


def has_a_design(methods: int, people: int) -> bool:
    """The two conditions of the proof, by trying all numbers: whole shares, whole meetings."""
    pairs = methods * (methods - 1) // 2
    return people % methods == 0 and people % pairs == 0


@given(st.integers(2, 12), st.integers(-3, 300))
def test_exactly_the_numbers_without_a_design_are_refused(methods: int, people: int) -> None:
    if people > 0 and has_a_design(methods, people):
        check_participants(people, methods, 2)
        return
    with pytest.raises(MlsError, match="can't be shown") as error:
        check_participants(people, methods, 2)
    below = next((n for n in range(people, 0, -1) if has_a_design(methods, n)), None)
    above = next(n for n in range(max(1, people), 1000) if has_a_design(methods, n))
    near = f"; {below} or {above} can" if below else f"; {above} can"
    assert near in str(error.value)


def test_a_refusal_names_what_can_be_had() -> None:
    with pytest.raises(MlsError) as error:
        check_participants(22, 5, 2)
    assert str(error.value) == (
        "5 methods can't be shown to 22 participants in balance; 20 or 30 can (every multiple of 10); with "
        "--uneven-pairs, where some pairs of methods meet once more than others, 20 or 25 can"
    )
    with pytest.raises(MlsError, match=r"20 or 25 can \(every multiple of 5\)$"):
        check_participants(22, 5, 2, uneven_pairs=True)
    check_participants(15, 5, 2, uneven_pairs=True)  # the paper's three people a setting


def test_the_order_is_random_but_seeded() -> None:
    assert deal(5, (3, 3), 20, seed=1) == deal(5, (3, 3), 20, seed=1)
    assert deal(5, (3, 3), 20, seed=1) != deal(5, (3, 3), 20, seed=2)
    orders = {tuple(item.document for item in items) for items in deal(5, (3, 3), 20)}
    assert len(orders) > 10
    mixed = [items for items in deal(5, (3, 3), 20) if len({item.method for item in items[:3]}) == 2]
    assert mixed, "methods come in any order, not one after the other"


def test_people_of_a_study_that_ends_early_are_balanced_at_every_round() -> None:
    dealt = deal(5, (3, 3), 20)
    for rounds in (1, 2, 3):
        check_balance(dealt[: 5 * rounds], 5, (3, 3))


def test_parts_and_steps() -> None:
    assert len(parts_of(sets_of(3, 3))) == 2
    assert len(parts_of(sets_of(4))) == 2
    assert len(parts_of(sets_of(1))) == 1
    assert multiples_of(1, 2).equal_pairs == 1
