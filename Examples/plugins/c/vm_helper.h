/*
 * vm_helper.h: what most plugins in C11 and C++17 need besides vm_plugin.h.
 *
 * It isn't part of the interface between host and plugin: change your copy as you like.
 *
 *   bytes      vm_text, vm_equal, and vm_buffer, which grows
 *   writer     vm_write_…: appends JSON to a buffer, with commas and escapes
 *   reader     vm_is_json, vm_member, vm_next_item, vm_read_…: finds values in JSON
 *   queue      vm_emit…, vm_ask, vm_log…: events that wait to be polled
 *   manifest   vm_manifest_…: describes the plugin
 *   VM_PLUGIN  defines the function that a plugin exports
 *
 * Running out of memory is remembered by what grows, and `vm_poll` then says VM_E_FAILED.
 */
#ifndef VM_HELPER_H
#define VM_HELPER_H

#include "vm_plugin.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Bytes ---- */

/* The bytes of a C string. */
static inline vm_bytes vm_text(const char *text) {
  vm_bytes bytes;
  bytes.data = (const uint8_t *)text;
  bytes.size = text ? strlen(text) : 0;
  return bytes;
}

static inline bool vm_equal(vm_bytes bytes, const char *text) {
  const size_t size = strlen(text);
  return bytes.size == size && (size == 0 || memcmp(bytes.data, text, size) == 0);
}

/* Bytes that grow; all zero, or made by vm_new_buffer. Once memory ran out it stays as it is. */
typedef struct vm_buffer {
  uint8_t *data;
  size_t size, capacity;
  bool failed;
} vm_buffer;

static inline vm_buffer vm_new_buffer(void) {
  vm_buffer buffer;
  memset(&buffer, 0, sizeof buffer);
  return buffer;
}

static inline void vm_free_buffer(vm_buffer *buffer) {
  free(buffer->data);
  *buffer = vm_new_buffer();
}

static inline vm_bytes vm_contents(const vm_buffer *buffer) {
  vm_bytes bytes;
  bytes.data = buffer->data;
  bytes.size = buffer->size;
  return bytes;
}

static inline void vm_append(vm_buffer *buffer, const void *data, size_t size) {
  if (buffer->failed || size == 0) return;
  if (size > buffer->capacity - buffer->size) {
    size_t capacity = buffer->capacity ? buffer->capacity : 64;
    while (capacity - buffer->size < size && capacity <= SIZE_MAX / 2) capacity *= 2;
    uint8_t *larger = NULL;
    if (capacity - buffer->size >= size) larger = (uint8_t *)realloc(buffer->data, capacity);
    if (!larger) {
      buffer->failed = true;
      return;
    }
    buffer->data = larger;
    buffer->capacity = capacity;
  }
  memcpy(buffer->data + buffer->size, data, size);
  buffer->size += size;
}

/* Appends a character as UTF-8. */
static inline void vm_append_scalar(vm_buffer *buffer, uint32_t scalar) {
  uint8_t utf8[4];
  size_t size = 0;
  if (scalar < 0x80) {
    utf8[size++] = (uint8_t)scalar;
  } else if (scalar < 0x800) {
    utf8[size++] = (uint8_t)(0xC0 | scalar >> 6);
  } else if (scalar < 0x10000) {
    utf8[size++] = (uint8_t)(0xE0 | scalar >> 12);
    utf8[size++] = (uint8_t)(0x80 | (scalar >> 6 & 0x3F));
  } else {
    utf8[size++] = (uint8_t)(0xF0 | scalar >> 18);
    utf8[size++] = (uint8_t)(0x80 | (scalar >> 12 & 0x3F));
    utf8[size++] = (uint8_t)(0x80 | (scalar >> 6 & 0x3F));
  }
  if (scalar >= 0x80) utf8[size++] = (uint8_t)(0x80 | (scalar & 0x3F));
  vm_append(buffer, utf8, size);
}

/* ---- The writer ---- */

/* Appends a value that is JSON already, with a comma before it where one belongs. */
static inline void vm_write_json(vm_buffer *json, vm_bytes value) {
  const uint8_t last = json->size ? json->data[json->size - 1] : (uint8_t)'[';
  if (last != '[' && last != '{' && last != ':') vm_append(json, ",", 1);
  vm_append(json, value.data, value.size);
}

static inline void vm_write_null(vm_buffer *json) { vm_write_json(json, vm_text("null")); }

static inline void vm_write_bool(vm_buffer *json, bool value) {
  vm_write_json(json, vm_text(value ? "true" : "false"));
}

static inline void vm_write_int(vm_buffer *json, int64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%lld", (long long)value);
  vm_write_json(json, vm_text(text));
}

/* Writes as few digits as tell the number from its neighbours; null for what JSON doesn't have. */
static inline void vm_write_double(vm_buffer *json, double value) {
  char text[40];
  if (!(value - value == 0)) {
    vm_write_null(json);
    return;
  }
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  /* The C library writes the decimal point of the process's locale. */
  size_t size = 0;
  for (const char *next = text; *next; next++) {
    if (strchr("0123456789+-e", *next)) {
      text[size++] = *next;
    } else if (size == 0 || text[size - 1] != '.') {
      text[size++] = '.';
    }
  }
  text[size] = '\0';
  vm_write_json(json, vm_text(text));
}

/* Writes text, which is UTF-8. */
static inline void vm_write_string(vm_buffer *json, vm_bytes text) {
  vm_write_json(json, vm_text("\""));
  for (size_t index = 0; index < text.size; index++) {
    const uint8_t byte = text.data[index];
    char escape[8] = "\\";
    if (byte < 0x20) {
      snprintf(escape, sizeof escape, "\\u%04x", (unsigned)byte);
      vm_append(json, escape, 6);
    } else {
      if (byte == '"' || byte == '\\') vm_append(json, escape, 1);
      vm_append(json, &byte, 1);
    }
  }
  vm_append(json, "\"", 1);
}

static inline void vm_begin_array(vm_buffer *json) { vm_write_json(json, vm_text("[")); }
static inline void vm_end_array(vm_buffer *json) { vm_append(json, "]", 1); }
static inline void vm_begin_object(vm_buffer *json) { vm_write_json(json, vm_text("{")); }
static inline void vm_end_object(vm_buffer *json) { vm_append(json, "}", 1); }

/* The key of the member whose value is written next. */
static inline void vm_write_key(vm_buffer *json, const char *key) {
  vm_write_string(json, vm_text(key));
  vm_append(json, ":", 1);
}

/* ---- The reader ----
 * A value is the bytes that it is written in. Whatever is in them, no function reads past them, and
 * each says false where they aren't what it looks for. */

typedef enum vm_type {
  VM_TYPE_NONE, /* not the beginning of a value */
  VM_TYPE_NULL,
  VM_TYPE_BOOL,
  VM_TYPE_NUMBER,
  VM_TYPE_STRING,
  VM_TYPE_ARRAY,
  VM_TYPE_OBJECT
} vm_type;

/* Arrays and objects inside each other; the host has 256 at most. */
#define VM_MAX_DEPTH 256

/* The vm_scan_… functions give the place behind what they found, or NULL if it isn't there. */
static inline const uint8_t *vm_scan_blanks(const uint8_t *at, const uint8_t *end) {
  while (at != end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) at++;
  return at;
}

static inline const uint8_t *vm_scan_text(const uint8_t *at, const uint8_t *end, const char *text) {
  const size_t size = strlen(text);
  if ((size_t)(end - at) < size || memcmp(at, text, size) != 0) return NULL;
  return at + size;
}

static inline const uint8_t *vm_scan_hex(const uint8_t *at, const uint8_t *end, uint32_t *unit) {
  if (end - at < 4) return NULL;
  *unit = 0;
  for (const uint8_t *last = at + 4; at != last; at++) {
    uint32_t digit = *at;
    if (digit >= '0' && digit <= '9') {
      digit -= '0';
    } else if ((digit | 0x20) >= 'a' && (digit | 0x20) <= 'f') {
      digit = (digit | 0x20) - 'a' + 10;
    } else {
      return NULL;
    }
    *unit = *unit << 4 | digit;
  }
  return at;
}

/* What stands behind a backslash. Half of a surrogate pair isn't a character. */
static inline const uint8_t *vm_scan_escape(
    const uint8_t *at, const uint8_t *end, uint32_t *scalar) {
  static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  if (at == end) return NULL;
  if (*at != 'u') {
    const char *name = *at ? strchr(names, *at) : NULL;
    if (!name) return NULL;
    *scalar = (uint32_t)values[name - names];
    return at + 1;
  }
  at = vm_scan_hex(at + 1, end, scalar);
  if (!at || *scalar < 0xD800 || *scalar > 0xDFFF) return at;
  uint32_t low = 0;
  if (*scalar > 0xDBFF || !(at = vm_scan_text(at, end, "\\u"))) return NULL;
  at = vm_scan_hex(at, end, &low);
  if (!at || low < 0xDC00 || low > 0xDFFF) return NULL;
  *scalar = 0x10000 + ((*scalar - 0xD800) << 10) + (low - 0xDC00);
  return at;
}

/* One character of UTF-8; the shortest form only. */
static inline const uint8_t *vm_scan_utf8(const uint8_t *at, const uint8_t *end, uint32_t *scalar) {
  static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  if (at == end) return NULL;
  const uint32_t first = *at++;
  const int more = first < 0x80 ? 0 : first < 0xC2 ? -1 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  if (more < 0 || first > 0xF4 || end - at < more) return NULL;
  *scalar = more == 0 ? first : first & (0x3Fu >> more);
  for (int count = 0; count < more; count++, at++) {
    if ((*at & 0xC0) != 0x80) return NULL;
    *scalar = *scalar << 6 | (*at & 0x3Fu);
  }
  const bool surrogate = *scalar >= 0xD800 && *scalar <= 0xDFFF;
  return *scalar < least[more] || *scalar > 0x10FFFF || surrogate ? NULL : at;
}

/* One character of a string, as it is or escaped. */
static inline const uint8_t *vm_scan_character(
    const uint8_t *at, const uint8_t *end, uint32_t *scalar) {
  if (at == end || *at < 0x20) return NULL;
  return *at == '\\' ? vm_scan_escape(at + 1, end, scalar) : vm_scan_utf8(at, end, scalar);
}

/* A string; its text goes to `text`, unless that is NULL. */
static inline const uint8_t *vm_scan_string(
    const uint8_t *at, const uint8_t *end, vm_buffer *text) {
  uint32_t scalar = 0;
  if (at == end || *at++ != '"') return NULL;
  while (at && at != end && *at != '"') {
    at = vm_scan_character(at, end, &scalar);
    if (at && text) vm_append_scalar(text, scalar);
  }
  return at && at != end ? at + 1 : NULL;
}

static inline const uint8_t *vm_scan_digits(const uint8_t *at, const uint8_t *end) {
  const uint8_t *first = at;
  while (at != end && *at >= '0' && *at <= '9') at++;
  return at == first ? NULL : at;
}

static inline const uint8_t *vm_scan_number(const uint8_t *at, const uint8_t *end) {
  if (at != end && *at == '-') at++;
  at = at != end && *at == '0' ? at + 1 : vm_scan_digits(at, end);
  if (at && at != end && *at == '.') at = vm_scan_digits(at + 1, end);
  if (at && at != end && (*at | 0x20) == 'e') {
    at++;
    if (at != end && (*at == '+' || *at == '-')) at++;
    at = vm_scan_digits(at, end);
  }
  return at;
}

static inline const uint8_t *vm_scan_value(const uint8_t *at, const uint8_t *end, int depth);

/* Goes on to the next item of an array or member of an object, or to the end of it, which gives
 * NULL as a value. At first `at` is behind the bracket. */
static inline const uint8_t *vm_scan_next(
    const uint8_t *at, const uint8_t *end, int depth, bool first, vm_bytes *key, vm_bytes *value) {
  value->data = NULL;
  at = vm_scan_blanks(at, end);
  if (at == end) return NULL;
  if (*at == (key ? '}' : ']')) return at + 1;
  if (!first) {
    if (*at++ != ',') return NULL;
    at = vm_scan_blanks(at, end);
  }
  if (key) {
    key->data = at;
    if (!(at = vm_scan_string(at, end, NULL))) return NULL;
    key->size = (size_t)(at - key->data);
    at = vm_scan_blanks(at, end);
    if (at == end || *at++ != ':') return NULL;
  }
  const uint8_t *start = vm_scan_blanks(at, end);
  if (!(at = vm_scan_value(start, end, depth))) return NULL;
  value->data = start;
  value->size = (size_t)(at - start);
  return at;
}

static inline const uint8_t *vm_scan_value(const uint8_t *at, const uint8_t *end, int depth) {
  if (at == end) return NULL;
  switch (*at) {
  case 'n': return vm_scan_text(at, end, "null");
  case 't': return vm_scan_text(at, end, "true");
  case 'f': return vm_scan_text(at, end, "false");
  case '"': return vm_scan_string(at, end, NULL);
  case '[':
  case '{': break;
  default: return vm_scan_number(at, end);
  }
  if (depth == VM_MAX_DEPTH) return NULL;
  vm_bytes key, value;
  vm_bytes *const keys = *at == '{' ? &key : NULL;
  bool first = true;
  at++;
  do {
    at = vm_scan_next(at, end, depth + 1, first, keys, &value);
    first = false;
  } while (at && value.data);
  return at;
}

/* Whether these bytes are JSON: one value, with nothing but blanks around it. */
static inline bool vm_is_json(vm_bytes json) {
  if (json.size == 0) return false;
  const uint8_t *end = json.data + json.size;
  const uint8_t *at = vm_scan_value(vm_scan_blanks(json.data, end), end, 0);
  return at && vm_scan_blanks(at, end) == end;
}

/* What a value is, by its first character. */
static inline vm_type vm_type_of(vm_bytes value) {
  if (value.size == 0) return VM_TYPE_NONE;
  const uint8_t *end = value.data + value.size, *at = vm_scan_blanks(value.data, end);
  switch (at == end ? 0 : *at) {
  case 'n': return VM_TYPE_NULL;
  case 't':
  case 'f': return VM_TYPE_BOOL;
  case '"': return VM_TYPE_STRING;
  case '[': return VM_TYPE_ARRAY;
  case '{': return VM_TYPE_OBJECT;
  default: return at != end && vm_scan_number(at, end) ? VM_TYPE_NUMBER : VM_TYPE_NONE;
  }
}

static inline bool vm_next(vm_bytes whole, char bracket, vm_bytes *key, vm_bytes *value) {
  if (whole.size == 0) return false;
  const uint8_t *end = whole.data + whole.size, *at = vm_scan_blanks(whole.data, end);
  if (at == end || *at != bracket) return false;
  const bool first = !value->data;
  at = first ? at + 1 : value->data + value->size;
  return vm_scan_next(at, end, 1, first, key, value) && value->data;
}

/* The next item of an array, from `vm_bytes item = {NULL, 0}` on. After the last one it is false,
 * and before something that is broken: vm_is_json tells them apart beforehand. */
static inline bool vm_next_item(vm_bytes array, vm_bytes *item) {
  return vm_next(array, '[', NULL, item);
}

/* The same for the members of an object. The key is a string, with its quotes. */
static inline bool vm_next_member(vm_bytes object, vm_bytes *key, vm_bytes *value) {
  return vm_next(object, '{', key, value);
}

/* Gives the text of a string as the buffer's whole contents. */
static inline bool vm_read_string(vm_bytes value, vm_buffer *text) {
  text->size = 0;
  if (value.size == 0) return false;
  const uint8_t *end = value.data + value.size;
  const uint8_t *at = vm_scan_string(vm_scan_blanks(value.data, end), end, text);
  return at && vm_scan_blanks(at, end) == end && !text->failed;
}

/* The value of the first member with this key. */
static inline bool vm_member(vm_bytes object, const char *name, vm_bytes *value) {
  vm_bytes key = {NULL, 0};
  vm_buffer text = vm_new_buffer();
  bool found = false;
  value->data = NULL;
  while (!found && vm_next_member(object, &key, value)) {
    found = vm_read_string(key, &text) && vm_equal(vm_contents(&text), name);
  }
  vm_free_buffer(&text);
  return found;
}

static inline bool vm_read_bool(vm_bytes value, bool *result) {
  *result = vm_equal(value, "true");
  return *result || vm_equal(value, "false");
}

/* A number without a fraction or an exponent that has room in 64 bits. */
static inline bool vm_read_int(vm_bytes value, int64_t *result) {
  const bool negative = value.size && value.data[0] == '-';
  const uint64_t limit = (uint64_t)INT64_MAX + negative;
  uint64_t sum = 0;
  if (!vm_is_json(value) || value.size == negative) return false;
  for (size_t index = negative; index < value.size; index++) {
    const uint64_t digit = (uint64_t)value.data[index] - '0';
    if (digit > 9 || sum > (limit - digit) / 10) return false;
    sum = sum * 10 + digit;
  }
  *result = negative ? (int64_t)(0 - sum) : (int64_t)sum;
  return true;
}

static inline bool vm_read_double(vm_bytes value, double *result) {
  vm_buffer text = vm_new_buffer();
  if (vm_type_of(value) != VM_TYPE_NUMBER || !vm_is_json(value)) return false;
  for (size_t index = 0; index < value.size; index++) {
    if (value.data[index] == '.') {
      vm_append(&text, localeconv()->decimal_point, strlen(localeconv()->decimal_point));
    } else {
      vm_append(&text, &value.data[index], 1);
    }
  }
  vm_append(&text, "", 1);
  const bool ok = !text.failed;
  if (ok) *result = strtod((const char *)text.data, NULL);
  vm_free_buffer(&text);
  return ok && *result - *result == 0;
}

/* ---- The queue ---- */

/* Events that wait to be polled, with copies of their bytes; all zero to begin. */
typedef struct vm_queue {
  vm_buffer events, bytes;
  size_t next;
  uint64_t last_id; /* of a request */
} vm_queue;

typedef struct vm_queued {
  vm_event_kind kind;
  uint64_t id;
  size_t name, json, end;
} vm_queued;

/* Leaves an empty queue, which may be used again. */
static inline void vm_free_queue(vm_queue *queue) {
  vm_free_buffer(&queue->events);
  vm_free_buffer(&queue->bytes);
  queue->next = 0;
  queue->last_id = 0;
}

static inline void vm_push(
    vm_queue *queue, vm_event_kind kind, uint64_t id, const char *name, vm_bytes json) {
  /* Once all were polled, the room is used again. */
  if (queue->next == queue->events.size) queue->next = queue->events.size = queue->bytes.size = 0;
  vm_queued event;
  memset(&event, 0, sizeof event);
  event.kind = kind;
  event.id = id;
  event.name = queue->bytes.size;
  vm_append(&queue->bytes, name, strlen(name));
  event.json = queue->bytes.size;
  vm_append(&queue->bytes, json.data, json.size);
  event.end = queue->bytes.size;
  vm_append(&queue->events, &event, sizeof event);
}

/* The plugin's `poll`: takes the next event. Its bytes stay until something else is pushed. */
static inline vm_status vm_poll(vm_queue *queue, vm_event *out) {
  if (queue->events.failed || queue->bytes.failed) return VM_E_FAILED;
  if (queue->next == queue->events.size) return VM_IDLE;
  vm_queued event;
  memcpy(&event, queue->events.data + queue->next, sizeof event);
  queue->next += sizeof event;
  out->kind = event.kind;
  out->id = event.id;
  out->name.data = queue->bytes.data + event.name;
  out->name.size = event.json - event.name;
  out->json.data = queue->bytes.data + event.json;
  out->json.size = event.end - event.json;
  return VM_OK;
}

/* A state's or signal's value; no bytes for a signal without one. */
static inline void vm_emit(vm_queue *queue, const char *name, vm_bytes json) {
  vm_push(queue, VM_OUTPUT, 0, name, json);
}

/* Pushes what was written into a buffer, which is empty then. */
static inline void vm_push_written(
    vm_queue *queue, vm_event_kind kind, uint64_t id, const char *name, vm_buffer *json) {
  if (json->failed) queue->bytes.failed = true;
  vm_push(queue, kind, id, name, vm_contents(json));
  vm_free_buffer(json);
}

static inline void vm_emit_written(vm_queue *queue, const char *name, vm_buffer *json) {
  vm_push_written(queue, VM_OUTPUT, 0, name, json);
}

static inline void vm_emit_bool(vm_queue *queue, const char *name, bool value) {
  vm_emit(queue, name, vm_text(value ? "true" : "false"));
}

static inline void vm_emit_int(vm_queue *queue, const char *name, int64_t value) {
  vm_buffer json = vm_new_buffer();
  vm_write_int(&json, value);
  vm_emit_written(queue, name, &json);
}

static inline void vm_emit_string(vm_queue *queue, const char *name, vm_bytes text) {
  vm_buffer json = vm_new_buffer();
  vm_write_string(&json, text);
  vm_emit_written(queue, name, &json);
}

/* `level` is debug, info, warning or error. */
static inline void vm_log(vm_queue *queue, const char *level, const char *text) {
  vm_buffer json = vm_new_buffer();
  vm_write_string(&json, vm_text(text));
  vm_push_written(queue, VM_LOG, 0, level, &json);
}

/* Asks for an effect with what was written, and gives the request's id. */
static inline uint64_t vm_ask(vm_queue *queue, const char *effect, vm_buffer *json) {
  vm_push_written(queue, VM_REQUEST, ++queue->last_id, effect, json);
  return queue->last_id;
}

static inline void vm_cancel(vm_queue *queue, uint64_t id, const char *effect) {
  vm_push(queue, VM_CANCEL, id, effect, vm_text(NULL));
}

static inline uint64_t vm_ask_timer(vm_queue *queue, unsigned milliseconds) {
  char after[32];
  snprintf(after, sizeof after, "{\"after\":\"%ums\"}", milliseconds);
  vm_buffer json = vm_new_buffer();
  vm_write_json(&json, vm_text(after));
  return vm_ask(queue, "timer", &json);
}

/* A request of the storage about a key. A value that was written is for storage.set, else NULL. */
static inline uint64_t vm_ask_storage(
    vm_queue *queue, const char *effect, const char *key, vm_buffer *value) {
  vm_buffer json = vm_new_buffer();
  vm_begin_object(&json);
  vm_write_key(&json, "key");
  vm_write_string(&json, vm_text(key));
  if (value) {
    vm_write_key(&json, "value");
    vm_write_json(&json, vm_contents(value));
    json.failed = json.failed || value->failed;
    vm_free_buffer(value);
  }
  vm_end_object(&json);
  return vm_ask(queue, effect, &json);
}

/* ---- The manifest ---- */

#define VM_SCHEMA_STRING "{\"type\":\"string\"}"
#define VM_SCHEMA_BOOLEAN "{\"type\":\"boolean\"}"
#define VM_SCHEMA_INTEGER "{\"type\":\"integer\"}"
#define VM_SCHEMA_NUMBER "{\"type\":\"number\"}"

/* A manifest in the making; all zero to begin. The ports of a view model come behind its id. */
typedef struct vm_manifest {
  vm_buffer json, inputs, states, signals, requests;
  bool hasViewModel;
} vm_manifest;

static inline void vm_manifest_begin(vm_manifest *manifest, const char *id, const char *version) {
  vm_begin_object(&manifest->json);
  vm_write_key(&manifest->json, "id");
  vm_write_string(&manifest->json, vm_text(id));
  vm_write_key(&manifest->json, "version");
  vm_write_string(&manifest->json, vm_text(version));
  vm_write_key(&manifest->json, "viewModels");
  vm_begin_array(&manifest->json);
}

static inline void vm_manifest_list(vm_manifest *manifest, const char *key, vm_buffer *items) {
  vm_write_key(&manifest->json, key);
  vm_begin_array(&manifest->json);
  vm_append(&manifest->json, items->data, items->size);
  vm_end_array(&manifest->json);
  manifest->json.failed = manifest->json.failed || items->failed;
  vm_free_buffer(items);
}

static inline void vm_manifest_end_view_model(vm_manifest *manifest) {
  if (!manifest->hasViewModel) return;
  vm_manifest_list(manifest, "inputs", &manifest->inputs);
  vm_manifest_list(manifest, "states", &manifest->states);
  vm_manifest_list(manifest, "signals", &manifest->signals);
  vm_manifest_list(manifest, "requests", &manifest->requests);
  vm_end_object(&manifest->json);
}

static inline void vm_manifest_view_model(vm_manifest *manifest, const char *id) {
  vm_manifest_end_view_model(manifest);
  manifest->hasViewModel = true;
  vm_begin_object(&manifest->json);
  vm_write_key(&manifest->json, "id");
  vm_write_string(&manifest->json, vm_text(id));
}

static inline void vm_manifest_port(
    vm_buffer *ports, const char *name, const char *schema, const char *first) {
  vm_begin_object(ports);
  vm_write_key(ports, "name");
  vm_write_string(ports, vm_text(name));
  if (schema) {
    vm_write_key(ports, "schema");
    vm_write_json(ports, vm_text(schema));
  }
  if (first) {
    vm_write_key(ports, "first");
    vm_write_json(ports, vm_text(first));
  }
  vm_end_object(ports);
}

/* The schema is NULL if the input takes no value. */
static inline void vm_manifest_input(vm_manifest *manifest, const char *name, const char *schema) {
  vm_manifest_port(&manifest->inputs, name, schema, NULL);
}

/* The first value, as JSON, is NULL if it isn't always the same. */
static inline void vm_manifest_state(
    vm_manifest *manifest, const char *name, const char *schema, const char *first) {
  vm_manifest_port(&manifest->states, name, schema, first);
}

static inline void vm_manifest_signal(vm_manifest *manifest, const char *name, const char *schema) {
  vm_manifest_port(&manifest->signals, name, schema, NULL);
}

/* An effect that the view model may ask for. */
static inline void vm_manifest_request(vm_manifest *manifest, const char *effect) {
  vm_write_string(&manifest->requests, vm_text(effect));
}

/* Gives the whole, which has to stay as long as the plugin; the host refuses no bytes. */
static inline vm_bytes vm_manifest_end(vm_manifest *manifest) {
  vm_manifest_end_view_model(manifest);
  vm_end_array(&manifest->json);
  vm_end_object(&manifest->json);
  return manifest->json.failed ? vm_text(NULL) : vm_contents(&manifest->json);
}

/* ---- The plugin ---- */

/* Defines what the library exports, from the functions that vm_plugin.h describes. */
#define VM_PLUGIN(manifest, create, send, poll, destroy)                                  \
  const vm_plugin *vm_plugin_entry_v1(void) {                                             \
    static const vm_plugin plugin = {VM_PLUGIN_MAGIC, sizeof(vm_plugin), VM_ABI_MAJOR,    \
        VM_ABI_MINOR, 0, manifest, create, send, poll, destroy, NULL};                    \
    return &plugin;                                                                       \
  }

#endif /* VM_HELPER_H */
