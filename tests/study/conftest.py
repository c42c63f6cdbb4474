"""The tests of this folder may ask for a `study`, and for a `browser`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser import browser
from mls.study.store import Store
from small_study import small_study

__all__ = ["browser"]


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Store]:
    store = small_study(tmp_path / "study")
    yield store
    store.close()
