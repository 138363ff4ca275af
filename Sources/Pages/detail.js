// @ts-check
// What happened in a step, and the states after it.

const SHOWN_EVENTS = 200;
const SHOWN_TEXT = 10000;
// Shorter values stand on the line that they belong to.
const INLINE_VALUE = 70;

/**
 * A line of a transcript, with its value if there is room for it.
 * @param {Line} line
 * @param {string} kind the action or the kind of event, which gives it its color
 * @param {number} limit how much of the value is shown
 */
function lineNode({ sigil, head, value }, kind, limit) {
  return element("code", { class: `line ${kind}` },
    element("span", { class: "sigil" }, sigil), " ", shortText(head, 300),
    value && limit > 0 ? " " : null, value && limit > 0 ? inlineValue(value, limit) : null);
}

/**
 * A message that may be long or have many lines.
 * @param {string | undefined} text
 */
function messageText(text) {
  const whole = String(text || "");
  const node = element("span", { class: "text" }, visible(whole.slice(0, SHOWN_TEXT)));
  if (whole.length > SHOWN_TEXT) {
    const more = button("show all", () => {
      fill(node, visible(whole));
      more.remove();
    }, { class: "link" });
    append(node, " … ", more);
  }
  return node;
}

/** The chosen step: its line and all that it led to. */
class StepView {
  /**
   * @param {Trace} trace
   * @param {{select: (step: number) => void, copy: () => void}} actions
   */
  constructor(trace, actions) {
    this.trace = trace;
    this.actions = actions;
    this.title = element("h2", {}, "Step");
    this.facts = element("span", { class: "quiet" });
    this.body = element("div", { class: "pane-body" },
      element("p", { class: "empty" }, "There are no steps."));
    this.node = element("section", { class: "detail", "aria-label": "Step", tabindex: 0 },
      element("header", {}, this.title, this.facts, element("span", { class: "tools" },
        button("‹", () => actions.select(this.step - 1), { "aria-label": "The step before" }),
        button("›", () => actions.select(this.step + 1), { "aria-label": "The next step" }),
        button("Copy", actions.copy, { title: "Copy the step as lines of a transcript (c)" }))),
      this.body);
    this.step = -1;
  }

  /** @param {number} step */
  show(step) {
    const { trace } = this;
    const isNew = step !== this.step;
    this.step = step;
    const entry = trace.step(step);
    const start = trace.starts[step];
    fill(this.title, entry.action === "begin" ? "Beginning" : `Step ${trace.numbers[step]}`);
    fill(this.facts, [timeText(entry.t), entry.line ? `line ${entry.line}` : ""]
      .filter((text) => text !== "").join(" · "));
    /** @type {number[]} */
    const problems = [];
    /** @type {number[]} */
    const events = [];
    for (let index = start + 1; index < trace.endOf(step); index += 1) {
      const kind = trace.kinds[index];
      if (kind === DIFFERENCE || kind === SKIPPED) problems.push(index);
      else if (kind !== FRAME) events.push(index);
    }
    fill(this.body, element("div", { class: "cause" }, this.event(entry)),
      ...problems.slice(0, SHOWN_EVENTS).map((index) => this.event(trace.entry(index))));
    if (events.length > 0) {
      const count = countOf(events.length, "line");
      append(this.body, element("h3", { class: "led-to" },
        trace.isPlayed ? `Led to ${count}` : `Expected: ${count}`));
      this.showEvents(events, 0);
    } else if (problems.length === 0) {
      append(this.body, element("p", { class: "empty" }, "Nothing came of it."));
    }
    if (isNew) this.node.scrollTop = 0;
  }

  /**
   * @param {number[]} events
   * @param {number} from
   */
  showEvents(events, from) {
    const end = Math.min(events.length, from + SHOWN_EVENTS);
    append(this.body, ...events.slice(from, end).map((index) =>
      this.event(this.trace.entry(index))));
    if (end === events.length) return;
    const more = button(`Show more of ${countOf(events.length - end, "line")}`, () => {
      more.remove();
      this.showEvents(events, end);
    }, { class: "link" });
    append(this.body, more);
  }

  /**
   * A step's line, or one that it led to, with its value.
   * @param {Entry} entry
   */
  event(entry) {
    switch (entry.kind) {
      case "difference": return differenceNode(entry);
      case "log": case "fault": case "skipped": case "refused": return noteNode(entry);
      default: break;
    }
    const { trace } = this;
    const line = lineOf(trace, entry);
    const call = trace.callOf.get(entry.index);
    const kind = entry.kind === "step" ? entry.action || "" : entry.kind;
    if (call) {
      return element("div", { class: "event" },
        lineNode(line, kind, 0), this.answered(call, entry));
    }
    const lane = trace.lanes[entry.index];
    const name = entry.name || "";
    const isOutput = entry.kind === "output" && lane >= 0;
    const badge = isOutput && trace.isSignal(lane, name, entry.index)
      ? element("span", { class: "badge" }, "signal") : null;
    const before = isOutput && !badge ? trace.valueBefore(lane, name, entry.index) : null;
    return lineWithValue(line, kind, badge, before);
  }

  /**
   * A request and its answer.
   * @param {Call} call
   * @param {Entry} shown the one that the step is about
   */
  answered(call, shown) {
    const { trace } = this;
    const request = trace.entry(call.start);
    const answer = call.end >= 0 ? trace.entry(call.end) : null;
    const isHTTP = call.effect === "http";
    const asked = rawValueOf(request.raw);
    const node = element("div", { class: "exchange" },
      element("div", { class: "half" },
        element("h3", {}, `Request ${request.id} ${shortText(call.effect, 60)}`,
          this.place(request, shown)),
        asked ? (isHTTP ? exchange(asked) : valueTree(asked)) : null));
    append(node, element("div", { class: "half" }, ...this.answer(answer, request, shown, isHTTP)));
    return node;
  }

  /**
   * @param {Entry | null} answer
   * @param {Entry} request
   * @param {Entry} shown
   * @param {boolean} isHTTP
   * @returns {Child[]}
   */
  answer(answer, request, shown, isHTTP) {
    if (!answer) return [element("h3", {}, "No answer yet")];
    const duration = `after ${timeText(Math.max(0, answer.t - request.t))}`;
    const place = this.place(answer, shown);
    if (answer.kind === "cancel") return [element("h3", {}, `Cancelled ${duration}`, place)];
    const value = rawValueOf(answer.raw);
    const isError = answer.action === "error";
    return [
      element("h3", {}, isError ? "Error " : "Reply ",
        element("span", { class: "quiet" }, duration), place),
      !value ? null : isHTTP && !isError ? exchange(value) : valueTree(value),
    ];
  }

  /**
   * A way to the step of the other half of an exchange.
   * @param {Entry} entry
   * @param {Entry} shown
   */
  place(entry, shown) {
    const step = this.trace.stepOf(entry.index);
    if (step === this.trace.stepOf(shown.index)) return null;
    return button(`step ${this.trace.numbers[step]}`, () => this.actions.select(step),
      { class: "link" });
  }
}

/**
 * @param {Line} line
 * @param {string} kind
 * @param {HTMLElement | null} badge
 * @param {RawValue | null} before
 */
function lineWithValue(line, kind, badge, before) {
  const { value } = line;
  if (!value || rawLength(value) <= INLINE_VALUE) {
    return element("div", { class: "event" }, lineNode(line, kind, INLINE_VALUE), badge);
  }
  return folding({ class: "event folds" },
    element("summary", {}, lineNode(line, kind, 100), badge),
    () => [valueTree(value, { before })], rawLength(value) < SMALL_VALUE);
}

/**
 * A log, a fault, a refused line, or the reason why a step was skipped.
 * @param {Entry} entry
 */
function noteNode(entry) {
  const isBad = entry.kind === "fault" || entry.level === "error";
  const label = entry.kind === "log" ? entry.level || "log" : entry.kind;
  const source = [entry.instance || entry.plugin, entry.input].filter(Boolean).join(" ");
  return element("div", { class: `event note ${isBad ? "bad" : entry.level || entry.kind}` },
    element("span", { class: "badge" }, shortText(String(label), 30)),
    source ? element("span", { class: "quiet" }, shortText(source), " ") : null,
    messageText(entry.message));
}

/**
 * What was expected and what was found.
 * @param {Entry} entry
 */
function differenceNode(entry) {
  return element("div", { class: "event difference" },
    element("p", {}, element("span", { class: "badge bad" }, "difference"), " ",
      messageText(entry.message)),
    diffTable(entry.lines || []));
}

/**
 * The lines of a difference, old and new side by side.
 * @param {DiffLine[]} lines
 */
function diffTable(lines) {
  if (lines.length === 0) return null;
  const body = element("tbody");
  /** @type {string[]} */
  let expected = [];
  /** @type {string[]} */
  let found = [];
  const flush = () => {
    for (let index = 0; index < Math.max(expected.length, found.length); index += 1) {
      append(body, element("tr", {}, diffCell(expected[index], "−", "removed"),
        diffCell(found[index], "+", "added")));
    }
    expected = [];
    found = [];
  };
  for (const { side, text } of lines) {
    if (side === "expected") expected.push(text);
    else if (side === "found") found.push(text);
    else {
      flush();
      append(body, side === "both"
        ? element("tr", { class: "both" }, diffCell(text, "", ""), diffCell(text, "", ""))
        : element("tr", {}, element("td", { colspan: 2, class: "remark" }, visible(text))));
    }
  }
  flush();
  return element("table", { class: "diff" },
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "− expected"),
      element("th", { scope: "col" }, "+ found"))), body);
}

/**
 * @param {string | undefined} text
 * @param {string} sign
 * @param {string} kind
 */
function diffCell(text, sign, kind) {
  if (text === undefined) return element("td", { class: "none" });
  return element("td", { class: kind || null },
    element("span", { class: "sign" }, sign, kind ? spoken(` ${kind}: `) : null), visible(text));
}

/**
 * A request or a reply of http: its address or status, its headers and its body.
 * @param {RawValue} value
 */
function exchange(value) {
  /** @type {Map<string | null, RawValue>} */
  const members = new Map();
  for (const { key, value: member } of rawKind(value) === "object" ? rawMembers(value) : []) {
    members.set(key, member);
    if (members.size > SHOWN_MEMBERS) return valueTree(value);
  }
  const [method, url, status, headers, body] = ["method", "url", "status", "headers", "body"]
    .map((name) => {
      const member = members.get(name) || null;
      members.delete(name);
      return member;
    });
  if (!url && !status) return valueTree(value);
  return element("div", { class: "http" },
    url ? element("p", { class: "url" },
      method ? element("b", {}, shortText(plainText(method), 40), " ") : null,
      shortText(plainText(url), 2000)) : null,
    status ? element("p", {}, statusBadge(plainText(status))) : null,
    headers ? headerTable(headers) : null,
    ...[...members].map(([key, member]) => valueTree(member, { key })),
    body ? element("div", { class: "body" }, valueTree(body, { key: "body" })) : null);
}

/** @param {string} status */
function statusBadge(status) {
  const kind = /^2\d\d$/.test(status) ? "good" : /^[45]\d\d$/.test(status) ? "bad" : "";
  return element("span", { class: `badge ${kind}` }, shortText(status, 20));
}

/** @param {RawValue} headers */
function headerTable(headers) {
  if (rawKind(headers) !== "object") return valueTree(headers, { key: "headers" });
  const body = element("tbody");
  for (const { key, value } of rawMembers(headers)) {
    append(body, element("tr", {},
      element("th", { scope: "row", title: shortText(key || "") }, shortText(key || "")),
      element("td", {}, shortText(plainText(value), 2000))));
    if (body.childElementCount >= 200) break;
  }
  return body.childElementCount === 0 ? null
    : element("table", { class: "headers", "aria-label": "Headers" }, body);
}

/** The states of all instances after the chosen step. */
class StatesView {
  /**
   * @param {Trace} trace
   * @param {(step: number) => void} select
   */
  constructor(trace, select) {
    this.trace = trace;
    this.select = select;
    this.body = element("div", { class: "pane-body" });
    this.title = element("h2", {}, "States");
    this.facts = element("span", { class: "quiet" });
    this.node = element("section", {
      class: "frame", "aria-label": "States after the step", tabindex: 0,
    }, element("header", {}, this.title, this.facts), this.body);
  }

  /** @param {number} step */
  show(step) {
    const { trace } = this;
    const lives = trace.livesAt(step);
    fill(this.title, trace.viewModels.size > 0 ? "States" : "Last values");
    fill(this.facts, trace.actions[step] === "begin" ? "at the beginning"
      : `after step ${trace.numbers[step]}`);
    const top = this.node.scrollTop;
    fill(this.body, lives.length === 0
      ? element("p", { class: "empty" }, "No instance is open.") : null,
    ...lives.slice(0, MAX_LANES).map((life) => this.instance(life, step)),
    lives.length > MAX_LANES ? element("p", { class: "empty" },
      `… and ${countOf(lives.length - MAX_LANES, "more instance")}`) : null);
    this.node.scrollTop = top;
  }

  /**
   * @param {Life} life
   * @param {number} step
   */
  instance(life, step) {
    const { trace } = this;
    const states = trace.statesAt(life, step);
    const handle = trace.handles[life.lane];
    return element("article", { "aria-label": shortText(handle) },
      element("h3", {}, shortText(handle), element("span", { class: "quiet" }, " ",
        life.viewModel === handle ? "" : shortText(life.viewModel))),
      states.length === 0 ? element("p", { class: "empty" }, "It has no states yet.")
        : element("dl", {}, ...states.map((state) => stateRow(state))),
      ...trace.waitingAt(life, step).slice(0, MAX_LANES).map((call) => {
        const asked = trace.stepOf(call.start);
        return element("p", { class: "waiting" }, "waits for ",
          element("code", {}, `${call.id} ${shortText(call.effect)}`), " since ",
          button(`step ${trace.numbers[asked]}`, () => this.select(asked), { class: "link" }));
      }));
  }
}

/** @param {StateValue} state */
function stateRow({ name, value, before, isChanged }) {
  return element("div", { class: isChanged ? "state new" : "state" },
    element("dt", { class: isChanged ? "changed" : null }, shortText(name),
      isChanged ? spoken(before ? " (changed)" : " (new)") : null),
    element("dd", {},
      valueTree(value, { before, isOpen: isChanged || rawLength(value) < 600 })));
}
