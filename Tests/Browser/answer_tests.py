"""Requests that wait for an answer, and what else changes under a live page."""

import json
import os
import shutil
import signal

from playwright.sync_api import expect

from browser import BUILD, folder, vmhost, write
from live_tests import TMDB, Inspection, at_step, inspected, saved, send

EFFECTS = ["kitfixture.so", "--view-model", "kit.effects"]
PROVIDER = """while IFS= read -r line; do
  id=${line#*'"id":'}
  id=${id%%[!0-9]*}
  case $line in
    *'"kind":"request"'*) echo '{"kind":"reply","id":'"$id"'}' ;;
  esac
done
"""


def card(page, number, handle="effects"):
    return page.get_by_role("article", name=f"Request {number} of {handle}")


def test_keeps_a_half_written_answer(browser):
    with inspected(browser, *EFFECTS, "--view-model", "kit.effects=second") as page:
        first, second = [page.get_by_role("article", name=f"Instance {handle}")
                         for handle in ("effects", "second")]
        send(first, "get", "https://example.com/")
        card(page, 1).locator("summary", has_text="Body").click()
        card(page, 1).get_by_label("Body", exact=True).fill('{"half"')
        send(second, "ping")
        card(page, 1, "second").wait_for()
        assert card(page, 1).get_by_label("Body", exact=True).input_value() == '{"half"'
        card(page, 1).get_by_role("button", name="Reply", exact=True).click()
        card(page, 1).get_by_text("The body is not JSON.").wait_for()
        card(page, 1).get_by_label("Kind of body").select_option("text")
        card(page, 1).get_by_label("Status").fill("no number")
        card(page, 1).get_by_role("button", name="Reply", exact=True).click()
        card(page, 1).get_by_text("A status is a number from 100 to 999.").wait_for()
        card(page, 1).get_by_label("Status").fill("201")
        card(page, 1).get_by_role("button", name="Reply", exact=True).click()
        at_step(page, 5)
        expect(page.locator(".request-card")).to_have_count(1)
        # Those who use the keyboard are at the next one.
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == (
            "Request 1 of second")
        assert '"text":"{\\"half\\""' in page.locator(".row[aria-selected=true]").inner_text()


def test_fails_requests_with_any_code(browser):
    with inspected(browser, *EFFECTS) as page:
        send(page, "ping")
        card(page, 1).locator("summary", has_text="Value").click()
        card(page, 1).get_by_label("Error code").fill("busy")
        card(page, 1).get_by_label("Error message").fill("<b>not now</b>")
        card(page, 1).get_by_role("button", name="Fail").click()
        at_step(page, 3)
        signals = page.locator(".signals")
        assert 'failed {"code":"busy","message":"<b>not now</b>"}' in signals.inner_text()
        page.get_by_role("button", name="One step back").click()
        at_step(page, 2, 3)
        assert signals.inner_text() == ""


def test_answers_with_bytes_of_a_file(browser):
    with inspected(browser, *EFFECTS) as page:
        send(page, "get", "https://example.com/")
        path = os.path.join(page.folder, "bytes")
        with open(path, "wb") as file:
            file.write(b"\x00\xff" + bytes(range(256)) * 300)
        card(page, 1).locator("summary", has_text="Body").click()
        page.set_input_files("input[type=file]", path)
        expect(card(page, 1).get_by_label("Kind of body")).to_have_value("base64")
        card(page, 1).get_by_role("button", name="Reply", exact=True).click()
        at_step(page, 3)
        assert '"base64":"AP8AAQID' in page.locator(".row[aria-selected=true]").inner_text()
        assert "1 passed" in vmhost("test", os.path.basename(saved(page)), folder=page.folder)


def test_answers_late_and_can_be_stopped(browser):
    with inspected(browser, *EFFECTS) as page:
        send(page, "ping")
        card(page, 1).locator("summary", has_text="Value").click()
        card(page, 1).get_by_label("After this much time").fill("soon")
        card(page, 1).get_by_role("button", name="Reply", exact=True).click()
        card(page, 1).get_by_text('"soon" is not a time').wait_for()
        card(page, 1).get_by_label("After this much time").fill("5m")
        card(page, 1).get_by_role("button", name="Offline").click()
        card(page, 1).get_by_text("Answers in").wait_for()
        card(page, 1).get_by_role("button", name="Stop").click()
        expect(card(page, 1).get_by_text("Answers in")).to_have_count(0)
        card(page, 1).get_by_label("After this much time").fill("600ms")
        card(page, 1).get_by_role("button", name="Offline").click()
        card(page, 1).get_by_text("Answers in").wait_for()
        at_step(page, 3)
        text = page.locator(".detail .exchange").inner_text()
        assert "Error" in text and "after" in text, text


def test_asks_the_provider_when_told_to(browser):
    with folder() as path:
        script = write(os.path.join(path, "ping.sh"), PROVIDER)
        with inspected(browser, *EFFECTS, "--effect", f"ping=sh {script}") as page:
            send(page, "ping")
            at_step(page, 2)
            hold = page.get_by_label("hold ping")
            assert hold.is_checked() and page.get_by_label("hold http").is_checked()
            card(page, 1).get_by_role("button", name="Ask for real").click()
            at_step(page, 3)
            assert 'result "pong"' in page.locator(".signals").inner_text()
            hold.uncheck()
            send(page, "ping")
            at_step(page, 5)
            expect(page.locator(".request-card")).to_have_count(0)


def test_has_no_provider_to_ask_where_there_is_none(browser):
    with inspected(browser, *EFFECTS) as page:
        send(page, "ping")
        card(page, 1).wait_for()
        assert not card(page, 1).get_by_role("button", name="Ask for real").is_visible()


def rebuild(plugin, before, after):
    """Replaces a plugin by one with another text."""
    with open(plugin, "rb") as file:
        code = file.read()
    assert before in code and len(before) == len(after)
    with open(f"{plugin}.new", "wb") as file:
        file.write(code.replace(before, after))
    os.rename(f"{plugin}.new", plugin)


def test_tells_what_a_reload_changed(browser):
    with folder() as path:
        plugin = os.path.join(path, "movies.so")
        shutil.copy(os.path.join(BUILD, "libmovies.so"), plugin)
        with inspected(browser, plugin, "--watch") as page:
            send(page, "didSearch", "jaws")
            at_step(page, 3)
            rebuild(plugin, b"A police chief who hates", b"A POLICE CHIEF WHO HATES")
            notice = page.locator(".notice")
            notice.filter(has_text="Loaded movies anew: 1 step differs.").wait_for()
            notice.locator("summary", has_text="1 other state").click()
            assert "POLICE" in notice.inner_text() and "list.items" in notice.inner_text()
            assert "POLICE" in page.locator(".frame").inner_text()
            # Steps before the latest one are those of the new build, too.
            send(page, "didSearch", "alien")
            at_step(page, 5)
            rebuild(plugin, b"A POLICE CHIEF WHO HATES", b"A Police Chief Who Hates")
            expect(notice.filter(has_text="1 step differs.")).to_have_count(2)
            page.get_by_label("The step of the session").fill("3")
            expect(page.locator(".frame")).to_contain_text("A Police Chief Who Hates")


def test_shows_the_same_after_the_page_is_loaded_again(browser):
    with inspected(browser, "movies.so", "--config", TMDB) as page:
        send(page, "didSearch", "jaws")
        at_step(page, 2)
        send(page, "didSearch", "alien")
        at_step(page, 3)
        for step in (2, 1):
            page.get_by_role("button", name="One step back").click()
            at_step(page, step, 3)
        send(page, "didSearch", "batman")
        at_step(page, 2)
        steps = page.locator(".row code").all_inner_texts()
        page.reload()
        at_step(page, 2)
        assert page.locator(".row code").all_inner_texts() == steps
        expect(page.locator(".request-card")).to_have_count(1)
        assert "query=batman" in page.locator(".request-card").inner_text()
        page.get_by_label("Branch").select_option(index=0)
        at_step(page, 3)
        assert "query=alien" in page.locator(".request-card").inner_text()


def test_copies_a_session_for_an_issue(browser):
    with inspected(browser, "movies.so", "--config", TMDB) as page:
        send(page, "didSearch", "jaws")
        at_step(page, 2)
        page.get_by_role("button", name="Copy for an issue").click()
        page.get_by_text("Copied the session for an issue.").wait_for()
        text = page.evaluate("navigator.clipboard.readText()")
        for part in ("movies 1.0.0", "vmhost 0.", "```\n@open movies.list",
                     '\n> didSearch "jaws"\n'):
            assert part in text, (part, text)


def test_shows_hostile_values_of_a_live_session_as_text(browser):
    hostile = "</script><img src=x onerror=window.hacked=1>\u202e\u009b31m"
    value = json.dumps({hostile: hostile, "__proto__": {"hacked": 1}, "constructor": [hostile]})
    views = [part for name in ("kit.ports", "kit.effects", "kit.faults")
             for part in ("--view-model", name)]
    with inspected(browser, "kitfixture.so", *views) as page:
        send(page, "setAny", value)
        at_step(page, 4)
        send(page, "log", hostile)
        at_step(page, 5)
        send(page, "get", f"https://example.com/{hostile}")
        at_step(page, 6)
        card(page, 1).locator("summary", has_text="Body").click()
        card(page, 1).get_by_label("Error code").fill(hostile)
        card(page, 1).get_by_label("Error message").fill(hostile)
        card(page, 1).get_by_role("button", name="Fail").click()
        page.locator(".problem, .signals").filter(has_text="onerror").first.wait_for()
        at_step(page, 7)
        for step in range(6, -1, -1):
            page.get_by_role("button", name="One step back").click()
            at_step(page, step, 7)
            text = page.locator("body").inner_text()
            assert not any(sign in text for sign in "\u202e\u009b"), step
        assert page.evaluate("document.querySelectorAll('script, img, iframe').length") == 2
        assert page.evaluate("({}).hacked") is None


def test_keeps_a_step_that_one_looks_at(browser):
    with inspected(browser, "movies.so", "--config", TMDB) as page:
        send(page, "didSearch", "jaws")
        at_step(page, 2)
        page.locator(".row").first.click()
        chosen = page.locator(".row[aria-selected=true] code")
        expect(chosen).to_contain_text("@open")
        page.get_by_role("button", name="Pause").click()
        page.get_by_role("button", name="Run", exact=True).wait_for()
        expect(chosen).to_contain_text("@open")
        send(page, "didSearch", "alien")
        expect(chosen).to_contain_text('> didSearch "alien"')


EVENTS = """() => {
  const told = [];
  const connection = new Connection({
    line: (raw) => told.push(raw), state: (text, isOpen) => told.push([text, isOpen]),
  });
  const stream = ["event: gone", "data: {\\"next\\":4}", "", "id: 4",
    "data: {\\"kind\\":\\"log\\"}", "", "id: 5"];
  stream.forEach((line) => connection.take(line));
  told.push(connection.headers()["Last-Event-ID"]);
  ["", "event: end", "data: {\\"kind\\":\\"end\\"}", ""].forEach((line) => connection.take(line));
  return [told, connection.isEnded];
}"""


def test_tells_events_of_the_server_from_lines(browser):
    with inspected(browser, "hello.so") as page:
        told, is_ended = page.evaluate(EVENTS)
        assert told == [["The beginning of the session is no longer there.", True],
                        '{"kind":"log"}', "4", ["vmhost has ended", False]], told
        assert is_ended


def test_tells_that_vmhost_was_killed(browser):
    with folder() as path:
        inspection = Inspection("movies.so", path=path)
        with browser.page(inspection.address, complaints=("net::ERR_",)) as page:
            page.locator(".instance-card").first.wait_for()
            inspection.end(signal.SIGKILL)
            # The server may end with vmhost before it can say so.
            state = page.locator("h1 .bad")
            state.wait_for()
            assert any(text in state.inner_text() for text in ["vmhost has ended", "lost"])
            send(page, "didSearch", "jaws")
            page.locator(".problem").filter(has_text="the connection is lost").wait_for()


def test_tells_that_a_session_has_ended(browser):
    with folder() as path:
        inspection = Inspection("movies.so", path=path)
        with browser.page(inspection.address, complaints=("ERR_CONNECTION_REFUSED",)) as page:
            page.locator(".instance-card").first.wait_for()
            inspection.end(signal.SIGTERM)
            page.locator("h1 .bad").wait_for()
            send(page, "didSearch", "jaws")
            page.locator(".problem").filter(has_text="The session has ended.").wait_for()
