"""Runs the tests of the pages, all or those that are named."""

import os
import sys
import time
import traceback

from playwright.sync_api import sync_playwright

import answer_tests
import browser
import form_tests
import live_tests
import pictures
import report_tests
import session_tests


def tests():
    for module in (session_tests, report_tests, live_tests, form_tests, answer_tests):
        for name, test in list(vars(module).items()):
            if name.startswith("test_"):
                yield name[5:].replace("_", " "), test


def main(arguments):
    wanted = [argument for argument in arguments if not argument.startswith("--")]
    passed = failed = 0
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path="/usr/bin/chromium",
            # Chromium has no sandbox for root.
            args=["--disable-gpu", *(["--no-sandbox"] if os.getuid() == 0 else [])])
        for name, test in tests():
            if wanted and not any(part in name for part in wanted):
                continue
            start = time.monotonic()
            try:
                note = test(browser.Browser(chromium))
                passed += 1
                print(f"ok      {name} ({time.monotonic() - start:.1f} s)"
                      + (f": {note}" if note else ""), flush=True)
            except Exception:
                failed += 1
                print(f"FAILED  {name}\n{traceback.format_exc()}", flush=True)
        if "--pictures" in arguments:
            pictures.draw(browser.Browser(chromium))
        chromium.close()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or passed == 0 else 0


sys.exit(main(sys.argv[1:]))
