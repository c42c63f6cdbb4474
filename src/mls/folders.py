"""What the files of a folder hold, told without reading them again while they stay as they are."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from mls.errors import MlsError

State = tuple[tuple[str, int, int], ...]


def state_of(folder: str) -> State:
    """Names, sizes and times of the files in a model folder that decide what it says; its card is for people."""
    try:
        found = [path for path in sorted(Path(folder).iterdir()) if path.is_file() and path.name != "README.md"]
        return tuple((path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in found)
    except OSError as error:
        raise MlsError(f"the model folder {folder} can't be read: {error.strerror or error}") from error


def digest_of(folder: str) -> str:
    """A fingerprint of those files' contents."""
    return _digest(folder, state_of(folder))


@lru_cache(maxsize=16)
def _digest(folder: str, state: State) -> str:
    whole = hashlib.sha256()
    for name, *_ in state:
        whole.update(hashlib.sha256(name.encode() + b"\0" + (Path(folder) / name).read_bytes()).digest())
    return whole.hexdigest()
