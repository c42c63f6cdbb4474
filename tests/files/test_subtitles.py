"""Subtitles: what is said, and by whom."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from file_makers import check, parts_of
from mls.errors import MlsError
from mls.files.kinds import read


def srt(*cues: str, pause: int = 0) -> bytes:
    step = 2 + pause
    return "\n".join(
        f"{number}\n00:00:{number * step:02},000 --> 00:00:{number * step + 2:02},000\n{text}\n"
        for number, text in enumerate(cues, 1)
    ).encode()


def test_cues_become_running_text() -> None:
    found = read("a.srt", srt("<i>The ferry</i>\nacross the river", "{\\an8}stays, &amp; for good.", "[Music]"), 1000)
    assert found.text == "The ferry across the river stays, & for good."
    assert found.kind is None
    assert not found.marks


def test_a_pause_ends_a_paragraph() -> None:
    assert read("a.srt", srt("It stays.", "Nobody", "minded.", pause=9), 1000).text == "It stays.\n\nNobody minded."


def test_line_ends_of_all_kinds() -> None:
    data = srt("The ferry", "stays.").replace(b"\n", b"\r\n")
    assert read("a.srt", b"\xef\xbb\xbf" + data, 1000).text == "The ferry stays."
    assert read("a.srt", srt("The ferry", "stays.").replace(b"\n\n", b"\n"), 1000).text == "The ferry stays."


def test_names_before_a_colon() -> None:
    found = read("a.srt", srt("ANN: It stays.", "For good.", "- BOB (laughs): Why?", "Note: it rained."), 1000)
    assert found.kind == "dialogue"
    assert found.text == "ANN: It stays. For good.\n\nBOB: Why? Note: it rained."
    assert [kind for kind, _ in parts_of(found)] == ["speaker", None, "speaker", None]
    again = read("b.srt", srt("Ann: It stays.", "Bob: Why?", "Ann: It pays.", "Bob: Good."), 1000)
    assert [text for kind, text in parts_of(again) if kind] == ["Ann:", "Bob:", "Ann:", "Bob:"]


def test_dashes_tell_that_another_speaks() -> None:
    found = read("a.srt", srt("It stays.", "- Who says so?\n- The county."), 1000)
    assert found.kind == "dialogue"
    assert found.text == "It stays.\n\nWho says so?\n\nThe county."


def test_voices_of_web_subtitles() -> None:
    data = b"""WEBVTT - The ferry

NOTE nobody says this

STYLE
::cue { color: red }

first
00:01.000 --> 00:02.000 align:start
<v.loud Ann Lee>It <b>stays</b>.</v>

00:02.000 --> 00:03.000
<v Ann Lee>For good.</v>

00:00:03.000 --> 00:00:04.000
<v Bob>Why?
"""
    found = read("a.vtt", data, 1000)
    assert found.kind == "dialogue"
    assert found.text == "Ann Lee: It stays. For good.\n\nBob: Why?"
    assert parts_of(found)[0] == ("speaker", "Ann Lee:")


def test_captions_that_roll_are_told_once() -> None:
    lines = ["The ferry", "stays for", "good this year", "after all"]
    cues = [f"{above}\n{below}" for above, below in zip(["", *lines], [*lines, ""], strict=True)]
    assert (
        read("a.srt", srt(*(cue.strip() for cue in cues)), 1000).text == "The ferry stays for good this year after all"
    )
    assert (
        read("b.srt", srt("The", "The ferry", "The ferry stays", "for good."), 1000).text == "The ferry stays for good."
    )
    assert read("c.srt", srt("No.", "No.", pause=3), 1000).text == "No. No."


@given(st.lists(st.text("aA:-<v >\n[]&;", max_size=12), max_size=6))
def test_whatever_is_said_marks_are_in_order(cues: list[str]) -> None:
    with suppress(MlsError):  # nothing is said
        check(read("a.srt", srt(*cues), 1000))
