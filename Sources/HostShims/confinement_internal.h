// Declarations that the parts of the confinement share.
#ifndef HOST_CONFINEMENT_INTERNAL_H
#define HOST_CONFINEMENT_INTERNAL_H

#include "confinement.h"

static inline int host_wants(uint32_t layers, int layer) { return (layers >> layer & 1) != 0; }

// Records whether a layer is on (error 0), missing in this kernel, or refused.
void host_note(struct host_layer_result *result, int error);

// Stage 1 without the record that threads are denied, since a probe runs it in the host's own
// memory.
void host_apply_stage1(
  const struct host_confinement *confinement, struct host_layer_result *results);

// SHA-256 of bytes that come in parts. Each part but the last has a multiple of 64 bytes.
void host_sha256_begin(struct host_sha256 *hash, int portable);
void host_sha256_add(struct host_sha256 *hash, const uint8_t *bytes, size_t size);
void host_sha256_end(struct host_sha256 *hash, uint8_t digest[32]);

// Each returns 0 or an errno.
int host_landlock(const char *const *readable, uint32_t *version);
int host_landlock_nothing(void);
int host_seccomp(int stage);
int host_no_new_privileges(void);

// Frees what host_seccomp keeps in memory for stage 2, for a process that isn't confined itself.
void host_unlock_filter(void);

#endif
