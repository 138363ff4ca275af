// Tells authors which call of theirs confinement refuses, and what to use instead.
#ifndef WORKER_REFUSALS_H
#define WORKER_REFUSALS_H

// What a confined plugin lacks.
enum lack {
  LACK_THREADS,
  LACK_RUN_LOOP,
  LACK_NETWORK,
  LACK_FILES,
  LACK_DEFAULTS,
  LACK_PROCESSES,
  LACK_END,  // It can't end its process.
};

// Reports a refused call on standard error, once a session, if the plugin's own code has made it
// or called an interface that did. Does nothing outside of a confined worker.
//
// The report is a line that begins with "vmhost: it ". The host adds what the plugin was doing. A
// plugin can print such a line too, so the host takes it for the plugin's own words.
//
// `function` is the C library's function, `target` a path or NULL.
void worker_explain(enum lack lack, const char *function, const char *target);

// Does the same for a call without which its caller would crash or wait for ever, and then ends the
// process with a trap, as Swift does. It returns if no known interface made the call: then the
// plugin itself can handle the error.
void worker_explain_end(enum lack lack, const char *function);

#endif
