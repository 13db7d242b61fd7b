/* One hero, every door, one hash: the same script of keys as in the other languages. ./hero level.tmx */
#include "bitwall.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void *made(void *handle) {
  if (!handle) {
    printf("%s\n", bitwall_error_text());
    exit(1);
  }
  return handle;
}

static void check(int32_t answer) {
  if (answer < -1) made(NULL);
}

int main(int count, char **arguments) {
  bitwall_level *level = (bitwall_level *)made(bitwall_level_load(arguments[count - 1], ""));
  bitwall_world *world = (bitwall_world *)made(bitwall_world_new(60)), *kept = NULL;
  bitwall_patch *patch = NULL;
  bitwall_marker spawn;
  bitwall_feel feel;
  bitwall_rect box;
  int32_t hero, lift, wheel, crate, stops[4], x = 0, jump = 0, i;
  int64_t keys = 1;
  uint64_t hash = 0;
  size_t events = 0, found;

  check(bitwall_level_marker(level, bitwall_level_find_marker(level, "player"), &spawn));
  hero = bitwall_world_add_character(world, spawn.at_x - 6, spawn.at_y - 20, 12, 20, BITWALL_KIND_PLATFORMER);
  lift = bitwall_world_add_platform(world, spawn.at_x + 40, spawn.at_y - 40, 48, 8, 1);
  wheel = bitwall_world_add_platform(world, spawn.at_x + 120, spawn.at_y - 60, 32, 8, 0);
  crate = bitwall_world_add_pushable(world, spawn.at_x + 24, spawn.at_y - 60, 14, 14, 2, 900);
  stops[0] = spawn.at_x + 40, stops[1] = spawn.at_y - 40, stops[2] = spawn.at_x + 100, stops[3] = spawn.at_y - 80;
  check(bitwall_world_set_path(world, lift, stops, 4, 45, 0.5f, 0));
  check(bitwall_world_set_circle(world, wheel, spawn.at_x + 120, spawn.at_y - 60, 30, 4));
  check(bitwall_world_set_categories(world, crate, 4, UINT64_MAX, 0));
  check(bitwall_world_set_categories(world, hero, 2, UINT64_MAX, 5));
  check(bitwall_feel_usual(&feel));
  feel.jump_height = 56, feel.air_jumps = 1, feel.dash_speed = 240;
  check(bitwall_world_set_player(world, hero, &feel));

  for (i = 0; i < 100000; i++) {
    keys = keys * 16807 % 2147483647;
    if (i % 16 == 0) x = (int32_t)(keys % 3) - 1, jump = keys % 4 == 0;
    check(bitwall_world_set_input(world, hero, (float)x, 0, jump, keys % 97 == 0));
    if (i % 1000 == 500) {
      check(bitwall_world_bounds(world, hero, &box));
      patch = (bitwall_patch *)made(bitwall_level_patch(level, box.x - 32, box.y - 32, 96, 96));
      check(bitwall_level_set_disc(level, box.x, box.y + 24, 12, 0));
    }
    if (i % 1000 == 999) {
      check(bitwall_level_apply(level, patch));
      bitwall_patch_free(patch);
    }
    check(bitwall_world_step(world, level));
    made((void *)bitwall_world_events(world, &found));
    events += found;
    if (i == 50000) kept = (bitwall_world *)made(bitwall_world_copy(world));
    if (i == 60000) check(bitwall_world_restore(world, kept));
    if (i % 100 == 0) hash = (hash << 5 | hash >> 59) ^ bitwall_world_checksum(world) ^ bitwall_level_checksum(level);
  }
  check(bitwall_world_bounds(world, hero, &box));
  printf("%016" PRIx64 " %ld %d %d\n", hash, (long)events, (int)box.x, (int)box.y);
  bitwall_world_free(kept);
  bitwall_world_free(world);
  bitwall_level_free(level);
  return 0;
}
