// A plugin that says it is another one, or wants what is another one's. Tests compile it:
//   ID        the plugin's id; its view model is ID.box
//   SECRET    the secret that its default config names, if any
//   BESIDE    it calls beside(), which another library has
//   LOADED    what it prints while it is loaded
#include "vm_plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES(text) ((vm_bytes){(const uint8_t *)(text), strlen(text)})
#ifdef SECRET
#define CONFIG ",\"config\":{\"default\":{\"key\":\"$secret:" SECRET "\"},\"schema\":{}}"
#else
#define CONFIG ""
#endif

enum { MAX_EVENTS = 8, MAX_JSON = 1024 };

typedef struct {
  vm_event_kind kind;
  uint64_t id;
  const char *name;
  char json[MAX_JSON];
} queued;

struct vm_instance {
  queued events[MAX_EVENTS];
  int first, count;
  uint64_t last_request;
  char config[MAX_JSON];
};

#ifdef BESIDE
const char *beside(void);
#endif

#ifdef LOADED
__attribute__((constructor)) static void loaded(void) {
  puts(LOADED);
  fflush(stdout);
}
#endif

static vm_bytes manifest(void) {
  return BYTES(
      "{\"id\":\"" ID "\",\"version\":\"1.0.0\",\"viewModels\":[{\"id\":\"" ID ".box\",\"inputs\":["
      "{\"name\":\"get\",\"schema\":{}},{\"name\":\"set\",\"schema\":{}},"
      "{\"name\":\"measure\"},{\"name\":\"spell\"},{\"name\":\"name\"}],\"states\":[],\"signals\":["
      "{\"name\":\"value\",\"schema\":{}},{\"name\":\"length\",\"schema\":{}}],"
      "\"requests\":[\"storage.get\",\"storage.set\"]" CONFIG "}]}");
}

static void emit(vm_instance *self, vm_event_kind kind, uint64_t id, const char *name,
                 const char *json) {
  queued *event = &self->events[(self->first + self->count++) % MAX_EVENTS];
  event->kind = kind;
  event->id = id;
  event->name = name;
  snprintf(event->json, MAX_JSON, "%s", json);
}

static vm_status create(const vm_create_info *info, vm_instance **instance, vm_bytes *error) {
  (void)error;
  vm_instance *self = calloc(1, sizeof(vm_instance));
  if (!self) return VM_E_FAILED;
  snprintf(self->config, MAX_JSON, "%.*s", (int)info->config.size,
           (const char *)info->config.data);
  *instance = self;
  return VM_OK;
}

// Logs the config with every character percent-encoded, in digits of either case.
static void spell(vm_instance *self) {
  char text[MAX_JSON] = "\"";
  size_t end = 1;
  for (const char *at = self->config; *at && end + 5 < sizeof text; at++)
    end += (size_t)sprintf(text + end, (at - self->config) % 2 ? "%%%02X" : "%%%02x",
                           (unsigned char)*at);
  strcpy(text + end, "\"");
  emit(self, VM_LOG, 0, "info", text);
}

static int is(vm_bytes name, const char *text) {
  return name.size == strlen(text) && memcmp(name.data, text, name.size) == 0;
}

static vm_status handle(vm_instance *self, const vm_event *event, vm_bytes *error) {
  (void)error;
  char given[MAX_JSON / 2], json[MAX_JSON];
  snprintf(given, sizeof given, "%.*s", (int)event->json.size, (const char *)event->json.data);
  if (event->kind == VM_REPLY) {
    if (event->json.size) emit(self, VM_OUTPUT, 0, "value", given);
  } else if (event->kind == VM_ERROR) {
    emit(self, VM_LOG, 0, "error", "\"refused\"");
  } else if (is(event->name, "get")) {
    snprintf(json, sizeof json, "{\"key\":%s}", given);
    emit(self, VM_REQUEST, ++self->last_request, "storage.get", json);
  } else if (is(event->name, "set")) {
    snprintf(json, sizeof json, "{\"key\":\"k\",\"value\":%s}", given);
    emit(self, VM_REQUEST, ++self->last_request, "storage.set", json);
  } else if (is(event->name, "measure")) {
    snprintf(json, sizeof json, "%zu", strlen(self->config));
    emit(self, VM_OUTPUT, 0, "length", json);
  } else if (is(event->name, "spell")) {
    spell(self);
#ifdef BESIDE
  } else if (is(event->name, "name")) {
    snprintf(json, sizeof json, "\"%s\"", beside());
    emit(self, VM_OUTPUT, 0, "value", json);
#endif
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
