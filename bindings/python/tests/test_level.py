"""Levels, sweeps, batches and bodies."""

import array
import threading
from pathlib import Path

import numpy as np
import pytest

import bitwall

pygame = pytest.importorskip("pygame")
ASSETS = Path(__file__).parents[3] / "assets"


def hills():
    return bitwall.Level.load(ASSETS / "hills.tmx")


def questions(count=4000, seed=34):
    random = np.random.default_rng(seed)
    width, height = hills().size
    rows = np.zeros((count, 6), np.int32)
    rows[:, 0] = random.integers(-20, width + 20, count)
    rows[:, 1] = random.integers(-20, height + 20, count)
    rows[:, 2:4] = random.integers(1, 30, (count, 2))
    axis = random.integers(0, 2, count)
    rows[np.arange(count), 4 + axis] = random.integers(-30, 31, count)
    return rows


def test_a_question_has_one_answer_in_every_form():
    level, rows = hills(), questions()
    moved = np.asarray(level.sweep_all(rows))
    free = np.asarray(level.can_move_all(rows))
    assert moved.dtype == np.int32 and free.dtype == np.bool_ and 0 < free.sum() < len(rows)
    for row, far, is_free in zip(rows.tolist(), moved.tolist(), free.tolist()):
        x, y, w, h, dx, dy = row
        assert level.can_move(*row) is is_free
        assert level.can_move((x, y, w, h), dx, dy) is is_free
        assert level.can_move(((x, y), (w, h)), dx, dy) is is_free
        assert level.can_move(pygame.Rect(x, y, w, h), dx, dy) is is_free
        sweep = level.sweep(pygame.Rect(x, y, w, h), dx, dy)
        assert sweep.moved == far == level.sweep(*row).moved
        assert (sweep.cell is None) == (sweep.normal is None) == is_free == (far == abs(dx + dy))


def test_the_whole_way_counts_pixel_by_pixel():
    level = bitwall.Level(200, 100)
    level.set_box((100, 0, 1, 100))
    mask = level.to_mask()
    assert mask.count() == 100 and level.sweep(0, 40, 10, 10, 200, 0).moved == 90
    assert level.sweep(0, 40, 10, 10, 200, 0).cell == (100, 40)
    assert level.sweep(0, 40, 10, 10, 200, 0).normal == (-1, 0)
    assert level.set_disc((100, 45), 8, False) and level.can_move(0, 40, 10, 10, 150, 0)
    assert not level.set_disc((100, 45), 8, False) and not level.is_solid(100, 45)
    assert bitwall.Level.from_mask(level.to_mask()).can_move(0, 40, 10, 10, 150, 0)


def test_errors_tell_the_cause():
    with pytest.raises(OSError, match="no-such-level.tmx"):
        bitwall.Level.load("no-such-level.tmx")
    with pytest.raises(OSError):
        bitwall.Level.decode("a.png", b"no picture")
    level = hills()
    with pytest.raises(ValueError, match="one axis"):
        level.can_move(0, 0, 1, 1, 2, 3)
    for wrong in [(1, 2, 3), (1, 2, 3, 4), ((1, 2), 3, 4), ("box", 1, 0), (0, 0, 1, 1, 1.5, 0)]:
        with pytest.raises(TypeError):
            level.can_move(*wrong)
    with pytest.raises(ValueError, match="`x` is 1099511627776; pass a whole number"):
        level.can_move(1 << 40, 0, 1, 1, 1, 0)
    with pytest.raises(ValueError, match="6 columns"):
        level.can_move_all(np.zeros((3, 5), np.int32))
    with pytest.raises(TypeError):
        level.can_move_all(np.zeros((3, 6), np.int64))
    with pytest.raises(ValueError, match="one axis"):
        level.can_move_all(np.array([[0, 0, 1, 1, 1, 1]], np.int32))


def test_a_map_in_bytes_gives_the_level_of_its_file():
    path = ASSETS / "hills.tmx"
    level = bitwall.Level.decode("hills.tmx", path.read_bytes())
    assert np.array_equal(level.to_mask().to_array(), hills().to_mask().to_array())
    assert level.cell_size == hills().cell_size
    assert level.marker("player").position == hills().marker("player").position and level.marker("nobody") is None


def test_markers_are_plain_values_with_their_properties():
    text = b"""<map width="4" height="2" tilewidth="16" tileheight="16">
      <objectgroup name="Walls"><object id="1" x="0" y="16" width="64" height="16"/></objectgroup>
      <objectgroup name="Things"><object id="2" name="door" type="Exit" x="48" y="0" width="16" height="8" rotation="90">
      <properties><property name="to" value="cellar"/><property name="keys" type="list"><item type="int" value="3"/>
      </property></properties></object></objectgroup></map>"""
    [door] = bitwall.Level.decode("m.tmx", text).markers()
    assert (door.name, door.class_name, door.layer, door.object) == ("door", "Exit", "Things", 2)
    assert (door.shape, door.bounds, door.rotation, door.tile) == ("rectangle", (40, 0, 8, 16), 90.0, None)
    assert door.position == (44, 8) and door.points == [(48, 0), (48, 16), (40, 16), (40, 0)]
    assert door.properties == {"to": "cellar", "keys": [3]}


def test_a_mover_walks_and_stands():
    level = hills()
    x, y = level.marker("player").position
    mover = bitwall.Mover((x - 6, y - 20, 12, 20))
    velocity, grounded = 0.0, 0
    for _ in range(120):
        step = mover.step(level, 1.75, velocity + 0.25)
        velocity = step.velocity[1]
        grounded += step.grounded
        assert not step.started_solid and not level.overlaps(mover.bounds)
    assert grounded > 80 and mover.bounds[0] > x + 50 and mover.position[0] - mover.bounds[0] < 1
    mover.place(3, 4)
    assert mover.bounds == (3, 4, 12, 20)
    with pytest.raises(ValueError):
        mover.step(level, float("nan"), 0)
    with pytest.raises(ValueError, match="top_down"):
        bitwall.Mover((0, 0, 1, 1), "flier")


def test_a_platformer_jumps_as_high_as_asked():
    level = bitwall.Level(300, 200)
    player = bitwall.Platformer((100, 180, 12, 20), jump_height=44.0, jump_time=0.35)
    for _ in range(10):
        motion = player.step(level)
    assert motion.stance == "ground" and motion.facing is None
    highest = 180
    for _ in range(60):
        player.step(level, x=1, jump=True)
        highest = min(highest, player.bounds[1])
    assert 40 <= 180 - highest <= 46 and player.bounds[0] > 110


def test_a_world_carries_what_stands_on_a_platform():
    level, world = bitwall.Level(400, 200), bitwall.World()
    lift = world.add_platform((100, 150, 60, 8))
    hero = world.add_character(pygame.Rect(110, 130, 12, 20))
    world.set_velocity(lift, 60.0, 0.0)
    for _ in range(30):
        world.set_velocity(hero, 0.0, 30.0)
        world.step(level)
    assert world.bounds(lift)[0] == 130 and world.bounds(hero)[:2] == (140, 130)
    assert world.standing_on(hero) == lift and len(world) == 2
    world.remove(lift)
    with pytest.raises(KeyError):
        world.bounds(lift)
    with pytest.raises(KeyError):
        world.set_velocity(7, 0, 0)


def test_a_batch_takes_every_layout_and_needs_no_numpy():
    level, rows = hills(), questions(40)
    expected = level.sweep_all(rows).tolist()
    for other in [np.asfortranarray(rows), np.array([rows[:, at] for at in range(6)]).T, np.repeat(rows, 2, 0)[::2]]:
        assert level.sweep_all(other).tolist() == expected
    assert level.sweep_all(rows[::-1]).tolist() == expected[::-1]
    plain = memoryview(array.array("i", rows.ravel().tolist())).cast("B").cast("i", [40, 6])
    assert level.sweep_all(plain).tolist() == expected and len(level.can_move_all(np.zeros((0, 6), np.int32))) == 0


def test_threads_share_a_level():
    level, rows = hills(), questions(2000)
    expected = level.can_move_all(rows).tolist()
    found = []
    threads = [threading.Thread(target=lambda: found.append(level.can_move_all(rows).tolist())) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert found == [expected] * 4
