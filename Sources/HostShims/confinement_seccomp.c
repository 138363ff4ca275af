#define _GNU_SOURCE
#include "confinement_calls.h"
#include "confinement_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

// All stages are lists of allowed calls. All other calls fail with an errno and have no effect.
// They don't kill the process: a benign library that asks for a file, the terminal or a thread can
// go on without it, and an attacker gains nothing from a failed call. The only exception is a call
// through another architecture's table. No library makes one, and its numbers mean other calls.

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "The seccomp filter knows x86-64 and aarch64 only; add the architecture's audit number."
#endif

enum { CLONE3 = 435, ANONYMOUS_NAME = 0x53564d41 };

#define NUMBER(name) SYS_##name,
static const int plain[] = {PLAIN_CALLS(NUMBER)};
static const int files[] = {FILE_CALLS(NUMBER)};
static const int loading[] = {LOADING_CALLS(NUMBER)};

#define ENTRY(call) {#call, SYS_##call},
static const struct host_call always_running[] = {PLAIN_CALLS(ENTRY) {NULL, 0}};
static const struct host_call always_loading[] = {LOADING_CALLS(ENTRY) {NULL, 0}};
static const struct host_call running_if[] = {CONDITIONAL_CALLS(ENTRY) {NULL, 0}};
static const struct host_call loading_if[] = {CONDITIONAL_LOADING_CALLS(ENTRY) {NULL, 0}};
static const struct host_call serving_if[] = {CONDITIONAL_SERVING_CALLS(ENTRY) {NULL, 0}};
static const struct host_call none[] = {{NULL, 0}};

const struct host_call *host_calls(int stage, int is_conditional) {
  if (stage == HOST_SERVING) return is_conditional ? serving_if : none;
  if (stage == 1) return is_conditional ? loading_if : always_loading;
  return is_conditional ? running_if : always_running;
}

struct program {
  struct sock_filter code[HOST_FILTER_LIMIT];
  unsigned short count;
  // The numbers of the calls that rules are added for: from `first` to before `end`.
  int first, end;
};

// A condition: a 32-bit half of an argument, masked, has this value, or is below it.
struct check {
  int argument, high;
  uint32_t mask, value;
  int is_bound;
};

static void emit(struct program *program, uint16_t code, uint32_t k, uint8_t yes, uint8_t no) {
  // Beyond the limit, only the count grows, so that the installation fails instead of truncating.
  if (program->count < HOST_FILTER_LIMIT)
    program->code[program->count] = (struct sock_filter){code, yes, no, k};
  program->count++;
}

static int covers(const struct program *program, int number) {
  return number >= program->first && number < program->end;
}

static void load(struct program *program, size_t offset) {
  emit(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

// Returns the action if it is this call and all checks hold. Otherwise the next rule follows.
static void rule(
  struct program *program, int number, int count, const struct check *checks, uint32_t action) {
  if (!covers(program, number)) return;
  load(program, offsetof(struct seccomp_data, nr));
  emit(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, (uint8_t)(3 * count + 1));
  for (int i = 0; i < count; i++) {
    const size_t argument = offsetof(struct seccomp_data, args) + 8 * (size_t)checks[i].argument;
    load(program, argument + (checks[i].high ? 4 : 0));
    emit(program, BPF_ALU | BPF_AND | BPF_K, checks[i].mask, 0, 0);
    const uint8_t to_next = (uint8_t)(3 * (count - i - 1) + 1);
    if (checks[i].is_bound)
      emit(program, BPF_JMP | BPF_JGE | BPF_K, checks[i].value, to_next, 0);
    else emit(program, BPF_JMP | BPF_JEQ | BPF_K, checks[i].value, 0, to_next);
  }
  emit(program, BPF_RET | BPF_K, action, 0, 0);
}

// One action for a list of calls: comparisons that all jump to one return.
static void each(struct program *program, const int *numbers, size_t count, uint32_t action) {
  size_t rest = 0;
  for (size_t i = 0; i < count; i++) rest += covers(program, numbers[i]);
  if (!rest) return;
  load(program, offsetof(struct seccomp_data, nr));
  for (size_t i = 0; i < count; i++) {
    if (!covers(program, numbers[i])) continue;
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)numbers[i], (uint8_t)rest--, 0);
  }
  emit(program, BPF_JMP | BPF_JA, 1, 0, 0);
  emit(program, BPF_RET | BPF_K, action, 0, 0);
}

// The offset of a jump has 8 bits.
_Static_assert(sizeof plain / sizeof *plain < 256, "split the list of plain calls");
_Static_assert(sizeof files / sizeof *files < 256, "split the list of calls that name files");

static void allow_if(struct program *program, int number, int argument, uint32_t mask, uint32_t v) {
  const struct check check = {argument, 0, mask, v, 0};
  rule(program, number, 1, &check, SECCOMP_RET_ALLOW);
}

static void allow_values(
  struct program *program, int number, int argument, uint32_t mask, const int *values,
  size_t count) {
  for (size_t i = 0; i < count; i++)
    allow_if(program, number, argument, mask, (uint32_t)values[i]);
}

static uint32_t refuse(int error) { return SECCOMP_RET_ERRNO | (uint32_t)error; }

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void begin(struct program *program) {
  load(program, offsetof(struct seccomp_data, arch));
  emit(program, BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0);
  emit(program, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
#ifdef __x86_64__
  // The x32 table shares the architecture's number.
  load(program, offsetof(struct seccomp_data, nr));
  emit(program, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
  emit(program, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
#endif
}

// MARK: The filter of stage 2, in memory that the plugin can't change

// The host counts the filters of a worker to see that stage 2 is in force. That only proves it
// because no other filter can be added after stage 1: the call needs this address, and what is
// there stays as it is. The address is so low that a range that begins below its end can be refused
// without arithmetic, and that no program lies there.
enum { LOCKED_ADDRESS = 1 << 20 };

struct locked_filter {
  struct sock_fprog description;  // what the system call takes
  struct program program;
};

enum { LOCKED_SIZE = (sizeof(struct locked_filter) + 0xffff) & ~0xffff };

static int is_locked;

// Refuses a call that would change the memory below the end of the locked filter. A call with flags
// does so only if they have `flag`.
static void refuse_below(
  struct program *program, int number, int address, int flags, uint32_t flag) {
  const struct check checks[] = {
    {address, 1, ~0u, 0, 0},
    {address, 0, ~0u, LOCKED_ADDRESS + LOCKED_SIZE, 1},
    {flags, 0, flag, flag, 0}};
  rule(program, number, flag ? 3 : 2, checks, refuse(EACCES));
}

static void add_lock(struct program *program) {
  refuse_below(program, SYS_mmap, 0, 3, MAP_FIXED);
  refuse_below(program, SYS_mprotect, 0, 0, 0);
  refuse_below(program, SYS_munmap, 0, 0, 0);
  refuse_below(program, SYS_madvise, 0, 0, 0);
  refuse_below(program, SYS_mremap, 0, 0, 0);
  refuse_below(program, SYS_mremap, 4, 3, MREMAP_FIXED);
  const struct check adding[] = {
    {0, 0, ~0u, SECCOMP_SET_MODE_FILTER, 0}, {1, 0, ~0u, 0, 0}, {2, 1, ~0u, 0, 0},
    {2, 0, ~0u, LOCKED_ADDRESS, 0}};
  rule(program, SYS_seccomp, 4, adding, SECCOMP_RET_ALLOW);
}

static void add_loading(struct program *program) {
  add_lock(program);
  each(program, loading, COUNT(loading), SECCOMP_RET_ALLOW);
  rule(program, SYS_mmap, 0, NULL, SECCOMP_RET_ALLOW);
  rule(program, SYS_mprotect, 0, NULL, SECCOMP_RET_ALLOW);
  const uint32_t writing = O_ACCMODE | O_CREAT | O_TRUNC | O_TMPFILE;
  // O_TMPFILE includes the bit of O_DIRECTORY, so folders can't be opened either.
  allow_if(program, SYS_openat, 2, writing, O_RDONLY);
#ifdef SYS_open
  allow_if(program, SYS_open, 1, writing, O_RDONLY);
#endif
  allow_if(program, SYS_prctl, 0, ~0u, PR_SET_NO_NEW_PRIVS);
  allow_if(program, SYS_prlimit64, 0, ~0u, 0);
}

static void add_running(struct program *program) {
  const uint32_t self = (uint32_t)getpid();
  each(program, plain, COUNT(plain), SECCOMP_RET_ALLOW);
  each(program, files, COUNT(files), refuse(EACCES));
  allow_if(program, SYS_mmap, 2, PROT_EXEC, 0);
  allow_if(program, SYS_mprotect, 2, PROT_EXEC, 0);
  // For raise() and abort().
  allow_if(program, SYS_tgkill, 0, ~0u, self);
  allow_if(program, SYS_kill, 0, ~0u, self);
  // The process can read its own limits and processors.
  const struct check reading[] = {{0, 0, ~0u, 0, 0}, {2, 0, ~0u, 0, 0}, {2, 1, ~0u, 0, 0}};
  rule(program, SYS_prlimit64, 3, reading, SECCOMP_RET_ALLOW);
  const int own[] = {0, (int)self};
  allow_values(program, SYS_sched_getaffinity, 0, ~0u, own, COUNT(own));
  // send() on the connected socket, without another address. Other flags reach kernel code that
  // nobody needs: MSG_OOB has had bugs that gave a confined process the machine (CVE-2025-38236).
  const struct check connected[] = {
    {4, 0, ~0u, 0, 0}, {4, 1, ~0u, 0, 0}, {3, 0, ~(uint32_t)(MSG_NOSIGNAL | MSG_DONTWAIT), 0, 0}};
  rule(program, SYS_sendto, 3, connected, SECCOMP_RET_ALLOW);
  // Waiting and waking. Priority inheritance and requeueing are for several threads, and their
  // bugs have been used to take over the kernel.
  const int waiting[] = {FUTEX_WAIT, FUTEX_WAKE, FUTEX_WAIT_BITSET, FUTEX_WAKE_BITSET};
  const uint32_t operation = ~(uint32_t)(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME);
  allow_values(program, SYS_futex, 1, operation, waiting, COUNT(waiting));
  // glibc ends the process at any other error of a futex.
  rule(program, SYS_futex, 0, NULL, refuse(ENOSYS));
  // What memory allocators use. Others merge pages with those of other processes, or poison them.
  const int advice[] = {
    MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_DONTNEED, MADV_FREE,
    MADV_HUGEPAGE, MADV_NOHUGEPAGE};
  allow_values(program, SYS_madvise, 2, ~0u, advice, COUNT(advice));
  // The error for an advice that a kernel doesn't know.
  rule(program, SYS_madvise, 0, NULL, refuse(EINVAL));
  // F_SETOWN would make the kernel send signals to a process that the plugin chooses.
  allow_if(program, SYS_fcntl, 1, ~0u, F_GETFD);
  allow_if(program, SYS_fcntl, 1, ~0u, F_GETFL);
  // Names for threads and memory. PR_SET_PDEATHSIG would let a worker outlive its host, and
  // PR_SET_DUMPABLE would hide it from the host in /proc.
  allow_if(program, SYS_prctl, 0, ~0u, PR_SET_NAME);
  allow_if(program, SYS_prctl, 0, ~0u, PR_GET_NAME);
  allow_if(program, SYS_prctl, 0, ~0u, ANONYMOUS_NAME);
  // isatty() uses ioctl. No descriptor of a worker is a terminal.
  rule(program, SYS_ioctl, 0, NULL, refuse(ENOTTY));
  // The flags of clone3 are in memory, which a filter can't read. Without it, libraries use clone.
  rule(program, CLONE3, 0, NULL, refuse(ENOSYS));
  // pthread_create may fail with EAGAIN. libdispatch and others expect no other error.
  const struct check thread = {0, 0, CLONE_THREAD, CLONE_THREAD, 0};
  rule(program, SYS_clone, 1, &thread, refuse(EAGAIN));
}

// No call makes a socket: those that there are come from the listening one.
static void add_serving(struct program *program) {
  const struct check accepting[] = {
    {1, 0, ~0u, 0, 0}, {1, 1, ~0u, 0, 0}, {3, 0, ~0u, SOCK_CLOEXEC | SOCK_NONBLOCK, 0}};
  rule(program, SYS_accept4, 3, accepting, SECCOMP_RET_ALLOW);
  allow_if(program, SYS_shutdown, 1, ~0u, SHUT_WR);
}

static void add_rules(struct program *program, int stage) {
  if (stage == 1) add_loading(program);
  if (stage == HOST_SERVING) add_serving(program);
  add_running(program);
  // Only an attacker makes the other calls: ptrace, process_vm_writev, mount, unshare, bpf,
  // io_uring (which would bypass this filter), and calls of later kernels.
  emit(program, BPF_RET | BPF_K, refuse(EPERM), 0, 0);
}

// The kernel runs a new filter for every existing call, to cache which ones it always allows. So
// the rules are in groups by the numbers of their calls, and a call meets those of its group only.
static const int group_ends[] = {32, 64, 128, 256, INT_MAX};

static int build(struct program *program, int stage) {
  program->count = 0;
  program->first = 0;
  begin(program);
  for (size_t i = 0; i < COUNT(group_ends); i++) {
    program->end = group_ends[i];
    load(program, offsetof(struct seccomp_data, nr));
    emit(program, BPF_JMP | BPF_JGE | BPF_K, (uint32_t)program->end, 0, 1);
    const int jump = program->count;
    emit(program, BPF_JMP | BPF_JA, 0, 0, 0);
    add_rules(program, stage);
    if (program->count > HOST_FILTER_LIMIT) return E2BIG;
    program->code[jump].k = (uint32_t)(program->count - jump - 1);
    program->first = program->end;
  }
  // No call has so large a number.
  emit(program, BPF_RET | BPF_K, refuse(EPERM), 0, 0);
  return program->count > HOST_FILTER_LIMIT ? E2BIG : 0;
}

int host_filter(int stage, struct sock_filter code[HOST_FILTER_LIMIT]) {
  struct program program;
  if (build(&program, stage) != 0) return 0;
  for (int i = 0; i < program.count; i++) code[i] = program.code[i];
  return program.count;
}

static int lock_filter(void) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
  struct locked_filter *filter = mmap(
    (void *)LOCKED_ADDRESS, LOCKED_SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (filter == MAP_FAILED) return errno;
  // An old kernel takes the address as a hint.
  int failure = filter == (void *)LOCKED_ADDRESS ? build(&filter->program, 2) : EEXIST;
  filter->description = (struct sock_fprog){filter->program.count, filter->program.code};
  if (!failure && mprotect(filter, LOCKED_SIZE, PROT_READ) != 0) failure = errno;
  if (failure) munmap(filter, LOCKED_SIZE);
  is_locked = !failure;
  return failure;
}

void host_unlock_filter(void) {
  if (is_locked) munmap((void *)LOCKED_ADDRESS, LOCKED_SIZE);
  is_locked = 0;
}

static int install(const struct sock_fprog *filter) {
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, filter) == 0 ? 0 : errno;
}

int host_seccomp(int stage) {
  const int failure = is_locked || stage == HOST_SERVING ? 0 : lock_filter();
  if (failure) return failure;
  if (stage == 2) return install((const struct sock_fprog *)LOCKED_ADDRESS);
  struct program program;
  if (build(&program, stage) != 0) return E2BIG;
  const struct sock_fprog filter = {program.count, program.code};
  return install(&filter);
}
