"""A memory with two bounds: so many things, of so much size together. What was not asked for longest goes first."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


class BoundedCache(Generic[Thing]):
    """Remembers things by key.

    >>> cache = BoundedCache[str](count=2, size=10)
    >>> for key in "abc": cache.put(key, key.upper(), 4)
    >>> cache.get("a"), cache.get("c"), len(cache)
    (None, 'C', 2)
    """

    def __init__(self, count: int, size: int) -> None:
        self.count = count
        self.size = size
        self.used = 0
        self._things: OrderedDict[str, tuple[Thing, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._things)

    def get(self, key: str) -> Thing | None:
        if key not in self._things:
            return None
        self._things.move_to_end(key)
        return self._things[key][0]

    def put(self, key: str, thing: Thing, size: int) -> None:
        """Remember a thing; one that is larger than all there is room for is not remembered."""
        if key in self._things:
            self.used -= self._things.pop(key)[1]
        if size > self.size:
            return
        self._things[key] = thing, size
        self.used += size
        while len(self._things) > self.count or self.used > self.size:
            self.used -= self._things.popitem(last=False)[1][1]
