// A stopwatch whose laps are stored: a view model in C++.
#include "vm_helper.h"

#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

constexpr std::int64_t tenth = 100'000'000; // nanoseconds

vm_bytes bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

std::optional<std::string> text_of(vm_bytes value) {
  vm_buffer buffer = vm_new_buffer();
  std::optional<std::string> text;
  if (vm_read_string(value, &buffer)) {
    text.emplace(reinterpret_cast<const char *>(buffer.data), buffer.size);
  }
  vm_free_buffer(&buffer);
  return text;
}

std::string time_text(std::int64_t tenths) {
  char text[32];
  std::snprintf(
      text, sizeof text, "%02lld:%02d.%d", static_cast<long long>(tenths / 600),
      static_cast<int>(tenths / 10 % 60), static_cast<int>(tenths % 10));
  return text;
}

} // namespace

struct vm_instance {
  vm_instance() {
    show(0);
    vm_emit_bool(&queue, "running", false);
    show_laps();
    stored = vm_ask_storage(&queue, "storage.get", "laps", nullptr);
  }
  ~vm_instance() { vm_free_queue(&queue); }
  vm_instance(const vm_instance &) = delete;
  vm_instance &operator=(const vm_instance &) = delete;

  // Says whether there is such an input.
  bool receive(vm_bytes name, std::int64_t now) {
    if (vm_equal(name, "start")) start(now);
    else if (vm_equal(name, "stop")) stop(now);
    else if (vm_equal(name, "lap")) lap(now);
    else if (vm_equal(name, "reset")) reset();
    else return false;
    return true;
  }

  // Says whether such a request is open.
  bool answer(const vm_event &event) {
    if (event.id == stored) {
      storage_answered(event);
    } else if (event.id == tick) {
      show(event.time_ns - since);
      tick = vm_ask_timer(&queue, 100);
    } else {
      return false;
    }
    return true;
  }

  vm_queue queue{};

private:
  // Inputs

  void start(std::int64_t now) {
    if (running) return;
    since = now - elapsed;
    show_running(true);
    tick = vm_ask_timer(&queue, 100);
  }

  void stop(std::int64_t now) {
    if (!running) return;
    halt();
    elapsed = now - since;
    show(elapsed);
    show_running(false);
  }

  void lap(std::int64_t now) {
    if (!running) return;
    show(now - since);
    laps.push_back(time_text(shown));
    show_laps();
    vm_emit_string(&queue, "lapped", bytes(laps.back()));
    changed = true;
    save();
  }

  void reset() {
    if (running) halt();
    elapsed = 0;
    show(0);
    if (running) show_running(false);
    if (laps.empty()) return;
    laps.clear();
    show_laps();
    changed = true;
    save();
  }

  void halt() { vm_cancel(&queue, std::exchange(tick, 0), "timer"); }

  // What is shown

  void show(std::int64_t nanoseconds) {
    if (nanoseconds / tenth == shown) return;
    shown = nanoseconds / tenth;
    vm_emit_string(&queue, "display", bytes(time_text(shown)));
  }

  void show_running(bool value) {
    running = value;
    vm_emit_bool(&queue, "running", value);
  }

  vm_buffer laps_json() const {
    vm_buffer json = vm_new_buffer();
    vm_begin_array(&json);
    for (const auto &each : laps) vm_write_string(&json, bytes(each));
    vm_end_array(&json);
    return json;
  }

  void show_laps() {
    vm_buffer json = laps_json();
    vm_emit_written(&queue, "laps", &json);
  }

  // The storage, which is asked one thing at a time

  void storage_answered(const vm_event &event) {
    const bool wasRestoring = std::exchange(restoring, false);
    stored = 0;
    if (event.kind == VM_ERROR) {
      vm_bytes code{};
      if (vm_member(event.json, "code", &code)) fail(text_of(code).value_or("unknown"));
    } else if (wasRestoring && vm_type_of(event.json) != VM_TYPE_NULL) {
      if (!restore(event.json)) fail("invalid-reply");
    }
    save();
  }

  // Puts the stored laps before those that there are by now.
  bool restore(vm_bytes json) {
    if (vm_type_of(json) != VM_TYPE_ARRAY) return false;
    std::vector<std::string> restored;
    vm_bytes item{};
    while (vm_next_item(json, &item)) {
      auto text = text_of(item);
      if (!text) return false;
      restored.push_back(std::move(*text));
    }
    if (restored.empty()) return true;
    laps.insert(laps.begin(), restored.begin(), restored.end());
    show_laps();
    return true;
  }

  void save() {
    if (stored || !std::exchange(changed, false)) return;
    if (laps.empty()) {
      stored = vm_ask_storage(&queue, "storage.delete", "laps", nullptr);
    } else {
      vm_buffer json = laps_json();
      stored = vm_ask_storage(&queue, "storage.set", "laps", &json);
    }
  }

  void fail(std::string_view code) { vm_emit_string(&queue, "failed", bytes(code)); }

  // When it would have started if it had run without a break; what it came to at the last stop.
  std::int64_t since = 0, elapsed = 0;
  std::int64_t shown = -1; // in tenths of a second
  bool running = false;
  std::uint64_t tick = 0, stored = 0; // open requests; `stored` is any of the storage
  bool restoring = true, changed = false;
  std::vector<std::string> laps;
};

namespace {

vm_bytes manifest() {
  static vm_manifest manifest{};
  if (manifest.hasViewModel) return vm_contents(&manifest.json);
  vm_manifest_begin(&manifest, "stopwatch", "1.0.0");
  vm_manifest_view_model(&manifest, "stopwatch");
  for (const char *input : {"start", "stop", "lap", "reset"}) {
    vm_manifest_input(&manifest, input, nullptr);
  }
  vm_manifest_state(&manifest, "display", VM_SCHEMA_STRING, "\"00:00.0\"");
  vm_manifest_state(&manifest, "running", VM_SCHEMA_BOOLEAN, "false");
  vm_manifest_state(
      &manifest, "laps", "{\"type\":\"array\",\"items\":" VM_SCHEMA_STRING "}", "[]");
  vm_manifest_signal(&manifest, "lapped", VM_SCHEMA_STRING);
  vm_manifest_signal(&manifest, "failed", VM_SCHEMA_STRING);
  for (const char *effect : {"storage.get", "storage.set", "storage.delete"}) {
    vm_manifest_request(&manifest, effect);
  }
  return vm_manifest_end(&manifest);
}

vm_status create(const vm_create_info *info, vm_instance **instance, vm_bytes *error) {
  if (!vm_equal(info->view_model, "stopwatch")) {
    *error = vm_text("the only view model here is stopwatch");
    return VM_E_VIEW_MODEL;
  }
  *instance = new (std::nothrow) vm_instance;
  return *instance ? VM_OK : VM_E_FAILED;
}

vm_status send(vm_instance *instance, const vm_event *event, vm_bytes *error) {
  switch (event->kind) {
  case VM_INPUT:
    if (instance->receive(event->name, event->time_ns)) return VM_OK;
    *error = vm_text("a stopwatch has the inputs start, stop, lap and reset");
    return VM_E_NAME;
  case VM_REPLY:
  case VM_ERROR:
    if (instance->answer(*event)) return VM_OK;
    *error = vm_text("no open request has this id");
    return VM_E_ID;
  default: *error = vm_text("a stopwatch knows inputs and answers only"); return VM_E_KIND;
  }
}

vm_status poll(vm_instance *instance, vm_event *out) { return vm_poll(&instance->queue, out); }

void destroy(vm_instance *instance) { delete instance; }

} // namespace

VM_PLUGIN(manifest, create, send, poll, destroy)
