// What the benchmarks compare with, and what they measure with.
#ifndef BENCHMARK_BASELINES_H
#define BENCHMARK_BASELINES_H

#include <stddef.h>
#include <stdint.h>

#include "vm_plugin.h"

// The table of the library at `path`, which stays loaded; NULL if it can't be had.
const vm_plugin *bench_load(const char *path);

// Makes an instance and polls it until it is idle; NULL if the plugin refuses.
vm_instance *bench_open(const vm_plugin *plugin, const char *view_model);

// The plainest host: sends the same input `count` times and polls until idle after each.
// Returns how many events came back, or -1 if the plugin refused or failed.
int64_t bench_calls(
    const vm_plugin *plugin, vm_instance *instance, const char *input, const char *json,
    int64_t count);

void bench_destroy(const vm_plugin *plugin, vm_instance *instance);

// Loads the Extism library at `path`, and a plugin that returns its input. Returns 0, or -1.
int bench_open_extism(const char *path);

// Calls that plugin `count` times with the same text. Returns how many answers were right, or -1.
int64_t bench_call_extism(const char *text, int64_t count);

// Bytes that malloc has given out to this process, the large separate mappings included.
size_t bench_allocated(void);

// What something took, in seconds: by the clock, and of the processor's time.
typedef struct bench_cost {
  double wall, cpu;
} bench_cost;

// The clock and the processor time of this process now.
bench_cost bench_now(void);

// The processor time of this process and of the children that it has waited for, in seconds.
double bench_family_time(void);

// Keeps a processor busy in another thread until `bench_end_load`. Returns 0, or -1.
int bench_begin_load(void);
void bench_end_load(void);

// Runs a program from start to exit. `argv` ends with NULL; argv[0] is a path or is looked up.
// Its standard in is the file `input`, its standard out the null device, and its standard error the
// file `errors`, or this process's if that is NULL.
// Returns its exit status, or -1 if it could not be run or was killed.
int bench_run(
    char *const *argv, const char *input, const char *errors, bench_cost *cost);

#endif
