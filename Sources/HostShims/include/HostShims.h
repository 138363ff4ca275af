// What Swift can't express: calls that glibc lacks, and signal handlers, which must not run Swift
// code.
#ifndef HOST_SHIMS_H
#define HOST_SHIMS_H

#include "confinement.h"
#include "session_control.h"
#include "system_call.h"

#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Makes a pipe that no child inherits: ends[0] reads, ends[1] writes. Returns 0, or -1 with errno.
int host_pipe(int ends[2]);

// Returns the number of processors that this process may use, or -1.
int host_processors(void);

// Raises the limit on open files to the highest that this process may have. Most systems start with
// 1,024, for programs that use select(). Returns 0, or -1 with errno.
int host_raise_file_limit(void);

// poll() with a limit in nanoseconds. A negative limit waits forever.
int host_poll(struct pollfd *entries, uint64_t count, int64_t limit_ns);

// Fills up to 256 bytes with the system's random numbers. Returns 0, or -1 with errno.
int host_random(void *bytes, size_t size);

// Makes a TCP socket that no child inherits, to listen with. What its connections send leaves at
// once. Returns a descriptor, or -1 with errno.
int host_loopback_socket(void);

// Takes a connection as a nonblocking socket that no child inherits. Returns a descriptor, or -1
// with errno; EAGAIN if none is waiting.
int host_accept(int listener);

// Returns the type of the file system that a path is on, as statfs(2) has it, or -1 with errno.
int64_t host_file_system(const char *path);

// Opens a descriptor that becomes readable when the process ends, or returns -1 and sets errno.
int host_pidfd_open(pid_t process);

// Makes SIGINT, SIGTERM and SIGHUP end the processes that were started here, and then this one, by
// the same signal. A third signal of the same kind doesn't wait for that. Returns 0, or -1 with
// errno.
int host_handle_signals(void);

// Makes the first of these signals of each kind write its number as one byte to `descriptor`
// instead.
void host_forward_signals(int descriptor);

// Ends the process by `signal`, with its default effect, so that a shell sees why.
_Noreturn void host_die_by_signal(int signal);

// Makes standard output leave the process line by line, even into a pipe.
void host_print_by_line(void);

// Writes out what has been printed so far, even in the middle of a line.
void host_flush_prints(void);

// Returns whether anything has left the process by standard output, standard error or write()
// since the last call. It makes no system call, as it is called after each step. The first call
// returns 1.
int host_has_printed(void);

// How often write() and its like were called. WorkerSymbols, which has them, counts here.
extern uint64_t host_write_count;

// Load and store words in memory that another process also writes.
static inline uint64_t host_load(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void host_store(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

// Tells the processor that this thread waits for a word in memory to change.
static inline void host_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

#endif
