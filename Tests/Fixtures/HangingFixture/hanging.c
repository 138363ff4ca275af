// A plugin that never finishes loading: its constructor doesn't come back.
#include "vm_plugin.h"

#include <stddef.h>

__attribute__((constructor)) static void hang(void) {
  for (volatile int spin = 1; spin;) {}
}

const vm_plugin *vm_plugin_entry_v1(void) { return NULL; }
