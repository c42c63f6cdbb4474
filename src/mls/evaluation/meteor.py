"""METEOR, as nltk computes it, with the synonyms of WordNet.

WordNet's files are looked for where NLTK keeps its data, packed or not, then where Debian's packages
`wordnet-base` and `wordnet-sense-index` put them. Without them there is no METEOR, and no other
number stands in for it.
"""

from __future__ import annotations

import shutil
import tempfile
import warnings
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from mls.errors import MissingExtraError, MlsError
from mls.evaluation.cache import user_cache
from mls.evaluation.judged import Judged
from mls.evaluation.rouge import stemmer
from mls.text import Document

REMEDY = "apt install wordnet-base wordnet-sense-index, or python -m nltk.downloader wordnet"
_ZIP = "corpora/wordnet.zip"  # as nltk's downloader leaves it
_DEBIAN = Path("/usr/share/wordnet")
# The lexicographer files of WordNet 3.0, lexnames(5WN): a list that Debian leaves out and nltk wants.
_LEXNAMES = (
    "adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body "
    "noun.cognition noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive "
    "noun.object noun.person noun.phenomenon noun.plant noun.possession noun.process noun.quantity noun.relation "
    "noun.shape noun.state noun.substance noun.time verb.body verb.change verb.cognition verb.communication "
    "verb.competition verb.consumption verb.contact verb.creation verb.emotion verb.motion verb.perception "
    "verb.possession verb.social verb.stative verb.weather adj.ppl"
).split()
_PARTS = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}


def meteor(judged: Judged) -> float:
    """nltk's METEOR over lower-cased words; zero for a summary without words. Paper: section 3 B."""
    from nltk.translate.meteor_score import single_meteor_score

    reference, written = _words(Document.parse(judged.reference)), _words(judged.summary)
    if not (reference and written):
        return 0.0
    return float(single_meteor_score(reference, written, stemmer=stemmer(), wordnet=wordnet()))


def _words(document: Document) -> list[str]:
    return [word for sentence in document.sentences for word in sentence.words]


@cache
def wordnet_is_here() -> bool:
    """Whether METEOR can be computed."""
    try:
        wordnet()
    except MissingExtraError:
        raise
    except MlsError:
        return False
    return True


@cache
def wordnet() -> Any:
    """A reader of WordNet that remembers what it has looked up."""
    try:
        import nltk
        from nltk.corpus import WordNetCorpusReader
    except ImportError as error:
        raise MissingExtraError("METEOR", "nltk", "eval") from error
    ours = user_cache() / "nltk_data"
    if str(ours) not in nltk.data.path:
        nltk.data.path.append(str(ours))  # nltk opens nothing outside the folders it is told of
    folder = _folder([Path(path) for path in nltk.data.path], ours / "corpora" / "wordnet")
    if folder is None:
        raise MlsError(f"METEOR needs WordNet's files, and none were found: {REMEDY}")

    class EnglishWordNet(WordNetCorpusReader):  # type: ignore[misc]
        def map_wn(self, version: str = "wordnet") -> None:
            """Other languages would need this map, and wait seconds for it."""

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it knows English alone is no news
        reader = EnglishWordNet(str(folder), None)
    reader.synsets = lru_cache(maxsize=50_000)(reader.synsets)
    return reader


def _folder(paths: list[Path], ours: Path) -> Path | None:
    """Where WordNet's files lie, if need be after they were unpacked or copied to a folder of ours."""
    for path in paths:
        if (path / "corpora" / "wordnet" / "lexnames").exists():
            return path / "corpora" / "wordnet"
    packed = next((path / _ZIP for path in paths if (path / _ZIP).exists()), None)
    if packed:
        return _made(ours, lambda folder: _unpack(packed, folder))
    return _made(ours, _copy_debian) if (_DEBIAN / "index.sense").exists() else None


def _made(folder: Path, make: Callable[[Path], None]) -> Path:
    """A folder that is whole or absent."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(dir=folder.parent))
    make(unfinished)
    try:
        unfinished.rename(folder)
    except OSError:  # another process was faster; its copy is the same
        shutil.rmtree(unfinished)
    return folder


def _unpack(packed: Path, folder: Path) -> None:
    with ZipFile(packed) as archive:
        for name in archive.namelist():
            if not name.endswith("/"):
                (folder / Path(name).name).write_bytes(archive.read(name))


def _copy_debian(folder: Path) -> None:
    """Debian's files, with the list of lexicographer files that nltk also wants."""
    shutil.copytree(_DEBIAN, folder, dirs_exist_ok=True)
    lines = (f"{number:02d}\t{name}\t{_PARTS[name[: name.index('.')]]}\n" for number, name in enumerate(_LEXNAMES))
    (folder / "lexnames").write_text("".join(lines), encoding="ascii")
