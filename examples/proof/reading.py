"""What was read: sentences, and what they lean on."""

import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise, zip_longest

from proof.agreement import known, same
from proof.words import ENDED, STOP_WORDS, content_words, fold, is_word, measure, tidy, tokenize, words_of

SPEAKING = ("prose", "list-item", "announcement")
KINDS = """
    prose title heading list-item table-row code caption byline dateline boilerplate reference speaker mail-header
    quoted signature time-stamp number ingredient small-talk fragment announcement
""".split()


def source_of(trace, index):
    """The unit that is a source sentence."""
    return trace["units"][len(trace["units"]) - sentence_count(trace) + index]


def sentence_count(trace):
    return len(trace["units"]) - (len(trace["prototype"]["sentences"]) if trace["prototype"] else 0)


def tokens_of(trace, unit):
    """The tokens of a unit: of a source sentence as the document has it, else of its own words."""
    if unit["source"] is None:
        return tokenize(unit["text"])
    return tokenize(trace["document"]["text"][unit["start"] : unit["end"]], unit["start"])


def check_units(trace):
    """Every candidate sentence is what the document or the prototype says, where it says it."""
    drafts = trace["prototype"]["sentences"] if trace["prototype"] else []
    for number, unit in enumerate(trace["units"]):
        name = f"of unit {number}"
        same(unit["unit"], number, f"number {name}")
        same(unit["origin"], "prototype" if number < len(drafts) else "source", f"origin {name}")
        if number < len(drafts):
            own = check_draft(trace, drafts[number], unit, name)
        else:
            own = False
            same(unit["anchor"], number - len(drafts), f"anchor {name}")
            same(unit["source"], unit["anchor"], f"source {name}")
        check_words(trace, unit, own, name)
    check_sentences_read(trace)


def check_draft(trace, draft, unit, name):
    """A drafted sentence as a unit: itself, or the source sentence in whose place it stands. Whether it is itself."""
    same(unit["anchor"], draft["anchor"], f"anchor {name}")
    source = source_of(trace, draft["anchor"])
    for field in ("kind", "paragraph", "speaker", "voice", "sums_up", "listed", "start", "end"):
        same(unit[field], source[field], f"{field} {name}")
    own = not draft["verbatim"] and draft["replaced"] is None
    same(unit["source"], None if own else draft["anchor"], f"source {name}")
    same(unit["text"], draft["text"] if own else source["text"], f"text {name}")
    return own


def check_words(trace, unit, own, name):
    """What follows from a unit's words: lengths, punctuation, what it says, and how little."""
    speaker, measured = unit["speaker"], trace["budget"]["unit"]
    tokens = tokens_of(trace, unit)
    if not own:
        stretch = trace["document"]["text"][unit["start"] : unit["end"]]
        same((unit["text"], stretch.strip()), (tidy(stretch), stretch), f"offsets {name}")
        same(len(stretch), unit["end"] - unit["start"], f"offsets {name}")
    words = words_of(tokens)
    same(unit["words"], words, f"words {name}")
    punctuation = [[position, fold(token[0])] for position, token in enumerate(tokens) if not is_word(token[0])]
    same(unit["punctuation"], punctuation, f"punctuation {name}")
    same(unit["content"], sorted(set(content_words(words))), f"content words {name}")
    length = len(tokens) if measured == "tokens" else measure(unit["text"], measured)
    same(unit["length"], length, f"length {name}")
    known(unit["kind"], KINDS, f"kind {name}")
    same(unit["speaks"], own or unit["kind"] in SPEAKING, f"whether it speaks {name}")
    little = not unit["speaks"] or unit["text"].endswith((":", ",", "e.g.", "i.e.")) or len(content_words(words)) < 2
    same(unit["says_little"], little, f"whether it says little {name}")
    same(unit["label"], measure(f"{speaker}: ", measured) if speaker else 0, f"label {name}")


def check_sentences_read(trace):
    """Sentences stand one after another with nothing between them; paragraphs, speakers and summaries follow."""
    text, before, speaker = trace["document"]["text"], None, None
    genre = trace["document"]["kind"]
    for unit in (unit for unit in trace["units"] if unit["origin"] == "source"):
        name = f"of unit {unit['unit']}"
        between = text[before["end"] if before else 0 : unit["start"]]
        same(len(tokenize(between)), 0, f"what stands before the words {name}")
        if before:
            check_paragraph(text, before, unit, between, name)
        else:
            same(unit["paragraph"] == 0 or bool(between.strip()), True, f"paragraph {name}")
        said = unit["speaker"]
        if said is not None:
            names = unit["text"] if genre == "dialogue" and unit["kind"] == "speaker" else text
            whole = r"\W+".join(re.findall(r"\w+", said))
            named = genre in ("dialogue", "mail") and re.search(rf"(?<!\w){whole}(?!\w)", names)
            same(bool(named), True, f"speaker {name}")
            if genre == "dialogue":
                speaker = said if unit["kind"] == "speaker" else speaker
                same(said, speaker, f"speaker {name}")
        before = unit
    if before:
        same(len(tokenize(text[before["end"] :])), 0, "what stands after the last sentence")
    check_lists(trace)
    check_summing_up(trace)
    check_voices(trace)


def check_lists(trace):
    """An item belongs to the line that announces its list, with nothing but items between."""
    above, sources = None, [unit for unit in trace["units"] if unit["origin"] == "source"]
    for unit, after in zip_longest(sources, sources[1:]):
        if unit["kind"] == "list-item" and unit["text"].endswith(":"):
            above = None
        same(unit["listed"], above if unit["kind"] == "list-item" else None, f"what announces unit {unit['unit']}")
        peeled = unit["kind"] == "heading" and after and after["paragraph"] == unit["paragraph"]
        if unit["kind"] == "announcement":
            above = unit["anchor"]
        elif unit["kind"] not in ("list-item", "number") and not peeled:
            above = None


def check_summing_up(trace):
    """What its writer calls a summary: behind words that say so, below a heading that does, or above a story."""
    sources = [unit for unit in trace["units"] if unit["origin"] == "source"]
    sizes, section, announced, whole = Counter(unit["paragraph"] for unit in sources), False, None, None
    for number, unit in enumerate(sources):
        before = sources[number - 1] if number else None
        if unit["kind"] in ("heading", "title") and sizes[unit["paragraph"]] == 1:
            section = bool(SUMMARY.match(unit["text"]))
        elif unit["kind"] == "heading":
            announced = number + 1
            labels = not before or before["paragraph"] != unit["paragraph"] or before["kind"] in LABELS
            whole = unit["paragraph"] if labels else whole
        said = number == announced or unit["paragraph"] == whole
        said = said or (number == 0 and heads_a_story(trace["document"]["kind"], sources))
        expected = unit["kind"] != "heading" and (said or (section and unit["kind"] in SPEAKING))
        same(unit["sums_up"], expected and unit["kind"] not in LABELS, f"who sums up of unit {unit['unit']}")


def heads_a_story(kind, sources):
    """Whether the first line of a story is a sentence without a full stop."""
    apart = len({unit["paragraph"] for unit in sources[:2]}) == 2
    return kind == "story" and apart and sources[0]["kind"] == "prose" and not ENDED.search(sources[0]["text"])


LABELS = ("speaker", "number", "dateline")
SUMMARY = re.compile(
    r"\W*(?:abstract|(?:executive |short )?summary|in short|tl;? ?dr|(?:the )?short version|at a glance"
    r"|key (?:points?|takeaways?|findings|facts)|highlights|in brief|overview)\W*\Z",
    re.I,
)


def check_voices(trace):
    """Who should be heard once: whoever speaks, and does not only ask or call out; of notes every section."""
    sources = [unit for unit in trace["units"] if unit["origin"] == "source"]
    said = Counter(unit["speaker"] for unit in sources if unit["speaks"])
    asked = Counter(unit["speaker"] for unit in sources if unit["speaks"] and unit["text"].endswith("?"))
    fewest = 2 if trace["document"]["kind"] == "dialogue" else 1
    section = 0
    for number, unit in enumerate(sources):
        section = number if unit["kind"] == "heading" else section
        times = said[unit["speaker"]]
        own = unit["speaker"] if times >= fewest and 2 * asked[unit["speaker"]] < times else None
        notes = trace["document"]["kind"] == "notes"
        same(unit["voice"], f"section {section}" if notes else own, f"voice of unit {unit['unit']}")


LINE_END = re.compile(r"\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]")


def check_paragraph(text, before, unit, between, name):
    """A paragraph ends at a line end and nowhere else; only lines that a width made go on in the same."""
    more = unit["paragraph"] - before["paragraph"]
    ends = len(LINE_END.findall(between))
    same(0 <= more <= ends, True, f"paragraph {name}")
    if ends and more < 1 and not is_wrapped(text):
        same(breaks_off(text, before["end"], unit["start"]), True, f"paragraph {name}")
    if more > 1:
        same(bool(between.strip()), True, f"paragraph {name}")


def breaks_off(text, end, start):
    """Whether the lines between two sentences stop where no paragraph does: the next begins with a small letter."""
    line_ends = [end + match.start() for match in LINE_END.finditer(text[end:start])]
    return all(
        not ENDED.search(LINE_END.split(text[:at])[-1].rstrip())
        and re.match(r"[ \t]{0,3}(?:[a-z]+[ ,.]|[\[`<(]\S)", LINE_END.sub("\n", text[at:], count=1)[1:])
        for at in line_ends
    )


@lru_cache
def is_wrapped(text):
    """Whether line ends are only there to keep lines short."""
    lines = LINE_END.split(text)
    followed = [line.rstrip() for line, after in pairwise(lines) if after.strip() and len(line.split()) >= 5]
    if len(followed) < 3:
        return False
    width = sorted(map(len, followed))[int(0.95 * (len(followed) - 1))]
    full = [line for line in followed if len(line) > 0.7 * width]
    wrapped = [line for line in full if line[-1:] not in ".!?:\"”’'"]
    return 40 <= width <= 120 and len(wrapped) > max(2, 0.6 * len(full), 0.35 * len(followed))


LEANS = (
    "{cue!r} would be nobody", "{cue!r} would point at nothing", "{cue!r} speaks against the sentence before it",
    "{cue!r} goes on from the sentence before it", "{cue!r} is compared with something said before",
    "{cue!r} is introduced earlier", "it answers a question", "it is part of a longer quotation",
    "who says it stands beside it", "its answer follows", "what speaks against it follows",
    "texts hardly ever begin like this", "{cue!r} repeats what was said before",
    "the subject of {cue!r} stands before it", "what it speaks of is told there", "what it announces follows",
    "it is an item of the list that is announced there", "the heading above it says what is not so, or when not",
)  # fmt: skip
WHOLE = {
    "short": "it is short", "long": "it has more than 120 tokens", "open": "it is a question, or goes on after its end",
    "no verb": "it has no subject with a finite verb", "unclear": "it can be read in more than one way",
    "asked": "whole sentences were asked for", "foreign": "the text is hardly English",
}  # fmt: skip


def is_english(trace):
    words = [word for unit in trace["units"] if unit["origin"] == "source" for word in unit["words"]]
    return sum(word in STOP_WORDS for word in words) / max(1, len(words)) >= 0.08


def check_leaning(trace):
    """What was read of a sentence's grammar is believed, as far as it makes sense."""
    count, grows, english = sentence_count(trace), trace["growth"] is not None, is_english(trace)
    for unit in trace["units"]:
        name = f"of unit {unit['unit']}"
        if not grows:
            found = [unit[field] for field in ("is_statement", "leans", "has_verb", "why_whole", "names")]
            same(found, [None, [], None, None, []], f"leaning {name}")
            continue
        check_names(trace, unit, name)
        for lean in unit["leans"]:
            cue, others = lean["cue"], [lean["on"], *lean["also"]]
            known(lean["reason"], {why.format(cue=cue) for why in LEANS}, f"reason of leaning {name}")
            same(all(word in fold(unit["text"]) for word in fold(cue).split()), True, f"cue of leaning {name}")
            same(bool(cue), lean["reason"].startswith(repr(cue)) or repr(cue) in lean["reason"], f"cue {name}")
            same(type(lean["sure"]) in (int, float) and 0 <= lean["sure"] <= 1, True, f"how surely it leans {name}")
            numbers = [n for n in range(len(unit["names"])) if n in lean["names"]]
            same((lean["names"], lean["left"] in (0, 0.3)), (numbers, True), f"names that would do {name}")
            goes = " goes on from " in lean["reason"] or not lean["droppable"]
            same(type(lean["droppable"]) is bool and goes, True, f"whether an opener goes {name}")
            real = [i for i in others if type(i) is int and 0 <= i < count and i != unit["unit"]]
            same(others, real if lean["on"] is not None else [None], f"what is leant on {name}")
        states = type(unit["is_statement"]) is bool
        same(states and (unit["kind"] in ("caption", "heading") or not unit["is_statement"]), True, f"statement {name}")
        same(type(unit["has_verb"]), bool, f"verb {name}")
        check_why_whole(trace, unit, english, name)


def check_names(trace, unit, name):
    """Names are words of the document; whom a pronoun means, and how surely, is believed."""
    count = len(tokens_of(trace, unit))
    for one in unit["names"]:
        places = [place for place in range(count) if place in one["tokens"]]
        same((one["tokens"], bool(places)), (places, True), f"tokens of a name {name}")
        same(one["owners"], [place for place in places if place in one["owners"]], f"owners of a name {name}")
        text = tidy(trace["document"]["text"][one["start"] : one["end"]])
        same(one["text"] in (text, text[:1].lower() + text[1:]) and bool(text), True, f"text of a name {name}")
        same(type(one["sure"]) in (int, float) and 0 < one["sure"] <= 1, True, f"how sure a name is {name}")


def check_why_whole(trace, unit, english, name):
    tokens, found = tokens_of(trace, unit), unit["why_whole"]
    if not english:
        allowed = [WHOLE["foreign"]]
    elif trace["recipe"]["wording"] == "source":
        allowed = [WHOLE["asked"]]
    elif len(tokens) < 6:
        allowed = [WHOLE["short"], WHOLE["asked"]]
    elif len(tokens) > 120:
        allowed = [WHOLE["long"], WHOLE["asked"]]
    elif fold(tokens[-1][0]) in ("?", ":", ";"):
        allowed = [WHOLE["open"], WHOLE["asked"]]
    else:
        allowed = [None, WHOLE["no verb"], WHOLE["unclear"], WHOLE["asked"]]
    same(found in allowed, True, f"why it stays whole {name}")
