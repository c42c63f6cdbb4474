"""Manners: how a kind of text is summed up, and in which ways one text may be."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mls.analysis import Analysis
from mls.genres import ARTICLE, DIALOGUE, INSTRUCTIONS, LEGAL, MAIL, NOTES, PAPER, STORY

MOST_SENTENCES = 200  # of a text that may be summed up in several ways: of longer ones nobody has read summaries
ANSWER_FLOOR = 0.2  # where something is asked: what says less of an answer may still be a part of it


@dataclass(frozen=True)
class Manner:
    """How a summary grows."""

    name: str = "running on"
    # How much more a sentence is wanted that goes on from one that is there: from a run of one, of two and so on.
    continues: tuple[float, ...] = (2.0,)
    ending: float = 1.0  # how much more something of the end is wanted, while nothing of it is there
    brevity: float = 0.0  # the power of its number of words with which the worth of a sentence falls
    brief_first: bool = False  # whether sentences are taken in the briefest form that says most of them
    other_voice: float = 1.2  # how much more somebody is wanted who has not spoken yet, or a section of notes
    floor: float = 0.45  # of the mean worth of what is there: what has less is no more than a filler
    gain_power: float = 0.0  # with which a reader's gain counts beside what a sentence is worth; 0: it is not asked


TOLD = {  # what each is, for those who ask
    "running on": "it goes on from what it has said, before it leaps to what is worth more",
    "by gains": "it takes what a reader gains most by, beside what it has said",
    "to the end": "it makes no long runs, and says how the text ends",
    "point by point": "it says many short points, each where it stands",
}
ENDING = 0.75  # of its sentences, after which a text comes to its end
_TIRING = (2.0, 1.5, 1.1, 0.9)  # the longer a run, the less its next sentence is wanted
RUNNING_ON = Manner()
# Where things are told one by one, many short points say more than a few long ones, each where it stands.
_POINT_BY_POINT = Manner("point by point", (1.0,), brevity=0.3, brief_first=True, floor=0.3)
_BY_GAINS = Manner("by gains", gain_power=4.0)
_OF_ARTICLES = (RUNNING_ON, _BY_GAINS, Manner("to the end", _TIRING, ending=2.0))
MANNERS: dict[str, tuple[Manner, ...]] = {
    ARTICLE: _OF_ARTICLES,
    STORY: (
        Manner("by gains", _TIRING, gain_power=2.0),
        Manner("to the end", _TIRING, ending=2.0, gain_power=4.0),
    ),
    **dict.fromkeys((MAIL, LEGAL), _OF_ARTICLES),
    PAPER: (_BY_GAINS,),  # who runs on through an abstract never comes to what was found
    DIALOGUE: (
        Manner("by gains", (1.5,), brevity=0.3, gain_power=8.0),
        Manner("running on", gain_power=4.0),
    ),
    INSTRUCTIONS: (_POINT_BY_POINT,),
    NOTES: (replace(_POINT_BY_POINT, other_voice=1.5),),
}


def usual_manner(analysis: Analysis) -> Manner:
    """How texts of a kind are summed up where nothing more is known."""
    manner, *_ = MANNERS.get(analysis.document.genre, (RUNNING_ON,))
    return replace(manner, floor=ANSWER_FLOOR) if analysis.answers else manner


def manners_of(analysis: Analysis) -> tuple[Manner, ...]:
    """The ways in which a text may be summed up, the usual one first. An answer or what is pinned decides by itself."""
    usual, *others = usual_manner(analysis), *MANNERS.get(analysis.document.genre, ())[1:]
    few = len(analysis.document.sentences) <= MOST_SENTENCES
    return (usual, *others) if few and not analysis.answers and not analysis.pins else (usual,)
