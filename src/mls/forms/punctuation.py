"""Which commas and dashes stay when parts of a sentence go."""

from __future__ import annotations

from mls.forms.tree import FINITE, ParsedSentence

DASHES = frozenset(("-", "--", "–", "—"))
_SEPARATORS = frozenset((",", ";", ":")) | DASHES
_MODIFIERS = frozenset("appos relcl acl advcl prep advmod npadvmod parataxis conj intj nmod dep".split())


def kept_tokens(parsed: ParsedSentence, gone: frozenset[int]) -> tuple[int, ...]:
    """The tokens that stay: the words that are not gone, and the punctuation that they still need."""
    if not gone:
        return tuple(range(len(parsed)))
    kept = [token for token in range(len(parsed)) if token not in gone and _stays(parsed, token, gone)]
    return tuple(_tidied(parsed, [token for token in kept if not _is_orphan(parsed, token, kept)]))


def _is_orphan(parsed: ParsedSentence, token: int, kept: list[int]) -> bool:
    """Whether a comma parts a subject from its verb and no other opens what it closes: `Glaser and her doctors, have`.

    The one that did may have gone with an age or an apposition.
    """
    after = next((other for other in kept if other > token), None)
    if parsed.words[token] != "," or after is None or parsed.parse.tags[after] not in FINITE:
        return False
    verb = parsed.clause(after)
    subjects = (parsed.span(child) for child in parsed.children(verb, "nsubj", "nsubjpass", "csubj"))
    around = next(((first, last) for first, last in subjects if first < token <= last + 1), None)
    if around is None or after not in (verb, *parsed.children(verb, "aux", "auxpass")):
        return False
    within = range(around[0], around[1] + 2)
    others = [other for other in within if parsed.words[other] in _SEPARATORS and other != token]
    return bool(others) and set(kept).isdisjoint(others)


def _stays(parsed: ParsedSentence, token: int, gone: frozenset[int]) -> bool:
    """A separator stays where the words on both sides do, or where it sets off something that stays."""
    if parsed.words[token] == "." and token - 1 in gone and any(map(parsed.is_word, range(token + 1, len(parsed)))):
        return False  # of an abbreviation that is gone
    if parsed.words[token] not in _SEPARATORS:
        return True
    until = token
    while until and parsed.words[until - 1] in (")", "]") and until - 1 in gone:  # brackets between make no difference
        until = next((position for position in range(until - 1, 0, -1) if parsed.words[position] in ("(", "[")), 0)
    before = next((position for position in range(until - 1, -1, -1) if parsed.is_word(position)), None)
    after = next((position for position in range(token + 1, len(parsed)) if parsed.is_word(position)), None)
    if before is None or after is None:
        return False
    if before not in gone and after not in gone:
        return True
    if after not in gone and token == _open_dash(parsed):
        return True
    left = next(
        (position for position in range(before, -1, -1) if parsed.is_word(position) and position not in gone), None
    )
    if left is not None and after not in gone and _new_clause(parsed, left, after):
        return True
    if before not in gone and _begins_more(parsed, after, gone):
        return True
    return any(_sets_off(parsed, token, before, after, top, gone) for top in range(len(parsed)) if top not in gone)


def _begins_more(parsed: ParsedSentence, first: int, gone: frozenset[int]) -> bool:
    """Whether what is gone after a separator only began something that stays: `..., harbour master Tom Bell said`."""
    stays = next((token for token in range(first, len(parsed)) if token not in gone), None)
    if stays is None or not parsed.is_word(stays):
        return False
    return any(parsed.span(top)[0] == first for top in (stays, *parsed.ancestors(stays)) if top not in gone)


def _open_dash(parsed: ParsedSentence) -> int | None:
    """The dash after which a sentence ends in an afterthought: one that no other closes."""
    dashes = [token for token, word in enumerate(parsed.words) if word in DASHES]
    return dashes[-1] if len(dashes) % 2 else None


def _new_clause(parsed: ParsedSentence, left: int, right: int) -> bool:
    """Whether a clause ends before a separator, and what follows belongs to another one that it does not hold."""
    one, other = parsed.clause(left), parsed.clause(right)
    if one == other or one in parsed.ancestors(other):
        return False
    first, _ = parsed.span(one)
    modifier = parsed.parse.relations[one] in ("relcl", "acl") and parsed.words[first - 1] not in _SEPARATORS
    within = (above for above in parsed.ancestors(one) if other in parsed.ancestors(above))
    if any(parsed.parse.relations[above] == "ccomp" for above in within):  # `..., who fell ill, officials said`
        return True
    return not (modifier and other in parsed.ancestors(one))


def _sets_off(parsed: ParsedSentence, token: int, before: int, after: int, top: int, gone: frozenset[int]) -> bool:
    """Whether a separator opens or closes a modifier that stays, though a part at that end of it is gone."""
    if parsed.parse.relations[top] not in _MODIFIERS:
        return False
    first, last = parsed.span(top)
    if last == before:  # it closes what another separator, or the sentence's beginning, has opened
        return first == 0 or parsed.words[first - 1] in _SEPARATORS
    closed = parsed.words[last + 1 : last + 2] == (",",) and last + 1 not in gone  # `Tom, 66, of Bo, said` without 66
    accompanies = parsed.parse.relations[top] == "advcl" and parsed.parse.tags[top] == "VBG"  # `..., changing lives`
    added = closed or accompanies or parsed.parse.relations[top] in ("appos", "relcl", "acl")
    return (
        first == after and first not in gone and (added or before not in gone or not _is_opened(parsed, before, gone))
    )


def _is_opened(parsed: ParsedSentence, last: int, gone: frozenset[int]) -> bool:
    """Whether a separator, or the sentence's beginning, opens what is gone up to here."""
    start = next((token + 1 for token in range(last, -1, -1) if token not in gone), 0)
    return start == 0 or parsed.words[start - 1] in _SEPARATORS


def _tidied(parsed: ParsedSentence, kept: list[int]) -> list[int]:
    """No separator at the beginning or the end, none before other punctuation that ends something, no two in a row.

    An abbreviation that ends with a full stop ends a sentence as well.
    """
    tidy: list[int] = []
    for token in kept:
        if parsed.words[token] == "." and tidy and tidy[-1] < token - 1 and parsed.words[tidy[-1]].endswith("."):
            continue
        if parsed.words[token] in _SEPARATORS and not tidy:
            continue
        if tidy and parsed.words[tidy[-1]] in _SEPARATORS and not parsed.is_word(token):
            if parsed.words[token] in _SEPARATORS:
                continue
            if parsed.words[token] in (".", "!", "?"):
                tidy.pop()
        tidy.append(token)
    while tidy and parsed.words[tidy[-1]] in _SEPARATORS:
        tidy.pop()
    return tidy
