/* A hero in a level that is drawn by SDL: arrows walk, up or space jumps. ./example level.tmx */
#include "bitwall.h"

#include <SDL.h>
#include <SDL_image.h>

static SDL_Renderer *screen;
static SDL_Texture *pictures[99];

static void load_pictures(const bitwall_scene *scene) {
  char *paths = SDL_strdup(bitwall_scene_pictures(scene)), *rest = paths, *path;
  int at = 0;
  while (at < 99 && (path = SDL_strtokr(rest, "\n", &rest))) pictures[at++] = IMG_LoadTexture(screen, path);
  SDL_free(paths);
}

/* A part of a picture is mirrored, then turned about its middle. */
static void draw(const bitwall_sprite *it, int left, int top) {
  SDL_Rect part = {it->source_x, it->source_y, it->source_w, it->source_h};
  SDL_FRect at = {it->x - it->w / 2 - left, it->y - it->h / 2 - top, it->w, it->h};
  int flip = (it->flip_x ? SDL_FLIP_HORIZONTAL : 0) | (it->flip_y ? SDL_FLIP_VERTICAL : 0);
  if (it->picture < 0 || it->picture >= 99) return;
  SDL_RenderCopyExF(screen, pictures[it->picture], &part, &at, it->degrees, NULL, (SDL_RendererFlip)flip);
}

int main(int count, char **arguments) {
  const Uint8 *keys = SDL_GetKeyboardState(NULL);
  bitwall_level *level = bitwall_level_load(arguments[count - 1], "");
  bitwall_marker spawn;
  if (!level || bitwall_level_marker(level, bitwall_level_find_marker(level, "player"), &spawn) < 0)
    return puts(bitwall_error_text()), 1;
  SDL_Init(SDL_INIT_VIDEO);
  SDL_Window *window = SDL_CreateWindow("bitwall", 0, 0, 960, 540, 0);
  screen = SDL_CreateRenderer(window, -1, SDL_RENDERER_PRESENTVSYNC);
  SDL_RenderSetLogicalSize(screen, 480, 270);
  bitwall_scene *scene = bitwall_level_scene(level);
  load_pictures(scene);
  bitwall_platformer *hero = bitwall_platformer_new(spawn.at_x - 6, spawn.at_y - 20, 12, 20, 60);
  for (Uint32 steps = 0; !SDL_QuitRequested();) {
    for (; steps < SDL_GetTicks() * 60 / 1000; steps++) {
      int jump = keys[SDL_SCANCODE_UP] || keys[SDL_SCANCODE_SPACE];
      float x = (float)(keys[SDL_SCANCODE_RIGHT] - keys[SDL_SCANCODE_LEFT]);
      bitwall_motion motion;
      bitwall_platformer_step(hero, level, x, keys[SDL_SCANCODE_DOWN], jump, 0, &motion);
    }
    bitwall_rect box;
    bitwall_platformer_bounds(hero, &box);
    int left = box.x - 240, top = box.y - 135;
    size_t sprites;
    const bitwall_sprite *all = bitwall_scene_seen(scene, left, top, 480, 270, &sprites);
    SDL_SetRenderDrawColor(screen, 154, 212, 240, 255);
    SDL_RenderClear(screen);
    for (size_t i = 0; i < sprites; i++) draw(&all[i], left, top);
    SDL_Rect at = {box.x - left, box.y - top, box.w, box.h};
    SDL_SetRenderDrawColor(screen, 217, 64, 77, 255);
    SDL_RenderFillRect(screen, &at);
    SDL_RenderPresent(screen);
  }
}
