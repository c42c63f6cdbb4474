"""Documents as people have them: of each kind one that was written for this project, with what its summary must say."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from replay import replay

from mls import Recipe, Summarizer
from mls.cli.files import read_document
from mls.magnifier.growth import HEADLINE
from mls.summary import Summary

EXAMPLES = Path(__file__).parent.parent / "examples"
CASES: dict[str, dict[str, Any]] = tomllib.loads((EXAMPLES / "kinds" / "facts.toml").read_text(encoding="utf-8"))
LENGTHS = ("10 tokens", "1/32", "1/16", "1/8", "1/4", "1/2", "3/4")


@cache
def summaries(name: str) -> dict[str, Summary]:
    document = read_document(str(EXAMPLES / "kinds" / CASES[name]["file"]))
    return dict(zip(LENGTHS, Summarizer().levels(document, LENGTHS), strict=True))


def test_there_are_enough() -> None:
    assert len(CASES) >= 12
    assert all(len(case["facts"]) == 3 and len(case["never"]) == 5 for case in CASES.values())


@pytest.mark.parametrize("name", CASES)
def test_it_is_known_for_what_it_is(name: str) -> None:
    assert summaries(name)["1/8"].document.genre == CASES[name]["kind"]


@pytest.mark.parametrize("name", CASES)
def test_an_eighth_holds_the_facts(name: str) -> None:
    text = " ".join(summaries(name)["1/8"].text.split())
    held = [any(all(words in text for words in said) for said in fact) for fact in CASES[name]["facts"]]
    assert [number for number, holds in enumerate(held, 1) if not holds] == CASES[name].get("missing", [])


@pytest.mark.parametrize("name", CASES)
def test_what_is_no_prose_is_in_no_summary(name: str) -> None:
    for budget, summary in summaries(name).items():
        assert summary.length <= summary.limit
        found = [line for line in CASES[name]["never"] if line.lower() in summary.text.lower()]
        assert found == [], budget


@pytest.mark.parametrize("name", CASES)
def test_every_decision_can_be_replayed(name: str) -> None:
    for summary in summaries(name).values():
        replay(json.loads(summary.to_json()))


def test_headings_are_replayed_too() -> None:
    document = read_document(str(EXAMPLES / "kinds" / "readme.md"))
    plain, headed = (Summarizer(Recipe.of({"headings": on})).summarize(document, "1/4") for on in (False, True))
    assert "\nWhy another backup tool\n" in headed.text
    assert "\nWhy another backup tool\n" not in plain.text
    assert headed.length <= headed.limit
    replay(json.loads(headed.to_json()))


def test_a_heading_that_is_the_summary_is_said_once() -> None:
    text = (
        "Notes of a journey that began in the harbour of the old town in the spring, went over the mountains by train "
        "and on foot, and ended on a hill above the sea long after the money was spent\n\n"
        "The teacher spent four amazing days by herself in Paris in February\n\n"
        "She walked to the hospital after work\n\n"
        "She was young when she frantically waited at the old hospital for the results to return after the tests.\n"
    )
    summary = Summarizer({"headings": True, "kind": "dialogue"}).summarize(text, "20 tokens")
    assert summary.steps[-1].reason == HEADLINE
    assert [sentence.text for sentence in summary.sentences] == [summary.text]
    replay(json.loads(summary.to_json()))
    pinned = Summarizer({"headings": True}).summarize(text, "3/4", pin=(2, 3))
    assert pinned.text.count("She walked to the hospital after work") == 1
    replay(json.loads(pinned.to_json()))


def test_headings_that_were_left_out_are_not_looked_for(tmp_path: Path) -> None:
    """The heading would take more than half of the room, and the sentence was there before the room was full."""
    heading = "The members of the council of the old harbour on the long way to the sea"
    page = tmp_path / "page.md"
    page.write_text(f"# Harbour\n\n## {heading}\n\nAnna Berg left the town early in May.\n", encoding="utf-8")
    summary = Summarizer({"headings": True}).summarize(read_document(page), "100 chars")
    assert summary.text == "Anna Berg left the town early in May."
    replay(json.loads(summary.to_json()))


def test_a_name_at_the_top_is_no_summary() -> None:
    text = (
        "Jones v. Lee (1983)\n\nJones v. Lee is a case of the Supreme Court of the land. The court asked for how "
        "long a thief who is mad may be held. Such a thief may be held until he is well, the court said in June.\n"
    )
    summary = Summarizer().summarize(text, "12 words")
    assert "title" not in summary.notes
    headline = text.replace("Jones v. Lee (1983)", "Court: mad thief may be held until he is well")
    titled = Summarizer().summarize(headline, "10 words")
    assert titled.notes == ("title",)


def test_the_name_of_who_writes_is_no_summary() -> None:
    text = (
        "SANDRIGG DISTRICT SCHOOLS AUTHORITY\n\nThe schools of the district of Sandrigg open an hour later from May. "
        "The authority of the schools asked the parents of the district for a year.\n"
    )
    assert "title" not in Summarizer().summarize(text, "8 words").notes


def test_a_title_is_marked_as_one() -> None:
    document = read_document(str(EXAMPLES / "kinds" / "paper.txt"))
    title = Summarizer().summarize(document, "20 tokens")
    assert title.text.startswith("Swifts Return to Renovated Roofs")
    assert title.notes == ("title",)
    assert [sentence.operation for sentence in title.sentences] == ["title"]
