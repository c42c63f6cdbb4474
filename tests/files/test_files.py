"""Files of all kinds: their main text comes out, and a hostile one ends nothing but its own process."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path

import docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from file_makers import assembled, check, column, parts_of, pdf_of, saved, with_parts
from mls.cli.files import read_document, read_marked
from mls.errors import MissingExtraError, MlsError
from mls.files import kinds
from mls.files.guarded import read_guarded
from mls.files.kinds import Kind, TooLongError, UnknownKindError, read
from mls.files.reader import outcome

STORY = (
    "The ferry across the river will not close this month after all, the county said on Tuesday evening.",
    "Its volunteers are going to test the water on every crossing, sixteen times a day, six days a week.",
    "The county pays them for that, and the price is lower than what a contractor asked for the same work.",
)
MENU = "Home Contact Imprint Subscribe"
HTML = f"""<!doctype html><html><head><title>Ferry</title><style>p {{ color: red }}</style></head><body>
<nav><ul>{"".join(f"<li><a href=/{word}>{word}</a></li>" for word in MENU.split())}</ul></nav>
<article><h1>Ferry stays</h1>{"".join(f"<p>{line}</p>" for line in STORY)}</article>
<script>alert("never shown")</script><footer>All rights reserved</footer></body></html>"""
MARKDOWN = f"""# Ferry *stays*

{STORY[0]} See [the **minutes**](https://county.example/minutes).

- {STORY[1]}
- <b>{STORY[2]}</b>

```python
print("code is kept, and marked")
```
"""


def word_file(*texts: str) -> bytes:
    document = docx.Document()
    for text in texts:
        document.add_paragraph(text)
    table = document.add_table(rows=1, cols=2)
    table.cell(0, 0).text, table.cell(0, 1).text = "crossings", "sixteen a day"
    return saved(document)


def pdf_file(*pages: Sequence[str]) -> bytes:
    """A PDF with these lines on its pages."""
    return pdf_of(*(column(50, 750, lines, 11) for lines in pages))


def test_word() -> None:
    found = read("story.docx", word_file(*STORY), 10_000)
    assert parts_of(found) == [*((None, line) for line in STORY), ("table-row", "crossings; sixteen a day")]


def test_web_page() -> None:
    text = read("story.HTML", HTML.encode(), 10_000).text
    assert all(line in text for line in STORY)
    for left_out in ("Subscribe", "never shown", "color", "<p>"):
        assert left_out not in text


def test_a_small_web_page_is_read_whole() -> None:
    assert "It rained." in read("small.htm", b"<p>It rained.", 1000).text


def test_markdown() -> None:
    assert parts_of(read("story.md", MARKDOWN.encode(), 10_000)) == [
        ("title", "Ferry stays"),
        (None, f"{STORY[0]} See the minutes."),
        ("list-item", STORY[1]),
        ("list-item", STORY[2]),
        ("code", 'print("code is kept, and marked")'),
    ]


def test_the_command_reads_markdown_as_it_is_meant(tmp_path: Path) -> None:
    (tmp_path / "story.md").write_text("# The ferry\n\nIt will stay *for\ngood*, the county said.\n", encoding="utf-8")
    found = read_document(str(tmp_path / "story.md"))
    assert found.text == "The ferry\n\nIt will stay for good, the county said."
    assert [sentence.kind for sentence in found.sentences] == ["title", "prose"]


def test_pdf() -> None:
    page = (
        "The Ferry Gazette",
        "On day {day} the ferry across the river did not close after all, the coun-",
        "ty said on evening {day}.",
        "Its {day} volunteers are going to test the water on every crossing, six",
        "times a day, {day} days a week.",
    )
    days = ("one", "two", "three", "four")
    pages = [[line.format(day=day) for line in page] + [f"Page {number}"] for number, day in enumerate(days)]
    text = read("story.pdf", pdf_file(*pages), 10_000).text
    assert text.split("\n\n")[:2] == [
        "On day one the ferry across the river did not close after all, the county said on evening one.",
        "Its one volunteers are going to test the water on every crossing, six times a day, one days a week.",
    ]
    assert "Gazette" not in text
    assert "Page" not in text


@pytest.mark.parametrize("name", ["story.exe", "story", ".pdf.zip", "", "story.doc"])
def test_unknown_kinds_are_named(name: str) -> None:
    with pytest.raises(UnknownKindError, match=r"files that can be read are .txt, "):
        read(name, b"text", 100)


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(kinds.KINDS, ".pdf", Kind("pdf", "no_such_library"))  # type: ignore[misc, arg-type]
    with pytest.raises(MissingExtraError, match=r"pip install 'mls-summarizer\[files\]'"):
        read("story.pdf", b"", 100)
    assert ".pdf" not in kinds.readable_kinds()


def test_too_long_a_text_is_refused() -> None:
    for name, data in (("a.txt", b"word " * 100), ("a.pdf", pdf_file(["word " * 10] * 10))):
        with pytest.raises(TooLongError, match="more than 100 characters"):
            read(name, data, 100)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.txt", b""),
        ("blank.md", b"\n \n"),
        ("latin.txt", b"caf\xe9"),
        ("cut.pdf", pdf_file(["It rained."])[:150]),
        ("none.pdf", b"not a pdf"),
        ("blank.pdf", pdf_file([])),
        ("none.docx", b"PK\x03\x04 not a zip"),
        ("empty.docx", b""),
        ("cut.docx", word_file("It rained.")[:-400]),
        ("blank.html", b"<html></html>"),
        ("none.html", bytes(range(256)) * 4),
        ("none.eml", b"It rained."),
        ("empty.eml", b""),
        ("none.srt", b"It rained."),
        ("silent.srt", b"1\n00:00:01,000 --> 00:00:02,000\n[Music]\n"),
        ("none.vtt", b"WEBVTT\n"),
    ],
)
def test_what_can_not_be_read_says_why(name: str, data: bytes) -> None:
    error = outcome(name, data, 10_000)["error"]
    assert name in error
    assert "\n" not in error


_BYTES = b" \n\r\t<>/&;:-=#*|>[](){}%!abAB019.,'\"\x00\xff\xc3\xa4"
_BEGINNINGS = {
    ".md": b"# A\n- b\n|c|d|\n|-|-|\n",
    ".rst": b"A\n=\n\n.. note:: b\n\n- c\n\n== ==\nd  e\n== ==\n",
    ".html": b"<html><body><h1>A</h1><table><tr><td>",
    ".eml": b"From: a\nTo: b\nSubject: =?utf-8?q?c?=\nContent-Type: text/html; charset=",
    ".srt": b"1\n00:00:01,000 --> 00:00:02,000\nANN: ",
    ".vtt": b"WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>",
    ".pdf": b"%PDF-1.4\n",
    ".docx": b"PK\x03\x04",
    ".txt": b"",
}


@settings(deadline=None)
@given(st.sampled_from(sorted(_BEGINNINGS)), st.lists(st.sampled_from(_BYTES), max_size=60).map(bytes), st.booleans())
def test_whatever_a_file_holds_it_is_read_or_refused_in_one_line(end: str, data: bytes, begins: bool) -> None:
    error = None
    try:
        check(read(f"any{end}", _BEGINNINGS[end] + data if begins else data, 10_000))
    except MlsError as raised:
        error = raised
    assert "\n" not in str(error)


def test_a_guarded_file_is_read_as_any_other() -> None:
    assert read_guarded("story.docx", word_file(*STORY), 10_000) == read("story.docx", word_file(*STORY), 10_000)
    marked = read_guarded("story.md", MARKDOWN.encode(), 10_000)
    assert marked == read("story.md", MARKDOWN.encode(), 10_000)
    assert marked.marks
    with pytest.raises(TooLongError):
        read_guarded("story.txt", b"word " * 100, 100)
    with pytest.raises(UnknownKindError):
        read_guarded("story.exe", b"MZ", 100)


def test_the_command_reads_them_too(tmp_path: Path) -> None:
    path = tmp_path / "story.docx"
    path.write_bytes(word_file(*STORY))
    assert read_document(str(path)).text.startswith(STORY[0])
    assert [mark.kind for mark in read_marked(str(path)).marks] == ["table-row"]
    path.write_bytes(b"no document")
    with pytest.raises(MlsError, match="no Word document"):
        read_document(str(path))


def word_file_with(part: str, content: bytes, level: int = 9) -> bytes:
    """A Word file in which one part is replaced."""
    return with_parts(word_file("It rained."), {part: content}, level)


def test_an_archive_that_unpacks_without_end_is_not_unpacked() -> None:
    bomb = word_file_with("word/document.xml", b" " * (201 * 2**20), 1)
    assert len(bomb) < 2_000_000
    with pytest.raises(MlsError, match="would unpack to"):
        read_guarded("bomb.docx", bomb, 10_000)


def test_an_archive_that_lies_about_its_sizes_is_refused() -> None:
    bomb = bytearray(word_file_with("word/document.xml", b" " * (20 * 2**20), 1))
    with zipfile.ZipFile(io.BytesIO(bytes(bomb))) as archive:
        entry = archive.getinfo("word/document.xml")
    true = entry.file_size.to_bytes(4, "little")
    while true in bomb:
        position = bomb.index(true)
        bomb[position : position + 4] = (100).to_bytes(4, "little")
    with pytest.raises(MlsError, match=r"bomb\.docx"):
        read_guarded("bomb.docx", bytes(bomb), 10_000)


def test_entities_that_grow_are_not_expanded() -> None:
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    document = (
        f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a0 "ha">{entities}]>'
        '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        "<w:body><w:p><w:r><w:t>&a11;</w:t></w:r></w:p></w:body></w:document>"
    )
    with pytest.raises(MlsError, match=r"laughs\.docx"):
        read_guarded("laughs.docx", word_file_with("word/document.xml", document.encode()), 10_000)


def endless_pdf() -> bytes:
    """Pages that contain one another, and a page that draws itself for ever."""
    content = b"/F Do " * 200
    return assembled(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 99999999 >>",
            b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >> >>",
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
            b"<< /Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /F 5 0 R >> >> /Length %d >>\n"
            b"stream\n%s\nendstream" % (len(content), content),
        ]
    )


@pytest.mark.parametrize("data", [endless_pdf(), b"%PDF-1.4\n" + b"1 0 obj\n<< /A " * 200_000], ids=["endless", "deep"])
def test_a_pdf_that_never_ends_is_ended(data: bytes) -> None:
    with pytest.raises(MlsError, match=r"^never\.pdf"):
        read_guarded("never.pdf", data, 10_000, seconds=3.0)


def test_time_is_bounded() -> None:
    with pytest.raises(MlsError, match=r"takes longer than 0\.005 seconds"):
        read_guarded("slow.txt", b"It rained.", 10_000, seconds=0.005)
