// SHA-256 (FIPS 180-4). Every start hashes the image of a plugin, which may have 10 MB. So this
// uses the processor's SHA instructions if it has them.
#include "confinement_internal.h"

#include <string.h>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

enum { BLOCK = 64 };

_Alignas(16) static const uint32_t constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotated(uint32_t x, int n) { return x >> n | x << (32 - n); }

static uint32_t big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void portable_blocks(uint32_t state[8], const uint8_t *bytes, size_t count) {
  for (; count > 0; count--, bytes += BLOCK) {
    uint32_t w[64];
    for (int i = 0; i < 16; i++) w[i] = big_endian(bytes + 4 * i);
    for (int i = 16; i < 64; i++) {
      const uint32_t x = w[i - 15], y = w[i - 2];
      w[i] = w[i - 16] + (rotated(x, 7) ^ rotated(x, 18) ^ x >> 3) + w[i - 7]
        + (rotated(y, 17) ^ rotated(y, 19) ^ y >> 10);
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; i++) {
      const uint32_t one = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25))
        + ((e & f) ^ (~e & g)) + constants[i] + w[i];
      const uint32_t two = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22))
        + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + one;
      d = c, c = b, b = a, a = one + two;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
  }
}

#ifdef __x86_64__
static int find_instructions(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1) || !(c & bit_SSSE3)) return 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

// A process asks only once: CPUID is so slow in a virtual machine that it takes longer than the
// hash of a short text.
static int has_instructions(void) {
  enum { UNKNOWN, MISSING, PRESENT };
  static _Atomic int answer = UNKNOWN;
  if (answer == UNKNOWN) answer = find_instructions() ? PRESENT : MISSING;
  return answer == PRESENT;
}

// Assembly, since a debug build keeps each operand of the compiler's own functions in memory, and
// hashing was most of what it did for a start.

// Does four rounds with four words of the schedule: two by each instruction.
#define ROUNDS(i, words) \
  "movdqa 16*" #i "(%[constants]), %%xmm0\n" \
  "paddd %[" #words "], %%xmm0\n" \
  "sha256rnds2 %%xmm0, %[abef], %[cdgh]\n" \
  "pshufd $0x0e, %%xmm0, %%xmm0\n" \
  "sha256rnds2 %%xmm0, %[cdgh], %[abef]\n"

// Replaces the oldest 4 of the last 16 words of the schedule by the next 4.
#define NEXT(oldest, older, newer, newest) \
  "sha256msg1 %[" #older "], %[" #oldest "]\n" \
  "movdqa %[" #newest "], %[sevens]\n" \
  "palignr $4, %[" #newer "], %[sevens]\n" \
  "paddd %[sevens], %[" #oldest "]\n" \
  "sha256msg2 %[" #newest "], %[" #oldest "]\n"

#define NEXT_ROUNDS(i0, i1, i2, i3) \
  NEXT(w0, w1, w2, w3) ROUNDS(i0, w0) \
  NEXT(w1, w2, w3, w0) ROUNDS(i1, w1) \
  NEXT(w2, w3, w0, w1) ROUNDS(i2, w2) \
  NEXT(w3, w0, w1, w2) ROUNDS(i3, w3)

// The instructions keep the state as ABEF and CDGH.
__attribute__((target("sha,sse4.1,ssse3"))) static void fast_blocks(
  uint32_t state[8], const uint8_t *bytes, size_t count) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i low = _mm_loadu_si128((const __m128i *)state);
  __m128i high = _mm_loadu_si128((const __m128i *)(state + 4));
  low = _mm_shuffle_epi32(low, 0xb1);
  high = _mm_shuffle_epi32(high, 0x1b);
  __m128i abef = _mm_alignr_epi8(low, high, 8);
  __m128i cdgh = _mm_blend_epi16(high, low, 0xf0);
  for (; count > 0; count--, bytes += BLOCK) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    const __m128i *block = (const __m128i *)bytes;
    __m128i w0 = _mm_shuffle_epi8(_mm_loadu_si128(block), swap);
    __m128i w1 = _mm_shuffle_epi8(_mm_loadu_si128(block + 1), swap);
    __m128i w2 = _mm_shuffle_epi8(_mm_loadu_si128(block + 2), swap);
    __m128i w3 = _mm_shuffle_epi8(_mm_loadu_si128(block + 3), swap);
    __m128i sevens;
    __asm__(
      ROUNDS(0, w0) ROUNDS(1, w1) ROUNDS(2, w2) ROUNDS(3, w3)
      NEXT_ROUNDS(4, 5, 6, 7) NEXT_ROUNDS(8, 9, 10, 11) NEXT_ROUNDS(12, 13, 14, 15)
      : [abef] "+x"(abef), [cdgh] "+x"(cdgh), [w0] "+x"(w0), [w1] "+x"(w1), [w2] "+x"(w2),
        [w3] "+x"(w3), [sevens] "=&x"(sevens)
      : [constants] "r"(constants), "m"(constants)
      : "xmm0");
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  low = _mm_shuffle_epi32(abef, 0x1b);
  high = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(low, high, 0xf0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(high, low, 8));
}
#endif

void host_sha256_begin(struct host_sha256 *hash, int portable) {
  *hash = (struct host_sha256){
    .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
#ifdef __x86_64__
  hash->is_fast = !portable && has_instructions();
#else
  (void)portable;
#endif
}

static void add_blocks(struct host_sha256 *hash, const uint8_t *bytes, size_t count) {
#ifdef __x86_64__
  if (hash->is_fast) {
    fast_blocks(hash->state, bytes, count);
    return;
  }
#endif
  portable_blocks(hash->state, bytes, count);
}

void host_sha256_add(struct host_sha256 *hash, const uint8_t *bytes, size_t size) {
  add_blocks(hash, bytes, size / BLOCK);
  memcpy(hash->rest, bytes + (size - size % BLOCK), size % BLOCK);
  hash->size += size;
}

void host_sha256_end(struct host_sha256 *hash, uint8_t digest[32]) {
  const size_t rest = hash->size % BLOCK;
  uint8_t tail[2 * BLOCK] = {0};
  memcpy(tail, hash->rest, rest);
  tail[rest] = 0x80;
  const size_t length = rest < BLOCK - 8 ? BLOCK : 2 * BLOCK;
  const uint64_t bits = hash->size * 8;
  for (int i = 0; i < 8; i++) tail[length - 1 - (size_t)i] = (uint8_t)(bits >> 8 * i);
  add_blocks(hash, tail, length / BLOCK);
  for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}

void host_sha256(const uint8_t *bytes, size_t size, int portable, uint8_t digest[32]) {
  struct host_sha256 hash;
  host_sha256_begin(&hash, portable);
  host_sha256_add(&hash, bytes, size);
  host_sha256_end(&hash, digest);
}
