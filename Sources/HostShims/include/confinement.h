// Starts and confines worker processes. Each layer is applied if the system allows it, can be left
// out, and reports its state. The functions for layers don't call Swift or allocate, so they may
// run in a child that shares the memory of a threaded parent.
#ifndef HOST_CONFINEMENT_H
#define HOST_CONFINEMENT_H

#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The layers, in the order in which they are applied. host_spawn_worker applies the first four,
// between fork and exec. The worker itself applies the others.
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
  HOST_LAYER_OFF,      // not wanted
  HOST_LAYER_MISSING,  // the kernel lacks it
  HOST_LAYER_REFUSED   // the system forbids it; `error` has the reason
};

struct host_layer_result {
  uint32_t state;
  int32_t error;    // errno, where the state is MISSING or REFUSED
  uint32_t detail;  // Landlock: the ABI version; namespaces: the CLONE_NEW… flags that took effect
};

// The descriptors of a worker, beside standard input (/dev/null), output and error (pipes to the
// host).
enum { HOST_WORKER_SOCKET = 3, HOST_WORKER_IMAGE = 4, HOST_WORKER_MEMORY = 5, HOST_WORKER_END = 6 };

struct host_spawn {
  const char *path;  // "/proc/self/exe" is the running program, even if its file was replaced
  char *const *argv;
  char *const *envp;
  int output, errors;         // become standard output and error
  int socket, image, memory;  // become the descriptors above; -1: none
  uint32_t layers;            // a bit (1 << HOST_LAYER_…) for each wanted one
};

// Starts a worker. Returns 0 with its id and a pidfd, or an errno without a child.
//
// A thread of this library that never ends makes the child, because the kernel sends a parent-death
// signal when the *thread* that made the child ends.
int host_spawn_worker(
  const struct host_spawn *spawn, pid_t *process, int *pidfd,
  struct host_layer_result results[HOST_LAYER_COUNT]);

// A program that shares standard error, the limits and the terminal with the host, and gets a
// SIGKILL when the host ends.
struct host_program {
  const char *path;
  char *const *argv;
  char *const *envp;
  int input, output;  // become standard input and output
};

// Starts a program in a process group of its own, as host_spawn_worker starts a worker.
int host_spawn_program(const struct host_program *program, pid_t *process, int *pidfd);

struct host_limits {
  uint64_t memory;       // bytes that may be allocated; 0: no limit
  uint64_t cpu_seconds;  // 0: no limit
};

struct host_confinement {
  uint32_t layers;
  struct host_limits limits;
  // The files, or folders of files, that may be read while a library is loaded, besides those of
  // the system and of the loaded libraries. The list ends with NULL.
  const char *const *readable;
};

// Applied by the worker before it loads anything. The process must have one thread.
void host_confine_stage1(
  const struct host_confinement *confinement, struct host_layer_result results[HOST_LAYER_COUNT]);

// Returns whether this program was built with a sanitizer, whose shadow memory exceeds any limit.
int host_is_sanitized(void);

// Returns whether this process has loaded a library from `folder`. A worker of the same program may
// read the folder then.
int host_has_library_from(const char *folder);

// Applied by the worker after the library is loaded. From then on, it can't open files or make
// memory executable.
void host_confine_stage2(
  const struct host_confinement *confinement, struct host_layer_result results[HOST_LAYER_COUNT]);

// Confines a server that has its listening socket and needs no file, process or socket of its own.
// It may have `connections` at a time. The process must have one thread, and loads nothing later.
// Of the layers, those that a server can have are applied: privileges, limits, Landlock with no
// file at all, and a filter that adds to stage 2 only what takes connections.
void host_confine_server(
  uint32_t connections, struct host_layer_result results[HOST_LAYER_COUNT]);

// Closes all descriptors from `first` on. Returns 0, or an errno.
int host_close_from(int first);

// Tries every layer in a child that ends at once. Returns 0, or an errno if no child could be made.
int host_probe_layers(struct host_layer_result results[HOST_LAYER_COUNT]);

// A system call that a filter allows.
struct host_call {
  const char *name;
  int number;
};

// The filter of a server, where others are for stages 1 and 2 of a worker.
enum { HOST_SERVING = 3 };

// The calls that a stage allows, always or with some arguments only. The other stages also allow
// those of stage 2. The list ends with the name NULL.
const struct host_call *host_calls(int stage, int is_conditional);

enum { HOST_FILTER_LIMIT = 1024 };

// Writes the filter of a stage as it is installed. Returns its length, or 0 if it is too long.
int host_filter(int stage, struct sock_filter code[HOST_FILTER_LIMIT]);

// Returns nonzero once stage 1 has run. Starting a thread would now fail for no visible reason.
int host_threads_are_denied(void);

// Refuses threads in a process without filters too, as in the replay of a confined one.
void host_deny_threads(void);

// Sends a signal to the process that `pidfd` stands for. Returns 0, or -1 with errno.
int host_pidfd_signal(int pidfd, int signal);

// Reaps a process that was started here if it has ended, and kills what is left of its group. With
// `wait`, waits for the end first. Returns 1 if it has ended (`code` is CLD_EXITED, CLD_KILLED or
// CLD_DUMPED, `status` the exit status or signal), 0 if it still runs, or -1 with errno.
int host_reap(pid_t process, int pidfd, int wait, int *code, int *status);

// Makes this process the parent of its descendants' orphans. For a program, and not for a library.
// Returns 0, or -1 with errno.
int host_adopt_orphans(void);

// Reaps the orphans of a process group that this thread has adopted, as a program's first thread
// does.
void host_reap_orphans(pid_t group);

// Kills all processes that were started here, with their groups, and reaps them. Only the end of
// this process may follow.
void host_end_children(void);

// Makes a pair of connected stream sockets that no child inherits. Returns 0, or -1 with errno.
int host_socket_pair(int ends[2]);

// Makes memory of `size` zero bytes that two processes can map. Its size is fixed, so a mapping
// never faults. Returns a descriptor, or -1 with errno.
int host_shared_memory(size_t size);

// Makes an empty file in memory, each write to which goes to its end. Returns a descriptor, or -1
// with errno.
int host_memory_file(void);

// Makes an empty file that can be mapped as code, for host_image_fill. ends[0] is for loading it,
// ends[1] for filling it. Returns 0, or -1 with errno. `in_memory` is 0 if the system forbids
// executable memory files, and the image is an unlinked file in `folder` instead.
int host_image_create(const char *folder, int ends[2], int *in_memory);

struct host_sha256 {
  uint32_t state[8];
  uint64_t size;
  uint8_t rest[64];  // what doesn't fill a block
  int is_fast;       // whether it uses the processor's SHA instructions
};

// A file of which an image is made: its size, how much of it was read, and the hash of that.
struct host_image_source {
  uint64_t size, done;
  struct host_sha256 hash;
};

// Copies to an image, through its ends[1], what the linker can load of the open file `source`. What
// follows, such as debug information, becomes zeros. An image in memory can't be changed
// afterwards. Returns 0, or -1 with errno.
int host_image_fill(
  int image, int source, int in_memory, struct host_image_source *progress);

// Computes the SHA-256 of the whole file: of the bytes that host_image_fill has read, and of those
// that follow now. Returns 0, or -1 with errno, which is ESTALE if the file has become shorter.
int host_image_hash(int source, struct host_image_source *progress, uint8_t digest[32]);

// Computes the SHA-256 of `size` bytes. With `portable`, it doesn't use the processor's SHA
// instructions.
void host_sha256(const uint8_t *bytes, size_t size, int portable, uint8_t digest[32]);

#endif
