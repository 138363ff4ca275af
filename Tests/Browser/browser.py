"""A real browser, and pages that the built vmhost makes."""

import contextlib
import os
import shutil
import subprocess
import tempfile

from axe_core_python.sync_playwright import Axe

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
VMHOST = os.path.realpath(os.environ.get("VMHOST", os.path.join(ROOT, ".build/debug/vmhost")))
BUILD = os.path.dirname(VMHOST)

SIZES = {"wide": (1280, 800), "narrow": (360, 740)}
SCHEMES = ("light", "dark")


def vmhost(*arguments, folder, status=0):
    """Runs vmhost, expects its status, and gives its standard output."""
    run = subprocess.run(
        [VMHOST, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, timeout=300, env={"PATH": "/usr/bin:/bin", "VMHOST_PLUGIN_PATH": BUILD})
    assert run.returncode == status, f"{arguments}: {run.returncode}: {run.stderr}"
    return run.stdout


@contextlib.contextmanager
def folder():
    """A folder for one test."""
    path = tempfile.mkdtemp(prefix="vmhost-pages-")
    try:
        yield path
    finally:
        shutil.rmtree(path)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def example(name):
    return os.path.join(ROOT, "Examples", name)


class Browser:
    """Opens pages, and fails a test whose page complains or asks others."""

    def __init__(self, chromium):
        self.chromium = chromium

    @contextlib.contextmanager
    def page(self, address, *, size="wide", scheme="light", offline=True, complaints=()):
        """A page at an address, which is a file's path or an address on loopback.

        `complaints` are parts of messages that the browser may log.
        """
        width, height = SIZES[size]
        context = self.chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme,
            permissions=["clipboard-read", "clipboard-write"], accept_downloads=True)
        address = address if "://" in address else f"file://{address}"
        own = "file:" if address.startswith("file:") else address.split("/#")[0]
        problems = []

        def note(text):
            if not any(part in text for part in complaints):
                problems.append(text)

        try:
            page = context.new_page()
            page.set_default_timeout(20_000)
            if address.startswith("file:") and offline:
                context.set_offline(True)
            page.on("console", lambda message: note(f"console: {message.text}")
                    if message.type in ("error", "warning") else None)
            page.on("pageerror", lambda error: note(f"error: {error}"))
            page.on("dialog", lambda dialog: (note(f"dialog: {dialog.message}"), dialog.dismiss()))
            page.on("request", lambda request: None if request.url.startswith((own, "blob:"))
                    else note(f"request: {request.url}"))
            page.goto(address)
            yield page
            assert page.evaluate("window.hacked") is None, "a value was run as code"
            assert problems == [], problems
        finally:
            context.close()


def accessibility(page):
    """What axe finds wrong with a page."""
    found = Axe().run(page)
    return [f"{rule['id']}: {node['target']} {node.get('failureSummary', '')}"
            for rule in found["violations"] for node in rule["nodes"]]
