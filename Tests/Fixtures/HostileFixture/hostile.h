// What the files of this fixture share: tables of acts, each of which returns 0 or an errno.
#ifndef HOSTILE_H
#define HOSTILE_H

struct act {
  const char *name;
  int (*body)(const char *target);
};

// Each ends with a row of NULL.
extern const struct act ending_acts[];   // ending.c: crashes, exits and hangs
extern const struct act outward_acts[];  // outward.c: files, sockets and other processes
extern const struct act own_acts[];      // own.c: the process's own memory, limits and outputs

#endif
