"""Copies, pickles, boxes of pygame, the art of a level, reasons, edits, ways, and a world with players."""

import copy
import os
import pickle
from pathlib import Path

import numpy as np
import pytest

import bitwall

pygame = pytest.importorskip("pygame")
ASSETS = Path(__file__).parents[3] / "assets"


def hills():
    return bitwall.Level.load(ASSETS / "hills.tmx")


def room():
    return bitwall.Level.from_text("#####\n#...#\n#...#\n#####", cell=(16, 16))


def test_a_level_is_copied_and_pickled():
    level = hills()
    for other in [copy.copy(level), copy.deepcopy([level])[0], pickle.loads(pickle.dumps(level)), level.copy()]:
        assert other.checksum() == level.checksum() and other.marker("player").position == level.marker("player").position
        assert other.set_disc((60, 240), 9, False) and other.checksum() != level.checksum()
    assert copy.copy(level).why(60, 240) == level.why(60, 240) != "", "a copy keeps its documents"


def test_boxes_of_pygame_are_boxes():
    level = room()
    for box in [(20, 20, 8, 8), ((20, 20), (8, 8)), pygame.Rect(20, 20, 8, 8), pygame.FRect(20.9, 20.2, 8, 8)]:
        assert level.sweep(box, 99, 0).moved == 36 and not level.overlaps(box)
        assert level.can_move(box=box, dx=36, dy=0) and not level.can_move(box, dx=37, dy=0)
    assert level.sweep(pygame.FRect(-0.5, 20, 8, 8), 0, 0).moved == 0 and level.overlaps(pygame.FRect(15.9, 20, 8, 8))
    with pytest.raises(TypeError, match="`x` is NaN"):
        level.overlaps(pygame.FRect(float("nan"), 0, 1, 1))


def test_what_is_read_has_words_of_python():
    level = room()
    assert repr(level) == "<Level 80 x 64 px, cells of 16 x 16>"
    assert repr(level.sweep((20, 20, 8, 8), 99, 0)) == "Sweep(moved=36, hit=True, cell=(4, 1), normal=(-1, 0), body=None)"
    assert level.sweep((20, 20, 8, 8), 9, 0) == level.sweep((20, 20, 8, 8), 9, 0) != level.sweep((20, 20, 8, 8), 8, 0)
    assert repr(bitwall.Mover((1, 2, 3, 4))) == "<Mover bounds=(1, 2, 3, 4)>" and bitwall.__version__.count(".") == 2
    assert bitwall.Feel().jump_time == 0.35 and "jump_height=56.0, jump_time=0.35" in repr(bitwall.Feel(jump_height=56))
    hit = level.ray((40, 30), (79, 30))
    assert (hit.pixel, hit.cell, hit.normal, hit.body) == ((64, 30), (4, 1), (-1, 0), None)
    assert level.ray((40, 30), (50, 30)).pixel is None and level.line_of_sight((40, 30), (50, 30))


def test_the_settings_and_the_feel_are_values():
    hero = bitwall.Platformer((20, 20, 8, 8), jump_height=30, dash_speed=200)
    assert (hero.feel.jump_height, hero.feel.dash_speed) == (30, 200)
    with pytest.raises(AttributeError):
        hero.feel.jump_height = 3
    hero.feel = hero.feel.replace(jump_height=31)
    assert hero.feel.jump_height == 31 and hero.settings.floor == "down"
    hero.settings = hero.settings.replace(step_height=9, floor=None)
    assert (hero.settings.step_height, hero.settings.floor) == (9, None)
    with pytest.raises(TypeError, match="Feel has no field `jump`"):
        bitwall.Feel(jump=3)
    with pytest.raises(ValueError, match="`floor` is sideways; pass left, right, up or down"):
        bitwall.Feel(floor="sideways")
    with pytest.raises(TypeError, match="`floor` is no text; pass None, left, right, up or down"):
        hero.settings.replace(floor=3)


def test_a_level_is_made_of_bytes_and_further_files(tmp_path):
    files = {path.name: path.read_bytes() for path in ASSETS.iterdir() if path.is_file()}
    asked = []
    level = bitwall.Level.read("cave.tmx", lambda path: asked.append(path) or files.get(path))
    assert asked[0] == "cave.tmx" and len(asked) > 1 and level.files()[:2] == asked[:2]
    assert level.checksum() == bitwall.Level.load(ASSETS / "cave.tmx").checksum()
    assert level.checksum() == bitwall.Level.from_baked(bytearray(level.bake())).checksum()
    cells = np.array([[1, 0, 1], [1, 1, 1]], bool)
    assert bitwall.Level.from_cells(3, 2, cells, (8, 8)).cells() == cells.tobytes() == b"\x01\x00\x01\x01\x01\x01"
    (tmp_path / "bitwall.toml").write_text("[level\n")
    (tmp_path / "a.txt").write_text("#.\n##\n")
    with pytest.raises(OSError, match="bitwall.toml"):
        bitwall.Level.load(tmp_path / "a.txt")


def test_edits_are_undone_and_shapes_come_out():
    level = room()
    before, patch = level.checksum(), level.patch((0, 0, 40, 40))
    ball = bitwall.Footprint.circle(10)
    assert level.set_footprint(ball, 20, 20) and level.footprint_sweep(ball, 50, 40, 0, -30).moved < 30
    assert level.set_cell(3, 2) and level.apply(patch) and level.set_cell(3, 2, solid=False)
    assert level.checksum() == before
    assert sorted(level.rectangles((0, 0, 80, 64))) and len(level.outlines()) == 2
    assert [len(line) for line in level.outlines()] == [4, 4] and level.outlines()[0][0] == (0, 0)


def test_the_art_is_what_the_scene_says():
    level, camera = hills(), pygame.Rect(300, 100, 700, 200)
    surface, expected = pygame.Surface(camera.size, pygame.SRCALPHA), pygame.Surface(camera.size, pygame.SRCALPHA)
    level.draw(surface, camera.topleft)
    tiles, seen = pygame.image.load(ASSETS / "hills_tiles.png"), level.scene().seen(camera)
    for it in seen:
        tile = pygame.transform.flip(tiles.subsurface(it.source), *it.flip)
        tile = pygame.transform.rotate(tile, -it.degrees)
        expected.blit(tile, (it.x - tile.get_width() / 2 - camera.x, it.y - tile.get_height() / 2 - camera.y))
    is_tile = pygame.surfarray.array_alpha(expected) == 255
    assert len(seen) > 50 and 20_000 < is_tile.sum() < 120_000
    assert (pygame.surfarray.array3d(surface)[is_tile] == pygame.surfarray.array3d(expected)[is_tile]).all()
    colors = np.unique(pygame.surfarray.array3d(surface)[:, :188][~is_tile[:, :188]], axis=0)
    assert colors.tolist() == [[154, 212, 240]], "the map's own colour is behind the tiles"
    assert surface.get_at((0, 199)).a == 0, "below the level there is nothing"
    before = pygame.image.tobytes(surface, "RGBA")
    level.set_disc((400, 200), 40, False)
    surface.fill((0, 0, 0, 0))
    level.draw(surface, camera=(300, 100))
    assert pygame.image.tobytes(surface, "RGBA") == before
    level.draw(surface, (-(2**31), 2**31 - 1))


def test_a_level_without_maps_shows_its_solids():
    surface = pygame.Surface((64, 64))
    room().draw(surface, (-8, 0))
    bits = pygame.mask.from_threshold(surface, (88, 92, 112), (1, 1, 1, 255))
    assert bits.count() == 56 * 64 - 40 * 32 - 8 * 0 and not bits.get_at((7, 0)) and bits.get_at((8, 0))


def test_a_picture_that_is_not_there_is_an_error():
    level = bitwall.Level.decode("nowhere.tmx", (ASSETS / "hills.tmx").read_bytes())
    with pytest.raises(OSError, match="hills_tiles.png"):
        level.draw(pygame.Surface((9, 9)))


def test_ways_and_jump_ways_lead_a_hero():
    level = hills()
    ways = bitwall.Ways(12, 20)
    x, y = level.marker("player").position
    path = ways.path(level, (x - 6, y - 20), (x + 200, y - 100), smooth=True)
    assert path[0] == (x - 6, y - 20) and path[-1] == (x + 200, y - 100) and not level.overlaps((*path[1], 12, 20))
    field = ways.field(level, [(x + 200, y - 100)])
    assert field.distance(x + 200, y - 100) == 0 and field.step(x - 6, y - 20) is not None
    hero = bitwall.Platformer((x - 6, y - 20, 12, 20))
    jumps, follower = bitwall.JumpWays(level, 12, 20, hero.feel), bitwall.Follower()
    for _ in range(30):
        hero.step(level)
    start = hero.bounds[:2]
    goal = next(goal for goal in [(start[0] + far, start[1]) for far in (160, 120, 80, 40)] if jumps.may_reach(start, goal))
    results = [follower.step(jumps, level, hero, goal) for _ in range(600)]
    assert results[0] == "go" and "arrived" in results, (start, goal, hero)
    world = bitwall.World()
    other = world.add_character((*start, 12, 20))
    world.set_player(other, hero.feel)
    follower, result = bitwall.Follower(), "go"
    while result == "go":
        result = follower.steer(jumps, level, world, other, goal)
        world.step(level)
    assert result == "arrived" and world.bounds(other)[:2] == goal
    with pytest.raises(KeyError, match="the world has no body 9"):
        follower.steer(jumps, level, world, 9, goal)


def test_a_world_has_players_events_and_copies():
    level, world = hills(), bitwall.World()
    x, y = level.marker("player").position
    hero = world.add_character((x - 6, y - 20, 12, 20))
    world.set_player(hero, bitwall.Feel(jump_height=40))
    flag = world.add_sensor((x + 30, y - 40, 8, 40))
    world.set_categories(hero, 1, 2**64 - 1, 0)
    world.set_categories(flag, 2, 0, 1)
    kept = copy.copy(world)
    kinds = []
    for _ in range(60):
        world.set_input(hero, x=1)
        world.step(level)
        kinds += [(it.kind, it.body, it.other, it.side) for it in world.events()]
    assert ("begin", flag, hero, None) in kinds and ("end", flag, hero, None) in kinds
    motion = world.motion(hero)
    assert (motion.stance, motion.facing) == ("ground", "right") and world.standing_on(hero) is None
    drawn = {it.body: it for it in world.drawn(level)}
    assert abs(drawn[hero].x - world.position(hero)[0]) < 0.01 and repr(world) == "<World of 2 bodies>"
    assert world.checksum() != kept.checksum()
    world.restore(kept)
    assert world.checksum() == kept.checksum() and world.bodies() == [hero, flag]
    assert world.ray(level, (x, y - 10), (x + 60, y - 10), categories=2).body in (None, flag)
    with pytest.raises(KeyError, match="the world has no body 9"):
        world.position(9)


def test_pygame_is_imported_by_the_first_drawing_alone():
    program = "import sys, bitwall; assert not {'pygame', 'numpy'} & set(sys.modules)"
    assert os.system(f"{__import__('sys').executable} -c \"{program}\"") == 0
