"""A reader's profile: a file that is never lost, and two heads that speak for its reader."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from mls import Recipe, Summarizer
from mls.cli.main import main
from mls.errors import MlsError
from mls.profile import FADES, MOST_NOTES, Note, Profile
from mls.serve.app import create_app
from mls.serve.limits import Limits

NEWS = Path(__file__).parent.parent / "examples" / "news.txt"
TEXT = NEWS.read_text(encoding="utf-8")
notes = st.builds(
    Note, st.sampled_from(["more", "known"]), st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
)


def mls(*arguments: object) -> int:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["mls", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
    return int(stop.value.code or 0)


@given(st.lists(notes, max_size=5))
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, held: list[Note]) -> None:
    path = tmp_path_factory.mktemp("profiles") / "me.json"
    Profile(tuple(held)).save(path)
    assert Profile.load(path) == Profile(tuple(held))


def test_it_grows_is_shown_counts_and_is_reset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    me = tmp_path / "me.json"
    assert mls("profile", "more", me, NEWS, "33,34") == mls("profile", "known", me, NEWS, "2") == 0
    assert mls("profile", "show", me) == 0
    assert "You want more of (2)" in capsys.readouterr().out
    assert mls("summarize", NEWS, "--budget", "1/4", "--profile", me, "--json", "-o", tmp_path / "a.json") == 0
    assert mls("summarize", NEWS, "--budget", "1/4", "--json", "-o", tmp_path / "b.json") == 0
    trace, plain = (json.loads((tmp_path / f"{name}.json").read_text(encoding="utf-8")) for name in "ab")
    assert trace["text"] != plain["text"]
    assert all(trace["units"][unit]["attention"] > plain["units"][unit]["attention"] for unit in (32, 33))
    assert trace["units"][1]["attention"] < plain["units"][1]["attention"]
    assert trace["weights"]["interest"] == pytest.approx(0.25 * 1.2)
    assert trace["weights"]["known"] == pytest.approx(-0.2)
    assert mls("profile", "reset", me) == 0
    assert Profile.load(me) == Profile()


@pytest.mark.parametrize(
    "damaged",
    ["", "{", "[]", "null", '{"version": 2, "notes": []}', '{"version": 1}', '{"version": 1, "notes": [1]}',
     '{"version": 1, "notes": [{"said": "maybe", "text": "x"}]}',
     '{"version": 1, "notes": [{"said": "more", "text": 1}]}',
     '{"version": 1, "notes": [], "<b>": 1}', "\x00"],
)  # fmt: skip
def test_a_damaged_profile_is_told_and_never_overwritten(
    damaged: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    me = tmp_path / "me.json"
    me.write_text(damaged, encoding="utf-8")
    for command in (
        ("summarize", NEWS, "--profile", me), ("profile", "show", me), ("profile", "reset", me),
        ("profile", "more", me, NEWS, "2"),
    ):  # fmt: skip
        assert mls(*command) == 2
        told = capsys.readouterr().err
        assert told.count("\n") == 1
        assert "me.json" in told
    with pytest.raises(MlsError):
        Profile().save(me)
    assert me.read_text(encoding="utf-8") == damaged


def test_notes_fade_and_the_oldest_go() -> None:
    held = Profile().noting("more", "Ferries sail.").noting("more", "Trains run.")
    stems = held.stems("more")
    assert stems["fer"] == pytest.approx(FADES * stems["train"])
    assert held.noting("known", "Ferries sail.").stems("more").keys() == {"train", "run"}  # the new note counts
    for number in range(MOST_NOTES):
        held = held.noting("more", f"Note {number} of many.")
    assert len(held.notes) == MOST_NOTES


def test_without_anything_to_say_nothing_changes() -> None:
    general = Summarizer().summarize(TEXT, "1/8")
    strange = Profile().noting("more", "Quantum chromodynamics.").noting("known", "Zebras migrate.")
    assert Summarizer(strange.onto(Recipe.of("default"))).summarize(TEXT, "1/8").text == general.text
    assert Profile().onto(Recipe.of("default")) == Recipe.of("default")


def test_the_service_takes_a_profile_and_says_the_same() -> None:
    held = Profile().noting("more", "The fare will stay at $2.").noting("known", "The volunteer ferry will not close.")
    expected = Summarizer(held.onto(Recipe.of("default"))).summarize(TEXT, "1/8", about="insurance", ban=[4]).to_dict()
    with TestClient(create_app(Limits(workers=1))) as client:
        asked: dict[str, Any] = {"text": TEXT, "budget": "1/8", "about": "insurance", "ban": [4]}
        assert client.post("/api/summarize", json=asked).status_code == 200
        found = client.post("/api/summarize", json=asked | {"profile": held.to_dict()}).json()
        wrong = client.post("/api/summarize", json=asked | {"profile": {"version": 9}})
    assert found == json.loads(json.dumps(expected))
    assert wrong.status_code == 422
    assert "the profile is no profile: found version 9" in wrong.json()["detail"]
