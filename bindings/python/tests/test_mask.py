"""`bitwall.Mask` beside `pygame.mask.Mask`: the same calls on the same masks, and the same answers. The behaviours are
those that the names of pygame-ce's own tests list; no code is theirs."""

import copy

import numpy as np
import pytest

import bitwall

pygame = pytest.importorskip("pygame")

SIZES = [(0, 0), (0, 5), (5, 0), (1, 1), (7, 3), (31, 9), (32, 4), (63, 5), (64, 6), (65, 7), (100, 40), (130, 11)]


def pair(size, share, random):
    """The same random mask of both kinds."""
    ours, theirs = bitwall.Mask(size), pygame.Mask(size)
    for x in range(size[0]):
        for y in range(size[1]):
            if random.random() < share:
                ours.set_at((x, y))
                theirs.set_at((x, y))
    return ours, theirs


def same(ours, theirs):
    assert ours.get_size() == theirs.get_size()
    width, height = theirs.get_size()
    bits = [[theirs.get_at((x, y)) for y in range(height)] for x in range(width)]
    assert np.array_equal(ours.to_array(), np.array(bits, bool).reshape(width, height))
    assert ours.count() == theirs.count()


def cases(seed, count=60):
    random = np.random.default_rng(seed)
    for _ in range(count):
        sizes = [SIZES[random.integers(len(SIZES))] for _ in range(2)]
        share = random.choice([0.02, 0.3, 0.9])
        offset = tuple(int(random.integers(-reach, reach + 1)) for reach in (140, 42))
        yield pair(sizes[0], share, random), pair(sizes[1], share, random), offset, random


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("fill", [False, True])
def test_a_new_mask_is_empty_or_full(size, fill):
    same(bitwall.Mask(size, fill), pygame.Mask(size, fill))
    same(bitwall.Mask(size=size, fill=fill), pygame.Mask(size=size, fill=fill))


def test_the_same_arguments_are_refused():
    for make in (bitwall.Mask, pygame.Mask):
        for size in [(-1, 5), (5, -1)]:
            with pytest.raises(ValueError):
                make(size)
        for size in ["3", (1, 2, 3), None]:
            with pytest.raises(TypeError):
                make(size)
        mask = make((4, 5))
        for at in [(-1, 0), (0, -1), (4, 0), (0, 5)]:
            with pytest.raises(IndexError):
                mask.get_at(at)
            with pytest.raises(IndexError):
                mask.set_at(at)
            with pytest.raises(IndexError):
                mask.connected_component(at)
        with pytest.raises(ValueError):
            mask.scale((-1, 2))
        for method in (mask.overlap, mask.overlap_area, mask.overlap_mask, mask.draw, mask.erase):
            with pytest.raises(TypeError):
                method(pygame.Surface((2, 2)), (0, 0))
            with pytest.raises(TypeError):
                method(make((2, 2)), "0")


def test_get_set_fill_clear_and_invert():
    for (ours, theirs), _, _, _ in cases(1, 30):
        same(ours, theirs)
        for change in ("invert", "fill", "invert", "clear", "invert"):
            getattr(ours, change)()
            getattr(theirs, change)()
            same(ours, theirs)
        width, height = ours.get_size()
        if width and height:
            for value in (0, 1, 5, -1):
                ours.set_at((width - 1, height - 1), value)
                theirs.set_at((width - 1, height - 1), value)
                assert ours.get_at((width - 1, height - 1)) == theirs.get_at((width - 1, height - 1))


def test_copies_are_independent():
    for (ours, theirs), _, _, _ in cases(2, 10):
        for made in (ours.copy(), copy.copy(ours)):
            same(made, theirs)
            made.invert()
            same(ours, theirs)


def test_rects():
    ours, theirs = bitwall.Mask((7, 9)), pygame.Mask((7, 9))
    for attributes in [{}, {"center": (4, 5)}, {"x": 3}, {"bottomright": (40, 50), "y": 1}, {"topleft": (2, 2)}]:
        assert ours.get_rect(**attributes) == theirs.get_rect(**attributes)
    for mask in (ours, theirs):
        with pytest.raises(AttributeError):
            mask.get_rect(middle=3)
        with pytest.raises(TypeError):
            mask.get_rect((3, 4))


def test_overlaps_are_the_same_pixel_area_and_mask_at_every_offset():
    hits = 0
    for (ours, theirs), (our_other, their_other), offset, random in cases(3, 400):
        for offset in [offset, (0, 0), (offset[0] % 64, 1), (-(offset[0] % 64), -1)]:
            found = ours.overlap(our_other, offset)
            assert found == theirs.overlap(their_other, offset), (ours, our_other, offset)
            hits += found is not None
            assert ours.overlap_area(our_other, offset) == theirs.overlap_area(their_other, offset)
        same(ours.overlap_mask(our_other, offset), theirs.overlap_mask(their_other, offset))
    assert hits > 200


def test_draw_and_erase():
    for (ours, theirs), (our_other, their_other), offset, _ in cases(4, 120):
        for change in ("draw", "erase"):
            getattr(ours, change)(our_other, offset)
            getattr(theirs, change)(their_other, offset)
            same(ours, theirs)
    ours.fill()
    ours.erase(ours, (1, 0))
    theirs.fill()
    theirs.erase(theirs.copy(), (1, 0))
    same(ours, theirs)


def test_scale():
    for (ours, theirs), _, _, random in cases(5, 60):
        size = (int(random.integers(0, 150)), int(random.integers(0, 50)))
        if 0 not in ours.get_size():
            same(ours.scale(size), theirs.scale(size))
        same(bitwall.Mask((0, 0)).scale(size), pygame.Mask(size))


def test_count_centroid_and_angle():
    for (ours, theirs), _, _, _ in cases(6, 120):
        assert ours.centroid() == theirs.centroid()
        assert ours.angle() == pytest.approx(theirs.angle(), abs=1e-9)


def test_outline():
    lengths = set()
    for (ours, theirs), _, _, random in cases(10, 200):
        for every in (1, 2, 3, 7, 100, 0, -1):
            assert ours.outline(every) == theirs.outline(every), (ours, every)
        assert ours.outline(every=5) == theirs.outline(5)
        lengths.add(len(ours.outline()))
    assert {0, 1, 3} < lengths and max(lengths) > 50
    with pytest.raises(TypeError):
        ours.outline(1.5)


def test_convolve():
    for (ours, theirs), (our_other, their_other), offset, _ in cases(7, 40):
        if 0 in ours.get_size() + our_other.get_size():
            continue
        same(ours.convolve(our_other), theirs.convolve(their_other))
        our_output, their_output = bitwall.Mask((50, 20)), pygame.Mask((50, 20))
        assert ours.convolve(our_other, our_output, offset) is our_output
        theirs.convolve(their_other, their_output, offset)
        same(our_output, their_output)


def test_components_and_their_rectangles():
    for (ours, theirs), _, _, random in cases(8, 60):
        counts = sorted(mask.count() for mask in ours.connected_components())
        if len(counts) < 2 or counts[-1] > counts[-2]:
            same(ours.connected_component(), theirs.connected_component())
        else:
            # Of several largest components, pygame returns one by its own labels.
            assert ours.connected_component().count() == theirs.connected_component().count() == counts[-1]
        for minimum in (-3, 0, 1, 2, 9):
            found, expected = ours.connected_components(minimum), theirs.connected_components(minimum)
            assert len(found) == len(expected)
            [same(*masks) for masks in zip(found, expected)]
        assert ours.get_bounding_rects() == theirs.get_bounding_rects()
        width, height = ours.get_size()
        if width and height:
            at = (int(random.integers(width)), int(random.integers(height)))
            same(ours.connected_component(at), theirs.connected_component(at))


def test_surfaces_by_alpha_and_by_colour_key():
    random = np.random.default_rng(9)
    surface = pygame.Surface((70, 33), pygame.SRCALPHA, 32)
    pygame.surfarray.pixels_alpha(surface)[:] = random.integers(0, 256, (70, 33))
    for threshold in (0, 127, 200, 255):
        same(bitwall.Mask.from_surface(surface, threshold), pygame.mask.from_surface(surface, threshold))
    keyed = pygame.Surface((70, 33), 0, 32)
    pygame.surfarray.pixels3d(keyed)[:] = random.integers(0, 2, (70, 33, 1)) * 255
    keyed.set_colorkey((255, 255, 255))
    same(bitwall.Mask.from_surface(keyed), pygame.mask.from_surface(keyed))


def test_from_threshold():
    random = np.random.default_rng(11)
    surfaces = [pygame.Surface((70, 33), pygame.SRCALPHA, 32) for _ in range(2)]
    for surface in surfaces:
        pygame.surfarray.pixels3d(surface)[:] = random.integers(0, 60, (70, 33, 3))
    color = (10, 20, 30)
    for arguments in [(color, (20, 20, 20, 255)), (color,), (color, (9, 9, 9, 255), surfaces[1])]:
        found = bitwall.Mask.from_threshold(surfaces[0], *arguments)
        same(found, pygame.mask.from_threshold(surfaces[0], *arguments))
    wide = bitwall.Mask.from_threshold(surfaces[0], color=(10, 20, 30), threshold=(30, 30, 30, 255))
    assert 100 < wide.count() < 70 * 33
    same(bitwall.Mask.from_threshold(pygame.Surface((0, 5)), (1, 2, 3)), pygame.Mask((0, 5)))
    with pytest.raises(TypeError):
        bitwall.Mask.from_threshold(surfaces[0])


def test_to_surface():
    red = pygame.Surface((60, 20), pygame.SRCALPHA, 32)
    red.fill((200, 10, 20, 90))
    for (ours, theirs), _, _, _ in cases(12, 40):
        for named in [
            {},
            {"setcolor": (1, 2, 3, 4), "unsetcolor": None},
            {"setsurface": red, "dest": (-3, 2)},
            {"unsetsurface": red, "setcolor": "green", "area": (4, -2, 30, 9)},
            {"surface": red.copy(), "dest": (5, 1), "area": (1, 1, 40, 40)},
        ]:
            made = [mask.to_surface(**named) for mask in (ours, theirs)]
            assert pygame.image.tobytes(made[0], "RGBA") == pygame.image.tobytes(made[1], "RGBA")
            assert made[0].get_size() == made[1].get_size()
    into = pygame.Surface((9, 9))
    assert ours.to_surface(into) is into
    for wrong in [{"surface": 3}, {"setcolor": "no colour"}, {"colour": 1}]:
        for mask in (ours, theirs):
            with pytest.raises((TypeError, ValueError)):
                mask.to_surface(**wrong)


def test_subclasses_and_arrays():
    class Own(bitwall.Mask):
        pass

    own = Own((9, 4), True)
    assert own.count() == 36 and isinstance(own, bitwall.Mask)
    assert type(own.copy()) is Own and type(copy.copy(own)) is Own and type(own.scale((3, 3))) is bitwall.Mask
    array = np.random.default_rng(1).random((70, 20)) < 0.4
    mask = bitwall.Mask.from_array(array)
    assert np.array_equal(mask.to_array(), array)
    assert mask != mask.copy() and mask in {mask: 1}, "as in pygame, two masks are never equal"
