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

// A function of the C library that stands behind ours of the same name.
struct original {
  const char *name;
  _Atomic(void *) function;
};

// Searches once.
static inline void *find_original(struct original *original) {
  void *found = atomic_load(&original->function);
  if (!found) {
    found = dlsym(RTLD_NEXT, original->name);
    atomic_store(&original->function, found);
  }
  return found;
}

// A pointer to the next function of that name after ours, or NULL if there is none.
//
// The search needs the loader's lock, which a plugin keeps for as long as it is loaded. So all
// originals are found before `main` (originals.c), and the lock is only taken here by code that
// runs even earlier. `used` keeps an optimiser from taking the struct apart.
#define ORIGINAL(type, name)                                           \
  ({                                                                   \
    static struct original original                                    \
      __attribute__((used, section("worker_originals"))) = {name, NULL}; \
    (type *)find_original(&original);                                  \
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
