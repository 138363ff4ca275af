// @ts-check
// A session: its timeline, its steps, what happened in one, and the states after it.

const KEYS = [
  ["↑ ↓ PgUp PgDn Home End", "choose a step"],
  ["[ ]", "the step before or after with a difference, a fault or a log"],
  ["/", "search in all lines"],
  ["n N", "the next or previous match"],
  ["+ - 0", "look closer at the timeline, show more, show all"],
  ["c", "copy the step as lines of a transcript"],
  ["t", "light or dark"],
  ["?", "these keys"],
];

// What a filter lets through: steps that led to lines of these kinds.
/** @type {[value: string, text: string, kinds: number][]} */
const FILTERS = [
  ["", "all steps", 0], ["input", "inputs", 0], ["output", "with outputs", 1 << OUTPUT],
  ["request", "with requests", 1 << REQUEST | 1 << CANCEL], ["log", "with logs", 1 << LOG],
  ["fault", "with faults", 1 << FAULT],
  ["difference", "with differences", 1 << DIFFERENCE | 1 << SKIPPED],
];
const NOTABLE = 1 << DIFFERENCE | 1 << SKIPPED | 1 << FAULT | 1 << LOG;
const SEARCHED_AT_ONCE = 20000;
// How long a search may keep the page from answering, in milliseconds.
const SEARCH_SLICE = 12;

class Viewer {
  /**
   * @param {Trace} trace
   * @param {{title?: string, chosen?: (step: number) => void}} [options] `chosen` is called for
   *   each step that one chooses
   */
  constructor(trace, options = {}) {
    this.trace = trace;
    this.options = options;
    this.selected = -1;
    // The listed steps.
    /** @type {number[]} */
    this.shown = [];
    this.query = "";
    this.searching = 0;
    this.filter = FILTERS[0];
    // The only lane of which one wants to see steps; -1 for all.
    this.lane = -1;
    /** Whether it follows a live session to each new step. */
    this.follows = false;
    this.timeline = new Timeline(trace, (step) => this.select(step));
    this.list = new VirtualList({
      label: "Steps", rowHeight: 28, id: "step",
      row: (index) => this.row(this.shown[index]),
      select: (index) => this.select(this.shown[index]),
    });
    this.list.node.addEventListener("scroll", () => this.highlight());
    this.detail = new StepView(trace, {
      select: (step) => this.select(step), copy: () => this.copy(this.selected),
    });
    this.states = new StatesView(trace, (step) => this.select(step));
    this.node = element("div", { class: "viewer" }, this.timeline.node, this.toolbar(),
      element("div", { class: "panes" },
        element("section", { class: "steps", "aria-label": "Steps" }, this.list.node),
        this.detail.node, this.states.node));
    window.addEventListener("beforeprint", () => {
      this.printed = this.list.printed();
      this.list.node.after(this.printed);
    });
    window.addEventListener("afterprint", () => this.printed && this.printed.remove());
    this.applyFilters();
  }

  toolbar() {
    this.search = element("input", {
      type: "search", placeholder: "Search (/)", "aria-label": "Search in all lines",
      autocomplete: "off", spellcheck: "false", input: () => this.startSearch(),
      keydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter") return;
        this.jump(event.shiftKey ? -1 : 1, () => true);
        event.preventDefault();
      },
    });
    this.counted = element("span", { class: "matches", role: "status" });
    this.handleChoice = choice("Instances", [], (lane) => {
      this.lane = Number(lane);
      this.timeline.setLane(this.lane);
      this.applyFilters();
    });
    this.fillHandles();
    return element("div", { class: "toolbar", role: "search" }, this.search,
      choice("Kinds of steps", FILTERS.map(([value, text]) => [value, text]), (value) => {
        this.filter = FILTERS.find(([name]) => name === value) || FILTERS[0];
        this.applyFilters();
      }),
      this.handleChoice, this.counted,
      button("Copy up to here", () => this.copy(0),
        { title: "Copy the session up to the chosen step as a transcript" }));
  }

  fillHandles() {
    const { handles } = this.trace;
    const select = this.handleChoice;
    if (!select || select.options.length === handles.length + 1) return;
    fill(select, element("option", { value: -1 }, "all instances"),
      ...handles.map((handle, lane) => element("option", { value: lane }, shortText(handle, 60))));
    select.value = String(this.lane);
    select.hidden = handles.length < 2;
  }

  // Filters and search.

  /** Lists the steps that fit the filters and the search. */
  applyFilters() {
    const { trace } = this;
    this.shown = [];
    if (this.query === "") {
      for (let step = 0; step < trace.count; step += 1) {
        if (this.fits(step)) this.shown.push(step);
      }
      this.showList(true);
    } else this.searchFrom(0);
  }

  startSearch() {
    window.clearTimeout(this.searching);
    this.query = this.search ? this.search.value.toLowerCase() : "";
    const { length } = this.trace.raws;
    // A long session is searched when one has finished typing.
    const delay = length > SEARCHED_AT_ONCE && this.query !== "" ? 150 : 0;
    if (delay === 0) this.applyFilters();
    else this.searching = window.setTimeout(() => this.applyFilters(), delay);
  }

  /**
   * Searches for a short while, and goes on later.
   * @param {number} first the first step to search
   */
  searchFrom(first) {
    window.clearTimeout(this.searching);
    const { trace } = this;
    const has = finder(trace, this.query);
    const isLong = trace.raws.length > SEARCHED_AT_ONCE;
    const begin = performance.now();
    let step = first;
    for (; step < trace.count; step += 1) {
      if (isLong && step % 64 === 63 && performance.now() - begin > SEARCH_SLICE) break;
      if (!this.fits(step)) continue;
      const end = trace.endOf(step);
      let index = trace.starts[step];
      while (index < end && !has(index)) index += 1;
      if (index < end) this.shown.push(step);
    }
    const isDone = step >= trace.count;
    if (!isDone) this.searching = window.setTimeout(() => this.searchFrom(step), 0);
    this.showList(isDone);
  }

  /** @param {boolean} isWhole whether all steps have been searched */
  showList(isWhole) {
    const { shown, trace } = this;
    const isFiltered = !isWhole || shown.length < trace.count;
    if (this.counted) {
      fill(this.counted, isFiltered ? `${shown.length.toLocaleString("en")} of ` : "",
        countOf(trace.count, "step"), isWhole ? "" : " …");
    }
    this.list.setCount(shown.length);
    this.list.setSelected(this.positionOf(this.selected));
    this.highlight();
  }

  /**
   * Whether the filters let a step through.
   * @param {number} step
   */
  fits(step) {
    const { trace, lane } = this;
    const [name, , kinds] = this.filter;
    if (name === "input" && trace.actions[step] !== "input") return false;
    if (kinds !== 0 && (trace.masks[step] & kinds) === 0) return false;
    if (lane < 0) return true;
    for (let index = trace.starts[step]; index < trace.endOf(step); index += 1) {
      if (trace.lanes[index] === lane) return true;
    }
    return false;
  }

  /**
   * The position of a step in the list; -1 if it isn't listed.
   * @param {number} step
   */
  positionOf(step) {
    return includes(this.shown, step) ? lastUpTo(this.shown, step) : -1;
  }

  /** Marks the text that is searched for where it is in sight. */
  highlight() {
    highlightText(this.query, [this.list.node, this.detail.body]);
  }

  // The list.

  /** @param {number} step */
  row(step) {
    const { trace } = this;
    const entry = trace.step(step);
    const mask = trace.masks[step];
    const outputs = trace.countIn(step, OUTPUT);
    const hasProblem = (mask & (1 << DIFFERENCE | 1 << SKIPPED | 1 << FAULT)) !== 0;
    /** @type {(text: string, kind: string, title: string) => HTMLElement} */
    const badge = (text, kind, title) =>
      element("span", { class: `badge ${kind}`, title }, text, spoken(`, ${title}`));
    return element("div",
      { class: hasProblem ? "flawed" : null },
      element("span", { class: "time" }, timeText(entry.t)),
      lineNode(lineOf(trace, entry), entry.action || entry.kind, 90),
      mask & 1 << DIFFERENCE ? badge("differs", "bad", "something else than expected") : null,
      mask & 1 << SKIPPED ? badge("skipped", "bad", "the step could not be played") : null,
      mask & 1 << FAULT ? badge("fault", "bad", "the view model failed") : null,
      mask & 1 << LOG ? badge("log", "", "with logs") : null,
      mask & 1 << CANCEL
        ? badge("cancel", "", countOf(trace.countIn(step, CANCEL), "cancelled request")) : null,
      mask & 1 << REQUEST
        ? badge(`? ${trace.countIn(step, REQUEST)}`, "asks",
          countOf(trace.countIn(step, REQUEST), "request")) : null,
      element("span", { class: "outputs", title: countOf(outputs, "output") },
        outputs > 0 ? `< ${outputs}` : ""));
  }

  /**
   * Chooses a step. One that a filter hides is listed again.
   * @param {number} step
   */
  select(step) {
    const { trace } = this;
    if (!Number.isInteger(step) || step < 0 || step >= trace.count) return;
    this.selected = step;
    this.follows = step === trace.count - 1;
    this.timeline.setSelected(step);
    this.list.setSelected(this.positionOf(step));
    this.detail.show(step);
    this.states.show(step);
    this.highlight();
    if (this.options.chosen) this.options.chosen(step);
  }

  /** Shows lines that were added to the trace. */
  update() {
    this.fillHandles();
    this.applyFilters();
    if (this.trace.duration > 0 && this.timeline.axis.hidden) this.timeline.setUsesTime(true);
    else this.timeline.ask();
    const last = this.trace.count - 1;
    if (last >= 0) this.select(this.follows || this.selected < 0 ? last : this.selected);
  }

  /**
   * Copies the steps up to the chosen one.
   * @param {number} first
   */
  async copy(first) {
    const text = transcriptText(this.trace, first, this.selected);
    const steps = countOf(this.selected - first + 1, "step");
    announce(await copyText(text) ? `Copied ${steps}.`
      : "The browser doesn't let this page copy.");
  }

  /**
   * Goes to the next listed step that fits.
   * @param {1 | -1} by
   * @param {(step: number) => boolean} fits
   */
  jump(by, fits) {
    const at = lastUpTo(this.shown, this.selected);
    let next = by > 0 ? at + 1 : this.positionOf(this.selected) < 0 ? at : at - 1;
    while (next >= 0 && next < this.shown.length && !fits(this.shown[next])) next += by;
    if (next >= 0 && next < this.shown.length) this.select(this.shown[next]);
    else announce(by > 0 ? "There is none after this step." : "There is none before this step.");
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} whether the key means something
   */
  key(event) {
    /** @param {number} step */
    const isNotable = (step) => (this.trace.masks[step] & NOTABLE) !== 0;
    /** @type {{[key: string]: () => void}} */
    const actions = {
      "/": () => {
        if (!this.search) return;
        this.search.focus();
        this.search.select();
      },
      "c": () => this.copy(this.selected), "n": () => this.jump(1, () => true),
      "N": () => this.jump(-1, () => true), "]": () => this.jump(1, isNotable),
      "[": () => this.jump(-1, isNotable),
      "+": () => this.timeline.zoom(0.5), "=": () => this.timeline.zoom(0.5),
      "-": () => this.timeline.zoom(2), "0": () => this.timeline.showAll(),
    };
    if (!Object.hasOwn(actions, event.key)) {
      if (event.target === document.body) this.list.key(event);
      return event.defaultPrevented;
    }
    actions[event.key]();
    return true;
  }
}

/**
 * Tells whether a line has a text, in its raw form or as a line of a transcript.
 * @param {Trace} trace
 * @param {string} query in lower case
 * @returns {(index: number) => boolean}
 */
function finder(trace, query) {
  /** @param {string} text */
  const pattern = (text) => new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "i");
  const raw = pattern(query);
  // A line of a transcript has its words in another order. The longest one tells whether to look.
  const words = query.replace(/^[<>?!x+@#] ?/, "").split(/[\s.:,]+/)
    .sort((first, second) => second.length - first.length);
  const word = words[0] && words[0] !== query ? pattern(words[0]) : null;
  return (index) => {
    const line = trace.raws[index];
    if (raw.test(line)) return true;
    if (!word || !word.test(line) || line.length > 100000) return false;
    return textOf(lineOf(trace, trace.entry(index))).toLowerCase().includes(query);
  };
}

/**
 * Marks all occurrences of a text in elements, if the browser can do so without changing them.
 * @param {string} query in lower case
 * @param {Element[]} roots
 */
function highlightText(query, roots) {
  const { Highlight } = /** @type {any} */ (window);
  const registry = /** @type {any} */ (CSS).highlights;
  if (!Highlight || !registry) return;
  registry.delete("search");
  if (query === "") return;
  const ranges = [];
  for (const root of roots) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && ranges.length < 1000; node = walker.nextNode()) {
      const text = (node.textContent || "").toLowerCase();
      for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) {
        // Some letters are longer in lower case.
        const { length } = node.textContent || "";
        const range = document.createRange();
        range.setStart(node, Math.min(at, length));
        range.setEnd(node, Math.min(at + query.length, length));
        ranges.push(range);
      }
    }
  }
  registry.set("search", new Highlight(...ranges));
}
