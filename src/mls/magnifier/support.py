"""Whether the source says what the prototype says.

A network can join the halves of two sentences into one that nobody said, or leave out the one word that
made it English. A sentence in its own words is taken at its word only if it is one source sentence
made shorter, cut where shortening itself would cut.
"""

from __future__ import annotations

from collections.abc import Sequence

from mls.magnifier.shortening import forms
from mls.text import Sentence, Wording, fold, tokenize

OTHER_WORDS = "its words do not stand in this order in the source sentence"
CUT_WITHIN = "it is cut where the source sentence can't be"


def bears_out(source: Sentence, worded: Wording) -> bool:
    """Whether another wording of a source sentence is a form of it that says no more, character for character.

    >>> from mls.text import Document, Wording
    >>> source, *others = Document.parse(
    ...     "The council, which met on Monday, closed the bridge. The council closed the bridge. "
    ...     "The council met the bridge on Monday. The council, which met on Monday, closed the."
    ... ).sentences
    >>> [bears_out(source, other) for other in others]
    [True, False, False]
    """
    return why_replaced(source, worded) is None


def why_replaced(source: Sentence, worded: Wording) -> str | None:
    """Why the source sentence stands in the place of what was drafted for it, if it has to."""
    said = _without_stop([token.key for token in worded.tokens])
    if not _stand_in(source.keys, said):  # told faster than all forms are made
        return OTHER_WORDS
    shorter = (_without_stop([fold(token.text) for token in tokenize(form.text)]) for form in forms(source))
    return None if said in shorter else CUT_WITHIN


def _stand_in(keys: Sequence[str], said: Sequence[str]) -> bool:
    """Whether all of it was said before, in that order, with gaps."""
    heard = iter(keys)
    return all(key in heard for key in said)


def _without_stop(keys: list[str]) -> list[str]:
    """A draft's sentences all end with a full stop, those of a document need not."""
    return keys[:-1] if keys[-1:] == ["."] else keys
