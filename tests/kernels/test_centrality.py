"""Centrality: the mean cosine to the document's sentences, however it is computed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from builders import BagOfWords, document, plain_documents, sentence
from mls.kernels.centrality import CentralityKernel
from mls.text import Document, Wording

KERNEL = CentralityKernel(BagOfWords())


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


@given(plain_documents)
def test_a_score_is_the_mean_cosine_to_all_sentences(document: Document) -> None:
    judged = [sentence("Rain fell on the river."), *document.sentences[::-1]]
    source, asked = BagOfWords().embed(document.sentences), BagOfWords().embed(judged)
    expected = [np.mean([cosine(one, other) for other in source]) for one in asked]
    assert KERNEL.score(document, judged) == pytest.approx(np.array(expected), abs=1e-5)


def test_what_all_say_scores_above_what_one_says() -> None:
    rain = document("Rain fell on the harbour.", "Rain fell on the bridge.", "Rain fell on the river.", "Dogs bark.")
    scores = KERNEL.score(rain, rain.sentences)
    assert scores[:3].min() > scores[3] > 0


def test_a_sentence_the_embedder_knows_nothing_of_scores_zero() -> None:
    class Knowing(BagOfWords):
        def embed(self, sentences: list[Wording]) -> np.ndarray:  # type: ignore[override]
            known = np.array([["qwertz" not in one.words] for one in sentences])
            return np.asarray(super().embed(sentences) * known, dtype=np.float32)

    rain = document("Rain fell.", "Qwertz fell.")
    assert CentralityKernel(Knowing()).score(rain, rain.sentences).tolist() == pytest.approx([0.5, 0.0])


def test_a_sentence_opposed_to_the_document_scores_zero_not_less() -> None:
    class Signed(BagOfWords):
        def embed(self, sentences: list[Wording]) -> np.ndarray:  # type: ignore[override]
            return np.array([[-1.0, 0.0] if "not" in one.words else [2.0, 0.0] for one in sentences], dtype=np.float32)

    rain = document("Rain fell.", "Rain fell again.")
    assert CentralityKernel(Signed()).score(rain, [sentence("It did not."), rain.sentences[0]]).tolist() == [0.0, 1.0]


@given(plain_documents)
def test_a_long_document_is_judged_in_parts_alike(document: Document) -> None:
    judged = [sentence("Rain fell on the river."), *document.sentences[::-1]]
    whole = KERNEL.score(document, judged)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mls.kernels.centrality._AT_ONCE", 2)
        assert KERNEL.score(document, judged) == pytest.approx(whole)
