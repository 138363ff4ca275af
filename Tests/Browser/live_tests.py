"""Pages of `vmhost inspect`."""

import contextlib
import json
import os
import re
import signal
import subprocess

from playwright.sync_api import expect

from browser import (BUILD, ROOT, SCHEMES, SIZES, VMHOST, accessibility, folder, vmhost, write)

TMDB = '{"source":"tmdb","apiKey":"key"}'


class Inspection:
    """A vmhost that serves a live page."""

    def __init__(self, *arguments, path):
        self.process = subprocess.Popen(
            [VMHOST, "inspect", *arguments], cwd=path, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={"PATH": "/usr/bin:/bin", "VMHOST_PLUGIN_PATH": BUILD})
        said = ""
        for line in self.process.stderr:
            said += line
            found = re.search(r"http://127\.0\.0\.1:\d+/#secret=\S+", line)
            if found:
                self.address = found.group().rstrip(")")
                return
        raise AssertionError(f"no address: {said}")

    def end(self, number=signal.SIGTERM):
        """Ends it, and gives its status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.process.communicate(timeout=30)
        return self.process.returncode


@contextlib.contextmanager
def inspected(browser, *arguments, **options):
    """A live page, once it shows its session."""
    complaints = options.pop("complaints", ())
    with folder() as path:
        inspection = Inspection(*arguments, path=path)
        try:
            with browser.page(inspection.address, complaints=complaints, **options) as page:
                page.locator(".instance-card").first.wait_for()
                page.inspection = inspection
                page.folder = path
                yield page
        finally:
            inspection.end()


def send(page, port, value=None):
    """Fills in the form of an input, and sends it."""
    if value is None:
        page.get_by_role("button", name=port, exact=True).click()
    else:
        page.get_by_label(port, exact=True).fill(value)
        page.get_by_role("button", name=f"Send {port}", exact=True).click()


def at_step(page, step, steps=None):
    text = f"step {step} of {step if steps is None else steps}"
    page.get_by_text(text, exact=True).wait_for()


def saved(page):
    """The path of the saved session."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as .vmt").click()
    path = os.path.join(page.folder, download.value.suggested_filename)
    download.value.save_as(path)
    return path


def test_plays_the_demonstration_of_the_readme(browser):
    with inspected(browser, "movies.so", "--config", TMDB) as page:
        send(page, "didSearch", "jaws")
        at_step(page, 2)
        send(page, "didSearch", "alien")
        at_step(page, 3)
        assert "query=alien" in page.locator(".request-card").inner_text()
        page.get_by_role("button", name="Offline").click()
        at_step(page, 4)
        assert page.locator(".request-card").count() == 0
        assert "No internet connection" in page.locator(".frame").inner_text()
        for step in (3, 2):
            page.get_by_role("button", name="One step back").click()
            at_step(page, step, 4)
        assert "query=jaws" in page.locator(".request-card").inner_text()
        page.get_by_role("button", name="Offline").click()
        at_step(page, 3)
        path = saved(page)
        assert os.path.basename(path) == "movies.vmt"
        text = open(path, encoding="utf-8").read()
        assert 'didSearch "jaws"' in text and "alien" not in text
        assert "1 passed" in vmhost("test", "movies.vmt", folder=page.folder)


def test_keeps_branches(browser):
    with inspected(browser, "movies.so", "--config", TMDB) as page:
        send(page, "didSearch", "jaws")
        at_step(page, 2)
        send(page, "didSearch", "alien")
        at_step(page, 3)
        page.get_by_role("button", name="One step back").click()
        at_step(page, 2, 3)
        send(page, "didSearch", "batman")
        at_step(page, 3)
        assert '"batman"' in page.locator(".frame").inner_text()
        branches = page.get_by_label("Branch")
        branches.select_option(index=0)
        page.locator(".frame").get_by_text('"alien"').wait_for()
        branches.select_option(index=1)
        page.locator(".frame").get_by_text('"batman"').wait_for()


def test_answers_by_hand(browser):
    with inspected(browser, "movies.so", "--config", TMDB) as page:
        film = ('{"page":1,"total_pages":1,"results":[{"id":1,"title":"Jaws","overview":"o",'
                '"poster_path":null,"release_date":"1975-06-20"}]}')
        send(page, "didSearch", "jaws")
        at_step(page, 2)
        page.locator(".request-card summary", has_text="Body").click()
        page.get_by_label("Body", exact=True).fill(film)
        page.get_by_role("button", name="Reply", exact=True).click()
        at_step(page, 3)
        assert re.search(r"isEmpty[^a-z]*(changed)?[^a-z]*false", page.locator(".frame").inner_text())
        send(page, "didSearch", "x")
        page.get_by_role("button", name="404", exact=True).click()
        at_step(page, 5)
        send(page, "didSearch", "slow")
        at_step(page, 6)
        page.get_by_role("button", name="Pause").click()
        page.get_by_role("button", name="Run", exact=True).wait_for()
        page.locator(".request-card summary", has_text="Body").click()
        page.get_by_label("After this much time").fill("2s")
        page.set_input_files("input[type=file]", write(os.path.join(page.folder, "b"), film))
        expect(page.get_by_label("Body", exact=True)).to_have_value(film)
        page.get_by_role("button", name="Reply", exact=True).click()
        at_step(page, 7)
        assert "1 passed" in vmhost("test", os.path.basename(saved(page)), folder=page.folder)


def test_lets_time_pass_when_it_is_told_to(browser):
    with inspected(browser, "movies.so") as page:
        page.get_by_role("button", name="Pause").click()
        page.get_by_role("button", name="Run", exact=True).wait_for()
        send(page, "didSearch", "jaws")
        at_step(page, 2)
        page.get_by_role("button", name="Next timer").click()
        at_step(page, 3)
        assert re.search(r"isEmpty[^a-z]*(changed)?[^a-z]*false", page.locator(".frame").inner_text())
        send(page, "didSearch", "alien")
        at_step(page, 4)
        page.get_by_role("button", name="Until idle").click()
        at_step(page, 5)
        page.get_by_label("How much time to let pass").fill("no time")
        page.get_by_role("button", name="Let that time pass").click()
        page.locator(".notice.bad").wait_for()


def test_shows_a_refusal_at_its_form(browser):
    with inspected(browser, "movies.so") as page:
        send(page, "didSelectItem", '"no number"')
        problem = page.locator(".port", has_text="didSelectItem").locator(".problem")
        problem.filter(has_text="expected an integer").wait_for()
        send(page, "didSelectItem", "9999")
        at_step(page, 2)
        assert problem.inner_text() == ""
        page.locator(".port", has_text="didSearch").locator("summary").click()
        page.get_by_label("didSearch as JSON").fill("{")
        page.get_by_role("button", name="Send didSearch", exact=True).click()
        page.get_by_text("This is not JSON.").wait_for()


def test_makes_forms_for_values_of_all_kinds(browser):
    with inspected(browser, "kitfixture.so", "--view-model", "kit.ports") as page:
        steps = 1
        for port, fill, line in [
            ("setText", "é \"x\"", '"é \\"x\\""'), ("setNumber", "12345678901234567", "12345678901234567"),
            ("setAmount", "0.1", "0.1"),
        ]:
            send(page, port, fill)
            steps += 1
            at_step(page, steps)
            assert page.locator(".row[aria-selected=true] code").inner_text() == f"> {port} {line}"
        card = page.locator(".port", has_text="setPoint")
        card.get_by_label("x", exact=True).fill("3")
        page.get_by_role("button", name="Send setPoint", exact=True).click()
        at_step(page, steps + 1)
        assert page.locator(".row[aria-selected=true] code").inner_text() == '> setPoint {"x":3}'
        card = page.locator(".port", has_text="setList")
        for text in ("a", "b"):
            card.get_by_role("button", name="+ element").click()
            card.get_by_label("0" if text == "a" else "1", exact=True).fill(text)
        page.get_by_role("button", name="Send setList", exact=True).click()
        at_step(page, steps + 2)
        assert page.locator(".row[aria-selected=true] code").inner_text() == '> setList ["a","b"]'
        card = page.locator(".port", has_text="setFlag")
        card.get_by_label("setFlag", exact=True).check()
        page.get_by_role("button", name="Send setFlag", exact=True).click()
        at_step(page, steps + 3)
        assert page.locator(".row[aria-selected=true] code").inner_text() == "> setFlag true"


def test_opens_and_closes_instances(browser):
    with inspected(browser, "movies.so", "hello.so") as page:
        assert page.locator(".instance-card h2").count() == 2
        page.get_by_text("Open another instance").click()
        page.get_by_label("View model").select_option("movies.list")
        page.get_by_label("Handle", exact=True).fill("second")
        page.get_by_role("button", name="Open", exact=True).click()
        page.locator(".instance-card h2").filter(has_text="second").wait_for()
        page.get_by_role("button", name="Close second").click()
        expect(page.locator(".instance-card h2")).to_have_count(2)


def test_survives_a_reload_of_the_page(browser):
    with inspected(browser, "movies.so", "--config", TMDB) as page:
        send(page, "didSearch", "jaws")
        at_step(page, 2)
        assert "secret" not in page.evaluate("location.href")
        page.reload()
        at_step(page, 2)
        assert "query=jaws" in page.locator(".request-card").inner_text()
        page.get_by_role("button", name="Offline").click()
        at_step(page, 3)


def test_shows_values_of_a_plugin_as_text(browser):
    hostile = "</script><img src=x onerror=window.hacked=1>\u202e"
    with inspected(browser, "echo.so") as page:
        send(page, "say", json.dumps(hostile))
        at_step(page, 2)
        assert "\u202e" not in page.locator("main").inner_text()
        assert page.locator("img").count() == 0


def test_tells_when_a_plugin_breaks_down(browser):
    with inspected(browser, "kitfixture.so", "--view-model", "kit.faults") as page:
        send(page, "trap", "9")
        page.locator("h1 .bad").wait_for()
        page.inspection.process.communicate(timeout=30)
        assert page.inspection.process.returncode == 6


def test_refuses_a_page_without_the_secret(browser):
    with folder() as path:
        inspection = Inspection("movies.so", path=path)
        try:
            address = inspection.address.split("#")[0]
            with browser.page(address, complaints=("403", "401")) as page:
                page.locator("h1 .bad").filter(has_text="secret").wait_for()
        finally:
            inspection.end()


def test_ends_with_its_page_and_with_ctrl_c(browser):
    with folder() as path:
        inspection = Inspection("movies.so", path=path)
        with browser.page(inspection.address) as page:
            page.locator(".instance-card").first.wait_for()
        inspection.process.communicate(timeout=60)
        assert inspection.process.returncode == 0
        assert Inspection("movies.so", path=path).end(signal.SIGINT) in (130, -signal.SIGINT)


def test_live_page_is_accessible(browser):
    for size in SIZES:
        for scheme in SCHEMES:
            with inspected(browser, "movies.so", "--config", TMDB, size=size,
                           scheme=scheme) as page:
                send(page, "didSearch", "jaws")
                at_step(page, 2)
                found = accessibility(page)
                assert found == [], (size, scheme, found)
                assert page.evaluate("document.scrollingElement.scrollWidth") <= SIZES[size][0]
