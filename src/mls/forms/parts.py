"""Which parts of a sentence can be left out, and what each of them says.

A part is a subtree of the sentence: a relative clause, an apposition, an adverbial, an aside. Left out are only
parts without which the sentence holds as it did: nothing that denies, bounds, doubts or compares, nothing that a verb
or a noun needs, nobody who says what the rest only repeats.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mls.forms import cuts, losses
from mls.forms.halves import leaves_half
from mls.forms.pronouns import keeps_whom_it_means
from mls.forms.punctuation import DASHES
from mls.forms.tree import FINITE, NOMINAL, VERBAL, ParsedSentence, once
from mls.forms.words import (
    BEING,
    BOUNDING,
    CONDITION,
    CONTRAST,
    LIGHT_ADVERBS,
    NEGATION,
    SAYING,
    TRUTH,
    TURNING,
)

WHO, WHICH, WHEN, WHERE, HOW, WHY, ASIDE, CLAUSE, OPENER, CIRCUMSTANCE, BY = (
    "who that is", "which one", "when", "where", "how", "why", "aside", "second clause", "opener",
    "circumstance", "by whom",
)  # fmt: skip
FIRST = "first clause"
HESITATION = "hesitation"
MARKS = "marks"  # that hold nothing
# The least probability that what is left is good and true with which a part may go: where nothing else can be said, and
# anywhere. Of what the rules allow, of the rest, and of single words of the rest, for a reader takes what they bound
# for all there is: `paper tickets`.
_BY_RULE, _BY_JUDGE, _OF_A_WORD = (0.65, 0.75), (0.7, 0.8), (0.8, 0.85)
_OF_WORDS = frozenset("amod advmod compound nmod npadvmod".split())
_LEAST_CERTAIN = 0.4  # of its arc, for a part to be thought of
_VERY_SURE = 0.85
_ROOT_SURE = 0.5  # of what its main verb is
_SURE = 0.55  # probability of its arc below which a part is not told from the rest
_TIMES = frozenset(("DATE", "TIME"))
_PLACES = frozenset(("GPE", "LOC", "FAC"))
_REASONS = frozenset("because since as".split())
_REASONED = frozenset("because when if".split())  # what `only` speaks of, wherever it stands
_OPENERS = frozenset("and so meanwhile moreover furthermore additionally also besides then now well".split())
_HAVING = frozenset(
    """
    have has had having 's 've 'd get gets got need needs needed want wants wanted find finds found make makes made
    become becomes became give gives gave takes take took see sees saw
    """.split()
)
_WANTING = frozenset(
    """
    need needs needed want wants wanted deserve deserves deserved require requires required demand demands demanded
    seek seeks sought prefer prefers preferred lack lacks lacked
    """.split()
)
_LEADING_ON = frozenset("early late later shortly soon right long only even as up down out back away over off".split())
_LASTING = frozenset("over through throughout".split())  # before a time
_SUBORDINATING = frozenset("when while where after before as because since until if that although though".split())
_PUTTING = frozenset("put puts putting place places placed placing lay lays laid laying".split())
_DWELLING = frozenset("live lives lived living reside resides resided based located situated belongs belonged".split())
_PLACING = _PUTTING | frozenset("set sets setting leave leaves left keep keeps kept".split())
_MOVING = frozenset(  # verbs that move something somewhere; other endings are found by `_inflected`
    """
    drag pull push throw threw thrown carry carried carries lead led drive drove driven escort lift force lower rush
    hurl haul sweep swept fling flung shove toss tow ferry ferried march bundle drop dump pour bring brought take took
    taken transfer airlift evacuate smuggle
    """.split()
)
_DIRECTIONS = frozenset("onto into out from to off toward towards through across over down up along past".split())
_ONLY_DIRECTIONS = frozenset("onto into out off toward towards".split())  # of a verb, whatever noun they follow
_EMPTY = frozenset(  # nouns that say nothing without what follows
    """
    situation case reason place moment world idea chance point fact thing process period position state matter sense
    example instance question problem area aspect stage step action effort role feeling belief view
    """.split()
)
_DENIES = frozenset(
    "deny denies denied denying doubt doubts doubted dispute disputes disputed disputing refute refutes refuted".split()
)
_DENYING = NEGATION | frozenset(("only", "ever"))
_SWEEPING = frozenset(  # of all, none or one alone
    "no any every each all only anyone anybody anything everyone everybody everything nobody nothing none".split()
)
_TURNS_ROUND = frozenset("not ex former alleged allegedly fake failed".split())  # what it stands at, in brackets too
_OBLIGED = frozenset("have has had need needs needed".split())
_INVERTED = frozenset(("had", "were", "should"))  # `Had it rained, ...` is a condition
_MEASURES = frozenset(
    "time way lot while deal number amount bit part kind sort level rate share set series range group piece".split()
)
_USUAL_ROLES = {
    "relcl": WHICH, "acl": WHICH, "appos": WHO, "advcl": HOW, "prep": CIRCUMSTANCE, "advmod": HOW, "npadvmod": HOW,
    "conj": CLAUSE, "agent": BY, "nmod": WHO, "amod": WHICH, "intj": OPENER, "parataxis": ASIDE, "compound": WHO,
    "dep": ASIDE, "cc": OPENER,
}  # fmt: skip
_BY_RULE_ALONE = frozenset(("intj", "cc"))  # words that only join
_APPROXIMATE = frozenset(
    "more less fewer than at least most almost nearly about around roughly over under some".split()
)
_EXPECTANT = frozenset(  # words after which a colon brings what they promise
    """
    this these that those following follows is are was were said says say clear thing things be been
    include includes including included read reads wrote added one ones time times reason reasons question questions
    """.split()
)
_UNNAMED = frozenset("something anything someone somebody".split())
_CLAIMS = frozenset(  # nouns of which nothing is said but by what follows them
    """
    claim claims allegation allegations accusation accusations charge charges rumour rumours rumor rumors suspicion
    suspicions fear fears threat threats warning warnings risk evidence sign signs news attempt attempts right ability
    relationship relationships difference differences distinction link links gap
    """.split()
)
_CHARGING = frozenset(
    "charged accused convicted guilty sentenced jailed arrested suspected fined banned sued cleared acquitted".split()
)
_VIEWS = frozenset(
    "account accounts opinion view views eyes estimate estimates report reports theory principle".split()
)
_DEFINING = frozenset("is are was were been".split())
_DEFINED = 0.9  # probability that a definition is good English and true without what says more
_NAMING = frozenset(  # nouns of which the rest says everything: `Scone is a term used by ...`
    "term word phrase expression name title label concept condition member example result site home type form".split()
)
_TIED = frozenset("of to than as with without between against like unlike".split())
_KINDS = frozenset("kind kinds sort sorts type types".split())
_SPANS_OF_TIME = frozenset(
    "seconds minute minutes hour hours day days week weeks month months year years decade decades moments".split()
)
_DISTANCES = frozenset(
    "mile miles kilometre kilometres kilometer kilometers km metre metres meters yards feet away north south".split()
)
_AGAINST = frozenset("yet however nevertheless nonetheless".split())
_AT_FIRST = frozenset(("initially", "originally"))
_PICTURES = frozenset(
    "footage video videos image images picture pictures photo photos photograph photographs clip recording film".split()
)
_ASKING = frozenset(
    "ask asks asked asking know knows see find wonder wonders wondered check checked decide decides decided".split()
)
_BEFORE_NAMES = frozenset(("st", "st.", "mt", "mt.", "ft", "ft."))
_BRACKETS = {"(": ")", "[": "]"}
_WITH_A_VOWEL = re.compile(r"[aeiou8]|1[18](?!\d)", re.I)
_SILENT_H = ("hour", "honest", "honor", "honour", "heir")  # after `an`
_WITH_Y = re.compile(r"uni(?!m|n[vtfh])|us[eu]|eu|one\b|one-|once\b", re.I)  # after `a`
_SHORTEST, _LONGEST = 6, 120  # tokens of a sentence that is read


@dataclass(frozen=True)
class Part:
    """A stretch that can be left out, and what it says."""

    head: int  # the topmost of its tokens
    tokens: frozenset[int]
    role: str
    sure: float = 1.0  # the probability that what is left is good English and true
    is_doubtful: bool = False  # whether that is less than should be
    loss: float = 0.0  # of what the sentence tells


def parts_of(parsed: ParsedSentence, often: Callable[[str], float] = lambda _: 0.0) -> list[Part]:
    """All parts that can be left out, each by itself or with others. None of a sentence that is not understood.

    `often` knows what its document says again.
    """
    if why_whole(parsed):
        return []
    found = candidates(parsed)
    seen = [cuts.features(parsed, part.head, part.tokens, rules) for part, rules in found]
    wanted = [_BY_RULE if allowed else _least_sure(parsed, part) for part, (allowed, *_) in found]
    parts, seen_of_parts = [], []
    for (part, _), own, judged, (least, enough) in zip(found, seen, cuts.judged(seen), wanted, strict=True):
        sure = max(judged, _DEFINED) if _is_beyond_a_definition(parsed, part.head, part.tokens) else judged
        if sure >= least:
            parts.append(replace(part, sure=float(sure), is_doubtful=bool(sure < enough)))
            seen_of_parts.append(own)
    return _with_losses(parts, seen_of_parts, losses.Words(parsed, often)) if parts else []


def _with_losses(parts: Sequence[Part], seen: Sequence[NDArray[np.float64]], words: losses.Words) -> list[Part]:
    own = [words.features(part.tokens, part.role == FIRST) for part in parts]
    lost = losses.judged([np.concatenate([more, one]) for more, one in zip(own, seen, strict=True)])
    return [replace(part, loss=float(loss)) for part, loss in zip(parts, lost, strict=True)]


def _least_sure(parsed: ParsedSentence, part: Part) -> tuple[float, float]:
    return _OF_A_WORD if parsed.parse.relations[part.head] in _OF_WORDS else _BY_JUDGE


def candidates(parsed: ParsedSentence) -> list[tuple[Part, list[bool]]]:
    """Stretches that might go: none that says how far something holds of what stays. And what the rules say of each."""
    asides = [*((part, True) for part in _asides(parsed)), *((part, False) for part in _tail(parsed))]
    within = {part.tokens: (part, allowed) for part, allowed in (*asides, *_subtrees(parsed))}
    found = [(part, allowed) for part, allowed in within.values() if _leaves_a_sentence(parsed, part)]
    found += [
        (part, False)
        for part in _first_clause(parsed)
        if not _splits(parsed, part.tokens) and keeps_whom_it_means(parsed, part.tokens)
    ]
    return [(part, [allowed, *_rules(parsed, part)]) for part, allowed in found]


def _first_clause(parsed: ParsedSentence) -> Iterator[Part]:
    """The first of two clauses that `and` joins, up to the second: all of it, or all but the subject of both."""
    root, tags = parsed.parse.root, parsed.parse.tags
    others = parsed.children(root, "conj")
    joints = parsed.children(root, "cc", "preconj")
    if len(others) != 1 or others[0] < root or [parsed.words[joint] for joint in joints] != ["and"]:
        return
    second = others[0]
    begins, ends = parsed.span(second)
    words = [token for token in range(len(parsed)) if parsed.is_word(token)]
    if _speaks_against(parsed, second, begins):
        return
    if not begins > joints[0] or ends != words[-1] or tags[second] not in FINITE or tags[root] not in FINITE:
        return
    if parsed.is_finite(second):
        yield Part(root, frozenset(range(begins)), FIRST)
    elif tags[second] == tags[root] and not parsed.children(root, "aux", "neg", "auxpass"):
        yield Part(root, frozenset(range(root, begins)), FIRST)


def _rules(parsed: ParsedSentence, part: Part) -> list[bool]:
    """What each rule says of leaving a part out."""
    head, governor, last = part.head, parsed.parse.heads[part.head], max(part.tokens)
    clause, outer = parsed.clause(head), parsed.clause(governor)
    word, kind = parsed.words[governor], "V" if parsed.parse.tags[governor] in VERBAL else "N"
    return [
        _is_bounded(parsed, head), _is_bounded(parsed, governor), _is_torn(parsed, head, last),
        _is_set_off(parsed, head), _has_more(parsed, governor, head), _is_fixed(parsed, head), _goes_on(parsed, head),
        parsed.is_quantified(governor), _is_past(parsed, outer), _is_counted(parsed, outer), parsed.contrasts_times,
        _is_subject(parsed, governor), _is_one(parsed, governor), _tells_kind(parsed, head),
        _is_conditional(parsed, clause), _is_superlative(parsed, clause), _ends(parsed, head),
        _is_choice(parsed, clause), parsed.is_negated(outer), parsed.is_focused(outer),
        parsed.parse.relations[head] == "prep" and needs(word, kind, parsed.words[head]),
    ]  # fmt: skip


def why_whole(parsed: ParsedSentence) -> str | None:
    """Why a sentence is taken as it is or not at all; nothing is left out of what is not understood."""
    if len(parsed) < _SHORTEST:
        return "it is short"
    if len(parsed) > _LONGEST:
        return f"it has more than {_LONGEST} tokens"
    if parsed.words[-1] in ("?", ":", ";"):
        return "it is a question, or goes on after its end"
    if not parsed.is_finite(parsed.parse.root):
        return "it has no subject with a finite verb"
    if parsed.parse.certainty[parsed.parse.root] < _ROOT_SURE or parsed.words[0] in _INVERTED:
        return "it can be read in more than one way"
    return None


def _leaves_a_sentence(parsed: ParsedSentence, part: Part) -> bool:
    """A part is a stretch without the root, whole quotations or none, and whole fixed phrases."""
    tokens = part.tokens
    if parsed.parse.root in tokens:
        return False
    if any(head in tokens and token not in tokens and parsed.is_word(token)
           for token, head in enumerate(parsed.parse.heads)):  # fmt: skip
        return False
    return not (
        _splits(parsed, tokens)
        or _leaves_another_article(parsed, tokens)
        or (leaves_half(parsed, part.head, tokens) and not _is_beyond_a_definition(parsed, part.head, tokens))
        or _leaves_half_an_aside(parsed, tokens)
        or _leaves_a_quotation(parsed, tokens)
    )


def _leaves_half_an_aside(parsed: ParsedSentence, tokens: frozenset[int]) -> bool:
    """Whether only the beginning of what follows a dash would go: all of it does, to the next dash or the end."""
    first, after = min(tokens), max(tokens) + 1
    if not first or parsed.words[first - 1] not in DASHES:
        return False
    return any(map(parsed.is_word, range(after, len(parsed)))) and parsed.words[after] not in DASHES


def _leaves_a_quotation(parsed: ParsedSentence, tokens: frozenset[int]) -> bool:
    """Whether what announces a quotation would go without it: `one of them writing: ...`, `the new film, "..."`."""
    last, after = max(tokens), max(tokens) + 1
    if parsed.words[after : after + 1] == (":",):
        return any(after < min(quote) for quote in parsed.quotes)
    named = min(tokens) > 0 and parsed.parse.tags[last] in NOMINAL
    begins = after + (parsed.words[after : after + 1] == (",",))
    return named and any(min(quote) == begins for quote in parsed.quotes)


def _leaves_another_article(parsed: ParsedSentence, tokens: frozenset[int]) -> bool:
    """Whether an `a` would come to stand where it must be `an`, or the other way round: no word is altered."""
    first, after = min(tokens), max(tokens) + 1
    return first > 0 and after < len(parsed) and not fits_its_article(parsed, first - 1, after)


def fits_its_article(parsed: ParsedSentence, before: int, after: int) -> bool:
    """Whether two words can stand side by side, of which the first may be `a` or `an`. Of letters nobody knows."""
    article, word = parsed.words[before], parsed.sentence.tokens[after].text
    if article not in ("a", "an"):
        return True
    if word[1:2].isupper():
        return False
    sounds = _WITH_A_VOWEL.match(word) and not _WITH_Y.match(word)
    return bool(sounds or word.lower().startswith(_SILENT_H)) == (article == "an")


def _splits(parsed: ParsedSentence, tokens: frozenset[int]) -> bool:
    """Whether a part begins or ends within a quotation, a fixed phrase, a name or whose something is."""
    if parsed.words[max(tokens) + 1 : max(tokens) + 2] in (("'s",), ("’s",)):
        return True
    if min(tokens) and parsed.parse.tags[min(tokens) - 1] == "$" and parsed.words[min(tokens)][:1].isdigit():
        return True
    if (
        _splits_a_name(parsed, max(tokens))
        or _splits_a_word(parsed, min(tokens))
        or _splits_a_word(parsed, max(tokens) + 1)
    ):
        return True
    return any(not one <= tokens and not one.isdisjoint(tokens) for one in parsed.together)


def _splits_a_word(parsed: ParsedSentence, token: int) -> bool:
    """Whether a hyphen ties a token to the one before it: `on-loan`, taken for more than one word."""
    if not 0 < token < len(parsed):
        return False
    position = parsed.sentence.tokens[token].start - parsed.sentence.start
    around = parsed.sentence.text[position - 1 : position + 2]
    return (around[:1] == "-" and around[1:2].isalnum()) or (around[1:2] == "-" and around[::2].isalnum())


def _splits_a_name(parsed: ParsedSentence, last: int) -> bool:
    """Whether a part ends within a name that the parser takes for two: `at Anna B. | Berg School`, `of Bo, | Maine`."""
    tags = parsed.parse.tags
    after = last + 1 + (parsed.words[last + 1 : last + 2] == (".",) and last + 2 < len(parsed))  # of an initial
    if parsed.words[last] in _BEFORE_NAMES and tags[after : after + 1] in (("NNP",), ("NN",)):
        return True
    county = last + 3 >= len(parsed) or parsed.words[last + 3] == ","
    if parsed.words[last + 1 : last + 2] == (",",) and tags[last + 2 : last + 3] == ("NNP",) and county:
        return tags[last] == "NNP" and parsed.parse.relations[last] == "pobj"  # `from Bo, | Hants,`
    if tags[after : after + 1] == ("NNP",):
        return tags[last] == "NNP" and parsed.parse.relations[last] == "pobj"
    follows = parsed.words[after : after + 1] == (",",) and parsed.entity(min(last + 2, len(parsed) - 1)) in _PLACES
    return follows and parsed.entity(last) in _PLACES


def _asides(parsed: ParsedSentence) -> Iterator[Part]:
    """What stands in brackets, or between two dashes."""
    words = parsed.words
    opened: list[tuple[int, str]] = []
    for token, word in enumerate(words):
        if word in _BRACKETS:
            opened.append((token, _BRACKETS[word]))
        elif opened and word == opened[-1][1]:
            first, _ = opened.pop()
            if not opened and not _is_attached(parsed, first) and not _TURNS_ROUND.intersection(words[first:token]):
                yield from _aside(parsed, frozenset(range(first, token + 1)))
    dashes = [token for token, word in enumerate(words) if word in DASHES and not _is_between_numbers(parsed, token)]
    if len(dashes) == 2:
        yield from _aside(parsed, frozenset(range(dashes[0], dashes[1] + 1)))


def _is_attached(parsed: ParsedSentence, token: int) -> bool:
    """Whether nothing stands between a token and the one before it: `501(c)(3)` has no aside."""
    before = parsed.sentence.tokens[token].start - parsed.sentence.start - 1
    return before >= 0 and not parsed.sentence.text[before].isspace()


def _is_between_numbers(parsed: ParsedSentence, token: int) -> bool:
    """Whether a mark stands within a score, a span or a time: `72–69`, `1913-1919`, `10:30`."""
    around = parsed.words[max(0, token - 1) : token] + parsed.words[token + 1 : token + 2]
    return len(around) == 2 and all(word[:1].isdigit() for word in around) and _is_attached(parsed, token)


def _tail(parsed: ParsedSentence) -> Iterator[Part]:
    """What follows the last colon or dash of a sentence that is one without it."""
    marks = [token for token, word in enumerate(parsed.words) if word in DASHES or word in (":", ";")]
    marks = [token for token in marks if not _is_between_numbers(parsed, token)]
    if not marks or parsed.parse.root > marks[-1] or parsed.words[marks[-1] - 1] in _EXPECTANT | SAYING:
        return
    if any(marks[-1] < min(quote) for quote in parsed.quotes):
        return  # what somebody said
    if len(marks) > 1 and parsed.words[marks[-1]] == parsed.words[marks[-2]]:
        return  # it closes what the one before it opens
    ends = len(parsed) - (parsed.words[-1] in (".", "!"))
    tokens = frozenset(range(marks[-1], ends))
    told = _says_what_it_is(parsed, marks[-1] + 1) or _holds_truth(parsed, tokens)
    if sum(map(parsed.is_word, range(marks[-1]))) >= _SHORTEST and not told:
        yield from _aside(parsed, tokens)


def _says_what_it_is(parsed: ParsedSentence, first: int) -> bool:
    """Whether what begins here is the `something` of before a colon: `did something they never had: test the water`."""
    return first > 0 and parsed.words[first - 1] == ":" and not _UNNAMED.isdisjoint(parsed.words[:first])


def _aside(parsed: ParsedSentence, tokens: frozenset[int]) -> Iterator[Part]:
    inside = [token for token in sorted(tokens) if parsed.is_word(token)]
    tops = [token for token in inside if parsed.parse.heads[token] not in tokens]
    if tops:
        yield Part(tops[0], tokens, ASIDE)


def _subtrees(parsed: ParsedSentence) -> Iterator[tuple[Part, bool]]:
    """Subtrees that might go, and whether a rule lets them."""
    for token in range(len(parsed)):
        relation = parsed.parse.relations[token]
        if relation not in _USUAL_ROLES or parsed.parse.certainty[token] < _LEAST_CERTAIN:
            continue
        if parsed.parse.heads[token] == token or not parsed.is_contiguous(token):
            continue
        if relation == "advmod" and parsed.parse.relations[parsed.parse.heads[token]] == "amod":
            continue  # `the newly painted ferry`: what it describes may be nothing without it
        if relation == "amod" and parsed.parse.relations[token + 1 : token + 2] == ("compound",):
            continue  # `mixed reality training`: it may describe the next word alone
        if relation == "compound" and not _title(parsed, token) and parsed.parse.tags[token] in ("NN", "NNS"):
            continue  # a heart attack is no attack of any other kind
        first, last = parsed.span(token)
        last = _to_closing_mark(parsed, first, last)
        inside = frozenset(range(_from_conjunction(parsed, token, first), last + 1))
        if not _holds_truth(parsed, inside):
            role = _role(parsed, token)
            listed = _is_listed(parsed, token) and not _is_beyond_a_definition(parsed, token, inside)
            if not role and (relation in _BY_RULE_ALONE or listed or _is_fixed(parsed, token)):
                continue
            if _is_premise(parsed, token) or _is_needed(parsed, inside, token) or _ends_a_list(parsed, token):
                continue
            if _restricts_what_is_denied(parsed, token) or _is_within_a_denial(parsed, token):
                continue
            if not role and _is_limited(parsed, token):
                continue
            allowed = role and parsed.parse.certainty[token] >= _SURE and not _is_torn(parsed, token, last)
            yield Part(token, inside, role or _usual_role(parsed, relation, inside)), bool(allowed)


def _is_beyond_a_definition(parsed: ParsedSentence, token: int, inside: frozenset[int]) -> bool:
    """Whether a sentence says what something is, and a part at its end which one, or what it is as well.

    `Rich is a library [that writes ...]`, `Anna Berg is a painter [and the author of ...]`: what is left follows.
    """
    parse, root, noun = parsed.parse, parsed.parse.root, parsed.parse.heads[token]
    if noun == root and parse.relations[token] == "conj":  # which the parser hangs on the verb as often
        noun = next(iter(parsed.children(root, "attr")), root)
    says = parse.relations[noun] == "attr" and parse.heads[noun] == root and parsed.words[root] in _DEFINING
    if not says or _is_bounded(parsed, noun) or parsed.is_quantified(noun) or parsed.is_ordinal(noun):
        return False
    if parsed.words[noun] in _MEASURES | _EMPTY | _KINDS | _CLAIMS | _NAMING or not _has_a(parsed, noun):
        return False
    subjects = parsed.children(root, "nsubj")
    if not subjects or parse.tags[subjects[0]] not in ("NN", "NNS", "NNP", "NNPS"):
        return False
    after = range(max(inside) + 1, len(parsed))
    if any(map(parsed.is_word, after)) or min(inside) <= noun:
        return False
    if parse.relations[token] == "conj":
        others = [*parsed.children(noun, "conj"), *parsed.children(root, "conj")]
        return _has_a(parsed, token, "the") and others == [token]
    is_needed = parse.relations[token] == "prep" and (
        parsed.words[token] in _TIED or needs(parsed.words[noun], "N", parsed.words[token])
    )
    return parse.relations[token] in ("acl", "relcl", "prep") and not is_needed


def _has_a(parsed: ParsedSentence, noun: int, *others: str) -> bool:
    articles = [parsed.words[child] for child in parsed.children(noun, "det")]
    return len(articles) == 1 and articles[0] in ("a", "an", *others)


def _is_limited(parsed: ParsedSentence, token: int) -> bool:
    """Whether it is part of a condition, a denial, or of what is said of one thing alone: there every word counts."""
    verb = parsed.clause(token)
    denied = parsed.parse.relations[token] == "advcl" and parsed.is_negated(parsed.clause(parsed.parse.heads[token]))
    return denied or _is_conditional(parsed, verb) or parsed.is_negated(verb) or parsed.is_focused(verb)


def _restricts_what_is_denied(parsed: ParsedSentence, token: int) -> bool:
    """Whether it says of which things something is denied, or of which all or only they: `never read one that ...`.

    What is said of fewer may be false of more, in the clause of the noun and in those that speak of that clause.
    """
    parse, noun = parsed.parse, parsed.parse.heads[token]
    restricted = parse.tags[noun] in NOMINAL and not parse.tags[noun].startswith(("NNP", "PRP"))  # names are not
    if not restricted or parse.relations[token] == "conj" or _is_set_off(parsed, token):
        return False
    clause = parsed.clause(noun)
    around = [noun, *(above for above in parsed.ancestors(noun) if parsed.clause(above) == clause and above != clause)]
    if any(_is_sweeping(parsed, one) for one in around):
        return True
    while True:
        if parse.relations[clause] in ("relcl", "acl") and _is_sweeping(parsed, parse.heads[clause]):
            return True
        if any(word < noun and parsed.words[word] in _DENYING for word in parsed.clauses.get(clause, ())):
            return True
        if parse.relations[clause] not in ("ccomp", "xcomp", "pcomp", "relcl", "acl") or _is_set_off(parsed, clause):
            return False
        clause = parsed.clause(parse.heads[clause])


def _is_sweeping(parsed: ParsedSentence, noun: int) -> bool:
    """Whether something is said of all, of none, or of these only: `all ships`, `everyone`."""
    return any(parsed.words[word] in _SWEEPING for word in (noun, *parsed.children(noun, "det", "advmod")))


def _is_within_a_denial(parsed: ParsedSentence, token: int) -> bool:
    """Whether it is part of what somebody denies or doubts: without it they would deny more."""
    parse = parsed.parse
    path = [token, *parsed.ancestors(token)]
    return any(
        parsed.words[above] in _DENIES and parse.relations[below] in ("ccomp", "xcomp", "dobj")
        for below, above in pairwise(path)
    )


def _is_premise(parsed: ParsedSentence, token: int) -> bool:
    """Whether it opens a sentence and says on what its `can` or `would` depends: `Kept dry, the bulbs can ...`."""
    parse = parsed.parse
    opens = token <= 1 and parse.tags[token] == "VBN"
    sets_the_scene = parsed.span(token)[0] <= 1 and parse.relations[token] in ("prep", "advcl")
    helpers = [helper for helper in parsed.children(parse.heads[token], "aux") if parse.tags[helper] == "MD"]
    return (opens and bool(helpers)) or (sets_the_scene and any(parsed.words[one] == "would" for one in helpers))


def _is_needed(parsed: ParsedSentence, inside: frozenset[int], token: int) -> bool:
    """Whether the rest would be read as something else without it.

    Who `heard` something that stands before them, of what something is `a year` ahead, what stands between a name
    and what is said in apposition to another, which things somebody is charged with, and to whom somebody is joined.
    """
    parse, governor = parsed.parse, parsed.parse.heads[token]
    said = parse.relations[token] in ("acl", "parataxis", "dep", "appos")
    heard = said and (parsed.words[token] in SAYING or parsed.words[token] == "heard")
    is_attribute = parse.relations[governor] == "attr"
    amounts = [governor] if is_attribute else parsed.children(governor, "attr")
    measured = parse.relations[token] == "prep" and any(parsed.entity(amount) in _TIMES for amount in amounts)
    first, last = min(inside), max(inside)
    between = any(
        parse.relations[other] == "appos" and parse.heads[other] < first for other in range(last + 1, len(parsed))
    )
    charged = parse.relations[token] in ("amod", "compound") and any(
        parsed.words[above] in _CHARGING for above in parsed.ancestors(token)
    )
    joined = parse.tags[last] == "CC" and last + 1 < len(parsed)  # `my brother and` I
    joined = joined or (
        parse.relations[token] == "appos" and first > 0 and parse.tags[first - 1] in NOMINAL
    )  # a state `senator`
    misread = heard or measured or between or charged or joined or _speaks_against(parsed, token, first)
    misread = (
        misread
        or _is_said_of_an_apposition(parsed, token)
        or _says_since_when(parsed, token, first)
        or _leaves_a_later_time(parsed, last)
    )
    misread = misread or _is_one_of_several_times(parsed, inside, token)
    misread = misread or _is_what_it_takes(parsed, token) or _is_what_is_told(parsed, token)
    misread = misread or _describes_a_person(parsed, token) or _is_what_only_means(parsed, token)
    misread = misread or _says_what_is_wanted(parsed, token) or _makes_two_of_one(parsed, inside)
    absolute = _is_within_an_absolute(parsed, token) or _follows_with(parsed, token, first)
    absolute = absolute or _leaves_a_noun(parsed, inside, token)
    return misread or absolute or _joins(parsed, token) or _completes(parsed, inside, token)


def _says_what_is_wanted(parsed: ParsedSentence, token: int) -> bool:
    """Whether it says of which sort something wanted is: `we need a leader who listens`, `a prime minister`."""
    noun = parsed.parse.heads[token]
    wanted = parsed.parse.relations[noun] == "dobj" and parsed.words[parsed.parse.heads[noun]] in _WANTING
    describes = parsed.parse.relations[token] in ("relcl", "acl", "amod", "compound")
    return describes and wanted and any(parsed.words[one] in ("a", "an") for one in parsed.children(noun, "det"))


def _makes_two_of_one(parsed: ParsedSentence, inside: frozenset[int]) -> bool:
    """Whether of two offices of one person the second goes: `candidate and [secretary] Anna Berg` are two people."""
    first, after, tags = min(inside), max(inside) + 1, parsed.parse.tags
    joined = first > 1 and tags[first - 1] == "CC" and tags[first - 2] in ("NN", "NNS")
    return joined and tags[after : after + 1] == ("NNP",)


def _speaks_against(parsed: ParsedSentence, token: int, first: int) -> bool:
    """Whether a second clause takes back what the first says: `..., and yet nobody came`."""
    return parsed.parse.relations[token] == "conj" and not _AGAINST.isdisjoint(parsed.words[first : first + 2])


def _is_said_of_an_apposition(parsed: ParsedSentence, token: int) -> bool:
    """Whether what the parser takes for the main verb only describes the subject: `Gamez, crowned in May, came out`."""
    parse, verb = parsed.parse, parsed.parse.heads[token]
    set_off = verb > 0 and parsed.words[verb - 1] == "," and parse.tags[verb] in ("VBD", "VBN")
    if (
        parse.relations[token] != "conj"
        or not set_off
        or any(verb < joint < token for joint in parsed.children(verb, "cc"))
    ):
        return False
    return any(parsed.span(subject)[1] == verb - 2 for subject in parsed.children(verb, "nsubj", "nsubjpass"))


def _says_since_when(parsed: ParsedSentence, token: int, first: int) -> bool:
    """Whether without it something that was so for a time, or at first, would be so at another time, or for good.

    `have been friends for a year`, `Three years ago, it was where ...`, `To begin with, they argued ...`.
    """
    parse, verb = parsed.parse, parsed.parse.heads[token]
    if not first and (parsed.words[0] in _AT_FIRST or parsed.words[:3] == ("to", "begin", "with")):
        return True
    if parse.relations[token] not in ("prep", "npadvmod", "advmod") or parsed.words[verb] not in BEING:
        return False
    inside = range(first, parsed.span(token)[1] + 1)
    timed = any(parsed.entity(word) in _TIMES for word in inside)
    lasts = parsed.words[token] in ("for", "since") and parsed.words[verb] == "been"
    return timed and (lasts or (not first and parse.tags[verb] == "VBD" and "ago" in parsed.words[:5]))


def _leaves_a_later_time(parsed: ParsedSentence, last: int) -> bool:
    """Whether `four days later` follows, which counts from what would be gone."""
    after = parsed.words[last + 1 : last + 4]
    return len(after) == 3 and after[1] in _SPANS_OF_TIME and after[2] in ("later", "earlier", "afterwards", "before")


def _is_one_of_several_times(parsed: ParsedSentence, inside: frozenset[int], token: int) -> bool:
    """Whether another clause has a time of its own, at which all would seem to be: `met in May and wed a year ago`."""
    clause = parsed.clause(parsed.parse.heads[token])
    if not any(parsed.entity(word) == "DATE" for word in inside):
        return False
    others = (word for word in range(len(parsed)) if word not in inside and parsed.entity(word) == "DATE")
    joined = (parsed.clause(word) for word in others)
    return any(other != clause and "conj" in (parsed.parse.relations[other], parsed.parse.relations[clause])
               for other in joined)  # fmt: skip


def _is_what_it_takes(parsed: ParsedSentence, token: int) -> bool:
    """Whether it says by what something is so, when or against what, what follows, or how a time is spent.

    `deserve it by winning`, `it fails when two share it`, `earn money while others pay`, `when it turns and falls`,
    `spent the day fishing`.
    """
    parse, verb = parsed.parse, parsed.parse.heads[token]
    by = parsed.words[token] == "by" and parsed.children(token, "pcomp") and not _is_past(parsed, verb)
    marks = [parsed.words[mark] for mark in parsed.children(token, "mark", "advmod") if mark < token]
    against = parse.relations[token] == "advcl" and bool({"while", "whereas"} & set(marks))
    against = against and parse.tags[token] in FINITE and not (_is_past(parsed, verb) or _is_set_off(parsed, token))
    follows = parse.relations[token] == "conj" and parse.relations[verb] == "advcl" and parse.tags[token] in VERBAL
    whenever = parse.relations[token] == "advcl" and bool({"when", "whenever"} & set(marks))
    whenever = whenever and parse.tags[token] in ("VBZ", "VBP") and not _is_past(parsed, verb)  # a condition
    spent = parsed.words[verb] in ("spend", "spends", "spent", "spending") and parse.tags[token] == "VBG"
    return bool(by) or against or whenever or follows or (spent and parse.relations[token] in ("advcl", "xcomp"))


def _is_what_is_told(parsed: ParsedSentence, token: int) -> bool:
    """Whether it is the event that the rest only leads up to: what befell somebody, is shown, or is counted in."""
    parse, noun = parsed.parse, parsed.parse.heads[token]
    marks = [parsed.words[mark] for mark in parsed.children(token, "mark", "advmod") if mark < token]
    helpers = {parsed.words[child] for child in parsed.children(parse.root, "aux")}
    befell = parse.relations[token] == "advcl" and "when" in marks and parse.tags[parse.root] == "VBG"
    befell = befell and bool(helpers & {"was", "were"})  # `was fishing when he was attacked`
    shown = parse.relations[token] == "acl" and parse.tags[token] == "VBG" and parsed.words[parse.heads[noun]] == "of"
    shown = shown and parsed.words[parse.heads[parse.heads[noun]]] in _PICTURES  # `footage of a coach kicking a boy`
    included = parse.relations[token] in ("prep", "acl", "relcl") and parsed.words[parse.heads[noun]] == "including"
    return befell or shown or included


def _is_within_an_absolute(parsed: ParsedSentence, token: int) -> bool:
    """Whether it may be what `with` says of a noun after it: `stalled with the deadline due to expire at midnight`.

    That goes with the noun or not at all: `with the deadline` alone means something else.
    """
    parse, noun = parsed.parse, parsed.parse.heads[token]
    if parse.tags[noun] not in NOMINAL or token < noun or _is_set_off(parsed, token):
        return False
    said = parse.relations[token] in ("acl", "amod", "advcl")
    known = any(parsed.words[child] not in ("a", "an") for child in parsed.children(noun, "det", "poss"))
    placed = parse.relations[token] == "prep" and parsed.words[parse.heads[noun]] == "with" and known
    prepositions = (above for above in parsed.ancestors(noun) if parse.relations[above] == "prep")
    within = next((above for above in prepositions if parsed.words[above] == "with"), None)
    if within is None or parsed.clause(within) != parsed.clause(noun) or not (said or placed):
        return False
    verb = parse.heads[within]
    return parse.tags[verb] in VERBAL and not needs(parsed.words[verb], "V", "with")


def _follows_with(parsed: ParsedSentence, token: int, first: int) -> bool:
    """Whether a participle stands right after what `with` says it of: `with Rhimes, 45, leading the charge`."""
    if parsed.parse.tags[token] not in ("VBG", "VBN") or parsed.parse.relations[token] not in ("advcl", "acl"):
        return False
    before = next((other for other in range(first - 1, -1, -1) if parsed.is_word(other)), None)
    above = () if before is None else (before, *parsed.ancestors(before))
    verb = parsed.parse.heads[token]
    return any(parsed.words[one] == "with" and parsed.parse.heads[one] == verb for one in above)


def _is_what_only_means(parsed: ParsedSentence, token: int) -> bool:
    """Whether `only` may speak of it: `only acted because she had complained` is not `only acted`."""
    marks = parsed.children(token, "mark", "advmod")
    if parsed.parse.relations[token] != "advcl" or not any(parsed.words[one] in _REASONED for one in marks):
        return False
    bounds = parsed.children(parsed.parse.heads[token], "advmod")
    return any(parsed.words[bound] in ("only", "merely", "solely") and bound < token for bound in bounds)


def _leaves_a_noun(parsed: ParsedSentence, inside: frozenset[int], token: int) -> bool:
    """Whether a noun would stand by itself that a phrase leads up to: `with their tie against Oslo the best match`."""
    after = max(inside) + 1
    if (
        parsed.parse.relations[token] != "prep"
        or after >= len(parsed)
        or parsed.parse.tags[after] not in ("DT", "PRP$")
    ):
        return False
    noun = parsed.parse.heads[after]
    spoken_of = ("nsubj", "nsubjpass", "dobj", "attr", "oprd", "npadvmod", "dative", "csubj")
    return noun > after and parsed.parse.relations[noun] not in spoken_of


def _describes_a_person(parsed: ParsedSentence, token: int) -> bool:
    """Whether a noun is part of what a person is called: of a `TV personality`, nobody says `personality`."""
    parse, called = parsed.parse, parsed.parse.heads[token]
    described = parse.relations[called] in ("compound", "nmod", "appos") and called != parse.heads[called]
    person = described and "PERSON" == parsed.entity(parse.heads[called]) != parsed.entity(called)
    return parse.relations[token] in ("compound", "nmod") and person and parse.tags[called] in ("NN", "NNS")


def _joins(parsed: ParsedSentence, token: int) -> bool:
    """Whether an adverb ties one thing to another: `a charge also made against ...`, `went out then came back`.

    So does one that makes an adverb of the next word: `a letter shortly after that said ...`.
    """
    if parsed.words[token] == "then":
        return token > 1
    governor = parsed.parse.heads[token]
    if governor == token + 1 and parsed.words[governor] in ("after", "before"):
        speaks_of = parsed.parse.relations[governor] == "mark" or parsed.children(governor, "pobj", "pcomp")
        return not speaks_of or parsed.words[governor + 1 : governor + 2] in (("that",), ("which",), ("who",))
    return parsed.words[token] == "also" and parsed.parse.relations[parsed.parse.heads[token]] in (
        "acl",
        "relcl",
        "amod",
    )


def _completes(parsed: ParsedSentence, inside: frozenset[int], token: int) -> bool:
    """Whether something else would be left unfinished.

    `a figure that ...` after a name, `the kind of work that ...`, `a claim of ...`, `the first since ...`, `died weeks
    after ...`, `a mile from ...`, `put a bag over ...`, or all that something is.
    """
    parse, words, governor = parsed.parse, parsed.words, parsed.parse.heads[token]
    first = min(inside)
    describes = parse.relations[token] in ("relcl", "acl", "prep")
    articles = [words[child] for child in parsed.children(governor, "det")]
    begins = parsed.span(governor)[0]
    dashed = begins > 0 and words[begins - 1] in DASHES
    apposed = describes and (dashed or parse.relations[governor] == "appos") and articles in (["a"], ["an"])
    around = (governor, *parsed.ancestors(governor))
    of_a_kind = parse.relations[token] in ("relcl", "acl") and any(words[noun] in _KINDS for noun in around)
    since = words[first] in ("after", "before", "into") and first and words[first - 1] in _SPANS_OF_TIME
    away = words[first] in ("from", "off", "outside") and first and words[first - 1] in _DISTANCES
    counted = words[first] in ("for", "in") and any(words[token] in _SPANS_OF_TIME for token in inside)
    loved = words[first] == "with" and words[max(0, first - 1)] == "love"  # fell in love with the sea
    ranked = (words[first] == "since" or counted) and any(
        parsed.is_ordinal(before) or parse.tags[before] in ("JJS", "RBS") for before in range(first)
    )
    hedged = words[token] in ("by", "in") and any(words[noun] in _VIEWS for noun in parsed.children(token, "pobj"))
    placed = parse.relations[token] == "prep" and _is_put(parsed, token, governor)
    claimed = parse.relations[token] in ("prep", "acl", "relcl") and words[governor] in _CLAIMS and token > governor
    unfinished = (
        _says_what_it_is(parsed, first)
        or apposed
        or of_a_kind
        or placed
        or claimed
        or hedged
        or ranked
        or loved
        or bool(since or away)
    )
    return unfinished or _leaves_a_participle(parsed, token) or _leaves_nothing_to_be(parsed, inside)


def _leaves_a_participle(parsed: ParsedSentence, token: int) -> bool:
    """Whether it is all that follows a participle: `the square opened in 2001`, `the phone announced on Sunday`."""
    participle = parsed.parse.heads[token]
    if parsed.parse.relations[participle] != "acl" or token < participle:
        return False
    return not any(child > participle and parsed.is_word(child) and child != token
                   for child in parsed.children(participle))  # fmt: skip


def _is_put(parsed: ParsedSentence, token: int, verb: int) -> bool:
    """Whether a phrase says where something is put, or how it is left."""
    if token < verb or any(parsed.entity(noun) in _TIMES for noun in parsed.children(token, "pobj")):
        return False
    left = parsed.words[verb] in _PLACING and bool(parsed.children(verb, "dobj"))
    return left or parsed.words[verb] in _PUTTING | _DWELLING or _is_moved(parsed, token, verb)


def _is_moved(parsed: ParsedSentence, token: int, governor: int) -> bool:
    """Whether a phrase says where to or where from something is moved: `dragged the driver onto the road`."""
    of_object = parsed.parse.relations[governor] == "dobj" and parsed.words[token] in _ONLY_DIRECTIONS
    verb = parsed.parse.heads[governor] if of_object else governor
    moves = not _MOVING.isdisjoint(_inflected(parsed.words[verb])) and parsed.parse.tags[verb] in VERBAL
    return moves and parsed.words[token] in _DIRECTIONS and bool(parsed.children(verb, "dobj", "auxpass"))


def _leaves_nothing_to_be(parsed: ParsedSentence, inside: frozenset[int]) -> bool:
    """Whether of a main clause with `is` nothing would be left that somebody is: nothing but what is set off."""
    root = parsed.parse.root
    if parsed.words[root] not in BEING:
        return False
    follows = [
        child for child in parsed.children(root) if child > root and parsed.is_word(child) and child not in inside
    ]
    return all(_is_set_off(parsed, child) for child in follows)


def _ends_a_list(parsed: ParsedSentence, token: int) -> bool:
    """Whether it is the last of three and more: without it and its `and`, the others would stand side by side."""
    governor = parsed.parse.heads[token]
    joints = parsed.children(governor, "cc")
    if parsed.parse.relations[token] != "conj" or not joints:
        return False
    first, _ = parsed.span(governor)
    commas = "," in parsed.words[max(0, first - 1) : first + 1] and parsed.words[joints[-1] - 1] == ","
    return commas or parsed.parse.relations[governor] == "conj" or len(parsed.children(governor, "conj")) > 1


def _is_listed(parsed: ParsedSentence, token: int) -> bool:
    """Whether it is one of several things: a list is kept whole."""
    tags = parsed.parse.tags
    both = tags[token] in VERBAL and tags[parsed.parse.heads[token]] in VERBAL
    return parsed.parse.relations[token] == "conj" and not both


def _usual_role(parsed: ParsedSentence, relation: str, inside: frozenset[int]) -> str:
    """What a part of this kind says, by the names in it and its relation."""
    kinds = {parsed.entity(token) for token in inside}
    if relation in ("prep", "advmod", "npadvmod", "advcl"):
        return WHEN if kinds & _TIMES else WHERE if kinds & _PLACES else _USUAL_ROLES[relation]
    return _USUAL_ROLES[relation]


def _from_conjunction(parsed: ParsedSentence, token: int, first: int) -> int:
    """Where a part begins: the `and` before a second clause, and what stands between them, go with it."""
    if parsed.parse.relations[token] != "conj":
        return first
    joints = [joint for joint in parsed.children(parsed.parse.heads[token], "cc") if joint < first]
    return max(joints, default=first)


def _to_closing_mark(parsed: ParsedSentence, first: int, last: int) -> int:
    """Where a part ends: with the mark that closes a quotation in it, if no word stands between."""
    ends = [max(quote) for quote in parsed.quotes if first <= min(quote) <= last]
    return next((end for end in ends if end > last and not any(map(parsed.is_word, range(last + 1, end + 1)))), last)


def _is_torn(parsed: ParsedSentence, token: int, last: int) -> bool:
    """Whether a part ends in the middle of something: on an `and`, or before a word that may belong to it."""
    if parsed.parse.tags[last] in ("CC", "IN", "TO", "DT") and last != token:
        return True
    first, _ = parsed.span(token)
    if first and parsed.words[first - 1] in _LEADING_ON and parsed.parse.relations[token] == "prep":
        return True
    after = last + 1
    if after >= len(parsed):
        return False
    if parsed.words[after] == "(" or (parsed.words[after] in ("of", "to") and parsed.parse.relations[after] == "prep"):
        return True
    if parsed.words[after] in ("and", "or") and parsed.parse.tags[after + 1 : after + 2] in (("IN",), ("TO",)):
        return True
    if parsed.words[after] == "," and _list_goes_on(parsed, first, after):
        return True
    if parsed.words[after] in _SUBORDINATING and parsed.entity(last) not in _TIMES:
        return True
    return parsed.parse.tags[after] in ("VBG", "VBN", "WDT", "WP", "WP$") and parsed.parse.tags[last] in NOMINAL


def _list_goes_on(parsed: ParsedSentence, first: int, comma: int) -> bool:
    """Whether what follows a comma may go on from a part that no comma opens: `and ...`, `the name of ...`."""
    follows = parsed.words[comma + 1 : comma + 2]
    if follows in (("and",), ("or",), ("nor",)):
        return True
    noun = comma + 1 < len(parsed) and parsed.parse.tags[comma + 1] in ("DT", "PRP$", "NNP", "NN", "NNS", "VBN", "VBG")
    return noun and first > 0 and parsed.words[first - 1] not in (",", "–", "—", "--", "(")


def _holds_truth(parsed: ParsedSentence, inside: frozenset[int]) -> bool:
    """Whether a part takes away a word that says how far something holds of what stays, or one that joins clauses.

    In a clause that goes as a whole, such words go with what they speak of; so do those of a phrase, but for the few
    that bound whatever the phrase belongs to: `in no case`, `only after the war`.
    """
    return any(
        _bounds(parsed, token)
        and parsed.clause(token) not in inside
        and not _bounds_a_number(parsed, token, inside)
        and (parsed.words[token] in BOUNDING or not _goes_along(parsed, token, inside))
        for token in inside
    )


def _bounds_a_number(parsed: ParsedSentence, token: int, inside: frozenset[int]) -> bool:
    """Whether a word says how far a number holds that goes with it: `more than nine years`, `almost half`."""
    after = token + 1 + (parsed.words[token] in ("more", "less", "fewer", "at"))
    if parsed.words[token] in ("than", "least", "most") and token - 1 not in inside:
        return False
    counted = after in inside and parsed.parse.tags[after] == "CD"
    return counted and parsed.words[token] in _APPROXIMATE


@once
def _bounds(parsed: ParsedSentence, token: int) -> bool:
    """Whether a word says how far something holds, or joins clauses."""
    listed = parsed.parse.tags[token].startswith("W") or parsed.words[token] in TRUTH
    return listed and not _is_harmless(parsed, token)


def _goes_along(parsed: ParsedSentence, token: int, inside: frozenset[int]) -> bool:
    """Whether what a word speaks of goes with it; a preposition speaks of what follows it."""
    if parsed.parse.tags[token].startswith("W"):
        return False
    if parsed.parse.relations[token] == "prep" and parsed.children(token, "pobj", "pcomp"):
        return True
    return parsed.parse.heads[token] in inside and parsed.parse.heads[token] != token


def _is_harmless(parsed: ParsedSentence, token: int) -> bool:
    """Words of the lists in a use that bounds nothing: the `last` of `last week`, the `over` of `over lunch`."""
    relation = parsed.parse.relations[token]
    if parsed.entity(token) in _TIMES:
        return parsed.words[token] in (
            "last",
            "next",
            "first",
            "second",
            "third",
            "late",
            "some",
            "all",
            "same",
            "other",
        )
    if relation in ("det", "poss"):
        return parsed.words[token] in ("all", "some", "both", "another", "such", "each", "any")
    if parsed.words[token] == "late" and parsed.entity(parsed.parse.heads[token]) == "PERSON":
        return False  # of the dead
    return relation == "amod" and parsed.words[token] in ("first", "second", "third", "last", "next", "other", "late")


def _role(parsed: ParsedSentence, token: int) -> str | None:
    """What a subtree says that could be left out, or None where it can't."""
    rule = _RULES.get(parsed.parse.relations[token])
    return rule(parsed, token) if rule and parsed.parse.heads[token] != token else None


@once
def _is_set_off(parsed: ParsedSentence, token: int) -> bool:
    """Whether commas, or the sentence's own ends, stand on both sides."""
    first, last = parsed.span(token)
    before = first == 0 or parsed.words[first - 1] in (",", "–", "—", "--")
    after = parsed.words[last + 1 : last + 2] in ((",",), (".",), ("!",), ("–",), ("—",), ("--",), ()) or (
        parsed.words[last + 1] in ('"', "'")
    )
    return before and after and (first > 0 or (last + 1 < len(parsed) and parsed.words[last + 1] == ","))


def _relative_clause(parsed: ParsedSentence, token: int) -> str | None:
    noun = parsed.parse.heads[token]
    if _is_set_off(parsed, token) and not parsed.is_quantified(noun):
        return WHO if parsed.entity(noun) == "PERSON" else WHICH
    return WHICH if _tells_which(parsed, token, noun) else None


def _tells_which(parsed: ParsedSentence, token: int, noun: int) -> bool:
    """Whether something only describes one thing more closely that a clause speaks of, and is not its point."""
    first, last = parsed.span(token)
    broken = any(parsed.words[position] in (",", ";", ":") for position in range(first, min(last + 2, len(parsed))))
    return _is_one(parsed, noun) and not _is_subject(parsed, noun) and not broken


@once
def _is_subject(parsed: ParsedSentence, noun: int) -> bool:
    """Whether a clause is about a noun, or says no more than that there is one: then what it is like must be said."""
    governor = parsed.parse.heads[noun]
    if parsed.parse.relations[noun] in ("nsubj", "nsubjpass", "attr", "oprd") or parsed.words[governor] == "with":
        return True
    return parsed.parse.relations[noun] == "dobj" and parsed.words[governor] in _HAVING


@once
def _is_one(parsed: ParsedSentence, noun: int) -> bool:
    """Whether a noun phrase speaks of one thing, not of all of a kind: `a law` or `the law`, no more and no less."""
    if parsed.parse.tags[noun] != "NN" or parsed.words[noun] in _MEASURES | _EMPTY:
        return False
    if parsed.is_quantified(noun) or _is_bounded(parsed, noun):
        return False
    articles = [parsed.words[child] for child in parsed.children(noun, "det")]
    return articles in (["a"], ["an"])


@once
def _is_bounded(parsed: ParsedSentence, token: int) -> bool:
    """Whether what is said of it is denied, bounded or conditional: then nothing around it may become more general."""
    verb = parsed.clause(token)
    above = [clause for clause in parsed.ancestors(verb) if parsed.heads_clause(clause)]
    if any(parsed.is_negated(clause) or parsed.is_focused(clause) for clause in (verb, *above)):
        return True
    if _is_choice(parsed, verb):
        return True
    return _is_conditional(parsed, verb) or _is_superlative(parsed, verb) or _tells_kind(parsed, token)


@once
def _is_choice(parsed: ParsedSentence, verb: int) -> bool:
    """Whether a clause is one of two that `or` joins."""
    first = parsed.parse.heads[verb] if parsed.parse.relations[verb] == "conj" else verb
    return any(parsed.words[child] in ("or", "nor") for child in parsed.children(first, "cc"))


@once
def _tells_kind(parsed: ParsedSentence, token: int) -> bool:
    """Whether it is part of what tells a kind of things or people from others: `firms that listed before a profit`."""
    for above in (token, *parsed.ancestors(token)):
        noun = parsed.parse.heads[above]
        if parsed.parse.relations[above] in ("relcl", "acl", "amod") and parsed.parse.tags[noun] in ("NNS", "NN"):
            known = parsed.children(noun, "poss") or "the" in (parsed.words[c] for c in parsed.children(noun, "det"))
            if above != token and not known and not _is_set_off(parsed, above):
                return True
    return False


@once
def _is_conditional(parsed: ParsedSentence, verb: int) -> bool:
    """Whether a clause is, or stands in, a condition; what somebody `asked whether` is none."""
    for clause in (verb, *parsed.ancestors(verb)):
        asking = parsed.parse.heads[clause]
        asked = parsed.parse.relations[clause] == "ccomp" and parsed.words[asking] in _ASKING
        if asked and not parsed.is_negated(asking):
            continue
        marks = parsed.children(clause, "mark", "advmod")
        if any(parsed.words[mark] in CONDITION for mark in marks):
            return True
    return False


@once
def _is_superlative(parsed: ParsedSentence, verb: int) -> bool:
    return any(
        parsed.parse.tags[token] in ("JJS", "RBS", "JJR", "RBR") or parsed.is_ordinal(token)
        for token in parsed.clauses.get(verb, ())
        if parsed.entity(token) not in _TIMES
    )


def _participle(parsed: ParsedSentence, token: int) -> str | None:
    noun = parsed.parse.heads[token]
    if parsed.parse.tags[token] not in ("VBG", "VBN") or parsed.is_quantified(noun):
        return None
    if _is_set_off(parsed, token):
        return WHO if parsed.entity(noun) == "PERSON" else WHICH
    return WHICH if _tells_which(parsed, token, noun) else None


def _apposition(parsed: ParsedSentence, token: int) -> str | None:
    """Who somebody is, set off by commas; but not one of a list, which looks much the same."""
    noun = parsed.parse.heads[token]
    listed = parsed.children(token, "conj", "appos") or parsed.parse.relations[noun] == "appos"
    return WHO if _is_set_off(parsed, token) and not listed else None


def _adverbial_clause(parsed: ParsedSentence, token: int) -> str | None:
    first, _ = parsed.span(token)
    verb = parsed.parse.heads[token]
    opening = {parsed.words[child] for child in parsed.children(token, "mark", "advmod") if child <= token}
    opener = parsed.words[first]
    if opening & CONDITION or opener in CONDITION or _is_bounded(parsed, token) or _is_bounded(parsed, verb):
        return None
    if opener in ("while", "when") and parsed.parse.tags[token] == "VBG":
        return WHEN
    if (opening | {opener}) & CONTRAST or opener in ("so", "than"):
        return None
    if opener == "to" or parsed.parse.tags[token] == "VB":
        obliged = parsed.words[verb] in _OBLIGED and parsed.children(verb, "xcomp")
        return WHY if not obliged and (_is_set_off(parsed, token) or _is_purpose(parsed, token, verb)) else None
    if opener in ("when", "after", "before", "following", "as", "since") and parsed.contrasts_times:
        return None
    if opener in ("when", "where", "as") and not _is_past(parsed, verb):
        return None  # `when we open the gates`: a condition of what follows
    if opener == "as" and _is_compared(parsed, first):
        return None
    if opener in _REASONS:
        return WHEN if opener == "as" else WHY
    if opener in ("when", "after", "before", "following"):
        return WHEN
    if parsed.parse.tags[token] == "VBN" and not _is_past(parsed, verb):
        return None  # `kept in the dark`: the same
    return HOW if _is_set_off(parsed, token) else None


def _is_purpose(parsed: ParsedSentence, token: int, verb: int) -> bool:
    """Whether `to ...` tells what something was done for, by a verb that has all it needs: `flew in to meet her`."""
    return parsed.parse.certainty[token] >= _VERY_SURE and _is_past(parsed, verb) and _has_more(parsed, verb, token)


def _is_compared(parsed: ParsedSentence, first: int) -> bool:
    return bool({"as", "so", "same", "such"} & set(parsed.words[max(0, first - 4) : first]))


@once
def _is_past(parsed: ParsedSentence, verb: int) -> bool:
    tags = parsed.parse.tags
    helpers = parsed.children(verb, "aux", "auxpass")
    return tags[verb] == "VBD" or any(tags[helper] == "VBD" for helper in helpers)


def _prepositional(parsed: ParsedSentence, token: int) -> str | None:
    head = parsed.parse.heads[token]
    objects = parsed.children(token, "pobj", "pcomp")
    word = parsed.words[token]
    lasting = word in _LASTING and any(parsed.entity(child) in _TIMES for child in objects)
    if (
        not objects
        or (word in TURNING | CONTRAST | NEGATION and not lasting)
        or _is_fixed(parsed, token)
        or _goes_on(parsed, token)
    ):
        return None
    kinds = {parsed.entity(child) for child in objects}
    intro = token == 0 and _is_set_off(parsed, token)
    if _is_bounded(parsed, token) or (kinds & _TIMES and parsed.contrasts_times):
        return None
    if parsed.parse.tags[head] in VERBAL:
        return _of_a_verb(parsed, token, head, kinds, intro)
    return _of_a_noun(parsed, token, head, kinds)


def _of_a_verb(parsed: ParsedSentence, token: int, verb: int, kinds: set[str], intro: bool) -> str | None:
    word = parsed.words[token]
    role = WHEN if kinds & _TIMES else WHERE if kinds & _PLACES else CIRCUMSTANCE
    if _is_counted(parsed, verb) and not (role == WHEN and word in ("on", "at") and _is_past(parsed, verb)):
        return None
    if role == WHEN and word in ("in", "on", "at", "during", "since", "for", "by", "from", "last", "over", "after"):
        return WHEN if _has_more(parsed, verb, token) or _is_event(parsed, verb) else None
    if intro:
        return role if _is_past(parsed, verb) else None  # what holds in general holds so far as it is said
    if word == "of" or needs(parsed.words[verb], "V", word) or not _has_more(parsed, verb, token):
        return None
    if any(needs(parsed.words[noun], "N", word) for noun in parsed.children(verb, "dobj", "attr", "nsubjpass")):
        return None
    return None if word == "to" or parsed.words[verb] in _PLACING | BEING else role


@once
def _is_counted(parsed: ParsedSentence, verb: int) -> bool:
    """Whether a clause tells how many: of a wider claim the number may be false."""
    spoken_of = parsed.children(verb, "dobj", "attr", "nsubj", "nsubjpass")
    return any(parsed.children(noun, "nummod") for noun in spoken_of)


def _is_event(parsed: ParsedSentence, verb: int) -> bool:
    """Whether something happened: then it did so at whatever time."""
    return _is_past(parsed, verb) and parsed.words[verb] not in BEING and bool(parsed.children(verb, "nsubj"))


def _has_more(parsed: ParsedSentence, verb: int, without: int) -> bool:
    """Whether a verb has something to speak of beside this phrase: an object, a complement, a particle."""
    others = parsed.children(verb, "dobj", "attr", "acomp", "ccomp", "xcomp", "oprd", "dative")
    if others:
        return True
    objects = parsed.children(without, "pobj")
    placed = any(parsed.entity(noun) in _TIMES | _PLACES for noun in objects)
    passive = bool(parsed.children(verb, "auxpass")) and placed
    phrases = [child for child in parsed.children(verb, "prep", "agent", "prt") if child != without and child > verb]
    return passive or any(needs(parsed.words[verb], "V", parsed.words[child]) for child in phrases)


def _of_a_noun(parsed: ParsedSentence, token: int, noun: int, kinds: set[str]) -> str | None:
    word = parsed.words[token]
    if (
        word in ("of", "to", "as", "than", "for")
        or parsed.parse.tags[noun] not in NOMINAL
        or parsed.is_quantified(noun)
    ):
        return None
    if needs(parsed.words[noun], "N", word):
        return None
    if kinds & _TIMES:
        return WHEN
    if _is_set_off(parsed, token):
        return WHERE if kinds & _PLACES else CIRCUMSTANCE
    if kinds & _PLACES and word in ("in", "at", "on", "near", "from") and parsed.parse.tags[noun] == "NN":
        return WHERE
    return WHICH if _tells_which(parsed, token, noun) else None


def _title(parsed: ParsedSentence, token: int) -> str | None:
    """What a person is, before the name: `Finance Minister` Mathias Cormann."""
    name = parsed.parse.heads[token]
    first, _ = parsed.span(token)
    if parsed.entity(name) != "PERSON" or parsed.entity(token) == "PERSON" or parsed.parse.tags[name] != "NNP":
        return None
    begins, last = parsed.span(name)[0], parsed.span(token)[1]
    if not parsed.sentence.tokens[last + 1].text[:1].isupper():
        return None
    return WHO if first == begins and not parsed.children(name, "det", "poss", "amod", "nummod") else None


@once
def _is_fixed(parsed: ParsedSentence, token: int) -> bool:
    """Whether a preposition is one of a pair: from ... to, between ... and."""
    siblings = [parsed.words[child] for child in parsed.children(parsed.parse.heads[token], "prep")]
    if parsed.words[token] == "from" and "to" in parsed.words[token + 1 : token + 16]:
        return True
    return parsed.words[token] == "to" and "from" in siblings


@once
def _goes_on(parsed: ParsedSentence, token: int) -> bool:
    """Whether an `and` after it goes on with another of its kind, which would be left without the first."""
    _, last = parsed.span(token)
    return (
        any(word in ("and", "or", "but") for word in parsed.words[last + 1 : last + 3])
        and bool(parsed.children(parsed.parse.heads[token], "cc") or parsed.children(token, "cc", "conj"))
        and not any(parsed.parse.tags[child] in VERBAL for child in parsed.children(parsed.parse.heads[token], "conj"))
    )


def _adverb(parsed: ParsedSentence, token: int) -> str | None:
    word = parsed.words[token]
    if word not in LIGHT_ADVERBS or parsed.parse.children[token] or _is_bounded(parsed, token):
        return None
    if parsed.parse.tags[token] in ("WRB", "RBR", "RBS", "IN") or parsed.words[token - 1 : token] in (
        ("and",),
        ("or",),
    ):
        return None
    if token == 0:
        return OPENER
    return WHEN if parsed.entity(token) in _TIMES else HOW


def _noun_as_adverb(parsed: ParsedSentence, token: int) -> str | None:
    verb = parsed.parse.heads[token]
    if parsed.parse.tags[verb] not in VERBAL or parsed.entity(token) not in _TIMES or _is_bounded(parsed, token):
        return None
    return WHEN


def _second_clause(parsed: ParsedSentence, token: int) -> str | None:
    """`X did this and that` holds for `this`; not so for `or`, `but`, lists of things and what is denied."""
    first = parsed.parse.heads[token]
    verbs = parsed.parse.tags[token] in VERBAL and parsed.parse.tags[first] in VERBAL
    joined = [parsed.words[child] for child in parsed.children(first, "cc", "preconj")]
    begins, _ = parsed.span(token)
    if (
        not verbs
        or joined not in (["and"], [])
        or _is_conditional(parsed, first)
        or len(parsed.children(first, "conj")) > 1
    ):
        return None
    if not _ends(parsed, token):  # what follows may belong to either
        return None
    if not joined and not (parsed.words[begins - 1] in (",", ";") and parsed.is_finite(token)):
        return None
    by_itself = parsed.is_finite(token) and parsed.is_finite(first)  # each has its own subject: nothing binds them
    if not by_itself and (_is_bounded(parsed, first) or parsed.is_negated(token) or parsed.children(token, "conj")):
        return None
    own = (child for child in parsed.parse.children[first] if parsed.parse.relations[child] not in ("cc", "punct"))
    ends = max((child for child in own if child < begins), default=first)
    return CLAUSE if ends > first or by_itself else None  # `went and saw` is one


@once
def _ends(parsed: ParsedSentence, token: int) -> bool:
    """Whether the sentence ends with a part, or a clause does that is set off from the rest."""
    _, last = parsed.span(token)
    if not any(parsed.is_word(after) for after in range(last + 1, len(parsed))):
        return True
    around = (clause for clause in parsed.ancestors(token) if parsed.heads_clause(clause))
    return any(parsed.span(clause)[1] == last and _is_set_off(parsed, clause) for clause in around)


def _agent(parsed: ParsedSentence, token: int) -> str | None:
    """By whom something was done, where a whole clause says that it was: not of `the outfit worn by sailors`."""
    verb = parsed.parse.heads[token]
    passive = parsed.children(verb, "auxpass") and parsed.parse.tags[token - 1] != "RB"
    passive = passive and not parsed.children(token, "pcomp")  # `was moved by how few came`
    return BY if passive and not _is_bounded(parsed, token) else None


def _interjection(parsed: ParsedSentence, token: int) -> str | None:
    return OPENER if _is_set_off(parsed, token) else None


def _opening_conjunction(parsed: ParsedSentence, token: int) -> str | None:
    return OPENER if token == 0 and parsed.words[token] in _OPENERS and parsed.words[1:2] != ("much",) else None


_RULES = {
    "relcl": _relative_clause,
    "acl": _participle,
    "appos": _apposition,
    "advcl": _adverbial_clause,
    "prep": _prepositional,
    "advmod": _adverb,
    "npadvmod": _noun_as_adverb,
    "conj": _second_clause,
    "agent": _agent,
    "compound": _title,
    "nmod": _title,
    "intj": _interjection,
    "cc": _opening_conjunction,
}


@cache
def _arguments() -> dict[str, list[str]]:
    path = resources.files("mls") / "assets" / "forms" / "arguments.json"
    found: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def needs(word: str, kind: str, preposition: str) -> bool:
    """Whether a verb (V) or noun (N) is so often followed by this preposition that it asks for it.

    >>> needs("accused", "V", "of"), needs("said", "V", "in")
    (True, False)
    """
    return any(preposition in _arguments().get(kind + form, ()) for form in _inflected(word))


@cache
def _inflected(word: str) -> tuple[str, ...]:
    """A word and what it may be in other forms, as far as endings tell.

    >>> "match" in _inflected("matching"), "matched" in _inflected("matches")
    (True, True)
    """
    bases = {word, *(word.removesuffix(end) for end in ("ing", "ed", "es", "s") if word.endswith(end))}
    bases |= {base + "e" for base in bases} | {base[:-1] for base in bases if base[-2:-1] == base[-1:]}
    return tuple(sorted(base + end for base in bases for end in ("", "s", "es", "d", "ed", "ing")))
