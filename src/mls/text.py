"""Text with exact offsets: tokens, sentences, paragraphs.

Everything above this file speaks of a text through `Document`. Offsets always point into its `text`, which is the text
as it was given, or what is left of it without markup, so that every claim about a source can be checked.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import accumulate, compress, pairwise, zip_longest
from sys import intern
from typing import NamedTuple, Protocol, overload

import sentencex

from mls.blocks import (
    ANNOUNCEMENT,
    BOILERPLATE,
    CAPTION,
    CODE,
    DATELINE,
    FRAGMENT,
    HEADING,
    LIST_ITEM,
    NUMBER,
    PROSE,
    SIGNATURE,
    SMALL_TALK,
    SPEAKER,
    SPEAKING,
    TITLE,
    dateline_end,
    is_beside_a_program,
    is_ended,
    is_preamble,
    leads_to_an_address,
    summing_up,
    sums_up,
)
from mls.errors import MlsError
from mls.genres import ARTICLE, BULLET, CLAUSE, DIALOGUE, LEGAL, MAIL, NOTES, PAPER, STORY, recognised
from mls.reading import UNDERLINE, is_event, kinds_of_lines
from mls.stopwords import STOP_WORDS, content_words
from mls.talk import is_small_talk
from mls.voices import Voice, voices_of

# Scripts written without spaces between words: each character is a token of its own.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
# Marks that belong to the letter before them although `\w` does not match them.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u0900-\u0903\u093a-\u094f"
    "\u0951-\u0957\u0962-\u0963\u0980-\u0983\u09bc-\u09cd\u0a00-\u0a03\u0a3c-\u0a51\u0a80-\u0a83\u0abc-\u0acd"
    "\u0b00-\u0b03\u0b3c-\u0b57\u0b82\u0bbe-\u0bcd\u0c00-\u0c04\u0c3c-\u0c56\u0c80-\u0c83\u0cbc-\u0cd6"
    "\u0d00-\u0d03\u0d3b-\u0d4d\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"
    "\u102b-\u103e\u17b4-\u17d3\u20d0-\u20ff\u3099-\u309a\ufe20-\ufe2f"
)
# What glues emoji together: joiners, variation selectors, skin tones, tags.
_INVISIBLE = r"\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\x00-\x1f\x7f-\x9f"
_GLUE = "\u200d\ufe0e\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f"


@cache
def _token_pattern(letter: str) -> re.Pattern[str]:
    clitic = rf"(?i:s|re|ve|ll|d|m)(?!{letter})"
    return re.compile(
        rf"""
          [A-Za-z]+(?=[ ,])                                 # by far the most tokens, told fast
        | https?://[^\s<>"'“”‘’{_INVISIBLE}]*[^\s<>"'“”‘’.,;:!?)\]{_INVISIBLE}]    # an address is one token
        | [\w.+-]{{1,64}}@[\w-]{{1,64}}(?:\.[\w-]+)+        # so is an e-mail address
        | (?:[A-Za-z]\.){{2,}}                              # U.S.
        | \d+(?:[.,:]\d+)*{letter}*(?:-{letter}+)*          # 3,000   12.30pm   54-year-old
        | {letter}+(?:[-'’](?!{clitic}){letter}+)*          # O'Brien   mother-in-law
        | (?<={letter})['’]{clitic}                         # the 's of John's
        | [{_UNSPACED}][{_MARKS}]*                          # one character of an unspaced script
        | \.{{2,}} | -{{2,}}
        | [^\w\s{_INVISIBLE}][{_MARKS}{_GLUE}]*(?:(?<=\u200d)[^\w\s{_INVISIBLE}][{_GLUE}]*)*   # a mark, a whole emoji
        """,
        re.VERBOSE,
    )


_ANY_LETTER = rf"(?:[^\W{_UNSPACED}]|[{_MARKS}])"
_PLAIN_LETTER = r"\w"  # several times faster, and the same on text without those scripts
_NEGATION = re.compile(r"(?<=\w)n['’]t\Z", re.IGNORECASE)


class Token(NamedTuple):
    """A word or a punctuation mark, and where it stands in the text it was cut from."""

    text: str
    start: int
    end: int

    @property
    def key(self) -> str:
        """The token as vocabularies and counts know it.

        >>> Token("Don’t", 0, 5).key
        "don't"
        """
        return fold(self.text)

    @property
    def is_word(self) -> bool:
        return _is_word(self.text)


def _is_word(text: str) -> bool:
    return text[0].isalnum() or (len(text) > 1 and text[1].isalnum())


class Tokens(Sequence[Token]):
    """Tokens in a row. Each is made when somebody asks for it: those of a long text would take more room than all else.

    >>> tokens = tokenize("It rained.")
    >>> tokens[1], tokens.texts, len(tokens)
    (Token(text='rained', start=3, end=9), ('It', 'rained', '.'), 3)
    """

    __slots__ = ("starts", "texts")

    def __init__(self, texts: Iterable[str], starts: Iterable[int]) -> None:
        self.texts = tuple(texts)
        self.starts = array("I", starts)

    @classmethod
    def of(cls, tokens: Sequence[Token]) -> Tokens:
        return cls((token.text for token in tokens), (token.start for token in tokens))

    @overload
    def __getitem__(self, place: int) -> Token: ...

    @overload
    def __getitem__(self, place: slice) -> Tokens: ...

    def __getitem__(self, place: int | slice) -> Token | Tokens:
        if isinstance(place, slice):
            return Tokens(self.texts[place], self.starts[place])
        return _token(self.texts[place], self.starts[place])

    def __iter__(self) -> Iterator[Token]:
        return map(_token, self.texts, self.starts)

    def __len__(self) -> int:
        return len(self.texts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tokens) and (self.texts, self.starts) == (other.texts, other.starts)

    def __hash__(self) -> int:
        return hash(self.texts)

    def __repr__(self) -> str:
        return f"Tokens{tuple(self)!r}"

    @property
    def are_words(self) -> Iterator[bool]:
        return map(_is_word, self.texts)


def _token(text: str, start: int) -> Token:
    return Token(text, start, start + len(text))


def fold(text: str) -> str:
    """Lower-cased, with typographic quotes made plain: `It’s` and `it's` are one word."""
    lower = text.lower()
    if lower.isascii():  # nearly every word, and told at once
        return lower
    return lower.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')


def capitalized(text: str, first: int = 0) -> str:
    """With a capital at a position, where that leaves the word what it is: `iOS`, addresses and ligatures stay.

    >>> capitalized("it rained"), capitalized("iOS"), capitalized("http://mls.example"), capitalized("ﬁne")
    ('It rained', 'iOS', 'http://mls.example', 'ﬁne')
    """
    capital = text[first : first + 1].upper()
    stays = len(capital) != 1 or text[first + 1 : first + 2].isupper() or text.startswith(("http:", "https:"), first)
    return text if stays else text[:first] + capital + text[first + 1 :]


def tokenize(text: str, offset: int = 0) -> Tokens:
    """Cut a text into words and punctuation; `offset` is added to every position.

    >>> [token.text for token in tokenize("She didn’t pay £3,000.")]
    ['She', 'did', 'n’t', 'pay', '£', '3,000', '.']
    """
    texts: list[str] = []
    starts: list[int] = []
    for match in _pattern_for(text).finditer(text):
        surface = match.group()
        starts.append(offset + match.start())
        if _is_negated(surface):
            texts += intern(surface[:-3]), intern(surface[-3:])
            starts.append(offset + match.end() - 3)
        else:
            texts.append(intern(surface))  # a word that comes often is kept once
    return Tokens(texts, starts)


def count_tokens(text: str) -> int:
    """How many tokens a text has, without making them.

    >>> count_tokens("She didn’t pay £3,000.")
    7
    """
    found: list[str] = _pattern_for(text).findall(text)
    return len(found) + sum(map(_is_negated, found))


def _pattern_for(text: str) -> re.Pattern[str]:
    plain = text.isascii() or not _any_of_these_scripts().search(text)
    return _token_pattern(_PLAIN_LETTER if plain else _ANY_LETTER)


def _is_negated(word: str) -> bool:
    """Whether a word is two tokens, the last of them `n't`."""
    return len(word) > 3 and word[-2] in "'’" and _NEGATION.search(word) is not None


@cache
def _any_of_these_scripts() -> re.Pattern[str]:
    """Scripts that need the full pattern. Compiled where there is a text that is not all ASCII, for it takes long."""
    return re.compile(rf"[{_UNSPACED}{_MARKS}]")


@cache
def _unspaced_character() -> re.Pattern[str]:
    return re.compile(rf"[{_UNSPACED}][{_MARKS}]*")


_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ufeff]")
_WHITE_SPACE = re.compile(r"[^\S ]\s*| \s+")  # that is more than a space, or none


def count_words(text: str) -> int:
    """Words as word processors count them; a character of an unspaced script is a word of its own.

    >>> count_words("a well-kept secret - mostly"), count_words("今日は雨")
    (5, 4)
    """
    if text.isascii():
        return len(text.split())
    spaced, count = _unspaced_character().subn(" ", text)
    return len(spaced.split()) + count


def without_controls(text: str) -> str:
    """A text that can't steer a terminal: a space in place of each control character."""
    return _CONTROL.sub(" ", text)


def tidy(text: str) -> str:
    """A piece of a text fit for display: white space single, control characters gone.

    >>> tidy("on two\\n  lines\\x07")
    'on two lines'
    """
    return _WHITE_SPACE.sub(" ", without_controls(text)).strip()


@dataclass(frozen=True)
class Wording:
    """A sentence in some words. `anchor` is the source sentence that it is, or that it stands for."""

    anchor: int
    text: str
    tokens: Tokens

    @cached_property
    def keys(self) -> tuple[str, ...]:
        return tuple(map(intern, map(fold, self.tokens.texts)))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The keys that are words; a sentence of punctuation alone has that."""
        return tuple(compress(self.keys, self.tokens.are_words)) or self.keys

    @cached_property
    def content(self) -> tuple[str, ...]:
        """The words that carry meaning: see `mls.stopwords`."""
        return tuple(content_words(self.words))


@dataclass(frozen=True)
class Sentence(Wording):
    """One sentence of a document: its tokens have offsets into the document, as it has itself."""

    paragraph: int
    start: int
    end: int
    kind: str = PROSE  # or what else it is: see `mls.blocks`
    speaker: str | None = None  # in a dialogue, or the sender among several
    number: str | None = None  # of a clause
    sums_up: bool = False  # whether its writer says that it is a summary
    listed: int | None = None  # of an item, the sentence that announces its list

    @property
    def index(self) -> int:
        return self.anchor

    @property
    def is_prose(self) -> bool:
        """Whether it may go into a summary: it is a sentence, or of a list."""
        return self.kind in SPEAKING


class Marked(Protocol):
    """A stretch of a text whose kind its file tells."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def kind(self) -> str: ...


@dataclass(frozen=True)
class Document:
    """A text as the summarizer sees it: sentences of tokens, all with offsets into `text`."""

    text: str
    sentences: tuple[Sentence, ...]
    genre: str = ARTICLE  # see `mls.genres`
    marks: tuple[Marked, ...] = ()  # what its file told of some stretches

    @classmethod
    def parse(cls, text: str, marks: Sequence[Marked] = (), genre: str | None = None) -> Document:
        """Split a text into sentences, and tell prose from what is none.

        `marks` are what the file's format tells of some stretches; `genre` is what kind of text it is, if known.

        >>> [sentence.text for sentence in Document.parse("It rained. Dr. Li stayed in.").sentences]
        ['It rained.', 'Dr. Li stayed in.']
        """
        spans = list(_paragraphs(text, marks))
        lines = [text[start:end] for start, end in spans]
        told = _told(spans, marks)
        genre = genre or recognised(lines, told)
        told = told or (_told(spans, _marks_of_mail(text)) if genre == MAIL else told)
        voices = voices_of(lines, kinds_of_lines(lines, genre, told), genre)
        summed_up = summing_up(lines, [voice.kind for voice in voices])
        programs = genre == ARTICLE and any(voice.kind == CODE for voice in voices)
        sentences: list[Sentence] = []
        for paragraph, (span, voice) in enumerate(zip(spans, voices, strict=True)):
            for piece in _pieces(text, *span, voice, genre):
                tokens = tokenize(text[piece.start : piece.end], piece.start)
                if tokens:
                    words = text[piece.start : piece.end]
                    where = (len(sentences), words, tokens, paragraph, piece.start, piece.end)
                    sums = piece.sums_up or (paragraph in summed_up and piece.kind in SPEAKING)
                    beside = programs and piece.kind == PROSE and is_beside_a_program(words)
                    kind = BOILERPLATE if beside else piece.kind
                    sentences.append(Sentence(*where, kind, voice.speaker, piece.number, sums))
        if genre == DIALOGUE:
            sentences = _with_answers(sentences)
        if genre == STORY:
            sentences = _with_headline(sentences)
        if genre == ARTICLE:
            sentences = _with_lists(sentences, told=bool(marks))
        return cls(text, tuple(sentences), genre, tuple(marks))

    @classmethod
    def of(cls, text: str | Document, genre: str | None = None) -> Document:
        """A document that can be summarized, read as the kind of text it is said to be; what is empty is an error.

        What is clearly Markdown or reStructuredText is read as such; `text` is then what is left without its markup.
        """
        if not isinstance(text, str | Document):
            raise MlsError(f"found {type(text).__name__}, expected a text (str) or a Document; decode bytes first")
        document = text if isinstance(text, Document) else cls._as_written(text, genre)
        if genre and document.genre != genre:
            document = cls.parse(document.text, document.marks, genre)
        if not document.sentences:
            raise MlsError("the document is empty: it holds no word or punctuation mark to summarize")
        return document

    @classmethod
    def _as_written(cls, text: str, genre: str | None) -> Document:
        from mls.files.plain import as_written

        found = as_written(text)
        return cls.parse(found.text, found.marks, genre)

    def without(self, index: int) -> Document:
        """The same without one sentence: whitespace stands in its place."""
        gone = self.sentences[index]
        text = self.text[: gone.start] + " " * (gone.end - gone.start) + self.text[gone.end :]
        return Document.parse(text, self.marks, self.genre)

    @property
    def words(self) -> list[str]:
        return [word for sentence in self.sentences for word in sentence.words]

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        """Whoever says something, who says most first."""
        said = Counter[str]()
        for sentence in self.sentences:
            if sentence.speaker and sentence.is_prose:
                said[sentence.speaker] += len(sentence.tokens)
        return tuple(sorted(said, key=lambda name: (-said[name], name)))

    @cached_property
    def voices(self) -> tuple[str | None, ...]:
        """Who should be heard once: who says a sentence, if they do more than ask or call out; of notes the section."""
        if self.genre == NOTES:
            headings = accumulate((s.index if s.kind == HEADING else 0 for s in self.sentences), max)
            return tuple(f"section {heading}" for heading in headings)
        said = Counter(s.speaker for s in self.sentences if s.is_prose)
        asked = Counter(s.speaker for s in self.sentences if s.is_prose and s.text.endswith("?"))
        fewest = 2 if self.genre == DIALOGUE else 1
        telling = {name for name, times in said.items() if times >= fewest and 2 * asked[name] < times}
        return tuple(s.speaker if s.speaker in telling else None for s in self.sentences)

    @cached_property
    def speaking(self) -> tuple[Sentence, ...]:
        """The sentences that may go into a summary; where there is none, all."""
        return tuple(sentence for sentence in self.sentences if sentence.is_prose) or self.sentences

    @cached_property
    def before(self) -> tuple[int | None, ...]:
        """For every sentence the one of the prose before it."""
        found: list[int | None] = []
        last: int | None = None
        for sentence in self.sentences:
            found.append(last)
            last = sentence.index if sentence.is_prose else last
        return tuple(found)

    @cached_property
    def token_count(self) -> int:
        return sum(len(sentence.tokens) for sentence in self.sentences)


_LINE_END = re.compile(r"\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]")


def _paragraphs(text: str, marks: Sequence[Marked] = ()) -> Iterator[tuple[int, int]]:
    """Paragraphs end at a line end; where the text is wrapped by hand, only at one that the width did not make.

    A part that the file tells begins one, and where it tells any, no line breaks off.
    """
    width = _width(text)
    begins = {mark.start for mark in marks}
    start = 0
    for match in _LINE_END.finditer(text):
        if width and match.end() not in begins and _goes_on(text, start, match, width):
            continue
        if not marks and _breaks_off(text, start, match):
            continue
        if text[start : match.start()].strip():
            yield start, match.start()
        start = match.end()
    if text[start:].strip():
        yield start, len(text)


_FULL = 0.75  # of the width: a line that could not take the next word is at least so long
_BEGINS = re.compile(  # an item, a heading, a row, or a turn: `raj:`, `[09:03] raj:`, `09:03 <raj>`
    r"[-*•–]\s|\(?(?:\d{1,3}|[^\W\d_]|[ivxIVX]{2,4})[.)]\s|\d+(?:\.\d+)+\s|#{1,6}\s|\||(?:\w+|[A-Z\d][\w -]{0,20}):\s"
    r"|[\[(]\d{1,2}:\d\d|\d{1,2}:\d\d(?::\d\d)?\s+<?\w[\w .-]{0,20}[>:]\s|<\w[\w .-]{0,20}>\s"
)


def _goes_on(text: str, start: int, line_end: re.Match[str], width: int) -> bool:
    """Whether the line after this end goes on with the paragraph that begins at `start`."""
    line = text[start : line_end.start()]
    last = max(map(line.rfind, "\n\r\x0b\x0c\x85\u2028\u2029"))
    before = line[last + 1 :].rstrip()
    after = _LINE_END.split(text[line_end.end() : line_end.end() + 2 * width + 2], maxsplit=1)[0]
    if not before.strip("> \t") or not after.strip("> \t"):
        return False
    if (before.lstrip()[:1] == ">") != (after.lstrip()[:1] == ">"):
        return False
    if _indent(after) >= _indent(before) + _CODE or UNDERLINE.match(after) or UNDERLINE.match(before):
        return False
    words = after.lstrip("> \t")
    first = next(iter(words.split(maxsplit=1)), "")  # none where all that follows are marks that count as blanks
    return len(before) + len(first) >= _FULL * width and not _BEGINS.match(words)


def _breaks_off(text: str, start: int, line_end: re.Match[str]) -> bool:
    """Whether a line stops where no paragraph does, whatever the width: `We go to the`, `We go` above `by boat`."""
    before = text[max(start, text.rfind("\n", start, line_end.start()) + 1) : line_end.start()].rstrip()
    if len(before) > _LONGEST_BY_HAND or len(before.split()) < _FEWEST_WORDS_OF_A_LINE or is_ended(before):
        return False
    awaits = _AWAITING.search(before[-_LAST_WORD:]) is not None
    begun = text[start : start + 1].isupper() or BULLET.match(text[start : start + _LAST_WORD])
    if not awaits and (not begun or before[-1] == ":"):
        return False
    follows = (_LOWER_OR_MARKED if awaits else _LOWER).match(text, line_end.end())
    return follows is not None and not _BEGINS.match(text, line_end.end())


_AWAITING = re.compile(r"\s(?:the|a|an|of|and|or)\Z")
_LOWER = re.compile(r"[ \t]{0,3}[a-z]+[ ,.]")
_LOWER_OR_MARKED = re.compile(r"[ \t]{0,3}(?:[a-z]+[ ,.]|[\[`<(]\S)")
_LAST_WORD = 12  # characters in which it, or a bullet, stands
_LONGEST_BY_HAND = 90  # characters of a line that was wrapped
_FEWEST_WORDS_OF_A_LINE = 5
_CODE = 4  # spaces by which a line stands apart from the one before


def _indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())


def _width(text: str) -> int:
    """How wide the lines are where line ends are only there to keep lines short, as in old mails and books; else 0.

    Of such a text, of the lines with several words that another line follows directly, hardly any is longer than the
    width, and many are nearly as long and stop without the end of a sentence. A long address or a line of code among
    them makes no difference.
    """
    lines = _LINE_END.split(text)
    followed = [line.rstrip() for line, after in pairwise(lines) if after.strip() and len(line.split()) >= 5]
    if len(followed) < 3:
        return 0
    width = sorted(map(len, followed))[int(0.95 * (len(followed) - 1))]
    full = [line for line in followed if len(line) > 0.7 * width]
    wrapped = [line for line in full if line[-1:] not in ".!?:\"”’'"]
    return width if 40 <= width <= 120 and len(wrapped) > max(2, 0.6 * len(full), 0.35 * len(followed)) else 0


def _told(spans: Sequence[tuple[int, int]], marks: Sequence[Marked]) -> dict[int, str]:
    """The kinds of paragraphs as the file's format tells them: of each that is marked from its beginning on."""
    found = {}
    waiting = iter(marks)
    mark = next(waiting, None)
    for paragraph, (start, end) in enumerate(spans):
        while mark is not None and mark.end <= start:
            mark = next(waiting, None)
        if mark is not None and mark.start <= start and 2 * (min(end, mark.end) - start) >= end - start:
            found[paragraph] = mark.kind
    return found


class _Piece(NamedTuple):
    """A sentence within a paragraph, or what is peeled off the first of them."""

    start: int
    end: int
    kind: str
    number: str | None = None
    sums_up: bool = False


def _pieces(text: str, start: int, end: int, voice: Voice, genre: str) -> Iterator[_Piece]:
    """The sentences of a paragraph; a dateline, a number, or the label of who speaks, is peeled off the first."""
    kind = voice.kind
    if kind not in SPEAKING:
        yield _Piece(start + _leading_whitespace(text[start:end]), start + len(text[start:end].rstrip()), kind)
        return
    labels, peeled, number = _labels(text, start, end, voice, genre)
    yield from labels
    all_sums_up = sums_up(text[peeled:end]) > 0
    for first, last in _sentence_spans(text, peeled, end):
        announced = sums_up(text[first:last])
        if announced:
            yield _peeled(text, first, first + announced, HEADING)
        words = text[first + announced : last]
        sums = all_sums_up or announced > 0
        yield _Piece(first + announced, last, _kind_of_sentence(words, kind, genre), number, sums)
        number = None


def _labels(text: str, start: int, end: int, voice: Voice, genre: str) -> tuple[list[_Piece], int, str | None]:
    """What is peeled off a paragraph, where the rest begins, and the number of a clause."""
    if voice.label:
        return [_peeled(text, start, start + voice.label, SPEAKER)], start + voice.label, None
    number = (CLAUSE if genre == LEGAL else BULLET).match(text[start:end])
    if number and (genre == LEGAL or voice.kind == LIST_ITEM) and start + number.end() < end:
        shown = number.group().strip() if genre == LEGAL else None
        return [_peeled(text, start, start + number.end(), NUMBER)], start + number.end(), shown
    length = dateline_end(text[start:end]) if voice.kind == PROSE else 0
    return ([_peeled(text, start, start + length, DATELINE)] if length else []), start + length, None


def _peeled(text: str, start: int, end: int, kind: str) -> _Piece:
    return _Piece(start + _leading_whitespace(text[start:end]), start + len(text[start:end].rstrip()), kind)


def _kind_of_sentence(sentence: str, kind: str, genre: str) -> str:
    if genre in (DIALOGUE, MAIL) and is_small_talk(sentence):
        return SMALL_TALK
    if genre == DIALOGUE and is_event(sentence):
        return BOILERPLATE
    if _RULED_OFF.fullmatch(sentence.strip()):
        return BOILERPLATE
    if len(_CONTACT.findall(sentence)) > 1:
        return SIGNATURE
    if kind == LIST_ITEM and genre in (ARTICLE, PAPER) and not is_ended(sentence):
        return FRAGMENT if len(sentence.split()) < _FEWEST_WORDS_OF_AN_ITEM else kind
    pointer = is_preamble(sentence) or (genre == ARTICLE and leads_to_an_address(sentence))
    return BOILERPLATE if kind == PROSE and pointer else kind


_CONTACT = re.compile(r"\b(?:telephone|phone|mobile|tel|fax|facsimile|e-?mail(?: address)?)\.?\s*:", re.I)
_FEWEST_WORDS_OF_AN_ITEM = 8  # that stands in an article without an end


def _with_answers(sentences: list[Sentence]) -> list[Sentence]:
    """Where somebody was asked, even a `Yes.` says something."""
    asked: Sentence | None = None
    found = []
    for sentence in sentences:
        if sentence.kind == SMALL_TALK and asked and asked.speaker != sentence.speaker and sentence.text[-1:] != "?":
            sentence = replace(sentence, kind=PROSE)
        if sentence.kind != SPEAKER:
            asked = sentence if sentence.text.endswith("?") and sentence.kind == PROSE else None
        found.append(sentence)
    return found


def _with_headline(sentences: list[Sentence]) -> list[Sentence]:
    """What somebody sets above a story of theirs, without a full stop, sums it up."""
    stands_apart = len({sentence.paragraph for sentence in sentences[:2]}) == 2
    if stands_apart and sentences[0].kind == PROSE and not is_ended(sentences[0].text):
        return [replace(sentences[0], sums_up=True), *sentences[1:]]
    return sentences


def _with_lists(sentences: list[Sentence], told: bool) -> list[Sentence]:
    """Items of lists know what announces them: the line above with a colon; where the file tells of any, a heading."""
    found = list(sentences)
    above: Sentence | None = None
    for sentence, after in zip_longest(sentences, sentences[1:]):
        peeled = sentence.kind == HEADING and after is not None and after.paragraph == sentence.paragraph
        if sentence.kind == NUMBER or peeled:
            continue
        if sentence.kind not in (LIST_ITEM, FRAGMENT):
            above = sentence if _announces_a_list(sentence, told) else None
        elif sentence.text.endswith(":"):  # whose list ends where, nobody can tell
            above = None
        elif above:
            found[above.index] = replace(above, kind=ANNOUNCEMENT)
            found[sentence.index] = replace(sentence, kind=LIST_ITEM, listed=above.index)
    return found


def _announces_a_list(sentence: Sentence, told: bool) -> bool:
    if sentence.kind == HEADING and told:
        return True
    ends = sentence.text.endswith(":") and not _LEADS_ON.search(sentence.text)
    return sentence.kind in (PROSE, CAPTION, HEADING, TITLE) and ends


_LEADS_ON = re.compile(r"\b(?:start here|see also|(?:read|learn) more|links|resources|further reading)\b", re.I)


def _marks_of_mail(text: str) -> Sequence[Marked]:
    from mls.files.mail import marks_of_mail

    return marks_of_mail(text)


def _leading_whitespace(text: str) -> int:
    """How many characters of whitespace a text begins with."""
    return len(text) - len(text.lstrip())


def _sentence_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Sentences of one paragraph, without the white space around them."""
    held: tuple[int, int] | None = None
    for first, last in _segments(text, start, end):
        if held and held[1] == first and (mark := _OPENS_THE_NEXT.search(text[held[0] : first])):
            held, first = (held[0], held[0] + mark.start()), first - 1
        if held and (
            _is_no_end(text[held[0] : held[1]], text[first])
            or _is_within_a_name(text, held[1], first)
            or _is_within_a_date(text, held[1], first)
        ):
            held = (held[0], last)
            continue
        if held:
            yield held
        held = (first, last)
    if held:
        yield held


def _is_no_end(said: str, follows: str) -> bool:
    """Whether what was taken for a sentence goes on: after a name with a mark, after `Ms.` or `No.`, in `./make`."""
    if _TITLED.search(said) or (follows == "/" and said.endswith(" .")):
        return True
    if (follows.isdigit() and _NUMBERED.search(said)) or _IN_CODE.search(said):
        return True
    return follows.islower() and _NAMED_WITH_A_MARK.search(said) is not None


def _is_within_a_name(text: str, end: int, first: int) -> bool:
    """Whether a seeming end lies within what programs call something: `typing.Annotated`, `setters.NO_OP`.

    Where only a space is missing, the next sentence mostly begins with a function word: `They left.The ferry stayed.`
    """
    before = _NAME_BEFORE.search(text[max(0, end - 2) : end])
    after = _NAME_AFTER.match(text, end) if end == first and before else None
    is_initial = text[end + 1 : end + 2] == "."  # Will.I.Am
    return after is not None and (is_initial or fold(after[0]) not in STOP_WORDS)


def _is_within_a_date(text: str, end: int, first: int) -> bool:
    """Whether a seeming end stands after the day of a month: `on the 4. April`."""
    return _DAY.search(text[max(0, end - 4) : end]) is not None and _MONTH.match(text, first) is not None


_OPENS_THE_NEXT = re.compile(r"(?<=[.!?])\s{1,9}[\"'“‘]\Z")  # `She said. '` before `People came.'`
_DAY = re.compile(r"(?:\s|\A)\d{1,2}\.\Z")
_MONTH = re.compile(r"(?:Jan|Feb|Mär|Mar|Apr|Mai|May|Jun|Jul|Aug|Sep|Okt|Oct|Nov|Dez|Dec)[a-z]*\b")
_NAME_BEFORE = re.compile(r"[a-z_]\.\Z")
_NAME_AFTER = re.compile(r"\w+")


def _segments(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What a paragraph seems to be divided into; a rule of dashes divides it too."""
    for rule in _RULED_OFF.finditer(text, start, end):
        yield from _seeming(text, start, rule.start())
        yield rule.span()
        start = rule.end()
    yield from _seeming(text, start, end)


def _seeming(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if not text[start:end].strip():
        return
    position = start
    for block in _blocks(text[start:end]):
        if len(_OPENING_QUOTE.findall(block)) > _MOST_QUOTES:
            block = _OPENING_QUOTE.sub(" ", block)
        for piece in sentencex.segment("en", block.translate(_STAND_INS)):
            original = text[position : position + len(piece)]
            first = position + len(original) - len(original.lstrip())
            last = position + len(original.rstrip())
            position += len(piece)
            for end_of_one in _NO_ABBREVIATION.finditer(text, first, last):
                yield first, end_of_one.end()
                first = end_of_one.end() + _leading_whitespace(text[end_of_one.end() : last])
            if first < last:
                yield first, last


# Words that sentencex takes for abbreviations, after which no sentence could end.
_NO_ABBREVIATION = re.compile(r"(?<=\s)(?:me|no|No|ok|OK|Ok|ill|art|fed|etc)\.(?=\s+[\"'“‘(]?[A-Z])")
_RULED_OFF = re.compile(r"(?<!\S)[-=*_~]{4,}(?!\S)")
_TITLED = re.compile(r" (?:Ms|Smt|Sri|Shri|Fr|Sr|Br)\.\Z")
_IN_CODE = re.compile(r"(?:\s|\A)[\"'`]\.\Z")  # `pip install '.[files]'`
_NUMBERED = re.compile(r"\b(?:Nos?|Eqs?|Figs?|Secs?|Chap|Vol|Art|Tab|pp?)\.\Z")
_NAMED_WITH_A_MARK = re.compile(r"(?<=\b)[A-Z][a-z]+[?!]\Z")  # Which? magazine, Yahoo! of California

# sentencex stumbles over whitespace wider than a byte and over halves of surrogate pairs; each has a
# stand-in of the same length, so that offsets stay what they are.
_STAND_INS = {
    ord(space): " "
    for space in "\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
    "\u2009\u200a\u202f\u205f\u3000\x85\u2028\u2029"
} | dict.fromkeys(range(0xD800, 0xE000), "%")
_BLOCK = 5_000  # characters: its time grows with the square of the length,
_MOST_QUOTES = 500  # and with that of the quotation marks that are opened
_OPENING_QUOTE = re.compile("[“‘«‹„‚「『《〈([]")
_SENTENCE_END = re.compile(r"[.!?]\s+(?=\S)|[。！？]")


def _blocks(paragraph: str) -> Iterator[str]:
    """A very long paragraph in parts that end where a sentence surely ends."""
    start = 0
    if len(paragraph) > _BLOCK:
        for match in _SENTENCE_END.finditer(paragraph):
            if match.end() - start >= _BLOCK:
                yield paragraph[start : match.end()]
                start = match.end()
    yield paragraph[start:]
