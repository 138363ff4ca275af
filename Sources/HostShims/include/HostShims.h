// What Swift can't say: calls that glibc lacks, and signal handlers, which must not run Swift code.
#ifndef HOST_SHIMS_H
#define HOST_SHIMS_H

#include "confinement.h"
#include "session_control.h"
#include "system_call.h"

#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A pipe that no child inherits: ends[0] reads, ends[1] writes. Returns 0, or -1 with errno.
int host_pipe(int ends[2]);

// How many processors this process may use, or -1.
int host_processors(void);

// Lets this process open as many files as it ever may: most systems begin with 1,024, for the sake
// of programs that use select(). Returns 0, or -1 with errno.
int host_allow_most_files(void);

// poll() with a limit in nanoseconds; a negative one waits for ever.
int host_poll(struct pollfd *entries, uint64_t count, int64_t limit_ns);

// Opens a descriptor that becomes readable when the process ends, or returns -1 and sets errno.
int host_pidfd_open(pid_t process);

// Makes SIGINT, SIGTERM and SIGHUP write their number as one byte to `descriptor` instead of
// ending the process; a second one of them ends it at once. Returns 0, or -1 with errno.
int host_forward_signals(int descriptor);

// Ends the process by `signal`, with its default effect, so that a shell sees why.
_Noreturn void host_die_by_signal(int signal);

// Has what a plugin prints leave the process with each line, though it goes into a pipe.
void host_print_by_line(void);

// Has what a plugin printed so far leave the process, though no line has ended.
void host_flush_prints(void);

// Words in memory that another process writes too.
static inline uint64_t host_load(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void host_store(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

#endif
