// A stand-in for a worker that holds a hostile plugin: it confines itself as a worker does, then
// tries one thing and prints "done" or the name of the error.
//
//   worker-probe try LAYERS CLAIMED STAGE ATTEMPT [ARGUMENT]
//   worker-probe host        starts a worker that never ends by itself, and prints its id
//   worker-probe listen PATH NAME  listens for the attempts to connect, and prints the TCP port
//   worker-probe clocks      takes control of its clocks, and prints the session's time, then the
//                            machine's as the kernel says it, in seconds since 1970
//   worker-probe lesser LAYERS PROGRAM ARGUMENT…  runs a program where these layers are refused
//   worker-probe executed    prints "done": what the attempt to run a program runs
#define _GNU_SOURCE
#include "attempts.h"
#include "lesser.h"

#include <HostShims.h>
#include <arpa/inet.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// The form of a report on the wire, as HostCore reads it.
static void report(const struct host_layer_result *results) {
  uint8_t bytes[8 * HOST_LAYER_COUNT] = {0};
  for (int layer = 0; layer < HOST_LAYER_COUNT; layer++) {
    const uint32_t state = results[layer].state;
    bytes[8 * layer] = (uint8_t)(state == HOST_LAYER_MISSING ? HOST_LAYER_REFUSED : state);
    bytes[8 * layer + 1] = (uint8_t)results[layer].error;
    memcpy(bytes + 8 * layer + 4, &results[layer].detail, 4);
  }
  if (write(HOST_WORKER_SOCKET, bytes, sizeof bytes) != sizeof bytes) exit(70);
  char go;
  if (read(HOST_WORKER_SOCKET, &go, 1) != 1) exit(0);
}

// Says that layers are on that were never tried.
static void lie(struct host_layer_result *results, uint32_t claimed, int first, int end) {
  for (int layer = first; layer < end; layer++)
    if (claimed >> layer & 1) results[layer].state = HOST_LAYER_ON;
}

static int try(char **arguments) {
  const uint32_t claimed = (uint32_t)strtoul(arguments[1], NULL, 16);
  const int stage = atoi(arguments[2]);
  const struct host_confinement confinement = {
    .layers = (uint32_t)strtoul(arguments[0], NULL, 16),
    .limits = {.memory = 256 << 20, .cpu_seconds = 3600}};
  struct host_layer_result results[HOST_LAYER_COUNT];
  memset(results, 0, sizeof results);
  if (stage >= 1) host_confine_stage1(&confinement, results);
  lie(results, claimed, HOST_LAYER_PRIVILEGES, HOST_LAYER_SECCOMP_RUN);
  report(results);
  if (stage >= 2) {
    host_confine_stage2(&confinement, results);
    lie(results, claimed, HOST_LAYER_SECCOMP_RUN, HOST_LAYER_COUNT);
    report(results);
  }
  const int failure = attempt(arguments[3], arguments[4]);
  const char *name = failure ? strerrorname_np(failure) : "done";
  if (!name) name = "unknown";
  // By hand: stdio would ask for the file's status.
  if (write(1, name, strlen(name)) < 0) return 70;
  return 0;
}

static int host(void) {
  int out[2], sockets[2];
  if (pipe(out) != 0 || host_socket_pair(sockets) != 0) return 70;
  char *const arguments[] = {"worker-probe", "try", "ffffffff", "0", "1", "wait", NULL};
  char *const environment[] = {NULL};
  const struct host_spawn spawn = {
    .path = "/proc/self/exe", .argv = arguments, .envp = environment, .output = out[1],
    .errors = 2, .socket = sockets[1], .image = -1, .memory = -1, .layers = ~0u};
  struct host_layer_result results[HOST_LAYER_COUNT] = {{0}};
  pid_t process;
  int pidfd;
  const int failure = host_spawn_worker(&spawn, &process, &pidfd, results);
  if (failure) return failure;
  // The worker holds no end of this process's, so that only the signal can end it.
  char confined[8 * HOST_LAYER_COUNT];
  if (read(sockets[0], confined, sizeof confined) != sizeof confined) return 70;
  if (write(sockets[0], "", 1) != 1) return 70;
  printf("%d\n", (int)process);
  fflush(stdout);
  for (;;) pause();
}

static int listening(int domain, const void *address, size_t size) {
  const int number = socket(domain, SOCK_STREAM, 0);
  if (bind(number, address, (socklen_t)size) != 0 || listen(number, 4096) != 0) exit(70);
  return number;
}

// Listens until standard in ends; whoever connects waits in a queue.
static int listen_everywhere(const char *path, const char *name) {
  struct sockaddr_un named = {.sun_family = AF_UNIX}, abstract = named;
  strncpy(named.sun_path, path, sizeof named.sun_path - 1);
  strncpy(abstract.sun_path + 1, name, sizeof abstract.sun_path - 2);
  listening(AF_UNIX, &named, sizeof named);
  listening(AF_UNIX, &abstract, offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
  struct sockaddr_in address = {.sin_family = AF_INET};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int tcp = listening(AF_INET, &address, sizeof address);
  socklen_t size = sizeof address;
  if (getsockname(tcp, (struct sockaddr *)&address, &size) != 0) return 70;
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  char end;
  return read(0, &end, 1) != 0;
}

static int clocks(void) {
  host_control_session(1);
  const int64_t kernel = host_kernel_time(CLOCK_REALTIME) / 1000000000;
  printf("%lld\n%lld\n", (long long)time(NULL), (long long)kernel);
  return 0;
}

int main(int count, char **arguments) {
  if (count == 2 && strcmp(arguments[1], "executed") == 0) return write(1, "done", 4) != 4;
  if (count == 2 && strcmp(arguments[1], "host") == 0) return host();
  if (count == 2 && strcmp(arguments[1], "clocks") == 0) return clocks();
  if (count == 4 && strcmp(arguments[1], "listen") == 0)
    return listen_everywhere(arguments[2], arguments[3]);
  if (count >= 4 && strcmp(arguments[1], "lesser") == 0)
    return run_refusing(arguments[2], arguments + 3);
  if (count >= 6 && strcmp(arguments[1], "try") == 0) return try(arguments + 2);
  fprintf(stderr, "usage: worker-probe try LAYERS CLAIMED STAGE ATTEMPT [ARGUMENT]"
                  " | host | listen | lesser | clocks\n");
  return 64;
}
