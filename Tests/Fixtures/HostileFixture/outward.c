// Acts against what lies outside the process: files, sockets, other processes.
#define _GNU_SOURCE
#include "hostile.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int result(long value) { return value < 0 ? errno : 0; }

// MARK: Files

static int read_file(const char *path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  char byte;
  const ssize_t count = read(file, &byte, 1);
  close(file);
  return result(count);
}

static int list_folder(const char *path) {
  return result(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

static int write_file(const char *path) {
  const int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) return errno;
  const ssize_t count = write(file, "x", 1);
  close(file);
  return result(count);
}

static int make_file(const char *path) {
  return result(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

static int remove_file(const char *path) { return result(unlink(path)); }
static int move_file(const char *path) {
  char other[512];
  snprintf(other, sizeof other, "%s.moved", path);
  return result(rename(path, other));
}
static int change_mode(const char *path) { return result(chmod(path, 0777)); }
static int make_folder(const char *path) { return result(mkdir(path, 0700)); }
static int make_link(const char *path) { return result(symlink("/", path)); }

// MARK: Sockets

// A connection, and a byte over it.
static int reach(int domain, int type, const void *address, size_t size) {
  const int number = socket(domain, type | SOCK_CLOEXEC, 0);
  if (number < 0) return errno;
  long sent = connect(number, address, (socklen_t)size);
  if (sent == 0) sent = send(number, "x", 1, MSG_NOSIGNAL);
  const int failure = result(sent);
  close(number);
  return failure;
}

static struct sockaddr_in loopback(const char *port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

static int connect_tcp(const char *port) {
  const struct sockaddr_in address = loopback(port);
  return reach(AF_INET, SOCK_STREAM, &address, sizeof address);
}

static int send_udp(const char *port) {
  const struct sockaddr_in address = loopback(port);
  return reach(AF_INET, SOCK_DGRAM, &address, sizeof address);
}

static int connect_unix(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  return reach(AF_UNIX, SOCK_STREAM, &address, sizeof address);
}

static int connect_abstract(const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path + 1, name, sizeof address.sun_path - 2);
  const size_t size = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
  return reach(AF_UNIX, SOCK_STREAM, &address, size);
}

static int listen_tcp(const char *unused) {
  (void)unused;
  const struct sockaddr_in address = loopback("0");
  const int number = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (number < 0) return errno;
  if (bind(number, (const struct sockaddr *)&address, sizeof address) != 0) return errno;
  return result(listen(number, 1));
}

// MARK: Other processes

static int signal_host(const char *unused) {
  (void)unused;
  return result(kill(getppid(), SIGURG));
}

static int end_process(const char *process) { return result(kill(atoi(process), SIGTERM)); }

static int signal_all(const char *unused) {
  (void)unused;
  return result(kill(-1, 0));
}

// Not the host, which other tests trace at the same time: a process has one tracer.
static int trace_process(const char *process) {
  return result(ptrace(PTRACE_SEIZE, atoi(process), NULL, NULL));
}

static int trace_itself(const char *unused) {
  (void)unused;
  return result(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

static int read_host_memory(const char *unused) {
  (void)unused;
  // Nothing lies at 16, so that a bad address means that reading is allowed.
  char byte;
  const struct iovec here = {&byte, 1}, there = {(void *)16, 1};
  const int failure = result(process_vm_readv(getppid(), &here, 1, &there, 1, 0));
  return failure == EFAULT ? 0 : failure;
}

static int write_host_memory(const char *unused) {
  (void)unused;
  char byte = 0;
  const struct iovec here = {&byte, 1}, there = {(void *)16, 1};
  const int failure = result(process_vm_writev(getppid(), &here, 1, &there, 1, 0));
  return failure == EFAULT ? 0 : failure;
}

static int open_of_host(const char *name, int flags) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", (int)getppid(), name);
  const int file = open(path, flags | O_CLOEXEC);
  if (file >= 0) close(file);
  return result(file);
}

static int open_host_memory(const char *unused) {
  (void)unused;
  return open_of_host("mem", O_RDWR);
}

static int read_host_environment(const char *unused) {
  (void)unused;
  return open_of_host("environ", O_RDONLY);
}

static int fork_(const char *unused) {
  (void)unused;
  const pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  return result(child);
}

static int spawn(const char *unused) {
  (void)unused;
  char *const arguments[] = {"true", NULL}, *const environment[] = {NULL};
  pid_t child;
  const int failure = posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environment);
  if (!failure) waitpid(child, NULL, 0);
  return failure;
}

// What takes the worker's place says nothing and ends at once.
static int execute(const char *unused) {
  (void)unused;
  char *const arguments[] = {"true", NULL}, *const environment[] = {NULL};
  return result(execve("/bin/true", arguments, environment));
}

static void *body(void *unused) { return unused; }

static int start_thread(const char *unused) {
  (void)unused;
  pthread_t thread;
  const int failure = pthread_create(&thread, NULL, body, NULL);
  if (!failure) pthread_join(thread, NULL);
  return failure;
}

static int ended(void *unused) {
  (void)unused;
  return (int)syscall(SYS_exit, 0);
}

static int clone_thread(const char *unused) {
  (void)unused;
  static char stack[16384] __attribute__((aligned(16)));
  const int flags =
    CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  return result(clone(ended, stack + sizeof stack, flags, NULL));
}

static int new_namespace(const char *unused) {
  (void)unused;
  return result(unshare(CLONE_NEWUSER | CLONE_NEWNS));
}

static int outlive_host(const char *unused) {
  (void)unused;
  return result(prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0));
}

static int hide(const char *unused) {
  (void)unused;
  return result(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0));
}

const struct act outward_acts[] = {
  {"read-file", read_file}, {"list-folder", list_folder}, {"write-file", write_file},
  {"make-file", make_file}, {"remove-file", remove_file}, {"move-file", move_file},
  {"change-mode", change_mode}, {"make-folder", make_folder}, {"make-link", make_link},
  {"connect-tcp", connect_tcp}, {"send-udp", send_udp}, {"connect-unix", connect_unix},
  {"connect-abstract", connect_abstract}, {"listen-tcp", listen_tcp},
  {"signal-host", signal_host}, {"end-process", end_process},
  {"signal-all", signal_all}, {"trace-process", trace_process}, {"trace-itself", trace_itself},
  {"read-host-memory", read_host_memory},
  {"write-host-memory", write_host_memory}, {"open-host-memory", open_host_memory},
  {"read-host-environment", read_host_environment}, {"fork", fork_}, {"spawn", spawn},
  {"execute", execute}, {"start-thread", start_thread}, {"clone-thread", clone_thread},
  {"new-namespace", new_namespace}, {"outlive-host", outlive_host}, {"hide", hide}, {NULL, NULL}};
