"""What an engine is: something that turns shards into parts, in any order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from mls.batch.plan import Plan
from mls.batch.shards import Shard
from mls.recipe import Recipe


@dataclass(frozen=True)
class Part:
    """The rows of a shard."""

    index: int
    rows: bytes


class Engine(Protocol):
    """Runs a ShardWriter over shards, wherever that may be."""

    def parts(self, recipe: Recipe, plan: Plan, shards: Iterable[Shard]) -> Iterator[Part]: ...
