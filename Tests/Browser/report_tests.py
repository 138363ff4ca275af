"""Pages of `vmhost test --html`."""

import os

from browser import SCHEMES, SIZES, accessibility, example, folder, vmhost, write


def report(path, count=300):
    """The page of a run in which all of many transcripts differ in the same way."""
    with open(example("recorded-search.vmt"), encoding="utf-8") as file:
        text = file.read()
    os.mkdir(os.path.join(path, "t"))
    for index in range(count):
        write(os.path.join(path, "t", f"{index}.vmt"), text.replace('"fullScreen"', '"full"'))
    write(os.path.join(path, "t", "passes.vmt"), text)
    vmhost("test", "t", "--html", "report.html", "--port-coverage", folder=path, status=1)
    return os.path.join(path, "report.html")


def test_shows_one_difference_of_300_files_once(browser):
    with folder() as path, browser.page(report(path)) as page:
        assert page.locator(".group").count() == 1
        assert "the same in 299 more" in page.locator(".group").inner_text()
        assert page.locator(".group .removed").inner_text().endswith('< loading "full"')
        assert page.locator(".counts .verdict").all_inner_texts() == ["1 passed", "300 failed"]
        page.get_by_text("the same in 299 more").click()
        assert page.locator(".group .place").count() == 300


def test_opens_the_session_of_a_failure(browser):
    with folder() as path:
        target = report(path, 3)
        with browser.page(target) as page:
            page.locator(".group .place button").first.click()
            assert page.locator("h1").inner_text().startswith("t/0.vmt")
            assert "differs" in page.locator(".row[aria-selected=true]").inner_text()
            page.get_by_role("button", name="Report").click()
            assert page.locator("h1").inner_text() == "Test report"
        with browser.page(f"{target}#trace=t/1.vmt&step=5") as page:
            assert page.locator("h1").inner_text().startswith("t/1.vmt")
            assert page.locator(".row[aria-selected=true] code").inner_text().startswith("! 1")


def test_filters_transcripts_and_counts_ports(browser):
    with folder() as path, browser.page(report(path, 30)) as page:
        page.get_by_label("Search in transcripts").fill("t/1")
        assert page.locator(".report .matches").inner_text() == "11 transcripts"
        page.get_by_label("Verdicts").select_option("passed")
        assert page.locator(".report .matches").inner_text() == "0 transcripts"
        ports = page.locator(".ports tbody tr").filter(has_text="movies.list").inner_text()
        assert "input showQueriesSuggestions" in ports, ports
        assert page.locator(".slowest tr").count() == 10


def test_shows_merged_shards(browser):
    with folder() as path:
        report(path, 4)
        for shard in "12":
            vmhost("test", "t", "--shard", f"{shard}/2", "--html", f"{shard}.html", folder=path,
                   status=1)
        vmhost("merge-reports", "1.html", "2.html", "--html", "all.html", folder=path, status=1)
        with browser.page(os.path.join(path, "all.html")) as page:
            assert page.locator(".group").count() == 1
            assert "the same in 3 more" in page.locator(".group").inner_text()
            page.locator(".group .place button").first.click()
            assert page.locator(".row").count() == 11


def test_shows_hostile_paths_and_messages_as_text(browser):
    name = "<img src=x onerror=window.hacked=1>.vmt"
    with folder() as path:
        write(os.path.join(path, name), "vmt 1\n@opne </script><script>window.hacked=1</script>\n")
        vmhost("test", ".", "--html", "report.html", folder=path, status=2)
        with browser.page(os.path.join(path, "report.html")) as page:
            assert "onerror" in page.locator(".report").inner_text()
            assert page.locator("img").count() == 0


def test_report_is_accessible(browser):
    with folder() as path:
        target = report(path, 20)
        for size in SIZES:
            for scheme in SCHEMES:
                with browser.page(target, size=size, scheme=scheme) as page:
                    assert accessibility(page) == [], (size, scheme)
                    assert page.evaluate("document.scrollingElement.scrollWidth") <= max(
                        360, SIZES[size][0])
