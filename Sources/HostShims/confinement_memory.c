#define _GNU_SOURCE
#include "confinement_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MEMORY_NOEXEC_SEAL = 8, MEMORY_EXEC = 16 };  // of Linux 6.3

int host_socket_pair(int ends[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
}

// A kernel before 6.3 refuses the newer flag, and does without it what it asks for.
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

// Copies all of `source` to the start of `target`, whatever the position of either.
static int copy(int source, int target, uint64_t *size) {
  struct stat information;
  if (fstat(source, &information) != 0) return -1;
  off_t position = 0;
  while (position < information.st_size) {
    const size_t rest = (size_t)(information.st_size - position);
    const ssize_t count = sendfile(target, source, &position, rest);
    if (count < 0 && errno != EINTR) return -1;
    if (count == 0) break;  // The file was cut off meanwhile; what was read is the image.
  }
  *size = (uint64_t)position;
  return 0;
}

// An unlinked file, open for reading only, so that nobody can write to it any more.
static int private_file(int source, const char *folder, uint64_t *size) {
  const int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0500);
  if (file < 0) return -1;
  if (copy(source, file, size) != 0) return close_failed(file);
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  const int reading = open(path, O_RDONLY | O_CLOEXEC);
  if (reading < 0) return close_failed(file);
  close(file);
  return reading;
}

int host_image_copy(int source, const char *folder, uint64_t *size, int *sealed) {
  *sealed = 0;
  const int file = memory_file("vmhost-image", MEMORY_EXEC);
  // vm.memfd_noexec forbids it with EACCES.
  if (file < 0) return private_file(source, folder, size);
  if (copy(source, file, size) != 0) return close_failed(file);
  const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL;
  if (fcntl(file, F_ADD_SEALS, seals) != 0) return close_failed(file);
  *sealed = 1;
  return file;
}

int host_sha256_file(int file, uint64_t size, uint8_t digest[32]) {
  if (size == 0) {
    host_sha256((const uint8_t *)"", 0, 0, digest);
    return 0;
  }
  void *bytes = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
  if (bytes == MAP_FAILED) return -1;
  host_sha256(bytes, (size_t)size, 0, digest);
  munmap(bytes, (size_t)size);
  return 0;
}
