"""Every claim of the paper about what came out, beside what we found: a page that no hand writes.

The verdicts are worked out from the findings, which are the lines of claims.csv: whoever has that file can make the
first table of the page again (`tools/claims.py` puts it wherever it is shown).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, mean, median

from mls.corpora.records import Record
from mls.evaluation.metrics import METRICS
from mls.lab.evidence import AND_LEAD, BASELINES, OURS, SAMPLING, TRAINED, WEIGHT, Evidence, Finding
from mls.text import Document

# Table 1 of the paper: pairs, and the most, the median and the mean of sentences.
TABLE_1 = {"D1": (476, 130, 15, 18.65), "D2": (186, 82, 33, 33.23)}
NO_VALUE = "·"  # at a budget where others have one
_UNKNOWN = "not measured"
FIGURES = "[figures](claims.csv)"

Row = list[Finding | None]  # of one data set, a budget each
Rows = Mapping[str, Row]  # by data set


@dataclass(frozen=True)
class Claim:
    """What the paper says, which findings tell whether it is so, how they are shown and how they are judged."""

    says: str
    judged: Callable[[Rows], str]
    method: str = ""
    beside: str = ""
    metric: str = ""
    budgets: tuple[int | None, int | None] = (None, None)  # from, to
    shown: Callable[[Row], str] = lambda row: signs(row)
    where: str = FIGURES
    is_chief: bool = False


def signs(row: Row) -> str:
    """A sign for each budget.

    >>> signs([Finding("d", "m", "b", "rouge1", "1/4", 1.0, sign="+"), None])
    '+ ·'
    """
    return " ".join(one.sign or NO_VALUE if one else NO_VALUE for one in row)


def _means(row: Row) -> str:
    return ", ".join(f"{one.ours:.{_digits(one)}f}" if one else NO_VALUE for one in row)


def differences(row: Row) -> str:
    return ", ".join(_difference(one) if one else NO_VALUE for one in row)


def _difference(one: Finding) -> str:
    if one.difference is None:
        return NO_VALUE
    return f"{one.difference:+.{_digits(one)}f}" + "\\*" * (one.sign in ("+", "-"))


def _digits(one: Finding) -> int:
    return METRICS[one.metric].digits if one.metric in METRICS else 1


def _relative(row: Row) -> str:
    return ", ".join(f"{share:+.0f}%" for share in _shares(row))


def _shares(row: Row) -> list[float]:
    """By how many percent ours is better than theirs: more, or where less is better, theirs more than ours."""
    pairs = [(one.ours, one.theirs, METRICS[one.metric].better) for one in row if one and one.theirs]
    return [100 * ((ours / theirs if better > 0 else theirs / ours) - 1) for ours, theirs, better in pairs if ours]


def _signs_of(rows: Rows) -> list[str]:
    """All signs, or none where one is unknown: those that happen to be known would not tell of the others."""
    found = [one.sign for row in rows.values() for one in row if one]
    return found if all(found) else []


def _word(good: int, of: int) -> str:
    """
    >>> [_word(good, 15) for good in (15, 8, 3, 1, 0)]
    ['**so**', 'mostly', 'in part', 'hardly', '**not so**']
    """
    least = {"**so**": of, "mostly": of / 2 + 0.5, "in part": of / 5, "hardly": 1, "**not so**": 0}
    return next(word for word, limit in least.items() if good >= limit)


def ahead(rows: Rows) -> str:
    """So where it is ahead at every budget of every set; not so where it is behind more often than ahead."""
    found = _signs_of(rows)
    good, bad = found.count("+"), found.count("-")
    if not found or not good + bad:
        return "**not so**: level everywhere" if found else _UNKNOWN
    word = "**not so**" if bad > good else _word(good, len(found))
    return f"{word}: ahead at {good} of {len(found)}, behind at {bad}"


def not_behind(rows: Rows) -> str:
    found = _signs_of(rows)
    if not found:
        return _UNKNOWN
    bad = found.count("-")
    return f"{_word(len(found) - bad, len(found))}: behind at {bad} of {len(found)}"


def _at_most(rows: Rows) -> str:
    """As `ahead`, with the largest difference that is clear."""
    clear = [one.difference for row in rows.values() for one in row if one and one.sign == "+" and one.difference]
    return ahead(rows) + (f"; by {max(clear):.1f} at most" if clear else "")


def _in_every_set(holds: Callable[[Row], bool]) -> Callable[[Rows], str]:
    def judged(rows: Rows) -> str:
        found = [holds(row) for row in rows.values()]
        return f"{_word(sum(found), len(found))}: {sum(found)} of {len(found)} sets" if found else _UNKNOWN

    return judged


def _rises(row: Row) -> bool:
    values = [one.ours for one in row if one]
    return values == sorted(values) and values[-1] > values[0]


def _longer_minus_shorter(row: Row) -> float:
    """By how much differences are larger at the two longest budgets than at the two shortest, on average."""
    values = [one.difference for one in row if one and one.difference is not None]
    return fmean(values[-2:]) - fmean(values[:2]) if values else 0.0


def _varies_by(points: float) -> Callable[[Row], bool]:
    def holds(row: Row) -> bool:
        values = [one.ours for one in row if one]
        return max(values) - min(values) <= points

    return holds


def _better_by(percent: float) -> Callable[[Row], bool]:
    return lambda row: max(_shares(row), default=0.0) >= percent


def _generated_at_least(points: float) -> Callable[[Row], bool]:
    return lambda row: any(one.ours >= points for one in row if one)


def _fixed(verdict: str) -> Callable[[Rows], str]:
    return lambda rows: verdict


FIRST, REST, LAST = (None, 1), (1, None), (-1, None)
# Where the paper has a figure for each of its data sets, the smaller one must be reached.
CLAIMS = (
    Claim("abstract: up to 14.7% ahead of the baselines in METEOR",
          _in_every_set(_better_by(14.7)), TRAINED, BASELINES, "meteor", shown=_relative),
    Claim("Table 2: ahead of the best of A1-A3, ROUGE-1", ahead, TRAINED, BASELINES, "rouge1", is_chief=True),
    Claim("Table 2: ahead of the best of A1-A3, ROUGE-2", ahead, TRAINED, BASELINES, "rouge2"),
    Claim("Table 2: ahead of the best of A1-A3, ROUGE-L", ahead, TRAINED, BASELINES, "rougel"),
    Claim("Table 2: ahead of the best of A1-A3, METEOR", ahead, TRAINED, BASELINES, "meteor", is_chief=True),
    Claim("section 3 D: ahead of sampling (A1 and A2), ROUGE-1", ahead, TRAINED, SAMPLING, "rouge1", is_chief=True),
    Claim("section 3 D: ahead of sampling (A1 and A2), METEOR", ahead, TRAINED, SAMPLING, "meteor"),
    Claim("section 3 D: A3 is ahead of sampling as well, ROUGE-1", ahead, "a3", SAMPLING, "rouge1", is_chief=True),
    Claim("section 3 D: A3 is ahead of sampling as well, METEOR", ahead, "a3", SAMPLING, "meteor"),
    Claim("section 3 D: A2 is stronger than A1, ROUGE-1", ahead, "a2", "A1", "rouge1"),
    Claim("section 3 D: A2 is stronger than A1, METEOR", ahead, "a2", "A1", "meteor"),
    Claim("section 3 D: at 1/32 ahead of A3 by 4.34 (D1) and 4.65 (D2) in ROUGE-1",
          ahead, TRAINED, "A3", "rouge1", FIRST, differences, is_chief=True),
    Claim("section 3 D: at 1/32 ahead of A3 by 1.61 (D1) and 5.17 (D2) in METEOR",
          ahead, TRAINED, "A3", "meteor", FIRST, differences),
    Claim("section 3 D: above 1/32 level with A3 or ahead, ROUGE-1", not_behind, TRAINED, "A3", "rouge1", REST),
    Claim("section 3 D: above 1/32 level with A3 or ahead, METEOR", not_behind, TRAINED, "A3", "meteor", REST),
    Claim("section 3 D: good at all lengths; its ROUGE-1 differs by 4.4 at most",
          _in_every_set(_varies_by(4.4)), TRAINED, "", "rouge1", shown=_means),
    Claim("section 3 D: better beside the best of A1-A3 at small lengths, ROUGE-1",
          _in_every_set(lambda row: _longer_minus_shorter(row) < 0), TRAINED, BASELINES, "rouge1", shown=differences),
    Claim("Table 3: topics are nearest to the document's", ahead, TRAINED, BASELINES, "topics", is_chief=True),
    Claim("Table 3: sentiment is nearest", ahead, TRAINED, BASELINES, "sentiment", is_chief=True),
    Claim("Table 3: coherence is nearest", ahead, TRAINED, BASELINES, "coherence", is_chief=True),
    Claim("section 3 D: topics are at least 75% nearer than A3's, at 1/32",
          _in_every_set(_better_by(75)), TRAINED, "A3", "topics", FIRST, _relative),
    Claim("section 3 D: above 1/32 topics are as near as A3's or nearer", not_behind, TRAINED, "A3", "topics", REST),
    Claim("section 3 D: sentiment is nearer than that of A1 and A2", ahead, TRAINED, SAMPLING, "sentiment"),
    Claim("section 3 D: coherence is nearer than that of A1 and A2", ahead, TRAINED, SAMPLING, "coherence"),
    Claim("section 3 D: coherence is as near as A3's or nearer", not_behind, TRAINED, "A3", "coherence"),
    Claim("Fig. 4: more is generated at larger budgets, % of the tokens",
          _in_every_set(_rises), TRAINED, "", "generated", shown=_means, is_chief=True),
    Claim("Fig. 4: at 1/2 27.35% (D1) and 8.75% (D2) are generated",
          _in_every_set(_generated_at_least(8.75)), TRAINED, "", "generated", LAST, _means),
    Claim("section 2.2 C: more is expanded at larger budgets, sentences",
          _in_every_set(_rises), TRAINED, "", "expanded", shown=_means, is_chief=True),
    Claim("section 2.2 C: runs of three, later of two sentences are best, ROUGE-1",
          ahead, TRAINED, "runs of one sentence", "rouge1"),
    Claim("section 2.3: the best weights are topics +, keywords +, redundancy -",
          _in_every_set(lambda row: all((one.ours > 0) == (one.metric != f"{WEIGHT}redundancy") for one in row if one)),
          TRAINED, "", WEIGHT, shown=lambda row: ", ".join(_weight(one) for one in row if one), is_chief=True),
    Claim("Fig. 5: pretraining is worth something (MLS*), ROUGE-1",
          ahead, TRAINED, "MLS*: not pretrained", "rouge1", is_chief=True),
    Claim("Fig. 5: the network's draft is worth something (MLS+), ROUGE-1",
          ahead, TRAINED, "MLS+: a greedy draft", "rouge1", is_chief=True),
    Claim("section 2.3: fine-tuning is worth something, ROUGE-1", ahead, TRAINED, "not fine-tuned", "rouge1"),
    Claim("section 2.2 C: expansion is worth something, ROUGE-1",
          ahead, TRAINED, "no expansion", "rouge1", is_chief=True),
    Claim("section 3 D: the kernel of redundancy is worth up to 4.30 in ROUGE-1",
          _at_most, TRAINED, "redundancy shuffled", "rouge1", is_chief=True),
    Claim("section 3 D: the kernel of redundancy is worth up to 3.75 in METEOR",
          _at_most, TRAINED, "redundancy shuffled", "meteor"),
    Claim("section 3 D: the kernel of redundancy is worth more at larger budgets, ROUGE-1",
          _in_every_set(lambda row: _longer_minus_shorter(row) > 0), TRAINED, "redundancy shuffled", "rouge1",
          shown=differences),
    Claim("section 3 D: without the kernel of keywords coherence is further off at 1/2, by 45% (D1) and 30% (D2)",
          _in_every_set(_better_by(30)), TRAINED, "keywords shuffled", "coherence", LAST, _relative, is_chief=True),
    Claim("section 3 D: the kernel of keywords is worth something, ROUGE-1",
          ahead, TRAINED, "keywords shuffled", "rouge1", is_chief=True),
    Claim("section 3 D: the kernel of topics is worth something, ROUGE-1",
          ahead, TRAINED, "topics shuffled", "rouge1", is_chief=True),
    Claim("Table 4: with MLS people are as often right as with the whole text (D1) in half the time, and more often "
          "than with A2, on D1 than with A3", _fixed("not asked: no person took part"),
          where="[study](study/README.md)", is_chief=True),
    Claim("section 1: attention takes time in proportion to the length, and has few parameters to learn",
          _fixed("**so**: three weights"), where="[performance](../docs/performance.md)"),
    Claim("what ships: ahead of the best of A1-A3, ROUGE-1", ahead, OURS, BASELINES, "rouge1", is_chief=True),
    Claim("what ships: ahead of the best of A1-A3, METEOR", ahead, OURS, BASELINES, "meteor", is_chief=True),
    Claim("what ships: fewer sentences lean on what is absent than with A1-A3 and lead",
          ahead, OURS, AND_LEAD, "dangling", is_chief=True),
)  # fmt: skip
CHIEF = tuple(claim for claim in CLAIMS if claim.is_chief)  # what a reader grasps in a minute


def _weight(one: Finding) -> str:
    return f"{one.metric.removeprefix(WEIGHT)} {one.ours:+.1f}"


def table(found: Sequence[Finding], claims: Sequence[Claim] = CLAIMS) -> str:
    """The first table: claim, verdict, a column a data set, where the figures are."""
    sets = list(dict.fromkeys(one.data for one in found))
    lines = [f"| claim | verdict | {' | '.join(sets)} | where |", "|---" * (3 + len(sets)) + "|"]
    for claim in claims:
        rows = {name: row for name in sets if any(row := _row(found, name, claim))}
        cells = [claim.shown(rows[name]) if name in rows else "" for name in sets]
        lines.append(f"| {claim.says} | {claim.judged(rows)} | {' | '.join(cells)} | {claim.where} |")
    return "\n".join(lines) + "\n"


def _row(found: Sequence[Finding], data: str, claim: Claim) -> Row:
    """What a claim rests on in one data set, a budget each; of weights, all."""
    if claim.metric == WEIGHT:
        return [one for one in found if one.data == data and one.metric.startswith(WEIGHT)]
    key = data, claim.method, claim.beside, claim.metric
    there = {one.budget: one for one in found if (one.data, one.method, one.beside, one.metric) == key}
    return [there.get(budget) for budget in _budgets(found)[slice(*claim.budgets)]]


def _budgets(found: Sequence[Finding]) -> list[str]:
    return list(dict.fromkeys(one.budget for one in found if one.budget))


def page(evidence: Sequence[Evidence], found: Sequence[Finding], command: str, taught: str) -> str:
    """Every claim, the data, and all comparisons. Paper: sections 2 and 3, Tables 1 to 3, Fig. 4 and 5."""
    lines = [
        "# The paper's claims and what was found",
        "",
        f"Written by `{command}`. {taught}",
        "",
        *_legend(found),
        "",
        "## Every claim",
        "",
        between(table(found)),
        "",
        "## Table 1: the data",
        "",
        "| | pairs | most sentences | median | mean |",
        "|---|---:|---:|---:|---:|",
    ]
    for one in evidence:
        lines.append(f"| {one.name} | {' | '.join(_sizes(one.records))} |")
        if one.stands_for:
            lines.append(f"| the paper's {one.stands_for} | {' | '.join(map(str, TABLE_1[one.stands_for]))} |")
    for one in evidence:
        lines += ["", f"## {one.name.capitalize()}: {len(one.main.records)} documents"]
        if one.ablations:
            lines[-1] += f", {len(one.ablations.records)} for what a part is worth"
        lines += ["", *_details([finding for finding in found if finding.data == one.name], _budgets(found))]
    return "\n".join(lines) + "\n"


def _legend(found: Sequence[Finding]) -> list[str]:
    return [
        f"A sign for each budget, {', '.join(_budgets(found))}: + is ahead and - is behind by a 95% interval over",
        f"documents that leaves out zero; = is level, {NO_VALUE} has no value. Differences are in points for what is a",
        "percentage, and written so that more is better; \\* marks such an interval. A verdict counts the budgets of",
        f"all sets in its row. `{TRAINED}` is the method as the paper trains it, and what the claims are asked of;",
        f"`{OURS}` is what ships. Every difference has its interval in [claims.csv](claims.csv).",
    ]


BEGIN, END = "<!-- claims -->", "<!-- end of claims -->"


def between(told: str) -> str:
    """A table between the marks by which `tools/claims.py` finds it again."""
    return f"{BEGIN}\n\n{told}\n{END}"


def _details(found: Sequence[Finding], budgets: Sequence[str]) -> Iterator[str]:
    """Each comparison of a data set: signs and differences."""
    yield "| | | by budget |"
    yield "|---|---|---|"
    keys = dict.fromkeys((one.method, one.beside, one.metric) for one in found if one.beside)
    for method, beside, metric in keys:
        there = {one.budget: one for one in found if (one.method, one.beside, one.metric) == (method, beside, metric)}
        row = [there.get(budget) for budget in budgets]
        yield f"| `{method}` beside {beside}: {_title(metric)} | {signs(row)} | {differences(row)} |"


def _title(metric: str) -> str:
    title = METRICS[metric].title
    return title if title.isupper() else title.lower()


def _sizes(records: Sequence[Record]) -> tuple[str, ...]:
    counts = [len(Document.parse(record.document).sentences) for record in records]
    return str(len(counts)), str(max(counts)), f"{median(counts):g}", f"{mean(counts):.2f}"
