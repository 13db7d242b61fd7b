"""One hero, every door, one hash: the same script of keys as in the other languages. python hero.py level.tmx"""

import sys

import bitwall

MASK = (1 << 64) - 1


def main():
    level, world = bitwall.Level.load(sys.argv[1]), bitwall.World(fps=60)
    left, top = level.marker("player").position
    hero = world.add_character((left - 6, top - 20, 12, 20))
    lift = world.add_platform((left + 40, top - 40, 48, 8), one_way=True)
    wheel = world.add_platform((left + 120, top - 60, 32, 8))
    crate = world.add_pushable((left + 24, top - 60, 14, 14), 2, 900)
    world.set_path(lift, [(left + 40, top - 40), (left + 100, top - 80)], 45, 0.5)
    world.set_circle(wheel, (left + 120, top - 60), 30, 4)
    world.set_categories(crate, 4, MASK, 0)
    world.set_categories(hero, 2, MASK, 5)
    world.set_player(hero, bitwall.Feel(jump_height=56, air_jumps=1, dash_speed=240))

    keys, hash, events = 1, 0, 0
    for i in range(100_000):
        keys = keys * 16807 % 2147483647
        if i % 16 == 0:
            x, jump = keys % 3 - 1, keys % 4 == 0
        world.set_input(hero, x, 0, jump=jump, dash=keys % 97 == 0)
        if i % 1000 == 500:
            x0, y0, _, _ = world.bounds(hero)
            patch = level.patch((x0 - 32, y0 - 32, 96, 96))
            level.set_disc((x0, y0 + 24), 12, False)
        if i % 1000 == 999:
            level.apply(patch)
        world.step(level)
        events += len(world.events())
        if i == 50_000:
            kept = world.copy()
        if i == 60_000:
            world.restore(kept)
        if i % 100 == 0:
            hash = (hash << 5 & MASK | hash >> 59) ^ world.checksum() ^ level.checksum()
    x, y, _, _ = world.bounds(hero)
    print(f"{hash:016x} {events} {x} {y}")


main()
