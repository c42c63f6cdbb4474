"""The gate: so many requests may be inside, the others are told when to come again.

A request counts when all of it has arrived: whoever sends slowly takes no slot.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from http import HTTPStatus

from starlette.types import ASGIApp, Receive, Scope, Send

from mls.serve.http import problem


class Gate:
    """Lets at most `slots` requests to `paths` in at once; all others get 429 with Retry-After."""

    def __init__(self, app: ASGIApp, paths: Collection[str], slots: int, wait: Callable[[], int]) -> None:
        self.app = app
        self.paths = paths
        self.slots = slots
        self.wait = wait
        self.inside = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] not in self.paths or scope["method"] != "POST":
            await self.app(scope, receive, send)
        elif self.inside >= self.slots:
            seconds = self.wait()
            detail = f"{self.slots} requests are at work or waiting already; try again in {seconds} s"
            await problem(HTTPStatus.TOO_MANY_REQUESTS, detail, {"Retry-After": str(seconds)})(scope, receive, send)
        else:
            self.inside += 1
            try:
                await self.app(scope, receive, send)
            finally:
                self.inside -= 1
