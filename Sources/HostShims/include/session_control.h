// The time and the random numbers of a session, in a process that belongs to one plugin.
//
// A worker takes control once, before it loads anything. From then on, every library in the process
// gets its time and random numbers from here instead of the C library. WorkerSymbols has the
// functions that replace those of the C library. The worker's own code uses host_real_time.
#ifndef HOST_SESSION_CONTROL_H
#define HOST_SESSION_CONTROL_H

#include <stdint.h>

struct host_session_control {
  int is_on;
  int64_t epoch;    // the start of the session, in nanoseconds since 1970-01-01T00:00:00Z
  int64_t now;      // nanoseconds since the start of the session
  uint64_t random;  // the state of the random number generator
  uint64_t number;  // how many sessions have begun
};

extern struct host_session_control host_session_control;

// Takes control of this process. `seed` is the generator's seed until a session begins.
void host_control_session(uint64_t seed);

// Begins a session. Times and random numbers depend only on the arguments, and not on any previous
// session.
void host_session_begin(int64_t epoch, uint64_t seed);

static inline int host_session_is_controlled(void) {
  return __atomic_load_n(&host_session_control.is_on, __ATOMIC_RELAXED);
}

// Sets the session's time. It is called before each event, in any process, so it must be cheap.
static inline void host_session_set_time(int64_t now) {
  __atomic_store_n(&host_session_control.now, now, __ATOMIC_RELAXED);
}

// Returns the session's next random number (SplitMix64).
uint64_t host_session_random(void);

// Reads a clock of the machine in nanoseconds, even in a worker. `clock` is a CLOCK_… constant.
int64_t host_real_time(int clock);

// The same by a system call, for when the C library's function can't be found.
int64_t host_kernel_time(int clock);

#endif
