"""What `explain --check` adds: as far as it can be told without the summarizer."""

from proof.agreement import MismatchError, same


def check_the_check(trace):
    """Every head and every chosen sentence was taken away once; what stays, goes and comes must add up."""
    if "check" not in trace:
        return
    check, weights = trace["check"], trace["weights"]
    chosen = sorted({span["sentence"] for sentence in trace["sentences"] for span in sentence["source"]})
    same(sorted(check), ["heads", "sentences"], "parts of the check")
    same([one["head"] for one in check["heads"]], list(weights) if len(weights) > 1 else [], "heads of the check")
    same([one["sentence"] for one in check["sentences"]], chosen, "sentences of the check")
    for one in check["heads"]:
        what = f"check without {one['head']}"
        same(sorted(one), ["gained", "head", "kept", "lost"], f"parts of the {what}")
        check_change(trace, one, set(chosen), what)
        same(one["kept"], len(chosen) - len(one["lost"]), f"{what}: sentences that stay")
        if not weights[one["head"]]:
            same([one["lost"], one["gained"]], [[], []], f"{what}, which weighs nothing")
    for one in check["sentences"]:
        what = f"check without sentence {one['sentence']}"
        same(sorted(one), ["gained", "lost", "sentence"], f"parts of the {what}")
        check_change(trace, one, set(chosen) - {one["sentence"]}, what)


def check_change(trace, one, chosen, what):
    """Only what is there can go, only what is not can come, each once and in order."""
    every = {unit["source"] for unit in trace["units"] if unit["origin"] == "source"}
    others = every - chosen - {one.get("sentence")}
    for name, possible in (("lost", chosen), ("gained", others)):
        same(one[name], sorted(set(one[name])), f"{what}: order of what is {name}")
        if not set(one[name]) <= possible:
            raise MismatchError(f"{what}: {sorted(set(one[name]) - possible)} can't be {name}")
