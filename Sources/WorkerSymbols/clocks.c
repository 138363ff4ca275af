#define _GNU_SOURCE
#include "original.h"

#include <HostShims.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

#ifndef SANITIZER_HAS_ITS_OWN

enum { SECOND = 1000000000 };

// The apparent uptime of the machine when a session begins. It isn't 0, which some code takes for
// "never".
static const int64_t uptime = INT64_C(1000) * SECOND;

static int64_t since(int64_t beginning) {
  int64_t sum;
  const int64_t now = __atomic_load_n(&host_session_control.now, __ATOMIC_RELAXED);
  return __builtin_add_overflow(beginning, now, &sum) ? INT64_MAX : sum;
}

static int64_t wall(void) {
  return since(__atomic_load_n(&host_session_control.epoch, __ATOMIC_RELAXED));
}

// Seconds are rounded down, also before 1970.
static struct timespec split(int64_t nanoseconds) {
  struct timespec time = {nanoseconds / SECOND, nanoseconds % SECOND};
  if (time.tv_nsec < 0) {
    time.tv_sec--;
    time.tv_nsec += SECOND;
  }
  return time;
}

static int read_machine(clockid_t clock, struct timespec *time) {
  typedef int function(clockid_t, struct timespec *);
  function *original = ORIGINAL(function, "clock_gettime");
  if (original) return original(clock, time);
  return system_call_result(host_system_call(SYS_clock_gettime, clock, (long)time, 0, 0, 0, 0));
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!host_session_is_controlled()) return read_machine(clock, time);
  switch (clock) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_TAI:
    *time = split(wall());
    return 0;
  case CLOCK_MONOTONIC:
  case CLOCK_MONOTONIC_RAW:
  case CLOCK_MONOTONIC_COARSE:
  case CLOCK_BOOTTIME:
    *time = split(since(uptime));
    return 0;
  case CLOCK_PROCESS_CPUTIME_ID:
  case CLOCK_THREAD_CPUTIME_ID:
    *time = split(since(0));
    return 0;
  default:
    return read_machine(clock, time);
  }
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  struct timespec exact;
  if (zone) *(struct timezone *)zone = (struct timezone){0, 0};
  const int failure = clock_gettime(CLOCK_REALTIME, &exact);
  *time = (struct timeval){exact.tv_sec, exact.tv_nsec / 1000};
  return failure;
}

time_t time(time_t *result) {
  struct timespec exact;
  // The C library also uses the coarse clock.
  clock_gettime(CLOCK_REALTIME_COARSE, &exact);
  if (result) *result = exact.tv_sec;
  return exact.tv_sec;
}

int timespec_get(struct timespec *result, int base) {
  return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, result) == 0 ? base : 0;
}

clock_t clock(void) {
  struct timespec exact;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &exact) != 0) return -1;
  return exact.tv_sec * CLOCKS_PER_SEC + exact.tv_nsec / (SECOND / CLOCKS_PER_SEC);
}

#endif
