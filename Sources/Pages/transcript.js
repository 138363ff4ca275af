// @ts-check
// Lines of a session as a transcript has them.

/**
 * A line of a transcript: its sigil, what follows, and its value. Lines that a transcript doesn't
 * have, such as logs, have the sigil `#`.
 * @typedef {{sigil: string, head: string, value: RawValue | null}} Line
 */

/** @type {[string, number][]} */
const UNITS = [["h", 3600e9], ["m", 60e9], ["s", 1e9], ["ms", 1e6], ["us", 1e3], ["ns", 1]];

/**
 * A time in the largest unit that keeps it whole.
 * @param {number} seconds
 */
function spanText(seconds) {
  const nanoseconds = Math.max(0, Math.round(seconds * 1e9));
  if (nanoseconds === 0) return "0s";
  const [name, length] = UNITS.find(([, unit]) => nanoseconds % unit === 0) || UNITS[5];
  return `${nanoseconds / length}${name}`;
}

/**
 * The handle before a name, which may be left out while only one instance is open.
 * @param {Trace} trace
 * @param {Entry} entry
 */
function handleText(trace, entry) {
  if (entry.instance === undefined) return "";
  for (let lane = 0; lane < trace.handles.length; lane += 1) {
    if (trace.handles[lane] !== entry.instance && trace.lifeAt(lane, entry.index)) {
      return `${entry.instance}.`;
    }
  }
  return "";
}

/**
 * When an event came while time passed; nothing for the end of that time.
 * @param {Trace} trace
 * @param {Entry} entry
 */
function offsetText(trace, entry) {
  const step = trace.stepOf(entry.index);
  if (trace.actions[step] !== "advance") return "";
  const begin = trace.times[trace.starts[step]];
  const next = trace.starts[step + 1];
  const end = next === undefined ? trace.duration : trace.times[next];
  return entry.t === end ? "" : `@${spanText(entry.t - begin)} `;
}

/**
 * @param {string} viewModel
 * @param {string | undefined} instance
 */
function openText(viewModel, instance) {
  return viewModel.split(".").pop() === instance ? viewModel : `${viewModel} as ${instance}`;
}

/**
 * A step, or an event that it led to, as a line of a transcript.
 * @param {Trace} trace
 * @param {Entry} entry
 * @returns {Line}
 */
function lineOf(trace, entry) {
  const isStep = entry.kind === "step";
  const value = rawValueOf(entry.raw);
  const name = entry.name || "";
  const place = () => offsetText(trace, entry) + handleText(trace, entry);
  switch (isStep ? entry.action : entry.kind) {
    case "input": return { sigil: ">", head: handleText(trace, entry) + name, value };
    case "reply": return { sigil: "!", head: `${handleText(trace, entry)}${entry.id}`, value };
    case "error":
      return { sigil: "!", head: `${handleText(trace, entry)}${entry.id} error`, value };
    case "open": {
      const head = openText(name || entry.viewModel || "", entry.instance);
      return isStep ? { sigil: "@open", head, value }
        : { sigil: "#", head: `opened ${head}`, value: null };
    }
    case "close": {
      const head = entry.instance || "";
      return isStep ? { sigil: "@close", head, value: null }
        : { sigil: "#", head: `closed ${head}`, value: null };
    }
    case "advance": return { sigil: "+", head: name, value: null };
    case "timers": {
      const index = trace.stepOf(entry.index);
      const before = index > 0 ? trace.times[trace.endOf(index - 1) - 1] : 0;
      return { sigil: "+", head: spanText(entry.t - before), value: null };
    }
    case "begin": return { sigil: "#", head: "the beginning", value: null };
    case "output": return { sigil: "<", head: place() + name, value };
    case "request": return { sigil: "?", head: `${place()}${entry.id} ${entry.effect}`, value };
    case "cancel": return { sigil: "x", head: `${place()}${entry.id}`, value: null };
    case "frame":
      return { sigil: "#", head: `states of ${entry.instance}`, value: statesOf(entry.raw) };
    case "reload": return { sigil: "#", head: `loaded ${entry.plugin} anew`, value: null };
    default: return { sigil: "#", head: entry.message || entry.kind, value: null };
  }
}

/**
 * A line as text.
 * @param {Line} line
 */
function textOf({ sigil, head, value }) {
  return `${sigil} ${head}${value ? ` ${rawText(value)}` : ""}`;
}

/**
 * Steps as lines of a transcript, with what they led to.
 * @param {Trace} trace
 * @param {number} from
 * @param {number} to the last of the steps
 */
function transcriptText(trace, from, to) {
  const known = [OUTPUT, REQUEST, CANCEL];
  /** @type {string[]} */
  const lines = [];
  for (let step = from; step <= to; step += 1) {
    const start = trace.starts[step];
    const entry = trace.entry(start);
    const before = step > 0 ? trace.times[trace.endOf(step - 1) - 1] : 0;
    const isLater = entry.t > before && step > from && trace.actions[step - 1] !== "advance";
    // While the clock is live, time passes without a step of its own.
    if (isLater && entry.action !== "timers") lines.push(`+ ${spanText(entry.t - before)}`);
    if (entry.action !== "begin") lines.push(textOf(lineOf(trace, entry)));
    for (let index = start + 1; index < trace.endOf(step); index += 1) {
      if (known.includes(trace.kinds[index])) {
        lines.push(textOf(lineOf(trace, trace.entry(index))));
      }
    }
  }
  return `${lines.join("\n")}\n`;
}
