// A machine that offers less: an old kernel, or a container with a strict profile.
#ifndef LESSER_H
#define LESSER_H

// Runs a program where the layers that `layers` names, separated by commas, are refused: the system
// calls behind them fail as they do on such a machine. Returns an exit status if it can't.
int run_refusing(const char *layers, char **arguments);

#endif
