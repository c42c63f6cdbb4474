"""Settings read from files, strictly: what is unknown, missing or of a wrong type is an error."""

from __future__ import annotations

import dataclasses
import math
import sys
import types
import typing
from collections.abc import Mapping
from typing import Any, TypeVar

from mls.errors import MlsError, unknown

T = TypeVar("T")


def parse(kind: type[T], values: object, where: str) -> T:
    """Build a dataclass from plain values; what is unknown, missing or of a wrong type is an error."""
    if not isinstance(values, dict):
        raise MlsError(f"{where}: found {values!r}, expected a table")
    hints = typing.get_type_hints(kind)
    for key in values:
        if key not in hints:
            raise unknown(f"{where}: unknown key {key!r}", key, hints, "The keys are")
    missing = [key for key in hints if key not in values]
    if missing:
        raise MlsError(f"{where}: missing {', '.join(map(repr, missing))}")
    return kind(**{key: _value(hints[key], values[key], f"{where}: {key}") for key in hints})


def expect_ranges(settings: object, ranges: Mapping[str, tuple[float, float]], where: str) -> None:
    """An error for a number that lies outside its range, or is none at all."""
    for name, (least, most) in ranges.items():
        found = getattr(settings, name)
        if not least <= found <= most:
            wanted = f"at least {least:g}" if most == math.inf else f"a number from {least:g} to {most:g}"
            raise MlsError(f"{where}: {name}: found {found!r}, expected {wanted}")


def parse_kind(members: tuple[Any, ...], value: Any, where: str) -> Any:
    """A table of one of several kinds: the one that its `kind` names, the first where it names none."""
    if not isinstance(value, dict):
        raise MlsError(f"{where}: found {value!r}, expected a table")
    kinds = {member.kind: member for member in members}
    kind = value.get("kind", members[0].kind)
    if not isinstance(kind, str) or kind not in kinds:
        raise MlsError(f"{where}: kind: found {kind!r}, expected {' or '.join(map(repr, kinds))}")
    return parse(kinds[kind], {**value, "kind": kind}, where)


def _value(hint: Any, value: Any, where: str) -> Any:
    if dataclasses.is_dataclass(hint):
        return parse(typing.cast(type, hint), value, where)
    if isinstance(hint, types.UnionType):
        return parse_kind(hint.__args__, value, where)
    if typing.get_origin(hint) is dict:
        if not isinstance(value, dict):
            raise MlsError(f"{where}: found {value!r}, expected a table")
        of_values = hint.__args__[1]
        return value if of_values is Any else {key: _value(of_values, v, f"{where}: {key}") for key, v in value.items()}
    if isinstance(hint, types.GenericAlias):
        if not isinstance(value, list):
            raise MlsError(f"{where}: found {value!r}, expected a list of tables")
        return tuple(parse(hint.__args__[0], entry, where) for entry in value)
    if hint is float and type(value) is int and abs(value) <= sys.float_info.max:
        return float(value)
    if type(value) is not hint:
        raise MlsError(f"{where}: found {value!r}, expected {hint.__name__}")
    return value
