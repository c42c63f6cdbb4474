"""`mls profile`: what a reader wants more of and knows already, in a file of one's own."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from mls.cli.files import read_document
from mls.cli.mistakes import Commands
from mls.cli.options import numbers_of_sentences
from mls.errors import MlsError
from mls.profile import KNOWN, MORE, Profile
from mls.text import Document, tidy, without_controls

_profile = click.argument("profile", metavar="PROFILE")
_document = click.argument("file", metavar="FILE|-")
_numbers = click.argument("numbers", metavar="N,...")


@click.group(cls=Commands)
def profile() -> None:
    """Keep a file of what you want more of and what you know already.

    `--profile me.json` makes two heads of it: what you like to read of counts for a sentence, what you know
    already against it, and older notes ever less. The file is yours: plain JSON, to be read and edited, never
    sent anywhere.

    \b
    mls profile more me.json news.txt 12      more of what sentence 12 says
    mls profile known me.json news.txt 3,4    nothing new in 3 and 4
    mls profile show me.json
    mls news.txt --profile me.json
    """


@profile.command()
@_profile
@_document
@_numbers
def more(profile: str, file: str, numbers: str) -> None:
    """Note that you want more of what some sentences say, by their numbers in `mls explain`.

    \b
    mls profile more me.json news.txt 12
    """
    _note(profile, file, numbers, MORE)


@profile.command()
@_profile
@_document
@_numbers
def known(profile: str, file: str, numbers: str) -> None:
    """Note that you know what some sentences say, by their numbers in `mls explain`.

    \b
    mls profile known me.json news.txt 3,4
    """
    _note(profile, file, numbers, KNOWN)


@profile.command()
@_profile
def show(profile: str) -> None:
    """Show what a profile holds, the latest note first, and which words count for most.

    \b
    mls profile show me.json
    """
    held = Profile.load(profile)
    for said, meaning in ((MORE, "You want more of"), (KNOWN, "You know already")):
        notes = [note for note in held.notes if note.said == said]
        print(f"{meaning} ({len(notes)})")
        for note in reversed(notes):
            print(f"  {without_controls(tidy(note.text))}")
        stems = held.stems(said)
        words = sorted(stems, key=lambda one: (-stems[one], one))[:12]
        print(f"  stems that count for most: {', '.join(words) or 'none yet'}\n")


@profile.command()
@_profile
def reset(profile: str) -> None:
    """Empty a profile. A file that is no profile stays as it is.

    \b
    mls profile reset me.json
    """
    forgotten = len(Profile.load(profile).notes)
    Profile().save(profile)
    print(f"{profile} is empty now; notes that were in it: {forgotten}", file=sys.stderr)


def _note(name: str, file: str, numbers: str, said: str) -> None:
    held = Profile.load(name) if Path(name).exists() else Profile()
    sentences = Document.of(read_document(file)).sentences
    for index in numbers_of_sentences(numbers, "the sentences"):
        if not 0 <= index < len(sentences):
            raise MlsError(f"there is no sentence {index + 1}; the text has {len(sentences)}, counted from 1")
        held = held.noting(said, sentences[index].text)
    held.save(name)
    print(f"noted in {name}, which holds {len(held.notes)} note{'s' * (len(held.notes) > 1)} now", file=sys.stderr)
