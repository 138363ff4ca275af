// Compiles as C++17 only if the header can be used as its author means it: each declaration of it
// is used here, the way a plugin does. The tests call what is exported at the end.
#include "CanaryCXX.h"

#include <string_view>
#include <type_traits>
#include <vector>

// A second inclusion must change nothing.
#include "vm_plugin.h"

struct vm_instance {
  std::uint64_t request;
  std::vector<vm_event> waiting;
};

namespace {

vm_bytes bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

vm_bytes manifest() { return bytes("{\"id\":\"canary\"}"); }

vm_status create(const vm_create_info *info, vm_instance **instance, vm_bytes *error) {
  if (info->size < sizeof(vm_create_info) || info->reserved != 0) return VM_E_FAILED;
  if (info->view_model.size == 0) return VM_E_VIEW_MODEL;
  if (info->config.size + info->locale.size + info->time_zone.size == 0) {
    *error = bytes("no config");
    return VM_E_CONFIG;
  }
  auto *made = new vm_instance{};
  made->request = info->seed + static_cast<std::uint64_t>(info->epoch_ns + info->time_ns);
  for (vm_event_kind kind : {VM_FAULT, VM_LOG, VM_CANCEL, VM_REQUEST, VM_OUTPUT}) {
    vm_event event{};
    event.size = sizeof event;
    event.kind = kind;
    event.id = made->request;
    event.name = bytes("name");
    event.json = bytes("null");
    made->waiting.push_back(event);
  }
  *instance = made;
  return VM_OK;
}

vm_status send(vm_instance *self, const vm_event *event, vm_bytes *error) {
  *error = {nullptr, 0};
  switch (event->kind) {
    case VM_INPUT: return event->name.size ? event->json.size ? VM_OK : VM_E_VALUE : VM_E_NAME;
    case VM_REPLY:
    case VM_ERROR: return event->id == self->request ? VM_OK : VM_E_ID;
    default: return VM_E_KIND;
  }
}

vm_status poll(vm_instance *self, vm_event *out) {
  if (out->size < sizeof(vm_event)) return VM_E_FAILED;
  if (self->waiting.empty()) return self->request == 0 ? VM_IDLE_OTHERS : VM_IDLE;
  *out = self->waiting.back();
  self->waiting.pop_back();
  return VM_OK;
}

void destroy(vm_instance *self) { delete self; }

const vm_process process = {sizeof(vm_process), 0, [] {}};

const void *extension(vm_bytes id) {
  const std::string_view name(reinterpret_cast<const char *>(id.data), id.size);
  if (name == VM_PROCESS_EXTENSION) return &process;
  return id.size ? nullptr : bytes("found").data;
}

const vm_plugin table = {
    VM_PLUGIN_MAGIC, sizeof(vm_plugin), VM_ABI_MAJOR, VM_ABI_MINOR, 0,
    manifest,        create,            send,         poll,         destroy,
    extension,
};

static_assert(std::is_same_v<decltype(&vm_plugin_entry_v1), const vm_plugin *(*)()>,
              "the entry gives the table");
static_assert(std::is_standard_layout_v<vm_plugin> && std::is_trivial_v<vm_event> &&
                  std::is_trivial_v<vm_create_info> && std::is_trivial_v<vm_bytes>,
              "the structs are those of C");

} // namespace

const vm_plugin *canary_cxx_entry(void) { return &table; }
