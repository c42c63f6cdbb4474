"""The paper's own figures, Tables 2 and 3: other data than ours, so never to be compared number by number.

D1 is MSR-Narrative, D2 Thinking Machines; budgets 1/32, 1/16, 1/8, 1/4, 1/2. Sarkhel et al., COLING 2020.
"""

from __future__ import annotations

import csv
from importlib.resources import files


def paper_figures(data_set: str) -> dict[str, dict[str, tuple[float, ...]]]:
    """What the paper reports of a data set: metric -> method -> one figure a budget.

    >>> paper_figures("D1")["rouge1"]["A3"]
    (41.65, 43.07, 43.5, 44.1, 45.5)
    """
    found: dict[str, dict[str, tuple[float, ...]]] = {}
    table = files("mls.lab").joinpath("paper_figures.csv").read_text("utf-8")
    for name, metric, method, *figures in csv.reader(table.splitlines()[1:]):
        if name == data_set:
            found.setdefault(metric, {})[method] = tuple(map(float, figures))
    return found
