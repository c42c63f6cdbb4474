"""Who may come in at all: told before anything of a request is read."""

from __future__ import annotations

import base64
import binascii
import ipaddress
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from mls.serve.http import drain, problem

_DRAINING_SECONDS = 5.0
_OPEN = "/healthz"  # for those who watch over it, without a token
_ASKED = {"WWW-Authenticate": 'Basic realm="MLS", charset="UTF-8", Bearer realm="MLS"'}


@dataclass(frozen=True)
class Door:
    """The names a server answers to beside addresses and localhost, what opens it, and what is not served here."""

    hosts: Collection[str] = ()
    token: str | None = None
    closed: Collection[str] = ()  # paths


class Guarded:
    """An app behind a door."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self.app = app
        self.door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        error = self._error(scope, Headers(scope=scope)) if scope["type"] == "http" else None
        if error is None:
            await self.app(scope, receive, send)
        else:
            await drain(receive, _DRAINING_SECONDS)
            await error(scope, receive, send)

    def _error(self, scope: Scope, headers: Headers) -> Response | None:
        # With two lengths, whoever stands between may see another end of the request than we do.
        if "transfer-encoding" in headers and "content-length" in headers:
            detail = "the request tells its length twice, by Content-Length and Transfer-Encoding; leave one out"
            return problem(HTTPStatus.BAD_REQUEST, detail, {"Connection": "close"})
        host = headers.get("host", "")
        if not _is_known(host, self.door.hosts):
            detail = f"this server is not called {host!r}; whoever runs it may add the name with --allow-host"
            return problem(HTTPStatus.MISDIRECTED_REQUEST, detail)
        if self.door.token and scope["path"] != _OPEN and not _has_token(headers, self.door.token):
            return problem(HTTPStatus.UNAUTHORIZED, "this server asks for a token; give the one you were given", _ASKED)
        if scope["path"] in self.door.closed:
            return problem(
                HTTPStatus.NOT_FOUND, f"{scope['path']} is not served here; see --metrics-port, --token-file"
            )
        return None


def _is_known(host: str, names: Collection[str]) -> bool:
    """An address is always ours, for whoever has sent us here; a name may have been made to lead here.

    >>> [_is_known(host, ["mls.example"]) for host in ("127.0.0.1:8000", "[::1]", "MLS.example:80", "evil.example", "")]
    [True, True, True, False, False]
    """
    name = host.lower().rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host.lower()
    if name == "localhost" or name in {other.lower() for other in names}:
        return True
    try:
        return bool(ipaddress.ip_address(name.removeprefix("[").removesuffix("]")))
    except ValueError:
        return False


def _has_token(headers: Headers, token: str) -> bool:
    """Whether the token was brought along, by a program (Bearer) or a browser (as the password of whomever)."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "basic":
        try:
            given = base64.b64decode(given, validate=True).decode("utf-8", "replace").partition(":")[2]
        except (binascii.Error, ValueError):
            return False
    return scheme.lower() in ("basic", "bearer") and secrets.compare_digest(given.encode(), token.encode())
