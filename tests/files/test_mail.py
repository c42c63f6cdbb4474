"""Mails: who wrote what, in files and in texts that hold several."""

from __future__ import annotations

from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from file_makers import check, parts_of
from mls.errors import MissingExtraError
from mls.files import eml
from mls.files.kinds import read
from mls.files.mail import marks_of_mail
from mls.files.marked import MarkedText

HEADERS = [
    ("mail-header", "From: Ann Lée <ann@county.example>"),
    ("mail-header", "To: Bob <bob@ferry.example>"),
    ("mail-header", "Date: Mon, 03 May 2021 10:00:00 +0000"),
    ("mail-header", "Subject: Re: The ferry"),
    ("title", "The ferry"),
]
OWN = (
    "Hello Bob,\n\n"
    "the ferry across the river will not close this month after all, the\n"
    "county said on Tuesday evening. Its volunteers are going to test it.\n\n"
)
OWN_PARTS = [
    (None, "Hello Bob,"),
    (
        None,
        "the ferry across the river will not close this month after all, the county said on Tuesday evening."
        " Its volunteers are going to test it.",
    ),
]


def mail(body: str, html: str | None = None) -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Ann Lée <ann@county.example>"
    message["To"] = "Bob <bob@ferry.example>"
    message["Date"] = "Mon, 03 May 2021 10:00:00 +0000"
    message["Subject"] = "Re: The ferry"
    message["Message-ID"] = "<1@county.example>"
    if body:
        message.set_content(body)
    if html and body:
        message.add_alternative(html, subtype="html")
    elif html:
        message.set_content(html, subtype="html")
    return message


def parts(body: str, html: str | None = None) -> list[tuple[str | None, str]]:
    return parts_of(read("a.eml", mail(body, html).as_bytes(), 10_000))


def marked(text: str, is_body: bool = False) -> list[tuple[str, str]]:
    marks = marks_of_mail(text, is_body=is_body)
    check(MarkedText(text, marks))
    return [(mark.kind, text[mark.start : mark.end]) for mark in marks]


def test_headers_title_and_text() -> None:
    found = read("a.eml", mail(OWN).as_bytes(), 10_000)
    assert found.kind == "mail"
    assert parts_of(found) == HEADERS + OWN_PARTS
    assert found.text.startswith("From: Ann Lée <ann@county.example>\nTo: Bob")


@pytest.mark.parametrize(
    "quoted",
    [
        "On Sun, 2 May 2021 at 09:00, Bob <bob@ferry.example> wrote:\n> Will it close?\n>\n> Bob",
        "On Sun, 2 May 2021 at 09:00, Bob <bob@ferry.example>\nwrote:\n\nWill it close?\n\nBob",
        "Am 02.05.21 um 09:00 schrieb Bob:\n> Will it close?",
        "-----Original Message-----\nFrom: Bob\nSent: Sunday\nTo: Ann\nSubject: The ferry\n\nWill it close?",
        "________________________________\nFrom: Bob\nSent: Sunday\nTo: Ann\nSubject: The ferry\n\nWill it close?",
        "> Will it close?",
    ],
)
def test_what_is_quoted_and_what_is_signed(quoted: str) -> None:
    found = parts(f"{OWN}Best regards,\nAnn Lée\nCounty office\n\n{quoted}\n")
    assert found == [*HEADERS, *OWN_PARTS, ("signature", "Best regards,\nAnn Lée\nCounty office"), ("quoted", quoted)]


def test_answers_between_the_lines_are_the_senders() -> None:
    assert parts("On 2 May 2021 Bob wrote:\n> Will it close?\n\nNo, it stays.\n\n> Why?\n\nNobody knows.\n")[5:] == [
        ("quoted", "On 2 May 2021 Bob wrote:\n> Will it close?"),
        (None, "No, it stays."),
        ("quoted", "> Why?"),
        (None, "Nobody knows."),
    ]


def test_what_is_forwarded_is_read() -> None:
    body = "FYI\n\n---------- Forwarded message ---------\nFrom: Bob\nDate: Sunday\nSubject: The ferry\n\nIt stays.\n"
    assert parts(body)[5:] == [
        (None, "FYI"),
        ("mail-header", "---------- Forwarded message ---------"),
        ("mail-header", "From: Bob"),
        ("mail-header", "Date: Sunday"),
        ("mail-header", "Subject: The ferry"),
        (None, "It stays."),
    ]


@pytest.mark.parametrize(
    "signature",
    ["-- \nAnn Lée\n+44 1234", "Thanks,\nAnn", "Cheers, Ann", "Thanks!", "Kind regards\n\nAnn", "Sent from my phone"],
)
def test_signatures(signature: str) -> None:
    assert parts(f"It stays.\n\n{signature}\n")[5:] == [(None, "It stays."), ("signature", signature)]


def test_thanks_are_no_signature_in_the_middle_of_a_mail() -> None:
    body = "Thanks,\nthat helps us a lot with the plan for the winter months.\n\nWill it close in the end of May?\n"
    assert all(kind is None for kind, _ in parts(body)[5:])


def test_html_is_read_where_there_is_no_plain_text() -> None:
    html = """<html><body><p>It stays:</p><ul><li>this year</li></ul><p>Thanks,<br>Ann</p>
    <div class="gmail_quote">On Sun, 2 May 2021 at 09:00 Bob wrote:<blockquote>Will it?</blockquote></div></body>"""
    assert parts("", html)[5:] == [
        (None, "It stays:"),
        ("list-item", "this year"),
        ("signature", "Thanks,\nAnn"),
        ("quoted", "On Sun, 2 May 2021 at 09:00 Bob wrote:\n\nWill it?"),
    ]
    assert parts("It stays.\n", html)[5:] == [(None, "It stays.")]


def test_html_without_the_library_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eml, "find_spec", lambda name: None)
    assert parts("It stays.\n")[5:] == [(None, "It stays.")]
    with pytest.raises(MissingExtraError, match=r"pip install 'mls-summarizer\[files\]'"):
        parts("", "<p>It stays.</p>")


def test_attachments_are_no_text() -> None:
    message = mail("It stays.\n")
    message.add_attachment(b"secret", maintype="application", subtype="pdf", filename="costs.pdf")
    message.add_attachment("a text beside", filename="notes.txt")
    assert parts_of(read("a.eml", message.as_bytes(), 10_000))[5:] == [(None, "It stays.")]


@pytest.mark.parametrize(
    "data",
    [
        b"From: a\nContent-Type: text/plain; charset=no-such\n\nIt stays.\n",
        b"From: <<<\nDate: never\nSubject: =?x?y?z?=\n\nIt stays.\n",
        b"From: a\nContent-Transfer-Encoding: base64\n\nIt stays.\n",
        b"From: a\nContent-Type: multipart/mixed; boundary=x\n\nIt stays.\n",
    ],
)
def test_mails_that_break_the_rules_are_read(data: bytes) -> None:
    assert "From:" in read("a.eml", data, 10_000).text


def test_several_mails_in_one_text() -> None:
    text = (
        "From: Ann\nSent: Monday\nTo: Bob\nSubject: The ferry\n\nIt stays.\n\nThanks,\nAnn\n\n"
        "From: Bob\nSent: Tuesday\nTo: Ann;\nCy\nSubject: RE: The ferry\n\nWhy?\n\n> It stays.\n"
    )
    assert marked(text) == [
        ("mail-header", "From: Ann"),
        ("mail-header", "Sent: Monday"),
        ("mail-header", "To: Bob"),
        ("mail-header", "Subject: The ferry"),
        ("signature", "Thanks,\nAnn"),
        ("mail-header", "From: Bob"),
        ("mail-header", "Sent: Tuesday"),
        ("mail-header", "To: Ann;\nCy"),
        ("mail-header", "Subject: RE: The ferry"),
        ("quoted", "> It stays."),
    ]
    as_file = parts_of(read("a.eml", text.replace("Sent:", "Date:").encode(), 10_000))
    assert (None, "Why?") in as_file


@pytest.mark.parametrize(
    "text",
    [
        "It rained.\n\nThanks,\nAnn\n",
        "> a quotation\n\nIt rained.",
        "In May she went.\nOn the hill, he wrote:\n\nIt rained.\n",
        "From: London\nTo: Paris\n",
        "",
    ],
)
def test_other_texts_have_no_marks(text: str) -> None:
    assert marked(text) == []


LINES = st.sampled_from(
    "From: a|Sent: b|Subject: c|To: d,| e||> f|It rained on.|  It rained.  |-- |Thanks,|Ann|____________|"
    "-----Original Message-----|On 1 May 2021 at 10:00 Ann wrote:|Begin forwarded message:".split("|")
)


@given(st.lists(LINES, max_size=25), st.booleans())
def test_marks_are_in_order_whatever_the_lines(lines: list[str], is_body: bool) -> None:
    marked("\n".join(lines), is_body)
