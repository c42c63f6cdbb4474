"""Every row becomes an entry, whatever holds it; what is broken is said with its place."""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mls.batch.shards import SIZE, Shard, shards_of
from mls.corpora import rows
from mls.corpora.documents import Columns, Entry, read_entries
from mls.errors import MlsError

ROWS = [{"id": f"r{n}", "document": f"Rain, “fell” {n}.\nÉté came."} for n in range(3)]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
EXPECTED = [Entry(n + 1, f"r{n}", f"Rain, “fell” {n}.\nÉté came.") for n in range(3)]


def csv_bytes(rows: list[dict[str, Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def parquet(rows: list[dict[str, Any]]) -> bytes:
    sink = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), sink)
    return sink.getvalue()


FILES: dict[str, bytes] = {
    "a.jsonl": LINES,
    "a.ndjson": LINES.replace(b"\n", b"\r\n"),
    "a.jsonl.gz": gzip.compress(LINES),
    "a.jsonl.xz": lzma.compress(LINES),
    "a.jsonl.zst": pyarrow.compress(LINES, "zstd", asbytes=True),
    "a.csv": csv_bytes(ROWS),
    "a.csv.gz": gzip.compress(b"\xef\xbb\xbf" + csv_bytes(ROWS)),
    "a.parquet": parquet(ROWS),
}


@pytest.mark.parametrize("name", FILES)
def test_all_formats_hold_the_same(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(FILES[name])
    assert list(read_entries([path])) == EXPECTED


ASKED = [row | {"q": question} for row, question in zip(ROWS, ("Who?", None, " <b>when</b> "), strict=True)]


@pytest.mark.parametrize(
    ("name", "data"),
    {"a.jsonl": "".join(json.dumps(row) + "\n" for row in ASKED).encode(), "a.csv": csv_bytes(ASKED),
     "a.parquet": parquet(ASKED)}.items(),
)  # fmt: skip
def test_each_row_may_ask_its_own_question(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    found = list(read_entries([path], Columns(about="q")))
    assert [entry.about for entry in found] == ["Who?", "", "<b>when</b>"]
    assert [replace(entry, about="") for entry in found] == EXPECTED
    (shard,) = shards_of(found)
    assert Shard.from_bytes(shard.to_bytes()) == shard
    assert shard.digest != next(shards_of(EXPECTED)).digest  # another question is another job


def test_questions_that_are_not_there_are_told(tmp_path: Path) -> None:
    rows = tmp_path / "a.jsonl"
    rows.write_text('{"document": "A. B."}\n{"document": "A. B.", "q": ["who"]}\n', encoding="utf-8")
    missing, wrong = read_entries([rows], Columns(about="q"))
    assert missing.problem == "column 'q' is missing (there is 'document')"
    assert wrong.problem == "column 'q' is no text, but a list"
    for name, data in {"a.csv": csv_bytes(ROWS), "a.parquet": parquet(ROWS), "a.txt": b"A. B."}.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(MlsError, match=r"no column 'q'.*--about"):
            list(read_entries([tmp_path / name], Columns(about="q")))


def test_columns_have_the_names_one_says(tmp_path: Path) -> None:
    for name, make in {"a.csv": csv_bytes, "a.parquet": parquet}.items():
        path = tmp_path / name
        path.write_bytes(make([{"key": 7, "body": "Rain."}]))
        assert list(read_entries([path], Columns("key", "body"))) == [Entry(1, "7", "Rain.")]
        with pytest.raises(MlsError, match=r"no column 'document'.*'key', 'body'.*--text-field"):
            list(read_entries([path]))


def test_numbers_go_on_over_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "z.txt").write_text("Last.", encoding="utf-8")
    (tmp_path / "a.jsonl").write_text('{"document": "One."}\n\n{"document": "Two."}', encoding="utf-8")
    (tmp_path / "ignored.bin").write_bytes(b"\x00")
    (tmp_path / "x.txt.gz").write_bytes(gzip.compress(b"Packed."))
    found = list(read_entries([tmp_path, tmp_path / "a.jsonl"]))
    assert [(entry.number, entry.id, entry.text) for entry in found] == [
        (1, "a.jsonl-1", "One."),
        (2, "a.jsonl-2", "Two."),
        (3, "b/z.txt", "Last."),
        (4, "x.txt.gz", "Packed."),
        (5, "a.jsonl-1", "One."),
        (6, "a.jsonl-2", "Two."),
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"{oops", "not JSON"),
        (b'{"document": "\xff"}', "not UTF-8"),
        (b"[1]", "found a list, expected an object with 'document'"),
        (b'{"id": "k", "text": "a"}', "column 'document' is missing (there is 'id', 'text')"),
        (b'{"document": null}', "column 'document' is missing"),
        (b'{"document": 7}', "column 'document' is no text, but a int"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_a_bad_line_is_kept_with_its_reason(tmp_path: Path, line: bytes, problem: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"document": "One."}\n' + line + b'\n{"document": "Three."}\n')
    one, bad, three = read_entries([path])
    assert (one.text, three.text) == ("One.", "Three.")
    assert bad.text is None
    assert problem in str(bad.problem)


def test_bad_rows_of_a_csv_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b'id,document\n1,ok\n2,a,b\n3\n4,\xff\n5,"two\nlines"\n')
    assert [(e.id, e.text, e.problem and e.problem[:9]) for e in read_entries([path])] == [
        ("1", "ok", None),
        ("2", None, "the row h"),
        ("3", None, "column 'd"),
        ("4", None, "column 'd"),
        ("5", "two\nlines", None),
    ]


@pytest.mark.parametrize(
    "text",
    [
        'id,document\n1,a\n2,"b\n3,c\n4,d\n',  # never closed
        'id,document\n1,a\n2,"b\n3,"c"\n4,d\n',  # closed by the next that opens
    ],
)
def test_a_quote_that_is_not_closed_swallows_no_row(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(MlsError, match=r"a\.csv can't be read past its row 1 .*is every quote in it closed"):
        list(read_entries([tmp_path / "a.csv"]))


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv"])
def test_blank_lines_without_end_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(rows, "_MOST_WHITESPACE", 1000)
    first = {"a.jsonl": b'{"document": "One."}\n', "a.csv": b"document\nOne.\n"}[name]
    path = tmp_path / f"{name}.gz"
    path.write_bytes(gzip.compress(first + b"\n" * 900 + first[-5:]))
    assert next(read_entries([path])).text == "One."
    path.write_bytes(gzip.compress(first + b"\n" * 10_000))
    with pytest.raises(MlsError, match=r"can't be read past its row 1 .*empty lines"):
        list(read_entries([path]))


def test_a_line_of_a_csv_file_without_end_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "LONGEST_LINE", 40)
    (tmp_path / "a.csv").write_text("document\nOne.\n" + "x," * 500)
    with pytest.raises(MlsError, match="longer than 40 characters"):
        list(read_entries([tmp_path / "a.csv"]))


def test_a_line_without_end_does_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "LONGEST_LINE", 40)
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"document": "One."}\n' + b"x" * 500 + b'\n{"document": "Three."}\n')
    one, bad, three = read_entries([path])
    assert (one.text, three.text) == ("One.", "Three.")
    assert "longer than 40 bytes" in str(bad.problem)


def test_a_text_that_is_too_long_is_let_go(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"document": "x" * 1234}), encoding="utf-8")
    (entry,) = read_entries([path], longest=1000)
    assert (entry.text, entry.problem) == (None, "it has 1,234 characters, and --longest allows 1,000")


CUT: dict[str, Callable[[bytes], bytes]] = {
    "a.jsonl.xz": lzma.compress,
    "a.jsonl.gz": gzip.compress,
    "a.jsonl.zst": lambda data: pyarrow.compress(data, "zstd", asbytes=True),
}


@pytest.mark.parametrize("name", CUT)
def test_a_file_that_breaks_off_is_an_error_that_says_where(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    many = b"".join(b'{"document": "%032x"}\n' % (n * 0x9E3779B97F4A7C15) for n in range(20_000))
    path.write_bytes(CUT[name](many)[:-5000])
    with pytest.raises(MlsError, match=rf"{name} can't be read past its row [\d,]+ \(.+\)"):
        list(read_entries([path]))


@pytest.mark.parametrize("name", ["a.jsonl.xz", "a.jsonl.gz", "a.jsonl.zst", "a.parquet"])
def test_a_file_that_is_something_else_is_an_error(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"this is something else")
    with pytest.raises(MlsError, match="can't be read past its row 0"):
        list(read_entries([path]))


def test_sources_that_hold_nothing_are_errors(tmp_path: Path) -> None:
    (tmp_path / "a.doc").write_text("x")
    for source in (tmp_path, tmp_path / "a.doc", tmp_path / "missing.jsonl"):
        with pytest.raises(MlsError, match=r"\.jsonl or \.csv"):
            list(read_entries([source]))


entries = st.builds(
    Entry, st.integers(1, 9), st.text(max_size=5), st.one_of(st.none(), st.text(st.characters(), max_size=9)), st.none()
)


@given(st.lists(entries, max_size=40))
def test_shards_hold_every_entry_once_and_travel_whole(many: list[Entry]) -> None:
    shards = list(shards_of(iter(many)))
    assert [entry for shard in shards for entry in shard.entries] == many
    assert [shard.index for shard in shards] == list(range(len(shards)))
    assert all(len(shard.entries) == SIZE for shard in shards[:-1])
    assert [Shard.from_bytes(shard.to_bytes()) for shard in shards] == shards


def test_a_lone_surrogate_travels() -> None:
    shard = Shard(0, (Entry(1, "a", "x\ud800"),))
    assert Shard.from_bytes(shard.to_bytes()) == shard
