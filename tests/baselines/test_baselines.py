"""Every baseline keeps the budget, has a trace, and does what its name says."""

from __future__ import annotations

import networkx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from builders import texts
from mls.baselines.base import RankingBaseline
from mls.baselines.floor import at_random, lead
from mls.baselines.graph import graph_ranking, pagerank
from mls.baselines.systematic import STEP, systematic_sampling
from mls.embedding.lexical import LexicalEmbedder
from mls.text import Document

BASELINES = [lead(), at_random(), systematic_sampling(), graph_ranking(LexicalEmbedder())]
TEXT = " ".join(f"Sentence number {number} speaks of rain in town {number % 3}." for number in range(12))


@pytest.mark.parametrize("baseline", BASELINES, ids=lambda baseline: baseline.name)
@settings(max_examples=60, deadline=None)
@given(text=texts, budget=st.sampled_from(["1/32", "1/8", "1/2", "5", "12 words", "60 chars", "100%"]))
def test_any_text_any_budget(baseline: RankingBaseline, text: str, budget: str) -> None:
    document = Document.parse(text)
    assume(document.sentences)
    summary = baseline.summarize(document, budget)
    assert 0 < summary.length <= summary.limit
    assert summary.text == baseline.summarize(text, budget).text
    assert summary.steps


def test_lead_takes_the_first_and_passes_over_what_does_not_fit() -> None:
    text = "It rained. " + "A very long sentence follows it " * 5 + "here. The sun came out."
    summary = lead().summarize(text, 9)
    assert summary.text == "It rained. The sun came out."
    assert [step.operation for step in summary.steps] == ["copy", "pass", "copy"]


def test_every_third_sentence_from_one_of_the_first_two() -> None:
    summary = systematic_sampling().summarize(TEXT, "99%")
    positions = [sentence.source[0].sentence for sentence in summary.sentences]
    assert positions[0] < STEP - 1
    assert positions == list(range(positions[0], 12, STEP))
    starts = {systematic_sampling(seed).summarize(TEXT, "99%").sentences[0].source[0].sentence for seed in range(20)}
    assert starts == {0, 1}


def test_chance_depends_on_its_seed_alone() -> None:
    assert at_random(1).summarize(TEXT, "1/2").text == at_random(1).summarize(TEXT, "1/2").text
    assert len({at_random(seed).summarize(TEXT, "1/4").text for seed in range(10)}) > 3


@given(st.integers(2, 8), st.integers(0, 10**6))
def test_pagerank_agrees_with_networkx(count: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    edges = random.random((count, count)) * (random.random((count, count)) < 0.7)
    edges = np.triu(edges, 1) + np.triu(edges, 1).T
    graph = networkx.from_numpy_array(edges)
    expected = networkx.pagerank(graph, alpha=0.85, weight="weight", tol=1e-12, max_iter=1000)
    assert pagerank(edges) == pytest.approx([expected[node] for node in range(count)], abs=1e-6)


def test_the_graph_prefers_what_others_resemble() -> None:
    text = "Rain fell on Oslo harbour. Rain fell on Oslo. Dogs bark loudly. Rain fell on the harbour."
    assert graph_ranking(LexicalEmbedder()).summarize(text, 6).text == "Rain fell on Oslo harbour."


TALK = """Ann: Did you call the roofer about the leak in the shed?
Ben: I did. He comes on Tuesday and wants ninety pounds.
Ann: Then I will move the bicycles on Monday evening. Please leave the key under the pot.
Ben: Fine. I will also tell the neighbours about the noise.
"""


@pytest.mark.parametrize("baseline", BASELINES, ids=lambda baseline: baseline.name)
@pytest.mark.parametrize("budget", ["12", "20", "30 words", "120 chars", "1/2"])
def test_in_a_dialogue_who_speaks_is_named_and_never_alone(baseline: RankingBaseline, budget: str) -> None:
    summary = baseline.summarize(TALK, budget)
    assert summary.length <= summary.limit
    for line in summary.text.splitlines():
        name, said = line.split(": ", 1)
        assert name in ("Ann", "Ben")
        assert said


def test_whoever_goes_on_speaking_is_named_once() -> None:
    text = lead().summarize(TALK, 24).text
    assert text.splitlines()[0].startswith("Ann: Did you call")
    assert text.count("Ben: ") == 1
