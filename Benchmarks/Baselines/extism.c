// Calls of the Extism library, which also runs plugins in a sandbox: one that returns its input.
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "BenchmarkBaselines.h"

// The text of the module:
//   (import "extism:host/env" "input_offset" (func $offset (result i64)))
//   (import "extism:host/env" "input_length" (func $length (result i64)))
//   (import "extism:host/env" "output_set" (func $set (param i64 i64)))
//   (func (export "echo") (result i32) (call $set (call $offset) (call $length)) (i32.const 0))
static const char module[] =
    "\0asm\1\0\0\0"
    "\1\x0e\3\x60\0\1\x7e\x60\2\x7e\x7e\0\x60\0\1\x7f"
    "\2\x5c\3"
    "\x0f" "extism:host/env" "\x0c" "input_offset" "\0\0"
    "\x0f" "extism:host/env" "\x0c" "input_length" "\0\0"
    "\x0f" "extism:host/env" "\x0a" "output_set" "\0\1"
    "\3\2\1\2"
    "\7\x08\1\4" "echo" "\0\3"
    "\x0a\x0c\1\x0a\0\x10\0\x10\1\x10\2\x41\0\x0b";

typedef void *make_plugin(
    const uint8_t *wasm, uint64_t size, const void **functions, uint64_t count, bool with_wasi,
    char **error);
typedef int32_t call_plugin(void *plugin, const char *name, const uint8_t *data, uint64_t size);
typedef const uint8_t *output_data(void *plugin);
typedef uint64_t output_length(void *plugin);

static void *plugin;
static call_plugin *call;
static output_data *data;
static output_length *length;

int bench_open_extism(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) return -1;
  make_plugin *make = (make_plugin *)dlsym(library, "extism_plugin_new");
  call = (call_plugin *)dlsym(library, "extism_plugin_call");
  data = (output_data *)dlsym(library, "extism_plugin_output_data");
  length = (output_length *)dlsym(library, "extism_plugin_output_length");
  if (!make || !call || !data || !length) return -1;
  char *error = NULL;
  plugin = make((const uint8_t *)module, sizeof module - 1, NULL, 0, false, &error);
  return plugin ? 0 : -1;
}

int64_t bench_call_extism(const char *text, int64_t count) {
  const uint64_t size = strlen(text);
  int64_t answers = 0;
  for (int64_t index = 0; index < count; index++) {
    if (call(plugin, "echo", (const uint8_t *)text, size) != 0) return -1;
    if (length(plugin) == size && memcmp(data(plugin), text, size) == 0) answers++;
  }
  return answers;
}
