"""How people talk: what they say to be polite or to show that they listen, and what they say while they think."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise

from mls.blocks import is_ended
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
    ma'am|madam|ladies and gentlemen|and|very|today|you|young lady|young man|miss|mom|mum|dad|honey|dear|darling|doctor
    my friend|my dear|boss|kids|boys|girls|buddy|mate|welcome|come on|you're right|there we go|here we go|here it is
    wonderful|fantastic|super|whatever|we'll see|you bet|no kidding|i can't wait|congratulations|go ahead|go for it|wait
    whoa|whoops|ugh|huh|i mean|you know|that makes sense|i get it|you're kidding|well done|that's it|interesting
    """.replace("\n", "|").split("|")
    if phrase.strip()
)
_ANSWERING = re.compile(  # how the telephone is answered, and who one is
    r"""(?:(?i:good\ (?:morning|afternoon|evening)|hello|hi)[,.!]?\ +)(?:[A-Z][\w.'’]*\ *){1,4}
        (?i:\ *(?:office|company|hotel|desk|service|speaking|department))?[.!]*\Z
      | (?:(?i:good\ (?:morning|afternoon|evening)|hello|hi)[,.!]?\ +)?
        (?i:my\ name\ is|this\ is)\ (?:[A-Z][\w.'’]*\ *){1,3}(?i:speaking)?[.!]*\Z""",
    re.X,
)
_VERY = r"(?:(?:so|very|really|just|quite|too|all|not|pretty|such|an?|sort of|awfully|terribly) )*"
_GOOD = r"""(?:good|great|nice|fine|fun|funny|lovely|perfect|wonderful|fantastic|amazing|awesome|excellent|cool|
    interesting|exciting|impressive|surprising|sad|bad|terrible|horrible|awful|unfortunate|right|true|ok|okay|sensible|
    reasonable|delicious|beautiful|kind|generous|sweet|thoughtful|strange|weird|incredible|unbelievable|ridiculous|
    pity|shame|relief|clear|possible|enough)""".replace("\n    ", "")
_BE = r"(?:'s| is| was| would be| will be|'ll be|'d be| must be| should be| sounds| looks| seems)"
_WHILE = r"(?:a|an|one) (?:moment|second|minute)"
_OPENINGS = r"""(?:(?:oh|ah|wow|well|yes|no|yeah|okay|ok|so|but|and|now|right|alright|then|um|uh|hey|hi|hello|thanks
    |sure|great|sorry)[,.!]? +)*""".replace("\n    ", "")
_KIND_WORDS = (
    rf"(?:that|it|this){_BE} (?:like )?{_VERY}{_GOOD}"
    r"(?: (?:idea|plan|news|point|question|thing|thinking|choice|of you|to hear|to know|enough|then|though|too))*",
    r"(?:i )?wish you (?:a|an|all the) [^.?!\d]{1,40}|have a (?:good|nice|great|lovely|safe) [^.?!\d]{1,30}",
    rf"(?:sounds|looks) (?:like )?{_VERY}{_GOOD}(?: (?:idea|plan))?",
    rf"(?:how|what|very|so|really) {_VERY}{_GOOD}(?: (?:idea|news|surprise|day|of you))?",
    rf"(?:i'm|i am) {_VERY}sorry(?: (?:to hear (?:that|it)|about that))?",
    r"i (?:hope|think|guess|suppose|believe|don't think) so(?: too)?",
    rf"i (?:{_VERY}|(?:totally|completely|fully) )(?:agree|understand|see|know)"
    r"(?: (?:with (?:you|that)|that|what you mean|how you feel))?",
    r"(?:may|can|could|how (?:may|can)|what can) i (?:help|do for|be of (?:any )?help to) you"
    r"(?: (?:today|now|with anything))?",
    r"(?:don't|do not) (?:mention it|worry(?: about (?:it|that))?)|never mind|that's what friends are for",
    rf"(?:(?:just|wait|hold on) )?{_WHILE}|hold on|let me (?:see|think)(?: about it)?(?: for {_WHILE})?|let's see",
    rf"(?:it's )?(?:certainly )?{_VERY}(?:pleased|glad|nice|good|great|happy) to (?:see|meet|hear from|hear) "
    r"(?:you|your voice)(?: (?:too|again|all))?",
    rf"(?:it(?:'s been| was|'s) )?{_VERY}(?:nice|good|great|lovely) (?:talking|speaking|chatting) (?:to|with) you"
    r"(?: and give .{1,30} (?:my|our) (?:love|regards|best))?|give .{1,30} (?:my|our) (?:love|regards|best)",
    r"i (?:have|'ve got|have got) (?:some )?(?:(?:big|great|good|bad|wonderful|exciting) )?news"
    r"(?: (?:for|to tell) you)?",
    r"(?:i'm |i am )?(?:dying|eager|curious) to (?:hear|know)(?: (?:your news|all about it|what it is))?|guess what",
    r"it's (?:been )?a pleasure(?: to meet you)?|long time no see",
    r"welcome(?: (?:back|aboard|everyone|everybody|all|home|young man))?",
    rf"(?:certainly,? |of course,? )?(?:i'd|i would|i'll|i will|we'd|we would|we'll|we will)(?: be)? {_VERY}"
    r"(?:happy|glad|pleased|delighted|love) to(?: (?:help|assist)(?: you)?(?: (?:with that|out))?| do (?:that|it|so))?",
)
# What is said to keep a meeting going.
_ITEM = r"""(?:(?:next|first|second|third|last|other|following) )?(?:slides?|items?|questions?|points?|topics?|agenda
    |one|thing|part|presentations?|subjects?)""".replace("\n    ", "")
_TO_IT = rf"(?: (?:to|with)(?: (?:the|our|your|my))? {_ITEM}(?: from .{{1,40}})?)"
_THEM = r"(?:everyone|everybody|anyone|anybody|you|you all|you guys|we|members)"
_MAY_I = r"(?:i would like to |i'd like to |(?:can|may|could) i (?:just )?)?"
_NOW = r"(?: (?:now|just|then|please))*"
_PROCEDURE = (
    rf"(?:let's|shall we|can we|should we){_NOW} (?:move on|go on|carry on|go|get started|start|begin|continue|proceed|"
    rf"turn|go back|get back){_NOW}{_TO_IT}?",
    rf"(?:we'll|we will|we can|we should|i'll|i will){_NOW} (?:move on|go on|turn|start|begin|continue){_NOW}{_TO_IT}",
    rf"moving on{_TO_IT}?|(?:the )?next (?:slide|item|question|one|point)",
    rf"(?:can|could) {_THEM} (?:all )?(?:see|hear|read) (?:this|that|it|me|us|my screen"
    rf"|the (?:slides?|screen|board|presentation))(?: (?:ok|okay|all right|alright))?{_NOW}",
    rf"(?:(?:are|is) there |do(?:es)? {_THEM} have |have you got )?(?:anything else|any"
    r"(?: (?:other|more|further))? (?:questions?|comments?|thoughts|remarks|other business|declarations of interest))"
    r"(?: (?:or|and) (?:questions?|comments?|thoughts|remarks))?(?: (?:so far|on that|about that|at this point))?",
    r"do you (?:want|wanna|like) to (?:start|begin|go (?:first|next|ahead))"
    r"|who (?:wants|would like|wanna) to (?:go|start)(?: (?:first|next))?|over to you"
    r"|you (?:can )?go (?:first|ahead|next)|(?:it's )?your turn"
    r"|where (?:were we|was i)|are (?:we|you) (?:all )?(?:ready|done|finished|set)",
    r"(?:i think )?(?:that's|that is|that was) (?:it|all|everything)"
    r"(?: (?:from me|for (?:today|now)|i have|i had|i've got))?"
    r"|i think we(?:'re| are) (?:all )?(?:done|finished|ready)(?: to (?:start|begin|go))?",
    rf"{_MAY_I}welcome (?:you |everyone |members )*to (?:the|our|this) [^.?!]{{1,100}}",
    rf"{_MAY_I}thank (?:you|everyone|everybody)(?: all)?(?: (?:so|very) much)?(?: indeed)?"
    r" for (?:that|this|your|the|coming|joining|listening)\b[^.?!,\d]{0,60}",
)
_COURTESY = re.compile(  # what is said of what somebody said, and nothing else; a name is whom it is said to
    rf"{_OPENINGS}(?:{'|'.join((*_KIND_WORDS, *_PROCEDURE))})"
    r"(?:,? (?:sir|madam|please|then|man|dear|my friend|(?-i:[A-Z])[\w.'-]+)){0,2}[\s.,!?…]*\Z",
    re.I,
)
_LONGEST_PHRASE = 5  # words
_FILLERS = frozenset("um umm uh uhh uhm er erm eh ehh ehhh hm hmm mm mmm ah mm-hmm uh-huh mhm".split())
_MOST = 9  # words of small talk
_MOST_NAMES = 2


def is_small_talk(sentence: str) -> bool:
    """Whether a sentence only greets, thanks, or shows that somebody listens; a name is whom it is said to.

    >>> [is_small_talk(said) for said in ("Mm-hmm.", "'Kay, perfect.", "Thanks, Ann!", "Yes, on Friday.")]
    [True, True, True, False]
    >>> [is_small_talk(said) for said in ("Good morning, Harbour Office.", "Hello, my name is Ann.", "My name is mud.")]
    [True, True, False]
    >>> [is_small_talk(said) for said in ("Hi young lady.", "Good evening, doctor.", "Young lady wanted.")]
    [True, True, False]
    >>> [is_small_talk(said) for said in ("It's certainly good to hear your voice.", "Nice talking to you, Ann!")]
    [True, True]
    >>> [is_small_talk(said) for said in ("I have some big news!", "I have news of the ferry.", "Guess what?")]
    [True, False, True]
    >>> [is_small_talk(said) for said in ("That sounds like a great idea!", "It's a good ferry.", "May I help you?")]
    [True, False, True]
    """
    if _ANSWERING.match(sentence.strip()) or _COURTESY.match(sentence.strip().replace("’", "'")):
        return True
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


def hesitations(given: Sequence[str]) -> frozenset[int]:
    """The words of a sentence that say nothing: `um`, `well,` and `you know`, what is said twice or only begun.

    >>> words = "well , um , so the the ferry stays till , uh , friday , i mean , and then it it goes , so .".split()
    >>> " ".join(word for position, word in enumerate(words) if position not in hesitations(words))
    'the ferry stays till friday , and then it goes .'
    """
    words = tuple(map(_heard, given, range(len(given))))
    gone = {position for position, word in enumerate(words) if word in _FILLERS} | _asides(words) | _false_start(given)
    gone |= _stray_letters(given) | _cut_off(words)
    for length in (1, *range(_LONGEST_AGAIN, 0, -1)):  # without words only begun, others are seen to be said again
        gone |= _said_again(words, gone, length)
    gone |= _restarted(words, gone)
    gone |= _loose_article(words, gone)
    gone |= _loose_end(words, gone) | _opening(words, gone)
    return frozenset(gone | _loose_commas(words, gone))


def _heard(word: str, position: int) -> str:
    """A word without its capital; a letter within a sentence keeps it, for it names something: `the C section`."""
    return word if position and len(word) == 1 and word not in "IA" else word.lower().replace("’", "'")


def _false_start(given: Sequence[str]) -> set[int]:
    """What somebody gave up for another beginning, if they did so soon: `He's also That's about the price`."""
    for position in range(1, min(_SOON, len(given) - _FEWEST_AFTER) + 1):
        if _begins_again(given, position, _BEGINNINGS):
            return set(range(position))
    return set()


def _begins_again(given: Sequence[str], position: int, beginnings: frozenset[str]) -> bool:
    """Whether a word within a sentence is written as one that begins another."""
    word, before, after = given[position], given[position - 1], given[position + 1 : position + 2]
    begins = word in beginnings and (before[-1:].isalnum() or before == ",")
    return begins and not any(other[:1].isupper() and other.lower() not in STOP_WORDS for other in (before, *after))


def _asides(words: tuple[str, ...]) -> set[int]:
    """`you know` and `i mean` between commas; after one, before what they cannot lead to: `, you know about ten`."""
    around = (",", ".", "")
    padded = ("", *words, "")
    found: set[int] = set()
    for position in range(len(words) - 1):
        pair, before, after = words[position : position + 2], padded[position], padded[position + 3]
        if pair in _ASIDES and (after in around or after in _AFTER_ASIDES[pair]):
            goes_on = before in _BEFORE_ASIDES and pair == ("you", "know") and after == ","
            found |= {position, position + 1} if goes_on or before in (*around, *_FILLERS) else set()
        if before == "," and words[position] == "like" and words[position + 1] == ",":
            found.add(position)
    return found


def _stray_letters(given: Sequence[str]) -> set[int]:
    """A letter that was to become another word: `we have to decide s things`, `D Mainly it is`; not `at 3 p m`."""
    found = {0} if _is_first_letter(given) else set()
    for position in range(1, len(given)):
        word, before = given[position], given[position - 1]
        after = next((other for other in given[position + 1 :] if other != ","), ".")
        beside = before.isalpha() and before.islower() and len(before) > 1 and before not in _LETTERED
        ends = after in _MARKS or (after.isalpha() and after.islower() and len(after) > 1)
        ends = ends and not _lost_an_apostrophe(before, word, after)
        if word in _STRAY and beside and ends:
            found.add(position)
    return found


def _lost_an_apostrophe(before: str, letter: str, after: str) -> bool:
    """Whether a letter is the rest of a word: `don t go`, `it s here`, `we d go`."""
    if after in _MARKS or not after:
        return False
    return before.endswith("n") if letter == "t" else before.lower() in _HOSTS.get(letter, ())


def _is_replaced(word: str, after: str) -> bool:
    """Whether an article or the like stands before another one."""
    if word in _POINTERS:
        return after in _POINTERS and after != word
    return word in ("a", "an", "the") and (after in _ARTICLES or after in _ACTORS)


def _is_first_letter(given: Sequence[str]) -> bool:
    """Whether a sentence begins with a letter of another: before a word that only a beginning gives its capital."""
    first, second = (*given[:2], "", "")[:2]
    begins = second[:1].isupper() and (second.lower() in STOP_WORDS or second.endswith("ly"))
    return len(first) == 1 and first.isupper() and first not in "AIO" and begins and second != "I"


def _cut_off(words: tuple[str, ...]) -> set[int]:
    """A word that was cut off, as a dash shows, and then said: `sev - several`."""
    found = set()
    for position in range(len(words) - 2):
        word, dash, after = words[position : position + 3]
        if dash in ("-", "–", "--") and word.isalpha() and after != word and after.startswith(word):
            found |= {position, position + 1}
    return found


def _restarted(words: tuple[str, ...], gone: set[int]) -> set[int]:
    """What somebody began and gave up for the same beginning: `don't oc don't occur`, `you won't get you won't really`.

    And what broke off before whoever it speaks of is named again: `we're gonna get the we're dealing with two`.
    """
    left = [position for position, word in enumerate(words) if position not in gone and word != ","]
    said = tuple(words[position] for position in left)
    found: set[int] = set()
    for start in range(len(said)):
        near = range(start + 2, min(start + _SOON + 1, len(said)))
        again = next((at for at in near if _begun_anew(said, start, at)), None)
        found |= set(range(left[start], left[again])) if again else set()
    return found


def _begun_anew(said: tuple[str, ...], start: int, again: int) -> bool:
    """Whether words begin what was begun before: the same words, after some that were given up."""
    if said[start] != said[again] or len(said) - again < 2:
        return False
    last, same = said[again - 1], _same(said, start, again)
    following = said[again + same : again + same + _RESUMED]
    all_but_last = same > 0 and start + same == again - 1  # all but the last word before is said again
    begun = last in (_LETTERS if same > 1 else _BEGUN)
    begun = begun or bool(following and len(last) < _WHOLE_WORD and _goes_on(last, following[0]))
    if all_but_last and (begun or (last == "that" and said[start] in _ANYBODY and said[start + 1] in _MODALS)):
        return True
    if _GIVES_SENSE & set(said[start:again]):
        return False
    if (last in _ARTICLES and said[again] in _WHO) or _is_taken_back(said, start, again):
        return True
    return all_but_last and same >= 2 and last in following


def _is_taken_back(said: tuple[str, ...], start: int, again: int) -> bool:
    """`we've we want`, `we might we have to`; at the beginning `I have I've`."""
    if again != start + 2 or said[start] not in _ANYBODY:
        return False
    meant = start and (said[start - 1] in _GIVES_SENSE or said[start - 1] in _AS_FAR_AS)
    if not start and _SHORT_FORMS.get(said[1]) == said[again + 1]:
        return True
    return said[start + 1].startswith("'") or (said[start + 1] in _MODALS and not meant)


def _same(said: tuple[str, ...], start: int, again: int) -> int:
    """How many words are the same from two places on, up to the second of them."""
    pairs = zip(said[start:again], said[again:], strict=False)
    return next((number for number, (one, other) in enumerate(pairs) if one != other), again - start)


def _goes_on(begun: str, word: str) -> bool:
    return word != begun and word.startswith(begun) and (begun not in STOP_WORDS or begun in _RESTS)


def _said_again(words: tuple[str, ...], gone: set[int], length: int) -> set[int]:
    """The first of two equal stretches: `the the`, `the, the`, `it was it was`; and words only begun: `fo forty`."""
    left = [position for position, word in enumerate(words) if position not in gone and word != ","]
    said = tuple(words[position] for position in left)
    found: set[int] = set()
    for start in range(len(said) - 2 * length + 1):
        after = start + length
        if said[start] == said[after]:
            together = gone.issuperset(range(left[start] + 1, left[after]))
            slips = said[start:after] == said[after : after + length] and (
                length > 1 or _is_doubled_that(said, start) or _is_slip(said[start], together, start == 0)
            )
        else:
            slips = length == 1 and _is_begun(said, start)
        if slips or (length == 1 and _between(said, start)):
            found |= set(range(left[start], left[after]))
    return found


def _is_doubled_that(said: tuple[str, ...], here: int) -> bool:
    """`that that we go`; not `that that van`."""
    return said[here] == "that" and said[here + 2 : here + 3] != () and said[here + 2] in _ANYBODY


def _is_slip(word: str, together: bool, at_first: bool) -> bool:
    """Whether a word was said twice by mistake: not `very very`, `bread, bread and bread`, `I saw you, you left`."""
    if not together and not at_first and word in _ENDS_AND_BEGINS:
        return False
    return word[:1].isalpha() and word not in _DOUBLED and (together or word in STOP_WORDS)


def _is_begun(said: tuple[str, ...], here: int) -> bool:
    """Whether a word is only the beginning of the next, or a letter that was to become a word: `the p problem`."""
    word, after = said[here], said[here + 1]
    before = said[here - 1] if here else ""
    only_begun = word == "i" or (word in _CLITICS and (before in _NO_HOSTS or before in _SHORT_FORMS.values()))
    if not word.isalpha() or (word in STOP_WORDS and not only_begun) or word in _DIGITS:
        return False
    if len(after) > len(word) and after.startswith(word):
        return True
    alone = not here or before in STOP_WORDS or before == after
    return word in _BEGUN and alone and after[:1].isalpha()


def _between(said: tuple[str, ...], here: int) -> bool:
    """Whether a word, or the one after whom it is said, only leads to the same beginning again: `I so I think`."""
    around = said[here - 1] if here and said[here - 1] == said[here + 1] else ""
    before = (around in _WHO and said[here] in _BETWEEN) or (around in _PARTICLES and said[here] == "but")
    after = said[here] in _WHO and said[here : here + 1] == said[here + 2 : here + 3] and said[here + 1] in _BETWEEN
    return bool(before or after)


def _loose_article(words: tuple[str, ...], gone: set[int]) -> set[int]:
    """An article whose noun was given up, for whoever acts or for another one: `the they filter it`, `in a the end`."""
    left = [position for position in range(len(words)) if position not in gone and words[position] != ","]
    return {one for one, other in pairwise(left) if _is_replaced(words[one], words[other])}


def _loose_end(words: tuple[str, ...], gone: set[int]) -> set[int]:
    """The `, so`, `, but` or `and yeah` with which somebody stops."""
    left = [position for position in range(len(words)) if position not in gone and words[position] not in _MARKS]
    if len(left) < 3:
        return set()
    *_, before, last = left
    if words[last] in _YES and words[last - 1] == ",":
        return {last - 1, last}
    if words[last] in _YES and words[before] in _JOINTS:
        return {before, last} | ({before - 1} if words[before - 1] == "," else set())
    if words[last] in _JOINTS and words[last - 1] == ",":
        return {last - 1, last}
    return set()


def _opening(words: tuple[str, ...], gone: set[int]) -> set[int]:
    """What only opens a sentence, before a comma, a full stop or an `um`: `well,`, `so, um,`, `OK.`"""
    found: set[int] = set()
    for position, word in enumerate(words):
        after = words[position + 1 : position + 2]
        opens = word in _OPENERS and (after in ((",",), (".",)) or position + 1 in gone)
        if not (position in gone or word == "," or opens or (word == "." and found)):
            break
        found.add(position)
    return found if len(found) < len(words) else set()


def _loose_commas(words: tuple[str, ...], gone: set[int]) -> set[int]:
    """Commas that only set off what is gone: of `till, uh, Friday` both, of `three things, uh, the van` one."""
    found: set[int] = set()
    for position, word in enumerate(words):
        if word != "," or position in gone or not {position - 1, position + 1} & gone:
            continue
        before = next((at for at in range(position - 1, -1, -1) if at not in gone | found), None)
        after = next((at for at in range(position + 1, len(words)) if at not in gone and words[at] != ","), None)
        is_joint = after is not None and words[after] in _GOING_ON
        if before is None or after is None or words[before] == "," or words[before] in STOP_WORDS or not is_joint:
            found.add(position)
    return found


_LONGEST_AGAIN = 5  # words that are said twice
_WHOLE_WORD = 4  # letters of a word that was not only begun
_SOON = 6  # words within which somebody begins again
_FEWEST_AFTER = 4  # words that then follow
_RESUMED = 3  # words within which somebody comes to what they had given up
_BEGINNINGS = frozenset(
    """
    The That That's This These It It's You We They He She There There's If What Do Does Is Are Can When How And But So
    Or Because To One In For Maybe Then Now Well Yeah
    """.split()
)
_CAPITALS = _BEGINNINGS | frozenset(
    "See My Our Your At On As Where Why Which While Although Just Some From With Was Were Has Have".split()
)
_MARKS = frozenset(". ! ? … - – — , ; :".split())
_JOINTS = frozenset("so and or but because".split())
_BEGUN = frozenset("bcdfghjklmnpqrstvwz") | frozenset(  # what words begin with, and no word is
    "th sh ch wh st str thr sp spr tr pr br cr fr gr bl cl fl gl sl sk sm sn sw tw kn wr shr".split()
)
_CLITICS = frozenset("stdm")
_DIGITS = frozenset("four six seven eight nine".split())  # `seven seventy` is a number
_ACTORS = frozenset("we they he she there".split())
_YES = frozenset("yeah yep".split())
_BETWEEN = frozenset("so that just well like mean".split())
_OPENERS = frozenset("well oh ok okay so right alright anyway now look listen hey ah actually yeah yep".split())
_SPEAKS = frozenset("i we you he she they there if when maybe it's that's there's".split())
_AFTER_ASIDES = {  # before what they are no more than a pause
    ("you", "know"): frozenset("about just like maybe some because so in at on for with and but or there's".split()),
    ("i", "mean"): _SPEAKS | frozenset("personally basically obviously honestly actually clearly because even".split()),
    ("i", "guess"): frozenset[str](),
}
_BEFORE_ASIDES = frozenset("and but so then because or".split())  # `and then you know, it broke`
_ASIDES = frozenset(_AFTER_ASIDES)
_STRAY = frozenset("stmpfglv")  # as words nobody writes them
_LETTERED = frozenset(  # what is told apart by letters
    """
    plan option type class group part version appendix letter section exhibit figure model grade team vitamin hepatitis
    phase room gate block building row line step track level point unit zone size the a an and or to
    """.split()
)
_LETTERS = _BEGUN | frozenset("eouxy")  # what is said before one begins again
_RESTS = frozenset("re ve ll".split())  # what is left of a word after an apostrophe, and begins others
_SHORT_FORMS = {"have": "'ve", "has": "'s", "had": "'d", "am": "'m", "are": "'re", "is": "'s", "will": "'ll"}
_PARTICLES = frozenset("of to the a an".split())
_MODALS = frozenset("can could may might will would shall should must".split())
_AS_FAR_AS = frozenset("all everything anything best most much".split())  # `the best we can we give to them`
_ANYBODY = frozenset("i we he she they you it there".split())
_HOSTS = {  # after which a letter is the rest of a word
    "s": frozenset("it that he she there what who here where how let".split()),
    "d": _ANYBODY,
    "m": frozenset("i"),
}
_GIVES_SENSE = frozenset(  # between words that are said twice on purpose: `we do what we do`
    "what that as if when how because and or but which who where than so then while until before after not".split()
)
_DOUBLED = frozenset("that had very really so much bye no ha blah long many yes".split())  # can stand twice
_ENDS_AND_BEGINS = frozenset("you it her that this him them".split())  # a clause with one may end, the next begin so
_GOING_ON = frozenset(
    """
    i we you he she it they there this that these those but and so because if when where which who or the a an my our
    your their then as for with
    """.split()
)


def is_garbled(sentence: str) -> bool:
    """Whether somebody broke off, or began so often that nobody could follow.

    >>> is_garbled("so we I control p"), is_garbled("And that's one of the."), is_garbled("We we go with Avonmouth.")
    (True, True, False)
    >>> is_garbled("Which I've just started."), is_garbled("Which van do we take?"), is_garbled("don t go there")
    (True, False, False)
    """
    given = _SPOKEN.findall(sentence)
    gone = hesitations(given)
    left = [word for position, word in enumerate(given) if position not in gone and word != ","]
    words = [word.lower().replace("’", "'") for word in left]
    slips = sum(map(_is_lone_letter, ["", *left], left, [*left[1:], ""]))
    slips += 2 * sum(_begins_again(left, position, _CAPITALS) for position in range(1, len(left)))
    slips += sum(map(_clash, words, words[1:])) + _restarts(words) + 2 * _hangs(words, sentence)
    slips += 2 * (words[-1:] != [] and words[-1] in (_UNENDED if is_ended(sentence) else _UNENDED | _LEADING_ON))
    return slips >= 2 or (slips == 1 and len(words) < _FEWEST_AROUND_A_SLIP)


def _is_lone_letter(before: str, word: str, after: str) -> bool:
    return word in _BEGUN and not _lost_an_apostrophe(before, word, after)


def _hangs(words: Sequence[str], sentence: str) -> bool:
    """Whether it only goes on from what somebody else broke off: `Which I've just started`."""
    follows = words[1].partition("'")[0] if len(words) > 1 else ""
    hangs = words[:1] == ["which"] and (follows in _ANYBODY or follows in _MODALS or follows in _IS)
    return hangs and not sentence.rstrip().endswith("?")


def _clash(word: str, after: str) -> int:
    """Whether two words cannot follow one another, and 2 where that is sure: `we I'm`, `of because`; `the of`."""
    who, other = word.partition("'")[0], after.partition("'")[0]
    if who in _WHO and other in _WHO:
        return who != other
    if (word == "i" and after in ("the", "a", "an")) or (word.endswith(("'ve", "'ll")) and other in _ANYBODY):
        return 2
    if word in _ARTICLES:
        return 2 * (other in _NEVER_NOUNS) or after in _NO_NOUNS
    return word in _OF and after in ("or", "but", "because")


def _restarts(words: Sequence[str]) -> int:
    """How often somebody begins a clause again that they have just begun: `I thought of it I thought of`."""
    begun = [(position, pair) for position, pair in enumerate(pairwise(words)) if pair[0] in _WHO]
    again = sum(
        one == other and 2 < later - position <= _SOON for (position, one), (later, other) in combinations(begun, 2)
    )
    runs = Counter(zip(words, words[1:], words[2:], words[3:], strict=False))
    return again + sum(count - 1 for count in runs.values())


_SPOKEN = re.compile(r"['’]?\w+(?:['’]\w+)*|[,\"“”]")
_FEWEST_AROUND_A_SLIP = 10  # words
_WHO = frozenset("i we he she they".split())
_OF = frozenset("of with from".split())
_POINTERS = frozenset("this these those".split())
_IS = frozenset("is are was were has have had does do did".split())
_ARTICLES = frozenset("the a an my our your".split())
_NO_HOSTS = _ARTICLES | frozenset("or and but of to for with in on at by from as if".split())  # before no `'s` or `'d`
_UNENDED = _ARTICLES | frozenset("of and or because if than".split())
_LEADING_ON = frozenset("where is are was were to with for into from by as what how it's that's be".split())
_NEVER_NOUNS = frozenset("of i we they is are was were because".split())
_NO_NOUNS = _ARTICLES | frozenset(
    "of to and or is are was i we you they if but because in at with could would can will it".split()
)
