"use strict";
// @ts-check
// Values as the text that vmhost wrote. Numbers keep all their digits, keys may have any name, and
// only the parts that are shown are read.

/**
 * A part of a JSON text.
 * @typedef {{text: string, start: number, end: number}} RawValue
 * @typedef {{key: string | null, value: RawValue}} RawMember
 */

// A joiner is kept where it makes one picture of two, as in emoji of families.
const HIDDEN = new RegExp(
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u200b\\u200c"
  + "\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb]"
  + "|\\u034f|\\u17b4|\\u17b5|\\u180b|\\u180c|\\u180d|\\u180e|\\p{Cs}|[\\u{e0000}-\\u{e0fff}]"
  + "|(?<!\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|\\ufe0f)\\u200d"
  + "|\\u200d(?!\\p{Extended_Pictographic})", "gu");

/**
 * Text without characters that hide or reorder others. Each is shown by its code.
 * @param {string} text
 */
function visible(text) {
  return text.replace(HIDDEN, (character) => {
    const code = (character.codePointAt(0) || 0).toString(16).padStart(4, "0");
    return code.length > 4 ? `\\u{${code}}` : `\\u${code}`;
  });
}

/**
 * @param {string} text
 * @returns {RawValue}
 */
function rawValue(text) {
  return { text, start: 0, end: text.length };
}

/** @param {RawValue} value */
function rawText(value) {
  return value.text.slice(value.start, value.end);
}

/** @param {RawValue} value */
function rawLength(value) {
  return value.end - value.start;
}

/**
 * @param {RawValue} value
 * @returns {"object" | "array" | "string" | "number" | "word"}
 */
function rawKind(value) {
  switch (value.text[value.start]) {
    case "{": return "object";
    case "[": return "array";
    case "\"": return "string";
    case "t": case "f": case "n": return "word";
    default: return "number";
  }
}

/**
 * Whether a value has members or elements.
 * @param {RawValue} value
 */
function hasMembers(value) {
  const kind = rawKind(value);
  return (kind === "object" || kind === "array") && rawLength(value) > 2;
}

/**
 * Whether two values are written alike.
 * @param {RawValue | null} first
 * @param {RawValue | null} second
 */
function isSame(first, second) {
  if (first === null || second === null) return first === second;
  return rawLength(first) === rawLength(second) && rawText(first) === rawText(second);
}

/**
 * The offset behind a string.
 * @param {string} text
 * @param {number} start the offset of its opening quote
 */
function endOfString(text, start) {
  let end = start + 1;
  for (;;) {
    end = text.indexOf("\"", end);
    if (end < 0) return text.length;
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes += 1;
    end += 1;
    if (backslashes % 2 === 0) return end;
  }
}

/**
 * The offset behind a value.
 * @param {string} text
 * @param {number} start
 */
function endOfValue(text, start) {
  if (text[start] === "\"") return endOfString(text, start);
  let depth = 0;
  let at = start;
  while (at < text.length) {
    switch (text[at]) {
      case "\"":
        at = endOfString(text, at);
        continue;
      case "{": case "[":
        depth += 1;
        break;
      case "}": case "]":
        depth -= 1;
        if (depth === 0) return at + 1;
        if (depth < 0) return at;
        break;
      case ",":
        if (depth === 0) return at;
        break;
      default:
        break;
    }
    at += 1;
  }
  return at;
}

/**
 * The members of an object, or the elements of an array, one after the other.
 * @param {RawValue} value
 * @returns {Generator<RawMember, void, void>}
 */
function* rawMembers(value) {
  const { text } = value;
  const isObject = text[value.start] === "{";
  let at = value.start + 1;
  while (at < value.end - 1) {
    let key = null;
    if (isObject) {
      const end = endOfString(text, at);
      key = decodeString(text.slice(at, end));
      at = end + 1;
    }
    const end = endOfValue(text, at);
    yield { key, value: { text, start: at, end } };
    at = end + 1;
  }
}

/** @param {string} text a JSON string with its quotes */
function decodeString(text) {
  try {
    return String(JSON.parse(text));
  } catch (error) {
    return text;
  }
}

/**
 * The value of a member; null if there is none. Values that aren't objects have none.
 * @param {RawValue | null} value
 * @param {string} name
 */
function rawMember(value, name) {
  if (value === null || rawKind(value) !== "object") return null;
  for (const member of rawMembers(value)) {
    if (member.key === name) return member.value;
  }
  return null;
}

/**
 * The text of a string value, or the JSON of any other.
 * @param {RawValue} value
 */
function plainText(value) {
  const text = rawText(value);
  return rawKind(value) === "string" ? decodeString(text) : text;
}

/**
 * The value of a line, which is always its last member; null if it has none.
 * @param {string} line
 * @returns {RawValue | null}
 */
function rawValueOf(line) {
  const at = line.indexOf(",\"value\":");
  return at < 0 ? null : { text: line, start: at + 9, end: line.length - 1 };
}

/**
 * The states in a `frame` line.
 * @param {string} raw
 * @returns {RawValue}
 */
function statesOf(raw) {
  const at = raw.indexOf(",\"states\":");
  const start = at < 0 ? raw.length : at + 10;
  return { text: raw, start, end: endOfValue(raw, start) };
}
