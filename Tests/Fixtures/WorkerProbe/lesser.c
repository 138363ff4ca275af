#define _GNU_SOURCE
#include "lesser.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CLOSE_RANGE = 436, LANDLOCK_CREATE = 444, MOST = 200, WHOLE = -1 };

// A call that fails where one of its arguments, masked, has a value, or doesn't have it.
struct refusal {
  const char *layer;
  int call, argument;
  unsigned mask, value;
  int is_inverted, error;
};

static const struct refusal refusals[] = {
  // Before Linux 5.9.
  {"descriptors", CLOSE_RANGE, WHOLE, 0, 0, 0, ENOSYS},
  // The usual profile of containers, which allows it to be read.
  {"fixed-addresses", SYS_personality, 0, ~0u, 0xffffffff, 1, EPERM},
  {"parent-death", SYS_prctl, 0, ~0u, PR_SET_PDEATHSIG, 0, EPERM},
  // The same profile, Ubuntu's AppArmor, or a limit of 0.
  {"namespaces", SYS_clone, 0, CLONE_NEWUSER, CLONE_NEWUSER, 0, EPERM},
  {"namespaces-used-up", SYS_clone, 0, CLONE_NEWUSER, CLONE_NEWUSER, 0, ENOSPC},
  {"privileges", SYS_capset, WHOLE, 0, 0, 0, EPERM},
  {"limits", SYS_prlimit64, 2, ~0u, 0, 1, EPERM},
#ifdef SYS_setrlimit
  {"limits", SYS_setrlimit, WHOLE, 0, 0, 0, EPERM},
#endif
  // Before Linux 5.13, or not switched on at the start of the machine.
  {"landlock", LANDLOCK_CREATE, WHOLE, 0, 0, 0, ENOSYS},
  {"landlock-off", LANDLOCK_CREATE, WHOLE, 0, 0, 0, EOPNOTSUPP},
  {"seccomp", SYS_seccomp, WHOLE, 0, 0, 0, ENOSYS},
  {"seccomp", SYS_prctl, 0, ~0u, PR_SET_SECCOMP, 0, EINVAL},
};

static int names(const char *layers, const char *layer) {
  const size_t length = strlen(layer);
  for (const char *at = layers; at; at = strchr(at, ',')) {
    if (*at == ',') at++;
    if (strncmp(at, layer, length) == 0 && (at[length] == 0 || at[length] == ',')) return 1;
  }
  return 0;
}

int run_refusing(const char *layers, char **arguments) {
  struct sock_filter code[MOST];
  unsigned short count = 0;
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
    const struct refusal *refusal = &refusals[i];
    if (!names(layers, refusal->layer)) continue;
    const int has_check = refusal->argument != WHOLE;
    const unsigned offset =
      (unsigned)(offsetof(struct seccomp_data, args) + 8 * (size_t)(refusal->argument & 7));
    const struct sock_filter rule[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(
        BPF_JMP | BPF_JEQ | BPF_K, (unsigned)refusal->call, 0, (unsigned char)(has_check ? 4 : 1)),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, refusal->mask),
      BPF_JUMP(
        BPF_JMP | BPF_JEQ | BPF_K, refusal->value, (unsigned char)refusal->is_inverted,
        (unsigned char)!refusal->is_inverted),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)refusal->error)};
    for (size_t step = 0; step < sizeof rule / sizeof *rule; step++)
      if (has_check || step < 2 || step > 4) code[count++] = rule[step];
  }
  code[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const struct sock_fprog filter = {count, code};
  // Where this is refused, too, the tests couldn't have a lesser machine, and fail.
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
    || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) != 0) {
    perror("worker-probe: no lesser machine");
    return 70;
  }
  execv(arguments[0], arguments);
  perror(arguments[0]);
  return 70;
}
