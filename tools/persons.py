"""Count which first names are of women and which of men, and which words are of persons and which of things.

    python tools/persons.py --data DATA --out src/mls/assets/forms/persons.json

Of each sentence of news and of articles that names just one person by two names, the next pronoun (in it, or at the
beginning of the next sentence) counts. A first name is kept that was counted often, nearly always on one side, and is
hardly ever written small. A word is of persons if `who` follows it often, and of things if it hardly ever does.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from pathlib import Path

from mls.atomic import replace_file
from mls.corpora.rows import json_rows

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_NAME = re.compile(
    r"(?<![.!?\w] )(?<!^)\b([A-Z][a-z]+(?:-[A-Z][a-z]+)?) (?:[A-Z]\. )?(?:Mc|Mac|O'|De|Van )?[A-Z][a-z]+\b"
    r"|^([A-Z][a-z]+) [A-Z][a-z]+\b"
)
_PRONOUN = re.compile(r"\b(he|his|him|she|her)\b", re.I)
_WHO = re.compile(r"\b([a-z]{2,}),? who\b")
_PERSONS, _THINGS = 0.008, 0.0006  # of its places, those before `who`
_FEWEST_WHO, _FEWEST_WORDS = 4, 400
_SMALL = re.compile(r"\b[a-z]{2,}\b")
FEWEST, MOSTLY = 10, 0.9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    counts: dict[str, Counter[str]] = {}
    small: Counter[str] = Counter()
    who: Counter[str] = Counter()
    files = [*sorted((args.data / "cnndm").glob("train-*")), args.data / "wiki" / "articles.jsonl.xz"]
    for file in files:
        for row in json_rows(file):
            text = row.get("document") or row["text"]
            count(text, counts)
            small.update(_SMALL.findall(text))
            who.update(_WHO.findall(text))
    counts = {name: own for name, own in counts.items() if small[name] < own.total()}
    women, men = names_of(counts, "she"), names_of(counts, "he")
    people = sorted(word for word in who if who[word] >= _FEWEST_WHO and who[word] >= _PERSONS * small[word])
    things = sorted(word for word in small if small[word] >= _FEWEST_WORDS and who[word] < _THINGS * small[word])
    found = {"women": women, "men": men, "people": people, "things": things}
    text = json.dumps({name: " ".join(words) for name, words in found.items()}, indent=1) + "\n"
    replace_file(args.out, lambda out: out.write(text.encode()))
    print(", ".join(f"{len(words)} {name}" for name, words in found.items()))


def count(text: str, counts: dict[str, Counter[str]]) -> None:
    sentences = _SENTENCE.split(text)
    for sentence, after in zip(sentences, [*sentences[1:], ""], strict=True):
        names = {found[1] or found[2]: found.end() for found in _NAME.finditer(sentence)}
        if len(names) != 1:
            continue
        name, end = next(iter(names.items()))
        next_one = _PRONOUN.search(sentence, end) or _PRONOUN.match(after)
        if next_one:
            kind = "she" if next_one[1].lower() in ("she", "her") else "he"
            counts.setdefault(name.lower(), Counter())[kind] += 1


def names_of(counts: dict[str, Counter[str]], kind: str) -> list[str]:
    return sorted(name for name, own in counts.items() if own.total() >= FEWEST and own[kind] >= MOSTLY * own.total())


if __name__ == "__main__":
    main()
