#define _GNU_SOURCE
#include "original.h"
#include "refusals.h"

#include <HostShims.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#ifndef SANITIZER_HAS_ITS_OWN

// A confined worker can't open a device, and Foundation's UUID() would then use arbitrary bytes. So
// opening the random device returns a number that no descriptor has, and reading from it returns
// the session's random numbers.
enum { RANDOM_DEVICE = 0x7ffffff0 };

static int is_random_device(const char *path) {
  return path && host_session_is_controlled() &&
         (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0);
}

#define MODE(flags)                                     \
  ({                                                    \
    mode_t mode = 0;                                    \
    if (__OPEN_NEEDS_MODE(flags)) {                     \
      va_list list;                                     \
      va_start(list, flags);                            \
      mode = va_arg(list, mode_t);                      \
      va_end(list);                                     \
    }                                                   \
    mode;                                               \
  })

int openat(int folder, const char *path, int flags, ...) {
  const mode_t mode = MODE(flags);
  if (is_random_device(path)) return RANDOM_DEVICE;
  typedef int function(int, const char *, int, ...);
  const int file = ORIGINAL(function, "openat")(folder, path, flags, mode);
  if (file < 0 && (errno == EACCES || errno == EPERM)) worker_explain(LACK_FILES, "open", path);
  return file;
}

int open(const char *path, int flags, ...) { return openat(AT_FDCWD, path, flags, MODE(flags)); }

int open64(const char *path, int flags, ...) {
  return openat(AT_FDCWD, path, flags | O_LARGEFILE, MODE(flags));
}

int openat64(int folder, const char *path, int flags, ...) {
  return openat(folder, path, flags | O_LARGEFILE, MODE(flags));
}

ssize_t read(int descriptor, void *buffer, size_t size) {
  if (descriptor == RANDOM_DEVICE && host_session_is_controlled())
    return getrandom(buffer, size, 0);
  typedef ssize_t function(int, void *, size_t);
  return ORIGINAL(function, "read")(descriptor, buffer, size);
}

int close(int descriptor) {
  if (descriptor == RANDOM_DEVICE && host_session_is_controlled()) return 0;
  typedef int function(int);
  return ORIGINAL(function, "close")(descriptor);
}

#endif
