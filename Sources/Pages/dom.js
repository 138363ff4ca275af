// @ts-check
// Elements. Text is only ever set as text, never as markup.

/**
 * @typedef {string | number | Node | null | undefined | false} Child
 * @typedef {{[name: string]: string | number | boolean | ((event: any) => void) | null |
 *   undefined}} Attributes
 */

/**
 * Makes an element. Attributes that are functions listen to the event of their name; those that are
 * false, null or undefined are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, String(value));
    }
  }
  append(node, ...children);
  return node;
}

/**
 * @param {Node} node
 * @param {...Child} children those that are false, null or undefined are left out
 */
function append(node, ...children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    node.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/**
 * Replaces all that is in an element.
 * @param {Element} node
 * @param {...Child} children
 */
function fill(node, ...children) {
  node.textContent = "";
  append(node, ...children);
}

/**
 * @param {string} label
 * @param {() => void} action
 * @param {Attributes} [attributes]
 */
function button(label, action, attributes = {}) {
  return element("button", { type: "button", click: action, ...attributes }, label);
}

/**
 * Something that folds. What is in it is made when it is first opened.
 * @param {Attributes} attributes
 * @param {HTMLElement} summary
 * @param {() => Child[]} make
 * @param {boolean} [isOpen]
 */
function folding(attributes, summary, make, isOpen = false) {
  let isMade = false;
  const open = () => {
    if (isMade) return;
    isMade = true;
    append(node, ...make());
  };
  summary.addEventListener("click", open);
  /** @type {HTMLDetailsElement} */
  const node = element("details", {
    ...attributes, toggle: () => { if (node.open) open(); },
  }, summary);
  if (isOpen) {
    node.open = true;
    open();
  }
  return node;
}

/**
 * A choice among a few values.
 * @param {string} label
 * @param {[value: string, text: string][]} options
 * @param {(value: string) => void} choose
 */
function choice(label, options, choose) {
  /** @type {HTMLSelectElement} */
  const select = element("select", { "aria-label": label, change: () => choose(select.value) },
    ...options.map(([value, text]) => element("option", { value }, text)));
  return select;
}

/**
 * Text that only those hear who don't see the page.
 * @param {string} text
 */
function spoken(text) {
  return element("span", { class: "offscreen" }, text);
}

/**
 * A name of any length and with any characters, as text for a small place.
 * @param {string} name
 * @param {number} [limit]
 */
function shortText(name, limit = 100) {
  return visible(name.length > limit ? `${name.slice(0, limit - 1)}…` : name);
}

/**
 * @param {number} count
 * @param {string} noun
 * @param {string} [plural]
 */
function countOf(count, noun, plural = `${noun}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`;
}

/** @param {number} seconds */
function timeText(seconds) {
  if (seconds === 0) return "0";
  if (seconds < 0.001) return `${Math.round(seconds * 1e9) / 1e3} µs`;
  const milliseconds = Math.round(seconds * 1e6) / 1e3;
  if (milliseconds < 1000) return `${milliseconds} ms`;
  if (seconds < 3600) return `${Math.round(seconds * 1e3) / 1e3} s`;
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 60).toLocaleString("en")} h ${minutes % 60} min`;
}

/**
 * @param {string} text
 * @returns {Promise<boolean>} whether it was copied
 */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    // A page from a file may have no clipboard.
    const area = element("textarea", { class: "offscreen", "aria-label": "Text to copy" });
    area.value = text;
    (document.querySelector("dialog[open]") || document.body).appendChild(area);
    const { activeElement } = document;
    area.select();
    const hasCopied = document.execCommand("copy");
    area.remove();
    if (activeElement instanceof HTMLElement) activeElement.focus();
    return hasCopied;
  }
}

/**
 * Says something to those who see the page and to those who hear it.
 * @param {string} text
 */
function announce(text) {
  const status = document.getElementById("status");
  if (!status) return;
  status.textContent = text;
  status.classList.add("shown");
  window.clearTimeout(announceTimer);
  announceTimer = window.setTimeout(() => status.classList.remove("shown"), 2500);
}

let announceTimer = 0;
