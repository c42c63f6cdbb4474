"""Settling: what people agree on, promise, ask for, and how much and when. Not in the paper, which reads no talk.

Each cue is a rule with a name, by which a sentence's words alone tell what it settles; what it is worth was learned
from meetings and what people wrote of them (`benchmarks/settles.py` fits it again and says how well it tells what they
take up). The cues of `judge/cues.py` are others: lists of words, of every kind of text, whose worth a network learned
among all else that it sees. Neither can take the other's place without being learned anew.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from mls.kernels.base import Scores
from mls.text import Document, Wording

_NUMBER = r"(?:\d[\d.,:/-]*|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|hundred|thousand)"
_UNIT = r"(?:percent|people|euros?|pounds?|dollars?|times|minutes|hours|days|weeks|months|years)"
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = (
    r"(?:(?:jan|febr)uary|march|april|june|july|august|(?:sept|nov|dec)ember|october|(?:jan|feb|sept?|oct|nov|dec)\b)"
)
_WHO = r"(?:i|we|they|he|she|you)"
_CUES = {
    "label": r"""\A\W*(?:decisions?|decided|agreed|compromise|results?|outcome|actions?|to\ ?do|next\ steps?|deadline
        |rule|conclusion|recommendation)\s*:""",
    "decision": r"""\b(?:deci[ds]\w+|agreed?\b|settled?\b|(?:go|going|went)\ (?:with|for|ahead)|conclu\w+|approved?\b
        |finali[sz]\w*|cho(?:se|sen|ose)\b|confirm\w*|we'?re\ (?:doing|taking|using|keeping|moving))""",
    "commitment": rf"\b(?:{_WHO}(?:'ll|\ will)\b|(?:i'm|i\ am|we're|we\ are)\ going\ to|promised?|i\ can\ (?:do|take))",
    "request": r"""\b(?:please|(?:can|could|would|will)\ you|let'?s|needs?\ to|needed|ha(?:ve|s)\ to|must\b|should\b
        |shall\b|make\ sure|remember\ to|(?:i|we)(?:'d\ like|\ want|\ need))""",
    "proposal": r"""\b(?:suggest\w*|propos\w+|(?:how|what)\ about|why\ don't|we\ could|idea\b|recommend\w*
        |plan(?:s|ned|ning)?\b)""",
    "reason": r"""\b(?:because|so\ that|reason|problem|issue|concern\w*|important|main|difficult|worr\w+|instead|rather
        |better|worse|cheaper|expensive)""",
    "summary": r"""\b(?:in\ summary|summar\w+|to\ sum\ up|overall|in\ short|the\ point\ is|bottom\ line|in\ conclusion
        |so\ basically|the\ plan\ is|goal)""",
    "amount": rf"[$£€]\s?\d|\d\s?(?:%|k\b|m\b|km\b|kg\b|euros?|pounds?|dollars?)|\b{_NUMBER}\ (?:\w+\ )?{_UNIT}\b",
    "date": rf"""\b(?:{_DAY}|{_MONTH}|tomorrow|tonight|next\ (?:week|month|year|time)|deadline|by\ the\ end
        |\d{{1,2}}(?::\d\d)?\s?[ap]m\b|\d{{1,2}}:\d\d|\d{{1,2}}(?:st|nd|rd|th)\b|o'clock)""",
    "question": r"\?\W*\Z",
    "unfinished": r"[^.!?…\"”')\]]\s*\Z",
    "thinking": r"\b(?:i\ mean|you\ know|i\ guess|i\ don't\ know|i'm\ not\ sure|or\ something|(?:kind|sort)\ of)",
}
CUES = {name: re.compile(pattern, re.I | re.X) for name, pattern in _CUES.items()}
# What each cue is worth, in log odds, and what it is to say much.
WORTH = {
    "label": 1.5,
    "decision": 0.5,
    "commitment": 0.4,
    "request": 0.4,
    "proposal": 0.3,
    "reason": 0.2,
    "summary": 0.6,
    "amount": 0.4,
    "date": 0.4,
    "question": -0.2,
    "unfinished": -0.2,
    "thinking": -0.4,
    "words": 1.84,
    "words squared": -0.95,
}


class SettlesKernel:
    """How likely people who write down what was said take a sentence up, by what it settles."""

    name = "settles"
    question = "Does it settle something?"

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        """The odds of each sentence, from what it says alone."""
        worth = np.array(list(WORTH.values()))
        return np.asarray(np.exp(np.clip(features(sentences) @ worth, -8.0, 8.0)))


def features(sentences: Sequence[Wording]) -> Scores:
    """(sentences, WORTH) Which cues each sentence has, and how much it says."""
    rows = np.zeros((len(sentences), len(WORTH)))
    for row, sentence in zip(rows, sentences, strict=True):
        row[: len(CUES)] = [bool(cue.search(sentence.text)) for cue in CUES.values()]
        size = np.log2(1 + len(sentence.content))
        row[len(CUES) :] = size, size * size / 4
    return rows
