"""The folder of a job under way: what it is about, and the parts of its output that are finished.

    OUT.parts/job.json      settings and the digest of every shard
    OUT.parts/00000017.jsonl   the rows of shard 17 below their digest, there only when whole
    OUT.parts/input.jsonl   what came from standard input
    OUT.parts/lock          held while a job works here

When all parts are there they are joined, in order, job.json becomes done.json, and the folder goes. A part
that is not as it was written is made anew.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from mls.atomic import hold, replace_file
from mls.errors import MlsError
from mls.fingerprints import fingerprint

_VERSION = 2
_PART = "[0-9]" * 8 + ".jsonl"


@dataclass(frozen=True)
class Manifest:
    """What a job is about: with the same manifest it gives the same output."""

    settings: dict[str, Any]
    documents: int
    shards: tuple[str, ...]  # the digest of each

    def changes(self, now: Manifest) -> list[str]:
        """How another manifest differs from this one, in words."""
        names = [*self.settings, *(name for name in now.settings if name not in self.settings)]
        told = [
            _change(name, self.settings.get(name), now.settings.get(name))
            for name in names
            if self.settings.get(name) != now.settings.get(name)
        ]
        return told + self._input_changes(now)

    def _input_changes(self, now: Manifest) -> list[str]:
        if self.documents != now.documents:
            return [f"the input had {self.documents:,} documents and has {now.documents:,}"]
        size = int(self.settings["documents per shard"])
        for index, (before, after) in enumerate(zip(self.shards, now.shards, strict=True)):
            if before != after:
                last = min((index + 1) * size, self.documents)
                return [f"the input changed between documents {index * size + 1:,} and {last:,}"]
        return []


def _change(name: str, before: object, after: object) -> str:
    if name.startswith("the model's"):
        return f"{name} changed"
    return f"{name} was {before or 'not given'} and is {after or 'not given'}"


def _digest(index: int, rows: bytes) -> bytes:
    return fingerprint(str(index), rows, length=32).encode()


class Parts:
    """The finished parts of a job's output, in a folder beside it."""

    def __init__(self, output: Path) -> None:
        self.output = output
        self.folder = output.with_name(output.name + ".parts")
        self.manifest_path = self.folder / "job.json"
        self.done_path = self.folder / "done.json"
        self.input_path = self.folder / "input.jsonl"
        self.joined_path = self.folder / "joined"

    @property
    def is_begun(self) -> bool:
        """Whether the folder holds what must not be lost."""
        return self.manifest_path.exists() or self.input_path.exists()

    def is_finished(self) -> bool:
        """Whether the output is there and nothing of its job is left to do."""
        if self.done_path.exists():
            shutil.rmtree(self.folder, ignore_errors=True)  # it was killed as it tidied up
        return self.output.exists() and not self.folder.exists()

    @contextmanager
    def held(self, resume: bool) -> Iterator[None]:
        """Work in the folder, alone; it must hold no unfinished job unless that is to be resumed."""
        self.is_finished()
        with self._writing(self.folder):
            self.folder.mkdir(exist_ok=True)
            lock = (self.folder / "lock").open("ab")
        with lock:
            try:
                hold(lock)
            except BlockingIOError as error:
                raise MlsError(f"another mls batch is at work in {self.folder}; wait for it") from error
            if self.is_begun and not resume:
                raise MlsError(
                    f"{self.folder} holds an unfinished job; go on with it by --resume, or remove the folder first"
                )
            try:
                yield
            finally:
                if not self.is_begun:
                    shutil.rmtree(self.folder, ignore_errors=True)

    def begin(self, manifest: Manifest) -> None:
        """Note what the job is about, or check that it is still about the same."""
        before = self._noted()
        if before is None:
            values = {"format": "mls-batch", "version": _VERSION, **vars(manifest)}
            self._replace(self.manifest_path, lambda file: file.write(json.dumps(values, indent=1).encode() + b"\n"))
            return
        changes = before.changes(manifest)
        if changes:
            raise MlsError(
                f"{self.folder} was begun differently: {'; '.join(changes)}. Resume it as it was begun, "
                "or remove the folder and start anew"
            )

    def _noted(self) -> Manifest | None:
        if not self.manifest_path.exists():
            return None
        try:
            values = json.loads(self.manifest_path.read_text(encoding="utf-8"))
            if values["version"] != _VERSION:
                raise MlsError(f"{self.folder} was begun by another version of mls; finish it with that version")
            return Manifest(dict(values["settings"]), int(values["documents"]), tuple(values["shards"]))
        except MlsError:
            raise
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise MlsError(f"{self.manifest_path} is damaged ({error}); remove {self.folder} and start anew") from error

    def kept_input(self, stream: Callable[[], BinaryIO]) -> Path:
        """What came from standard input, kept so that it can be read twice; a job that goes on has it already."""
        if self.input_path.exists():
            return self.input_path
        if self.manifest_path.exists():
            raise MlsError(f"{self.folder} was begun without standard input; resume it with the same files")
        self._replace(self.input_path, lambda file: shutil.copyfileobj(stream(), file))
        return self.input_path

    def finished(self) -> set[int]:
        """The parts that are there and as they were written."""
        found = (int(path.stem) for path in self.folder.glob(_PART))
        return {index for index in found if self._rows(index) is not None}

    def path(self, index: int) -> Path:
        return self.folder / f"{index:08}.jsonl"

    def write(self, index: int, rows: bytes) -> None:
        self._replace(self.path(index), lambda file: file.write(_digest(index, rows) + b"\n" + rows))

    def _rows(self, index: int) -> bytes | None:
        """The rows of a part, or None if it is damaged."""
        try:
            digest, _, rows = self.path(index).read_bytes().partition(b"\n")
        except OSError:
            return None
        return rows if digest == _digest(index, rows) else None

    def lines(self, count: int) -> Iterator[list[bytes]]:
        """The rows of all parts, part by part."""
        for index in range(count):
            rows = self._rows(index)
            if rows is None:
                raise MlsError(f"{self.path(index)} was damaged after it was written; --resume makes it anew")
            yield rows.splitlines(keepends=True)

    def join(self, write: Callable[[BinaryIO], None]) -> None:
        """Write what will be the output."""
        self._replace(self.joined_path, write)

    def conclude(self) -> None:
        """Put the joined rows into their file and forget the parts."""
        self._conclude(self.output)

    def set_aside(self) -> tuple[Path, Path | None]:
        """Put the joined rows beside the output, which stays as it is; and so what came from standard input."""
        rows, given = self._beside(".failed" + self.output.suffix), self._beside(".input.jsonl")
        kept = self.input_path.exists()
        if kept:
            with self.input_path.open("rb") as source:
                self._replace(given, lambda file: shutil.copyfileobj(source, file))
        self._conclude(rows)
        return rows, given if kept else None

    def _beside(self, end: str) -> Path:
        return self.output.with_name(self.output.stem + end)

    def _conclude(self, target: Path) -> None:
        with self._writing(target):
            os.replace(self.joined_path, target)
            # First of all, so that a folder that is half gone is never taken for a job under way.
            os.rename(self.manifest_path, self.done_path)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _replace(self, path: Path, write: Callable[[BinaryIO], object]) -> None:
        with self._writing(path):
            replace_file(path, write)

    @contextmanager
    def _writing(self, path: Path) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            safe = len(list(self.folder.glob(_PART)))
            kept = f"; {safe:,} finished parts are safe, go on with --resume when there is room" if safe else ""
            raise MlsError(f"{path} can't be written ({error.strerror or error}){kept}") from error
