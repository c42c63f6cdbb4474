"""A job's folder: what it is about, what is finished, and nothing half written."""

from __future__ import annotations

import errno
import io
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mls.batch.parts import Manifest, Parts
from mls.errors import MlsError

SETTINGS: dict[str, Any] = {
    "--budget": "1/4",
    "the model's step.onnx": "aa",
    "--columns": "",
    "documents per shard": 16,
}
MANIFEST = Manifest(SETTINGS, 40, ("a", "b", "c"))


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (replace(MANIFEST, settings=SETTINGS | {"--budget": "1/8"}), "--budget was 1/4 and is 1/8"),
        (replace(MANIFEST, settings=SETTINGS | {"--columns": "a=b"}), "--columns was not given and is a=b"),
        (replace(MANIFEST, settings=SETTINGS | {"the model's step.onnx": "bb"}), "the model's step.onnx changed"),
        (replace(MANIFEST, settings=SETTINGS | {"--new": 1}), "--new was not given and is 1"),
        (Manifest(SETTINGS, 41, ("a", "b", "c")), "the input had 40 documents and has 41"),
        (Manifest(SETTINGS, 40, ("a", "x", "c")), "the input changed between documents 17 and 32"),
        (Manifest(SETTINGS, 40, ("a", "b", "x")), "the input changed between documents 33 and 40"),
    ],
)
def test_what_changed_is_said(tmp_path: Path, now: Manifest, told: str) -> None:
    parts = Parts(tmp_path / "out.jsonl")
    with parts.held(resume=False):
        parts.begin(MANIFEST)
    with parts.held(resume=True):
        parts.begin(MANIFEST)
        with pytest.raises(MlsError) as error:
            parts.begin(now)
    assert told in str(error.value)
    assert MANIFEST.changes(now) == [told]


def test_an_unfinished_job_is_not_begun_anew_by_mistake(tmp_path: Path) -> None:
    parts = Parts(tmp_path / "out.jsonl")
    with parts.held(resume=False):
        parts.begin(MANIFEST)
    with pytest.raises(MlsError, match="unfinished job; go on with it by --resume"), parts.held(resume=False):
        pass


def test_two_jobs_do_not_share_a_folder(tmp_path: Path) -> None:
    parts = Parts(tmp_path / "out.jsonl")
    with parts.held(resume=False), pytest.raises(MlsError, match="another mls batch"), parts.held(resume=True):
        pass


@pytest.mark.parametrize("content", ["{", "[]", '{"version": 9}', '{"version": 2}', '{"version": 2, "settings": 3}'])
def test_a_damaged_folder_is_named(tmp_path: Path, content: str) -> None:
    parts = Parts(tmp_path / "out.jsonl")
    parts.folder.mkdir()
    parts.manifest_path.write_text(content)
    with parts.held(resume=True), pytest.raises(MlsError, match=r"is damaged|another version"):
        parts.begin(MANIFEST)


def test_a_full_disk_leaves_finished_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Parts(tmp_path / "out.jsonl")
    with parts.held(resume=False):
        parts.begin(MANIFEST)
        parts.write(0, b"{}\n")

        def full(descriptor: int) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr("os.fsync", full)
        with pytest.raises(MlsError, match=r"No space left on device.*1 finished parts are safe.*--resume"):
            parts.write(1, b"{}\n")
    assert parts.finished() == {0}
    assert list(parts.lines(1)) == [[b"{}\n"]]
    assert not [path for path in parts.folder.iterdir() if path.name.startswith(".")]


def test_joined_parts_are_in_order_and_the_folder_goes(tmp_path: Path) -> None:
    parts = Parts(tmp_path / "out.jsonl")
    with parts.held(resume=False):
        parts.begin(MANIFEST)
        for index in (2, 0, 1):
            parts.write(index, json.dumps(index).encode() + b"\n")

        def write(file: BinaryIO) -> None:
            for lines in parts.lines(3):
                file.writelines(lines)

        parts.join(write)
        parts.conclude()
    assert (tmp_path / "out.jsonl").read_bytes() == b"0\n1\n2\n"
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]
    assert parts.is_finished()
    parts.folder.mkdir()
    assert not parts.is_finished()
    parts.done_path.write_text("{}")  # killed as it tidied up
    assert parts.is_finished()
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


@given(st.data())
def test_a_damaged_part_is_not_finished_and_never_joined(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        parts = Parts(Path(folder) / "out.jsonl")
        parts.folder.mkdir()
        for index in range(2):
            parts.write(index, b'{"id": "a", "error": null}\n' * 3)
        path = parts.path(1)
        path.write_bytes(damaged(path.read_bytes(), data))
        assert parts.finished() == {0}
        with pytest.raises(MlsError, match=r"00000001\.jsonl was damaged"):
            list(parts.lines(2))
        path.write_bytes(parts.path(0).read_bytes())  # the part of another shard
        assert parts.finished() == {0}


def damaged(whole: bytes, data: st.DataObject) -> bytes:
    """Bytes cut off, or one of them changed."""
    position = data.draw(st.integers(0, len(whole) - 1))
    if data.draw(st.booleans()):
        return whole[:position]
    return whole[:position] + bytes([whole[position] ^ data.draw(st.integers(1, 255))]) + whole[position + 1 :]


def test_what_came_from_standard_input_is_never_replaced(tmp_path: Path) -> None:
    parts = Parts(tmp_path / "out.jsonl")
    with parts.held(resume=False):
        kept = parts.kept_input(lambda: io.BytesIO(b"one\n"))
    with pytest.raises(MlsError, match="unfinished job"), parts.held(resume=False):
        pass
    with parts.held(resume=True):
        assert parts.kept_input(lambda: io.BytesIO(b"two\n")).read_bytes() == b"one\n"
    kept.unlink()
    with parts.held(resume=True):
        parts.begin(MANIFEST)
        with pytest.raises(MlsError, match="begun without standard input"):
            parts.kept_input(lambda: io.BytesIO(b"two\n"))


def test_a_job_that_never_began_leaves_nothing(tmp_path: Path) -> None:
    with Parts(tmp_path / "out.jsonl").held(resume=False):
        pass
    assert not list(tmp_path.iterdir())
