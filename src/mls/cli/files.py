"""Reading documents and writing results: bad files get clear errors, good files are never half-overwritten."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path, PurePath

from mls.atomic import replace_file
from mls.errors import MlsError
from mls.files.content import kind_of_content
from mls.files.guarded import read_guarded
from mls.files.kinds import FORMATTED, KINDS
from mls.files.marked import MarkedText
from mls.files.plain import decode
from mls.text import Document

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


LONGEST = 10_000_000  # characters of a document, unless --longest says otherwise
_MARKUP = {".md": "Markdown", ".rst": "reStructuredText"}  # what a text may be by another name
_LARGEST = 2**28  # bytes of a file that holds more than its text, such as pictures


def read_document(name: str | Path, longest: int = LONGEST) -> Document:
    """A file, or standard input for `-`, as a document, as the commands read it.

    Of a web page, a PDF or a Word document it is the main text, of subtitles what is said, of a mail what was written.
    """
    found = read_marked(str(name), longest)
    return Document.parse(found.text, found.marks, found.kind)


def read_marked(name: str, longest: int = LONGEST) -> MarkedText:
    """The text of a file with what it tells of its parts; what has no known ending is told by what it holds."""
    shown = "standard input" if name == "-" else name
    most = max(_LARGEST, 4 * longest)  # no character takes more than four bytes
    data = _data_of(name, most + 1)
    if len(data) > most:
        raise MlsError(f"{shown} is larger than {most:,} bytes; split it, or allow more characters with --longest")
    end = PurePath(name).suffix.lower()
    found = None if end in FORMATTED else kind_of_content(data)
    if found in _MARKUP:
        how = (
            "read as such" if KINDS[found].is_readable else "read with its markup; without it: pip install 'mls[files]'"
        )
        print(f"mls: {shown} is written in {_MARKUP[found]} and {how}", file=sys.stderr)
    if end in FORMATTED or found in _MARKUP or (end not in KINDS and found):
        return read_guarded(shown, data, longest)
    text = decode(data, shown)
    if len(text) > longest:
        raise MlsError(
            f"{shown} has {len(text):,} characters, and --longest allows {longest:,}; split it, or allow more"
        )
    return MarkedText(text)


def _data_of(name: str, most: int) -> bytes:
    try:
        if name != "-":
            with open(name, "rb") as file:
                return file.read(most)
        if sys.stdin is None:
            raise MlsError("standard input is closed; give a file")
        if sys.stdin.isatty():
            print("mls: reading from the terminal; end with Ctrl-D", file=sys.stderr)
        return sys.stdin.buffer.read(most)
    except OSError as error:
        reason = error.strerror or error
        remedy = "a UTF-8 text file, or - for standard input"
        remedy = "a file, or the folder to mls batch" if isinstance(error, IsADirectoryError) else remedy
        raise MlsError(f"{name} can't be read ({reason}); give {remedy}") from error


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
        remedy = "give the name of a file" if path.is_dir() else "choose a folder you may write to"
        raise MlsError(f"{name} can't be written ({reason}); {remedy}") from error


def folder_to_write(name: str) -> Path:
    """A folder that is there or can be made: told before long work, not after it."""
    path = Path(name)
    nearest = next(part for part in (path, *path.parents) if part.exists())
    if not nearest.is_dir():
        raise MlsError(f"{name} can't be a folder: {nearest} is a file; choose another path")
    if not os.access(nearest, os.W_OK):
        raise MlsError(f"{name} can't be written: {nearest} is write-protected; choose another path")
    return path


def deliver(text: str, output: str | None) -> None:
    """Print a result, or write it to the file that was asked for."""
    line = text if text.endswith("\n") else text + "\n"
    if output is not None and output != "-":
        write_whole(output, line)
        return
    if sys.stdout is not None and sys.stdout.isatty():
        line = _CONTROL.sub("", line)  # a document must not steer the terminal
    # Bytes, so that UTF-8 comes out whatever the terminal is said to take.
    print_bytes([line.encode("utf-8", "replace")])


def print_bytes(pieces: Iterable[bytes]) -> None:
    """Print what was made, as it is."""
    if sys.stdout is None:
        raise MlsError("standard output is closed; use --output FILE")
    try:
        sys.stdout.buffer.writelines(pieces)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise MlsError(f"standard output can't be written ({error.strerror or error})") from error
