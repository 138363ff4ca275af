// @ts-check
// A session that goes on: what it says comes as lines, and what one does goes there as lines.

/** The connection to the server, which sends each line once and in order. */
class Connection {
  /** @param {{line: (raw: string) => void, state: (text: string, isOpen: boolean) => void}} to */
  constructor(to) {
    this.to = to;
    this.secret = Connection.secret();
    /** The numbers of the latest line, and of the one that comes. */
    this.last = "";
    this.next = "";
    this.event = "";
    this.isEnded = false;
    /** @type {{line: string, failed: (message: string) => void}[]} */
    this.queue = [];
    this.isSending = false;
  }

  /** The secret of the address, which is kept for a reload and no longer shown. */
  static secret() {
    const given = addressParts().get("secret");
    if (given) {
      sessionStorage.setItem("secret", given);
      history.replaceState(null, "", location.pathname);
    }
    return given || sessionStorage.getItem("secret") || "";
  }

  headers() {
    /** @type {{[name: string]: string}} */
    const headers = { "X-Vmhost-Secret": this.secret };
    if (this.last !== "") headers["Last-Event-ID"] = this.last;
    return headers;
  }

  /** Reads lines until the session ends. */
  async listen() {
    for (let failures = 0; !this.isEnded && failures < 20; failures += 1) {
      try {
        const answer = await fetch("/events", { headers: this.headers() });
        if (!answer.ok || !answer.body) {
          this.to.state(`The server refused: ${(await answer.text()).slice(0, 200)}`, false);
          return;
        }
        failures = 0;
        this.to.state("connected", true);
        await this.read(answer.body.getReader());
      } catch (error) {
        // The server is gone, or will be there again.
      }
      if (this.isEnded) return;
      this.to.state("connection lost, trying again", false);
      await new Promise((done) => setTimeout(done, 300 * (failures + 1)));
    }
    this.to.state("connection lost", false);
  }

  /** @param {ReadableStreamDefaultReader<Uint8Array>} reader */
  async read(reader) {
    const decoder = new TextDecoder();
    /** @type {string[]} */
    let parts = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      const end = text.lastIndexOf("\n");
      parts.push(end < 0 ? text : text.slice(0, end));
      if (end < 0) continue;
      for (const line of parts.join("").split("\n")) this.take(line);
      parts = [text.slice(end + 1)];
    }
  }

  /**
   * A line of the event stream.
   * @param {string} line
   */
  take(line) {
    if (line === "") this.event = "";
    else if (line.startsWith("event: ")) this.event = line.slice(7);
    else if (line.startsWith("id: ")) this.next = line.slice(4);
    else if (line.startsWith("data: ")) {
      if (this.event !== "") this.takeEvent();
      else {
        this.to.line(line.slice(6));
        this.last = this.next;
      }
    }
  }

  /** An event of the server, which is no line of the session. */
  takeEvent() {
    switch (this.event) {
      case "end":
        // The last line of the session says more, if there was one.
        if (!this.isEnded) this.to.state("vmhost has ended", false);
        this.isEnded = true;
        break;
      case "taken":
        this.isEnded = true;
        this.to.state("The session is shown on another page now.", false);
        break;
      case "gone":
        this.to.state("The beginning of the session is no longer there.", true);
        break;
      default: break;
    }
  }

  /**
   * Sends a line after those before it.
   * @param {string} line
   * @param {(message: string) => void} failed
   */
  async send(line, failed) {
    this.queue.push({ line, failed });
    if (this.isSending) return;
    this.isSending = true;
    while (this.queue.length > 0) {
      const sent = this.queue.splice(0);
      const message = await this.post(`${sent.map((one) => one.line).join("\n")}\n`);
      if (message !== "") sent.forEach((one) => one.failed(message));
    }
    this.isSending = false;
  }

  /**
   * @param {string} body
   * @returns {Promise<string>} why it could not be sent; nothing if it was
   */
  async post(body) {
    try {
      const answer = await fetch("/lines", {
        method: "POST", body,
        headers: { "X-Vmhost-Secret": this.secret, "Content-Type": "application/x-ndjson" },
      });
      return answer.ok ? "" : `The server refused the line: ${(await answer.text()).slice(0, 200)}`;
    } catch (error) {
      return "The line could not be sent, since the connection is lost.";
    }
  }
}

/**
 * A line as JSON, with a last member that is JSON already.
 * @param {{[name: string]: any}} members
 * @param {string} [value]
 * @param {string} [name]
 */
function lineText(members, value, name = "value") {
  const text = JSON.stringify(members);
  return value === undefined ? text : `${text.slice(0, -1)},"${name}":${value}}`;
}

/** The answer to lines that come too late. */
const ENDED = { code: "ended", message: "The session has ended." };

/**
 * The session as the page knows it: the path of steps that it is on, and where it is on it.
 * @typedef {{branch: number, from: number, steps: number}} Branch
 * @typedef {{instance: string, id: number, effect: string, value: RawValue | null}} Waiting
 * @typedef {{code: string, message: string} | null} Refusal
 */
class LiveSession {
  /** @param {(change: string, raw: string) => void} changed `raw`: the line that made the change */
  constructor(changed) {
    this.changed = changed;
    this.connection = new Connection({
      line: (raw) => this.take(raw),
      state: (text, isOpen) => {
        this.state = text;
        this.isOpen = isOpen;
        changed("state", "");
      },
    });
    this.state = "connecting";
    this.isOpen = false;
    this.trace = new Trace({ source: "", played: true });
    /**
     * The lines of the path that the session is on.
     * @type {{step: number, raw: string}[]}
     */
    this.lines = [];
    /**
     * Lines of paths that it has left.
     * @type {Map<number, {step: number, raw: string}[]>}
     */
    this.paths = new Map();
    this.branch = 1;
    /** @type {Branch[]} */
    this.branches = [];
    /** The number of the step where the session is, and that of the last one it can go to. */
    this.step = 0;
    this.steps = 0;
    this.clock = { mode: "live", t: 0, at: performance.now(), next: -1 };
    /**
     * The effects whose requests wait for a line, and those that have a provider.
     * @type {string[]}
     */
    this.held = [];
    /** @type {string[]} */
    this.provided = [];
    /**
     * The default configs of view models, with all their digits.
     * @type {Map<string, string>}
     */
    this.configs = new Map();
    /** @type {Map<string, Waiting>} */
    this.waiting = new Map();
    /** @type {Map<number, (refusal: Refusal) => void>} */
    this.pending = new Map();
    /**
     * The first numbers of requests that have others since the session went to another step.
     * @type {Map<string, number>}
     */
    this.originals = new Map();
    // A page that was loaded again reads the answers to its earlier lines, too.
    this.seq = Date.now();
    this.isGoing = false;
    /** How many lines there were at the last answer. */
    this.settled = 0;
    this.hasReloaded = false;
    /**
     * The states that a reload changed.
     * @type {{instance: string, name: string, value: RawValue, before: RawValue | null}[]}
     */
    this.differences = [];
    /**
     * The frames that came with a `go`.
     * @type {string[]}
     */
    this.frames = [];
    /** @type {any} */
    this.end = null;
    /** @type {(text: string) => void} */
    this.saved = () => {};
  }

  /**
   * Sends a line, and waits for its answer.
   * @param {{[name: string]: any}} members
   * @param {string} [value] JSON
   * @param {string} [name] the member whose value it is
   * @returns {Promise<Refusal>}
   */
  send(members, value, name) {
    if (this.end) return Promise.resolve(ENDED);
    this.seq += 1;
    const { seq } = this;
    if (members.kind === "go") this.isGoing = true;
    return new Promise((done) => {
      this.pending.set(seq, done);
      void this.connection.send(lineText({ ...members, seq }, value, name), (message) => {
        this.pending.delete(seq);
        done({ code: "lost", message });
      });
    });
  }

  /** @param {string} raw */
  take(raw) {
    const head = headOf(raw);
    if (typeof head.t === "number") {
      this.clock.t = head.t;
      this.clock.at = performance.now();
    }
    switch (head.kind) {
      case "done": case "refused":
        this.answer(head);
        break;
      case "time":
        this.clock.mode = head.mode;
        this.clock.next = typeof head.next === "number" ? head.next : -1;
        break;
      case "hold":
        this.held = head.held;
        this.provided = head.provided;
        break;
      case "viewModel": {
        const config = rawMember(rawValue(raw), "defaultConfig");
        if (config) this.configs.set(String(head.id), rawText(config));
        this.trace.add(raw);
        break;
      }
      case "transcript":
        this.saved(head.text);
        break;
      case "go":
        this.go(head);
        break;
      case "reload":
        this.reload(head, raw);
        break;
      case "end":
        this.end = head;
        this.connection.isEnded = true;
        for (const done of this.pending.values()) done(ENDED);
        this.pending.clear();
        this.state = head.message ? "the session broke off" : "the session has ended";
        this.isOpen = false;
        this.add(raw, head);
        this.changed("state", raw);
        break;
      default:
        // While it goes elsewhere, vmhost tells what ends and begins. The steps say the same.
        if (!this.isGoing) this.add(raw, head);
        else if (head.kind === "frame") this.frames.push(raw);
    }
    this.changed(head.kind, raw);
  }

  /** @param {any} head */
  answer(head) {
    const done = this.pending.get(head.seq);
    this.pending.delete(head.seq);
    if (head.kind === "done") {
      if (this.isGoing) this.takeFrames();
      this.isGoing = false;
      this.settled = this.lines.length;
    } else this.isGoing = this.isGoing && this.pending.size > 0;
    if (done) done(head.kind === "done" ? null : { code: head.code, message: head.message });
  }

  /**
   * @param {string} raw
   * @param {any} head
   */
  add(raw, head) {
    const line = this.withOriginal(raw, head);
    if (head.kind === "step") this.beginStep(head);
    else if (head.kind === "request") {
      this.waiting.set(`${head.instance}.${head.id}`,
        { instance: head.instance, id: head.id, effect: head.effect, value: rawValueOf(raw) });
    } else if (head.kind === "cancel") this.waiting.delete(`${head.instance}.${head.id}`);
    else if (head.kind === "frame") this.compare(raw, head);
    else if (head.kind === "close") this.forgetRequests(head.instance);
    this.lines.push({ step: this.step, raw: line });
    this.trace.add(line);
  }

  /**
   * A line about a request, with the number that the request had when it was made.
   * @param {string} raw
   * @param {any} head
   */
  withOriginal(raw, head) {
    const original = this.originals.get(`${head.instance}.${head.id}`);
    return original === undefined ? raw : raw.replace(/,"id":\d+/, `,"id":${original}`);
  }

  /** @param {any} head */
  beginStep(head) {
    if (head.step <= this.steps && this.step < this.steps) this.leavePath();
    this.step = head.step;
    this.steps = head.step;
    const branch = this.branches.find((other) => other.branch === this.branch);
    if (branch) branch.steps = head.step;
    if (head.action === "reply" || head.action === "error") {
      this.waiting.delete(`${head.instance}.${head.id}`);
    }
    if (head.action === "close") this.forgetRequests(head.instance);
  }

  /** @param {string} instance one that is closed */
  forgetRequests(instance) {
    for (const [key, request] of this.waiting) {
      if (request.instance === instance) this.waiting.delete(key);
    }
  }

  /** Keeps the path that the session leaves, since it does something else than before. */
  leavePath() {
    this.paths.set(this.branch, this.lines);
    if (this.branches.length === 0) {
      this.branches.push({ branch: this.branch, from: 0, steps: this.steps });
    }
    // vmhost numbers them in the same way, and says so when the session goes to a step.
    this.branch = Math.max(this.branch, ...this.branches.map((other) => other.branch)) + 1;
    this.branches.push({ branch: this.branch, from: this.step, steps: this.step });
    this.lines = this.lines.filter((line) => line.step <= this.step);
    this.rebuild();
  }

  rebuild() {
    const { viewModels, session } = this.trace;
    this.trace = new Trace({ source: "", played: true });
    this.trace.viewModels = viewModels;
    this.trace.session = session;
    for (const { raw } of this.lines) this.trace.add(raw);
    this.changed("path", "");
  }

  /**
   * The session is at another step.
   * @param {any} head
   */
  go(head) {
    this.dropEnds();
    this.frames = [];
    if (Array.isArray(head.branches)) this.branches = head.branches;
    const branch = typeof head.branch === "number" ? head.branch : this.branch;
    if (branch !== this.branch) {
      this.paths.set(this.branch, this.lines);
      this.lines = this.paths.get(branch) || this.lines.filter((line) => line.step <= head.step);
      this.branch = branch;
      this.rebuild();
    }
    this.step = head.step;
    this.steps = head.steps;
    this.isGoing = true;
    this.waitFor(head.open || []);
  }

  /** Drops what vmhost said to end before a `go` that this page didn't know of. */
  dropEnds() {
    const last = this.lines.slice(this.settled);
    const areEnds = last.every(({ raw }) => /^\{"kind":"(cancel|close)"/.test(raw));
    if (last.length === 0 || !areEnds) return;
    this.lines.length = this.settled;
    this.rebuild();
  }

  /** After a reload a step may have other states than those that it had when it was made. */
  takeFrames() {
    if (!this.hasReloaded) return;
    const { step } = this;
    const end = this.lines.findIndex((line) => line.step > step);
    this.lines.splice(end < 0 ? this.lines.length : end, 0,
      ...this.frames.map((raw) => ({ step, raw })));
    this.rebuild();
  }

  /**
   * Notes which states a frame changes.
   * @param {string} raw
   * @param {any} head
   */
  compare(raw, { instance }) {
    const { trace } = this;
    const lane = trace.lane(instance);
    for (const { key, value } of rawMembers(statesOf(raw))) {
      const before = trace.valueBefore(lane, key || "", trace.raws.length);
      if (!isSame(before, value)) {
        this.differences.push({ instance, name: key || "", value, before });
      }
    }
  }

  /**
   * Notes the requests that wait for an answer.
   * @param {any[]} open
   */
  waitFor(open) {
    const index = this.trace.indexOf(this.step);
    const before = this.trace.livesAt(index)
      .flatMap((life) => this.trace.waitingAt(life, index));
    this.waiting.clear();
    this.originals.clear();
    for (const { instance, id, effect } of open) {
      const lane = this.trace.laneOf.get(instance);
      const at = before.findIndex((call) => call.lane === lane && call.effect === effect);
      const [same] = at < 0 ? [] : before.splice(at, 1);
      const raw = same ? this.trace.raws[same.start] : "";
      const key = `${instance}.${id}`;
      if (same) this.originals.set(key, headOf(raw).id);
      this.waiting.set(key, { instance, id, effect, value: same ? rawValueOf(raw) : null });
    }
  }

  /**
   * A plugin was loaded anew.
   * @param {any} head
   * @param {string} raw
   */
  reload(head, raw) {
    this.differences = [];
    if (!head.error) {
      this.hasReloaded = true;
      // It goes on from its latest step, and its other branches are gone.
      this.paths.clear();
      this.branches = [];
      if (this.steps > head.step) {
        this.lines = this.lines.filter((line) => line.step <= head.step);
        this.rebuild();
      }
      this.step = head.step;
      this.steps = head.step;
    }
    this.lines.push({ step: this.step, raw });
    this.trace.add(raw);
  }

  /** The session's time now. */
  now() {
    const { mode, t, at } = this.clock;
    return mode === "live" && !this.end ? t + (performance.now() - at) / 1000 : t;
  }
}
