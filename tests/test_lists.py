"""Lists in articles: what announces them, which items may be said, and on which lines they stand."""

from __future__ import annotations

import json

import pytest
from replay import replay

from mls import Summarizer
from mls.blocks import ANNOUNCEMENT, BOILERPLATE, LIST_ITEM, REFERENCE
from mls.files.markdown import marked
from mls.leaning import ANNOUNCES, LISTED
from mls.summary import Summary
from mls.text import Document

README = """# ferryman

ferryman is a Python library that plans the crossings of small ferries on rivers with a changing tide.

## Features

- Timetables that follow the tide of the river
- Plans for up to forty boats in one night
- Warnings by mail before a crossing is cancelled
- Export to calendars

## Installation

```sh
pip install ferryman
```

The first plan is made in a few seconds, and it asks for nothing but the name of the river and the number of boats.

## Sponsors

The harbour of Senn pays for the tables of the tide, and three towns pay for the rest.

## Release Information

### Fixed

- Boats that wait are no longer forgotten.
"""


def kinds(document: Document) -> dict[str, str]:
    return {sentence.text: sentence.kind for sentence in document.sentences}


def readme() -> Document:
    found = marked(README)
    return Document.parse(found.text, found.marks)


def summary(budget: str) -> Summary:
    return Summarizer().summarize(readme(), budget)


def test_a_heading_announces_the_list_below_it() -> None:
    document = readme()
    features = next(sentence for sentence in document.sentences if sentence.text == "Features")
    assert features.kind == ANNOUNCEMENT
    items = [sentence for sentence in document.sentences if sentence.listed == features.index]
    assert [item.text.split()[0] for item in items] == ["Timetables", "Plans", "Warnings", "Export"]
    assert all(item.kind == LIST_ITEM for item in items)


def test_without_a_file_only_a_colon_announces() -> None:
    plain = "Ferries\n\n- Boats that wait for the tide at night\n- Boats for two cars and a dozen people\n\nThey cross."
    assert ANNOUNCEMENT not in kinds(Document.parse(plain, genre="article")).values()
    colon = "The council of the town has bought these ferries:"
    assert kinds(Document.parse(plain.replace("Ferries", colon), genre="article"))[colon] == ANNOUNCEMENT


def test_what_belongs_to_makers_and_releases_is_set_apart() -> None:
    found = kinds(readme())
    sponsors = "The harbour of Senn pays for the tables of the tide, and three towns pay for the rest."
    assert found[sponsors] == BOILERPLATE
    assert found["Boats that wait are no longer forgotten."] == REFERENCE


def test_an_item_leans_on_what_announces_it_and_that_on_the_first_two() -> None:
    analysis = Summarizer().read(readme())
    features = next(s.index for s in analysis.document.sentences if s.kind == ANNOUNCEMENT)
    last = next(s.index for s in analysis.document.sentences if s.text.startswith("Export"))
    assert (LISTED, features) in [(lean.reason, lean.on) for lean in analysis.leans[last]]
    first = [lean.on for lean in analysis.leans[features] if lean.reason == ANNOUNCES]
    assert first == [features + 1, features + 2]


@pytest.mark.parametrize("budget", ["20 words", "30 words", "45 words", "60 words", "1/2", "3/4"])
def test_items_stand_below_what_announces_them_at_any_length(budget: str) -> None:
    made = summary(budget)
    lines = made.text.splitlines()
    said = [line for line in lines if line.rstrip(".").startswith(("Timetables", "Plans", "Warnings", "Export"))]
    assert ("Features:" in lines) == bool(said)
    assert len(said) != 1
    if said:
        at = lines.index("Features:")
        assert lines[at + 1 : at + 1 + len(said)] == said
    replay(json.loads(made.to_json()))


def test_some_length_tells_the_list() -> None:
    assert "Features:" in summary("3/4").text.splitlines()


def test_a_definition_is_no_sentence_of_its_own() -> None:
    text = (
        "The program needs three libraries, all of them small, to read the tables of the tide:\n\n"
        "- tidedata - Provides the tables of the tide for all rivers of the country.\n"
        "- boatlib - Counts the boats that wait in the harbour.\n"
    )
    analysis = Summarizer({"kind": "article"}).read(text)
    assert LISTED in [lean.reason for lean in analysis.leans[-1]]


def test_what_a_colon_announces_is_never_said_without_it() -> None:
    text = (
        "The planner of the ferries reads the tables of the tide and plans the crossings of a night.\n\n"
        "You had better not use the planner if:\n\n"
        "- The river of your town has no tide at all.\n- Your town has more than forty boats in one harbour.\n"
        "- The boats of your town are planned by hand and everybody likes it.\n\n"
        "The first plan is made in a few seconds on any old machine.\n"
    )
    for budget in ("20 words", "30 words", "1/2", "3/4"):
        made = Summarizer({"kind": "article"}).summarize(text, budget)
        said = [line for line in ("no tide", "forty boats", "by hand") if line in made.text]
        assert ("if:" in made.text) == (len(said) >= 2) == bool(said)
        replay(json.loads(made.to_json()))


def test_a_line_whose_items_are_said_already_announces_nothing() -> None:
    """What leans on an item brings along what announces it; what the summary says already of that is not said again."""
    text = (
        "The Optimizer of the ferries cleans the plans of the night and folds the constants of the tide.\n\n"
        "The Rewriter of the ferries replaces the old plans of the night with the new plans of the town.\n\n"
        "This folder also covers:\n\n"
        "- The Optimizer of the ferries cleans the plans of the night and folds the constants of the tide.\n"
        "- The Rewriter of the ferries replaces the old plans of the night with the new plans of the town.\n\n"
        "However, the folder is not meant to hold the whole of the old planner.\n"
    )
    for budget in ("40 words", "50 words", "60 words", "3/4"):
        made = Summarizer({"kind": "article"}).summarize(text, budget)
        assert not made.text.endswith("covers:")
        assert "covers:\nHowever" not in made.text
        replay(json.loads(made.to_json()))
