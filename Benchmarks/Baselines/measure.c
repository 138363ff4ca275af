#define _GNU_SOURCE // wait4
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "BenchmarkBaselines.h"

static double seconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double processor(const struct rusage *usage) {
  return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
         (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1e-6;
}

size_t bench_allocated(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

bench_cost bench_now(void) {
  return (bench_cost){seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID)};
}

double bench_family_time(void) {
  struct rusage children;
  getrusage(RUSAGE_CHILDREN, &children);
  return seconds(CLOCK_PROCESS_CPUTIME_ID) + processor(&children);
}

static pthread_t load;
static volatile int is_loaded;

static void *spin(void *nothing) {
  while (is_loaded) continue;
  return nothing;
}

int bench_begin_load(void) {
  is_loaded = 1;
  return pthread_create(&load, NULL, spin, NULL) == 0 ? 0 : -1;
}

void bench_end_load(void) {
  is_loaded = 0;
  pthread_join(load, NULL);
}

int bench_run(
    char *const *argv, const char *input, const char *errors, bench_cost *cost) {
  posix_spawn_file_actions_t files;
  if (posix_spawn_file_actions_init(&files) != 0) return -1;
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, input, O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  if (errors) {
    posix_spawn_file_actions_addopen(
        &files, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  }
  double beginning = seconds(CLOCK_MONOTONIC);
  pid_t child;
  int failure = posix_spawnp(&child, argv[0], &files, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&files);
  if (failure != 0) return -1;
  int status;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) != child) return -1;
  *cost = (bench_cost){seconds(CLOCK_MONOTONIC) - beginning, processor(&usage)};
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
