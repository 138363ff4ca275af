// A plugin that takes as much as it is given: the input "go" names an act of the table below.
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vm_plugin.h>

enum { KILOBYTE = 1000, MEGABYTE = 1000 * 1000, ENDLESS = 1 << 30 };

// What it does at an input, and again at each answer if `again` says so.
struct act {
  const char *name;
  // So many outputs with values of so many bytes, then so many requests.
  long outputs;
  size_t size;
  long requests;
  const char *effect;
  const char *json;
  // The size of a key or value in place of `%s` in the request.
  size_t filler;
  bool again;
  // Each answer leads to one more output and one more request.
  bool renews;
  bool cancels;
  // How long it computes before each request.
  long milliseconds;
  // The output is a state.
  bool state;
};

static const char get[] = "{\"key\":\"%s\"}";
static const char set[] = "{\"key\":\"%06lu\",\"value\":\"%s\"}";
static const char url[] = "{\"url\":\"/\"}";
static const char hour[] = "{\"after\":\"1h\"}";

static const struct act acts[] = {
  // A gigabyte in one event, and nearly as much as it may if that is 32 MiB.
  {.name = "emit", .outputs = 100000, .size = 10 * KILOBYTE},
  {.name = "emit-some", .outputs = 3000, .size = 10 * KILOBYTE},
  {.name = "emit-state", .outputs = 1, .size = 150 * MEGABYTE, .state = true},
  // A gigabyte and more, over a chain of answers.
  {.name = "storage-chain", .outputs = 100, .size = 10 * KILOBYTE, .requests = 1,
   .effect = "storage.get", .json = get, .again = true},
  {.name = "timer-chain", .outputs = 100, .size = 10 * KILOBYTE, .requests = 1,
   .effect = "timer", .json = "{\"after\":\"0s\"}", .again = true},
  {.name = "quick-timer-chain", .outputs = 100, .size = 10 * KILOBYTE, .requests = 1,
   .effect = "timer", .json = "{\"after\":\"1ns\"}", .again = true},
  {.name = "large-key-chain", .requests = 1, .effect = "storage.get", .json = get,
   .filler = 1 * MEGABYTE, .again = true},
  {.name = "silent-chain", .requests = 1, .effect = "storage.get", .json = get, .again = true},
  {.name = "slow-chain", .requests = 1, .effect = "storage.get", .json = get, .again = true,
   .milliseconds = 50},
  // Requests and timers without end, at once and a few at a time.
  {.name = "requests", .requests = ENDLESS, .effect = "http", .json = url},
  {.name = "more-requests", .requests = 3000, .effect = "http", .json = url},
  {.name = "timers", .requests = ENDLESS, .effect = "timer", .json = hour},
  {.name = "more-timers", .requests = 30000, .effect = "timer", .json = hour},
  {.name = "cancels", .requests = ENDLESS, .effect = "timer", .json = hour, .cancels = true},
  {.name = "more-cancels", .requests = 30000, .effect = "timer", .json = hour, .cancels = true},
  {.name = "repeated-timers", .requests = 10000, .effect = "timer",
   .json = "{\"after\":\"1s\"}", .renews = true},
  // What it keeps in the store.
  {.name = "fill", .requests = 1, .effect = "storage.set", .json = set, .filler = 1 * MEGABYTE,
   .again = true},
  {.name = "keep", .requests = 1, .effect = "storage.set", .json = set,
   .filler = 1 * MEGABYTE + 1},
  {.name = "keep-little", .requests = 1, .effect = "storage.set",
   .json = "{\"key\":\"000002\",\"value\":0}"},
  {.name = "delete", .requests = 1, .effect = "storage.delete",
   .json = "{\"key\":\"000001\"}"},
};

struct vm_instance {
  struct act act;
  long outputs, requests, frame;
  uint64_t id, keys;
  bool cancels;
  char *value, *filler, *json, *error;
};

static vm_bytes text(const char *text) {
  return (vm_bytes){(const uint8_t *)text, strlen(text)};
}

static vm_bytes manifest(void) {
  return text(
    "{\"id\":\"greedy\",\"version\":\"1.0.0\",\"viewModels\":[{\"id\":\"greedy\","
    "\"inputs\":[{\"name\":\"go\",\"schema\":{\"type\":\"string\"}}],"
    "\"states\":[{\"name\":\"held\",\"schema\":{}}],"
    "\"signals\":[{\"name\":\"said\",\"schema\":{}},{\"name\":\"failed\",\"schema\":{}}],"
    "\"requests\":[\"storage.get\",\"storage.set\",\"storage.delete\",\"http\"]}]}");
}

static vm_status create(const vm_create_info *info, vm_instance **made, vm_bytes *error) {
  (void)info, (void)error;
  *made = calloc(1, sizeof **made);
  (*made)->frame = 1;
  return VM_OK;
}

static void destroy(vm_instance *self) {
  free(self->value), free(self->filler), free(self->json), free(self->error), free(self);
}

// JSON text of so many letters, or the letters alone.
static char *letters(size_t count, bool quoted) {
  char *made = malloc(count + 3);
  memset(made, 'x', count + 2);
  if (quoted) made[0] = made[count + 1] = '"';
  made[quoted ? count + 2 : count] = 0;
  return made;
}

static void begin(vm_instance *self) {
  self->outputs = self->act.outputs;
  self->requests = self->act.requests;
}

static vm_status choose(vm_instance *self, vm_bytes name, vm_bytes *error) {
  for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
    if (strlen(acts[i].name) + 2 != name.size) continue;
    if (memcmp(acts[i].name, name.data + 1, name.size - 2)) continue;
    self->act = acts[i];
    free(self->value), free(self->filler), free(self->json);
    self->value = letters(acts[i].size, true);
    self->filler = letters(acts[i].filler, false);
    self->json = malloc(acts[i].filler + 64);
    begin(self);
    return VM_OK;
  }
  *error = text("there is no such act");
  return VM_E_VALUE;
}

static vm_status take(vm_instance *self, const vm_event *event, vm_bytes *error) {
  if (event->kind == VM_INPUT) return choose(self, event->json, error);
  if (event->kind == VM_ERROR) {
    free(self->error);
    self->error = strndup((const char *)event->json.data, event->json.size);
  } else if (self->act.again) {
    begin(self);
  } else if (self->act.renews) {
    self->outputs++, self->requests++;
  }
  return VM_OK;
}

static void compute(long milliseconds) {
  const struct timespec pause = {.tv_nsec = milliseconds * 1000 * 1000};
  if (milliseconds) nanosleep(&pause, NULL);
}

static vm_status poll(vm_instance *self, vm_event *out) {
  out->id = 0;
  if (self->frame) {
    self->frame = 0;
    out->kind = VM_OUTPUT, out->name = text("held"), out->json = text("0");
  } else if (self->error) {
    // It is freed with the next one.
    static char shown[1000];
    snprintf(shown, sizeof shown, "%s", self->error);
    free(self->error), self->error = NULL;
    out->kind = VM_OUTPUT, out->name = text("failed"), out->json = text(shown);
  } else if (self->outputs) {
    self->outputs--;
    out->kind = VM_OUTPUT, out->name = text(self->act.state ? "held" : "said");
    out->json = text(self->value);
  } else if (self->cancels) {
    self->cancels = false;
    out->kind = VM_CANCEL, out->id = self->id;
  } else if (self->requests) {
    self->requests--;
    compute(self->act.milliseconds);
    self->keys++;
    if (self->act.json == set) sprintf(self->json, set, (unsigned long)self->keys, self->filler);
    else if (self->act.json == get) sprintf(self->json, get, self->filler);
    else strcpy(self->json, self->act.json);
    self->cancels = self->act.cancels;
    out->kind = VM_REQUEST, out->id = ++self->id;
    out->name = text(self->act.effect), out->json = text(self->json);
  } else {
    return VM_IDLE;
  }
  return VM_OK;
}

const vm_plugin *vm_plugin_entry_v1(void) {
  static const vm_plugin plugin = {
    .magic = VM_PLUGIN_MAGIC,
    .size = sizeof(vm_plugin),
    .abi_major = VM_ABI_MAJOR,
    .abi_minor = VM_ABI_MINOR,
    .manifest = manifest,
    .create = create,
    .send = take,
    .poll = poll,
    .destroy = destroy,
  };
  return &plugin;
}
