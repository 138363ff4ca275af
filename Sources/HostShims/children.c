#define _GNU_SOURCE
#include "children.h"
#include "confinement.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// The children that were started and not reaped yet. Each leads a process group of its own.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t *children;
static size_t count, capacity;

int host_children_reserve(void) {
  int failure = 0;
  pthread_mutex_lock(&lock);
  if (count == capacity) {
    const size_t wanted = capacity * 2 + 8;
    pid_t *more = realloc(children, wanted * sizeof *more);
    if (more) {
      children = more;
      capacity = wanted;
    } else {
      failure = -1;
    }
  }
  pthread_mutex_unlock(&lock);
  return failure;
}

void host_children_add(pid_t process) {
  pthread_mutex_lock(&lock);
  children[count++] = process;
  pthread_mutex_unlock(&lock);
}

static void forget(pid_t process) {
  for (size_t i = 0; i < count; i++)
    if (children[i] == process) {
      children[i] = children[--count];
      return;
    }
}

static int wait_for(int pidfd, int options, siginfo_t *information) {
  int result;
  information->si_pid = 0;
  do {
    result = waitid((idtype_t)3 /* P_PIDFD */, (id_t)pidfd, information, WEXITED | options);
  } while (result != 0 && errno == EINTR);
  return result;
}

// Reaps what was killed of a group. Only a process that adopts orphans gets more than the leader.
static void reap_group(pid_t group) {
  // A process that doesn't end, such as one of another user, is left after a second.
  for (int waits = 0; waits < 1000;) {
    const pid_t reaped = waitpid(-group, NULL, WNOHANG | __WALL);
    if (reaped < 0 && errno != EINTR) return;
    if (reaped != 0) continue;
    usleep(1000);
    waits++;
  }
}

int host_reap(pid_t process, int pidfd, int wait, int *code, int *status) {
  siginfo_t information;
  int result = wait_for(pidfd, WNOWAIT | (wait ? 0 : WNOHANG), &information);
  if (result == 0 && information.si_pid == 0) return 0;
  pthread_mutex_lock(&lock);
  if (result == 0) {
    // Until the leader is reaped, its id can't come to mean another group.
    kill(-process, SIGKILL);
    result = wait_for(pidfd, WNOHANG, &information);
    reap_group(process);
  }
  forget(process);
  pthread_mutex_unlock(&lock);
  if (result != 0) return -1;
  *code = information.si_code;
  *status = information.si_status;
  return 1;
}

int host_pidfd_signal(int pidfd, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}

int host_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

void host_reap_orphans(pid_t group) {
  // The leader is a child of another thread, and is left to its owner.
  while (waitpid(-group, NULL, WNOHANG | __WALL | __WNOTHREAD) > 0) {}
}

void host_children_end(void) {
  // It stays locked: threads that wait for a child don't get to see that it was killed.
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < count; i++) kill(-children[i], SIGKILL);
  for (size_t i = 0; i < count; i++) {
    // One that this process may not kill, such as `sudo`, is left.
    if (kill(children[i], SIGKILL) == 0)
      while (waitpid(children[i], NULL, __WALL) < 0 && errno == EINTR) {}
    reap_group(children[i]);
  }
  // Adopted ones of other groups.
  while (waitpid(-1, NULL, WNOHANG | __WALL) > 0) {}
}
