"""Word documents (.docx): paragraphs and tables in their order."""

from __future__ import annotations

import io
import zipfile

import docx
from docx.document import Document
from docx.table import Table

from mls.errors import MlsError

_MOST_UNPACKED = 200 * 2**20


def read(data: bytes, name: str, characters: int) -> str:
    _check_size(data, name)
    try:
        document = docx.Document(io.BytesIO(data))
        return "\n\n".join(block for block in _blocks(document) if block)
    except (ValueError, KeyError, zipfile.BadZipFile, SyntaxError) as error:
        raise MlsError(f"{name} is no Word document, or a damaged one ({error})") from error


def _check_size(data: bytes, name: str) -> None:
    """A small archive may unpack to more than any memory holds. It is taken at its word: no more is read."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise MlsError(f"{name} is no Word document, or a damaged one ({error})") from error
    if unpacked > _MOST_UNPACKED:
        raise MlsError(f"{name} would unpack to {unpacked:,} bytes, which no honest document does")


def _blocks(document: Document) -> list[str]:
    found = []
    for block in document.iter_inner_content():
        if isinstance(block, Table):
            found += _rows(block)
        else:
            found.append(block.text.strip())
    return found


def _rows(table: Table) -> list[str]:
    """The rows of a table; a merged cell, which stands at many places, is told once."""
    told: set[object] = set()
    found = []
    for row in table.rows:
        new = {cell._tc: cell.text.strip() for cell in row.cells if cell._tc not in told}
        told.update(new)
        found.append("; ".join(filter(None, new.values())))
    return found
