#define _GNU_SOURCE
#include "session_control.h"
#include "system_call.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>

struct host_session_control host_session_control;

void host_control_session(uint64_t seed) {
  // The time until a session begins is the year 2000, which no code takes for "never".
  host_session_begin(INT64_C(946684800000000000), seed);
  __atomic_store_n(&host_session_control.is_on, 1, __ATOMIC_RELAXED);
}

void host_session_begin(int64_t epoch, uint64_t seed) {
  __atomic_store_n(&host_session_control.epoch, epoch, __ATOMIC_RELAXED);
  __atomic_store_n(&host_session_control.now, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&host_session_control.random, seed, __ATOMIC_RELAXED);
  __atomic_add_fetch(&host_session_control.number, 1, __ATOMIC_RELAXED);
  // The C library's own generators still have the state of the previous session. This resets them
  // to the state in which a process starts.
  unsigned short start[3] = {0, 0, 0};
  srandom(1);
  seed48(start);
}

uint64_t host_session_random(void) {
  uint64_t mixed = __atomic_add_fetch(
    &host_session_control.random, UINT64_C(0x9E3779B97F4A7C15), __ATOMIC_RELAXED);
  mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94D049BB133111EB);
  return mixed ^ (mixed >> 31);
}

int64_t host_real_time(int clock) {
  typedef int function(clockid_t, struct timespec *);
  static function *found;
  struct timespec time = {0, 0};
  function *original = __atomic_load_n(&found, __ATOMIC_ACQUIRE);
  if (!original) {
    // This skips the executable's own function of this name.
    original = (function *)dlsym(RTLD_NEXT, "clock_gettime");
    __atomic_store_n(&found, original, __ATOMIC_RELEASE);
  }
  if (!original) return host_kernel_time(clock);
  original(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// The function is found early, since dlsym needs the linker's lock, which a plugin that hangs while
// it is loaded holds forever. The watchdog reads the clock to report it.
__attribute__((constructor)) static void find_clock(void) { host_real_time(CLOCK_MONOTONIC); }

int64_t host_kernel_time(int clock) {
  struct timespec time = {0, 0};
  // In a worker, syscall() is our own function, which returns the session's time.
  host_system_call(SYS_clock_gettime, clock, (long)&time, 0, 0, 0, 0);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}
