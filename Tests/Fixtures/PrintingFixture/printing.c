// A plugin that prints in every way. Each input of `printing` takes a string without escapes,
// prints it, and emits it as the signal `did`:
//
// puts, printf         a line to standard output
// errors, perror       a line to standard error
// part, errorsPart     a part of a line, which another input ends
// write, writev        a line, without the C library's streams
// syscall, raw         the same, by syscall() and by the instruction
// both                 to each stream in turn, logs it, and prints once more
// log, quiet           logs it, does nothing
// address              prints an address instead, which may differ from run to run
// flood                as many lines as it says
// long                 a line of as many characters "é"
// crash                prints it and ends the process by a signal
//
// It also prints while it is loaded, and when an instance opens and closes.
#define _GNU_SOURCE
#include "vm_plugin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define BYTES(text) ((vm_bytes){(const uint8_t *)(text), sizeof(text) - 1})

struct vm_instance {
  // The value of the input, and what it says.
  char json[256], text[256];
  int logs, emits;
};

__attribute__((constructor)) static void load(void) { puts("loading"); }

static vm_bytes manifest(void) {
#define INPUT(name) "{\"name\":\"" name "\",\"schema\":{\"type\":\"string\"}}"
  return BYTES(
    "{\"id\":\"printing\",\"version\":\"1.0.0\",\"viewModels\":[{\"id\":\"printing\",\"inputs\":["
    INPUT("puts") "," INPUT("printf") "," INPUT("errors") "," INPUT("perror") ","
    INPUT("part") "," INPUT("errorsPart") "," INPUT("write") "," INPUT("writev") ","
    INPUT("syscall") "," INPUT("raw") "," INPUT("both") "," INPUT("log") "," INPUT("quiet") ","
    INPUT("address") "," INPUT("flood") "," INPUT("long") "," INPUT("crash") "],"
    "\"signals\":[" INPUT("did") "]}]}");
}

static vm_status create(const vm_create_info *info, vm_instance **instance, vm_bytes *error) {
  (void)info;
  (void)error;
  puts("opening");
  *instance = calloc(1, sizeof(vm_instance));
  return *instance ? VM_OK : VM_E_FAILED;
}

// Writes a line by a system call.
static void by_call(const char *text, const char *way) {
  char line[300];
  const int size = snprintf(line, sizeof line, "%s\n", text);
  ssize_t written = -1;
  if (!strcmp(way, "write")) written = write(2, line, (size_t)size);
  if (!strcmp(way, "writev")) written = writev(1, &(struct iovec){line, (size_t)size}, 1);
  if (!strcmp(way, "syscall")) written = syscall(SYS_write, 1, line, size);
#ifdef __x86_64__
  if (!strcmp(way, "raw")) {
    __asm__ volatile("syscall" : "=a"(written)
                     : "0"((long)SYS_write), "D"(1L), "S"(line), "d"((long)size)
                     : "rcx", "r11", "memory");
  }
#else
  if (!strcmp(way, "raw")) puts(text);
#endif
  if (written < 0) abort();
}

static void print(vm_instance *self, const char *way) {
  const char *text = self->text;
  if (!strcmp(way, "puts")) puts(text);
  else if (!strcmp(way, "printf")) printf("%s\n", text);
  else if (!strcmp(way, "errors")) fprintf(stderr, "%s\n", text);
  else if (!strcmp(way, "address")) printf("%p\n", (void *)self);
  else if (!strcmp(way, "perror")) errno = ENOENT, perror(text);
  else if (!strcmp(way, "part")) fputs(text, stdout);
  else if (!strcmp(way, "errorsPart")) fputs(text, stderr);
  else if (!strcmp(way, "flood")) for (int i = 0; i < atoi(text); i++) printf("line %d\n", i);
  else if (!strcmp(way, "long")) {
    for (int i = 0; i < atoi(text); i++) fputs("\u00e9", stdout);
    puts("");
  } else if (!strcmp(way, "both")) {
    printf("%s out\n", text);
    fprintf(stderr, "%s err\n", text);
    printf("%s out again\n", text);
  } else if (!strcmp(way, "crash")) {
    puts(text);
    abort();
  } else if (strcmp(way, "log") && strcmp(way, "quiet")) {
    by_call(text, way);
  }
  self->logs = !strcmp(way, "both") || !strcmp(way, "log");
}

static vm_status send(vm_instance *self, const vm_event *event, vm_bytes *error) {
  (void)error;
  snprintf(self->json, sizeof self->json, "%.*s", (int)event->json.size, event->json.data);
  snprintf(self->text, sizeof self->text, "%.*s", (int)event->json.size - 2, event->json.data + 1);
  char way[32];
  snprintf(way, sizeof way, "%.*s", (int)event->name.size, event->name.data);
  print(self, way);
  self->emits = 1;
  return VM_OK;
}

static vm_status poll(vm_instance *self, vm_event *out) {
  const vm_bytes value = {(const uint8_t *)self->json, strlen(self->json)};
  if (self->logs) {
    self->logs = 0;
    out->kind = VM_LOG;
    out->name = BYTES("info");
    out->json = value;
    return VM_OK;
  }
  if (!self->emits) return VM_IDLE;
  self->emits = 0;
  out->kind = VM_OUTPUT;
  out->name = BYTES("did");
  out->json = value;
  return VM_OK;
}

static void destroy(vm_instance *self) {
  fputs("closing", stdout);
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
