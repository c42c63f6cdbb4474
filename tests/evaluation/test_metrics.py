"""Metrics agree with the libraries they come from, and mean what docs/metrics.md says."""

from __future__ import annotations

import math
import os
import random
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import plain_documents
from evaluation.pairs import judged, record
from mls import Summarizer
from mls.baselines.oracle import f1
from mls.evaluation import divergence, meteor, novelty, standing
from mls.evaluation.cells import generated_share
from mls.evaluation.judged import Judged
from mls.evaluation.metrics import METRICS, score
from mls.evaluation.rouge import rouge
from mls.evaluation.tuning import stems
from mls.text import Document

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer")


@given(plain_documents, plain_documents)
def test_rouge_is_rouge_scores(one: Document, other: Document) -> None:
    scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"], use_stemmer=True)
    reference = "\n".join(sentence.text for sentence in other.sentences)
    ours = rouge(judged("x", one.text, reference))
    direct = scorer.score(reference, "\n".join(s.text for s in Document.parse(one.text).sentences))
    assert ours == {name.lower(): value.fmeasure for name, value in direct.items()}
    assert f1(stems(one.text), stems(reference)) == pytest.approx(ours["rouge1"])


@pytest.mark.skipif(not os.environ.get("CI") and not meteor.wordnet_is_here(), reason="WordNet's files are not here")
def test_meteor_is_nltks() -> None:
    from nltk.translate.meteor_score import meteor_score

    one = judged("x", "The dogs ran home quickly. It rained.", "A hound went home fast.\nRain fell.")
    written = "the dogs ran home quickly it rained".split()
    direct = meteor_score(["a hound went home fast rain fell".split()], written, wordnet=meteor.wordnet())
    assert meteor.meteor(one) == pytest.approx(direct)
    assert direct > 0.1  # hound and dog are synonyms
    assert meteor.meteor(judged("x", "...", "A hound.")) == 0.0


def test_wordnet_is_found_as_nltk_s_downloader_leaves_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packed, in a folder of nltk's; it is unpacked into ours once."""
    (tmp_path / "theirs" / "corpora").mkdir(parents=True)
    with ZipFile(tmp_path / "theirs" / "corpora" / "wordnet.zip", "w") as archive:
        archive.writestr("wordnet/", "")
        archive.writestr("wordnet/lexnames", "00\tadj.all\t3\n")
    ours = tmp_path / "ours" / "corpora" / "wordnet"
    monkeypatch.setattr(meteor, "_DEBIAN", tmp_path / "nowhere")
    assert meteor._folder([tmp_path / "theirs", tmp_path / "ours"], ours) == ours
    assert (ours / "lexnames").read_text() == "00\tadj.all\t3\n"
    (tmp_path / "theirs" / "corpora" / "wordnet.zip").unlink()
    assert meteor._folder([tmp_path / "theirs", tmp_path / "ours"], ours) == ours
    assert meteor._folder([tmp_path / "theirs"], ours) is None


def test_without_wordnet_there_is_no_meteor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mls.evaluation.metrics.wordnet_is_here", lambda: False)
    one = record(1)
    assert "meteor" not in score(judged(one.document, one.summary, one.summary))


@given(plain_documents)
def test_a_document_does_not_diverge_from_itself(document: Document) -> None:
    same = judged(document.text, document.text)
    assert divergence.sentiment_divergence(same) == pytest.approx(0)
    topics = divergence.topic_divergence(same)
    assert math.isnan(topics) or topics == pytest.approx(0)
    coherence = divergence.coherence_difference(same)
    assert math.isnan(coherence) or coherence == 0
    assert all(novelty.novel_grams(same, n) in (0.0,) or math.isnan(novelty.novel_grams(same, n)) for n in (1, 2, 3, 4))


def test_topics_are_the_same_in_any_order_and_others_in_another_text() -> None:
    news, story = ((EXAMPLES / f"{name}.txt").read_text(encoding="utf-8") for name in ("news", "story"))
    sentences = [sentence.text for sentence in Document.parse(news).sentences if sentence.is_prose]
    shuffled = random.Random(1).sample(sentences, len(sentences))
    assert divergence.topic_divergence(judged(" ".join(sentences), " ".join(shuffled))) == pytest.approx(0, abs=0.01)
    summary = divergence.topic_divergence(judged(news, Summarizer("light").summarize(news, "1/8").text))
    nothing_of_it = divergence.topic_divergence(judged(news, story))
    assert 0 < summary < 0.5
    assert nothing_of_it > 1.5


@given(st.lists(st.floats(0.01, 1), min_size=2, max_size=6), st.lists(st.floats(0.01, 1), min_size=6, max_size=6))
def test_divergence_is_never_negative(first: list[float], second: list[float]) -> None:
    p = np.array(first) / sum(first)
    q = np.array(second[: len(first)]) / sum(second[: len(first)])
    assert divergence.divergence(p, q) >= -1e-12


@given(plain_documents)
def test_sentiment_is_a_distribution(document: Document) -> None:
    assert divergence.sentiment(document).sum() == pytest.approx(1)


def test_what_is_generated_is_counted_as_the_trace_tells_it() -> None:
    """Of Fig. 4 of the paper: tokens that no place of the source was copied for, of all tokens of the summary."""
    text = (EXAMPLES / "news.txt").read_text(encoding="utf-8")
    for summary in Summarizer("paper").levels(text, ["1/16", "1/8", "1/2"]):
        trace = summary.to_dict()
        drafted = [trace["prototype"]["sentences"][one["unit"]] for one in trace["sentences"] if one["reworded"]]
        generated = sum(token["source"] is None for sentence in drafted for token in sentence["tokens"])
        assert generated
        assert generated_share(summary) == pytest.approx(generated / trace["length"])
    assert generated_share(Summarizer("light").summarize(text, "1/8")) == 0


def test_names_and_numbers_that_are_not_in_the_document() -> None:
    source = "The mayor of Amble paid £3,000 to Ann Lee. It rained."
    true = judged(source, "In the end Ann Lee got £3,000.")
    false = judged(source, "In the end Bob Lee got £4,000 in 3 days.")
    assert (novelty.novel_names(true), novelty.novel_numbers(true)) == (0.0, 0.0)
    assert (novelty.novel_names(false), novelty.novel_numbers(false)) == (0.5, 1.0)
    assert math.isnan(novelty.novel_numbers(judged(source, "It rained.")))


def test_repetition_and_budget() -> None:
    said = judged("x", "It rained all day. It rained all day.", limit=4)
    scores = score(said)
    assert scores["repeated"] == 0.5
    assert scores["violation"] == 1.0
    assert scores["fill"] == 2.0
    assert set(scores) <= set(METRICS)


@given(plain_documents, plain_documents)
def test_every_score_is_a_number_or_says_that_it_is_none(one: Document, other: Document) -> None:
    for name, value in score(judged(one.text, other.text)).items():
        assert value >= 0 or math.isnan(value), name


def test_a_sentence_without_what_it_leans_on_dangles() -> None:
    text = "Maria Lund runs the ferry. The town is small. She was born in Oslo long ago and never left."
    document = Document.parse(text)
    alone = Judged(document, "", "She was born in Oslo long ago and never left.", 10, 10)
    both = Judged(document, "", "Maria Lund runs the ferry. She was born in Oslo long ago and never left.", 15, 15)
    assert (standing.dangling(alone), standing.dangling(both)) == (1.0, 0.0)
    assert (standing.slight(alone), standing.slight(both)) == (0.0, 0.5)
    assert (standing.nested(alone, both), standing.nested(both, alone)) == (1.0, 0.5)


def test_who_is_named_in_full_does_not_dangle() -> None:
    said = "Brennan steered the first steam ferry across the bay in 1987."
    document = Document.parse(f"Ada Brennan joined the harbour office in 1961. The town had few ships. {said}")
    half, titled, full = (Judged(document, "", name + said, 12, 12) for name in ("", "Mrs ", "Ada "))
    assert [standing.dangling(one) for one in (half, titled, full)] == [1.0, 1.0, 0.0]
