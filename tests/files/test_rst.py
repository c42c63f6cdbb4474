"""reStructuredText: what each of its blocks is."""

from __future__ import annotations

from pathlib import Path

import pytest

from file_makers import parts_of
from mls.cli.files import read_marked
from mls.files.kinds import read


def parts(text: str) -> list[tuple[str | None, str]]:
    return parts_of(read("page.rst", text.encode(), 10_000))


def test_titles_and_headings() -> None:
    assert parts("Ferry\n=====\n\nIt stays.\n\nCosts\n-----\n\nThey are low.") == [
        ("title", "Ferry"),
        (None, "It stays."),
        ("heading", "Costs"),
        (None, "They are low."),
    ]
    assert parts("It stays.\n\nFerry\n=====\n\nFor good.")[1] == ("heading", "Ferry")


def test_facts_above_a_page_are_no_text() -> None:
    page = ":title: Ferry\n:description: It stays for good.\n:category: Boats\n:author: Ann Lund\n\nAs they say."
    assert parts(page) == [
        ("title", "Ferry"),
        (None, "It stays for good."),
        ("boilerplate", "category: Boats"),
        ("byline", "Ann Lund"),
        (None, "As they say."),
    ]


def test_markup_is_no_text() -> None:
    page = (
        "It *stays* for **good**, says ``ferry.py`` of `the council <https://ferry.example>`_; "
        "see `times`_ and \\*.\n\n"
        ".. _times: https://ferry.example/times"
    )
    assert parts(page) == [(None, "It stays for good, says ferry.py of the council; see times and *.")]


def test_what_only_other_programs_know_loses_its_markup_too() -> None:
    assert parts("Call :func:`ferry.go` or :py:meth:`go on <Ferry.on>`.") == [(None, "Call ferry.go or go on.")]
    assert parts("It stays.\n\n.. automodule:: ferry\n   :members:\n\nFor good.") == [
        (None, "It stays."),
        ("code", ".. automodule:: ferry\n   :members:"),
        (None, "For good."),
    ]


def test_badges_and_comments_are_no_text() -> None:
    page = (
        "|build| |docs|\n\n.. |build| image:: b.svg\n.. |docs| image:: d.svg\n.. a comment\n\n.. image:: c.svg\n\n"
        "It stays."
    )
    assert parts(page) == [(None, "It stays.")]


def test_lists_stand_line_below_line() -> None:
    found = read("page.rst", b"- one\n\n  - two\n\n- three\n\nText.\n\n1. first\n2. second", 10_000)
    assert found.text == "one\ntwo\nthree\n\nText.\n\nfirst\nsecond"
    assert [kind for kind, _ in parts_of(found)] == ["list-item"] * 3 + [None] + ["list-item"] * 2


def test_code_tables_and_notes() -> None:
    page = (
        "So::\n\n    ferry --go\n\n===== ====\nDay   Cost\n===== ====\nMay 3 4\n===== ====\n\n"
        "It stays [1]_.\n\n.. note:: For good.\n\n.. [1] As they say."
    )
    assert parts(page) == [
        (None, "So:"),
        ("code", "ferry --go"),
        ("table-row", "Day; Cost"),
        ("table-row", "May 3; 4"),
        (None, "It stays ."),
        (None, "For good."),
        ("footnote", "As they say."),
    ]


def test_nothing_is_fetched_from_the_machine(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the key", encoding="utf-8")
    told = f".. include:: {secret}", f".. raw:: html\n   :file: {secret}", f".. csv-table::\n   :file: {secret}"
    page = "\n\n".join(["It stays.", *told])
    assert "the key" not in read("page.rst", page.encode(), 10_000).text


def test_a_text_by_another_name_is_read_as_what_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "README"
    path.write_text("Ferry\n=====\n\nIt *stays*, `they say <https://ferry.example>`_.", encoding="utf-8")
    assert read_marked(str(path)).text == "Ferry\n\nIt stays, they say."
    assert "is written in reStructuredText and read as such" in capsys.readouterr().err


def test_the_clock_is_not_read_and_no_half_of_a_character_made() -> None:
    page = "It is |now|, |half|.\n\n.. |now| date:: %H:%M:%S\n.. |half| unicode:: 0xD800"
    assert parts(page)[0] == (None, "It is now, .")


def test_a_very_long_line_is_read() -> None:
    said = ("It stays. " * 3_000).strip()
    assert parts_of(read("page.rst", f"Ferry\n=====\n\n{said}".encode(), 100_000)) == [("title", "Ferry"), (None, said)]
