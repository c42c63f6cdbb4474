"""What a sentence would be left with half of if a part went: a pair, a parallel, a name, a measure, a limit.

Every question is of a part and what stands around it. Each came from a shortened sentence that an editor found broken
or untrue; what is lost is quoted in brackets.
"""

from __future__ import annotations

from collections.abc import Iterator

from mls.forms.tree import NOMINAL, VERBAL, ParsedSentence

_NEAR, _FEW = 4, 2  # words
_PAIRED = {"either": "or", "neither": "nor", "both": "and"}
_PARTICLES = frozenset("up down out off over away back apart together".split())
_INSTITUTIONS = frozenset(
    "university college institute school academy hospital museum church bank court airport station".split()
)
_OF_A_NAME = frozenset("in of at for".split())
_TIMES = frozenset("second minute hour day night week month year season game match".split())
_RATES = frozenset("daily weekly monthly yearly annually hourly nightly apiece".split())
_QUALIFYING = frozenset("qualify qualifies qualified eligible entitled allowed permitted".split())
_ONCE = frozenset("after upon once on when".split())
_AGREEING = frozenset("agree agrees agreed support supports supported approve approved accept accepted backed".split())
_WITH_OTHERS = frozenset("friends terms contact touch talks love".split())
_DEFINING = frozenset("define defines defined defining".split())
_WHERE = frozenset("in at near outside inside around on".split())
_STEPS = frozenset("after before once when by on upon while".split())
_COMPANY = frozenset(
    (first, second)
    for first, second in (
        *(("in", word) for word in ("collaboration", "partnership", "conjunction", "cooperation", "concert")),
        ("together", "with"),
        ("jointly", "with"),
    )
)
_COMPLEMENTS = ("dobj", "xcomp", "ccomp", "acomp", "attr", "oprd", "prep", "agent", "prt", "nsubjpass", "dative")


def leaves_half(parsed: ParsedSentence, head: int, tokens: frozenset[int]) -> bool:
    """Whether something would be left half, or said of more than it is true of."""
    first, last = min(tokens), max(tokens)
    return (
        _half_a_pair(parsed, first, tokens)
        or _half_a_parallel(parsed, first, last, tokens)
        or _an_adverb(parsed, first, last, tokens)
        or _a_particle(parsed, first, last)
        or _a_preposition_to_a_name(parsed, first, last)
        or _a_modifier(parsed, first, last, tokens)
        or _half_a_name(parsed, first)
        or _half_a_list(parsed, head, first)
        or _a_verb_without_its_object(parsed, head, tokens)
        or _a_number_without_its_time(parsed, first, last, tokens)
        or _an_unbounded_best(parsed, head, first)
        or _an_unbounded_claim(parsed, head, first)
        or _a_place_or_a_step(parsed, head, last, tokens)
        or _who_else_did_it(parsed, first)
        or _which_of_so_many(parsed, head, first)
    )


def _half_a_pair(parsed: ParsedSentence, first: int, tokens: frozenset[int]) -> bool:
    """`either move away [or stay]`"""
    begun = {
        _PAIRED[word] for token, word in enumerate(parsed.words[:first]) if word in _PAIRED and token not in tokens
    }
    return any(parsed.words[token] in begun and parsed.parse.tags[token] == "CC" for token in tokens)


def _half_a_parallel(parsed: ParsedSentence, first: int, last: int, tokens: frozenset[int]) -> bool:
    """`thrashed 6-3 [by Leeds] and 5-1 by York`"""
    same = parsed.parse.relations[first] in ("prep", "agent")
    counted = parsed.parse.tags[first] == "CD" and last - first < _FEW
    around = range(max(0, first - _NEAR), min(len(parsed), last + 1 + _NEAR))
    for joint in (at for at in around if parsed.words[at] in ("and", "or") and at not in tokens):
        beside = range(joint + 1, joint + 1 + _NEAR) if joint > last else range(max(0, joint - _NEAR), joint)
        for at in (at for at in beside if at < len(parsed) and at not in tokens):
            between = range(min(first, joint, at), max(last, joint, at))
            if joint in parsed.subtrees[at] or any(_is_verb(parsed, one) for one in between if one not in tokens):
                continue
            if (same and parsed.words[at] == parsed.words[first]) or (counted and parsed.parse.tags[at] == "CD"):
                return True
    return False


def _an_adverb(parsed: ParsedSentence, first: int, last: int, tokens: frozenset[int]) -> bool:
    """`lost him [because he was born] prematurely`"""
    after = last + 1
    if not first or after >= len(parsed) or parsed.parse.tags[after] != "RB" or not parsed.words[after].endswith("ly"):
        return False
    clause = any(parsed.parse.relations[token] in ("conj", "advcl") for token in tokens)
    return clause and parsed.is_word(last)


def _a_particle(parsed: ParsedSentence, first: int, last: int) -> bool:
    """`caught on camera [in extreme close] up gnawing`"""
    return parsed.parse.tags[first] == "IN" and parsed.words[last + 1 : last + 2] != () and (
        parsed.words[last + 1] in _PARTICLES and parsed.parse.tags[last + 1] in ("RP", "RB", "IN")
    )  # fmt: skip


def _a_preposition_to_a_name(parsed: ParsedSentence, first: int, last: int) -> bool:
    """`director of [the British Museum] Ann Lee`"""
    if not first or last + 1 >= len(parsed) or parsed.parse.tags[first] != "DT":
        return False
    return parsed.parse.tags[first - 1] == "IN" and parsed.parse.tags[last + 1] in ("NNP", "NNPS")


def _a_modifier(parsed: ParsedSentence, first: int, last: int, tokens: frozenset[int]) -> bool:
    """`lost weight [on the high-protein,] low-carbohydrate diet`, `a shooting [at a Delhi, India,] tourist site`"""
    tags = parsed.parse.tags
    words = [token for token in range(first, last + 1) if parsed.is_word(token)]
    after = next((token for token in range(last + 1, len(parsed)) if parsed.is_word(token)), None)
    if after is None or tags[first] != "IN" or not words:
        return False
    comma = parsed.words[after - 1] == ","
    hyphened = "-" in parsed.words[words[-1]] and "-" in parsed.words[after]
    if comma and (tags[words[-1]] == "JJ" or hyphened) and tags[after] in ("JJ", "NN", "NNS"):
        return True
    named = any(parsed.words[token] in ("a", "an", "the") for token in tokens)
    return comma and named and tags[after] == "NN" and tags[words[-1]] in ("NNP", "NNPS")


def _half_a_name(parsed: ParsedSentence, first: int) -> bool:
    """`the American University [in Cairo]`"""
    if not first or parsed.words[first] not in _OF_A_NAME or parsed.words[first - 1] not in _INSTITUTIONS:
        return False
    return parsed.sentence.tokens[first - 1].text.istitle() and parsed.parse.tags[first + 1 : first + 2] in (
        ("NNP",), ("NNPS",),
    )  # fmt: skip


def _half_a_list(parsed: ParsedSentence, head: int, first: int) -> bool:
    """`Profits are down, growth is slow [and the market is soft]`"""
    other = parsed.parse.heads[head]
    if (
        parsed.parse.relations[head] == "appos" and "(" not in parsed.words[first - 1 : first + 1]
    ):  # `115 grams of one[, 99 grams of another, as well as a third]`
        return bool(parsed.children(head, "nummod") and parsed.children(other, "nummod"))
    if parsed.parse.relations[head] != "conj" or parsed.words[first] not in ("and", "or") or not _is_verb(parsed, head):
        return False
    beside = [one for one in parsed.children(other, "conj", "ccomp", "parataxis") if one < first and one != head]
    beside += [parsed.parse.heads[other]] if parsed.parse.relations[other] in ("conj", "parataxis") else []
    return any(_is_joined_by_a_comma(parsed, *sorted((one, other))) for one in beside if _is_verb(parsed, one))


def _is_verb(parsed: ParsedSentence, token: int) -> bool:
    return parsed.parse.tags[token] in VERBAL


def _is_joined_by_a_comma(parsed: ParsedSentence, one: int, other: int) -> bool:
    between = parsed.words[one + 1 : other]
    return "," in between and not {"and", "or", "but"} & {*between}


def _a_verb_without_its_object(parsed: ParsedSentence, head: int, tokens: frozenset[int]) -> bool:
    """`scientists have studied[, probed and analysed the organ]`, `remains friends [with his assistant]`"""
    first = min(tokens)
    if first and parsed.words[first] == "with" and parsed.words[first - 1] in _WITH_OTHERS:
        return True
    other = parsed.parse.heads[head]
    if parsed.parse.relations[head] != "conj" or not (_is_verb(parsed, head) and _is_verb(parsed, other)):
        return False
    if first - other > _FEW or parsed.children(other, "auxpass"):
        return False
    complements = [child for child in parsed.children(other, *_COMPLEMENTS) if child > other]
    if complements or parsed.children(head, "nsubj", "nsubjpass"):
        return False
    return any(parsed.parse.relations[token] == "dobj" for token in tokens)


def _a_number_without_its_time(parsed: ParsedSentence, first: int, last: int, tokens: frozenset[int]) -> bool:
    """`2,200 people died [each year]`, `46.5 deaths [per million]`"""
    if parsed.words[first] == "per":
        return True
    each = parsed.words[first] in ("each", "every", "a", "an") and parsed.words[first + 1 : first + 2] != ()
    timed = each and last == first + 1 and parsed.words[last] in _TIMES
    if not timed and not (first == last and parsed.words[first] in _RATES):
        return False
    return any(
        parsed.parse.tags[token] == "CD" and parsed.entity(token) not in ("DATE", "TIME")
        for token in range(len(parsed))
        if token not in tokens
    )


def _an_unbounded_best(parsed: ParsedSentence, head: int, first: int) -> bool:
    """`one of the most haunted buildings [in America]`"""
    if parsed.parse.relations[head] not in ("prep", "acl", "relcl") or (first and parsed.words[first - 1] == ","):
        return False
    return any(_is_the_best(parsed, above) for above in parsed.ancestors(head) if above < first)


def _is_the_best(parsed: ParsedSentence, noun: int) -> bool:
    if not parsed.parse.tags[noun].startswith("N") or parsed.words[noun].startswith("friend"):
        return False
    own = parsed.children(noun, "amod", "advmod", "nummod")
    own += [word for one in own for word in parsed.children(one, "advmod")]
    return any(parsed.parse.tags[word] in ("JJS", "RBS") and word < noun for word in own)


def _an_unbounded_claim(parsed: ParsedSentence, head: int, first: int) -> bool:
    """`qualify [after completing ...]`, `agreed to support it [with amendments]`, `is out of contract [this summer]`"""
    if any(parsed.words[above] in _DEFINING for above in parsed.ancestors(head)):
        return True
    around = {parsed.words[above] for above in _governors(parsed, head)}
    word, tags = parsed.words[first], parsed.parse.tags
    if (word in _ONCE and not _QUALIFYING.isdisjoint(around)) or (word == "with" and not _AGREEING.isdisjoint(around)):
        return True
    verb = parsed.clause(parsed.parse.heads[head])
    present = tags[verb] in ("VBZ", "VBP") and not parsed.children(verb, "aux", "auxpass")
    return present and word in ("this", "next") and parsed.parse.relations[head] in ("npadvmod", "tmod")


def _a_place_or_a_step(parsed: ParsedSentence, head: int, last: int, tokens: frozenset[int]) -> bool:
    """`officials [in Ayr] said the fire there was out`, `[After cloning it] you have checked out a branch`"""
    words, tags, verb = parsed.words, parsed.parse.tags, parsed.clause(parsed.parse.heads[head])
    placed = words[min(tokens)] in _WHERE and any(tags[token] == "NNP" for token in tokens)
    there = any(
        words[at] == "there" and (tags[at] == "RB" or tags[at - 1] in NOMINAL) for at in range(last + 1, len(parsed))
    )
    told = any(words[subject] == "you" for subject in parsed.children(verb, "nsubj"))
    step = words[min(tokens)] in _STEPS and any(tags[token] in VERBAL for token in tokens)
    return (placed and there) or (told and step)


def _who_else_did_it(parsed: ParsedSentence, first: int) -> bool:
    """`opened a studio [in collaboration with his wife]`"""
    return parsed.words[first : first + 2] in _COMPANY


def _which_of_so_many(parsed: ParsedSentence, head: int, first: int) -> bool:
    """`there are 722 characters [which portray an emotion]`"""
    noun = parsed.parse.heads[head]
    described = parsed.parse.relations[head] in ("relcl", "acl") and parsed.words[first - 1 : first] != (",",)
    return described and bool(parsed.children(noun, "nummod"))


def _governors(parsed: ParsedSentence, token: int) -> Iterator[int]:
    """What a part depends on, up to its third governor."""
    for number, above in enumerate(parsed.ancestors(token)):
        if number == 3:
            return
        yield above
