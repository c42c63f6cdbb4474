"""What the service takes and gives, as OpenAPI tells it. The answers' bytes are those of `Summary.to_json`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr, model_validator

from mls.budget import ACCEPTED
from mls.errors import unknown
from mls.files.marked import KINDS as MARKS
from mls.methods import BASELINES
from mls.recipe import FIELDS, PRESETS

MOST_MARKS = 100_000
MOST_BUDGETS = 1_000  # before each of them is looked at; the service's own limit is lower
MOST_ASKED = 2_000  # characters of a question
MOST_MARKED = 1_000  # sentences that are pinned or banned
Position = Annotated[StrictInt, Field(ge=0)]
MarkKind = Literal[*MARKS]  # type: ignore[valid-type]
Number = StrictInt | Annotated[StrictFloat, Field(allow_inf_nan=False)]
Weight = Annotated[float, Field(strict=True, allow_inf_nan=False)]
BudgetText = Annotated[StrictStr, Field(max_length=40)] | Number
MarkOfText = Annotated[tuple[StrictInt, StrictInt, MarkKind], Field(description="From, to, and what stands there.")]
MlsOrBaseline = Literal["mls", *BASELINES]  # type: ignore[valid-type]
PresetName = Literal[*PRESETS]  # type: ignore[valid-type]


class How(BaseModel):
    """A text, and how it is to be summarized."""

    model_config = ConfigDict(extra="forbid")

    text: StrictStr = Field(
        description="The text to shorten. It is never stored.", examples=["It rained. Nobody minded."]
    )
    marks: list[MarkOfText] = Field([], max_length=MOST_MARKS, description="What a file told of the text's parts.")
    method: MlsOrBaseline = Field("mls", description="MLS, or a baseline to compare it with.")
    recipe: PresetName | None = Field(None, description="A recipe by name; the server's own if not given.")
    weights: dict[str, Weight] | None = Field(None, description=FIELDS["weights"])
    prototype: StrictStr | None = Field(None, description=FIELDS["prototype"])
    wording: StrictStr | None = Field(None, description=FIELDS["wording"])
    sizes: list[StrictInt] | None = Field(None, max_length=10, description=FIELDS["sizes"])
    order: StrictStr | None = Field(None, description=FIELDS["order"])
    embedding: StrictStr | None = Field(None, description=FIELDS["embedding"])
    kind: StrictStr | None = Field(None, description=FIELDS["kind"])
    headings: StrictBool | None = Field(None, description=FIELDS["headings"])
    model: StrictStr | None = Field(None, description="A model that this server has.")
    about: StrictStr | None = Field(None, max_length=MOST_ASKED, description=FIELDS["about"])

    pin: list[Position] = Field([], max_length=MOST_MARKED, description="Source sentences that stay, counted from 0.")
    ban: list[Position] = Field([], max_length=MOST_MARKED, description="Source sentences that never come in.")

    profile: dict[str, Any] | None = Field(None, description="A reader's profile, as in its file. It is never stored.")

    @model_validator(mode="before")
    @classmethod
    def expect_known(cls, given: Any) -> Any:
        for name in given if isinstance(given, dict) else ():
            if name not in cls.model_fields:
                raise unknown(f"a request has no {name!r}", name, cls.model_fields, "It may have")
        return given

    def changes(self) -> dict[str, Any]:
        """The parts of the recipe that are to be different."""
        return {name: getattr(self, name) for name in FIELDS if getattr(self, name) is not None}


class OneBudget(How):
    budget: BudgetText = Field("1/4", description=f"How long the summary may be: {ACCEPTED}.", examples=["280 chars"])


class Move(OneBudget):
    have: StrictStr = Field("", max_length=64, description="The `read` of an answer whose parts the asker still has.")


class OneSentence(OneBudget):
    sentence: Position = Field(description="The source sentence that is asked about, counted from 0.")


class WithoutHeadAnswer(BaseModel):
    head: str
    kept: int
    lost: list[int]
    gained: list[int]


class WithoutSentenceAnswer(BaseModel):
    sentence: int
    lost: list[int]
    gained: list[int]


class CheckAnswer(BaseModel):
    """What the summary becomes without each head and without each of its source sentences."""

    heads: list[WithoutHeadAnswer]
    sentences: list[WithoutSentenceAnswer]


class WhyAnswer(BaseModel):
    """What would change if one sentence were decided on: left out if it is in, pinned if it is out."""

    sentence: int
    inside: bool
    lost: list[int]
    gained: list[int]
    enters: str | None = Field(
        description="A length at which it comes in by itself, near the least; null if only the whole document has it."
    )
    pinned: str | None = Field(description="Why it can't be pinned at this length, if it can't.")


class ManyBudgets(How):
    budgets: list[BudgetText] = Field(
        min_length=1,
        max_length=MOST_BUDGETS,
        description=f"How long the summaries may be, each {ACCEPTED}.",
        examples=[["1/8", "1/4"]],
    )


class Problem(BaseModel):
    """Why a request was not answered, in one sentence (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str


class ReadFile(BaseModel):
    """The text of a file, and what the file tells of it."""

    name: str
    text: str
    marks: list[MarkOfText] = Field(description="To be sent along with the text: its headings, rows, quotations.")
    kind: str | None = Field(description="What kind of text it is, where the file tells.")


class BudgetAnswer(BaseModel):
    requested: str
    unit: Literal["tokens", "words", "chars"]
    limit: int


class Note(BaseModel):
    code: str
    message: str


class PrototypeAnswer(BaseModel):
    generator: str
    text: str
    sentences: list[dict[str, Any]]


class SpanAnswer(BaseModel):
    sentence: int = Field(description="A source sentence, counted from 0.")
    start: int = Field(description="Characters of the document, as Unicode code points.")
    end: int


class DroppedAnswer(BaseModel):
    role: str = Field(description="What it says, such as `when` or `aside`.")
    start: int
    end: int


class NamedAnswer(BaseModel):
    start: int = Field(description="The pronoun, or half a name, in the document.")
    end: int
    text: str = Field(description="What stands in its place,")
    by_start: int = Field(description="and where these words are from.")
    by_end: int
    sure: float = Field(description="The probability that it is this one, of all that may be meant.")


class SentenceAnswer(BaseModel):
    text: str
    operation: Literal["copy", "brief", "expand", "shorten", "keyphrase", "title", "document"]
    source: list[SpanAnswer]
    step: int
    unit: int
    reworded: bool
    dropped: list[DroppedAnswer]
    named: list[NamedAnswer]


class StepAnswer(BaseModel):
    """One decision, with all that it was decided by."""

    model_config = ConfigDict(extra="allow")

    step: int
    stage: str
    unit: int
    operation: str
    reason: str
    p_copy: float | None
    p_expand: float | None
    alpha: float | None
    p_o: float | None
    shares: dict[str, float]
    needs: int
    room_before: int
    room_after: int
    sources: list[int]


class HeadAnswer(BaseModel):
    name: str
    question: str
    weight: float


class UnitAnswer(BaseModel):
    """A sentence that might have gone in, and what every head thinks of it."""

    model_config = ConfigDict(extra="allow")

    unit: int
    origin: Literal["prototype", "source"]
    text: str
    length: int
    anchor: int
    source: int | None
    scores: dict[str, float]
    local: dict[str, float]
    attention: float


class Lengths(BaseModel):
    tokens: int
    words: int
    chars: int


class DocumentAnswer(BaseModel):
    text: str
    kind: str = Field(description="What kind of text it was read as.")
    lengths: Lengths


class SummaryAnswer(BaseModel):
    """A summary with all its reasons: the object that `mls summarize --json` prints."""

    version: Literal[7] = Field(alias="schema", description="The version of this form.")
    text: str
    budget: BudgetAnswer
    length: int
    document_length: int
    pins: list[int] = Field(description="Source sentences that were to stay,")
    bans: list[int] = Field(description="and those that were never to come in.")
    notes: list[Note]
    manner: dict[str, Any] | None = Field(description="How it was written, by the default decoder.")
    liked: dict[str, float] = Field(description="How well readers are likely to like it in each manner.")
    recipe: dict[str, Any] | None = Field(description="How it was made, part by part; a baseline has no recipe.")
    recipe_digest: str | None = Field(description="A fingerprint of the recipe and of the files of its model.")
    weights: dict[str, float]
    prototype: PrototypeAnswer | None
    sentences: list[SentenceAnswer]
    steps: list[StepAnswer]
    heads: list[HeadAnswer]
    attention: dict[str, float]
    units: list[UnitAnswer]
    expansions: list[dict[str, Any]]
    sizes: list[int]
    prototype_first: bool
    document: DocumentAnswer


class ExampleAnswer(BaseModel):
    name: str
    kind: str
    title: str


class Info(BaseModel):
    """What this server is and how much it takes."""

    version: str
    model: dict[str, Any] = Field(description="The model card and how the model was trained.")
    methods: list[str]
    recipes: dict[str, dict[str, Any]] = Field(description="The presets, part by part.")
    recipe: dict[str, Any] = Field(description="The server's own.")
    choices: dict[str, list[str]]
    limits: dict[str, float]
    files: list[str] = Field(description="Kinds of files that can be read here.")
    examples: list[ExampleAnswer]


class Health(BaseModel):
    status: Literal["ok"]
