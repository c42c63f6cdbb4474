"""What the server counts, for Prometheus. No label ever holds anything of a text."""

from __future__ import annotations

import time
from collections.abc import Collection

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mls.serve.pool import Pool, Reply

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)


class Metrics:
    """The counters of one server."""

    def __init__(self, pool: Pool) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        here = self.registry
        self.requests = Counter("mls_requests", "Requests answered.", ["path", "status"], registry=here)
        self.seconds = Histogram(
            "mls_request_seconds", "From arrival to answer.", ["path"], buckets=_SECONDS, registry=here
        )
        self.work = Histogram("mls_work_seconds", "What a worker took.", ["text"], buckets=_SECONDS, registry=here)
        Gauge("mls_jobs", "Jobs at work or waiting.", registry=here).set_function(lambda: pool.load)
        Gauge("mls_workers", "Workers.", registry=here).set_function(lambda: len(pool.workers))
        Gauge("mls_workers_ended", "Workers that had to be ended.", registry=here).set_function(lambda: pool.ended)

    def count(self, reply: Reply) -> None:
        self.work.labels("known" if reply.known else "new").observe(reply.seconds)

    def page(self) -> bytes:
        return generate_latest(self.registry)


class Measured:
    """Counts and times every request, under its path where that is one of ours."""

    def __init__(self, app: ASGIApp, metrics: Metrics, paths: Collection[str]) -> None:
        self.app = app
        self.metrics = metrics
        self.paths = paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        path = scope["path"] if scope["path"] in self.paths else "other"

        async def send_and_count(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.metrics.requests.labels(path, message["status"]).inc()
                self.metrics.seconds.labels(path).observe(time.perf_counter() - began)
            await send(message)

        await self.app(scope, receive, send_and_count)
