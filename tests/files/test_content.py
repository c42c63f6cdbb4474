"""What data are, where no name tells it."""

from __future__ import annotations

import gzip
import io
import sys
import zipfile
from pathlib import Path

import docx
import pytest

from file_makers import column, pdf_of, saved
from mls.cli.files import read_marked
from mls.errors import MlsError
from mls.files.content import kind_of_content
from mls.files.kinds import UnknownKindError, read
from mls.text import Document

MAIL = b"From: Ann <ann@county.example>\nDate: Mon, 03 May 2021 10:00:00 +0000\nSubject: The ferry\n\nIt stays.\n"
PNG = b"\x89PNG\r\n\x1a\n\x00\x00"


def archive(name: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr(name, "It stays.")
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (pdf_of(column(50, 700, ["It stays."])), ".pdf"),
        (saved(docx.Document()), ".docx"),
        (b"\xef\xbb\xbf\n<!DOCTYPE html><p>It stays.", ".html"),
        (b'<?xml version="1.0"?>\n<!-- made by hand -->\n<html>', ".html"),
        (b"WEBVTT\n\n", ".vtt"),
        (MAIL, ".eml"),
        (b"Received: from a\n by b\nFrom: a\n\nIt stays.", ".eml"),
        (b"From a Mon May  3 10:00:00 2021\nFrom: a\nSubject: b\n\nIt stays.", ".eml"),
        (b"From: Ann\nSent: Monday\nSubject: The ferry\n\nIt stays.", None),
        (b"From: London\nIt rained.\n", None),
        (b"It rained. %PDF-1.4 <html>", None),
        (b"WEBVTTs are files.", None),
        (b"Ferry\n\n## Times\n\nSee [the times](https://ferry.example/).", ".md"),
        (b"# Ferry\n\n```sh\nferry --go\n```\n", ".md"),
        (b"# Ferry\n\nIt stays [for good] (as they say).", None),
        (b"It costs 3 # of salt, see [the times](https://ferry.example/).", None),
        (b"Ferry\n=====\n\n.. note:: It stays.\n", ".rst"),
        (b"Ferry\n-----\n\nSee `the times <https://ferry.example/>`_.", ".rst"),
        (b"Ferry\n=====\n\nIt stays.. note: for good.", None),
        (archive("story.txt"), None),
        (PNG, None),
        (b"", None),
    ],
)
def test_kinds_are_told_by_content(data: bytes, kind: str | None) -> None:
    assert kind_of_content(data) == kind


def test_a_file_without_a_known_ending_is_told_by_its_content() -> None:
    assert read("story", MAIL, 1000).kind == "mail"
    with pytest.raises(UnknownKindError, match=r"'picture' is a PNG image; files that can be read are \.txt"):
        read("picture", PNG, 1000)


class _Input:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)

    def isatty(self) -> bool:
        return False


def given_to_standard_input(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", _Input(data))


def test_standard_input_is_told_by_its_content(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    data = pdf_of(column(50, 700, ["It stays for good."]))
    given_to_standard_input(monkeypatch, data)
    assert read_marked("-").text == "It stays for good."
    (tmp_path / "story.v2").write_bytes(data)
    assert read_marked(str(tmp_path / "story.v2")).text == "It stays for good."
    given_to_standard_input(monkeypatch, b"It stays.\n")
    assert read_marked("-").text == "It stays.\n"


def test_markdown_by_another_name_is_read_as_such(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = b"# Ferry\n\nIt [stays](https://ferry.example/) **for good**.\n"
    (tmp_path / "story.txt").write_bytes(data)
    given_to_standard_input(monkeypatch, data)
    for name, shown in ((str(tmp_path / "story.txt"), str(tmp_path / "story.txt")), ("-", "standard input")):
        found = read_marked(name)
        assert found.text == "Ferry\n\nIt stays for good."
        assert [mark.kind for mark in found.marks] == ["title"]
        assert capsys.readouterr().err == f"mls: {shown} is written in Markdown and read as such\n"
    assert read("story.txt", data, 1000) == found


PASTED = "# Ferry\n\n> [!NOTE]\n> It [stays](https://ferry.example/) **for good**.\n"


def test_a_text_that_is_pasted_is_read_as_it_is_written() -> None:
    document = Document.of(PASTED)
    assert [(sentence.kind, sentence.text) for sentence in document.sentences] == [
        ("title", "Ferry"),
        ("prose", "It stays for good."),
    ]
    assert Document.of("It #stays [here].").text == "It #stays [here]."


@pytest.mark.parametrize(
    "text",
    [
        "Ferry\n=====\n\n.. note:: It\n.. _a: b\n   ",
        "# a\n[b](#c)",
        "a\n==\n.. figure::\n\ud800",
        "# \n```\n```",
        "Ferry\n=====\n\n.. include:: /etc/passwd\n\nIt stays.",
    ],
)
def test_what_only_looks_like_markup_is_still_a_text(text: str) -> None:
    document = Document.of(text)
    assert document.text.strip()
    assert "root:" not in document.text
    assert all(document.text[one.start : one.end] == one.text for one in document.sentences)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (PNG, "a PNG image"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "a JPEG image"),
        (gzip.compress(b"It stays.", mtime=0), "gzip-compressed data"),
        (archive("story.txt"), "a ZIP archive"),
        (archive("xl/workbook.xml"), "an Excel workbook"),
        (b"{\\rtf1 It stays.}", "an RTF document"),
    ],
)
def test_what_is_no_text_is_named(monkeypatch: pytest.MonkeyPatch, data: bytes, what: str) -> None:
    given_to_standard_input(monkeypatch, data)
    with pytest.raises(MlsError, match=rf"^standard input is {what}, [^\n]*$"):
        read_marked("-")


@pytest.mark.parametrize("data", [b"<!-- a -->\n" * 4_000 + b"x", b"# a\n" + b"[a" * 30_000])
def test_no_data_take_for_ever_to_be_told(data: bytes) -> None:
    assert kind_of_content(data) is None
