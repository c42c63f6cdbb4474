"""The input cut into shards: the same documents in the same shard, however many workers there are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from itertools import islice
from typing import Any

from mls.corpora.documents import Entry
from mls.fingerprints import fingerprint

SIZE = 16  # documents: enough to decode together, few enough to do again


@dataclass(frozen=True)
class Shard:
    """Some documents that follow one another, and the position of this shard among all."""

    index: int
    entries: tuple[Entry, ...]

    def to_bytes(self) -> bytes:
        return json.dumps([self.index, [astuple(entry) for entry in self.entries]]).encode("ascii")

    @classmethod
    def from_bytes(cls, data: bytes) -> Shard:
        index, entries = json.loads(data)
        return cls(index, tuple(_entry(*values) for values in entries))

    @property
    def digest(self) -> str:
        return fingerprint(self.to_bytes())


def _entry(*values: Any) -> Entry:
    number, name, text, problem, marks, *rest = values
    return Entry(number, name, text, problem, tuple((start, end, what) for start, end, what in marks), *rest)


def shards_of(entries: Iterable[Entry]) -> Iterator[Shard]:
    waiting = iter(entries)
    index = 0
    while some := tuple(islice(waiting, SIZE)):
        yield Shard(index, some)
        index += 1
