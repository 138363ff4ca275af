#define _GNU_SOURCE
#include "original.h"

#include <HostShims.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef SANITIZER_HAS_ITS_OWN

static void fill(void *buffer, size_t size) {
  unsigned char *next = buffer;
  while (size > 0) {
    const uint64_t number = host_session_random();
    const size_t part = size < sizeof number ? size : sizeof number;
    memcpy(next, &number, part);
    next += part;
    size -= part;
  }
}

ssize_t getrandom(void *buffer, size_t size, unsigned flags) {
  if (!host_session_is_controlled()) {
    return system_call_result(
      host_system_call(SYS_getrandom, (long)buffer, (long)size, (long)flags, 0, 0, 0));
  }
  fill(buffer, size);
  return (ssize_t)size;
}

int getentropy(void *buffer, size_t size) {
  if (size > 256) {
    errno = EIO;
    return -1;
  }
  if (host_session_is_controlled()) {
    fill(buffer, size);
    return 0;
  }
  typedef int function(void *, size_t);
  function *original = ORIGINAL(function, "getentropy");
  if (original) return original(buffer, size);
  errno = ENOSYS;
  return -1;
}

// glibc has the arc4random functions since 2.36. With an older one, no library calls them. They use
// getentropy, so a process outside of a session gets real random numbers.
static void fill_from_entropy(void *buffer, size_t size) {
  unsigned char *next = buffer;
  while (size > 0) {
    const size_t part = size < 256 ? size : 256;
    if (getentropy(next, part) != 0) __builtin_trap();
    next += part;
    size -= part;
  }
}

void arc4random_buf(void *buffer, size_t size) { fill_from_entropy(buffer, size); }

uint32_t arc4random(void) {
  uint32_t number;
  fill_from_entropy(&number, sizeof number);
  return number;
}

uint32_t arc4random_uniform(uint32_t bound) {
  if (bound < 2) return 0;
  // Smaller numbers would make small results more likely.
  const uint32_t least = -bound % bound;
  for (;;) {
    const uint32_t number = arc4random();
    if (number >= least) return number % bound;
  }
}

// Swift's runtime makes these calls by number.
long syscall(long number, ...) {
  long a[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
  va_end(list);
  if (number == SYS_write || number == SYS_writev) count_write();
  if (host_session_is_controlled()) {
    if (number == SYS_getrandom) return getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
    if (number == SYS_clock_gettime)
      return clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
  }
  // This isn't the C library's function, since a child that shares its parent's memory must not
  // search for it.
  return system_call_result(host_system_call(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}

#endif
