"""How people talk: what they say to be polite or to show that they listen, and what they say while they think."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mls.stopwords import STOP_WORDS

_POLITE = frozenset(
    phrase.strip()
    for phrase in """
    yeah|yes|yep|yup|ya|aye|no|nope|nah|ok|okay|k|kay|'kay|kk|right|alright|all right|sure|sure thing|fine|good|great
    perfect|excellent|brilliant|lovely|nice|nice one|cool|awesome|amazing|exactly|totally|absolutely|definitely
    certainly|of course|indeed|true|agreed|got it|gotcha|i see|i know|really|wow|oh|ah|aha|aw|aww|ooh|ha|haha|lol|hm|hmm
    mm|mmm|mhm|mm hmm|mm hm|uh huh|uh uh|um|uh|er|erm|well|so|anyway|now|there you go|there you are|here you go
    here you are|sounds good|sounds great|sounds fine|sounds perfect|sounds like a plan|that's right|that's true
    that's fine|that's good|that's great|that's ok|that's okay|works for me|fair enough|fair point|makes sense
    works for us|no problem|no worries|my pleasure|you're welcome|not at all|thanks|many thanks|thanks a lot
    thanks so much|thanks very much|thanks again|thank you|thank you so much|thank you very much|thank you again
    for that|for joining|for coming|for having me|cheers|ta|hi|hiya|hey|hello|morning|afternoon|evening|good morning
    good afternoon|good evening|good night|good day|good luck|good point|good question|good idea|bye|goodbye|see you
    see ya|later|soon|tomorrow|around|take care|have a good one|have a nice day|have a good day|have a good weekend
    talk soon|talk later|how are you|how are you doing|how's it going|what's up|i'm fine|i'm good|i'm well|i'm great
    nice to meet you|nice to see you|please|sorry|pardon|excuse me|everyone|everybody|all|guys|folks|there|team|then|too
    both|me too|same|same here|and you|you too|can everyone hear me|can you hear me|no rush|deal|done|yay|oops|phew|sir
    ma'am|madam|ladies and gentlemen|and|very|today|you
    """.replace("\n", "|").split("|")
    if phrase.strip()
)
_LONGEST_PHRASE = 5  # words
_FILLERS = frozenset("um umm uh uhh er erm eh hm hmm mm ah".split())
_MOST = 9  # words of small talk
_MOST_NAMES = 2


def is_small_talk(sentence: str) -> bool:
    """Whether a sentence only greets, thanks, or shows that somebody listens; a name is whom it is said to.

    >>> [is_small_talk(said) for said in ("Mm-hmm.", "'Kay, perfect.", "Thanks, Ann!", "Yes, on Friday.")]
    [True, True, True, False]
    """
    given = _WORD.findall(sentence)
    words = [word.lower().replace("’", "'") for word in given]
    position = names = 0
    while position < len(words) <= _MOST:
        length = next(
            (n for n in range(_LONGEST_PHRASE, 0, -1) if " ".join(words[position : position + n]) in _POLITE), 0
        )
        if not length:
            names += 1
            if not position or names > _MOST_NAMES or not given[position][0].isupper():
                return False
        position += max(1, length)
    return bool(words) and len(words) <= _MOST


_WORD = re.compile(r"['’]?\w+(?:['’]\w+)*")


def fillers(given: Sequence[str]) -> frozenset[int]:
    """The words of a sentence that say nothing: `um`, `well,` and `you know`, and what is said twice.

    >>> sorted(fillers("well , um , so the the ferry , you know , stays .".split()))
    [0, 1, 2, 3, 5, 9, 10, 11]
    """
    words = tuple(given)
    gone = _twice(words)
    position = 0
    while length := _opener(words[position : position + 3]):
        gone |= set(range(position, position + length))
        position += length
    for position, word in enumerate(words):
        if word in _FILLERS:
            gone |= {position, position + 1} if words[position + 1 : position + 2] == (",",) else {position}
        elif (
            word == ","
            and words[position + 1 : position + 3] in _ASIDES
            and words[position + 3 : position + 4] in ((",",), (".",))
        ):
            gone |= {position, position + 1, position + 2}
            gone ^= {position, position + 3} if words[position + 3] == "," else set()
    return frozenset(gone)


def _opener(words: tuple[str, ...]) -> int:
    """How many words, with the comma, only open a sentence: `well ,` or `you know ,`."""
    if words[1:2] == (",",) and words[0] in _OPENERS | _FILLERS:
        return 2
    return 3 if words[:2] in _ASIDES and words[2:] == (",",) else 0


def _twice(words: tuple[str, ...]) -> set[int]:
    """What is said and then said again: `the the`, `the, the`, `it was it was`, `fo forty`."""
    gone: set[int] = set()
    for position, word in enumerate(words):
        after = words[position + 1 : position + 4]
        if word.isalpha() and after and (_is_begun(word, after[0]) or (after[0] == word and word not in _DOUBLED)):
            gone.add(position)
        elif (after[:2] == (",", word) and word in STOP_WORDS) or (word.isalpha() and after[1:] == (word, *after[:1])):
            gone |= {position, position + 1}
    return gone


def _is_begun(word: str, after: str) -> bool:
    """Whether a word is only the beginning of the next."""
    return len(word) < 4 and word not in STOP_WORDS and len(after) > len(word) and after.startswith(word)


_OPENERS = frozenset("well oh ok okay so right alright anyway now look listen hey ah actually".split())
_ASIDES = frozenset((("you", "know"), ("i", "mean"), ("i", "guess")))
_DOUBLED = frozenset("that had very really so much bye no ha blah long many".split())  # can stand twice
