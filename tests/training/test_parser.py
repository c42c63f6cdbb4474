"""A sentence parser is trained, exported and gone on from like any other network."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

if not os.environ.get("CI"):  # there torch must be installed
    pytest.importorskip("torch")

import torch

from mls.parser.network import load_parser
from tiny_parser import train, trained

__all__ = ["trained"]


def test_it_learns_what_it_is_shown(trained: Path) -> None:
    (parse,) = load_parser(trained / "run-model").parse([["The", "fox", "sank", "."]])
    assert parse is not None
    assert parse.heads == (1, 2, 2, 2)
    assert parse.tags == ("DT", "NN", "VBD", ".")
    assert parse.keep[0] < 0.5 < parse.keep[2]


def test_the_same_seed_gives_the_same_weights(trained: Path) -> None:
    train(trained, "again")
    first, second = (sorted((trained / run / "snapshots").iterdir()) for run in ("run", "again"))
    assert len(first) > 1
    assert [one.read_bytes() for one in first] == [other.read_bytes() for other in second]


def test_another_run_begins_with_its_weights_and_labels(trained: Path) -> None:
    train(trained, "more", "--init", str(trained / "run-model"), "--minutes", "0")
    train(trained, "anew", "--minutes", "0")
    learned, more, anew = (
        torch.load(trained / run / "checkpoint.pt", weights_only=True)["network"] for run in ("run", "more", "anew")
    )
    assert (trained / "more" / "labels.json").read_text() == (trained / "run" / "labels.json").read_text()
    for name, weights in learned.items():
        assert torch.allclose(more[name], weights, atol=0.05), name  # as far as rounding and a step change them
    assert not torch.allclose(anew["words.weight"], learned["words.weight"], atol=0.05)
