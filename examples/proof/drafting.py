"""What was drafted: the prototype, and what its sentences can become."""

import math
import zlib
from collections import Counter

from proof.agreement import same
from proof.reading import sentence_count, source_of, tokens_of
from proof.words import content_words, fold, tidy, tokenize

REPLACED = (
    "its words do not stand in this order in the source sentence",
    "it is cut where the source sentence can't be",
)
BRIEFEST = 12  # tokens that can hold a sentence
BEAM = 8  # runs kept for each sentence and size


def check_prototype(trace):
    """Drafted sentences consist of their tokens, what was copied stands in the document, what was replaced must be."""
    draft = trace["prototype"]
    wanted, wording = trace["recipe"]["prototype"], trace["recipe"]["wording"]
    if draft is None:
        same(wanted == "brief" and wording in ("forms", "source"), True, "what drafts")
        return
    same(draft["generator"], "pg-network" if wanted == "brief" else wanted, "what drafts")
    same(draft["text"], " ".join(sentence["text"] for sentence in draft["sentences"]), "text of the prototype")
    for number, sentence in enumerate(draft["sentences"]):
        name = f"of sentence {number} of the prototype"
        check_origins(trace, sentence, name)
        check_replaced(trace, sentence, name)
    check_drafted_again(trace, draft)


def check_origins(trace, sentence, name):
    """Each token stands in the text where it is said to, and in the document, if it was copied."""
    document, text, position = trace["document"]["text"], sentence["text"], 0
    same(type(sentence["anchor"]) is int and 0 <= sentence["anchor"] < sentence_count(trace), True, f"anchor {name}")
    source = source_of(trace, sentence["anchor"])
    if trace["prototype"]["generator"] == "greedy":
        same((sentence["tokens"], sentence["verbatim"]), ([], True), f"tokens {name}")
    if sentence["verbatim"]:
        same(text, document[source["start"] : source["end"]], f"text {name}")
    else:
        same(text != source["text"], True, f"whether it is verbatim {name}")
    told = tidy(text) if sentence["verbatim"] else text
    for token in sentence["tokens"]:
        same(token["start"] >= position and told[position : token["start"]] in ("", " "), True, f"positions {name}")
        position = token["start"] + len(token["text"])
        same(token["text"], told[token["start"] : position], f"tokens {name}")
        same(type(token["p_gen"]) is float and 0 <= token["p_gen"] <= 1, True, f"p_gen {name}")
        if token["source"]:
            start, end = token["source"]["start"], token["source"]["end"]
            same(document[start:end].casefold(), token["text"].casefold(), f"where a token is from {name}")
        else:
            same(token["source"], None, f"where a token is from {name}")
    if sentence["tokens"]:
        same(position, len(told), f"length {name}")
        same(sentence["anchor"], voted(trace, sentence["tokens"]), f"anchor {name}")


def voted(trace, tokens):
    """The source sentence from which most was copied; of what was not copied at all, the one with most of its words."""
    sources = [unit for unit in trace["units"] if unit["origin"] == "source"]
    votes = Counter()
    for token in tokens:
        if token["source"]:
            position = token["source"]["start"]
            holder = next(u["source"] for u in reversed(sources) if u["start"] <= position)
            votes[holder] += 10 if content_words([fold(token["text"])]) else 1
    if votes:
        return min(votes, key=lambda index: (-votes[index], index))
    said = {fold(token["text"]) for token in tokens}
    return max(range(len(sources)), key=lambda index: (len(said & set(sources[index]["words"])), -index))


def check_replaced(trace, sentence, name):
    """Where the source must bear a draft out, a sentence with other words gives way to the source's."""
    found = sentence["replaced"]
    if sentence["verbatim"] or trace["recipe"]["wording"] in ("network", "draft"):
        same(found, None, f"why it was replaced {name}")
        return
    heard = iter([fold(token[0]) for token in tokens_of(trace, source_of(trace, sentence["anchor"]))])
    said = [fold(token[0]) for token in tokenize(sentence["text"])]
    said = said[:-1] if said[-1:] == ["."] else said
    in_order = all(key in heard for key in said)
    same(found in (None, REPLACED[1]) if in_order else found == REPLACED[0], True, f"why it was replaced {name}")


def check_drafted_again(trace, draft):
    """Where the network's own words are wanted and were too many, it was told how many there may be."""
    budget, lengths, again = trace["budget"], trace["document"]["lengths"], draft["again"]
    if trace["recipe"]["wording"] != "network":
        same(again, None, "whether the network drafted again")
        return
    desired = max(1, budget["limit"] * lengths["tokens"] // lengths[budget["unit"]])
    units = trace["units"][: len(draft["sentences"])]
    length = sum(len(tokens_of(trace, unit)) for unit in units) if again is None else again["before"]
    same(again is not None, BRIEFEST <= desired < length, "whether the network drafted again")
    if again is not None:
        same(again["desired"], desired, "how long the second draft was to be")


def check_expansions(trace):
    """The runs of source sentences that can stand for each drafted one: as many as there are, from the best down."""
    count, drafted = sentence_count(trace), len(trace["units"]) - sentence_count(trace)
    same(len(trace["expansions"]), drafted, "number of expansions")
    for unit, by_size in zip(trace["units"], trace["expansions"], strict=False):
        name = f"expansions of unit {unit['unit']}"
        same(sorted(by_size), sorted({str(size) for size in trace["sizes"]}), name)
        for size, runs in by_size.items():
            size = int(size)
            if unit["source"] is None:
                wanted = min(BEAM, max(0, count - size + 1))
            else:
                starts = range(max(0, unit["source"] - size + 1), min(unit["source"], count - size) + 1)
                wanted = min(BEAM, len(starts)) if size > 1 else 0
                same([run["first"] for run in runs if run["first"] not in starts], [], name)
            same(len(runs), wanted, f"number of {name}")
            for run in runs:
                check_run(trace, unit, run, size, name)
            order = [(-run["score"], run["first"]) for run in runs]
            same(order, sorted(set(order)), f"order of {name}")


def check_run(trace, unit, run, size, name):
    same(run["size"], size, f"size of {name}")
    same(type(run["first"]) is int and 0 <= run["first"] <= sentence_count(trace) - size, True, f"first of {name}")
    sentences = [source_of(trace, index) for index in range(run["first"], run["first"] + size)]
    said, others = set(unit["words"]), {word for one in sentences for word in one["words"]}
    same(run["overlap"], len(said & others) / max(1, len(said)), f"overlap of {name}")
    same(run["score"], run["similarity"] * run["overlap"], f"score of {name}")
    same(-1e-6 <= run["similarity"] <= 1 + 1e-6, True, f"similarity of {name}")
    if trace["recipe"]["embedding"] == "lexical":
        likeness = [cosine(columns_of(unit), columns_of(one)) for one in sentences]
        same(run["similarity"], sum(likeness) / size, f"similarity of {name}", within=1e-5)


def columns_of(unit):
    """A sentence as the set of its content words, each by its checksum."""
    return {zlib.crc32(word.encode("utf-8", "surrogatepass")) % 1024 for word in unit["content"]}


def cosine(one, other):
    return len(one & other) / math.sqrt(len(one) * len(other)) if one and other else 0.0
