"""What the files of a folder hold, told without reading them again while they stay as they are; and a seal on it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from mls.errors import MlsError
from mls.fingerprints import fingerprint

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
    files = [name.encode() + b"\0" + (Path(folder) / name).read_bytes() for name, *_ in state]
    return fingerprint(*files, length=64)


_SEALED = ("*.onnx", "vocabulary.txt", "weights.safetensors")


def write_config(folder: Path, values: Mapping[str, Any]) -> None:
    """Write the `config.json` of a network whose other files are there, with a seal by which damage is noticed."""
    sealed = {**values, "seal": _seal_of(folder, values)}
    (folder / "config.json").write_text(json.dumps(sealed, indent=2) + "\n", encoding="utf-8")


def check_seal(folder: Path, values: Mapping[str, Any]) -> None:
    """An error for a network whose files are not as they were written, if its settings hold a seal."""
    if values.get("seal") and values["seal"] != _seal_of(folder, values):
        raise MlsError(
            f"the model in {folder} is damaged: it is not as it was written, as the seal in its config.json tells; "
            "take it from where it came from, or remove the seal if you changed it yourself"
        )


def _seal_of(folder: Path, values: Mapping[str, Any]) -> str:
    told = json.dumps({name: value for name, value in values.items() if name != "seal"}, sort_keys=True)
    files = sorted(path for pattern in _SEALED for path in folder.glob(pattern))
    return fingerprint(told, *(part for path in files for part in (path.name, path)), length=64)
