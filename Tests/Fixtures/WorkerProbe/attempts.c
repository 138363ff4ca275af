#define _GNU_SOURCE
#include "attempts.h"

#include <HostShims.h>
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

// Nothing here does harm where it works: signals are 0, a trace is let go, memory isn't touched.

static int result(long value) { return value < 0 ? errno : 0; }

static int open_file(const char *path, int flags) { return result(open(path, flags, 0600)); }
static int read_file(const char *path) { return open_file(path, O_RDONLY); }
static int read_folder(const char *path) { return open_file(path, O_RDONLY | O_DIRECTORY); }
static int write_file(const char *path) { return open_file(path, O_WRONLY | O_CREAT | O_TRUNC); }
static int make_folder(const char *path) { return result(mkdir(path, 0700)); }

static int host_file(const char *name, int flags) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", (int)getppid(), name);
  return open_file(path, flags);
}

static int open_host_memory(const char *unused) {
  (void)unused;
  return host_file("mem", O_RDWR);
}

static int read_host_environment(const char *unused) {
  (void)unused;
  return host_file("environ", O_RDONLY);
}

static int connected(int domain, int type, const void *address, size_t size) {
  const int socket_ = socket(domain, type, 0);
  if (socket_ < 0) return errno;
  return result(connect(socket_, address, (socklen_t)size));
}

static struct sockaddr_in loopback(const char *port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

static int connect_tcp(const char *port) {
  const struct sockaddr_in address = loopback(port);
  return connected(AF_INET, SOCK_STREAM, &address, sizeof address);
}

static int connect_udp(const char *port) {
  const struct sockaddr_in address = loopback(port);
  return connected(AF_INET, SOCK_DGRAM, &address, sizeof address);
}

static int connect_unix(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  return connected(AF_UNIX, SOCK_STREAM, &address, sizeof address);
}

static int connect_abstract(const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path + 1, name, sizeof address.sun_path - 2);
  const size_t size = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
  return connected(AF_UNIX, SOCK_STREAM, &address, size);
}

static int signal_host(const char *unused) {
  (void)unused;
  return result(kill(getppid(), 0));
}

static int own_signals(const char *unused) {
  (void)unused;
  return result(fcntl(HOST_WORKER_SOCKET, F_SETOWN, getppid()));
}

static int trace_host(const char *unused) {
  (void)unused;
  return result(ptrace(PTRACE_SEIZE, getppid(), NULL, NULL));
}

static int read_host_memory(const char *unused) {
  (void)unused;
  // The same program lies at other addresses in the host, so that a bad address means "allowed".
  char byte;
  const struct iovec here = {&byte, 1}, there = {(void *)16, 1};
  const int failure = result(process_vm_readv(getppid(), &here, 1, &there, 1, 0));
  return failure == EFAULT ? 0 : failure;
}

static int start_process(const char *unused) {
  (void)unused;
  const pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  return result(child);
}

static int run_program(const char *unused) {
  (void)unused;
  char *const arguments[] = {"worker-probe", "executed", NULL}, *const environment[] = {NULL};
  return result(execve("/proc/self/exe", arguments, environment));
}

static void *body(void *unused) { return unused; }

static int start_thread(const char *unused) {
  (void)unused;
  pthread_t thread;
  return pthread_create(&thread, NULL, body, NULL);
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

static int outlive_host(const char *unused) {
  (void)unused;
  return result(prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0));
}

static int hide(const char *unused) {
  (void)unused;
  return result(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0));
}

static int mapped(size_t size, int protection, int flags, int file) {
  return mmap(NULL, size, protection, flags, file, 0) == MAP_FAILED ? errno : 0;
}

static int executable_memory(const char *unused) {
  (void)unused;
  return mapped(4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

static int make_executable(const char *unused) {
  (void)unused;
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return result(mprotect(page, 4096, PROT_READ | PROT_EXEC));
}

static int allocate(const char *unused) {
  (void)unused;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  return mapped((size_t)1 << 30, PROT_READ | PROT_WRITE, flags, -1);
}

static int allocate_shared(const char *unused) {
  (void)unused;
  const int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
  return mapped((size_t)1 << 30, PROT_READ | PROT_WRITE, flags, -1);
}

static int change_image(const char *unused) {
  (void)unused;
  return result(pwrite(HOST_WORKER_IMAGE, "x", 1, 0));
}

static int map_image(const char *unused) {
  (void)unused;
  return mapped(4096, PROT_READ | PROT_WRITE, MAP_SHARED, HOST_WORKER_IMAGE);
}

static int cut_memory(const char *unused) {
  (void)unused;
  return result(ftruncate(HOST_WORKER_MEMORY, 0));
}

static int new_namespace(const char *unused) {
  (void)unused;
  return result(unshare(CLONE_NEWUSER | CLONE_NEWNS));
}

static int use_ring(const char *unused) {
  (void)unused;
  char parameters[120] = {0};
  return result(syscall(425 /* io_uring_setup */, 1, parameters));
}

static int send_descriptor(const char *unused) {
  (void)unused;
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control = {.header = {.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
  control.header.cmsg_len = CMSG_LEN(sizeof(int));
  const int number = 0;
  memcpy(CMSG_DATA(&control.header), &number, sizeof number);
  struct iovec data = {"x", 1};
  const struct msghdr message = {
    .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  return result(sendmsg(HOST_WORKER_SOCKET, &message, 0));
}

static int send_urgent(const char *unused) {
  (void)unused;
  return result(send(HOST_WORKER_SOCKET, "x", 1, MSG_OOB));
}

static int receive(const char *unused) {
  (void)unused;
  char byte;
  const int failure = result(recv(HOST_WORKER_SOCKET, &byte, 1, MSG_PEEK | MSG_DONTWAIT));
  return failure == EAGAIN ? 0 : failure;
}

static int futex(uint32_t *word, int operation, uint32_t value, uint32_t *other) {
  return result(syscall(SYS_futex, word, operation, value, NULL, other, 0));
}

static int requeue_futex(const char *unused) {
  (void)unused;
  uint32_t words[2] = {0, 0};
  return futex(words, FUTEX_CMP_REQUEUE, 1, words + 1);
}

static int lend_priority(const char *unused) {
  (void)unused;
  uint32_t word = 0;
  return futex(&word, FUTEX_LOCK_PI, 0, NULL);
}

static int wake(const char *unused) {
  (void)unused;
  uint32_t word = 0;
  return futex(&word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL);
}

static int advise(int advice) {
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page == MAP_FAILED ? errno : result(madvise(page, 4096, advice));
}

static int give_advice(const char *unused) {
  (void)unused;
  return advise(MADV_DONTFORK);
}

static int free_pages(const char *unused) {
  (void)unused;
  return advise(MADV_DONTNEED);
}

static int read_affinity(const char *unused) {
  (void)unused;
  cpu_set_t set;
  return result(sched_getaffinity(getppid(), sizeof set, &set));
}

static int read_own_affinity(const char *unused) {
  (void)unused;
  cpu_set_t set;
  return result(sched_getaffinity(0, sizeof set, &set));
}

static int add_filter(const char *unused) {
  (void)unused;
  struct sock_filter allow = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
  const struct sock_fprog filter = {1, &allow};
  // Fails only where it isn't needed.
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return result(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter));
}

// Puts other memory in the place of the filter that stage 2 installs.
static int cover_filter(const char *unused) {
  (void)unused;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  void *place = mmap((void *)(1 << 20), 4096, PROT_READ | PROT_WRITE, flags, -1, 0);
  return place == MAP_FAILED ? errno : 0;
}

static int use_descriptor(const char *number) { return result(fcntl(atoi(number), F_GETFD)); }

// The things that must work.

static int load_image(const char *unused) {
  (void)unused;
  void *library = dlopen("/proc/self/fd/4", RTLD_NOW | RTLD_LOCAL);
  if (library) return 0;
  fprintf(stderr, "%s\n", dlerror());
  return ELIBACC;
}

static int allocate_some(const char *unused) {
  (void)unused;
  const size_t size = 64 << 20;
  char *bytes = malloc(size);
  if (!bytes) return errno;
  memset(bytes, 1, size);
  free(bytes);
  return 0;
}

static int print_address(const char *unused) {
  printf("%p %p ", (void *)&unused, (void *)print_address);
  fflush(stdout);
  return 0;
}

static int wait_for_ever(const char *unused) {
  (void)unused;
  for (;;) sched_yield();
}

static int abort_(const char *unused) {
  (void)unused;
  abort();
}

static int use_null(const char *unused) {
  (void)unused;
  volatile int *volatile nowhere = NULL;
  return *nowhere;
}

static int other_table(const char *unused) {
  (void)unused;
#ifdef __x86_64__
  return result(syscall(0x40000000 + SYS_getpid));
#else
  raise(SIGSYS);
  return 0;
#endif
}

static int nothing(const char *unused) {
  (void)unused;
  return 0;
}

int attempt(const char *name, const char *argument) {
  static const struct { const char *name; int (*body)(const char *); } all[] = {
    {"read-file", read_file}, {"read-folder", read_folder}, {"write-file", write_file},
    {"make-folder", make_folder}, {"open-host-memory", open_host_memory},
    {"read-host-environment", read_host_environment}, {"connect-tcp", connect_tcp},
    {"connect-udp", connect_udp}, {"connect-unix", connect_unix},
    {"connect-abstract", connect_abstract}, {"signal-host", signal_host},
    {"own-signals", own_signals}, {"trace-host", trace_host},
    {"read-host-memory", read_host_memory}, {"start-process", start_process},
    {"run-program", run_program}, {"start-thread", start_thread}, {"clone-thread", clone_thread},
    {"outlive-host", outlive_host}, {"hide", hide}, {"executable-memory", executable_memory},
    {"make-executable", make_executable}, {"allocate", allocate},
    {"allocate-shared", allocate_shared}, {"change-image", change_image},
    {"map-image", map_image}, {"cut-memory", cut_memory},
    {"new-namespace", new_namespace}, {"use-ring", use_ring},
    {"send-descriptor", send_descriptor}, {"use-descriptor", use_descriptor},
    {"send-urgent", send_urgent}, {"receive", receive}, {"requeue-futex", requeue_futex},
    {"lend-priority", lend_priority}, {"wake", wake}, {"give-advice", give_advice},
    {"free-pages", free_pages}, {"read-affinity", read_affinity},
    {"read-own-affinity", read_own_affinity}, {"add-filter", add_filter},
    {"cover-filter", cover_filter},
    {"load-image", load_image}, {"allocate-some", allocate_some},
    {"print-address", print_address}, {"wait", wait_for_ever}, {"abort", abort_},
    {"use-null", use_null}, {"other-table", other_table}, {"nothing", nothing}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i].name, name) == 0) return all[i].body(argument);
  return EINVAL;
}
