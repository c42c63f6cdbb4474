"""Web pages: what each block of their text is, and that nothing beside the text is taken for it."""

from __future__ import annotations

from file_makers import parts_of
from mls.files.guarded import read_guarded
from mls.files.html import read_all
from mls.files.kinds import read

STORY = (
    "The ferry across the river will not close this month after all, the county said on Tuesday evening.",
    "Its volunteers are going to test the water on every crossing, sixteen times a day, six days a week.",
    "The county pays them for that, and the price is lower than what a contractor asked for the same work.",
)
PAGE = f"""<!doctype html><html><head><title>Ferry stays after all | The Gazette</title></head><body>
<header><a href="/">The Gazette</a><nav><ul><li><a href="/n">News</a></li><li><a href="/x">Contact</a></li></ul></nav>
</header><main><article><h1>Ferry <em>stays</em> after all</h1><p>{STORY[0]} See <a href="/m">the minutes</a>.</p>
<h2>Who tests</h2><p>{STORY[1]}</p>
<ul><li>Sixteen times a day<ul><li>six days a week</li></ul></li><li>All year</li></ul>
<figure><img src="a.png" alt="a"><figcaption>The ferry at dawn.</figcaption></figure>
<pre>if water.clear:
    cross()</pre>
<blockquote><p>{STORY[2]}</p></blockquote>
<table><tr><th>item</th><th>cost</th></tr><tr><td>diesel</td><td>£40,000</td></tr></table>
</article><aside><h3>Related</h3><p>Another story that nobody asked for.</p></aside></main>
<footer>All rights reserved</footer><script>alert(1)</script></body></html>"""


def parts(page: str) -> list[tuple[str | None, str]]:
    return parts_of(read("page.html", page.encode(), 10_000))


def test_every_block_has_its_kind() -> None:
    found = parts(PAGE)
    assert found == [
        ("title", "Ferry stays after all"),
        (None, f"{STORY[0]} See the minutes."),
        ("heading", "Who tests"),
        (None, STORY[1]),
        ("list-item", "Sixteen times a day"),
        ("list-item", "six days a week"),
        ("list-item", "All year"),
        ("caption", "The ferry at dawn."),
        ("code", "if water.clear:\n    cross()"),
        (None, STORY[2]),
        ("table-row", "item; cost"),
        ("table-row", "diesel; £40,000"),
    ]


def test_a_heading_above_the_text_is_the_title() -> None:
    text = "".join(f"<p>{line}</p>" for line in STORY)
    page = f"<html><body><header><h1>Ferry stays</h1></header><main>{text}</main><footer>Imprint</footer></body></html>"
    assert parts(page) == [("title", "Ferry stays"), *((None, line) for line in STORY)]


def test_a_page_without_headings_is_called_as_it_calls_itself() -> None:
    text = "".join(f"<p>{line}</p>" for line in STORY)
    assert parts(f"<html><head><title>Gazette | Ferry stays</title></head><body>{text}</body></html>")[0] == (
        "title",
        "Ferry stays",
    )


def test_a_page_too_small_to_tell_is_read_whole() -> None:
    page = "<nav>Menu</nav><h1>Ferry</h1><ul><li>a<p>b</ul><p>It räined.<br>A lot.<table><tr><td>c<td>d</table>"
    assert parts(page) == [
        ("title", "Ferry"),
        ("list-item", "a"),
        ("list-item", "b"),
        (None, "It räined.\nA lot."),
        ("table-row", "c; d"),
    ]
    assert parts("<nav>Only a menu</nav>") == [(None, "Only a menu")]


def test_a_text_of_one_paragraph_is_told_from_what_stands_around_it() -> None:
    text = " ".join(STORY)
    page = (
        f"<div class=menu><a href=/>News</a><a href=/x>Contact</a></div><article><p>{text}</p></article><div>(c)</div>"
    )
    assert parts(f"<html><body>{page}</body></html>") == [(None, text)]


def test_other_encodings() -> None:
    declared = '<html><head><meta charset="iso-8859-1"></head><body><p>Es räinte.</p></body></html>'
    assert read("page.html", declared.encode("latin-1"), 1000).text == "Es räinte."
    assert read("page.html", declared.encode("utf-8"), 1000).text == "Es räinte."
    xml = '<?xml version="1.0" encoding="utf-8"?><html><body><p>Es räinte.</p></body></html>'
    assert read("page.html", xml.encode("utf-8"), 1000).text == "Es räinte."


def test_of_a_mail_all_is_read_and_what_it_cites_is_marked() -> None:
    page = """<table><tr><td><p>It stays.</p></td></tr></table><p style="display: none">hidden</p>
    <blockquote type="cite"><p>Will it</p><ul><li>stay?</li></ul></blockquote><footer>Sent by a list</footer>"""
    assert parts_of(read_all(page.encode())) == [
        (None, "It stays."),
        ("quoted", "Will it"),
        ("quoted", "stay?"),
        (None, "Sent by a list"),
    ]


def test_code_within_a_list_is_part_of_its_line() -> None:
    page = f"""<html><body><main><article><h1>Ferry</h1><p>{STORY[0]}</p><p>{STORY[1]}</p>
<ul><li><code>ferry --go</code>, to cross at once</li><li>Or <code>ferry</code> and <code>--wait</code>.</li></ul>
<dl><dt><a href="#n"><code>--night</code> <em>hour</em></a></dt><dd><p>{STORY[2]}</p></dd></dl>
<ol><li>So: <pre><code>ferry --go</code></pre></li></ol></article></main></body></html>"""
    assert parts(page)[3:] == [
        ("list-item", "ferry --go, to cross at once"),
        ("list-item", "Or ferry and --wait."),
        ("list-item", "--night hour"),
        ("list-item", STORY[2]),
        ("list-item", "So:"),
        ("code", "ferry --go"),
    ]


def test_lists_within_lists_are_read_however_deep() -> None:
    page = f"<html><body><p>{STORY[0]}</p>{'<ul><li>a' * 200}{STORY[1]}{'</li></ul>' * 200}</body></html>"
    assert STORY[1] in read_guarded("page.html", page.encode(), 100_000).text
