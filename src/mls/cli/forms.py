"""`mls forms`: the shorter forms of a sentence."""

from __future__ import annotations

import click

from mls.cli.files import deliver, read_document
from mls.cli.options import file_argument, output_option
from mls.errors import MlsError
from mls.forms.ladder import Form
from mls.summarizer import Summarizer
from mls.text import tidy


@click.command()
@file_argument
@click.option("--sentence", "-s", type=int, help="Only this one, counted from 1.")
@output_option
def forms(file: str, sentence: int | None, output: str | None) -> None:
    """Show the shorter forms of each sentence of a text, and what each leaves out.

    FILE is what `mls summarize` takes; - reads standard input. A form leaves out parts of a
    sentence and says nothing that the sentence does not say. How much of it a form still
    tells is the product of what each part leaves.

    \b
    mls forms news.txt --sentence 3
    echo "The ferry, built in 1911, sank on Sunday." | mls forms -
    """
    analysis = Summarizer().read(read_document(file))
    ladders, sentences = analysis.ladders, analysis.document.sentences
    assert ladders is not None
    if sentence is not None and not 1 <= sentence <= len(sentences):
        raise MlsError(
            f"--sentence {sentence}: the text has {len(sentences)}; give a number from 1 to {len(sentences)}"
        )
    chosen = range(len(sentences)) if sentence is None else [sentence - 1]
    deliver("\n\n".join(_shown(i, ladders.forms(i), ladders.why_whole(i)) for i in chosen), output)


def _shown(index: int, forms: tuple[Form, ...], why_whole: str | None) -> str:
    """A sentence and, longest first, its forms: their length in tokens, how much of it they tell, what they lack."""
    lines = [f"{index + 1}. {tidy(forms[-1].text)}"]
    for form in forms[-2::-1]:
        lines.append(f"   {len(form.kept):3}  {form.text}")
        lines.append(f"        tells {form.share:.0%} of it, without: {_left_out(form)}")
    if len(forms) == 1:
        lines.append(f"   taken whole or not at all: {why_whole or 'nothing can go without changing what it says'}")
    return "\n".join(lines)


def _left_out(form: Form) -> str:
    """The parts that a form leaves out, by what they say, and what is lost with each."""
    return ", ".join(f"{part.role} (-{part.loss:.0%})" for part in form.dropped)
