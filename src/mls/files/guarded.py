"""Files of strangers are read in a process of its own, with bounded time and memory and no way out.

A hostile file - an archive that unpacks without end, a PDF that never does - ends that process and
nothing else.
"""

from __future__ import annotations

import json
import sys

from mls.errors import MlsError
from mls.files.kinds import TooLongError, kind_of
from mls.files.marked import MarkedText

SECONDS = 30.0
MEMORY = 2**30


def read_guarded(name: str, data: bytes, characters: int, seconds: float = SECONDS) -> MarkedText:
    """The main text of a file of at most so many characters; what is wrong with it is said in one sentence."""
    import subprocess  # plain text is read without it

    kind_of(name, data)
    head = json.dumps({"name": name, "characters": characters, "memory": MEMORY, "seconds": seconds})
    command = [sys.executable, "-P", "-m", "mls.files.reader"]
    given = head.encode() + b"\n" + data
    try:  # in a session of its own: Ctrl-C at the terminal is for the one who waits, not for the reader
        done = subprocess.run(command, input=given, capture_output=True, timeout=seconds, start_new_session=True)
    except subprocess.TimeoutExpired:
        raise MlsError(f"{name} takes longer than {seconds:g} seconds to read; it may be made to never end") from None
    try:
        found = json.loads(done.stdout)
    except ValueError:
        raise MlsError(f"{name} can't be read: it needs more time or memory than a file may have here") from None
    if "text" in found:
        return MarkedText.from_json(found)
    raise (TooLongError if found["too_long"] else MlsError)(found["error"])
