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
    the first position of each run counts. A run of one token counts only for a rarer word.

    >>> sorted(selected_positions("the cat sat on the mat".split(), "the cat on a mat".split(), {"on"}.__contains__))
    [0, 1, 5]
    """
    starts: dict[Token, list[int]] = {}
    for position, token in enumerate(document):
        starts.setdefault(token, []).append(position)
    chosen: set[int] = set()
    here = 0
    while here < len(summary):
        best_length, best_start = 0, 0
        for start in starts.get(summary[here], ()):
            length = 1
            while (
                here + length < len(summary)
                and start + length < len(document)
                and summary[here + length] == document[start + length]
            ):
                length += 1
            if length > best_length:
                best_length, best_start = length, start
        if best_length > 1 or (best_length == 1 and not is_common(summary[here])):
            chosen.update(range(best_start, best_start + best_length))
        here += max(best_length, 1)
    return chosen
