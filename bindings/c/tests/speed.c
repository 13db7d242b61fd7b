/* Nanoseconds a call, the best of many short rounds, for ../../speed.sh: ./speed level.tmx */
#include "bitwall.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static double best;
static long sum;

#define MEASURE(name, count, call)                                                             \
  best = 1e9;                                                                                  \
  for (round = 0; round < 60; round++) {                                                       \
    clock_t start = clock();                                                                   \
    double took;                                                                               \
    for (i = 0; i < (count); i++) call;                                                        \
    took = (double)(clock() - start) / CLOCKS_PER_SEC * 1e9 / (count);                         \
    if (took < best) best = took;                                                              \
  }                                                                                            \
  printf("C\t%s\t%.1f\n", name, best);

int main(int count, char **arguments) {
  static int32_t questions[300000];
  static uint8_t answers[50000];
  bitwall_level *level = bitwall_level_load(arguments[count - 1], "");
  bitwall_platformer *hero = bitwall_platformer_new(40, 40, 12, 20, 60);
  bitwall_sweep found;
  bitwall_motion motion;
  int round, i;
  MEASURE("nothing", 50000, sum += bitwall_error_code())
  MEASURE("can_move", 50000,
          sum += bitwall_level_can_move(level, 40 + (i & 255), 40 + (i & 63), 12, 20, 1, 4))
  MEASURE("sweep", 50000,
          (bitwall_level_sweep(level, 40 + (i & 255), 40 + (i & 63), 12, 20, 3, 200, &found),
           sum += found.moved))
  for (i = 0; i < 50000; i++) {
    const int32_t question[6] = {40 + (i & 255), 40 + (i & 63), 12, 20, 1, 4};
    memcpy(questions + 6 * i, question, sizeof question);
  }
  MEASURE("can_move_all", 50000,
          if (i == 0) sum += bitwall_level_can_move_all(level, questions, 300000, answers, 50000))
  MEASURE("step", 10000,
          bitwall_platformer_step(hero, level, (float)((i / 300 & 1) * 2 - 1), 0, (i & 63) < 9, 0, &motion))
  bitwall_platformer_free(hero);
  bitwall_level_free(level);
  return sum == 0;
}
