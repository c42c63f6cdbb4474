"""How long a summary may be. The only place that knows units."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from mls.errors import MlsError
from mls.text import Document, count_tokens, count_words

ACCEPTED = "1/4, 0.25, 25%, 120 (tokens), '120 tokens', '80 words' or '280 chars'"
_FORM = re.compile(r"\s*(?P<amount>[+-]?[\d.,_]+(?:\s*/\s*[\d.]+)?)\s*(?P<unit>%|[^\W\d_]*)\s*", re.ASCII)
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:[,_]\d{3})+")
_THOUSANDS_BY_POINTS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_NUMBER_OR_LIST = re.compile(r"(?<![\d._/])[1-9]\d{0,2}(?:,\d{3})+(?![\d._/])")
_LONGEST_WRITTEN = 1000  # characters: far more than the length of any text needs, far less than Python can read
_UNITS = {
    "": None, "%": "percent", "percent": "percent",
    "token": "tokens", "tokens": "tokens",
    "word": "words", "words": "words",
    "char": "chars", "chars": "chars", "character": "chars", "characters": "chars",
}  # fmt: skip


@dataclass(frozen=True)
class Budget:
    """A length, or a share of the document's tokens.

    >>> str(Budget.parse("25%")), str(Budget.parse(120)), str(Budget.parse("280 chars"))
    ('1/4', '120 tokens', '280 chars')
    """

    amount: Fraction
    unit: str  # "share", "tokens", "words" or "chars"

    @classmethod
    def parse(cls, given: Budget | str | int | float) -> Budget:
        """Read a budget as people write it.

        >>> Budget.parse("1/8")
        Budget(amount=Fraction(1, 8), unit='share')
        """
        if isinstance(given, Budget):
            return given
        _expect_short(given)
        written = format(Decimal(repr(float(given))), "f") if isinstance(given, float) else str(given)
        match = _FORM.fullmatch(written)
        unit = _UNITS.get(match["unit"].lower(), "unknown") if match else "unknown"
        if isinstance(given, bool) or not match or unit == "unknown":
            raise MlsError(f"budget {given!r} was not understood; write {ACCEPTED}")
        if unit != "percent" and _THOUSANDS_BY_POINTS.fullmatch(match["amount"]):
            whole = match["amount"].replace(".", "")
            raise MlsError(f"budget {given!r} may be a fraction, or {whole}; write {whole}, or a share such as 50%")
        is_share = unit is None and bool(re.search(r"[./]", match["amount"]))
        return cls._checked(_fraction(match["amount"], given), "share" if is_share else unit or "tokens", given)

    @classmethod
    def parse_many(cls, given: str) -> list[Budget]:
        """Read budgets with commas between them.

        >>> [str(budget) for budget in Budget.parse_many("1/8, 25%,")]
        ['1/8', '1/4']
        """
        if unclear := _NUMBER_OR_LIST.search(given):
            one, several = unclear[0].replace(",", ""), unclear[0].replace(",", ", ")
            raise MlsError(f"{unclear[0]!r} may be one budget or several; write {one} for one, {several!r} for several")
        wanted = [cls.parse(part.strip()) for part in given.split(",") if part.strip()]
        if not wanted:
            raise MlsError(f"{given!r} names no budget; write some with commas between them: 1/8,1/4,1/2")
        return wanted

    @classmethod
    def _checked(cls, amount: Fraction, unit: str, given: object) -> Budget:
        if amount <= 0:
            raise MlsError(f"budget {given!r} leaves no room for a summary; it must be above zero: write {ACCEPTED}")
        if unit == "percent":
            amount, unit = amount / 100, "share"
        if unit == "share" and amount > 1:
            raise MlsError(
                f"budget {given!r} is more than the whole document; a share is at most 100% (1 alone is one token)"
            )
        if unit != "share" and amount.denominator != 1:
            raise MlsError(f"budget {given!r} is not a whole number of {unit}; write {ACCEPTED}")
        return cls(amount, unit)

    def __str__(self) -> str:
        if self.unit == "share":
            return "100%" if self.amount == 1 else str(self.amount)
        return f"{self.amount} {self.unit}"

    @property
    def measure(self) -> Measure:
        """What lengths under this budget are counted in: a share is of tokens."""
        return Measure("tokens" if self.unit == "share" else self.unit)

    def limit(self, document: Document) -> int:
        """The greatest length allowed for a summary of this document; never below one unit."""
        if self.unit == "share":
            return max(1, math.floor(self.amount * document.token_count))
        return int(self.amount)


def _expect_short(given: object) -> None:
    """An error for what no length needs before it is shown: Python has an error of its own for numbers without end."""
    endless = abs(given) >= 10**_LONGEST_WRITTEN if isinstance(given, int) else False
    if endless or (isinstance(given, str) and len(given) > _LONGEST_WRITTEN):
        raise MlsError(f"a budget of more than {_LONGEST_WRITTEN} characters was not understood; write {ACCEPTED}")


def _fraction(text: str, given: object) -> Fraction:
    if _THOUSANDS.fullmatch(text):
        text = re.sub("[,_]", "", text)
    try:
        return Fraction(text.replace(" ", ""))
    except (ValueError, ZeroDivisionError) as error:
        raise MlsError(f"budget {given!r} is not a number; write {ACCEPTED}") from error


@dataclass(frozen=True)
class Measure:
    """Counts a text in one unit.

    >>> [Measure(unit).length("It didn't rain.") for unit in ("tokens", "words", "chars")]
    [5, 3, 15]
    """

    unit: str

    def length(self, text: str) -> int:
        if self.unit == "tokens":
            return count_tokens(text)
        return count_words(text) if self.unit == "words" else len(text)

    @property
    def joint(self) -> int:
        """What the space or line end between two sentences costs."""
        return 1 if self.unit == "chars" else 0

    def total(self, lengths: list[int]) -> int:
        """The length of sentences put together."""
        return sum(lengths) + self.joint * max(0, len(lengths) - 1)
