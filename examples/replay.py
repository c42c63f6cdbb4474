"""The proof that the reasons are the reasons.

Reads what `mls summarize --json` (or `explain --json`, or `levels --json`) printed, and nothing
else: no part of the package is imported. From the raw head scores and the weights it computes the
attention, replays every decision of the decoder, and compares the position and operation chosen,
P_c, P_e, alpha, p_o, the room left and the final text with what the trace says.

    mls summarize news.txt --budget 1/8 --json | python examples/replay.py
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path

SCHEMA = 2  # the version of the form that is read
RERANKED = 4  # candidates of E(s) that are re-ranked by what they repeat
COMPARABLE = 0.5  # if they score at least so much of what the best one does
REPETITIVE = 0.3  # share of trigrams already said above which a sentence is refused


class MismatchError(Exception):
    """The trace says something that does not follow from its own numbers."""


def same(found, expected, what):
    close = isinstance(found, float) and isinstance(expected, float) and abs(found - expected) < 1e-9
    if not close and found != expected:
        raise MismatchError(f"{what}: the trace says {found!r}, replayed {expected!r}")


def norm(values):
    low = min(0.0, min(values))
    total = sum(value - low for value in values)
    return [(value - low) / total if total > 0 else 1 / len(values) for value in values]


def attention_of(trace):
    """Eq. 3: A = norm(1/m sum of w_i C_i), where C_i is head i's normalised scores."""
    units, heads = trace["units"], trace["heads"]
    local = {head["name"]: norm([unit["scores"][head["name"]] for unit in units]) for head in heads}
    blend = [sum(h["weight"] * local[h["name"]][u["unit"]] for h in heads) / len(heads) for u in units]
    attention = norm(blend)
    for unit, value in zip(units, attention, strict=True):
        same(unit["attention"], value, f"attention of unit {unit['unit']}")
    return attention


def grams(words, n):
    return {tuple(words[i : i + n]) for i in range(max(1, len(words) - n + 1))}


class Replay:
    def __init__(self, trace):
        self.trace, self.units = trace, trace["units"]
        self.drafted = sum(unit["origin"] == "prototype" for unit in self.units)
        self.live = attention_of(trace)
        self.initial = list(self.live)
        self.room = trace["budget"]["limit"]
        self.joint = 1 if trace["budget"]["unit"] == "chars" else 0
        self.pieces, self.said, self.taken, self.settled = {}, Counter(), set(), set()
        self.slight = []  # passed over only because they say so little
        self.steps = iter(trace["steps"])
        lengths = [unit["length"] + self.joint for unit in self.units[: self.drafted]]
        self.roomy = self.room > sum(lengths) - (self.joint if lengths else 0)

    def source(self, index):
        return self.units[self.drafted + index]

    def grams_of(self, unit):
        return grams(unit["words"], 2) | grams(unit["words"], 3)

    def cost(self, units, instead_of=()):
        length = sum(unit["length"] + self.joint for unit in units)
        return length - sum(unit["length"] + self.joint for unit in instead_of) - (0 if self.pieces else self.joint)

    def is_repetitive(self, units, instead_of=()):
        own = Counter(gram for unit in instead_of for gram in self.grams_of(unit))
        wanted = {gram for unit in units for gram in grams(unit["words"], 3)}
        return sum(self.said[gram] > own[gram] for gram in wanted) > REPETITIVE * len(wanted)

    def expansion(self, number, size):
        """E(s): of the four best free runs, the one that repeats the fewest bigrams and trigrams."""
        runs = self.trace["expansions"][number].get(str(size), []) if self.roomy else []
        free = [run for run in runs if not self.taken & set(range(run["first"], run["first"] + run["size"]))]
        ranked = []
        best = free[0]["similarity"] * free[0]["overlap"] if free else 0.0
        for run in free[:RERANKED]:
            if run["similarity"] * run["overlap"] < COMPARABLE * best:
                continue
            sentences = [self.source(k) for k in range(run["first"], run["first"] + run["size"])]
            repeats = sum(gram in self.said for unit in sentences for gram in self.grams_of(unit))
            ranked.append((repeats, -run["similarity"] * run["overlap"], run["first"], run["size"]))
        ranked.sort()
        if not ranked:
            return [], None
        run = [self.source(k) for k in range(ranked[0][2], ranked[0][2] + ranked[0][3])]
        return run, sum(self.initial[unit["unit"]] for unit in run) / len(run)

    def place(self):
        waiting = list(range(self.drafted))
        sizes, first = self.trace["sizes"], self.trace["prototype_first"]
        shortest = min(unit["length"] for unit in self.units)
        while waiting and (first or self.room >= shortest):
            size = sizes[(self.drafted - len(waiting)) * len(sizes) // self.drafted]
            mass = sum(self.live) or 1.0
            chances = {}
            for number in waiting:
                run, worth = self.expansion(number, size)
                p_c = self.live[number] / mass
                p_e = worth / mass if run else None
                alpha = max(p_c, p_e) if run else 0.0  # Eq. 8
                p_o = alpha * p_e + (1 - alpha) * p_c if run else p_c  # Eq. 7
                chances[number] = (p_o, p_c, p_e, alpha, run)
            best = max(chances[number][0] for number in waiting)
            step = next(self.steps)
            sources = [] if first else [u for u in self.units[self.drafted :] if u["source"] not in self.settled]
            rival = max(sources, key=lambda unit: self.live[unit["unit"]], default=None)
            if rival and self.live[rival["unit"]] / mass > best * (1 + 1e-9):  # rounding decides nothing
                same(step["unit"], rival["unit"], f"unit of step {step['step']}")
                p_c = self.live[rival["unit"]] / mass
                self.copy_or_pass(step, rival, {"p_copy": p_c, "p_expand": None, "alpha": 0.0, "p_o": p_c})
                continue
            same(step["p_o"], best, f"p_o of step {step['step']}")
            chosen = step["unit"]
            same(chances[chosen][0], best, f"position of step {step['step']}")
            waiting.remove(chosen)
            reserved = sum(self.units[k]["length"] + self.joint for k in waiting) if first else 0
            self.settle(step, chosen, chances[chosen], reserved)

    def settle(self, step, number, chances, reserved):
        p_o, p_c, p_e, alpha, run = chances
        unit = self.units[number]
        numbers = {"p_copy": p_c, "p_expand": p_e, "alpha": alpha, "p_o": p_o}
        if run and p_e >= p_c and self.cost(run) + reserved <= self.room and not self.is_repetitive(run):
            self.decide(step, unit, "expand", run, self.cost(run), numbers)
        else:
            self.copy_or_pass(step, unit, numbers)

    def copy_or_pass(self, step, unit, numbers):
        needs = self.cost([unit])
        if needs > self.room or self.is_repetitive([unit]) or unit["says_little"]:
            if needs <= self.room and not self.is_repetitive([unit]):
                self.slight.append((unit, numbers))
            self.decide(step, unit, "pass", [], needs, numbers)
        else:
            self.decide(step, unit, "copy", [unit], needs, numbers)

    def magnify(self):
        shortest = min(unit["length"] for unit in self.units)
        size = self.trace["sizes"][-1]
        order = []
        for unit in self.units:
            if unit["origin"] == "source":
                order.append((-self.live[unit["unit"]], unit["unit"]))
            elif unit["source"] is None and self.pieces.get(unit["unit"]) == [unit]:
                run, worth = self.expansion(unit["unit"], size)
                order += [(-worth, unit["unit"])] if run else []
        for _, number in sorted(order):
            if self.room < shortest:
                break
            unit, mass = self.units[number], sum(self.live) or 1.0
            if unit["origin"] == "source" and unit["source"] not in self.settled:
                p_c = self.live[number] / mass
                self.copy_or_pass(next(self.steps), unit, {"p_copy": p_c, "p_expand": None, "alpha": 0.0, "p_o": p_c})
            elif unit["origin"] == "prototype":
                self.expand_copied(unit, size, mass)

    def expand_copied(self, unit, size, mass):
        run, worth = self.expansion(unit["unit"], size)
        if run:
            p_e = worth / mass
            refused = self.cost(run, [unit]) > self.room or self.is_repetitive(run, [unit])
            numbers = {"p_copy": 0.0, "p_expand": p_e, "alpha": p_e, "p_o": p_e * p_e}
            needs = self.cost(run, [unit])
            self.decide(next(self.steps), unit, "pass" if refused else "expand", [] if refused else run, needs, numbers)

    def decide(self, step, turn, operation, units, needs, numbers):
        name = f"of step {step['step']}"
        same(step["unit"], turn["unit"], f"position {name}")
        same(step["operation"], operation, f"operation {name}")
        same(step["needs"], needs, f"length {name}")
        same(step["room_before"], self.room, f"room before {name}")
        for key, value in numbers.items():
            same(step[key], value, f"{key} {name}")
        sources = [unit["source"] for unit in units if unit["source"] is not None]
        same(step["sources"], sources, f"sources {name}")
        if units:
            for unit in self.pieces.get(turn["unit"], []):
                self.said -= Counter(self.grams_of(unit))
            self.pieces[turn["unit"]] = units
            for unit in units:
                self.said.update(self.grams_of(unit))
            self.room -= needs
            self.taken.update(sources)
        else:
            sources = [] if turn["source"] is None else [turn["source"]]
        self.settled.update(sources)
        for number in [turn["unit"], *(self.source(k)["unit"] for k in sources)]:
            self.live[number] = 0.0
        same(step["room_after"], self.room, f"room after {name}")

    def check_text(self):
        """The summary is its pieces in source order, and every offset points at what it claims."""
        placed = [
            (unit["anchor"], step["step"], unit)
            for step in self.trace["steps"]
            for unit in self.pieces.get(step["unit"], [])
            if step["operation"] != "pass" and self.last_step[step["unit"]] == step["step"]
        ]
        text, paragraph = "", None
        for _, _, unit in sorted(placed, key=lambda entry: entry[:2]):
            text += ("" if paragraph is None else " " if unit["paragraph"] == paragraph else "\n") + unit["text"]
            paragraph = unit["paragraph"]
        same(self.trace["text"], text, "text")

    def check_shortened(self, step):
        """Neither the sentence that was shortened nor any that is attended to more fits as it is."""
        ranked = sorted(self.units, key=lambda unit: (-self.initial[unit["unit"]], unit["unit"]))
        number = next(place for place, unit in enumerate(ranked) if unit["unit"] == step["unit"])
        if step["operation"] == "shorten":
            same([unit["unit"] for unit in ranked[: number + 1] if unit["length"] <= self.room], [], "what fits whole")
        same(step["operation"] in ("shorten", "keyphrase"), True, "operation of the last step")
        same(self.trace["text"], self.trace["sentences"][0]["text"], "text")

    @property
    def last_step(self):
        return {step["unit"]: step["step"] for step in self.trace["steps"] if step["operation"] != "pass"}


def tidy(text):
    return re.sub(r"\s+", " ", re.sub("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ufeff]", " ", text)).strip()


def check_offsets(trace):
    document = trace["document"]["text"]
    for unit in trace["units"]:
        if unit["source"] is not None:
            same(unit["text"], tidy(document[unit["start"] : unit["end"]]), f"offsets of unit {unit['unit']}")
    for sentence in trace["sentences"]:
        spans = [document[span["start"] : span["end"]] for span in sentence["source"]]
        if sentence["operation"] in ("shorten", "keyphrase") and not sentence["reworded"]:
            letters = re.sub(r"\W", "", "".join(spans)).lower()
            same(re.sub(r"\W", "", sentence["text"]).lower(), letters, "text of a shortened sentence")


def check_recipe(trace):
    """The recipe that the trace names is the one by which heads were weighed and decisions were made."""
    same(trace["schema"], SCHEMA, "version of the form")
    recipe = trace["recipe"]
    if recipe is None:
        raise MismatchError("this is a baseline's trace: it takes sentences by rank, there is nothing to replay")
    same({head["name"]: head["weight"] for head in trace["heads"]}, recipe["weights"], "weights")
    same(trace["weights"], recipe["weights"], "weights")
    same(trace["sizes"], recipe["sizes"], "sizes of expansions")
    same(trace["prototype_first"], recipe["order"] == "prototype", "who comes first")


def replay(trace):
    """Raise MismatchError unless the trace follows from its own raw scores."""
    check_recipe(trace)
    if trace["length"] > trace["budget"]["limit"]:
        raise MismatchError("the budget is exceeded")
    check_offsets(trace)
    run = Replay(trace)
    if [step["operation"] for step in trace["steps"]] == ["document"]:
        same(trace["text"], trace["document"]["text"], "text")
        return
    run.place()
    run.magnify()
    if run.slight and not run.pieces:
        unit, numbers = run.slight[0]
        run.decide(next(run.steps), unit, "copy", [unit], run.cost([unit]), numbers)
    if run.pieces:
        run.check_text()
    else:
        run.check_shortened(next(run.steps))
    same(next(run.steps, None), None, "number of steps")


if __name__ == "__main__":
    given = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8") if len(sys.argv) > 1 else sys.stdin.read())
    traces = given if isinstance(given, list) else [given]
    for trace in traces:
        replay(trace)
        print(f"{trace['budget']['requested']}: {len(trace['steps'])} steps replayed, all numbers agree")
