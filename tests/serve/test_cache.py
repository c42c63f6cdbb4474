"""Whatever is put into it, the cache keeps both its bounds and gives back what was put last."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mls.serve.cache import BoundedCache

_PUTS = st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 12)), max_size=40)


@given(_PUTS, st.integers(1, 4), st.integers(1, 20))
def test_bounds_hold(puts: list[tuple[str, int]], count: int, size: int) -> None:
    cache = BoundedCache[int](count, size)
    latest: dict[str, int] = {}
    for turn, (key, weight) in enumerate(puts):
        cache.put(key, turn, weight)
        latest[key] = turn
        assert len(cache) <= count
        assert 0 <= cache.used <= size
        assert cache.get(key) == (turn if weight <= size else None)
        assert all(cache.get(other) in (None, latest[other]) for other in latest)


def test_what_was_asked_for_stays_longest() -> None:
    cache = BoundedCache[str](2, 100)
    cache.put("a", "A", 1)
    cache.put("b", "B", 1)
    cache.get("a")
    cache.put("c", "C", 1)
    assert cache.get("a") == "A"
    assert cache.get("b") is None
