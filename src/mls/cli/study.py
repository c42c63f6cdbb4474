"""`mls study`: people check facts from summaries that grow on request."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mls.budget import Budget
from mls.cli.extras import importing
from mls.cli.files import deliver, folder_to_write, write_whole
from mls.cli.mistakes import Commands
from mls.cli.options import named_values, recipe_options
from mls.cli.progress import progress
from mls.errors import MlsError
from mls.recipe import Recipe

if TYPE_CHECKING:
    from mls.study.power import Question
    from mls.study.report import Table
    from mls.study.results import Results
    from mls.study.store import Store

study_argument = click.argument("study", metavar="STUDY", type=click.Path(path_type=Path))


@click.group(cls=Commands)
def study() -> None:
    """Let people check facts from summaries that grow on request: which method tells them most, soonest?

    \b
    mls study create STUDY --data texts/ -q questions.jsonl --participants 12
    mls study simulate STUDY             are twelve people enough?
    mls study serve STUDY                the participants' page
    mls study results STUDY --report DIR
    """


@study.command()
@study_argument
@click.option(
    "--data",
    "-d",
    multiple=True,
    required=True,
    metavar="[NAME=]FILE",
    help="Documents: JSON lines with id and document, a .txt file, or a folder of .txt files. Once for each data set.",
)
@click.option("--questions", "-q", required=True, metavar="FILE", help="JSON lines with document, question, answer.")
@click.option("--methods", "-m", default="mls,a2,none,full", show_default=True, help="What to compare.")
@click.option(
    "--budgets",
    "-b",
    default="1/32,1/16,1/8,1/4,1/2",
    show_default=True,
    help="How long the texts are, from the first shown to the last.",
)
@click.option("--participants", "-n", required=True, type=int, help="How many people will take part.")
@click.option("--seed", default=1, show_default=True, help="Decides who sees what in which order.")
@click.option("--uneven-pairs", is_flag=True, help="Let some pairs of methods meet once more than others.")
@click.option("--a3", metavar="FOLDER", help="The model of the method a3, which does not ship.")
@recipe_options
def create(
    study: Path, recipe: Recipe, data: tuple[str, ...], questions: str, methods: str, budgets: str,
    participants: int, seed: int, uneven_pairs: bool, a3: str | None,
) -> None:  # fmt: skip
    """Make all texts and deal them out, in a balanced incomplete block design.

    Every setting (method x data set) is seen by the same number of people; nobody sees a document
    twice or more than two methods. Interrupted, it goes on when the same is asked for again.

    Methods: those of mls evaluate that need no reference (mls, paper, lead, random, a1, a2, ...), and the
    extremes none (no text) and full (the document). The recipe is that of the method mls.

    \b
    mls study create STUDY --data stories.jsonl --data essays.jsonl \\
        -q questions.jsonl --methods mls,a2,lead,none,full --participants 20
    mls study create STUDY --data news=folder/ -q questions.jsonl -n 12

    \b
    document:  {"id": "ferry", "document": "The ferry ..."} may have "set": "news"
    question:  {"document": "ferry", "question": "Is it free?", "answer": "yes"}
    """
    from mls.study.consent import DEFAULT_CONSENT
    from mls.study.create import StudyPlan
    from mls.study.create import create as make
    from mls.study.material import read_material

    wanted = [str(budget) for budget in Budget.parse_many(budgets)]
    plan = StudyPlan.checked(_parts(methods), wanted, participants, seed, uneven_pairs, recipe, a3)
    material = read_material(data, Path(questions))
    with progress("making the texts") as bar:
        store = make(study, plan, material, bar.show)
    _write_consent(study, DEFAULT_CONSENT.read_text(encoding="utf-8"))
    if material.unasked:
        print(f"{material.unasked} documents have no question and were left out", file=sys.stderr)
    _tell_made(study, store)


def _parts(given: str) -> list[str]:
    return [part.strip() for part in given.split(",") if part.strip()]


def _write_consent(study: Path, consent: str) -> None:
    """What the organizer needs in their hands beside the codes: a consent text to make their own."""
    from mls.study.consent import CONSENT

    if not (study / CONSENT).exists():
        write_whole(str(study / CONSENT), consent)


def _tell_made(study: Path, store: Store) -> None:
    people = store.value("SELECT count(*) FROM participants")
    documents = store.value("SELECT count(*) FROM documents")
    texts = store.value("SELECT count(*) FROM levels")
    print(f"{study}: {people} participants, {documents} documents, {texts} texts; nothing is missing", file=sys.stderr)
    print(f"  the codes to hand out, from the first on:  {study / 'codes.csv'}", file=sys.stderr)
    print(f"  the consent text, to be made your own:     {study / 'consent.txt'}", file=sys.stderr)
    print(f"  the participants' page:                    mls study serve {study}", file=sys.stderr)


@study.command()
@study_argument
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets other machines in.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 takes any free one.")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME",
              help="A name this server is called by; addresses and localhost always are.")  # fmt: skip
def serve(study: Path, host: str, port: int, hosts: tuple[str, ...]) -> None:
    """Serve the participants' page until Ctrl-C. Every answer is on the disk before the next text is shown.

    Who enters needs a code from codes.csv. A link may bring it along: http://HOST:PORT/#7KQ2-M0XA-9TPF

    \b
    mls study serve STUDY                  on this machine
    mls study serve STUDY --host 0.0.0.0   for phones in the same network
    """
    with importing("the participants' page", "fastapi", "serve"):
        from mls.serve.door import Door, Guarded
        from mls.serve.http import run
        from mls.study.server import make_app

    from mls.study.store import Store

    store = Store.open(study)
    try:
        guard = partial(Guarded, door=Door((*hosts, host)))
        run(make_app(store), host, port, "the study is at", grace=10.0, guard=guard)
    finally:
        store.close()


@study.command()
@study_argument
@click.option("--report", metavar="DIR", help="Write results.md, plot.svg and answers.csv there.")
def results(study: Path, report: str | None) -> None:
    """Print accuracy and time of every setting, where people answered, and how far they agree.

    \b
    mls study results STUDY
    mls study results STUDY --report DIR   and a plot, and all answers
    """
    from mls.study.report import summary_line, tables
    from mls.study.results import read_results
    from mls.study.store import Store

    folder = folder_to_write(report) if report is not None else None
    found = read_results(Store.open(study))
    deliver(summary_line(found), None)
    if found.outcomes:
        _print_tables(tables(found))
    if folder:
        _write_report(found, folder, f"mls study results {study} --report {report}")


def _write_report(found: Results, folder: Path, command: str) -> None:
    from mls import __version__
    from mls.study.plot import to_svg
    from mls.study.report import as_csv, as_markdown

    folder.mkdir(parents=True, exist_ok=True)
    write_whole(str(folder / "answers.csv"), as_csv(found))
    write_whole(str(folder / "plot.svg"), to_svg(found))
    write_whole(str(folder / "results.md"), as_markdown(found, command, __version__))
    print(f"wrote {folder / 'results.md'}, plot.svg and answers.csv", file=sys.stderr)


def _print_tables(found: list[Table]) -> None:
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table as RichTable

    console = Console(width=None if sys.stdout.isatty() else 80, highlight=False)
    for table in found:
        console.print(escape(table.title), style="bold")
        shown = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
        for position, name in enumerate(table.header):
            shown.add_column(escape(name), justify="left" if position == 0 else "right", overflow="fold")
        for row in table.rows:
            shown.add_row(*map(escape, row))
        console.print(shown)
        if table.note:
            console.print(escape(table.note), style="dim")
        console.print()


@study.command()
@study_argument
@click.option("--difference", default=0.2, show_default=True, help="The difference in accuracy to be shown.")
@click.option("--base", default=0.6, show_default=True, help="The accuracy of the worse of the two methods.")
@click.option("--power", default=0.8, show_default=True, help="How sure you want to be to see it.")
@click.option("--alike", default=0.1, show_default=True, help="How alike the answers of one person are (correlation).")
@click.option("--trials", default=2000, show_default=True, type=click.IntRange(100, 100_000), help="Studies a size.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0), help="Of the simulation.")
@click.option("--into", metavar="DIR", type=click.Path(path_type=Path), help="Let simulated people answer a copy.")
@click.option("--accuracy", metavar="NAME=SHARE,...", help="How often they are right under each method (with --into).")
@click.option("--http", "over_http", is_flag=True, help="All at once, through a server on this machine (with --into).")
def simulate(
    study: Path, difference: float, base: float, power: float, alike: float, trials: int, seed: int, into: Path | None,
    accuracy: str | None, over_http: bool,
) -> None:  # fmt: skip
    """Size a study before people are asked: how many participants show a difference?

    With --into, people of known accuracy answer a copy of the study, to try everything to the end.

    \b
    mls study simulate STUDY --difference 0.2 --power 0.8
    mls study simulate STUDY --into TRIAL \\
        --accuracy mls=0.8,a2=0.6,none=0.1,full=0.9
    mls study results TRIAL
    """
    from mls.study.power import Question
    from mls.study.store import Store

    if into is None and (accuracy is not None or over_http):
        raise MlsError("--accuracy and --http are for simulated people: say with --into DIR where their answers go")
    question = Question(base, difference, power, alike, trials, seed)
    question.check()
    store = Store.open(study)
    if into is None:
        _print_sizes(store, question)
    else:
        _let_answer(store, into, accuracy, question, over_http)


def _print_sizes(store: Store, question: Question) -> None:
    from mls.study.power import MOST_PARTICIPANTS, SIGNIFICANCE, Shape, sizes

    shape = Shape.of(store)
    better = question.accuracy + question.difference
    comparisons = len(shape.methods) - 1
    corrected = f", corrected for {comparisons} comparisons" if comparisons > 1 else ""
    deliver(
        f"People are right with probability {question.accuracy:g} under one method, {better:g} under another;\n"
        f"{question.trials:,} simulated studies of each size, p < {SIGNIFICANCE:g}{corrected}\n\n"
        "participants   people a setting   show the difference   false alarms",
        None,
    )
    enough = None
    for size in sizes(shape, question):
        row = f"{size.participants:12,}   {size.people_a_setting:16,}   {size.power:19.1%}   {size.false_alarms:12.1%}"
        deliver(row, None)
        enough = size.participants if size.power >= question.power else None
    if enough:
        deliver(f"\n{enough} participants show it with a power of {question.power:.0%}.", None)
    else:
        deliver(f"\nNot even {MOST_PARTICIPANTS:,} participants show it with a power of {question.power:.0%}.", None)


def _let_answer(store: Store, into: Path, accuracy: str | None, question: Question, over_http: bool) -> None:
    from mls.study.consent import consent_of
    from mls.study.create import check_complete, codes
    from mls.study.simulate import check_accuracy, key_of, say_simulated, simulate_here, simulate_over_http

    check_complete(store)
    given = named_values(accuracy, "--accuracy", "NAME=SHARE, such as mls=0.8", float) if accuracy else {}
    known = check_accuracy(store, given)
    consent = consent_of(store.path.parent)
    copy = store.copy_to(into)
    say_simulated(copy)
    people = list(codes(copy))
    _write_consent(into, consent)
    if over_http:
        with _serving(into) as url:
            simulate_over_http(url, people, key_of(copy), known, question.alike, question.seed)
    else:
        simulate_here(copy, people, known, question.alike, question.seed)
    _print_recovered(copy, known)
    copy.close()
    print(f"their answers are in {into}: mls study results {into}", file=sys.stderr)


def _print_recovered(store: Store, known: dict[str, float]) -> None:
    from mls.study.results import read_results

    found = read_results(store)
    deliver(f"{len(found.outcomes)} answers of {found.people.finished} simulated people", None)
    deliver("\nmethod         known   found   95% interval   seconds   95% interval", None)
    for method, value in known.items():
        one, taken = found.accuracy(method), found.seconds(method)
        if one and taken:
            right = f"{value:5.2f}   {one.mean:5.2f}   {one.low:.2f} to {one.high:.2f}"
            deliver(f"{method:12}   {right}   {taken.mean:7.1f}   {taken.low:.1f} to {taken.high:.1f}", None)


@contextmanager
def _serving(study: Path) -> Iterator[str]:
    """A server of its own process, ended afterwards."""
    import re
    import subprocess

    command = [sys.executable, "-m", "mls", "study", "serve", str(study), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            line = server.stderr.readline()
            found = re.search(r"http://\S+", line)
            if not found:
                raise MlsError(f"the study's server did not start: {line.strip()}")
            yield found[0]
        finally:
            server.terminate()
