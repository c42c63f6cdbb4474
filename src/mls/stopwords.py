"""English function words: what RAKE cuts phrases at and what topics leave out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

STOP_WORDS = frozenset(
    """
    a about above across actually after again against ago ah ain all almost alone along already also although always
    am among amongst an and another any anybody anyone anything anyway anywhere apart are aren around as aside at away
    back be became because become becomes becoming been before beforehand behind being below beneath beside besides
    between beyond both but by
    ca came can cannot come comes could couldn
    d did didn do does doesn doing don done down during
    each either else elsewhere em enough etc even ever every everybody everyone everything everywhere except
    far few fewer for former formerly from further furthermore
    gave get gets getting give given gives giving go goes going gone gonna got gotten
    had hadn half has hasn have haven having he hello hence her here hereby herself hi him himself his how however
    i if in indeed instead into is isn it its itself
    just
    keep keeps kept knew know known knows
    last lately later latter least less let lets like likely ll look looked looking looks lot lots
    m made mainly make makes making many may maybe me mean means meanwhile might mightn mine more moreover most mostly
    much must mustn my myself
    namely near nearly need needn needs neither never nevertheless next no nobody none nonetheless nor not nothing now
    nowhere n't
    o of off often oh ok okay on once one ones only onto or other others otherwise ought our ours ourselves out outside
    over own
    per perhaps please put puts
    quite
    rather re really regarding
    s said same saw say saying says see seeing seem seemed seeming seems seen several shall shan she should shouldn
    since so some somebody somehow someone something sometime sometimes somewhere soon still such
    t take taken takes taking tell tells than that the their theirs them themselves then thence there thereby therefore
    these they thing things think this those though thought through throughout thus till to together told too took
    toward towards tried tries try trying
    under unless unlike until unto up upon upwards us use used uses using usually
    various ve very via
    want wanted wants was wasn way ways we well went were weren what whatever when whence whenever where whereas
    whereby wherein wherever whether which whichever while who whoever whole whom whose why will with within without
    wo won would wouldn
    y yeah yes yet you your yours yourself yourselves
    's 're 've 'll 'd 'm
    """.split()
)


def content_words(words: Iterable[str]) -> list[str]:
    """Words that carry meaning: no function words, no lone letters, no bare numbers."""
    return [word for word in words if len(word) > 1 and word not in STOP_WORDS and not word[0].isdigit()]


HARDLY_ENGLISH = 0.08  # share of function words below which the heads grope in the dark


def english_share(words: Sequence[str]) -> float:
    """The share of function words: nearly half in English prose, next to none in other languages."""
    return sum(word in STOP_WORDS for word in words) / max(1, len(words))
