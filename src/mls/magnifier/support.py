"""Whether the source says what the prototype says.

A network can join the halves of two sentences into one that nobody said, or leave out the one word that
made it English. A sentence in its own words is taken at its word only if it is one source sentence
made shorter, cut where shortening itself would cut.
"""

from __future__ import annotations

from mls.magnifier.shortening import forms
from mls.text import Sentence


def bears_out(source: Sentence, worded: Sentence) -> bool:
    """Whether another wording of a source sentence is that sentence, or a form of it that says no more.

    >>> from mls.text import Document
    >>> source, *others = Document.parse(
    ...     "The council, which met on Monday, closed the bridge. The council closed the bridge. "
    ...     "The council met the bridge on Monday. The council, which met on Monday, closed the."
    ... ).sentences
    >>> [bears_out(source, other) for other in others]
    [True, False, False]
    """
    if worded.words == source.words:
        return True
    return any(form.words_of(source) == worded.words for form in forms(source))
