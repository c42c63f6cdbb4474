"""The participant's server: each misuse has its status, and the page keeps to itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from mls.errors import MlsError
from mls.study import server
from mls.study.consent import CONSENT
from mls.study.create import codes
from mls.study.server import make_app
from mls.study.store import Store

PAGE = Path(server.__file__).with_name("page")


def client_of(study: Store) -> TestClient:
    return TestClient(make_app(study), raise_server_exceptions=False)


def begin(client: TestClient, code: str) -> dict[str, Any]:
    client.post("/api/enter", json={"code": code})
    client.post("/api/consent")
    shown: dict[str, Any] = client.post("/api/practice").json()["shown"]
    return shown


def answer(client: TestClient, shown: dict[str, Any], choice: str = "yes", **more: Any) -> Any:
    given = {"item": shown["id"], "level": shown["level"], "choice": choice, "seconds": 0.1} | more
    return client.post("/api/answers", json=given)


def kept(study: Store) -> int:
    return int(study.value("SELECT count(*) FROM answers"))


def test_each_misuse_has_its_status(study: Store) -> None:
    mine, theirs, *_ = codes(study)
    client, other = client_of(study), client_of(study)
    assert client.get("/api/state").status_code == 401
    assert client.post("/api/enter", json={"code": "0000-0000-0000"}).status_code == 403
    shown, foreign = begin(client, mine), begin(other, theirs)
    assert answer(client, foreign).status_code == 403
    assert answer(client, shown, level=1).status_code == 409
    assert kept(study) == 0
    first = answer(client, shown)
    assert (first.status_code, answer(client, shown).json()) == (200, first.json())
    assert answer(client, shown, "no").status_code == 409
    assert kept(study) == 1
    other.post("/api/enter", json={"code": mine})
    error = client.get("/api/state")
    assert error.status_code == 401
    assert error.headers["content-type"] == "application/problem+json"
    assert other.get("/api/state").json() == first.json()


@pytest.mark.parametrize(
    "body",
    [
        "", "{", "[]", "null", '{"item": 1}', '{"item": "x", "level": -1, "choice": "yes"}',
        '{"item": "x", "level": 0, "choice": "maybe"}', '{"item": "x", "level": 1e99, "choice": "yes"}',
        '{"item": "x", "level": 0, "choice": "yes", "seconds": "soon"}', "[" * 3000, "x" * 5000,
        '{"item": "\\ud800", "level": 0, "choice": "yes"}', '{"item": "a b", "level": 0, "choice": "yes"}',
        '{"item": "\\u0000", "level": 0, "choice": "yes"}',
    ],
)  # fmt: skip
def test_what_is_no_answer_is_refused(study: Store, body: str) -> None:
    client = client_of(study)
    begin(client, next(iter(codes(study))))
    error = client.post("/api/answers", content=body, headers={"Content-Type": "application/json"})
    assert 400 <= error.status_code < 500
    assert kept(study) == 0


@pytest.mark.parametrize("seconds", ["1e400", "-1e400", "-3", "null", "1e300", "NaN"])
def test_a_time_that_can_not_be_does_not_cost_the_answer(study: Store, seconds: str) -> None:
    client = client_of(study)
    shown = begin(client, next(iter(codes(study))))
    body = f'{{"item": "{shown["id"]}", "level": 0, "choice": "yes", "seconds": {seconds}}}'
    assert client.post("/api/answers", content=body, headers={"Content-Type": "application/json"}).status_code == 200
    assert study.value("SELECT time_check FROM answers") == "impossible"


def test_the_session_is_a_cookie_that_scripts_and_other_sites_can_not_use(study: Store) -> None:
    cookie = client_of(study).post("/api/enter", json={"code": next(iter(codes(study)))}).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert study.value("SELECT session FROM participants WHERE session IS NOT NULL") not in cookie


def test_nothing_that_is_sent_tells_the_method(study: Store) -> None:
    """The same fields in the same order for all methods, and no field that differs but text and question."""
    client = client_of(study)
    forms = set()
    for code in codes(study):
        shown = begin(client, code)
        forms.add((tuple(shown), len(shown["id"])))
        while shown:
            reply = answer(client, shown, "more").json()
            shown = reply["shown"]
            assert list(reply) == ["stage", "answered", "items", "shown"]
    assert forms == {(("id", "level", "question", "text", "last"), 12)}
    for path in PAGE.iterdir():
        assert not re.search(r"\b(mls|a2|a3|lead|random|methods)\b", path.read_text("utf-8"), re.IGNORECASE), path


def test_the_page_loads_nothing_from_elsewhere(study: Store) -> None:
    client = client_of(study)
    page = client.get("/")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "<script>" not in page.text
    for path in PAGE.iterdir():
        assert client.get(f"/page/{path.name}").status_code == 200
        found = re.findall(r"https?://[\w./]+", path.read_text("utf-8"))
        assert set(found) <= {"http://www.w3.org/2000/svg"}, path
    for path in ("/docs", "/openapi.json", "/page/../server.py", "/page/%2e%2e/server.py", "/study.sqlite"):
        assert client.get(path).status_code == 404


def test_the_consent_text_is_the_organizers(study: Store) -> None:
    path = study.path.parent / CONSENT
    path.write_text("We ask you to read. Thank you.", encoding="utf-8")
    assert client_of(study).get("/api/consent").json() == {"text": "We ask you to read. Thank you."}
    for content in (b"", b"\xff\xfe"):
        path.write_bytes(content)
        with pytest.raises(MlsError, match="consent text"):
            make_app(study)


def test_a_study_with_a_text_missing_is_not_served(study: Store) -> None:
    study.run("DELETE FROM levels WHERE method = 'lead' AND document = 'owl'")
    with pytest.raises(MlsError, match="lacks 1 texts; run the same mls study create again"):
        make_app(study)
