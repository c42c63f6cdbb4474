"""What was asked: recipe, budget, length."""

import hashlib
import json
import math
from fractions import Fraction

from proof.agreement import MismatchError, known, same
from proof.reading import sentence_count, tokens_of
from proof.words import measure

SCHEMA = 7  # the version of the form that is read
QUESTIONS = {
    "importance": "Would a careful reader mark it?",
    "centrality": "Does it say what much of the document says as well?",
    "redundancy": "Does it say what much of the document says as well?",
    "position": "Does it stand where this kind of text makes its point?",
    "salience": "Would people who summarize such texts take it up?",
    "settles": "Does it settle something?",
    "topics": "Does it speak of what the document is about?",
    "keywords": "Does it use the document's key terms?",
    "focus": "Does it speak of what you asked?",
}
GENRES = ("article", "story", "dialogue", "mail", "legal", "paper", "instructions", "notes")
TERSE = ("dialogue", "mail", "instructions", "notes")


def check_recipe(trace):
    """The recipe that the trace names is the one by which heads were weighed and decisions were made."""
    same(trace["schema"], SCHEMA, "version of the form")
    recipe = trace["recipe"]
    if recipe is None:
        raise MismatchError("this is a baseline's trace: it takes sentences by rank, there is nothing to replay")
    weights = {head["name"]: head["weight"] for head in trace["heads"]}
    same(list(weights.items()), list(recipe["weights"].items()), "weights")
    same(trace["weights"], recipe["weights"], "weights")
    same(trace["sizes"], recipe["sizes"], "sizes of expansions")
    same(trace["prototype_first"], recipe["order"] == "prototype", "who comes first")
    for head in trace["heads"]:
        same(head["question"], QUESTIONS.get(head["name"], head["question"]), f"the question of {head['name']}")
    own = [name for name in weights if name not in QUESTIONS]
    same(recipe["model"] is None or isinstance(recipe["model"], str), True, "the model")
    if recipe["model"] is None and not own:  # files and parts that only Python knows are not in a trace
        values = json.dumps(recipe | {"kernels": [], "model": None}, sort_keys=True)
        same(trace["recipe_digest"], hashlib.sha256(values.encode()).hexdigest()[:24], "the recipe's fingerprint")
    known(trace["document"]["kind"], GENRES, "kind of text")
    same(recipe["kind"] in ("recognised", trace["document"]["kind"]), True, "kind of text")
    same(bool(recipe["about"]), "focus" in weights, "whether something is asked")


def check_lengths(trace):
    """The limit follows from what was asked, every length from the texts."""
    text, budget = trace["document"]["text"], trace["budget"]
    tokens = sum(len(tokens_of(trace, unit)) for unit in trace["units"] if unit["origin"] == "source")
    lengths = {"tokens": tokens, "words": measure(text, "words"), "chars": len(text)}
    same(trace["document"]["lengths"], lengths, "lengths of the document")
    amount, _, unit = budget["requested"].partition(" ")
    share = not unit
    try:
        amount = Fraction(1) if amount == "100%" else Fraction(amount)
    except (ValueError, ZeroDivisionError):
        raise MismatchError(f"the budget {budget['requested']!r} is none") from None
    same(budget["unit"], "tokens" if share else unit, "unit of the budget")
    same(budget["limit"], max(1, math.floor(amount * tokens)) if share else int(amount), "the limit")
    same(trace["document_length"], lengths[budget["unit"]], "length of the document")
    same(trace["length"], measure(trace["text"], budget["unit"]), "length of the summary")
    if trace["length"] > budget["limit"]:
        raise MismatchError("the budget is exceeded")
    count = sentence_count(trace)
    for marks in (trace["pins"], trace["bans"]):
        same(marks, sorted({index for index in marks if 0 <= index < count}), "pins and bans")
    same(set(trace["pins"]) & set(trace["bans"]), set(), "what is both pinned and banned")
