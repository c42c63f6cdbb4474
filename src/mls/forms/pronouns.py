"""Whom a pronoun means: nobody whom a form of the sentence leaves out."""

from __future__ import annotations

from mls.forms.tree import ParsedSentence, once

FEMALE = frozenset("she her hers herself".split())
MALE = frozenset("he him his himself".split())
MANY = frozenset("they them their theirs themselves".split())
THINGS = frozenset("it its itself".split())
_NOTHING = frozenset("anything something everything nothing anyone someone everyone nobody one thing things".split())
PRONOUNS = FEMALE | MALE | MANY | THINGS
WOMEN = frozenset(
    """
    woman women girl mother mum mom daughter sister wife girlfriend gf aunt grandmother grandma niece lady queen
    princess actress waitress bride widow ex-wife ex-girlfriend stepmother mistress duchess nun hostess heroine
    """.split()
)
MEN = frozenset(
    """
    man men boy father dad son brother husband boyfriend bf uncle grandfather grandpa nephew gentleman king prince actor
    waiter groom widower ex-husband ex-boyfriend stepfather guy dude duke monk priest
    """.split()
)


@once
def candidates(parsed: ParsedSentence, pronoun: int) -> list[int]:
    """The names and nouns before a pronoun, in its own sentence, that it can mean."""
    word = parsed.words[pronoun]
    own = set() if word.endswith(("self", "selves")) else _subjects_beside(parsed, pronoun)
    return [token for token in range(pronoun) if token not in own and _can_mean(parsed, token, word)]


def _subjects_beside(parsed: ParsedSentence, pronoun: int) -> set[int]:
    """The subject of the verb whose object a pronoun is: it would have to say `themselves` to mean that."""
    if parsed.parse.relations[pronoun] not in ("dobj", "dative", "pobj"):
        return set()
    subjects = parsed.children(parsed.clause(pronoun), "nsubj", "nsubjpass")
    return {token for subject in subjects for token in parsed.subtrees[subject]}


def _can_mean(parsed: ParsedSentence, token: int, word: str) -> bool:
    tag, entity = parsed.parse.tags[token], parsed.entity(token)
    if parsed.words[parsed.parse.heads[token]] in ("like", "unlike"):
        return False  # `Like her, he ...`: another one
    if parsed.words[token] in _NOTHING or entity in ("DATE", "TIME"):
        return False
    if word in FEMALE or word in MALE:
        ours, others = (WOMEN, MEN) if word in FEMALE else (MEN, WOMEN)
        if parsed.words[token] in ours or parsed.words[token] in others:
            return parsed.words[token] in ours
        subject = tag in ("NN", "NNP") and parsed.parse.relations[token] in ("nsubj", "nsubjpass", "poss", "dobj")
        return entity == "PERSON" or subject
    if tag in ("NNS", "NNPS") or entity in ("ORG", "GPE", "NORP"):
        return True
    return tag in ("NN", "NNP") and word not in MANY


def stands_for_itself(parsed: ParsedSentence, kept: frozenset[int]) -> bool:
    """Whether every pronoun of a form still has before it whom it meant, if the sentence had.

    Of the one meant last, and of the subjects before it, at least one must be there: `When I met my midwife, she ...`
    is no sentence without the midwife.
    """
    for pronoun in sorted(kept):
        if parsed.words[pronoun] in PRONOUNS and parsed.parse.tags[pronoun] in ("PRP", "PRP$"):
            possible = candidates(parsed, pronoun)
            if possible and not any(token in kept for token in possible):
                return False
    return True


def keeps_whom_it_means(parsed: ParsedSentence, gone: frozenset[int]) -> bool:
    """Whether no pronoun that stays would come to mean somebody else: the last that it can mean is not gone."""
    pronouns = (token for token in range(max(gone), len(parsed)) if parsed.parse.tags[token] in ("PRP", "PRP$"))
    meant = (candidates(parsed, token) for token in pronouns if parsed.words[token] in PRONOUNS)
    return not any(possible and possible[-1] in gone for possible in meant)
