"""Personal codes: long enough that nobody can guess one, easy to read out and to type.

They stand in one file for the organizer to hand out; the study itself keeps only what a code hashes to.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from pathlib import Path

from mls.atomic import replace_file
from mls.errors import MlsError

FILE = "codes.csv"

# Crockford's base 32: no I, L, O or U, so that nothing can be mistaken for something else.
_CHARACTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_GROUPS, _GROUP = 3, 4
_MEANT = str.maketrans({"O": "0", "I": "1", "L": "1"})


def new_code() -> str:
    """Sixty random bits, such as `7KQ2-M0XA-9TPF`. Never from the study's seed, which is no secret."""
    return "-".join("".join(secrets.choice(_CHARACTERS) for _ in range(_GROUP)) for _ in range(_GROUPS))


def hashed(code: str) -> str:
    """What is kept of a code. Sixty random bits can't be found by trying, so that no slow hash is needed."""
    return hashlib.sha256(f"mls study {code}".encode()).hexdigest()


def write_codes(folder: Path, codes: Sequence[str]) -> None:
    """Write the list to hand out, for its owner's eyes alone."""
    replace_file(
        folder / FILE, lambda file: file.write("".join(f"{line}\n" for line in ("code", *codes)).encode()), 0o600
    )


def read_codes(folder: Path) -> list[str]:
    """The codes of a study, in the order in which to hand them out: each round of people is balanced."""
    try:
        return (folder / FILE).read_text(encoding="utf-8").split()[1:]
    except (OSError, UnicodeDecodeError) as error:
        raise MlsError(f"{folder / FILE} can't be read ({error}), and the codes are kept nowhere else") from error


def as_written(code: str) -> str:
    """The code that somebody meant who typed it in their own way.

    >>> as_written(" 7kq2 mOxa9tpf ")
    '7KQ2-M0XA-9TPF'
    """
    characters = "".join(character for character in code.upper().translate(_MEANT) if character in _CHARACTERS)
    return "-".join(characters[start : start + _GROUP] for start in range(0, len(characters), _GROUP))
