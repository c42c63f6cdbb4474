"""The one fingerprint: what tells whether things are as they were."""

from __future__ import annotations

import hashlib
from pathlib import Path


def fingerprint(*parts: str | bytes | Path, length: int = 24) -> str:
    """So many hexadecimal digits that change with any of the parts; a path stands for what its file holds.

    >>> fingerprint("a", "b") == fingerprint("ab"), len(fingerprint("a", length=12))
    (False, 12)
    """
    digests = [_digest(part) for part in parts]
    whole = digests[0] if len(digests) == 1 else hashlib.sha256(b"".join(digests)).digest()
    return whole.hex()[:length]


def _digest(part: str | bytes | Path) -> bytes:
    if isinstance(part, Path):
        with part.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    return hashlib.sha256(part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part).digest()
