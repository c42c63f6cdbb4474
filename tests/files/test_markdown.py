"""Markdown: what each of its blocks is."""

from __future__ import annotations

import pytest

from file_makers import parts_of
from mls.files.kinds import read


def parts(text: str) -> list[tuple[str | None, str]]:
    return parts_of(read("page.md", text.encode(), 10_000))


def test_titles_and_headings() -> None:
    assert parts("# Ferry\n\nIt stays.\n\n# Costs\n\nDetails\n---\n\nThey are low.") == [
        ("title", "Ferry"),
        (None, "It stays."),
        ("heading", "Costs"),
        ("heading", "Details"),
        (None, "They are low."),
    ]
    assert parts("It stays.\n\n# Ferry")[1] == ("heading", "Ferry")


def test_the_title_may_stand_below_badges() -> None:
    page = "[![build](b.svg)](https://ci.example) ![cov](c.svg)\n\n# Ferry\n\nIt ![at dawn](d.png) stays."
    assert parts(page) == [("title", "Ferry"), (None, "It at dawn stays.")]


def test_the_title_may_stand_before_the_page() -> None:
    assert parts("---\ntitle: 'Ferry stays'\ntags: [a]\n---\nIt stays.") == [
        ("title", "Ferry stays"),
        (None, "It stays."),
    ]
    assert parts("---\ntitle: Other\n---\n# Ferry")[0] == ("title", "Ferry")
    assert parts("---\n\nIt stays.\n\n---\n\nFor good.") == [(None, "It stays."), (None, "For good.")]


def test_headings_in_html_are_headings() -> None:
    assert parts('<h1 align="center">Ferry <i>stays</i></h1>\n\nIt does.') == [
        ("title", "Ferry stays"),
        (None, "It does."),
    ]


def test_lists_stand_line_below_line() -> None:
    found = read("page.md", b"- one\n  - two\n\n    more of two\n- [x] three\n\nText.\n\n1. first\n2. second", 10_000)
    assert found.text == "one\ntwo\nmore of two\nthree\n\nText.\n\nfirst\nsecond"
    assert [kind for kind, _ in parts_of(found)] == ["list-item"] * 4 + [None] + ["list-item"] * 2


def test_a_table_of_contents_is_no_text() -> None:
    assert parts("- [Costs](#costs)\n  - [Diesel](#diesel)\n- [Minutes](minutes.md)\n- see [Costs](#costs)") == [
        ("boilerplate", "Costs"),
        ("boilerplate", "Diesel"),
        ("boilerplate", "Minutes"),
        ("list-item", "see Costs"),
    ]


def test_rows_of_a_table() -> None:
    page = "| item | cost |\n|---|---|\n| diesel | £40,000 |\n| *crew* | |\n\nIt adds up."
    found = read("page.md", page.encode(), 10_000)
    assert found.text == "item; cost\ndiesel; £40,000\ncrew\n\nIt adds up."
    assert [kind for kind, _ in parts_of(found)] == ["table-row"] * 3 + [None]


@pytest.mark.parametrize("page", ["Run:\n\n```sh\n  a\n\nb\n```\n\nDone.", "Run:\n\n      a\n\n    b\n\nDone."])
def test_code_is_kept_as_it_is(page: str) -> None:
    assert parts(page) == [(None, "Run:"), ("code", "  a\n\nb"), (None, "Done.")]


def test_quotations_are_prose_and_notes_are_notes() -> None:
    assert parts("> It stays,\n> she said.[^1]\n\n[^1]: On Monday.") == [
        (None, "It stays, she said."),
        ("footnote", "On Monday."),
    ]


def test_bold_words_may_go_on_over_lines() -> None:
    assert parts("**If it stays,\nwe do too**. Do you?\n\n**All\nof it**") == [
        (None, "If it stays, we do too. Do you?"),
        (None, "All of it"),
    ]


def test_a_line_in_bold_is_a_heading() -> None:
    page = "**Expected behavior**\nIt stays.\n\n**It stays.** For good.\n\n**Nobody minds.**\n\n__Costs__\n\nNone."
    assert parts(page) == [
        ("heading", "Expected behavior"),
        (None, "It stays."),
        (None, "It stays. For good."),
        (None, "Nobody minds."),
        ("heading", "Costs"),
        (None, "None."),
    ]
