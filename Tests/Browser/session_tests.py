"""Pages of `vmhost view` and `vmhost run --html`."""

import json
import os
import time

from browser import SCHEMES, SIZES, accessibility, example, folder, vmhost, write


def recorded(path):
    """The page of the recorded search."""
    target = os.path.join(path, "search.html")
    vmhost("view", example("recorded-search.vmt"), "-o", target, folder=path)
    return target


def chosen(page):
    return page.locator(".row[aria-selected=true] code").inner_text()


def states(page):
    """The states that are shown, by their names."""
    names = page.locator(".frame dt").all_inner_texts()
    values = page.locator(".frame dd").all_inner_texts()
    return dict(zip((name.split("\n")[0] for name in names), values))


def test_opens_from_a_file_without_a_network(browser):
    with folder() as path, browser.page(recorded(path)) as page:
        assert page.title() == "recorded-search.vmt"
        assert page.locator(".verdict").inner_text() == "passed"
        assert page.locator(".row").count() == 11
        assert "movies 1.0.0" in page.locator(".facts").inner_text()
        assert page.evaluate("document.querySelectorAll('script').length") == 2


def test_shows_the_states_after_a_step_and_what_changed(browser):
    with folder() as path, browser.page(recorded(path)) as page:
        assert states(page)["loading"] == '"none"'
        page.get_by_text("didSearch").first.click()
        shown = states(page)
        assert shown["loading"].startswith('"fullScreen"') and '"none"' in shown["loading"]
        changed = page.locator(".frame dt.changed").all_inner_texts()
        assert [name.split("\n")[0] for name in changed] == ["loading", "query"], changed
        assert "waits for 1 http" in page.locator(".frame").inner_text()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        assert states(page)["loading"].startswith('"none"')
        assert "waits for" not in page.locator(".frame").inner_text()


def test_moves_with_keys(browser):
    with folder() as path, browser.page(recorded(path)) as page:
        for key, line in [
            ("ArrowDown", "+ 53ms"), ("ArrowDown", '> didSearch "jaws"'), ("ArrowUp", "+ 53ms"),
            ("End", "> didSelectItem 0"), ("Home", "@open movies.list"),
        ]:
            page.keyboard.press(key)
            assert chosen(page).startswith(line), (key, chosen(page))
        page.keyboard.press("/")
        page.keyboard.type("jaws")
        assert "of 11 steps" in page.locator(".matches").inner_text()
        page.keyboard.press("Escape")
        page.keyboard.press("n")
        assert "jaws" in chosen(page)
        page.keyboard.press("?")
        assert page.locator("dialog").is_visible()
        page.keyboard.press("Escape")
        page.locator("dialog").wait_for(state="detached")
        background = "getComputedStyle(document.body).backgroundColor"
        before = page.evaluate(background)
        page.keyboard.press("t")
        assert page.evaluate(background) != before


def test_has_an_address_for_each_step(browser):
    with folder() as path:
        target = recorded(path)
        with browser.page(f"{target}#step=5") as page:
            assert chosen(page).startswith("! 1 ")
            page.keyboard.press("ArrowDown")
            assert page.evaluate("location.hash") == "#step=6"
        for odd in ["step=", "step=-1", "step=1e9", "step=<img src=x>", "trace=__proto__", "%", "#"]:
            with browser.page(f"{target}#{odd}") as page:
                assert chosen(page).startswith("@open"), odd


def test_finds_lines_and_filters_kinds(browser):
    with folder() as path, browser.page(recorded(path)) as page:
        for text, count in [("jaws", None), ("no such text", 0), ("DIDSEARCH", 1), ("offline", 1)]:
            page.get_by_label("Search in all lines").fill(text)
            rows = page.locator(".row").count()
            assert rows > 0 if count is None else rows == count, (text, rows)
        page.get_by_label("Search in all lines").fill("")
        for kind, count in [("input", 3), ("request", 2), ("log", 0), ("", 11)]:
            page.get_by_label("Kinds of steps").select_option(kind)
            assert page.locator(".row").count() == count, kind


def test_copies_lines_that_vmhost_can_play(browser):
    with folder() as path, browser.page(recorded(path)) as page:
        page.keyboard.press("End")
        page.get_by_role("button", name="Copy up to here").click()
        page.locator("#status.shown").wait_for()
        text = page.evaluate("navigator.clipboard.readText()")
        write(os.path.join(path, "copy.vmt"), "vmt 1\n@plugin movies.so\n" + text)
        assert "1 passed" in vmhost("test", "copy.vmt", folder=path)
        page.get_by_text("didLoadNextPage").first.click()
        page.keyboard.press("c")
        page.wait_for_function("navigator.clipboard.readText().then(t => t.startsWith('>'))")
        text = page.evaluate("navigator.clipboard.readText()")
        assert text.startswith('> didLoadNextPage\n< loading "nextPage"\n'), text


def test_shows_differences_side_by_side(browser):
    with folder() as path:
        with open(example("recorded-search.vmt"), encoding="utf-8") as file:
            changed = file.read().replace('"fullScreen"', '"full"')
        write(os.path.join(path, "a.vmt"), changed)
        vmhost("view", "a.vmt", folder=path)
        with browser.page(os.path.join(path, "a.html")) as page:
            assert page.locator("h1 .verdict").inner_text() == "failed"
            # It opens where it differs.
            assert chosen(page).startswith('> didSearch "jaws"'), chosen(page)
            assert page.locator(".diff .removed").inner_text().endswith('< loading "full"')
            assert page.locator(".diff .added").inner_text().endswith('< loading "fullScreen"')


def test_shows_a_request_beside_its_answer(browser):
    with folder() as path, browser.page(f"{recorded(path)}#step=5") as page:
        request, reply = page.locator(".exchange .half").all_inner_texts()
        assert "GET https://api.themoviedb.org/3/search/movie?query=jaws" in request, request
        for text in ["after 245 ms", "200", "content-type", "application/json", "total_pages: 2"]:
            assert text in reply, (text, reply)
        page.get_by_role("button", name="step 3", exact=True).click()
        assert chosen(page).startswith('> didSearch "jaws"')
        assert "after 245 ms" in page.locator(".exchange").inner_text()
        page.locator(".row", has_text="2 error").click()
        assert "offline" in page.locator(".exchange .half").nth(1).inner_text()


def test_marks_what_changed_within_values(browser):
    values = ['{"a":[1,2,3],"b":{"c":1},"d":0}', '{"a":[1,9,3,4],"b":{"c":1},"e":0}']
    with folder() as path:
        write(os.path.join(path, "a.vmt"), "vmt 1\n@plugin gone.so\n@open a.b\n"
              + "".join(f"> typed 1\n< x {value}\n" for value in values))
        vmhost("view", "a.vmt", folder=path)
        with browser.page(os.path.join(path, "a.html")) as page:
            page.keyboard.press("End")
            tree = page.locator(".frame .members").first
            marks = {kind: [text.strip() for text in tree.locator(f".leaf.{kind}").all_inner_texts()]
                     for kind in ["changed", "added", "removed"]}
            assert [text.split(" was ")[0].strip() for text in marks["changed"]] == ["1: 9"], marks
            assert [text.split()[-2:] for text in marks["added"]] == [["3:", "4"], ["e:", "0"]]
            assert [text.split()[-2:] for text in marks["removed"]] == [["d:", "0"]], marks
            page.get_by_text("the value before").first.click()
            assert "d: 0" in page.locator(".frame .whole-before").inner_text()


def test_survives_odd_lines(browser):
    odd = [
        '{"kind":"open","t":0,"instance":"","viewModel":"__proto__"}',
        '{"kind":"output","t":0,"instance":"","name":"constructor","value":1e400}',
        '{"kind":"output","t":1e999,"instance":"' + "x" * 200 + '","name":"__proto__","value":{}}',
        '{"kind":"cancel","t":-1,"instance":"never","id":7,"effect":"http"}',
        '{"kind":"nobody knows","t":0}', "not JSON", '{"kind":"step","t":0.1,"ste',
    ]
    with folder() as path:
        target = recorded(path)
        with open(target, encoding="utf-8") as file:
            page_text = file.read()
        for cut in ["\n{\"kind\":\"session\"", "\n{\"kind\":\"end\""]:
            page_text = page_text.replace(cut, "\n" + "\n".join(odd) + cut, 1)
        write(target, page_text)
        with browser.page(target) as page:
            assert "4 lines could not be read" in page.locator(".facts").inner_text()
            page.keyboard.press("End")
            assert chosen(page) == "> list.didSelectItem 0"
            assert "1e400" in page.locator(".frame").inner_text()


def test_says_what_a_file_says_without_plugins(browser):
    with folder() as path:
        text = 'vmt 1\n@plugin gone.so\n@open a.b\n< x 1\n> typed "é"\n< x 12345678901234567890\n'
        write(os.path.join(path, "a.vmt"), text)
        vmhost("view", "a.vmt", folder=path)
        with browser.page(os.path.join(path, "a.html")) as page:
            assert "not played" in page.locator(".facts").inner_text()
            page.keyboard.press("End")
            assert states(page)["x"].startswith("12345678901234567890")


def test_puts_several_sessions_on_one_page(browser):
    with folder() as path:
        files = [example("recorded-search.vmt"), example("recorded-signup.vmt")]
        vmhost("view", *files, "-o", "both.html", folder=path)
        with browser.page(os.path.join(path, "both.html")) as page:
            page.get_by_label("Session").select_option("1")
            assert "signup" in page.locator("h1").inner_text()
            assert "trace=" in page.evaluate("location.hash")


def test_shows_a_live_run_and_its_crash(browser):
    with folder() as path:
        script = "> didSearch \"jaws\"\n+ idle\n> didSelectItem 0\n"
        write(os.path.join(path, "s.vmt"), script)
        vmhost("run", "movies.so", "--script", "s.vmt", "--clock", "virtual", "--html", "run.html",
               folder=path)
        with browser.page(os.path.join(path, "run.html")) as page:
            page.keyboard.press("End")
            assert chosen(page) == "> didSelectItem 0"
            assert "showMovieDetails" in page.locator(".detail").inner_text()
        write(os.path.join(path, "c.vmt"), "> trap 9\n")
        vmhost("run", "kitfixture.so", "--view-model", "kit.faults", "--script", "c.vmt", "--html",
               "crash.html", folder=path, status=6)
        with browser.page(os.path.join(path, "crash.html")) as page:
            assert "kitfixture" in page.locator(".stopped").inner_text()


HOSTILE = [
    "</script><script>window.hacked=1</script>", "<img src=x onerror=window.hacked=1>",
    "<!--<script>", "javascript:window.hacked=1", "\u202eright to left\u202c", "\u0085\u009b31m",
    "${window.hacked=1}", "\u2028\u2029", "\x7f", "'\"><svg/onload=window.hacked=1>", "", "👩‍👩‍👧 e\u0301",
]


def test_shows_hostile_values_as_text(browser):
    values = HOSTILE + [{text: index for index, text in enumerate(HOSTILE)}]
    values.append({"__proto__": {"hacked": 1}, "constructor": 1, "toString": 2, "hasOwnProperty": 3})
    lines = ["vmt 1", "@plugin gone.so", "@open a.b", "< x 0"]
    for value in values:
        text = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        lines += [f"> typed {text}", f"< x {text}", f"? {len(lines)} http {text}"]
    with folder() as path:
        write(os.path.join(path, "a.vmt"), "\n".join(lines) + "\n")
        vmhost("view", "a.vmt", folder=path)
        with browser.page(os.path.join(path, "a.html")) as page:
            for _ in range(len(values) + 1):
                page.keyboard.press("ArrowDown")
                text = page.evaluate("document.body.textContent.replace("
                                     "document.getElementById('data').textContent, '')")
                assert not any(sign in text for sign in "\u202e\u0085\u009b\u2028\x7f")
                assert page.evaluate("document.querySelectorAll('script, img, svg').length") == 2
            for text in ["</script>", "onerror", "__proto__"]:
                page.get_by_label("Search in all lines").fill(text)
                assert page.locator(".row").count() > 0, text


def test_shows_huge_values_a_part_at_a_time(browser):
    deep = "[" * 200 + "]" * 200
    members = json.dumps({f"k{index}": index for index in range(1_000_000)})
    long = json.dumps("x" * 10_000_000)
    with folder() as path:
        steps = "".join(f"> typed 1\n< {name} {value}\n" for name, value in
                        [("deep", deep), ("members", members), ("long", long)])
        write(os.path.join(path, "a.vmt"), "vmt 1\n@plugin gone.so\n@open a.b\n< x 0\n" + steps)
        vmhost("view", "a.vmt", folder=path)
        with browser.page(os.path.join(path, "a.html")) as page:
            for _ in range(3):
                page.keyboard.press("ArrowDown")
                assert page.evaluate("document.querySelectorAll('*').length") < 5000
            page.locator(".frame summary").filter(has_text='{"k0":0').first.click()
            members = page.locator(".frame dd").filter(has_text='{"k0":0')
            members.get_by_role("button", name="show more").click()
            assert "k100100" in members.inner_text()
            assert "of 10,000,002 characters" in page.locator(".frame").inner_text()


def test_opens_100000_steps(browser):
    with folder() as path:
        with open(os.path.join(path, "a.vmt"), "w", encoding="utf-8") as file:
            file.write("vmt 1\n@plugin gone.so\n@open a.b\n< count 0\n")
            for index in range(1, 100_000):
                file.write(f"> tick {index}\n< count {index}\n< label \"n {index}\"\n+ 10ms\n")
        vmhost("view", "a.vmt", folder=path)
        with browser.page(recorded(path)) as page:
            start = time.monotonic()
            page.goto(f"file://{path}/a.html")
            page.locator(".row").first.wait_for()
            opened = time.monotonic() - start
            page.keyboard.press("End")
            assert chosen(page) == "+ 10ms"
            assert states(page)["count"] == "99999"
            assert page.locator(".row").count() < 100
            frames = page.evaluate("""() => new Promise((done) => {
              const list = document.querySelector('.list'); const times = []; let last = 0;
              const next = (now) => {
                if (last) times.push(now - last);
                last = now; list.scrollTop -= 777;
                if (times.length < 120) requestAnimationFrame(next);
                else done(times.sort((a, b) => a - b));
              };
              requestAnimationFrame(next);
            })""")
            return (f"199,999 steps open in {opened:.2f} s; a frame of scrolling takes"
                    f" {frames[60]:.1f} ms, 95 of 100 at most {frames[114]:.1f} ms")


def test_fits_narrow_screens_and_paper(browser):
    with folder() as path, browser.page(recorded(path), size="narrow") as page:
        page.get_by_text("didSearch").first.click()
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
        page.emulate_media(media="print")
        assert not page.locator(".toolbar").is_visible()
        assert page.locator(".frame").is_visible()


def test_is_accessible(browser):
    with folder() as path:
        target = recorded(path)
        for size in SIZES:
            for scheme in SCHEMES:
                with browser.page(f"{target}#step=3", size=size, scheme=scheme) as page:
                    found = accessibility(page)
                    assert found == [], (size, scheme, found)
                    page.keyboard.press("?")
                    found = accessibility(page)
                    assert found == [], (size, scheme, "keys", found)
