"""The participant's page and what it talks to. Methods never leave the server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from fastapi import Cookie, FastAPI, Response
from fastapi.responses import FileResponse
from pydantic import BaseModel, Field
from starlette.requests import Request

import mls.explain
from mls.serve.http import SILENT, PageFiles, bound_bodies, problem, secure
from mls.study.consent import consent_of
from mls.study.create import check_complete
from mls.study.store import Store
from mls.study.visit import (
    AnsweredError,
    EnteredElsewhereError,
    NotShownError,
    NotYoursError,
    State,
    UnknownCodeError,
    Visits,
)

_PAGE = Path(__file__).with_name("page")
_EXPLAIN = Path(str(mls.explain.__file__)).with_name("page")  # type and colours of all pages
_COOKIE = "mls-study"
_A_MONTH = 30 * 24 * 3600
_LARGEST = 4096
_SLOWEST = 30.0
_STATUS: dict[type[Exception], int] = {
    UnknownCodeError: 403,
    EnteredElsewhereError: 401,
    NotYoursError: 403,
    AnsweredError: 409,
    NotShownError: 409,
}

Session = Annotated[str, Cookie(alias=_COOKIE)]


class Code(BaseModel):
    code: str = Field(max_length=100)


class Answer(BaseModel):
    """`seconds` is what the browser measured; any number is taken, and checked against the server's."""

    item: str = Field(pattern=r"^[\w-]{1,40}$")
    level: int = Field(ge=0, le=1000)
    choice: Literal["yes", "no", "more"]
    seconds: float | None = None


def make_app(store: Store) -> FastAPI:
    """The app of one study."""
    check_complete(store)
    visits = Visits(store)
    app = FastAPI(openapi_url=None, telemetry=SILENT)
    bound_bodies(app, _LARGEST, {}, _SLOWEST)
    secure(app)
    for kind in _STATUS:
        app.add_exception_handler(kind, _problem)
    _add_page(app, consent_of(store.path.parent))
    _add_visits(app, visits)
    return app


def _add_page(app: FastAPI, consent: str) -> None:
    app.mount("/page", PageFiles(_PAGE))
    app.mount("/explain", PageFiles(_EXPLAIN))

    @app.get("/")
    def page() -> Response:
        return FileResponse(_PAGE / "index.html", headers={"Cache-Control": "no-cache"})

    @app.get("/api/consent")
    def consent_text() -> dict[str, str]:
        return {"text": consent}


def _add_visits(app: FastAPI, visits: Visits) -> None:
    # Plain functions, not coroutines: each waits for the disk in a thread of its own.
    @app.post("/api/enter")
    def enter(given: Code, response: Response) -> State:
        token, state = visits.enter(given.code)
        response.set_cookie(_COOKIE, token, max_age=_A_MONTH, httponly=True, samesite="strict")
        return state

    @app.get("/api/state")
    def state(session: Session = "") -> State:
        return visits.state(session)

    @app.post("/api/consent")
    def consent(session: Session = "") -> State:
        return visits.consent(session)

    @app.post("/api/practice")
    def practice(session: Session = "") -> State:
        return visits.practise(session)

    @app.post("/api/answers")
    def answer(given: Answer, session: Session = "") -> State:
        return visits.answer(session, given.item, given.level, given.choice, given.seconds)


async def _problem(request: Request, error: Exception) -> Response:
    return problem(_STATUS[type(error)], str(error))
