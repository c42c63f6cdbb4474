"""Word documents: what each of their blocks is, and what the library alone would leave out."""

from __future__ import annotations

import io
import zipfile

import docx
import pytest
from docx.oxml import parse_xml

from file_makers import parts_of, saved, with_parts
from mls.errors import MlsError
from mls.files.kinds import read

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def parts(data: bytes) -> list[tuple[str | None, str]]:
    return parts_of(read("story.docx", data, 10_000))


def written(body: str, before: str = "") -> bytes:
    """A Word document with this body."""
    document = f'<?xml version="1.0"?>{before}<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'
    return with_parts(saved(docx.Document()), {"word/document.xml": document.encode()})


def test_styles_tell_what_a_paragraph_is() -> None:
    document = docx.Document()
    for text, style in (
        ("Ferry", "Title"),
        ("Costs", "Heading 1"),
        ("They are low.", None),
        ("diesel", "List Bullet"),
        ("crew", "List Number"),
        ("Indented.", "List Paragraph"),
        ("Costs by item", "Caption"),
        ("A quotation.", "Quote"),
    ):
        document.add_paragraph(text, style)
    found = read("story.docx", saved(document), 10_000)
    assert "diesel\ncrew\n\nIndented." in found.text
    assert parts_of(found) == [
        ("title", "Ferry"),
        ("heading", "Costs"),
        (None, "They are low."),
        ("list-item", "diesel"),
        ("list-item", "crew"),
        (None, "Indented."),
        ("caption", "Costs by item"),
        (None, "A quotation."),
    ]


def test_numbers_outlines_and_bold_type_tell_it_too() -> None:
    body = (
        "<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>Ferry stays</w:t></w:r></w:p>"
        '<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>Costs</w:t></w:r></w:p>'
        '<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>diesel</w:t></w:r></w:p>'
        '<w:p><w:pPr><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr><w:r><w:t>No item.</w:t></w:r></w:p>'
        '<w:p><w:r><w:rPr><w:b w:val="0"/></w:rPr><w:t>Not bold</w:t></w:r></w:p>'
    )
    kinds = ["title", "heading", "list-item", None, None]
    assert [kind for kind, _ in parts(written(body))] == kinds


def test_a_style_made_after_another_tells_the_same() -> None:
    document = docx.Document()
    style = document.styles.add_style("County", 1)
    style.base_style = document.styles["Heading 2"]
    document.add_paragraph("It stays.")
    document.add_paragraph("Costs", style)
    assert parts(saved(document)) == [(None, "It stays."), ("heading", "Costs")]


def test_a_merged_cell_is_told_once() -> None:
    document = docx.Document()
    table = document.add_table(rows=3, cols=3)
    table.cell(0, 0).merge(table.cell(0, 2)).text = "Crossings"
    table.cell(1, 0).merge(table.cell(2, 0)).text = "Monday"
    for row, column, text in ((1, 1, "two"), (1, 2, "two"), (2, 1, "three")):
        table.cell(row, column).text = text
    assert read("table.docx", saved(document), 10_000).text == "Crossings\nMonday; two; two\nthree"


def test_a_table_of_one_cell_is_a_frame() -> None:
    document = docx.Document()
    document.add_table(rows=1, cols=1).cell(0, 0).text = "It stays."
    assert parts(saved(document)) == [(None, "It stays.")]


def test_what_was_inserted_deleted_or_put_in_a_box() -> None:
    box = "<w:txbxContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent>"
    choice = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    body = (
        "<w:p><w:r><w:t>It </w:t></w:r><w:ins><w:r><w:t>really </w:t></w:r></w:ins>"
        "<w:del><w:r><w:delText>never </w:delText></w:r></w:del>"
        "<w:r><w:t>stays</w:t><w:tab/><w:t>here.</w:t></w:r></w:p>"
        "<w:sdt><w:sdtContent><w:p><w:r><w:t>In a form.</w:t></w:r></w:p></w:sdtContent></w:sdt>"
        f'<w:p xmlns:mc="{choice}"><w:r><w:t>Text.</w:t><mc:AlternateContent><mc:Choice>{box}</mc:Choice>'
        f"<mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert [text for _, text in parts(written(body))] == ["It really stays here.", "In a form.", "Text.", "In a box."]


def with_notes(notes: str, before: str = "") -> bytes:
    document = docx.Document()
    paragraph = document.add_paragraph("It stays.")
    paragraph._p.append(parse_xml(f'<w:r xmlns:w="{W}"><w:footnoteReference w:id="1"/></w:r>'))
    data = saved(document)
    relations = (
        b'<Relationship Id="rId99" Type="%s/footnotes" Target="footnotes.xml"/></Relationships>' % OFFICE.encode()
    )
    content = b'<Override PartName="/word/footnotes.xml" ContentType="application/xml"/></Types>'
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        rels = archive.read("word/_rels/document.xml.rels").replace(b"</Relationships>", relations)
        types = archive.read("[Content_Types].xml").replace(b"</Types>", content)
    separator = '<w:footnote w:type="separator" w:id="0"><w:p><w:r><w:t>none</w:t></w:r></w:p></w:footnote>'
    xml = f'<?xml version="1.0"?>{before}<w:footnotes xmlns:w="{W}">{separator}{notes}</w:footnotes>'
    return with_parts(
        data,
        {
            "word/_rels/document.xml.rels": rels,
            "[Content_Types].xml": types,
            "word/footnotes.xml": xml.encode(),
        },
    )


def test_footnotes_stand_at_the_end() -> None:
    note = (
        '<w:footnote w:id="1"><w:p><w:r><w:t>Until</w:t></w:r></w:p><w:p><w:r><w:t>May.</w:t></w:r></w:p></w:footnote>'
    )
    assert parts(with_notes(note)) == [(None, "It stays."), ("footnote", "Until May.")]


def test_footnotes_that_are_no_xml_are_refused() -> None:
    with pytest.raises(MlsError, match=r"story\.docx is no Word document, or a damaged one"):
        parts(with_notes("<w:footnote>"))


@pytest.mark.parametrize("part", ["body", "notes"])
def test_an_entity_of_plain_text_is_written_out(part: str) -> None:
    """It used to end the text of its run."""
    declared = '<!DOCTYPE x [<!ENTITY ferry "the ferry"><!ENTITY ends ".">]>'
    text = "<w:p><w:r><w:t>So &ferry; &amp; its &ferry;s stay&ends;</w:t></w:r><w:r><w:t> Good.</w:t></w:r></w:p>"
    if part == "body":
        data = written(text, declared)
    else:
        data = with_notes(f'<w:footnote w:id="1">{text}</w:footnote>', declared)
    assert parts(data)[-1][1] == "So the ferry & its the ferrys stay. Good."


@pytest.mark.parametrize(
    "declared",
    ['<!ENTITY a "b"><!ENTITY x "&a;&a;">', '<!ENTITY x SYSTEM "file:///etc/hostname">', '<!ENTITY x "<w:t>no</w:t>">'],
)
def test_other_entities_are_refused(declared: str) -> None:
    with pytest.raises(MlsError, match=r"^story\.docx"):
        parts(written("<w:p><w:r><w:t>So &x; stays.</w:t></w:r></w:p>", f"<!DOCTYPE x [{declared}]>"))
