"""What the heads say, and how they are joined."""

import math
from collections import Counter, defaultdict
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from proof.agreement import same
from proof.drafting import columns_of
from proof.words import STOP_WORDS


def norm(values):
    largest = max(map(abs, values), default=0.0)
    values = [value / largest for value in values] if largest else values
    low = min(0.0, min(values))
    total = sum(value - low for value in values)
    return [(value - low) / total if total > 0 else 1 / len(values) for value in values]


def check_heads(trace):
    """Eq. 3: A = norm(1/m sum of w_i C_i), where C_i is head i's normalised scores.

    A is given in whole grains of 2^-40, so that sums and ties among them come out the same everywhere.
    """
    units, heads = trace["units"], trace["heads"]
    local = {}
    for head in heads:
        name = head["name"]
        scores = [unit["scores"][name] for unit in units]
        again = RECOMPUTED[name](trace) if name in RECOMPUTED else None
        for unit, value in zip(units, again or (), strict=bool(again)):
            same(unit["scores"][name], value, f"{name} of unit {unit['unit']}", within=PRECISION.get(name, 1e-9))
        local[name] = norm(scores)
        for unit, value in zip(units, local[name], strict=True):
            same(unit["local"][name], value, f"local attention of {name} to unit {unit['unit']}")
    for unit in units:
        same([*unit["scores"]], [*local], f"heads of unit {unit['unit']}")
        same([*unit["local"]], [*local], f"heads of unit {unit['unit']}")
    blend = [sum(h["weight"] * local[h["name"]][u["unit"]] for h in heads) / len(heads) for u in units]
    shift = min(0.0, min(blend))
    same(trace["attention"]["shift"], shift, "shift of the attention")
    same(trace["attention"]["total"], sum(value - shift for value in blend), "total of the attention")
    for unit, value in zip(units, norm(blend), strict=True):
        same(unit["attention"], value, f"attention of unit {unit['unit']}")
        same((unit["attention"] * 2**40).is_integer(), True, f"grains of unit {unit['unit']}")


def keywords(trace):
    """Closeness of each unit's keywords to the document's fifty most frequent, by RAKE. Paper: Eq. (1)-(2) with Q2."""
    phrases = Counter(run for unit in trace["units"] if unit["origin"] == "source" for run in runs_of(unit))
    frequency, degree = Counter(), Counter()
    for phrase, count in phrases.items():
        for word in phrase:
            frequency[word] += count
            degree[word] += count * len(phrase)
    ranked = {p: sum(degree[word] / frequency[word] for word in p) for p in phrases if len(p) <= 4}
    chosen = sorted(ranked, key=lambda phrase: (-phrases[phrase], -ranked[phrase], phrase))[:50]
    if not chosen:
        return [0.0] * len(trace["units"])
    kernel = smoothed([phrases[phrase] for phrase in chosen])
    counts = [counted(keys_of(unit), chosen) for unit in trace["units"]]
    distances = [divergence(smoothed(row), kernel) / len(chosen) for row in counts]
    known_ones = [distance for distance, row in zip(distances, counts, strict=True) if any(row)]
    return [max(known_ones) - d if any(row) else 0.0 for d, row in zip(distances, counts, strict=True)]


def keys_of(unit):
    """All tokens of a unit in their order: its words and its punctuation."""
    punctuation, words = dict(unit["punctuation"]), iter(unit["words"])
    if [*punctuation.values()] == unit["words"]:  # it says nothing but punctuation
        return unit["words"]
    return [
        punctuation[position] if position in punctuation else next(words)
        for position in range(len(punctuation) + len(unit["words"]))
    ]


def runs_of(unit):
    """Runs of words between function words and punctuation."""
    punctuation, run = {position for position, _ in unit["punctuation"]}, []
    for position, key in enumerate(keys_of(unit)):
        if position not in punctuation and key not in STOP_WORDS:
            run.append(key)
        elif run:
            yield tuple(run)
            run = []
    if run:
        yield tuple(run)


def counted(keys, phrases):
    said = Counter(tuple(keys[i : i + n]) for n in {len(p) for p in phrases} for i in range(len(keys) - n + 1))
    return [said[phrase] for phrase in phrases]


def smoothed(counts):
    return [(count + 0.01) / (sum(counts) + 0.01 * len(counts)) for count in counts]


def divergence(one, other):
    """Symmetric Kullback-Leibler."""
    return sum((p - q) * (math.log(p) - math.log(q)) for p, q in zip(one, other, strict=True))


def position(trace):
    """1 for what is read first, falling with the logarithm of its position."""
    position = reading_positions(trace)
    last = math.log2(2 + max(1, len(position)))
    return [1 - math.log2(2 + position[unit["anchor"]]) / last + 1 / last for unit in trace["units"]]


def reading_positions(trace):
    """Of mails the newest is read first, of instructions the steps, all of which are needed."""
    sources = [unit for unit in trace["units"] if unit["origin"] == "source"]
    indices = list(range(len(sources)))
    steps = [index for index in indices if sources[index]["kind"] == "list-item"]
    if trace["document"]["kind"] == "instructions" and steps:
        return [0 if index in steps else index + 1 for index in indices]
    if trace["document"]["kind"] != "mail":
        return indices
    mails = [[]]
    for index in indices:
        if sources[index]["kind"] == "mail-header" and mails[-1] and sources[mails[-1][-1]]["kind"] != "mail-header":
            mails.append([])
        mails[-1].append(index)
    sent = [sent_at(trace, [sources[index] for index in mail]) for mail in mails]
    newest = sorted(range(len(mails)), key=lambda number: (sent[number], number), reverse=True)
    order = [index for number in newest for index in mails[number]]
    return sorted(indices, key=lambda position: order[position])


def sent_at(trace, mail):
    for unit in mail:
        name, _, value = trace["document"]["text"][unit["start"] : unit["end"]].partition(":")
        if unit["kind"] == "mail-header" and name.strip().lower() in ("date", "sent"):
            try:
                found = parsedate_to_datetime(value.strip())
            except ValueError:
                continue
            return found if found.tzinfo else found.replace(tzinfo=UTC)
    return datetime.min.replace(tzinfo=UTC)


def likeness(trace):
    """The mean cosine similarity of each unit to all sentences of the document, where it can be told by words alone."""
    if trace["recipe"]["embedding"] != "lexical":
        return None
    sources = [columns_of(unit) for unit in trace["units"] if unit["origin"] == "source"]
    mean = defaultdict(float)
    for columns in sources:
        for column in columns:
            mean[column] += 1 / math.sqrt(len(columns)) / len(sources)
    own = [columns_of(unit) for unit in trace["units"]]
    return [sum(mean[c] for c in columns) / math.sqrt(len(columns)) if columns else 0.0 for columns in own]


PRECISION = {"centrality": 1e-5, "redundancy": 1e-5}  # they are computed in single precision
RECOMPUTED = {"keywords": keywords, "position": position, "centrality": likeness, "redundancy": likeness}
