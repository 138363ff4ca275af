/* A stopwatch whose laps are stored: a view model in C. */
#include "vm_helper.h"

#define TENTH 100000000 /* nanoseconds */
#define LAPS_SCHEMA "{\"type\":\"array\",\"items\":" VM_SCHEMA_STRING "}"

struct vm_instance {
  vm_queue queue;
  /* When it would have started if it had run without a break; what it came to at the last stop. */
  int64_t since, elapsed;
  int64_t shown; /* in tenths of a second */
  bool running;
  uint64_t tick, stored; /* open requests, 0 for none; `stored` is any of the storage */
  bool restoring, changed;
  vm_buffer laps; /* items of a JSON array, as they are written */
};

static vm_bytes stopwatch_manifest(void) {
  static vm_manifest manifest;
  if (manifest.hasViewModel) return vm_contents(&manifest.json);
  vm_manifest_begin(&manifest, "stopwatch", "1.0.0");
  vm_manifest_view_model(&manifest, "stopwatch");
  vm_manifest_input(&manifest, "start", NULL);
  vm_manifest_input(&manifest, "stop", NULL);
  vm_manifest_input(&manifest, "lap", NULL);
  vm_manifest_input(&manifest, "reset", NULL);
  vm_manifest_state(&manifest, "display", VM_SCHEMA_STRING, "\"00:00.0\"");
  vm_manifest_state(&manifest, "running", VM_SCHEMA_BOOLEAN, "false");
  vm_manifest_state(&manifest, "laps", LAPS_SCHEMA, "[]");
  vm_manifest_signal(&manifest, "lapped", VM_SCHEMA_STRING);
  vm_manifest_signal(&manifest, "failed", VM_SCHEMA_STRING);
  vm_manifest_request(&manifest, "storage.get");
  vm_manifest_request(&manifest, "storage.set");
  vm_manifest_request(&manifest, "storage.delete");
  return vm_manifest_end(&manifest);
}

/* ---- What is shown ---- */

static vm_bytes text_of(int64_t tenths, char text[static 32]) {
  const long long minutes = (long long)(tenths / 600);
  snprintf(text, 32, "%02lld:%02d.%d", minutes, (int)(tenths / 10 % 60), (int)(tenths % 10));
  return vm_text(text);
}

static void show(vm_instance *self, int64_t elapsed) {
  char text[32];
  if (elapsed / TENTH == self->shown) return;
  self->shown = elapsed / TENTH;
  vm_emit_string(&self->queue, "display", text_of(self->shown, text));
}

static void show_running(vm_instance *self, bool running) {
  self->running = running;
  vm_emit_bool(&self->queue, "running", running);
}

/* The laps as a whole array. */
static vm_buffer laps_of(const vm_instance *self) {
  vm_buffer json = vm_new_buffer();
  vm_begin_array(&json);
  vm_append(&json, self->laps.data, self->laps.size);
  vm_end_array(&json);
  json.failed = json.failed || self->laps.failed;
  return json;
}

static void show_laps(vm_instance *self) {
  vm_buffer json = laps_of(self);
  vm_emit_written(&self->queue, "laps", &json);
}

/* ---- The storage, which is asked one thing at a time ---- */

static void save(vm_instance *self) {
  if (self->stored || !self->changed) return;
  self->changed = false;
  if (self->laps.size == 0) {
    self->stored = vm_ask_storage(&self->queue, "storage.delete", "laps", NULL);
  } else {
    vm_buffer json = laps_of(self);
    self->stored = vm_ask_storage(&self->queue, "storage.set", "laps", &json);
  }
}

/* Puts the stored laps before those that there are by now. */
static bool restore(vm_instance *self, vm_bytes json) {
  vm_buffer laps = vm_new_buffer(), text = vm_new_buffer();
  vm_bytes item = {NULL, 0};
  bool known = vm_type_of(json) == VM_TYPE_ARRAY;
  while (known && vm_next_item(json, &item)) {
    known = vm_read_string(item, &text);
    vm_write_string(&laps, vm_contents(&text));
  }
  vm_free_buffer(&text);
  if (known && laps.size) {
    if (self->laps.size) vm_write_json(&laps, vm_contents(&self->laps));
    laps.failed = laps.failed || self->laps.failed;
    vm_free_buffer(&self->laps);
    self->laps = laps;
    show_laps(self);
  } else {
    vm_free_buffer(&laps);
  }
  return known;
}

static void fail(vm_instance *self, vm_bytes code) { vm_emit_string(&self->queue, "failed", code); }

static void storage_answered(vm_instance *self, const vm_event *event) {
  vm_buffer text = vm_new_buffer();
  vm_bytes code;
  const bool restoring = self->restoring;
  self->restoring = false;
  self->stored = 0;
  if (event->kind == VM_ERROR) {
    if (vm_member(event->json, "code", &code) && vm_read_string(code, &text)) {
      fail(self, vm_contents(&text));
    }
  } else if (restoring && vm_type_of(event->json) != VM_TYPE_NULL) {
    if (!restore(self, event->json)) fail(self, vm_text("invalid-reply"));
  }
  vm_free_buffer(&text);
  save(self);
}

/* ---- Inputs ---- */

static void halt(vm_instance *self) {
  if (!self->running) return;
  vm_cancel(&self->queue, self->tick, "timer");
  self->tick = 0;
}

static void start(vm_instance *self, int64_t now) {
  if (self->running) return;
  self->since = now - self->elapsed;
  show_running(self, true);
  self->tick = vm_ask_timer(&self->queue, 100);
}

static void stop(vm_instance *self, int64_t now) {
  if (!self->running) return;
  halt(self);
  self->elapsed = now - self->since;
  show(self, self->elapsed);
  show_running(self, false);
}

static void lap(vm_instance *self, int64_t now) {
  char text[32];
  if (!self->running) return;
  show(self, now - self->since);
  const vm_bytes time = text_of(self->shown, text);
  vm_write_string(&self->laps, time);
  show_laps(self);
  vm_emit_string(&self->queue, "lapped", time);
  self->changed = true;
  save(self);
}

static void reset(vm_instance *self) {
  halt(self);
  self->elapsed = 0;
  show(self, 0);
  if (self->running) show_running(self, false);
  if (self->laps.size == 0) return;
  vm_free_buffer(&self->laps);
  show_laps(self);
  self->changed = true;
  save(self);
}

/* ---- What the host calls ---- */

static vm_status stopwatch_create(
    const vm_create_info *info, vm_instance **instance, vm_bytes *error) {
  if (!vm_equal(info->view_model, "stopwatch")) {
    *error = vm_text("the only view model here is stopwatch");
    return VM_E_VIEW_MODEL;
  }
  vm_instance *self = calloc(1, sizeof(vm_instance));
  if (!self) return VM_E_FAILED;
  vm_emit_string(&self->queue, "display", vm_text("00:00.0"));
  vm_emit_bool(&self->queue, "running", false);
  show_laps(self);
  self->restoring = true;
  self->stored = vm_ask_storage(&self->queue, "storage.get", "laps", NULL);
  *instance = self;
  return VM_OK;
}

static vm_status receive(vm_instance *self, const vm_event *event, vm_bytes *error) {
  if (vm_equal(event->name, "start")) {
    start(self, event->time_ns);
  } else if (vm_equal(event->name, "stop")) {
    stop(self, event->time_ns);
  } else if (vm_equal(event->name, "lap")) {
    lap(self, event->time_ns);
  } else if (vm_equal(event->name, "reset")) {
    reset(self);
  } else {
    *error = vm_text("a stopwatch has the inputs start, stop, lap and reset");
    return VM_E_NAME;
  }
  return VM_OK;
}

static vm_status stopwatch_send(vm_instance *self, const vm_event *event, vm_bytes *error) {
  switch (event->kind) {
  case VM_INPUT: return receive(self, event, error);
  case VM_REPLY:
  case VM_ERROR: break;
  default: *error = vm_text("a stopwatch knows inputs and answers only"); return VM_E_KIND;
  }
  if (event->id == self->stored) {
    storage_answered(self, event);
  } else if (event->id == self->tick) {
    show(self, event->time_ns - self->since);
    self->tick = vm_ask_timer(&self->queue, 100);
  } else {
    *error = vm_text("no open request has this id");
    return VM_E_ID;
  }
  return VM_OK;
}

static vm_status stopwatch_poll(vm_instance *self, vm_event *out) {
  return vm_poll(&self->queue, out);
}

static void stopwatch_destroy(vm_instance *self) {
  vm_free_queue(&self->queue);
  vm_free_buffer(&self->laps);
  free(self);
}

VM_PLUGIN(stopwatch_manifest, stopwatch_create, stopwatch_send, stopwatch_poll, stopwatch_destroy)
