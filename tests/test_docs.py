"""What the documentation says is so."""

from __future__ import annotations

import ast
import importlib
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest

from mls import Recipe, Summarizer
from mls.cli.main import app
from mls.explain.as_json import to_dict
from mls.recipe import FIELDS

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "mls"


def test_own_kernel_works_as_shown() -> None:
    blocks = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs" / "own-kernel.md").read_text(encoding="utf-8"), re.DOTALL
    )
    shown: dict[str, Any] = {}
    for block in blocks:
        exec(block, shown)
    text = "The harbour was quiet. In 2019 it had 40 boats and 112 sailors. People liked it. It was old."
    summary = shown["summarizer"].summarize(text, 12)
    assert summary.text == "In 2019 it had 40 boats and 112 sailors."
    assert summary.why(0).shares[-1].question == "Does it give figures?"
    assert "figures" in to_dict(summary)["weights"]


def test_recipes_work_as_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(block, {})
    (file,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "mine.toml").write_text(file, encoding="utf-8")
    assert Recipe.load("mine.toml") == Recipe.of("paper").changed({"sizes": [2, 1], "weights": {"topics": 0.5}})
    assert all(f"| `{name}` |" in page for name in FIELDS)
    example = Recipe.of("default").weighing({"position": 0.4}).weights
    shown = {"importance": 0.4, "centrality": 1 / 6, "position": 0.4, "salience": 1 / 30}
    assert example == pytest.approx(dict.fromkeys(example, 0.0) | shown)


def test_every_option_that_is_shown_is_one() -> None:
    """Of the commands in the documentation, every option is one that the command has."""
    for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        text = path.read_text(encoding="utf-8").replace("\\\n", " ")  # a command may go on in the next line
        for line in re.findall(r"^(?:\$ |    )(mls .*)$", text, re.MULTILINE):
            words = shlex.split(line.partition(" # ")[0].partition(" | ")[0])
            command: click.Command = app
            for word in words[1:]:
                if isinstance(command, click.Group):
                    command = command.commands.get(word) or app.commands["summarize"]
            known = {name for param in command.params for name in param.opts} | {"--help", "-h"}
            used = {word for word in words if re.match(r"--?[a-z]", word)}
            assert used <= known, f"{path.name}: {line}"


def _citing_functions() -> set[str]:
    """Everything whose docstring or comment cites an equation, as module:name."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        module = path.relative_to(SOURCE).with_suffix("").as_posix().replace("/", ".")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and "Paper: " in (ast.get_docstring(node) or ""):
                found.add(f"{module}:{node.name}")
    return found


def _listed() -> list[tuple[str, str]]:
    """The rows of the table in docs/paper.md: function and test."""
    text = (ROOT / "docs" / "paper.md").read_text(encoding="utf-8")
    return re.findall(r"^\|[^|]*\| `([\w.]+:\w+)` \| `([\w/.]+::\w+)` \|", text, re.MULTILINE)


def test_every_equation_is_listed_with_its_function() -> None:
    assert {function for function, _ in _listed()} == _citing_functions()


@pytest.mark.parametrize(("function", "test"), _listed())
def test_listed_functions_and_tests_exist(function: str, test: str) -> None:
    path, _, name = test.partition("::")
    assert re.search(rf"^def {name}\(", (ROOT / "tests" / path).read_text(encoding="utf-8"), re.MULTILINE)
    if "training" not in function:  # needs torch only to be imported
        module, _, name = function.partition(":")
        found = importlib.import_module(f"mls.{module}")
        assert name in ast.dump(ast.parse(Path(str(found.__file__)).read_text(encoding="utf-8")))


def test_readme_example_runs() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(block, {"text": (ROOT / "examples" / "news.txt").read_text(encoding="utf-8")})
    assert Summarizer().summarize("A. B.", 1).text
