"""A participant's way through the study: where they are, and what each answer leads to.

Everything is in the store, so a closed tab or a restarted server goes on at the same item. What can
go wrong has one outcome each:

- a made-up code: `UnknownCodeError`, and nothing is written;
- the same code a second time: the later entry goes on where the earlier one was, and the earlier one
  is `EnteredElsewhereError` from then on, so that two people can't both answer;
- an item of somebody else, or none at all: `NotYoursError`, and nothing is written;
- the same answer twice: kept once, and both times answered with where the participant is now;
- another answer to what was answered: `AnsweredError`; the first one stands;
- an answer to what was not shown yet: `NotShownError`;
- a clock that jumps: the answer counts, its time does not (`time_check` is `impossible`).
"""

from __future__ import annotations

import math
import secrets
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass

from mls.errors import MlsError
from mls.fingerprints import fingerprint
from mls.study.codes import as_written, hashed
from mls.study.store import Store

CHOICES = ("yes", "no", "more")
_TOLERANCE = 1.0  # seconds by which a browser may be ahead of the server
_INTERRUPTED = 5.0  # seconds by which it may lag before the reading counts as interrupted


class UnknownCodeError(MlsError):
    """No participant has this code."""


class EnteredElsewhereError(MlsError):
    """The session is not, or no longer, the one that counts."""


class NotYoursError(MlsError):
    """The item is not one of this participant's."""


class AnsweredError(MlsError):
    """There is an answer already, and it is another one."""


class NotShownError(MlsError):
    """The participant has not come to this yet."""


@dataclass(frozen=True)
class Shown:
    """What the participant sees now. It must not tell the method."""

    id: str
    level: int
    question: str
    text: str
    last: bool  # no longer text follows


@dataclass(frozen=True)
class State:
    """Where a participant is: `consent`, `practice`, `item` or `done`."""

    stage: str
    answered: int
    items: int
    shown: Shown | None = None


class Clock:
    """Seconds since 1970 that can't jump while the process runs."""

    def __init__(self) -> None:
        self._start = time.time() - time.monotonic()

    def __call__(self) -> float:
        return self._start + time.monotonic()


class Visits:
    """All that participants can do: answer, or ask for more and see a longer summary. Paper: section 3 D."""

    def __init__(self, store: Store, clock: Callable[[], float] | None = None) -> None:
        self.store = store
        self.clock = clock or Clock()

    def enter(self, code: str) -> tuple[str, State]:
        """A new session for a code, with its secret token; an earlier session of the code ends."""
        token = secrets.token_urlsafe(24)
        with self.store.transaction():
            found = self.store.row("SELECT * FROM participants WHERE code = ?", hashed(as_written(code)))
            if found is None:
                raise UnknownCodeError("this code is not known here; check it against the one you were given")
            statement = "UPDATE participants SET session = ?, entries = entries + 1 WHERE number = ?"
            self.store.run(statement, _hash(token), found["number"])
            return token, self._state(found)

    def state(self, token: str) -> State:
        with self.store.transaction():
            return self._state(self._participant(token))

    def consent(self, token: str) -> State:
        return self._pass(token, "consented")

    def practise(self, token: str) -> State:
        return self._pass(token, "practised")

    def answer(self, token: str, item: str, level: int, choice: str, seconds: float | None) -> State:
        """Keep an answer, once, and go on: to a longer text, to the next item, or to the end."""
        with self.store.transaction():
            person = self._participant(token)
            if not self.store.rows("SELECT 1 FROM items WHERE id = ? AND participant = ?", item, person["number"]):
                raise NotYoursError("this question is not one of yours; nothing was kept")
            given = self.store.row("SELECT choice FROM answers WHERE item = ? AND level = ?", item, level)
            if given is not None and given["choice"] != choice:
                raise AnsweredError("this was answered before, and the first answer stands")
            if given is None:
                self._keep(person, item, level, choice, seconds)
            return self._state(person)

    def _keep(self, person: sqlite3.Row, item: str, level: int, choice: str, seconds: float | None) -> None:
        now = self._state(person).shown
        if now is None or (now.id, now.level) != (item, level):
            raise NotShownError("this has not been shown to you yet; nothing was kept")
        shown = self.store.value("SELECT at FROM showings WHERE item = ? AND level = ?", item, level)
        server = self.clock() - shown
        browser = seconds if seconds is not None and math.isfinite(seconds) else None
        values = item, level, choice, browser, server, check_times(browser, server), person["entries"]
        self.store.run("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)", *values)

    def _pass(self, token: str, what: str) -> State:
        with self.store.transaction():
            number = self._participant(token)["number"]
            self.store.run(f"UPDATE participants SET {what} = 1 WHERE number = ?", number)
            return self._state(self._participant(token))

    def _participant(self, token: str) -> sqlite3.Row:
        found = self.store.row("SELECT * FROM participants WHERE session = ?", _hash(token))
        if found is None:
            raise EnteredElsewhereError("your code was not entered here last; enter it to go on here")
        return found

    def _state(self, person: sqlite3.Row) -> State:
        items = self.store.rows(_PROGRESS, person["number"])
        waiting = [item for item in items if not _is_over(item)]
        stage = "consent" if not person["consented"] else "practice" if not person["practised"] else "item"
        done = len(items) - len(waiting)
        if stage != "item" or not waiting:
            return State(stage if waiting else "done", done, len(items))
        return State(stage, done, len(items), self._show(waiting[0]))

    def _show(self, item: sqlite3.Row) -> Shown:
        """The text whose turn it is; the first time it is shown is when its time begins."""
        level = item["answers"]
        self.store.run("INSERT OR IGNORE INTO showings VALUES (?, ?, ?)", item["id"], level, self.clock())
        key = item["method"], item["document"], level
        text = self.store.value("SELECT text FROM levels WHERE method = ? AND document = ? AND level = ?", *key)
        return Shown(item["id"], level, item["question"], text, level + 1 == item["levels"])


_PROGRESS = """
SELECT items.id, items.method, items.document, questions.text AS question,
    (SELECT count(*) FROM levels WHERE method = items.method AND document = items.document) AS levels,
    (SELECT count(*) FROM answers WHERE item = items.id) AS answers,
    (SELECT choice FROM answers WHERE item = items.id ORDER BY level DESC LIMIT 1) AS latest
FROM items JOIN questions ON questions.document = items.document AND questions.number = items.question
WHERE participant = ? ORDER BY position
"""


def _is_over(item: sqlite3.Row) -> bool:
    """Answered with yes or no, or more was asked for where there is no more."""
    return item["latest"] in ("yes", "no") or item["answers"] == item["levels"]


def check_times(browser: float | None, server: float) -> str:
    """Whether the browser's time can be true: nobody reads for longer than the text has been there.

    >>> check_times(12.0, 12.2), check_times(12.0, 300.0), check_times(12.0, 9.0), check_times(-1.0, 9.0)
    ('ok', 'interrupted', 'impossible', 'impossible')
    """
    if browser is None or browser < 0 or browser > server + _TOLERANCE:
        return "impossible"
    return "interrupted" if server - browser > _INTERRUPTED else "ok"


def _hash(token: str) -> str:
    """Sessions are kept as hashes: the file alone lets nobody answer for somebody else."""
    return fingerprint(token, length=64)
