#define _GNU_SOURCE
#include "HostShims.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
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

int host_random(void *bytes, size_t size) {
  return getrandom(bytes, size, 0) == (ssize_t)size ? 0 : -1;
}

int host_loopback_socket(void) {
  const int number = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int yes = 1;
  // A connection inherits it from the socket that listens.
  if (number >= 0 && setsockopt(number, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) == 0)
    return number;
  if (number >= 0) close(number);
  return -1;
}

int host_accept(int listener) {
  return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int64_t host_file_system(const char *path) {
  struct statfs information;
  if (statfs(path, &information) != 0) return -1;
  return (int64_t)(uint32_t)information.f_type;
}

int host_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

static volatile sig_atomic_t forward_to = -1, ending_signal, received[NSIG];
static sem_t ending;

// The handler can't end the children itself: it may have interrupted the code that starts them.
static void *end_process(void *unused) {
  (void)unused;
  while (sem_wait(&ending) != 0) {}
  host_end_children();
  host_die_by_signal(ending_signal);
}

static void handle(int number) {
  const int saved = errno;
  const unsigned char byte = (unsigned char)number;
  const int is_first = !received[number];
  received[number] = 1;
  // Whatever keeps the end, a third signal doesn't wait for it.
  if (!is_first) signal(number, SIG_DFL);
  if (!is_first || forward_to < 0 || write(forward_to, &byte, 1) < 0) {
    ending_signal = number;
    sem_post(&ending);
  }
  errno = saved;
}

int host_handle_signals(void) {
  if (sem_init(&ending, 0, 0) != 0) return -1;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pthread_t thread;
  const int failure = pthread_create(&thread, NULL, end_process, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failure) {
    errno = failure;
    return -1;
  }
  pthread_detach(thread);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  for (int i = 0; i < 3; i++)
    if (sigaction(signals[i], &action, NULL) != 0) return -1;
  return 0;
}

void host_forward_signals(int descriptor) { forward_to = descriptor; }

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

uint64_t host_write_count;

// A stream counts the bytes that it has written, for its position in a file. For a pipe the count
// is -1 at first, which means that it isn't known, and stays so until it is set.
int host_has_printed(void) {
  static uint64_t seen;
  const uint64_t count = __atomic_load_n(&host_write_count, __ATOMIC_RELAXED);
  const int has_printed = stdout->_offset != 0 || stderr->_offset != 0 || count != seen;
  if (!has_printed) return 0;
  stdout->_offset = 0;
  stderr->_offset = 0;
  seen = count;
  return 1;
}
