// @ts-check
// A session as its lines tell it. A line is read when it is shown; until then there is an index.

/**
 * What a line says before its value, and the line itself.
 * @typedef {{
 *   kind: string, t: number, raw: string, index: number, instance?: string, name?: string,
 *   effect?: string, id?: number, action?: string, step?: number, line?: number, column?: number,
 *   level?: string, message?: string, input?: string, plugin?: string, viewModel?: string,
 *   status?: number, lines?: DiffLine[],
 * }} Entry
 * @typedef {{side?: string | null, text: string}} DiffLine
 * @typedef {{lane: number, id: number, effect: string, start: number, end: number}} Call
 *   `start` and `end` are the indices of lines; `end` is -1 while there is no answer
 * @typedef {{handle: string, lane: number, viewModel: string, from: number,
 *   to: number}} Life
 *   an instance between two lines
 * @typedef {{name: string, schema?: any, takes?: string}} Port
 * @typedef {{
 *   id: string, plugin: string, inputs: Port[], states: Port[], signals: Port[],
 *   requests: Port[], config?: any, defaultConfig?: any,
 * }} ViewModel
 * @typedef {{name: string, value: RawValue, before: RawValue | null, isChanged: boolean,
 *   step: number}} StateValue
 *   `before` is the value before the step, if it has changed; `step` is the one that last set it
 */

const KINDS = [
  "step", "output", "request", "cancel", "log", "fault", "open", "close", "difference", "skipped",
  "frame", "refused", "reload",
];
const [STEP, OUTPUT, REQUEST, CANCEL, LOG, FAULT, OPEN, CLOSE, DIFFERENCE, SKIPPED, FRAME,
  REFUSED, RELOAD] = KINDS.keys();
const KIND_NUMBERS = new Map(KINDS.map((kind, number) => [kind, number]));

// The members before the value, in the order in which vmhost writes them. Other lines are parsed.
const HEAD = new RegExp(
  "^\\{\"kind\":\"([a-zA-Z]+)\",\"t\":([-+.\\deE]+)(?:,\"step\":(\\d+))?(?:,\"line\":\\d+)?"
  + "(?:,\"action\":\"([a-z]+)\")?(?:,\"instance\":\"([^\"\\\\]*)\")?"
  + "(?:,\"name\":\"([^\"\\\\]*)\")?(?:,\"id\":(\\d+))?(?:,\"effect\":\"([^\"\\\\]*)\")?"
  + "(?=\\}$|,\"value\":)");
const WITH_VALUE = /^\{"kind":"(?:step|output|request)"/;

/**
 * The members of a line before its value, which may be long.
 * @param {string} raw
 */
function headOf(raw) {
  const at = WITH_VALUE.test(raw) ? raw.indexOf(",\"value\":") : -1;
  return JSON.parse(at < 0 ? raw : raw.slice(0, at) + "}");
}

/**
 * @param {any} ports
 * @returns {Port[]}
 */
function portsOf(ports) {
  return Array.isArray(ports)
    ? ports.map((port) => (typeof port === "string" ? { name: port } : port)) : [];
}

class Trace {
  /** @param {any} head the `trace` line */
  constructor(head) {
    this.source = String(head.source || "");
    this.isPlayed = head.played !== false;
    this.verdict = String(head.verdict || "");
    this.message = String(head.message || "");
    /** @type {any} */
    this.session = null;
    /** @type {any} */
    this.end = null;
    /** @type {Map<string, ViewModel>} */
    this.viewModels = new Map();

    // The lines of steps and events: for each its kind, time and lane, -1 for none.
    /** @type {string[]} */
    this.raws = [];
    /** @type {number[]} */
    this.kinds = [];
    /** @type {number[]} */
    this.times = [];
    /** @type {number[]} */
    this.lanes = [];

    // The steps: for each the index of its line, its number and its action.
    /** @type {number[]} */
    this.starts = [];
    /** @type {number[]} */
    this.numbers = [];
    /** @type {string[]} */
    this.actions = [];
    // The kinds of the lines that each step led to, as bits.
    /** @type {number[]} */
    this.masks = [];
    // The steps with a difference or a fault.
    /** @type {number[]} */
    this.problems = [];

    // The handles of instances, in the order in which they came.
    /** @type {string[]} */
    this.handles = [];
    /** @type {Map<string, number>} */
    this.laneOf = new Map();
    // The lives of each lane's instances.
    /** @type {Life[][]} */
    this.lives = [];
    // The indices of lines that set a state, by lane and name.
    /** @type {Map<string, number[]>[]} */
    this.changes = [];
    // The requests of each lane.
    /** @type {Call[][]} */
    this.calls = [];
    // The call that a line begins or ends.
    /** @type {Map<number, Call>} */
    this.callOf = new Map();
    /** @type {Map<string, Call>} */
    this.openCalls = new Map();
    /** How much of the session's time has passed. */
    this.duration = 0;
    /** How many lines could not be read. */
    this.unreadable = 0;
  }

  /**
   * The step with a number; -1 if there is none.
   * @param {number} number
   */
  indexOf(number) { return this.numbers.indexOf(number); }

  /** How many steps there are. */
  get count() { return this.starts.length; }

  // Adding lines.

  /**
   * Adds a line.
   * @param {string} raw the line without its end
   */
  add(raw) {
    const match = HEAD.exec(raw);
    try {
      if (match && KIND_NUMBERS.has(match[1])) {
        this.addLine(raw, match[1], finite(match[2]), Number(match[3] || 0), match[4] || "",
          match[5], match[6] || "", Number(match[7] || 0), match[8] || "");
      } else this.addOther(raw, headOf(raw));
    } catch (error) {
      // The last line of a killed run may be torn.
      this.unreadable += 1;
    }
  }

  /**
   * @param {string} raw
   * @param {any} head
   */
  addOther(raw, head) {
    switch (head.kind) {
      case "session":
        this.session = head;
        return;
      case "viewModel":
        this.viewModels.set(String(head.id), {
          ...head, inputs: portsOf(head.inputs), states: portsOf(head.states),
          signals: portsOf(head.signals), requests: portsOf(head.requests),
        });
        return;
      case "end":
        this.end = head;
        this.duration = Math.max(this.duration, finite(head.t));
        if (head.message && this.message === "") this.message = String(head.message);
        return;
      default:
        if (!KIND_NUMBERS.has(head.kind)) return;
        this.addLine(raw, head.kind, finite(head.t), Number(head.step) || 0,
          head.action || "", head.instance, String(head.name || head.viewModel || ""),
          Number(head.id) || 0, head.effect || "");
    }
  }

  /**
   * @param {string} raw
   * @param {string} kind
   * @param {number} t
   * @param {number} number
   * @param {string} action
   * @param {string | undefined} instance
   * @param {string} name
   * @param {number} id
   * @param {string} effect
   */
  addLine(raw, kind, t, number, action, instance, name, id, effect) {
    const code = KIND_NUMBERS.get(kind) || 0;
    const beginsStep = code === STEP;
    if (!beginsStep && this.count === 0) {
      // What comes before the first step belongs to the beginning.
      this.add("{\"kind\":\"step\",\"t\":0,\"step\":0,\"action\":\"begin\"}");
    }
    const index = this.raws.length;
    const lane = instance === undefined ? -1 : this.lane(instance);
    this.raws.push(raw);
    this.kinds.push(code);
    this.times.push(t);
    this.lanes.push(lane);
    if (t > this.duration) this.duration = t;
    if (beginsStep) {
      this.starts.push(index);
      this.numbers.push(number);
      this.actions.push(ACTIONS.get(action) || "");
      this.masks.push(0);
    } else this.masks[this.count - 1] |= 1 << code;
    if (lane >= 0) this.note(index, code, action, lane, name, id, effect, raw);
    if (code === DIFFERENCE || code === FAULT || code === SKIPPED) {
      const step = this.count - 1;
      if (this.problems[this.problems.length - 1] !== step) this.problems.push(step);
    }
  }

  /**
   * Notes what a line changes.
   * @param {number} index
   * @param {number} code
   * @param {string} action
   * @param {number} lane
   * @param {string} name
   * @param {number} id
   * @param {string} effect
   * @param {string} raw
   */
  note(index, code, action, lane, name, id, effect, raw) {
    const isOpening = code === OPEN || (code === STEP && action === "open");
    const isClosing = code === CLOSE || (code === STEP && action === "close");
    if (isOpening) this.open(lane, name, index);
    else if (isClosing) this.close(lane, index);
    else if (code === OUTPUT) this.change(lane, name, index);
    else if (code === REQUEST) {
      const call = { lane, id, effect, start: index, end: -1 };
      this.calls[lane].push(call);
      this.callOf.set(index, call);
      this.openCalls.set(`${lane}.${id}`, call);
    } else if (code === CANCEL || action === "reply" || action === "error") {
      this.endCall(`${lane}.${id}`, index);
    } else if (code === FRAME) {
      for (const { key } of rawMembers(statesOf(raw))) {
        if (key !== null) this.change(lane, key, index);
      }
    }
  }

  /** @param {string} handle */
  lane(handle) {
    let lane = this.laneOf.get(handle);
    if (lane === undefined) {
      lane = this.handles.length;
      this.handles.push(handle);
      this.laneOf.set(handle, lane);
      this.lives.push([]);
      this.calls.push([]);
      this.changes.push(new Map());
    }
    return lane;
  }

  /**
   * @param {number} lane
   * @param {string} viewModel
   * @param {number} index
   */
  open(lane, viewModel, index) {
    const lives = this.lives[lane];
    const last = lives[lives.length - 1];
    if (last && last.to === Infinity) {
      // A step and the event that it leads to may both say so.
      if (last.viewModel === viewModel && last.from >= this.starts[this.count - 1]) return;
      last.to = index;
    }
    lives.push({ handle: this.handles[lane], lane, viewModel, from: index, to: Infinity });
  }

  /**
   * @param {number} lane
   * @param {number} index
   */
  close(lane, index) {
    const lives = this.lives[lane];
    const last = lives[lives.length - 1];
    if (last && last.to === Infinity) last.to = index;
  }

  /**
   * @param {string} key
   * @param {number} index
   */
  endCall(key, index) {
    const call = this.openCalls.get(key);
    if (!call) return;
    call.end = index;
    this.callOf.set(index, call);
    this.openCalls.delete(key);
  }

  /**
   * @param {number} lane
   * @param {string} name
   * @param {number} index
   */
  change(lane, name, index) {
    const lives = this.lives[lane];
    // The lines of a session that was opened by the command line don't say so.
    if (lives.length === 0) this.open(lane, "", this.starts[this.count - 1]);
    const list = this.changes[lane].get(name);
    if (list) list.push(index);
    else this.changes[lane].set(name, [index]);
  }

  // What one looks at.

  /**
   * The line with an index, read.
   * @param {number} index
   * @returns {Entry}
   */
  entry(index) {
    const raw = this.raws[index];
    return { ...headOf(raw), raw, index };
  }

  /**
   * The line of a step.
   * @param {number} step
   */
  step(step) {
    return this.entry(this.starts[step]);
  }

  /**
   * The index behind the last line of a step.
   * @param {number} step
   */
  endOf(step) {
    return step + 1 < this.count ? this.starts[step + 1] : this.raws.length;
  }

  /**
   * The step that a line belongs to.
   * @param {number} index
   */
  stepOf(index) {
    return lastUpTo(this.starts, index);
  }

  /**
   * How many lines of a kind a step led to.
   * @param {number} step
   * @param {number} code
   */
  countIn(step, code) {
    let count = 0;
    for (let index = this.starts[step] + 1; index < this.endOf(step); index += 1) {
      if (this.kinds[index] === code) count += 1;
    }
    return count;
  }

  /**
   * The life of an instance at a line; null if it isn't open.
   * @param {number} lane
   * @param {number} index
   */
  lifeAt(lane, index) {
    const lives = this.lives[lane] || [];
    let low = 0;
    let high = lives.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lives[middle].from <= index) low = middle + 1;
      else high = middle;
    }
    const life = lives[low - 1];
    return life && index < life.to ? life : null;
  }

  /**
   * The instances that are open after a step.
   * @param {number} step
   */
  livesAt(step) {
    const last = this.endOf(step) - 1;
    return this.lives.map((_, lane) => this.lifeAt(lane, last)).filter(isPresent);
  }

  /**
   * The states of an instance after a step, in the order of its view model.
   * @param {Life} life
   * @param {number} step
   * @returns {StateValue[]}
   */
  statesAt(life, step) {
    const known = this.changes[life.lane];
    const viewModel = this.viewModels.get(life.viewModel);
    const names = viewModel ? viewModel.states.map((port) => port.name) : [...known.keys()];
    /** @type {StateValue[]} */
    const states = [];
    for (const name of names) {
      const list = known.get(name) || [];
      const at = list[lastUpTo(list, this.endOf(step) - 1)];
      if (at === undefined || at < life.from) continue;
      const value = this.valueAt(at, name);
      if (value === null) continue;
      const old = list[lastUpTo(list, this.starts[step] - 1)];
      const before = old === undefined || old < life.from ? null : this.valueAt(old, name);
      const isChanged = at >= this.starts[step] && !isSame(before, value);
      states.push({
        name, value, before: isChanged ? before : null, isChanged, step: this.stepOf(at),
      });
    }
    return states;
  }

  /**
   * The value that a line gives to a state.
   * @param {number} index
   * @param {string} name
   */
  valueAt(index, name) {
    const raw = this.raws[index];
    return this.kinds[index] === FRAME ? rawMember(statesOf(raw), name) : rawValueOf(raw);
  }

  /**
   * The value of a state before a line; null if there is none.
   * @param {number} lane
   * @param {string} name
   * @param {number} index
   */
  valueBefore(lane, name, index) {
    const life = this.lifeAt(lane, index);
    const list = this.changes[lane].get(name) || [];
    const old = list[lastUpTo(list, index - 1)];
    return !life || old === undefined || old < life.from ? null : this.valueAt(old, name);
  }

  /**
   * Whether an output is a signal, whose value isn't kept.
   * @param {number} lane
   * @param {string} name
   * @param {number} index
   */
  isSignal(lane, name, index) {
    const life = this.lifeAt(lane, index);
    const viewModel = life && this.viewModels.get(life.viewModel);
    return viewModel ? viewModel.signals.some((port) => port.name === name) : false;
  }

  /**
   * The requests of an instance that wait for an answer after a step.
   * @param {Life} life
   * @param {number} step
   */
  waitingAt(life, step) {
    const last = this.endOf(step) - 1;
    return this.calls[life.lane].filter((call) => call.start >= life.from
      && call.start <= last && (call.end < 0 || call.end > last));
  }
}

const ACTIONS = new Map(["begin", "input", "reply", "error", "open", "close", "advance", "timers"]
  .map((action) => [action, action]));

/** @param {any} t a time, if it is one */
function finite(t) {
  const number = Number(t);
  return Number.isFinite(number) ? number : 0;
}

/**
 * @template T
 * @param {T | null} value
 * @returns {value is T}
 */
function isPresent(value) {
  return value !== null;
}
