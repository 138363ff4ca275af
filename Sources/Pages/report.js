// @ts-check
// The report of a run of tests: what differs, all results, and the sessions of the failures.

/**
 * @typedef {{
 *   path: string, verdict: string, duration: number, steps: number, line?: number,
 *   summary?: string, details?: string, skippedSteps?: number,
 * }} Result
 * @typedef {{
 *   summary: string, line: number, lines: DiffLine[], files: {path: string, line: number}[],
 * }} Group
 * @typedef {{kind: string, viewModel: string, name: string, touched: boolean}} CountedPort
 */

const GOOD = ["passed", "unverified", "skipped"];
const SHOWN_GROUPS = 50;
const SHOWN_FILES = 500;
const RESULT_HEIGHT = 30;

class Report {
  /**
   * @param {string[]} lines
   * @param {(path: string) => void} open shows a session
   */
  constructor(lines, open) {
    this.open = open;
    /** @type {Result[]} */
    this.results = [];
    /** @type {Map<string, Result>} */
    this.byPath = new Map();
    /** @type {Group[]} */
    this.groups = [];
    /** @type {any} */
    this.run = {};
    /** @type {any} */
    this.end = null;
    /** @type {CountedPort[]} */
    this.ports = [];
    /**
     * The lines of each session.
     * @type {Map<string, string[]>}
     */
    this.sessions = new Map();
    this.read(lines);
    this.shown = this.results;
  }

  /** @param {string[]} lines */
  read(lines) {
    /** @type {string[] | null} */
    let session = null;
    for (const line of lines) {
      if (line.startsWith("{\"kind\":\"trace\"")) {
        session = [line];
        this.sessions.set(JSON.parse(line).source, session);
      } else if (session) session.push(line);
      else this.take(JSON.parse(line));
    }
    // The failures come first.
    this.results.sort((one, other) => Number(isGood(one)) - Number(isGood(other))
      || (one.path < other.path ? -1 : 1));
    for (const result of this.results) this.byPath.set(result.path, result);
    this.groups.sort((one, other) => Number(this.isMild(one)) - Number(this.isMild(other))
      || other.files.length - one.files.length);
  }

  /** @param {any} line */
  take(line) {
    if (line.kind === "run") this.run = line;
    else if (line.kind === "result") this.results.push(line);
    else if (line.kind === "group") this.groups.push(line);
    else if (line.kind === "end") this.end = line;
    else if (line.kind === "coverage") this.ports = line.ports;
  }

  /**
   * Whether a group is no failure, but tells why transcripts were skipped.
   * @param {Group} group
   */
  isMild(group) {
    const result = group.files[0] && this.byPath.get(group.files[0].path);
    return result ? isGood(result) : false;
  }

  /**
   * The session of a transcript; null if the page hasn't it.
   * @param {string} path
   */
  trace(path) {
    const lines = this.sessions.get(path);
    return lines ? tracesOf(lines)[0] : null;
  }

  // The top.

  header() {
    const counts = this.counts();
    const total = this.results.length;
    const facts = [
      countOf(total, "transcript"),
      this.end ? durationText(this.end.duration) : "the run was not finished",
      this.run.shard ? `shard ${this.run.shard}` : "", `vmhost ${this.run.vmhost || ""}`,
      this.end && this.end.missing ? `without ${this.end.missing.join(", ")}` : "",
    ].filter((fact) => fact !== "");
    return element("header", { class: "page" },
      element("h1", {}, "Test report"),
      element("div", { class: "controls" },
        button("◐", toggleTheme, { title: "Light or dark (t)", "aria-label": "Light or dark" })),
      element("ul", { class: "facts", "aria-label": "Facts" },
        ...facts.map((fact) => element("li", {}, shortText(fact, 200)))),
      element("div", { class: "share", "aria-hidden": "true" },
        ...counts.map(([verdict, count]) => {
          const part = element("i", { class: GOOD.includes(verdict) ? verdict : "bad" });
          part.style.flexGrow = String(count);
          return part;
        })),
      element("p", { class: "counts" }, ...counts.map(([verdict, count]) =>
        element("span", { class: `verdict ${GOOD.includes(verdict) ? "good" : "bad"}` },
          `${count.toLocaleString("en")} ${shortText(verdict, 40)}`))));
  }

  /** How many transcripts there are of each verdict. */
  counts() {
    /** @type {Map<string, number>} */
    const counts = new Map(this.end ? Object.keys(this.end.counts).map((verdict) => [verdict, 0])
      : []);
    for (const { verdict } of this.results) counts.set(verdict, (counts.get(verdict) || 0) + 1);
    return [...counts].filter(([, count]) => count > 0);
  }

  node() {
    return element("main", { class: "report" }, this.groupList(), this.resultList(),
      element("div", { class: "columns" }, this.slowest(), this.flaky()), this.coverage());
  }

  // What differs.

  groupList() {
    const failures = this.groups.filter((group) => !this.isMild(group));
    const mild = this.groups.filter((group) => this.isMild(group));
    return element("div", {},
      failures.length === 0 ? null : this.groupSection("What failed", "difference", failures),
      mild.length === 0 ? null : this.groupSection("What was skipped", "reason", mild));
  }

  /**
   * @param {string} title
   * @param {string} noun
   * @param {Group[]} groups
   */
  groupSection(title, noun, groups) {
    const section = element("section", {}, element("h2", {}, title, " ",
      element("span", { class: "quiet" }, countOf(groups.length, noun))));
    /** @param {number} from */
    const show = (from) => {
      const end = from + SHOWN_GROUPS;
      append(section, ...groups.slice(from, end).map((group) => this.group(group)));
      if (groups.length <= end) return;
      const more = button(`Show more of ${(groups.length - end).toLocaleString("en")}`, () => {
        more.remove();
        show(end);
      }, { class: "link" });
      append(section, more);
    };
    show(0);
    return section;
  }

  /** @param {Group} group */
  group(group) {
    const [first, ...others] = group.files;
    const more = folding({}, element("summary", {},
      `the same in ${others.length.toLocaleString("en")} more`), () => [
      ...others.slice(0, SHOWN_FILES).map((file) => this.place(file)),
      others.length > SHOWN_FILES ? element("p", { class: "quiet" },
        `… and ${countOf(others.length - SHOWN_FILES, "more file")}`) : null,
    ]);
    return element("article", { class: this.isMild(group) ? "group" : "group failed" },
      element("p", { class: "summary" }, messageText(group.summary)),
      diffTable(group.lines || []),
      element("div", { class: "places" }, first ? this.place(first) : null,
        others.length > 0 ? more : null));
  }

  /** @param {{path: string, line?: number}} file */
  place({ path, line }) {
    const text = shortText(line ? `${path}:${line}` : path, 300);
    return element("div", { class: "place" },
      this.sessions.has(path) ? button(text, () => this.open(path), { class: "link" }) : text);
  }

  // All results.

  resultList() {
    const list = new VirtualList({
      label: "Transcripts", rowHeight: RESULT_HEIGHT, id: "result",
      row: (index) => this.row(this.shown[index]),
      select: (index) => {
        list.setSelected(index);
        fill(about, this.about(this.shown[index]));
      },
      open: (index) => {
        if (this.sessions.has(this.shown[index].path)) this.open(this.shown[index].path);
      },
    });
    const about = element("div", { class: "about", "aria-live": "polite" });
    const matches = element("span", { class: "matches", role: "status" });
    let verdict = "";
    const filter = () => {
      const query = search.value.toLowerCase();
      this.shown = this.results.filter((result) => (verdict === "" || result.verdict === verdict)
        && `${result.path} ${result.summary || ""}`.toLowerCase().includes(query));
      fill(matches, countOf(this.shown.length, "transcript"));
      fill(about);
      list.setSelected(-1);
      list.setCount(this.shown.length);
    };
    const search = element("input", {
      type: "search", placeholder: "Search (/)", "aria-label": "Search in transcripts",
      autocomplete: "off", spellcheck: "false", input: filter,
    });
    this.search = search;
    const verdicts = choice("Verdicts", [["", "all verdicts"], ...this.counts().map(
      ([name]) => /** @type {[string, string]} */ ([name, shortText(name, 40)]))], (name) => {
      verdict = name;
      filter();
    });
    filter();
    const rows = Math.max(2, Math.min(this.results.length, 12));
    list.node.style.height = `${rows * RESULT_HEIGHT + 2}px`;
    return element("section", {}, element("h2", {}, "Transcripts"),
      element("div", { class: "toolbar" }, search, verdicts, matches), list.node, about);
  }

  /** @param {Result} result */
  row(result) {
    return element("div", {}, verdictBadge(result.verdict),
      element("code", {}, shortText(placeText(result), 300), result.summary
        ? element("span", { class: "quiet" }, "  ", shortText(result.summary, 300)) : null),
      element("span", { class: "duration" }, durationText(result.duration)));
  }

  /**
   * What is known of a result.
   * @param {Result} result
   */
  about(result) {
    const { path, summary, details, steps, skippedSteps } = result;
    return element("article", {},
      element("h3", {}, shortText(placeText(result), 400)),
      element("p", { class: "quiet" }, [
        result.verdict, countOf(steps, "step"), durationText(result.duration),
        skippedSteps ? `${skippedSteps} of them skipped` : "",
      ].filter((text) => text !== "").map((text) => shortText(text)).join(" · ")),
      summary ? element("p", {}, messageText(summary)) : null,
      details ? element("pre", {}, messageText(details)) : null,
      this.sessions.has(path) ? button("Open the session", () => this.open(path),
        { class: "primary" }) : null);
  }

  // Tables.

  slowest() {
    const slowest = [...this.results].sort((one, other) => other.duration - one.duration)
      .slice(0, 10).filter((result) => result.duration > 0);
    if (slowest.length < 2) return null;
    return element("section", {}, element("h2", {}, "Slowest"),
      element("table", { class: "slowest" }, element("tbody", {}, ...slowest.map((result) =>
        element("tr", {}, element("th", { scope: "row" }, shortText(result.path, 200)),
          element("td", {}, durationText(result.duration)),
          element("td", { class: "bar" }, meter(result.duration, slowest[0].duration,
            "compared with the slowest")))))));
  }

  /** Transcripts of which two plays differed. */
  flaky() {
    const flaky = this.results.filter((result) => result.verdict === "nondeterministic");
    if (flaky.length === 0) return null;
    return element("section", {}, element("h2", {}, "Not deterministic"),
      ...flaky.slice(0, SHOWN_FILES).map((result) => element("article", { class: "group failed" },
        this.place(result), element("p", { class: "summary" }, messageText(result.summary)),
        result.details ? element("pre", {}, messageText(result.details)) : null)));
  }

  coverage() {
    if (this.ports.length === 0) return null;
    /** @type {Map<string, CountedPort[]>} */
    const viewModels = new Map();
    for (const port of this.ports) {
      const list = viewModels.get(port.viewModel);
      if (list) list.push(port);
      else viewModels.set(port.viewModel, [port]);
    }
    const touched = this.ports.filter((port) => port.touched).length;
    return element("section", {}, element("h2", {}, "Ports ", element("span", { class: "quiet" },
      `${touched.toLocaleString("en")} of ${this.ports.length.toLocaleString("en")} are touched`)),
    element("table", { class: "ports" },
      element("thead", {}, element("tr", {}, ...["view model", "touched", "", "not touched"].map(
        (name) => (name === "" ? element("td") : element("th", { scope: "col" }, name))))),
      element("tbody", {}, ...[...viewModels].map(([name, ports]) => portRow(name, ports)))));
  }
}

/** @param {Result} result */
function isGood(result) {
  return GOOD.includes(result.verdict);
}

/** @param {number} seconds of real time, of which no two plays take the same */
function durationText(seconds) {
  return timeText(Math.ceil(seconds * 1000) / 1000);
}

/** @param {Result} result */
function placeText({ path, line }) {
  return line ? `${path}:${line}` : path;
}

/**
 * @param {number} value
 * @param {number} max
 * @param {string} label
 */
function meter(value, max, label) {
  return element("progress", { value, max: max || 1, "aria-label": label });
}

/**
 * @param {string} name
 * @param {CountedPort[]} ports
 */
function portRow(name, ports) {
  const touched = ports.filter((port) => port.touched).length;
  const others = ports.filter((port) => !port.touched);
  return element("tr", {}, element("th", { scope: "row" }, shortText(name, 200)),
    element("td", {}, `${touched} of ${ports.length}`),
    element("td", { class: "bar" }, meter(touched, ports.length, "touched ports")),
    element("td", { class: "untouched" },
      others.map((port) => `${port.kind} ${shortText(port.name, 200)}`).join(", ")));
}

/**
 * Shows a report, and the session that is chosen in it.
 * @param {Element} app
 * @param {string[]} lines
 * @param {(viewer: Viewer | null) => void} isShown
 */
function startReport(app, lines, isShown) {
  let position = 0;
  let shownPath = "";
  /** @param {string} path */
  const open = (path) => {
    position = window.scrollY;
    // The way back in the browser leads to the report.
    history.pushState(null, "", `#${new URLSearchParams([["trace", path]])}`);
    show();
  };
  const report = new Report(lines, open);
  const header = report.header();
  const node = report.node();
  const close = () => {
    setAddress({}, true);
    show();
  };
  const show = () => {
    const path = addressParts().get("trace") || "";
    const trace = report.trace(path);
    if (trace) {
      const back = button("← Report", close);
      isShown(showSession(app, trace, path, [back], { trace: path }));
      window.scrollTo(0, 0);
    } else {
      isShown(null);
      fill(app, header, node);
      window.scrollTo(0, position);
    }
    shownPath = trace ? path : "";
  };
  window.addEventListener("popstate", () => {
    if ((addressParts().get("trace") || "") !== shownPath) show();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || shownPath !== "" || !report.search) return;
    if (event.target instanceof HTMLElement && event.target.matches("input, select")) return;
    event.preventDefault();
    report.search.focus();
  });
  show();
}
