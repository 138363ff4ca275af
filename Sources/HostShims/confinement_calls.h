// The system calls that the filters allow whatever their arguments are. Documentation/Sandbox.md
// says why each is here, and a test compares the two.
#ifndef HOST_CONFINEMENT_CALLS_H
#define HOST_CONFINEMENT_CALLS_H

#include <sys/syscall.h>

#ifdef SYS_open
#define IF_OLD(...) __VA_ARGS__  // calls that newer architectures, such as aarch64, don't have
#else
#define IF_OLD(...)
#endif

// Reads and writes of open files, memory, locks, clocks, signals to itself, and exit.
#define PLAIN_CALLS(CALL) \
  CALL(read) CALL(readv) CALL(pread64) CALL(write) CALL(writev) CALL(pwrite64) CALL(close) \
  CALL(lseek) CALL(fstat) CALL(ppoll) CALL(brk) CALL(munmap) CALL(mremap) CALL(membarrier) \
  CALL(rt_sigaction) CALL(rt_sigprocmask) CALL(rt_sigreturn) CALL(sigaltstack) \
  CALL(restart_syscall) CALL(exit) CALL(exit_group) CALL(getpid) CALL(getppid) CALL(gettid) \
  CALL(getuid) CALL(geteuid) CALL(getgid) CALL(getegid) CALL(uname) CALL(sysinfo) \
  CALL(getrusage) CALL(times) CALL(clock_gettime) CALL(clock_getres) CALL(gettimeofday) \
  CALL(nanosleep) CALL(clock_nanosleep) CALL(sched_yield) CALL(getcpu) CALL(getrandom) \
  IF_OLD(CALL(poll) CALL(time) CALL(getrlimit))

// What ld.so needs to find a library. A constructor can also make these calls, but only to inspect
// the files that Landlock allows.
#define LOADING_CALLS(CALL) \
  CALL(newfstatat) CALL(statx) CALL(faccessat) CALL(faccessat2) CALL(readlinkat) CALL(getcwd) \
  CALL(landlock_create_ruleset) CALL(landlock_restrict_self) \
  IF_OLD(CALL(stat) CALL(lstat) CALL(access) CALL(readlink))

// Calls that name a file. Once the library is loaded, they fail with "permission denied", which
// libraries expect for a file that they can't open.
#define FILE_CALLS(CALL) \
  CALL(openat) CALL(openat2) CALL(newfstatat) CALL(statx) CALL(faccessat) CALL(faccessat2) \
  CALL(readlinkat) CALL(execve) CALL(execveat) CALL(unlinkat) CALL(renameat2) CALL(mkdirat) \
  CALL(linkat) CALL(symlinkat) CALL(mknodat) CALL(fchmodat) CALL(fchownat) CALL(utimensat) \
  CALL(truncate) CALL(statfs) CALL(chdir) CALL(getcwd) CALL(getdents64) CALL(socket) \
  IF_OLD( \
    CALL(open) CALL(creat) CALL(stat) CALL(lstat) CALL(access) CALL(readlink) CALL(unlink) \
    CALL(rename) CALL(renameat) CALL(mkdir) CALL(rmdir) CALL(link) CALL(symlink) CALL(mknod) \
    CALL(chmod) CALL(chown))

// Calls that the filters allow with some arguments only.
#define CONDITIONAL_CALLS(CALL) \
  CALL(mmap) CALL(mprotect) CALL(madvise) CALL(futex) CALL(sendto) CALL(fcntl) CALL(prctl) \
  CALL(kill) CALL(tgkill) CALL(prlimit64) CALL(sched_getaffinity)

// The same while the library is loaded.
#define CONDITIONAL_LOADING_CALLS(CALL) \
  CALL(openat) CALL(mmap) CALL(mprotect) CALL(prctl) CALL(prlimit64) CALL(seccomp) \
  IF_OLD(CALL(open))

// What a server needs besides: it takes connections and ends them.
#define CONDITIONAL_SERVING_CALLS(CALL) CALL(accept4) CALL(shutdown)

// Distributions ship headers that are years older than the kernels they run on.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self 446
#endif
#ifndef SYS_faccessat2
#define SYS_faccessat2 439
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif

#endif
