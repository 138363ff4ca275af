#ifndef ATTEMPTS_H
#define ATTEMPTS_H

// Tries the thing of this name; 0 if it worked, else the errno.
int attempt(const char *name, const char *argument);

#endif
