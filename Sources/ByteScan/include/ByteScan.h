// Looks at several bytes of a text at once. It is in C because comparisons of Swift's vectors
// compile to a loop over their elements.
#ifndef BYTE_SCAN_H
#define BYTE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef int8_t byte_scan_block __attribute__((ext_vector_type(16)));
typedef bool byte_scan_flags __attribute__((ext_vector_type(16)));

// Returns a bit for each of `size` bytes, at most 16, from the lowest on: 1 for a quote, a
// backslash, a control character or a byte beyond ASCII.
static inline uint32_t byte_scan_special(const uint8_t *bytes, size_t size) {
  byte_scan_block block = {0};
  memcpy(&block, bytes, size);
  // As signed numbers, bytes beyond ASCII are below 0.
  byte_scan_flags flags = __builtin_convertvector(
      (block < 0x20) | (block == '"') | (block == '\\'), byte_scan_flags);
  uint16_t bits;
  memcpy(&bits, &flags, sizeof bits);
  return bits & ((1u << size) - 1);
}

// Returns the first offset from `offset` on that holds such a byte; or `count`, the number of
// bytes, which `offset` must not exceed. It is pure, so that Swift needn't count a reference to the
// bytes meanwhile.
__attribute__((pure)) static inline size_t byte_scan_plain_end(
    const uint8_t *bytes, size_t offset, size_t count) {
  for (; count - offset >= 16; offset += 16) {
    uint32_t special = byte_scan_special(bytes + offset, 16);
    if (special) return offset + (size_t)__builtin_ctz(special);
  }
  if (count - offset >= 8) {
    uint32_t special = byte_scan_special(bytes + offset, 8);
    if (special) return offset + (size_t)__builtin_ctz(special);
    offset += 8;
  }
  if (count >= 8 && offset < count) {
    // The last 8 bytes, of which some were looked at before.
    uint32_t special = byte_scan_special(bytes + count - 8, 8) >> (8 - (count - offset));
    return special ? offset + (size_t)__builtin_ctz(special) : count;
  }
  for (; offset < count; offset++) {
    uint8_t byte = bytes[offset];
    if (byte < 0x20 || byte == '"' || byte == '\\' || byte >= 0x80) break;
  }
  return offset;
}

#endif
