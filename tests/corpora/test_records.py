"""Every usable record is read, every other one is named with its place and its reason."""

from __future__ import annotations

import csv
import gzip
import json
import lzma
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pyarrow.parquet
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mls.corpora.records import Fields, Problem, Record, read_records, record_files, without_duplicates
from mls.errors import MissingExtraError, MlsError


def line(number: int, **changed: object) -> str:
    row = {"id": f"r{number}", "document": f"Document {number}.", "summary": f"Summary {number}."} | changed
    return json.dumps({name: value for name, value in row.items() if value is not ...})


def record(number: int) -> Record:
    return Record(f"r{number}", f"Document {number}.", f"Summary {number}.")


def read(source: Path | str, fields: Fields = Fields()) -> tuple[list[Record], list[Problem]]:
    problems: list[Problem] = []
    return list(read_records(source, problems.append, fields)), problems


def write(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_good_lines_are_read_in_order(tmp_path: Path) -> None:
    path = write(tmp_path / "some.jsonl", line(1), "", "  ", line(2, extra=[1]), "")
    assert read(path) == ([record(1), record(2)], [])


def test_rows_of_every_kind_of_file_are_pairs(tmp_path: Path) -> None:
    pairs = [record(1), record(2)]
    with (tmp_path / "some.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerows([("id", "document", "summary"), *((r.id, r.document, r.summary) for r in pairs)])
    rows = [{"id": r.id, "document": r.document, "summary": r.summary} for r in pairs]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "some.parquet")
    for name in ("some.csv", "some.parquet"):
        assert read(tmp_path / name) == (pairs, [])
        with pytest.raises(
            MlsError, match=r"no column 'article', only 'id', 'document', 'summary': see --document-field"
        ):
            read(tmp_path / name, Fields(document="article"))


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_line_ends_of_all_systems_are_read(tmp_path: Path, line_end: str) -> None:
    path = tmp_path / "some.jsonl"
    path.write_bytes((line(1) + line_end + line(2) + line_end).encode())
    assert read(path) == ([record(1), record(2)], [])


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("{oops", "not JSON"),
        (line(2)[:-3], "not JSON"),
        ("[1, 2]", "found a list, expected an object with 'document' and 'summary'"),
        ("null", "found a NoneType"),
        ("{}", "field 'document' is missing or not a text (it has no field)"),
        (line(2, summary=...), "field 'summary' is missing or not a text (it has 'id', 'document')"),
        (line(2, document=7), "field 'document' is missing or not a text"),
        (line(2, summary=None), "field 'summary' is missing or not a text"),
        (line(2, summary=" \n"), "field 'summary' is empty"),
        (line(2, document=""), "field 'document' is empty"),
        (line(2, document="a \ud83d b"), "field 'document' holds half a character"),
    ],
)
def test_a_bad_line_is_named_and_passed_over(tmp_path: Path, bad: str, reason: str) -> None:
    path = write(tmp_path / "some.jsonl", line(1), bad, line(3))
    records, problems = read(path)
    assert records == [record(1), record(3)]
    assert [problem.location for problem in problems] == [f"{path}:2"]
    assert problems[0].reason.startswith(reason)
    assert str(problems[0]) == f"{path}:2: {problems[0].reason}"


@given(
    st.one_of(st.text(max_size=20), st.from_type(type(None)).map(json.dumps), st.lists(st.integers()).map(json.dumps))
)
@example("1" * 5000)
@example("[" * 100_000)
def test_no_line_stops_the_reading(tmp_path_factory: pytest.TempPathFactory, bad: str) -> None:
    bad = " ".join(bad.splitlines())
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    records, problems = read(write(path, line(1), bad, line(3)))
    assert records == [record(1), record(3)]
    assert [problem.location for problem in problems] == [f"{path}:2"] * bool(bad.strip())


@pytest.mark.parametrize(("suffix", "compress"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_compressed_lines_are_read(tmp_path: Path, suffix: str, compress: Callable[[bytes], bytes]) -> None:
    path = tmp_path / f"some.jsonl{suffix}"
    path.write_bytes(compress("\n".join([line(1, document="Zoë."), "oops", line(2)]).encode()))
    records, problems = read(path)
    assert [one.document for one in records] == ["Zoë.", "Document 2."]
    assert [problem.location for problem in problems] == [f"{path}:2"]


@pytest.mark.parametrize(("suffix", "compress"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_a_file_cut_short_gives_what_it_has(tmp_path: Path, suffix: str, compress: Callable[[bytes], bytes]) -> None:
    whole = compress("\n".join(line(number, noise=hash((number, "x"))) for number in range(3000)).encode())
    path = tmp_path / f"some.jsonl{suffix}"
    path.write_bytes(whole[: len(whole) // 2])
    records, problems = read(path)
    assert 100 < len(records) < 3000
    assert records == [record(number) for number in range(len(records))]
    assert len(problems) == 1
    assert "the rest of the file can't be read" in problems[0].reason
    assert problems[0].location == f"{path}:{len(records) + 1}"


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_a_file_that_is_not_what_its_name_says_is_named(tmp_path: Path, suffix: str) -> None:
    records, problems = read(write(tmp_path / f"some.jsonl{suffix}", line(1)))
    assert records == []
    assert len(problems) == 1
    assert "can't be read" in problems[0].reason


def test_a_line_that_is_not_utf8_is_named_and_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_bytes(b"\n".join([line(1).encode(), b'{"document": "Zo\xeb.", "summary": "s"}', line(3).encode()]))
    records, problems = read(path)
    assert records == [record(1), record(3)]
    assert [problem.location for problem in problems] == [f"{path}:2"]


def test_a_byte_order_mark_is_not_part_of_the_first_line(tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + line(1).encode())
    assert read(path) == ([record(1)], [])


def test_names_of_fields_can_be_given(tmp_path: Path) -> None:
    path = write(tmp_path / "some.jsonl", json.dumps({"key": 7, "article": "A.", "highlights": "H."}), line(2))
    records, problems = read(path, Fields("key", "article", "highlights"))
    assert records == [Record("7", "A.", "H.")]
    assert "field 'article' is missing" in problems[0].reason


@pytest.mark.parametrize("missing", [..., None])
def test_records_without_an_id_are_told_apart(tmp_path: Path, missing: object) -> None:
    records, _ = read(write(tmp_path / "some.jsonl", line(1, id=missing), line(2, id=missing)))
    assert [one.id for one in records] == ["some.jsonl-1", "some.jsonl-2"]


def test_later_records_with_a_known_id_are_passed_over() -> None:
    problems: list[Problem] = []
    again = Record("r1", "Other.", "Other.")
    assert list(without_duplicates([record(1), record(2), again], problems.append)) == [record(1), record(2)]
    assert problems == [Problem("r1", "an earlier record has the same id, 'r1'")]


# --- where records are looked for ---------------------------------------------------------------


def test_a_folder_gives_all_its_files_in_order(tmp_path: Path) -> None:
    write(tmp_path / "b.jsonl", line(2))
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(line(1).encode()))
    (tmp_path / "c.jsonl.xz").write_bytes(lzma.compress(line(3).encode()))
    write(tmp_path / "d.story", "It rained.\n\n@highlight\n\nRain")
    write(tmp_path / "notes.txt", "not a record")
    assert [one.id for one in read(tmp_path)[0]] == ["r1", "r2", "r3", "d"]


def test_a_folder_with_training_files_means_those(tmp_path: Path) -> None:
    paths = [
        write(tmp_path / name, line(1)) for name in ("train-00.jsonl", "train-01.jsonl", "test.jsonl", "val.jsonl")
    ]
    assert record_files(tmp_path) == paths[:2]


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        MlsError, match=r"there is no file or folder .*nowhere; give JSON lines, a folder of them, or hf:NAME"
    ):
        read(tmp_path / "nowhere")


def test_a_folder_without_records_is_named(tmp_path: Path) -> None:
    write(tmp_path / "notes.txt", line(1))
    with pytest.raises(MlsError, match=r"holds no \.jsonl \(also \.gz, \.xz, \.zst\) or \.story file"):
        read(tmp_path)


# --- the layout of CNN/DailyMail ----------------------------------------------------------------


def test_a_story_is_article_and_highlights(tmp_path: Path) -> None:
    path = write(
        tmp_path / "abc.story",
        "It rained. ",
        "",
        " All day.",
        "",
        "@highlight",
        "",
        "Rain fell",
        "",
        "@highlight",
        "",
        "All day",
    )
    assert read(path) == ([Record("abc", "It rained.\nAll day.", "Rain fell\nAll day")], [])


def test_only_a_line_of_its_own_starts_a_highlight(tmp_path: Path) -> None:
    path = write(tmp_path / "abc.story", "Write to us@highlights.example now.", "", "@highlight", "", "An address")
    assert read(path) == ([Record("abc", "Write to us@highlights.example now.", "An address")], [])


@pytest.mark.parametrize("content", ["", "It rained.", "It rained.\n@highlight\n \n", "\n\n@highlight\n\nRain"])
def test_a_story_without_article_or_highlight_is_named(tmp_path: Path, content: str) -> None:
    path = write(tmp_path / "abc.story", content)
    assert read(path) == ([], [Problem(str(path), "an article and at least one @highlight were expected")])


def test_a_story_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "abc.story"
    path.write_bytes(b"Zo\xeb.\n@highlight\nZo\xeb")
    records, problems = read(path)
    assert records == []
    assert [problem.location for problem in problems] == [str(path)]
    assert "can't be read" in problems[0].reason


# --- Hugging Face -------------------------------------------------------------------------------


def test_a_data_set_is_read_by_name_and_split(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []

    def load_dataset(name: str, split: str) -> list[dict[str, object]]:
        asked.append((name, split))
        return [{"document": "Document 1.", "summary": "Summary 1."}, {"document": "Only this."}]

    library = ModuleType("datasets")
    library.load_dataset = load_dataset  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "datasets", library)
    records, problems = read("hf:news/daily:test")
    assert records == [Record("news/daily-0", "Document 1.", "Summary 1.")]
    assert [problem.location for problem in problems] == ["hf:news/daily:1"]
    read("hf:news/daily")
    assert asked == [("news/daily", "test"), ("news/daily", "train")]


def test_a_missing_library_names_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(
        MissingExtraError, match=r"reading hf:news needs `datasets`.*pip install 'mls-summarizer\[hf\]'"
    ):
        read("hf:news")
