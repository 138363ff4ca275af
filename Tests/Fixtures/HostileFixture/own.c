// Acts upon what is the process's own: memory, limits, descriptors, outputs, clocks.
#define _GNU_SOURCE
#include "hostile.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int result(long value) { return value < 0 ? errno : 0; }

// MARK: Memory

enum { MEGABYTE = 1 << 20 };

static int allocate(const char *megabytes) {
  char *volatile block = malloc((size_t)atoi(megabytes) * MEGABYTE);
  if (!block) return errno;
  free(block);
  return 0;
}

static int use_memory(const char *megabytes) {
  const size_t size = (size_t)atoi(megabytes) * MEGABYTE;
  char *volatile block = malloc(size);
  if (!block) return errno;
  for (size_t at = 0; at < size; at += 4096) ((volatile char *)block)[at] = 1;
  free(block);
  return 0;
}

// Untouched, so that it takes nothing from the machine where nothing ends it.
static int allocate_for_ever(const char *unused) {
  (void)unused;
  for (int i = 0; i < 4096; i++)
    if (mmap(NULL, 64 * MEGABYTE, PROT_READ | PROT_WRITE,
          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED)
      return errno;
  return 0;
}

static int share_memory(const char *unused) {
  (void)unused;
  const int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
  return mmap(NULL, (size_t)4 << 30, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED ? errno
                                                                                         : 0;
}

static int make_memory_file(const char *unused) {
  (void)unused;
  return result(memfd_create("hostile", MFD_CLOEXEC));
}

static int make_data_executable(const char *unused) {
  (void)unused;
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return errno;
  return result(mprotect(page, 4096, PROT_READ | PROT_EXEC));
}

static int make_code_writable(const char *unused) {
  (void)unused;
  const uintptr_t page = (uintptr_t)make_code_writable & ~(uintptr_t)4095;
  return result(mprotect((void *)page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC));
}

static int load_library(const char *path) {
  return dlopen(path, RTLD_NOW | RTLD_LOCAL) ? 0 : ELIBACC;
}

// MARK: Limits

static int raise_limits(const char *unused) {
  (void)unused;
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return errno;
  limit.rlim_cur = limit.rlim_max = limit.rlim_max + 1;
  return result(setrlimit(RLIMIT_NOFILE, &limit));
}

static int change_personality(const char *unused) {
  (void)unused;
  return result(personality(ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC));
}

static int change_priority(const char *unused) {
  (void)unused;
  return result(setpriority(PRIO_PROCESS, 0, 1));
}

static int change_user(const char *unused) {
  (void)unused;
  return result(syscall(SYS_setuid, 1));
}

static int change_folder(const char *unused) {
  (void)unused;
  return result(chdir("/"));
}

static int use_ring(const char *unused) {
  (void)unused;
  char parameters[120] = {0};
  return result(syscall(425 /* io_uring_setup */, 1, parameters));
}

static int other_table(const char *unused) {
  (void)unused;
#ifdef __x86_64__
  return result(syscall(0x40000000 + SYS_getpid));
#else
  raise(SIGSYS);  // There is no other table.
  return 0;
#endif
}

// MARK: Descriptors

static int close_outputs(const char *unused) {
  (void)unused;
  for (int number = 0; number < 3; number++) close(number);
  return 0;
}

static int close_image(const char *unused) {
  (void)unused;
  return result(close(4));
}

static int close_all(const char *unused) {
  (void)unused;
  for (int number = 0; number < 64; number++) close(number);
  return 0;
}

static int signal_by_socket(const char *unused) {
  (void)unused;
  return result(fcntl(3, F_SETOWN, getppid()));
}

static int change_image(const char *unused) {
  (void)unused;
  signal(SIGXFSZ, SIG_IGN);
  const int failure = result(pwrite(4, "x", 1, 0));
  signal(SIGXFSZ, SIG_DFL);
  return failure;
}

// MARK: Outputs

// 10 million lines, without a system call for each.
static int flood(int output) {
  static char lines[10000 * 4];
  for (int i = 0; i < 10000; i++) memcpy(lines + 4 * i, "lie\n", 4);
  for (int i = 0; i < 100; i++)
    for (size_t at = 0; at < sizeof lines;) {
      const ssize_t count = write(output, lines + at, sizeof lines - at);
      if (count < 0) return errno;
      at += (size_t)count;
    }
  return 0;
}

static int flood_output(const char *unused) {
  (void)unused;
  return flood(1);
}

static int flood_errors(const char *unused) {
  (void)unused;
  return flood(2);
}

static int flood_line(const char *unused) {
  (void)unused;
  static char block[1 << 16];
  memset(block, 'x', sizeof block);
  for (int i = 0; i < 32; i++)
    if (write(1, block, sizeof block) < 0) return errno;
  return result(write(1, "\n", 1));
}

static int flood_for_ever(const char *unused) {
  (void)unused;
  static char block[1 << 16];
  memset(block, '\n', sizeof block);
  for (;;)
    if (write(1, block, sizeof block) < 0) return errno;
}

// Not UTF-8, zeros, and what a terminal would obey.
static int print_nonsense(const char *unused) {
  (void)unused;
  static const char nonsense[] = "\xff\xfe\0\x1b[2J\x1b]0;owned\a\r\n";
  return result(write(1, nonsense, sizeof nonsense - 1));
}

// MARK: What is allowed

static int read_clocks(const char *unused) {
  (void)unused;
  struct timespec now;
  if (time(NULL) == (time_t)-1 || clock_gettime(CLOCK_MONOTONIC, &now) != 0) return errno;
  // A system call too: the functions of a worker make none.
  struct timeval moment;
  return result(syscall(SYS_gettimeofday, &moment, NULL));
}

static int read_chance(const char *unused) {
  (void)unused;
  char bytes[32];
  return result(getrandom(bytes, sizeof bytes, 0));
}

static int nap(const char *unused) {
  (void)unused;
  const struct timespec moment = {0, 1000000};
  return result(nanosleep(&moment, NULL));
}

const struct act own_acts[] = {
  {"allocate", allocate}, {"use-memory", use_memory}, {"allocate-for-ever", allocate_for_ever},
  {"share-memory", share_memory}, {"make-memory-file", make_memory_file},
  {"make-data-executable", make_data_executable}, {"make-code-writable", make_code_writable},
  {"load-library", load_library}, {"raise-limits", raise_limits},
  {"change-personality", change_personality}, {"change-priority", change_priority},
  {"change-user", change_user}, {"change-folder", change_folder}, {"use-ring", use_ring},
  {"other-table", other_table}, {"close-outputs", close_outputs}, {"close-image", close_image},
  {"close-all", close_all}, {"signal-by-socket", signal_by_socket},
  {"change-image", change_image}, {"flood-output", flood_output}, {"flood-errors", flood_errors},
  {"flood-line", flood_line}, {"flood-for-ever", flood_for_ever},
  {"print-nonsense", print_nonsense}, {"read-clocks", read_clocks}, {"read-chance", read_chance},
  {"nap", nap}, {NULL, NULL}};
