/* Random draws of the programs in C. */
#include <stdint.h>

/* xoshiro128** 1.1 (Blackman and Vigna 2018). */
static uint32_t generator[4] = {1, 2, 3, 4};

static inline uint32_t rotated(uint32_t x, int bits) { return x << bits | x >> (32 - bits); }

static inline uint32_t draw_word(void) {
  uint32_t *s = generator, result = rotated(s[1] * 5, 7) * 9, shifted = s[1] << 9;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = rotated(s[3], 11);
  return result;
}

/* Uniform in 0 .. n - 1 (Lemire 2019). */
static inline uint32_t draw_below(uint32_t n) {
  uint64_t product = (uint64_t)draw_word() * n;
  if ((uint32_t)product < n) {
    uint32_t threshold = -n % n;
    while ((uint32_t)product < threshold) product = (uint64_t)draw_word() * n;
  }
  return (uint32_t)(product >> 32);
}
