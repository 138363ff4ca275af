// A plugin in C, whole: the view model `echo` says back what it was told.
// Built against vm_plugin.h and nothing else of vmhost.
#include "vm_plugin.h"

#include <stdlib.h>
#include <string.h>

#define BYTES(text) ((vm_bytes){(const uint8_t *)(text), sizeof(text) - 1})

struct vm_instance {
  uint8_t *value;
  size_t size, capacity;
  int pending;
};

static int equal(vm_bytes a, vm_bytes b) {
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static vm_bytes echo_manifest(void) {
  return BYTES(
      "{\"id\":\"echo\",\"version\":\"1.0.0\",\"viewModels\":[{\"id\":\"echo\","
      "\"inputs\":[{\"name\":\"say\",\"schema\":{}}],\"states\":[],"
      "\"signals\":[{\"name\":\"said\",\"schema\":{}}],\"requests\":[]}]}");
}

static vm_status echo_create(const vm_create_info *info, vm_instance **instance, vm_bytes *error) {
  if (!equal(info->view_model, BYTES("echo"))) {
    *error = BYTES("the only view model here is echo");
    return VM_E_VIEW_MODEL;
  }
  *instance = calloc(1, sizeof(vm_instance));
  return *instance ? VM_OK : VM_E_FAILED;
}

static vm_status echo_send(vm_instance *self, const vm_event *event, vm_bytes *error) {
  if (event->kind != VM_INPUT) {
    *error = BYTES("echo makes no requests, so it takes no replies");
    return event->kind == VM_REPLY || event->kind == VM_ERROR ? VM_E_ID : VM_E_KIND;
  }
  if (!equal(event->name, BYTES("say"))) {
    *error = BYTES("the only input of echo is say");
    return VM_E_NAME;
  }
  if (event->json.size == 0) {
    *error = BYTES("the input say needs a value");
    return VM_E_VALUE;
  }
  if (event->json.size > self->capacity) {
    uint8_t *larger = realloc(self->value, event->json.size);
    if (!larger) return VM_E_FAILED;
    self->value = larger;
    self->capacity = event->json.size;
  }
  memcpy(self->value, event->json.data, event->json.size);
  self->size = event->json.size;
  self->pending = 1;
  return VM_OK;
}

static vm_status echo_poll(vm_instance *self, vm_event *out) {
  if (!self->pending) return VM_IDLE;
  self->pending = 0;
  out->kind = VM_OUTPUT;
  out->id = 0;
  out->name = BYTES("said");
  out->json = (vm_bytes){self->value, self->size};
  return VM_OK;
}

static void echo_destroy(vm_instance *self) {
  free(self->value);
  free(self);
}

const vm_plugin *vm_plugin_entry_v1(void) {
  static const vm_plugin plugin = {
      .magic = VM_PLUGIN_MAGIC,
      .size = sizeof(vm_plugin),
      .abi_major = VM_ABI_MAJOR,
      .abi_minor = VM_ABI_MINOR,
      .manifest = echo_manifest,
      .create = echo_create,
      .send = echo_send,
      .poll = echo_poll,
      .destroy = echo_destroy,
  };
  return &plugin;
}
