#!/usr/bin/env python3
"""A terminal front end for movies.so, which it knows by the JSON Lines of vmhost alone.

Enter searches, Down goes into the list (from an empty field: to recent queries), Enter opens a
film, Escape goes back or cancels, Ctrl-C ends it. Other options go to vmhost run: --record FILE
"""

import argparse, codecs, collections, json, os, re, select, shutil, signal  # noqa: E401
import subprocess, sys, tempfile, termios, textwrap, time, tty, unicodedata  # noqa: E401

EXAMPLES = os.path.relpath(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PLACES = f"{os.environ.get('PATH', '')}:{EXAMPLES}/../.build/release:{EXAMPLES}/../.build/debug"
ESCAPE, ENTER, BACKSPACE, UP, DOWN = "\x1b", "\r", "\x7f", "\x1b[A", "\x1b[B"
BOLD, REVERSE, SPINNER = "\x1b[1m", "\x1b[7m", "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
FIELD, FIRST = 1, 2  # the row that is typed into, and the first one below it


def spaced(text):
    """A text with a character for each column: NUL before wide ones, and no control characters."""
    text = re.sub(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]", "\ufffd", text)
    return "".join("\0" * (unicodedata.east_asian_width(sign) in "WF") + sign for sign in text)


class FrontEnd:
    def __init__(self):
        self.said = collections.defaultdict(str)  # the last value of each "instance.output"
        self.view, self.field, self.outgoing, self.shown = "list", "", b"", None
        self.row, self.sent, self.answered = {"list": FIELD}, 0, 0

    def send(self, instance, **line):
        self.sent += 1
        line |= {"instance": instance, "seq": self.sent}
        self.outgoing += json.dumps(line).encode() + b"\n"
        self.said["list.error"] = ""  # which has been read

    def receive(self, kind, instance="", name="", value=None, seq=0, code="", message="", **_):
        """Keeps what a line says. The view is what was opened last, until that is closed."""
        if kind == "output":
            self.said[f"{instance}.{name}"] = value
        elif kind == "open":
            self.view, self.row[instance] = instance, FIELD if instance == "list" else FIRST
            if instance == "suggestions":
                self.send("suggestions", name="viewWillAppear")
        elif kind == "close":
            self.view = "list"
        elif kind in ("done", "refused"):
            self.answered = seq
            if code not in ("", "closed"):  # which comes of pressing a key twice
                self.said["list.error"] = message

    def press(self, key):
        """Tells the view models what a key means; they ignore what makes no sense now."""
        view, row, items = self.view, self.row[self.view], self.said[self.view + ".items"]
        if key == ESCAPE and view == "list":
            self.send("list", name="didCancelSearch")
        elif key == ESCAPE:
            self.send(view, kind="close")
        elif key == DOWN and (view, row, self.field) == ("list", FIELD, ""):
            self.send("list", name="showQueriesSuggestions")
        elif key in (UP, DOWN):
            row, last = row + (1 if key == DOWN else -1), len(self.rows()) - 1
            self.row[view] = max(FIELD if view == "list" else FIRST, min(row, last))
            if view == "list" and row >= last:
                self.send("list", name="didLoadNextPage")
        elif key == ENTER and view == "list":
            name = "didSearch" if row == FIELD else "didSelectItem"
            self.send("list", name=name, value=self.field if row == FIELD else row - FIRST)
        elif key == ENTER and view == "suggestions" and items:
            self.send("suggestions", name="didSelect", value=items[row - FIRST])
            self.field, self.row["list"] = items[row - FIRST]["query"], FIELD
        elif view != "details" and (key.isprintable() or key == BACKSPACE):
            if view == "suggestions":
                self.send("suggestions", kind="close")
            self.row["list"] = FIELD
            self.field = self.field[:-1] if key == BACKSPACE else self.field + key

    def is_loading(self):
        return self.said["list.loading"] not in ("", "none")

    def rows(self):
        """All texts of the view. Those before FIRST stay while the others scroll."""
        said, columns = self.said, os.get_terminal_size().columns
        if self.view == "details":
            date = said["list.showMovieDetails"]["releaseDate"] or ""
            overview = textwrap.wrap(spaced(said["details.overview"]), max(columns - 1, 1))
            return [said["details.title"], date, *(row.replace("\0", "") for row in overview)]
        labels = said["list.labels"] or collections.defaultdict(str)
        empty = said["list.isEmpty"] and labels["emptyDataTitle"]
        error = said["list.error"] and f"{labels['errorTitle']}: {said['list.error']}"
        spinner = self.is_loading() and SPINNER[int(time.time() * 10) % 10]
        label = labels["searchBarPlaceholder"] + ": "
        end = spaced(self.field)[len(label) + 1 - columns :].replace("\0", "")
        items = said[self.view + ".items"]
        texts = [item.get("query") or f"{item['title']}  {item['releaseDate']}" for item in items]
        return [f"{labels['screenTitle']}  {spinner or error or empty or ''}", label + end, *texts]

    def draw(self):
        (columns, lines), rows, row = os.get_terminal_size(), self.rows(), self.row[self.view]
        top, frame = max(row + 1 - lines, 0), ""
        styles = {row - top: "" if self.view == "details" else REVERSE, 0: BOLD}
        rows = rows[:FIRST] + rows[FIRST + top :] + [""] * lines
        for number, text in enumerate(rows[:lines]):
            text = styles.get(number, "") + spaced(text)[:columns].replace("\0", "")
            frame += f"\x1b[{number + 1}H\x1b[2K{text}\x1b[m"
        if (columns, frame) != self.shown:
            print(frame, end="", flush=True)
            self.shown = (columns, frame)


def converse(front, vmhost):
    """Passes on keys and lines until the user has enough (false) or vmhost ends (true)."""
    decoder, unread = codecs.getincrementaldecoder("utf-8")("replace"), b""
    signal.signal(signal.SIGWINCH, lambda *_: front.draw())
    while True:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGWINCH})  # a drawing isn't interrupted
        if front.answered == front.sent:  # otherwise more is to come
            front.draw()
        tick = 0.1 if front.is_loading() else None  # for the spinner
        writers = [vmhost.stdin] if front.outgoing else []
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGWINCH})
        readers, writers, _ = select.select([sys.stdin, vmhost.stdout], writers, [], tick)
        if writers:  # that have room for this much, so that it doesn't block
            front.outgoing = front.outgoing[vmhost.stdin.write(front.outgoing[: select.PIPE_BUF]) :]
        for source in readers:
            data = os.read(source.fileno(), 65536)
            if not data or (source is sys.stdin and {3, 4} & set(data)):  # Ctrl-C, Ctrl-D
                return source is not sys.stdin
            if source is sys.stdin:
                for key in re.findall(r"\x1b\[[0-?]*[@-~]|.", decoder.decode(data), re.DOTALL):
                    front.press(key)
                continue
            *lines, unread = (unread + data).split(b"\n")
            for line in lines:
                front.receive(**json.loads(line))


def main():
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--vmhost", default="vmhost")
    parser.add_argument("--plugin", default="movies.so")
    options, others = parser.parse_known_args()
    if not (program := shutil.which(options.vmhost, path=PLACES)):
        parser.error(f"there is no {options.vmhost}; build it, or say where it is: --vmhost PATH")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        parser.error("it needs a terminal; in a pipe, vmhost run itself takes and gives lines")
    command = [program, "run", options.plugin, "--flow", f"{EXAMPLES}/flows/movies.json", *others]
    pipe, log, settings = subprocess.PIPE, tempfile.TemporaryFile(), termios.tcgetattr(0)
    vmhost = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=log, bufsize=0)
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        tty.setraw(0, termios.TCSANOW)
        print("\x1b[?1049h\x1b[?25l", end="", flush=True)
        has_ended = converse(FrontEnd(), vmhost)
    except BrokenPipeError:
        has_ended = True
    finally:
        print("\x1b[?25h\x1b[?1049l", end="", flush=True)
        termios.tcsetattr(0, termios.TCSADRAIN, settings)
        vmhost.communicate()
    if has_ended or vmhost.returncode != 0:
        sys.exit(os.pread(log.fileno(), 9999, 0).decode().strip() or f"{program} has ended")


main()
