"""The command line as a user meets it, in processes of its own where that matters."""

from __future__ import annotations

import importlib
import json
import os
import re
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mls import Summarizer, __version__
from mls.cli.extras import importing
from mls.cli.main import main
from mls.cli.options import workers_of
from mls.errors import MissingExtraError
from mls.explain.as_text import to_text
from mls.explain.check import check_reasons
from mls.workers import cores

ROOT = Path(__file__).parent.parent.parent
NEWS = ROOT / "examples" / "news.txt"


class Result:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def mls(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    def run(*arguments: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["mls", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return run


def test_summarize_prints_the_summary_and_nothing_else(mls) -> None:  # type: ignore[no-untyped-def]
    expected = Summarizer().summarize(NEWS.read_text(encoding="utf-8"), "1/8").text
    result = mls("summarize", NEWS, "--budget", "1/8")
    assert (result.code, result.out, result.err) == (0, expected + "\n", "")
    assert mls(NEWS, "--budget", "1/8").out == result.out
    assert mls("--budget", "1/8", NEWS).out == result.out


def test_json_has_the_promised_form(mls) -> None:  # type: ignore[no-untyped-def]
    found = json.loads(mls("summarize", NEWS, "--budget", "1/8", "--json", "--prototype", "pg-network").out)
    assert found["budget"] == {"requested": "1/8", "unit": "tokens", "limit": found["document_length"] // 8}
    assert found["length"] <= found["budget"]["limit"]
    assert found["prototype"]["generator"] == "pg-network"
    assert found["prototype"]["text"]
    for sentence in found["sentences"]:
        assert sentence["operation"] in ("copy", "brief", "expand", "shorten", "keyphrase", "document")
        assert sentence["text"] in found["text"]
        assert found["steps"][sentence["step"]]["step"] == sentence["step"]
    assert {"text", "notes", "weights", "steps"} <= set(found)


def test_levels(mls) -> None:  # type: ignore[no-untyped-def]
    found = json.loads(mls("levels", NEWS, "--budgets", "1/8, 280 chars ,40", "--json").out)
    assert [entry["budget"]["requested"] for entry in found] == ["1/8", "280 chars", "40 tokens"]
    text = mls("levels", NEWS).out
    assert text.startswith("1/32: ")


def test_explain(mls, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    brief = tmp_path / "brief.txt"  # a check makes a summary for each head and each sentence
    brief.write_text("\n".join(NEWS.read_text(encoding="utf-8").splitlines()[:9]), encoding="utf-8")
    text = mls("explain", brief, "--budget", "1/4", "--check").out
    for part in ("Why each sentence", "Where the room went", "Passed over", "without the head position"):
        assert part in text
    summarizer = Summarizer()
    summary = summarizer.summarize(brief.read_text(encoding="utf-8"), "1/4")
    assert text == to_text(summary, check_reasons(summarizer, summary), width=80), "as clean as in a file"
    page = tmp_path / "why.html"
    assert mls("explain", NEWS, "--html", page).err == f"wrote {page}\n"
    assert page.read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    found = json.loads(mls("explain", brief, "--json", "--check").out)
    assert {entry["head"] for entry in found["check"]["heads"]} == set(found["weights"])
    assert len(found["check"]["sentences"]) == len(found["sentences"])
    assert mls("explain", NEWS, "--json", "--html", page).code == 2
    assert mls("explain", NEWS, "-o", page, "--html", page).code == 2
    assert mls("explain", NEWS, "--html", "-").out == page.read_text(encoding="utf-8")
    shown = mls("explain", NEWS, "--budget", "1/8", "-o", "-").out
    assert mls("explain", NEWS, "--budget", "1/8", "-o", tmp_path / "why.txt").out == ""
    assert (tmp_path / "why.txt").read_text(encoding="utf-8") == shown
    assert mls("explain", NEWS, "--json", "-o", tmp_path / "why.json").out == ""
    assert json.loads((tmp_path / "why.json").read_text(encoding="utf-8"))["steps"]


def test_a_document_steers_neither_the_table_nor_the_terminal(mls, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    text = NEWS.read_text(encoding="utf-8")
    odd = tmp_path / "odd.txt"
    odd.write_text(re.sub(r"\bthe\b", "the [/b] [sic] \x1b]0;owned", text), encoding="utf-8")
    for prototype in ("pg-network", "greedy"):
        out = mls("explain", odd, "--budget", "1/8", "--prototype", prototype).out
        assert "[sic]" in out
        assert "\x1b" not in out


@pytest.mark.parametrize("command", ["summarize", "levels", "explain"])
def test_a_document_that_is_too_long_is_refused_and_the_limit_can_be_moved(mls, tmp_path: Path, command: str) -> None:  # type: ignore[no-untyped-def]
    for name, content in (("a.txt", "It rained. " * 10), ("a.md", "# It *rained*. " * 10)):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        result = mls(command, path, "--longest", 50, "--recipe", "light")
        assert (result.code, result.out) == (2, "")
        assert name in result.err
        assert "50" in result.err
        assert result.err.count("\n") == 1
        assert mls(command, path, "--longest", 200, "--recipe", "light").code == 0


def test_a_file_without_end_is_refused(mls, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("mls.cli.files._LARGEST", 1000)
    assert "larger than 4,000 bytes" in mls("/dev/zero", "--longest", 1000).err


def test_want_of_memory_is_one_line(mls, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    for error in (MemoryError(), RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried ...")):

        def fail(*_: object, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr("mls.cli.summarize.read_document", fail)
        result = mls(NEWS)
        assert (result.code, result.err.count("\n")) == (2, 1)
        assert "not enough memory" in result.err


@pytest.mark.parametrize("command", [(NEWS,), ("batch", NEWS, "-o", "-"), ("train", NEWS, "--out", "x")])
def test_a_loop_of_links_is_one_line(mls, tmp_path: Path, command: tuple[object, ...]) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    result = mls(*(tmp_path / "loop" if part == NEWS else part for part in command))
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert result.err.startswith("mls: ")


def test_ctrl_c_while_it_loads_is_no_failure() -> None:
    """What is imported first interrupts itself, as Ctrl-C might."""
    code = (
        "import sys, signal, os; sys.argv = ['mls', {command!r}]\n"
        "class Finder:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == {name!r}: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from mls.__main__ import main\n"
        "main()"
    )
    loading = [("x", "click"), ("x", "mls.cli.summarize"), ("x", "mls.summarizer")]
    for command, name in (*loading, ("serve", "uvicorn"), ("serve", "mls.serve.pool")):
        given = [sys.executable, "-c", code.format(command=command, name=name)]
        done = subprocess.run(given, capture_output=True, text=True)
        assert (done.returncode, done.stderr.strip()) == (130, "mls: interrupted")


def test_ctrl_c_waits_until_libraries_are_loaded() -> None:
    loaded = []
    with pytest.raises(KeyboardInterrupt), importing("a part", "library", "extra"):
        loaded.append(signal.raise_signal(signal.SIGINT))
    assert loaded
    with pytest.raises(MissingExtraError, match="a part needs `nothing`"), importing("a part", "library", "extra"):
        importlib.import_module("nothing.at_all")


def test_no_more_work_than_there_are_cores(mls, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """However many workers are asked for; and that it is so is said in one line."""
    (tmp_path / "rain.txt").write_text("It rained all day in Oslo. Nobody minded the rain.", encoding="utf-8")
    result = mls("batch", tmp_path / "rain.txt", "-o", tmp_path / "out.jsonl", "--recipe", "light", "--workers", 99_999)
    assert result.code == 0
    said = f"mls: 99,999 workers are asked for, and there are {cores()} cores: {cores()} work"
    assert result.err.splitlines().count(said) == 1


@given(st.none() | st.integers(1, 10**9))
def test_workers_are_as_many_as_asked_for_up_to_the_cores(asked: int | None) -> None:
    assert workers_of(asked) == min(asked or cores(), cores())


def test_notes_go_to_standard_error(mls, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    short = tmp_path / "short.txt"
    short.write_text("Just this.", encoding="utf-8")
    result = mls(short, "--budget", "100%")
    assert result.out == "Just this.\n"
    assert result.err.startswith("note: the budget holds the whole document")


@pytest.mark.parametrize("budget", ["0", "-3", "nan", "inf", "120%", "3/2", "7 parsecs", "", "1/0", "0.0", "2.5 words"])
def test_bad_budgets(mls, budget: str) -> None:  # type: ignore[no-untyped-def]
    result = mls("summarize", NEWS, f"--budget={budget}")
    assert result.code == 2
    assert result.out == ""
    assert result.err.count("\n") == 1
    assert result.err.startswith("mls: budget")


def test_bad_documents(mls, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    files = {"empty": b"", "blank": b" \n\t ", "binary": b"\x7fELF\x00\x01\x02", "latin": "Café olé.".encode("latin-1")}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    for name in (*files, "missing", "."):
        result = mls("summarize", tmp_path / name)
        assert result.code == 2, name
        assert result.out == ""
        assert result.err.count("\n") == 1
        assert result.err.startswith("mls: ")


def test_forms_tell_what_is_lost_with_each_part(mls) -> None:  # type: ignore[no-untyped-def]
    shown = mls("forms", NEWS, "--sentence", 2).out
    assert "The volunteer ferry will not close this month after all." in shown
    told, lost = re.findall(r"tells (\d+)% of it, without: which one \(-(\d+)%\)", shown)[0]
    assert int(told) + int(lost) in (99, 100, 101)
    assert mls("forms", NEWS, "--sentence", 0).code == 2


def test_bad_weights(mls) -> None:  # type: ignore[no-untyped-def]
    for weights in ("topics", "topics=x", "topics=2", "topics=nan", "nose=1.0", "topics=1,topics=1"):
        assert mls(NEWS, "--recipe", "paper", "--weights", weights).code == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sumarize", "news.txt"], "there is no command and no file 'sumarize'; did you mean summarize?"),
        (["news.txt", "--bugdet", "1/4"], "there is no option --bugdet; did you mean --budget?"),
        (["--bugdet", "1/4", "news.txt"], "there is no option --bugdet; did you mean --budget?"),
        (["--versoin"], "there is no option --versoin; did you mean --version?"),
        (["levels", "news.txt", "--bugdets=1/4"], "there is no option --bugdets; did you mean --budgets?"),
        (["study", "crate", "here"], "there is no command 'crate'; did you mean create?"),
        (["profile", "shw"], "there is no command 'shw'; did you mean show?"),
        (["forms", "--jsn"], "there is no option --jsn; see mls forms --help"),
        (["forms", "--sentences", "1"], "there is no option --sentences; did you mean --sentence?"),
        (["study", "zzz"], "there is no command 'zzz'; see mls study --help"),
        (["study", "serve", "here", "--prot", "1"], "there is no option --prot; did you mean --port?"),
        (["news.txt", "-x"], "there is no option -x; see mls summarize --help"),
        (["summarize"], "missing argument 'FILE|-'; see mls summarize --help"),
        (["news.txt", "more.txt"], "got unexpected extra argument (more.txt); see mls summarize --help"),
        (["news.txt", "--budget"], "option '--budget' requires an argument; see mls --help"),
        (["serve", "--port", "x"], "invalid value for '--port': "),
        (["batch", "in.jsonl", "-o", "out.jsonl", "--engine", "magic"], "invalid value for '--engine': "),
        (["batch", "in.jsonl"], "missing option '--output'"),
        (["news.txt", "--recipe", "papre"], "there is no recipe called 'papre'; did you mean 'paper'?"),
        (["news.txt", "--wording", "sorce"], "wording: there is no 'sorce'; did you mean 'source'?"),
        (["news.txt", "--weights", "centralty=1"], "there is no head called 'centralty'; did you mean 'centrality'?"),
        (["news.txt", "--sizes", "3;2"], "--sizes: found '3;2', expected numbers"),
    ],
)
def test_mistakes_are_one_line_that_says_what_was_meant(mls, arguments: list[str], said: str) -> None:  # type: ignore[no-untyped-def]
    result = mls(*arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"mls: {said}")
    assert result.err.count("\n") == 1


def test_a_file_called_almost_like_a_command_is_a_file(mls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "level").write_text("It rained. Nobody minded.", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert mls("level", "--budget", "100%").out == "It rained. Nobody minded.\n"


def test_output_is_whole_or_untouched(mls, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    target = tmp_path / "summary.txt"
    target.write_text("old", encoding="utf-8")
    assert mls(NEWS, "--budget", "zero", "--output", target).code == 2
    assert target.read_text(encoding="utf-8") == "old"
    target.chmod(0o640)
    assert mls(NEWS, "--output", target).code == 0
    assert target.read_text(encoding="utf-8").startswith("The volunteer ferry")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["summary.txt"]
    for nowhere in (tmp_path / "no" / "folder.txt", tmp_path):
        result = mls(NEWS, "--output", nowhere)
        assert result.code == 2
        assert "can't be written" in result.err


def test_version_and_help(mls) -> None:  # type: ignore[no-untyped-def]
    assert mls("--version").out == f"mls {__version__}\n"
    assert "summarize" in mls("--help").out
    assert "280 chars" in mls("summarize", "--help").out
    assert mls().out == mls("--help").out
    assert mls("study").out == mls("study", "--help").out


def _process(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", "from mls.cli.main import main; main()", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, env={**os.environ, "PYTHONUTF8": "1"})


def test_standard_input_with_a_byte_order_mark_and_crlf() -> None:
    text = b"\xef\xbb\xbfIt rained for days.\r\nThe river rose above the quay.\r\nThe mayor closed the bridge.\r\n"
    done = _process("-", "--budget", "1/2", stdin=text)
    assert done.returncode == 0
    assert b"\r" not in done.stdout
    assert not done.stdout.startswith(b"\xef\xbb\xbf")
    assert done.stdout.decode("utf-8").strip()


def test_a_link_stays_a_link_and_a_device_a_device(mls, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    target, link = tmp_path / "real.txt", tmp_path / "link.txt"
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)
    assert mls(NEWS, "--output", link).code == 0
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8").startswith("The volunteer ferry")
    assert mls(NEWS, "--output", "/dev/null").code == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_full_disk_and_a_closed_output_are_named() -> None:
    for redirection in ("> /dev/full", ">&-"):
        command = f"{sys.executable} -c 'from mls.cli.main import main; main()' {NEWS} --prototype greedy {redirection}"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
        assert done.returncode == 2
        assert done.stderr.startswith("mls: standard output")
        assert done.stderr.count("\n") == 1


def test_utf8_comes_out_whatever_the_locale() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from mls.cli.main import main; main()", "-", "-b", "100%"],
        input="Žižkov naïve.".encode(),
        capture_output=True,
        env={**os.environ, "LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert done.stdout.decode("utf-8") == "Žižkov naïve.\n"


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -c 'from mls.cli.main import main; main()' summarize {NEWS} --json | head -c 10"
    done = subprocess.run(["bash", "-c", command], capture_output=True)
    assert done.stderr == b""
