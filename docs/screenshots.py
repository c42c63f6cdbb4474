"""Takes the two pictures of the page that the README shows.

    mls serve &
    python docs/screenshots.py

Needs Chromium and the extra `dev`.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

SITE = "http://127.0.0.1:8000/"
HERE = Path(__file__).parent


def open_page(browser: Browser, view: str, ready: str, scheme: str) -> Page:
    page = browser.new_page(viewport={"width": 1120, "height": 800}, color_scheme=scheme, reduced_motion="reduce")
    page.goto(SITE + view)
    page.wait_for_selector(ready)
    return page


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = open_page(browser, "#example=news&budget=1/8&sentence=3", ".why .heads", "light")
        page.screenshot(path=HERE / "page.png")
        page = open_page(browser, "#example=essay&budget=80 words&with=lead", ".rival:not([hidden])", "dark")
        page.get_by_role("button", name="Tune and compare").click()
        page.mouse.move(0, 0)
        page.screenshot(path=HERE / "compare.png")
        browser.close()


if __name__ == "__main__":
    main()
