// The C library's function behind one of ours.
#ifndef WORKER_ORIGINAL_H
#define WORKER_ORIGINAL_H

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
// A sanitizer takes the place of the same functions, and two can't.
#define SANITIZER_HAS_ITS_OWN 1
#endif
#endif

// A pointer to the next function of that name after ours, looked for once; NULL if there is none.
// The place of each use keeps its own.
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

// What a function of the C library returns for what the kernel did.
static inline long system_call_result(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = (int)-result;
  return -1;
}

#endif
