// The children of this process, for the code that starts them.
#ifndef HOST_CHILDREN_H
#define HOST_CHILDREN_H

#include <sys/types.h>

// Makes room for one more child. Returns 0, or -1 if there is no memory.
int host_children_reserve(void);

// Adds a child that leads a process group of its own. host_reap removes it.
void host_children_add(pid_t process);

// Kills all children with their groups, and reaps them. From then on host_reap never returns.
void host_children_end(void);

#endif
