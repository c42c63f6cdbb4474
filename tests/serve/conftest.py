"""Servers in processes of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from server import Server


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    started: list[Server] = []

    def start(*options: str) -> Server:
        started.append(Server(*options))
        return started[-1]

    yield start
    for server in started:
        if server.process.poll() is None:
            server.end()


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of one server for all tests that only ask."""
    server = Server("--workers", "1", "--characters", "60000")
    yield server.url
    assert server.end() == 0
