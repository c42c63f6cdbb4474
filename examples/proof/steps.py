"""The steps of a trace, and the reasons that they may have."""

from proof.agreement import MismatchError, same

REPEATS = "repeats what the summary says already"
TOO_LONG = "too long for the room left"
SAYS_LITTLE = "says too little by itself"
NOTHING_FULLER = "it says little, but no fuller sentence fits"
PINNED = "you pinned it"
BANNED = "you banned what it says"
WORTH_MORE = "its expansion is attended to at least as much (P_e >= P_c)"
FILLS = "the most attended of what is left that fits"
NOTHING_TO_EXPAND = "there is nothing to expand it to"
PROTOTYPE_FILLS = "the prototype fills the budget, so there is copying only"
WORTH_LESS = "it is attended to more than its expansion (P_c > P_e)"
WOULD_CROWD_OUT = "its expansion would crowd out the sentences still waiting"
WOULD_REPEAT = "its expansion would repeat what the summary says already"
STANDS = "the most wanted of what is left, and it stands by itself here"
GAINED = "of what is wanted most, a reader gains most by it here"
WITH_OTHERS = "taken with what it leans on"
FULLER = "there is room for a fuller form of it"
LEANS_ON = "it leans on a sentence that can't come along"
FAR_BELOW = "it is worth far less than what is there, and is not taken as filler"
NOTHING_BETTER = "it says little by itself, but nothing better fits"
HEADLINE = "set apart from the text, it says more than all that fits beside it"

RERANKED = 4  # candidates of E(s) that are re-ranked by what they repeat
COMPARABLE = 0.5  # if they score at least so much of what the best one does
REPETITIVE = 0.3  # share of trigrams already said above which a sentence is passed over
PROBABILITIES = ("mass", "p_copy", "p_expand", "alpha", "p_o")


class Steps:
    """The steps of a trace, each to be expected in its turn."""

    def __init__(self, trace):
        self.trace, self.units = trace, trace["units"]
        self.waiting = list(trace["steps"])
        self.made = 0
        for number, step in enumerate(self.waiting):
            same(step["step"], number, f"number of step {number}")
            known_unit = type(step["unit"]) is int and 0 <= step["unit"] < len(self.units)
            same(known_unit, True, f"unit of step {number}")
            local = self.units[step["unit"]]["local"]
            shares = {head["name"]: head["weight"] * local[head["name"]] for head in trace["heads"]}
            same([*step["shares"]], [*shares], f"shares of step {number}")
            for name, share in shares.items():
                same(step["shares"][name], share, f"share of {name} in step {number}")

    @property
    def next(self):
        return self.waiting[self.made] if self.made < len(self.waiting) else None

    @property
    def coming(self):
        return self.waiting[self.made :]

    def expect(self, unit, stage, operation, reason, needs, room, sources, probabilities, candidates=(), forms=None,
               gains=None, named=None):  # fmt: skip
        """The next step is this one, in all that it says."""
        step = self.next
        if step is None:
            raise MismatchError(f"number of steps: the trace has {self.made}, replayed one more, {operation} {unit}")
        after = room if operation == "pass" else room - needs
        expected = {
            "unit": unit, "stage": stage, "operation": operation, "reason": reason, "needs": needs,
            "room_before": room, "room_after": after, "sources": list(sources), "candidates": list(candidates),
            "forms": forms or {}, "gains": gains or {}, "named": named or {},
        }  # fmt: skip
        for field, value in expected.items():
            same(step[field], value, f"{field} of step {self.made}")
        for field, value in zip(PROBABILITIES, probabilities, strict=True):
            same(step[field], value, f"{field} of step {self.made}")
        self.made += 1

    def end(self):
        same(len(self.waiting), self.made, "number of steps")
