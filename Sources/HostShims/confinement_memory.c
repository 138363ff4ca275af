#define _GNU_SOURCE
#include "confinement_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MEMORY_NOEXEC_SEAL = 8, MEMORY_EXEC = 16 };  // since Linux 6.3

int host_socket_pair(int ends[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
}

// Kernels before 6.3 refuse the newer flags. Without them, they do the same.
static int memory_file(const char *name, unsigned flag) {
  const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  const int file = memfd_create(name, flags | flag);
  return file < 0 && errno == EINVAL ? memfd_create(name, flags) : file;
}

static int close_failed(int file) {
  const int failure = errno;
  close(file);
  errno = failure;
  return -1;
}

int host_shared_memory(size_t size) {
  const int file = memory_file("vmhost-shared", MEMORY_NOEXEC_SEAL);
  if (file < 0) return -1;
  if (ftruncate(file, (off_t)size) != 0) return close_failed(file);
  if (fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return close_failed(file);
  return file;
}

// Makes an unlinked file. ends[0] is read-only.
static int private_file(const char *folder, int ends[2]) {
  ends[1] = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0500);
  if (ends[1] < 0) return -1;
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", ends[1]);
  ends[0] = open(path, O_RDONLY | O_CLOEXEC);
  return ends[0] < 0 ? close_failed(ends[1]) : 0;
}

int host_image_create(const char *folder, int ends[2], int *in_memory) {
  ends[0] = memory_file("vmhost-image", MEMORY_EXEC);
  *in_memory = ends[0] >= 0;
  // vm.memfd_noexec forbids it with EACCES.
  if (!*in_memory) return private_file(folder, ends);
  ends[1] = fcntl(ends[0], F_DUPFD_CLOEXEC, 0);
  return ends[1] < 0 ? close_failed(ends[0]) : 0;
}

static int write_all(int file, const uint8_t *bytes, size_t size) {
  while (size > 0) {
    const ssize_t count = write(file, bytes, size);
    if (count < 0 && errno != EINTR) return -1;
    if (count < 0) continue;
    bytes += count;
    size -= (size_t)count;
  }
  return 0;
}

enum { PART = 256 << 10 };

// Fills the buffer. Returns fewer bytes only at the end of the file, or -1 with errno.
static ssize_t read_all(int file, uint8_t *bytes, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t count = read(file, bytes + done, size - done);
    if (count < 0 && errno != EINTR) return -1;
    if (count == 0) break;
    if (count > 0) done += (size_t)count;
  }
  return (ssize_t)done;
}

// If the file shrinks meanwhile, the image is what could be read. If it grows, the image has its
// original size.
static int fill(int image, int source, uint8_t *part, uint64_t *size) {
  struct stat information;
  if (fstat(source, &information) != 0) return -1;
  uint64_t rest = (uint64_t)information.st_size;
  *size = 0;
  for (;;) {
    const size_t wanted = rest < PART ? (size_t)rest : PART;
    const ssize_t count = read_all(source, part, wanted);
    if (count < 0 || write_all(image, part, (size_t)count) != 0) return -1;
    *size += (uint64_t)count;
    rest -= (uint64_t)count;
    if (count < PART) return 0;
  }
}

int host_image_fill(int image, int source, int in_memory, uint64_t *size) {
  uint8_t *part = malloc(PART);
  if (!part) return -1;
  const int result = fill(image, source, part, size);
  const int failure = errno;
  free(part);
  errno = failure;
  if (result != 0 || !in_memory) return result;
  return fcntl(image, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
}

int host_image_hash(int image, uint64_t size, uint8_t digest[32]) {
  if (size == 0) {
    host_sha256((const uint8_t *)"", 0, 0, digest);
    return 0;
  }
  uint8_t *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, image, 0);
  if (bytes == MAP_FAILED) return -1;
  host_sha256(bytes, size, 0, digest);
  munmap(bytes, size);
  return 0;
}

int host_is_sanitized(void) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return 1;
#endif
#endif
  return 0;
}
