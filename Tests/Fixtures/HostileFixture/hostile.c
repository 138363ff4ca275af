// A plugin that attacks the machine it runs on, its host and itself; see acting.h for how it is
// told. Nothing here does harm where it works: what it aims at belongs to the test, signals to
// others are 0 or ignored ones, and a trace is let go.
#include "hostile.h"

#include <acting.h>

#include <errno.h>
#include <string.h>

int acting_attempt(const char *act, const char *target) {
  const struct act *const tables[] = {ending_acts, outward_acts, own_acts};
  for (int i = 0; i < 3; i++)
    for (const struct act *row = tables[i]; row->name; row++)
      if (!strcmp(row->name, act)) return row->body(target);
  return ENOTSUP;
}
