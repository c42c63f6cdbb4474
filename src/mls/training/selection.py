"""What a summary takes up from its document, token by token."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

Token = TypeVar("Token", bound=Hashable)


def selected_positions(
    document: Sequence[Token], summary: Sequence[Token], is_common: Callable[[Token], bool]
) -> set[int]:
    """Where the document says what the summary takes up, after Gehrmann et al. (2018).

    The summary is covered from left to right with the longest runs that also stand in the document;
    the first place of each run counts. A run of one token counts only for a rarer word.

    >>> sorted(selected_positions("the cat sat on the mat".split(), "the cat on a mat".split(), {"on"}.__contains__))
    [0, 1, 5]
    """
    places: dict[Token, list[int]] = {}
    for position, token in enumerate(document):
        places.setdefault(token, []).append(position)
    chosen: set[int] = set()
    here = 0
    while here < len(summary):
        best_length, best_place = 0, 0
        for place in places.get(summary[here], ()):
            length = 1
            while (
                here + length < len(summary)
                and place + length < len(document)
                and summary[here + length] == document[place + length]
            ):
                length += 1
            if length > best_length:
                best_length, best_place = length, place
        if best_length > 1 or (best_length == 1 and not is_common(summary[here])):
            chosen.update(range(best_place, best_place + best_length))
        here += max(best_length, 1)
    return chosen
