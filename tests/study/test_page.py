"""Participants in a real browser, with a real server that is killed and started again."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from mls.study.create import codes
from mls.study.results import read_results
from mls.study.store import Store
from server import Server
from small_study import small_study

PHONE = {"width": 360, "height": 740}
HOSTILE = "<img src=x onerror=\"document.title='owned'\"></section><script>document.title='owned'</script> \u202e end"
LONG = "\n\nAnd so on and on and on it went." * 60


@dataclass
class Guest:
    """Somebody who takes part, the page they do it on, and what the server keeps of them."""

    study: Store
    code: str
    number: int
    open: Callable[..., Page]

    @property
    def turns(self) -> list[tuple[int, int, str]]:
        rows = self.study.rows(
            "SELECT position, level, choice FROM answers JOIN items ON id = item WHERE participant = ? ORDER BY 1, 2",
            self.number,
        )
        return [tuple(row) for row in rows]

    def to_the_items(self) -> Page:
        """Past consent and practice, which only some tests are about."""
        self.study.run("UPDATE participants SET consented = 1, practised = 1 WHERE number = ?", self.number)
        page = self.open()
        enter(page, self.code)
        expect(page.locator(".where")).to_have_text("Question 1 of 6")
        return page


def serving(study: Store, port: int = 0) -> Server:
    return Server("--port", str(port), str(study.path.parent), command=("study", "serve"))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Server]]:
    """One server for all tests; one document wants to be more than text, the others are long."""
    store = small_study(tmp_path_factory.mktemp("page") / "study")
    store.run("UPDATE levels SET text = ? || level WHERE document = 'owl' AND text != ''", HOSTILE)
    store.run("UPDATE questions SET text = ? WHERE document = 'owl'", HOSTILE)
    store.run("UPDATE levels SET text = text || ? WHERE document != 'owl' AND text != ''", LONG)
    server = serving(store)
    yield store, server
    server.end()
    store.close()


@pytest.fixture(scope="module")
def numbers() -> Iterator[int]:
    return iter(range(1, 13))


@pytest.fixture
def guest(browser: Browser, served: tuple[Store, Server], numbers: Iterator[int]) -> Iterator[Guest]:
    """A participant nobody has been before."""
    store, server = served
    contexts: list[BrowserContext] = []

    def open_one(scheme: str = "light", path: str = "/") -> Page:
        # Nothing moves, or axe takes half a fade for pale text.
        context = browser.new_context(viewport=PHONE, color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        context.set_default_timeout(20_000)
        contexts.append(context)
        page = context.new_page()
        page.goto(server.url + path)
        return page

    number = next(numbers)
    yield Guest(store, list(codes(store))[number - 1], number, open_one)
    for context in contexts:
        context.close()


def enter(page: Page, code: str) -> None:
    page.get_by_label("Your personal code").fill(code)
    page.get_by_role("button", name="Continue").click()


def press(page: Page, name: str) -> None:
    page.locator(".answers").get_by_role("button", name=name).click()


def ready(page: Page, where: str) -> None:
    expect(page.locator(".where")).to_have_text(where)
    expect(page.locator(".answers button:enabled")).to_have_count(3)


def seen(page: Page) -> tuple[str, ...]:
    """Where one is, which question it is, and the text."""
    return tuple(page.locator(part).first.inner_text() for part in (".where", "h1", ".sheet"))


def answer(page: Page, name: str) -> None:
    """Answer, and wait for whatever comes next."""
    before = seen(page)
    press(page, name)
    parts = "['.where', 'h1', '.sheet'].map((part) => document.querySelector(part)?.innerText)"
    page.wait_for_function(f"before => {parts}.join() !== before.join()", arg=list(before))


def test_a_whole_study_with_a_reload_and_a_server_that_dies(browser: Browser, study: Store) -> None:
    server = serving(study)
    page = browser.new_page()
    page.goto(server.url)
    enter(page, next(iter(codes(study))))
    page.get_by_role("button", name="I agree").click()
    answer(page, "More information required")
    answer(page, "More information required")
    expect(page.get_by_role("button", name="I can’t tell from this text")).to_be_visible()  # there is no more
    press(page, "Yes")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".where")).to_have_text("Question 1 of 6")
    pressed = ["more"]
    more = page.locator('.answers button[data-key="m"]').text_content() or ""  # where there is no more, it says so
    answer(page, more.removesuffix("M"))
    while seen(page)[0] != "Question 3 of 6":
        answer(page, "No")
        pressed.append("no")
    before = seen(page)
    page.reload()
    expect(page.locator(".where")).to_have_text("Question 3 of 6")
    assert seen(page) == before

    server.end(signal.SIGKILL)
    press(page, "Yes")
    pressed.append("yes")
    expect(page.locator("body > .notice")).to_contain_text("Not saved yet")
    assert study.value("SELECT count(*) FROM answers") == len(pressed) - 1
    again = serving(study, urlsplit(server.url).port or 0)
    try:
        expect(page.locator(".where")).to_have_text("Question 4 of 6")
        expect(page.locator("body > .notice")).to_be_hidden()
        page.reload()
        expect(page.locator(".where")).to_have_text("Question 4 of 6")
        for number in (4, 5, 6):
            ready(page, f"Question {number} of 6")
            press(page, "Yes")
            pressed.append("yes")
        expect(page.locator("h1")).to_have_text("Thank you")
    finally:
        page.close()
        again.end()
    found = study.rows("SELECT position, choice FROM answers JOIN items ON id = item ORDER BY position, level")
    assert [row["choice"] for row in found] == pressed, "no answer lost, none counted twice"
    assert {row["position"] for row in found} == {1, 2, 3, 4, 5, 6}
    assert read_results(study).people.finished == 1
    assert not study.rows("SELECT 1 FROM answers WHERE time_check = 'impossible'")


def test_by_keyboard_alone(guest: Guest) -> None:
    page = guest.open(path=f"/#{guest.code}")
    expect(page.get_by_label("Your personal code")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Before we begin")
    assert "#" not in page.url, "the code does not stay in the address"
    tab_and_enter(page, "I agree")
    ready(page, "Practice")
    page.keyboard.press("y")
    tab_and_enter(page, "Begin")
    for number in range(1, 7):
        ready(page, f"Question {number} of 6")
        page.keyboard.press("n")
    expect(page.locator("h1")).to_have_text("Thank you")
    assert [choice for *_, choice in guest.turns] == ["no"] * 6


def tab_and_enter(page: Page, name: str) -> None:
    button = page.get_by_role("button", name=name)
    expect(button).to_be_visible()
    page.keyboard.press("Tab")
    expect(button).to_be_focused()
    page.keyboard.press("Enter")


def test_the_time_goes_on_through_a_reload_and_stands_still_in_the_background(guest: Guest) -> None:
    page = guest.to_the_items()
    page.wait_for_timeout(1200)
    page.reload()
    ready(page, "Question 1 of 6")
    become = "Object.defineProperty(document, 'visibilityState', {value: '%s', configurable: true});"
    tell = "document.dispatchEvent(new Event('visibilitychange'))"
    page.evaluate(become % "hidden" + tell)
    page.wait_for_timeout(1500)
    page.evaluate(become % "visible" + tell)
    press(page, "Yes")
    expect(page.locator(".where")).to_have_text("Question 2 of 6")
    row = guest.study.row("SELECT answers.* FROM answers JOIN items ON id = item WHERE participant = ?", guest.number)
    assert row is not None
    assert row["browser_seconds"] >= 1.1, "what was read before the reload counts"
    assert row["server_seconds"] - row["browser_seconds"] >= 1.4, "what was not seen does not"


def test_two_people_with_one_code(guest: Guest) -> None:
    first, second = guest.to_the_items(), guest.open()
    enter(second, guest.code)
    expect(second.locator(".where")).to_have_text("Question 1 of 6")
    press(first, "Yes")
    expect(first.locator("#code-hint")).to_contain_text("enter it to go on here")
    assert guest.turns == []
    press(second, "No")
    expect(second.locator(".where")).to_have_text("Question 2 of 6")
    enter(first, guest.code)
    expect(first.locator(".where")).to_have_text("Question 2 of 6")
    assert [choice for *_, choice in guest.turns] == ["no"]


def test_two_tabs_answer_once(guest: Guest) -> None:
    page = guest.to_the_items()
    tab = page.context.new_page()
    tab.goto(page.url)
    expect(tab.locator(".where")).to_have_text("Question 1 of 6")
    press(page, "Yes")
    expect(page.locator(".where")).to_have_text("Question 2 of 6")
    press(tab, "No")
    expect(tab.locator("body > .notice")).to_contain_text("the first answer stands")
    expect(tab.locator(".where")).to_have_text("Question 2 of 6")
    assert [choice for *_, choice in guest.turns] == ["yes"]


def test_a_double_click_answers_one_question(guest: Guest) -> None:
    """Also when the second click comes after the next question, but too soon for anybody to have read it."""
    page = guest.to_the_items()
    page.evaluate(
        "new MutationObserver(() => setTimeout(() => document.querySelector('.answers button').click(), 100))"
        ".observe(document.querySelector('main'), {childList: true})"
    )
    page.locator(".answers").get_by_role("button", name="Yes").dblclick()
    expect(page.locator(".where")).to_have_text("Question 2 of 6")
    page.wait_for_timeout(300)
    assert len(guest.turns) == 1


def test_a_made_up_code_and_a_hostile_link(guest: Guest) -> None:
    page = guest.open(path="/#%E0%A4%A<img src=x onerror=document.title='owned'>")
    enter(page, "0000-0000-0000")
    expect(page.get_by_role("alert")).to_contain_text("This code is not known here")
    assert page.get_by_label("Your personal code").input_value() == "0000-0000-0000"
    assert page.title() == "A reading study"


def test_whatever_a_text_says_stays_text(guest: Guest) -> None:
    page = guest.to_the_items()
    for number in range(1, 7):
        ready(page, f"Question {number} of 6")
        if seen(page)[1] == HOSTILE:
            break
        press(page, "Yes")
    assert seen(page)[1] == HOSTILE
    assert page.locator("main img, main script").count() == 0
    assert page.title() == f"Question {number} of 6"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_everything_is_in_reach_and_readable(guest: Guest, scheme: str) -> None:
    """No sideways scrolling at 360 pixels, buttons a thumb can hit, and no complaint of axe, on every screen."""
    page = guest.open(scheme)

    def check(name: str) -> None:
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name
        for button in page.get_by_role("button").all():
            box = button.bounding_box()
            assert box is not None, name
            assert box["height"] >= 44, name
        found = Axe().run(page).response["violations"]
        assert not found, (name, [entry["id"] for entry in found])

    check("entrance")
    enter(page, guest.code)
    expect(page.locator("h1")).to_have_text("Before we begin")
    check("consent")
    page.get_by_role("button", name="I agree").click()
    ready(page, "Practice")
    check("practice")
    press(page, "No")
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    check("afterwards")
    page.get_by_role("button", name="Begin").click()
    ready(page, "Question 1 of 6")
    check("item")
    boxes = [button.bounding_box() for button in page.locator(".answers button").all()]
    assert all(box and box["y"] + box["height"] <= PHONE["height"] for box in boxes), "answers are in sight at once"
