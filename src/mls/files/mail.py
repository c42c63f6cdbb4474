"""What is whose in the text of a mail: headers, what is quoted, signatures. What is left the sender wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mls.files.marked import Mark

_LINE = re.compile(r"[^\n]*(?:\n|\Z)")
_HEADER = re.compile(
    r"[ \t]*[*_]{0,2}(from|to|cc|bcc|sent|date|subject|reply-to|importance|attachments|"
    r"von|an|gesendet|datum|betreff|de|à|envoyé|objet)[ \t]?:[*_]{0,2}(?:[ \t]|$)",
    re.IGNORECASE,
)
_SENDERS = {"from", "von", "de"}
_OF_MAILS = {"sent", "date", "subject", "gesendet", "datum", "betreff", "envoyé", "objet"}
_MOST_FOLDED = 3  # lines of one header
_WROTE = re.compile(
    r"^[ \t]*(?:on|am|le|el|il)\b[^\n]{4,200}(?:\n[^\n]{0,200}){0,2}?\b(?:wrote|writes|schrieb[^\n]{0,80}|a écrit|"
    r"escribió|ha scritto)[ \t\xa0]?:[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_OF_CLIENTS = re.compile(r"\d.*(?:@|<|\d:\d\d)|(?:@|<|\d:\d\d).*\d", re.DOTALL)  # what people seldom write so
_ORIGINAL = re.compile(
    r"[ \t>]*[-_]{2,}[ \t]*(?:original (?:message|appointment)|ursprüngliche nachricht|message d'origine)[ \t]*[-_]{2}",
    re.IGNORECASE,
)
_FORWARDED = re.compile(
    r"[ \t]*(?:[-_]{2,}[ \t]*(?:forwarded message|forwarded by\b.*|weitergeleitete nachricht)[ \t]*[-_]*|"
    r"begin forwarded message:)[ \t]*$",
    re.IGNORECASE,
)
_RULE = re.compile(r"[ \t]*_{10,}[ \t]*$")
_DELIMITER = re.compile(r"--[ \t]*$")
_CLOSING = (
    r"(?:(?:with )?(?:my |the )?(?:very )?(?:best|kind|kindest|warm|warmest|many)?[ ]?(?:regards|wishes|greetings)|"
    r"best|all the best|(?:many |much )?thanks(?: again| so much| a lot| in advance| and regards)?|"
    r"thank you(?: very much| in advance| again)?|thx|cheers|"
    r"sincerely|yours(?: sincerely| faithfully| truly)?|sincerely yours|respectfully|"
    r"cordially|take care|talk soon|love|rgds|br|mit (?:freundlichen|besten) gr(?:ü|ue)(?:ß|ss)en|"
    r"(?:viele|beste|liebe|schöne) gr(?:ü|ue)(?:ß|ss)e|cordialement|saludos|cordiali saluti)"
)
_CLOSING_LINE = re.compile(rf"[ \t]*{_CLOSING}[ \t]*[,.!–—-]*[ \t]*$", re.IGNORECASE)
_CLOSING_AND_NAME = re.compile(rf"[ \t]*(?i:{_CLOSING})[ \t]*[,!–—-]+[ \t]*(?:[A-Z][\w.'’-]*[ \t]*){{1,3}}$")
_DEVICE = re.compile(
    r"[ \t]*(?:sent from (?:my|mail for|outlook|yahoo)\b|get outlook for\b)[^\n]{0,60}$", re.IGNORECASE
)
_MOST_SIGNED = 12  # lines below a closing
_LONGEST_SIGNED = 70  # characters of such a line
_SENTENCE = re.compile(r"(?:\S+[ \t]+){4,}\S+[.!?][\"'”’)]*[ \t]*$")


@dataclass
class _Line:
    start: int
    text: str
    kind: str | None = None
    begins: bool = False  # a mark of its own, although the line above is of the same kind

    @property
    def is_empty(self) -> bool:
        return not self.text.strip()


@dataclass(frozen=True)
class _Group:
    """The headers of one mail, as lines one below the other."""

    first: int
    end: int


def marks_of_mail(text: str, *, is_body: bool = False, is_thread: bool | None = None) -> tuple[Mark, ...]:
    """Headers, quotations and signatures of a mail or of several in one text; none where nothing looks like a mail.

    In a text of several mails (`is_thread`) headers begin the next of them. Elsewhere, and always in the body of a
    single one (`is_body`), they belong to an older mail that is quoted. What is not said is told from the text.

    >>> [mark.kind for mark in marks_of_mail("It stays.\\n\\nOn 3 May, Ann wrote:\\n> Will it stay?\\n")]
    ['quoted']
    """
    lines = [_Line(match.start(), match[0].rstrip("\r\n")) for match in _LINE.finditer(text) if match[0]]
    groups = _groups(lines)
    introduced = _introductions(text, lines, is_body)
    if not is_body and not groups and not introduced:
        return ()
    if is_thread is None:
        is_thread = not is_body and (len(groups) > 1 or (bool(groups) and _is_first(lines, groups[0].first)))
    _mark_groups(lines, groups, is_thread)
    _mark_quoted_lines(lines)
    _mark_what_follows(lines, introduced, [group.first for group in groups] if is_thread else [])
    _mark_signatures(lines)
    return tuple(_marks(lines))


def _groups(lines: list[_Line]) -> list[_Group]:
    """Positions where headers stand together that tell from whom a mail is, and when it came or what it is about."""
    found: list[_Group] = []
    position = 0
    while position < len(lines):
        end, names = _headers_from(lines, position)
        if _SENDERS & names and _OF_MAILS & names:
            found.append(_Group(position, end))
        position = max(end, position + 1)
    return found


def _headers_from(lines: list[_Line], position: int) -> tuple[int, set[str]]:
    names: set[str] = set()
    folded = 0
    while position < len(lines):
        header = _HEADER.match(lines[position].text)
        folded = 0 if header else folded + 1
        if header:
            names.add(header[1].lower())
        elif not (names and folded < _MOST_FOLDED and _goes_on(lines[position - 1].text, lines[position].text)):
            break
        position += 1
    return position, names


def _goes_on(header: str, line: str) -> bool:
    """Whether a line belongs to the header above it: it is indented, or the header's list does not end there."""
    return bool(line.strip()) and (line[0] in " \t" or header.rstrip().endswith((",", ";")))


def _is_first(lines: list[_Line], position: int) -> bool:
    return all(line.is_empty or _RULE.match(line.text) for line in lines[:position])


def _introductions(text: str, lines: list[_Line], is_body: bool) -> list[tuple[int, int]]:
    """The first and the last line of what says that a quotation follows."""
    position_of = {line.start: position for position, line in enumerate(lines)}
    found = [(position, position) for position, line in enumerate(lines) if _ORIGINAL.match(line.text)]
    for match in _WROTE.finditer(text):
        first = position_of[match.start()]
        last = first + match[0].count("\n")
        after = _next_line(lines, last + 1)
        is_marked = after < len(lines) and lines[after].text.lstrip().startswith(">")
        if is_body or is_marked or _OF_CLIENTS.search(match[0]):
            found.append((first, last))
    return sorted(found)


def _next_line(lines: list[_Line], position: int) -> int:
    """The next line that is not empty."""
    return next((number for number in range(position, len(lines)) if not lines[number].is_empty), len(lines))


def _mark_groups(lines: list[_Line], groups: list[_Group], is_thread: bool) -> None:
    """Headers are headers where a mail begins or is forwarded; elsewhere they introduce what is quoted."""
    for group in groups:
        above = next((position for position in reversed(range(group.first)) if not lines[position].is_empty), -1)
        forwarded = above >= 0 and bool(_FORWARDED.match(lines[above].text))
        first = above if forwarded or (above >= 0 and _RULE.match(lines[above].text)) else group.first
        if not (forwarded or is_thread or above < 0):
            _mark_quoted(lines, first, len(lines))
            return
        for line in lines[first : group.end]:
            line.kind, line.begins = "mail-header", bool(_HEADER.match(line.text))


def _mark_quoted_lines(lines: list[_Line]) -> None:
    for line in lines:
        if line.kind is None and line.text.lstrip().startswith(">"):
            line.kind = "quoted"


def _mark_what_follows(lines: list[_Line], introduced: list[tuple[int, int]], starts: list[int]) -> None:
    """What an introducing line is followed by is quoted: to the mail's end, or only the lines marked with >."""
    done = 0
    for first, last in introduced:
        if first < done:
            continue
        after = _next_line(lines, last + 1)
        is_marked = after < len(lines) and lines[after].text.lstrip().startswith(">")
        done = last + 1 if is_marked else next((start for start in starts if start > after), len(lines))
        _mark_quoted(lines, first, done)


def _mark_quoted(lines: list[_Line], first: int, end: int) -> None:
    for line in lines[first:end]:
        line.kind, line.begins = "quoted", False


def _mark_signatures(lines: list[_Line]) -> None:
    for first, end in _own_stretches(lines):
        start = _signature(lines, first, end)
        for line in lines[start:end]:
            line.kind = "signature"


def _own_stretches(lines: list[_Line]) -> Iterator[tuple[int, int]]:
    """Where the sender speaks, from the first line to behind the last."""
    first = None
    for position, line in enumerate([*lines, _Line(0, "", "end")]):
        if line.kind is None and first is None:
            first = position
        elif line.kind is not None and first is not None:
            yield first, position
            first = None


def _signature(lines: list[_Line], first: int, end: int) -> int:
    """The line with which a signature begins, or `end` if there is none."""
    for position in range(max(first, end - 2 * _MOST_SIGNED), end):
        if _DELIMITER.match(lines[position].text):
            return position
    last = next((position for position in reversed(range(first, end)) if not lines[position].is_empty), end)
    device = last if last < end and _DEVICE.match(lines[last].text) else end
    for position in range(device - 1, max(first, device - 2 * _MOST_SIGNED) - 1, -1):
        closes = _CLOSING_LINE.match(lines[position].text) or _CLOSING_AND_NAME.match(lines[position].text)
        if closes and _are_names([line.text for line in lines[position + 1 : device] if not line.is_empty]):
            return position
    return device


def _are_names(below: list[str]) -> bool:
    """Whether lines are a name and what stands below it: short, and no sentences."""
    short = all(len(line) <= _LONGEST_SIGNED and not _SENTENCE.match(line) for line in below)
    return len(below) <= _MOST_SIGNED and short


def _marks(lines: list[_Line]) -> Iterator[Mark]:
    """Neighbouring lines of one kind as one mark, without the white space around them."""
    kind, start, end = None, 0, 0
    for line in lines:
        if line.is_empty:
            continue
        if line.kind != kind or line.begins:
            if kind:
                yield Mark(start, end, kind)
            kind, start = line.kind, line.start + len(line.text) - len(line.text.lstrip())
        end = line.start + len(line.text.rstrip())
    if kind:
        yield Mark(start, end, kind)
