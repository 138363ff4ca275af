#include <dlfcn.h>
#include <string.h>

#include "BenchmarkBaselines.h"

static vm_bytes bytes(const char *text) {
  return (vm_bytes){(const uint8_t *)text, strlen(text)};
}

const vm_plugin *bench_load(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) return NULL;
  const vm_plugin *(*entry)(void) =
      (const vm_plugin *(*)(void))dlsym(library, "vm_plugin_entry_v1");
  return entry ? entry() : NULL;
}

vm_instance *bench_open(const vm_plugin *plugin, const char *view_model) {
  vm_create_info info = {
      .size = sizeof info,
      .view_model = bytes(view_model),
      .locale = bytes("en_US"),
      .time_zone = bytes("UTC"),
  };
  vm_instance *instance = NULL;
  vm_bytes error = {0};
  if (plugin->create(&info, &instance, &error) != VM_OK) return NULL;
  vm_event event = {.size = sizeof event};
  while (plugin->poll(instance, &event) == VM_OK) continue;
  return instance;
}

int64_t bench_calls(
    const vm_plugin *plugin, vm_instance *instance, const char *input, const char *json,
    int64_t count) {
  const vm_event sent = {
      .size = sizeof sent, .kind = VM_INPUT, .name = bytes(input), .json = bytes(json)};
  vm_event event = {.size = sizeof event};
  vm_bytes error = {0};
  int64_t events = 0;
  for (int64_t index = 0; index < count; index++) {
    if (plugin->send(instance, &sent, &error) != VM_OK) return -1;
    vm_status status;
    while ((status = plugin->poll(instance, &event)) == VM_OK) events++;
    if (status < 0) return -1;
  }
  return events;
}

void bench_destroy(const vm_plugin *plugin, vm_instance *instance) {
  plugin->destroy(instance);
}
