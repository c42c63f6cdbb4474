"""How the server and its workers speak: each message is its length and its bytes. Nothing is ever unpickled."""

from __future__ import annotations

import asyncio
import struct
from typing import BinaryIO

_LENGTH = struct.Struct(">Q")


def frame(message: bytes) -> bytes:
    return _LENGTH.pack(len(message)) + message


def read_frame(stream: BinaryIO) -> bytes | None:
    """The next message, or None when the other side has gone."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    message = stream.read(length)
    return message if len(message) == length else None


async def read_frame_async(stream: asyncio.StreamReader) -> bytes:
    """The next message; `IncompleteReadError` when the other side has gone."""
    (length,) = _LENGTH.unpack(await stream.readexactly(_LENGTH.size))
    return await stream.readexactly(length)
