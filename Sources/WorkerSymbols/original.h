// Access to the C library's functions behind our own.
#ifndef WORKER_ORIGINAL_H
#define WORKER_ORIGINAL_H

#include <HostShims.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
// A sanitizer replaces the same functions, and only one replacement is possible.
#define SANITIZER_HAS_ITS_OWN 1
#endif
#endif

// A pointer to the next function of that name after ours, or NULL if there is none. Each use of the
// macro searches once.
#define ORIGINAL(type, name)                                   \
  ({                                                           \
    static _Atomic(type *) known;                              \
    type *original = atomic_load(&known);                      \
    if (!original) {                                           \
      original = (type *)dlsym(RTLD_NEXT, name);               \
      atomic_store(&known, original);                          \
    }                                                          \
    original;                                                  \
  })

static inline void count_write(void) {
  __atomic_add_fetch(&host_write_count, 1, __ATOMIC_RELAXED);
}

// Converts a result of the kernel to that of a C library function, and sets errno.
static inline long system_call_result(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = (int)-result;
  return -1;
}

#endif
