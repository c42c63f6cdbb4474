"""What every app of ours gets: headers, problems, bounded bodies. Tried on an app that knows nothing of summaries."""

from __future__ import annotations

import asyncio
import base64
import os
import re
import resource
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request, Response
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from mls.errors import MlsError
from mls.serve.door import Door, Guarded
from mls.serve.http import BodyLimit, PageFiles, ProblemError, bound_bodies, run, secure
from mls.serve.limits import Limits
from server import Server

LARGEST = 1000
MUCH = 50 * 2**20
CONNECTIONS = Limits().connections


class Note(BaseModel):
    text: str


def make_app(folder: Path | None = None) -> FastAPI:
    app = FastAPI()
    bound_bodies(app, LARGEST, {"/large": 5 * LARGEST}, seconds=0.2)
    secure(app)
    if folder:
        app.mount("/files", PageFiles(folder))

    @app.post("/note")
    async def note(given: Note) -> int:
        return len(given.text)

    @app.post("/large")
    async def large(request: Request) -> int:
        return len(await request.body())

    @app.get("/refuse")
    async def refuse() -> None:
        raise MlsError("found nothing, expected something")

    @app.get("/wait")
    async def wait() -> None:
        raise ProblemError(429, "too many are waiting", {"Retry-After": "3"})

    @app.get("/much")
    async def much() -> Response:
        return Response(b"x" * MUCH)

    @app.get("/fail")
    async def fail() -> None:
        raise RuntimeError("secret")

    return app


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    (tmp_path / "page.css").write_text("p { color: red }", encoding="utf-8")
    return TestClient(make_app(tmp_path), raise_server_exceptions=False)


@pytest.mark.parametrize("path", ["/refuse", "/files/page.css", "/nowhere", "/wait"])
def test_every_answer_has_strict_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == ("no-cache" if "files" in path else "no-store")
    assert "server" not in headers


@pytest.mark.parametrize(
    ("request_", "status", "detail"),
    [
        (("GET", "/refuse"), 422, "found nothing, expected something"),
        (("GET", "/wait"), 429, "too many are waiting"),
        (("GET", "/nowhere"), 404, "/nowhere: not found"),
        (("DELETE", "/note"), 405, "/note: method not allowed"),
        (("POST", "/note", "{}"), 422, "text is missing"),
        (("POST", "/note", '{"text": 5}'), 422, "text: found a number, expected a text"),
        (("POST", "/note", "[]"), 422, "the request: found a list, expected an object with named fields"),
        (("POST", "/note", "{"), 400, "the request is no JSON: "),
        (("POST", "/note", "x" * (LARGEST + 1)), 413, "larger than 1,000 bytes"),
        (("GET", "/fail"), 500, "fault of the server"),
    ],
)
def test_errors_are_problems(client: TestClient, request_: tuple[str, ...], status: int, detail: str) -> None:
    method, path, *body = request_
    answer = client.request(
        method, path, content=body[0] if body else None, headers={"Content-Type": "application/json"}
    )
    found = answer.json()
    assert (answer.status_code, found["status"]) == (status, status)
    assert answer.headers["content-type"] == "application/problem+json"
    assert detail in found["detail"]
    assert "secret" not in answer.text
    assert set(found) == {"type", "title", "status", "detail"}


def test_headers_of_a_problem_are_kept(client: TestClient) -> None:
    assert client.get("/wait").headers["retry-after"] == "3"
    assert client.delete("/note").headers["allow"] == "POST"


def test_a_path_may_take_more(client: TestClient) -> None:
    assert client.post("/large", content=b"x" * 5 * LARGEST).json() == 5 * LARGEST
    assert client.post("/large", content=b"x" * (5 * LARGEST + 1)).status_code == 413


def test_files_outside_the_folder_are_not_there(client: TestClient) -> None:
    for path in ("/files/../test_http.py", "/files/%2e%2e/test_http.py", "/files//etc/passwd", "/files/"):
        assert client.get(path).status_code == 404


async def _ask(app: FastAPI, messages: list[Any]) -> list[dict[str, Any]]:
    """One request whose body comes in these parts; None is a part that never comes."""
    sent: list[dict[str, Any]] = []
    parts = iter(messages)

    async def receive() -> Any:
        message = next(parts, {"type": "http.disconnect"})
        if message is None:
            await asyncio.Event().wait()
        return message

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "path": "/large", "raw_path": b"/large", "method": "POST", "headers": [],
             "query_string": b"", "scheme": "http", "server": ("test", 80), "root_path": ""}  # fmt: skip
    await app(scope, receive, send)
    return sent


def in_loop(work: Coroutine[Any, Any, Any]) -> Any:
    """Run in a thread of its own: the browser of other tests keeps a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def part(body: bytes, more: bool = True) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


def test_a_body_that_never_ends_is_ended() -> None:
    sent = in_loop(_ask(make_app(), [part(b"x"), None]))
    assert sent[0]["status"] == 408


def test_who_has_gone_gets_no_answer() -> None:
    assert in_loop(_ask(make_app(), [part(b"x"), {"type": "http.disconnect"}])) == []


@given(st.lists(st.binary(max_size=2 * LARGEST), max_size=6))
def test_parts_of_a_body_count_together(parts: list[bytes]) -> None:
    sent = in_loop(_ask(make_app(), [*map(part, parts), part(b"", more=False)]))
    size = sum(map(len, parts))
    assert sent[0]["status"] == (413 if size > 5 * LARGEST else 200)
    if size <= 5 * LARGEST:
        assert sent[1]["body"] == str(size).encode()


def test_the_rest_of_a_body_is_read_before_it_is_refused() -> None:
    """Otherwise the connection closes in the middle of sending, and nobody sees the answer."""
    taken = []

    async def receive() -> Any:
        taken.append(part(b"x" * LARGEST, more=len(taken) < 9))
        return taken[-1]

    async def send(message: Any) -> None:
        assert len(taken) == 10

    limit = BodyLimit(make_app(), LARGEST, {}, 1.0)
    in_loop(limit({"type": "http", "path": "/"}, receive, send))


@pytest.fixture(scope="module")
def served() -> int:
    """The port of a server that soon loses its patience."""
    return served_port(0.3)


@pytest.fixture(scope="module")
def small() -> int:
    """The port of one that has patience, but takes no more than five connections."""
    return served_port(30.0, 5)


def served_port(patience: float, most: int = 500) -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = (make_app(), "127.0.0.1", port, "test", 1.0, patience, most, partial(Guarded, door=Door(["x"])))
    threading.Thread(target=run, args=settings, daemon=True).start()
    for _ in range(200):
        with suppress(httpx.TransportError):  # once it answers, it no longer touches logging, which is pytest's too
            httpx.get(f"http://127.0.0.1:{port}/refuse")
            break
        time.sleep(0.02)
    return port


@pytest.mark.parametrize(
    "sent", [b"", b"GET /refuse HTTP/1.1\r\nHost: x", b"GET /refuse HTTP/1.1\r\nHost: x\r\n\r\nGET /ref"]
)
def test_a_connection_on_which_nothing_moves_is_given_up(served: int, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", served), timeout=10) as connection:
        connection.sendall(sent)
        with suppress(ConnectionResetError):
            while connection.recv(65536):
                pass


@pytest.mark.parametrize("requests", [1, 2])
def test_an_answer_that_nobody_takes_is_given_up(served: int, requests: int) -> None:
    """Also if another request waits behind it."""
    with socket.create_connection(("127.0.0.1", served), timeout=10) as connection:
        connection.sendall(requests * b"GET /much HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(3)
        received = 0
        with suppress(ConnectionResetError):
            while part := connection.recv(2**20):
                received += len(part)
    assert received < MUCH


def test_an_answer_that_is_taken_slowly_comes_whole(served: int) -> None:
    with socket.create_connection(("127.0.0.1", served), timeout=10) as connection:
        connection.sendall(b"GET /much HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        received = 0
        while part := connection.recv(MUCH // 16):
            received += len(part)
            time.sleep(0.05)
    assert received > MUCH


@pytest.mark.parametrize("sent", [b"", b"POST /note HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"])
def test_who_keeps_us_waiting_keeps_nobody_out(small: int, sent: bytes) -> None:
    """Connections on which nothing comes, and bodies that do not end: the oldest makes room for the next."""
    idle = [socket.create_connection(("127.0.0.1", small), timeout=10) for _ in range(20)]
    for connection in idle:
        with suppress(ConnectionError):  # it was given up already
            connection.sendall(sent)
    for _ in range(3):
        assert httpx.post(f"http://127.0.0.1:{small}/note", json={"text": "abc"}, timeout=5).json() == 3
    for connection in idle:
        connection.close()


def ask_raw(port: int, *lines: str) -> str:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode())
        return b"".join(iter(lambda: connection.recv(65536), b"")).decode()


def test_two_lengths_are_refused(small: int) -> None:
    lengths = ("Content-Length: 4", "Transfer-Encoding: chunked")
    answer = ask_raw(small, "POST /note HTTP/1.1", "Host: x", *lengths, "", "0")
    assert answer.startswith("HTTP/1.1 400")
    assert answer.count("HTTP/1.1") == 1


@pytest.mark.parametrize(("host", "status"), [("x", 422), ("X:99", 422), ("127.0.0.1", 422), ("evil.example", 421)])
def test_only_names_that_are_ours_are_answered_to(small: int, host: str, status: int) -> None:
    answer = ask_raw(small, "GET /refuse HTTP/1.1", f"Host: {host}")
    assert answer.startswith(f"HTTP/1.1 {status}")
    assert "content-security-policy" in answer.lower()


TOKEN = "a token that is long enough"


@pytest.mark.parametrize(
    ("path", "given", "status"),
    [
        ("/refuse", {}, 401),
        ("/refuse", {"Authorization": "Bearer wrong"}, 401),
        ("/refuse", {"Authorization": "Basic !"}, 401),
        ("/refuse", {"Authorization": TOKEN}, 401),
        ("/refuse", {"Authorization": f"Bearer {TOKEN}"}, 422),
        ("/refuse", {"Authorization": "Basic " + base64.b64encode(f"me:{TOKEN}".encode()).decode()}, 422),
        ("/healthz", {}, 404),  # this app has none, but would be asked
        ("/wait", {"Authorization": f"Bearer {TOKEN}"}, 404),
    ],
)
def test_a_token_opens_all_that_is_open(path: str, given: dict[str, str], status: int) -> None:
    client = TestClient(Guarded(make_app(), Door(["testserver"], TOKEN, ["/wait"])))
    answer = client.get(path, headers=given)
    assert answer.status_code == status
    assert ("www-authenticate" in answer.headers) == (status == 401)


def test_bodies_are_bounded_together() -> None:
    """What many send at once, none of it too much by itself."""

    async def many() -> list[int]:
        app = BodyLimit(make_app(), 1000, {}, 0.3, together=2500)
        slow = [asyncio.create_task(_ask(app, [part(b"x" * 900), None])) for _ in range(2)]  # type: ignore[arg-type]
        await asyncio.sleep(0.1)
        error = await _ask(app, [part(b"x" * 900, more=False)])  # type: ignore[arg-type]
        await asyncio.gather(*slow)
        later = await _ask(app, [part(b"x" * 900, more=False)])  # type: ignore[arg-type]
        assert app.held == 0
        return [error[0]["status"], later[0]["status"]]

    assert in_loop(many()) == [503, 200]


@pytest.mark.skipif(not os.environ.get("CI") and shutil.which("nginx") is None, reason="nginx is not installed")
def test_the_proxy_of_the_docs_works(served: int, tmp_path: Path) -> None:
    """The configuration as it is written, but for its addresses and its certificate, in front of a server."""
    written = (Path(__file__).parents[2] / "docs" / "proxy" / "nginx.conf").read_text(encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    mine = written.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};").replace(
        "127.0.0.1:8000", f"127.0.0.1:{served}"
    )
    mine = re.sub(r"ssl_certificate\w* [^;]+;", "", mine).replace("mls.example.org", "x")
    locations = "".join(
        f"{name}_temp_path {tmp_path}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/errors; events {{ worker_connections 64; }}\n"
        f"http {{ access_log off; {locations}\n{mine} }}",
        encoding="utf-8",
    )
    proxy = subprocess.Popen(["nginx", "-c", tmp_path / "nginx.conf", "-p", tmp_path, "-e", tmp_path / "errors"])
    try:
        for _ in range(200):
            with suppress(httpx.TransportError):
                httpx.get(f"http://127.0.0.1:{port}/")
                break
            time.sleep(0.02)
        answer = httpx.post(f"http://127.0.0.1:{port}/note", json={"text": "abc"}, headers={"Host": "x"})
        assert (answer.status_code, answer.json()) == (200, 3)
        assert httpx.get(f"http://127.0.0.1:{port}/metrics").status_code == 404
        assert httpx.post(f"http://127.0.0.1:{port}/note", content=b"x" * 11 * 2**20).status_code == 413
    finally:
        proxy.terminate()
        proxy.wait()


def test_many_faults_are_told_in_a_few_words(client: TestClient) -> None:
    answer = client.post("/note", json={"text": "", **{f"unknown{number}": 1 for number in range(5000)}})
    assert len(answer.json()["detail"]) < 1000


def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(MlsError, match=f"port {port} can't be served on"):
            run(make_app(), "127.0.0.1", port, "test", 1.0)


def test_more_connections_than_there_may_be_are_given_up_without_a_word(serve: Callable[..., Server]) -> None:
    """Of `mls serve` itself: whoever comes next is answered, and the record of errors stays empty."""
    server = serve("--workers", "1")
    port = int(server.url.rpartition(":")[2])
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 4 * CONNECTIONS), hard))
    idle = []
    try:
        for _ in range(CONNECTIONS + 200):
            idle.append(socket.create_connection(("127.0.0.1", port), timeout=10))
        assert httpx.get(f"{server.url}/healthz", timeout=10).status_code == 200
        assert 0 < sum(map(is_open, idle)) <= CONNECTIONS
    finally:
        for connection in idle:
            connection.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    server.process.terminate()
    assert server.process.communicate(timeout=60) == (None, "")
    assert server.process.returncode == 0


def is_open(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return bool(connection.recv(1))
    except BlockingIOError:
        return True
    except ConnectionError:
        return False
