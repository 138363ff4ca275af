#define _GNU_SOURCE
#include "confinement_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// The numbers and layouts of the kernel's interface. They aren't taken from headers, since
// distributions ship headers that are years older than the kernels they run on.
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { RULE_PATH_BENEATH = 1, QUERY_VERSION = 1 };

struct ruleset {
  uint64_t files, network, scopes;
};

struct __attribute__((packed)) path_beneath {
  uint64_t allowed;
  int32_t parent;
};

enum { READ_FILE = 1 << 2 };

// All access rights to files in a version of Landlock: execute, read, write, make and remove (13 in
// version 1), refer (2), truncate (3), and ioctl on devices (5).
static uint64_t all_files(int version) {
  const int bits = version < 2 ? 13 : version < 3 ? 14 : version < 5 ? 15 : 16;
  return (UINT64_C(1) << bits) - 1;
}

static int create(int version) {
  const struct ruleset ruleset = {
    .files = all_files(version),
    .network = version < 4 ? 0 : 3,  // bind and connect over TCP
    .scopes = version < 6 ? 0 : 3,   // abstract sockets and signals to outside processes
  };
  return (int)syscall(CREATE_RULESET, &ruleset, sizeof ruleset, 0);
}

// A missing file or folder needs no rule.
static void allow_reading(int rules, const char *path) {
  const int parent = open(path, O_PATH | O_CLOEXEC);
  if (parent < 0) return;
  const struct path_beneath rule = {READ_FILE, parent};
  syscall(ADD_RULE, rules, RULE_PATH_BENEATH, &rule, 0);
  close(parent);
}

// A new library may need others from the folders of loaded ones, such as a toolchain's folder.
static int allow_folder_of(struct dl_phdr_info *library, size_t size, void *rules) {
  (void)size;
  char folder[PATH_MAX];
  const char *end = library->dlpi_name ? strrchr(library->dlpi_name, '/') : NULL;
  if (!end || library->dlpi_name[0] != '/' || end == library->dlpi_name) return 0;
  const size_t length = (size_t)(end - library->dlpi_name);
  if (length >= sizeof folder) return 0;
  memcpy(folder, library->dlpi_name, length);
  folder[length] = 0;
  allow_reading(*(int *)rules, folder);
  return 0;
}

struct search {
  const char *folder;
  int found;
};

static int is_from_folder(struct dl_phdr_info *library, size_t size, void *data) {
  (void)size;
  struct search *search = data;
  const char *end = library->dlpi_name ? strrchr(library->dlpi_name, '/') : NULL;
  const size_t length = strlen(search->folder);
  search->found = end && (size_t)(end - library->dlpi_name) == length &&
                  !memcmp(library->dlpi_name, search->folder, length);
  return search->found;
}

int host_has_library_from(const char *folder) {
  struct search search = {folder, 0};
  dl_iterate_phdr(is_from_folder, &search);
  return search.found;
}

static int enforce(int rules) {
  const int failure = syscall(RESTRICT_SELF, rules, 0) == 0 ? 0 : errno;
  close(rules);
  return failure;
}

int host_landlock(const char *const *readable, uint32_t *version) {
  const int found = (int)syscall(CREATE_RULESET, NULL, 0, QUERY_VERSION);
  if (found < 0) return errno;
  *version = (uint32_t)found;
  int rules = create(found);
  if (rules < 0) return errno;
  static const char *const system_folders[] = {
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache",
    // The image, if it is a file. An image in memory needs no rule and gets none.
    "/proc/self/fd/4", NULL};
  for (const char *const *path = system_folders; *path; path++) allow_reading(rules, *path);
  for (const char *const *path = readable; path && *path; path++) allow_reading(rules, *path);
  dl_iterate_phdr(allow_folder_of, &rules);
  return enforce(rules);
}

int host_landlock_nothing(void) {
  const int found = (int)syscall(CREATE_RULESET, NULL, 0, QUERY_VERSION);
  const int rules = found < 0 ? -1 : create(found);
  return rules < 0 ? errno : enforce(rules);
}
