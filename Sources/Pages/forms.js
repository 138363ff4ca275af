// @ts-check
// Forms for values. The JSON beside a form is the truth: what is typed into it is sent as it is, so
// that no number loses a digit.

/**
 * `read`: the value, if it is JSON; otherwise it shows where it isn't, and is null.
 * `refuse`: shows why a value was refused at the field that it is about; nothing for "".
 * @typedef {{
 *   node: HTMLElement, read: () => string | null, refuse: (message: string) => void,
 * }} Form
 */

// How vmhost writes the path to a part of a value: `items[3].title: expected …`.
const PATH_NAME = "[\\p{L}_][\\p{L}\\p{N}_-]*";
const PATH_INDEX = "\\[\\d+\\]|\\[\"(?:[^\"\\\\]|\\\\.)*\"\\]";
const EXPECTED = new RegExp(`: (?:((?:${PATH_NAME}|${PATH_INDEX})`
  + `(?:\\.${PATH_NAME}|${PATH_INDEX})*): )?(expected .*)$`, "su");
const MISSING = /^expected the member ("(?:[^"\\]|\\.)*"), which is missing/;

/**
 * The path to the part of a value that a message is about, and what it says of that part.
 * @param {string} message
 * @returns {{path: string[], text: string}}
 */
function refusedPart(message) {
  const [, place = "", text = message] = EXPECTED.exec(message) || [];
  const parts = place.match(new RegExp(`${PATH_NAME}|${PATH_INDEX}`, "gu")) || [];
  const path = parts.map((part) => (part[0] !== "[" ? part
    : part[1] === "\"" ? decodeString(part.slice(1, -1)) : part.slice(1, -1)));
  const missing = MISSING.exec(text);
  return { path: missing ? [...path, decodeString(missing[1])] : path, text };
}

/**
 * A form for a value, with its JSON beside.
 * @param {any} schema
 * @param {{
 *   name: string, initial?: string, defaults?: string, changed?: (json: string) => void,
 * }} options `initial`: the JSON at first; `defaults`: what members are that are left out
 * @returns {Form}
 */
function valueForm(schema, options) {
  const changed = () => {
    json.value = field.read() || "";
    note.hidden = true;
    refuse("");
    keep();
  };
  const keep = () => { if (options.changed) options.changed(json.value); };
  const field = fieldFor(schema, options.name,
    { root: schema, depth: 0, isWanted: true, changed, defaults: options.defaults === undefined
      ? null : rawValue(options.defaults) });
  const problem = element("p", { class: "problem", role: "alert" });
  const note = element("p", { class: "quiet", hidden: true },
    "The form doesn't show all of this JSON. A change in the form replaces it.");
  const json = element("textarea", {
    class: "json", rows: 1, spellcheck: "false", "aria-label": `${shortText(options.name)} as JSON`,
    input: () => {
      const text = compactJSON(json.value);
      refuse(isJSON(text) ? "" : "This is not JSON.");
      note.hidden = !isJSON(text) || field.write(rawValue(text));
      keep();
    },
  });
  if (options.initial !== undefined) {
    json.value = options.initial;
    note.hidden = !isJSON(options.initial) || field.write(rawValue(options.initial));
  } else json.value = field.read() || "";
  const raw = element("details", { class: "raw", hidden: field.isAny },
    element("summary", {}, "JSON"), json);
  const node = element("div", { class: "form" }, field.node, raw, note, problem);

  /** @param {string} message */
  const refuse = (message) => {
    for (const control of node.querySelectorAll("[aria-errormessage]")) {
      control.removeAttribute("aria-errormessage");
      control.removeAttribute("aria-invalid");
    }
    fill(problem, visible(message));
    append(node, problem);
    if (message !== "") showAtField(node, field, problem, message);
  };
  return {
    node, refuse, read: () => {
      const text = compactJSON(json.value);
      if (isJSON(text)) return text;
      refuse(`This is not JSON.${field.isAny ? " A text needs quotation marks." : ""}`);
      const wrong = node.querySelector("[aria-invalid=true]");
      if (wrong instanceof HTMLElement) wrong.focus();
      return null;
    },
  };
}

/**
 * Moves a message to the field that it is about.
 * @param {HTMLElement} node the form
 * @param {Field} field
 * @param {HTMLElement} problem
 * @param {string} message
 */
function showAtField(node, field, problem, message) {
  const { path, text } = refusedPart(message);
  let part = field;
  for (const key of path) {
    const inner = part.part(key);
    // A field for any JSON has no fields of its own: the message needs the whole path then.
    if (!inner) return;
    part = inner;
  }
  if (path.length > 0) {
    fill(problem, visible(text));
    part.node.after(problem);
  }
  const control = part.node.querySelector("input:not([type=checkbox]), select, textarea")
    || part.node.querySelector("input");
  if (!control) return;
  fieldCount += 1;
  problem.id = `problem-${fieldCount}`;
  control.setAttribute("aria-invalid", "true");
  control.setAttribute("aria-errormessage", problem.id);
  if (control instanceof HTMLElement && node.contains(document.activeElement)) control.focus();
}
