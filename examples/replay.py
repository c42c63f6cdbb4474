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
from itertools import pairwise
from pathlib import Path

SCHEMA = 2  # the version of the form that is read
RERANKED = 4  # candidates of E(s) that are re-ranked by what they repeat
COMPARABLE = 0.5  # if they score at least so much of what the best one does
ENDED = re.compile(r"[.!?…。！？؟।][\"'”’)\]»]*\s*\Z")  # as a sentence does
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
    """Eq. 3: A = norm(1/m sum of w_i C_i), where C_i is head i's normalised scores.

    It is given in whole grains of 2^-40, so that sums and ties among them come out the same everywhere.
    """
    units, heads = trace["units"], trace["heads"]
    local = {head["name"]: norm([unit["scores"][head["name"]] for unit in units]) for head in heads}
    blend = [sum(h["weight"] * local[h["name"]][u["unit"]] for h in heads) / len(heads) for u in units]
    attention = norm(blend)
    for unit, value in zip(units, attention, strict=True):
        same(unit["attention"], value, f"attention of unit {unit['unit']}")
        same((unit["attention"] * 2**40).is_integer(), True, f"grains of unit {unit['unit']}")
    return [unit["attention"] for unit in units]


def grams(words, n):
    return {tuple(words[i : i + n]) for i in range(max(1, len(words) - n + 1))}


def ends_paragraph(before, unit, since, left):
    """A paragraph ends where one of the source does and enough was said; an item without an end stands alone."""
    alone = [u for u in (before, unit) if u["sums_up"] or (u["kind"] == "list-item" and not ENDED.search(u["text"]))]
    new = unit["paragraph"] != before["paragraph"] and since >= 3 and left >= 2
    return bool(alone) or not ENDED.search(before["text"]) or new


def running_text(trace, pieces):
    """Sentences and their texts put together: in paragraphs of three or more, or in a dialogue turn by turn."""
    text, since, before = "", 0, None
    talks = any(unit["speaker"] for unit in trace["units"])
    for position, (unit, said) in enumerate(pieces):
        if talks:
            goes_on = before is not None and unit["speaker"] == before["speaker"]
            breaks = not goes_on or not ENDED.search(text)
            said = said.removeprefix(f"{unit['speaker']}: ") if goes_on else said
        else:
            breaks = before is not None and ends_paragraph(before, unit, since, len(pieces) - position)
            since = 1 if breaks else since + 1
        text, before = text + ("" if not position else "\n" if breaks else " ") + said, unit
    return text


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
        self.taken.update(trace["bans"])
        self.settled.update(trace["bans"])
        for index in trace["bans"]:
            self.live[self.source(index)["unit"]] = 0.0
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

    def pin(self):
        """What the reader pinned comes first."""
        for index in self.trace["pins"]:
            unit = self.source(index)
            p_c = self.live[unit["unit"]] / (sum(self.live) or 1.0)
            numbers = {"p_copy": p_c, "p_expand": None, "alpha": 0.0, "p_o": p_c}
            self.decide(next(self.steps), unit, "copy", [unit], self.cost([unit]), numbers)

    def place(self):
        waiting = list(range(self.drafted))
        sizes, first = self.trace["sizes"], self.trace["prototype_first"]
        shortest = min(unit["length"] for unit in self.units)
        while waiting and (first or self.room >= shortest):
            size = sizes[(self.drafted - len(waiting)) * len(sizes) // self.drafted]
            mass = sum(self.live) or 1.0
            probabilities = {}
            for number in waiting:
                run, worth = self.expansion(number, size)
                p_c = self.live[number] / mass
                p_e = worth / mass if run else None
                alpha = max(p_c, p_e) if run else 0.0  # Eq. 8
                p_o = alpha * p_e + (1 - alpha) * p_c if run else p_c  # Eq. 7
                probabilities[number] = (p_o, p_c, p_e, alpha, run)
            best = max(probabilities[number][0] for number in waiting)
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
            same(probabilities[chosen][0], best, f"position of step {step['step']}")
            waiting.remove(chosen)
            reserved = sum(self.units[k]["length"] + self.joint for k in waiting) if first else 0
            self.settle(step, chosen, probabilities[chosen], reserved)

    def settle(self, step, number, probabilities, reserved):
        p_o, p_c, p_e, alpha, run = probabilities
        unit = self.units[number]
        numbers = {"p_copy": p_c, "p_expand": p_e, "alpha": alpha, "p_o": p_o}
        if run and p_e >= p_c and self.cost(run) + reserved <= self.room and not self.is_repetitive(run):
            self.decide(step, unit, "expand", run, self.cost(run), numbers)
        else:
            self.copy_or_pass(step, unit, numbers)

    def copy_or_pass(self, step, unit, numbers):
        needs = self.cost([unit])
        if unit["anchor"] in self.trace["bans"]:
            self.decide(step, unit, "pass", [], needs, numbers)
        elif needs > self.room or self.is_repetitive([unit]) or unit["says_little"]:
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
            passed = self.cost(run, [unit]) > self.room or self.is_repetitive(run, [unit])
            numbers = {"p_copy": 0.0, "p_expand": p_e, "alpha": p_e, "p_o": p_e * p_e}
            needs = self.cost(run, [unit])
            self.decide(next(self.steps), unit, "pass" if passed else "expand", [] if passed else run, needs, numbers)

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
        ordered = [unit for _, _, unit in sorted(placed, key=lambda entry: entry[:2])]
        same(self.trace["text"], running_text(self.trace, [(unit, unit["text"]) for unit in ordered]), "text")

    def check_shortened(self, step):
        """Neither the sentence that was shortened nor any that is attended to more fits as it is."""
        ranked = sorted(self.units, key=lambda unit: (-self.initial[unit["unit"]], unit["unit"]))
        number = next(position for position, unit in enumerate(ranked) if unit["unit"] == step["unit"])
        if step["operation"] == "shorten":
            same([unit["unit"] for unit in ranked[: number + 1] if unit["length"] <= self.room], [], "what fits whole")
        same(step["operation"] in ("shorten", "keyphrase"), True, "operation of the last step")
        same(self.trace["text"], self.trace["sentences"][0]["text"], "text")

    @property
    def last_step(self):
        return {step["unit"]: step["step"] for step in self.trace["steps"] if step["operation"] != "pass"}


class Growing:
    """The default way: sentences in forms, with what they lean on, grown through fixed lengths."""

    def __init__(self, trace):
        self.trace, self.units, self.rules = trace, trace["units"], trace["growth"]
        attention = self.attention = attention_of(trace)
        worth = [
            value * (self.rules["sums_up"] if u["sums_up"] else 1)
            for u, value in zip(self.units, attention, strict=True)
        ]
        self.worth = [value / max(max(worth), 1e-12) for value in worth]
        self.content = [set(unit["content"]) for unit in self.units]
        self.unit = trace["budget"]["unit"]
        self.joint = 1 if self.unit == "chars" else 0
        self.used, self.forms, self.known, self.said = 0, {}, {}, set()
        self.limit = self.room() if trace["recipe"]["headings"] else trace["budget"]["limit"]
        self.steps = iter(trace["steps"])
        self.barred = {u["unit"] for u in self.units if not u["speaks"]} | set(trace["bans"])
        self.slight = {u["unit"] for u in self.units if u["unit"] not in self.barred and self.is_slight(u)}
        self.next = next(self.steps, None)

    def is_slight(self, unit):
        return (
            unit["says_little"]
            or len(unit["words"]) < self.rules["fewest_words"]
            or self.worth[unit["unit"]] <= 0
            or not unit["has_verb"]
        )

    def run(self):
        self.pin()
        length = {"tokens": 16, "words": 14, "chars": 90}[self.unit]
        while length < self.limit:
            self.grow(length, False)
            length *= 2
        self.grow(self.limit, True)
        if not self.forms and self.next and self.next["operation"] != "keyphrase":
            self.least()
        if self.next and self.forms:
            self.headline()

    def headline(self):
        """A line that is set apart, and that says more than all the rest, is the summary."""
        step, index = self.next, self.next["unit"]
        said = sum(self.worth[i] * form["share"] for i, form in self.forms.items())
        self.known[index] = step["forms"][str(index)]
        fitting = [
            f for f in self.known[index] if f["share"] >= self.rules["brief_share"] and f["length"] <= self.limit
        ]
        same(bool(fitting) and self.units[index]["is_statement"], True, f"whose turn it is at step {step['step']}")
        same(self.worth[index] * fitting[-1]["share"] > said, True, f"worth of step {step['step']}")
        self.forms, self.used = {}, 0
        self.decide(step, {index: fitting[-1]}, "copy" if fitting[-1]["whole"] else "brief")

    def pin(self):
        """What the reader pinned comes first, each as long as leaves room for the others."""
        pins = self.trace["pins"]
        for step in self.trace["steps"][: len(pins)]:
            self.learn(step)
        briefest = {index: self.known[index][0] for index in pins}
        for index in pins:
            del briefest[index]
            room = self.limit - self.used
            form = next(f for f in reversed(self.known[index]) if self.cost(briefest | {index: f}) <= room)
            self.decide(self.next, {index: form}, "copy" if form["whole"] else "brief")

    def grow(self, limit, final):
        for index in sorted(self.forms, key=lambda i: (-self.worth[i], i)):
            if self.forms[index]["share"] < self.rules["full_share"]:
                self.climb(index, limit)
        waiting = {u["unit"] for u in self.units} - self.barred - self.slight - set(self.forms)
        failed = 0
        while waiting and failed < self.rules["most_tried"]:
            chosen = max(waiting, key=lambda i: (self.wanted(i) * self.unheard(i), -i))
            waiting.discard(chosen)
            taken = self.take(chosen, limit, final)
            waiting -= set(self.forms)
            if taken != "too long":
                continue
            if not final:
                break
            failed += 1
        for index in sorted(self.forms, key=lambda i: (-self.worth[i], i)) if final else ():
            self.climb(index, limit)

    def wanted(self, index):
        before = next((i for i in range(index - 1, -1, -1) if self.units[i]["speaks"]), None)
        if before in self.forms:
            return self.worth[index] * self.rules["continues"]
        support = self.support(index)
        if support is None:
            return self.worth[index] * self.rules["alone"]
        return (self.worth[index] + sum(self.worth[i] for i in support)) / (1 + len(support))

    def unheard(self, index):
        """Whoever has not spoken yet is wanted more."""
        speaker = self.units[index]["speaker"]
        heard = not speaker or any(self.units[i]["speaker"] == speaker for i in self.forms)
        return 1 if heard else self.rules["other_voice"]

    def support(self, index):
        needed, queue = [], [index]
        while queue:
            for lean in self.units[queue.pop()]["leans"]:
                on = lean["on"]
                met = on in self.forms or any(other in self.forms for other in lean["also"])
                if lean["droppable"] or met or on in needed or on == index:
                    continue
                if on is None or on in self.barred or len(needed) >= self.rules["most_support"]:
                    return None
                needed.append(on)
                queue.append(on)
        return sorted(needed)

    def take(self, index, limit, final):
        support, trigrams = self.support(index), grams(self.units[index]["words"], 3)
        obstacle = None
        if support is None:
            obstacle = "leans"
        elif sum(gram in self.said for gram in trigrams) > self.rules["repetitive"] * len(trigrams) or self.says_same(
            index
        ):
            obstacle = "repeats"
        elif self.forms:
            mean = sum(self.worth[i] for i in self.forms) / len(self.forms)
            obstacle = "far below" if self.worth[index] < self.rules["floor"] * mean else None
        step = self.next
        here = step and step["unit"] == index and step["reason"] != "there is room for a fuller form of it"
        if obstacle is None and here and step["operation"] != "pass":
            self.learn(step)
            changes = self.fitting(index, support, limit - self.used)
            if changes:
                same(step["room_before"], limit - self.used, f"room of step {step['step']}")
                brief = not support and not changes[index]["whole"]
                self.decide(step, changes, "expand" if support else "brief" if brief else "copy")
                return None
            same(final, False, f"what fits at step {step['step']}")
            return "too long"
        if final:
            same(bool(here), True, f"whose turn it is at step {step and step['step']}")
            same(step["operation"], "pass", f"operation of step {step['step']}")
            same(step["sources"], [], f"sources of step {step['step']}")
            self.check_numbers(step)
            self.learn(step)
            weighed = [index, *(support or ())]
            needs = self.cost({i: self.known[i][0] for i in weighed})
            same(step["needs"], needs, f"length of step {step['step']}")
            same(step["room_before"], limit - self.used, f"room of step {step['step']}")
            if obstacle is None:
                same(needs > limit - self.used, True, f"what does not fit at step {step['step']}")
            self.advance()
        return obstacle or "too long"

    def says_same(self, index):
        """Whether another sentence has nearly the same words."""
        here = self.content[index]
        others = (self.content[i] for i in self.forms)
        return any(2 * len(here & other) > self.rules["same"] * (len(here) + len(other)) for other in others)

    def learn(self, step):
        for index, forms in step["forms"].items():
            if int(index) not in self.forms:
                self.known[int(index)] = forms

    def fitting(self, index, support, room):
        """The longest forms that fit, with the support whole, or brief."""
        ways = [{i: self.known[i][-1] for i in support}, {i: self.known[i][0] for i in support}]
        for along in ways if support else ways[:1]:
            for form in reversed(self.known[index]):
                if self.cost(along | {index: form}) <= room:
                    return along | {index: form}
        return None

    def climb(self, index, limit):
        for form in reversed(self.known[index]):
            if form["tokens"] <= self.forms[index]["tokens"]:
                return
            if self.cost({index: form}) <= limit - self.used:
                self.decide(self.next, {index: form}, "expand")
                return

    def least(self):
        step = self.next
        self.learn(step)
        index = step["unit"]
        fitting = [form for form in self.known[index] if self.cost({index: form}) <= self.limit]
        self.decide(step, {index: fitting[-1]}, step["operation"])

    def cost(self, changes):
        new = sum(index not in self.forms for index in changes)
        freed = sum(self.forms[index]["length"] for index in changes if index in self.forms)
        joints = self.joint * (new if self.forms else max(0, new - 1))
        unsaid = self.unsaid({*self.forms, *changes}) - self.unsaid(self.forms) if new else 0
        return sum(f["length"] for f in changes.values()) - freed + joints - unsaid

    def unsaid(self, indices):
        """The room of names that are not said again where the same person goes on."""
        units = self.units
        pairs = pairwise(sorted(indices))
        return sum(units[b]["label"] for a, b in pairs if units[a]["speaker"] == units[b]["speaker"])

    def check_numbers(self, step):
        attention = self.attention[step["unit"]]
        expected = {"mass": 1.0, "p_copy": attention, "p_expand": None, "alpha": 0.0, "p_o": attention}
        for key, value in expected.items():
            same(step[key], value, f"{key} of step {step['step']}")

    def decide(self, step, changes, operation):
        name = f"of step {step['step']}"
        self.check_numbers(step)
        same(step["sources"], sorted(changes), f"sources {name}")
        same(step["operation"], operation, f"operation {name}")
        needs = self.cost(changes)
        same(step["needs"], needs, f"length {name}")
        same(step["room_after"], step["room_before"] - needs, f"room after {name}")
        self.used += needs
        self.forms.update(changes)
        for index in changes:
            self.said |= grams(self.units[index]["words"], 3)
        self.advance()

    def advance(self):
        self.next = next(self.steps, None)

    def check_text(self):
        """The summary is its forms in source order: as running text, or a line for each turn of a talk."""
        order, text, since, told = sorted(self.forms), "", 0, set()
        talks = any(unit["speaker"] for unit in self.units)
        for position, index in enumerate(order):
            before = self.units[order[position - 1]] if position else None
            words, joint = self.forms[index]["text"], ""
            if before and talks:
                joint, words = self.turn(text, before["speaker"], self.units[index]["speaker"], words)
            elif before:
                breaks = ends_paragraph(before, self.units[index], since, len(order) - position)
                joint, since = "\n" if breaks else " ", 0 if breaks else since
            heading = self.heading(index)
            if heading and heading["unit"] not in told:
                told.add(heading["unit"])
                text, joint = text + "\n" * bool(text) + heading["text"], "\n"
            text, since = text + joint + words, since + 1
        same(self.trace["text"], text, "text")

    def turn(self, text, before, speaker, words):
        """Who goes on speaking is named once."""
        if speaker == before:
            return " " if ENDED.search(text) else "\n", words.removeprefix(f"{speaker}: ")
        return "\n", words

    def heading(self, index):
        if not self.trace["recipe"]["headings"] or self.limit == self.trace["budget"]["limit"]:
            return None
        return next((u for u in reversed(self.units[:index]) if u["kind"] == "heading"), None)

    def room(self):
        """The room that sentences had: headings have theirs first."""
        used, most = 0, 0
        for step in self.trace["steps"]:
            most = max(most, used + step["room_before"])
            used += 0 if step["operation"] == "pass" else step["needs"]
        return most


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
            said = re.sub(r"\W", "", sentence["text"]).lower()  # of a talk, after the names of those who talk
            same(said[-len(letters) :] if ":" in sentence["text"] else said, letters, "text of a shortened sentence")


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
    if [step["operation"] for step in trace["steps"]] == ["document"]:
        same(trace["text"], trace["document"]["text"], "text")
        return
    if [step["operation"] for step in trace["steps"]] == ["title"]:
        unit = trace["units"][trace["steps"][0]["unit"]]
        same((unit["kind"], unit["text"]), ("title", trace["text"]), "the title")
        return
    if trace["growth"]:
        run = Growing(trace)
        run.run()
        if run.forms:
            run.check_text()
            same(run.next, None, "number of steps")
        else:
            same(run.next["operation"], "keyphrase", "operation of the last step")
        return
    run = Replay(trace)
    run.pin()
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
