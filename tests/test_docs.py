"""What the documentation says is so."""

from __future__ import annotations

import ast
import importlib
import re
import shlex
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import figures
import mls
import reference
import shown
from mls.cli.main import app
from mls.recipe import CHOICES, FIELDS, HEADS, PERSONAL, RECOGNISED
from mls.summary import HeadShare, Why

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "mls"


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHOWN = [page for page in PAGES if re.search(r"^```(console|python)$", page.read_text(encoding="utf-8"), re.MULTILINE)]


@pytest.mark.parametrize("page", SHOWN, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_what_a_page_shows_is_what_the_program_prints(page: Path) -> None:
    assert not shown.difference(page), "python tools/shown.py --write renews it; then read what has changed"


def test_figures_are_found_beside_their_commands(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# A\n\n    mls tune DATA/a.jsonl \\\n      --limit 2\n    mls tune DATA/b.jsonl\n\n| 1.5 | 2 |\n\n# B\n\n"
        "It took 7 s. `python benchmarks/core.py\n--sizes 3` printed 4.\n",
        encoding="utf-8",
    )
    found = [(one.command, one.figures) for one in figures.shown_in(page)]
    table = ("| 1.5 | 2 |",)
    assert found[:2] == [("mls tune DATA/a.jsonl --limit 2", table), ("mls tune DATA/b.jsonl", table)]
    assert found[2:] == [("python benchmarks/core.py --sizes 3", ("printed 4.",))]
    assert figures.printed("echo DATA/val.jsonl", "here") == "here/val.jsonl\n"


def test_figures_are_printed_without_hours_of_training_and_without_touching_what_ships(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# A\n\n    mls train DATA --out run\n\n1\n\n    python tools/judge.py --data DATA --out src/judge.npz\n\n2\n",
        encoding="utf-8",
    )
    assert [(one.command.split()[1], one.is_long) for one in figures.shown_in(page)] == [
        ("train", True),
        ("tools/judge.py", False),
    ]
    where = Path(figures.printed(f"echo --out {tmp_path}/src/judge.npz", "here").split()[-1])
    assert where.name == "judge.npz"
    assert not where.is_relative_to(tmp_path)


def test_figures_are_looked_for_wherever_they_are() -> None:
    commands = {
        (one.page.relative_to(ROOT).as_posix(), *one.command.split()[:3])
        for page in figures.PAGES
        for one in figures.shown_in(page)
    }
    assert {
        ("README.md", "python", "benchmarks/reading.py", "tally"),
        ("docs/judges.md", "python", "tools/cuts.py", "--data"),
        ("results/claims.md", "mls", "reproduce", "--data"),
    } <= commands


def test_commands_beside_figures_exist() -> None:
    shown_ = [one for page in figures.PAGES for one in figures.shown_in(page)]
    assert len(shown_) > 20
    for one in shown_:
        if one.command.startswith("python "):
            assert (ROOT / one.command.split()[1]).is_file(), one


def test_the_readme_is_short_and_shows_a_reason() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.split()) < 900
    first_screen = readme[: readme.index("\n## ")]
    for part in ("pip install", "```console\n$ mls", "Why each sentence", "```python", "![", "docs/tutorial.md"):
        assert part in first_screen


def test_recipes_are_told_in_full() -> None:
    page = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in page for name in FIELDS)
    heads = page[page.index("## Heads") : page.index("## Weights")]
    rows = re.findall(r"^\| (`[^|]*`) \|", heads, re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted({*HEADS, *PERSONAL})
    assert all(f"`{name}`" in page for choices in CHOICES.values() for name in choices if name != RECOGNISED)


def test_the_fields_of_reasons_are_listed() -> None:
    page = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    for kind in (Why, HeadShare):
        for name in [field.name for field in fields(kind)]:
            assert f"`{name}`" in page


def _commands(page: Path) -> Iterator[list[str]]:
    """The words of every command of ours that a page shows."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")  # a command may go on in the next line
    for line in re.findall(r"^(?:\$ | {4,8})?(mls .*)$", text, re.MULTILINE):
        yield shlex.split(line.partition(" # ")[0].partition(" | ")[0].partition(" > ")[0])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_option_that_is_shown_is_one(page: Path) -> None:
    """Of the commands in the documentation, every option is one that the command has."""
    for words in _commands(page):
        command: click.Command = app
        for word in words[1:]:
            if isinstance(command, click.Group):
                command = command.commands.get(word) or app.commands["summarize"]
        known = {name for param in command.params for name in param.opts} | {"--help", "-h", "--version"}
        used = {word for word in words if re.match(r"--?[a-z]", word)}
        assert used <= known, f"{page.name}: {words}"


def test_the_help_of_every_command_fits_a_terminal() -> None:
    page = reference.commands()
    assert all(len(line) <= reference.COLUMNS for line in page.splitlines() if not line.startswith("#")), page
    assert "\n## mls study create\n" in page
    assert all(f"\n## mls {name}\n" in page for name in app.commands)


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


# What the paper has, in its order: each is somewhere in the page's tables of what is done, otherwise or not.
ELEMENTS = """
    section 2.1|dist_1|Eq. 1|Q1|Q2|Q3|w_i|Eq. 3|section 2.2 C|E(s)|score(E)|Eq. 6|Eq. 7, 8|EOS|
    section 2.3: See et al.'s readout|section 2.3, fine-tuning|section 2.3: Adagrad|section 2.3: grid search|
    section 2.3, grid search|an external vocabulary of 80,000 words|the first 400 tokens|in its full size|
    section 3 A: 25% train|MSR-Narrative|Thinking Machines|
    section 3 B, ROUGE|py-rouge|section 3 B, METEOR|section 3 B, topics|section 3 B, sentiment|section 3 B, coherence|
    novel n-grams|baseline A1|baseline A2|baseline A3|MLS*|MLS+|randomized kernels|Tables 1-3|Fig. 4|Fig. 5|
    block design|Table 4|22 graduate students
""".replace("\n", "").split("|")


def test_every_element_of_the_paper_is_done_or_otherwise_or_not() -> None:
    text = (ROOT / "docs" / "paper.md").read_text(encoding="utf-8")
    before_the_claims = text[: text.index("## Every claim")]
    rows = [line.split("|")[1] for line in before_the_claims.splitlines() if line.startswith("|")]
    for element in map(str.strip, ELEMENTS):
        assert any(element in row for row in rows), element


def test_one_version_everywhere() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    latest, date = re.findall(r"^## (\S+) \((\S+)\)$", changes, re.MULTILINE)[0]
    assert latest == mls.__version__
    assert f"\nversion: {latest}\n" in citation
    assert f'\ndate-released: "{date}"\n' in citation
    assert CliRunner().invoke(app, ["--version"]).output == f"mls {latest}\n"
