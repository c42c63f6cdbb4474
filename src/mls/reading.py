"""Each kind of text has its own reading: what every line of it is.

First the rules that hold for any text, then those of its kind: a contract's place to sign, what a recipe needs, who
wrote a paper. What a file's format tells goes before all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from mls.blocks import (
    BOILERPLATE,
    BYLINE,
    CAPTION,
    CODE,
    HEADING,
    INGREDIENT,
    LIST_ITEM,
    MOST_WORDS_OF_A_TITLE,
    PROSE,
    REFERENCE,
    SIGNATURE,
    SMALL_TALK,
    SPEAKING,
    TIME_STAMP,
    TITLE,
    is_ended,
    kinds_of,
)
from mls.genres import ARTICLE, BULLET, DIALOGUE, DOT, INSTRUCTIONS, LEGAL, MAIL, NOTES, PAPER, STAMP, TURN

Kinds = list[str]
_NUMBERED = r"^\s*(?:\d+(?:\.\d+)*[.)]?\s+|#+\s+)?"
_REFERENCES = re.compile(
    _NUMBERED + r"(?:references|bibliography|works cited|literature cited|citations|external links|see also|"
    r"further reading|sources|footnotes|endnotes|acknowledge?ments)\s*:?\s*\Z",
    re.I,
)
_RELEASES = re.compile(
    _NUMBERED
    + r"(?:change ?(?:log|history)|changes|release (?:notes|history|information)|version history|what['’]s new"
    r"|recent changes)"
    r"(?:\s+(?:for|of|in)\s+[\w.-]{1,40})?\s*:?\s*\Z",
    re.I,
)
_RELEASE = re.compile(
    r"^\W*(?:v(?:ersion)?\s?)?\d+(?:\.\w+)+\b|^\W*(?:unreleased|[12]\d{3}-\d\d-\d\d|[-=+^~*]+\s*\Z)", re.I
)
_OF_A_RELEASE = re.compile(
    r"^\W*(?:(?:new|major|minor|api|backwards?[- ]incompatible|breaking|other|internal) )?"
    r"(?:(?:added|changed|fixed|removed|deprecated|deprecations?|bug ?-?fixes|fixes|changes)\W*"
    r"|(?:security|improvements?|enhancements?|features?)\s*:\s*)\Z",
    re.I,
)
_FEWEST_BEFORE = 3  # lines of prose before a history of releases
# Sections of what tells of a program that are about those who make it, and how; and one that it surely has.
_BESIDE = re.compile(
    r"^\W*(?:(?:our|project|the) )?(?:sponsor(?:s|ship)?|backers|supporters|acknowledge?ments|credits|thanks(?: to)?"
    r"|special thanks|authors?|contributors|maintainers?|contact|code of conduct|licen[cs](?:e|ing)|copyright"
    r"|trademarks?|citation|citing(?: \S+)?|how to cite(?: \S+)?|donat(?:e|ions?)|follow us"
    r"|contribut(?:e|ing|ions?)(?: to \S+)?"
    r"|how to contribute|getting help|community(?: meetings)?|(?:quick |useful )?links|reporting (?:bugs|issues)"
    r"|run(?:ning)? (?:the )?tests|(?:support|donate) .{0,20}(?:open collective|patreon|ko-?fi|us)|\S+ for enterprise)"
    r"\W*\Z",
    re.I,
)
_OF_A_PROGRAM = re.compile(
    r"^\W*(?:how to )?(?:install(?:ation|ing)?|usage|quick ?start|getting started|requirements|dependencies|features"
    r"|main features|configuration|documentation|api|examples?|options|downloads?|where to get it)\b.{0,30}\Z",
    re.I,
)
_CONTENTS = re.compile(_NUMBERED + r"(?:table of )?contents\s*:?\s*\Z|^in this (?:article|section)\b.{0,20}\Z", re.I)
_NEEDED = re.compile(
    _NUMBERED + r"(?:ingredients|you(?:'| wi)ll need|what you(?:'ll)? need|tools|equipment|materials|shopping list|"
    r"for the [\w -]{2,30})\s*(?:\([^)]*\))?\s*:?\s*\Z",
    re.I,
)
_SIGNED = re.compile(
    r"_{4,}|^(?:in witness whereof|signed\b.{0,60}:|(?:signature|name|title|date|by|position)\s*:\s*(?:_|\Z)"
    r"|for and on behalf of\b)",
    re.I,
)
_FACTS = re.compile(
    r"^(?:serves|makes|yields?|prep(?:aration)?(?: time)?|cook(?:ing)?(?: time)?|total time|difficulty|calories"
    r"|keywords?|key words|doi|arxiv|issn|isbn|received|accepted|published|correspondence|corresponding author"
    r"|attendees|attending|present|apologies|absent|chair|minutes|note[- ]?taker|location|venue|where|when|date|time"
    r"|duration|participants|recorded|transcript(?:ion)?|status|version|last updated|authors?|next meeting)"
    r"(?:\b\s*:.{0,300}|\b[^.!?]{0,60})\Z",
    re.I,
)
_ADDED = re.compile(
    r"^\W*(?:edit(?:\s*\d+)?|eta)\s*:|^(?:this|the) (?:interview|conversation|article|transcript|text)\b.{0,60}\b"
    r"(?:edited|shortened|condensed|abridged|translated)\b"
    r"|\b(?:edited|shortened|condensed) (?:and \w+ )?for (?:clarity|length)"
    r"|^(?:main article|see also|categories|tags|filed under|topics)\s*:|^subtitles? by\b|^from the\b[^.]{0,50}\Z",
    re.I,
)
_CITED = re.compile(r"^\s*(?:\[\d{1,3}\]\s+\S|\^\s)")
_ASIDE = re.compile(r"^\s*[\[(*][^\])*]{1,80}[\])*][.!]?\s*\Z")  # [laughter], (applause), *sighs*
_EVENT = re.compile(
    r"^(?!(?:i|he|she|it|we|they|who|nobody|everybody|everyone)\b)"
    r"(?:[\w.'’-]{1,30}|\d{1,3}\ \w{1,20}|(?-i:[A-Z][\w.'’-]{0,20}(?:\ [A-Z][\w.'’-]{0,20}){1,3}))"
    r"\s(?:has\s|just\s)?(?:joined|left)(?:\s+(?:the\s+)?(?:group|meeting|call|chat|room|channel))?\W*\Z"
    r"|\b(?:was added|added you|changed the (?:subject|group|topic)|pinned a message"
    r"|missed (?:voice|video) call|messages? (?:and calls )?(?:are|is) end-to-end|started a call)\b|<[\w ]+ omitted>",
    re.I,
)
_DOTTED = re.compile(rf"^\s*{DOT}\s")
UNDERLINE = re.compile(r"^\s*([=\-~^*#+\"'`.:_])\1{2,}\s*\Z")
_MAIL_ADDRESS = re.compile(r"[^\s@]@[^\s@]{1,200}\.\w")


def kinds_of_lines(lines: Sequence[str], genre: str = ARTICLE, told: Mapping[int, str] = MappingProxyType({})) -> Kinds:
    """The kind of each line of a text of some kind; `told` is what its file tells of some of them.

    >>> kinds_of_lines(["On rain", "It rained all day, and nobody minded.", "References", "Li (2001), Rain."])
    ['title', 'prose', 'heading', 'reference']
    """
    kinds = [told.get(number, kind) for number, kind in enumerate(kinds_of(lines, told))]
    _mark_underlined(lines, kinds)
    _mark_lists(lines, kinds)
    if TITLE not in kinds and genre != DIALOGUE:
        _mark_title(lines, kinds)
    _mark_sections(lines, kinds, _REFERENCES, REFERENCE)
    _mark_sections(lines, kinds, _CONTENTS, BOILERPLATE)
    _mark_releases(lines, kinds)
    if _tells_of_a_program(lines, kinds):
        _mark_what_is_beside(lines, kinds, told)
    for number, line in enumerate(lines):
        if _CITED.match(line) and genre not in (DIALOGUE, MAIL):
            kinds[number] = REFERENCE
        elif _ADDED.search(line):
            kinds[number] = BOILERPLATE
        elif _SIGNED.search(line.strip()) and len(line.split()) <= 40:
            kinds[number] = SIGNATURE
    if genre in _OWN:
        _OWN[genre](lines, kinds)
    return [told[n] if told.get(n, LIST_ITEM) != LIST_ITEM else kind for n, kind in enumerate(kinds)]


def _mark_underlined(lines: Sequence[str], kinds: Kinds) -> None:
    """What a rule of the same length stands below is a heading, whatever it ends with."""
    for number, (line, below) in enumerate(pairwise(lines)):
        if UNDERLINE.match(below) and abs(len(line.strip()) - len(below.strip())) <= _UNEVEN:
            kinds[number] = HEADING


_UNEVEN = 2  # characters by which a rule may miss the length of the line above it


def _mark_lists(lines: Sequence[str], kinds: Kinds) -> None:
    """Lines with a dot before them, or where there are at least two with a dash or a number."""
    items = [number for number, line in enumerate(lines) if BULLET.match(line)]
    for number in items if len(items) > 1 else filter(lambda item: _DOTTED.match(lines[item]), items):
        if kinds[number] in (PROSE, HEADING, CAPTION):
            kinds[number] = LIST_ITEM


_PHOTO = re.compile(r"\s*[A-Z][\w'’-]+:\s")  # `Unhappy: The head of the school has ...`


def _mark_title(lines: Sequence[str], kinds: Kinds) -> None:
    """The first line, where it is no sentence and something follows, or where below it stands who wrote the text.

    Not one word, which names but does not say.
    """
    first = next((n for n, kind in enumerate(kinds) if kind not in (BOILERPLATE, BYLINE, TIME_STAMP)), len(lines))
    if first + 1 >= len(lines) or is_ended(lines[first]):
        return
    stands_out = kinds[first] == CAPTION and not first and not _PHOTO.match(lines[first])
    heads = kinds[first] == HEADING or stands_out or kinds[first + 1] == BYLINE
    if heads and 2 <= len(lines[first].split()) <= MOST_WORDS_OF_A_TITLE:
        kinds[first] = TITLE


def _mark_sections(lines: Sequence[str], kinds: Kinds, opened: re.Pattern[str], kind: str) -> None:
    """What stands below a heading of some sort, up to the next heading of another."""
    inside = False
    for number, line in enumerate(lines):
        if opened.match(line):
            inside, kinds[number] = True, HEADING
        elif inside:
            ends = is_ended(line) if kind == BOILERPLATE else kinds[number] == HEADING and not _CITED.match(line)
            inside = not ends
            kinds[number] = kinds[number] if ends else kind


def _tells_of_a_program(lines: Sequence[str], kinds: Kinds) -> bool:
    """Whether a page has code, and a section that says how to use it."""
    headings = (line for line, kind in zip(lines, kinds, strict=True) if kind == HEADING)
    return CODE in kinds and any(map(_OF_A_PROGRAM.match, headings))


def _mark_what_is_beside(lines: Sequence[str], kinds: Kinds, told: Mapping[int, str]) -> None:
    """Of a page that tells of a program, the sections that speak of its makers, its licence and the like."""
    inside = False
    are_told = HEADING in told.values()
    for number, line in enumerate(lines):
        if (told.get(number) if are_told else kinds[number]) == HEADING:
            inside = bool(_BESIDE.match(line))
        elif inside and kinds[number] in SPEAKING:
            kinds[number] = BOILERPLATE


def _mark_releases(lines: Sequence[str], kinds: Kinds) -> None:
    """The history of releases at the end of what tells of a program; where there is little else, it is the text."""
    called = (number for number, line in enumerate(lines) if _RELEASES.match(line))
    begins = next(
        (number for number in called if any(map(_is_of_a_release, lines[number + 1 : number + 4]))), len(lines)
    )
    if kinds[:begins].count(PROSE) < _FEWEST_BEFORE:
        return
    for number in range(begins, len(lines)):
        heads = kinds[number] == HEADING and not BULLET.match(lines[number])
        if number > begins and heads and not _is_of_a_release(lines[number]):
            return
        kinds[number] = HEADING if number == begins or heads else REFERENCE


def _is_of_a_release(line: str) -> bool:
    """Whether a line names a release, or what changed with one."""
    return bool(_RELEASE.match(line) or _OF_A_RELEASE.match(line))


def _mark_talk(lines: Sequence[str], kinds: Kinds) -> None:
    """Turns are what is said; above the first stands what the talk is, beside them what happens."""
    first = next((number for number, line in enumerate(lines) if is_turn(line)), len(lines))
    for number, line in enumerate(lines):
        if STAMP.fullmatch(line):
            kinds[number] = TIME_STAMP
        elif is_turn(line):
            kinds[number] = PROSE
        elif is_event(line):
            kinds[number] = BOILERPLATE
        elif _FACTS.match(line.strip()):
            kinds[number] = BYLINE
        elif number < first and not is_ended(line):
            kinds[number] = TITLE if number == 0 else HEADING
        elif kinds[number] not in (BOILERPLATE, TITLE):
            kinds[number] = PROSE


def is_event(line: str) -> bool:
    """Whether a line tells what happens beside a talk, not what is said in it.

    >>> is_event("[laughter]"), is_event("<Media omitted>"), is_event("We laughed.")
    (True, True, False)
    """
    return bool(_ASIDE.match(line) or _EVENT.search(line))


def is_turn(line: str) -> bool:
    """Whether a line begins with who says it; what a meeting's minutes say of it does not.

    >>> is_turn("Ann: We start."), is_turn("Attendees: Ann, Bob")
    (True, False)
    """
    return bool(TURN.match(line)) and not _FACTS.match(line.strip())


def _mark_contract(lines: Sequence[str], kinds: Kinds) -> None:
    """Clauses speak, whatever lists they make; what stands below the first line to sign is to be signed too."""
    signed = next((number for number, kind in enumerate(kinds) if kind == SIGNATURE), len(lines))
    for number, line in enumerate(lines):
        if number > signed and not is_ended(line):
            kinds[number] = SIGNATURE
        elif kinds[number] == LIST_ITEM:
            kinds[number] = PROSE if is_ended(line) or len(line.split()) > 10 else HEADING


def _mark_paper(lines: Sequence[str], kinds: Kinds) -> None:
    """Between a paper's title and its abstract stands who wrote it."""
    title = next((number for number, kind in enumerate(kinds) if kind == TITLE), -1)
    first = next((number for number, line in enumerate(lines) if number > title and is_ended(line)), len(lines))
    for number, line in enumerate(lines):
        above = title < number < first and not _ABSTRACT.match(line)
        if (above and not is_ended(line)) or _FACTS.match(line.strip()) or _MAIL_ADDRESS.search(line):
            kinds[number] = BYLINE


_ABSTRACT = re.compile(_NUMBERED + r"(?:abstract|summary|introduction)\b", re.I)


def _mark_instructions(lines: Sequence[str], kinds: Kinds) -> None:
    """What is needed is kept apart from what is done."""
    needed = False
    for number, line in enumerate(lines):
        if _NEEDED.match(line):
            needed, kinds[number] = True, HEADING
        elif kinds[number] == HEADING and not BULLET.match(line) and len(line.split()) <= 4 and not _AMOUNT.match(line):
            needed = False
        elif (needed and not is_ended(line)) or (_AMOUNT.match(line) and not is_ended(line)):
            kinds[number] = INGREDIENT
        elif _FACTS.match(line.strip()):
            kinds[number] = BYLINE


_AMOUNT = re.compile(r"^\s*(?:[-*•]\s*)?(?:\d[\d/.,–-]*+|[½¼¾⅓]|a (?:pinch|handful|splash)|some)\s*[a-z%(]", re.I)


def _mark_notes(lines: Sequence[str], kinds: Kinds) -> None:
    """Notes have few full stops: what has a list below it is its heading, the rest speaks."""
    for number, line in enumerate(lines):
        below = number + 1 < len(lines) and bool(BULLET.match(lines[number + 1]))
        if _FACTS.match(line.strip()):
            kinds[number] = BYLINE
        elif not BULLET.match(line) and below and not is_ended(line):
            kinds[number] = TITLE if not number else HEADING


def _mark_mails(lines: Sequence[str], kinds: Kinds) -> None:
    """Whom a mail greets, and who closes it, is no heading."""
    for number, line in enumerate(lines):
        if kinds[number] in (HEADING, TITLE) and (line.rstrip().endswith(",") or len(line.split()) <= 2):
            kinds[number] = SMALL_TALK


_OWN: dict[str, Callable[[Sequence[str], Kinds], None]] = {
    DIALOGUE: _mark_talk,
    MAIL: _mark_mails,
    LEGAL: _mark_contract,
    PAPER: _mark_paper,
    INSTRUCTIONS: _mark_instructions,
    NOTES: _mark_notes,
}
