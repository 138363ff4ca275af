#define _GNU_SOURCE
#include "WorkerSymbols.h"
#include "original.h"

#include <HostShims.h>
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#ifndef SANITIZER_HAS_ITS_OWN

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

// In a confined worker, the system call behind this fails anyway. Failing here reports the reason
// once, and libdispatch doesn't wait for threads that never start.
static int refuse(void) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  static const char reason[] =
    "vmhost: the plugin started a thread, which a confined plugin can't do\n";
  if (!atomic_flag_test_and_set(&said)) {
    const ssize_t written = write(STDERR_FILENO, reason, sizeof reason - 1);
    (void)written;  // If standard error is closed, there is no way to report it.
  }
  return EAGAIN;
}

int pthread_create(
  pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  if (host_threads_are_denied()) return refuse();
  create_function *original = ORIGINAL(create_function, "pthread_create");
  return original ? original(thread, attributes, body, argument) : ENOSYS;
}

#endif
