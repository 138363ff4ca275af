// @ts-check
// The page of a live session: its instances with forms for their inputs, the requests that wait for
// an answer, its time, and all that has happened.

class LivePage {
  /**
   * @param {Element} app
   * @param {string} title
   * @param {(viewer: Viewer) => void} shown
   */
  constructor(app, title, shown) {
    this.title = title;
    /** The step of the session that was last shown. */
    this.followed = -1;
    this.shown = shown;
    this.isStale = false;
    /**
     * The cards of instances, by handle and view model.
     * @type {Map<string, InstanceCard>}
     */
    this.cards = new Map();
    /**
     * What was typed into forms, by view model and input.
     * @type {Map<string, string>}
     */
    this.drafts = new Map();
    /** @type {HTMLElement | null} */
    this.reloaded = null;
    this.session = new LiveSession((change, raw) => this.note(change, raw));
    this.state = element("span", { class: "badge", role: "status" });
    this.now = element("output", { class: "clock", "aria-label": "The session's time" });
    this.mode = button("", () => this.toggleMode());
    this.timer = button("Next timer", () => this.pass({ kind: "time", to: "timer" }));
    this.span = element("input", {
      type: "text", value: "300ms", size: 6, "aria-label": "How much time to let pass",
    });
    /** @type {HTMLInputElement} */
    this.slider = element("input", {
      type: "range", min: 0, max: 0, value: 0, "aria-label": "The step of the session",
      change: () => this.go(Number(this.slider.value)),
      input: () => this.follow(Number(this.slider.value)),
    });
    this.place = element("output", { class: "quiet" });
    /** @type {HTMLSelectElement} */
    this.branches = element("select", {
      "aria-label": "Branch", change: () => this.goToBranch(Number(this.branches.value)),
    });
    this.notices = element("div", { class: "notices" });
    this.requests = new RequestList(this.session);
    this.instances = element("section", { class: "instances", "aria-label": "Instances" });
    this.opener = new InstanceOpener(this.session);
    this.past = element("section", { class: "past", "aria-label": "The session so far" });
    fill(app, this.header(), this.notices, element("main", { class: "live" },
      element("div", { class: "side" }, this.requests.node, this.instances, this.opener.node),
      this.past));
    this.showViewer();
    this.show();
    window.setInterval(() => this.tick(), 100);
    void this.session.connection.listen();
    void this.session.send({ kind: "describe" }).then(() => this.opener.show());
    void this.session.send({ kind: "time" });
    void this.session.send({ kind: "hold" });
  }

  header() {
    return element("header", { class: "page" },
      element("h1", {}, visible(this.title), " ", this.state),
      element("div", { class: "controls" },
        button("Save as .vmt", () => this.save(), { class: "primary" }),
        button("Copy for an issue", () => this.copyForIssue(), {
          title: "Copy the session up to the chosen step, with all versions",
        }),
        button("◐", toggleTheme, { title: "Light or dark (t)", "aria-label": "Light or dark" }),
        button("?", showKeys, { title: "Keys (?)", "aria-label": "Keys" })),
      element("div", { class: "bar" },
        element("span", { class: "controls-group" }, this.mode, this.now,
          element("span", { class: "joined" },
            button("+", () => this.pass({ kind: "advance", by: this.span.value.trim() }), {
              "aria-label": "Let that time pass", title: "Let that time pass",
            }), this.span), this.timer,
          button("Until idle", () => this.pass({ kind: "advance", by: "idle" }))),
        element("span", { class: "controls-group" },
          button("←", () => this.go(this.session.step - 1), {
            "aria-label": "One step back", title: "One step back (,)",
          }), this.slider,
          button("→", () => this.go(this.session.step + 1), {
            "aria-label": "One step forward", title: "One step forward (.)",
          }), this.place, this.branches)));
  }

  // What the session says.

  /**
   * @param {string} change
   * @param {string} raw
   */
  note(change, raw) {
    if (change === "reload") this.showReload(raw);
    if (change === "path") this.hasNewPath = true;
    if (this.isStale) return;
    this.isStale = true;
    // Many lines may come at once, and all are shown together.
    window.setTimeout(() => {
      this.isStale = false;
      this.show();
    }, 16);
  }

  show() {
    const { session } = this;
    if (this.hasNewPath || !this.viewer || this.viewer.trace !== session.trace) this.showViewer();
    fill(this.state, visible(session.state));
    this.state.classList.toggle("bad", !session.isOpen);
    fill(this.mode, session.clock.mode === "live" ? "Pause" : "Run");
    this.timer.disabled = session.clock.next < 0;
    this.slider.max = String(session.steps);
    this.slider.value = String(session.step);
    fill(this.place, `step ${session.step} of ${session.steps}`);
    this.showBranches();
    if (this.viewer) {
      this.viewer.update();
      // Somebody who looks at another step goes on doing so until the session is at a new one.
      if (session.step !== this.followed) this.follow(session.step);
      this.followed = session.step;
    }
    this.requests.show();
    this.showDifferences();
    this.showInstances();
    this.tick();
  }

  showViewer() {
    this.hasNewPath = false;
    this.followed = -1;
    this.viewer = new Viewer(this.session.trace, { title: this.title });
    this.viewer.follows = true;
    fill(this.past, this.viewer.node);
    this.shown(this.viewer);
  }

  /**
   * Shows a step, and its states.
   * @param {number} step
   */
  follow(step) {
    if (!this.viewer) return;
    const index = this.session.trace.indexOf(step);
    if (index >= 0 && index !== this.viewer.selected) this.viewer.select(index);
    fill(this.place, `step ${step} of ${this.session.steps}`);
  }

  tick() {
    fill(this.now, timeText(Math.round(this.session.now() * 10) / 10));
    this.requests.tick();
    const { clock } = this.session;
    if (clock.next >= 0 && clock.mode === "live" && this.session.now() > clock.next + 0.05) {
      clock.next = -1;
      void this.session.send({ kind: "time" });
    }
  }

  /**
   * @param {string} text
   * @param {string} [kind]
   * @param {HTMLElement | null} [details]
   */
  notice(text, kind = "", details = null) {
    /** @type {HTMLElement} */
    const node = element("div", { class: `notice ${kind}`, role: "status" },
      element("div", {}, shortText(text, 4000), details),
      button("×", () => node.remove(), { "aria-label": "Close" }));
    append(this.notices, node);
    while (this.notices.childElementCount > 4) this.notices.children[0].remove();
  }

  /** @param {string} raw a `reload` line */
  showReload(raw) {
    const { plugin, differences, skipped, error } = JSON.parse(raw);
    const name = shortText(plugin);
    if (error) {
      this.notice(`The old build of ${name} goes on: ${error}`, "bad");
      return;
    }
    const details = element("details");
    this.reloaded = details;
    this.notice(`Loaded ${name} anew: ${differences === 0 ? "no step differs"
      : `${countOf(differences, "step")} differ${differences === 1 ? "s" : ""}`}`
      + `${skipped ? `, ${skipped} skipped` : ""}.`, "", details);
  }

  /** Lists the states that the latest reload changed. */
  showDifferences() {
    const { differences } = this.session;
    if (!this.reloaded || differences.length === 0) return;
    fill(this.reloaded, element("summary", {}, countOf(differences.length, "other state")),
      ...differences.slice(0, 50).map(({ instance, name, value, before }) =>
        valueTree(value, { key: `${instance}.${name}`, before, depth: 1 })));
  }

  /** Copies what a report of a problem needs: the versions, and the way to the chosen step. */
  async copyForIssue() {
    const { viewer } = this;
    if (!viewer || viewer.selected < 0) return;
    const { trace, selected } = viewer;
    const problems = [];
    for (let index = trace.starts[selected]; index < trace.endOf(selected); index += 1) {
      if (trace.kinds[index] === FAULT || trace.kinds[index] === LOG) {
        problems.push(`# ${String(trace.entry(index).message)}`);
      }
    }
    const isLast = selected === trace.count - 1;
    const text = [
      factsOf(trace).join(", "), "", "```", `${transcriptText(trace, 0, selected).trim()}`,
      ...problems, ...(isLast && trace.message ? [`# ${trace.message}`] : []), "```", "",
    ].join("\n");
    announce(await copyText(visible(text)) ? "Copied the session for an issue."
      : "The browser doesn't let this page copy.");
  }

  // What one does.

  /**
   * Sends a line, and says so if it is refused.
   * @param {{[name: string]: any}} members
   * @param {string} [value]
   */
  async tell(members, value) {
    const refusal = await this.session.send(members, value);
    if (refusal) this.notice(refusal.message, "bad");
    void this.session.send({ kind: "time" });
    return refusal;
  }

  toggleMode() {
    const mode = this.session.clock.mode === "live" ? "paused" : "live";
    return this.tell({ kind: "time", mode });
  }

  /**
   * Lets time pass.
   * @param {{[name: string]: any}} line
   */
  pass(line) { return this.tell(line); }

  /** @param {number} step */
  go(step) {
    const target = Math.min(Math.max(step, 0), this.session.steps);
    return this.tell({ kind: "go", step: target });
  }

  /** @param {number} number */
  goToBranch(number) {
    const branch = this.session.branches.find((other) => other.branch === number);
    return this.tell({ kind: "go", step: branch ? branch.steps : this.session.step,
      branch: number });
  }

  showBranches() {
    const { branches, branch } = this.session;
    this.branches.hidden = branches.length < 2;
    fill(this.branches, ...branches.map((other) => element("option", {
      value: other.branch, selected: other.branch === branch,
    }, `branch ${other.branch}: ${countOf(other.steps, "step")}`
      + (other.from > 0 ? `, from step ${other.from}` : ""))));
  }

  async save() {
    this.session.saved = (text) => {
      const plain = this.title.replace(/\.so\b.*/, "").replace(/[^\w-]+/g, "-");
      const name = `${plain || "session"}.vmt`;
      const link = element("a", {
        href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name,
      });
      link.click();
      URL.revokeObjectURL(link.href);
      announce(`Saved as ${name}.`);
    };
    await this.tell({ kind: "save" });
  }

  // Instances.

  /** Shows the open instances. Those that stay keep what is typed into their forms. */
  showInstances() {
    const { trace } = this.session;
    const lives = trace.livesAt(Math.max(0, trace.indexOf(this.session.step)));
    const keys = new Map(lives.map((life) =>
      [JSON.stringify([life.handle, life.viewModel, trace.viewModels.has(life.viewModel)]), life]));
    for (const [key, card] of this.cards) {
      if (keys.has(key)) continue;
      card.node.remove();
      this.cards.delete(key);
    }
    for (const [key, life] of keys) {
      if (this.cards.has(key)) continue;
      const card = new InstanceCard(life, this.session, this.drafts);
      this.cards.set(key, card);
      append(this.instances, card.node);
    }
    const step = trace.indexOf(this.session.step);
    for (const card of this.cards.values()) {
      card.showSignals(step, (chosen) => this.viewer && this.viewer.select(chosen));
    }
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean}
   */
  key(event) {
    if (event.key === ",") void this.go(this.session.step - 1);
    else if (event.key === ".") void this.go(this.session.step + 1);
    else return false;
    return true;
  }
}

/**
 * @param {Element} app
 * @param {string} title
 * @param {(viewer: Viewer) => void} shown
 */
function startLive(app, title, shown) {
  KEYS.unshift([", .", "one step back or forward"]);
  const page = new LivePage(app, title, shown);
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLElement
      && event.target.matches("input, textarea, select");
    if (!isTyping && !event.ctrlKey && !event.metaKey && page.key(event)) event.preventDefault();
  });
}
