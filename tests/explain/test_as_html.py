"""The explanation page: whatever the text says stays text, and the page shows what the numbers say.

`ferry.json` is a small summary written for these tests. It has sentences of every kind: copied,
expanded (three from one step), and in the prototype's own words; one stands where an emoji before
it makes code points and UTF-16 units differ.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from mls import Summarizer
from mls.explain import as_html
from mls.explain.as_html import to_html
from mls.explain.as_json import to_dict
from mls.explain.check import check_reasons
from mls.methods import BASELINES
from mls.recipe import HEADS

FERRY = json.loads(Path(__file__).with_name("ferry.json").read_text("utf-8"))
PAGE = Path(as_html.__file__).with_name("page")
HOSTILE = (
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    '" onmouseover="document.title=\'owned\'" x="',
    "<a href=\"javascript:document.title='owned'\">javascript:alert(1)</a>",
    "<!-- <script> ]]> &lt;b&gt; {{7*7}} ${7*7} \\u003cb\\u003e",
    "line\u2028separator\u2029and \u0000 null",
    "\u202ereversed \u2066isolated",
)


def saying(text: str) -> dict[str, Any]:
    """A summary in which every text that comes from outside is this one."""
    data = copy.deepcopy(FERRY)
    data["text"] = data["document"]["text"] = data["prototype"]["text"] = data["prototype"]["generator"] = text
    spans = [span for sentence in data["sentences"] for span in sentence["source"]]
    for entry in (*data["sentences"], *data["units"]):
        entry["text"] = text
    for number, span in enumerate(spans):  # overlapping on purpose
        span["start"], span["end"] = number % 3, len(text)
    for unit in data["units"]:
        unit["start"], unit["paragraph"] = 0, 0
    return data


class Elements(HTMLParser):
    """The start tags of a page, and the text of its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.scripts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self.scripts[-1] += data


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_markup(text: str) -> None:
    expected, found = Elements(to_html(FERRY)), Elements(to_html(saying(text)))
    assert found.tags == expected.tags
    assert found.scripts[1] == expected.scripts[1]
    assert json.loads(found.scripts[0])["document"]["text"] == text


def test_same_data_same_bytes() -> None:
    assert to_html(FERRY).encode() == to_html(copy.deepcopy(FERRY)).encode()


def test_needs_no_network() -> None:
    page = to_html(FERRY)
    assert not re.search(r"https?:|//[a-z]+\.|@import|url\(|\bfetch\(|XMLHttp|\bsrc=|\bhref=", page)
    assert "default-src 'none'" in page
    assert "unsafe" not in page.split("<style>")[0]


def test_script_never_writes_markup() -> None:
    script = "".join(path.read_text("utf-8") for path in PAGE.glob("*.js"))
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|</script|<!--|\"style\"", script)


def test_title_is_plain() -> None:
    title = re.search("<title>(.*)</title>", to_html(saying("<b>\u202eA & B</b>\n" + "long " * 30)))
    assert title
    assert title[1].startswith("Why: &lt;b&gt;A &amp; B&lt;/b&gt; long")
    assert title[1].endswith("…")


def test_lone_surrogates_can_be_written_to_a_file() -> None:
    assert "\\ud83d" in to_html(saying("half of an emoji: \ud83d")).encode().decode()


def test_numbers_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        to_html(FERRY | {"length": float("nan")})


# ---- in a browser ------------------------------------------------------------------------------

Open = Callable[..., Page]


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens the page of a summary; at the end nothing may have gone wrong or asked for the network."""
    complaints: list[str] = []
    contexts = []

    def open_page(data: dict[str, Any], width: int = 1280, scheme: str = "light") -> Page:
        file = tmp_path / "page.html"
        file.write_text(to_html(data), encoding="utf-8")
        context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce"
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: request.url == file.as_uri() or complaints.append(request.url))
        page.goto(file.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def summary_sentence(page: Page, index: int) -> Any:
    return page.locator(f'.summary .said[data-sentence="{index}"]')


def source_marks(page: Page, index: int) -> Any:
    return page.locator(f'.source .said[data-sentence~="{index}"]')


def numbers(formula: Any) -> list[float]:
    return [float(text.strip("()").replace("−", "-")) for text in formula.locator(".term b").all_text_contents()]


def test_copied_sentences_are_marked_word_for_word(show: Open) -> None:
    page = show(FERRY)
    for index, sentence in enumerate(FERRY["sentences"]):
        expect(summary_sentence(page, index).locator("bdi")).to_have_text(sentence["text"])
        if FERRY["units"][sentence["unit"]]["source"] is not None:  # else it has words of its own
            expect(source_marks(page, index).locator("bdi")).to_have_text(sentence["text"])


def test_all_of_the_source_is_shown_once(show: Open) -> None:
    shown = "".join(show(FERRY).locator(".source .pane bdi").all_text_contents())
    assert shown == FERRY["document"]["text"]


def test_each_sentence_tells_how_it_was_made(show: Open) -> None:
    tags = show(FERRY).locator(".summary .pane .tag").all_text_contents()
    made = ["reworded", "copied", "expanded", "expanded", "expanded", "copied", "expanded"]
    assert tags == [f"{number} {label}" for number, label in enumerate(made, 1)]


def test_reasons_add_up(show: Open) -> None:
    page = show(FERRY)
    summary_sentence(page, 3).click()
    unit = FERRY["units"][FERRY["sentences"][3]["unit"]]
    contributions, heads, shift, total, attention = numbers(page.locator(".arithmetic"))
    assert shift >= 0  # the sign stands before it
    shift = -shift if FERRY["attention"]["shift"] < 0 else shift
    assert (contributions / heads - shift) / total == pytest.approx(attention, abs=2e-4)
    assert attention == pytest.approx(unit["attention"], abs=1e-5)
    rank = 1 + sum(other["attention"] > unit["attention"] for other in FERRY["units"])
    expect(page.locator(".arithmetic")).to_contain_text(f"Rank {rank} of {len(FERRY['units'])} ")
    for row, head in zip(page.locator(".heads li").all(), FERRY["heads"], strict=True):
        expect(row).to_contain_text(head["question"])
        local, weight, part = numbers(row)
        assert local * weight == pytest.approx(part, abs=2e-5)


def test_expansion_shows_its_candidates(show: Open) -> None:
    page = show(FERRY)
    summary_sentence(page, 2).click()
    expect(page.locator(".runs li")).to_have_count(4)
    expect(page.locator(".runs li").first).to_contain_text("chosen")
    expect(page.locator(".why")).to_contain_text("needed 35 tokens: room for 78 tokens before, for 43 tokens after")


def test_words_of_the_network_tell_where_they_come_from(show: Open) -> None:
    data = copy.deepcopy(FERRY)
    own = next(at for at, one in enumerate(data["sentences"]) if data["units"][one["unit"]]["source"] is None)
    unit = data["units"][data["sentences"][own]["unit"]]
    tokens = [
        {"text": match[0], "start": match.start(), "p_gen": 0.25, "source": {"start": 5, "end": 9} if at % 2 else None}
        for at, match in enumerate(re.finditer(r"\w+", unit["text"]))
    ]
    drafted = {"text": unit["text"], "anchor": 0, "verbatim": False, "tokens": tokens}
    data["prototype"]["sentences"] = [drafted] * (unit["unit"] + 1)
    page = show(data)
    summary_sentence(page, own).click()
    generated = [token["text"] for token in tokens if not token["source"]]
    assert summary_sentence(page, own).locator(".generated").all_text_contents() == generated
    expect(summary_sentence(page, own).locator("bdi")).to_have_text(unit["text"])
    page.get_by_text("Show the arithmetic").click()
    page.locator(".own-words summary").click()
    rows = page.locator(".own-words tbody tr").all_text_contents()
    assert rows[0] == f"{tokens[0]['text']}0.25generated"
    assert rows[1] == f"{tokens[1]['text']}0.25characters 5 to 9, sentence 1"
    assert len(rows) == len(tokens)


def test_what_it_was_chosen_before(show: Open) -> None:
    page = show(FERRY)
    summary_sentence(page, 1).click()
    page.get_by_text("Show the arithmetic").click()
    step = FERRY["steps"][FERRY["sentences"][1]["step"]]
    for rival in page.locator(".rivals li").all():
        attention, fate = re.match(r"attention ([\d.]+), (.*)", rival.locator("small").inner_text()).groups()  # type: ignore[union-attr]
        text = rival.locator(".excerpt").inner_text()
        unit = next(one for one in FERRY["units"] if one["text"] == text and one["unit"] != step["unit"])
        assert float(attention) == pytest.approx(unit["attention"], abs=1e-4)
        assert re.match(r"in at step \d|passed over at step \d|never reached", fate)


def test_ledger_and_what_was_passed_over(show: Open) -> None:
    page = show(FERRY)
    used = [step for step in FERRY["steps"] if step["operation"] != "pass"]
    expect(page.locator(".ledger tbody tr")).to_have_count(len(used) + 1)
    expect(page.locator(".ledger tbody tr").last).to_contain_text(str(used[-1]["room_after"]))
    for step in FERRY["steps"]:
        if step["operation"] == "pass":
            expect(page.locator(".passed > ul")).to_contain_text(step["reason"])
    expect(page.locator(".passed details li")).to_have_count(2)  # of ten, six went in and two were passed over


@pytest.mark.parametrize("width", [1280, 360])
def test_a_click_opens_a_card_beside_the_sentence(show: Open, width: int) -> None:
    page = show(FERRY, width)
    last = len(FERRY["sentences"]) - 1
    expect(page.locator(".why")).to_be_hidden()
    summary_sentence(page, last).click()
    expect(source_marks(page, last)).to_have_attribute("aria-pressed", "true")
    expect(summary_sentence(page, 0)).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".why")).to_contain_text("In the summary")
    expect(page.locator(".why blockquote")).to_contain_text(FERRY["sentences"][last]["text"])
    card, sentence = page.locator(".why").bounding_box(), summary_sentence(page, last).bounding_box()
    assert card
    assert sentence
    beside = card["x"] >= sentence["x"] + 100 or card["y"] >= sentence["y"] + sentence["height"] - 1
    assert beside
    assert card["x"] >= 0
    assert card["x"] + card["width"] <= width
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".why")).to_be_hidden()


def test_a_sentence_that_was_left_out_says_why(show: Open) -> None:
    page = show(FERRY)
    taken = {span["sentence"] for sentence in FERRY["sentences"] for span in sentence["source"]}
    left = [unit for unit in FERRY["units"] if unit["source"] is not None and unit["source"] not in taken]
    left = [unit for unit in left if unit["origin"] == "source"]
    expect(page.locator(".source .left")).to_have_count(len(left))
    for unit in left:
        page.keyboard.press("Escape")
        page.locator(f'.source .left[data-unit="{unit["unit"]}"]').click()
        expect(page.locator(".why")).to_contain_text("Left out")
        expect(page.locator(".why blockquote")).to_have_text(unit["text"])
        passed = [step for step in FERRY["steps"] if step["unit"] == unit["unit"] and step["operation"] == "pass"]
        for step in passed:
            expect(page.locator(".why")).to_contain_text(step["reason"])


def test_shares_are_told_in_words(show: Open) -> None:
    page = show(FERRY)
    summary_sentence(page, 1).click()
    unit = FERRY["units"][FERRY["sentences"][1]["unit"]]
    parts = [head["weight"] * unit["local"][head["name"]] for head in FERRY["heads"]]
    positive = sorted((part for part in parts if part > 0), reverse=True)
    shares = page.locator(".stack i").evaluate_all("all => all.map(i => +i.style.getPropertyValue('--share'))")
    assert shares == pytest.approx([part / sum(positive) for part in positive][: len(shares)])
    expect(page.locator(".spoke > ul > li").first).to_contain_text(re.compile("^(All|Nearly all|Three|Two|Half|A )"))


def test_every_head_of_ours_speaks_in_plain_words() -> None:
    words = (PAGE / "card.js").read_text("utf-8").split("const WORDS = {")[1].split("};")[0]
    assert {*HEADS, "interest", "known"} == set(re.findall(r"^  (\w+):", words, re.MULTILINE))


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_everyone_can_use_it(show: Open, width: int, scheme: str) -> None:
    """axe-core finds nothing above minor, with all folds open and a card."""
    page = show(FERRY, width, scheme)
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    for open_card in (lambda: None, summary_sentence(page, 1).click, page.locator(".source .left").first.click):
        page.keyboard.press("Escape")
        open_card()
        found = Axe().run(page).response["violations"]
        assert [(entry["id"], entry["nodes"][0]["html"]) for entry in found if entry["impact"] != "minor"] == []


def test_pointing_lights_both_ends(show: Open) -> None:
    page = show(FERRY)
    summary_sentence(page, 1).hover()
    expect(source_marks(page, 1)).to_have_class(re.compile(r"\blit\b"))
    page.locator("h1").hover()
    expect(page.locator(".lit")).to_have_count(0)


def test_keys_alone_are_enough(show: Open) -> None:
    page = show(FERRY)
    page.keyboard.press("Tab")
    expect(summary_sentence(page, 0)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(summary_sentence(page, 1)).to_be_focused()
    expect(source_marks(page, 1)).to_have_class(re.compile(r"\blit\b"))
    page.keyboard.press("Enter")
    expect(page.locator(".why h2")).to_be_focused()
    expect(source_marks(page, 1)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(page.locator('[aria-pressed="true"]')).to_have_count(0)
    expect(page.locator(".why")).to_be_hidden()
    expect(summary_sentence(page, 1)).to_be_focused()
    page.keyboard.press("End")
    expect(summary_sentence(page, len(FERRY["sentences"]) - 1)).to_be_focused()
    page.keyboard.press(" ")
    expect(page.locator(".why h2")).to_be_focused()
    page.keyboard.press("Tab")  # into the card
    expect(page.get_by_text("Show the arithmetic")).to_be_visible()


def test_sentences_that_share_a_place_take_turns(show: Open) -> None:
    data = copy.deepcopy(FERRY)
    data["sentences"][1]["source"] = data["sentences"][0]["source"]
    page = show(data)
    shared = page.locator('.source .said[data-sentence="0 1"]')
    expect(shared.locator(".tag")).to_have_count(2)
    shared.click()
    expect(page.locator(".why blockquote")).to_contain_text(data["sentences"][0]["text"])
    shared.click()
    expect(page.locator(".why blockquote")).to_contain_text(data["sentences"][1]["text"])


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_inert(show: Open, text: str) -> None:
    page = show(saying(text))
    page.locator(".summary .said").first.click()
    assert page.locator(".why blockquote bdi").text_content() == text
    assert page.title().startswith("Why: ")
    assert page.locator("main :is(script, img, a, b b, iframe, [onerror], [onmouseover], [style*='url'])").count() == 0


def test_override_turns_nothing_around_it(show: Open) -> None:
    """After U+202E, what belongs to another sentence must still run from left to right."""
    data = copy.deepcopy(FERRY)
    data["sentences"][2]["text"] = "over\u202eride"
    data["document"]["text"] = data["document"]["text"].replace("Nobody had", "No\u202e had")
    page = show(data)
    order = """node => {
        const text = node.firstChild, range = document.createRange();
        const left = [0, 3].map((at) => {
            range.setStart(text, at);
            range.setEnd(text, at + 1);
            return range.getBoundingClientRect().left;
        });
        return left[0] < left[1];
    }"""
    for locator in (summary_sentence(page, 3), source_marks(page, 1), source_marks(page, 2)):
        assert locator.locator("bdi").evaluate(order)
    page.locator(".summary .said").first.click()
    for node in (".summary bdi", ".source bdi", ".why blockquote bdi"):
        assert page.locator(node).first.evaluate("node => getComputedStyle(node).unicodeBidi") == "isolate"


@pytest.mark.parametrize("width", [360, 768, 1280, 2000])
def test_nothing_is_wider_than_the_page(show: Open, width: int) -> None:
    data = copy.deepcopy(FERRY)
    data["sentences"][0]["text"] = "unbroken" * 60
    assert show(data, width).evaluate("document.documentElement.scrollWidth") <= width


_CONTRASTS = """() => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const light = (colours) => {
        for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((v) => v / 255)
            .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const back = (node) => (node ? [...back(node.parentElement), getComputedStyle(node).backgroundColor] : ["white"]);
    const found = {};
    for (const node of document.querySelectorAll(".explanation *")) {
        if (![...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim())) continue;
        const [a, b] = [light(back(node)), light([...back(node), getComputedStyle(node).color])];
        const name = `${node.tagName} ${node.className} in ${node.parentElement.className}`;
        found[name] = Math.min(found[name] ?? 21, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
    }
    return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_can_be_read(show: Open, scheme: str) -> None:
    """Contrast of at least 4.5 to 1 (WCAG AA), in all eight colours, plain, lit and chosen."""
    data = copy.deepcopy(FERRY)
    data["sentences"] += data["sentences"][:2]
    page = show(data, scheme=scheme)
    for state in ("", "lit", "chosen"):
        if state:
            page.evaluate(f"document.querySelectorAll('.said').forEach((node) => node.classList.add('{state}'))")
            page.wait_for_timeout(200)
        poor = {name: ratio for name, ratio in page.evaluate(_CONTRASTS).items() if ratio < 4.5}
        assert poor == {}


_SERVED = """<!doctype html><link rel="stylesheet" href="/explanation.css"><main></main>
<script type="module" src="/start.js"></script>"""
_START = """import { render } from "/explanation.js";
const data = await (await fetch("/data.json")).json();
for (const _ of [1, 2]) render(document.querySelector("main"), data);"""


def test_parts_work_under_the_policy_of_a_server(browser: Browser) -> None:
    """The page of the service allows no inline script and no inline style; the same files must do."""
    files = {
        "/": ("text/html", _SERVED),
        "/start.js": ("text/javascript", _START),
        "/data.json": ("application/json", json.dumps(FERRY)),
        **{f"/{path.name}": ("text/css", path.read_text("utf-8")) for path in PAGE.glob("*.css")},
        **{f"/{path.name}": ("text/javascript", path.read_text("utf-8")) for path in PAGE.glob("*.js")},
    }
    page = browser.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))

    def answer(route: Any) -> None:
        kind, body = files.get(route.request.url.removeprefix("http://mls.test"), ("text/plain", ""))
        policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'"
        route.fulfill(body=body, content_type=kind, headers={"Content-Security-Policy": policy})

    page.route("**", answer)
    page.goto("http://mls.test/")
    expect(page.locator(".explanation")).to_have_count(1)
    expect(page.locator(".meter i").first).not_to_have_css("width", "0px")
    page.close()
    assert complaints == []


def test_a_baseline_has_no_prototype_and_weighs_nothing(show: Open) -> None:
    text = "The ferry stays. The county pays for it. Nobody expected that. A pupil had the idea for the ferry."
    data = BASELINES["lead"]().summarize(text, "1/2").to_dict()
    assert data["prototype"] is None
    assert data["steps"][0]["p_copy"] is None
    page = show(data)
    summary_sentence(page, 0).click()
    expect(page.locator(".why")).to_contain_text("as this method ranks them. It was taken as it stands")
    expect(page.locator(".probabilities")).to_have_count(0)
    expect(page.locator(".prototype")).to_have_count(0)
    expect(page.locator(".budget")).not_to_contain_text("Prototype")


def test_a_name_in_the_place_of_a_pronoun_is_marked_and_told(show: Open) -> None:
    text = (
        "Ada Brennan joined the harbour office in 1961 after leaving school. The town had hardly any ships in those "
        "days, and the harbour was full of mud. She steered the first steam ferry across the bay in 1987."
    )
    page = show(Summarizer().summarize(text, "14 words", ban=[0]).to_dict())
    expect(page.locator(".summary .named").first).to_have_text("Ada Brennan")
    summary_sentence(page, 0).click()
    expect(page.locator(".why")).to_contain_text("“Ada Brennan” stands where the source says “She”: ")


def test_the_check_is_shown(show: Open) -> None:
    page = show(to_dict_with_check())
    text = page.locator(".check").inner_text()
    assert "without the head position" in text
    assert "without source sentence " in text


def to_dict_with_check() -> dict[str, Any]:
    text = "The ferry stays. The county pays for it. Nobody expected that. A pupil had the idea for the ferry."
    summarizer = Summarizer()
    summary = summarizer.summarize(text, "1/2")
    return to_dict(summary, check_reasons(summarizer, summary))
