"""Making a study: checked before anything is made, resumable, never mixed with another."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from mls.budget import Budget
from mls.errors import MlsError
from mls.study import create as making
from mls.study.create import StudyPlan, check_complete, codes, create
from mls.study.material import read_material
from mls.study.methods import Level, check_methods, texts_of
from mls.study.store import FILE, Store
from mls.study.visit import Visits
from mls.text import Document
from small_study import METHODS, small_material, small_study

PLAN = StudyPlan.checked(METHODS, ("1/4", "1/2"), 12, 1, False)


def lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


DOCUMENT = {"id": "a", "document": "It rained. Nobody minded."}
QUESTION = {"document": "a", "question": "Did it rain?", "answer": "yes"}


def test_material_of_every_kind(tmp_path: Path) -> None:
    folder = tmp_path / "letters"
    folder.mkdir()
    (folder / "b.txt").write_text("Dear Ann. It snowed.", "utf-8")
    (tmp_path / "c.txt").write_text("The sun shone. All was well.", "utf-8")
    data = lines(
        tmp_path / "news.jsonl",
        DOCUMENT,
        {"id": "d", "document": "It hailed.", "set": "ice"},
        {"id": "e", "document": "x"},
    )
    asked = lines(
        tmp_path / "q.jsonl", QUESTION, *({**QUESTION, "document": name, "answer": " NO "} for name in "bcd"), "\n"
    )
    material = read_material([str(data), f"post={folder}", str(tmp_path / "c.txt")], asked)
    assert material.sets == {"news": ["a"], "ice": ["d"], "post": ["b"], "c": ["c"]}
    assert [question.answer for question in material.questions] == ["yes", "no", "no", "no"]
    assert material.unasked == 1


@pytest.mark.parametrize(
    ("documents", "questions", "expected"),
    [
        (["{"], [], "news.jsonl:1: not JSON"),
        ([{"id": "a"}], [], "news.jsonl:1: 'id' and 'document' must be texts"),
        ([DOCUMENT, DOCUMENT], [], "news.jsonl:2: the id 'a' was used at"),
        ([DOCUMENT, {**DOCUMENT, "id": "b"}], [], "news.jsonl:2: the same text stands at"),
        ([{**DOCUMENT, "document": " \u200b "}], [], "there is no word in it"),
        ([{**DOCUMENT, "document": "half \ud83d"}], [], "lone surrogate"),
        ([{**DOCUMENT, "id": "\x1b[2J"}], [], "can't be printed"),
        ([{**DOCUMENT, "set": "\ud83d"}], [], "can't be printed"),
        ([DOCUMENT], [{**QUESTION, "question": "half \ud83d"}], "lone surrogate"),
        ([DOCUMENT], ["[]"], "q.jsonl:1: found a list"),
        ([DOCUMENT], [{**QUESTION, "document": "z"}], "there is no document with the id 'z'"),
        ([DOCUMENT], [{**QUESTION, "answer": "maybe"}], "the answer is 'maybe', expected yes or no"),
        ([DOCUMENT], [{**QUESTION, "answer": True}], "must be texts"),
        ([DOCUMENT], [{**QUESTION, "question": " "}], "must be texts"),
        ([DOCUMENT], [{**QUESTION, "question": "x" * 501}], "at most 500"),
        ([DOCUMENT], [QUESTION, QUESTION], "q.jsonl:2: the same question stands at"),
        ([DOCUMENT], [], "no question on any document of news"),
        ([DOCUMENT, {"id": "b", "document": "Other.", "set": "ice"}], [QUESTION], "no question on any document of ice"),
        ([DOCUMENT], [*[{**QUESTION, "answer": ""}] * 7], "; and 2 more"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_made(
    tmp_path: Path, documents: list[object], questions: list[object], expected: str
) -> None:
    data, asked = lines(tmp_path / "news.jsonl", *documents), lines(tmp_path / "q.jsonl", *questions)
    with pytest.raises(MlsError) as error:
        read_material([str(data)], asked)
    assert expected in str(error.value)
    assert "\n" not in str(error.value)


def test_missing_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for data in (tmp_path / "nothing", tmp_path / "empty"):
        with pytest.raises(MlsError, match="give"):
            read_material([str(data)], tmp_path / "q.jsonl")
    with pytest.raises(MlsError, match="there is no file"):
        read_material([str(lines(tmp_path / "a.jsonl", DOCUMENT))], tmp_path / "q.jsonl")


@pytest.mark.parametrize(
    ("methods", "budgets", "people", "expected"),
    [
        (("mls", "mls"), ("1/2",), 2, "none twice"),
        ((), ("1/2",), 2, "at least one"),
        (("bert",), ("1/2",), 2, "no method called 'bert' for a study in this version; choose from mls"),
        (("oracle",), ("1/2",), 2, "no method called 'oracle'"),
        (("mls",), (), 2, "--budgets are none"),
        (("mls",), ("1/2", "1/4"), 2, "from the shortest to the longest"),
        (("mls",), ("1/4", "1/4"), 2, "from the shortest to the longest"),
        (("mls",), ("1/4", "50 words"), 2, "in one unit"),
        (("mls",), ("1/4",), 10**9, "at most 10,000"),
    ],
)
def test_plans_that_can_not_be(methods: tuple[str, ...], budgets: tuple[str, ...], people: int, expected: str) -> None:
    with pytest.raises(MlsError) as error:
        StudyPlan.checked(methods, budgets, people, 1, False)
    assert expected in str(error.value)


def test_a_design_that_can_not_be_had_makes_nothing(tmp_path: Path) -> None:
    plan = StudyPlan.checked(METHODS, ("1/2",), 13, 1, False)
    with pytest.raises(MlsError, match="12 or 24 can"):
        create(tmp_path / "study", plan, small_material(), lambda done, total: None)
    assert not (tmp_path / "study").exists()


def test_an_interrupted_making_goes_on_without_doing_anything_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    class PowerCutError(Exception):
        pass

    def counted(name: str, budgets: object, *how: object) -> Callable[[str], list[Level]]:
        texts = texts_of(name, budgets, *how)  # type: ignore[arg-type]

        def make(text: str) -> list[Level]:
            made.append(name + text)
            if len(made) == 9:
                raise PowerCutError
            return texts(text)

        return make

    monkeypatch.setattr(making, "texts_of", counted)
    with pytest.raises(PowerCutError):
        create(tmp_path, PLAN, small_material(), lambda done, total: None)
    begun = Store.open(tmp_path)
    before = list(codes(begun)), begun.value("SELECT count(DISTINCT method || document) FROM levels")
    assert before[1] == 8
    with pytest.raises(MlsError, match="lacks 16 texts"):
        check_complete(begun)
    begun.close()
    seen: list[tuple[int, int]] = []
    store = create(tmp_path, PLAN, small_material(), lambda done, total: seen.append((done, total)))
    check_complete(store)
    assert seen == [(done, 24) for done in range(8, 25)]
    assert len(made) == 25
    assert len(set(made)) == 24
    assert list(codes(store)) == before[0]
    store.close()


def test_another_plan_is_refused_for_the_same_folder(tmp_path: Path) -> None:
    small_study(tmp_path).close()
    other = small_material()
    for plan, material, expected in (
        (StudyPlan.checked(METHODS, ("1/4", "1/2"), 24, 1, False), small_material(), "participants 12, now 24"),
        (StudyPlan.checked(METHODS, ("1/8", "1/2"), 12, 1, False), small_material(), "budgets 1/4,1/2, now 1/8,1/2"),
        (StudyPlan.checked(METHODS, ("1/4", "1/2"), 12, 2, False), small_material(), "seed 1, now 2"),
        (PLAN, type(other)(other.documents[:5] + other.documents[4:5], other.questions, 0), "other documents"),
    ):
        with pytest.raises(MlsError, match=expected):
            create(tmp_path, plan, material, lambda done, total: None)


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine", "utf-8")
    with pytest.raises(MlsError, match="not empty"):
        small_study(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_what_is_no_study_is_told(tmp_path: Path) -> None:
    with pytest.raises(MlsError, match="there is no study in"):
        Store.open(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(MlsError, match="choose a folder"):
        Store.make(tmp_path / "file" / "study")
    (tmp_path / FILE).touch()
    with pytest.raises(MlsError, match="was never finished"):
        Store.open(tmp_path)
    (tmp_path / FILE).write_bytes(b"this is no database at all, but long enough to look like one" * 20)
    with pytest.raises(MlsError, match="can't be used as a study"):
        Store.open(tmp_path)


def test_codes_differ_and_do_not_follow_from_the_seed(tmp_path: Path) -> None:
    first, second = small_study(tmp_path / "a"), small_study(tmp_path / "b")
    found = [*codes(first), *codes(second)]
    assert len(set(found)) == 24
    query = "SELECT participant, position, method, document FROM items ORDER BY participant, position"
    assert [tuple(row) for row in first.rows(query)] == [tuple(row) for row in second.rows(query)]


def test_codes_are_kept_hashed_and_files_for_their_owner_alone(tmp_path: Path) -> None:
    store = small_study(tmp_path / "study")
    for path in (tmp_path / "study", *(tmp_path / "study").glob("study.sqlite*"), tmp_path / "study" / "codes.csv"):
        assert not path.stat().st_mode & 0o077, path
    store.close()
    kept = b"".join(path.read_bytes() for path in (tmp_path / "study").glob("study.sqlite*"))
    assert not any(code.encode() in kept for code in codes(store))


def test_a_study_of_the_first_form_is_brought_up_to_this_one(tmp_path: Path) -> None:
    store = small_study(tmp_path / "study")
    handed_out = list(codes(store))
    for number, code in enumerate(handed_out, start=1):
        store.run("UPDATE participants SET code = ? WHERE number = ?", code, number)
    store.run("PRAGMA user_version = 1")
    store.close()
    assert Visits(Store.open(tmp_path / "study")).enter(handed_out[0].lower())[0]


@pytest.mark.parametrize("name", ["mls", "paper", "lead", "random", "a1", "a2"])
def test_texts_grow_and_keep_their_budget(name: str) -> None:
    check_methods([name])
    budgets = [Budget.parse(budget) for budget in ("1/32", "1/16", "1/8", "1/4", "1/2")]
    text = " ".join(document.text for document in small_material().documents)
    levels = texts_of(name, budgets)(text)
    assert 1 < len(levels) <= 5
    for level in levels:
        limit = Budget.parse(level.budget).limit(Document.parse(text))
        assert Budget.parse("9 tokens").measure.length(level.text) <= limit
    for shorter, longer in pairwise(levels):
        assert shorter.text != longer.text


def test_a3_needs_a_model_and_a_model_must_be_one(tmp_path: Path) -> None:
    with pytest.raises(MlsError, match="mls train --network convolutional"):
        StudyPlan.checked(("mls", "a3"), ("1/4",), 12, 1, False)
    with pytest.raises(MlsError, match="there is no model folder"):
        StudyPlan.checked(("mls", "a3"), ("1/4",), 12, 1, False, a3=str(tmp_path / "nowhere"))
