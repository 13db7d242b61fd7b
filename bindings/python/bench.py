"""bitwall beside pygame-ce, in one run: nanoseconds a question, and milliseconds a load. `python bench.py`."""

import os
import sys
import tempfile
import time

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import numpy as np
import pygame

import bitwall

ROUNDS, COUNT, W, H = 25, 20_000, 16, 32


def best(call):
    """The least time of a call in nanoseconds, by this thread's clock, and its result."""
    least = float("inf")
    for _ in range(ROUNDS):
        start = time.thread_time_ns()
        result = call()
        least = min(least, time.thread_time_ns() - start)
    return least, result


def picture(path, random):
    """A mask of 2048 x 2048 pixels with 900 black boxes."""
    pixels = np.full((2048, 2048), 255, np.uint8)
    for _ in range(900):
        x, y, w, h = *random.integers(0, 2020, 2), *random.integers(4, 48, 2)
        pixels[y : y + h, x : x + w] = 0
    pygame.image.save(pygame.surfarray.make_surface(np.repeat(pixels.T[:, :, None], 3, 2)), path)


def show(name, nanoseconds, unit="ns"):
    print(f"{name:52} {nanoseconds:8.2f} {unit}".rstrip())


def main():
    random = np.random.default_rng(7)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "mask.png")
        picture(path, random)
        ours, level = best(lambda: bitwall.Level.load(path))
        key = ((0, 0, 0), (1, 1, 1, 255))
        theirs, mask = best(lambda: pygame.mask.from_threshold(pygame.image.load(path), *key))
    assert level.to_mask().count() == mask.count()
    show("bitwall  Level.load", ours / 1e6, "ms")
    show("pygame   image.load, mask.from_threshold", theirs / 1e6, "ms")
    show("bitwall / pygame", ours / theirs, "")

    rows = np.zeros((COUNT, 6), np.int32)
    rows[:, 0], rows[:, 1] = random.integers(8, 2048 - W - 8, COUNT), random.integers(8, 2048 - H - 8, COUNT)
    rows[:, 2], rows[:, 3] = W, H
    sign = random.choice([-1, 1], COUNT)
    rows[np.arange(COUNT), 4 + random.integers(0, 2, COUNT)] = sign * random.integers(1, 9, COUNT)
    ints = [tuple(row) for row in rows.tolist()]
    rects = [(pygame.Rect(row[:4]), row[4], row[5]) for row in ints]
    tuples = [(row[:4], row[4], row[5]) for row in ints]

    can_move, sweep = level.can_move, level.sweep
    empty, _ = best(lambda: [None for x, y, w, h, dx, dy in ints])
    show("an empty loop, to subtract", empty / COUNT)
    time_of, free = best(lambda: [can_move(x, y, w, h, dx, dy) for x, y, w, h, dx, dy in ints])
    show("bitwall  can_move(x, y, w, h, dx, dy)", time_of / COUNT)
    for name, questions in [("(x, y, w, h)", tuples), ("pygame.Rect", rects)]:
        time_of, found = best(lambda: [can_move(body, dx, dy) for body, dx, dy in questions])
        assert found == free
        show(f"bitwall  can_move({name}, dx, dy)", time_of / COUNT)
    time_of, _ = best(lambda: [sweep(x, y, w, h, dx, dy) for x, y, w, h, dx, dy in ints])
    show("bitwall  sweep(x, y, w, h, dx, dy)", time_of / COUNT)
    time_of, found = best(lambda: level.can_move_all(rows))
    assert found.tolist() == free
    show("bitwall  can_move_all, a question", time_of / COUNT)
    mover = bitwall.Mover((100, 100, W, H))
    time_of, _ = best(lambda: [mover.step(level, 1.7, 0.5) for _ in range(COUNT)])
    show("bitwall  Mover.step", time_of / COUNT)

    # pygame: the mask of the body at its end, which skips thin walls; and the mask of the strip, which does not.
    body = pygame.Mask((W, H), fill=True)
    ends = [(x + dx, y + dy) for x, y, w, h, dx, dy in ints]
    overlap = mask.overlap
    time_of, _ = best(lambda: [overlap(body, end) is None for end in ends])
    show("pygame   Mask.overlap at the end of the way", time_of / COUNT)
    strips = {}
    questions = []
    for x, y, w, h, dx, dy in ints:
        size = (abs(dx) or w, abs(dy) or h)
        strip = strips.setdefault(size, pygame.Mask(size, fill=True))
        corner = (x + dx if dx < 0 else x + w if dx > 0 else x, y + dy if dy < 0 else y + h if dy > 0 else y)
        questions.append((strip, corner))
    time_of, found = best(lambda: [overlap(strip, corner) is None for strip, corner in questions])
    assert found == free
    show("pygame   Mask.overlap of the whole way", time_of / COUNT)
    own, own_body = level.to_mask(), bitwall.Mask((W, H), True)
    time_of, _ = best(lambda: [own.overlap(own_body, end) is None for end in ends])
    show("bitwall  Mask.overlap at the end of the way", time_of / COUNT)
    print(f"Python {sys.version.split()[0]}, pygame-ce {pygame.version.ver}, numpy {np.__version__}")


if __name__ == "__main__":
    main()
