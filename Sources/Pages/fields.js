// @ts-check
// The fields of forms, made from the schemas of values.

/**
 * A part of a form.
 * `read`: its JSON; null if its member is left out.
 * `write`: shows a value, and tells whether it shows all of it.
 * `part`: the field of a member or element; null if it has none of its own.
 * @typedef {{
 *   node: HTMLElement, read: () => string | null, write: (value: RawValue) => boolean,
 *   part: (key: string) => Field | null, isAny?: boolean,
 * }} Field
 * @typedef {{
 *   root: any, depth: number, isWanted: boolean, defaults: RawValue | null, changed: () => void,
 * }} FormContext
 *   `isWanted`: a value that may be null is given at first; `defaults`: what members are that are
 *   left out
 */

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;
/** No value: a member that is left out. */
const NOTHING = rawValue("");
const MAX_FORM_DEPTH = 12;
const MAX_FORM_ELEMENTS = 200;
let fieldCount = 0;

/** A field without fields of its own. */
const noPart = () => null;

/**
 * Whether a text is JSON.
 * @param {string} text
 */
function isJSON(text) {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    return false;
  }
}

/**
 * JSON without white space, as it is in lines of a session.
 * @param {string} text
 */
function compactJSON(text) {
  return text.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, "$1");
}

// Schemas.

/**
 * Follows a reference within the schema.
 * @param {any} schema
 * @param {any} root
 * @returns {any}
 */
function resolved(schema, root) {
  let found = schema;
  for (let depth = 0; depth < 20 && found && typeof found.$ref === "string"; depth += 1) {
    found = found.$ref.split("/").slice(1).reduce(
      (/** @type {any} */ part, /** @type {string} */ key) => memberOf(part,
        key.replace(/~1/g, "/").replace(/~0/g, "~")), root);
  }
  return found && typeof found === "object" ? found : {};
}

/**
 * @param {any} value
 * @param {string} key
 */
function memberOf(value, key) {
  return value && Object.prototype.hasOwnProperty.call(value, key) ? value[key] : null;
}

/**
 * The types that a schema allows; none if it doesn't say so.
 * @param {any} schema
 * @returns {string[]}
 */
function typesOf(schema) {
  if (schema.type === undefined) return [];
  return Array.isArray(schema.type) ? schema.type : [schema.type];
}

/**
 * What a schema allows besides null, and whether it allows that.
 * @param {any} schema
 * @param {any} root
 * @returns {{choices: any[], isNullable: boolean}}
 */
function choicesOf(schema, root) {
  const all = schema.anyOf || schema.oneOf;
  if (Array.isArray(all)) {
    const choices = all.map((choice) => resolved(choice, root));
    const real = choices.filter((choice) => choice.type !== "null" && choice.const !== null);
    return { choices: real, isNullable: real.length < choices.length };
  }
  const types = typesOf(schema);
  const real = types.filter((type) => type !== "null");
  return {
    choices: real.length > 1 ? real.map((type) => ({ ...schema, type })) : [],
    isNullable: real.length < types.length,
  };
}

/**
 * A field for a schema, or one for any JSON where the schema says too little.
 * @param {any} schema
 * @param {string} name
 * @param {FormContext} context
 * @returns {Field}
 */
function fieldFor(schema, name, context) {
  const { root } = context;
  const rule = resolved(schema, root);
  const inner = { ...context, depth: context.depth + 1, isWanted: false, defaults: null };
  if (inner.depth > MAX_FORM_DEPTH || Array.isArray(rule.allOf)) return anyField(name, context);
  if (rule.const !== undefined) return choiceField([rule.const], name, context);
  if (Array.isArray(rule.enum)) return choiceField(rule.enum, name, context);
  const { choices, isNullable } = choicesOf(rule, root);
  const [type] = typesOf(rule).filter((other) => other !== "null");
  const make = choices.length > 1 ? () => unionField(choices, name, inner)
    : choices.length === 1 ? () => fieldFor(choices[0], name, inner)
      : () => fieldOfType(type, rule, name, { ...inner, defaults: context.defaults });
  return isNullable ? optionalField(make, name, context, "null") : make();
}

/**
 * @param {string | undefined} type
 * @param {any} schema
 * @param {string} name
 * @param {FormContext} context
 * @returns {Field}
 */
function fieldOfType(type, schema, name, context) {
  switch (type) {
    case "string": return textField(schema, name, context);
    case "boolean": return flagField(schema, name, context);
    case "integer": case "number": return numberField(schema, name, context);
    case "array": return schema.items ? listField(schema.items, name, context)
      : anyField(name, context);
    case "object": return schema.properties ? objectField(schema, name, context)
      : anyField(name, context);
    default: return anyField(name, context);
  }
}

// Fields for values without members.

/**
 * @param {string} name
 * @param {HTMLElement} control
 * @param {any} [schema]
 */
function labelled(name, control, schema = {}) {
  fieldCount += 1;
  control.id = `field-${fieldCount}`;
  const limits = [
    schema.minimum === undefined ? "" : `at least ${schema.minimum}`,
    schema.maximum === undefined ? "" : `at most ${schema.maximum}`,
  ].filter(Boolean).join(", ");
  const hint = [typeof schema.description === "string" ? schema.description : "", limits]
    .filter(Boolean).join(" · ");
  if (hint) control.setAttribute("aria-describedby", `${control.id}-hint`);
  return element("div", { class: "field" },
    element("label", { for: control.id, title: name.length > 24 ? shortText(name) : null },
      shortText(name)), control,
    hint ? element("span", { class: "quiet hint", id: `${control.id}-hint` }, shortText(hint, 300))
      : null);
}

/**
 * @param {any} schema
 * @param {string} name
 * @param {FormContext} context
 * @returns {Field}
 */
function textField(schema, name, { changed }) {
  const control = element("input", {
    type: "text", autocomplete: "off", spellcheck: "false", input: changed,
  });
  return {
    node: labelled(name, control, schema), read: () => JSON.stringify(control.value),
    write: (value) => {
      if (rawKind(value) !== "string") return false;
      const text = plainText(value);
      control.value = text;
      // A line can't show several of them.
      return control.value === text;
    },
    part: noPart,
  };
}

/**
 * @param {any} schema
 * @param {string} name
 * @param {FormContext} context
 * @returns {Field}
 */
function numberField(schema, name, { changed }) {
  const control = element("input", {
    type: "text", inputmode: "decimal", autocomplete: "off", value: "0", input: () => {
      check();
      changed();
    },
  });
  const check = () => {
    control.setAttribute("aria-invalid", String(!NUMBER.test(control.value.trim())));
  };
  return {
    node: labelled(name, control, schema), read: () => control.value.trim(),
    write: (value) => {
      if (rawKind(value) !== "number") return false;
      control.value = rawText(value);
      check();
      return true;
    },
    part: noPart,
  };
}

/**
 * @param {any} schema
 * @param {string} name
 * @param {FormContext} context
 * @returns {Field}
 */
function flagField(schema, name, { changed }) {
  const control = element("input", { type: "checkbox", change: changed });
  return {
    node: labelled(name, control, schema), read: () => String(control.checked),
    write: (value) => {
      const text = rawText(value);
      control.checked = text === "true";
      return text === "true" || text === "false";
    },
    part: noPart,
  };
}

/**
 * @param {any[]} values
 * @param {string} name
 * @param {FormContext} context
 * @returns {Field}
 */
function choiceField(values, name, context) {
  // JavaScript has read the schema, and rounds longer integers.
  if (values.some((value) => Number.isInteger(value) && !Number.isSafeInteger(value))) {
    return anyField(name, context);
  }
  const texts = values.map((value) => JSON.stringify(value));
  const control = element("select", { change: context.changed }, ...texts.map((text, index) =>
    element("option", { value: index }, shortText(plainText(rawValue(text)) || text))));
  return {
    node: labelled(name, control), read: () => texts[Number(control.value)],
    write: (value) => {
      const index = texts.indexOf(rawText(value));
      if (index >= 0) control.value = String(index);
      return index >= 0;
    },
    part: noPart,
  };
}

/**
 * Any JSON.
 * @param {string} name
 * @param {FormContext} context
 * @returns {Field}
 */
function anyField(name, { changed }) {
  const control = element("textarea", { rows: 2, spellcheck: "false", class: "json",
    input: () => {
      control.setAttribute("aria-invalid", String(!isJSON(control.value)));
      changed();
    } });
  control.value = "null";
  return {
    node: labelled(name, control), read: () => compactJSON(control.value),
    write: (value) => {
      control.value = rawText(value);
      return true;
    },
    part: noPart, isAny: true,
  };
}

// Fields for values that are composed or may be missing.

/**
 * A field that may be empty.
 * @param {() => Field} make
 * @param {string} name
 * @param {FormContext} context
 * @param {string | null} empty what an empty field reads as; null if its member is left out then
 * @param {RawValue | null} [given] what a member is that is left out
 * @returns {Field}
 */
function optionalField(make, name, { changed, isWanted }, empty, given = null) {
  /** @type {Field | null} */
  let field = null;
  const control = element("input", {
    type: "checkbox", checked: isWanted, "aria-label": `${shortText(name)}: give a value`,
    title: "Give a value", change: () => {
      show();
      changed();
    },
  });
  const body = element("div");
  // The field is made when it is needed, since a schema may contain itself.
  const show = () => {
    if (control.checked && !field) {
      field = make();
      if (given) field.write(given);
    }
    fill(body, control.checked && field ? field.node : element("span", { class: "quiet" },
      element("code", {}, shortText(name)), " ", given ? inlineValue(given, 60)
        : empty || "left out"));
    return field;
  };
  show();
  return {
    node: element("div", { class: "optional" }, control, body),
    read: () => (control.checked && field ? field.read() : empty),
    write: (value) => {
      control.checked = rawLength(value) > 0 && rawText(value) !== empty;
      const shown = show();
      return !control.checked || (shown !== null && shown.write(value));
    },
    part: (key) => (control.checked && field ? field.part(key) : null),
  };
}

/**
 * One of several kinds of values.
 * @param {any[]} schemas
 * @param {string} name
 * @param {FormContext} context
 * @returns {Field}
 */
function unionField(schemas, name, context) {
  const body = element("div");
  /** @type {Field} */
  let field;
  /** @param {number} index */
  const choose = (index) => {
    field = fieldFor(schemas[index], name, context);
    select.value = String(index);
    fill(body, field.node);
  };
  const select = choice(`${shortText(name)}: kind of value`, schemas.map((schema, index) =>
    /** @type {[string, string]} */ ([String(index), kindText(schema, index)])), (index) => {
    choose(Number(index));
    context.changed();
  });
  choose(0);
  return {
    node: element("div", { class: "union" }, select, body), read: () => field.read(),
    write: (value) => {
      for (let index = 0; index < schemas.length; index += 1) {
        choose(index);
        if (field.write(value)) return true;
      }
      return false;
    },
    part: (key) => field.part(key),
  };
}

/**
 * What to call one of several schemas.
 * @param {any} schema
 * @param {number} index
 */
function kindText(schema, index) {
  if (typeof schema.title === "string") return shortText(schema.title, 40);
  if (schema.const !== undefined) return shortText(JSON.stringify(schema.const), 40);
  const required = Array.isArray(schema.required) ? schema.required : [];
  return [...typesOf(schema), ...required.slice(0, 3)].map((word) => shortText(word, 20)).join(" ")
    || `kind ${index + 1}`;
}

/**
 * @param {any} schema
 * @param {string} name
 * @param {FormContext} context
 * @returns {Field}
 */
function objectField(schema, name, context) {
  const required = Array.isArray(schema.required) ? schema.required : [];
  /** @type {Map<string, Field>} */
  const fields = new Map();
  const { defaults, ...others } = context;
  const inner = { ...others, defaults: null };
  for (const [key, member] of Object.entries(schema.properties)) {
    const make = () => fieldFor(member, key, { ...inner, isWanted: true });
    fields.set(key, required.includes(key) ? fieldFor(member, key, inner)
      : optionalField(make, key, inner, null, rawMember(defaults, key)));
  }
  const node = element("fieldset", {}, name ? element("legend", {}, shortText(name)) : null,
    ...[...fields.values()].map((field) => field.node));
  return {
    node,
    read: () => {
      const members = [];
      for (const [key, field] of fields) {
        const text = field.read();
        if (text !== null) members.push(`${JSON.stringify(key)}:${text}`);
      }
      return `{${members.join(",")}}`;
    },
    write: (value) => {
      if (rawKind(value) !== "object") return false;
      const rest = new Map(fields);
      let fits = true;
      for (const { key, value: member } of rawMembers(value)) {
        const field = rest.get(key || "");
        rest.delete(key || "");
        fits = field !== undefined && field.write(member) && fits;
      }
      for (const [key, field] of rest) {
        if (required.includes(key)) fits = false;
        else field.write(NOTHING);
      }
      return fits;
    },
    part: (key) => fields.get(key) || null,
  };
}

/**
 * @param {any} items
 * @param {string} name
 * @param {FormContext} context
 * @returns {Field}
 */
function listField(items, name, context) {
  /** @type {Field[]} */
  let fields = [];
  const body = element("div");
  const add = (/** @type {RawValue | null} */ value) => {
    const index = fields.length;
    const field = fieldFor(items, String(index), context);
    fields.push(field);
    append(body, element("div", { class: "item" }, field.node,
      button("−", () => remove(index), { "aria-label": `Remove element ${index}` })));
    return value === null || field.write(value);
  };
  const remove = (/** @type {number} */ index) => {
    const texts = fields.map((field) => field.read() || "null");
    texts.splice(index, 1);
    show(texts.map(rawValue));
    more.focus();
    context.changed();
  };
  const show = (/** @type {RawValue[]} */ values) => {
    fields = [];
    fill(body);
    return values.reduce((fits, value) => add(value) && fits, true);
  };
  const more = button("+ element", () => {
    add(null);
    const control = fields[fields.length - 1].node.querySelector("input, select, textarea");
    if (control instanceof HTMLElement) control.focus();
    context.changed();
  });
  return {
    node: element("fieldset", {}, name ? element("legend", {}, shortText(name)) : null, body, more),
    read: () => `[${fields.map((field) => field.read()).join(",")}]`,
    write: (value) => {
      if (rawKind(value) !== "array") return false;
      /** @type {RawValue[]} */
      const values = [];
      for (const { value: member } of rawMembers(value)) {
        if (values.length >= MAX_FORM_ELEMENTS) return false;
        values.push(member);
      }
      return show(values);
    },
    part: (key) => fields[Number(key)] || null,
  };
}
