"""Kinds of text: an article, a dialogue, mails, a contract, a paper, instructions, notes. Recognised, or told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from mls.blocks import LIST_ITEM, MOST_WORDS_OF_A_TITLE

ARTICLE, STORY, DIALOGUE, MAIL, LEGAL, PAPER, INSTRUCTIONS, NOTES = (
    "article", "story", "dialogue", "mail", "legal", "paper", "instructions", "notes",
)  # fmt: skip
RUNNING = frozenset((ARTICLE, STORY))  # running text, told by sentences
TERSE = frozenset((DIALOGUE, MAIL, INSTRUCTIONS, NOTES))  # where a few words may say all
SETTLING = frozenset((DIALOGUE, MAIL, LEGAL, INSTRUCTIONS, NOTES))  # where things are settled one by one
GENRES = (ARTICLE, STORY, DIALOGUE, MAIL, LEGAL, PAPER, INSTRUCTIONS, NOTES)
_CLOCK = r"[\[(]?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[APap]\.?[Mm]\.?)?[\])]?"
_DATE = r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|(?i:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6})"
STAMP = re.compile(rf"\s*(?:[\[(]?(?:{_DATE},?\s*)?{_CLOCK}(?:,?\s*{_DATE})?[\])]?\s*[-–]?\s*)")
TURN = re.compile(
    rf"""\s*(?:[\[(]?(?:{_DATE},?\s*)?{_CLOCK}[\])]?\s*[-–]?\s*)?
         (?P<speaker>[<\[(]?[^\W\d_][\w.'’&-]*(?:\ [\w.'’()&-]+){{0,4}}[>\])]?(?:\ \([^():]{{1,60}}\))?)
         (?:\s*[\[(]{_CLOCK}[\])])?\s*(?::|>)\s+(?=\S)""",
    re.X,
)
ROLE = re.compile(r" \([^():]{1,60}\)\Z")  # of who speaks: `Mrs. Lee (Lakeland, CPC)`
# Who speaks, alone on a line: with the time, as chats have it, or with a colon.
ALONE = re.compile(
    rf"\s*(?P<speaker>[^\W\d_][\w.'’-]*(?:\ [A-Z][\w.'’-]*){{0,3}})"
    rf"(?:\s*:|,?\s+[\[(]?(?:{_DATE},?\s*)?{_CLOCK}[\])]?)\s*\Z"
)
_FIELD = re.compile(  # labels that nobody has for a name
    r"(?:who|what|when|where|why|how|which|big idea|watch|notes?|tips?|steps?|example|pros|cons|price|rating|verdict"
    r"|cost|location|address|opening|age|occupation|nationality|salary|best|worst)\b",
    re.I,
)
_FEWEST_TURNS = 4
_MAIL = re.compile(r"^\s*(?:from|to|subject|sent|date|cc)\s*:\s", re.I)
CLAUSE = re.compile(
    r"^\s*(?:\d+(?:\.\d+)*\.?|\([a-z0-9]{1,4}\)|§\s*\d+\.?|(?:article|section|clause)\s+\d+\.?)\s", re.I
)
_TERMS = re.compile(  # what a legal text calls itself in its first lines
    r"\b(?:agreement|contract|terms|conditions|policy|licen[cs]e|tenancy|lease|by-?laws|statutes|addendum)\b", re.I
)
_FEWEST_CLAUSES = 3
_SHALL = re.compile(r"\b(?:shall|herein|hereby|hereinafter|thereof|part(?:y|ies)|agreement|liable|pursuant)\b", re.I)
_SECTION = re.compile(
    r"^\s*(?:\d+(?:\.\d+)*\.?\s+)?(?:abstract|introduction|background|related work|references|conclusions?|"
    r"discussion|results|(?:materials and )?methods?)\b[\s.:—-]*\Z",
    re.I,
)
_ABSTRACT = re.compile(r"^\W*abstract\b[\s.:—-]*\Z", re.I)
_STEP = re.compile(
    r"^\s*(?:step\s*)?(?:\d+[.):]|[-*•])\s"
    r"|^\s*(?:ingredients|method|directions|instructions|you(?:'| wi)ll need|what you(?:'ll)? need|tools)\b",
    re.I,
)
_AMOUNT = re.compile(
    r"^\s*(?:[-*•]\s*)?(?:\d[\d/.,]*+|½|¼|an?|some)\s*(?:g|kg|ml|l|lit(?:re|er)s?|glass|cups?|tbsp|tsp|oz|cloves?|tins?"
    r"|(?:table|tea)?spoons?|pinch|bunch|slices?)\b",
    re.I,
)
_HOW_TO = re.compile(r"^\W*(?:how to|setting up|installing)\b", re.I)
_MINUTES = re.compile(r"\b(?:minutes|notes)\b", re.I)
_PRESENT = re.compile(r"\b(?:present|apologies|attend(?:ees|ing|ed)|there)\s*:", re.I)
DOT = r"(?:[•·▪▫■●○◦‣►❖➢✓✔]|[nlo](?=\s+[A-Z]))"  # before an item and nothing else; letters, where a font was lost
BULLET = re.compile(rf"^\s*(?:[-*–]|{DOT}|\d+[.)])\s+")


_TELLER = re.compile(r"\b(?:i|me|my|i['’](?:m|ve|d|ll))\b(?![.)])", re.I)
_QUOTED = re.compile(r"""["“][^"“”]*["”]|(?<!\w)['‘][^'‘’]*(?:\w['’]\w[^'‘’]*)*['’]""")
_OWN = 0.035  # share of such words above which somebody tells of themselves


def recognised(lines: Sequence[str], told: Mapping[int, str] = MappingProxyType({})) -> str:
    """What kind of text these lines are of; `told` are the kinds of lines that the file tells.

    >>> recognised(["Ann: Hello.", "Bob: Hi, Ann.", "Ann: Shall we go?", "Bob: Yes, at six."])
    'dialogue'
    """
    for genre, holds in _TOLD_BY_LINES.items():
        if lines and holds(lines):
            return genre
    items = sum(bool(BULLET.match(line)) or told.get(number) == LIST_ITEM for number, line in enumerate(lines))
    if len(lines) >= 5 and items >= 0.6 * len(lines):
        return NOTES
    unquoted = _QUOTED.sub(" ", " ".join(lines))
    return STORY if len(_TELLER.findall(unquoted)) >= _OWN * max(1, len(unquoted.split())) else ARTICLE


def _is_mail(lines: Sequence[str]) -> bool:
    return _count(_MAIL, lines[:12]) >= 0.2 * len(lines[:12]) and _count(_MAIL, lines) >= 3


def is_dialogue(lines: Sequence[str]) -> bool:
    """Whether most lines are somebody's turns, and some take more than one."""
    alone = [match["speaker"] for line in lines if (match := ALONE.match(line))]
    speakers = alone + [ROLE.sub("", match["speaker"]) for line in lines if (match := TURN.match(line))]
    if 2 * sum(bool(_FIELD.match(speaker)) for speaker in speakers) > len(speakers):
        return False
    fewest = _FEWEST_TURNS - (len(speakers) == len(lines))
    if len(speakers) < fewest or 2 * (len(speakers) + len(alone)) < len(lines):
        return False
    return len(Counter(speakers)) <= max(2, len(speakers) // 2)


def _is_paper(lines: Sequence[str]) -> bool:
    return _count(_SECTION, lines) >= 3 or bool(_count(_ABSTRACT, lines[:12]))


def _is_legal(lines: Sequence[str]) -> bool:
    """Clauses with numbers, in the words of contracts or below a line that says that it is one."""
    clauses, words = _count(CLAUSE, lines), " ".join(lines)
    if clauses >= 0.25 * len(lines) and 100 * len(_SHALL.findall(words)) >= len(words.split()):
        return True
    called = any(_TERMS.search(line) for line in lines[:2] if len(line.split()) <= MOST_WORDS_OF_A_TITLE)
    return called and clauses >= max(_FEWEST_CLAUSES, 0.25 * len(lines))


def _is_instructions(lines: Sequence[str]) -> bool:
    """What is needed and what is done; or a title that says how to do something, and steps."""
    if _count(_AMOUNT, lines) >= 3 and _count(_STEP, lines):
        return True
    return bool(_count(_HOW_TO, lines[:2])) and _count(BULLET, lines) >= 3


def _is_minutes(lines: Sequence[str]) -> bool:
    return any(map(_MINUTES.search, lines[:4])) and any(map(_PRESENT.search, lines[:6]))


_TOLD_BY_LINES: dict[str, Callable[[Sequence[str]], bool]] = {
    MAIL: _is_mail,
    DIALOGUE: is_dialogue,
    PAPER: _is_paper,
    LEGAL: _is_legal,
    INSTRUCTIONS: _is_instructions,
    NOTES: _is_minutes,
}


def _count(pattern: re.Pattern[str], lines: Sequence[str]) -> int:
    return sum(bool(pattern.match(line)) for line in lines)
