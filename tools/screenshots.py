"""Takes the pictures of the page that the documentation shows.

    mls serve &
    python tools/screenshots.py

Needs Chromium and the extra `dev`.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

SITE = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000/"
DOCS = Path(__file__).parent.parent / "docs"


def open_page(browser: Browser, view: str, ready: str, scheme: str, width: int = 1120) -> Page:
    size = {"width": width, "height": 800}
    page = browser.new_page(viewport=size, color_scheme=scheme, reduced_motion="reduce")
    page.goto(SITE + view)
    page.wait_for_selector(ready)
    return page


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = open_page(browser, "#example=news&budget=1/8", ".summary .said", "light")
        page.locator(".summary .said").nth(1).click()
        page.wait_for_selector(".afterwards ul")
        page.screenshot(path=DOCS / "page.png")
        page = open_page(browser, "#example=essay&budget=80 words&with=lead", ".rival:not([hidden])", "dark")
        page.get_by_role("button", name="Tune and compare").click()
        page.mouse.move(0, 0)
        page.screenshot(path=DOCS / "compare.png")
        page = open_page(browser, "#example=news&budget=1/8", ".summary .said", "light", 390)
        page.locator(".source .left", has_text="I had already written").click()
        page.wait_for_selector(".enters")
        page.screenshot(path=DOCS / "phone.png")
        asked = "#example=news&budget=60 words&about=How much is the fare?"
        page = open_page(browser, asked, ".summary .said", "light", 820)
        page.mouse.move(0, 0)
        page.screenshot(path=DOCS / "asked.png")
        browser.close()


if __name__ == "__main__":
    main()
