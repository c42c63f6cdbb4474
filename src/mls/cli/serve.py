"""`mls serve`: the page and the service."""

from __future__ import annotations

import ipaddress
import sys

import click

from mls.cli.duration import Duration
from mls.cli.extras import importing
from mls.cli.options import recipe_options
from mls.recipe import Recipe


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to serve on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 takes any free one.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes that summarize; one a core if not given.")
@click.option("--queue", default=64, show_default=True, type=click.IntRange(1), help="Requests that may wait.")
@click.option("--seconds", default=60.0, show_default=True, type=Duration(0.1), help="Most that a text takes.")
@click.option("--characters", default=200_000, show_default=True, type=click.IntRange(1), help="Most that a text has.")
@recipe_options
def serve(
    host: str,
    port: int,
    workers: int | None,
    queue: int,
    seconds: float,
    characters: int,
    recipe: Recipe,
) -> None:
    """Serve the page (drag the length, see the reasons) and the same for programs.

    No text is stored, nothing is fetched from anywhere. There are no passwords: to let others in, put a
    proxy in front that asks for one.

    \b
    mls serve                           then open http://127.0.0.1:8000
    mls serve --port 9000 --workers 4   on another port, with four processes
    curl -s localhost:8000/api/summarize -H 'Content-Type: application/json' \\
         -d '{"text": "It rained. Nobody minded.", "budget": "1/2"}'
    """
    with importing("mls serve", "fastapi", "serve"):
        from mls.serve.app import create_app
        from mls.serve.http import run
        from mls.serve.limits import Limits
    cores = workers or Limits.workers
    limits = Limits(workers=cores, waiting=queue, seconds=seconds, characters=characters)
    if not _is_loopback(host):
        print(f"mls: {host} can be reached from other machines, and there is no password", file=sys.stderr)
    run(create_app(limits, recipe), host, port, "MLS is at", limits.grace, limits.sending_seconds)


def _is_loopback(host: str) -> bool:
    """
    >>> _is_loopback("127.0.0.1"), _is_loopback("localhost"), _is_loopback("0.0.0.0"), _is_loopback("::1")
    (True, True, False, True)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
