"""What a user of the package meets: its names, what they cost to import, what they can do, and their types."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import venv
import zipfile
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import mls
from mls import Budget, Document, MlsError, Recipe, Summarizer, Summary
from mls.errors import MissingExtraError
from mls.explain.as_html import to_html
from mls.explain.as_json import to_dict, to_json
from mls.methods import BASELINES

ROOT = Path(__file__).parent.parent
NEWS = (ROOT / "examples" / "news.txt").read_text(encoding="utf-8")
STORY = (ROOT / "examples" / "story.txt").read_text(encoding="utf-8")


def printed(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout.strip()


def test_import_costs_next_to_nothing() -> None:
    """Nothing but the package itself, until a name is asked for; and of the heavy parts none, until one is used."""
    ours = "sorted(name for name in sys.modules if name.split('.')[0] == 'mls')"
    heavy = "[name for name in ('numpy', 'tomotopy', 'onnxruntime', 'rich', 'torch') if name in sys.modules]"
    assert printed(f"import sys, mls; print({ours}, {heavy})") == "['mls'] []"
    assert printed(f"import sys; from mls import Budget, MlsError; print({heavy})") == "[]"
    names = ", ".join(mls.__all__)
    assert printed(f"import sys; from mls import {names}; print({heavy})") == "['numpy']"


def test_a_command_waits_for_no_other() -> None:
    run = "import sys; sys.argv = ['mls', 'summarize', 'examples/news.txt']; from mls.__main__ import main"
    others = "batch corpora evaluation explain.as_html lab serve study training model prototype.beam".split()
    loaded = f"[name for name in {others} if f'mls.{{name}}' in sys.modules]"
    program = f"{run}\ntry: main()\nexcept SystemExit: print({loaded}, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stderr.strip() == "[]"


def test_the_package_has_its_names_and_no_others() -> None:
    assert mls.__all__ == [
        "Budget",
        "Document",
        "Kernel",
        "MlsError",
        "Prototype",
        "Recipe",
        "Summarizer",
        "Summary",
        "read_document",
    ]
    for name in mls.__all__:
        assert getattr(mls, name).__name__ == name
        assert name in dir(mls)
    with pytest.raises(AttributeError, match="module 'mls' has no attribute 'Summariser'"):
        mls.Summariser  # noqa: B018


def test_errors_are_what_python_users_catch() -> None:
    with pytest.raises(ValueError, match="budget 'much'"):
        Summarizer().summarize(NEWS, "much")
    error = MissingExtraError("reading .pdf files", "pypdfium2", "files")
    assert isinstance(error, ImportError)
    assert isinstance(error, MlsError)
    assert isinstance(error, ValueError)
    assert error.name == "pypdfium2"
    assert str(error).startswith("reading .pdf files needs `pypdfium2`, which is not installed: pip install")


# ---- a summary ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def summary() -> Summary:
    return Summarizer().summarize(NEWS, "1/8")


def test_a_summary_tells_itself(summary: Summary) -> None:
    assert summary.to_dict() == to_dict(summary)
    assert summary.to_json() == to_json(summary)
    assert summary.to_html() == to_html(to_dict(summary))
    assert str(summary) == summary.text
    assert repr(summary).startswith(f"<Summary {summary.length} of {summary.limit} tokens: 'The volunteer ferry")
    assert "\n" not in repr(Summarizer().summarize("It\nrained\n\non.", "100%"))


def test_the_explanation_as_text(summary: Summary) -> None:
    text = summary.explain()
    assert text.startswith("Summary at 1/8: ")
    for part in ("Why each sentence", "Where the room went", "Passed over"):
        assert f"\n{part}\n" in text
    assert "\x1b" not in text
    assert "\n\n\n" not in text
    assert all(line == line.rstrip() for line in text.split("\n"))
    assert max(map(len, text.split("\n"))) <= 100
    assert max(map(len, summary.explain(width=60).split("\n"))) <= 60
    assert BASELINES["lead"]().summarize(NEWS, "1/8").explain()


def test_a_notebook_shows_text_and_length_as_they_are(summary: Summary) -> None:
    assert f"<small>{summary.length} of {summary.limit} tokens, from {summary.document_length}</small>" in (
        summary._repr_html_()
    )
    hostile = Summarizer().summarize("<script>alert('x')</script> & more. Nobody minded.", "100%")._repr_html_()
    assert "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt; &amp; more." in hostile
    assert "<script" not in hostile


def test_json_says_of_which_form_and_by_which_recipe_it_is(summary: Summary) -> None:
    found = json.loads(summary.to_json())
    assert next(iter(found)) == "schema"
    assert found["schema"] == 7
    assert Recipe.from_dict(found["recipe"]) == summary.recipe == Recipe.of("default")
    assert found["recipe_digest"] == Recipe.of("default").digest()
    baseline = BASELINES["lead"]().summarize(NEWS, "1/8").to_dict()
    assert (baseline["schema"], baseline["recipe"], baseline["recipe_digest"]) == (7, None, None)


def test_other_weights_are_another_recipe() -> None:
    summarizer = Summarizer("light")
    analysis = summarizer.reweigh(summarizer.read(NEWS), {"position": 0.7})
    summary = summarizer.write(analysis, "1/8")
    assert summary.recipe == Recipe.of("light").weighing({"position": 0.7})
    assert summary.to_json() == Summarizer(summary.recipe).summarize(NEWS, "1/8").to_json()


# ---- a summarizer ------------------------------------------------------------------------------


@pytest.mark.parametrize("recipe", ["default", "light", "paper"])
def test_a_summarizer_pickles_before_and_after_use(recipe: str) -> None:
    summarizer = Summarizer(recipe)
    fresh = pickle.loads(pickle.dumps(summarizer))
    expected = summarizer.summarize(NEWS, "1/8").to_json()
    used = pickle.loads(pickle.dumps(summarizer))
    assert len(pickle.dumps(summarizer)) < 1000, "what it has opened stays here"
    for again in (fresh, used):
        assert again.recipe == summarizer.recipe
        assert again.summarize(NEWS, "1/8").to_json() == expected


def test_a_list_of_texts_gives_a_list_of_summaries() -> None:
    summarizer = Summarizer()
    both = summarizer.summarize([NEWS, Document.parse(STORY)], "1/8")
    assert [one.text for one in both] == [summarizer.summarize(text, "1/8").text for text in (NEWS, STORY)]
    assert [one.text for one in summarizer.summarize((NEWS,), "1/8")] == [both[0].text]
    assert summarizer.summarize([], "1/8") == []


@pytest.mark.parametrize(
    "budget", ["1/4", " 25 % ", 0.25, "0.25", np.float64(0.25), np.float32(0.25), Fraction(1, 4), Budget.parse("1/4")]
)
def test_a_quarter_in_any_form(budget: float) -> None:
    summarizer = Summarizer("light")
    limit = summarizer.summarize(NEWS, "25%").limit
    assert summarizer.summarize(NEWS, budget).limit == limit
    assert summarizer.levels(NEWS, [budget])[0].limit == limit
    assert summarizer.write(summarizer.read(NEWS), budget).limit == limit
    assert summarizer.summarize([NEWS], budget)[0].limit == limit


@pytest.mark.parametrize("budget", [60, "60", "60 tokens", np.int64(60)])
def test_sixty_tokens_in_any_form(budget: int) -> None:
    assert Summarizer("light").summarize(NEWS, budget).limit == 60


# ---- the wheel ---------------------------------------------------------------------------------

SCRIPT = """
from mls import Budget, Document, Kernel, MlsError, Prototype, Recipe, Summarizer, Summary


def with_head(recipe: Recipe, kernel: Kernel) -> Recipe:
    return recipe.adding(kernel, weight=0.4)


recipe: Recipe = Recipe.of("light").weighing({"position": 0.5}).without("topics")
summarizer = Summarizer(recipe)
one: Summary = summarizer.summarize("It rained.", "1/4")
texts = ["It rained.", "Nobody minded."]
many: list[Summary] = summarizer.summarize(texts, 0.25)
documents = [Document.parse(text) for text in texts]
more: list[Summary] = summarizer.summarize(documents, Budget.parse(120))
levels: list[Summary] = summarizer.levels("It rained.", ["1/8", 20])
text: str = one.text + one.to_json() + one.to_html() + one.explain()
draft: Prototype | None = one.prototype
made_by: Recipe | None = one.recipe
share: float = one.why(0).shares[0].weight
try:
    recipe.save("mine.toml")
except MlsError as error:
    problem: ValueError = error
summarizer.summarize(3)  # type: ignore[call-overload]
number: int = one.text  # type: ignore[assignment]
recipe.adding(3, weight=0.4)  # type: ignore[arg-type]
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment in which nothing but our wheel is unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    here = ["--no-build-isolation"] if find_spec("hatchling") else []
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", *here]
    subprocess.run([*build, "--wheel-dir", folder, ROOT], check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "env", with_pip=False, symlinks=True)
    (site,) = (folder / "env").glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return folder / "env" / "bin" / "python"


def alone() -> dict[str, str]:
    """The environment without ways to our source."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}


@pytest.mark.slow
def test_the_wheel_has_types_for_its_users(installed: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", installed, "--cache-dir", tmp_path]
    done = subprocess.run([*command, script], capture_output=True, text=True, env=alone(), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "Success: no issues found in 1 source file\n")


@pytest.mark.slow
def test_the_wheel_holds_what_it_needs_and_imports_without_its_dependencies(installed: Path) -> None:
    (package,) = installed.parent.parent.glob("lib/python*/site-packages/mls")
    for name in ("py.typed", "assets/model/config.json", "assets/model/weights.safetensors", "serve/page/index.html"):
        assert (package / name).is_file()
    version = subprocess.run([installed, "-c", "import mls; print(mls.__version__)"], capture_output=True, env=alone())
    assert version.stdout.decode().strip() == mls.__version__
