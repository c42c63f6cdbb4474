"""How long something may take, as an option: a number, and neither nan nor infinity."""

from __future__ import annotations

import math
from typing import Any

import click

_LONGEST = 1e6


class Duration(click.FloatRange):
    """Seconds or minutes, from a least value on."""

    def __init__(self, least: float = 0.0) -> None:
        super().__init__(min=least, max=_LONGEST)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):  # which is neither below nor above the bounds
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number
