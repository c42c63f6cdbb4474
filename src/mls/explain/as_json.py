"""A summary as plain values: everything that decided it, so that a program can check every step."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from mls.analysis import Analysis
from mls.budget import Measure
from mls.explain.check import Check
from mls.fingerprints import fingerprint
from mls.forms.ladder import Form
from mls.forms.names import Name
from mls.leaning import Lean
from mls.magnifier import growth
from mls.magnifier.decoder import Step
from mls.magnifier.expansion import Candidate
from mls.magnifier.manners import Manner
from mls.magnifier.multiplex import Multiplex
from mls.magnifier.support import why_replaced
from mls.magnifier.units import Unit
from mls.magnifier.writing import document_length
from mls.prototype.base import Prototype, PrototypeSentence
from mls.stopwords import content_words
from mls.summary import NOTES, Summary, SummarySentence
from mls.text import Document


def to_json(summary: Summary, check: Check | None = None) -> str:
    """What `to_dict` gives, as JSON. What was read is put into words once, however many summaries there are of it."""
    parts = [_dumped(_written(summary)), _put_into_words(summary.analysis, summary.budget.measure).json]
    parts += [_dumped({"check": check.to_dict()})] if check else []
    return "{" + ", ".join(part[1:-1] for part in parts) + "}"


def to_dict(summary: Summary, check: Check | None = None) -> dict[str, Any]:
    """The object that `--json` prints and the service answers with."""
    parts = _written(summary) | _read(summary.analysis, summary.budget.measure)
    return parts | ({"check": check.to_dict()} if check else {})


def _dumped(part: dict[str, Any]) -> str:
    return json.dumps(part, ensure_ascii=False)


SCHEMA = 7  # of this form; it changes when a field goes, comes to mean something else, or is needed to replay a trace
_PROBABILITIES = ("mass", "p_copy", "p_expand", "alpha", "p_o")


@dataclass(frozen=True)
class _Told:
    """What was read, put into words, and a name that tells it from all else."""

    json: str

    @cached_property
    def name(self) -> str:
        return fingerprint(self.json, length=16)


_known: WeakKeyDictionary[Multiplex, dict[str, _Told]] = WeakKeyDictionary()


def _put_into_words(analysis: Analysis, measure: Measure) -> _Told:
    by_unit = _known.setdefault(analysis.multiplex, {})
    if measure.unit not in by_unit:
        by_unit[measure.unit] = _Told(_dumped(_read(analysis, measure)))
    return by_unit[measure.unit]


def to_move(summary: Summary, have: str = "") -> str:
    """What a page needs of another length: what was read only if it has not got it, by the name of that, and steps
    without what follows from it or is not shown.
    """
    read = _put_into_words(summary.analysis, summary.budget.measure)
    written = _written(summary, slim=True)
    parts = [_dumped({"read": read.name} | written), *([read.json] if read.name != have else [])]
    return "{" + ", ".join(part[1:-1] for part in parts) + "}"


def _written(summary: Summary, slim: bool = False) -> dict[str, Any]:
    """What one summary decides; slim, without forms that were weighed, and without shares, which units tell."""
    return {
        "schema": SCHEMA,
        "text": summary.text,
        "budget": {"requested": str(summary.budget), "unit": summary.unit, "limit": summary.limit},
        "length": summary.length,
        "document_length": summary.document_length,
        "pins": list(summary.analysis.pins),
        "bans": list(summary.analysis.bans),
        "notes": [{"code": code, "message": NOTES[code]} for code in summary.notes],
        "manner": _manner(summary.choice.manner) if summary.choice else None,
        "liked": dict(summary.choice.liked) if summary.choice else {},
        "sentences": [_sentence(sentence) for sentence in summary.sentences],
        "steps": [_slim(step) if slim else _step(summary, step) for step in summary.steps],
    }


def _read(analysis: Analysis, measure: Measure) -> dict[str, Any]:
    """What all summaries of one analysis share."""
    joined, recipe = analysis.multiplex, analysis.recipe
    return {
        "recipe": recipe.facts() if recipe else None,
        "recipe_digest": recipe.digest() if recipe else None,
        "weights": {head.name: head.weight for head in joined.heads},
        "prototype": _prototype(analysis, analysis.prototype) if analysis.prototype else None,
        "heads": [{"name": head.name, "question": head.question, "weight": head.weight} for head in joined.heads],
        "attention": {"shift": joined.shift, "total": joined.total},
        "units": [_unit(analysis, measure, unit) for unit in analysis.units],
        "expansions": [
            {str(size): [_candidate(run) for run in runs] for size, runs in by_size.items()}
            for by_size in analysis.expansions.candidates
        ],
        "sizes": list(analysis.sizes),
        "prototype_first": analysis.prototype_first,
        "growth": growth.settings(analysis) if analysis.ladders else None,
        "document": _document(analysis.document),
    }


def _document(document: Document) -> dict[str, Any]:
    return {"text": document.text, "kind": document.genre, "lengths": _lengths(document)}


def _lengths(document: Document) -> dict[str, int]:
    """How long the document is in every unit, so that a budget in one can be told in another."""
    return {unit: document_length(document, Measure(unit)) for unit in ("tokens", "words", "chars")}


def _prototype(analysis: Analysis, prototype: Prototype) -> dict[str, Any]:
    return {
        "generator": prototype.generator,
        "text": prototype.text,
        "again": asdict(prototype.again) if prototype.again else None,
        "sentences": [
            _prototype_sentence(sentence, _replaced(analysis, unit, sentence))
            for unit, sentence in zip(analysis.units, prototype.sentences, strict=False)
        ],
    }


def _replaced(analysis: Analysis, unit: Unit, sentence: PrototypeSentence) -> str | None:
    """Why the source sentence stands in the place of a drafted one, if it does."""
    if unit.source is None or sentence.verbatim:
        return None
    return why_replaced(analysis.document.sentences[unit.source], sentence)


def _prototype_sentence(sentence: PrototypeSentence, replaced: str | None) -> dict[str, Any]:
    """A sentence of the prototype; a network tells of each token whether it was copied, and from where."""
    return {
        "text": sentence.text,
        "anchor": sentence.anchor,
        "verbatim": sentence.verbatim,
        "replaced": replaced,
        "tokens": [
            {
                "text": origin.text,
                "start": origin.start,
                "p_gen": origin.p_gen,
                "source": {"start": origin.source[0], "end": origin.source[1]} if origin.source else None,
            }
            for origin in sentence.origins
        ],
    }


def _sentence(sentence: SummarySentence) -> dict[str, Any]:
    spans = [{"sentence": span.sentence, "start": span.start, "end": span.end} for span in sentence.source]
    return {
        "text": sentence.text,
        "operation": sentence.operation,
        "source": spans,
        "step": sentence.step,
        "unit": sentence.unit,
        "reworded": sentence.reworded,
        "dropped": [asdict(part) for part in sentence.dropped],
        "named": [asdict(named) for named in sentence.named],
    }


def _manner(manner: Manner) -> dict[str, Any]:
    return asdict(manner) | {"continues": list(manner.continues)}


def _slim(step: Step) -> dict[str, Any]:
    probabilities = step.probabilities
    return {
        "step": step.number,
        "stage": step.stage,
        "unit": step.unit,
        "operation": step.operation,
        "reason": step.reason,
        **(
            {name: getattr(probabilities, name) for name in _PROBABILITIES}
            if probabilities
            else dict.fromkeys(_PROBABILITIES)
        ),
        "needs": step.needs,
        "room_before": step.room_before,
        "room_after": step.room_after,
        "sources": list(step.sources),
        "candidates": [_candidate(ranked.candidate) | {"repeats": ranked.repeats} for ranked in step.candidates],
    }


def _step(summary: Summary, step: Step) -> dict[str, Any]:
    heads = summary.analysis.multiplex.heads
    return _slim(step) | {
        "shares": {head.name: head.weight * float(head.attention[step.unit]) for head in heads},
        "forms": {str(index): [_form(summary, form) for form in forms] for index, forms in step.forms},
        "named": {str(index): [name.number for name in rungs.named] for index, rungs in step.weighed if rungs.named},
        "gains": {str(index): gain for index, gain in step.gains},
    }


def _form(summary: Summary, form: Form) -> dict[str, Any]:
    """A form that was weighed: how long it is, and how much of what the sentence is worth it keeps."""
    assert summary.analysis.ladders
    length = summary.analysis.ladders.length(form, summary.budget.measure)
    return {
        "text": form.text,
        "length": length,
        "tokens": len(form.kept),
        "kept": _runs(form.kept),
        "share": form.share,
        "sure": form.sure,
        "whole": form.is_whole,
    }


def _runs(positions: Sequence[int]) -> list[list[int]]:
    """Positions in stretches, each from its first to before its end.

    >>> _runs([0, 1, 2, 5])
    [[0, 3], [5, 6]]
    """
    runs: list[list[int]] = []
    for position in positions:
        if runs and position == runs[-1][1]:
            runs[-1][1] += 1
        else:
            runs.append([position, position + 1])
    return runs


def _candidate(run: Candidate) -> dict[str, Any]:
    return asdict(run) | {"score": run.score}


def _lean(lean: Lean) -> dict[str, Any]:
    return {
        "on": lean.on, "cue": lean.cue, "reason": lean.why, "droppable": lean.droppable, "also": list(lean.also),
        "sure": lean.sure, "names": list(lean.names), "left": lean.left,
    }  # fmt: skip


def _name(name: Name) -> dict[str, Any]:
    told = asdict(name) | {"tokens": list(name.tokens), "owners": sorted(name.owners)}
    return {key: value for key, value in told.items() if key != "number"}


def _unit(analysis: Analysis, measure: Measure, unit: Unit) -> dict[str, Any]:
    """A candidate sentence: what it says, where it stands and what every head thinks of it."""
    joined, naming = analysis.multiplex, analysis.naming
    source = analysis.document.sentences[unit.anchor]
    return {
        "unit": unit.number,
        "origin": unit.origin,
        "text": unit.text,
        "length": unit.length(measure),
        "words": list(unit.sentence.words),
        "punctuation": [[index, token.key] for index, token in enumerate(unit.sentence.tokens) if not token.is_word],
        "kind": source.kind,
        "content": sorted(set(content_words(unit.sentence.words))),
        "speaks": unit.is_prose,
        "sums_up": source.sums_up,
        "listed": source.listed,
        "speaker": source.speaker,
        "voice": analysis.document.voices[unit.anchor],
        "label": measure.length(f"{source.speaker}: ") if source.speaker else 0,
        "says_little": unit.says_little,
        "is_statement": analysis.ladders.is_statement(unit.anchor) if analysis.ladders else None,
        "leans": [_lean(lean) for lean in naming.leans[unit.anchor]] if naming else [],
        "names": [_name(name) for name in naming.names.get(unit.anchor, ())] if naming else [],
        "has_verb": analysis.ladders.says_something(unit.anchor) if analysis.ladders else None,
        "why_whole": analysis.ladders.why_whole(unit.anchor) if analysis.ladders else None,
        "anchor": unit.anchor,
        "paragraph": source.paragraph,
        "source": unit.source,
        "start": source.start,
        "end": source.end,
        "scores": {head.name: float(head.raw[unit.number]) for head in joined.heads},
        "local": {head.name: float(head.attention[unit.number]) for head in joined.heads},
        "attention": float(joined.attention[unit.number]),
    }
