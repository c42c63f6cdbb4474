"""Reading documents and writing results: bad files get clear errors, good files are never half-overwritten."""

from __future__ import annotations

import errno
import os
import re
import sys
from pathlib import Path

from mls.atomic import replace_file
from mls.errors import MlsError

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def read_document(name: str) -> str:
    """The text of a file, or of standard input for `-`."""
    try:
        if name == "-":
            if sys.stdin is None:
                raise MlsError("standard input is closed; give a file")
            if sys.stdin.isatty():
                print("mls: reading from the terminal; end with Ctrl-D", file=sys.stderr)
            data = sys.stdin.buffer.read()
        else:
            data = Path(name).read_bytes()
    except OSError as error:
        reason = error.strerror or error
        raise MlsError(f"{name} can't be read ({reason}); give a UTF-8 text file, or - for standard input") from error
    return _decode(data, "standard input" if name == "-" else name)


def _decode(data: bytes, name: str) -> str:
    if b"\x00" in data[:8192]:
        raise MlsError(
            f"{name} is no UTF-8 text: it holds NUL bytes (a binary file, or UTF-16: try iconv -f utf-16 -t utf-8)"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        found = f"byte 0x{data[error.start]:02x} at offset {error.start}"
        raise MlsError(
            f"{name} is not UTF-8 text ({found}); convert it first, for example with iconv -f latin1 -t utf-8"
        ) from error
    if not text.strip():
        raise MlsError(f"{name} is empty; give a file with some text in it")
    return text


def write_whole(name: str, text: str) -> None:
    """Replace a file in one move: it holds the old text or the new one, never a part."""
    path = Path(os.path.realpath(name))  # a link stays a link
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_text(text, encoding="utf-8")  # a device or a pipe can't be replaced
            return
        if path.is_file() and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "it is write-protected")
        replace_file(path, lambda file: file.write(text.encode("utf-8")))
    except OSError as error:
        reason = error.strerror or error
        raise MlsError(f"{name} can't be written ({reason}); choose a folder you may write to") from error


def deliver(text: str, output: str | None) -> None:
    """Print a result, or write it to the file that was asked for."""
    line = text if text.endswith("\n") else text + "\n"
    if output is not None and output != "-":
        write_whole(output, line)
        return
    if sys.stdout is None:
        raise MlsError("standard output is closed; use --output FILE")
    if sys.stdout.isatty():
        line = _CONTROL.sub("", line)  # a document must not steer the terminal
    try:
        # Bytes, so that UTF-8 comes out whatever the terminal is said to take.
        sys.stdout.buffer.write(line.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise MlsError(f"standard output can't be written ({error.strerror or error})") from error
