"""Errors meant for users: one sentence that says what was found, what is accepted, what to do."""

from __future__ import annotations

from collections.abc import Iterable


class MlsError(ValueError):
    """A user's mistake or a missing piece; the command line prints it without a traceback."""


class MissingExtraError(MlsError, ImportError):
    """A part that needs an optional dependency which is not installed."""

    def __init__(self, part: str, module: str, extra: str) -> None:
        super().__init__(f"{part} needs `{module}`, which is not installed: pip install 'mls-summarizer[{extra}]'")
        self.name = module


def meant(name: object, known: Iterable[str], least: float = 0.5) -> str | None:
    """The known name that is nearest to one that is not known, if any is near at all.

    >>> meant("topcis", ["topics", "position"]), meant("figures", ["topics", "position"])
    ('topics', None)
    """
    import difflib  # which nobody waits for who makes no mistake

    return next(iter(difflib.get_close_matches(str(name), list(known), n=1, cutoff=least)), None)


def unknown(found: str, name: object, known: Iterable[str], there_are: str) -> MlsError:
    """The error for a name that is not known: with the nearest, if any is near, and all there are."""
    known = list(known)
    nearest = meant(name, known)
    hint = f"; did you mean {nearest!r}?" if nearest else "."
    return MlsError(f"{found}{hint} {there_are} {', '.join(known)}")
