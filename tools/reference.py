"""The pages of reference that are made from the program: every command's help, every field of a trace."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from mls.cli.main import app

SCHEMA = Path(__file__).parent.parent / "docs" / "reference" / "trace.schema.json"
COLUMNS = 80


def commands() -> str:
    """A section for each command, with what `--help` prints in a terminal of 80 columns."""
    return "\n".join(f"## {name}\n\n```text\n{text}\n```\n" for name, text in _helps(app, "mls", None))


def _helps(command: click.Command, name: str, parent: click.Context | None) -> Iterator[tuple[str, str]]:
    settings = command.context_settings | {"terminal_width": COLUMNS, "max_content_width": COLUMNS}
    context = click.Context(command, info_name=name, parent=parent, **settings)
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            assert found is not None
            yield from _helps(found, child, context)


def trace() -> str:
    """A table for each kind of object in a trace: field, type, meaning."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    objects = {"": schema} | schema["$defs"]
    return "\n".join(_table(name, found) for name, found in objects.items() if "properties" in found)


def _table(name: str, schema: dict[str, Any]) -> str:
    rows = [f"| `{field}` | {_type(found)} | {found['description']} |" for field, found in schema["properties"].items()]
    head = f"## {name}\n\n{schema['description']}\n" if name else ""
    return "\n".join([head, "| field | type | meaning |", "| --- | --- | --- |", *rows, ""])


def _type(schema: dict[str, Any]) -> str:
    """A type in words; one that has a table of its own links to it."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name})"
    if "anyOf" in schema:
        return " or ".join(_type(found) for found in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    names = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    return " or ".join(_plain(name, schema) for name in names)


def _plain(name: str, schema: dict[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"pair of {' and '.join(_type(found) for found in schema['prefixItems'])}"
    if name == "array":
        return f"list of {_type(schema['items'])}"
    if name == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"names to {_type(schema['additionalProperties'])}"
    return {"string": "text", "boolean": "true or false", "integer": "whole number"}.get(name, name)
