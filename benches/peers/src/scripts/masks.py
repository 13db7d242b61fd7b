"""pygame's masks on the work of the mask: python3 masks.py FOLDER, with pygame or pygame-ce installed.

Prints the nanoseconds a question, without those of the loop, and a line of answers.
"""
import os
import sys
import time

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
try:
    import pygame
except ImportError:
    print("pygame is not installed")
    sys.exit(3)

folder = sys.argv[1]
with open(folder + "/questions") as file:
    questions = [tuple(map(int, line.split())) for line in file]
with open(folder + "/boxes") as file:
    boxes = [tuple(map(int, line.split())) for line in file]
level = pygame.Mask((max(x + w for x, y, w, h in boxes), max(y + h for x, y, w, h in boxes)))
rows = {}
for x, y, w, h in boxes:
    level.draw(rows.setdefault((w, h), pygame.Mask((w, h), fill=True)), (x, y))

strips = {}
work = []
for x, y, w, h, dx, dy in questions:
    size = (abs(dx) or w, abs(dy) or h)
    place = (x + w if dx > 0 else x + dx, y + h if dy > 0 else y + dy)
    work.append((strips.setdefault(size, pygame.Mask(size, fill=True)), place))

best = loop = float("inf")
for _ in range(3):
    start = time.perf_counter()
    for strip, place in work:
        level.overlap(strip, place)
    best = min(best, time.perf_counter() - start)
    start = time.perf_counter()
    for strip, place in work:
        pass
    loop = min(loop, time.perf_counter() - start)
print((best - loop) * 1e9 / len(work))
print("".join("1" if level.overlap(strip, place) is None else "0" for strip, place in work))
