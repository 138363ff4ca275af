#define _GNU_SOURCE
#include "confinement_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int threads_denied;

int host_threads_are_denied(void) { return atomic_load(&threads_denied); }

void host_deny_threads(void) { atomic_store(&threads_denied, 1); }

void host_note(struct host_layer_result *result, int error) {
  const int missing = error == ENOSYS || error == EOPNOTSUPP || error == EINVAL;
  result->state = !error ? HOST_LAYER_ON : missing ? HOST_LAYER_MISSING : HOST_LAYER_REFUSED;
  result->error = error;
}

int host_no_new_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
}

static int drop_privileges(void) {
  const int failure = host_no_new_privileges();
  if (failure) return failure;
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct nothing[2];
  memset(nothing, 0, sizeof nothing);
  return syscall(SYS_capset, &header, nothing) == 0 ? 0 : errno;
}

// Lowers a limit permanently. A lower limit stays as it is.
static int lower_both(int resource, rlim_t soft, rlim_t hard) {
  struct rlimit limit;
  if (getrlimit((__rlimit_resource_t)resource, &limit) != 0) return errno;
  if (hard < limit.rlim_max) limit.rlim_max = hard;
  limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
  return setrlimit((__rlimit_resource_t)resource, &limit) == 0 ? 0 : errno;
}

static int lower(int resource, rlim_t value) { return lower_both(resource, value, value); }

// Returns the address space in use in bytes, or 0 if it can't be read.
static uint64_t address_space(void) {
  char text[64];
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t size = read(file, text, sizeof text);
  close(file);
  uint64_t pages = 0;
  for (ssize_t i = 0; i < size && text[i] >= '0' && text[i] <= '9'; i++)
    pages = pages * 10 + (uint64_t)(text[i] - '0');
  return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

// Room for the code of libraries and for the shared buffer, beside allocated memory.
static const uint64_t room_for_mappings = UINT64_C(512) << 20;

// Enough for ld.so, which has at most two files open. There is no limit if inherited descriptors
// take the low numbers.
static rlim_t descriptors_to_load(uint32_t layers) {
  return host_wants(layers, HOST_LAYER_DESCRIPTORS) ? HOST_WORKER_END + 10 : RLIM_INFINITY;
}

static int set_limits(const struct host_limits *limits, uint32_t layers) {
  const struct { int resource; rlim_t value; } fixed[] = {
    {RLIMIT_NOFILE, descriptors_to_load(layers)},
    {RLIMIT_NPROC, 0},
    {RLIMIT_FSIZE, 0},
    // Not 0, which the kernel ignores for a core dump that goes to a program (apport, systemd). A
    // limit of 1 prevents such a dump, and one to a file too.
    {RLIMIT_CORE, 1},
    {RLIMIT_MSGQUEUE, 0},
    {RLIMIT_RTPRIO, 0},
  };
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
    const int failure = lower(fixed[i].resource, fixed[i].value);
    if (failure) return failure;
  }
  // The soft limit comes one second before the hard one. It ends the process with SIGXCPU, which
  // shows the reason. The hard one uses SIGKILL, which doesn't.
  const rlim_t seconds = limits->cpu_seconds;
  int failure = seconds ? lower_both(RLIMIT_CPU, seconds, seconds + 1) : 0;
  if (failure || !limits->memory) return failure;
  // Allocated memory counts as data. The wider limit also covers shared memory, which doesn't. It
  // is relative to the space in use, because a sanitizer reserves terabytes.
  failure = lower(RLIMIT_DATA, limits->memory);
  if (failure) return failure;
  return lower(RLIMIT_AS, address_space() + limits->memory + room_for_mappings);
}

// Beside the connections: the three standard streams, the listening socket, and room for what the
// runtime has open.
enum { SERVER_DESCRIPTORS = 16 };

// A backstop: what a server keeps is bounded by its own limits.
static const uint64_t server_memory = UINT64_C(1) << 30;

// Files are left alone, since standard error may be one.
static int limit_server(uint32_t connections) {
  int failure = lower(RLIMIT_NOFILE, SERVER_DESCRIPTORS + connections);
  if (!failure) failure = lower(RLIMIT_NPROC, 0);
  if (!failure) failure = lower(RLIMIT_CORE, 1);
  if (!failure && !host_is_sanitized()) failure = lower(RLIMIT_DATA, server_memory);
  return failure;
}

void host_confine_server(
  uint32_t connections, struct host_layer_result results[HOST_LAYER_COUNT]) {
  host_deny_threads();
  host_note(&results[HOST_LAYER_PRIVILEGES], drop_privileges());
  host_note(&results[HOST_LAYER_LIMITS], limit_server(connections));
  // Those who may not drop capabilities can still give up gaining any.
  int failure = host_no_new_privileges();
  host_note(&results[HOST_LAYER_LANDLOCK], failure ? failure : host_landlock_nothing());
  host_note(&results[HOST_LAYER_SECCOMP_RUN], failure ? failure : host_seccomp(HOST_SERVING));
}

static int is_wanted(uint32_t layers, int layer, struct host_layer_result *results) {
  if (host_wants(layers, layer)) return 1;
  results[layer].state = HOST_LAYER_OFF;
  return 0;
}

void host_confine_stage1(
  const struct host_confinement *confinement, struct host_layer_result results[HOST_LAYER_COUNT]) {
  // The filters refuse the system call that starts a thread.
  const uint32_t filters = 1u << HOST_LAYER_SECCOMP_LOAD | 1u << HOST_LAYER_SECCOMP_RUN;
  if (confinement->layers & filters) host_deny_threads();
  host_apply_stage1(confinement, results);
}

void host_apply_stage1(
  const struct host_confinement *confinement, struct host_layer_result *results) {
  const uint32_t layers = confinement->layers;
  if (is_wanted(layers, HOST_LAYER_PRIVILEGES, results))
    host_note(&results[HOST_LAYER_PRIVILEGES], drop_privileges());
  if (is_wanted(layers, HOST_LAYER_LIMITS, results))
    host_note(&results[HOST_LAYER_LIMITS], set_limits(&confinement->limits, layers));
  // The kernel refuses Landlock and seccomp to a process that could still gain privileges.
  if (is_wanted(layers, HOST_LAYER_LANDLOCK, results)) {
    struct host_layer_result *result = &results[HOST_LAYER_LANDLOCK];
    const int failure = host_no_new_privileges();
    host_note(
      result, failure ? failure : host_landlock(confinement->readable, &result->detail));
  }
  if (is_wanted(layers, HOST_LAYER_SECCOMP_LOAD, results)) {
    const int failure = host_no_new_privileges();
    host_note(&results[HOST_LAYER_SECCOMP_LOAD], failure ? failure : host_seccomp(1));
  }
}

void host_confine_stage2(
  const struct host_confinement *confinement, struct host_layer_result results[HOST_LAYER_COUNT]) {
  const uint32_t layers = confinement->layers;
  // From here on, the process needs no more files or descriptors, so the layers that are already
  // applied can be tightened. Failures show in their results. Landlock comes first, because a
  // ruleset takes a descriptor.
  if (results[HOST_LAYER_LANDLOCK].state == HOST_LAYER_ON) {
    const int failure = host_landlock_nothing();
    if (failure) host_note(&results[HOST_LAYER_LANDLOCK], failure);
  }
  if (results[HOST_LAYER_LIMITS].state == HOST_LAYER_ON) {
    const int failure = lower(RLIMIT_NOFILE, HOST_WORKER_END);
    if (failure) host_note(&results[HOST_LAYER_LIMITS], failure);
  }
  if (is_wanted(layers, HOST_LAYER_SECCOMP_RUN, results)) {
    const int failure = host_no_new_privileges();
    host_note(&results[HOST_LAYER_SECCOMP_RUN], failure ? failure : host_seccomp(2));
  }
}
