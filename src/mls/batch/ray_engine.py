"""The Ray engine: Ray Data with actors that each hold a model, on one machine or on a cluster.

Shards go out in waves, so that memory stays flat however long the input is. Ray itself replaces
actors and machines that are lost and does their shards again.
"""

from __future__ import annotations

import importlib
import logging
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from mls.batch.engine import Part
from mls.batch.plan import Plan
from mls.batch.shards import Shard
from mls.batch.writer import ShardWriter
from mls.errors import MissingExtraError, MlsError
from mls.recipe import Recipe
from mls.summarizer import Summarizer
from mls.workers import ONE_THREAD

_WAVE = 64  # shards for each worker: minutes of work, so that starting anew costs next to nothing


class _Actor:
    """Lives in a process of its own, somewhere in the cluster."""

    def __init__(self, recipe: Recipe, plan: Plan) -> None:
        self.writer = ShardWriter(Summarizer(recipe), plan)

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        shard = Shard.from_bytes(row["shard"])
        return {"index": shard.index, "rows": self.writer.part(shard)}


class RayEngine:
    """Actors on the cluster at `address`, or on a local one; as many as it has cores unless told."""

    def __init__(self, workers: int | None, address: str | None) -> None:
        self.workers = workers
        self.address = address

    def parts(self, recipe: Recipe, plan: Plan, shards: Iterable[Shard]) -> Iterator[Part]:
        ray = _started(self.address, self.workers)
        try:
            workers = self.workers or int(ray.cluster_resources().get("CPU", 1))
            waiting = iter(shards)
            while wave := list(islice(waiting, _WAVE * workers)):
                yield from _wave(wave, recipe, plan, min(workers, len(wave)))
        except ray.exceptions.RayError as error:
            reason = str(error).strip().splitlines()[-1]
            raise MlsError(f"Ray gave up ({reason}); finished parts are safe, go on with --resume") from error
        finally:
            ray.shutdown()


def _wave(shards: list[Shard], recipe: Recipe, plan: Plan, workers: int) -> Iterator[Part]:
    data = importlib.import_module("ray.data")
    data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    items = [{"shard": shard.to_bytes()} for shard in shards]
    done = data.from_items(items, override_num_blocks=len(items)).map(
        _Actor, fn_constructor_args=(recipe, plan), compute=data.ActorPoolStrategy(size=workers), num_cpus=1
    )
    for row in done.iter_rows():
        yield Part(int(row["index"]), bytes(row["rows"]))


def _started(address: str | None, workers: int | None) -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing leaves the machine
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    try:
        ray = importlib.import_module("ray")
        importlib.import_module("ray.data")
    except ImportError as error:
        raise MissingExtraError("--engine ray", "ray", "ray") from error
    try:
        ray.init(
            address=address or "local",  # not any cluster that happens to run here
            num_cpus=None if address else workers,
            include_dashboard=None if address else False,
            log_to_driver=False,
            logging_level=logging.ERROR,
            runtime_env={"env_vars": ONE_THREAD},
        )
    except (ConnectionError, ValueError, RuntimeError) as error:
        where = f"the cluster at {address} (is it up, and is its token in RAY_AUTH_TOKEN_PATH?)" if address else "Ray"
        raise MlsError(f"{where} can't be used: {str(error).splitlines()[0]}") from error
    return ray
