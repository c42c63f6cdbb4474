"""Public architectures with random weights, which read and write as many tokens as the PG-Network does."""

from __future__ import annotations

import torch
from torch import nn

from mls.prototype.base import Prototype
from mls.prototype.pointer_generator import PointerGeneratorPrototype
from mls.prototype.windows import read_in_windows
from mls.text import Document


def bart_large() -> nn.Module:
    from transformers import BartConfig, BartForConditionalGeneration

    return BartForConditionalGeneration(BartConfig()).eval()  # its defaults are the sizes of BART-large


def t5_small() -> nn.Module:
    from transformers import T5Config, T5ForConditionalGeneration

    return T5ForConditionalGeneration(T5Config(decoder_start_token_id=0)).eval()  # those of T5-small


def written(prototype: Prototype) -> int:
    return sum(len(sentence.tokens) for sentence in prototype.sentences)


def write_as_much(network: nn.Module, document: Document, generate: PointerGeneratorPrototype) -> None:
    """Read the document in the same windows, and write the prototype's number of tokens with as many beams."""
    windows = read_in_windows(document, generate.window)
    tokens = -(-written(generate(document)) // len(windows))
    source = torch.randint(10, 32_000, (len(windows), max(map(len, windows))))
    with torch.no_grad():
        network.generate(  # type: ignore[operator]
            source, attention_mask=torch.ones_like(source), num_beams=generate.search.beams,
            min_new_tokens=tokens, max_new_tokens=tokens, do_sample=False,
        )  # fmt: skip
