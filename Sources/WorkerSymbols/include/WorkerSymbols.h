// An executable that links this module puts functions of its own in front of the C library's, for
// every library that it loads: pthread_create, and what tells the time or gives random numbers.
// There is nothing to call.
#ifndef WORKER_SYMBOLS_H
#define WORKER_SYMBOLS_H

#endif
