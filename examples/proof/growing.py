"""The default way: sentences in forms, with what they lean on, grown through fixed lengths."""

import math
import re
from itertools import pairwise

from proof.agreement import same
from proof.asked import TERSE
from proof.reading import tokens_of
from proof.steps import (
    FAR_BELOW,
    FULLER,
    GAINED,
    HEADLINE,
    LEANS_ON,
    NOTHING_BETTER,
    PINNED,
    REPEATS,
    REPETITIVE,
    STANDS,
    TOO_LONG,
    WITH_OTHERS,
    Steps,
)
from proof.words import capitalized, grams, is_word, measure, tidy

RULES = {
    "least_understood": 0.7, "caution": 2, "worth_support": 0.2, "sums_up": 2.0, "same": 0.6,
    "brief_share": 0.6, "first_share": 0.1, "first_power": 0.1, "sure_enough": 0.68, "full_share": 0.8,
    "set_apart": 0.5, "most_support": 3,
    "most_tried": 40, "at_once": 8, "of_a_list": 0.5, "one_power": 4.0, "near": 1.5, "spoiled": 0.8,
    "repetitive": REPETITIVE, "first_length": 16, "answers": 0.6, "ending": 0.75,
}  # fmt: skip

FIRST_LENGTH = {"tokens": 16, "words": 14, "chars": 90}
RUNNING_ON = {
    "name": "running on", "continues": [2.0], "ending": 1.0, "brevity": 0.0, "brief_first": False, "other_voice": 1.2,
    "floor": 0.45, "gain_power": 0.0,
}  # fmt: skip
POINT_BY_POINT = RUNNING_ON | {
    "name": "point by point", "continues": [1.0], "brevity": 0.3, "brief_first": True, "floor": 0.3,
}  # fmt: skip
BY_GAINS = RUNNING_ON | {"name": "by gains", "gain_power": 4.0}
TO_THE_END = RUNNING_ON | {"name": "to the end", "continues": [2.0, 1.5, 1.1, 0.9], "ending": 2.0}
ANSWER_FLOOR = 0.2
MANNERS = dict.fromkeys(("article", "mail", "legal"), (RUNNING_ON, BY_GAINS, TO_THE_END)) | {
    "paper": (BY_GAINS,),
    "story": (
        BY_GAINS | {"continues": [2.0, 1.5, 1.1, 0.9], "gain_power": 2.0},
        TO_THE_END | {"gain_power": 4.0},
    ),
    "dialogue": (
        BY_GAINS | {"continues": [1.5], "brevity": 0.3, "gain_power": 8.0},
        RUNNING_ON | {"gain_power": 4.0},
    ),
    "instructions": (POINT_BY_POINT,),
    "notes": (POINT_BY_POINT | {"other_voice": 1.5},),
}


def check_rules(trace):
    """The numbers that growth goes by; how well a summary is liked in each manner is believed."""
    kind, grown = trace["document"]["kind"], trace["prototype"] is None
    rules = RULES | {"fewest_words": 3 if kind in TERSE else 6}
    same(trace["growth"], rules if grown else None, "the rules of growth")
    liked, manners = trace["liked"], MANNERS.get(kind, (RUNNING_ON,)) if grown else ()
    if trace["manner"] is None or not grown:
        same((trace["manner"], liked), (None, {}), "the manner in which it is written")
    else:
        same(all(type(value) in (int, float) for value in liked.values()), True, "how well it is liked")
        weighed = [one for one in manners if one["name"] in liked]
        same(list(liked), [one["name"] for one in weighed], "the manners that were weighed")
        same(not liked or weighed[0] == manners[0], True, "whether the usual manner was weighed")
        best = max(weighed, key=lambda one: liked[one["name"]]) if liked else manners[0]
        floor = {"floor": ANSWER_FLOOR} if what_answers(trace) else {}
        same(trace["manner"], best | floor, "the manner in which it is written")


def what_answers(trace):
    """The sentences that say what was asked: what they lean on, the question tells."""
    asked = any(head["name"] == "focus" and head["weight"] > 0 for head in trace["heads"])
    said = [unit["scores"]["focus"] if asked else 0 for unit in trace["units"]]
    return {unit for unit, value in enumerate(said) if max(said) > 0 and value >= RULES["answers"] * max(said)}


def rooms(trace):
    """The room that sentences may have had: headings have theirs first. Steps tell it, if the last of it was used.

    Else what counts is whether there was room for more than one sentence.
    """
    limit = trace["budget"]["limit"]
    if not trace["recipe"]["headings"] or 4 * (limit + 1) <= trace["document_length"]:
        return [limit]
    used, most = 0, 0
    for step in trace["steps"]:
        used = 0 if step["reason"] == HEADLINE else used
        most = max(most, used + step["room_before"])
        used += 0 if step["operation"] == "pass" else step["needs"]
    more = 2 * FIRST_LENGTH[trace["budget"]["unit"]]
    return sorted({room for room in (most, most + 1, more, limit) if most <= room <= limit})


class Growing:
    """The default way: sentences in forms, with what they lean on, grown through fixed lengths."""

    def __init__(self, trace, room):
        self.trace, self.units, self.steps = trace, trace["units"], Steps(trace)
        self.rules = trace["growth"] | trace["manner"]
        brevity = self.rules["brevity"]
        worth = [
            u["attention"] / len(u["words"]) ** brevity * (self.rules["sums_up"] if u["sums_up"] else 1)
            for u in self.units
        ]
        self.worth = [value / max(max(worth), 1e-12) for value in worth]
        self.content = [set(unit["content"]) for unit in self.units]
        self.unit = trace["budget"]["unit"]
        self.joint = 1 if self.unit == "chars" else 0
        self.used, self.forms, self.made, self.known, self.named, self.said = 0, {}, {}, {}, {}, set()
        self.limit = room
        self.answers = what_answers(trace)
        self.says_one = room < 2 * FIRST_LENGTH[self.unit] and not self.answers and not trace["pins"]
        self.barred = {u["unit"] for u in self.units if not u["speaks"]} | set(trace["bans"])
        self.begins_end = math.ceil(trace["growth"]["ending"] * len(self.units))
        self.slight = {u["unit"] for u in self.units if u["unit"] not in self.barred and self.is_slight(u)}

    @property
    def gain_power(self):
        """With which a reader's gain counts: as the manner wants it, and of the one that is all that is said."""
        if self.answers:
            return 0.0
        return self.rules["gain_power"] or (self.rules["one_power"] if self.says_one and not self.forms else 0.0)

    def is_slight(self, unit):
        return (
            unit["says_little"]
            or (len(unit["words"]) < self.rules["fewest_words"] and not unit["sums_up"] and unit["listed"] is None)
            or self.worth[unit["unit"]] <= 0
            or not unit["has_verb"]
        )

    def run(self):
        self.pin()
        length = FIRST_LENGTH[self.unit]
        near = self.rules["near"] if self.rules["gain_power"] else 2 if self.says_one else 1
        while length * near < self.limit:
            self.grow(length, False)
            length *= 2
        self.grow(self.limit, True)
        if not self.forms and not any(unit["speaker"] and unit["speaks"] for unit in self.units):
            self.least()
        if not self.trace["pins"]:
            self.headline()

    def headline(self):
        """A line that is set apart, and that says more than all the rest, is the summary."""
        alone = len(self.forms) == 1 and self.limit < 2 * FIRST_LENGTH[self.unit]
        power = self.rules["first_power"] if alone else 1.0
        said = sum(self.worth[i] * form["share"] ** power for i, form in self.forms.items()) / self.rules["set_apart"]
        lines = [u["unit"] for u in self.units if u["unit"] in self.barred and u["is_statement"]]
        lines = [index for index in lines if index not in self.trace["bans"]]
        step, best = self.steps.next, said
        if step and step["reason"] == HEADLINE:
            index = step["unit"]
            same(index in lines, True, f"whose turn it is at step {step['step']}")
            self.learn(step, [index])
            enough = [form for form in self.known[index] if form["share"] >= self.rules["brief_share"]]
            form = next((form for form in reversed(enough) if form["length"] <= self.limit), None)
            same(form is not None and self.worth[index] * form["share"] > said, True, f"worth of step {step['step']}")
            best = self.worth[index] * form["share"]
            self.forms, self.made, self.used = {}, {}, 0
            same(self.named[index], [], f"names at step {step['step']}")
            self.decide({index: form}, index, "copy", HEADLINE, self.limit, self.as_learned(index))
        for other in lines:  # none that says still more would have fitted as it is
            fits = measure(self.finished(other, self.units[other]["text"]), self.unit) <= self.limit
            same(self.worth[other] > best and fits, False, f"what unit {other} says by itself")

    def pin(self):
        """What the reader pinned comes first, each as long as leaves room for the others."""
        pins = self.trace["pins"]
        for index, step in zip(pins, self.trace["steps"], strict=False):
            self.learn(step, [index])
        briefest = {index: self.known[index][0] for index in pins}
        for index in pins:
            del briefest[index]
            room = self.limit - self.used
            form = next(f for f in reversed(self.known[index]) if self.cost(briefest | {index: f}) <= room)
            same(self.named[index], [], f"names of pinned unit {index}")
            self.decide({index: form}, index, "copy", PINNED, self.limit, self.as_learned(index))

    def grow(self, limit, final):
        for index in self.by_worth():
            if self.forms[index]["share"] < self.rules["full_share"]:
                self.climb(index, limit)
        waiting = {u["unit"] for u in self.units} - self.barred - self.slight - set(self.forms)
        tries = self.rules["most_tried"]
        while waiting and (final or not self.is_too_brief()):
            settled, tries = self.weigh_some(waiting, limit, final, tries)
            if not settled:
                break
            chosen = max(settled, key=lambda i: (settled[i][0], -i))
            if not final and not self.is_next(chosen, limit - self.used):
                break
            self.put(chosen, settled, limit)
            waiting -= set(self.forms)
        for index in self.by_worth() if final else ():
            self.climb(index, limit)

    def weigh_some(self, waiting, limit, final, tries):
        """Of what is wanted most, what fits, and how many more may fail to."""
        settled, bounds = {}, self.bounds(waiting)
        for chosen in sorted(waiting, key=lambda i: (-bounds[i], i)):
            best = max((counts for counts, *_ in settled.values()), default=-1.0)
            if (self.gain_power and len(settled) == self.rules["at_once"]) or best >= bounds[chosen]:
                break
            found = self.weigh(chosen, limit, final) if tries else None
            if isinstance(found, tuple):
                settled[chosen] = found
                continue
            if found == TOO_LONG and not final:
                return (settled if self.gain_power else {}), tries
            waiting.discard(chosen)
            tries -= found == TOO_LONG
        return settled, tries

    def counts(self, index, value, changes, gain, limit):
        """What a move counts for: worth and a reader's gain; or worth, how much of it is said, and how surely."""
        value *= self.unheard(index)
        if gain is not None:
            return value * gain**self.gain_power
        alone = len(changes) == 1 and not self.forms and limit < 2 * FIRST_LENGTH[self.unit]
        power = self.rules["first_power"] if alone or self.answers_leaning_on(index) else 1.0
        said = sum(self.worth[i] * form["share"] ** power * form["sure"] for i, form in sorted(changes.items()))
        return value * (said / sum(self.worth[i] for i in sorted(changes)))  # in this order: ties are decided by it

    def gain_of(self, index, coming):
        """What a reader gains by a sentence; it is asked in kinds of text that the judge knows, and of no answer."""
        gain = coming["gains"].get(str(index))
        if not self.gain_power:
            return same(gain, None, f"gain of unit {index} at step {coming['step']}")
        known = type(gain) in (int, float) and 0 <= gain <= 1
        same(known, True, f"gain of unit {index} at step {coming['step']}")
        return gain

    def is_next(self, index, room):
        """Whether a sentence comes in now; before the last length, it may wait until a fuller form of it fits."""
        step = self.steps.next
        is_its_turn = step is not None and step["unit"] == index and step["reason"] in (STANDS, GAINED, WITH_OTHERS)
        return is_its_turn and step["room_before"] == room

    def is_too_brief(self):
        """Whether something should be made fuller before anything is added."""
        return any(form["share"] < self.rules["full_share"] for form in self.forms.values())

    def by_worth(self):
        return sorted(self.forms, key=lambda i: (-self.worth[i], i))

    def before(self, index):
        return next((i for i in range(index - 1, -1, -1) if self.units[i]["speaks"]), None)

    def bounds(self, waiting):
        """The most that each sentence can be worth here and now."""
        wanted = {i: max((value for value, *_ in self.plans(i)), default=0.0) for i in waiting}
        return {i: value * self.unheard(i) for i, value in wanted.items()}

    def plans(self, index):
        """Ways to take a sentence: alone, with names, or with what it leans on, the best first."""
        ways = [([], []), *([([], self.names(index))] if self.names(index) else [])]
        support = self.support(index)
        ways += [(support, self.names(index, support))] if support else []
        plans = [(self.value(index, along, named), along, named) for along, named in ways]
        return sorted((plan for plan in plans if plan[0] > 0), key=lambda plan: -plan[0])

    def names(self, index, taken=()):
        """The names that can stand in the place of pronouns: where there is room for one sentence."""
        leans = [lean for lean in self.units[index]["leans"] if lean["cue"] and lean["names"]]
        met = [self.is_met(lean) or {lean["on"], *lean["also"]} & {*taken} for lean in leans]
        unmet = {name for lean, done in zip(leans, met, strict=True) if not done for name in lean["names"]}
        return sorted(unmet) if self.says_one else []

    def value(self, index, along, named):
        taken = (index, *along)
        said = [i for i in along if not self.units[i]["text"].endswith("?")]
        leaning = self.answers_leaning_on(index)
        own = max(self.worth[i] for i in (index, *leaning))
        worth = (own + sum(self.worth[i] for i in said)) / (1 + len(said))
        understood = self.understood(index, taken, named)
        if understood < self.rules["least_understood"]:
            return 0.0
        factors = self.continues(index, bool(leaning)) * self.ends(index)
        return worth * understood ** self.rules["caution"] * factors

    def continues(self, index, answers):
        """How much more it is wanted for going on from a run of sentences, or for belonging to an answer."""
        run, before = 0, self.before(index)
        while before in self.forms:
            run, before = run + 1, self.before(before)
        run = max(run, answers, self.units[index]["listed"] in self.forms)
        longest = self.rules["continues"]
        return longest[min(run, len(longest)) - 1] if run else 1.0

    def ends(self, index):
        """How much more it is wanted for saying how the text ends, while nothing does."""
        has_end = any(i >= self.begins_end for i in self.forms)
        return self.trace["manner"]["ending"] if index >= self.begins_end and not has_end else 1.0

    def understood(self, index, taken, named=()):
        missed = 1.0
        for lean in self.units[index]["leans"] if index not in self.answers else ():
            others = {lean["on"], *lean["also"]}
            if not lean["droppable"] and not self.is_met(lean) and not others & {*taken}:
                missed *= 1 - lean["sure"] * (lean["left"] if {*named} & {*lean["names"]} else 1)
        return missed * math.prod(self.units[index]["names"][name]["sure"] for name in named)

    def is_met(self, lean):
        return lean["on"] in self.forms or any(other in self.forms for other in lean["also"])

    def answers_leaning_on(self, index):
        return [i for i in self.answers & set(self.forms) if self.leans_on(i, index) and index not in self.forms]

    def leans_on(self, index, other):
        leans = [lean for lean in self.units[index]["leans"] if lean["on"] is not None]
        return any(other in (lean["on"], *lean["also"]) for lean in leans)

    def unheard(self, index):
        """Whoever has not spoken yet is wanted more."""
        voice = self.units[index]["voice"]
        heard = not voice or any(self.units[i]["voice"] == voice for i in self.forms)
        return 1 if heard else self.rules["other_voice"]

    def support(self, index):
        needed, queue = [], [index]
        while queue:
            leaning = queue.pop()
            for lean in self.units[leaning]["leans"] if leaning not in self.answers else ():
                on = lean["on"]
                if lean["droppable"] or on in needed or on == index or self.is_met(lean):
                    continue
                if lean["sure"] < self.rules["worth_support"]:
                    continue
                if lean["names"] and leaning != index and self.says_one:
                    continue
                if on is None or self.is_no_help(on) or len(needed) >= self.rules["most_support"]:
                    return None
                needed.append(on)
                queue.append(on)
        return sorted(needed)

    def is_no_help(self, index):
        """What may not come in, and in an answer what says nothing but is no question, is not brought along."""
        is_slight = bool(self.answers) and index in self.slight
        return index in self.barred or (is_slight and not self.units[index]["text"].endswith("?"))

    def weigh(self, index, limit, final):
        """In which forms a sentence would come in, and all whose forms were tried; or why not."""
        plans, room, step = self.plans(index), limit - self.used, self.steps.next
        obstacle = self.obstacle(index, plans)
        passed = final and step is not None and (step["unit"], step["operation"]) == (index, "pass")
        if obstacle is None and not passed:
            coming = next((one for one in self.steps.coming if one["reason"] in (STANDS, GAINED, WITH_OTHERS)), None)
            if coming is not None and str(index) in coming["forms"]:
                found = self.tried(index, plans, coming, limit)
                if found:
                    return found
            same(final, False, f"whose turn it is at step {step and step['step']}")
            return TOO_LONG
        if final:
            same(passed, True, f"whose turn it is at step {step and step['step']}")
            weighed = [index, *(self.support(index) or ())]
            self.learn(step, weighed)
            for _, support, named in plans if obstacle is None else ():
                versions = self.versions(index, self.unsaid_of(support, index), named)
                same(self.fitting(index, versions, room), None, f"what fits at step {step['step']}")
            usual = {i: self.version(i, self.names(i)) for i in weighed}
            needs = self.cost({i: forms[0] for i, (forms, _) in usual.items()})
            self.expect(index, "pass", obstacle or TOO_LONG, needs, room, [], usual)
        return obstacle or TOO_LONG

    def tried(self, index, plans, coming, limit):
        tried, room = {index}, limit - self.used
        for value, needed, named in plans:
            support = self.unsaid_of(needed, index)
            tried |= set(support)
            if not {*map(str, tried)} <= {*coming["forms"]}:
                return None  # it is told there for another's sake
            for other in sorted(tried):
                self.learn_one(coming, other)
            versions = self.versions(index, support, named)
            changes = self.fitting(index, versions, room)
            if changes:
                gain = self.gain_of(index, coming)
                return self.counts(index, value, changes, gain, limit), changes, tried, gain, versions
        return None

    def put(self, index, settled, limit):
        _, changes, _, _, versions = settled[index]
        weighed = set().union(*(tried for _, _, tried, *_ in settled.values()))
        alone = "copy", GAINED if self.gain_power else STANDS
        made = ("expand", WITH_OTHERS) if len(changes) > 1 else alone
        gains = {str(i): gain for i, (_, _, _, gain, _) in settled.items() if gain is not None}
        usual = {other: self.version(other, self.names(other)) for other in weighed}
        self.decide(changes, index, *made, limit, usual | versions, gains)

    def versions(self, index, support, named):
        """The forms of a sentence with these names, and those of what comes along as they are used."""
        return {index: self.version(index, named)} | {i: self.version(i, self.names(i)) for i in support}

    def version(self, index, named):
        """The forms of a sentence with these names; once it is in, they stay what they are."""
        if index in self.forms or self.named[index] == named:
            return self.as_learned(index)[index]
        forms = []
        for form in self.known[index]:
            text = self.said_in(index, form["kept"], named)
            forms.append(form | {"text": text, "length": measure(text, self.unit)})
        return forms, named

    def as_learned(self, index):
        return {index: (self.known[index], self.named[index])}

    def unsaid_of(self, support, index):
        """What is said already need not come along, and no line that then announces nothing."""
        new = [other for other in support if not self.is_repetitive(other)]
        lists = {self.units[other]["listed"] for other in {index, *new, *self.forms}}
        return [other for other in new if self.units[other]["kind"] != "announcement" or other in lists]

    def is_repetitive(self, index):
        trigrams = grams(self.units[index]["words"], 3)
        return sum(gram in self.said for gram in trigrams) > REPETITIVE * len(trigrams) or self.says_same(index)

    def obstacle(self, index, plans):
        if not plans:
            return LEANS_ON
        if self.is_repetitive(index):
            return REPEATS
        more = {i: self.rules["sums_up"] if self.units[i]["sums_up"] else 1 for i in self.forms}
        mean = sum(self.worth[i] / more[i] for i in self.forms) / max(1, len(self.forms))
        floor = self.rules["floor"] * (1 if self.units[index]["listed"] is None else self.rules["of_a_list"])
        return FAR_BELOW if self.forms and self.worth[index] < floor * mean else None

    def says_same(self, index):
        """Whether another sentence has nearly the same words."""
        here = self.content[index]
        others = (self.content[i] for i in self.forms)
        return any(2 * len(here & other) > self.rules["same"] * (len(here) + len(other)) for other in others)

    def learn(self, step, indices):
        """The forms of sentences that were weighed: what they say and how long they are follows from what they keep."""
        same(sorted(step["forms"]), sorted(map(str, indices)), f"sentences of step {step['step']}")
        for index in indices:
            self.learn_one(step, index)

    def learn_one(self, step, index):
        forms, named = step["forms"][str(index)], step["named"].get(str(index), [])
        if index in self.forms:
            same((forms, named), (self.known[index], self.named[index]), f"forms at step {step['step']}")
            return
        count = len(self.units[index]["names"])
        same(named, [n for n in range(count) if n in named], f"names of unit {index} at step {step['step']}")
        self.check_forms(index, forms, named, f"forms of unit {index} at step {step['step']}")
        if self.forms and step["reason"] != HEADLINE:  # what is less sure may only be the first thing that is said
            least = min(form["sure"] for form in forms)
            same(least >= self.rules["sure_enough"], True, f"how sure the forms of unit {index} are")
        self.known[index], self.named[index] = forms, named

    def check_forms(self, index, forms, named, name):
        unit, tokens = self.units[index], tokens_of(self.trace, self.units[index])
        same(bool(forms), True, f"number of {name}")
        for form in forms:
            kept = [position for first, last in form["kept"] for position in range(first, last)]
            runs = [[first, last] for first, last in form["kept"] if 0 <= first < last <= len(tokens)]
            same(form["kept"], runs, f"tokens of {name}")
            same(all(one[1] < other[0] for one, other in pairwise(runs)), True, f"tokens of {name}")
            same(form["text"], self.said_in(index, runs, named), f"text of {name}")
            same(form["length"], measure(form["text"], self.unit), f"length of {name}")
            same(form["tokens"], len(kept), f"tokens of {name}")
            same(form["whole"], len(kept) == len(tokens), f"whether they are whole, {name}")
            for field in ("share", "sure"):
                same(type(form[field]) in (int, float) and 0 <= form[field] <= 1, True, f"{field} of {name}")
        same(forms[-1]["share"], 1.0, f"share of the last of the {name}")
        same(all(form["sure"] == 1 for form in forms if form["whole"]), True, f"how sure the whole of the {name} is")
        if unit["why_whole"] is not None:
            same(len(forms), 1, f"number of {name}, for {unit['why_whole']}")
        if not any(lean["droppable"] for lean in unit["leans"]):
            lengths = [(form["tokens"], form["share"], form["text"]) for form in forms]
            same(lengths, sorted(set(lengths)), f"order of {name}")

    def said_in(self, index, runs, named):
        """Some tokens of a sentence, with names in the place of some, as a sentence by itself."""
        unit, tokens = self.units[index], tokens_of(self.trace, self.units[index])
        placed = self.placed(unit, runs, named)
        whole = runs == [[0, len(tokens)]] and not placed
        return self.finished(index, unit["text"] if whole else self.worded(unit, tokens, runs, placed))

    def placed(self, unit, runs, named):
        """The token in whose place each name stands: the first of its own that is kept."""
        kept = {position for first, last in runs for position in range(first, last)}
        found = {}
        for name in (unit["names"][number] for number in named):
            place = next((token for token in name["tokens"] if token in kept), None)
            if place is not None:
                found[place] = name
        return found

    def worded(self, unit, tokens, runs, placed):
        """Some tokens of a sentence as a sentence."""
        text, document = "", self.trace["document"]["text"]
        for first, last in runs:
            word, start = tokens[first][0], tokens[first][1]
            at_word = not is_word(word) and start > unit["start"] and not document[start - 1].isspace()
            attached = (at_word and word not in "([“‘-–—") or text.endswith(("(", "[", "“", "‘"))
            piece = ""
            for place in (place for place in range(first, last) if place in placed):
                piece += document[start : tokens[place][1]] + instead_of(placed[place], place)
                start = tokens[place][2]
            text += ("" if not text or attached else " ") + tidy(piece + document[start : tokens[last - 1][2]])
        later = bool(runs) and (tokens[runs[0][0]][1] > unit["start"] or runs[0][0] in placed)
        start = 1 if text[:1] in "\"'“‘" else 0
        return capitalized(text, start) if later else text

    def finished(self, index, text):
        """It ends like a sentence, is quoted all through, and says who speaks, or which clause it is."""
        if self.trace["document"]["kind"] in ("article", "story") and text[-1:].isalnum():
            text += ":" if self.units[index]["kind"] == "announcement" else "."
        unit, before = self.units[index], self.units[index - 1] if index else None
        if self.trace["document"]["kind"] == "dialogue" or unit["sums_up"]:
            text = capitalized(text, 1 if text[:1] in "\"'“‘" else 0)
        numbered = self.trace["document"]["kind"] == "legal" and before and before["kind"] == "number"
        prefix = f"{before['text']} " if numbered else f"{unit['speaker']}: " if unit["speaker"] else ""
        return prefix + balanced(text)

    def fitting(self, index, versions, room):
        """The first forms that fit, with the support whole, or brief."""
        support = {i: forms for i, (forms, _) in versions.items() if i != index}
        ways = [{i: forms[end] for i, forms in support.items()} for end in (-1, 0)]
        for along in ways if support else ways[:1]:
            for form in self.preferred(versions[index][0]):
                if self.cost(along | {index: form}) <= room:
                    return along | {index: form}
        return None

    def preferred(self, forms):
        """The longest form first; or the briefest that says most of the sentence."""
        enough = self.rules["full_share"] if self.rules["brief_first"] else 2
        full = [form for form in forms if form["share"] >= enough]
        return full + [form for form in reversed(forms) if form not in full]

    def climb(self, index, limit):
        for form in reversed(self.known[index]):
            if form["tokens"] <= self.forms[index]["tokens"]:
                return
            if self.cost({index: form}) <= limit - self.used:
                self.decide({index: form}, index, "expand", FULLER, limit, self.as_learned(index))
                return

    def least(self):
        """Where nothing stands by itself, the best that fits, if there is room for more than a phrase."""
        step, usable = self.steps.next, [u for u in self.units if u["unit"] not in self.barred]
        worth = {u["unit"]: self.worth[u["unit"]] * self.understood(u["unit"], (u["unit"],)) for u in usable}
        rank = {index: (index in self.slight, -value, index) for index, value in worth.items()}
        taken = step["unit"] if step and step["reason"] == NOTHING_BETTER else None
        if self.limit >= {"tokens": 6, "words": 5, "chars": 25}[self.unit]:
            for index in sorted(rank, key=rank.get)[: self.rules["most_tried"]]:
                if index == taken:
                    break
                fits = measure(self.finished(index, self.units[index]["text"]), self.unit) <= self.limit
                opens = any(lean["droppable"] for lean in self.units[index]["leans"])
                same(fits and not opens, False, f"what fits of unit {index}")
        if taken is not None:
            self.learn(step, [taken])
            fitting = [form for form in self.known[taken] if self.cost({taken: form}) <= self.limit]
            same(bool(fitting) and taken in rank, True, f"what fits at step {step['step']}")
            same(self.named[taken], self.names(taken), f"names at step {step['step']}")
            self.decide({taken: fitting[-1]}, taken, "copy", NOTHING_BETTER, self.limit, self.as_learned(taken))

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

    def decide(self, changes, index, operation, reason, limit, versions, gains=None):
        needs, room = self.cost(changes), limit - self.used
        operation = "brief" if operation == "copy" and not changes[index]["whole"] else operation
        self.made.update(dict.fromkeys(changes, (self.steps.made, operation)))
        self.expect(index, operation, reason, needs, room, sorted(changes), versions, gains)
        self.used += needs
        self.forms.update(changes)
        for taken in changes:
            self.known[taken], self.named[taken] = versions[taken]
            self.said |= grams(self.units[taken]["words"], 3)

    def expect(self, index, operation, reason, needs, room, sources, versions, gains=None):
        attention = self.units[index]["attention"]
        forms = {str(other): forms for other, (forms, _) in sorted(versions.items())}
        named = {str(other): names for other, (_, names) in sorted(versions.items()) if names}
        probabilities = 1.0, attention, None, 0.0, attention
        self.steps.expect(
            index, "grow", operation, reason, needs, room, sources, probabilities, (), forms, gains, named
        )

    def lines(self):
        found = []
        for index, form in sorted(self.forms.items()):
            unit, tokens = self.units[index], tokens_of(self.trace, self.units[index])
            spans = [(tokens[first][1], tokens[last - 1][2]) for first, last in form["kept"]]
            spans = [(unit["start"], unit["end"])] if form["whole"] else spans
            placed = self.placed(unit, form["kept"], self.named[index])
            named = [
                {"start": tokens[place][1], "end": tokens[place][2], "text": instead_of(name, place),
                 "by_start": name["start"], "by_end": name["end"], "sure": name["sure"]}
                for place, name in placed.items()
            ]  # fmt: skip
            found.append((unit, form["text"], spans, *self.made[index], form | {"named": named}))
        return found


def instead_of(name, place):
    """What stands in a token's place: a name, or whose something is."""
    text = name["text"]
    plural = text.endswith("s") and not text.endswith("ss") and text[:1].islower()
    return text + (("'" if plural else "'s") if place in name["owners"] else "")


OPENING = re.compile(
    r"(?:(?<=\s)|(?<=^)|(?<=[(\[-]))(?:[\"“‘]|'(?=[A-Z]|\w[^']*\w[.,!?]?'(?:\W|$)))(?=\S)(?![\"”](?:\W|$))"
)
CLOSING = re.compile(r"(?<=[^\s€\"])[\"”](?=\W|$)|(?<=[.,!?])['’](?=\s|$)|(?<=[a-rt-z])(?<!'n)['’](?=\s|[.,;:!?)\]]|$)")
CODE = re.compile(r"\w\([^()\s]{0,80}\)|(?<!\w)'[^'\s]{0,40}[\[\]{}=/\\_@][^'\s]{0,40}'(?!\w)")
PERHAPS = re.compile(r"(?<=s)['’](?=\s|[.,;:!?]|$)")
PERHAPS_OPENING = re.compile(r"(?<![^\s(\[-])'(?=[a-z]++(?!\w*')\W|[a-z]+'[a-z])")
PAIRS = {"“": "”", "‘": "’", "”": "“", "’": "‘"}


def balanced(text):
    """A sentence of a longer quotation is quoted from its first word to its last."""
    prose = CODE.sub(lambda code: "x" * len(code.group()), text)
    openings = list(OPENING.finditer(prose))
    closings = list(CLOSING.finditer(prose))
    opened, closed = [found.group() for found in openings], [found.group() for found in closings]
    marks = len(opened) - len(closed)
    ends = [*(opening.start() for opening in openings[1:]), len(prose)]
    for opening, end in zip(openings, ends, strict=False):  # one that nothing else closes may end after an s
        unclosed = opening.group() in "'‘" and not CLOSING.search(prose, opening.end(), end)
        marks -= marks > 0 and unclosed and bool(PERHAPS.search(prose, opening.end(), end))
    if marks < 0 and closed[0] in "'’":
        marks = min(0, marks + len(PERHAPS_OPENING.findall(prose, 0, closings[-1].start())))
    if marks == 1:
        double = [mark for mark in opened if mark in '"“']
        mark = double[-1] if len(double) > sum(mark in '"”' for mark in closed) else opened[-1]
        return text + PAIRS.get(mark, mark)
    return PAIRS.get(closed[0], closed[0]) + text if marks == -1 else text
