"""What was written: the text, its sentences, its notes."""

from fractions import Fraction

from proof.agreement import known, same
from proof.reading import is_english, tokens_of
from proof.steps import Steps
from proof.words import ENDED, is_word, measure

NOTES = {
    "whole-document": "the budget holds the whole document, so the summary is the document",
    "shortened": "no whole sentence fits the budget, so one was shortened",
    "title": "the title says more than any sentence that fits the budget, so it is the summary",
    "keyphrase": "not even a shortened sentence fits the budget, so the answer is a keyphrase",
    "cut-word": "not even one word fits the budget, so the answer is the beginning of one",
    "reworded": "some sentences are in the words of the prototype network and may be wrong: check them",
    "one-token": "the share comes to less than one token, so one token was allowed",
    "not-spoken-of": "the text does not speak of what you asked, so the summary is the general one",
    "unjudged": "this is hardly English prose, so the judgement of the heads counts for little here",
}
ROLES = (
    "who that is|which one|when|where|how|why|aside|second clause|opener|circumstance|by whom|first clause|hesitation"
    "|marks"
).split("|")


def check_written(trace, lines, limit):
    """The summary is its sentences in source order: as running text, or a line for each turn of a talk."""
    lines = sorted(lines, key=lambda line: (line[0]["anchor"], line[3]))
    same(len(trace["sentences"]), len(lines), "number of sentences")
    said = said_in_turn(trace, lines)
    for found, text, (unit, _, spans, step, operation, form) in zip(trace["sentences"], said, lines, strict=True):
        check_sentence(trace, found, unit, text, spans, step, operation, form)
    text, _ = put_together(trace, lines, said, {})
    if trace["text"] == text:
        return
    headings = headings_above(trace, lines) if limit < trace["budget"]["limit"] else {}
    text, taken = put_together(trace, lines, said, headings)
    same(trace["text"], text, "text")
    same(limit + taken <= trace["budget"]["limit"], True, "room of the headings")


def said_in_turn(trace, lines):
    """What each sentence says where it stands: who goes on speaking is named once."""
    before = [None, *(unit["speaker"] for unit, *_ in lines[:-1])]
    return [
        said.removeprefix(f"{unit['speaker']}: ") if position and unit["speaker"] == speaker else said
        for position, ((unit, said, *_), speaker) in enumerate(zip(lines, before, strict=True))
    ]


def put_together(trace, lines, said, headings):
    """The text of a summary, and the room that headings take in it."""
    talks, measured = any(unit["speaker"] for unit in trace["units"]), trace["budget"]["unit"]
    text, since, room = "", 0, 0
    for position, (unit, *_) in enumerate(lines):
        before, joint = lines[position - 1][0] if position else None, ""
        if before and talks:
            joint = " " if unit["speaker"] == before["speaker"] and ENDED.search(text) else "\n"
        elif before:
            breaks = ends_paragraph(before, unit, since, len(lines) - position, {line[0]["anchor"] for line in lines})
            joint, since = "\n" if breaks else " ", 0 if breaks else since
        if heading := headings.get(position):
            text, joint = text + "\n" * bool(text) + heading, "\n"
            room += measure(heading, measured) + (measured == "chars")
        text, since = text + joint + said[position], since + 1
    return text, room


def ends_paragraph(before, unit, since, left, said):
    """A paragraph ends where one of the source does and enough was said; items stand on lines of their own."""
    alone = [u for u in (before, unit) if u["kind"] == "list-item" and not ENDED.search(u["text"])]
    apart = unit["paragraph"] != before["paragraph"]
    listed = bool({unit["listed"], before["listed"]} & said) or unit["kind"] == "announcement"
    new = apart and ((since >= 3 and left >= 2) or listed)
    return bool(alone) or not ENDED.search(before["text"]) or new or unit["sums_up"] != before["sums_up"]


def headings_above(trace, lines):
    """The heading of each section, above the first sentence that is of it; one that is itself said has none."""
    found, told = {}, set()
    for position, (unit, *_) in enumerate(lines):
        above = [u for u in trace["units"][: unit["anchor"] + 1] if is_heading(u)]
        if trace["recipe"]["headings"] and above and above[-1]["unit"] not in told:
            told.add(above[-1]["unit"])
            found |= {position: above[-1]["text"]} if above[-1] is not unit else {}
    return found


def is_heading(unit):
    """Of a list, too, unless a sentence with a colon announces it."""
    return unit["kind"] == "heading" or (unit["kind"] == "announcement" and not unit["text"].endswith(":"))


def check_sentence(trace, found, unit, said, spans, step, operation, form):
    expected = {
        "text": said, "operation": operation, "step": step, "unit": unit["unit"], "reworded": unit["source"] is None,
        "source": [{"sentence": unit["anchor"], "start": start, "end": end} for start, end in spans],
    }  # fmt: skip
    name = f"of the sentence from unit {unit['unit']}"
    for field, value in expected.items():
        same(found[field], value, f"{field} {name}")
    same(found["named"], form["named"] if form else [], f"names {name}")
    parts = [(part["start"], part["end"], part["role"]) for part in found["dropped"]]
    tokens = tokens_of(trace, unit)
    kept = (
        {position for first, last in form["kept"] for position in range(first, last)}
        if form
        else set(range(len(tokens)))
    )
    gone = [token for position, token in enumerate(tokens) if position not in kept]
    for start, end, role in parts:
        known(role, ROLES, f"what is dropped {name}")
        same(
            start in {token[1] for token in gone} and end in {token[2] for token in gone},
            True,
            f"what is dropped {name}",
        )
    same(parts, sorted(set(parts)), f"what is dropped {name}")
    silent = [token[0] for token in gone if is_word(token[0]) and not any(s <= token[1] < e for s, e, _ in parts)]
    same(silent, [], f"words that are gone without a word {name}")


def check_document_itself(trace):
    """The budget holds the document: then it is the summary."""
    sources = [unit for unit in trace["units"] if unit["origin"] == "source"]
    limit, length, text = trace["budget"]["limit"], trace["document_length"], trace["document"]["text"]
    steps = Steps(trace)
    everything = range(len(sources))
    steps.expect(sources[0]["unit"], "place", "document", "", length, limit, everything, [None] * 5)
    steps.end()
    same(trace["text"], text, "text")
    same(len(trace["sentences"]), len(sources), "number of sentences")
    for unit, sentence in zip(sources, trace["sentences"], strict=True):
        spans = [(unit["start"], unit["end"])]
        check_sentence(trace, sentence, unit, text[unit["start"] : unit["end"]], spans, 0, "document", None)


def check_notes(trace):
    operations, codes = {step["operation"] for step in trace["steps"]}, []
    document, share = trace["document"]["text"], " " not in trace["budget"]["requested"]
    if "keyphrase" in operations:
        start, end = (trace["sentences"][0]["source"][0][side] for side in ("start", "end"))
        codes = ["cut-word" if document[end : end + 1].isalnum() and document[start:end].isalnum() else "keyphrase"]
    ways = {"document": "whole-document", "shorten": "shortened", "title": "title"}
    codes += [code for operation, code in ways.items() if operation in operations]
    codes += ["reworded"] if any(sentence["reworded"] for sentence in trace["sentences"]) else []
    focus = [unit["scores"]["focus"] for unit in trace["units"] if "focus" in unit["scores"]]
    codes += ["not-spoken-of"] if focus and not any(focus) else []
    codes += [] if is_english(trace) else ["unjudged"]
    amount = Fraction(trace["budget"]["requested"]) if share and "%" not in trace["budget"]["requested"] else 1
    codes += ["one-token"] if amount * trace["document_length"] < 1 else []
    same(trace["notes"], [{"code": code, "message": NOTES[code]} for code in codes], "notes")
