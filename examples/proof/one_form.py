"""What is said where no sentence fits: the title, a shortened sentence, or a phrase."""

from collections import Counter

from proof.agreement import known, same
from proof.reading import source_of, tokens_of
from proof.words import capitalized, content_words, tidy


def check_one_form(trace, steps):
    """Less than a sentence: the title, a shortened sentence, or a phrase. That nothing better fitted is believed."""
    step, text = steps.next, trace["text"]
    same(step is not None and len(trace["sentences"]) == 1, True, "what is said where no sentence fits")
    unit, sentence, limit = trace["units"][step["unit"]], trace["sentences"][0], trace["budget"]["limit"]
    operation = step["operation"]
    known(operation, ("title", "shorten", "keyphrase"), "operation of the last step")
    attention = unit["attention"]
    steps.expect(unit["unit"], "title" if operation == "title" else "shorten", operation, "", trace["length"], limit,
                 [unit["anchor"]], (1.0, attention, None, 0.0, attention))  # fmt: skip
    steps.end()
    spans = [(span["start"], span["end"]) for span in sentence["source"]]
    stretches = [trace["document"]["text"][start:end] for start, end in spans]
    same(bool(spans) and all(part and part == part.strip() for part in stretches), True, "where the words stand")
    same(
        [span["sentence"] for span in sentence["source"]],
        [holder(trace, start) for start, _ in spans],
        "where they stand",
    )
    expected = {"text": text, "operation": operation, "step": steps.made - 1, "unit": unit["unit"], "reworded": False,
                "dropped": [], "named": []}  # fmt: skip
    for field, value in expected.items():
        same(sentence[field], value, f"{field} of what is said")
    same(unit["anchor"], holder(trace, spans[0][0]), "whose words they are")
    same(unit["anchor"] in trace["bans"], False, "what is banned")
    same(text, ONE_FORM[operation](trace, unit, spans), "text")


def holder(trace, position):
    """The sentence in which a character stands."""
    sources = (unit for unit in reversed(trace["units"]) if unit["origin"] == "source")
    return next(unit["source"] for unit in sources if unit["start"] <= position)


def title(trace, unit, spans):
    same(trace["pins"], [], "what is pinned")
    same((unit["kind"], len(content_words(unit["words"])) >= 3), ("title", True), "the title")
    same(spans, [(unit["start"], unit["end"])], "the title")
    return unit["text"]


def shortened(trace, unit, spans):
    """Clauses of one of the most attended sentences, of which none that is attended to more fits as it is."""
    allowed = [u for u in trace["units"] if u["anchor"] not in trace["bans"]]
    ranked = sorted(allowed, key=lambda u: (-u["attention"], u["unit"]))[:5]
    numbers = [u["unit"] for u in ranked]
    same(unit["unit"] in numbers and trace["growth"] is None, True, "whose turn it is to be shortened")
    before = ranked[: numbers.index(unit["unit"]) + 1]
    same(
        [u["unit"] for u in before if u["length"] <= trace["budget"]["limit"] and not u["says_little"]],
        [],
        "what fits whole",
    )
    tokens = tokens_of(trace, source_of(trace, unit["anchor"]))
    starts, ends = {token[1] for token in tokens}, {token[2] for token in tokens}
    same(all(start in starts and end in ends for start, end in spans), True, "where it is cut")
    text, ending = "", tokens[-1][0]
    for start, end in spans:
        part = tidy(trace["document"]["text"][start:end])
        text += part if not text or part[0] in ",;:–—-.!?…。！？؟।" or part[:2] == "--" else f" {part}"
    text += ending if ending in ".!?…。！？؟।" and text[-1] not in ".!?…。！？؟।" else ""
    return capitalized(text)


def phrase(trace, unit, spans):
    """A phrase of the document, or who talk and of what."""
    said = ", ".join(tidy(trace["document"]["text"][start:end]) for start, end in spans)
    counts = Counter()
    for one in trace["units"]:
        if one["origin"] == "source" and one["speaker"] and one["speaks"] and one["source"] not in trace["bans"]:
            counts[one["speaker"]] += len(tokens_of(trace, one))
    names = ", ".join(sorted(counts, key=lambda name: (-counts[name], name))[:2])
    talks = trace["growth"] is not None and names and trace["text"].startswith(f"{names}: ")
    same(len(spans) == 1 or bool(talks), True, "number of phrases")
    return f"{names}: {said}" if talks else said


ONE_FORM = {"title": title, "shorten": shortened, "keyphrase": phrase}
