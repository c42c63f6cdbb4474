"""Results as one SVG picture: accuracy and time with their intervals, and where people answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape

from mls.study.report import name_of
from mls.study.results import UNANSWERED, Results
from mls.study.statistics import Estimate

_WIDTH, _LABELS, _RIGHT = 760, 120, 40
_ROW, _GAP, _PANEL, _TOP = 17, 12, 64, 34
_LONGEST_LABEL = 16
_STYLE = """
  svg { font: 13px system-ui, sans-serif; background: #fffefb; color: #23211d; }
  text { fill: currentColor; } .soft { fill: #66604f; } .title { font-weight: 600; }
  .grid { stroke: #ddd6c6; } .set0 { color: #2c5d8a; } .set1 { color: #a2541f; } .set2 { color: #3f7247; }
  .set3 { color: #79427f; } .range { stroke: currentColor; stroke-width: 2; } .mean { fill: currentColor; }
  .share { stroke: #fffefb; }
  @media (prefers-color-scheme: dark) {
    svg { background: #201f1c; color: #e9e4d8; } .soft { fill: #a9a28f; } .grid { stroke: #3b3832; }
    .set0 { color: #8fbbe3; } .set1 { color: #e6a271; } .set2 { color: #93c79b; } .set3 { color: #cfa1d4; }
    .share { stroke: #201f1c; }
  }
"""
_SHADES = ("#16425f", "#2c6480", "#548a9c", "#88b3b9", "#bcd8d4", "#dbe7d9")
_NEVER, _ONLY = "#c9a15f", "#6d6a63"
_SETS = 4


def to_svg(results: Results) -> str:
    """A picture that needs nothing else; it follows the reader's light or dark scheme."""
    accuracy, below = _means(results, "Accuracy", results.accuracy, 1.0, 2, _TOP)
    seconds, below = _means(results, "Seconds to an answer", results.seconds, None, 1, below + _PANEL)
    shares, below = _shares(results, below + _PANEL)
    body = "\n".join([*_legend(results), *accuracy, *seconds, *shares])
    height = below + 20
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        f'role="img" aria-label="Accuracy, time, and where people answered">\n<style>{_STYLE}</style>\n{body}\n</svg>\n'
    )


def _legend(results: Results) -> Iterator[str]:
    left = _LABELS
    if len(results.data_sets) < 2:
        return
    for position, name in enumerate(results.data_sets):
        yield f'<g class="set{position % _SETS}"><circle class="mean" cx="{left}" cy="16" r="4"/></g>'
        yield f'<text x="{left + 10}" y="20">{_label(name)}</text>'
        left += 30 + 8 * len(name[:_LONGEST_LABEL])


def _means(
    results: Results,
    title: str,
    figure: Callable[[str, str], Estimate | None],
    most: float | None,
    digits: int,
    top: int,
) -> tuple[list[str], int]:
    found = {(m, d): figure(m, d) for m in results.methods for d in results.data_sets}
    highest = most or _rounded(max((one.high for one in found.values() if one), default=1.0))
    rows = len(results.methods) * (_ROW * len(results.data_sets) + _GAP)
    drawn = [_text(8, top + 14, title, "title"), *_axis(highest, digits if most else 0, top + 22, rows)]
    y = top + 34
    for method in results.methods:
        middle = y + _ROW * (len(results.data_sets) - 1) / 2 + 4
        drawn.append(_text(_LABELS - 12, middle, _label(name_of(method)), "", "end"))
        for position, data_set in enumerate(results.data_sets):
            one = found[method, data_set]
            if one:
                drawn.append(_mean(one, y, highest, position, digits))
            y += _ROW
        y += _GAP
    return drawn, top + 22 + rows


def _mean(one: Estimate, y: float, highest: float, position: int, digits: int) -> str:
    low, mean, high = (_x(value, highest) for value in (one.low, one.mean, one.high))
    told = f"{one.mean:.{digits}f} ({one.low:.{digits}f} to {one.high:.{digits}f})"
    return (
        f'<g class="set{position % _SETS}"><title>{told}</title>'
        f'<line class="range" x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}"/>'
        f'<circle class="mean" cx="{mean:.1f}" cy="{y}" r="4.5"/></g>'
    )


def _axis(highest: float, digits: int, top: int, rows: int) -> Iterator[str]:
    for step in range(5):
        value = highest * step / 4
        x = _x(value, highest)
        yield f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{top + rows}"/>'
        yield _text(x, top + rows + 16, f"{value:.{digits}f}" if digits else f"{value:g}", "soft", "middle")


def _shares(results: Results, top: int) -> tuple[list[str], int]:
    """For each method a bar: darker is a shorter text, the last colour is never."""
    drawn = [_text(8, top + 14, "Where people answered: the shorter the text, the darker", "title")]
    y = top + 28
    for method in results.methods:
        found = results.answered_at(method)
        total = sum(found.values())
        drawn.append(_text(_LABELS - 12, y + 13, _label(name_of(method)), "", "end"))
        left = 0.0
        for position, (budget, count) in enumerate(found.items()):
            if count:
                share = count / total
                drawn.append(_block(left, share, y, budget, position))
                left += share
        y += _ROW + _GAP
    return drawn, y


def _block(left: float, share: float, y: int, budget: str, position: int) -> str:
    x, width = _x(left, 1.0), _x(share, 1.0) - _LABELS
    told = {"": "only text", UNANSWERED: "never"}.get(budget, budget)
    light = budget == UNANSWERED or position >= 3
    colour = {UNANSWERED: _NEVER, "": _ONLY}.get(budget, _SHADES[min(position, len(_SHADES) - 1)])
    bar = (
        f'<rect class="share" x="{x:.1f}" y="{y}" width="{width:.1f}" height="18" fill="{colour}">'
        f"<title>{escape(told)}: {100 * share:.0f}%</title></rect>"
    )
    if width < 9 * len(told):
        return bar
    ink = "#23211d" if light else "#fffefb"
    place_of_text = f'x="{x + width / 2:.1f}" y="{y + 13}" text-anchor="middle"'
    return bar + f'<text {place_of_text} style="fill:{ink}">{escape(told)}</text>'


def _x(value: float, highest: float) -> float:
    return _LABELS + (_WIDTH - _LABELS - _RIGHT) * value / highest


def _rounded(value: float) -> float:
    """The next number that a scale can end at.

    >>> _rounded(37.2), _rounded(0.0), _rounded(130.0)
    (40.0, 1.0, 200.0)
    """
    if value <= 0:
        return 1.0
    size = 10.0 ** (len(f"{value:.0f}") - 1)
    return next(size * step for step in (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0) if size * step >= value)


def _label(name: str) -> str:
    return escape(name if len(name) <= _LONGEST_LABEL else name[: _LONGEST_LABEL - 1] + "…")


def _text(x: float, y: float, content: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{content}</text>'
