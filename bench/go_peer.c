/*
 * Uniform playouts of Go from the empty board in C, as such programs are usually written: a board with a border, chains as
 * rings of stones with pseudo-liberties at their heads, a list of empty points to draw from. The rules, the generator and
 * the order of draws are those of `src/games/go/playouts/playouts.ts`, so the same state of the generator gives the same games.
 *
 * Commands, one a line:
 *   time SIZE MS         plays for so many milliseconds of processor time: "playouts milliseconds"
 *   games SIZE N A B C D plays N games from this state of the generator: a line "plies checksum difference" for each,
 *                        with the points of Black less those of White, without komi
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "draws.h"

#define MOST_SIZE 19
#define MOST_CELLS ((MOST_SIZE + 2) * (MOST_SIZE + 2))
#define MOST_POINTS (MOST_SIZE * MOST_SIZE)
#define NONE 0

enum { EMPTY = 0, BLACK = 1, WHITE = 2, EDGE = 3 };

static int size, stride, points;

static uint8_t colours[MOST_CELLS];
/* By stone: the head of its chain, the next stone of the ring. By head: stones and pseudo-liberties. */
static int16_t head[MOST_CELLS], next[MOST_CELLS], stones[MOST_CELLS];
static int32_t pseudo[MOST_CELLS];
/* The empty cells, and by cell its place among them. */
static int16_t empty[MOST_POINTS], slot[MOST_CELLS];
static int empties;
static int ko;

static void clear_board(void) {
  memset(colours, EDGE, sizeof colours);
  memset(head, NONE, sizeof head);
  memset(pseudo, 0, sizeof pseudo);
  empties = 0;
  ko = NONE;
  for (int row = 1; row <= size; row++)
    for (int column = 1; column <= size; column++) {
      int cell = row * stride + column;
      colours[cell] = EMPTY;
      slot[cell] = (int16_t)empties;
      empty[empties++] = (int16_t)cell;
    }
}

static inline void add_liberties(int cell, int change) {
  pseudo[head[cell - stride]] += change;
  pseudo[head[cell - 1]] += change;
  pseudo[head[cell + 1]] += change;
  pseudo[head[cell + stride]] += change;
}

static inline int is_eye(int cell, int colour) {
  int other = BLACK + WHITE - colour, enemies = 0, edges = 0;
  const int corners[4] = {cell - stride - 1, cell - stride + 1, cell + stride - 1, cell + stride + 1};
  for (int i = 0; i < 4; i++) {
    enemies += colours[corners[i]] == other;
    edges += colours[corners[i]] == EDGE;
  }
  return enemies + (edges > 0) < 2;
}

/* Whether a colour may play on an empty cell without suicide, and fills no eye of its own. */
static int fits(int cell, int colour) {
  const int beside[4] = {cell - stride, cell - 1, cell + 1, cell + stride};
  int own = 1, good = 0;
  for (int i = 0; i < 4; i++) {
    if (colours[beside[i]] == EMPTY) return 1;
    own &= colours[beside[i]] == colour || colours[beside[i]] == EDGE;
  }
  if ((own && is_eye(cell, colour)) || cell == ko) return 0;
  add_liberties(cell, -1);
  for (int i = 0; i < 4; i++) {
    int there = colours[beside[i]];
    if (there != EDGE) good |= (pseudo[head[beside[i]]] == 0) == (there != colour);
  }
  add_liberties(cell, 1);
  return good;
}

/* Draws a move that fits, each with the same probability; NONE if there is none. */
static int draw_move(int colour) {
  for (int left = empties; left > 0;) {
    int at = (int)draw_below((uint32_t)left), cell = empty[at];
    if (fits(cell, colour)) return cell;
    int other = empty[--left];
    empty[left] = (int16_t)cell;
    empty[at] = (int16_t)other;
    slot[cell] = (int16_t)left;
    slot[other] = (int16_t)at;
  }
  return NONE;
}

static void join_chains(int a, int b) {
  int small = stones[a] < stones[b] ? a : b, large = a + b - small, stone = small;
  do {
    head[stone] = (int16_t)large;
    stone = next[stone];
  } while (stone != small);
  int16_t after = next[large];
  next[large] = next[small];
  next[small] = after;
  stones[large] += stones[small];
  pseudo[large] += pseudo[small];
}

static void capture(int first) {
  int stone = first;
  do {
    colours[stone] = EMPTY;
    head[stone] = NONE;
    slot[stone] = (int16_t)empties;
    empty[empties++] = (int16_t)stone;
    add_liberties(stone, 1);
    stone = next[stone];
  } while (stone != first);
}

/* Captured points are in the list in their order on the board. */
static void sort_empties(int from) {
  for (int i = from + 1; i < empties; i++) {
    int cell = empty[i], at = i;
    for (; at > from && empty[at - 1] > cell; at--) {
      empty[at] = empty[at - 1];
      slot[empty[at]] = (int16_t)at;
    }
    empty[at] = (int16_t)cell;
    slot[cell] = (int16_t)at;
  }
}

static void play(int cell, int colour) {
  const int beside[4] = {cell - stride, cell - 1, cell + 1, cell + stride};
  int last = empty[--empties], before = empties;
  empty[slot[cell]] = (int16_t)last;
  slot[last] = slot[cell];
  colours[cell] = (uint8_t)colour;
  add_liberties(cell, -1);
  head[cell] = next[cell] = (int16_t)cell;
  stones[cell] = 1;
  pseudo[cell] = 0;
  for (int i = 0; i < 4; i++) pseudo[cell] += colours[beside[i]] == EMPTY;
  for (int i = 0; i < 4; i++) {
    int there = colours[beside[i]];
    if (there == colour) {
      if (head[beside[i]] != head[cell]) join_chains(head[beside[i]], head[cell]);
    } else if (there == BLACK + WHITE - colour && pseudo[head[beside[i]]] == 0)
      capture(beside[i]);
  }
  int captured = empties - before;
  ko = NONE;
  if (captured > 1)
    sort_empties(before);
  else if (captured == 1 && head[cell] == cell && stones[cell] == 1 && pseudo[cell] == 1)
    ko = empty[before];
}

static int plies;
static uint32_t checksum;

static inline void note(int cell) {
  int point = cell == NONE ? points : (cell / stride - 1) * size + cell % stride - 1;
  checksum = (checksum ^ (uint32_t)point) * 16777619u;
  plies++;
}

/* Plays from the empty board until two passes in a row, at most 3 plies a point. */
static void play_out(void) {
  int colour = BLACK, passes = 0;
  clear_board();
  plies = 0;
  checksum = 2166136261u;
  while (plies < 3 * points && passes < 2) {
    int cell = draw_move(colour);
    if (cell == NONE) {
      passes++;
      ko = NONE;
    } else {
      passes = 0;
      play(cell, colour);
    }
    note(cell);
    colour = BLACK + WHITE - colour;
  }
}

/* Points of Black less those of White: stones, and empty regions beside stones of one colour alone. */
static int area_difference(void) {
  static uint8_t seen[MOST_CELLS];
  static int16_t region[MOST_POINTS];
  int difference = 0;
  memset(seen, 0, sizeof seen);
  for (int row = 1; row <= size; row++)
    for (int column = 1; column <= size; column++) {
      int cell = row * stride + column;
      if (colours[cell] != EMPTY) {
        difference += colours[cell] == BLACK ? 1 : -1;
        continue;
      }
      if (seen[cell]) continue;
      int count = 0, touched = 0;
      seen[cell] = 1;
      region[count++] = (int16_t)cell;
      for (int i = 0; i < count; i++) {
        const int beside[4] = {region[i] - stride, region[i] - 1, region[i] + 1, region[i] + stride};
        for (int j = 0; j < 4; j++) {
          int there = colours[beside[j]];
          if (there == BLACK || there == WHITE) touched |= there;
          if (there == EMPTY && !seen[beside[j]]) {
            seen[beside[j]] = 1;
            region[count++] = (int16_t)beside[j];
          }
        }
      }
      if (touched == BLACK) difference += count;
      if (touched == WHITE) difference -= count;
    }
  return difference;
}

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * now.tv_sec + 1e-6 * now.tv_nsec;
}

int main(void) {
  char command[8];
  while (scanf("%7s %d", command, &size) == 2 && size >= 2 && size <= MOST_SIZE) {
    stride = size + 2;
    points = size * size;
    if (strcmp(command, "time") == 0) {
      double wanted, start = milliseconds();
      long playouts = 0;
      volatile int sum = 0;
      if (scanf("%lf", &wanted) != 1) return 1;
      while (milliseconds() - start < wanted) {
        play_out();
        sum += area_difference();
        playouts++;
      }
      printf("%ld %f\n", playouts, milliseconds() - start);
    } else {
      int games;
      uint32_t *s = generator;
      if (scanf("%d %u %u %u %u", &games, s, s + 1, s + 2, s + 3) != 5) return 1;
      while (games-- > 0) {
        play_out();
        printf("%d %u %d\n", plies, checksum, area_difference());
      }
    }
    fflush(stdout);
  }
}
