"""Nanoseconds a call, the best of many short rounds, for ../../speed.sh: `python speed.py level.tmx`.

The loop is subtracted. With pygame its masks get the same questions."""

import array
import os
import sys
import time

import bitwall

PLACES = [(40 + (i & 255), 40 + (i & 63)) for i in range(5_000)]


def best(call):
    """The least time of a call in nanoseconds, by this thread's clock."""
    least = float("inf")
    for _ in range(60):
        start = time.thread_time_ns()
        call()
        least = min(least, time.thread_time_ns() - start)
    return least


def measure(who, name, call, count=len(PLACES), loop=0):
    print(f"{who}\t{name}\t{(best(call) - loop) / count:.1f}")


def questions_of_bitwall(level, loop):
    world, hero = bitwall.World(), bitwall.Platformer((40, 40, 12, 20))
    numbers = array.array("i", [n for x, y in PLACES for n in (x, y, 12, 20, 4, 0)])
    rows = memoryview(numbers).cast("B").cast("i", (len(PLACES), 6))
    can_move, sweep, step = level.can_move, level.sweep, hero.step
    keys = [((i // 300 & 1) * 2 - 1, (i & 63) < 9) for i in range(len(PLACES))]
    measure("Python", "nothing", lambda: [len(world) for x, y in PLACES], loop=loop)
    measure("Python", "can_move", lambda: [can_move(x, y, 12, 20, 4, 0) for x, y in PLACES], loop=loop)
    measure("Python", "sweep", lambda: [sweep(x, y, 12, 20, 0, 200).moved for x, y in PLACES], loop=loop)
    measure("Python", "can_move_all", lambda: level.can_move_all(rows))
    measure("Python", "step", lambda: [step(level, x=x, jump=jump) for x, jump in keys], loop=loop)


def questions_of_pygame(pygame, level, loop):
    """A way is the mask of its strip, so that no pixel is skipped. A fall goes pixel by pixel, as games do."""
    mask = pygame.Mask(level.size)
    for x, y, w, h in level.rectangles((0, 0, *level.size)):
        mask.draw(pygame.Mask((w, h), fill=True), (x, y))
    overlap, strip, row = mask.overlap, pygame.Mask((4, 20), fill=True), pygame.Mask((12, 1), fill=True)

    def fall(x, y):
        for moved in range(200):
            if overlap(row, (x, y + 20 + moved)):
                return moved
        return 200

    for x, y in PLACES[:256]:
        assert (overlap(strip, (x + 12, y)) is None) == level.can_move(x, y, 12, 20, 4, 0)
        assert fall(x, y) == level.sweep(x, y, 12, 20, 0, 200).moved
    who = "`pygame.mask`, `overlap`"
    measure(who, "can_move", lambda: [overlap(strip, (x + 12, y)) is None for x, y in PLACES], loop=loop)
    measure(who, "sweep", lambda: [fall(x, y) for x, y in PLACES[:500]], 500)


def main():
    level = bitwall.Level.load(sys.argv[1])
    loop = best(lambda: [None for x, y in PLACES])
    questions_of_bitwall(level, loop)
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    try:
        import pygame
    except ImportError:
        print("not measured: pygame is not installed")
    else:
        questions_of_pygame(pygame, level, loop)


main()
