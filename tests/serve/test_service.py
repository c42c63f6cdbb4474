"""The service as programs meet it: the same bytes as the command, every bound kept, every request answered."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from mls import Summarizer
from mls.errors import MlsError
from mls.explain.as_html import to_html
from mls.explain.as_json import to_dict, to_json
from mls.serve.app import create_app
from mls.serve.limits import Limits
from server import Server

ROOT = Path(__file__).parent.parent.parent
NEWS = (ROOT / "examples" / "news.txt").read_text(encoding="utf-8")
LONG = "\n".join(f"{NEWS} This is part {part} of it." for part in range(10))  # takes most of a second


def client_of(limits: Limits) -> TestClient:
    return TestClient(create_app(limits))


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with client_of(Limits(workers=1, characters=50_000)) as opened:
        yield opened


def ask(client: Any, path: str = "summarize", **body: Any) -> Any:
    return client.post(f"/api/{path}", json={"text": NEWS} | body)


def work(client: TestClient, text: str) -> float:
    """How many texts of this kind, `new` or `known`, the workers have had."""
    found = re.search(rf'mls_work_seconds_count{{text="{text}"}} (\S+)', client.get("/metrics").text)
    return float(found[1]) if found else 0.0


def command(*arguments: str) -> bytes:
    run = [sys.executable, "-c", "from mls.cli.main import main; main()", *arguments]
    printed = subprocess.run(run, capture_output=True, check=True).stdout
    assert printed.endswith((b"}\n", b"]\n"))  # the newline is the command's own
    return printed[:-1]


@pytest.mark.parametrize("budget", ["1/8", "280 chars"])
def test_library_command_and_service_give_the_same_bytes(client: TestClient, budget: str) -> None:
    by_library = to_json(Summarizer().summarize(NEWS, budget)).encode()
    by_command = command("summarize", str(ROOT / "examples" / "news.txt"), "--budget", budget, "--json")
    first, again = ask(client, budget=budget), ask(client, budget=budget)
    assert by_library == by_command == first.content == again.content
    assert first.headers["content-type"] == "application/json"


def test_levels_are_those_of_the_command(client: TestClient) -> None:
    by_command = command("levels", str(ROOT / "examples" / "news.txt"), "--budgets", "1/16,60 words", "--json")
    assert ask(client, "levels", budgets=["1/16", "60 words"]).content == by_command


def test_the_explanation_is_that_of_the_command(client: TestClient) -> None:
    answer = ask(client, "explain", budget="1/8")
    assert answer.text == to_html(to_dict(Summarizer().summarize(NEWS, "1/8")))
    assert answer.headers["content-disposition"].startswith("attachment")


def test_weights_prototypes_and_baselines(client: TestClient) -> None:
    names = list(Summarizer().weights)
    weights = {name: float(name == names[0]) for name in names}
    assert ask(client, weights=weights).json()["weights"] == weights
    assert ask(client, prototype="greedy").json()["prototype"]["generator"] == "greedy"
    assert [head["name"] for head in ask(client, recipe="paper").json()["heads"]] == [
        "topics",
        "keywords",
        "redundancy",
    ]
    for method in client.get("/api/info").json()["methods"][1:]:
        assert [head["name"] for head in ask(client, method=method).json()["heads"]] == [method]


def test_a_known_text_is_not_read_again(client: TestClient) -> None:
    new, known = work(client, "new"), work(client, "known")
    text = f"{NEWS} And that is all."
    for budget in ("1/8", "1/7", "1/6"):
        assert ask(client, text=text, budget=budget).status_code == 200
    ask(client, text=text, weights=Summarizer().weights)
    assert (work(client, "new") - new, work(client, "known") - known) == (1, 3)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"budget": "0"}, 422),
        ({"budget": "7 parsecs"}, 422),
        ({"budget": 0.0}, 422),
        ({"text": " \n"}, 422),
        ({"weights": {"nose": 1.0}}, 422),
        ({"weights": {"topics": 3, "keywords": 0, "redundancy": 0}, "recipe": "paper"}, 422),
        ({"method": "lead", "weights": {"lead": 1.0}}, 422),
        ({"text": "x " * 30_000}, 413),
        ({"budgget": "1/4"}, 422),
        ({"budget": True}, 422),
        ({"text": 7}, 422),
        ({"method": "magic"}, 422),
        ({"budget": "9" * 41}, 422),
    ],
)
def test_what_is_wrong_is_said(client: TestClient, body: dict[str, Any], status: int) -> None:
    answer = ask(client, **body)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"]


def test_errors_have_the_sentences_of_the_command(client: TestClient) -> None:
    for body in ({"budget": "0"}, {"text": " "}, {"budget": "120%"}):
        with pytest.raises(MlsError) as error:
            Summarizer().summarize(body.get("text", NEWS), body.get("budget", "1/4"))
        assert ask(client, **body).json()["detail"] == str(error.value)


def test_an_unknown_field_is_answered_with_the_nearest(client: TestClient) -> None:
    detail = ask(client, weigths={"position": 0.4}).json()["detail"]
    assert detail.startswith("a request has no 'weigths'; did you mean 'weights'? It may have text, ")


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", None])
def test_json_that_is_not_said_to_be_json(client: TestClient, kind: str | None) -> None:
    headers = {"Content-Type": kind} if kind else {}
    answer = client.post("/api/summarize", content=b'{"text": "It rained."}', headers=headers)
    assert answer.status_code == 422
    assert answer.json()["detail"] == (
        "Content-Type does not say that the request is JSON; with curl, add -H 'Content-Type: application/json'"
    )


def test_why_a_sentence_is_out(client: TestClient) -> None:
    """One that is a sentence comes in at some length; the dateline at none but the whole."""
    found = ask(client, "why", budget="20 words", sentence=3).json()
    limit = int(found["enters"].removesuffix(" words"))
    summary = Summarizer().summarize(NEWS, found["enters"])
    assert 20 < limit < summary.document_length
    assert 3 in {span.sentence for sentence in summary.sentences for span in sentence.source}
    assert Summarizer().read(NEWS).document.sentences[0].kind == "dateline"
    assert ask(client, "why", budget="20 words", sentence=0).json()["enters"] is None
    beyond = ask(client, "why", budget="20 words", sentence=41)
    assert (beyond.status_code, beyond.json()["detail"]) == (
        422,
        "there is no sentence 41; the text has 41, from 0 to 40",
    )


def test_half_an_emoji_is_no_text(client: TestClient) -> None:
    headers = {"Content-Type": "application/json"}
    answer = client.post("/api/summarize", content=b'{"text": "half \\ud83d"}', headers=headers)
    assert answer.status_code == 422
    assert "no Unicode" in answer.json()["detail"]


def test_what_is_nested_without_end_is_refused(client: TestClient) -> None:
    for body in (b"[" * 100_000, b'{"text":' + b'{"a":' * 50_000, b'{"text": "a", "budget": ' + b"9" * 5000 + b"}"):
        answer = client.post("/api/summarize", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in (400, 422)


def test_too_many_budgets(client: TestClient) -> None:
    assert ask(client, "levels", budgets=["1/4"] * 33).status_code == 422
    assert ask(client, "levels", budgets=[]).status_code == 422
    many = ask(client, "levels", budgets=[[]] * 20_000)
    assert many.status_code == 422
    assert len(many.content) < 1000


def test_a_budget_beyond_all_bounds(client: TestClient) -> None:
    assert (
        ask(client, "summarize", budget=10**400).json()["text"]
        == ask(client, "summarize", budget="100%").json()["text"]
    )


def test_facts(client: TestClient) -> None:
    info = client.get("/api/info").json()
    assert info["limits"]["characters"] == 50_000
    assert "PG-Network" in info["model"]["card"]
    for example in info["examples"]:
        assert client.get(f"/examples/{example['name']}.txt").text.strip()
    assert client.get("/healthz").json() == {"status": "ok"}
    assert 'mls_requests_total{path="/healthz",status="200"}' in client.get("/metrics").text


def test_nothing_of_a_text_is_in_the_metrics(client: TestClient) -> None:
    ask(client, text="Xylophones rained. Nobody minded them.")
    client.get("/api/xylophones")
    assert "ylophone" not in client.get("/metrics").text


def test_a_slow_text_is_ended_and_the_next_is_answered() -> None:
    with client_of(Limits(workers=1, seconds=2.0, characters=30 * len(LONG))) as client:
        slow = ask(client, text=30 * LONG)
        assert slow.status_code == 503
        assert "longer than 2 seconds" in slow.json()["detail"]
        assert int(slow.headers["retry-after"]) >= 1
        assert any(ask(client).status_code == 200 for _ in range(10))  # on a busy machine a worker starts slowly, too
        assert re.search(r"^mls_workers_ended [1-9]", client.get("/metrics").text, re.MULTILINE)


def test_a_text_that_waits_too_long_is_told_so() -> None:
    with client_of(Limits(workers=1, seconds=0.2)) as client, ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda part: ask(client, text=f"{LONG} {part}"), range(4)))
    assert {answer.status_code for answer in answers} == {503}
    assert any("waited" in answer.json()["detail"] for answer in answers)


def test_a_full_queue_answers_at_once_and_empties() -> None:
    with client_of(Limits(workers=1, waiting=1)) as client, ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda part: ask(client, text=f"{LONG} {part}"), range(8)))
        statuses = [answer.status_code for answer in answers]
        assert set(statuses) == {200, 429}
        assert statuses.count(200) >= 2
        error = next(answer for answer in answers if answer.status_code == 429)
        assert int(error.headers["retry-after"]) >= 1
        assert error.headers["content-type"] == "application/problem+json"
        assert "default-src 'none'" in error.headers["content-security-policy"]
        assert ask(client).status_code == 200


def test_the_server_answers_while_it_summarizes() -> None:
    with client_of(Limits(workers=1)) as client:
        asked = threading.Thread(target=lambda: ask(client, text=LONG))
        asked.start()
        time.sleep(0.1)
        assert client.get("/healthz").status_code == 200
        assert asked.is_alive()
        asked.join()


def _workers_of(process: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True)
    return [int(number) for number in found.stdout.split()]


def test_a_worker_that_dies_is_replaced(serve: Callable[..., Server]) -> None:
    server = serve("--workers", "1")
    (worker,) = _workers_of(server.process.pid)
    os.kill(worker, signal.SIGKILL)
    with httpx.Client(base_url=server.url, timeout=60) as client:
        statuses = [ask(client).status_code for _ in range(2)]
    assert statuses[1] == 200
    assert statuses[0] in (200, 503)
    assert server.end(signal.SIGINT) == 0  # Ctrl-C is how one ends a server: no failure


def test_what_was_accepted_is_answered(serve: Callable[..., Server]) -> None:
    server = serve("--workers", "1")
    workers = _workers_of(server.process.pid)
    with ThreadPoolExecutor(2) as threads:
        asked = [
            threads.submit(httpx.post, f"{server.url}/api/summarize", json={"text": f"{LONG} {part}"}, timeout=60)
            for part in range(2)
        ]
        while "mls_jobs 2.0" not in httpx.get(f"{server.url}/metrics").text:
            assert not any(future.done() for future in asked)
        assert server.end(signal.SIGTERM) == 0
        answers = [future.result() for future in asked]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert all(json.loads(answer.content)["length"] for answer in answers)
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{server.url}/healthz")


def test_workers_end_with_a_server_that_was_killed(serve: Callable[..., Server]) -> None:
    server = serve("--workers", "1")
    workers = _workers_of(server.process.pid)
    server.end(signal.SIGKILL)
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{worker}").exists() for worker in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)


def test_what_is_wrong_at_the_start_is_one_line(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "mls", "serve", "--port", "0", "--model", str(tmp_path)]
    done = subprocess.run(run, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT / "src")})
    assert done.returncode == 2
    assert done.stderr == f"mls: {tmp_path} is not a model folder: it has no config.json\n"


def test_a_refusal_reaches_who_is_still_sending(site: str) -> None:
    """The whole of a body that is too large is read before the answer, or the connection would break first."""
    answer = httpx.post(f"{site}/api/summarize", content=b'{"text": "' + b"x" * 10_000_000 + b'"}', timeout=30)
    assert answer.status_code == 413


def test_nothing_is_ever_fetched(client: TestClient) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/stolen"
        page = f'<base href="{url}"><link rel=stylesheet href="{url}"><img src="{url}"><p>It rained. {url}</p>'
        assert ask(client, text=page).status_code == 200
        for name, data in (
            ("a.html", page),
            ("b.html", f'<!DOCTYPE html [<!ENTITY x SYSTEM "{url}">]><p>It rained all day. &x;</p>'),
            ("c.md", f"![image]({url}) It rained."),
        ):
            client.post("/api/read", params={"name": name}, content=data.encode())
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()
