"""The tests of this folder may ask for a `study`, and for a `browser`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from mls.study.store import Store
from small_study import hasty, small_study


@pytest.fixture(scope="session")
def fresh_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to copy, so that not every test makes its study anew."""
    folder = tmp_path_factory.mktemp("fresh") / "study"
    small_study(folder).close()
    return folder


@pytest.fixture
def study(tmp_path: Path, fresh_study: Path) -> Iterator[Store]:
    store = hasty(Store.open(shutil.copytree(fresh_study, tmp_path / "study")))
    yield store
    store.close()
