// A plugin that puts characters that nobody sees wherever it may say something. Tests compile it
// with a text.h of their own: JSON_TEXT is for JSON strings, RAW_TEXT for anything else.
#include "text.h"
#include "vm_plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES(text) ((vm_bytes){(const uint8_t *)(text), sizeof(text) - 1})
#define IS(bytes, text) \
  ((bytes).size == sizeof(text) - 1 && !memcmp((bytes).data, text, (bytes).size))

enum { MAX_EVENTS = 8 };

struct vm_instance {
  vm_event events[MAX_EVENTS];
  int first, count;
};

static vm_bytes manifest(void) {
  printf("loading %s\n", RAW_TEXT);
  return BYTES(
      "{\"id\":\"hidden\",\"version\":\"" VERSION "\",\"title\":\"" JSON_TEXT "\","
      "\"viewModels\":[{\"id\":\"" MODEL "\",\"title\":\"" JSON_TEXT "\","
      "\"inputs\":[{\"name\":\"say\",\"schema\":{\"description\":\"says " JSON_TEXT "\"}},"
      "{\"name\":\"ask\"},{\"name\":\"refuse\"},{\"name\":\"lie\"},{\"name\":\"crash\"}],"
      "\"states\":[{\"name\":\"text\",\"schema\":{\"type\":\"string\",\"title\":\"" JSON_TEXT "\","
      "\"description\":\"is " JSON_TEXT "\",\"" JSON_TEXT "\":1},"
      "\"first\":\"" JSON_TEXT "\"}],"
      "\"signals\":[{\"name\":\"said\",\"schema\":{\"type\":\"object\",\"properties\":{"
      "\"" JSON_TEXT "\":{\"description\":\"" JSON_TEXT "\","
      "\"enum\":[\"" JSON_TEXT "\",\"b\"]}}}}],"
      "\"requests\":[\"http\"],\"config\":{\"schema\":{\"type\":\"object\",\"properties\":{"
      "\"" JSON_TEXT "\":{\"const\":\"" JSON_TEXT "\"}}},"
      "\"default\":{\"" JSON_TEXT "\":\"" JSON_TEXT
      "\"}}}]}");
}

static void emit(vm_instance *self, vm_event_kind kind, uint64_t id, vm_bytes name, vm_bytes json) {
  vm_event event = {.kind = kind, .id = id, .name = name, .json = json};
  self->events[(self->first + self->count++) % MAX_EVENTS] = event;
}

static vm_status create(const vm_create_info *info, vm_instance **instance, vm_bytes *error) {
  (void)error;
  (void)info;
  vm_instance *self = calloc(1, sizeof(vm_instance));
  if (!self) return VM_E_FAILED;
  *instance = self;
  emit(self, VM_OUTPUT, 0, BYTES("text"), BYTES("\"" JSON_TEXT "\""));
  return VM_OK;
}

static vm_status send_event(vm_instance *self, const vm_event *event, vm_bytes *error) {
  if (event->kind != VM_INPUT) {
    emit(self, VM_LOG, 0, BYTES("info"), BYTES("\"answered " JSON_TEXT "\""));
    return VM_OK;
  }
  if (IS(event->name, "refuse")) {
    *error = BYTES(RAW_TEXT);
    return VM_E_VALUE;
  }
  if (IS(event->name, "crash")) {
    fprintf(stderr, "crashing %s\n", RAW_TEXT);
    abort();
  }
  if (IS(event->name, "ask")) {
    static uint64_t id;
    emit(self, VM_REQUEST, ++id, BYTES("http"), BYTES("{\"url\":\"" JSON_TEXT "\"}"));
    return VM_OK;
  }
  if (IS(event->name, "lie")) {
    emit(self, VM_OUTPUT, 0, BYTES("said"), BYTES("\"" JSON_TEXT "\""));
    return VM_OK;
  }
  printf("printed %s\n", RAW_TEXT);
  fflush(stdout);
  emit(self, VM_OUTPUT, 0, BYTES("said"), BYTES("{\"" JSON_TEXT "\":\"" JSON_TEXT "\"}"));
  emit(self, VM_LOG, 0, BYTES("warning"), BYTES("\"logged " JSON_TEXT "\""));
  return VM_OK;
}

static vm_status poll_event(vm_instance *self, vm_event *out) {
  if (self->count == 0) return VM_IDLE;
  *out = self->events[self->first];
  self->first = (self->first + 1) % MAX_EVENTS;
  self->count--;
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
      .send = send_event,
      .poll = poll_event,
      .destroy = destroy,
  };
  return &plugin;
}
