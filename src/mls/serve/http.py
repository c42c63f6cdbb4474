"""What every web app of ours needs: strict headers, problems in one form, bounded bodies, a clean end.

Nothing in here knows what is served.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from mls.errors import MlsError

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# For FastAPI's own telemetry: whatever the environment says, nothing of a request is ever sent anywhere.
SILENT: Any = {"auto_configure": False, "tracing": False, "metrics": False, "logs": False}
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}
_MOST_DRAINED = 64 * 2**20
_BACKLOG = 2048
_OTHER_FILES = 300  # pipes to workers and readers, files of the page


class ProblemError(MlsError):
    """An error with a status of its own, in a sentence for people."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.headers = headers


def problem(status: int, detail: str, headers: Mapping[str, str] | None = None) -> Response:
    """An error as RFC 9457 wants it."""
    content = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    return JSONResponse(content, status, dict(headers or {}), media_type="application/problem+json")


def bound_bodies(
    app: FastAPI, largest: int, largest_at: Mapping[str, int], seconds: float, together: int = 2**26
) -> None:
    """Let an app see only bodies of at most so many bytes, by path and together, that arrived in so many seconds."""
    app.add_middleware(BodyLimit, largest=largest, largest_at=largest_at, seconds=seconds, together=together)


_ERRORS_TOLD = 10


def secure(app: FastAPI) -> None:
    """Give all answers strict headers and all errors one form. What is added later stands outside of this."""
    app.add_middleware(StrictHeaders)
    app.add_exception_handler(MlsError, _mls_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _failed)


async def _mls_error(request: Request, error: Exception) -> Response:
    if isinstance(error, ProblemError):
        return problem(error.status, str(error), error.headers)
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return problem(HTTPStatus.BAD_REQUEST, f"the request is no JSON: {first['ctx']['error']} at {first['loc'][-1]}")
    by_location: dict[str, list[Mapping[str, Any]]] = {}
    for entry in error.errors():
        by_location.setdefault(_location(entry), []).append(entry)
    told = "; ".join(_sentence(location, entries) for location, entries in list(by_location.items())[:_ERRORS_TOLD])
    more = len(by_location) - _ERRORS_TOLD
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, f"{told}; and {more:,} more" if more > 0 else told)


_FOUND = {
    str: "a text", int: "a number", float: "a number", bool: "true or false", list: "a list", dict: "an object",
    type(None): "null",
}  # fmt: skip
_EXPECTED = {
    "string_type": "a text", "int_type": "a number", "float_type": "a number", "list_type": "a list",
    "dict_type": "an object with named fields", "model_attributes_type": "an object with named fields",
    "int_parsing": "a number", "float_parsing": "a number",
}  # fmt: skip
_KINDS = ("str", "constrained-str", "int", "float", "bool")  # by which alternatives are told apart


def _location(entry: Mapping[str, Any]) -> str:
    """Where in a request something is wrong.

    >>> _location({"loc": ("body", "budgets", 0, "int")}), _location({"loc": ("body",)})
    ('budgets.0', 'the request')
    """
    return ".".join(str(part) for part in entry["loc"][1:] if part not in _KINDS) or "the request"


def _sentence(location: str, entries: Sequence[Mapping[str, Any]]) -> str:
    """What is wrong in one field, in words that need no knowledge of how it is checked.

    >>> _sentence("text", [{"type": "missing"}])
    'text is missing'
    >>> _sentence("budget", [{"type": "string_type", "input": []}, {"type": "int_type", "input": []}])
    'budget: found a list, expected a text or a number'
    """
    first = entries[0]
    if first["type"] == "missing":
        return f"{location} is missing"
    if first["type"] == "value_error":  # ours
        return str(first["ctx"]["error"])
    if isinstance(first["input"], bytes):
        return "Content-Type does not say that the request is JSON; with curl, add -H 'Content-Type: application/json'"
    if first["type"] == "extra_forbidden":
        return f"{location} is not known here"
    if first["type"] == "literal_error":
        return f"{location}: found {first['input']!r:.60}, expected {first['ctx']['expected']}"
    expected = dict.fromkeys(_EXPECTED.get(entry["type"]) for entry in entries)
    if None in expected:
        return f"{location}: {first['msg'][:1].lower()}{first['msg'][1:]}"
    found = _FOUND.get(type(first["input"]), "something else")
    return f"{location}: found {found}, expected {' or '.join(map(str, expected))}"


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    detail = f"{request.url.path}: {error.detail.lower()}" if error.status_code in (404, 405) else error.detail
    return problem(error.status_code, detail, error.headers)


async def _failed(request: Request, error: Exception) -> Response:
    """What should never happen; the traceback goes to the log, not to the one who asked."""
    return problem(HTTPStatus.INTERNAL_SERVER_ERROR, "this is a fault of the server, not of what you sent")


class StrictHeaders:
    """Adds the headers that keep a page to itself; an answer's own take precedence."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers)


class _TooLargeError(Exception):
    """`more`: there is still something to come, and whoever sends it must be heard out."""

    def __init__(self, more: bool) -> None:
        super().__init__()
        self.more = more


class _TooMuchError(Exception):
    """All bodies together are more than is held."""


class BodyLimit:
    """Reads each body whole before the app sees the request, so that no app waits for a slow or endless one."""

    def __init__(
        self, app: ASGIApp, largest: int, largest_at: Mapping[str, int], seconds: float, together: int = 2**26
    ) -> None:
        self.app = app
        self.largest = largest
        self.largest_at = largest_at
        self.seconds = seconds
        self.together = together
        self.held = 0  # bytes of all bodies that are arriving or being dealt with

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = bytearray()
        try:
            await self._deal(scope, receive, send, body)
        finally:
            self.held -= len(body)

    async def _deal(self, scope: Scope, receive: Receive, send: Send, body: bytearray) -> None:
        largest = self.largest_at.get(scope["path"], self.largest)
        try:
            async with asyncio.timeout(self.seconds):
                whole = await self._fill(body, receive, largest)
        except _TooMuchError:
            detail = "too much is being sent here at once; try again in a moment"
            headers = {"Retry-After": "1", "Connection": "close"}
            await problem(HTTPStatus.SERVICE_UNAVAILABLE, detail, headers)(scope, receive, send)
            return
        except TimeoutError:
            detail = f"the request was not sent within {self.seconds:g} seconds"
            await problem(HTTPStatus.REQUEST_TIMEOUT, detail, {"Connection": "close"})(scope, receive, send)
            return
        except _TooLargeError as error:
            if error.more:
                await drain(receive, self.seconds)
            detail = f"the request is larger than {largest:,} bytes, the most that is taken here"
            await problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail)(scope, receive, send)
            return
        if whole:
            await self.app(scope, _replay(bytes(body), receive), send)

    async def _fill(self, body: bytearray, receive: Receive, largest: int) -> bool:
        """Take the body in; False when the one who sent it has gone."""
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return False
            piece = message.get("body", b"")
            body += piece
            self.held += len(piece)
            if len(body) > largest:
                raise _TooLargeError(message.get("more_body", False))
            if self.held > self.together:
                raise _TooMuchError
            if not message.get("more_body", False):
                return True


def _replay(body: bytes, receive: Receive) -> Receive:
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive_again() -> Message:
        return next(messages, None) or await receive()

    return receive_again


async def drain(receive: Receive, seconds: float) -> None:
    """Read on and forget: who is still sending when the connection closes never sees the answer."""
    drained = 0
    try:
        async with asyncio.timeout(seconds):
            while drained < _MOST_DRAINED:
                message = await receive()
                drained += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return
    except TimeoutError:
        return


class PageFiles(StaticFiles):
    """The files of a page; browsers keep them, but ask each time whether they are still the same."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response


class _Connection(H11Protocol):
    """Gives up who, for so long, neither finishes a request nor takes an answer: it would be held for ever.

    Where more than `most` are open, it gives up whoever has kept us waiting longest, or is itself given up.
    """

    def __init__(self, *arguments: Any, patience: float, most: int, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.patience = patience
        self.most = most
        self.opened = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # asyncio does this by itself only where a socket was made with its protocol named; without it, the
        # end of an answer waits 40 ms for the other side to confirm the beginning.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.watch = self.loop.call_later(self.patience, self._look, self.cycle, 0)
        self.opened = self.loop.time()
        if len(self.connections) > self.most:
            others = (other for other in self.connections if isinstance(other, _Connection))
            min((one for one in others if one.keeps_waiting), key=lambda one: one.opened).transport.abort()

    @property
    def keeps_waiting(self) -> bool:
        """Whether it is for the other side to send something; who was given up a moment ago is not waited for."""
        waits = self.cycle is None or self.cycle.response_complete or self.cycle.more_body
        return waits and not self.transport.is_closing()

    def connection_lost(self, exc: Exception | None) -> None:
        self.watch.cancel()
        super().connection_lost(exc)

    def _look(self, cycle: object, waiting: int) -> None:
        """Compare with the last look: which request it was, and how much of an answer was waiting to be taken."""
        at_work = self.cycle is not None and not self.cycle.response_complete
        left = self.transport.get_write_buffer_size()
        untouched = left == waiting if left else not at_work and cycle is self.cycle
        if untouched:
            self.transport.abort()
        else:
            self.watch = self.loop.call_later(self.patience, self._look, None if at_work else self.cycle, left)


class _Server(uvicorn.Server):
    """Ends on SIGINT and SIGTERM without raising the signal again: an end that was asked for is no failure."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        previous = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)


def run(
    app: FastAPI, host: str, port: int, name: str, grace: float, patience: float = 30.0, most: int = 500,
    guard: Callable[[ASGIApp], ASGIApp] = lambda app: app,
) -> None:  # fmt: skip
    """Serve until Ctrl-C or SIGTERM, then take nothing new and answer what was accepted, within `grace` seconds.

    A connection on which nothing moves is given up after `patience` seconds, and there are at most `most`. `guard`
    puts something in front of the app.
    """
    with _listening(host, port) as listener:
        asyncio.run(_serve(app, guard(app), listener, name, grace, patience, _allowed(most)))


def _allowed(most: int) -> int:
    """So many connections, or as many as the system lets this process have beside the files it needs."""
    try:
        import resource
    except ImportError:  # Windows
        return most
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = max(soft, most + _OTHER_FILES) if soft != resource.RLIM_INFINITY else soft
    soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return most if soft == resource.RLIM_INFINITY else max(1, min(most, soft - _OTHER_FILES))


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise MlsError(f"{host} port {port} can't be served on ({reason}); choose others: --host, --port") from error


async def _serve(
    app: FastAPI, guarded: ASGIApp, listener: socket.socket, name: str, grace: float, patience: float, most: int
) -> None:
    config = uvicorn.Config(
        StrictHeaders(guarded),
        http=partial(_Connection, patience=patience, most=most),  # type: ignore[arg-type]
        ws="none",
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=round(grace),
    )
    # Entered here and not by uvicorn, so that what is wrong at the start reaches the caller as it is.
    async with app.router.lifespan_context(app):
        host, port = listener.getsockname()[:2]
        where = f"[{host}]" if ":" in host else host
        print(f"{name}: http://{where}:{port} (Ctrl-C ends it)", file=sys.stderr, flush=True)
        await _Server(config).serve(sockets=[listener])
