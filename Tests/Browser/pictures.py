"""Draws the pictures of the documents."""

import os

from browser import ROOT, SCHEMES
from live_tests import TMDB, at_step, inspected, send


def draw(browser):
    pictures = os.path.join(ROOT, "Documentation", "Pictures")
    session = os.path.join(ROOT, "Examples", "recorded-search.html")
    for scheme in SCHEMES:
        with browser.page(f"{session}#step=5", scheme=scheme) as page:
            page.screenshot(path=os.path.join(pictures, f"session-{scheme}.png"))
        with inspected(browser, "movies.so", "--config", TMDB, scheme=scheme) as page:
            send(page, "didSearch", "jaws")
            at_step(page, 2)
            send(page, "didSearch", "alien")
            at_step(page, 3)
            page.get_by_role("button", name="One step back").click()
            at_step(page, 2, 3)
            page.mouse.move(700, 700)
            page.screenshot(path=os.path.join(pictures, f"live-{scheme}.png"))
