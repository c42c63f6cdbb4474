"""The service: routes, and what stands in front of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from http import HTTPStatus
from pathlib import Path, PurePath
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import FileResponse, PlainTextResponse, Response

import mls.explain
from mls import __version__
from mls.assembly import model_of
from mls.budget import Budget
from mls.errors import MissingExtraError, MlsError
from mls.files.guarded import read_guarded
from mls.files.kinds import KINDS, TooLongError, UnknownKindError, readable_kinds
from mls.fingerprints import fingerprint
from mls.methods import BASELINES
from mls.recipe import CHOICES, PRESETS, Recipe
from mls.serve.engine import WITHOUT_READING, Job
from mls.serve.example import EXAMPLES
from mls.serve.gate import Gate
from mls.serve.http import SILENT, PageFiles, ProblemError, bound_bodies, secure
from mls.serve.limits import Limits
from mls.serve.metrics import Measured, Metrics
from mls.serve.pool import Pool
from mls.serve.schema import (
    CheckAnswer,
    Health,
    How,
    Info,
    ManyBudgets,
    Move,
    OneBudget,
    OneSentence,
    Problem,
    ReadFile,
    SummaryAnswer,
    WhyAnswer,
)

_PAGE = Path(__file__).with_name("page")
_EXPLAIN = Path(str(mls.explain.__file__)).with_name("page")
_WORK = ("/api/summarize", "/api/levels", "/api/explain", "/api/move", "/api/why", "/api/check", "/api/read")
_PATHS = (*_WORK, "/", "/docs", "/api/info", "/healthz", "/metrics")
_FILES_AT_ONCE = 2
_NAME = f"The file's name; its end tells the kind: {', '.join(KINDS)}."
_DESCRIPTION = (
    "Shortens a text to exactly the length you can afford, and says why every sentence is there. "
    "Every error is a problem (RFC 9457) with one sentence that says what was found and what to do. "
    "No text is ever stored; what was read of the last few is kept in memory, so that another length costs little."
)


def _problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    told = {429: {"headers": {"Retry-After": {"schema": {"type": "string"}}}}}
    form = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": form} | told.get(status, {})
        for status in statuses
    }


_ERRORS = _problems(400, 408, 413, 422, 429, 503)


def create_app(limits: Limits = Limits(), recipe: Recipe = PRESETS["default"]) -> FastAPI:
    """The service over its own pool of workers, which starts and ends with it."""
    pool = Pool(limits, recipe)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with pool:
            yield

    app = FastAPI(
        title="MLS",
        version=__version__,
        description=_DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        telemetry=SILENT,
    )
    metrics = app.state.metrics = Metrics(pool)
    app.add_middleware(Gate, paths=_WORK, slots=limits.workers + limits.waiting, wait=lambda: pool.wait)
    largest_at = {"/api/read": limits.file_bytes}
    bound_bodies(app, limits.body_bytes, largest_at, limits.sending_seconds, limits.arriving_bytes)
    app.add_middleware(Measured, metrics=metrics, paths=_PATHS)
    secure(app)
    app.add_middleware(GZipMiddleware, minimum_size=2_000, compresslevel=4)
    _add_summaries(app, pool, metrics)
    _add_files(app, limits)
    _add_facts(app, limits, recipe, metrics)
    _add_pages(app)
    return app


def _add_summaries(app: FastAPI, pool: Pool, metrics: Metrics) -> None:
    async def reply(form: str, how: How, budgets: list[Any], media_type: str) -> Response:
        answered = await pool.ask(_job(form, how, budgets, pool.limits))
        metrics.count(answered)
        return Response(answered.body, media_type=media_type)

    @app.post("/api/summarize", responses={200: {"model": SummaryAnswer}, **_ERRORS}, response_class=Response)
    async def summarize(asked: OneBudget) -> Response:
        """Shorten a text to a budget that is never exceeded, with all reasons."""
        return await reply("summary", asked, [asked.budget], "application/json")

    @app.post("/api/levels", responses={200: {"model": list[SummaryAnswer]}, **_ERRORS}, response_class=Response)
    async def levels(asked: ManyBudgets) -> Response:
        """Shorten a text to several lengths at once: it is read only once."""
        return await reply("levels", asked, asked.budgets, "application/json")

    @app.post(
        "/api/move", responses={200: {"description": "JSON", "content": _JSON}, **_ERRORS}, response_class=Response
    )
    async def move(asked: Move) -> Response:
        """The same for a page that shows it: what was read is left out where the asker has it, and steps are slim."""
        return await reply("move", asked, [asked.budget], "application/json")

    @app.post("/api/why", responses={200: {"model": WhyAnswer}, **_ERRORS}, response_class=Response)
    async def why(asked: OneSentence) -> Response:
        """What would come in without a sentence, or what a sentence that is out would need to come in."""
        return await reply("why", asked, [asked.budget], "application/json")

    @app.post("/api/check", responses={200: {"model": CheckAnswer}, **_ERRORS}, response_class=Response)
    async def check(asked: OneBudget) -> Response:
        """Take each reason away in turn and say what changes, as `mls explain --check` does."""
        return await reply("check", asked, [asked.budget], "application/json")

    page = {
        "description": "One HTML file that needs nothing else.",
        "content": {"text/html": {"schema": {"type": "string"}}},
    }

    @app.post("/api/explain", responses={200: page, **_ERRORS}, response_class=Response)
    async def explain(asked: OneBudget) -> Response:
        """The explanation of a summary as one self-contained HTML file, as `mls explain --html` writes it."""
        answer = await reply("page", asked, [asked.budget], "text/html; charset=utf-8")
        answer.headers["Content-Disposition"] = 'attachment; filename="why.html"'
        return answer


_JSON = {"application/json": {"schema": {"type": "object"}}}


def _job(form: str, how: How, budgets: list[Any], limits: Limits) -> Job:
    """Checked as far as that costs nothing; what needs the text read is checked by the worker."""
    if len(how.text) > limits.characters:
        found = f"the text has {len(how.text):,} characters; this server takes up to {limits.characters:,}"
        raise ProblemError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"{found}: shorten it, or split it")
    if len(budgets) > limits.budgets:
        detail = f"{len(budgets)} budgets are given; one request may name up to {limits.budgets}"
        raise ProblemError(HTTPStatus.UNPROCESSABLE_ENTITY, detail)
    wanted = tuple(str(Budget.parse(budget)) for budget in budgets)
    try:
        digest = fingerprint(how.text.encode())
    except UnicodeEncodeError as error:
        raise MlsError(f"the text is no Unicode: half a character stands at {error.start}") from error
    changes = how.changes()
    read_with = {name: value for name, value in changes.items() if name not in WITHOUT_READING}
    key = f"{how.method} {how.recipe} {json.dumps([read_with, how.marks], sort_keys=True)} {digest}"
    have, sentence = getattr(how, "have", ""), getattr(how, "sentence", None)
    told = tuple(how.pin), tuple(how.ban), how.profile, tuple(how.marks)
    return Job(key, form, how.text, wanted, how.method, how.recipe, changes, *told, have, sentence)


def _add_files(app: FastAPI, limits: Limits) -> None:
    turns = asyncio.Semaphore(_FILES_AT_ONCE)
    kind = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}

    @app.post(
        "/api/read",
        responses={200: {"model": ReadFile}, **_ERRORS, **_problems(415)},
        openapi_extra={"requestBody": {"required": True, "content": kind}},
    )
    async def read(
        request: Request,
        name: Annotated[str, Query(description=_NAME, max_length=255)],
    ) -> ReadFile:
        """Take the main text out of a file, sent as the body. The file is not kept."""
        data = await request.body()
        try:
            async with asyncio.timeout(limits.seconds):
                await turns.acquire()
        except TimeoutError:
            wait = "other files are being read; try again in a moment"
            raise ProblemError(HTTPStatus.SERVICE_UNAVAILABLE, wait) from None
        try:
            found = await asyncio.to_thread(read_guarded, name, data, limits.characters)
        except UnknownKindError as error:
            raise ProblemError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, str(error)) from error
        except MissingExtraError as error:  # what to install is for whoever runs the server, not for visitors
            detail = f"this server can't read {PurePath(name).suffix or name}; it reads {', '.join(readable_kinds())}"
            raise ProblemError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, detail) from error
        except TooLongError as error:
            raise ProblemError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, str(error)) from error
        finally:
            turns.release()
        return ReadFile(name=name, **found.as_json())


def _add_facts(app: FastAPI, limits: Limits, recipe: Recipe, metrics: Metrics) -> None:
    model = model_of(recipe)
    card = (model.folder / "README.md").read_text("utf-8")
    bounds = asdict(limits)
    info = Info.model_validate(
        {
            "version": __version__,
            "model": {"card": card, "training": model.config.training},
            "methods": ["mls", *BASELINES],
            "recipes": {name: preset.facts() for name, preset in PRESETS.items()},
            "recipe": recipe.facts(),
            "choices": CHOICES,
            "limits": {name: bounds[name] for name in ("characters", "file_bytes", "budgets", "waiting", "seconds")},
            "files": readable_kinds(),
            "examples": [asdict(example) for example in EXAMPLES],
        }
    )

    @app.get("/api/info")
    async def about() -> Info:
        """Version, model card, limits, and what can be chosen."""
        return info

    @app.get("/healthz")
    async def health() -> Health:
        """Answers as long as the server does."""
        return Health(status="ok")

    @app.get("/metrics", response_class=PlainTextResponse)
    async def count() -> Response:
        """Counters for Prometheus."""
        return PlainTextResponse(metrics.page(), media_type="text/plain; version=0.0.4; charset=utf-8")


def _add_pages(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        return FileResponse(_PAGE / "index.html", headers={"Cache-Control": "no-cache"})

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return FileResponse(_PAGE / "docs.html", headers={"Cache-Control": "no-cache"})

    app.mount("/page", PageFiles(_PAGE))
    app.mount("/explain", PageFiles(_EXPLAIN))
    app.mount("/examples", PageFiles(Path(__file__).with_name("examples")))
    _describe(app)


def _describe(app: FastAPI) -> None:
    """OpenAPI as it is: errors are problems here, whatever the framework would say by itself."""
    told = app.openapi()
    told["components"]["schemas"]["Problem"] = Problem.model_json_schema()
    for unused in ("HTTPValidationError", "ValidationError"):
        told["components"]["schemas"].pop(unused, None)
