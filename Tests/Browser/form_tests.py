"""Forms of the live page."""

import json

from browser import folder
from live_tests import TMDB, at_step, inspected, send

TREE = {"$ref": "#/$defs/tree", "$defs": {"tree": {
    "type": "object", "required": ["name", "children"], "properties": {
        "name": {"type": "string"},
        "children": {"type": "array", "items": {"$ref": "#/$defs/tree"}},
    }}}}
POINT = {"type": "object", "required": ["x"],
         "properties": {"x": {"type": "integer"}, "y": {"type": ["integer", "null"]}}}
SHAPE = {"oneOf": [
    {"type": "object", "required": ["kind", "radius"], "properties": {
        "kind": {"const": "circle"}, "radius": {"type": "number"}}},
    {"type": "object", "required": ["kind", "side"], "properties": {
        "kind": {"const": "square"}, "side": {"type": "number"}}}]}
LOOP = {"$ref": "#/$defs/loop", "$defs": {"loop": {
    "type": "object", "required": ["next"], "properties": {"next": {"$ref": "#/$defs/loop"}}}}}

# Values that a form shows as a whole, and reads as they were written.
SHOWN = [
    ({"type": "string"}, '"é \\"x\\""'), ({"type": "integer"}, "12345678901234567890123"),
    ({"type": "number"}, "1e400"), ({"type": "number"}, "-0.10"), ({"type": "boolean"}, "true"),
    ({"enum": ["a", "b", None]}, "null"), ({"enum": [1, "", False]}, '""'), ({"const": "a"}, '"a"'),
    ({"enum": [12345678901234567890]}, "12345678901234567890"),
    ({"type": ["string", "null"]}, "null"), ({"type": ["string", "null"]}, '"null"'),
    ({"anyOf": [{"type": "null"}, POINT]}, '{"x":1}'),
    ({"anyOf": [{"type": "null"}, POINT]}, "null"),
    ({"type": ["string", "integer"]}, "7"), ({"type": ["string", "integer"]}, '"7"'),
    (POINT, '{"x":1}'), (POINT, '{"x":1,"y":null}'), (POINT, '{"x":1,"y":2}'),
    (SHAPE, '{"kind":"circle","radius":1.50}'), (SHAPE, '{"kind":"square","side":2}'),
    ({"type": "array", "items": POINT}, '[{"x":1},{"x":2,"y":3}]'),
    ({"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}, "[[1],[],[2]]"),
    (TREE, '{"name":"a","children":[{"name":"b","children":[]}]}'),
    ({"type": "object", "properties": {"__proto__": {"type": "string"}}}, '{"__proto__":"a"}'),
    ({}, '{"any":[1,{"thing":null}]}'), ({"type": "object"}, '{"a":1}'),
    ({"allOf": [POINT]}, '{"x":1}'),
]
# Values that it doesn't show as a whole, and says so.
NOT_SHOWN = [
    ({"type": "string"}, "1"), ({"type": "string"}, '"two\\nlines"'), ({"type": "integer"}, '"1"'),
    ({"type": "boolean"}, "null"), ({"enum": ["a"]}, '"b"'), ({"const": 1}, "2"), (POINT, "{}"),
    (POINT, '{"x":1,"z":2}'), (POINT, '{"x":"1"}'), (SHAPE, '{"kind":"other"}'),
    ({"type": "array", "items": {"type": "string"}}, '["a",1]'),
    ({"type": "array", "items": {"type": "string"}}, json.dumps(["a"] * 201)),
]
WRITE = """([schemaText, text]) => {
  const schema = JSON.parse(schemaText);
  const field = fieldFor(schema, "v",
    { root: schema, depth: 0, isWanted: true, defaults: null, changed: () => {} });
  const isShown = field.write(rawValue(text));
  return [isShown, field.read()];
}"""


def test_forms_read_what_they_show(browser):
    with inspected(browser, "hello.so") as page:
        for schema, text in SHOWN:
            found = page.evaluate(WRITE, [json.dumps(schema), text])
            assert found == [True, text], (schema, text, found)
        for schema, text in NOT_SHOWN:
            assert page.evaluate(WRITE, [json.dumps(schema), text])[0] is False, (schema, text)
        # A schema that only contains itself has no end.
        assert page.evaluate(WRITE, [json.dumps(LOOP), "{}"])[0] is False
        return f"{len(SHOWN)} shown, {len(NOT_SHOWN) + 1} not"


def test_forms_and_json_edit_each_other(browser):
    with inspected(browser, "kitfixture.so", "--view-model", "kit.ports") as page:
        port = page.locator(".port", has_text="setPoint")
        port.locator("summary").click()
        raw = page.get_by_label("setPoint as JSON")
        port.get_by_label("x", exact=True).fill("3")
        assert raw.input_value() == '{"x":3}'
        raw.fill('{\n  "x": 9007199254740993,\n  "y": 1\n}')
        assert port.get_by_label("x", exact=True).input_value() == "9007199254740993"
        assert port.get_by_label("y", exact=True).input_value() == "1"
        page.get_by_role("button", name="Send setPoint", exact=True).click()
        at_step(page, 2)
        line = page.locator(".row[aria-selected=true] code").inner_text()
        assert line == '> setPoint {"x":9007199254740993,"y":1}', line
        note = port.get_by_text("The form doesn't show all of this JSON.")
        assert not note.is_visible()
        raw.fill('{"x":1,"z":2}')
        note.wait_for()
        port.get_by_label("x", exact=True).fill("no number")
        assert not note.is_visible()
        page.get_by_role("button", name="Send setPoint", exact=True).click()
        port.get_by_text("This is not JSON.").wait_for()
        assert page.evaluate("document.activeElement.value") == "no number"


def refusal(page, form, label):
    """What is said at a field, once it is said there."""
    control = form.get_by_label(label, exact=True)
    message = page.locator(f"#{control.get_attribute('aria-errormessage') or 'none'}")
    return message.inner_text() if message.count() else ""


def test_shows_refusals_at_the_fields_that_they_are_about(browser):
    cases = [
        ("setPoint", '{"x":"a"}', "x", 'expected an integer, found "a".'),
        ("setPoint", '{"y":1}', "x", 'expected the member "x", which is missing.'),
        ("setList", '["a",3,"b"]', "1", "expected a string, found 3."),
        ("setNumber", "1.5", "setNumber", "expected an integer, found 1.5."),
    ]
    with inspected(browser, "kitfixture.so", "--view-model", "kit.ports") as page:
        for port, value, label, message in cases:
            form = page.locator(".port", has_text=port)
            if not page.get_by_label(f"{port} as JSON").is_visible():
                form.locator("summary").click()
            page.get_by_label(f"{port} as JSON").fill(value)
            page.get_by_role("button", name=f"Send {port}", exact=True).click()
            form.locator(".problem").filter(has_text="expected").wait_for()
            assert refusal(page, form, label).endswith(message), (port, value)
            assert form.get_by_label(label, exact=True).get_attribute("aria-invalid") == "true"
            # What is said goes away with the next change.
            page.get_by_label(f"{port} as JSON").fill("null")
            assert form.locator(".problem").inner_text() == "", port


def test_opens_instances_with_a_config(browser):
    with inspected(browser, "movies.so") as page:
        page.get_by_text("Open another instance").click()
        opener = page.locator(".opener")
        page.get_by_label("View model").select_option("movies.details")
        assert '"https://api.themoviedb.org"' in opener.inner_text()
        opener.get_by_label("movie: give a value").first.check()
        opener.get_by_label("movie: give a value").last.check()
        opener.get_by_label("id", exact=True).fill("7")
        opener.get_by_label("title: give a value").first.check()
        opener.get_by_label("title", exact=True).fill("Jaws")
        opener.get_by_role("button", name="Open", exact=True).click()
        page.locator(".instance-card h2").filter(has_text="details").wait_for()
        assert '"Jaws"' in page.locator(".frame").inner_text()
        opener.locator("summary").last.click()
        page.get_by_label("config as JSON").fill('{"movie":{"id":4}}')
        page.get_by_label("Handle", exact=True).fill("other")
        opener.get_by_role("button", name="Open", exact=True).click()
        opener.locator(".problem").filter(has_text="expected a string, found 4.").wait_for()
        assert "expected a string" in refusal(page, opener, "id")


def test_keeps_what_was_typed_while_instances_come_and_go(browser):
    with inspected(browser, "movies.so") as page:
        page.get_by_label("didSearch", exact=True).fill("half")
        page.get_by_text("Open another instance").click()
        page.get_by_label("Handle", exact=True).fill("second")
        page.get_by_role("button", name="Open", exact=True).click()
        page.get_by_role("button", name="Close second").click()
        at_step(page, 3)
        assert page.get_by_label("didSearch", exact=True).input_value() == "half"
        page.get_by_label("didSearch", exact=True).press("Enter")
        at_step(page, 4)
