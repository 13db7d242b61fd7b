/* A hero walks through a level for five seconds and jumps at walls: ./example level.tmx */
#include "bitwall.h"

#include <stdio.h>

int main(int count, char **arguments) {
  bitwall_level *level = bitwall_level_load(arguments[count - 1], "");
  bitwall_platformer *hero;
  bitwall_marker spawn;
  static bitwall_motion motion;
  bitwall_rect box;
  int step;
  if (!level || bitwall_level_marker(level, bitwall_level_find_marker(level, "player"), &spawn) < 0) {
    printf("%s\n", bitwall_error_text());
    return 1;
  }
  hero = bitwall_platformer_new(spawn.at_x - 6, spawn.at_y - 20, 12, 20, 60);
  for (step = 0; step < 300; step++) {
    bitwall_platformer_step(hero, level, 1, 0, motion.hit_right && step % 2, 0, &motion);
    if (step % 30 == 0 && bitwall_platformer_bounds(hero, &box) == 0)
      printf("%4d, %4d %s\n", (int)box.x, (int)box.y, motion.grounded ? "on the floor" : "");
  }
  bitwall_platformer_free(hero);
  bitwall_level_free(level);
  return 0;
}
