"""PDF: the order in which its text is read, and what each block of it is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from file_makers import BOLD, MONO, Words, check, column, parts_of, pdf_of
from mls.errors import MlsError
from mls.files.kinds import read
from mls.files.marked import MarkedText
from mls.files.pdf_blocks import joined
from mls.files.reader import outcome

LEFT = (
    "The ferry across the river will not close this",
    "month after all, the county said on Tuesday, and",
    "its volunteers will test the water every day.",
)
RIGHT = (
    "The price is lower than what a contractor asked",
    "for the same work in the year before, when the",
    "river rose and all the boats stayed at the quay.",
)


def parts(*pages: list[Words], rotation: int = 0) -> list[tuple[str | None, str]]:
    return parts_of(read("paper.pdf", pdf_of(*pages, rotation=rotation), 100_000))


def prose(*pages: list[Words]) -> list[str]:
    return [text for kind, text in parts(*pages) if kind is None]


def test_two_columns_are_read_one_after_the_other() -> None:
    both = [*column(50, 700, LEFT), *column(310, 700, RIGHT)]
    assert prose(both) == [" ".join(LEFT), " ".join(RIGHT)]
    interleaved = [words for pair in zip(column(50, 700, LEFT), column(310, 700, RIGHT), strict=True) for words in pair]
    assert prose(interleaved) == [" ".join(LEFT), " ".join(RIGHT)]


def test_three_columns() -> None:
    texts = [
        [*(f"{word} column line {number} of it" for number in range(5)), "and the end of it."]
        for word in ("First", "Second", "Third")
    ]
    page = [words for x, lines in zip((40, 220, 400), texts, strict=True) for words in column(x, 700, lines)]
    assert prose(page) == [" ".join(lines) for lines in texts]


def test_what_goes_across_the_columns_divides_them() -> None:
    across = "This line goes across both of the columns and from one edge of the page to the other, for good."
    page = [
        *column(50, 700, LEFT),
        *column(310, 700, RIGHT),
        Words(50, 620, across),
        *column(50, 580, RIGHT),
        *column(310, 580, LEFT),
    ]
    assert prose(page) == [" ".join(LEFT), " ".join(RIGHT), across, " ".join(RIGHT), " ".join(LEFT)]


def test_a_sentence_goes_on_in_the_next_column_behind_notes_and_captions() -> None:
    long = [*LEFT[:2], "its volunteers test the water in the harbour and"] * 2
    page = [
        *column(50, 700, long),
        Words(50, 80, "1 Until the end of May, as the county says.", 7.5),
        Words(310, 700, "Figure 3: The ferry at dawn.", 9),
        *column(310, 660, ["on the river, as it has done for all of", *RIGHT[1:]]),
    ]
    found = parts(page)
    assert found == [
        (None, " ".join([*long, "on the river, as it has done for all of", *RIGHT[1:]])),
        ("footnote", "1 Until the end of May, as the county says."),
        ("caption", "Figure 3: The ferry at dawn."),
    ]


def test_a_table_is_not_read_as_columns() -> None:
    rows = [
        ("Item", "Cost", "Share"),
        ("Diesel", "40,000", "31%"),
        ("Crew", "72,000", "55%"),
        ("Paint", "18,000", "14%"),
    ]
    page = column(50, 700, [*LEFT, *RIGHT])
    page += [
        Words(x, 600 - 14 * number, cell)
        for number, row in enumerate(rows)
        for x, cell in zip((50, 120, 190), row, strict=True)
    ]
    page.append(Words(50, 530, "Table 1. What the line costs in a year.", 9))
    found = read("paper.pdf", pdf_of(page), 10_000)
    assert parts_of(found)[-5:] == [
        *(("table-row", "; ".join(row)) for row in rows),
        ("caption", "Table 1. What the line costs in a year."),
    ]
    assert "Share\nDiesel" in found.text


def article() -> list[list[Words]]:
    """Three pages with all that a paper has."""
    first = [
        Words(50, 780, "Proceedings of the Workshop on Ferries", 8),
        Words(100, 740, "How Volunteers and Tests Keep", 18, BOLD),
        Words(150, 718, "a Ferry Alive", 18, BOLD),
        Words(180, 690, "Ann Lee and Robert Smith", 12),
        Words(200, 674, "University of Oxbarrow", 12),
        Words(50, 640, "1  Introduction", 12, BOLD),
        *column(50, 620, LEFT),
        Words(50, 570, "1.1  Costs", 10, BOLD),
        *column(50, 552, ["The price is well-known, and lower than what a con-", "tractor asked for the same work."]),
        *column(310, 640, RIGHT),
        Words(310, 560, "Figure 1: Crossings by the hour", 9),
        Words(310, 549, "of the day.", 9),
        *column(310, 500, [*LEFT[:2], "its well-", "known volunteers will test the water."]),
        Words(50, 96, "1", 5),
        Words(53, 93, "The county keeps the data and gives", 8),
        Words(50, 83, "them to those who ask.", 8),
        Words(298, 40, "1", 9),
    ]
    second = [
        Words(50, 770, "Lee and Smith", 9),
        *column(50, 730, [*LEFT, *RIGHT]),
        *column(310, 730, [*RIGHT, *LEFT]),
        Words(298, 40, "2", 9),
    ]
    third = [
        Words(50, 770, "Lee and Smith", 9),
        *column(50, 730, [*LEFT, *RIGHT]),
        Words(310, 730, "References", 12, BOLD),
        *column(310, 712, ["[1] Ann Lee. 2020. Ferries of the county and", "their costs. Journal of Ferries."], 9),
        *column(310, 688, ["[2] Robert Smith. 2021. Water tests. In Quay."], 9),
        Words(298, 40, "3", 9),
    ]
    return [first, second, third]


def test_a_paper() -> None:
    found = parts(*article())
    both = (None, " ".join(LEFT)), (None, " ".join(RIGHT))
    assert found == [
        ("boilerplate", "Proceedings of the Workshop on Ferries"),
        ("title", "How Volunteers and Tests Keep a Ferry Alive"),
        ("byline", "Ann Lee and Robert Smith"),
        ("byline", "University of Oxbarrow"),
        ("heading", "1 Introduction"),
        both[0],
        ("heading", "1.1 Costs"),
        (None, "The price is well-known, and lower than what a contractor asked for the same work."),
        ("footnote", "1 The county keeps the data and gives them to those who ask."),
        both[1],
        ("caption", "Figure 1: Crossings by the hour of the day."),
        (None, " ".join([*LEFT[:2], "its well-known volunteers will test the water."])),
        (None, " ".join([*LEFT, *RIGHT])),
        (None, " ".join([*RIGHT, *LEFT])),
        (None, " ".join([*LEFT, *RIGHT])),
        ("heading", "References"),
        ("reference", "[1] Ann Lee. 2020. Ferries of the county and their costs. Journal of Ferries."),
        ("reference", "[2] Robert Smith. 2021. Water tests. In Quay."),
    ]


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_page_that_is_shown_turned(rotation: int) -> None:
    """Words that are level in the file stand on end, or upside down, on such a page; those that do so are level."""
    with pytest.raises(MlsError, match="no text"):
        parts(column(50, 700, LEFT), rotation=rotation)
    turned = {
        90: (b"0 1 -1 0 %g %g", lambda x, y: (600 - y, x)),
        180: (b"-1 0 0 -1 %g %g", lambda x, y: (600 - x, 800 - y)),
        270: (b"0 -1 1 0 %g %g", lambda x, y: (y, 800 - x)),
    }
    matrix, position = turned[rotation]
    data = pdf_of([*column(50, 550, LEFT), *column(310, 550, RIGHT)], rotation=rotation)
    for words in (*column(50, 550, LEFT), *column(310, 550, RIGHT)):
        data = data.replace(b"1 0 0 1 %g %g Tm" % (words.x, words.y), matrix % position(words.x, words.y) + b" Tm")
    assert read("paper.pdf", data, 10_000).text == f"{' '.join(LEFT)}\n\n{' '.join(RIGHT)}"


def test_references_without_numbers_begin_where_they_stand_out() -> None:
    page = [
        *column(50, 700, [*LEFT, *RIGHT]),
        Words(50, 600, "References", 10, BOLD),
        Words(50, 580, "Ann Lee. 2020. The ferries of the county and what"),
        Words(62, 568, "they cost. Journal of Ferries."),
        Words(50, 556, "Robert Smith. 2021. Tests of water. In Quay."),
        Words(50, 530, "A  Appendix", 10, BOLD),
        *column(50, 510, RIGHT),
    ]
    assert parts(page)[-5:] == [
        ("heading", "References"),
        ("reference", "Ann Lee. 2020. The ferries of the county and what they cost. Journal of Ferries."),
        ("reference", "Robert Smith. 2021. Tests of water. In Quay."),
        ("heading", "A Appendix"),
        (None, " ".join(RIGHT)),
    ]


def test_paragraphs_begin_with_an_indent_or_a_gap_or_after_a_short_line() -> None:
    page = [
        *column(50, 700, [*LEFT[:2], "it is good."]),
        *column(50, 664, LEFT[:2]),
        Words(50, 640, "and will test the water of the river."),
        Words(64, 628, "The next one stands a little further in than"),
        Words(50, 616, "the others do."),
        *column(50, 580, RIGHT),
    ]
    assert prose(page) == [
        " ".join([*LEFT[:2], "it is good."]),
        " ".join([*LEFT[:2], "and will test the water of the river."]),
        "The next one stands a little further in than the others do.",
        " ".join(RIGHT),
    ]


def test_lists_and_code() -> None:
    page = [
        *column(50, 700, LEFT),
        Words(60, 650, "\u2022 diesel, which is forty thousand pounds a"),
        Words(70, 638, "year or so"),
        Words(60, 626, "\u2022 the crew"),
        *column(50, 600, ["1. The county says so, and it knows.", "2. It was always so."]),
        Words(50, 560, "if water.clear:", 9, MONO),
        Words(71.6, 549, "cross()", 9, MONO),
        *column(50, 520, RIGHT),
    ]
    found = read("paper.pdf", pdf_of(page), 10_000)
    assert parts_of(found)[1:-1] == [
        ("list-item", "diesel, which is forty thousand pounds a year or so"),
        ("list-item", "the crew"),
        ("list-item", "1. The county says so, and it knows."),
        ("list-item", "2. It was always so."),
        ("code", "if water.clear:\n    cross()"),
    ]


def test_running_heads_that_change_and_page_numbers() -> None:
    pages = [
        [
            Words(50, 770, f"{number} Costs" if number % 2 else f"The Ferry {number}", 9),
            *column(50, 730, [line.replace("river", f"river{'abcdef'[number]}") for line in (*LEFT, *RIGHT)]),
            Words(290, 40, f"- {number} -", 9),
        ]
        for number in range(1, 6)
    ]
    text = read("paper.pdf", pdf_of(*pages), 10_000).text
    assert "Costs" not in text
    assert "The Ferry" not in text
    assert "- 1 -" not in text
    assert text.count("The ferry across") == 5


def test_headings_at_the_top_of_pages_are_no_running_heads() -> None:
    pages = [
        [
            Words(50, 770, f"Chapter {number}", 16, BOLD),
            *column(50, 700, [f"{'abcdef'[number]} {line}" for line in LEFT]),
        ]
        for number in range(1, 6)
    ]
    assert [text for kind, text in parts(*pages) if kind] == [f"Chapter {number}" for number in range(1, 6)]


def test_a_table_of_contents_is_no_text() -> None:
    page = [
        Words(50, 740, "Contents", 14, BOLD),
        *column(50, 700, ["1 Introduction . . . . . . . . . . . . . 1", "2 Costs . . . . . . . . . . . . . . . . . 7"]),
        *column(50, 640, [*LEFT, *RIGHT]),
    ]
    assert [kind for kind, _ in parts(page)][1:3] == ["boilerplate", "boilerplate"]


def test_numbers_that_point_to_notes_are_left_out_and_exponents_stay() -> None:
    page = [
        *column(50, 700, LEFT),
        Words(50, 650, "It stays.", 10),
        Words(84.7, 653.5, "1", 6),
        Words(96, 650, "It costs 10", 10),
        Words(141.8, 653.5, "6", 6),
        Words(152, 650, "pounds.", 10),
    ]
    assert prose(page)[-1] == "It stays. It costs 106 pounds."


def test_text_that_stands_on_end_is_left_out() -> None:
    data = pdf_of(column(50, 700, LEFT))
    turned = data.replace(b"BT /F1 10 Tf 1 0 0 1 50 700 Tm (The ferry", b"BT /F1 10 Tf 0 1 -1 0 9 300 Tm (The ferry")
    assert turned != data
    assert read("paper.pdf", turned, 10_000).text == " ".join(LEFT[1:])


def test_a_scanned_page_says_what_to_do() -> None:
    with pytest.raises(MlsError, match=r"^scan\.pdf holds no text: it may be scanned images[^\n]*OCR\)$"):
        read("scan.pdf", pdf_of([], [], picture=True), 10_000)


def test_scripts_without_spaces_are_joined_without() -> None:
    assert joined(["今日は雨", "だった。", "It rained."]) == "今日は雨だった。 It rained."


@given(st.lists(st.text("abc .-", max_size=30).map(str.strip), max_size=12))
def test_joining_lines_loses_no_letter(lines: list[str]) -> None:
    assert [character for character in joined(lines) if character not in " -"] == [
        character for line in lines for character in line if character not in " -"
    ]


POSITIONS = st.integers(-50, 850)
ANYWHERE = st.builds(
    Words,
    POSITIONS,
    POSITIONS,
    st.sampled_from(
        ["It rained", "Figure 1: a", "1 b", "[1] c", "References", "d.", "\u2022 e", "f . . . . . 3", "g-", "-"]
    ),
    st.sampled_from([1, 6, 8, 10, 14, 300]),
    st.sampled_from(["F1", "F2", "F3"]),
)


@settings(deadline=None)
@given(st.lists(st.lists(ANYWHERE, max_size=25), min_size=1, max_size=4))
def test_wherever_words_stand_they_are_read(pages: list[list[Words]]) -> None:
    found = outcome("any.pdf", pdf_of(*pages), 10_000)
    if "error" in found:
        assert "no text" in found["error"]
    else:
        check(MarkedText.from_json(found))
