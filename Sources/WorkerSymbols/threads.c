#define _GNU_SOURCE
#include "WorkerSymbols.h"
#include "original.h"
#include "refusals.h"

#include <HostShims.h>
#include <errno.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

#ifndef SANITIZER_HAS_ITS_OWN

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

// In a confined worker, the system call behind this fails anyway. libdispatch would wait for ever
// for threads that never start.
int pthread_create(
  pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  if (host_threads_are_denied()) {
    worker_explain_end(LACK_THREADS, "pthread_create");
    return EAGAIN;
  }
  create_function *original = ORIGINAL(create_function, "pthread_create");
  return original ? original(thread, attributes, body, argument) : ENOSYS;
}

// What queues and run loops are made of. Without these, libdispatch and Foundation crash.
#define OF_LOOPS(name, parameters, ...)                                       \
  int name parameters {                                                       \
    typedef int function parameters;                                          \
    worker_explain_end(LACK_RUN_LOOP, #name);                                 \
    function *original = ORIGINAL(function, #name);                           \
    if (original) return original(__VA_ARGS__);                               \
    errno = ENOSYS;                                                           \
    return -1;                                                                \
  }

OF_LOOPS(eventfd, (unsigned count, int flags), count, flags)
OF_LOOPS(timerfd_create, (clockid_t clock, int flags), clock, flags)
OF_LOOPS(epoll_create1, (int flags), flags)

#endif
