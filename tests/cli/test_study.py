"""`mls study` as its organizer meets it, with the example that ships."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mls.cli.main import main
from mls.study import power

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = (
    "--data", ROOT / "examples", "--data", ROOT / "examples" / "study" / "letters",
    "--questions", ROOT / "examples" / "study" / "questions.jsonl", "--methods", "lead,a1,random,none,full",
)  # fmt: skip
ACCURACY = "lead=0.8,a1=0.6,random=0.5,none=0,full=1"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def mls(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["mls", "study", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        captured = capsys.readouterr()
        return int(stop.value.code or 0), captured.out, captured.err

    return run


def test_the_example_from_the_first_command_to_the_report(mls: Run, tmp_path: Path) -> None:
    study, trial, report = tmp_path / "study", tmp_path / "trial", tmp_path / "deep" / "report"
    code, out, err = mls("create", study, *EXAMPLE, "--participants", 10)
    assert (code, out) == (0, "")
    assert "10 participants, 6 documents" in err
    codes = (study / "codes.csv").read_text("utf-8").split()
    assert len(codes) == 11
    assert re.fullmatch(r"(\w{4}-){2}\w{4}", codes[1])
    (study / "consent.txt").write_text("My own text.", "utf-8")
    assert mls("create", study, *EXAMPLE, "--participants", 10)[0] == 0
    assert (study / "codes.csv").read_text("utf-8").split() == codes
    assert (study / "consent.txt").read_text("utf-8") == "My own text."

    code, out, _ = mls("results", study)
    assert (code, out) == (0, "10 participants: 0 finished, 0 under way, 10 without an answer yet; 0 answers\n")
    code, out, err = mls("simulate", study, "--into", trial, "--accuracy", ACCURACY)
    assert code == 0
    assert re.search(r"^none +0\.00 +0\.00 ", out, re.MULTILINE)
    assert re.search(r"^full +1\.00 +1\.00 ", out, re.MULTILINE)
    taken = {name: float(seconds) for name, seconds in re.findall(r"^(none|full) .* to \S+ +(\S+) ", out, re.MULTILINE)}
    assert 0 < taken["none"] < taken["full"]
    assert (trial / "consent.txt").read_text("utf-8") == "My own text."
    assert mls("results", study)[1].endswith("0 answers\n"), "the study itself stays untouched"

    code, out, err = mls("results", trial, "--report", report)
    assert code == 0
    assert "10 finished" in out
    assert "Nobody took part" in out
    assert all(len(line) <= 80 for line in out.splitlines())
    assert sorted(path.name for path in report.iterdir()) == ["answers.csv", "plot.svg", "results.md"]
    assert (report / "answers.csv").read_text("utf-8").count("\n") == 61


def test_sizes(mls: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mls("create", tmp_path / "study", *EXAMPLE, "--participants", 10)
    code, out, _ = mls("simulate", tmp_path / "study", "--difference", 0.4, "--base", 0.5, "--trials", 300)
    assert code == 0
    assert re.search(r"^\d+ participants show it with a power of 80%\.$", out, re.MULTILINE)
    monkeypatch.setattr(power, "MOST_PARTICIPANTS", 30)
    code, out, _ = mls("simulate", tmp_path / "study", "--difference", 0.01, "--power", 0.99, "--trials", 100)
    assert "Not even 30 participants" in out


def test_mistakes_are_one_line(mls: Run, tmp_path: Path) -> None:
    study = tmp_path / "study"
    mls("create", study, *EXAMPLE, "--participants", 10)
    for arguments, expected in (
        (("create", tmp_path / "x", *EXAMPLE, "--participants", 11), "10 or 20 can"),
        (("create", tmp_path / "x", *EXAMPLE, "--participants", 10, "--methods", "lead,bert"), "no method called"),
        (("create", study, *EXAMPLE, "--participants", 10, "--weights", "position=0.9"), "a study with another recipe"),
        (("create", tmp_path / "x", *EXAMPLE, "-n", 10, "--wording", "sorce"), "did you mean 'source'?"),
        (("create", tmp_path / "x", "--data", "nowhere", "-q", "nowhere", "-n", 2), "there is no file or folder"),
        (("results", tmp_path / "x"), "there is no study in"),
        (("serve", tmp_path / "x"), "there is no study in"),
        (("simulate", tmp_path / "x"), "there is no study in"),
        (("simulate", study, "--accuracy", "lead=1"), "say with --into"),
        (("simulate", study, "--into", tmp_path / "y", "--accuracy", "lead"), "expected NAME=SHARE"),
        (("simulate", study, "--into", tmp_path / "y"), "give one for each method"),
        (("simulate", study, "--into", study, "--accuracy", ACCURACY), "is not empty"),
        (("results", study, "--report", ROOT / "README.md"), "can't be a folder"),
    ):
        code, _, err = mls(*arguments)
        assert code == 2, arguments
        assert expected in err
        assert err.count("\n") == 1
        assert err.startswith("mls: ")
    assert not (tmp_path / "x").exists()
    assert not (tmp_path / "y").exists()


@pytest.mark.parametrize("command", ["", "create", "serve", "results", "simulate"])
def test_help_teaches_with_examples(mls: Run, command: str) -> None:
    code, out, _ = mls(*command.split(), "--help")
    assert code == 0
    assert "mls study " in out.split("Usage:")[1].split("\n", 1)[1]
