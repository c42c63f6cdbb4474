"""Whether the source says what the prototype says.

A network can join the halves of two sentences into one that nobody said. A sentence in its own words
is taken at its word only if it is one source sentence made shorter: the words that carry meaning
stand in that sentence, in that order, and none is left out that could turn the meaning round.
"""

from __future__ import annotations

from collections.abc import Sequence

from mls.magnifier.shortening import TURNING
from mls.stopwords import content_words
from mls.text import Sentence


def bears_out(source: Sentence, worded: Sentence) -> bool:
    """Whether a source sentence bears out another wording of it.

    >>> from mls.text import Document
    >>> source, *others = Document.parse(
    ...     "The council, which met on Monday, closed the bridge. The council closed the bridge. "
    ...     "The council met the bridge on Monday. The council, which met on Monday, closed the."
    ... ).sentences
    >>> [bears_out(source, other) for other in others]
    [True, False, False]
    """
    said = iter(_meaningful(source.words))
    in_order = all(word in said for word in _meaningful(worded.words))
    turned = (TURNING & set(source.words)) - set(worded.words)
    return in_order and not turned and bool(_meaningful(worded.words[-1:]))


def _meaningful(words: Sequence[str]) -> list[str]:
    """Words that carry meaning, and numbers."""
    return [word for word in words if content_words([word]) or any(map(str.isdigit, word))]
