#define _GNU_SOURCE
#include "original.h"

#include <HostShims.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef SANITIZER_HAS_ITS_OWN

// These count the calls, so that a worker notices in which step something was printed without the C
// library's streams. They don't search for the originals: a signal handler may call them.

ssize_t write(int descriptor, const void *buffer, size_t size) {
  count_write();
  return system_call_result(
    host_system_call(SYS_write, descriptor, (long)buffer, (long)size, 0, 0, 0));
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  count_write();
  return system_call_result(
    host_system_call(SYS_writev, descriptor, (long)parts, count, 0, 0, 0));
}

#endif
