// An executable that links this module replaces functions of the C library, for every library that
// it loads: pthread_create, write, and the functions for time and random numbers. There is nothing
// to call.
#ifndef WORKER_SYMBOLS_H
#define WORKER_SYMBOLS_H

#endif
