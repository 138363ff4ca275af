// The time and the chance of a session, in a process that belongs to one plugin.
//
// A worker takes control once, before it loads anything. From then on the C library's clocks and
// random numbers, as every library of the process sees them, are what is said here (WorkerSymbols
// has the functions in their place). The worker's own code asks host_real_time.
#ifndef HOST_SESSION_CONTROL_H
#define HOST_SESSION_CONTROL_H

#include <stdint.h>

struct host_session_control {
  int is_on;
  int64_t epoch;    // the session's beginning, nanoseconds since 1970-01-01T00:00:00Z
  int64_t now;      // since the session's beginning
  uint64_t chance;  // the state of the generator
};

extern struct host_session_control host_session_control;

// Takes control of this process. `chance` feeds the generator until a session begins.
void host_control_session(uint64_t chance);

// A session begins: everything that follows is the same for the same arguments, whatever sessions
// there were before.
void host_session_begin(int64_t epoch, uint64_t chance);

static inline int host_session_is_controlled(void) {
  return __atomic_load_n(&host_session_control.is_on, __ATOMIC_RELAXED);
}

// Lets the session's time be `now`. Cheap: called before each event, in whatever process.
static inline void host_session_set_time(int64_t now) {
  __atomic_store_n(&host_session_control.now, now, __ATOMIC_RELAXED);
}

// The next number of the session's chance (SplitMix64).
uint64_t host_session_random(void);

// What a clock of the machine says, in nanoseconds, in a worker too; `clock` is a CLOCK_….
int64_t host_real_time(int clock);

// The same, asked of the kernel: for where the C library's function can't be found.
int64_t host_kernel_time(int clock);

#endif
