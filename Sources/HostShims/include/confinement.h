// How a worker process is started and confined. Each layer is best effort, can be left out, and
// reports what became of it. No function here calls Swift or allocates, so all of them may run in
// a child that shares the memory of a threaded parent.
#ifndef HOST_CONFINEMENT_H
#define HOST_CONFINEMENT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The layers, in the order in which they are applied. The first four are put in place by
// host_spawn_worker, between fork and exec; the others by the worker itself.
enum {
  HOST_LAYER_DESCRIPTORS,      // only the descriptors listed below are open
  HOST_LAYER_FIXED_ADDRESSES,  // no address space randomisation, for the sake of repeatable runs
  HOST_LAYER_PARENT_DEATH,     // SIGKILL when the host ends
  HOST_LAYER_NAMESPACES,       // user, network and IPC namespaces of its own
  HOST_LAYER_PRIVILEGES,       // no_new_privs, and no capabilities
  HOST_LAYER_LIMITS,           // memory, CPU time, processes, descriptors, files, core dumps
  HOST_LAYER_LANDLOCK,         // files, TCP, signals and abstract sockets
  HOST_LAYER_SECCOMP_LOAD,     // stage 1: the system calls that loading a library takes
  HOST_LAYER_SECCOMP_RUN,      // stage 2: the few that a loaded plugin needs
  HOST_LAYER_COUNT
};

enum {
  HOST_LAYER_UNTRIED,  // its stage hasn't run
  HOST_LAYER_ON,
  HOST_LAYER_OFF,      // the caller left it out
  HOST_LAYER_MISSING,  // the kernel doesn't have it
  HOST_LAYER_REFUSED   // the system forbids it: `error` says how
};

struct host_layer_result {
  uint32_t state;
  int32_t error;    // errno, where the state is MISSING or REFUSED
  uint32_t detail;  // Landlock: the ABI version; namespaces: the CLONE_NEW… flags that took effect
};

// The descriptors of a worker beside standard in (/dev/null), out and error (pipes to the host).
enum { HOST_WORKER_SOCKET = 3, HOST_WORKER_IMAGE = 4, HOST_WORKER_MEMORY = 5, HOST_WORKER_END = 6 };

struct host_spawn {
  const char *path;  // "/proc/self/exe" is the running program, even if its file was replaced
  char *const *argv;
  char *const *envp;
  int output, errors;         // become standard out and error
  int socket, image, memory;  // become the descriptors above; -1: none
  uint32_t layers;            // a bit (1 << HOST_LAYER_…) for each wanted one
};

// Starts a worker. Returns 0, its id and a pidfd; or an errno, with no child left behind.
//
// The child is made on a thread of the library's own that never ends, because the kernel sends a
// parent-death signal when the *thread* that made the child ends.
int host_spawn_worker(
  const struct host_spawn *spawn, pid_t *process, int *pidfd,
  struct host_layer_result results[HOST_LAYER_COUNT]);

struct host_limits {
  uint64_t memory;       // bytes that may be allocated; 0: no limit
  uint64_t cpu_seconds;  // 0: no limit
};

struct host_confinement {
  uint32_t layers;
  struct host_limits limits;
  // Files that may be read while a library is loaded, or folders of such files, beside those of
  // the system and of the libraries that are loaded already; ends with NULL.
  const char *const *readable;
};

// Applied by the worker before it loads anything; the process must have one thread.
void host_confine_stage1(
  const struct host_confinement *confinement, struct host_layer_result results[HOST_LAYER_COUNT]);

// Whether this program was built with a sanitizer, whose shadow memory no limit leaves room for.
int host_is_sanitized(void);

// Whether a library of this process was loaded from `folder`, which a worker of the same program
// may therefore read.
int host_has_library_from(const char *folder);

// Applied by the worker once the library is loaded: from here on no file can be opened and no
// memory made executable.
void host_confine_stage2(
  const struct host_confinement *confinement, struct host_layer_result results[HOST_LAYER_COUNT]);

// Tries every layer in a child that ends at once. Returns 0, or an errno if there was no child.
int host_probe_layers(struct host_layer_result results[HOST_LAYER_COUNT]);

// Nonzero once stage 1 has run: a thread that is started now would fail for no visible reason.
int host_threads_are_denied(void);

// Sends a signal to the process that `pidfd` stands for. Returns 0, or -1 with errno.
int host_pidfd_signal(int pidfd, int signal);

// Reaps the process if it has ended, or waits for that. Returns 1 and how it ended (`code` is
// CLD_EXITED, CLD_KILLED or CLD_DUMPED, `status` the exit status or signal), 0 if it still runs,
// -1 with errno.
int host_pidfd_reap(int pidfd, int wait, int *code, int *status);

// A pair of connected stream sockets that no child inherits.
int host_socket_pair(int ends[2]);

// Memory that two processes can map, `size` zero bytes that nobody can cut off: a mapping of it
// never faults. Returns a descriptor, or -1 with errno.
int host_shared_memory(size_t size);

// An empty file that can be mapped as code, for host_image_fill: ends[0] is for those who load it,
// ends[1] is to fill it by. Returns 0, or -1 with errno; `in_memory` is 0 where the system forbids
// executable memory files and it is an unlinked file in `folder` instead.
int host_image_create(const char *folder, int ends[2], int *in_memory);

// Copies the file open at `source` to an image, by its ends[1]; nobody can change one in memory
// any more then. Returns 0 and the size of what was copied; or -1 with errno.
int host_image_fill(int image, int source, int in_memory, uint64_t *size);

// Gives the SHA-256 of an image that was filled. Returns 0, or -1 with errno.
int host_image_hash(int image, uint64_t size, uint8_t digest[32]);

// The SHA-256 of `size` bytes; `portable` keeps it from using the processor's own instructions.
void host_sha256(const uint8_t *bytes, size_t size, int portable, uint8_t digest[32]);

#endif
