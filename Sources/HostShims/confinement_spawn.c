#define _GNU_SOURCE
#include "children.h"
#include "confinement_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// A child that shares our memory until it runs another program, as in posix_spawn, which can't do
// half of this. It only makes system calls, and touches only its own launch.
struct launch {
  const struct host_spawn *spawn;
  const struct host_program *program;  // both NULL: a probe, which tries all layers and ends
  struct host_layer_result *results;
  int namespaces;
  pid_t parent;
  int failure;
};

enum { ABOVE_ALL = 32 };  // the first number for temporary duplicates of descriptors

// Our handlers must not run in a child that shares our memory. `keeps_ignored`: signals that are
// ignored stay so, as in any child, but for SIGPIPE, which this process ignores for itself.
static void default_signals(int keeps_ignored) {
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; number++) {
    if (keeps_ignored && number != SIGPIPE && sigaction(number, NULL, &before) == 0
      && before.sa_handler == SIG_IGN)
      continue;
    sigaction(number, &action, NULL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

// Makes `wanted` the descriptors from 0 on; closes those that are -1.
static int place_descriptors(const int *wanted, int count) {
  int waiting[HOST_WORKER_END];
  for (int i = 0; i < count; i++) {
    waiting[i] = wanted[i] < 0 ? -1 : fcntl(wanted[i], F_DUPFD_CLOEXEC, ABOVE_ALL);
    if (wanted[i] >= 0 && waiting[i] < 0) return errno;
  }
  for (int i = 0; i < count; i++) {
    if (waiting[i] < 0) close(i);
    else if (dup2(waiting[i], i) < 0) return errno;
  }
  return 0;
}

static int place_worker_descriptors(const struct host_spawn *spawn) {
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) return errno;
  const int wanted[HOST_WORKER_END] = {
    nothing, spawn->output, spawn->errors, spawn->socket, spawn->image, spawn->memory};
  return place_descriptors(wanted, HOST_WORKER_END);
}

// The entries of a folder as the kernel gives them.
struct entry {
  uint64_t inode;
  int64_t offset;
  uint16_t size;
  uint8_t type;
  char name[];
};

// Closes what /proc lists, for Linux before 5.9 and where a profile refuses close_range.
static int close_listed(int first) {
  const int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return errno;
  char bytes[1 << 12] __attribute__((aligned(8)));
  long size;
  while ((size = syscall(SYS_getdents64, folder, bytes, sizeof bytes)) > 0) {
    for (long at = 0; at < size; at += ((struct entry *)(bytes + at))->size) {
      int number = 0;
      const char *digit = ((struct entry *)(bytes + at))->name;
      while (*digit >= '0' && *digit <= '9') number = 10 * number + (*digit++ - '0');
      if (number >= first && number != folder) close(number);
    }
  }
  const int failure = size < 0 ? errno : 0;
  close(folder);
  return failure;
}

int host_close_from(int first) {
  return syscall(SYS_close_range, first, ~0u, 0) == 0 ? 0 : close_listed(first);
}

static int fix_addresses(void) {
  const int current = personality(0xffffffff);
  if (current < 0) return errno;
  return personality((unsigned long)(current | ADDR_NO_RANDOMIZE)) < 0 ? errno : 0;
}

static int die_with_parent(pid_t parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return errno;
  // If the parent ended before this took effect, the signal would never be sent.
  if (getppid() != parent) _exit(127);
  return 0;
}

// Makes the kernel end this process before vmhost where the machine's memory runs out. That is no
// protection of the machine, so it may fail, as without /proc.
static void die_first(void) {
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  (void)!write(file, "1000", 4);
  close(file);
}

static void apply(struct launch *launch, uint32_t layers) {
  struct host_layer_result *results = launch->results;
  for (int layer = 0; layer < HOST_LAYER_NAMESPACES; layer++)
    if (!host_wants(layers, layer)) results[layer].state = HOST_LAYER_OFF;
  if (host_wants(layers, HOST_LAYER_FIXED_ADDRESSES))
    host_note(&results[HOST_LAYER_FIXED_ADDRESSES], fix_addresses());
  if (host_wants(layers, HOST_LAYER_PARENT_DEATH))
    host_note(&results[HOST_LAYER_PARENT_DEATH], die_with_parent(launch->parent));
  if (host_wants(layers, HOST_LAYER_DESCRIPTORS))
    host_note(&results[HOST_LAYER_DESCRIPTORS], host_close_from(HOST_WORKER_END));
}

static _Noreturn void run_program(struct launch *launch) {
  const struct host_program *program = launch->program;
  const int wanted[] = {program->input, program->output};
  default_signals(1);
  setpgid(0, 0);
  launch->failure = place_descriptors(wanted, 2);
  if (!launch->failure) launch->failure = die_with_parent(launch->parent);
  if (!launch->failure) {
    execve(program->path, program->argv, program->envp);
    launch->failure = errno;
  }
  _exit(127);
}

static _Noreturn void run_probe(struct launch *launch) {
  const struct host_confinement everything = {.layers = ~0u};
  apply(launch, ~0u);
  host_apply_stage1(&everything, launch->results);
  host_confine_stage2(&everything, launch->results);
  _exit(0);
}

static int run_child(void *argument) {
  struct launch *launch = argument;
  const struct host_spawn *spawn = launch->spawn;
  if (launch->program) run_program(launch);
  default_signals(0);
  // Leaves the terminal, so that the worker gets neither its Ctrl-C nor its input.
  setsid();
  if (!spawn) run_probe(launch);
  die_first();
  launch->failure = place_worker_descriptors(spawn);
  if (launch->failure) _exit(127);
  apply(launch, spawn->layers);
  execve(spawn->path, spawn->argv, spawn->envp);
  launch->failure = errno;
  _exit(127);
}

// Clones the child with all namespaces, or with fewer if that fails: some systems grant a user
// namespace and then forbid everything in it.
static pid_t clone_child(struct launch *launch, char *stack_end, int *pidfd, int namespaces) {
  static const int choices[] = {
    CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC, CLONE_NEWUSER | CLONE_NEWNET, CLONE_NEWUSER, 0};
  struct host_layer_result unused, *result = &unused;
  if (launch->results) result = &launch->results[HOST_LAYER_NAMESPACES];
  result->state = HOST_LAYER_OFF;
  for (size_t i = namespaces ? 0 : 3; i < 4; i++) {
    const int flags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD | choices[i];
    const pid_t process = clone(run_child, stack_end, flags, launch, pidfd);
    if (process >= 0) {
      if (i == 0) host_note(result, 0);
      result->detail = (uint32_t)choices[i];
      return process;
    }
    if (choices[i]) host_note(result, errno);
  }
  return -1;
}

static int run(struct launch *launch, int namespaces, pid_t *process, int *pidfd) {
  enum { STACK = 256 << 10 };
  char *stack = mmap(
    NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return errno;
  if (host_children_reserve() != 0) {
    munmap(stack, STACK);
    return ENOMEM;
  }
  sigset_t all, before;
  sigfillset(&all);
  // Our signal handlers must not run in a child that shares our memory.
  pthread_sigmask(SIG_BLOCK, &all, &before);
  launch->parent = getpid();
  launch->failure = 0;
  *pidfd = -1;
  *process = clone_child(launch, stack + STACK, pidfd, namespaces);
  const int failure = *process < 0 ? errno : launch->failure;
  // A probe has built its filters in this process's memory, and has ended by now.
  if (!launch->spawn && !launch->program) host_unlock_filter();
  if (*process >= 0) host_children_add(*process);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  munmap(stack, STACK);
  if (failure && *process >= 0) {
    int code, status;
    host_reap(*process, *pidfd, 1, &code, &status);
    close(*pidfd);
  }
  return failure;
}

// The thread that makes all children, and its current request.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct request {
  struct launch *launch;
  int namespaces, answered, failure, *pidfd;
  pid_t *process;
} *pending;
static int has_thread;

static void *serve(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!pending) pthread_cond_wait(&changed, &lock);
    struct request *request = pending;
    pending = NULL;
    request->failure =
      run(request->launch, request->namespaces, request->process, request->pidfd);
    request->answered = 1;
    pthread_cond_broadcast(&changed);
  }
  return NULL;
}

static int start_thread(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 256 << 10);
  const int failure = pthread_create(&thread, &attributes, serve, NULL);
  pthread_attr_destroy(&attributes);
  return failure;
}

static int run_elsewhere(struct launch *launch, int namespaces, pid_t *process, int *pidfd) {
  struct request request = {
    .launch = launch, .namespaces = namespaces, .pidfd = pidfd, .process = process};
  pthread_mutex_lock(&turn);
  pthread_mutex_lock(&lock);
  if (!has_thread) request.failure = start_thread();
  if (!request.failure) {
    has_thread = 1;
    pending = &request;
    pthread_cond_broadcast(&changed);
    while (!request.answered) pthread_cond_wait(&changed, &lock);
  }
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&turn);
  return request.failure;
}

int host_spawn_worker(
  const struct host_spawn *spawn, pid_t *process, int *pidfd,
  struct host_layer_result results[HOST_LAYER_COUNT]) {
  struct launch launch = {.spawn = spawn, .results = results};
  return run_elsewhere(
    &launch, host_wants(spawn->layers, HOST_LAYER_NAMESPACES), process, pidfd);
}

int host_spawn_program(const struct host_program *program, pid_t *process, int *pidfd) {
  struct launch launch = {.program = program};
  return run_elsewhere(&launch, 0, process, pidfd);
}

void host_end_children(void) {
  // From here on nothing is started, by any thread.
  pthread_mutex_lock(&turn);
  host_children_end();
}

int host_probe_layers(struct host_layer_result results[HOST_LAYER_COUNT]) {
  struct launch launch = {.results = results};
  pid_t process;
  int pidfd, code, status;
  const int failure = run_elsewhere(&launch, 1, &process, &pidfd);
  if (failure) return failure;
  host_reap(process, pidfd, 1, &code, &status);
  close(pidfd);
  return 0;
}
