"""What a study is about: documents in data sets, and questions with their answers, checked as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mls.corpora.rows import rows_to_the_end
from mls.errors import MlsError
from mls.text import Document

ANSWERS = ("yes", "no")
_LONGEST_QUESTION = 500
_SHOWN_PROBLEMS = 5
_NO_TEXT = "it holds half of a character (a lone surrogate), which is no text"
_DOCUMENT_FORM = '{"id": "ferry", "document": "..."}'
_QUESTION_FORM = '{"document": "ferry", "question": "Does the county pay?", "answer": "yes"}'


@dataclass(frozen=True)
class Source:
    """A document that people are asked about."""

    id: str
    data_set: str
    text: str


@dataclass(frozen=True)
class Question:
    """A question on a document, to be answered with yes or no."""

    document: str
    text: str
    answer: str


@dataclass(frozen=True)
class Material:
    """The documents with questions, in the order in which they were given, and the questions on them."""

    documents: tuple[Source, ...]
    questions: tuple[Question, ...]
    unasked: int  # documents without a question, which are left out

    @property
    def sets(self) -> dict[str, list[str]]:
        """The ids of each data set's documents."""
        found: dict[str, list[str]] = {}
        for document in self.documents:
            found.setdefault(document.data_set, []).append(document.id)
        return found

    def questions_on(self, document: str) -> list[Question]:
        return [question for question in self.questions if question.document == document]


class _Problems:
    """Everything that is wrong, so that it can be put right in one go."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add(self, location: str, reason: str) -> None:
        self.found.append(f"{location}: {reason}")

    def raise_any(self, what: str) -> None:
        if self.found:
            shown = "; ".join(self.found[:_SHOWN_PROBLEMS])
            more = len(self.found) - _SHOWN_PROBLEMS
            raise MlsError(f"the {what} can't be used: {shown}" + (f"; and {more} more" if more > 0 else ""))


def read_material(data: Sequence[str], questions: Path) -> Material:
    """Documents of `[NAME=]FILE` sources and the questions on them; with one mistake in them nothing is made."""
    problems = _Problems()
    documents = list(_once_each(_documents(data, problems), problems))
    problems.raise_any("documents")
    asked = list(_questions(questions, {document.id for document in documents}, problems))
    problems.raise_any("questions")
    wanted = {question.document for question in asked}
    used = tuple(document for document in documents if document.id in wanted)
    empty = sorted({document.data_set for document in documents} - {document.data_set for document in used})
    if empty or not used:
        raise MlsError(f"{questions} has no question on any document of {', '.join(empty) or 'the data'}; add one")
    return Material(used, tuple(asked), len(documents) - len(used))


def _documents(data: Sequence[str], problems: _Problems) -> Iterator[tuple[str, Source]]:
    """Each document with the location where it was found."""
    for given in data:
        name, _, rest = given.partition("=")
        path = Path(rest if rest and not Path(given).exists() else given)
        name = name if rest and str(path) == rest else path.name.split(".")[0]
        if path.is_dir():
            yield from _text_files(_texts_in(path), name, problems)
        elif path.suffix == ".txt" and path.is_file():
            yield from _text_files([path], name, problems)
        elif path.is_file():
            yield from _document_lines(path, name, problems)
        else:
            raise MlsError(f"there is no file or folder {path}; give JSON lines such as {_DOCUMENT_FORM}")


def _texts_in(folder: Path) -> list[Path]:
    paths = sorted(folder.glob("*.txt"))
    if not paths:
        raise MlsError(f"{folder} holds no .txt file; give one text a file, or JSON lines such as {_DOCUMENT_FORM}")
    return paths


def _text_files(paths: Sequence[Path], data_set: str, problems: _Problems) -> Iterator[tuple[str, Source]]:
    for path in paths:
        try:
            yield str(path), Source(path.stem, data_set, path.read_text(encoding="utf-8-sig"))
        except (OSError, UnicodeDecodeError) as error:
            problems.add(str(path), f"can't be read ({error})")


def _document_lines(path: Path, data_set: str, problems: _Problems) -> Iterator[tuple[str, Source]]:
    for location, row in _rows(path, problems):
        found = row.get("id"), row.get("document"), row.get("set", data_set)
        if not all(isinstance(field, str) and field.strip() for field in found):
            problems.add(location, f"'id' and 'document' must be texts, and 'set' if it is there: {_DOCUMENT_FORM}")
        else:
            yield location, Source(str(found[0]), str(found[2]), str(found[1]))


def _once_each(found: Iterable[tuple[str, Source]], problems: _Problems) -> Iterator[Source]:
    """Documents that can be summarized and differ from one another, so that nobody can meet one twice."""
    ids: dict[str, str] = {}
    texts: dict[str, str] = {}
    for location, document in found:
        if document.id in ids:
            problems.add(location, f"the id {document.id!r} was used at {ids[document.id]}")
        elif document.text.strip() in texts:
            problems.add(location, f"the same text stands at {texts[document.text.strip()]}")
        elif not (document.id.isprintable() and document.data_set.isprintable()):
            problems.add(location, f"the id {document.id!r} or the set {document.data_set!r} can't be printed")
        elif not _is_text(document.text):
            problems.add(location, _NO_TEXT)
        elif not Document.parse(document.text).sentences:
            problems.add(location, "there is no word in it")
        else:
            yield document
        ids.setdefault(document.id, location)
        texts.setdefault(document.text.strip(), location)


def _questions(path: Path, ids: set[str], problems: _Problems) -> Iterator[Question]:
    if not path.is_file():
        raise MlsError(f"there is no file {path}; give JSON lines such as {_QUESTION_FORM}")
    seen: dict[tuple[str, str], str] = {}
    for location, row in _rows(path, problems):
        question = _question(row, ids)
        if isinstance(question, str):
            problems.add(location, question)
        elif (question.document, question.text) in seen:
            problems.add(location, f"the same question stands at {seen[question.document, question.text]}")
        else:
            seen[question.document, question.text] = location
            yield question


def _question(row: Mapping[str, object], ids: set[str]) -> Question | str:
    """A question, or what is wrong with it."""
    document, text, answer = (row.get(name) for name in ("document", "question", "answer"))
    if not isinstance(document, str) or not isinstance(text, str) or not isinstance(answer, str) or not text.strip():
        return f"'document', 'question' and 'answer' must be texts: {_QUESTION_FORM}"
    if not _is_text(text):
        return _NO_TEXT
    if document not in ids:
        return f"there is no document with the id {document!r}"
    if answer.strip().lower() not in ANSWERS:
        return f"the answer is {answer!r}, expected yes or no"
    if len(text) > _LONGEST_QUESTION:
        return f"the question has {len(text)} characters; at most {_LONGEST_QUESTION} can be read at a glance"
    return Question(document, text.strip(), answer.strip().lower())


def _is_text(text: str) -> bool:
    r"""JSON can hold half of a character, which no file and no page can.

    >>> _is_text("caf\u00e9"), _is_text("\ud83d")
    (True, False)
    """
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _rows(path: Path, problems: _Problems) -> Iterator[tuple[str, Mapping[str, object]]]:
    for row in rows_to_the_end(path):
        if row.problem:
            problems.add(f"{path}:{row.number}", row.problem)
        else:
            yield f"{path}:{row.number}", row.values
