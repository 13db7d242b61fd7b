"""A hero in a level that is drawn: arrows or A and D walk, up, W or space jump. `python example.py hills.tmx`"""

import sys

import bitwall
import pygame

SCALE, SKY, RED, GRAY = 2, (153, 212, 240), (217, 64, 77), (89, 77, 115)


def main(path):
    pygame.init()
    window = pygame.display.set_mode((320 * SCALE, 180 * SCALE))
    view, clock = pygame.Surface((320, 180)), pygame.time.Clock()

    level = bitwall.Level.load(path)
    world = bitwall.World(fps=60)
    x, y = level.marker("player").position
    hero = world.add_character((x - 6, y - 20, 12, 20))
    world.set_player(hero, bitwall.Feel(jump_height=52))
    lift = world.add_platform((x + 60, y - 16, 40, 8), one_way=True)
    world.set_path(lift, [(x + 60, y - 16), (x + 60, y - 90)], 40, 0.5)

    while not pygame.event.get(pygame.QUIT):
        down = pygame.key.get_pressed()
        right, left = down[pygame.K_RIGHT] or down[pygame.K_d], down[pygame.K_LEFT] or down[pygame.K_a]
        jump = down[pygame.K_UP] or down[pygame.K_w] or down[pygame.K_SPACE]
        world.set_input(hero, right - left, down[pygame.K_DOWN], jump=jump)
        world.step(level)

        camera = pygame.Rect(0, 0, 320, 180)
        camera.center = pygame.Rect(world.bounds(hero)).center
        camera.clamp_ip((0, 0), level.size)
        view.fill(SKY)
        level.draw(view, camera.topleft)
        for it in world.drawn(level):
            color = RED if it.body == hero else GRAY
            view.fill(color, (it.x - camera.x, it.y - camera.y, it.w, it.h))
        pygame.transform.scale(view, window.get_size(), window)
        pygame.display.flip()
        clock.tick(60)


if __name__ == "__main__":
    main(sys.argv[1])
