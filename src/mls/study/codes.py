"""Personal codes: long enough that nobody can guess one, easy to read out and to type."""

from __future__ import annotations

import secrets

# Crockford's base 32: no I, L, O or U, so that nothing can be mistaken for something else.
_SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_GROUPS, _GROUP = 3, 4
_MEANT = str.maketrans({"O": "0", "I": "1", "L": "1"})


def new_code() -> str:
    """Sixty random bits, such as `7KQ2-M0XA-9TPF`. Never from the study's seed, which is no secret."""
    return "-".join("".join(secrets.choice(_SIGNS) for _ in range(_GROUP)) for _ in range(_GROUPS))


def as_written(code: str) -> str:
    """The code that somebody meant who typed it in their own way.

    >>> as_written(" 7kq2 mOxa9tpf ")
    '7KQ2-M0XA-9TPF'
    """
    signs = "".join(sign for sign in code.upper().translate(_MEANT) if sign in _SIGNS)
    return "-".join(signs[start : start + _GROUP] for start in range(0, len(signs), _GROUP))
