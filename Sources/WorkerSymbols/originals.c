#define _GNU_SOURCE
#include "original.h"

#ifndef SANITIZER_HAS_ITS_OWN

// The linker's names for the ends of the section to which each use of ORIGINAL adds.
extern struct original originals_start[] __asm__("__start_worker_originals")
  __attribute__((visibility("hidden")));
extern struct original originals_end[] __asm__("__stop_worker_originals")
  __attribute__((visibility("hidden")));

__attribute__((constructor)) static void find_originals(void) {
  for (struct original *next = originals_start; next != originals_end; next++) find_original(next);
}

#endif
