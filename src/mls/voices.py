"""Who says each line: the speakers of a dialogue, the senders of mails."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mls.blocks import BOILERPLATE, BYLINE, MAIL_HEADER, PROSE, QUOTED, SPEAKER, SPEAKING
from mls.genres import ALONE, DIALOGUE, MAIL, ROLE, TURN
from mls.reading import is_turn

_SENDER = re.compile(r"^[\s>*]*(?:from|von|de)\s*:\**\s*(?P<name>.+)\Z", re.I)
_VERB = r"(?:wrote|writes|schrieb|a écrit)"
_WROTE = re.compile(
    rf"^[\s>]*(?:on|am|le|el|il)\b.{{4,200}}?[,\d]\s+(?P<name>[^,\d]{{2,80}}?)\s*{_VERB}\b.{{0,20}}:\s*\Z", re.I | re.S
)
_INTRODUCES = re.compile(rf"^[\s>]*+(?:[-_]{{2,}}.*|.*\b{_VERB}\s*:\s*|begin forwarded message:)\Z", re.I | re.S)
_ADDRESS = re.compile(r"[<\[(].*|\bvia\b.*|\"|'(?=\s|$)|^'")
_MARKS = re.compile(r"^(?:[ \t]*>)+[ \t]?", re.M)
_REPEATED = 0.6  # of the words of a quotation in runs of three that are said elsewhere


@dataclass(frozen=True)
class Voice:
    """What a line is, who says it, and how many of its characters only tell that."""

    kind: str
    speaker: str | None = None
    label: int = 0


def voices_of(lines: Sequence[str], kinds: Sequence[str], genre: str) -> list[Voice]:
    """For each line its voice; only dialogues and mails of several people have any.

    >>> [voice.speaker for voice in voices_of(["Ann: We stay.", "Bob: Good."], ["prose", "prose"], "dialogue")]
    ['Ann', 'Bob']
    """
    if genre == DIALOGUE:
        return list(_talk(lines, kinds))
    return _mails(lines, kinds) if genre == MAIL else [Voice(kind) for kind in kinds]


def _talk(lines: Sequence[str], kinds: Sequence[str]) -> Iterator[Voice]:
    """A line without a label goes on with what was said before it."""
    speaker = None
    roles = _roles(lines)
    last = max((n for n, line in enumerate(lines) if is_turn(line) or ALONE.match(line)), default=-1)
    for number, (line, kind) in enumerate(zip(lines, kinds, strict=True)):
        turn = TURN.match(line) if kind in SPEAKING and is_turn(line) else None
        if turn:
            called = ROLE.sub("", turn["speaker"])
            several = len(roles[called]) > 1
            speaker = (turn["speaker"].replace("(", "") if several else called).strip("<[(>])")
            yield Voice(PROSE, speaker, turn.end())
        elif (alone := ALONE.match(line)) and kind not in (BOILERPLATE, BYLINE):
            speaker = alone["speaker"].strip()
            yield Voice(SPEAKER, speaker)
        else:
            goes_on = kind in SPEAKING and (number < last or bool(ALONE.match(lines[last])))
            yield Voice(kind, speaker if goes_on else None)


def _roles(lines: Sequence[str]) -> dict[str, set[str]]:
    """What stands in brackets after each name: `Speaker (1)` and `Speaker (2)` are two."""
    found: dict[str, set[str]] = defaultdict(set)
    for turn in filter(None, map(TURN.match, lines)):
        if role := ROLE.search(turn["speaker"]):
            found[ROLE.sub("", turn["speaker"])].add(role[0])
    return found


def _mails(lines: Sequence[str], kinds: Sequence[str]) -> list[Voice]:
    """Each mail's sender speaks; what is quoted speaks once, where it stands nowhere else, with who wrote it."""
    found: list[Voice] = []
    said = _grams(line for line, kind in zip(lines, kinds, strict=True) if kind in SPEAKING)
    sender = quoted = None
    for line, kind in zip(lines, kinds, strict=True):
        name = _SENDER.match(line) if kind in (MAIL_HEADER, QUOTED) else None
        wrote = _WROTE.match(line) if kind == QUOTED else None
        if name and kind == MAIL_HEADER:
            sender = quoted = _name(name["name"])
        elif name or wrote:
            quoted = _name((name or wrote)["name"])  # type: ignore[index]
        if kind == QUOTED and (name or wrote or _INTRODUCES.match(line) or _HEADER.match(line)):
            found.append(Voice(MAIL_HEADER))
        elif kind == QUOTED and not _is_repeated(line, said):
            said |= _grams([line])
            found.append(Voice(PROSE, quoted, _marks_end(line)))
        else:
            found.append(Voice(kind, sender if kind in SPEAKING else None))
    several = len({voice.speaker for voice in found if voice.speaker}) > 1
    return found if several else [replace(voice, speaker=None) for voice in found]


_HEADER = re.compile(r"^[\s>*]*(?:to|cc|bcc|sent|date|subject|reply-to|importance|attachments)\s*:", re.I)


def _marks_end(line: str) -> int:
    match = _MARKS.match(line)
    return match.end() if match else 0


def _name(given: str) -> str | None:
    """Whom a header names, without the address.

    >>> _name('"Ann Lee" <ann@example.org>'), _name("bob@example.org")
    ('Ann Lee', 'bob')
    """
    shown = _ADDRESS.sub("", given).strip(" ,;")
    return (shown or given.strip(" <>\"'")).partition("@")[0].strip() or None


def _grams(lines: Iterator[str] | Sequence[str]) -> set[tuple[str, ...]]:
    found = set()
    for line in lines:
        words = re.findall(r"\w+", _MARKS.sub("", line).lower())
        found |= {tuple(words[start : start + 3]) for start in range(max(1, len(words) - 2))}
    return found


def _is_repeated(line: str, said: set[tuple[str, ...]]) -> bool:
    own = _grams([line])
    return len(own & said) >= _REPEATED * len(own)
