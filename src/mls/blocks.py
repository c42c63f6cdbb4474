"""What is prose, and what is not: the kind of every line of a text, by rules with names.

A line is a paragraph of plain text. What a file's format tells of its lines (a heading, a table, code) comes first; the
rules here are for what only the words tell. Nothing is lost: a line that is no prose keeps its place and its kind.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

PROSE, TITLE, HEADING, LIST_ITEM, TABLE_ROW, CODE, CAPTION, BYLINE, DATELINE, BOILERPLATE, REFERENCE, SPEAKER = (
    "prose", "title", "heading", "list-item", "table-row", "code", "caption", "byline", "dateline", "boilerplate",
    "reference", "speaker",
)  # fmt: skip
MAIL_HEADER, QUOTED, SIGNATURE, TIME_STAMP, NUMBER, INGREDIENT, SMALL_TALK, FRAGMENT = (
    "mail-header", "quoted", "signature", "time-stamp", "number", "ingredient", "small-talk", "fragment",
)  # fmt: skip
ANNOUNCEMENT = "announcement"  # of a list: with an item of it, and never by itself
SPEAKING = frozenset((PROSE, LIST_ITEM, ANNOUNCEMENT))  # kinds that may go into a summary
MOST_WORDS_OF_A_HEADING = 10
MOST_WORDS_OF_A_TITLE = 18
ENDED = re.compile(r"[.!?…。！？؟।][\"'”’)\]»]*\s*\Z")
_LONGEST_END = 10  # characters: a mark, and what closes quotations and brackets
_CAPTION = re.compile(
    r"""(?:\((?:pictured|left|right|above|below|centre|center|file\ (?:photo|picture|image)|stock\ image)[^)]*\))
      | ^(?:pictured|photo|photograph|image|picture|above|below|left|right|video|graphic|illustration)\s*[:(,]
      | \b(?:pictured|file\ photo|stock\ image|photo\ by|photograph\ by|image\ courtesy)\b
      | (?-i:\b[A-Z])[\w'’-]+,\ (?:far\ |second\ from\ )?(?:left|right|centre|center),\ (?:shown|seen|pictured|poses?
        |and|with|at|in|on|speaks?|talks?|walks?|arrives?|attends?|stands?|celebrates?|is|looks?|leaves?)\b
      | ^(?:fig(?:ure|\.)?|table|chart|map)\s*\d+\s*[:.] | \(source:\ | \bCC\ BY\b
    """,
    re.I | re.X,
)
_SCENE = re.compile(  # `Ann Lee sprays water on her home Thursday near Conway.`
    r"""[A-Z][\w.'’-]+\ [A-Z][\w.'’-]+\ (?:sprays|poses|waves|hugs|kisses|gestures|smiles|kneels|embraces|leans)
        \b[^.]{0,120}[a-z]\ (?:on\ )?
        (?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b(?!['’])
        |(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*\.?\ \d)
    """,
    re.X,
)
_WIKI_HEADING = re.compile(r"(={2,6})\s*[^=\s][^=]*\1\Z")
_SENTENCES = re.compile(r".{0,300}?\w\w[.!?]\s+[A-Z]")
# A row of what a program takes: `args {Array} An array of strings.`
_PARAMETER = re.compile(
    r"[\w.$\[\]`'\"]+\s+[{<](?:[A-Z]\w*|string|boolean|number|integer|int|float|any|object)[\w.|<> [\]]{0,60}[}>]\s"
)
_LABELLED = re.compile(r"^[A-Z][\w'’ -]{2,40}:\s+\S")  # "On form: The Duchess ..."
_BYLINE = re.compile(
    r"^(?:by|words by|reporting by|written by|edited by|posted by)\s+"
    r"[A-Z][\w.'’-]+(?:[ ,]+(?:and\s+)?[A-Z][\w.'’-]*){0,8}\s*\Z"
    r"|^(?:published|updated|created|last updated|posted|date)\s*(?:at|on)?\s*:?\s+\d|^\d{1,2}:\d\d\s+[A-Z]{2,4},",
    re.I,
)
_BOILERPLATE = re.compile(
    r"""^(?:
        (?:read|see|click|scroll|swipe|tap)\s+(?:more|also|here|down|below|for|the)\b | watch\b[^.]{0,60}:
      | (?:read|photos?|videos?|opinion|related|listen|gallery|in\ pictures|quiz|poll|join\ the\ conversation)\s*:
      | (?:sign\ up|subscribe|follow\ (?:us|@|me\ on)|like\ us|share\ this|e-?mail\s+\S+@|contact\ us)
      | comments?\b.{0,20}\Z
      | (?:advertisement|loading|cookies?\ policy|privacy\ policy|terms\ of\ (?:use|service)|all\ rights\ reserved)
      | (?:editor'?s?\ note|complete\ our|the\ opinions\ expressed|copyright|©|\(c\)\s+\d{4})
      | (?:[\w ,&'’-]{1,40}\s[›»]\s){2,}[\w ,&'’-]{1,60}\Z
      | (?:for\ confidential\ support|to\ order\ a\ copy|story\ highlights|have\ your\ say|back\ to\ top|skip\ to)
    )""",
    re.I | re.X,
)
_PREAMBLE = re.compile(
    r"""^\W*(?:(?:hi|hey|hello|ok(?:ay)?|so|well|alright)\b
              (?:\ (?:all|everyone|everybody|there|guys|folks|and|gals|reddit))*\W+)?(?:
        apolog(?:y|ies)\b | (?:i'?m\ )?(?:so\ )?sorry\ (?:for|about|in|if|this\ is)\ | throwaway\b
      | long[- ]time\ (?:lurker|reader)
      | (?:i'?m\ )?(?:a\ (?:bit|little)\ )?late\ to\ (?:the|this)\ (?:party|convo|thread|post)\b
      | first[- ]time\ poster | (?:hi|hey|hello|greetings|dear)\b[^.!?:]{0,40}\Z | obligatory\b
      | (?:many\ )?(?:thanks|thank\ you|cheers)\b[^.!?]{0,40}[.!]*\Z
      | (?:this|it)\ (?:is|'?s)\ (?:going\ to\ be\ )?(?:a\ )?(?:bit\ |very\ )?long\b | english\ is\ not\ my
      | here(?:'?s|\ is)\ (?:the|my|some)\ (?:situation|story|deal|issue|background|context)
        \b[^,;]{0,25}\Z
      | i(?:'ll|\ will)\ try\ (?:to|and)\ (?:make|keep)\ (?:this|it)\b | long\ story\ short\W*\Z
      | any\ (?:input|help|advice|thoughts|suggestions?|feedback|ideas|tips)\b.{0,40}\b(?:appreciated|welcome|great)\b
      | this\ is\ my\ first\ (?:post|time\ posting)\b | (?:but\ )?(?:please\ )?bear\ with\ me\b
      | (?:but\ |anyway,?\ )?here\ (?:it\ )?goes\b
      | (?:a\ )?(?:little|bit\ of|some)\ (?:background|back\ ?story)\b[^,;]{0,25}\Z
      | i(?:'ll|\ will)\ (?:start|begin)\ (?:off\ )?with\ (?:my|the|some|a)\ (?:general\ )?
        (?:question|background|back\ ?story|basics)\b
    )""",
    re.I | re.X,
)
_ELSEWHERE = re.compile(  # where to read on
    r"""^\W*(?:
        for\ (?:more|further|additional|full)\ (?:details?|information|documentation|examples|help)\b[^.!?]{0,40}
        \b(?:see|refer\ to|read|visit|consult|check)\b
      | (?:please\ |also\ )*(?:see|refer\ to|consult|visit|read|run|try)\ [^.!?]{1,60}
        \bfor\ (?:more|further|additional|(?:the\ )?full|a\ (?:full\ |complete\ )?list|details?|information
        |instructions|help)\b
      | (?:more|further|additional|full)\ (?:details?|information|documentation|examples|help)\ [^.!?]{0,30}
        \b(?:is|are|can\ be)\ (?:available|found|given|provided|described)\b
      | (?:please\ |also\ )*(?:see|refer\ to|consult|check\ out|visit|read)\ (?:also\ )?
        (?:(?:the|our|its|this)\ )?(?:\S*\w\.(?:md|rst|txt|html?|org|com|io)\b|\w+\ documentation\b|documentation\b
        |docs\b|README\b|wiki\b|FAQ\b|manual\b|changelog\b|license\b)
      | (?:please\ |(?:if\ you|to|for)\ [^.!?]{1,90},\ (?:please\ )?)?
        (?:see\ (?!that\b|how\b|whether\b|if\b)|check\ out\ |refer\ to\ |consult\ |(?:take|have)\ a\ look\ at\ )
        [^!?]{0,60}
        (?:\b(?:guide|guidelines|section|page|documentation|docs|file|readme|tutorial|manual|wiki|packages|faq|below)\b
        | \w\.(?:md|rst|txt|html?|py|ipynb|org|com|io|net|dev)\b)
    )""",
    re.I | re.X,
)
_OF_A_PAGE = re.compile(  # of a program: `The list of changes can be found here.`
    r"""\b(?:found|described|available|listed|documented|explained|downloaded)\ here\W*\Z
      | ^\W*(?:the\ )?(?:(?:full|complete|latest|official|online)\ )*
        (?:documentation|docs|source(?:\ code)?|change\ ?(?:log|history)|api\ (?:reference|docs)|tutorials?|examples)\b
        [^.!?]{0,40}\b(?:is|are|can\ be|may\ be)\ (?:also\ )?(?:available|hosted|found|published|browsed|viewed)
        \ (?:at|on|in|from|here)\b[^!?]{0,90}\Z
      | ^\W*for\ an?\ [^.!?]{1,50}\bsee\ (?:the\b|our\b|[A-Z\w]+\.\w) | ^\W*see\ what\ people\ are\ saying\b
      | ^\W*(?:we|i)(?:'|\ a|’)(?:m|re)\ (?:(?:very|so|enormously|deeply|truly)\ )?(?:grateful|thankful)\ (?:for|to)\b
      | ^\W*(?:special|many|big)\ thanks\ (?:go\ )?to\ | ^\W*thanks\ to\ (?:all|everyone|our)\b
      | \bnot\ (?:be\ possible|exist)\ without\ (?:our|the\ (?:support|help|work))\b
    """,
    re.I | re.X,
)
_LONGEST_POINTER = 25  # words
_DISCLAIMER = re.compile(
    r"""^\W*(?:
        (?:confidentiality|privacy|legal)\ (?:notice|disclaimer) | notice\ regarding\b | disclaimer\s*: | unsubscribe\b
      | (?:note\ that\ )?(?:this|the)\ (?:e-?mail|message|communication|information)\b.{0,120}
        \b(?:confidential|privileged|intended)\b
      | if\ you\ (?:are\ not\ the\ (?:intended|named)|(?:have\ )?received?\ this)\b | please\ consider\ the\ environment
    )""",
    re.I | re.X,
)
_LICENCE = re.compile(  # the usual notices
    r"""\bis\ free\ software;?\s+you\ can\ redistribute\b | \bWITHOUT\s+ANY\s+WARRANTY\b
      | \bThis\ (?:file|program)\ is\ (?:a\ )?part\ of\b | \bPermission\ is\ hereby\ granted\b
      | \bThis\ document\ (?:has\ been|is)\ (?:placed\ )?in\ the\ public\ domain\b
      | \bIS\ PROVIDED\ ["“']AS\ IS["”'] | \bRedistribution\ and\ use\ in\ source\b
      | \byou\ may\ (?:not\ use\ this\ file\ except|obtain\ a\ copy\ of\ the\ License)\b
      | \breceived?\s+(?:a\ copy|copies)\s+of\s+the\s+GNU\b
      | \b(?:project|repositor|contribut|interact|particip)\w*\b[^.]{0,160}
        \b(?:follow|abide\ by|adhere\ to|governed\ by|agree\ to)\ (?:the|our|its|this)\ [^.]{0,60}
        \bCode\ of\ Conduct\b""",
    re.I | re.X,
)
_LONGEST_PREAMBLE = 25  # words
_LONGEST_LINE_OF_BOILERPLATE, _LONGEST_DISCLAIMER = 40, 120
_CONTRIBUTED = re.compile(
    r"\bcontributed to this report\b|^CNN'?s?\b.{3,80}\bcontributed|^\W*(?:The )?Associated Press\W*\Z"
    r"|^[^\s@]++@[^\s@.]++\.\S*\w\s*\Z",
    re.I,
)
_LONGEST_TO_AN_ADDRESS = 15  # words
_TO_AN_ADDRESS = re.compile(r"(?<![\[(<\"'/])(?:https?://|www\.)\S{1,2000}\s*\Z", re.I)
_DATELINE = re.compile(
    r"""\s*(?:
        (?:[A-Z][\w.'’ -]{1,30}(?:,\s*[A-Z][\w.'’ -]{1,30}){0,2}\s*)?
        \((?:CNN(?:\ ?\w+)?|Reuters|AP|AFP|UPI|Xinhua|PTI|Bloomberg|Financial\ Times|IANS|ANI|KABC|CNN\ Student\ News)\)
        \s*(?:--|—|–|-)?\s*
      | \([A-Z][\w.&'’ ]{2,30}\)\s*(?:--|—)\s+
      | \[https?://[^\]\s]+\]\s*(?:\([^()]{2,40}\)\s*)* | \[[\w /&+-]{1,24}\]\s*:\s+
      | [A-Z][A-Z.'’ -]{2,30}(?:,\s*[A-Z][\w.'’ ]{1,30})?\s+\([A-Z][^()]{1,40}\)\s*(?:--|—|–|-)\s+
      | [A-Z][A-Z.'’ ]{3,30}(?:,\s*[A-Z][\w.'’ ]{1,30})?\s+(?:--|—|–|-)\s+
      | [A-Z][A-Z.'’ ]{3,30},\s+[A-Z][\w.]{1,15}\.?\s+(?:\([A-Z]\w+\)\s+)?(?:--|—|–|-)\s+
    )(?=\S)""",
    re.X,
)
_RULE = re.compile(r"^[\W_]+\Z")
_COMMAND = re.compile(  # what is typed, and how reStructuredText and HTML name what is no text
    r"""^(?:
        (?:\$|\.\.\.|\#!|%)\s | \.\.\ (?:\S+::|\||_) | :[\w-]+:(?:\s|\Z) | (?:\|[^|]+\|_*\s*)+\Z
      | (?:sudo\ )?(?:pip3?|pipx|npm|npx|yarn|apt(?:-get)?|brew|conda|cargo|docker|git|curl|wget|cd|mkdir|export
          |python3?\ -m)\ [^.!?]*[^.!?\s]\Z
      | </?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>
    )""",
    re.X,
)
_LONGEST_COMMAND = 14  # words
_SYMBOLS = "{}[]<>=_;$&|\\#"
_FEWEST_SYMBOLS, _SHARE_OF_SYMBOLS = 4, 0.1


def kinds_of(lines: Sequence[str], told: Container[int] = ()) -> list[str]:
    """The kind of each line of a text; those whose kind is told, and code, don't tell whether lines end as sentences.

    >>> lines = ["Rain", "It rained all day, nobody minded.", "Read more: Rain", "Wet: A dog, pictured", "It ended."]
    >>> kinds_of(lines)
    ['heading', 'prose', 'boilerplate', 'caption', 'prose']
    """
    ended = [is_ended(line) for line in lines]
    words = [len(line.split()) for line in lines]
    telling = [0 if n in told or _is_code(line.strip()) else words[n] for n, line in enumerate(lines)]
    mostly_ended = 2 * sum(count for count, end in zip(telling, ended, strict=True) if end) >= sum(telling)
    kinds = [_kind(line, end, count, mostly_ended) for line, end, count in zip(lines, ended, words, strict=True)]
    if kinds[:1] == [CAPTION] and not _CAPTION.search(lines[0]) and not _LABELLED.match(lines[0]):
        kinds[0] = PROSE  # the text opens with it, though its full stop is missing
    return kinds


def _kind(line: str, ended: bool, words: int, mostly_ended: bool) -> str:
    line = line.strip()
    if line.startswith(">"):
        return QUOTED
    if _WIKI_HEADING.match(line):
        return HEADING
    if _is_code(line):
        return CODE
    if _BYLINE.match(line) and words <= 14:
        return BYLINE
    if words <= _LONGEST_DISCLAIMER and (_DISCLAIMER.match(line) or _LICENCE.search(line)):
        return BOILERPLATE
    if words <= _LONGEST_LINE_OF_BOILERPLATE and (
        _BOILERPLATE.match(line) or _CONTRIBUTED.search(line) or _RULE.match(line) or _only_leads_to_an_address(line)
    ):
        return BOILERPLATE
    if (_CAPTION.search(line) or _SCENE.match(line)) and (words <= 45 or not ended):
        return CAPTION
    if _PARAMETER.match(line):
        return TABLE_ROW
    if ended or not mostly_ended:
        return PROSE
    if ";" in line or "|" in line or "\t" in line:
        return TABLE_ROW
    if words <= MOST_WORDS_OF_A_HEADING:
        return HEADING
    announces = line.endswith(":") and _SENTENCES.match(line)
    return CAPTION if _LABELLED.match(line) or (words <= 40 and not announces) else PROSE


def _only_leads_to_an_address(line: str) -> bool:
    """Whether a line ends in an address with no sentence before that: `It is quick. See https://a.example` has one."""
    return bool(_TO_AN_ADDRESS.search(line)) and not _SENTENCES.match(line)


def leads_to_an_address(sentence: str) -> bool:
    """Whether a short sentence ends in an address: it says where to read on."""
    return len(sentence.split()) <= _LONGEST_TO_AN_ADDRESS and bool(_TO_AN_ADDRESS.search(sentence.rstrip(".!? ")))


def _is_code(line: str) -> bool:
    """Whether a line is written for a machine, or is a row of badges: a command, or full of symbols."""
    if _COMMAND.match(line) and len(line.split()) <= _LONGEST_COMMAND:
        return True
    symbols = sum(map(line.count, _SYMBOLS))
    return symbols >= _FEWEST_SYMBOLS and symbols >= _SHARE_OF_SYMBOLS * len(line) and "://" not in line


def is_ended(line: str) -> bool:
    """Whether a line ends as a sentence does."""
    return bool(ENDED.search(line.rstrip()[-_LONGEST_END:]))


def is_preamble(sentence: str) -> bool:
    """Whether a sentence only greets, thanks or excuses itself, or says where to read on.

    >>> is_preamble("Apologies in advance, this is long."), is_preamble("Sorry, the match was called off.")
    (True, False)
    >>> is_preamble("Late to this thread but I'll tell my story."), is_preamble("He was late to the party.")
    (True, False)
    >>> is_preamble("I will start with my question."), is_preamble("I will start with my new job in May.")
    (True, False)
    >>> is_preamble("Hey everyone, here's the situation."), is_preamble("Hey everyone, here's the key to the shed.")
    (True, False)
    >>> is_preamble("See CONTRIBUTING.md for the style."), is_preamble("See that the manual is read.")
    (True, False)
    >>> is_preamble("Run it with -h for details."), is_preamble("Run it with care for an hour.")
    (True, False)
    >>> is_preamble("If you want to help, check out our guide."), is_preamble("If you want to read, you need light.")
    (True, False)
    >>> is_preamble("To try this, see demo/draw.py in the repository."), is_preamble("See that the manual is read.")
    (True, False)
    """
    words = len(sentence.split())
    if words <= _LONGEST_POINTER and (_ELSEWHERE.match(sentence) or _is_mostly_an_address(sentence)):
        return True
    return words <= _LONGEST_PREAMBLE and bool(_PREAMBLE.match(sentence))


def is_beside_a_program(sentence: str) -> bool:
    """Whether a sentence of a page about a program only says where something is found, or thanks somebody.

    >>> is_beside_a_program("The source code is available from the repository of the town.")
    True
    >>> is_beside_a_program("Thanks to a fisherman, all were saved."), is_beside_a_program("The body was found there.")
    (False, False)
    """
    return len(sentence.split()) <= _LONGEST_POINTER and bool(_OF_A_PAGE.search(sentence))


def _is_mostly_an_address(sentence: str) -> bool:
    """Whether half of a sentence is where something lies: `The docs are at https://ferry.example/docs.`"""
    return 2 * sum(len(address) for address in _ADDRESS.findall(sentence)) >= len(sentence)


_ADDRESS = re.compile(r"(?<!\S)(?:(?:https?://|www\.|~/|\.{0,2}/)\S+|[^\s@]++@[^\s@.]++\.\w\S*)")
_SUMS_UP = re.compile(
    r"""\s*(?:ok(?:ay)?,?\s+)?(?:so,?\s+)?
        (?:tl;?\s?dr|(?:in\ |quick\ |short\ )?summary|to\ (?:sum\ up|summari[sz]e)|in\ short|bottom\ line
          |long\ story\ short|(?:the\ )?short\ version|recap|key\ (?:points?|takeaways?)|so(?=:))
        \s*[:,–—-]+\s*(?=\S)""",
    re.I | re.X,
)
_SUMMARY = re.compile(
    r"\W*(?:abstract|(?:executive\ |short\ )?summary|in\ short|tl;?\ ?dr|(?:the\ )?short\ version|at\ a\ glance"
    r"|key\ (?:points?|takeaways?|findings|facts)|highlights|in\ brief|overview)\W*\Z",
    re.I | re.X,
)


def sums_up(line: str) -> int:
    """Where the words end with which a writer announces a summary of their own; 0 if there are none.

    >>> line = "TL;DR: it rained."
    >>> line[sums_up(line):], sums_up("It rained.")
    ('it rained.', 0)
    """
    match = _SUMS_UP.match(line)
    return match.end() if match else 0


def summing_up(lines: Sequence[str], kinds: Sequence[str]) -> frozenset[int]:
    """The lines below a heading that says that they sum up: an abstract, `In short`.

    >>> sorted(summing_up(["Abstract", "It rains.", "1 Rain", "Rain falls."], ["heading", "prose", "heading", "prose"]))
    [1]
    """
    found = set()
    inside = False
    for number, (line, kind) in enumerate(zip(lines, kinds, strict=True)):
        inside = bool(_SUMMARY.match(line)) if kind in (HEADING, TITLE) else inside
        if inside and kind in SPEAKING:
            found.add(number)
    return frozenset(found)


def dateline_end(line: str) -> int:
    """Where the place and the agency that open a news article end.

    >>> line = "LONDON, England (CNN) -- It rained."
    >>> line[dateline_end(line):]
    'It rained.'
    >>> dateline_end("[http://example.org/rain] (Coast News) It rained."), dateline_end("[light]: It rained.")
    (39, 9)
    """
    match = _DATELINE.match(line)
    return match.end() if match else 0
