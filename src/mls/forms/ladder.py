"""All forms of a sentence: for every length the one that keeps most of what its document is about.

Parts lie within one another or apart. What a form is worth is a sum over the words it keeps, so the best form for every
number of words is found by dynamic programming over the parts, from the innermost out, in one pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from mls.forms.names import Name
from mls.forms.parts import FIRST, HESITATION, MARKS, OPENER, Part, fits_its_article, parts_of
from mls.forms.pronouns import stands_for_itself
from mls.forms.punctuation import kept_tokens
from mls.forms.tree import FINITE, ParsedSentence
from mls.parser.tree import Parse
from mls.text import Sentence, capitalized, tidy

SHORTEST = 6  # words of a form
_UNFINISHED = frozenset(("CC", "DT", "TO", "PRP$", "WDT", "POS"))  # tags of words after which something follows
_WHOSE = frozenset("my your his its our their".split())
_MOST_PARTS = 24
SURE_ENOUGH = 0.68  # probability that a form is good English and true, below which it is doubtful
CARE = 3  # the power with which that counts among forms of one sentence: what is untrue harms more than what is missing
FORM_SURE = 0.5  # probability that a form is good English and true, below which it is none


@dataclass(frozen=True)
class Form:
    """A wording of a sentence: which of its tokens it keeps, and which parts it leaves out."""

    text: str
    kept: tuple[int, ...]
    dropped: tuple[Part, ...]
    share: float  # of what the whole sentence tells
    spans: tuple[tuple[int, int], ...]  # characters of the document
    names: tuple[Name, ...] = ()  # that stand in the place of pronouns

    @property
    def is_whole(self) -> bool:
        return not self.dropped

    @cached_property
    def sure(self) -> float:
        """The probability that it is good English and true, if doubts add up."""
        return math.prod(part.sure for part in self.dropped)

    @property
    def placed(self) -> tuple[tuple[int, Name], ...]:
        """The names in it, and the token in whose place each stands."""
        return tuple((place, name) for name in self.names if (place := name.place(self.kept)) is not None)

    @property
    def told(self) -> float:
        """What it tells of the whole sentence, for those who want it true."""
        return float(self.share * self.sure**CARE)

    @cached_property
    def is_doubtful(self) -> bool:
        return self.sure < SURE_ENOUGH or any(part.is_doubtful for part in self.dropped)


class _Choice(NamedTuple):
    """Parts that are left out, and the logarithm of what is kept, times that of how sure it is."""

    worth: float
    dropped: tuple[int, ...]


def forms_of(sentence: Sentence, parse: Parse, often: Callable[[str], float] = lambda _: 0.0) -> tuple[Form, ...]:
    """Its forms, shortest first; the last is the sentence itself. `often` knows what its document says again."""
    parsed = ParsedSentence(sentence, parse)
    whole = whole_form(sentence)
    found = {whole.kept: whole}
    for dropped in _choices(parsed, parts_of(parsed, often)):
        form = _form(parsed, dropped)
        enough = (
            sum(parsed.is_word(token) for token in form.kept) >= SHORTEST
            and _begins_well(parsed, form)
            and _ends_well(parsed, form)
            and all(fits_its_article(parsed, one, after) for one, after in pairwise(form.kept) if after > one + 1)
        )
        enough = enough and not _leaves_a_bare_participle(parsed, form) and _closes_its_brackets(parsed, form)
        enough = enough and not _tells_no_longer_apart(parsed, form)
        if enough and form.sure >= FORM_SURE and stands_for_itself(parsed, frozenset(form.kept)):
            found.setdefault(form.kept, form)
    return tuple(_ever_better(sorted(found.values(), key=lambda form: (len(form.kept), form.share))))


def _ever_better(forms: Sequence[Form]) -> Iterator[Form]:
    """Of forms by length, those that no briefer one is better than: a surer one is not given up for a few words."""
    best = 0.0
    for form in forms:
        if form.told > best:
            best = form.told
            yield form


def _begins_well(parsed: ParsedSentence, form: Form) -> bool:
    """Whether a form begins with no verb that has lost what stood before it: `Replies the man behind ...`."""
    first = next((token for token in form.kept if parsed.is_word(token)), 0)
    gone = any(parsed.is_word(token) for token in range(first))
    return not gone or parsed.parse.tags[first] not in FINITE


def _ends_well(parsed: ParsedSentence, form: Form) -> bool:
    """Whether a form ends with no word that has lost what followed it: `twenty pages and`."""
    words = [token for token in range(len(parsed)) if parsed.is_word(token)]
    last = next((token for token in reversed(form.kept) if parsed.is_word(token)), words[-1])
    unfinished = parsed.parse.tags[last] in _UNFINISHED or parsed.words[last] in _WHOSE
    return last == words[-1] or not unfinished


def _closes_its_brackets(parsed: ParsedSentence, form: Form) -> bool:
    """Whether it has as many brackets of each sort as its sentence leaves open: `CAUSE OF CAUSES (Cheltenham.`"""
    kept = [parsed.words[token] for token in form.kept]
    return all(
        kept.count(one) - kept.count(other) == parsed.words.count(one) - parsed.words.count(other)
        for one, other in ("()", "[]")
    )


def _leaves_a_bare_participle(parsed: ParsedSentence, form: Form) -> bool:
    """Whether a participle has lost all that followed it: `a synagogue built`."""
    kept = frozenset(form.kept)
    for token in form.kept:
        if parsed.parse.relations[token] == "acl" and parsed.parse.tags[token] == "VBN":
            after = [child for child in parsed.children(token) if child > token and parsed.is_word(child)]
            if after and kept.isdisjoint(after):
                return True
    return False


def _tells_no_longer_apart(parsed: ParsedSentence, form: Form) -> bool:
    """Whether two of the same name lose what told them apart: `we need a leader, but we have a leader`."""
    heads = [parsed.parse.heads[part.head] for part in form.dropped if parsed.parse.heads[part.head] in form.kept]
    nouns = [parsed.words[head] for head in dict.fromkeys(heads) if parsed.parse.tags[head] in ("NN", "NNS")]
    return len(set(nouns)) < len(nouns)


def _choices(parsed: ParsedSentence, parts: Sequence[Part]) -> Iterator[tuple[Part, ...]]:
    """What can be left out together: parts of the whole sentence, or its first clause and parts of the second."""
    for first in (None, *(part for part in parts if part.role == FIRST)):
        gone = first.tokens if first else frozenset[int]()
        others = _laminar([part for part in parts if part.role != FIRST and not part.tokens & gone])
        for choice in _best_by_length(parsed, others, gone):
            dropped = tuple(others[number] for number in choice.dropped)
            yield (first, *dropped) if first else dropped


def whole_form(sentence: Sentence) -> Form:
    """A sentence as it is, for one that is not understood."""
    kept = tuple(range(len(sentence.tokens)))
    return Form(tidy(sentence.text), kept, (), 1.0, ((sentence.start, sentence.end),))


def _laminar(parts: Sequence[Part]) -> list[Part]:
    """Parts of which any two lie within one another or apart; of two that cross, the longer goes."""
    kept: list[Part] = []
    for part in sorted(parts, key=lambda part: (len(part.tokens), part.head))[:_MOST_PARTS]:
        if all(part.tokens <= other.tokens or other.tokens <= part.tokens or not part.tokens & other.tokens
               for other in kept):  # fmt: skip
            kept.append(part)
    return kept


def _best_by_length(parsed: ParsedSentence, parts: Sequence[Part], gone: frozenset[int]) -> list[_Choice]:
    """For every number of words the best choice of parts to leave out, of what is not gone."""
    everything = Part(parsed.parse.root, frozenset(range(len(parsed))) - gone, "")
    within: dict[int, list[int]] = {number: [] for number in range(-1, len(parts))}
    for number, part in enumerate(parts):
        around = (other for other in range(number + 1, len(parts)) if part.tokens < parts[other].tokens)
        within[next(around, -1)].append(number)

    def solve(number: int) -> dict[int, _Choice]:
        part = parts[number] if number >= 0 else everything
        inner = frozenset().union(*(parts[child].tokens for child in within[number]))
        best = {sum(map(parsed.is_word, part.tokens - inner)): _Choice(0.0, ())}
        for child in within[number]:
            left = (1 - parts[child].loss) * parts[child].sure ** CARE
            options = solve(child) | {0: _Choice(math.log(max(left, 1e-6)), (child,))}
            joined: dict[int, _Choice] = {}
            for length, choice in best.items():
                for more, other in options.items():
                    both = _Choice(choice.worth + other.worth, (*choice.dropped, *other.dropped))
                    if length + more not in joined or both.worth > joined[length + more].worth:
                        joined[length + more] = both
            best = joined
        return best

    return [choice for _, choice in sorted(solve(-1).items())]


def _form(parsed: ParsedSentence, dropped: tuple[Part, ...]) -> Form:
    if not dropped:
        return whole_form(parsed.sentence)
    gone = frozenset().union(*(part.tokens for part in dropped))
    kept = kept_tokens(parsed, gone)
    text, spans = worded(parsed.sentence, kept)
    return Form(text, kept, dropped, math.prod(1 - part.loss for part in dropped), spans)


def worded(
    sentence: Sentence, kept: Sequence[int], names: Sequence[Name] = ()
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Some tokens of a sentence as a sentence, and the stretches of the document that hold them.

    Names stand in the place of the first of their tokens.
    """
    runs: list[list[int]] = []
    for token in kept:
        if runs and token == runs[-1][-1] + 1:
            runs[-1].append(token)
        else:
            runs.append([token])
    spans = tuple((sentence.tokens[run[0]].start, sentence.tokens[run[-1]].end) for run in runs)
    text = ""
    placed = {name.place(kept): name for name in names}
    for run in runs:
        piece = _piece(sentence, run, placed)
        attached = _attached(sentence, run[0]) or text.endswith(("(", "[", "“", "‘"))
        text += piece if not text or attached else f" {piece}"
    first = 1 if text[:1] in "\"'“‘" else 0  # of a quotation, the letter after its mark
    begins = bool(spans) and (spans[0][0] > sentence.start or kept[0] in placed)
    return capitalized(text, first) if begins else text, spans


def _piece(sentence: Sentence, run: Sequence[int], placed: Mapping[int | None, Name]) -> str:
    """Tokens that stand side by side as they are written, but for the names in the place of some."""
    text, start = "", sentence.tokens[run[0]].start
    for token in run:
        if token in placed:
            text += sentence.text[start - sentence.start : sentence.tokens[token].start - sentence.start]
            text += placed[token].instead_of(token)
            start = sentence.tokens[token].end
    return tidy(text + sentence.text[start - sentence.start : sentence.tokens[run[-1]].end - sentence.start])


def _attached(sentence: Sentence, token: int) -> bool:
    """Whether a token stands at the one before it, without a space: a full stop, the 's of a name."""
    word = sentence.tokens[token]
    position = word.start - sentence.start
    return (
        not word.is_word and position > 0 and not sentence.text[position - 1].isspace() and word.text not in "([“‘-–—"
    )


def without_opener_of(sentence: Sentence, form: Form) -> Form:
    """A form without the word it begins with, and the comma after it: `So, ...`, `And ...`."""
    first = form.kept[0]
    if first != 0 or len(form.kept) < 3:  # without it, nothing would be left
        return form
    rest = form.kept[2:] if sentence.keys[form.kept[1]] == "," else form.kept[1:]
    text, spans = worded(sentence, rest)
    gone = frozenset(form.kept) - frozenset(rest)
    return Form(text, rest, (Part(first, gone, OPENER), *form.dropped), form.share, spans)


def with_names(sentence: Sentence, form: Form, names: Sequence[Name]) -> Form:
    """A form in which names stand in the place of pronouns."""
    placed = tuple(name for name in names if name.place(form.kept) is not None)
    text, _ = worded(sentence, form.kept, placed)
    return replace(form, text=text, names=placed) if placed else form


def without(sentence: Sentence, form: Form, gone: frozenset[int]) -> Form:
    """A form without some tokens that say nothing; what is left begins as a sentence does."""
    rest = tuple(token for token in form.kept if token not in gone)
    if len(rest) == len(form.kept) or not any(sentence.tokens[token].is_word for token in rest):
        return form
    text, spans = worded(sentence, rest)
    left_out = frozenset(form.kept) - frozenset(rest)
    role = HESITATION if any(sentence.tokens[token].is_word for token in left_out) else MARKS
    return Form(text, rest, (Part(min(left_out), left_out, role), *form.dropped), form.share, spans)
