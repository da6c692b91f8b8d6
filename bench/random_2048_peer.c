/*
 * Random games of 2048 in C, as such programs are usually written: a nibble a cell in one word, slides by tables of rows,
 * columns by transposing. The generator and the order of draws are those of `src/games/2048`, so the same state of the
 * generator gives the same games.
 *
 * Commands, one a line:
 *   time MS         plays for so many milliseconds of processor time: "moves milliseconds"
 *   games N A B C D plays N games from this state of the generator: a line "moves score" for each
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif
#include "draws.h"

typedef uint64_t Board;

/* By row, its leftmost cell in the lowest nibble: the row slid to either end, and the points of either slide. */
static struct {
  uint16_t left, right;
  int32_t reward;
} rows[65536];

static int score;

static uint16_t reversed(uint16_t row) {
  return (uint16_t)(row << 12 | (row & 0xF0) << 4 | (row >> 4 & 0xF0) | row >> 12);
}

static void fill_rows(void) {
  for (uint32_t row = 0; row < 65536; row++) {
    int made[4] = {0}, count = 0, mergeable = 0, reward = 0;
    for (int i = 0; i < 4; i++) {
      int tile = row >> (4 * i) & 15;
      if (tile == 0) continue;
      if (tile == mergeable && tile < 15) {
        made[count - 1] = tile + 1;
        reward += 2 << tile;
        mergeable = 0;
      } else {
        made[count++] = tile;
        mergeable = tile;
      }
    }
    rows[row].left = (uint16_t)(made[0] | made[1] << 4 | made[2] << 8 | made[3] << 12);
    rows[row].reward = reward;
  }
  for (uint32_t row = 0; row < 65536; row++) rows[row].right = reversed(rows[reversed((uint16_t)row)].left);
}

static inline Board transposed(Board x) {
  Board y = (x & 0xF0F00F0FF0F00F0Full) | (x & 0x0000F0F00000F0F0ull) << 12 | (x & 0x0F0F00000F0F0000ull) >> 12;
  return (y & 0xFF00FF0000FF00FFull) | (y & 0x00FF00FF00000000ull) >> 24 | (y & 0x00000000FF00FF00ull) << 24;
}

/* Puts a 2 (nine times of ten) or a 4 on an empty cell; one draw chooses both. */
static inline Board put_tile(Board board) {
  Board occupied = board | board >> 2;
  Board empty = ~(occupied | occupied >> 1) & 0x1111111111111111ull;
  uint32_t draw = draw_below(10 * (uint32_t)__builtin_popcountll(empty));
  uint32_t which = draw / 10;
#ifdef __BMI2__
  Board cell = _pdep_u64(1ull << which, empty);
#else
  for (uint32_t i = 0; i < which; i++) empty &= empty - 1;
  Board cell = empty & -empty;
#endif
  return board | cell << (draw == 10 * which);
}

static long play(void) {
  Board board = put_tile(put_tile(0));
  score = 0;
  for (long moves = 0;; moves++) {
    Board across = transposed(board), up = 0, down = 0, left = 0, right = 0;
    int vertical = 0, horizontal = 0;
    for (int shift = 0; shift < 64; shift += 16) {
      uint16_t column = (uint16_t)(across >> shift), row = (uint16_t)(board >> shift);
      up |= (Board)rows[column].left << shift;
      down |= (Board)rows[column].right << shift;
      left |= (Board)rows[row].left << shift;
      right |= (Board)rows[row].right << shift;
      vertical += rows[column].reward;
      horizontal += rows[row].reward;
    }
    const Board after[4] = {up, right, down, left};
    /* Written in any case and counted if legal. */
    int legal[5], count = 0;
    legal[count] = 0;
    count += up != across;
    legal[count] = 1;
    count += right != board;
    legal[count] = 2;
    count += down != across;
    legal[count] = 3;
    count += left != board;
    if (count == 0) return moves;
    int direction = legal[draw_below((uint32_t)count)];
    score += direction & 1 ? horizontal : vertical;
    board = put_tile(direction & 1 ? after[direction] : transposed(after[direction]));
  }
}

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * now.tv_sec + 1e-6 * now.tv_nsec;
}

int main(void) {
  char command[8];
  fill_rows();
  while (scanf("%7s", command) == 1) {
    if (strcmp(command, "time") == 0) {
      double wanted, start = milliseconds();
      long moves = 0;
      volatile long sum = 0;
      if (scanf("%lf", &wanted) != 1) return 1;
      while (milliseconds() - start < wanted)
        for (int game = 0; game < 20; game++) {
          moves += play();
          sum += score;
        }
      printf("%ld %f\n", moves, milliseconds() - start);
    } else {
      int games;
      uint32_t *s = generator;
      if (scanf("%d %u %u %u %u", &games, s, s + 1, s + 2, s + 3) != 5) return 1;
      while (games-- > 0) {
        long moves = play();
        printf("%ld %d\n", moves, score);
      }
    }
    fflush(stdout);
  }
}
