"""Methods on documents at budgets: written and scored on all cores, and never twice."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mls.budget import Budget
from mls.corpora.records import Record
from mls.errors import MlsError
from mls.evaluation.bootstrap import Comparison, Estimate, compare, estimate
from mls.evaluation.cells import Cell, CellStore, make_cell, record_key
from mls.evaluation.metrics import METRICS
from mls.methods import Method, MethodSettings
from mls.workers import ONE_THREAD, end_with_parent

CEILING = "oracle"  # sees the reference, so it is no rival
_AHEAD = 4  # cells given to each worker before one comes back


@dataclass(frozen=True)
class Experiment:
    """What was measured: for each method, each document's scores at each budget."""

    budgets: tuple[Budget, ...]
    records: tuple[str, ...]
    cells: dict[str, tuple[Cell, ...]]  # by the method's label, in the order of the records
    variants: frozenset[str]  # labels of the first method and of those that are the same program, set otherwise

    @property
    def methods(self) -> list[str]:
        return list(self.cells)

    @property
    def metrics(self) -> list[str]:
        """Those that at least one summary has."""
        summaries = [one for cells in self.cells.values() for cell in cells for one in cell.summaries]
        known = {name for one in summaries for name in one.scores}
        return [name for name in METRICS if name in known]

    def values(self, method: str, budget: int, metric: str) -> list[float]:
        return [cell.summaries[budget].scores.get(metric, float("nan")) for cell in self.cells[method]]

    def estimate(self, method: str, budget: int, metric: str) -> Estimate:
        return estimate(self.values(method, budget, metric))

    def over_budget(self, method: str, budget: int) -> int:
        """How many of a method's summaries are longer than they may be: with one, it is out of the ranking."""
        return sum(value > 0 for value in self.values(method, budget, "violation"))

    def best(self, budget: int, metric: str, among: Sequence[str]) -> str | None:
        """The method with the best mean, the ceiling left out and whoever exceeds the budget."""
        better = METRICS[metric].better
        fair = [name for name in among if name != CEILING and not self.over_budget(name, budget)]
        means = {name: self.estimate(name, budget, metric).mean for name in fair}
        known = {name: mean for name, mean in means.items() if mean == mean}
        return max(known, key=lambda name: better * known[name]) if known and better else None

    def against_best_rival(self, method: str, budget: int, metric: str) -> tuple[str, Comparison] | None:
        """A method beside the best of the others, on the same documents; its variants count if there is no other."""
        others = [name for name in self.methods if name != method]
        rival = self.best(budget, metric, [name for name in others if name not in self.variants] or others)
        if rival is None:
            return None
        return rival, compare(self.values(method, budget, metric), self.values(rival, budget, metric))


def run_experiment(
    methods: Sequence[MethodSettings],
    records: Sequence[Record],
    budgets: Sequence[Budget],
    store: Path,
    workers: int,
    show: Callable[[int, int], None] = lambda done, total: None,
) -> Experiment:
    """Make every cell that the store does not hold, then put all of them together."""
    stores = {settings.label: CellStore(store, settings, budgets) for settings in methods}
    kept = {label: one.read() for label, one in stores.items()}
    keys = [record_key(record) for record in records]
    missing = [
        (settings, record, key)
        for record, key in zip(records, keys, strict=True)
        for settings in methods
        if key not in kept[settings.label]
    ]
    total = len(methods) * len(records)
    done = total - len(missing)
    show(done, total)
    for settings, key, cell in _made(missing, tuple(budgets), workers):
        stores[settings.label].add(key, cell)
        kept[settings.label][key] = cell
        done += 1
        show(done, total)
    cells = {label: tuple(known[key] for key in keys) for label, known in kept.items()}
    variants = frozenset(one.label for one in methods if one.base == methods[0].base)
    return Experiment(tuple(budgets), tuple(record.id for record in records), cells, variants)


_Task = tuple[MethodSettings, Record, str]


def _made(
    tasks: Sequence[_Task], budgets: tuple[Budget, ...], workers: int
) -> Iterator[tuple[MethodSettings, str, Cell]]:
    """Cells as they get done, in whatever order."""
    if workers == 1 or len(tasks) < 2:
        for settings, record, key in tasks:
            yield settings, key, _make(settings, record, budgets)
        return
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _start_worker) as pool:
        waiting: dict[Future[Cell], _Task] = {}
        left = iter(tasks)
        try:
            while True:
                for task in left:
                    waiting[pool.submit(_make, task[0], task[1], budgets)] = task
                    if len(waiting) >= _AHEAD * workers:
                        break
                if not waiting:
                    return
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    settings, _, key = waiting.pop(future)
                    yield settings, key, future.result()
        except BrokenProcessPool as error:
            raise MlsError(
                "a worker was killed, for want of memory perhaps; what is scored is kept: run again"
            ) from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _start_worker() -> None:
    os.environ |= ONE_THREAD
    end_with_parent()


def _make(settings: MethodSettings, record: Record, budgets: tuple[Budget, ...]) -> Cell:
    return make_cell(_built(settings), record, budgets)


@cache
def _built(settings: MethodSettings) -> Method:
    return settings.build()
