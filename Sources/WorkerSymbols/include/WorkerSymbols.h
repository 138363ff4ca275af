// An executable that links this module puts its own pthread_create in front of the C library's, for
// every library that it loads. There is nothing to call.
#ifndef WORKER_SYMBOLS_H
#define WORKER_SYMBOLS_H

#endif
