#define _GNU_SOURCE
#include "original.h"
#include "refusals.h"

#include <HostShims.h>
#include <dirent.h>
#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SANITIZER_HAS_ITS_OWN

// These report what confinement refuses, and leave the error to the caller.

static int is_refusal(int error) { return error == EACCES || error == EPERM; }

#define REPORTING(type, name, parameters, failed, lack, target, ...)               \
  type name parameters {                                                           \
    typedef type function parameters;                                              \
    function *original = ORIGINAL(function, #name);                                \
    if (!original) {                                                               \
      errno = ENOSYS;                                                              \
      return failed;                                                               \
    }                                                                              \
    type result = original(__VA_ARGS__);                                           \
    if (result == failed && is_refusal(errno)) worker_explain(lack, #name, target); \
    return result;                                                                 \
  }

#define OF_FILE(name, parameters, ...) \
  REPORTING(int, name, parameters, -1, LACK_FILES, path, __VA_ARGS__)

OF_FILE(access, (const char *path, int mode), path, mode)
OF_FILE(stat, (const char *restrict path, struct stat *restrict result_), path, result_)
OF_FILE(lstat, (const char *restrict path, struct stat *restrict result_), path, result_)
OF_FILE(mkdir, (const char *path, mode_t mode), path, mode)
OF_FILE(rmdir, (const char *path), path)
OF_FILE(unlink, (const char *path), path)
OF_FILE(rename, (const char *path, const char *other), path, other)
REPORTING(DIR *, opendir, (const char *path), NULL, LACK_FILES, path, path)
REPORTING(
  FILE *, fopen, (const char *restrict path, const char *restrict mode), NULL, LACK_FILES, path,
  path, mode)
REPORTING(
  FILE *, fopen64, (const char *restrict path, const char *restrict mode), NULL, LACK_FILES, path,
  path, mode)

REPORTING(
  int, socket, (int domain, int type, int protocol), -1, LACK_NETWORK, NULL, domain, type,
  protocol)

// What starts a process, or takes the place of this one. A child of vfork shares the stack of its
// parent, so a function around vfork can't return twice.

#define OF_PROCESS(name, parameters, ...) \
  REPORTING(int, name, parameters, -1, LACK_PROCESSES, NULL, __VA_ARGS__)

OF_PROCESS(fork, (void))
OF_PROCESS(execv, (const char *path, char *const *arguments), path, arguments)
OF_PROCESS(execvp, (const char *file, char *const *arguments), file, arguments)
OF_PROCESS(
  execve, (const char *path, char *const *arguments, char *const *variables), path, arguments,
  variables)
OF_PROCESS(
  execvpe, (const char *file, char *const *arguments, char *const *variables), file, arguments,
  variables)
OF_PROCESS(
  fexecve, (int file, char *const *arguments, char *const *variables), file, arguments,
  variables)
OF_PROCESS(
  execveat,
  (int folder, const char *path, char *const *arguments, char *const *variables, int flags),
  folder, path, arguments, variables, flags)
// The status of a shell that can't be started.
REPORTING(int, system, (const char *command), 127 << 8, LACK_PROCESSES, NULL, command)
REPORTING(
  FILE *, popen, (const char *command, const char *mode), NULL, LACK_PROCESSES, NULL, command,
  mode)

// Puts arguments, which NULL ends, into an array. The original returns only if it fails.
#define OF_LIST(name, array, environment)                                      \
  int name(const char *path, const char *first, ...) {                         \
    typedef int function(const char *, char *const *, char *const *);          \
    va_list list;                                                              \
    size_t count = 0;                                                          \
    va_start(list, first);                                                     \
    for (const char *next = first; next; next = va_arg(list, char *)) count++; \
    va_end(list);                                                              \
    char *arguments[count + 1];                                                \
    arguments[0] = (char *)first;                                              \
    va_start(list, first);                                                     \
    for (size_t i = 1; i <= count; i++) arguments[i] = va_arg(list, char *);   \
    char *const *variables = environment;                                      \
    va_end(list);                                                              \
    function *original = ORIGINAL(function, #array);                           \
    errno = ENOSYS;                                                            \
    if (original) original(path, arguments, variables);                        \
    if (is_refusal(errno)) worker_explain(LACK_PROCESSES, #name, NULL);        \
    return -1;                                                                 \
  }

OF_LIST(execl, execve, environ)
OF_LIST(execlp, execvpe, environ)
OF_LIST(execle, execve, va_arg(list, char *const *))

#define OF_SPAWN(name)                                                                \
  int name(                                                                           \
    pid_t *restrict process, const char *restrict path,                               \
    const posix_spawn_file_actions_t *restrict actions,                               \
    const posix_spawnattr_t *restrict attributes, char *const *restrict arguments,    \
    char *const *restrict environment) {                                              \
    typedef int function(                                                             \
      pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, \
      char *const *, char *const *);                                                  \
    function *original = ORIGINAL(function, #name);                                   \
    const int failure = original                                                      \
      ? original(process, path, actions, attributes, arguments, environment) : ENOSYS; \
    if (is_refusal(failure)) worker_explain(LACK_PROCESSES, #name, NULL);             \
    return failure;                                                                   \
  }

OF_SPAWN(posix_spawn)
OF_SPAWN(posix_spawnp)

// These end the process as they always do.

#define OF_END(name, parameters, ...)                   \
  _Noreturn void name parameters {                      \
    typedef void function parameters;                   \
    worker_explain(LACK_END, #name, NULL);              \
    function *original = ORIGINAL(function, #name);     \
    if (original) original(__VA_ARGS__);                \
    __builtin_trap();                                   \
  }

OF_END(abort, (void))
OF_END(exit, (int status), status)

// A child that shares its parent's memory calls this, and so does a signal handler.
_Noreturn void _exit(int status) {
  worker_explain(LACK_END, "_exit", NULL);
  host_system_call(SYS_exit_group, status, 0, 0, 0, 0, 0);
  __builtin_trap();
}

#endif
