// @ts-check
// The beginning: what the page's data are, and what shows them.

/** The lines of the page's data, without their ends. */
function dataLines() {
  const data = document.getElementById("data");
  const text = data ? data.textContent || "" : "";
  // The escape keeps the data from ending their element. JSON has no other use for it.
  return text.replace(/\\(u003c|[^])/g, (all, what) => (what === "u003c" ? "<" : all))
    .split("\n").filter((line) => line !== "");
}

/**
 * The sessions among lines, each of which begins with a `trace` line.
 * @param {string[]} lines
 */
function tracesOf(lines) {
  /** @type {Trace[]} */
  const traces = [];
  for (const line of lines) {
    if (line.startsWith("{\"kind\":\"trace\"")) traces.push(new Trace(JSON.parse(line)));
    else if (traces.length > 0) traces[traces.length - 1].add(line);
  }
  return traces;
}

// The address.

/** What the address says behind its `#`. */
function addressParts() {
  return new URLSearchParams(location.hash.slice(1));
}

// Browsers refuse an address that changes too often.
const ADDRESS_WINDOW = 10000;
const ADDRESS_CHANGES = 60;
const address = { timer: 0, begin: 0, changes: 0 };

/**
 * Says in the address what is shown.
 * @param {{[name: string]: string | number}} parts
 * @param {boolean} [isUrgent] whether what follows reads the address
 */
function setAddress(parts, isUrgent = false) {
  const entries = Object.entries(parts)
    .map(([name, value]) => /** @type {[string, string]} */ ([name, String(value)]));
  const hash = `#${new URLSearchParams(entries)}`;
  const write = () => {
    address.changes += 1;
    // Moving through a session is no history that one wants to go back through.
    if (hash !== location.hash) history.replaceState(null, "", hash);
  };
  const now = performance.now();
  if (now - address.begin > ADDRESS_WINDOW) Object.assign(address, { begin: now, changes: 0 });
  window.clearTimeout(address.timer);
  if (isUrgent || address.changes < ADDRESS_CHANGES) write();
  else address.timer = window.setTimeout(write, 500);
}

// What all pages have.

/** Changes between light and dark. */
function toggleTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  window.dispatchEvent(new Event("themechange"));
}

function showKeys() {
  const old = document.querySelector("dialog.keys");
  if (old) {
    old.remove();
    return;
  }
  /** @type {HTMLDialogElement} */
  const dialog = element("dialog", { class: "keys", "aria-label": "Keys" },
    element("h2", {}, "Keys"),
    element("dl", {}, ...KEYS.flatMap(([keys, meaning]) => [
      element("dt", {}, ...keys.split(" ").map((key) => element("kbd", {}, key))),
      element("dd", {}, meaning),
    ])),
    button("Close", () => dialog.close()));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.appendChild(dialog);
  dialog.showModal();
}

/** @param {string} verdict */
function verdictBadge(verdict) {
  const isGood = ["passed", "unverified", "skipped"].includes(verdict);
  return element("span", { class: `verdict ${isGood ? "good" : "bad"}` }, shortText(verdict, 40));
}

/**
 * What a session says of itself.
 * @param {Trace} trace
 */
function factsOf(trace) {
  const { session, end } = trace;
  const plugins = session && Array.isArray(session.plugins) ? session.plugins : [];
  return [
    ...plugins.map((/** @type {any} */ plugin) => `${plugin.id} ${plugin.version}`),
    session ? `${session.clock} clock` : "", session ? `sandbox: ${session.sandbox}` : "",
    session && session.missing ? `without ${session.missing.join(", ")}` : "",
    session ? `vmhost ${session.vmhost}` : "",
    trace.isPlayed ? "" : "not played: this is what the file says",
    end && end.status ? `status ${end.status}` : "",
    trace.unreadable > 0 ? `${countOf(trace.unreadable, "line")} could not be read` : "",
  ].filter((fact) => fact !== "").map((fact) => shortText(String(fact), 200));
}

/**
 * The top of a page.
 * @param {string} title
 * @param {Trace | null} trace the session that is shown, if it is one
 * @param {Child[]} controls
 */
function pageHeader(title, trace, controls) {
  return element("header", { class: "page" },
    element("h1", {}, shortText(title, 200), " ",
      trace && trace.verdict ? verdictBadge(trace.verdict) : null),
    element("div", { class: "controls" }, ...controls,
      button("◐", toggleTheme, { title: "Light or dark (t)", "aria-label": "Light or dark" }),
      button("?", showKeys, { title: "Keys (?)", "aria-label": "Keys" })),
    trace ? element("ul", { class: "facts", "aria-label": "Facts" },
      ...factsOf(trace).map((fact) => element("li", {}, fact))) : null,
    trace && trace.message ? element("p", { class: "stopped", tabindex: 0 },
      messageText(trace.message)) : null);
}

/**
 * Shows a session, with what the address says chosen.
 * @param {Element} app
 * @param {Trace} trace
 * @param {string} title
 * @param {Child[]} controls
 * @param {{[name: string]: string}} [place] what else the address says
 */
function showSession(app, trace, title, controls, place = {}) {
  const viewer = new Viewer(trace, {
    chosen: (step) => setAddress({ ...place, step: trace.numbers[step] }),
  });
  fill(app, pageHeader(title, trace, controls), element("main", {}, viewer.node));
  chooseStep(viewer);
  return viewer;
}

/**
 * Chooses the step in the address, or else the first one with a difference or a fault.
 * @param {Viewer} viewer
 */
function chooseStep(viewer) {
  const { numbers, problems } = viewer.trace;
  const wanted = numbers.indexOf(Number(addressParts().get("step") || NaN));
  viewer.select(wanted >= 0 ? wanted : problems.length > 0 ? problems[0] : 0);
}

/** @param {() => Viewer | null} viewer the one that is shown */
function listenToKeys(viewer) {
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    const isTyping = target instanceof HTMLElement && target.matches("input, textarea, select");
    if (event.key === "Escape" && isTyping) target.blur();
    const isModal = document.querySelector("dialog[open]") !== null;
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "?") showKeys();
    else if (isModal) return;
    else if (event.key === "t") toggleTheme();
    else {
      const shown = viewer();
      if (!shown || !shown.key(event)) return;
    }
    event.preventDefault();
  });
}

/**
 * Shows the sessions of a page.
 * @param {Element} app
 * @param {string} title
 * @param {Trace[]} traces
 * @param {(viewer: Viewer) => void} isShown
 */
function startSessions(app, title, traces, isShown) {
  /** @param {Trace} trace */
  const show = (trace) => {
    const names = traces.map((other, index) =>
      /** @type {[string, string]} */ ([String(index), shortText(other.source, 80)]));
    const chooser = choice("Session", names, (index) => show(traces[Number(index)]));
    chooser.value = String(traces.indexOf(trace));
    const isOne = traces.length === 1;
    isShown(showSession(app, trace, isOne ? title : trace.source, isOne ? [] : [chooser],
      isOne ? {} : { trace: trace.source }));
  };
  const wanted = () => traces.find((trace) => trace.source === addressParts().get("trace"));
  window.addEventListener("hashchange", () => show(wanted() || traces[0]));
  show(wanted() || traces[0]);
}

function start() {
  const app = document.getElementById("app");
  const [first, ...lines] = dataLines();
  if (!app || first === undefined) return;
  const page = JSON.parse(first);
  /** @type {Viewer | null} */
  let viewer = null;
  /** @param {Viewer | null} shown */
  const isShown = (shown) => { viewer = shown; };
  listenToKeys(() => viewer);
  const { startLive, startReport } = /** @type {any} */ (starters());
  if (page.type === "live") startLive(app, page.title, isShown);
  else if (page.type === "tests") startReport(app, lines, isShown);
  else {
    const traces = tracesOf(lines);
    if (traces.length > 0) startSessions(app, page.title, traces, isShown);
    else fill(app, element("p", { class: "empty" }, "There is no session on this page."));
  }
}

/** What starts the views that only some pages have. */
function starters() {
  return {
    // @ts-ignore: only a live page has it.
    startLive: typeof startLive === "undefined" ? null : startLive,
    // @ts-ignore: only a report has it.
    startReport: typeof startReport === "undefined" ? null : startReport,
  };
}

start();
