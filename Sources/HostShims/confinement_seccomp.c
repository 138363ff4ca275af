#define _GNU_SOURCE
#include "confinement_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Both stages are lists of allowed calls. All other calls fail with an errno and have no effect.
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

enum { CLONE3 = 435, LANDLOCK_CREATE = 444, LANDLOCK_RESTRICT = 446, ANONYMOUS_NAME = 0x53564d41 };

// Reads and writes of open files, memory, locks, clocks, signals to itself, and exit.
static const int plain[] = {
  SYS_read, SYS_readv, SYS_pread64, SYS_write, SYS_writev, SYS_pwrite64, SYS_close, SYS_lseek,
  SYS_fstat, SYS_recvfrom, SYS_ppoll, SYS_futex, SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise,
  SYS_membarrier, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
  SYS_restart_syscall, SYS_exit, SYS_exit_group, SYS_getpid, SYS_getppid, SYS_gettid, SYS_getuid,
  SYS_geteuid, SYS_getgid, SYS_getegid, SYS_uname, SYS_sysinfo, SYS_getrusage, SYS_times,
  SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_nanosleep, SYS_clock_nanosleep,
  SYS_sched_yield, SYS_sched_getaffinity, SYS_getcpu, SYS_getrandom, SYS_set_robust_list, SYS_rseq,
#ifdef SYS_poll
  SYS_poll, SYS_time, SYS_getrlimit,
#endif
};

// Calls that name a file. They fail with "permission denied", which libraries expect for a file
// that they can't open.
static const int files[] = {
  SYS_openat, SYS_openat2, SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_faccessat2,
  SYS_readlinkat, SYS_execve, SYS_execveat, SYS_unlinkat, SYS_renameat2, SYS_mkdirat, SYS_linkat,
  SYS_symlinkat, SYS_mknodat, SYS_fchmodat, SYS_fchownat, SYS_utimensat, SYS_truncate, SYS_statfs,
  SYS_chdir, SYS_getcwd, SYS_getdents64, SYS_socket,
#ifdef SYS_open
  SYS_open, SYS_creat, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_unlink, SYS_rename,
  SYS_renameat, SYS_mkdir, SYS_rmdir, SYS_link, SYS_symlink, SYS_mknod, SYS_chmod, SYS_chown,
#endif
};

// The calls with which ld.so finds a library and stage 2 is applied. A constructor can also make
// them, but only to inspect the files that Landlock allows and to confine itself further.
static const int loading[] = {
  SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getcwd, SYS_mmap,
  SYS_mprotect, LANDLOCK_CREATE, LANDLOCK_RESTRICT,
#ifdef SYS_open
  SYS_stat, SYS_lstat, SYS_access, SYS_readlink,
#endif
};

enum { LIMIT = 1024 };

struct program {
  struct sock_filter code[LIMIT];
  unsigned short count;
};

// A condition: a 32-bit half of an argument, masked, has this value.
struct check {
  int argument, high;
  uint32_t mask, value;
};

static void emit(struct program *program, uint16_t code, uint32_t k, uint8_t yes, uint8_t no) {
  // Beyond the limit, only the count grows, so that the installation fails instead of truncating.
  if (program->count < LIMIT)
    program->code[program->count] = (struct sock_filter){code, yes, no, k};
  program->count++;
}

static void load(struct program *program, size_t offset) {
  emit(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

// Returns the action if it is this call and all checks hold. Otherwise the next rule follows.
static void rule(
  struct program *program, int number, int count, const struct check *checks, uint32_t action) {
  load(program, offsetof(struct seccomp_data, nr));
  emit(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, (uint8_t)(3 * count + 1));
  for (int i = 0; i < count; i++) {
    const size_t argument = offsetof(struct seccomp_data, args) + 8 * (size_t)checks[i].argument;
    load(program, argument + (checks[i].high ? 4 : 0));
    emit(program, BPF_ALU | BPF_AND | BPF_K, checks[i].mask, 0, 0);
    emit(
      program, BPF_JMP | BPF_JEQ | BPF_K, checks[i].value, 0, (uint8_t)(3 * (count - i - 1) + 1));
  }
  emit(program, BPF_RET | BPF_K, action, 0, 0);
}

// One action for a list of calls: comparisons that all jump to one return. The kernel runs a new
// filter for every existing call, to cache which ones it always allows, so a short filter is faster
// to install.
static void each(struct program *program, const int *numbers, size_t count, uint32_t action) {
  load(program, offsetof(struct seccomp_data, nr));
  for (size_t i = 0; i < count; i++) {
    const uint8_t to_action = (uint8_t)(count - i);
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)numbers[i], to_action, 0);
  }
  emit(program, BPF_JMP | BPF_JA, 1, 0, 0);
  emit(program, BPF_RET | BPF_K, action, 0, 0);
}

// The offset of a jump has 8 bits.
_Static_assert(sizeof plain / sizeof *plain < 256, "split the list of plain calls");
_Static_assert(sizeof files / sizeof *files < 256, "split the list of calls that name files");

static void allow_if(struct program *program, int number, int argument, uint32_t mask, uint32_t v) {
  const struct check check = {argument, 0, mask, v};
  rule(program, number, 1, &check, SECCOMP_RET_ALLOW);
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

static void add_loading(struct program *program) {
  each(program, loading, COUNT(loading), SECCOMP_RET_ALLOW);
  const uint32_t writing = O_ACCMODE | O_CREAT | O_TRUNC | O_TMPFILE;
  // O_TMPFILE includes the bit of O_DIRECTORY, so folders can't be opened either.
  allow_if(program, SYS_openat, 2, writing, O_RDONLY);
#ifdef SYS_open
  allow_if(program, SYS_open, 1, writing, O_RDONLY);
#endif
  allow_if(program, SYS_seccomp, 0, ~0u, SECCOMP_SET_MODE_FILTER);
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
  // The process can read its own limits.
  const struct check reading[] = {{0, 0, ~0u, 0}, {2, 0, ~0u, 0}, {2, 1, ~0u, 0}};
  rule(program, SYS_prlimit64, 3, reading, SECCOMP_RET_ALLOW);
  // send() on the connected socket, without another address.
  const struct check connected[] = {{4, 0, ~0u, 0}, {4, 1, ~0u, 0}};
  rule(program, SYS_sendto, 2, connected, SECCOMP_RET_ALLOW);
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
  const struct check thread = {0, 0, CLONE_THREAD, CLONE_THREAD};
  rule(program, SYS_clone, 1, &thread, refuse(EAGAIN));
}

int host_seccomp(int stage) {
  struct program program;
  program.count = 0;
  begin(&program);
  if (stage == 1) add_loading(&program);
  add_running(&program);
  // Only an attacker makes the other calls: ptrace, process_vm_writev, mount, unshare, bpf,
  // io_uring (which would bypass this filter), and calls of later kernels.
  emit(&program, BPF_RET | BPF_K, refuse(EPERM), 0, 0);
  if (program.count > LIMIT) return E2BIG;
  const struct sock_fprog filter = {program.count, program.code};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0 ? 0 : errno;
}
