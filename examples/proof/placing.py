"""The paper's way: a draft is placed, copied or expanded, and the rest of the room filled."""

from collections import Counter

from proof.reading import sentence_count
from proof.steps import (
    BANNED,
    COMPARABLE,
    FILLS,
    NOTHING_FULLER,
    NOTHING_TO_EXPAND,
    PINNED,
    PROTOTYPE_FILLS,
    REPEATS,
    REPETITIVE,
    RERANKED,
    SAYS_LITTLE,
    TOO_LONG,
    WORTH_LESS,
    WORTH_MORE,
    WOULD_CROWD_OUT,
    WOULD_REPEAT,
    Steps,
)
from proof.words import grams


class Replay:
    """The paper's way: a draft is placed, copied or expanded, and the rest of the room filled."""

    def __init__(self, trace):
        self.trace, self.units, self.steps = trace, trace["units"], Steps(trace)
        self.drafted = len(self.units) - sentence_count(trace)
        self.initial = [unit["attention"] for unit in self.units]
        self.live = list(self.initial)
        self.room = trace["budget"]["limit"]
        self.joint = 1 if trace["budget"]["unit"] == "chars" else 0
        self.shortest = min(unit["length"] for unit in self.units)
        self.pieces, self.made, self.said = {}, {}, Counter()
        self.taken, self.settled = set(trace["bans"]), set(trace["bans"])
        self.slight = []  # passed over only because they say so little
        self.passed = []  # passed over because they were too long or repeated something
        self.freed = False  # whether something took the place of what was there
        for index in trace["bans"]:
            self.live[self.source(index)["unit"]] = 0.0
        lengths = [unit["length"] + self.joint for unit in self.units[: self.drafted]]
        self.roomy = self.room > sum(lengths) - (self.joint if lengths else 0)

    def run(self):
        self.pin()
        self.place()
        self.magnify()
        if self.slight and not self.pieces:
            unit, stage, probabilities, ranking = self.slight[0]
            self.take(unit, stage, "copy", NOTHING_FULLER, [unit], probabilities, ranking)

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
        for run in free[:RERANKED]:
            if run["score"] >= COMPARABLE * free[0]["score"]:
                repeats = [sum(gram in self.said for gram in self.grams_of(unit)) for unit in self.sentences(run)]
                ranked.append(run | {"repeats": sum(repeats)})
        ranked.sort(key=lambda run: (run["repeats"], -run["score"], run["first"]))
        if not ranked:
            return [], None, []
        run = self.sentences(ranked[0])
        return run, sum(self.initial[unit["unit"]] for unit in run) / len(run), ranked

    def sentences(self, run):
        return [self.source(index) for index in range(run["first"], run["first"] + run["size"])]

    def probabilities(self, unit):
        """Those of a sentence that can only be copied."""
        mass = sum(self.live) or 1.0
        p_c = self.live[unit["unit"]] / mass
        return mass, p_c, None, 0.0, p_c

    def pin(self):
        """What the reader pinned comes first."""
        for index in self.trace["pins"]:
            unit = self.source(index)
            self.take(unit, "place", "copy", PINNED, [unit], self.probabilities(unit))

    def place(self):
        waiting = list(range(self.drafted))
        sizes, first = self.trace["sizes"], self.trace["prototype_first"]
        while waiting and (first or self.room >= self.shortest):
            size = sizes[(self.drafted - len(waiting)) * len(sizes) // self.drafted]
            found = {number: self.weighed(number, size) for number in waiting}
            best = max(waiting, key=lambda number: (found[number][0][-1], -number))
            sources = [] if first else [u for u in self.units[self.drafted :] if u["source"] not in self.settled]
            rival = max(sources, key=lambda unit: (self.live[unit["unit"]], -unit["unit"]), default=None)
            if rival and self.probabilities(rival)[-1] > found[best][0][-1] * (1 + 1e-9):  # rounding decides nothing
                self.copy_or_pass(rival, "magnify", FILLS, self.probabilities(rival))
                continue
            waiting.remove(best)
            reserved = sum(self.units[k]["length"] + self.joint for k in waiting) if first else 0
            self.settle(self.units[best], *found[best], reserved)

    def weighed(self, number, size):
        """P_c, P_e, alpha and p_o of Eq. (6)-(8), with E(s)."""
        run, worth, ranking = self.expansion(number, size)
        mass, p_c, *_ = probabilities = self.probabilities(self.units[number])
        if run:
            p_e = worth / mass
            alpha = max(p_c, p_e)
            probabilities = mass, p_c, p_e, alpha, alpha * p_e + (1 - alpha) * p_c
        return probabilities, run, ranking

    def settle(self, unit, probabilities, run, ranking, reserved):
        _, p_c, p_e, _, _ = probabilities
        if not run:
            obstacle = NOTHING_TO_EXPAND if self.roomy else PROTOTYPE_FILLS
        elif p_e < p_c:
            obstacle = WORTH_LESS
        elif self.cost(run) + reserved > self.room:
            obstacle = WOULD_CROWD_OUT
        else:
            obstacle = WOULD_REPEAT if self.is_repetitive(run) else None
        if obstacle:
            self.copy_or_pass(unit, "place", obstacle, probabilities, ranking)
        else:
            self.take(unit, "place", "expand", WORTH_MORE, run, probabilities, ranking)

    def copy_or_pass(self, unit, stage, reason, probabilities, ranking=()):
        obstacle = self.obstacle(unit)
        if not obstacle:
            self.take(unit, stage, "copy", reason, [unit], probabilities, ranking)
            return
        if obstacle == SAYS_LITTLE:
            self.slight.append((unit, stage, probabilities, ranking))
        elif obstacle != BANNED:
            self.passed.append(unit)
        self.steps.expect(
            unit["unit"], stage, "pass", obstacle, self.cost([unit]), self.room, [], probabilities, ranking
        )
        self.strike(unit, [] if unit["source"] is None else [unit["source"]])

    def obstacle(self, unit):
        if unit["anchor"] in self.trace["bans"]:
            return BANNED
        if self.cost([unit]) > self.room:
            return TOO_LONG
        if self.is_repetitive([unit]):
            return REPEATS
        return SAYS_LITTLE if unit["says_little"] else None

    def magnify(self):
        """Fill the room; and where something took the place of what was there, go on until nothing more fits."""
        for unit in self.magnifiable(self.units[self.drafted :]):
            if self.room < self.shortest:
                break
            if unit["origin"] == "prototype":
                self.expand_copied(unit)
            elif unit["source"] not in self.settled:
                self.copy_or_pass(unit, "magnify", FILLS, self.probabilities(unit))
        while self.freed and self.room >= self.shortest and self.go_on():
            pass

    def magnifiable(self, others):
        """Sentences by their attention, and copied ones by that of what they can become."""
        size, order = self.trace["sizes"][-1], [(-self.live[unit["unit"]], unit["unit"]) for unit in others]
        for number, units in self.pieces.items():
            if number < self.drafted and units == [self.units[number]] and units[0]["source"] is None:
                run, worth, _ = self.expansion(number, size)
                order += [(-worth, number)] if run else []
        return [self.units[number] for _, number in sorted(order)]

    def go_on(self):
        """Take the first of what was passed over, or could not be expanded, that does now."""
        again = [u for u in self.passed if u["source"] not in self.taken and u["unit"] not in self.pieces]
        for unit in again:
            self.live[unit["unit"]] = self.initial[unit["unit"]]
        for unit in self.magnifiable(again):
            if unit["unit"] in self.pieces:
                if self.expand_copied(unit, only_if_it_fits=True):
                    return True
            elif not self.obstacle(unit):
                self.take(unit, "magnify", "copy", FILLS, [unit], self.probabilities(unit))
                return True
        return False

    def expand_copied(self, unit, only_if_it_fits=False):
        """Put E(s) in the place of a sentence that was copied in the prototype's own words."""
        run, worth, ranking = self.expansion(unit["unit"], self.trace["sizes"][-1])
        if not run:
            return False
        mass = sum(self.live) or 1.0
        p_e = worth / mass
        probabilities, needs = (mass, 0.0, p_e, p_e, p_e * p_e), self.cost(run, [unit])
        obstacle = TOO_LONG if needs > self.room else REPEATS if self.is_repetitive(run, [unit]) else None
        if not obstacle:
            self.take(unit, "magnify", "expand", FILLS, run, probabilities, ranking, [unit])
            self.freed = True
        elif not only_if_it_fits:
            self.steps.expect(unit["unit"], "magnify", "pass", obstacle, needs, self.room, [], probabilities, ranking)
            self.strike(unit, [])
        return not obstacle

    def take(self, unit, stage, operation, reason, units, probabilities, ranking=(), instead_of=()):
        needs = self.cost(units, instead_of)
        sources = [one["source"] for one in units if one["source"] is not None]
        self.made[unit["unit"]] = (self.steps.made, operation)
        self.steps.expect(unit["unit"], stage, operation, reason, needs, self.room, sources, probabilities, ranking)
        for one in self.pieces.get(unit["unit"], []):
            self.said -= Counter(self.grams_of(one))
        self.pieces[unit["unit"]] = units
        for one in units:
            self.said.update(self.grams_of(one))
        self.room -= needs
        self.taken.update(sources)
        self.strike(unit, sources)

    def strike(self, unit, sources):
        self.settled.update(sources)
        for number in [unit["unit"], *(self.source(index)["unit"] for index in sources)]:
            self.live[number] = 0.0

    def lines(self):
        """What went in: unit, text, stretches of the document, step and operation."""
        found = []
        for number, units in self.pieces.items():
            for unit in units:
                found.append((unit, unit["text"], [(unit["start"], unit["end"])], *self.made[number], None))
        return found
