"""Who sees what: a balanced incomplete block design.

A person is a block and meets two methods. The *parts* of a study are its data sets or, where there
is only one, its two halves. Everybody sees every part once, whole, under one of their two methods.
So nobody meets a document twice or a third method.

**The design.** People come in rounds of M, one for each method. In the round of shift s, person i
has methods i and i + s (mod M). A part goes either to the first method of all people of a round or
to the second of all. Both i -> i and i -> i + s are bijections of the M methods, so in every round
every method has every part exactly once. After c rounds each setting was seen by c people (by 2c
where a set is shown in two halves), and N = cM.

**N must be a multiple of M.** Everybody sees every part, so N people are to be dealt evenly to the M
methods of a part.

**When do all pairs of methods meet equally often?** Methods a and b meet in the rounds of shift
s = +-(b - a). For odd M the shifts 1 to (M - 1)/2 have every pair once. For even M the shifts 1 to
M - 1 have every pair twice: in the rounds s and M - s once each, in the round M/2 twice. So (M - 1)/2
rounds or M - 1 rounds make a cycle, M(M - 1)/2 or M(M - 1) people. No fewer will do: N people meet N
pairs, so N = k M(M - 1)/2 with k the meetings of each pair; N/M = k(M - 1)/2 must be whole, and for
even M, where M - 1 is odd, that needs an even k. Between two cycles the meetings of two pairs differ
by at most one (shifts are taken in the order 1, 2, 3, ...).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from mls.errors import MlsError

Thing = TypeVar("Thing")


@dataclass(frozen=True)
class Item:
    """One thing that one person is asked: a question on a document, with the summaries of a method."""

    method: str
    data_set: str
    document: str
    question: int  # its number among the questions on this document


@dataclass(frozen=True)
class Multiples:
    """The numbers of participants a design can be had for are the multiples of these two."""

    equal_pairs: int
    uneven_pairs: int


def multiples_of(methods: int, parts: int) -> Multiples:
    """
    >>> multiples_of(5, 2), multiples_of(3, 1)
    (Multiples(equal_pairs=10, uneven_pairs=5), Multiples(equal_pairs=3, uneven_pairs=3))
    """
    if methods == 1 or parts == 1:  # nobody meets two methods, so there are no pairs
        return Multiples(methods, methods)
    rounds = (methods - 1) // 2 if methods % 2 else methods - 1
    return Multiples(methods * rounds, methods)


def parts_of(sets: Mapping[str, Sequence[str]]) -> list[list[tuple[str, str]]]:
    """What is shown under one method as a whole, as pairs of data set and document.

    >>> parts_of({"news": ["a", "b", "c"]})
    [[('news', 'a'), ('news', 'c')], [('news', 'b')]]
    """
    parts = [[(name, document) for document in documents] for name, documents in sets.items()]
    if len(parts) == 1:
        parts = [half for half in (parts[0][::2], parts[0][1::2]) if half]
    return parts


def check_participants(participants: int, methods: int, parts: int, uneven_pairs: bool = False) -> None:
    """An error for a number for which there is no design, which names the nearest ones for which there is."""
    steps = multiples_of(methods, parts)
    step = steps.uneven_pairs if uneven_pairs else steps.equal_pairs
    if participants > 0 and participants % step == 0:
        return
    found = f"{methods} methods can't be shown to {participants} participants in balance"
    also = ""
    if not uneven_pairs and steps.uneven_pairs < steps.equal_pairs:
        near = _nearest(participants, steps.uneven_pairs)
        also = f"; with --uneven-pairs, where some pairs of methods meet once more than others, {near} can"
    raise MlsError(f"{found}; {_nearest(participants, step)} can (every multiple of {step}){also}")


def _nearest(participants: int, step: int) -> str:
    """
    >>> _nearest(22, 10), _nearest(20, 10), _nearest(3, 10)
    ('20 or 30', '20', '10')
    """
    participants = max(1, participants)
    below = participants // step * step
    near = [below] if below == participants else [below, below + step]
    return " or ".join(str(number) for number in near if number > 0)


def assign(
    methods: Sequence[str],
    sets: Mapping[str, Sequence[str]],
    questions: Mapping[str, int],
    participants: int,
    seed: int,
    uneven_pairs: bool = False,
) -> list[list[Item]]:
    """What each participant is shown, in order. Paper: section 3 D.

    `sets` has the documents of each data set, `questions` how many there are on each document. In one
    round a document comes with one question, so a question meets every method equally often.
    """
    check_participants(participants, len(methods), len(parts_of(sets)), uneven_pairs)
    rng = random.Random(f"design {seed}")
    dealt = _shuffled(methods, rng)
    parts = parts_of({name: _shuffled(documents, rng) for name, documents in sets.items()})
    people: list[list[Item]] = []
    for number in range(participants // len(methods)):
        people += _shuffled(_round(number, dealt, parts, questions, rng), rng)
    return people


def _round(
    number: int,
    methods: Sequence[str],
    parts: Sequence[Sequence[tuple[str, str]]],
    questions: Mapping[str, int],
    rng: random.Random,
) -> list[list[Item]]:
    """One person for each method: person i sees some parts under method i, the others under i + shift."""
    count = len(methods)
    cycle = max(1, count // 2 if count % 2 else count - 1)
    shift = 1 + number % cycle
    second = set(_shuffled(range(len(parts)), rng)[: len(parts) // 2])
    people = []
    for first in range(count):
        items = [
            Item(methods[(first + shift * (position in second)) % count], name, document, number % questions[document])
            for position, part in enumerate(parts)
            for name, document in part
        ]
        people.append(_shuffled(items, rng))
    return people


def _shuffled(things: Sequence[Thing], rng: random.Random) -> list[Thing]:
    return rng.sample(list(things), len(things))
