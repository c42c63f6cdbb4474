"""A recipe: all that decides how a summary is made, in one value that can be saved, shared and compared."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mls.errors import MlsError, unknown
from mls.fingerprints import fingerprint
from mls.folders import digest_of
from mls.genres import GENRES, INSTRUCTIONS, SETTLING
from mls.kernels.base import Kernel
from mls.prototype.base import PrototypeGenerator

RECOGNISED = "recognised"
_NOISE = 1e-6  # of floating point, by which a sum may miss 1
HEADS = (
    "importance", "topics", "keywords", "redundancy", "centrality", "position", "salience", "settles", "focus",
)  # fmt: skip
PERSONAL = ("focus", "interest", "known")  # heads that speak for a reader, and yield where they have nothing to say
FOCUS_WEIGHT = 0.9  # of the head that asks whether a sentence speaks of what the reader asked; the others keep the rest
CHOICES = {
    "prototype": ("brief", "pg-network", "greedy"),
    "wording": ("forms", "source", "network", "draft"),
    "order": ("attention", "prototype"),
    "embedding": ("lexical", "doc2vec"),
    "kind": (RECOGNISED, *GENRES),
}
# What each part means, in one line: for --help, the service and the docs.
FIELDS = {
    "weights": "Weights of heads, each from -1 to 1; heads that are not named share what is left of 1.",
    "prototype": "What drafts: brief (brief forms of the sentences that the heads want first), pg-network, or greedy.",
    "wording": "Whose words: forms (the document's sentences, whole or truthfully shortened), source (whole ones), "
    "network (the network's, as brief as the budget and maybe wrong), or draft (the prototype's, unchecked, of "
    "the length that the network gives it).",
    "sizes": "How many sentences an expansion has: first, later, at last.",
    "order": "Who comes first: whoever is attended to most (attention), or the prototype's sentences (prototype).",
    "embedding": "How likeness of sentences is told: lexical or doc2vec.",
    "kind": f"What kind of text it is: {', '.join(GENRES)}; recognised if not given.",
    "headings": "Whether section headings stand above their passages, in summaries of a quarter and more.",
    "model": "A model folder; the shipped model if not given.",
    "about": "What the summary is to be about: a question, a phrase, a name, or several with ; between them.",
}
_FORMS: tuple[tuple[str, Any, str], ...] = (
    ("weights", Mapping, "a table of heads and numbers"),
    ("sizes", list | tuple, "a list of numbers"),
    ("headings", bool, "true or false"),
    ("model", str | Path | None, "a folder"),
    ("about", str, "a question, a phrase or a name"),
)


@dataclass(frozen=True)
class Recipe:
    """How summaries are made.

    >>> recipe = Recipe.of("default").weighing({"position": 0.4})
    >>> round(sum(recipe.weights.values()), 6)
    1.0
    """

    weights: Mapping[str, float]  # of the heads, each within [-1, 1], with sum 1
    prototype: str | PrototypeGenerator = "pg-network"  # what drafts
    wording: str = "source"  # whose words: the source's, the network's as briefly as need be, or the draft's unchecked
    sizes: tuple[int, ...] = (1,)  # sentences in an expansion: first, later, at last
    order: str = "attention"  # who comes first: whoever is attended to most, or the prototype's sentences
    embedding: str = "lexical"  # how likeness of sentences is told
    kind: str = RECOGNISED  # what kind of text is summarized, where that is known
    headings: bool = False  # whether they stand above their passages
    model: str | None = None  # a model folder; None: the one that ships
    about: str = ""  # what the reader asks; then, and only then, there is a head called focus
    kernels: tuple[Kernel, ...] = ()  # heads of one's own, among those that are weighed

    def __post_init__(self) -> None:
        for name, accepted, expected in _FORMS:
            if not isinstance(getattr(self, name), accepted):
                raise MlsError(f"{name}: found {getattr(self, name)!r}, expected {expected}")
        object.__setattr__(self, "about", self.about.strip())
        weights = {str(name): _number(name, w) for name, w in self.weights.items()}
        object.__setattr__(self, "weights", _with_focus(weights, bool(self.about)))
        object.__setattr__(self, "sizes", tuple(self.sizes))
        object.__setattr__(self, "model", None if self.model is None else str(self.model))
        _check(self)

    def __hash__(self) -> int:
        return hash(repr(sorted(self.weights.items())))

    @classmethod
    def of(cls, given: Recipe | str | Path | Mapping[str, Any] = "default") -> Recipe:
        """A recipe, the name of a preset, a file (.toml or .json), or plain values that change the default.

        >>> Recipe.of("papre")
        Traceback (most recent call last):
        ...
        mls.errors.MlsError: there is no recipe called 'papre'; did you mean 'paper'? ...
        """
        if isinstance(given, Recipe):
            return given
        if isinstance(given, Mapping):
            return cls.from_dict(given)
        if not isinstance(given, str | Path):
            raise MlsError(f"found {given!r}, expected a recipe: {', '.join(PRESETS)}, a file, or Recipe.of(...)")
        if str(given) in PRESETS:
            return PRESETS[str(given)]
        path = Path(given)
        if path.suffix in (".toml", ".json") or path.is_file():
            return cls.load(path)
        found = f"there is no recipe called {str(given)!r}"
        raise unknown(found, given, PRESETS, "Give a file (.toml, .json), or one of")

    @classmethod
    def load(cls, path: str | Path) -> Recipe:
        """A recipe from a TOML or JSON file."""
        import tomllib

        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8")
            values = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
        except (OSError, UnicodeDecodeError, ValueError, RecursionError) as error:
            reason = getattr(error, "strerror", None) or error
            raise MlsError(f"{path} is no recipe that can be read: {reason}") from error
        return cls.from_dict(values, str(path))

    @classmethod
    def from_dict(cls, values: object, where: str = "") -> Recipe:
        """A recipe from plain values. What they leave out is as in the `preset` they name, or in the default.

        Weights that come to 1 name all heads there are; fewer change those of the preset.
        """
        if not isinstance(values, Mapping):
            raise MlsError(f"{where or 'the recipe'}: found {values!r}, expected a table")
        base = cls.of(values["preset"]) if "preset" in values else PRESETS["default"]
        return base._changed({name: value for name, value in values.items() if name != "preset"}, where, whole=True)

    def changed(self, values: Mapping[str, Any], where: str = "") -> Recipe:
        """The same with some parts changed, from plain values; weights of some heads leave the rest to the others."""
        return self._changed(values, where, whole=False)

    def _changed(self, values: Mapping[str, Any], where: str, whole: bool) -> Recipe:
        """With `whole`, weights that come to 1 are all there are; `where` is where the values were found."""
        changes = dict(values)
        weights = changes.get("weights")
        try:
            for name in changes:
                if name not in FIELDS:
                    raise unknown(f"a recipe has no {name!r}", name, FIELDS, "Its parts are")
            asked = replace(self, about=changes.get("about", self.about))
            if isinstance(weights, Mapping) and not (whole and _is_whole(weights)):
                changes["weights"] = asked._weighed(weights)
            return replace(asked, **changes)
        except MlsError as error:
            raise MlsError(f"{where}: {error}" if where else str(error)) from error

    def to_dict(self) -> dict[str, Any]:
        """Plain values, from which `from_dict` makes the same recipe again."""
        if self.kernels or not isinstance(self.prototype, str):
            own = [kernel.name for kernel in self.kernels] or [getattr(self.prototype, "name", "the prototype")]
            raise MlsError(f"a recipe with parts that only Python knows ({', '.join(own)}) can't be written down")
        return self.facts()

    @property
    def genre(self) -> str | None:
        """The kind of text that is told; None where it is to be recognised."""
        return None if self.kind == RECOGNISED else self.kind

    def for_genre(self, genre: str) -> Recipe:
        """The recipe for a kind of text: where nobody has said otherwise, weights may differ by kind."""
        own, usual = WEIGHTS_BY_KIND.get(genre), PRESETS["default"].weights
        personal = {name: weight for name, weight in self.weights.items() if name in PERSONAL}
        general = {name: weight for name, weight in self.weights.items() if name not in PERSONAL}
        if own is None or list(general) != list(usual):
            return self
        scale = sum(general.values()) / sum(usual.values())  # what a focus leaves to the others
        said = any(abs(general[name] - scale * usual[name]) > 1e-9 for name in usual)
        return self if said else replace(self, weights={name: scale * own[name] for name in usual} | personal)

    def facts(self) -> dict[str, Any]:
        """All parts as plain values; of those that only Python knows, the names."""
        values = {name: getattr(self, name) for name in FIELDS}
        values["prototype"] = getattr(self.prototype, "name", self.prototype)
        return values | {"weights": dict(self.weights), "sizes": list(self.sizes)}

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def to_toml(self) -> str:
        values = {name: value for name, value in self.to_dict().items() if value is not None}
        weights = values.pop("weights")
        lines = [f"{name} = {_in_toml(value)}" for name, value in values.items()]
        lines += ["", "[weights]", *(f"{name} = {weight!r}" for name, weight in weights.items())]
        return "\n".join(lines) + "\n"

    def save(self, path: str | Path) -> None:
        """Write it to a .toml or .json file."""
        path = Path(path)
        path.write_text(self.to_json() + "\n" if path.suffix == ".json" else self.to_toml(), encoding="utf-8")

    def digest(self) -> str:
        """A fingerprint that changes whenever summaries may: with any part, and with the files of a model folder.

        It is the same in every process and wherever the folder lies. The model that ships belongs to the version.
        """
        own = [f"{type(kernel).__qualname__} {kernel.name}" for kernel in self.kernels]
        model = digest_of(self.model) if self.model else None
        values = self.facts() | {"kernels": own, "model": model}
        return fingerprint(json.dumps(values, sort_keys=True))

    def weighing(self, weights: Mapping[str, float]) -> Recipe:
        """Other weights for some heads; those that are not named share what is left of 1 as they did before.

        >>> Recipe.of("default").weighing({"centrality": 1}).weights["position"]
        0.0
        """
        return replace(self, weights=self._weighed(weights))

    def _weighed(self, weights: Mapping[str, float]) -> dict[str, float]:
        given = {name: _number(name, weight) for name, weight in weights.items()}
        for name in given:
            self._expect_head(name)
        rest = {name: weight for name, weight in self.weights.items() if name not in given}
        shared = given | _scaled(rest, 1 - sum(given.values()))
        return {name: shared[name] for name in self.weights}

    def adding(self, kernel: Kernel, weight: float) -> Recipe:
        """With a head of one's own; the others share the rest of the weight as they did before."""
        if isinstance(kernel, type) or not isinstance(kernel, Kernel):
            raise MlsError(f"found {kernel!r}, expected a kernel: an object with name, question and score()")
        if kernel.name in self.weights:
            raise MlsError(f"there is a head called {kernel.name!r} already; give the kernel another name")
        weight = _number(kernel.name, weight)
        weights = _scaled(self.weights, 1 - weight) | {kernel.name: weight}
        return replace(self, weights=weights, kernels=(*self.kernels, kernel))

    def reading_for(self, about: str) -> Recipe:
        """For a reader who asks something: a question, a phrase, a name, or several with ; between them.

        >>> Recipe.of("light").reading_for("who pays?").weights["focus"]
        0.9
        """
        return replace(self, about=about)

    def without(self, name: str) -> Recipe:
        """Without a head; the others share its weight as they did before."""
        self._expect_head(name)
        rest = {other: weight for other, weight in self.weights.items() if other != name}
        if not rest:
            raise MlsError(f"{name} is the only head; a recipe needs at least one")
        kept = tuple(kernel for kernel in self.kernels if kernel.name != name)
        about = "" if name == "focus" else self.about
        return replace(self, weights=_scaled(rest, 1.0), kernels=kept, about=about)

    def _expect_head(self, name: str) -> None:
        if name not in self.weights:
            raise unknown(f"there is no head called {name!r}", name, self.weights, "The heads are")


def of_kernels(kernels: Sequence[Kernel], base: Recipe | str = "default") -> Recipe:
    """A recipe with heads of one's own alone, all weighed alike."""
    names = [kernel.name for kernel in kernels]
    if not names or len(set(names)) < len(names):
        raise MlsError(f"heads are {', '.join(names) or 'none'}; give at least one kernel, each with its own name")
    return replace(Recipe.of(base), weights={name: 1 / len(names) for name in names}, kernels=tuple(kernels))


def _with_focus(weights: dict[str, float], is_asked: bool) -> dict[str, float]:
    """Weights with a focus where something is asked, and without one where nothing is; the others are scaled."""
    rest = {name: weight for name, weight in weights.items() if name != "focus"}
    if is_asked == ("focus" in weights) or not rest:
        return weights
    return _scaled(rest, 1 - FOCUS_WEIGHT) | {"focus": FOCUS_WEIGHT} if is_asked else _scaled(rest, 1.0)


def _scaled(weights: Mapping[str, float], total: float) -> dict[str, float]:
    """The same proportions, with another sum; where there are none to keep, all alike."""
    before = sum(weights.values())
    if abs(total) < 1e-9:
        return dict.fromkeys(weights, 0.0)
    if abs(before) > 1e-9:
        scaled = {name: _round(weight * total / before) for name, weight in weights.items()}
        if all(abs(weight) <= 1 for weight in scaled.values()):
            return scaled
    return {name: _round(total / len(weights)) for name in weights}


def _round(weight: float) -> float:
    """Without the noise of floating point, so that what is 0.4 is written as 0.4."""
    return float(f"{weight:.12g}")


def _check(recipe: Recipe) -> None:
    """A recipe is right, or is none: what is wrong is said at once, not when a text is there."""
    for name, choices in CHOICES.items():
        found = getattr(recipe, name)
        if name == "prototype" and not isinstance(found, str):
            continue
        if found not in choices:
            raise unknown(f"{name}: there is no {found!r}", found, choices, "Choose")
    if not recipe.sizes or any(type(size) is not int or not 1 <= size <= 10 for size in recipe.sizes):
        found = ",".join(map(str, recipe.sizes)) or "none"
        raise MlsError(f"sizes: found {found}, expected numbers of sentences from 1 to 10")
    if recipe.wording == "network" and recipe.prototype == "greedy":
        raise MlsError("the greedy prototype has no words of its own; wording network needs pg-network")
    if recipe.model is not None and recipe.prototype == "greedy" and "salience" not in recipe.weights:
        raise MlsError("a model brings a pg-network, but neither the greedy prototype nor these heads use it")
    if "focus" in recipe.weights and not recipe.about:
        raise MlsError("the head focus weighs what is asked, and nothing is; say what the summary is to be about")
    if recipe.weights and all(name in PERSONAL for name in recipe.weights):
        raise MlsError(f"{', '.join(recipe.weights)} speaks for a reader, and a text may say nothing to it; add a head")
    known = (*HEADS, *(kernel.name for kernel in recipe.kernels))
    for name in recipe.weights:
        if name not in known:
            raise unknown(f"there is no head called {name!r}", name, known, "The heads are")
    check_weights(recipe.weights)


def check_weights(weights: Mapping[str, float]) -> None:
    """Weights each within [-1, 1], summing to 1. Paper: section 2.2 A."""
    if not weights:
        raise MlsError("there are no heads; give at least one, with weight 1")
    for name, weight in weights.items():
        if not -1.0 <= weight <= 1.0:
            raise MlsError(f"the weight of {name} is {weight:g}; a weight lies between -1 and 1")
    total = sum(weights.values())
    if abs(total - 1.0) > _NOISE:
        raise MlsError(f"the weights sum to {total:g}; they must sum to 1")


def _is_whole(weights: Mapping[str, float]) -> bool:
    """Whether weights leave nothing to heads that are not among them."""
    return abs(sum(_number(name, weight) for name, weight in weights.items()) - 1.0) <= _NOISE


def _number(name: object, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MlsError(f"the weight of {name} is {value!r}; expected a number from -1 to 1")
    return float(value)


def _in_toml(value: object) -> str:
    """A text or a list of numbers as TOML writes it: as JSON does, but for one control character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _weights(
    importance: float, centrality: float, position: float, salience: float = 0.0, settles: float = 0.0
) -> dict[str, float]:
    heads = {"importance": importance, "centrality": centrality, "position": position, "salience": salience}
    return heads | {"settles": settles, "topics": 0.0, "keywords": 0.0}


# Of kinds of text that the default weighs otherwise; docs/kinds.md says why.
WEIGHTS_BY_KIND: dict[str, dict[str, float]] = {
    **dict.fromkeys(SETTLING, _weights(0.65, 0.1, 0.1, settles=0.15)),
    INSTRUCTIONS: _weights(0.55, 0.1, 0.2, settles=0.15),
}
PRESETS: dict[str, Recipe] = {
    "default": Recipe(_weights(0.65, 0.25, 0.1), prototype="brief", wording="forms"),
    "light": Recipe({"topics": 0.1, "keywords": 0.1, "centrality": 0.4, "position": 0.4}, prototype="greedy"),
    "paper": Recipe(
        {"topics": 0.6, "keywords": 0.8, "redundancy": -0.4},
        wording="draft",
        sizes=(3, 2, 1),
        order="prototype",
        embedding="doc2vec",
    ),
}
