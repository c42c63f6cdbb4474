"""Try to break the promises: random texts, budgets and recipes, until the time is up.

    python benchmarks/fuzz.py --minutes 60 --seed 1 --data DATA/cnndm/val.jsonl.xz --data DATA/dialogues/val.jsonl.xz

Of every summary it is checked that it is not empty, not over its budget and as long as it says, that its sentences
stand in the order of the source and say nothing that is not there, that what is pinned is in it and what is banned is
not, that the same comes out a second time, and that its trace can be replayed. Texts are read as any kind of text, with
and without something that is asked of them. Without --data, they are made of words and punctuation. Exits with 1
where a promise is broken; the text is then in the folder of --keep, beside the recipe and the budget that broke it.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

from mls import MlsError, Recipe, Summarizer, Summary
from mls.analysis import Analysis
from mls.blocks import NUMBER
from mls.corpora.records import read_records
from mls.explain.as_json import to_dict, to_json
from mls.genres import GENRES
from mls.summary import Span, SummarySentence
from mls.text import Document, fold, tokenize

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
from replay import MismatchError, replay

RECIPES = {
    "default": {},
    "source": {"wording": "source"},
    "light": {"preset": "light"},
    "greedy": {"prototype": "greedy"},
    "paper": {"preset": "paper"},
    "paper, greedy": {"preset": "paper", "prototype": "greedy"},
    "network": {"wording": "network", "prototype": "pg-network"},
    "draft": {"wording": "draft", "prototype": "pg-network"},
    "prototype first": {"prototype": "pg-network", "order": "prototype", "sizes": [3, 2, 1]},
    "doc2vec": {"prototype": "greedy", "embedding": "doc2vec"},
}
OWN_WORDS = ("paper", "network", "draft")  # recipes by which a network may say what the source does not
WORDS = (
    "the of a and to in was it that he on for with as his they at be this from or had by not but what all were when "
    "we there can an your which their said if do will each about how up out them then she many some so these would "
    "Anna Oslo NATO Dr. Mr. U.S. e.g. Monday March $3,000 12.5% 1,234 don't it's she'll o'clock well-known however "
    "because although which who whose where council harbour bridge ferry engine river teacher winter rain money"
).split()
ODD = [
    "", " ", "\t", "\u00a0", "\u200b", "\ufeff", "…", "—", "“", "”", "’", "«", "(", ")", "[1]", "*", "#", "-", "•",
    "🙂", "\U0001f469\u200d\U0001f469\u200d\U0001f467", "é", "ß", "İ", "ﬁ", "漢字。", "これは雨です。", "العربية",
    "ไทย", "a" * 300, "http://x.example/a?b=c", "@ann", "\x00", "\x1b[31m", "\u2028", "\u2029", "\r", "e\u0301",
    "1.", "a)", ":-)", "...",
]  # fmt: skip
ENDS = [". "] * 8 + ["? ", "! ", ".\n", ".\n\n", "; ", ": ", "...", '." ', ".) ", "\n", "\r\n\r\n", " "]


def made_text(rng: random.Random) -> str:
    """Words, punctuation and ends of sentences in a mixture of its own."""
    oddness, sentences = rng.choice([0.0, 0.01, 0.1, 0.5]), []
    for _ in range(rng.choice([1, 2, 5, 15, 40])):
        words = rng.choices(WORDS, k=rng.choice([0, 1, 3, 8, 15, 30]))
        words = [rng.choice(ODD) if rng.random() < oddness else word for word in words]
        text = " ".join(words)
        speaker = rng.choice(["", "", "", "", "Ann: ", "- ", "> ", "# ", "“"])
        sentences.append(speaker + (text[:1].upper() + text[1:] if rng.random() < 0.8 else text) + rng.choice(ENDS))
    return _with_repeats("".join(sentences), sentences, rng)


def _with_repeats(text: str, sentences: list[str], rng: random.Random) -> str:
    """Now and then the same sentences again, so that there are ties."""
    return text + "".join(rng.choices(sentences, k=8)) if sentences and rng.random() < 0.2 else text


def spoilt_text(text: str, rng: random.Random) -> str:
    """A document of somebody's, in part, out of order, or with something odd in it."""
    sentences = re.split(r"(?<=[.!?])\s", text)[: rng.choice([1, 3, 10, 30, 60])]
    if rng.random() < 0.3:
        rng.shuffle(sentences)
    for _ in range(rng.choice([0, 0, 1, 5])):
        sentences.insert(rng.randrange(len(sentences) + 1), rng.choice(ODD))
    return _with_repeats(" ".join(sentences), sentences, rng)


def texts(data: Sequence[str], rng: random.Random) -> Iterator[str]:
    """Documents of each of the data in turn, and made ones between them."""
    corpora = [cycle([record.document for record in islice(read_records(path, print), 2000)]) for path in data]
    while True:
        yield spoilt_text(next(rng.choice(corpora)), rng) if corpora and rng.random() < 0.6 else made_text(rng)


def some_budgets(rng: random.Random) -> list[str]:
    kinds: list[Callable[[], str]] = [
        lambda: f"1/{rng.randint(1, 64)}",
        lambda: f"{rng.randint(1, 100)}%",
        lambda: str(rng.randint(1, 200)),
        lambda: f"{rng.randint(1, 150)} words",
        lambda: f"{rng.randint(1, 900)} chars",
    ]
    return [rng.choice(kinds)() for _ in range(4)]


def some_recipe(rng: random.Random) -> tuple[str, Recipe]:
    """A recipe by name, now and then for a kind of text, or with weights of its own, also below zero."""
    name = rng.choice(list(RECIPES))
    recipe = Recipe.from_dict(RECIPES[name])
    if rng.random() < 0.3:
        recipe = recipe.changed({"kind": rng.choice(GENRES), "headings": rng.random() < 0.5})
    if rng.random() < 0.3:
        heads = list(recipe.weights)
        weights = {head: rng.choice([-1.0, -0.5, 0.0, 0.25, 0.5, 1.0]) for head in heads[:-1]}
        last = 1 - sum(weights.values())
        if abs(last) <= 1:
            recipe = recipe.weighing(weights | {heads[-1]: last})
    return name, recipe


def marked(rng: random.Random, summarizer: Summarizer, text: str) -> Analysis:
    """A text that was read; now and then something is asked of it, and some sentences are pinned or banned."""
    analysis = summarizer.read(text)
    if rng.random() < 0.25:
        analysis = summarizer.refocus(analysis, " ".join(rng.choices(text.split() or WORDS, k=rng.choice([1, 3, 8]))))
    indices = list(range(len(analysis.document.sentences)))
    if rng.random() < 0.25:
        rng.shuffle(indices)
        pins, bans = rng.choice([0, 1, 2]), rng.choice([0, 1, 3])
        analysis = summarizer.mark(analysis, indices[:pins], indices[pins : min(pins + bans, len(indices) - 1)])
    return analysis


def written(summarizer: Summarizer, analysis: Analysis, budget: str) -> Summary | None:
    """A summary, or None where what is pinned is said to need more room."""
    try:
        return summarizer.write(analysis, budget)
    except MlsError as error:
        if analysis.pins and "take a pin away" in str(error):
            return None
        raise


def broken(summary: Summary, own_words: bool) -> Iterator[str]:
    """The promises that a summary breaks."""
    if not summary.text.strip():
        yield "it is empty"
    if not summary.length == summary.budget.measure.length(summary.text) <= summary.limit:
        yield f"its length is {summary.budget.measure.length(summary.text)}, said {summary.length} of {summary.limit}"
    starts = [min(span.start for span in sentence.source) for sentence in summary.sentences if sentence.source]
    if starts != sorted(starts):
        yield "its sentences are out of order"
    used = {span.sentence for sentence in summary.sentences for span in sentence.source}
    if not used.issuperset(summary.analysis.pins):
        yield f"of the pinned {summary.analysis.pins} only {sorted(used)} are in"
    if not used.isdisjoint(summary.analysis.bans):
        yield f"of the banned {summary.analysis.bans} some are in: {sorted(used)}"
    for sentence in summary.sentences:
        if not (own_words and sentence.reworded) and not _is_borne_out(summary.document, sentence):
            yield f"the source does not say {sentence.text!r}"
    try:
        replay(to_dict(summary))
    except MismatchError as error:
        yield f"its trace can't be replayed: {error!r}"


def _is_borne_out(document: Document, sentence: SummarySentence) -> bool:
    """Whether the words of a sentence stand in its source in this order, but for what may stand before them.

    Where a name stands in a pronoun's place, its words stand elsewhere in the document.
    """
    said = _words("".join(_with_names(document, sentence, span) + " " for span in sentence.source))
    told = [sentence.text, *map(sentence.text.removeprefix, _before(document, sentence))]
    return any(_are_in_order(_words(words), said) for words in told)


def _with_names(document: Document, sentence: SummarySentence, span: Span) -> str:
    text, position = "", span.start
    for named in sorted(sentence.named, key=lambda one: one.start):
        if span.start <= named.start < span.end:
            text += document.text[position : named.start] + document.text[named.by_start : named.by_end]
            text += "'s" if named.text.endswith(("'s", "'")) else ""
            position = named.end
    return text + document.text[position : span.end]


def _before(document: Document, sentence: SummarySentence) -> Iterator[str]:
    """What a sentence may begin with that its source does not say: who speak, or the number of a clause."""
    names = document.speakers[:2] if sentence.operation == "keyphrase" else ()
    yield ", ".join(names) + ": " if names else ""
    for index in {span.sentence for span in sentence.source}:
        own, before = document.sentences[index], document.sentences[max(0, index - 1)]
        yield f"{own.speaker}: " if own.speaker else ""
        yield f"{before.text} " if before.kind == NUMBER else ""


def _are_in_order(words: Sequence[str], said: Sequence[str]) -> bool:
    following = iter(said)
    return all(word in following for word in words)


def _words(text: str) -> list[str]:
    return [fold(token.text) for token in tokenize(text) if token.is_word]


def try_once(rng: random.Random, text: str, made: dict[Recipe, Summarizer]) -> tuple[int, str, list[str]]:
    """How many summaries were made, by which recipe, and what is broken."""
    name, recipe = some_recipe(rng)
    if len(made) > 64:
        made.clear()
    summarizer = made.setdefault(recipe, Summarizer(recipe))
    budgets = some_budgets(rng)
    try:
        analysis = marked(rng, summarizer, text)
    except MlsError as error:
        empty = "the document is empty" in str(error) and not Document.parse(text).sentences
        return 0, name, [] if empty else [f"{name}: an error: {error}"]
    summaries = [summary for budget in budgets if (summary := written(summarizer, analysis, budget))]
    faults = [
        f"{name} at {summary.budget}: {fault} ({_asked(analysis)})"
        for summary in summaries
        for fault in broken(summary, name.startswith(OWN_WORDS))
    ]
    about = analysis.recipe.about if analysis.recipe else None
    for first in summaries[:1]:
        again = summarizer.summarize(text, first.budget, about=about, pin=analysis.pins, ban=analysis.bans)
        if to_json(again) != to_json(first):
            faults.append(f"{name} at {first.budget}: it comes out otherwise a second time ({_asked(analysis)})")
    return len(summaries) + len(summaries[:1]), name, faults


def _asked(analysis: Analysis) -> str:
    """All that was asked of a text, so that it can be asked again."""
    recipe = analysis.recipe.to_dict() if analysis.recipe else {}
    return json.dumps({"recipe": recipe, "pins": analysis.pins, "bans": analysis.bans})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--data", action="append", default=[], help="pairs whose documents are taken apart; again for more"
    )
    parser.add_argument("--keep", type=Path, default=Path("fuzzed"), help="where texts go that break a promise")
    options = parser.parse_args()
    rng, made = random.Random(options.seed), dict[Recipe, Summarizer]()
    counts: Counter[str] = Counter()
    tries = violations = 0
    until = time.monotonic() + 60 * options.minutes
    for text in texts(options.data, rng):
        if time.monotonic() > until:
            break
        tries += 1
        state = rng.getstate()
        try:
            count, name, faults = try_once(rng, text, made)
        except Exception as error:
            rng.setstate(state)
            count, name, faults = 0, "?", [f"{some_recipe(rng)[0]}: {type(error).__name__}: {error}"]
        counts[name] += count
        if faults:
            violations += 1
            options.keep.mkdir(parents=True, exist_ok=True)
            kept = options.keep / f"{options.seed}-{tries}.json"
            kept.write_text(json.dumps({"text": text, "faults": faults}), encoding="utf-8")
            print(f"{kept}: {faults[0]}", flush=True)
    print(f"seed {options.seed}: {tries:,} texts, {sum(counts.values()):,} summaries, {violations} violations")
    print(", ".join(f"{name} {count:,}" for name, count in sorted(counts.items())))
    sys.exit(violations > 0)


if __name__ == "__main__":
    main()
