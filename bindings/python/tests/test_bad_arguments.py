"""The rows of bindings/bad_arguments.tsv that say what Python answers, and calls with random values: a value that is
not meant is an error that a person can read, never a crash, a `PanicException` or another number."""

import csv
import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import bitwall

TABLE = Path(__file__).parents[2] / "bad_arguments.tsv"
KEPT = {"NaN": float("nan"), "inf": float("inf")}


def level():
    made = bitwall.Level(40, 20, (16, 8))
    made.set_box((100, 0, 16, 160))
    return made


def mask():
    return bitwall.Mask((9, 9), True)


def questions(kind):
    """Twelve questions as an array of `kind`."""
    rows = np.tile(np.array([0, 0, 12, 20, 5, 0], np.int32), (12, 1))
    kinds = {
        "null": lambda: None,
        "int64": lambda: rows.astype(np.int64),
        "float": lambda: rows.astype(float),
        "one axis": lambda: rows[0],
        "three axes": lambda: rows[None],
        "list": rows.tolist,
        "swapped bytes": lambda: rows.astype(rows.dtype.newbyteorder()),
        "5 columns": lambda: rows[:, :5].copy(),
        "misaligned": lambda: np.frombuffer(b"." + rows.tobytes(), np.int32, offset=1).reshape(rows.shape),
    }
    return kinds[kind]()


def batch(argument, value):
    if argument == "questions":
        return level().can_move_all(questions(value))
    row = {"x": 0, "y": 0, "w": 12, "h": 20, "dx": 5, "dy": 0}
    row.update({"dx": 3, "dy": 3} if argument == "dx and dy" else {argument: value})
    return level().can_move_all(np.array([list(row.values())], np.int32))


def placed(x=0, y=0):
    return bitwall.Mover((0, 0, 8, 8)).place(x, y)


def new_level(columns=4, rows=4, cell_width=8, cell_height=8, **other):
    if "size" in other:
        columns = rows = other.pop("size")
    return bitwall.Level(columns, rows, other.get("cell", (cell_width, cell_height)))


def moved(x=0, y=0, w=12, h=20, dx=5, dy=0, **other):
    both = other.get("dx and dy")
    answers = [level().can_move(x, y, w, h, both or dx, both or dy)]
    answers.append(level().can_move((x, y, w, h), both or dx, both or dy))
    return answers


def world(call):
    made = bitwall.World()
    made.add_pushable((0, 0, 8, 8))
    return call(made)


BOX = {"x": 0, "y": 0, "w": 12, "h": 20}
CALLS = {
    "level_new": new_level,
    "is_solid": lambda x=1, y=2: level().is_solid(x, y),
    "overlaps": lambda **it: level().overlaps(it.get("body", tuple({**BOX, **it}.values()))),
    "can_move": moved,
    "sweep": lambda **it: level().sweep(*{**BOX, **it}.values(), 5, 0),
    "set_box": lambda solid=True, **it: level().set_box(tuple({**BOX, **it}.values()), solid),
    "set_disc": lambda center=(3, 4), radius=2, solid=True: level().set_disc(center, radius, solid),
    "decode": lambda name: bitwall.Level.decode(name, b""),
    "mover_new": lambda w=8, kind="plain": bitwall.Mover((0, 0, w, 8), kind),
    "mover_place": placed,
    "mover_steps": lambda **it: bitwall.Mover((0, 0, 8, 8), **it),
    "mover_step": lambda velocity: bitwall.Mover((0, 0, 8, 8)).step(level(), velocity, 0),
    "set_velocity": lambda velocity: world(lambda it: it.set_velocity(0, 0, velocity)),
    "add_pushable": lambda gravity: world(lambda it: it.add_pushable((0, 0, 8, 8), 0, gravity)),
    "add_character": lambda kind: world(lambda it: it.add_character((0, 0, 8, 8), kind)),
    "world_rect": lambda body: world(lambda it: it.bounds(body)),
    "platformer": lambda **it: bitwall.Platformer((0, 0, 8, 8), **it),
    "mask_new": lambda size: bitwall.Mask(size),
    "mask_scale": lambda scale: mask().scale(scale),
    "mask_get_at": lambda pos: mask().get_at(pos),
    "mask_from_array": lambda array: bitwall.Mask.from_array(np.zeros((3, 3), array)),
    "mask_convolve": lambda offset: mask().convolve(mask(), mask(), offset),
}
for method in ("overlap", "overlap_area", "overlap_mask", "draw", "erase"):
    CALLS[f"mask_{method}"] = lambda offset, method=method: getattr(mask(), method)(mask(), offset)


def value_of(function, argument, text):
    if function.startswith("mask_"):
        return text if argument == "array" else eval(text, {"nan": float("nan"), "inf": float("inf")})
    if argument == "questions":
        return text
    return KEPT[text] if text in KEPT else json.loads(text)


def rows():
    lines = [line for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    table = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE, restval="")
    return [row for row in table if row["python"] != "-"]


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row['function']}-{row['argument']}-{row['value']}")
def test_every_bad_argument_of_the_table_is_refused_in_the_words_of_the_table(row):
    said = row["python"].replace("=", row["sentence"], 1) if row["python"].endswith("=") else row["python"]
    value = value_of(row["function"], row["argument"], row["value"])
    with pytest.raises((TypeError, ValueError, KeyError, IndexError)) as error:
        if row["function"] == "can_move_all":
            batch(row["argument"], value)
        else:
            CALLS[row["function"]](**{row["argument"]: value})
    # Since Python 3.11, the argument's name is a note.
    found = "\n".join([str(error.value), *getattr(error.value, "__notes__", [])])
    assert said in found, found


def test_the_table_has_rows_for_python():
    assert len(rows()) > 100


# In a process of its own, because a crash ends it.
HOSTILE = """
import random, warnings
import numpy as np, pygame, bitwall
warnings.simplefilter("ignore")
random.seed(50)
level, small = bitwall.Level(40, 20, (16, 8)), bitwall.Mask((70, 9), True)
world, mover = bitwall.World(), bitwall.Mover((0, 0, 8, 8))
world.add_character((0, 0, 8, 8)), world.add_platform((0, 50, 80, 8))
rows = np.tile(np.array([0, 0, 12, 20, 5, 0], np.int32), (12, 1))
edges = [sign * (1 << bits) + by for sign in (-1, 1) for bits in (0, 8, 16, 31, 32, 62, 63, 64, 99) for by in (-1, 0, 1)]
floats = [0.5, 2.9, -0.0, 1e300, -1e300, float("nan"), float("inf"), -float("inf"), 2.0**31, -(2.0**63)]
others = [None, True, "", "plain", "x" * 9, b"", [], {}, object(), 1j, np.int64(7), np.float32(2), pygame.Vector2(1, 2)]
arrays = [rows, rows.T, rows[::2], rows[:0], rows[:, ::-1], rows.astype(">i4"), np.zeros((3, 3), bool), np.zeros((2, 3, 4))]
arrays += [np.frombuffer(bytes([2, 255, 0, 1]), bool).reshape(2, 2), np.broadcast_to(rows[0], (1 << 20, 6)), np.zeros(0)]
things = [level, small, world, mover, bitwall.Platformer((0, 0, 8, 8)), bitwall.Mask((0, 9)), pygame.Rect(1, 2, -3, 4)]
def one():
    return random.choice(random.choice([edges, edges, edges, floats, others, arrays, things]))
def many():
    pick = random.random()
    return one() if pick < 0.5 else tuple(one() for _ in range(2 if pick < 0.8 else 4)) if pick < 0.9 else (random.choice(edges), 3)
classes = [it for it in vars(bitwall).values() if isinstance(it, type)]
things += [bitwall.Files(), bitwall.Footprint.circle(5), level.patch((0, 0, 9, 9)), bitwall.Ways(8, 8), bitwall.Follower()]
things += [level.scene(), bitwall.Feel(), mover.settings, bitwall.Ways(8, 8).field(level, [(3, 4)])]
calls = [getattr(it, name) for it in things + classes for name in dir(it) if name[0] != "_"]
calls = [call for call in calls + classes if callable(call)]
answered = 0
for _ in range(40000):
    call, arguments = random.choice(calls), [many() for _ in range(random.choice([1, 1, 2, 2, 3, 6]))]
    if not isinstance(call, type) and getattr(call, "__name__", "") in ("clear", "fill", "invert"):
        arguments = []
    try:
        made = call(*arguments)
    except (TypeError, ValueError, KeyError, IndexError, OverflowError, OSError, AttributeError):
        continue
    answered += 1
    repr(made)[:9]
    if isinstance(made, bitwall.Mask) and made.get_size()[0] * made.get_size()[1] < 1 << 20:
        made.invert(), made.count(), made.outline(), made.angle(), repr(made)
print(answered)
"""


def test_no_random_value_ends_the_process():
    run = subprocess.run([sys.executable, "-c", HOSTILE], capture_output=True, text=True, timeout=100)
    assert run.returncode == 0, f"{run.returncode}: {run.stderr[-2000:]}"
    assert int(run.stdout.split()[-1]) > 500


@pytest.mark.parametrize(
    "call",
    [
        "mask.overlap(mask, (-2**63, 0))",
        "mask.overlap(mask, (-2**31, -2**31))",
        "bitwall.Mask((2**63 - 1, 1))",
        "bitwall.Mask((1e300, 5))",
        "bitwall.Mask((float('nan'), 5))",
        "bitwall.Mask((2**62, 0)).invert()",
        "bitwall.Mask((2**31 - 1, 0)).invert()",
        "mask.connected_components(2**70)",
    ],
)
def test_a_size_or_an_offset_at_the_ends_of_its_range_is_an_answer_or_an_error(call):
    program = f"import bitwall\nmask = bitwall.Mask((9, 9), True)\ntry: {call}\nexcept Exception as error: print(error)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=10)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the limit is one of Linux")
def test_a_mask_that_does_not_fit_in_memory_is_an_error():
    program = """
import resource, bitwall
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (200 << 20),) * 2)
try: bitwall.Mask((2**16, 2**16))
except MemoryError as error: print(error)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=10)
    assert (run.returncode, run.stdout) == (0, "a mask of 65536 x 65536 pixels does not fit in memory\n"), run.stderr


def test_offsets_at_the_ends_of_32_bits_are_answered():
    for offset in [(-(2**31), 0), (2**31 - 1, 2**31 - 1), (0, -(2**31))]:
        assert mask().overlap(mask(), offset) is None and mask().overlap_area(mask(), offset) == 0
    long = bitwall.Mask((2**31 - 1, 1))
    for x in (4, 3, 2):
        long.set_at((2**31 - x, 0))
    assert long.centroid() == (2**31 - 3, 0) and abs(long.angle()) < 1e-9, "the sum of squares is above 2**63"
    assert long.overlap(mask(), (2**31 - 5, 0)) == (2**31 - 4, 0)


def test_a_bool_of_numpy_may_be_any_byte():
    made = bitwall.Mask.from_array(np.frombuffer(bytes([2, 255, 0, 1]), bool).reshape(2, 2))
    assert made.to_array().tolist() == [[True, True], [False, True]]
    assert bitwall.Mask.from_array(np.ones((5, 4), bool)[::-2, ::2]).get_size() == (3, 2)


def test_more_components_than_memory_are_an_error():
    points = np.zeros((2000, 2000), bool)
    points[::2, ::2] = True
    with pytest.raises(ValueError, match="1000000 masks of 2000 x 2000 pixels .* larger `minimum`"):
        bitwall.Mask.from_array(points).connected_components()


def test_an_edit_beside_a_running_batch_is_an_error():
    shared, many = level(), np.tile(np.array([0, 0, 12, 20, 500, 0], np.int32), (1_000_000, 1))
    refused = 0
    for _ in range(20):
        thread = threading.Thread(target=shared.sweep_all, args=(many,))
        thread.start()
        while thread.is_alive() and not refused:
            try:
                shared.set_box((0, 0, 1, 1), False)
            except RuntimeError as error:
                refused += "borrowed" in str(error)
            time.sleep(0)
        thread.join()
        if refused:
            break
    assert refused, "no edit fell into a batch"
    shared.set_box((0, 0, 1, 1), False)
