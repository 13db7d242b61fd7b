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
    int32_t *q = questions[i], step = (int32_t)(i % 100);
    bitwall_sweep found;
    q[0] = (int32_t)(i * 7919 % 1000), q[1] = (int32_t)(i * 104729 % 280), q[2] = 12, q[3] = 20;
    q[4] = (int32_t)(i % 4), q[5] = (int32_t)(1 + i % 8);
    yes += bitwall_level_can_move(level, q[0], q[1], 12, 20, q[4], q[5]);
    CHECK(bitwall_level_sweep(level, q[0], q[1], 12, 20, q[4], step, &found) == 0);
    CHECK(found.moved >= 0 && found.moved <= step && (found.moved < step) == found.hit && found.body == -1);
    CHECK(found.hit == (found.normal_x * found.normal_x + found.normal_y * found.normal_y == 1));
    moved += found.moved;
  }
  CHECK(yes == atol(expected[0]) && moved == atol(expected[1]));
  CHECK(bitwall_level_can_move_all(level, questions[0], 60000, answers, 10000) == 0);
  for (i = 0; i < 10000; i++) yes -= answers[i];
  CHECK(yes == 0);
}

static void movers(const bitwall_level *level, char **expected) {
  bitwall_motion motion;
  bitwall_marker spawn;
  bitwall_rect box;
  bitwall_point position;
  bitwall_settings settings;
  bitwall_mover *mover;
  int32_t i;
  memset(&motion, 0, sizeof motion);
  CHECK(bitwall_level_find_marker(level, "nobody") == -1);
  CHECK(bitwall_level_marker(level, bitwall_level_find_marker(level, "player"), &spawn) == 0);
  CHECK(strcmp(bitwall_level_marker_name(level, bitwall_level_find_marker(level, "player")), "player") == 0);
  mover = bitwall_mover_new(spawn.at_x - 6, spawn.at_y - 20, 12, 20, BITWALL_KIND_PLATFORMER);
  CHECK(mover);
  for (i = 0; i < 120; i++) CHECK(bitwall_mover_step(mover, level, 1.75f, motion.velocity_y + 0.25f, &motion) == 0);
  CHECK(bitwall_mover_bounds(mover, &box) == 0 && bitwall_mover_position(mover, &position) == 0);
  CHECK(box.x == atol(expected[2]) && box.y == atol(expected[3]) && box.w == 12 && box.h == 20);
  CHECK(position.x >= box.x && position.x < box.x + 1);
  CHECK(!motion.started_solid && !bitwall_level_overlaps(level, box.x, box.y, 12, 20));
  CHECK(bitwall_mover_settings(mover, &settings) == 0 && settings.step_height == 4 && settings.one_way_down);
  settings.step_height = 257;
  CHECK(bitwall_mover_set_settings(mover, &settings) == BITWALL_ARGUMENT);
  settings.step_height = 256;
  CHECK(bitwall_mover_set_settings(mover, &settings) == 0);
  CHECK(bitwall_mover_settings(mover, &settings) == 0 && settings.step_height == 256);
  settings.response = BITWALL_RESPONSE_BOUNCE, settings.restitution = 101;
  CHECK(bitwall_mover_set_settings(mover, &settings) == BITWALL_ARGUMENT);
  settings.restitution = 50;
  CHECK(bitwall_mover_set_settings(mover, &settings) == 0);
  settings.path = 9;
  CHECK(bitwall_mover_set_settings(mover, &settings) == BITWALL_ARGUMENT);
  CHECK(bitwall_mover_place(mover, 3, -4) == 0 && bitwall_mover_bounds(mover, &box) == 0);
  CHECK(box.x == 3 && box.y == -4 && box.w == 12);
  bitwall_mover_free(mover);
}

/* An engine's own map: cells set one by one, then carved pixel by pixel, and undone. */
static void edits(void) {
  static const uint8_t cells[6] = {0, 0, 1, 1, 0, 0};
  bitwall_size size;
  bitwall_sweep found;
  bitwall_patch *patch;
  size_t count;
  const int32_t *boxes;
  bitwall_level *own = bitwall_level_from_cells(3, 2, 8, 8, cells, 6);
  bitwall_level *pixels, *level = bitwall_level_new(20, 10, 16, 8);
  CHECK(own && bitwall_level_is_solid(own, 16, 0) == 1 && bitwall_level_is_solid(own, 0, 0) == 0);
  CHECK((boxes = bitwall_level_rectangles(own, 0, 0, 24, 16, &count)) && count == 8 && boxes[2] * boxes[3] == 64);
  CHECK(memcmp(bitwall_level_cells(own, &count), cells, 6) == 0 && count == 6);
  CHECK(level && bitwall_level_size(level, &size) == 0);
  CHECK(size.width == 320 && size.height == 80 && size.cell_width == 16 && size.cell_height == 8);
  CHECK(bitwall_level_set_cell(level, 2, 3, 1) == 1 && bitwall_level_set_cell(level, 2, 3, 1) == 0);
  CHECK(bitwall_level_is_solid(level, 32, 24) == 1 && bitwall_level_is_solid(level, 48, 24) == 0);
  CHECK(bitwall_level_sweep(level, 0, 24, 10, 8, BITWALL_DIR_RIGHT, 300, &found) == 0 && found.moved == 22);
  CHECK(bitwall_level_can_move(level, 0, 0, 8, 8, BITWALL_DIR_LEFT, 1) == 0);
  CHECK(bitwall_level_open_side(level, BITWALL_DIR_LEFT, 1) == 0);
  CHECK(bitwall_level_can_move(level, 0, 0, 8, 8, BITWALL_DIR_LEFT, 1) == 1);
  CHECK(bitwall_level_set_box(level, 30, 24, 4, 4, 1) == 1 && bitwall_level_is_solid(level, 16, 24) == 1);
  pixels = bitwall_level_in_pixels(level);
  patch = bitwall_level_patch(pixels, 20, 20, 30, 30);
  CHECK(pixels && patch && bitwall_level_set_disc(pixels, 32, 28, 3, 0) == 1);
  CHECK(bitwall_level_is_solid(pixels, 32, 28) == 0 && bitwall_level_is_solid(pixels, 40, 28) == 1);
  CHECK(bitwall_level_apply(pixels, patch) == 1 && bitwall_level_is_solid(pixels, 32, 28) == 1);
  CHECK(bitwall_level_area_overlaps(level, "water", 0, 0, 9, 9) == 0);
  bitwall_patch_free(patch);
  bitwall_level_free(pixels);
  bitwall_level_free(level);
  bitwall_level_free(own);
}

/* What the map draws, why a cell is solid, and the files it was made of; the files by name give the same level. */
static void sources(const bitwall_level *level, const char *path) {
  const bitwall_sprite *all;
  bitwall_level *other;
  bitwall_files *files = bitwall_files_new();
  const char *neighbour = "<map orientation='orthogonal' width='1' height='1' tilewidth='8' tileheight='8'>"
                          "<tileset firstgid='1' source='../tiles/a.tsx'/></map>";
  char wanted[512], *bytes;
  size_t count;
  bitwall_scene *scene = bitwall_level_scene(level);
  CHECK(scene && (all = bitwall_scene_all(scene, &count)) && count > 100 && all[0].w > 0 && all[0].picture == 0);
  CHECK(strstr(bitwall_scene_pictures(scene), ".png") && *bitwall_level_why(level, 0, 287));
  CHECK(strstr(bitwall_level_files(level), path));
  for (strcpy(wanted, path); *wanted; strcpy(wanted, bitwall_files_wanted(files, 0))) {
    FILE *file = fopen(wanted, "rb");
    CHECK(file && (bytes = (char *)malloc(1 << 20)));
    count = fread(bytes, 1, 1 << 20, file);
    CHECK(bitwall_files_put(files, wanted, (const uint8_t *)bytes, count) == 0);
    free(bytes);
    fclose(file);
  }
  other = bitwall_level_from_files(path, files, "");
  CHECK(other && bitwall_level_checksum(other) == bitwall_level_checksum(level));
  CHECK(bitwall_level_from_files(path, files, "[solid]\nlayer = 1") == NULL && strstr(bitwall_error_text(), "line 2"));
  CHECK(bitwall_files_put(files, "maps/a.tmx", (const uint8_t *)neighbour, strlen(neighbour)) == 0);
  CHECK(!strcmp(bitwall_files_wanted(files, 0), "tiles/a.tsx"));
  bitwall_level_free(other);
  bitwall_files_free(files);
  bitwall_scene_free(scene);
}

/* A body that follows jump ways gets onto a shelf; with a wall in the way it knows of none. */
static void jumps(void) {
  bitwall_level *level = bitwall_level_from_text("........\n........\n........\n.....###\n........\n########", 16, 16);
  bitwall_follower *follower = bitwall_follower_new();
  bitwall_platformer *body = bitwall_platformer_new(4, 64, 12, 16, 60);
  bitwall_jump_ways *ways;
  bitwall_rect box;
  bitwall_feel feel;
  bitwall_motion motion;
  size_t count;
  int32_t state = BITWALL_FOLLOW_GO, step, jumps = 0;
  CHECK(bitwall_platformer_feel(body, &feel) == 0);
  ways = bitwall_jump_ways_new(level, 12, 16, &feel, 60);
  CHECK(ways && bitwall_jump_ways_path(ways, 4, 64, 100, 32, &count) && count == 4);
  CHECK(bitwall_platformer_motion(body, &motion) == 0 && !motion.grounded && motion.facing == BITWALL_SIDE_NONE);
  for (step = 0; step < 600 && state == BITWALL_FOLLOW_GO; step++) {
    state = bitwall_follower_step(follower, ways, level, body, 100, 32);
    CHECK(bitwall_platformer_motion(body, &motion) == 0);
    jumps += motion.jumped;
  }
  CHECK(jumps == 1 && motion.stance == BITWALL_STANCE_GROUND && motion.facing == BITWALL_SIDE_RIGHT);
  CHECK(bitwall_platformer_set_velocity(body, 60, -120) == 0 && bitwall_platformer_motion(body, &motion) == 0);
  CHECK(motion.velocity_x == 60 && motion.velocity_y == -120 && motion.grounded);
  CHECK(state == BITWALL_FOLLOW_ARRIVED && bitwall_platformer_bounds(body, &box) == 0 && box.x == 100 && box.y == 32);
  CHECK(bitwall_level_set_box(level, 0, 0, 128, 48, 1) == 1 && bitwall_jump_ways_edited(ways, 0, 0, 128, 48) == 0);
  CHECK(bitwall_jump_ways_may_reach(ways, 4, 64, 100, 32) == 0 && bitwall_jump_ways_update(ways, level, 1000000) == 1);
  bitwall_jump_ways_free(ways);
  bitwall_platformer_free(body);
  bitwall_follower_free(follower);
  bitwall_level_free(level);
}

static void errors(const bitwall_level *level) {
  bitwall_size size;
  bitwall_motion motion;
  const char *sentence = bitwall_error_text();
  float nan = 0;
  bitwall_mover *mover = bitwall_mover_new(0, 0, 8, 8, BITWALL_KIND_PLAIN);
  CHECK(bitwall_level_load("no-such-level.tmx", "") == NULL && bitwall_error_code() == BITWALL_LOAD);
  CHECK(strstr(sentence, "no-such-level.tmx") && sentence == bitwall_error_text());
  CHECK(bitwall_level_load(NULL, "") == NULL && bitwall_error_code() == BITWALL_NULL);
  CHECK(bitwall_level_load("\xff", "") == NULL && bitwall_error_code() == BITWALL_ARGUMENT);
  CHECK(bitwall_level_decode("a.png", NULL, 9, "") == NULL && bitwall_error_code() == BITWALL_NULL);
  CHECK(bitwall_level_decode("a.png", NULL, 0, "") == NULL && bitwall_error_code() == BITWALL_LOAD);
  CHECK(bitwall_level_decode("a.png", (const uint8_t *)"<map>", 5, "") == NULL && bitwall_error_code() == BITWALL_LOAD);
  CHECK(bitwall_level_new(-1, 9, 8, 8) == NULL && bitwall_level_new(9, 9, 0, 8) == NULL);
  CHECK(bitwall_level_new(2147483647, 2147483647, 8, 8) == NULL && bitwall_error_code() == BITWALL_SIZE);
  CHECK(bitwall_level_can_move(level, 0, 0, 1, 1, 4, 1) == BITWALL_ARGUMENT);
  CHECK(bitwall_level_can_move(level, 0, 0, 1, 1, 0, -1) == BITWALL_ARGUMENT);
  CHECK(bitwall_level_can_move(NULL, 0, 0, 1, 1, 0, 1) == BITWALL_NULL && bitwall_error_code() == BITWALL_NULL);
  CHECK(bitwall_level_sweep(level, 0, 0, 1, 1, 0, 1, NULL) == BITWALL_NULL);
  CHECK(bitwall_level_overlaps(NULL, 0, 0, 1, 1) == BITWALL_NULL && bitwall_level_size(level, NULL) == BITWALL_NULL);
  CHECK(bitwall_level_size(NULL, &size) == BITWALL_NULL && bitwall_level_set_cell(NULL, 0, 0, 1) == BITWALL_NULL);
  CHECK(bitwall_level_can_move_all(level, NULL, 18, NULL, 3) == BITWALL_NULL);
  CHECK(bitwall_level_can_move_all(level, NULL, 0, NULL, 0) == 0);
  CHECK(bitwall_level_in_pixels(NULL) == NULL && bitwall_level_open_side(NULL, 0, 1) == BITWALL_NULL);
  CHECK(bitwall_level_area_overlaps(level, NULL, 0, 0, 1, 1) == BITWALL_NULL);
  CHECK(bitwall_level_marker(level, 0, NULL) == BITWALL_NULL && bitwall_level_cells(level, NULL) == NULL);
  CHECK(bitwall_mover_new(0, 0, 8, 8, 3) == NULL && bitwall_mover_step(NULL, level, 0, 0, &motion) == BITWALL_NULL);
  CHECK(bitwall_mover_step(mover, NULL, 0, 0, &motion) == BITWALL_NULL);
  CHECK(bitwall_mover_step(mover, level, nan / nan, 0, &motion) == BITWALL_ARGUMENT);
  bitwall_mover_free(mover);
  bitwall_mover_free(NULL);
  bitwall_level_free(NULL);
}

int main(int count, char **arguments) {
  bitwall_level *level;
  CHECK(count == 6 && bitwall_error_code() == 0 && *bitwall_error_text() == 0);
  level = bitwall_level_load(arguments[1], "");
  CHECK(level);
  queries(level, arguments + 2);
  movers(level, arguments + 2);
  edits();
  sources(level, arguments[1]);
  jumps();
  errors(level);
  bitwall_level_free(level);
  printf("C: the answers of Rust\n");
  return 0;
}
