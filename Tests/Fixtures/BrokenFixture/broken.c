// A plugin that breaks the interface in each way that a host must survive.
//
// This file: what is wrong with the library as a whole. Which of it, says the variable VM_BROKEN
// or, where that isn't set, the file's own name: a copy called libbroken-wrong-magic.so has the
// fault "wrong-magic". A worker sees neither, so it can also stand in the library itself, in place
// of the zeros behind VMHOST-FIXTURE-CHOICE:. With none of them it is sound, and a config chooses
// an instance's fault (instance.c).
#define _GNU_SOURCE
#include "broken.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define MANIFEST(view_models) \
  "{\"id\":\"broken\",\"version\":\"1.0.0\",\"viewModels\":" view_models "}"
#define VIEW_MODEL(members) MANIFEST("[{\"id\":\"broken\"," members "}]")

#define ORDER \
  "{\"type\":\"object\",\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":\"integer\"}," \
  "\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}}"

static const char sound_manifest[] = VIEW_MODEL(
    "\"config\":{\"schema\":{},\"default\":{\"key\":\"$secret:key\"}},"
    "\"inputs\":[{\"name\":\"go\"},{\"name\":\"emit\",\"schema\":{}},"
    "{\"name\":\"order\",\"schema\":" ORDER "}],"
    "\"states\":[{\"name\":\"info\",\"schema\":{}},{\"name\":\"second\",\"schema\":{}}],"
    "\"signals\":[{\"name\":\"said\",\"schema\":{}},{\"name\":\"rang\"},"
    "{\"name\":\"heard\",\"schema\":{}},{\"name\":\"ordered\",\"schema\":" ORDER "}],"
    "\"requests\":[\"timer\",\"storage.get\",\"storage.set\",\"storage.delete\",\"storage.list\","
    "\"http\",\"printer\"]");

static const struct {
  const char *fault;
  const char *text;
  size_t size; // 0: the text's own
} manifests[] = {
    {"manifest-empty", "", 0},
    {"manifest-null", NULL, 100},
    {"manifest-too-large", sound_manifest, (size_t)1 << 40},
    {"manifest-not-json", "{\"id\":broken}", 0},
    {"manifest-not-utf8", "{\"id\":\"\xff\"}", 0},
    {"manifest-array", "[]", 0},
    {"manifest-no-id", "{\"version\":\"1\",\"viewModels\":[]}", 0},
    {"manifest-bad-id", "{\"id\":\"a..b\",\"version\":\"1\",\"viewModels\":[]}", 0},
    {"manifest-no-version", "{\"id\":\"broken\",\"viewModels\":[]}", 0},
    {"manifest-no-view-models", MANIFEST("[]"), 0},
    {"manifest-view-models-object", MANIFEST("{}"), 0},
    {"manifest-same-view-models", MANIFEST("[{\"id\":\"a\"},{\"id\":\"a\"}]"), 0},
    {"manifest-bad-view-model", MANIFEST("[{\"id\":\"a\"},{\"id\":\"1st\"}]"), 0},
    {"manifest-same-inputs", VIEW_MODEL("\"inputs\":[{\"name\":\"a\"},{\"name\":\"a\"}]"), 0},
    {"manifest-same-outputs",
     VIEW_MODEL("\"states\":[{\"name\":\"a\",\"schema\":{}}],\"signals\":[{\"name\":\"a\"}]"), 0},
    {"manifest-bad-schema",
     VIEW_MODEL("\"inputs\":[{\"name\":\"a\",\"schema\":{\"type\":\"strin\"}}]"), 0},
    {"manifest-misspelt",
     VIEW_MODEL("\"singals\":[],\"inputs\":[{\"name\":\"a\",\"schema\":{\"tpye\":\"null\"}}]"), 0},
    {"manifest-bad-port", VIEW_MODEL("\"inputs\":[{\"name\":\"did.search\"}]"), 0},
    {"manifest-nameless-port", VIEW_MODEL("\"signals\":[{}]"), 0},
    {"manifest-state-without-schema", VIEW_MODEL("\"states\":[{\"name\":\"a\"}]"), 0},
    {"manifest-bad-request", VIEW_MODEL("\"requests\":[\"http\",1]"), 0},
    {"manifest-same-requests", VIEW_MODEL("\"requests\":[\"http\",\"http\"]"), 0},
};

static vm_bytes present_manifest = {(const uint8_t *)sound_manifest, sizeof sound_manifest - 1};

static vm_bytes manifest(void) { return present_manifest; }

static const char *chosen_fault(void);

static vm_bytes take_leaks(void) {
  static char huge[1 << 17];
  const char *fault = chosen_fault();
  if (!strcmp(fault, "leaks-crash")) *(volatile int *)8 = 1;
  if (!strcmp(fault, "leaks-hang")) broken_hang();
  if (!strcmp(fault, "leaks-null")) return (vm_bytes){NULL, 100};
  if (!strcmp(fault, "leaks-huge")) {
    // It would be a report if it weren't so long.
    memset(huge, ' ', sizeof huge);
    memcpy(huge, "{\"broken\":1}", strlen("{\"broken\":1}"));
    return (vm_bytes){(const uint8_t *)huge, sizeof huge};
  }
  if (!strcmp(fault, "leaks-not-json")) return BYTES("{\"broken\":");
  // One instance at most can live on.
  return BYTES("{\"broken\":7,\"unknown\":1,\"broken.a\":\"1\"}");
}

static const void *extension(vm_bytes id) {
  static const vm_leaks leaks = {.size = sizeof leaks, .take = take_leaks};
  int is_leaks = id.size == strlen(VM_LEAKS_EXTENSION) &&
      !memcmp(id.data, VM_LEAKS_EXTENSION, id.size);
  return is_leaks && !strncmp(chosen_fault(), "leaks-", 6) ? &leaks : NULL;
}

vm_bytes broken_text(const char *text) {
  return (vm_bytes){(const uint8_t *)text, text ? strlen(text) : 0};
}

enum { MARK = 22, LONGEST_CHOICE = 64 };

// Volatile, so that what a test writes into the file is read and not what the compiler knows.
static volatile const char marked[MARK + LONGEST_CHOICE] = "VMHOST-FIXTURE-CHOICE:";

static const char *chosen_fault(void) {
  const char *variable = getenv("VM_BROKEN");
  if (variable) return variable;
  static char name[64];
  for (int i = 0; i < LONGEST_CHOICE - 1; i++) name[i] = marked[MARK + i];
  if (name[0]) return name;
  static const char marker[] = "libbroken-";
  Dl_info info;
  if (!dladdr((void *)manifest, &info)) return "";
  const char *found = strstr(info.dli_fname, marker);
  if (!found) return "";
  found += sizeof marker - 1;
  size_t size = strcspn(found, ".");
  if (size >= sizeof name) size = sizeof name - 1;
  memcpy(name, found, size);
  return name;
}

__attribute__((constructor)) static void broken_construct(void) {
  if (!strcmp(chosen_fault(), "crash-in-constructor")) *(volatile int *)8 = 1;
}

// A table of a later version: longer than this host knows.
struct later_plugin {
  vm_plugin known;
  void *later[4];
};

const vm_plugin *vm_plugin_entry_v1(void) {
  static struct later_plugin later;
  const char *fault = chosen_fault();
  vm_plugin *table = &later.known;
  *table = (vm_plugin){
      .magic = VM_PLUGIN_MAGIC,
      .size = sizeof(vm_plugin),
      .abi_major = VM_ABI_MAJOR,
      .abi_minor = VM_ABI_MINOR,
      .manifest = manifest,
      .create = broken_create,
      .send = broken_send,
      .poll = broken_poll,
      .destroy = broken_destroy,
      .extension = extension,
  };
  if (!strcmp(fault, "no-table")) return NULL;
  if (!strcmp(fault, "wrong-magic")) table->magic = 0x464c457f;
  if (!strcmp(fault, "zero-size")) table->size = 0;
  if (!strcmp(fault, "short-size")) table->size = offsetof(vm_plugin, destroy);
  if (!strcmp(fault, "no-extension-field")) table->size = offsetof(vm_plugin, extension);
  if (!strcmp(fault, "larger-size")) table->size = sizeof later;
  if (!strcmp(fault, "other-major")) table->abi_major = VM_ABI_MAJOR + 1;
  if (!strcmp(fault, "major-0")) table->abi_major = 0;
  if (!strcmp(fault, "larger-minor")) table->abi_minor = VM_ABI_MINOR + 7;
  if (!strcmp(fault, "unknown-flags")) table->flags = 0xffffffff;
  if (!strcmp(fault, "null-manifest")) table->manifest = NULL;
  if (!strcmp(fault, "null-create")) table->create = NULL;
  if (!strcmp(fault, "null-send")) table->send = NULL;
  if (!strcmp(fault, "null-poll")) table->poll = NULL;
  if (!strcmp(fault, "null-destroy")) table->destroy = NULL;
  if (!strcmp(fault, "null-extension")) table->extension = NULL;
  present_manifest = BYTES(sound_manifest);
  for (size_t i = 0; i < sizeof manifests / sizeof *manifests; i++)
    if (!strcmp(fault, manifests[i].fault)) {
      present_manifest = broken_text(manifests[i].text);
      if (manifests[i].size) present_manifest.size = manifests[i].size;
    }
  return table;
}
