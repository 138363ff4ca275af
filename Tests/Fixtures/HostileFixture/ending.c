// Acts after which nothing is heard of the plugin, and those that only seem to be such.
#define _GNU_SOURCE
#include "hostile.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static void wait_for_ever(void) {
  for (;;) poll(NULL, 0, -1);
}

// MARK: Crashes

static int write_to_null(const char *unused) {
  (void)unused;
  *(volatile int *)8 = 1;
  return 0;
}

static int call_null(const char *unused) {
  (void)unused;
  void (*volatile nothing)(void) = NULL;
  nothing();
  return 0;
}

static int write_to_code(const char *unused) {
  (void)unused;
  *(volatile char *)(uintptr_t)write_to_null = 0;
  return 0;
}

static int run_data(const char *unused) {
  (void)unused;
  static volatile unsigned char code[16];
  void (*volatile data)(void) = (void (*)(void))(uintptr_t)code;
  data();
  return 0;
}

static int divide_by_zero(const char *unused) {
  (void)unused;
#ifdef __x86_64__
  volatile int zero = 0;
  return 1 / zero;
#else
  raise(SIGFPE);  // Division by zero is 0 there.
  return 0;
#endif
}

static int run_nonsense(const char *unused) {
  (void)unused;
  __builtin_trap();
}

static int overflow_from(volatile char *caller) {
  volatile char frame[4096];
  frame[0] = caller ? caller[0] : 1;
  // Nothing of this is known to the compiler, which would else make a loop of it.
  return frame[0] ? overflow_from(frame) + frame[0] : 0;
}

static int overflow_stack(const char *unused) {
  (void)unused;
  return overflow_from(NULL);
}

static int smash_stack(const char *unused) {
  (void)unused;
  // What a frame far above returns to is overwritten too, with an address that can't be.
  volatile uintptr_t here[4];
  volatile uintptr_t *volatile start = here;
  for (int i = 0; i < 512; i++) start[i] = 16;
  return 0;
}

static int abort_(const char *unused) {
  (void)unused;
  abort();
}

// So large a block is a mapping of its own in glibc, which is gone once it is freed.
static int use_freed(const char *unused) {
  (void)unused;
  char *volatile block = malloc((size_t)64 << 20);
  if (!block) return errno;
  free(block);
  *(volatile char *)block = 1;
  return 0;
}

// A small block stays where it was, so that writing to it is a bug which nothing notices. It is
// not written where glibc keeps its list of free blocks.
static int use_freed_small(const char *unused) {
  (void)unused;
  char *volatile block = malloc(64);
  if (!block) return errno;
  free(block);
  ((volatile char *)block)[40] = 1;
  return 0;
}

// glibc notices, says so and aborts.
static int free_twice(const char *unused) {
  (void)unused;
  char *volatile block = malloc(64);
  free(block);
  free(block);
  return 0;
}

static int free_foreign(const char *unused) {
  (void)unused;
  static char block[64] __attribute__((aligned(16)));
  char *volatile inside = block + 16;
  free(inside);
  return 0;
}

// MARK: Signals to itself

static int kill_itself(const char *unused) {
  (void)unused;
  raise(SIGKILL);
  return 0;
}

static int terminate_itself(const char *unused) {
  (void)unused;
  return kill(getpid(), SIGTERM) == 0 ? 0 : errno;
}

static int stop_itself(const char *unused) {
  (void)unused;
  raise(SIGSTOP);
  return 0;
}

static int signal_itself(const char *unused) {
  (void)unused;
  signal(SIGUSR1, SIG_IGN);
  for (int i = 0; i < 20000; i++) raise(SIGUSR1);
  return 0;
}

static int alarm_itself(const char *unused) {
  (void)unused;
  const struct itimerval soon = {.it_value = {.tv_usec = 1000}};
  if (setitimer(ITIMER_REAL, &soon, NULL) != 0) return errno;
  wait_for_ever();
  return 0;
}

// Goes back to where the fault is; the pause spares the machine.
static void go_back(int signal) {
  (void)signal;
  poll(NULL, 0, 1);
}

static int fault_for_ever(const char *unused) {
  signal(SIGSEGV, go_back);
  return write_to_null(unused);
}

static sigjmp_buf before_fault;

static void jump_back(int signal) { siglongjmp(before_fault, signal); }

static int survive_fault(const char *unused) {
  signal(SIGSEGV, jump_back);
  if (sigsetjmp(before_fault, 1) == 0) write_to_null(unused);
  signal(SIGSEGV, SIG_DFL);
  return 0;
}

// MARK: Ends and hangs

static int exit_(const char *status) { exit(atoi(status)); }
static int exit_at_once(const char *status) { _exit(atoi(status)); }

static int hang_at_exit(const char *unused) {
  (void)unused;
  return atexit(wait_for_ever) == 0 ? 0 : ENOMEM;
}

static int exit_and_hang(const char *unused) {
  hang_at_exit(unused);
  exit(0);
}

// Of the only thread, past all that the C library does at an end.
static int exit_thread(const char *status) { return (int)syscall(SYS_exit, atoi(status)); }

static int spin(const char *unused) {
  (void)unused;
  for (volatile int spinning = 1; spinning;) {}
  return 0;
}

static int sleep_for_ever(const char *unused) {
  (void)unused;
  wait_for_ever();
  return 0;
}

static int ignore_signals(const char *unused) {
  (void)unused;
  for (int number = 1; number < NSIG; number++) signal(number, SIG_IGN);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  wait_for_ever();
  return 0;
}

static int lock_itself(const char *unused) {
  (void)unused;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
  return 0;
}

const struct act ending_acts[] = {
  {"write-to-null", write_to_null}, {"call-null", call_null}, {"write-to-code", write_to_code},
  {"run-data", run_data}, {"divide-by-zero", divide_by_zero}, {"run-nonsense", run_nonsense},
  {"overflow-stack", overflow_stack}, {"smash-stack", smash_stack}, {"abort", abort_},
  {"use-freed", use_freed}, {"use-freed-small", use_freed_small}, {"free-twice", free_twice},
  {"free-foreign", free_foreign}, {"kill-itself", kill_itself},
  {"terminate-itself", terminate_itself}, {"stop-itself", stop_itself},
  {"signal-itself", signal_itself}, {"alarm-itself", alarm_itself},
  {"fault-for-ever", fault_for_ever}, {"survive-fault", survive_fault}, {"exit", exit_},
  {"exit-at-once", exit_at_once}, {"hang-at-exit", hang_at_exit},
  {"exit-and-hang", exit_and_hang}, {"exit-thread", exit_thread}, {"spin", spin},
  {"sleep", sleep_for_ever}, {"ignore-signals", ignore_signals}, {"lock-itself", lock_itself},
  {NULL, NULL}};
