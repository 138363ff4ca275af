#define _GNU_SOURCE
#include "confinement_internal.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

int host_memory_file(void) {
  const int file = memory_file("vmhost-file", MEMORY_NOEXEC_SEAL);
  if (file < 0) return -1;
  return fcntl(file, F_SETFL, O_APPEND) == 0 ? file : close_failed(file);
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

enum { PART = 256 << 10 };  // of a multiple of 64 bytes, for the hash

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

// Reads and hashes the next part of a file. Returns fewer bytes than a part only at the end of the
// file, or -1 with errno.
static ssize_t next_part(int source, uint8_t *part, struct host_image_source *progress) {
  const uint64_t rest = progress->size - progress->done;
  const ssize_t count = read_all(source, part, rest < PART ? (size_t)rest : PART);
  if (count <= 0) return count;
  host_sha256_add(&progress->hash, part, (size_t)count);
  progress->done += (uint64_t)count;
  return count;
}

// Returns where the part of a library ends that the linker can load, which maps whole pages. If its
// first bytes don't say so, that is all of it.
static uint64_t loadable(const uint8_t *start, size_t count, uint64_t size) {
  Elf64_Ehdr header;
  if (count < sizeof header) return size;
  memcpy(&header, start, sizeof header);
  const uint64_t headers = header.e_phnum * sizeof(Elf64_Phdr);
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64
    || header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phoff > count
    || headers > count - header.e_phoff)
    return size;
  uint64_t end = header.e_phoff + headers;
  for (uint64_t i = 0; i < header.e_phnum; i++) {
    Elf64_Phdr segment;
    memcpy(&segment, start + header.e_phoff + i * sizeof segment, sizeof segment);
    if (segment.p_filesz > size || segment.p_offset > size - segment.p_filesz) return size;
    if (end < segment.p_offset + segment.p_filesz) end = segment.p_offset + segment.p_filesz;
  }
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  const uint64_t pages = (end + page - 1) / page;
  return pages * page < size ? pages * page : size;
}

static int fill(int image, int source, uint8_t *part, struct host_image_source *progress) {
  uint64_t needed = progress->size;
  for (;;) {
    const uint64_t start = progress->done;
    const ssize_t count = next_part(source, part, progress);
    if (count < 0) return -1;
    if (start == 0) needed = loadable(part, (size_t)count, progress->size);
    const uint64_t left = needed - start;
    if (write_all(image, part, left < (uint64_t)count ? (size_t)left : (size_t)count) != 0)
      return -1;
    // If the file shrinks meanwhile, the image is what could be read.
    if (count < PART && progress->done < progress->size) progress->size = progress->done;
    if (progress->done >= needed || progress->done == progress->size)
      return ftruncate(image, (off_t)progress->size);
  }
}

int host_image_fill(
  int image, int source, int in_memory, struct host_image_source *progress) {
  struct stat information;
  if (fstat(source, &information) != 0) return -1;
  progress->size = (uint64_t)information.st_size;
  progress->done = 0;
  host_sha256_begin(&progress->hash, 0);
  uint8_t *part = malloc(PART);
  if (!part) return -1;
  const int result = fill(image, source, part, progress);
  const int failure = errno;
  free(part);
  errno = failure;
  if (result != 0 || !in_memory) return result;
  // Nobody has mapped the image for writing, so refusing that from now on is enough. F_SEAL_WRITE
  // would fail with EBUSY while the kernel itself holds one of the pages.
  const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL;
  return fcntl(image, F_ADD_SEALS, seals);
}

int host_image_hash(int source, struct host_image_source *progress, uint8_t digest[32]) {
  uint8_t *part = malloc(PART);
  if (!part) return -1;
  ssize_t count = 1;
  while (count > 0 && progress->done < progress->size) count = next_part(source, part, progress);
  const int failure = count == 0 ? ESTALE : errno;
  free(part);
  errno = failure;
  if (count <= 0) return -1;
  host_sha256_end(&progress->hash, digest);
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
