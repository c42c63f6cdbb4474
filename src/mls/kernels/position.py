"""Position: not in the paper, but what `lead` lives on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from mls.blocks import LIST_ITEM, MAIL_HEADER
from mls.genres import INSTRUCTIONS, MAIL
from mls.kernels.base import Scores
from mls.text import Document, Sentence, Wording


class PositionKernel:
    """How early a sentence stands where one reads on: 1 for the first, falling with the logarithm of its position.

    Of mails the newest is read first, of instructions the steps, all of which are needed.
    """

    name = "position"
    question = "Does it stand where this kind of text makes its point?"

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        position = _positions(document)
        positions = np.array([position[sentence.anchor] for sentence in sentences], dtype=np.float64)
        last = np.log2(2.0 + max(1, len(document.sentences)))
        return np.asarray(1.0 - np.log2(2.0 + positions) / last + 1.0 / last)


def _positions(document: Document) -> NDArray[np.int64]:
    """The position of each sentence in the order in which they make their points."""
    given = np.arange(len(document.sentences))
    if document.genre == INSTRUCTIONS:
        steps = np.array([sentence.kind == LIST_ITEM for sentence in document.sentences])
        return np.where(steps, 0, given + 1) if steps.any() else given
    if document.genre != MAIL:
        return given
    mails = _mails(document)
    newest = sorted(range(len(mails)), key=lambda number: (_sent(mails[number]), number), reverse=True)
    return np.argsort([sentence.index for number in newest for sentence in mails[number]])


def _mails(document: Document) -> list[list[Sentence]]:
    mails: list[list[Sentence]] = [[]]
    for sentence in document.sentences:
        if sentence.kind == MAIL_HEADER and mails[-1] and mails[-1][-1].kind != MAIL_HEADER:
            mails.append([])
        mails[-1].append(sentence)
    return mails


def _sent(mail: Sequence[Sentence]) -> datetime:
    """When a mail was sent, as its header tells; long ago, if it does not."""
    for sentence in mail:
        name, _, value = sentence.text.partition(":")
        if sentence.kind == MAIL_HEADER and name.strip().lower() in ("date", "sent"):
            from email.utils import parsedate_to_datetime  # of all texts, only mails wait for it

            try:
                found = parsedate_to_datetime(value.strip())
            except ValueError:
                continue
            return found if found.tzinfo else found.replace(tzinfo=UTC)
    return datetime.min.replace(tzinfo=UTC)
