#define _GNU_SOURCE
#include "HostShims.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int host_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int host_processors(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : -1;
}

int host_raise_file_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &limit);
}

int host_poll(struct pollfd *entries, uint64_t count, int64_t limit_ns) {
  const struct timespec limit = {limit_ns / 1000000000, limit_ns % 1000000000};
  return ppoll(entries, count, limit_ns < 0 ? NULL : &limit, NULL);
}

int host_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

static volatile sig_atomic_t forward_to = -1;

static void forward(int signal) {
  int saved = errno;
  unsigned char byte = (unsigned char)signal;
  // SA_RESETHAND makes the next signal of this kind fatal, so a stuck session can still be ended.
  if (write(forward_to, &byte, 1) < 0) _exit(128 + signal);
  errno = saved;
}

int host_forward_signals(int descriptor) {
  forward_to = descriptor;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = forward;
  action.sa_flags = (int)(SA_RESETHAND | SA_RESTART);
  const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  for (int i = 0; i < 3; i++)
    if (sigaction(signals[i], &action, NULL) != 0) return -1;
  return 0;
}

_Noreturn void host_die_by_signal(int number) {
  signal(number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  raise(number);
  _exit(128 + number);
}

void host_flush_prints(void) { fflush(stdout); }

void host_print_by_line(void) { setvbuf(stdout, NULL, _IOLBF, BUFSIZ); }
