/* A plugin that calls the function that its input names, each of which starts a process. */
#define _GNU_SOURCE
#include "vm_helper.h"

#include <fcntl.h>
#include <unistd.h>

struct vm_instance {
  vm_queue queue;
};

static vm_bytes manifest(void) {
  static vm_manifest manifest;
  if (manifest.hasViewModel) return vm_contents(&manifest.json);
  vm_manifest_begin(&manifest, "starts", "1.0.0");
  vm_manifest_view_model(&manifest, "starts");
  vm_manifest_input(&manifest, "call", VM_SCHEMA_STRING);
  vm_manifest_signal(&manifest, "result", VM_SCHEMA_INTEGER);
  return vm_manifest_end(&manifest);
}

static vm_status create(const vm_create_info *info, vm_instance **instance, vm_bytes *error) {
  (void)info;
  (void)error;
  *instance = calloc(1, sizeof(vm_instance));
  return *instance ? VM_OK : VM_E_FAILED;
}

/* What takes the place of the process ends with status 4, or with 42 if it has the variable. */
static int call(vm_bytes name) {
  char *const arguments[] = {"sh", "-c", "exit $1$VALUE", "sh", "4", NULL};
  char *const variables[] = {"VALUE=2", NULL}, *const end = NULL;
  char *const *list = arguments;
  const char *path = "/bin/sh";
  if (vm_equal(name, "fork")) return fork();
  if (vm_equal(name, "execv")) return execv(path, arguments);
  if (vm_equal(name, "execvp")) return execvp("sh", arguments);
  if (vm_equal(name, "execve")) return execve(path, arguments, variables);
  if (vm_equal(name, "execvpe")) return execvpe("sh", arguments, variables);
  if (vm_equal(name, "execveat")) return execveat(AT_FDCWD, path, arguments, variables, 0);
  if (vm_equal(name, "fexecve")) return fexecve(STDERR_FILENO, arguments, variables);
  if (vm_equal(name, "execl")) return execl(path, list[0], list[1], list[2], "sh", "4", end);
  if (vm_equal(name, "execlp")) return execlp("sh", list[0], list[1], list[2], "sh", "4", end);
  if (vm_equal(name, "execle"))
    return execle(path, list[0], list[1], list[2], "sh", "4", end, variables);
  return 0;
}

static vm_status take(vm_instance *self, const vm_event *event, vm_bytes *error) {
  vm_buffer name = vm_new_buffer();
  (void)error;
  if (!vm_read_string(event->json, &name)) return VM_E_VALUE;
  vm_emit_int(&self->queue, "result", call(vm_contents(&name)));
  vm_free_buffer(&name);
  return VM_OK;
}

static vm_status next(vm_instance *self, vm_event *out) { return vm_poll(&self->queue, out); }

static void destroy(vm_instance *self) {
  vm_free_queue(&self->queue);
  free(self);
}

VM_PLUGIN(manifest, create, take, next, destroy)
