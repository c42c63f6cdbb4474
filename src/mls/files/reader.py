"""The guarded process: one file from standard input, its text and marks to standard output.

python -m mls.files.reader        (`read_guarded` starts it)
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from mls.errors import MlsError
from mls.files.kinds import TooLongError, read

_FORBIDDEN = {"socket.connect", "socket.getaddrinfo", "socket.bind", "subprocess.Popen", "os.system", "os.exec"}
_DEEPEST = 10_000  # calls within calls, for parts within parts: a page of 200 lists within lists is still a page


def main() -> None:
    asked = json.loads(sys.stdin.buffer.readline())
    data = sys.stdin.buffer.read()
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is not the answer
    _bound(asked["memory"], asked["seconds"])
    sys.setrecursionlimit(_DEEPEST)
    sys.addaudithook(_stay_inside)
    sink.write(json.dumps(outcome(asked["name"], data, asked["characters"])).encode())
    sink.flush()


def outcome(name: str, data: bytes, characters: int) -> dict[str, Any]:
    """The text of a file with its marks, or in one sentence why there is none."""
    try:
        return read(name, data, characters).as_json()
    except MlsError as error:
        return {"error": str(error), "too_long": isinstance(error, TooLongError)}
    except MemoryError:
        return {"error": f"{name} needs more memory to read than a file may have here", "too_long": False}
    except RecursionError:
        return {"error": f"{name} can't be read: its parts lie too deep within one another", "too_long": False}
    except Exception as error:
        # The libraries have errors of many kinds for files that are not what they should be.
        return {"error": f"{name} can't be read ({type(error).__name__}: {error})", "too_long": False}


def _bound(memory: int, seconds: float) -> None:
    """Where the system has no such limits, only the one on time holds, which the caller keeps."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _stay_inside(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _FORBIDDEN:
        raise PermissionError(f"reading a file never needs {event}")


if __name__ == "__main__":
    main()
