// A plugin that changes: each macro CHANGE_… makes it behave otherwise than the transcripts say.
// Tests compile it, once for each change.
#include "vm_plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES(text) ((vm_bytes){(const uint8_t *)(text), strlen(text)})

enum { MAX_EVENTS = 16, MAX_JSON = 512 };

typedef struct {
  vm_event_kind kind;
  uint64_t id;
  const char *name;
  char json[MAX_JSON];
} queued;

struct vm_instance {
  int is_item;
  queued events[MAX_EVENTS];
  int first, count;
  uint64_t last_request;
  // What each request is for: its first letter, by id.
  char purpose[64];
  char selected[MAX_JSON], searched[MAX_JSON];
};

#ifdef CHANGE_NOTHING
// Another build that does the same.
__attribute__((used)) static const char build[] = "another";
#endif
#ifdef CHANGE_VIEW_MODEL_RENAMED
#define SHOP "store"
#else
#define SHOP "shop"
#endif
#ifdef CHANGE_OUTPUT_RENAMED
#define ITEMS "rows"
#else
#define ITEMS "items"
#endif
#ifdef CHANGE_INPUT_RENAMED
#define SEARCH "searchFor"
#else
#define SEARCH "search"
#endif
#ifdef CHANGE_INPUT_TYPE
#define SEARCH_TYPE "{\"type\":\"object\"}"
#else
#define SEARCH_TYPE "{\"type\":\"string\"}"
#endif
#ifdef CHANGE_EFFECT_RENAMED
#define HTTP "fetch"
#else
#define HTTP "http"
#endif

static vm_bytes manifest(void) {
  return BYTES(
      "{\"id\":\"shop\",\"version\":\"1.0.0\",\"viewModels\":[{\"id\":\"" SHOP "\",\"inputs\":["
      "{\"name\":\"" SEARCH "\",\"schema\":" SEARCH_TYPE "},{\"name\":\"select\",\"schema\":{}}"
#ifndef CHANGE_INPUT_REMOVED
      ",{\"name\":\"clear\"}"
#endif
      "],\"states\":[{\"name\":\"" ITEMS "\",\"schema\":{}}"
#ifndef CHANGE_STATE_REMOVED
      ",{\"name\":\"total\",\"schema\":{}}"
#endif
#ifdef CHANGE_STATE_ADDED
      ",{\"name\":\"isEmpty\",\"schema\":{}}"
#endif
      "],\"signals\":[{\"name\":\"opened\",\"schema\":{}}],"
      "\"requests\":[\"" HTTP "\",\"track\",\"timer\"]},"
      "{\"id\":\"item\",\"inputs\":[{\"name\":\"buy\"}],"
      "\"states\":[{\"name\":\"price\",\"schema\":{}}],\"signals\":[],\"requests\":[\"" HTTP
      "\"]}]}");
}

static void emit(vm_instance *self, vm_event_kind kind, uint64_t id, const char *name,
                 const char *json, size_t size) {
  queued *event = &self->events[(self->first + self->count++) % MAX_EVENTS];
  event->kind = kind;
  event->id = id;
  event->name = name;
  snprintf(event->json, MAX_JSON, "%.*s", (int)size, json);
}

static void output(vm_instance *self, const char *name, const char *json) {
  emit(self, VM_OUTPUT, 0, name, json, strlen(json));
}

static void request(vm_instance *self, const char *effect, char purpose, const char *json) {
  self->purpose[++self->last_request % 64] = purpose;
  emit(self, VM_REQUEST, self->last_request, effect, json, strlen(json));
}

// `format` has the text of a JSON string.
static void fetch(vm_instance *self, char purpose, const char *format, const char *string) {
  char json[MAX_JSON];
  snprintf(json, sizeof json, format, (int)strlen(string) - 2, string + 1);
  request(self, HTTP, purpose, json);
}

static void totals(vm_instance *self, const char *items) {
  (void)self;
  int total = strlen(items) > 2;
  for (const char *at = items; *at; at++) total += *at == ',';
  char json[16];
  snprintf(json, sizeof json, "%d", total);
#ifdef CHANGE_OUTPUT_OTHER
  snprintf(json, sizeof json, "\"%d items\"", total);
#endif
#ifndef CHANGE_STATE_REMOVED
#ifdef CHANGE_OUTPUT_LESS
  if (total == 0)
#endif
    output(self, "total", json);
#endif
#ifdef CHANGE_STATE_ADDED
  output(self, "isEmpty", total ? "false" : "true");
#endif
}

static void show(vm_instance *self, const char *items) {
#ifdef CHANGE_OUTPUT_ORDER
  // The first frame has an order of its own.
  if (self->last_request > 0) {
    totals(self, items);
    output(self, ITEMS, items);
    return;
  }
#endif
  output(self, ITEMS, items);
  totals(self, items);
}

static vm_status create(const vm_create_info *info, vm_instance **instance, vm_bytes *error) {
#ifdef CHANGE_CONFIG_REFUSED
  if (info->config.size < 3) {
    *error = BYTES("it needs a currency");
    return VM_E_CONFIG;
  }
#else
  (void)error;
#endif
  vm_instance *self = calloc(1, sizeof(vm_instance));
  if (!self) return VM_E_FAILED;
  *instance = self;
  self->is_item = info->view_model.size == 4 && memcmp(info->view_model.data, "item", 4) == 0;
  if (self->is_item) {
    output(self, "price", "0");
    request(self, HTTP, 'p', "{\"url\":\"/price\"}");
  } else {
    show(self, "[]");
  }
  return VM_OK;
}

static void ask_for_item(vm_instance *self) {
  fetch(self, 'i', "{\"url\":\"/item/%.*s\"}", self->selected);
}

static void ask_for_results(vm_instance *self) {
#if defined CHANGE_REQUEST_POST
  fetch(self, 's', "{\"method\":\"POST\",\"url\":\"/search?q=%.*s\"}", self->searched);
#elif defined CHANGE_REQUEST_OTHER
  fetch(self, 's', "{\"url\":\"/v2/search?q=%.*s\"}", self->searched);
#else
  fetch(self, 's', "{\"url\":\"/search?q=%.*s\"}", self->searched);
#endif
}

static void search(vm_instance *self, const char *text) {
  strcpy(self->searched, text);
#ifdef CHANGE_CRASH
  abort();
#endif
#ifdef CHANGE_HANG
  for (volatile int i = 0;; i++) continue;
#endif
#ifdef CHANGE_CONTRACT
  output(self, "nothing", "1");
#endif
#ifdef CHANGE_FAULT
  emit(self, VM_FAULT, 0, "search", "\"out of luck\"", 13);
#endif
#ifdef CHANGE_REQUEST_MORE
  request(self, "track", 't', "{\"event\":\"search\"}");
#endif
#if defined CHANGE_REQUEST_TIMED
  request(self, "timer", 'd', "{\"after\":\"300ms\"}");
#elif !defined CHANGE_REQUEST_LESS && !defined CHANGE_REQUEST_LATER
  ask_for_results(self);
#endif
}

static void choose(vm_instance *self, const char *name) {
  strcpy(self->selected, name);
#ifdef CHANGE_REQUEST_LATER
  ask_for_results(self);
#endif
#ifndef CHANGE_SIGNAL_GONE
  output(self, "opened", name);
#endif
  ask_for_item(self);
#ifdef CHANGE_OUTPUT_MORE
  output(self, "opened", "\"again\"");
#endif
}

#ifdef CHANGE_COUNTED
// Adds a byte to a file each time the library is loaded.
__attribute__((constructor)) static void count(void) {
  FILE *file = fopen(COUNT_FILE, "a");
  if (!file) abort();
  fputc('.', file);
  fclose(file);
}
#endif

static int is(vm_bytes name, const char *text) {
  return name.size == strlen(text) && memcmp(name.data, text, name.size) == 0;
}

static vm_status reply(vm_instance *self, uint64_t id, const char *json, vm_bytes *error) {
  (void)error;
  switch (self->purpose[id % 64]) {
    case 'p': output(self, "price", json); break;
#ifdef CHANGE_REPLY_REFUSED
    case 's':
      *error = BYTES("expected a page");
      return VM_E_VALUE;
#else
    case 's': show(self, json); break;
#endif
#ifdef CHANGE_OUTPUT_LATER
    case 'i': request(self, "timer", 'o', "{\"after\":\"1s\"}"); break;
    case 'o': output(self, "opened", "\"late\""); break;
#else
    case 'i': output(self, "opened", json); break;
#endif
    case 'd': ask_for_results(self); break;
    default: break;
  }
  return VM_OK;
}

static vm_status handle(vm_instance *self, const vm_event *event, vm_bytes *error) {
  char json[MAX_JSON];
  snprintf(json, sizeof json, "%.*s", (int)event->json.size, (const char *)event->json.data);
  if (event->kind == VM_REPLY) return reply(self, event->id, json, error);
  if (event->kind == VM_ERROR) return VM_OK;
  if (is(event->name, SEARCH)) {
    search(self, json);
  } else if (is(event->name, "select")) {
    choose(self, json);
  } else if (is(event->name, "buy")) {
    output(self, "price", "1");
  } else {
    show(self, "[]");
  }
  return VM_OK;
}

static vm_status poll(vm_instance *self, vm_event *out) {
  if (self->count == 0) return VM_IDLE;
  queued *event = &self->events[self->first];
  self->first = (self->first + 1) % MAX_EVENTS;
  self->count--;
  out->kind = event->kind;
  out->id = event->id;
  out->name = BYTES(event->name);
  out->json = BYTES(event->json);
  return VM_OK;
}

static void destroy(vm_instance *self) { free(self); }

const vm_plugin *vm_plugin_entry_v1(void) {
  static const vm_plugin plugin = {
      .magic = VM_PLUGIN_MAGIC,
      .size = sizeof(vm_plugin),
      .abi_major = VM_ABI_MAJOR,
      .abi_minor = VM_ABI_MINOR,
      .manifest = manifest,
      .create = create,
      .send = handle,
      .poll = poll,
      .destroy = destroy,
  };
  return &plugin;
}
