"""`mls batch` as people and machines treat it: killed, resumed, misused."""

from __future__ import annotations

import json
import lzma
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pyarrow
import pyarrow.parquet
import pytest

from batch_builders import write_rows
from mls.cli.main import main


def start(*arguments: object, stdin: int | None = None) -> subprocess.Popen[str]:
    given = arguments if "--workers" in arguments else (*arguments, "--workers", 1)  # each takes long to start
    command = [sys.executable, "-m", "mls", "batch", "--prototype", "greedy", *map(str, given)]
    return subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(*arguments: object, given: str | None = None) -> tuple[int, str]:
    process = start(*arguments, stdin=None if given is None else subprocess.PIPE)
    out, err = process.communicate(given)
    assert out == ""
    return process.returncode, err


def workers_of(pid: int) -> list[int]:
    """The worker processes of a job; a list that is out of date is no harm."""
    try:
        children = psutil.Process(pid).children()
        return [child.pid for child in children if "spawn_main" in " ".join(child.cmdline())]
    except psutil.Error:
        return []


def disturb(job: subprocess.Popen[str], whom: str, rng: random.Random) -> bool:
    """Kill a job or one of its workers at a random moment; whether that came to pass."""
    while job.poll() is None and not workers_of(job.pid) and (whom == "worker" or rng.random() > 0.01):
        time.sleep(0.01)
    try:
        job.wait(rng.uniform(0.0, 0.5))
    except subprocess.TimeoutExpired:
        victims = workers_of(job.pid) if whom == "worker" else [job.pid]
        try:
            os.kill(rng.choice(victims), signal.SIGKILL)
        except (ProcessLookupError, IndexError):
            return False
        return True
    return False


def test_killed_at_any_moment_the_output_is_the_same(tmp_path: Path) -> None:
    """Twelve kills at random moments, of workers and of the whole job, over as many jobs as that takes."""
    rows, output = write_rows(tmp_path / "in.jsonl", 300), tmp_path / "out.jsonl"
    parts, undisturbed = tmp_path / "out.jsonl.parts", tmp_path / "undisturbed.jsonl"
    assert run(rows, "-o", undisturbed, "--budgets", "1/4,9 words", "--workers", 2)[0] == 0
    rng = random.Random(7)
    kills = ["worker"] * 7 + ["job"] * 5
    rng.shuffle(kills)
    while kills or not output.exists() or parts.exists():
        if output.exists() and not parts.exists():
            output.unlink()
        job = start(rows, "-o", output, "--budgets", "1/4,9 words", "--workers", 2, *["--resume"] * parts.exists())
        while kills and job.poll() is None:
            if disturb(job, kills[-1], rng):
                kills.pop()
        _, err = job.communicate()
        assert job.returncode in (0, -signal.SIGKILL), err
        if not parts.exists():
            assert output.read_bytes() == undisturbed.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "out.jsonl", "undisturbed.jsonl"]


def test_a_changed_input_budget_or_model_is_refused_under_resume(tmp_path: Path) -> None:
    rows, output = write_rows(tmp_path / "in.jsonl", 40), tmp_path / "out.jsonl"
    job = start(rows, "-o", output)
    parts = output.with_name("out.jsonl.parts")
    while not (parts / "job.json").exists():
        assert job.poll() is None
    job.kill()
    job.communicate()
    code, err = run(rows, "-o", output, "--resume", "--budget", "1/8", "--wording", "draft")
    assert code == 2
    assert "--budget was 1/4 and is 1/8; --wording was forms and is draft" in err
    before = rows.read_text()
    rows.write_text(before.replace("d20", "dx"))
    code, err = run(rows, "-o", output, "--resume")
    assert (code, "the input changed between documents 17 and 32" in err) == (2, True)
    rows.write_text(before)
    assert run(rows, "-o", output)[0] == 2  # without --resume an unfinished job is not thrown away
    assert run(rows, "-o", output, "--resume")[0] == 0
    assert len(output.read_text().splitlines()) == 40


def test_a_file_that_breaks_off_is_refused_and_finished_parts_stay(tmp_path: Path) -> None:
    whole = lzma.compress(write_rows(tmp_path / "in.jsonl", 200).read_bytes())
    packed = tmp_path / "in.jsonl.xz"
    packed.write_bytes(whole[:-200])
    code, err = run(packed, "-o", tmp_path / "out.jsonl")
    assert code == 2
    assert err.startswith(f"mls: {packed} can't be read past its row ")
    assert err.count("\n") == 1
    packed.write_bytes(whole)
    assert run(packed, "-o", tmp_path / "out.jsonl", "--resume")[0] == 0


def test_standard_input_parquet_and_error_rows(tmp_path: Path) -> None:
    text = write_rows(tmp_path / "in.jsonl", 20).read_text()
    code, err = run("-", "-o", tmp_path / "out.parquet", "--columns", "summary=abstract", "--trace", given=text)
    assert (code, err) == (
        0,
        "note: documents with the id of an earlier one: 1; the column number tells them apart\n"
        f"wrote {tmp_path}/out.parquet: 20 documents; 2 failed, their rows say why in the column error\n",
    )
    assert run(tmp_path / "in.jsonl", "-o", tmp_path / "out.jsonl", "--columns", "summary=abstract", "--trace")[0] == 0
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    table = pyarrow.parquet.read_table(tmp_path / "out.parquet").to_pylist()
    for row in table:
        row["trace"] = row["trace"] and json.loads(row["trace"])
    assert table == [line | {"id": row["id"]} for line, row in zip(lines, table, strict=True)]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "out.txt"], "should end in .jsonl or .parquet"),
        (["-o", "no/folder/out.jsonl"], "no/folder/out.jsonl.parts can't be written"),
        (["-o", "/proc/out.jsonl"], "can't be written"),
        (["-o", "out.jsonl", "--budget", "2 parsecs"], "budget '2 parsecs' was not understood"),
        (["-o", "out.jsonl", "--budgets", ","], "names no budget"),
        (["-o", "out.jsonl", "--budget", "1,500 words"], "'1,500' may be one budget or several"),
        (["-o", "-", "--resume"], "-o - leaves none"),
        (["-", "-", "-o", "out.jsonl"], "standard input (-) is named twice"),
        (["-o", "in.jsonl"], "lies in the input in.jsonl"),
        ([".", "-o", "deeper/out.jsonl"], "lies in the input ."),
        (["-o", "out.jsonl", "--columns", "nose=x"], "there is no column 'nose'"),
        (["-o", "out.jsonl", "--columns", "summary"], "expected NAME=NEW"),
        (["-o", "out.jsonl", "--address", "auto"], "--address is for --engine ray"),
        (["-o", "out.jsonl", "--model", "nowhere", "--prototype", "pg-network"], "there is no model folder"),
    ],
)
def test_mistakes_are_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "in.jsonl", 3)
    assert call(monkeypatch, "in.jsonl", *arguments) == 2
    told = capsys.readouterr().err
    assert told.startswith("mls: ")
    assert said in told
    assert told.count("\n") == 1
    assert not (tmp_path / "out.jsonl").exists()


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """The exit code of the command, run in this process."""
    monkeypatch.setattr(sys, "argv", ["mls", "batch", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)


def test_a_run_in_which_all_fail_leaves_the_old_result_and_the_input(tmp_path: Path) -> None:
    text = write_rows(tmp_path / "in.jsonl", 3).read_text()
    output = tmp_path / "out.jsonl"
    output.write_text("a better result")
    code, err = run("-", "-o", output, "--text-field", "body", given=text)
    assert code == 2
    assert "all 3 documents failed; the first: column 'body' is missing (there is 'id', 'document')" in err
    assert f"the rows are in {tmp_path}/out.failed.jsonl, {output} is as it was" in err
    assert f"what came from standard input is kept in {tmp_path}/out.input.jsonl" in err
    assert output.read_text() == "a better result"
    assert (tmp_path / "out.failed.jsonl").read_text().count("column 'body' is missing") == 3
    assert (tmp_path / "out.input.jsonl").read_text() == text
    assert not (tmp_path / "out.jsonl.parts").exists()


def test_standard_input_that_was_stopped_goes_on_from_what_was_kept(tmp_path: Path) -> None:
    text, output = write_rows(tmp_path / "in.jsonl", 40).read_text(), tmp_path / "out.jsonl"
    job = start("-", "-o", output, stdin=subprocess.PIPE)
    assert job.stdin
    job.stdin.write(text)
    job.stdin.close()
    job.stdin = None
    while not (tmp_path / "out.jsonl.parts" / "job.json").exists():
        assert job.poll() is None
    job.kill()
    job.communicate()
    assert run("-", "-o", output, given="")[0] == 2  # not begun anew by mistake
    assert run("-", "-o", output, "--resume", given="not what was begun with")[0] == 0
    assert run(tmp_path / "in.jsonl", "-o", tmp_path / "whole.jsonl")[0] == 0
    assert output.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    code, err = run("-", "-o", output, "--resume", given=text)
    assert (code, err) == (0, f"{output} is finished already; leave out --resume to make it anew\n")


def test_folders_are_read_as_files_are_and_what_is_left_out_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "deeper").mkdir(parents=True)
    (folder / "a.md").write_text("# Ferry\n\nThe *ferry* stays for good.")
    (folder / "b.TXT").write_text("It rained all day.")
    (folder / "c.pdf").write_bytes(b"%PDF-1.4 broken")
    (folder / "d.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / "deeper" / "loop").symlink_to(folder)
    (folder / "nowhere.txt").symlink_to("nothing")
    code, err = run(folder, "-o", tmp_path / "out.jsonl", "--budget", "1")
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert code == 0
    assert [(row["id"], row["error"] is None) for row in rows] == [("a.md", True), ("b.TXT", True), ("c.pdf", False)]
    assert "*" not in rows[0]["summary"]
    names = f"{folder}/d.png, {folder}/deeper/loop, {folder}/nowhere.txt"
    assert f"left out, for mls can't read them: 3 files ({names})" in err


def test_rows_can_be_printed_and_failures_and_repeated_ids_are_said(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "in.jsonl", 17)
    arguments = ["batch", "--recipe", "light", "--workers", "1", str(rows), str(rows), "-o"]
    printed = subprocess.run([sys.executable, "-m", "mls", *arguments, "-", "--fail-on-error"], capture_output=True)
    assert printed.returncode == 2
    assert b"note: documents with the id of an earlier one: 18; the column number tells them apart\n" in printed.stderr
    assert b"mls: 4 documents failed (--fail-on-error); the first: column 'document' is no text" in printed.stderr
    assert subprocess.run([sys.executable, "-m", "mls", *arguments, str(tmp_path / "out.jsonl")]).returncode == 0
    assert printed.stdout == (tmp_path / "out.jsonl").read_bytes()


def test_help_teaches(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "--help") == 0
    shown = capsys.readouterr().out
    assert "--resume      after Ctrl-C or worse" in shown
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.ray
def test_ray_gives_the_same_bytes(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "in.jsonl", 60)
    assert run(rows, "-o", tmp_path / "local.jsonl", "--workers", 1)[0] == 0
    code, err = run(rows, "-o", tmp_path / "ray.jsonl", "--engine", "ray", "--workers", 2)
    assert code == 0, err
    assert (tmp_path / "ray.jsonl").read_bytes() == (tmp_path / "local.jsonl").read_bytes()
