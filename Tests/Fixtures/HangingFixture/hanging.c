// A plugin that never finishes loading: its constructor doesn't come back. It waits, because some
// tests wait for the end of its 30 seconds.
#include "vm_plugin.h"

#include <poll.h>
#include <stddef.h>

__attribute__((constructor)) static void hang(void) {
  for (;;) poll(NULL, 0, -1);
}

const vm_plugin *vm_plugin_entry_v1(void) { return NULL; }
