"""Files made by hand, and what must hold of the text that is read from any file."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import docx

from mls.files.marked import KINDS, MarkedText

REGULAR, BOLD, MONO = "F1", "F2", "F3"
_FONTS = {REGULAR: "Helvetica", BOLD: "Helvetica-Bold", MONO: "Courier"}
WIDTH, HEIGHT = 600, 800


@dataclass(frozen=True)
class Words:
    """Words on a page of a PDF, from a place on, in points from the left and from below."""

    x: float
    y: float
    text: str
    size: float = 10
    font: str = REGULAR


def column(x: float, y: float, lines: Sequence[str], size: float = 10, font: str = REGULAR) -> list[Words]:
    """Lines one below the other."""
    return [Words(x, y - number * 1.2 * size, line, size, font) for number, line in enumerate(lines)]


def pdf_of(*pages: Sequence[Words], rotation: int = 0, picture: bool = False) -> bytes:
    """A PDF with these words on its pages; with `picture`, each page also shows an image."""
    fonts = b" ".join(b"/%s %d 0 R" % (name.encode(), number) for number, name in enumerate(_FONTS, 3))
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    objects += [
        b"<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding >>" % name.encode()
        for name in _FONTS.values()
    ]
    image = (
        b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>"
    )
    objects.append(image + b"\nstream\n\x80\nendstream")
    kids = []
    for words in pages:
        stream = b"q 500 0 0 700 50 50 cm /Im Do Q " if picture else b""
        stream += b" ".join(map(_shown, words))
        kids.append(b"%d 0 R" % (len(objects) + 1))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Rotate %d /Contents %d 0 R /Resources "
            b"<< /Font << %s >> /XObject << /Im %d 0 R >> >> >>"
            % (WIDTH, HEIGHT, rotation, len(objects) + 2, fonts, 3 + len(_FONTS))
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    return assembled(objects)


def _shown(words: Words) -> bytes:
    text = words.text.replace("\\", "\\\\").replace("(", r"\(").replace(")", r"\)").encode("cp1252")
    return b"BT /%s %g Tf 1 0 0 1 %g %g Tm (%s) Tj ET" % (words.font.encode(), words.size, words.x, words.y, text)


def assembled(objects: Sequence[bytes]) -> bytes:
    data = b"%PDF-1.4\n"
    positions = []
    for number, body in enumerate(objects, 1):
        positions.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % position for position in positions)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(data))
    return data + b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table) + trailer


def saved(document: docx.document.Document) -> bytes:
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def with_parts(archive: bytes, parts: Mapping[str, bytes], level: int = 9) -> bytes:
    """An archive in which some parts are replaced or added."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as given, zipfile.ZipFile(out, "w") as changed:
        for entry in given.infolist():
            if entry.filename not in parts:
                changed.writestr(entry.filename, given.read(entry.filename), zipfile.ZIP_DEFLATED, level)
        for name, content in parts.items():
            changed.writestr(name, content, zipfile.ZIP_DEFLATED, level)
    return out.getvalue()


def parts_of(found: MarkedText) -> list[tuple[str | None, str]]:
    """All blocks of a text with their kinds, in order; those of prose are cut at blank lines."""
    check(found)
    parts: list[tuple[str | None, str]] = []
    position = 0
    for mark in found.marks:
        parts += _prose(found.text[position : mark.start])
        parts.append((mark.kind, found.text[mark.start : mark.end]))
        position = mark.end
    return parts + _prose(found.text[position:])


def _prose(text: str) -> list[tuple[str | None, str]]:
    return [(None, block.strip()) for block in text.split("\n\n") if block.strip()]


def check(found: MarkedText) -> None:
    """What holds of every text: marks are known, in order, apart, and go exactly around what they mark."""
    position = 0
    for mark in found.marks:
        assert mark.kind in KINDS
        assert position <= mark.start < mark.end <= len(found.text)
        marked = found.text[mark.start : mark.end]
        assert marked == (marked.rstrip() if mark.kind == "code" else marked.strip())
        position = mark.end
