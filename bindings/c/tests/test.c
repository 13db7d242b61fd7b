/* The whole header, against the answers of Rust: ./test level.tmx yes moved x y */
#include "bitwall.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what)                                                              \
  do {                                                                           \
    if (!(what)) {                                                               \
      printf("line %d: %s (%s)\n", __LINE__, #what, bitwall_error_text());       \
      exit(1);                                                                   \
    }                                                                            \
  } while (0)

static void queries(const bitwall_level *level, char **expected) {
  static int32_t questions[10000][6];
  static uint8_t answers[10000];
  long yes = 0, moved = 0;
  int64_t i;
  for (i = 0; i < 10000; i++) {
    int32_t *q = questions[i], hit[4] = {-9, -9, -9, -9}, step = (int32_t)(i % 100), far;
    q[0] = (int32_t)(i * 7919 % 1000), q[1] = (int32_t)(i * 104729 % 280), q[2] = 12, q[3] = 20;
    q[4] = (int32_t)(i % 4), q[5] = (int32_t)(1 + i % 8);
    yes += bitwall_can_move(level, q[0], q[1], 12, 20, q[4], q[5]);
    far = bitwall_sweep(level, q[0], q[1], 12, 20, q[4], step, hit);
    CHECK(far >= 0 && far <= step && (far < step) == (hit[2] * hit[2] + hit[3] * hit[3] == 1));
    CHECK(bitwall_sweep(level, q[0], q[1], 12, 20, q[4], step, NULL) == far);
    moved += far;
  }
  CHECK(yes == atol(expected[0]) && moved == atol(expected[1]));
  CHECK(bitwall_can_move_all(level, questions[0], 10000, answers) == 0);
  for (i = 0; i < 10000; i++) yes -= answers[i];
  CHECK(yes == 0);
}

static void movers(const bitwall_level *level, char **expected) {
  int32_t at[2], body[4], result = 0, i;
  float velocity[2] = {0, 0};
  double position[2];
  bitwall_mover *mover;
  CHECK(bitwall_level_marker(level, "nobody", at) == 0);
  CHECK(bitwall_level_marker(level, "player", at) == 1);
  mover = bitwall_mover_new(at[0] - 6, at[1] - 20, 12, 20, BITWALL_PLATFORMER);
  CHECK(mover);
  for (i = 0; i < 120; i++) {
    result = bitwall_mover_step(mover, level, 1.75f, velocity[1] + 0.25f);
    CHECK(result >= 0 && bitwall_mover_velocity(mover, velocity) == 0);
  }
  CHECK(bitwall_mover_box(mover, body) == 0 && bitwall_mover_position(mover, position) == 0);
  CHECK(body[0] == atol(expected[2]) && body[1] == atol(expected[3]) && body[2] == 12 && body[3] == 20);
  CHECK(position[0] >= body[0] && position[0] < body[0] + 1);
  CHECK(!(result & BITWALL_STARTED_SOLID) && !bitwall_overlaps(level, body[0], body[1], 12, 20));
  CHECK(bitwall_mover_set_steps(mover, 0, 0) == 0 && bitwall_mover_set_steps(mover, -1, 0) == BITWALL_ARGUMENT);
  CHECK(bitwall_mover_set_steps(mover, 256, 256) == 0 && bitwall_mover_set_steps(mover, 0, 257) == BITWALL_ARGUMENT);
  CHECK(bitwall_mover_place(mover, 3, -4) == 0 && bitwall_mover_box(mover, body) == 0);
  CHECK(body[0] == 3 && body[1] == -4 && body[2] == 12);
  bitwall_mover_free(mover);
}

/* An engine's own map: cells set one by one, then carved pixel by pixel. */
static void edits(void) {
  int32_t size[4];
  bitwall_level *pixels, *level = bitwall_level_new(20, 10, 16, 8);
  CHECK(level && bitwall_level_size(level, size) == 0);
  CHECK(size[0] == 320 && size[1] == 80 && size[2] == 16 && size[3] == 8);
  CHECK(bitwall_set_cell(level, 2, 3, 1) == 1 && bitwall_set_cell(level, 2, 3, 1) == 0);
  CHECK(bitwall_is_solid(level, 32, 24) == 1 && bitwall_is_solid(level, 48, 24) == 0);
  CHECK(bitwall_sweep(level, 0, 24, 10, 8, BITWALL_RIGHT, 300, NULL) == 22);
  CHECK(bitwall_can_move(level, 0, 0, 8, 8, BITWALL_LEFT, 1) == 0);
  CHECK(bitwall_level_open_side(level, BITWALL_LEFT, 1) == 0);
  CHECK(bitwall_can_move(level, 0, 0, 8, 8, BITWALL_LEFT, 1) == 1);
  CHECK(bitwall_set_box(level, 30, 24, 4, 4, 1) == 1 && bitwall_is_solid(level, 16, 24) == 1);
  pixels = bitwall_level_in_pixels(level);
  CHECK(pixels && bitwall_set_disc(pixels, 32, 28, 3, 0) == 1);
  CHECK(bitwall_is_solid(pixels, 32, 28) == 0 && bitwall_is_solid(pixels, 40, 28) == 1);
  CHECK(bitwall_is_solid(level, 32, 28) == 1 && bitwall_area_overlaps(level, "water", 0, 0, 9, 9) == 0);
  bitwall_level_free(pixels);
  bitwall_level_free(level);
}

static void errors(const bitwall_level *level) {
  int32_t size[4];
  float nan = 0;
  bitwall_mover *mover = bitwall_mover_new(0, 0, 8, 8, BITWALL_PLAIN);
  CHECK(bitwall_level_load("no-such-level.tmx") == NULL && bitwall_error_code() == BITWALL_LOAD);
  CHECK(strstr(bitwall_error_text(), "no-such-level.tmx"));
  CHECK(bitwall_level_load(NULL) == NULL && bitwall_error_code() == BITWALL_NULL);
  CHECK(bitwall_level_load("\xff") == NULL && bitwall_error_code() == BITWALL_ARGUMENT);
  CHECK(bitwall_level_decode("a.png", NULL, 9) == NULL && bitwall_error_code() == BITWALL_NULL);
  CHECK(bitwall_level_decode("a.png", NULL, 0) == NULL && bitwall_error_code() == BITWALL_LOAD);
  CHECK(bitwall_level_decode("a.png", (const uint8_t *)"<map>", 5) == NULL && bitwall_error_code() == BITWALL_LOAD);
  CHECK(bitwall_level_new(-1, 9, 8, 8) == NULL && bitwall_level_new(9, 9, 0, 8) == NULL);
  CHECK(bitwall_level_new(2147483647, 2147483647, 8, 8) == NULL && bitwall_error_code() == BITWALL_SIZE);
  CHECK(bitwall_can_move(level, 0, 0, 1, 1, 4, 1) == BITWALL_ARGUMENT);
  CHECK(bitwall_can_move(level, 0, 0, 1, 1, 0, -1) == BITWALL_ARGUMENT);
  CHECK(bitwall_can_move(NULL, 0, 0, 1, 1, 0, 1) == BITWALL_NULL && bitwall_error_code() == BITWALL_NULL);
  CHECK(bitwall_sweep(NULL, 0, 0, 1, 1, 0, 1, NULL) == BITWALL_NULL && bitwall_is_solid(NULL, 0, 0) == BITWALL_NULL);
  CHECK(bitwall_overlaps(NULL, 0, 0, 1, 1) == BITWALL_NULL && bitwall_level_size(level, NULL) == BITWALL_NULL);
  CHECK(bitwall_level_size(NULL, size) == BITWALL_NULL && bitwall_set_cell(NULL, 0, 0, 1) == BITWALL_NULL);
  CHECK(bitwall_set_box(NULL, 0, 0, 1, 1, 1) == BITWALL_NULL && bitwall_set_disc(NULL, 0, 0, 1, 1) == BITWALL_NULL);
  CHECK(bitwall_can_move_all(level, NULL, 3, NULL) == BITWALL_NULL && bitwall_can_move_all(level, NULL, 0, NULL) == 0);
  CHECK(bitwall_level_in_pixels(NULL) == NULL && bitwall_level_open_side(NULL, 0, 1) == BITWALL_NULL);
  CHECK(bitwall_area_overlaps(level, NULL, 0, 0, 1, 1) == BITWALL_NULL);
  CHECK(bitwall_level_marker(level, "player", NULL) == BITWALL_NULL);
  CHECK(bitwall_mover_new(0, 0, 8, 8, 3) == NULL && bitwall_mover_step(NULL, level, 0, 0) == BITWALL_NULL);
  CHECK(bitwall_mover_step(mover, NULL, 0, 0) == BITWALL_NULL && bitwall_mover_box(mover, NULL) == BITWALL_NULL);
  CHECK(bitwall_mover_step(mover, level, nan / nan, 0) == BITWALL_ARGUMENT);
  CHECK(bitwall_mover_place(NULL, 0, 0) == BITWALL_NULL && bitwall_mover_set_steps(NULL, 0, 0) == BITWALL_NULL);
  CHECK(bitwall_mover_velocity(mover, NULL) == BITWALL_NULL && bitwall_mover_position(NULL, NULL) == BITWALL_NULL);
  bitwall_mover_free(mover);
  bitwall_mover_free(NULL);
  bitwall_level_free(NULL);
}

int main(int count, char **arguments) {
  bitwall_level *level;
  CHECK(count == 6 && bitwall_error_code() == 0 && *bitwall_error_text() == 0);
  level = bitwall_level_load(arguments[1]);
  CHECK(level);
  queries(level, arguments + 2);
  movers(level, arguments + 2);
  edits();
  errors(level);
  bitwall_level_free(level);
  printf("C: every function gives the answers of Rust\n");
  return 0;
}
