"""Cues: kinds of words and phrases that tell what a sentence does.

Each has a name and the words that are one; `*` stands for any ending. What a cue is worth is learned, not set.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

_WORDS = {
    "harm": """kill* die died dies dead death dying suicid* robbed robbery robbing steal stole stolen gun knife shot
        shoot* stab* blood* bleed* hurt* injur* pain* attack* assault* rape* abus* accident crash* burn* fire explod*
        overdose threat* punch* slap*""",
    "trouble": """police cop cops arrest* jail prison hospital ambulance surgery cancer lawsuit sued evict* debt fired
        broke broken ruin* destroy* fail* stuck lost missing wrong mistake problem* issue* worr* concern* restraining
        crisis risk* danger*""",
    "feeling": """scream* yell* cry cries cried crying tears scared terrif* afraid panic* love* hate* embarr* humiliat*
        angry anger furious depress* anxi* lonely jealous guilty ashamed upset happy glad proud""",
    "ties": """breakup divorc* cheat* affair lie lied lies lying marry married proposed proposal kiss* pregnant betray*
        confess* admitted confront* ex dumped girlfriend boyfriend gf bf husband wife wedding""",
    "turn": """suddenly until realized realised unfortunately luckily instead surprisingly|turns out|turned out|
        ended up|found out|figured out|but then|hit me|all of a sudden""",
    "outcome": """finally eventually lesson result* consequently therefore thus hence ultimately|in the end|so now|
        never again|since then|as a result|from now on""",
    "request": """help advice suggestion* tips thoughts input appreciated please anyone|should i|what do i|how do i|
        what should|how can i|am i|can you|could you|would you|make sure""",
    "preface": """background context throwaway mobile obligatory apolog* sorry|bear with|long story|first time|
        story time|a little about|this happened|thank you|thanks in advance""",
    "thinking": """maybe probably perhaps guess suppose|i think|i feel|i believe|i mean|you know|kind of|sort of|
        not sure|do n't know""",
    "decision": """deci* agree agreed agrees settled settle approved approve finali* chose chosen choose confirm*
        conclu*|go with|going with|go for|go ahead|we 're doing|we 're using""",
    "commitment": """promise*|i 'll|we 'll|he 'll|she 'll|they 'll|i will|we will|they will|going to|i can do""",
    "obligation": "must should ought needs need|let 's|need to|has to|have to|had to|want to|i 'd like",
    "proposal": "suggest* propos* idea recommend* plan plans planned planning|how about|what about|why do n't|we could",
    "reason": "because reason* important main difficult better worse cheaper expensive|so that|due to",
    "summary": """summar* overall basically tldr|tl ; dr|to sum up|in short|bottom line|in conclusion|the point is|
        the plan is|in summary|the thing is|long story short|the question is|the problem is|the truth is""",
    "speech": "said says say told added adds wrote according explained insisted asked replied claims claimed",
    "you": "you your yours",
    "we": "we our us",
    "i": "i my me",
    "third person": "he she his her him hers",
    "they": "they their them theirs",
    "example": "consider imagine suppose|for example|for instance|such as",
    "extreme": "most best worst biggest first largest highest only major key greatest",
    "modal": "will would could may might can",
    "now": """now today currently recently yesterday tonight|last night|last week|last month|last year|this week|
        this year""",
    "past": "once previously earlier originally history|years ago|year ago|used to|back then|back when",
    "news": """new announced announce launch* reveal* found study studies research* report* shows showed discovered won
        win wins beat arrested charged accused convicted sentenced signed killed""",
    "wish": "wonder* want* hope* plan* feel* felt wish*",
    "denial": "not no never n't nothing nobody none nor neither",
    "service": "edit update ps click subscribe scroll email contact copyright follow|read more|thank you|thanks for",
    "money": "million billion $ £ € euro euros dollar dollars pounds cost costs price prices pay paid",
    "share": "% percent|per cent",
    "opening contrast": "",
    "opening link": "",
    "opening pointer": "",
}
_OPENING = {
    "opening contrast": frozenset("but however yet still nevertheless instead though although".split()),
    "opening link": frozenset("and so also then or plus meanwhile because".split()),
    "opening pointer": frozenset("this that these those it he she they his her their such".split()),
}
NAMES = tuple(_WORDS)
_NUMBER = {name: number for number, name in enumerate(NAMES)}


def _read() -> tuple[dict[str, list[int]], dict[str, list[int]], dict[tuple[str, ...], list[int]]]:
    """The words, the beginnings of words and the phrases of all cues."""
    words: dict[str, list[int]] = {}
    stems: dict[str, list[int]] = {}
    phrases: dict[tuple[str, ...], list[int]] = {}
    for name, listed in _WORDS.items():
        first, *rest = " ".join(listed.split()).split("|")
        for word in first.split():
            into = stems if word.endswith("*") else words
            into.setdefault(word.rstrip("*"), []).append(_NUMBER[name])
        for phrase in rest:
            phrases.setdefault(tuple(phrase.split()), []).append(_NUMBER[name])
    return words, stems, phrases


_LISTED, _STEMS, _PHRASES = _read()
_FIRST = frozenset(phrase[0] for phrase in _PHRASES)
_LONGEST = max(map(len, _PHRASES))


def cues_of(keys: Sequence[str]) -> set[int]:
    """The numbers of the cues that a sentence has, from its tokens in lower case.

    >>> [NAMES[cue] for cue in sorted(cues_of("so i broke up with him in the end".split()))]
    ['trouble', 'outcome', 'i', 'third person', 'opening link']
    """
    found: set[int] = set()
    for position, key in enumerate(keys):
        found.update(_of_word(key))
        if key in _FIRST:
            for length in range(2, _LONGEST + 1):
                found.update(_PHRASES.get(tuple(keys[position : position + length]), ()))
    first = next((key for key in keys[:2] if key[:1].isalpha()), "")
    found.update(_NUMBER[name] for name, words in _OPENING.items() if first in words)
    return found


@lru_cache(maxsize=100_000)
def _of_word(word: str) -> tuple[int, ...]:
    stems = (cue for end in range(3, len(word) + 1) for cue in _STEMS.get(word[:end], ()))
    return (*_LISTED.get(word, ()), *stems)
