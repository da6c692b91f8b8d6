/*
 * The learner of `bench n-tuple` in C, as such programs are usually written: a nibble a cell, moves by tables of rows, one
 * table of weights a tuple, the eight symmetric boards in turn; TC with the lambda-return at the end of the game, lambda .5.
 * For every line with a number of milliseconds it learns for so long, by its processor time, and answers with the moves and
 * the milliseconds that it took.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TUPLES 4
#define LOOKUPS (8 * TUPLES)
#define ENTRIES (1u << 24)
#define MOST_MOVES (1 << 17)

typedef uint64_t Board;

static uint16_t slid[65536];
static int rewards[65536];
static float *weights;
static struct {
  float error, absolute;
} *coherence;
static Board path[MOST_MOVES];
static int earned[MOST_MOVES];
static uint64_t draws = 88172645463325252ull;

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * now.tv_sec + 1e-6 * now.tv_nsec;
}

static uint32_t draw(uint32_t below) {
  draws ^= draws << 13;
  draws ^= draws >> 7;
  draws ^= draws << 17;
  return (uint32_t)(((draws >> 32) * below) >> 32);
}

static void fill_rows(void) {
  for (uint32_t row = 0; row < 65536; row++) {
    int made[4] = {0}, count = 0, mergeable = 0;
    for (int i = 0; i < 4; i++) {
      int tile = (row >> (4 * i)) & 15;
      if (tile == 0) continue;
      if (tile == mergeable && tile < 15) {
        made[count - 1] = tile + 1;
        rewards[row] += 2 << tile;
        mergeable = 0;
      } else {
        made[count++] = tile;
        mergeable = tile;
      }
    }
    slid[row] = (uint16_t)(made[0] | made[1] << 4 | made[2] << 8 | made[3] << 12);
  }
}

static Board transposed(Board x) {
  Board y = (x & 0xF0F00F0FF0F00F0Full) | ((x & 0x0000F0F00000F0F0ull) << 12) | ((x & 0x0F0F00000F0F0000ull) >> 12);
  return (y & 0xFF00FF0000FF00FFull) | ((y & 0x00FF00FF00000000ull) >> 24) | ((y & 0x00000000FF00FF00ull) << 24);
}

static Board mirrored(Board x) {
  return ((x & 0xF000F000F000F000ull) >> 12) | ((x & 0x0F000F000F000F00ull) >> 4) | ((x & 0x00F000F000F000F0ull) << 4) |
         ((x & 0x000F000F000F000Full) << 12);
}

static Board flipped(Board x) {
  return (x << 48) | ((x & 0xFFFF0000ull) << 16) | ((x >> 16) & 0xFFFF0000ull) | (x >> 48);
}

static Board slide(Board x, int *reward) {
  *reward = rewards[x & 65535] + rewards[(x >> 16) & 65535] + rewards[(x >> 32) & 65535] + rewards[x >> 48];
  return (Board)slid[x & 65535] | (Board)slid[(x >> 16) & 65535] << 16 | (Board)slid[(x >> 32) & 65535] << 32 |
         (Board)slid[x >> 48] << 48;
}

static void look_up(Board board, uint32_t *indices) {
  Board images[8];
  images[0] = board;
  images[4] = transposed(board);
  for (int side = 0; side < 8; side += 4) {
    images[side + 1] = mirrored(images[side]);
    images[side + 2] = flipped(images[side]);
    images[side + 3] = flipped(images[side + 1]);
  }
  for (int i = 0; i < 8; i++) {
    Board x = images[i];
    indices[TUPLES * i] = x & 0xFFFFFF;
    indices[TUPLES * i + 1] = ENTRIES | ((x >> 16) & 0xFFFFFF);
    indices[TUPLES * i + 2] = 2 * ENTRIES | (x & 0xFFF) | ((x >> 4) & 0xFFF000);
    indices[TUPLES * i + 3] = 3 * ENTRIES | ((x >> 16) & 0xFFF) | ((x >> 20) & 0xFFF000);
  }
}

static float sum(const uint32_t *indices) {
  float total = 0;
  for (int i = 0; i < LOOKUPS; i++) total += weights[indices[i]];
  return total;
}

static float step(Board board, float target) {
  uint32_t indices[LOOKUPS];
  look_up(board, indices);
  float share = (target - sum(indices)) / LOOKUPS;
  for (int i = 0; i < LOOKUPS; i++) {
    uint32_t at = indices[i];
    float error = coherence[at].error, absolute = coherence[at].absolute;
    weights[at] += absolute == 0 ? share : share * fabsf(error) / absolute;
    coherence[at].error = error + share;
    coherence[at].absolute = absolute + fabsf(share);
  }
  return sum(indices);
}

static Board put_tile(Board board) {
  int empty = 0;
  for (int cell = 0; cell < 16; cell++) empty += ((board >> (4 * cell)) & 15) == 0;
  int which = (int)draw(empty);
  for (int cell = 0;; cell++)
    if (((board >> (4 * cell)) & 15) == 0 && which-- == 0) return board | (Board)(draw(10) == 0 ? 2 : 1) << (4 * cell);
}

static Board moved(Board board, int direction, int *reward) {
  Board along = direction & 2 ? transposed(board) : board;
  Board after = direction & 1 ? mirrored(slide(mirrored(along), reward)) : slide(along, reward);
  return direction & 2 ? transposed(after) : after;
}

static int play_and_learn(void) {
  int moves = 0;
  for (Board board = put_tile(put_tile(0));; board = put_tile(path[moves - 1])) {
    float best = -INFINITY;
    for (int direction = 0; direction < 4; direction++) {
      int reward;
      uint32_t indices[LOOKUPS];
      Board after = moved(board, direction, &reward);
      if (after == board) continue;
      look_up(after, indices);
      float value = (float)reward + sum(indices);
      if (value <= best) continue;
      best = value;
      path[moves] = after;
      earned[moves] = reward;
    }
    if (best == -INFINITY) break;
    moves++;
  }
  float target = 0;
  for (int move = moves - 1; move >= 0; move--)
    target = (float)earned[move] + .5f * step(path[move], target) + .5f * target;
  return moves;
}

int main(void) {
  fill_rows();
  weights = calloc((size_t)TUPLES * ENTRIES, sizeof *weights);
  coherence = calloc((size_t)TUPLES * ENTRIES, sizeof *coherence);
  double wanted;
  while (scanf("%lf", &wanted) == 1) {
    long moves = 0;
    double start = milliseconds();
    while (milliseconds() - start < wanted) moves += play_and_learn();
    printf("%ld %f\n", moves, milliseconds() - start);
    fflush(stdout);
  }
}
