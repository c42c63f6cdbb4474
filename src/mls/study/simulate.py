"""Simulated participants of known accuracy: they try the whole path before people are asked to."""

from __future__ import annotations

import http.client
import json
import random
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol
from urllib.parse import urlsplit

from mls.errors import MlsError
from mls.study.create import setting
from mls.study.results import SIMULATED
from mls.study.store import Store
from mls.study.visit import Shown, State, Visits

ALIKE = 0.1  # how alike the answers of one person are
_WORDS_A_SECOND = 4.0
_SECONDS_TO_DECIDE = 3.0
_ANSWERS_NOW = 0.5  # the probability that somebody answers instead of asking for more
_GIVES_UP = 0.5  # the probability that somebody who does not know says so at the last text
_PATIENCE = 60.0


class Door(Protocol):
    """A way into the study for one participant."""

    def enter(self, code: str) -> State: ...
    def consent(self) -> State: ...
    def practise(self) -> State: ...
    def answer(self, shown: Shown, choice: str, reading: float) -> State: ...


def person_probability(rng: random.Random, accuracy: float, alike: float = ALIKE) -> float:
    """One person's own probability to be right: beta distributed, `accuracy` on average.

    `alike` is the correlation between two answers of a person; with 0 all people are the same.
    """
    if alike == 0 or accuracy in (0.0, 1.0):
        return accuracy
    spread = 1 / alike - 1
    return rng.betavariate(accuracy * spread, (1 - accuracy) * spread)


class Simulated:
    """Somebody who reads, asks for more now and then, and is right as often as their method lets them be."""

    def __init__(self, accuracy: Mapping[str, float], rng: random.Random, alike: float = ALIKE) -> None:
        self.rng = rng
        self.probabilities = {method: person_probability(rng, value, alike) for method, value in accuracy.items()}

    def take_part(self, door: Door, code: str, key: Mapping[str, tuple[str, str]]) -> None:
        """Go from the first page to the last. `key` has the method and the right answer of each item."""
        door.enter(code)
        door.consent()
        state = door.practise()
        knows: dict[str, bool] = {}
        while state.shown is not None:
            shown = state.shown
            method, right = key[shown.id]
            if shown.id not in knows:
                knows[shown.id] = self.rng.random() < self.probabilities[method]
            choice = self._choice(shown, knows[shown.id], right)
            reading = len(shown.text.split()) / _WORDS_A_SECOND + _SECONDS_TO_DECIDE
            state = door.answer(shown, choice, reading * self.rng.lognormvariate(0.0, 0.25))

    def _choice(self, shown: Shown, knows: bool, right: str) -> str:
        if not shown.last and self.rng.random() >= _ANSWERS_NOW:
            return "more"
        if knows:
            return right
        if shown.last and self.rng.random() < _GIVES_UP:
            return "more"
        return "no" if right == "yes" else "yes"


class SimulatedClock:
    """Goes on only when somebody reads."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class InProcess:
    """Into the study without a network; time passes as fast as people are said to read."""

    def __init__(self, visits: Visits, clock: SimulatedClock) -> None:
        self.visits = visits
        self.clock = clock
        self.token = ""

    def enter(self, code: str) -> State:
        self.token, state = self.visits.enter(code)
        return state

    def consent(self) -> State:
        return self.visits.consent(self.token)

    def practise(self) -> State:
        return self.visits.practise(self.token)

    def answer(self, shown: Shown, choice: str, reading: float) -> State:
        self.clock.now += reading
        return self.visits.answer(self.token, shown.id, shown.level, choice, reading)


class OverHttp:
    """Into the study as a browser goes: over the network, in real time, once more when the server is away."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=_PATIENCE)
        self._cookie = ""
        self._shown_at = time.monotonic()

    def enter(self, code: str) -> State:
        return self._post("enter", {"code": code})

    def consent(self) -> State:
        return self._post("consent", {})

    def practise(self) -> State:
        return self._post("practice", {})

    def answer(self, shown: Shown, choice: str, reading: float) -> State:
        seconds = time.monotonic() - self._shown_at  # nobody waits, so the true time is short
        given = {"item": shown.id, "level": shown.level, "choice": choice, "seconds": seconds}
        return self._post("answers", given)

    def close(self) -> None:
        self._connection.close()

    def _post(self, name: str, content: Mapping[str, object]) -> State:
        headers = {"Content-Type": "application/json", "Cookie": self._cookie}
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                self._connection.request("POST", f"/api/{name}", json.dumps(content), headers)
                response = self._connection.getresponse()
                body = json.loads(response.read())
                break
            except (OSError, http.client.HTTPException) as error:
                self._connection.close()
                if time.monotonic() > deadline:
                    raise MlsError(f"the study's server does not answer ({error!r})") from error
                time.sleep(0.05)
        if response.status != 200:
            raise MlsError(f"the study's server answered with an error: {body.get('detail', body)}")
        self._cookie = (response.getheader("Set-Cookie") or self._cookie).split(";")[0]
        self._shown_at = time.monotonic()
        return _state(body)


def _state(body: dict[str, Any]) -> State:
    shown = body["shown"]
    return State(body["stage"], body["answered"], body["items"], Shown(**shown) if shown else None)


def check_accuracy(store: Store, accuracy: Mapping[str, float]) -> dict[str, float]:
    """An accuracy for every method of the study, and for no other."""
    methods = setting(store, "methods")
    assert isinstance(methods, list)
    if set(accuracy) != set(methods):
        example = ",".join(f"{method}=0.6" for method in methods)
        raise MlsError(f"found accuracies of {', '.join(accuracy) or 'nothing'}; give one for each method: {example}")
    for method, value in accuracy.items():
        if not 0 <= value <= 1:
            raise MlsError(f"the accuracy of {method} is {value}, expected a share from 0 to 1")
    return dict(accuracy)


def key_of(store: Store) -> dict[str, tuple[str, str]]:
    """The method and the right answer of each item, which only a simulated participant may know."""
    rows = store.rows(
        "SELECT items.id, method, answer FROM items JOIN questions USING (document) WHERE number = items.question"
    )
    return {row["id"]: (row["method"], row["answer"]) for row in rows}


def say_simulated(store: Store) -> None:
    """Whoever reads the results of this study is told that nobody took part."""
    store.run("INSERT OR REPLACE INTO settings VALUES (?, ?)", SIMULATED, "true")


def simulate_here(store: Store, codes: Iterable[str], accuracy: Mapping[str, float], alike: float, seed: int) -> None:
    """Let simulated people answer one after the other, in simulated time."""
    clock = SimulatedClock()
    visits, key = Visits(store, clock), key_of(store)
    for code, rng in _with_rngs(codes, seed):
        Simulated(accuracy, rng, alike).take_part(InProcess(visits, clock), code, key)


def simulate_over_http(
    url: str, codes: Sequence[str], key: Mapping[str, tuple[str, str]], accuracy: Mapping[str, float],
    alike: float, seed: int,
) -> None:  # fmt: skip
    """Let simulated people answer all at once."""

    def visit(given: tuple[str, random.Random]) -> None:
        code, rng = given
        door = OverHttp(url)
        try:
            Simulated(accuracy, rng, alike).take_part(door, code, key)
        finally:
            door.close()

    with ThreadPoolExecutor(len(codes)) as pool:
        for _ in pool.map(visit, _with_rngs(codes, seed)):
            pass


def _with_rngs(codes: Iterable[str], seed: int) -> list[tuple[str, random.Random]]:
    return [(code, random.Random(f"person {seed} {number}")) for number, code in enumerate(codes)]
