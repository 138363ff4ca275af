// @ts-check
// Values as trees that fold. Of long values only a part is shown until one asks for more.

const SHOWN_MEMBERS = 50;
const SHOWN_CHARACTERS = 400;
const OPEN_DEPTH = 2;
const MAX_OPEN_DEPTH = 8;
// Longer values are neither opened nor compared member by member unless one asks for it.
const SMALL_VALUE = 4000;
const COMPARED_VALUE = 200000;
const MAX_ALIGNED = 1000;

/**
 * How a tree is shown.
 * `before`: the value that this one replaced, so that what has changed in it is marked.
 * `isOpen`: whether it is open at first, if it is not too long; otherwise its size decides.
 * @typedef {{key?: string | null, before?: RawValue | null, depth?: number, isOpen?: boolean,
 *   mark?: "" | "added" | "removed"}} TreeOptions
 * @typedef {{key: string, value: RawValue, before: RawValue | null,
 *   mark: "" | "added" | "removed"}} Pair
 */

/**
 * A value as one line, cut if it is long.
 * @param {RawValue} value
 * @param {number} [limit]
 */
function inlineValue(value, limit = 120) {
  const text = value.text.slice(value.start, Math.min(value.end, value.start + limit));
  return element("span", { class: `value ${rawKind(value)}` },
    visible(text), rawLength(value) > limit ? element("span", { class: "more" }, "…") : null);
}

/**
 * A value as a tree.
 * @param {RawValue} value
 * @param {TreeOptions} [options]
 * @returns {HTMLElement}
 */
function valueTree(value, options = {}) {
  const { before = null, mark = "" } = options;
  const isChanged = before !== null && !isSame(before, value);
  const state = mark || (isChanged ? "changed" : "");
  return hasMembers(value) ? branchOf(value, state, options)
    : element("div", { class: `leaf ${state}` }, labelOf(options.key, mark), leafText(value),
      isChanged && before ? oldValue(before) : null);
}

/**
 * @param {string | null | undefined} key
 * @param {string} mark
 */
function labelOf(key, mark) {
  const sign = mark === "added" ? "+" : mark === "removed" ? "−" : "";
  return element("span", { class: "label" },
    sign ? element("span", { class: "sign" }, sign, spoken(` ${mark} `)) : null,
    key === null || key === undefined ? null
      : element("span", { class: "key" }, shortText(key, 200), ": "));
}

/**
 * @param {RawValue} value
 * @param {string} state
 * @param {TreeOptions} options
 */
function branchOf(value, state, { key = null, before = null, depth = 0, isOpen, mark = "" }) {
  const isArray = rawKind(value) === "array";
  const summary = element("summary", {}, labelOf(key, mark),
    element("span", { class: "preview" }, inlineValue(value, 100)),
    element("span", { class: "opened" }, isArray ? "[" : "{", memberCount(value),
      isArray ? "]" : "}"),
    state === "changed" ? spoken(" (changed)") : null);
  const wants = isOpen === undefined ? depth < OPEN_DEPTH || state === "changed" : isOpen;
  return folding({ class: `branch ${state}` }, summary, () => [
    membersOf(value, before, depth),
    state === "changed" && depth === 0 && before && hasMembers(before) ? wholeBefore(before) : null,
  ], wants && depth < MAX_OPEN_DEPTH && rawLength(value) < SMALL_VALUE);
}

/** @param {RawValue} value */
function memberCount(value) {
  if (rawLength(value) > SMALL_VALUE) return " … ";
  let count = 0;
  for (const member of rawMembers(value)) count += member ? 1 : 0;
  return ` ${count} `;
}

/**
 * @param {RawValue} value
 * @param {RawValue | null} before
 * @param {number} depth
 */
function membersOf(value, before, depth) {
  const body = element("div", { class: "members" });
  const pairs = before && canCompare(value, before) ? comparedMembers(value, before)
    : plainMembers(value);
  const more = button("show more", () => show(SHOWN_MEMBERS * 4), { class: "link" });
  /** @param {number} count */
  const show = (count) => {
    more.remove();
    for (let shown = 0; shown < count; shown += 1) {
      const next = pairs.next();
      if (next.done) return;
      const { key, value: member, before: old, mark } = next.value;
      const isOpen = before && mark === "" ? !isSame(old, member) : undefined;
      append(body, valueTree(member, { key, before: old, mark, depth: depth + 1, isOpen }));
    }
    append(body, more);
  };
  show(SHOWN_MEMBERS);
  return body;
}

/**
 * @param {RawValue} value
 * @param {RawValue} before
 */
function canCompare(value, before) {
  return rawKind(value) === rawKind(before)
    && rawLength(value) < COMPARED_VALUE && rawLength(before) < COMPARED_VALUE;
}

/**
 * @param {RawValue} value
 * @returns {Generator<Pair, void, void>}
 */
function* plainMembers(value) {
  let index = 0;
  for (const { key, value: member } of rawMembers(value)) {
    yield { key: key === null ? String(index) : key, value: member, before: null, mark: "" };
    index += 1;
  }
}

/**
 * The members of a value and of the one before it.
 * @param {RawValue} value
 * @param {RawValue} before
 * @returns {Generator<Pair, void, void>}
 */
function* comparedMembers(value, before) {
  const members = [...rawMembers(value)];
  const olds = [...rawMembers(before)];
  if (rawKind(value) === "array") {
    yield* comparedElements(members.map((member) => member.value), olds.map((old) => old.value));
    return;
  }
  const rest = new Map(olds.map((old) => [old.key, old.value]));
  for (const { key, value: member } of members) {
    const old = rest.get(key) || null;
    rest.delete(key);
    yield { key: key || "", value: member, before: old, mark: old ? "" : "added" };
  }
  for (const [key, old] of rest) {
    yield { key: key || "", value: old, before: null, mark: "removed" };
  }
}

/**
 * The elements of an array, in the places of those that stayed.
 * @param {RawValue[]} values
 * @param {RawValue[]} olds
 * @returns {Generator<Pair, void, void>}
 */
function* comparedElements(values, olds) {
  let start = 0;
  let end = 0;
  const shorter = values.length > MAX_ALIGNED ? 0 : Math.min(values.length, olds.length);
  while (start < shorter && isSame(values[start], olds[start])) start += 1;
  while (end < shorter - start
    && isSame(values[values.length - 1 - end], olds[olds.length - 1 - end])) end += 1;
  const [middle, oldMiddle] = [values.length - end, olds.length - end];
  for (let index = 0; index < middle; index += 1) {
    const old = index < oldMiddle ? olds[index] : null;
    yield { key: String(index), value: values[index], before: old, mark: old ? "" : "added" };
  }
  for (let index = Math.max(start, middle); index < oldMiddle; index += 1) {
    yield { key: String(index), value: olds[index], before: null, mark: "removed" };
  }
  for (let index = middle; index < values.length; index += 1) {
    yield { key: String(index), value: values[index], before: values[index], mark: "" };
  }
}

/** @param {RawValue} value */
function leafText(value) {
  const length = rawLength(value);
  if (length <= SHOWN_CHARACTERS) return inlineValue(value, SHOWN_CHARACTERS);
  let shown = SHOWN_CHARACTERS;
  const text = element("span", { class: `value ${rawKind(value)}` });
  const note = element("span", { class: "more" });
  const more = button("show more", () => {
    shown *= 8;
    show();
  }, { class: "link" });
  const show = () => {
    fill(text, visible(value.text.slice(value.start, Math.min(value.end, value.start + shown))));
    fill(note, shown < length ? `… of ${countOf(length, "character")} ` : "");
    if (shown >= length) more.remove();
  };
  show();
  return element("span", {}, text, note, more);
}

/** @param {RawValue} before */
function oldValue(before) {
  const text = element("span", { class: "old" }, element("span", { class: "word-was" }, " was "));
  append(text, inlineValue(before, 200));
  return text;
}

/** @param {RawValue} before */
function wholeBefore(before) {
  return folding({ class: "branch whole-before" }, element("summary", {}, "the value before"),
    () => [valueTree(before, { depth: 1 })]);
}
