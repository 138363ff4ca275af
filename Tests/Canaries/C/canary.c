// Compiles as C11 only if the header can be used as its author means it: each declaration of it is
// used here, the way a plugin does. The tests call what is exported at the end.
#include "CanaryC.h"

#include <string.h>

// A second inclusion must change nothing.
#include "vm_plugin.h"

#define BYTES(text) ((vm_bytes){(const uint8_t *)(text), sizeof(text) - 1})

struct vm_instance {
  uint64_t request;
  int polls;
};

static vm_bytes manifest(void) { return BYTES("{\"id\":\"canary\"}"); }

static vm_status create(const vm_create_info *info, vm_instance **instance, vm_bytes *error) {
  static vm_instance only;
  if (info->size < sizeof(vm_create_info) || info->reserved != 0) return VM_E_FAILED;
  if (info->view_model.size == 0) return VM_E_VIEW_MODEL;
  if (info->config.size + info->locale.size + info->time_zone.size == 0) {
    *error = BYTES("no config");
    return VM_E_CONFIG;
  }
  only.request = info->seed + (uint64_t)(info->epoch_ns + info->time_ns);
  only.polls = 0;
  *instance = &only;
  return VM_OK;
}

static vm_status send(vm_instance *self, const vm_event *event, vm_bytes *error) {
  *error = (vm_bytes){NULL, 0};
  switch (event->kind) {
    case VM_INPUT: return event->name.size ? event->json.size ? VM_OK : VM_E_VALUE : VM_E_NAME;
    case VM_REPLY:
    case VM_ERROR: return event->id == self->request ? VM_OK : VM_E_ID;
    default: return VM_E_KIND;
  }
}

static vm_status poll(vm_instance *self, vm_event *out) {
  static const vm_event_kind kinds[] = {VM_OUTPUT, VM_REQUEST, VM_CANCEL, VM_LOG, VM_FAULT};
  const int count = (int)(sizeof kinds / sizeof *kinds);
  if (out->size < sizeof(vm_event)) return VM_E_FAILED;
  if (self->polls > count) return VM_IDLE;
  if (self->polls++ == count) return VM_IDLE_OTHERS;
  out->kind = kinds[self->polls - 1];
  out->id = self->request;
  out->time_ns = 0;
  out->name = BYTES("name");
  out->json = BYTES("null");
  return VM_OK;
}

static void destroy(vm_instance *self) { memset(self, 0, sizeof *self); }

static void take(void) {}

static const vm_process process = {.size = sizeof(vm_process), .reserved = 0, .take = take};

static const void *extension(vm_bytes id) {
  const size_t size = sizeof VM_PROCESS_EXTENSION - 1;
  if (id.size == size && memcmp(id.data, VM_PROCESS_EXTENSION, size) == 0) return &process;
  return id.size ? NULL : &manifest;
}

static const vm_plugin table = {
    .magic = VM_PLUGIN_MAGIC,
    .size = sizeof(vm_plugin),
    .abi_major = VM_ABI_MAJOR,
    .abi_minor = VM_ABI_MINOR,
    .flags = 0,
    .manifest = manifest,
    .create = create,
    .send = send,
    .poll = poll,
    .destroy = destroy,
    .extension = extension,
};

_Static_assert(sizeof(vm_plugin_entry_v1()) == sizeof(&table), "the entry gives the table");

const vm_plugin *canary_c_entry(void) { return &table; }
