// A sound plugin that does one foreign thing in the phase of its life that it is told.
//
// What and when is written as PHASE:ACT or PHASE:ACT:TARGET. The phases are load (a constructor),
// manifest, create, send, poll and destroy. For the last four an instance's config can say it, as
// in {"act":"send:read-file:/etc/passwd"}; for all of them the library itself, in which a test
// overwrites what follows the mark VMHOST-FIXTURE-CHOICE: with it. Untouched, it is sound.
//
// What became of an act is printed, as in "read-file: Permission denied", and the plugin goes on.
#ifndef ACTING_H
#define ACTING_H

// Does it, and returns 0 or an errno. What is unknown returns ENOTSUP. Each fixture has its own.
int acting_attempt(const char *act, const char *target);

#endif
