"""Is the proof a proof? Forge a trace in every way there is, one at a time, and see whether it is found out.

    python benchmarks/forgeries.py --positions 40

Every value of the JSON is changed in turn: numbers by a hundredth and by one, texts by a character, yes to no, and of
lists and tables something is dropped, doubled or put elsewhere. `examples/replay.py` must find out each, but for what
BELIEVED names: what a network, a parser or LDA said, which nothing in the trace can tell. Without --positions, all
are forged (this takes an hour); with it, so many of each field. Exits with 1 where a forgery passes.
"""

from __future__ import annotations

import argparse
import copy
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mls import Recipe, Summarizer
from mls.explain.as_json import to_json
from mls.explain.check import check_reasons

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "examples"))
import replay as proof  # noqa: E402

Path_ = tuple[str | int, ...]
NOISE = 1e-9  # of floating point: what is smaller is nothing, and a hundredth of it is no forgery
# What is believed, by field and kind of forgery; docs/proof.md says why. It passes only where nothing depends on it.
BELIEVED = {
    "prototype.again.before": "one",
    "prototype.sentences.#.tokens.#.p_gen": "a hundredth",
    "expansions.#.#.#.first": "one",
    "units.#.has_verb": "turned",
    "units.#.is_statement": "turned",
    "units.#.leans": "",
    "units.#.names": "",
    "steps.#.forms.#": "first dropped",
    "steps.#.forms.#.#.share": "a hundredth",
    "steps.#.forms.#.#.sure": "a hundredth",
    "steps.#.gains": "a hundredth",
    "liked": "",
    "sentences.#.dropped.#.end": "one",
    "check.heads.#.lost": "one",
    "check.heads.#.gained": "",
    "check.sentences.#.lost": "",
    "check.sentences.#.gained": "",
    "trace": "without check",
}
TRUSTED = re.compile("|".join(rf"^{re.escape(field)}(?:\.[\w.#]+)? {how}" for field, how in BELIEVED.items()))


def modes() -> dict[str, tuple[dict[str, Any], str, str, dict[str, Any]]]:
    """Several texts in all modes: by name a recipe, a text, a budget and what else is asked."""
    news, story = ((ROOT / "examples" / f"{name}.txt").read_text(encoding="utf-8") for name in ("news", "story"))
    bridge = (
        "The town council, which met on Monday evening, agreed to repair the old bridge before the winter floods come. "
        "Nobody in the town had expected anything of the kind from anyone at all."
    )
    pilot = (
        "Ada Brennan joined the harbour office in 1961 after leaving school. The town had hardly any ships in those "
        "days, and the harbour was full of mud and old ropes that nobody wanted. She steered the first steam ferry "
        "across the bay in 1987. Nobody wrote a word about that for many years."
    )
    short, longer = ("\n".join(news.splitlines()[:lines]) for lines in (6, 9))
    talk, paper = (
        (ROOT / "examples" / "kinds" / f"{name}.txt").read_text(encoding="utf-8") for name in ("chat", "paper")
    )
    talk, paper, story = ("\n".join(text.splitlines()[:12]) for text in (talk, paper, story))
    return {
        "default": ({}, longer, "1/4", {}),
        "default, in characters": ({}, story, "400 chars", {}),
        "default, a talk": ({}, talk, "40 words", {}),
        "default, a phrase": ({}, short, "4 tokens", {}),
        "default, a name": ({}, pilot, "14 words", {"ban": [0]}),
        "default, asked and marked": ({}, short, "1/3", {"about": "What does the county pay?", "pin": [4], "ban": [2]}),
        "source": ({"wording": "source"}, short, "1/4", {}),
        "network": ({"wording": "network", "prototype": "pg-network"}, short, "50 words", {}),
        "network, again": ({"wording": "network", "prototype": "pg-network"}, short, "24 tokens", {}),
        "paper": ({"preset": "paper"}, short, "1/3", {}),
        "paper, with room": ({"preset": "paper"}, short, "3/4", {}),
        "paper, marked": ({"preset": "paper"}, short, "1/2", {"pin": [3], "ban": [1]}),
        "light, a talk": ({"preset": "light"}, talk, "1/6", {}),
        "light, shortened": ({"preset": "light"}, bridge, "12 tokens", {}),
        "drafted and checked": ({"prototype": "pg-network"}, short, "1/4", {}),
        "a title": ({}, paper, "20 tokens", {}),
        "the document": ({}, short, "100%", {}),
        "default, checked for its reasons": ({}, longer, "1/4", {}),
    }  # fmt: skip


def trace_of(name: str) -> dict[str, Any]:
    """The trace of the summary in a mode."""
    recipe, text, budget, more = modes()[name]
    summarizer = Summarizer(Recipe.from_dict(recipe))
    summary = summarizer.summarize(text, budget, **more)
    check = check_reasons(summarizer, summary) if name.endswith("checked for its reasons") else None
    found: dict[str, Any] = json.loads(to_json(summary, check))
    return found


def positions(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every value within another, with the way to it."""
    yield path, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from positions(part, (*path, key))


def field(path: Path_) -> str:
    """The way to a value without numbers and names that only this document has."""
    names = ["#" if isinstance(key, int) or re.fullmatch(r"\d+", key) else key for key in path]
    return re.sub(r"\b(scores|local|shares|weights)\.\w+", r"\1.*", ".".join(names)) or "trace"


def forgeries(value: Any) -> Iterator[tuple[str, Any]]:
    """Other values instead of one."""
    if isinstance(value, bool):
        yield "turned", not value
    elif isinstance(value, int):
        yield "one more", value + 1
        yield "one less", value - 1
    elif isinstance(value, float):
        yield "a hundredth more", value * 1.01 if abs(value) > NOISE else 0.01
        yield "one more", value + 1
    elif isinstance(value, str):
        middle = len(value) // 2
        letter = "x" if value[middle : middle + 1] != "x" else "y"
        yield "another letter", value[:middle] + letter + value[middle + 1 :]
        yield "cut", value[:-1] if value else "x"
    elif value is None:
        yield "made up", 1
    elif isinstance(value, dict):
        for key in value:
            yield f"without {key}", {name: part for name, part in value.items() if name != key}
    elif value:
        yield "first dropped", value[1:]
        yield "last dropped", value[:-1]
        yield "last doubled", [*value, value[-1]]
        if value[0] != value[-1]:
            yield "ends exchanged", [value[-1], *value[1:-1], value[0]]


def put(trace: Any, path: Path_, value: Any) -> Any:
    """The trace with another value at one position; the rest is shared with the old one."""
    if not path:
        return value
    changed = copy.copy(trace)
    changed[path[0]] = put(trace[path[0]], path[1:], value)
    return changed


def found_out(trace: dict[str, Any]) -> bool:
    try:
        proof.replay(trace)
    except proof.MismatchError:
        return True
    return False


def tried(trace: dict[str, Any], most: int | None) -> Iterator[tuple[str, str, bool]]:
    """Field, kind of forgery and whether it was found out, for every field at some positions."""
    by_field: dict[str, list[tuple[Path_, Any]]] = defaultdict(list)
    for path, value in positions(trace):
        by_field[field(path)].append((path, value))
    for name, found in by_field.items():
        step = max(1, len(found) // most) if most else 1
        for path, value in found[::step]:
            for how, forged in forgeries(value):
                yield name, how, found_out(put(trace, path, forged))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, help="positions of each field, evenly spread; all if not given")
    options = parser.parse_args()
    count, caught, passed, trusted = 0, 0, Counter[str](), Counter[str]()
    for name in modes():
        trace = trace_of(name)
        proof.replay(trace)
        for where, how, found in tried(trace, options.positions):
            count += 1
            caught += found
            if not found:
                (trusted if TRUSTED.search(f"{where} {how}") else passed)[f"{where} {how}"] += 1
        print(f"{name}: {count:,} forgeries so far, {caught:,} found out", flush=True)
    print(f"{count:,} forgeries: {caught:,} found out, {sum(trusted.values()):,} of what is trusted, "
          f"{sum(passed.values()):,} passed")  # fmt: skip
    for field, count in sorted(passed.items()):
        print(f"  {count:6,}  {field}")
    sys.exit(bool(passed))


if __name__ == "__main__":
    main()
