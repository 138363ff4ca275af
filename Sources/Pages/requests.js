// @ts-check
// The requests of a live session that wait for an answer.

const SPAN = /^(\d+(?:\.\d+)?)(ns|us|ms|s|m|h)$/;

/**
 * The seconds in a time such as 300ms; -1 if it isn't one.
 * @param {string} text
 */
function secondsOf(text) {
  const [, number, name] = SPAN.exec(text.trim()) || [];
  const unit = UNITS.find(([other]) => other === name);
  return unit ? Number(number) * unit[1] / 1e9 : -1;
}

/**
 * What a reply has as its body: JSON, text or the Base64 of bytes. These are the names of its
 * member in a reply of http.
 * @param {string} kind
 * @param {string} body
 * @returns {string | null} JSON; null if the body isn't what its kind says
 */
function bodyJSON(kind, body) {
  if (kind !== "body") return JSON.stringify(body);
  const text = compactJSON(body);
  return isJSON(text) ? text : null;
}

/**
 * The content of a file, as text if it is text.
 * @param {File} file
 */
async function contentOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { kind: isJSON(text) ? "body" : "text", text };
  } catch (error) {
    const parts = [];
    for (let at = 0; at < bytes.length; at += 0x8000) {
      parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
    }
    return { kind: "base64", text: btoa(parts.join("")) };
  }
}

/** What was last typed as an answer to an effect. */
class AnswerDraft {
  /** @param {string} effect */
  constructor(effect) {
    this.status = "200";
    this.kind = "body";
    this.body = effect === "http" ? "{}" : "null";
    this.code = "failed";
    this.message = "";
  }
}

/** One request, with ways to answer it. */
class RequestCard {
  /**
   * @param {Waiting} request
   * @param {LiveSession} session
   * @param {AnswerDraft} draft
   */
  constructor(request, session, draft) {
    this.request = request;
    this.session = session;
    this.draft = draft;
    this.isHTTP = request.effect === "http";
    /** When its answer is sent, in seconds of the session; -1 if none waits. */
    this.due = -1;
    /** @type {() => void} */
    this.answer = () => {};
    this.problem = element("p", { class: "problem", role: "alert" });
    this.note = element("p", { class: "row-of-fields", hidden: true });
    this.ask = button("Ask for real", () => this.askProvider(), {
      title: "Pass the request to its provider",
    });
    this.node = this.made();
  }

  made() {
    const { instance, id, effect, value } = this.request;
    return element("article", {
      class: "request-card", "aria-label": `Request ${id} of ${shortText(instance)}`, tabindex: -1,
    },
      element("h3", {}, shortText(instance), " ",
        element("code", {}, `${id} ${shortText(effect)}`)),
      value ? (this.isHTTP ? exchange(value) : valueTree(value)) : null,
      this.choices(), this.details(), this.note, this.problem);
  }

  choices() {
    const { draft } = this;
    return element("div", { class: "row-of-fields" },
      this.isHTTP ? this.text("Status", "status", 4) : null,
      button("Reply", () => this.reply(draft.status), { class: "primary" }),
      this.isHTTP ? button("404", () => this.reply("404")) : null,
      button("Offline", () => this.fail("offline", "no connection")), this.ask);
  }

  details() {
    const { draft, isHTTP } = this;
    const body = element("textarea", {
      class: "json", rows: 3, spellcheck: "false", "aria-label": isHTTP ? "Body" : "Value",
      input: () => { draft.body = body.value; },
    });
    body.value = draft.body;
    const kind = choice("Kind of body",
      [["body", "JSON"], ["text", "text"], ["base64", "Base64"]], (chosen) => {
        draft.kind = chosen;
      });
    kind.value = draft.kind;
    const file = element("input", {
      type: "file", class: "offscreen", tabindex: -1, "aria-label": "Body from a file",
      change: async () => {
        const chosen = file.files && file.files[0];
        if (!chosen) return;
        const content = await contentOf(chosen);
        [draft.kind, draft.body] = [isHTTP ? content.kind : "body", content.text];
        [kind.value, body.value] = [draft.kind, draft.body];
      },
    });
    this.delay = element("input", {
      type: "text", size: 5, value: "0s", "aria-label": "After this much time",
    });
    return element("details", {},
      element("summary", {}, isHTTP ? "Body, delay, errors" : "Value, delay, errors"), body,
      element("div", { class: "row-of-fields" }, isHTTP ? kind : null,
        button("From a file", () => file.click()), file,
        element("label", {}, "after ", this.delay)),
      element("div", { class: "row-of-fields" }, this.text("Error code", "code", 10),
        this.text("Error message", "message", 14),
        button("Fail", () => this.fail(draft.code.trim(), draft.message))));
  }

  /**
   * A text of the answer.
   * @param {string} label
   * @param {"status" | "code" | "message"} name
   * @param {number} size
   */
  text(label, name, size) {
    const control = element("input", {
      type: "text", size, value: this.draft[name], "aria-label": label, spellcheck: "false",
      placeholder: name === "status" ? null : label.toLowerCase(),
      class: name === "status" ? null : "grows",
      input: () => { this.draft[name] = control.value; },
    });
    return control;
  }

  // Answers.

  /** @param {string} status */
  reply(status) {
    const { draft, isHTTP } = this;
    const body = bodyJSON(isHTTP ? draft.kind : "body", draft.body);
    if (body === null) return this.refuse("The body is not JSON.");
    if (isHTTP && !/^[1-9]\d\d$/.test(status.trim())) {
      return this.refuse("A status is a number from 100 to 999.");
    }
    const head = `{"status":${status.trim()},"headers":{}`;
    const value = isHTTP ? `${head},"${draft.kind}":${body}}` : body;
    return this.later(() => this.send({ kind: "reply" }, value));
  }

  /**
   * @param {string} code
   * @param {string} message
   */
  fail(code, message) {
    return this.later(() => this.send({ kind: "error", code, message }));
  }

  async askProvider() {
    this.ask.disabled = true;
    const isRefused = await this.send({ kind: "ask" });
    if (isRefused) this.ask.disabled = false;
    else this.say("The provider was asked. Its answer comes by itself.");
  }

  /**
   * Sends a line about the request, and tells whether it was refused.
   * @param {{[name: string]: any}} members
   * @param {string} [value]
   */
  async send({ kind, ...others }, value) {
    const { instance, id } = this.request;
    const refusal = await this.session.send({ kind, instance, id, ...others }, value);
    void this.session.send({ kind: "time" });
    if (refusal) this.refuse(refusal.message);
    return refusal !== null;
  }

  /** @param {string} message */
  refuse(message) { fill(this.problem, visible(message)); }

  /**
   * @param {string} text
   * @param {...Child} children
   */
  say(text, ...children) {
    this.note.hidden = text === "";
    fill(this.note, text, ...children);
  }

  /**
   * Answers once the session's time says so. A clock that stands is moved on.
   * @param {() => Promise<boolean>} answer
   */
  async later(answer) {
    const text = this.delay ? this.delay.value.trim() : "0s";
    const seconds = secondsOf(text);
    fill(this.problem);
    if (seconds < 0) this.refuse(`"${text}" is not a time such as 300ms, 5s or 2m.`);
    else if (seconds === 0) await answer();
    else if (this.session.clock.mode === "live") {
      this.due = this.session.now() + seconds;
      this.answer = answer;
      this.tick();
    } else {
      const refusal = await this.session.send({ kind: "advance", by: text });
      if (refusal) this.refuse(refusal.message);
      else await answer();
    }
  }

  /** Sends a late answer when it is time. */
  tick() {
    if (this.due < 0) return;
    const left = this.due - this.session.now();
    if (left > 0) {
      const stop = this.note.querySelector("button") || button("Stop", () => {
        this.due = -1;
        this.say("");
      });
      this.say(`Answers in ${timeText(Math.ceil(left * 10) / 10)}.`, stop);
      return;
    }
    this.due = -1;
    this.say("");
    this.answer();
  }
}

/** All requests that wait for an answer, and which effects wait for one. */
class RequestList {
  /** @param {LiveSession} session */
  constructor(session) {
    this.session = session;
    /** @type {Map<string, {request: Waiting, card: RequestCard}>} */
    this.cards = new Map();
    /** @type {Map<string, AnswerDraft>} */
    this.drafts = new Map();
    this.title = element("h2", { "aria-live": "polite", tabindex: -1 });
    this.holds = element("div", { class: "holds" });
    this.heldKey = "";
    this.node = element("section", { class: "requests", "aria-label": "Open requests" },
      this.title, this.holds);
  }

  show() {
    const { waiting, provided } = this.session;
    const { activeElement } = document;
    for (const [key, { request, card }] of this.cards) {
      if (waiting.get(key) === request) continue;
      const hadFocus = card.node.contains(activeElement);
      const next = card.node.nextElementSibling;
      card.node.remove();
      this.cards.delete(key);
      // Those who use the keyboard stay where they were.
      if (hadFocus) (next instanceof HTMLElement ? next : this.title).focus();
    }
    for (const [key, request] of waiting) {
      if (this.cards.has(key)) continue;
      const card = new RequestCard(request, this.session, this.draft(request.effect));
      this.cards.set(key, { request, card });
      append(this.node, card.node);
    }
    for (const { request, card } of this.cards.values()) {
      card.ask.hidden = !provided.includes(request.effect);
    }
    const text = waiting.size === 0 ? "No request waits" : waiting.size === 1
      ? "1 request waits for an answer" : `${countOf(waiting.size, "request")} wait for an answer`;
    if (this.title.textContent !== text) fill(this.title, text);
    this.node.classList.toggle("busy", waiting.size > 0);
    this.showHolds();
  }

  /** @param {string} effect */
  draft(effect) {
    const draft = this.drafts.get(effect) || new AnswerDraft(effect);
    this.drafts.set(effect, draft);
    return draft;
  }

  /** Which effects wait for an answer of this page, though they have a provider. */
  showHolds() {
    const { held, provided } = this.session;
    const key = JSON.stringify([held, provided]);
    if (key === this.heldKey) return;
    this.heldKey = key;
    fill(this.holds, ...provided.map((effect) => {
      const control = element("input", {
        type: "checkbox", checked: held.includes(effect), change: async () => {
          await this.session.send({ kind: "hold", effect, on: control.checked });
          await this.session.send({ kind: "hold" });
        },
      });
      return element("label", {}, control, " hold ", element("code", {}, shortText(effect, 60)));
    }));
  }

  tick() {
    for (const { card } of this.cards.values()) card.tick();
  }
}
