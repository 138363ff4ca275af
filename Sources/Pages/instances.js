// @ts-check
// The open instances of a live session, with forms for their inputs.

// How many signals a card shows, and among how many of the latest lines it looks for them.
const SHOWN_SIGNALS = 3;
const SEARCHED_FOR_SIGNALS = 500;

/** One instance: its inputs and latest signals. */
class InstanceCard {
  /**
   * @param {Life} life
   * @param {LiveSession} session
   * @param {Map<string, string>} drafts what was typed into forms, by view model and input
   */
  constructor(life, session, drafts) {
    this.session = session;
    this.handle = life.handle;
    this.viewModel = life.viewModel;
    this.drafts = drafts;
    const known = session.trace.viewModels.get(life.viewModel);
    const inputs = known ? known.inputs : [];
    const taps = inputs.filter((port) => port.takes === "nothing");
    const name = shortText(this.handle);
    this.signals = element("ul", { class: "signals", "aria-live": "polite",
      "aria-label": `Signals of ${name}` });
    this.problem = element("p", { class: "problem", role: "alert" });
    this.node = element("article", { class: "instance-card", "aria-label": `Instance ${name}` },
      element("h2", {}, name, element("span", { class: "quiet" }, " ",
        this.viewModel === this.handle ? "" : shortText(this.viewModel)),
      button("Close", () => this.send({ kind: "close" }), {
        class: "link", "aria-label": `Close ${name}`,
      })),
      ...inputs.filter((port) => port.takes !== "nothing").map((port) => this.form(port)),
      taps.length === 0 ? null : element("div", { class: "taps" },
        ...taps.map(({ name: tap }) =>
          button(shortText(tap), () => this.send({ kind: "input", name: tap })))),
      this.problem, this.signals);
  }

  /**
   * The form of an input.
   * @param {Port} port
   */
  form({ name, schema }) {
    const draft = `${this.viewModel}.${name}`;
    const form = valueForm(schema, {
      name, initial: this.drafts.get(draft), changed: (json) => this.drafts.set(draft, json),
    });
    const submit = async () => {
      form.refuse("");
      const text = form.read();
      if (text === null) return;
      const refusal = await this.session.send({
        kind: "input", instance: this.handle, name,
      }, text);
      void this.session.send({ kind: "time" });
      if (refusal) form.refuse(refusal.message);
    };
    return element("form", {
      class: "port", submit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void submit();
      },
    }, form.node, element("button", { type: "submit", "aria-label": `Send ${shortText(name)}` },
      "Send"));
  }

  /**
   * Sends a line about this instance that needs no form.
   * @param {{[name: string]: any}} members
   */
  async send({ kind, ...others }) {
    const refusal = await this.session.send({ kind, instance: this.handle, ...others });
    void this.session.send({ kind: "time" });
    fill(this.problem, refusal ? visible(refusal.message) : "");
  }

  /**
   * Shows the latest signals up to a step.
   * @param {number} step
   * @param {(step: number) => void} choose
   */
  showSignals(step, choose) {
    const { trace } = this.session;
    const lane = trace.laneOf.get(this.handle);
    const life = lane === undefined ? null : trace.lifeAt(lane, trace.endOf(step) - 1);
    /** @type {number[]} */
    const found = [];
    let index = trace.endOf(step) - 1;
    const first = life ? Math.max(life.from, index - SEARCHED_FOR_SIGNALS) : index + 1;
    for (; index >= first && found.length < SHOWN_SIGNALS; index -= 1) {
      if (trace.lanes[index] !== lane || trace.kinds[index] !== OUTPUT) continue;
      if (trace.isSignal(lane, trace.entry(index).name || "", index)) found.unshift(index);
    }
    const key = found.join();
    if (key === this.signals.dataset.shown) return;
    this.signals.dataset.shown = key;
    fill(this.signals, ...found.map((at) => {
      const entry = trace.entry(at);
      const value = rawValueOf(entry.raw);
      const number = trace.numbers[trace.stepOf(at)];
      return element("li", {}, element("span", { class: "badge" }, "signal"), " ",
        element("code", {}, shortText(entry.name || ""), " ",
          value ? inlineValue(value, 80) : null),
        button(`step ${number}`, () => choose(trace.stepOf(at)), { class: "link" }));
    }));
  }
}

/** A form that opens another instance. */
class InstanceOpener {
  /** @param {LiveSession} session */
  constructor(session) {
    this.session = session;
    this.node = element("details", { class: "instance-card opener", hidden: true });
  }

  /** Shows the view models, once they are known. */
  show() {
    const { trace, configs } = this.session;
    const ids = [...trace.viewModels.keys()];
    if (ids.length === 0) return;
    const handle = element("input", {
      type: "text", size: 12, "aria-label": "Handle", placeholder: "handle", spellcheck: "false",
    });
    const place = element("div");
    /** @type {Form} */
    let form;
    /** @param {string} id */
    const draw = (id) => {
      const viewModel = trace.viewModels.get(id);
      form = valueForm((viewModel && viewModel.config) || {}, {
        name: "config", initial: "{}", defaults: configs.get(id),
      });
      fill(place, form.node);
    };
    const chooser = choice("View model", ids.map((id) => [id, shortText(id)]), draw);
    draw(ids[0]);
    const submit = () => this.open(chooser.value, handle.value.trim(), form);
    fill(this.node, element("summary", {}, "Open another instance"),
      element("form", {
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          void submit();
        },
      }, element("div", { class: "row-of-fields" }, chooser, handle), place,
      element("button", { type: "submit" }, "Open")));
    this.node.hidden = false;
  }

  /**
   * @param {string} viewModel
   * @param {string} handle
   * @param {Form} form
   */
  async open(viewModel, handle, form) {
    form.refuse("");
    const config = form.read();
    if (config === null) return;
    const members = { kind: "open", viewModel };
    // Without a config, vmhost takes the default one with its secrets.
    const refusal = await this.session.send(
      handle === "" ? members : { ...members, instance: handle },
      config === "{}" ? undefined : config, "config");
    void this.session.send({ kind: "time" });
    if (refusal) form.refuse(refusal.message);
  }
}
