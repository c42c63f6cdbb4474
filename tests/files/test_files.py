"""Files of all kinds: their main text comes out, and a hostile one ends nothing but its own process."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path

import docx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mls.cli.files import read_document
from mls.errors import MissingExtraError, MlsError
from mls.files import kinds
from mls.files.guarded import read_guarded
from mls.files.kinds import Kind, TooLongError, UnknownKindError, read
from mls.files.pdf import paragraphs
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
print("code is left out")
```
"""


def word_file(*texts: str) -> bytes:
    document = docx.Document()
    for text in texts:
        document.add_paragraph(text)
    table = document.add_table(rows=1, cols=2)
    table.cell(0, 0).text, table.cell(0, 1).text = "crossings", "sixteen a day"
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def pdf_file(*pages: Sequence[str]) -> bytes:
    """A PDF with these lines on its pages, written by hand."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    kids = []
    for lines in pages:
        shown = " ".join(f"({line}) Tj T*" for line in lines)
        stream = f"BT /F1 11 Tf 14 TL 50 750 Td {shown} ET"
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {len(objects) + 2} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    return assembled([body.encode("latin-1") for body in objects])


def assembled(objects: Sequence[bytes]) -> bytes:
    data = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(data))
    return data + b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table) + trailer


def test_word() -> None:
    text = read("story.docx", word_file(*STORY), 10_000)
    assert text.split("\n\n") == [*STORY, "crossings; sixteen a day"]


def test_a_merged_cell_is_told_once() -> None:
    document = docx.Document()
    table = document.add_table(rows=2, cols=3)
    table.cell(0, 0).merge(table.cell(0, 2)).text = "Crossings"
    for column, text in enumerate(("Monday", "Tuesday", "Tuesday")):
        table.cell(1, column).text = text
    out = io.BytesIO()
    document.save(out)
    assert read("table.docx", out.getvalue(), 10_000).split("\n\n") == ["Crossings", "Monday; Tuesday; Tuesday"]


def test_web_page() -> None:
    text = read("story.HTML", HTML.encode(), 10_000)
    assert all(line in text for line in STORY)
    for left_out in ("Subscribe", "never shown", "color", "<p>"):
        assert left_out not in text


def test_a_small_web_page_is_read_whole() -> None:
    assert "It rained." in read("small.htm", b"<p>It rained.", 1000)


def test_markdown() -> None:
    blocks = read("story.md", MARKDOWN.encode(), 10_000).split("\n\n")
    assert blocks == ["Ferry stays", f"{STORY[0]} See the minutes.", STORY[1], STORY[2]]


def test_a_row_of_a_markdown_table_is_one_line() -> None:
    table = "| item | cost |\n|---|---|\n| diesel | £40,000 |\n| *crew* | |\n\nIt adds up."
    assert read("costs.md", table.encode(), 1000).split("\n\n") == [
        "item; cost",
        "diesel; £40,000",
        "crew",
        "It adds up.",
    ]


def test_the_command_reads_markdown_as_it_is_meant(tmp_path: Path) -> None:
    (tmp_path / "story.md").write_text("# The ferry\n\nIt will stay *for\ngood*, the county said.\n", encoding="utf-8")
    assert read_document(str(tmp_path / "story.md")) == "The ferry\n\nIt will stay for good, the county said."


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
    text = read("story.pdf", pdf_file(*pages), 10_000)
    assert text.split("\n\n")[:2] == [
        "On day one the ferry across the river did not close after all, the county said on evening one.",
        "Its one volunteers are going to test the water on every crossing, six times a day, one days a week.",
    ]
    assert "Gazette" not in text


@given(st.lists(st.text("abc .-", max_size=30).map(str.strip), max_size=12))
def test_joining_lines_loses_no_letter(lines: list[str]) -> None:
    joined = "".join(paragraphs(lines))
    assert [sign for sign in joined if sign not in " -"] == [
        sign for line in lines for sign in line if sign not in " -"
    ]


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
    ],
)
def test_what_can_not_be_read_says_why(name: str, data: bytes) -> None:
    error = outcome(name, data, 10_000)["error"]
    assert name in error
    assert "\n" not in error


def test_a_guarded_file_is_read_as_any_other() -> None:
    assert read_guarded("story.docx", word_file(*STORY), 10_000) == read("story.docx", word_file(*STORY), 10_000)
    with pytest.raises(TooLongError):
        read_guarded("story.txt", b"word " * 100, 100)
    with pytest.raises(UnknownKindError):
        read_guarded("story.exe", b"MZ", 100)


def test_the_command_reads_them_too(tmp_path: Path) -> None:
    path = tmp_path / "story.docx"
    path.write_bytes(word_file(*STORY))
    assert read_document(str(path)).startswith(STORY[0])
    path.write_bytes(b"no document")
    with pytest.raises(MlsError, match="no Word document"):
        read_document(str(path))


def word_file_with(part: str, content: bytes, level: int = 9) -> bytes:
    """A Word file in which one part is replaced."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(word_file("It rained."))) as given, zipfile.ZipFile(out, "w") as changed:
        for entry in given.infolist():
            data = content if entry.filename == part else given.read(entry.filename)
            changed.writestr(entry.filename, data, zipfile.ZIP_DEFLATED, level)
    return out.getvalue()


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
        place = bomb.index(true)
        bomb[place : place + 4] = (100).to_bytes(4, "little")
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
