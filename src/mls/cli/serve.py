"""`mls serve`: the page and the service."""

from __future__ import annotations

import ipaddress
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mls.cli.duration import Duration
from mls.cli.extras import importing
from mls.cli.options import recipe_options, workers_of, workers_option
from mls.errors import MlsError
from mls.recipe import Recipe

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

_SHORTEST_TOKEN = 16


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to serve on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 takes any free one.")
@workers_option
@click.option("--queue", default=64, show_default=True, type=click.IntRange(1), help="Requests that may wait.")
@click.option("--seconds", default=60.0, show_default=True, type=Duration(0.1), help="Most that a text takes.")
@click.option("--characters", default=200_000, show_default=True, type=click.IntRange(1), help="Most that a text has.")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME",
              help="A name this server is called by; addresses and localhost always are.")  # fmt: skip
@click.option(
    "--token-file", metavar="FILE", help="Let in only who brings the token in this file, as a Bearer or a password."
)
@click.option("--metrics-port", type=click.IntRange(1, 65535), help="Serve /metrics here, to this machine alone.")
@recipe_options
def serve(
    host: str,
    port: int,
    workers: int | None,
    queue: int,
    seconds: float,
    characters: int,
    hosts: tuple[str, ...],
    token_file: str | None,
    metrics_port: int | None,
    recipe: Recipe,
) -> None:
    """Serve the page (drag the length, see the reasons) and the same for programs.

    No text is stored, nothing is fetched from anywhere. To let others in, give it a token, and put a
    proxy in front that brings TLS: docs/service.md has one ready.

    \b
    mls serve                           then open http://127.0.0.1:8000
    mls serve --port 9000 --workers 4   on another port, with four processes
    curl -s localhost:8000/api/summarize -H 'Content-Type: application/json' \\
         -d '{"text": "It rained. Nobody minded.", "budget": "1/2"}'
    """
    with importing("mls serve", "fastapi", "serve"):
        from mls.serve.app import create_app
        from mls.serve.door import Door, Guarded
        from mls.serve.http import run
        from mls.serve.limits import Limits
    token = _token(token_file) if token_file else None
    limits = Limits(workers=workers_of(workers), waiting=queue, seconds=seconds, characters=characters)
    if not _is_loopback(host) and not token:
        print(f"mls: {host} can be reached from other machines, and there is no token", file=sys.stderr)
    hidden = metrics_port or not (_is_loopback(host) or token)
    door = Door((*hosts, host), token, ("/metrics",) if hidden else ())
    app = create_app(limits, recipe)
    with _metrics(app.state.metrics.registry, metrics_port):
        guard = partial(Guarded, door=door)
        run(app, host, port, "MLS is at", limits.grace, limits.sending_seconds, limits.connections, guard)


def _token(name: str) -> str:
    try:
        token = Path(name).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise MlsError(
            f"{name} can't be read ({getattr(error, 'strerror', None) or error}); give a token's file"
        ) from error
    if len(token) < _SHORTEST_TOKEN or not token.isascii() or not token.isprintable():
        raise MlsError(
            f"{name} holds no token of at least {_SHORTEST_TOKEN} plain characters; try openssl rand -hex 32"
        )
    return token


@contextmanager
def _metrics(registry: CollectorRegistry, port: int | None) -> Iterator[None]:
    """Serve the counters on a port of their own, if one is named."""
    if port is None:
        yield
        return
    from prometheus_client import start_http_server

    try:
        server, thread = start_http_server(port, "127.0.0.1", registry)
    except OSError as error:
        raise MlsError(f"port {port} can't be served on ({error.strerror}); choose another --metrics-port") from error
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _is_loopback(host: str) -> bool:
    """
    >>> _is_loopback("127.0.0.1"), _is_loopback("localhost"), _is_loopback("0.0.0.0"), _is_loopback("::1")
    (True, True, False, True)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
