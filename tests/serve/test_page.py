"""The page in a real browser: paste, drag, link, tune, compare, drop, take along; by mouse, by keys, small and dark."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import docx
import httpx
import pypdfium2
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from mls import Budget, Summarizer
from mls.analysis import Analysis
from mls.explain.as_html import to_html
from mls.explain.as_json import to_dict, to_json
from server import Server

ROOT = Path(__file__).parent.parent.parent
NEWS = (ROOT / "examples" / "news.txt").read_text(encoding="utf-8")
SCRIPTS = ROOT / "src" / "mls" / "serve" / "page"
HOSTILE = (
    "</script><script>document.title='owned'</script> It rained on the harbour all day long.\n"
    "<img src=x onerror=\"document.title='owned'\"> Nobody in the harbour minded the rain that much.\n"
    '" onmouseover="document.title=\'owned\'" The boats in the harbour stayed where they were.\n'
    "<a href=\"javascript:document.title='owned'\">Click</a> for more about the rain in the harbour.\n"
    "The \u202eharbour\u2066 was flooded in the evening, and so was the street behind it."
)
Open = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Open]:
    """Opens the page; at the end nothing may have gone wrong, or come from anywhere else."""
    complaints: list[str] = []
    contexts = []

    def open_page(path: str = "", width: int = 1280, scheme: str = "light", url: str = site) -> Page:
        size = {"width": width, "height": 800}
        context = browser.new_context(
            viewport=size, color_scheme=scheme, reduced_motion="reduce", accept_downloads=True
        )
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        contexts.append(context)
        page = context.new_page()
        expected = re.compile(r"Failed to load resource: .*(\b413|\b415|\b422|ERR_CONNECTION_REFUSED)")
        page.on("console", lambda message: expected.search(message.text) or complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: request.url.startswith((url, "blob:")) or complaints.append(request.url))
        page.goto(f"{url}/{path}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def paste(page: Page, text: str) -> None:
    page.get_by_label("Your text").fill(text)
    page.get_by_role("button", name="Summarize").click()


def sentences(page: Page) -> Locator:
    return page.locator(".summary .said[data-sentence]")


def shown(page: Page) -> list[str]:
    return page.locator(".summary .said[data-sentence] > bdi").all_text_contents()


@cache
def analysis_of(text: str) -> Analysis:
    return Summarizer().read(text)


def expected(budget: str, text: str = NEWS, weights: dict[str, float] | None = None) -> dict[str, Any]:
    summarizer = Summarizer()
    analysis = summarizer.reweigh(analysis_of(text), weights or summarizer.weights)
    return to_dict(summarizer.write(analysis, Budget.parse(budget)))


def texts_of(summary: dict[str, Any]) -> list[str]:
    return [sentence["text"] for sentence in summary["sentences"]]


def expect_summary(page: Page, summary: dict[str, Any]) -> None:
    expect(sentences(page)).to_have_count(len(summary["sentences"]))
    limit = f"{summary['length']:,} of {summary['budget']['limit']:,} "
    expect(page.locator(".length .used strong")).to_contain_text(limit)
    assert shown(page) == texts_of(summary)


def set_budget(page: Page, budget: str) -> None:
    page.get_by_label("Length", exact=True).fill(budget)
    page.keyboard.press("Enter")


def test_paste(visit: Open) -> None:
    page = visit()
    paste(page, NEWS)
    expect_summary(page, expected("1/8"))
    assert "example" not in page.url  # a text of one's own leaves no trace in the address
    source = "".join(page.locator(".source .pane bdi").all_text_contents())
    assert source == NEWS


def test_drag_from_end_to_end(visit: Open) -> None:
    """The summary follows the slider; the meter always tells the truth."""
    page = visit("#example=news")
    expect(sentences(page)).not_to_have_count(0)
    slider = page.locator("#length")
    box = slider.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + box["height"] / 2)
    page.mouse.down()
    for position in range(40, 101, 3):
        page.mouse.move(box["x"] + box["width"] * position / 100 - 2, box["y"] + box["height"] / 2)
    page.mouse.up()
    expect_summary(page, expected("100%"))
    expect(page.locator(".note")).to_contain_text("the budget holds the whole document")
    slider.press("Home")
    expect_summary(page, expected("1/32"))
    for step in range(32, 161, 32):
        slider.fill(str(step))
        expect_summary(page, expected(f"1/{2 ** (5 - step // 32)}" if step < 160 else "100%"))
        segments = page.locator(".length .meter i")
        filled = segments.evaluate_all("all => all.reduce((sum, i) => sum + +i.style.getPropertyValue('--share'), 0)")
        assert filled <= 1.0001


def test_what_stays_is_not_touched(visit: Open) -> None:
    """No flicker: a sentence that stays keeps its very element and its colour, whatever comes and goes around it."""
    page = visit("#example=news&budget=1/8")
    expect_summary(page, expected("1/8"))
    page.evaluate("""() => {
        window.marked = [...document.querySelectorAll('.summary .said')];
        window.colours = marked.map((node) => getComputedStyle(node).getPropertyValue('--hue'));
    }""")
    shorter, longer = ({(s["operation"], s["text"]) for s in expected(one)["sentences"]} for one in ("1/8", "1/4"))
    kept = {text for _, text in shorter & longer}
    assert kept
    set_budget(page, "1/4")
    expect_summary(page, expected("1/4"))
    still = page.evaluate("""() => marked
        .filter((node, at) => node.isConnected && node.dataset.sentence
            && getComputedStyle(node).getPropertyValue('--hue') === colours[at])
        .map((node) => node.querySelector('bdi').textContent)""")
    assert set(still) == kept


@pytest.mark.parametrize(("unit", "name"), [("Tokens", "tokens"), ("Words", "words"), ("Characters", "chars")])
def test_units(visit: Open, unit: str, name: str) -> None:
    page = visit("#example=news&budget=1/4")
    expect(sentences(page)).not_to_have_count(0)
    page.get_by_text(unit, exact=True).click()
    whole = expected("1/4")["document"]["lengths"]
    tokens = whole["tokens"] // 4
    budget = f"{round(tokens / whole['tokens'] * whole[name])} {name}"
    expect(page.get_by_label("Length", exact=True)).to_have_value(budget)
    expect_summary(page, expected(budget))
    page.get_by_text("Share", exact=True).click()
    expect(page.get_by_label("Length", exact=True)).to_have_value("1/4")


def test_presets(visit: Open) -> None:
    page = visit("#example=news")
    for button in page.locator(".presets button").all():
        button.click()
        budget = button.get_attribute("data-budget") or ""
        expect_summary(page, expected(budget))
        expect(button).to_have_attribute("aria-pressed", "true")


def test_ends_are_linked(visit: Open) -> None:
    page = visit("#example=essay&budget=1/4")
    last = sentences(page).last
    number = last.get_attribute("data-sentence")
    last.hover()
    mark = page.locator(f'.source .said[data-sentence~="{number}"]').first
    expect(mark).to_have_class(re.compile(r"\blit\b"))
    last.click()
    expect(mark).to_be_in_viewport()
    expect(mark).to_have_attribute("aria-pressed", "true")
    assert page.locator(f'.map .tick[data-sentence="{number}"]').count() == 1
    page.keyboard.press("Escape")  # the card may lie over it
    mark.click()
    expect(last).to_be_in_viewport()


def test_why_follows_the_sentence(visit: Open) -> None:
    page = visit("#example=news&budget=1/8")
    expect(page.locator(".why")).to_be_hidden()
    sentences(page).first.click()
    data = expected("1/8")
    unit = data["units"][data["sentences"][0]["unit"]]
    expect(page.locator(".heads li")).to_have_count(len(data["heads"]))
    for head in data["heads"]:
        expect(page.locator(".heads")).to_contain_text(head["question"])
    expect(page.locator(".arithmetic")).to_contain_text(f"{unit['attention']:.5f}"[:6])
    expect(page.locator(".rivals li").first).to_contain_text("attention ")
    text = data["sentences"][0]["text"]
    set_budget(page, "1/2")
    expect_summary(page, expected("1/2"))
    expect(page.locator(".why blockquote")).to_contain_text(text)  # it is still there, and still chosen


def test_weights_are_linked_and_count_at_once(visit: Open) -> None:
    page = visit("#example=news&budget=1/8")
    page.get_by_role("button", name="Tune and compare").click()
    sliders = page.locator(".weights input")
    names = list(Summarizer().weights)
    expect(sliders).to_have_count(len(names))
    sliders.first.fill("1")
    only = {name: float(name == names[0]) for name in names}
    expect_summary(page, expected("1/8", weights=only))
    expect(page.locator(".weights output").first).to_have_text("1.00")
    sliders.first.fill("-0.5")
    expect(page.locator(".weights output").first).to_have_text("−0.50")
    said = [text.replace("−", "-").replace("off", "0") for text in page.locator(".weights output").all_text_contents()]
    values = [float(text) for text in said]
    assert sum(values) == pytest.approx(1, abs=0.03)
    page.get_by_role("button", name="Weights as they were").click()
    expect_summary(page, expected("1/8"))


@pytest.mark.parametrize("recipe", ["light", "paper"])
def test_another_recipe(visit: Open, recipe: str) -> None:
    page = visit("#example=news&budget=1/8")
    page.get_by_role("button", name="Tune and compare").click()
    page.get_by_label("Recipe").select_option(recipe)
    summary = Summarizer(recipe).summarize(NEWS, "1/8")
    expect(page.locator(".weights input")).to_have_count(len(summary.weights))
    expect_summary(page, summary.to_dict())
    assert f"recipe={recipe}" in page.url
    again = visit(page.url.split("/", 3)[3])
    expect_summary(again, summary.to_dict())


def test_linking_keeps_the_sum_and_the_bounds(visit: Open) -> None:
    page = visit()
    worst, beyond = page.evaluate("""async () => {
        const { linked } = await import('/page/weights.js');
        let [worst, beyond, seed] = [0, 0, 1];
        const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
        for (let round = 0; round < 3000; round += 1) {
            const count = 2 + Math.floor(random() * 5);
            let weights = Object.fromEntries(Array.from({ length: count }, (_, at) => [`head${at}`, 1 / count]));
            for (let move = 0; move < 4; move += 1) {
                const name = `head${Math.floor(random() * count)}`;
                weights = linked(weights, name, count > 2 ? 2 * random() - 1 : random());
                const all = Object.values(weights);
                const off = Math.abs(all.reduce((sum, one) => sum + one, 0) - 1);
                worst = Math.max(worst, off);
                beyond = Math.max(beyond, ...all.map((one) => Math.abs(one) - 1));
            }
        }
        return [worst, beyond];
    }""")
    assert worst < 1e-9
    assert beyond <= 0, "the service takes nothing beyond 1, not even in the last digit"


def test_an_answer_that_breaks_off_is_told_and_the_next_question_is_asked(visit: Open) -> None:
    page = visit()
    assert page.evaluate("""async () => {
        const { Asker, ServiceError } = await import('/page/service.js');
        const broken = () => new ReadableStream({ start(control) { control.error(new Error("lost")); } });
        window.fetch = async () => new Response(broken());
        let told = 0;
        const fail = (error) => { told += error instanceof ServiceError; };
        const asker = new Asker({ before() {}, after() {}, show() {}, fail });
        await asker.ask({ text: "a" });
        await asker.ask({ text: "b" });
        return [told, asker.busy];
    }""") == [2, False]


def test_compare_with_a_baseline_and_with_kept_settings(visit: Open, site: str) -> None:
    page = visit("#example=news&budget=1/8")
    page.get_by_role("button", name="Tune and compare").click()
    page.get_by_label("Compare with").select_option("lead")
    lead = httpx.post(f"{site}/api/summarize", json={"text": NEWS, "budget": "1/8", "method": "lead"}).json()
    expect(page.locator(".rival bdi")).to_have_text(texts_of(lead))
    expect(page.locator(".rival")).to_contain_text("source sentences in both")
    page.get_by_label("Compare with").select_option("kept")
    expect(page.locator(".rival bdi")).to_have_text(texts_of(expected("1/8")))
    page.locator(".weights input").last.fill("1")
    names = list(Summarizer().weights)
    expect_summary(page, expected("1/8", weights={name: float(name == names[-1]) for name in names}))
    expect(page.locator(".rival bdi")).to_have_text(texts_of(expected("1/8")))
    page.get_by_label("Compare with").select_option("")
    expect(page.locator(".rival")).to_be_hidden()


def test_a_link_restores_the_view(visit: Open) -> None:
    first = visit("#example=story&budget=1/4")
    sentences(first).nth(1).click()
    first.get_by_role("button", name="Tune and compare").click()
    first.locator(".weights input").first.fill("0.8")
    first.get_by_label("Compare with").select_option("a2")
    expect(first.locator(".rival")).to_be_visible()
    sentences(first).first.click()
    first.get_by_role("button", name="Copy link").click()
    expect(first.locator(".workspace > .alert")).to_have_text("The link is copied.")
    link = first.evaluate("navigator.clipboard.readText()")
    again = visit(link.split("/", 3)[3])
    expect(again.locator(".rival bdi")).to_have_text(first.locator(".rival bdi").all_text_contents())
    expect(again.locator(".why blockquote")).to_have_text(first.locator(".why blockquote").text_content() or "")
    assert shown(again) == shown(first)


def test_copy_and_download(visit: Open) -> None:
    page = visit("#example=news&budget=1/8")
    summary = Summarizer().summarize(NEWS, "1/8")
    expect_summary(page, to_dict(summary))
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator(".workspace > .alert")).to_have_text("The summary is copied.")
    assert page.evaluate("navigator.clipboard.readText()") == summary.text
    wanted = {
        "txt": summary.text,
        "json": to_json(summary),
        "html": to_html(to_dict(summary)),
        "md": None,
        "docx": None,
    }
    for form, text in wanted.items():
        page.locator(".menu summary").click()
        with page.expect_download() as download:
            page.locator(f'[data-form="{form}"]').click()
        found = Path(download.value.path()).read_bytes()
        if form == "docx":
            paragraphs = [paragraph.text for paragraph in docx.Document(io.BytesIO(found)).paragraphs]
            assert paragraphs == ["The ferry that tests the water", *summary.text.split("\n")]
        else:
            assert found.decode() == text if text else found.decode().startswith("# The ferry that tests the water\n")
        part = "why" if form == "html" else "summary"
        assert download.value.suggested_filename == f"the-ferry-that-tests-the-water-{part}.{form}"


def drop(page: Page, name: str, data: bytes) -> None:
    expect(page.locator("main > .start")).to_be_visible()
    transfer = page.evaluate_handle(
        """([name, bytes]) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([new Uint8Array(bytes)], name));
            return transfer;
        }""",
        [name, list(data)],
    )
    page.dispatch_event("body", "dragenter", {"dataTransfer": transfer})
    expect(page.locator("body")).to_have_class("dropping")
    page.dispatch_event("body", "drop", {"dataTransfer": transfer})
    expect(page.locator("body")).not_to_have_class("dropping")


def word_file(*paragraphs: str) -> bytes:
    document = docx.Document()
    for text in paragraphs:
        document.add_paragraph(text)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def test_drop_a_file(visit: Open) -> None:
    page = visit()
    drop(page, "news.docx", word_file(*NEWS.split("\n\n")))
    expect(sentences(page)).not_to_have_count(0)
    assert shown(page)[0] in NEWS
    page.get_by_role("button", name="Another text").click()
    expect(page.get_by_label("Your text")).to_have_value(re.compile("^OXBARROW"))
    page.set_input_files("#file", {"name": "a.txt", "mimeType": "text/plain", "buffer": NEWS.encode()})
    expect(sentences(page)).not_to_have_count(0)


def test_what_went_wrong_is_said(visit: Open, site: str) -> None:
    page = visit()
    alert = page.locator(".start .alert")
    drop(page, "photo.png", b"\x89PNG")
    expect(alert).to_contain_text("files that can be read are .txt")
    drop(page, "<b>broken.pdf", b"%PDF-1.4 and no more")
    expect(alert).to_contain_text("<b>broken.pdf can't be read as PDF")
    paste(page, "\u200b\u200b .")
    page.get_by_role("button", name="Another text").click()
    paste(page, NEWS)
    expect(sentences(page)).not_to_have_count(0)
    set_budget(page, "7 parsecs")
    expect(page.locator(".workspace > .alert")).to_contain_text("Budget '7 parsecs' was not understood; write 1/4")
    set_budget(page, "1/8")
    expect(page.locator(".workspace > .alert")).to_be_empty()
    limit = httpx.get(f"{site}/api/info").json()["limits"]["characters"]
    page.get_by_role("button", name="Another text").click()
    page.get_by_label("Your text").fill("word " * (int(limit) // 5 + 1))
    expect(alert).to_contain_text("this server takes up to")
    expect(page.get_by_role("button", name="Summarize")).to_be_disabled()


def test_ten_megabytes_are_refused_at_once(visit: Open) -> None:
    page = visit()
    expect(page.get_by_label("Your text")).to_be_visible()
    kept = page.evaluate("""() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', 'word '.repeat(2000000));
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
        return document.querySelector('#text').dispatchEvent(event);
    }""")
    assert not kept
    expect(page.locator(".start .alert")).to_contain_text("The text has 10,000,000 characters")
    expect(page.get_by_label("Your text")).to_have_value("")


def test_a_server_that_is_gone_is_told(visit: Open, serve: Callable[..., Server]) -> None:
    server = serve("--workers", "1")
    page = visit("#example=news&budget=1/8", url=server.url)
    expect(sentences(page)).not_to_have_count(0)
    server.end()
    set_budget(page, "1/4")
    expect(page.locator(".workspace > .alert")).to_have_text("The server does not answer. Is it still running?")
    expect(sentences(page)).not_to_have_count(0)  # what was there stays


def test_hostile_text_is_inert(visit: Open) -> None:
    page = visit()
    paste(page, HOSTILE)
    expect(sentences(page)).not_to_have_count(0)
    for budget in ("1/4", "1/2", "100%", "5 chars"):
        set_budget(page, budget)
        expect_summary(page, expected(budget, HOSTILE))
        for sentence in sentences(page).all()[:3]:
            sentence.hover()
            sentence.click()
    assert page.title() != "owned"
    assert page.locator("main :is(script, img, iframe, [onerror], [onmouseover], a)").count() == 0
    assert "".join(page.locator(".source .pane bdi").all_text_contents()) == HOSTILE


def test_the_address_can_not_inject(visit: Open) -> None:
    page = visit("#example=news&budget=%3Cimg%20src=x%3E&weights=__proto__:1,%3Cb%3E:x&with=%3Cscript%3E&sentence=9e99")
    expect(page.locator(".start .alert")).to_contain_text("Weights.<b>: ")
    assert page.locator("main :is(script, img, iframe)").count() == 0
    page = visit("#example=../../etc/passwd")
    expect(page.locator(".start h1")).to_be_visible()


def test_scripts_never_write_markup() -> None:
    for path in SCRIPTS.glob("*.js"):
        found = re.search(
            r"innerHTML|outerHTML|insertAdjacent|document\.write\b|\beval\b|new Function", path.read_text("utf-8")
        )
        assert not found, path.name
    for path in SCRIPTS.glob("*.html"):
        assert not re.search(r"https?:|<style|\bon\w+=|<script(?![^>]* src=\"page/)|style=", path.read_text("utf-8")), (
            path
        )


def test_keys_alone_are_enough(visit: Open) -> None:
    page = visit()
    expect(page.get_by_label("Your text")).to_be_visible()
    page.keyboard.press("Tab")  # to the link of the programs
    page.keyboard.press("Tab")
    expect(page.get_by_label("Your text")).to_be_focused()
    page.keyboard.insert_text(NEWS)
    page.keyboard.press("Control+Enter")
    expect(sentences(page)).not_to_have_count(0)
    expect(page.locator(".workspace h1")).to_be_focused()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "length":
            break
    expect(page.locator("#length")).to_be_focused()
    length = page.locator("#length")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    wanted = page.locator("#budget").input_value()  # the answer to the last move is there when both say the same
    expect(length).to_have_attribute("aria-valuetext", re.compile(f"tokens, {wanted} of the document"))
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.summary .said')"):
            break
    expect(sentences(page).first).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".why blockquote")).to_contain_text(shown(page)[1])
    expect(page.locator(".why h2")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".why")).to_be_hidden()
    expect(sentences(page).nth(1)).to_be_focused()
    page.keyboard.press("Tab")  # to the source, where the sentences that were left out can be reached as well
    for _ in range(4):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.source .said, .source .left')"):
            break
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")  # the last two are in the whole document alone
    page.keyboard.press("Enter")
    expect(page.locator(".why")).to_contain_text("Left out")
    expect(page.locator(".enters")).to_be_visible()
    for _ in range(8):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.enters')"):
            break
    page.keyboard.press("Enter")  # to the length at which it enters
    expect(page.locator(".why")).to_contain_text("In the summary")


def tune(page: Page) -> None:
    page.get_by_role("button", name="Tune and compare").click()
    page.locator(".more > summary").click()
    expect(page.locator(".rival")).to_be_visible()


def unfold(page: Page) -> None:
    page.get_by_text("Show the arithmetic").click()
    expect(page.locator(".why .heads")).to_be_visible()


def why_not(page: Page) -> None:
    page.locator(".source .left", has_text="On Dec. 11, the numbers jumped").click()
    expect(page.locator(".enters")).to_be_visible()


VIEWS: dict[str, tuple[str, str, Callable[[Page], None]]] = {
    "start": ("", "#text", lambda page: None),
    "summary": ("#example=news&budget=1/4&with=lead", ".summary .said", tune),
    "card": ("#example=news&budget=1/4&sentence=2", ".why .stack", unfold),
    "left out": ("#example=news&budget=1/4&about=ferry&pin=9&ban=4", ".summary .said", why_not),
    "docs": ("docs", ".operation", lambda page: None),
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_everyone_can_use_it(visit: Open, view: str, width: int, scheme: str) -> None:
    """axe-core finds nothing above minor, and nothing is wider than the screen."""
    address, ready, act = VIEWS[view]
    page = visit(address, width, scheme)
    expect(page.locator(ready).first).to_be_visible()
    act(page)
    found = Axe().run(page).response["violations"]
    above = {entry["id"]: [node["html"][:160] for node in entry["nodes"]] for entry in found
             if entry["impact"] != "minor"}  # fmt: skip
    assert above == {}
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_from_paste_to_why_not_to_the_length_at_which_it_enters(visit: Open) -> None:
    page = visit()
    paste(page, NEWS)
    expect(page.locator(".workspace h1")).to_have_text(re.compile("^OXBARROW - The volunteer ferry"))
    left = page.locator(".source .left", has_text="Commissioner Glen Tarvey")
    left.click()
    expect(page.locator(".why")).to_contain_text("Left out")
    expect(page.locator(".why")).to_contain_text("It comes in by itself at")
    page.locator(".enters").click()
    expect(page.locator(".why")).to_contain_text("In the summary")
    assert any("Commissioner Glen Tarvey" in text for text in shown(page))


def test_on_a_phone_the_card_is_a_sheet_with_all_that_can_be_done(visit: Open) -> None:
    page = visit("", 390, "dark")
    paste(page, NEWS)
    page.locator(".source .left", has_text="Commissioner Glen Tarvey").click()
    expect(page.locator(".enters")).to_be_visible()
    sheet = page.locator(".why").bounding_box()
    assert sheet
    assert (sheet["x"], round(sheet["width"]), round(sheet["y"] + sheet["height"])) == (0, 390, 800)
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(page.locator(".why")).to_contain_text("You pinned it")
    page.keyboard.press("Escape")
    page.get_by_label("Ask it").fill("How much is the fare?")
    page.keyboard.press("Enter")
    expect(page.locator(".summary .pane")).to_contain_text("The fare will stay at $2.")
    expect(page.locator(".summary .pane")).to_contain_text("Commissioner Glen Tarvey")


_TARGETS = """() =>
    [...document.querySelectorAll("button, a, select, summary, textarea, input:not(.unseen), .segments label")]
    .filter((node) => node.checkVisibility() && !node.closest(".segments label") || node.matches(".segments label"))
    .map((node) => [node.textContent || node.id, node.getBoundingClientRect().height])
    .filter(([, height]) => height < 44)"""


def test_every_target_can_be_hit_with_a_thumb(visit: Open) -> None:
    page = visit("", 360)
    expect(page.get_by_label("Your text")).to_be_visible()
    assert page.evaluate(_TARGETS) == []
    page.locator("[data-example=news]").click()
    expect(sentences(page)).not_to_have_count(0)
    page.locator(".more > summary").click()
    page.locator(".menu summary").click()
    assert page.evaluate(_TARGETS) == []
    page.locator(".source .left", has_text="Commissioner Glen Tarvey").click()
    expect(page.locator(".enters")).to_be_visible()
    unfold(page)
    assert page.evaluate(_TARGETS) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Tune and compare").click()
    assert page.evaluate(_TARGETS) == []


def test_the_reading_view_is_plain_and_the_slider_stays(visit: Open) -> None:
    page = visit("#example=news&budget=1/4&with=lead")
    expect(page.locator(".rival bdi").first).to_be_visible()
    before = shown(page)
    page.get_by_text("Reading", exact=True).click()
    assert page.locator(".summary .tag").first.is_hidden()
    for sentence in sentences(page).all():
        expect(sentence).to_have_css("background-color", "rgba(0, 0, 0, 0)")
        expect(sentence).to_have_css("box-shadow", "none")
        expect(sentence.locator("bdi")).to_have_css("text-decoration-line", "none")
    assert shown(page) == before
    page.evaluate("scrollTo(0, 900)")
    expect(page.locator("h1")).not_to_be_in_viewport()
    expect(page.locator("#length")).to_be_in_viewport()
    page.get_by_text("Explained", exact=True).click()
    expect(page.locator(".summary .tag").first).to_be_visible()


def test_a_long_wait_is_told_in_words_and_can_be_cancelled(visit: Open) -> None:
    """Until there is an answer nothing can be moved, and no half of it is ever shown."""
    page = visit()
    page.route("**/api/move", lambda route: None)  # no answer ever comes
    paste(page, NEWS)
    expect(page.locator(".workspace .controls")).to_have_attribute("inert", "")
    expect(page.locator(".ruler")).to_have_attribute("inert", "")
    expect(page.locator(".progress")).to_contain_text(re.compile(r"Reading 7\d\d words, \d+ seconds so far"))
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_label("Your text")).to_have_value(NEWS)
    expect(page.locator(".start .alert")).to_be_empty()
    page.unroute("**/api/move")
    page.get_by_role("button", name="Summarize").click()
    expect_summary(page, expected("1/8"))
    expect(page.locator(".progress")).to_be_hidden()


def test_the_alert_goes_when_the_server_is_back(visit: Open) -> None:
    page = visit("#example=news&budget=1/8")
    expect_summary(page, expected("1/8"))
    page.route("**/api/move", lambda route: route.abort("connectionrefused"))
    set_budget(page, "1/4")
    expect(page.locator(".workspace > .alert")).to_contain_text("The server does not answer")
    page.unroute("**/api/move")
    expect(page.locator(".workspace > .alert")).to_be_empty()  # it is asked again, by itself
    expect_summary(page, expected("1/4"))


def test_each_paragraph_runs_as_its_language_does(visit: Open) -> None:
    page = visit()
    paste(page, "هذه جملة طويلة عن العبارة والنهر في المدينة.\n\nThe ferry crosses the river twice a day in summer.")
    expect(sentences(page)).not_to_have_count(0)
    found = page.locator(".source .pane p").evaluate_all("all => all.map((p) => getComputedStyle(p).direction)")
    assert found == ["rtl", "ltr"]
    expect(page.locator(".workspace h1")).to_have_count(1)


def test_a_tag_tells_something_and_the_draft_is_called_unchecked(visit: Open) -> None:
    page = visit("#example=news&budget=1/4&recipe=light")
    expect(sentences(page)).not_to_have_count(0)
    assert "copied" not in " ".join(page.locator(".summary .tag").all_inner_texts())  # all of it is
    page.get_by_role("button", name="Tune and compare").click()
    page.get_by_label("Recipe").select_option("paper")
    page.locator(".more > summary").click()
    expect(page.locator(".prototype")).to_contain_text("nobody has checked it")


def test_names_titles_questions_and_notes_stay_text(visit: Open) -> None:
    """Markup in whatever a page is given: a file's name, a title, a focus, a profile."""
    evil = "<img src=x onerror=\"document.title='owned'\">"
    page = visit()
    expect(page.get_by_label("Your text")).to_be_visible()
    page.evaluate("note => localStorage.setItem('mls-profile', JSON.stringify({ version: 1, notes: [note] }))",
                  {"said": "more", "text": f"{evil} The ferry."})  # fmt: skip
    drop(page, f"{evil.replace('/', '')}.txt", f"{evil} & a title\n\n{NEWS}".encode())
    expect(sentences(page)).not_to_have_count(0)
    expect(page.locator(".workspace h1")).to_have_text(evil)
    assert page.title() == f"{evil} · MLS"
    page.get_by_label("Ask it").fill(f"{evil} ferry")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Tune and compare").click()
    expect(page.locator(".weights")).to_contain_text("Does it speak of what you asked?")
    expect(page.locator(".weights")).to_contain_text("Does it speak of what you like to read more of?")
    page.keyboard.press("Escape")
    for form in ("html", "md", "docx"):
        page.locator(".menu summary").click()
        with page.expect_download() as download:
            page.locator(f'[data-form="{form}"]').click()
        assert re.fullmatch(r"[\w-]+\.\w+", download.value.suggested_filename)
        if form == "html":
            page.context.new_page().goto(Path(download.value.path()).as_uri())
            assert page.context.pages[-1].title() != "owned"
            assert page.context.pages[-1].locator("img").count() == 0
            page.context.pages[-1].close()
    assert page.title() == f"{evil} · MLS"
    assert page.locator("main :is(script, img, iframe)").count() == 0


def test_pins_bans_and_a_focus(visit: Open) -> None:
    page = visit("#example=news&budget=1/8")
    page.locator(".source .left", has_text="Commissioner Glen Tarvey").click()
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(page.locator(".why")).to_contain_text("You pinned it")
    position = next(s.index for s in analysis_of(NEWS).document.sentences if "Commissioner Glen Tarvey" in s.text)
    summarizer = Summarizer()
    expect_summary(page, to_dict(summarizer.summarize(NEWS, "1/8", pin=[position])))
    assert f"pin={position + 1}" in page.url
    page.get_by_role("button", name=f"Take the pin away from sentence {position + 1}").click()
    expect_summary(page, expected("1/8"))
    page.keyboard.press("Escape")
    first = analysis_of(NEWS).document.sentences[1]
    sentences(page).first.click()
    page.get_by_role("button", name="Never", exact=True).click()
    expect_summary(page, to_dict(summarizer.summarize(NEWS, "1/8", ban=[first.index])))
    page.get_by_role("button", name=f"Allow again sentence {first.index + 1}").click()
    page.get_by_label("Ask it").fill("<b>Who</b> voted against the contract?")
    page.keyboard.press("Enter")
    expect_summary(page, to_dict(summarizer.summarize(NEWS, "1/8", about="<b>Who</b> voted against the contract?")))
    page.get_by_label("Ask it").fill("zebras in Botswana")
    page.keyboard.press("Enter")
    expect(page.locator(".note")).to_contain_text("does not speak of what you asked")
    expect_summary(page, expected("1/8"))


def test_a_profile_stays_in_the_browser(visit: Open) -> None:
    page = visit("#example=news&budget=1/8")
    page.locator(".source .left", has_text="The fare will stay").click()
    page.get_by_role("button", name="More of this").click()
    expect(page.locator(".workspace > .alert")).to_have_text("Noted: more of this.")
    kept = json.loads(page.evaluate("localStorage.getItem('mls-profile')"))
    assert kept == {"version": 1, "notes": [{"said": "more", "text": "The fare will stay at $2."}]}
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Tune and compare").click()
    expect(page.locator(".weights")).to_contain_text("Does it speak of what you like to read more of?")
    page.get_by_role("button", name="Forget it all").click()
    expect_summary(page, expected("1/8"))
    page.evaluate("localStorage.setItem('mls-profile', '{damaged')")
    page.reload()
    expect_summary(page, expected("1/8"))
    page.get_by_role("button", name="Tune and compare").click()
    expect(page.locator(".profile")).to_contain_text("Your profile in this browser is damaged")
    page.get_by_role("button", name="Tune and compare").click()
    sentences(page).first.click()
    page.get_by_role("button", name="More of this").click()
    expect(page.locator(".workspace > .alert")).to_contain_text("is damaged")
    assert page.evaluate("localStorage.getItem('mls-profile')") == "{damaged"


def test_reload_and_back(visit: Open) -> None:
    page = visit()
    paste(page, NEWS)
    expect_summary(page, expected("1/8"))
    page.reload()
    expect_summary(page, expected("1/8"))
    page.go_back()
    expect(page.get_by_label("Your text")).to_have_value(NEWS)
    page.go_forward()
    expect_summary(page, expected("1/8"))
    page.get_by_role("button", name="Another text").click()
    page.get_by_label("Your text").fill("https://example.org/an-article")
    expect(page.locator(".start .alert")).to_contain_text("This is an address")
    expect(page.get_by_role("button", name="Summarize")).to_be_disabled()


def test_a_printed_page_has_all_of_the_source_and_the_bars(visit: Open) -> None:
    page = visit("#example=news&budget=1/8&sentence=1")
    expect(page.locator(".why .stack")).to_be_visible()
    page.emulate_media(media="print")
    pane = page.locator(".source .pane")
    assert pane.evaluate("pane => pane.scrollHeight <= pane.clientHeight + 1")
    assert page.locator(".stack").evaluate("bar => getComputedStyle(bar).printColorAdjust") == "exact"
    assert page.locator(".ruler .meter").evaluate("bar => getComputedStyle(bar).printColorAdjust") == "exact"
    pages = pypdfium2.PdfDocument(page.pdf())
    printed = re.sub(r"\s+", "", "".join(one.get_textpage().get_text_range() for one in pages))
    assert "dogleash." in printed[printed.index("Source") :]


def test_only_what_changed_is_sent(visit: Open) -> None:
    page = visit("#example=news&budget=1/8")
    expect_summary(page, expected("1/8"))
    sizes: list[int] = []
    page.on("response", lambda answer: sizes.append(len(answer.body())) if "/api/move" in answer.url else None)
    page.locator("#length").fill("70")
    expect(page.locator("#length")).to_have_attribute("aria-valuetext", re.compile("14%"))
    page.wait_for_timeout(300)
    whole = len(to_json(Summarizer().summarize(NEWS, "14%")))
    assert sizes
    assert max(sizes) < whole / 3


def test_docs_try_a_request(visit: Open) -> None:
    page = visit("docs")
    page.locator(".try summary").first.click()
    page.get_by_role("button", name="Send").first.click()
    expect(page.get_by_label("Answer").first).to_contain_text("200 OK")
    answer = (page.get_by_label("Answer").first.text_content() or "").split("\n\n", 1)[1]
    assert json.dumps("budget") in answer
