"""Train the judges of speech from sentences that were edited, and say how well they judge others.

    python tools/speech.py --data DATA --out src/mls/assets/judge/speech.npz

`tools/speech.jsonl.xz` holds 3,178 sentences of meetings. A language model that read them in their context took words
out until each could be quoted (`gone`, where they were given: positions of tokens) and graded what was left: 2 a good
plain sentence, 1 clumsy but complete, 0 none. `rules` and `garbled` are what the rules said that these judges replaced:
which tokens go, and whether the sentence is too garbled to be taken. What is printed is by cross-validation: every
sentence is judged by networks that have not seen its document.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional as F

from cuts import judged, sentence_of, texts_of
from losses import area
from mls.corpora.rows import json_rows
from mls.forms import speech
from mls.forms.tree import ParsedSentence
from mls.parser.network import shipped_parser
from mls.perceptron import CLIP
from mls.stopwords import STOP_WORDS
from mls.talk import FILLERS
from perceptrons import arguments, arrays_of, save, train

SPEECH = Path(__file__).parent / "speech.jsonl.xz"
FREQUENT, FOLDS = 60, 5
GOING = {"width": 48, "dropout": 0.5, "decay": 1e-2, "epochs": 8, "batch": 256}
PROPER = {"width": 24, "dropout": 0.5, "decay": 3e-2, "epochs": 12, "batch": 64}

Array = NDArray[np.float64]


def main() -> None:
    args = arguments(__doc__)
    rows, said = read_speech(args.data)
    counts = Counter(word for parsed in said for word in parsed.words)
    words = {word: number for number, word in enumerate(sorted(word for word in counts if counts[word] >= FREQUENT))}
    fold = np.array([zlib.crc32(row["id"].encode()) % FOLDS for row in rows])
    seen = [speech.token_features(parsed, words) for parsed in said]
    likely, going = token_judge(rows, seen, fold)
    left = [speech.unsaid(parsed, own) for parsed, own in zip(said, likely, strict=True)]
    seen_left = np.array([speech.sentence_features(*one) for one in zip(said, likely, left, strict=True)])
    good = np.array([row["grade"] >= 1 for row in rows], dtype=np.float64)
    proper = judged_apart(seen_left, good, fold, np.ones(len(rows), dtype=bool), PROPER)
    report_tokens(rows, said, likely)
    report_sentences(rows, proper, good > 0)
    named = {"going": going, "proper": taught_on(seen_left, good, PROPER)}
    arrays = {f"{name}_{part}": array for name, own in named.items() for part, array in own.items()}
    save(args.out, arrays | {"words": np.array(list(words))})


def read_speech(data: Path) -> tuple[list[dict], list[ParsedSentence]]:
    rows = list(json_rows(SPEECH))
    texts = texts_of(data, rows)
    sentences = [sentence_of(texts[row["set"], row["id"]][slice(*row["span"])]) for row in rows]
    parses = shipped_parser().parse([[token.text for token in sentence.tokens] for sentence in sentences])
    return rows, [ParsedSentence(*pair) for pair in zip(sentences, parses, strict=True)]


def token_judge(rows: Sequence[dict], seen: Sequence[Array], fold: NDArray) -> tuple[list[Array], dict[str, Array]]:
    """How likely each token of each sentence is to go, by networks that have not seen it; and those that have."""
    ends = np.cumsum([len(own) for own in seen])
    gone = np.concatenate([of_tokens(row["gone"] or (), len(own)) for row, own in zip(rows, seen, strict=True)])
    sentence = np.repeat(np.arange(len(rows)), [len(own) for own in seen])
    edited = np.array([row["gone"] is not None for row in rows])[sentence]
    tokens = np.concatenate(seen)
    found = judged_apart(tokens, gone, fold[sentence], edited, GOING)
    return np.split(found, ends[:-1]), taught_on(tokens[edited], gone[edited], GOING)


def of_tokens(numbers: Iterable[int], size: int) -> Array:
    marked = np.zeros(size)
    marked[list(numbers)] = 1.0
    return marked


def judged_apart(seen: Array, wanted: Array, fold: NDArray, taught: NDArray[np.bool_], settings: dict) -> Array:
    """What networks say that have learned from the other folds, as far as those are taught."""
    found = np.zeros(len(seen))
    for number in range(FOLDS):
        mean, scale = scales(seen)
        lessons = (fold != number) & taught
        networks = networks_of(scaled(seen[lessons], mean, scale), wanted[lessons], settings)
        found[fold == number] = judged(networks, scaled(seen[fold == number], mean, scale))
    return found


def taught_on(seen: Array, wanted: Array, settings: dict) -> dict[str, Array]:
    """The weights of networks that have learned from all."""
    mean, scale = scales(seen)
    return {"mean": mean, "scale": scale} | arrays_of(networks_of(scaled(seen, mean, scale), wanted, settings))


def scales(seen: Array) -> tuple[NDArray, NDArray]:
    return seen.mean(axis=0).astype(np.float32), (seen.std(axis=0) + 1e-6).astype(np.float32)


def scaled(seen: Array, mean: NDArray, scale: NDArray) -> torch.Tensor:
    return torch.from_numpy(np.clip((seen - mean) / scale, -CLIP, CLIP)).float()


def networks_of(given: torch.Tensor, wanted: Array, settings: dict) -> list[nn.Sequential]:
    target = torch.from_numpy(wanted).float()

    def loss(net: nn.Module, numbers: NDArray[np.int64]) -> torch.Tensor:
        return F.binary_cross_entropy_with_logits(net(given[numbers])[:, 0], target[numbers])

    return train(len(given), loss, given.size(1), **settings)


def report_tokens(rows: Sequence[dict], said: Sequence[ParsedSentence], likely: Sequence[Array]) -> None:
    """How the words that go agree with those that were taken out, and how many sentences are as they were edited."""
    edited = [number for number, row in enumerate(rows) if row["gone"] is not None]
    print(f"{len(edited)} edited sentences\n")
    print("| told by | words that go | precision | recall | F1 | sentences as edited | wrong ones that carry meaning |")
    print("|---|---|---|---|---|---|---|")
    told = {"the rules": [frozenset(row["rules"]) for row in rows]}
    for least in (0.5, 0.6, 0.7, 0.8, 0.9):
        told[f"the judge, from {least:.2f}"] = [frozenset(np.flatnonzero(own >= least).tolist()) for own in likely]
    guarded = [speech.unsaid(parsed, own) for parsed, own in zip(said, likely, strict=True)]
    told[f"the judge as it is used: from {speech.GOES:.2f}, with guards"] = guarded
    for name, gone in told.items():
        print(line(name, [(said[n], frozenset(rows[n]["gone"]), gone[n]) for n in edited]))


def line(name: str, told: Sequence[tuple[ParsedSentence, frozenset[int], frozenset[int]]]) -> str:
    right = wrong = missed = same = harm = 0
    for parsed, wanted, found in told:
        words = [token for token in range(len(parsed)) if parsed.is_word(token)]
        right += sum(token in wanted & found for token in words)
        missed += sum(token in wanted - found for token in words)
        lost = [parsed.words[token] for token in words if token in found - wanted]
        wrong += len(lost)
        harm += sum(word not in STOP_WORDS | FILLERS for word in lost)
        rest, meant = ([parsed.words[token] for token in words if token not in gone] for gone in (found, wanted))
        same += rest == meant
    precision, recall = right / (right + wrong), right / (right + missed)
    shares = (precision, recall, 2 * precision * recall / (precision + recall), same / len(told))
    return f"| {name} | {right + wrong} | {' | '.join(f'{share:.3f}' for share in shares)} | {harm} |"


def report_sentences(rows: Sequence[dict], proper: Array, good: NDArray[np.bool_]) -> None:
    """How sentences are told from what is none, among those that the rules let through and those that they did not."""
    garbled = np.array([row["garbled"] for row in rows])
    print(f"\n{len(rows)} sentences, {1 - good.mean():.3f} of them none\n")
    print("| told by | AUC | called none | rightly | of all that are none |\n|---|---|---|---|---|")
    print(f"| the rules | {area(1.0 - garbled, good):.3f} |{_called(garbled, good)}")
    for least in (0.3, 0.4, 0.5, 0.6, 0.7):
        print(f"| the judge, below {least:.1f} | {area(proper, good):.3f} |{_called(proper < least, good)}")
    for name, own in (("let through", ~garbled), ("called garbled", garbled)):
        print(f"| the judge, of those {name} by the rules | {area(proper[own], good[own]):.3f} | | | |")


def _called(none: NDArray[np.bool_], good: NDArray[np.bool_]) -> str:
    return f" {none.sum()} | {1 - good[none].mean():.3f} | {(none & ~good).sum() / (~good).sum():.3f} |"


if __name__ == "__main__":
    main()
