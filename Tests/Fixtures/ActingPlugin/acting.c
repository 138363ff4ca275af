#define _GNU_SOURCE
#include "acting.h"

#include "vm_plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BYTES(text) ((vm_bytes){(const uint8_t *)(text), sizeof(text) - 1})

enum { MARK = 22, LONGEST = 384 };

// Volatile, so that what a test writes into the file is read and not what the compiler knows.
static volatile const char marked[MARK + LONGEST] = "VMHOST-FIXTURE-CHOICE:";

struct choice {
  char phase[16], act[48], target[LONGEST];
};

struct vm_instance {
  struct choice choice;
  int has_news;
  unsigned count;
  char json[16];
};

static struct choice of_library;

static void choose(struct choice *choice, const char *text) {
  if (sscanf(text, "%15[^:]:%47[^:]:%383s", choice->phase, choice->act, choice->target) < 2)
    memset(choice, 0, sizeof *choice);
}

static void act(const struct choice *choice, const char *phase) {
  if (strcmp(choice->phase, phase)) return;
  const int failure = acting_attempt(choice->act, choice->target);
  // Without a translation, whose files a confined process can't open.
  const char *words = failure ? strerrordesc_np(failure) : "done";
  printf("%s: %s\n", choice->act, words ? words : "unknown");
  fflush(stdout);
}

__attribute__((constructor)) static void load(void) {
  char text[LONGEST];
  for (int i = 0; i < LONGEST; i++) text[i] = marked[MARK + i];
  text[LONGEST - 1] = 0;
  if (!text[0]) return;
  // So that a test can see that the process is gone afterwards.
  printf("pid %d\n", (int)getpid());
  fflush(stdout);
  choose(&of_library, text);
  act(&of_library, "load");
}

static vm_bytes manifest(void) {
  act(&of_library, "manifest");
  return BYTES(
    "{\"id\":\"acting\",\"version\":\"1.0.0\",\"viewModels\":[{\"id\":\"acting\","
    "\"inputs\":[{\"name\":\"go\"}],\"states\":[{\"name\":\"count\",\"schema\":{}}]}]}");
}

// Config is canonical JSON, and what the tests write there needs no escapes.
static void choose_by_config(struct choice *choice, vm_bytes config) {
  static const char key[] = "{\"act\":\"";
  const size_t before = sizeof key - 1;
  if (config.size < before || memcmp(config.data, key, before)) return;
  char text[LONGEST];
  size_t size = 0;
  while (before + size < config.size && size + 1 < sizeof text &&
         config.data[before + size] != '"') {
    text[size] = (char)config.data[before + size];
    size++;
  }
  text[size] = 0;
  choose(choice, text);
}

static vm_status create(const vm_create_info *info, vm_instance **instance, vm_bytes *error) {
  (void)error;
  vm_instance *made = calloc(1, sizeof *made);
  if (!made) return VM_E_FAILED;
  made->choice = of_library;
  choose_by_config(&made->choice, info->config);
  act(&made->choice, "create");
  made->has_news = 1;
  *instance = made;
  return VM_OK;
}

static vm_status send(vm_instance *self, const vm_event *event, vm_bytes *error) {
  (void)event;
  (void)error;
  act(&self->choice, "send");
  self->count++;
  self->has_news = 1;
  return VM_OK;
}

static vm_status poll(vm_instance *self, vm_event *out) {
  if (!self->has_news) return VM_IDLE;
  // Not at the first frame, which is a part of the making.
  if (self->count > 0) act(&self->choice, "poll");
  self->has_news = 0;
  snprintf(self->json, sizeof self->json, "%u", self->count);
  out->kind = VM_OUTPUT;
  out->name = BYTES("count");
  out->json = (vm_bytes){(const uint8_t *)self->json, strlen(self->json)};
  return VM_OK;
}

static void destroy(vm_instance *self) {
  act(&self->choice, "destroy");
  free(self);
}

const vm_plugin *vm_plugin_entry_v1(void) {
  static const vm_plugin plugin = {
    .magic = VM_PLUGIN_MAGIC,
    .size = sizeof(vm_plugin),
    .abi_major = VM_ABI_MAJOR,
    .abi_minor = VM_ABI_MINOR,
    .manifest = manifest,
    .create = create,
    .send = send,
    .poll = poll,
    .destroy = destroy,
  };
  return &plugin;
}
