"""Train the paper's sentence embeddings: 300-dimensional Doc2Vec on a collection of articles.

    python benchmarks/train_doc2vec.py ARTICLES.jsonl.xz --out src/mls/assets/embedding

Needs gensim (pip install gensim). ARTICLES holds JSON lines with a field `text`. Paragraphs are the
documents: they are nearer to the sentences that are embedded later than whole articles are.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from gensim.models.doc2vec import Doc2Vec, TaggedDocument

from mls.corpora.rows import json_rows
from mls.text import fold, tokenize

WORDS = 20_000  # shipped
FEWEST = 8  # words in a paragraph


def paragraphs(path: Path) -> Iterator[list[str]]:
    for row in json_rows(path):
        for paragraph in row["text"].split("\n"):
            words = [fold(token.text) for token in tokenize(paragraph) if token.is_word]
            if len(words) >= FEWEST:
                yield words


def save(model: Doc2Vec, folder: Path) -> None:
    """Word vectors of the output layer, centred on the noise distribution, in bytes with a scale per row."""
    words = model.wv.index_to_key
    counts = np.array([model.wv.get_vecattr(word, "count") for word in words], dtype=np.float64)
    noise = counts**0.75 / (counts**0.75).sum()  # as negative sampling draws
    vectors = (model.syn1neg - noise @ model.syn1neg)[:WORDS]
    scales = np.maximum(np.abs(vectors).max(axis=1) / 127, 1e-12)
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(
        folder / "vectors.npz",
        vectors=np.round(vectors / scales[:, None]).astype(np.int8),
        scales=scales.astype(np.float32),
    )
    (folder / "words.txt").write_text("\n".join(words[:WORDS]) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("articles", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    documents = [TaggedDocument(words, [number]) for number, words in enumerate(paragraphs(options.articles))]
    print(f"{len(documents)} paragraphs, {sum(len(document.words) for document in documents)} words")
    model = Doc2Vec(
        documents,
        vector_size=300,
        dm=0,
        dbow_words=0,
        min_count=10,
        sample=1e-4,
        negative=5,
        epochs=12,
        workers=1,
        seed=1,
    )
    save(model, options.out)


if __name__ == "__main__":
    main()
