//! Tests of the pixels in which a tile is solid: shapes, flags, flips, offsets.

use super::*;
use crate::rules::TileIds;
use crate::tmx::{Lattice, Orientation, Space, StaggerAxis, StaggerIndex};

fn post(names: &[&str]) -> Tile {
    tile(names, vec![rectangle([0, 0, 2, 4])])
}

const POST: &str = "##......\n##......\n##......\n##......";

#[test]
fn a_solid_tile_with_collision_shapes_is_solid_only_inside_them() {
    let of_tile =
        |names: &[&str]| tileset([4, 4], [(0, post(names)), (1, tile(names, Vec::new()))]);
    let layers = |name: &str, cells| vec![tile_layer(name, 2, cells)];
    for (names, layer) in [(&["solid"][..], "Ground"), (&[], "Walls"), (&["solid"], "Walls")] {
        assert_eq!(text(&map([2, 1], of_tile(names), layers(layer, &[1, 0]))), POST);
        let whole = map([2, 1], of_tile(names), layers(layer, &[2, 0]));
        assert_eq!(text(&whole), "#.", "a tile without shapes is all of its cell");
    }
    let one_way = map([2, 1], of_tile(&["one_way"]), layers("Ground", &[1, 0]));
    let mut of_layer = map([2, 1], of_tile(&[]), layers("Ground", &[1, 0]));
    of_layer.layers[0].properties = flags(&["one_way"]);
    for map in [one_way, of_layer] {
        let guards = level(&map).one_way(Dir::Up).unwrap().to_string();
        assert_eq!(guards, "##......\n........\n........\n........");
    }
    let mut water = map([2, 1], of_tile(&[]), layers("Ground", &[1, 0]));
    water.layers[0].properties = flags(&["water"]);
    assert_eq!(level(&water).area("water").unwrap().grid().to_string(), POST);
}

#[test]
fn a_tile_solid_by_its_number_ignores_its_collision_shapes() {
    let set = tileset([4, 4], [(0, post(&[]))]);
    let map = map([2, 1], set, vec![tile_layer("Walls", 2, &[1, 0])]);
    let mut options = options();
    assert_eq!(build_one(&map, &options).unwrap().level.grid().to_string(), POST);
    options.solid_rules.solid_tiles.push(TileIds::new("t", 0..=0));
    assert_eq!(build_one(&map, &options).unwrap().level.grid().to_string(), "#.");
}

#[test]
fn a_solid_tile_with_a_full_shape_or_only_area_shapes_fills_its_cell() {
    let mut wet = rectangle([0, 0, 4, 2]);
    wet.class = "water".to_owned();
    let tiles =
        [(0, tile(&["solid"], vec![rectangle([0, 0, 4, 4])])), (1, tile(&["solid"], vec![wet]))];
    let map = map([2, 1], tileset([4, 4], tiles), vec![tile_layer("Ground", 2, &[1, 2])]);
    let level = level(&map);
    assert_eq!(level.grid().to_string(), "##");
    let water = level.area("water").unwrap().grid().to_string();
    assert_eq!(water, "....####\n....####\n........\n........");
}

#[test]
fn a_solid_tile_object_is_solid_inside_the_shapes_of_its_tile() {
    let set = tileset([4, 4], [(0, post(&[]))]);
    let mut placed = rectangle([0, 4, 4, 4]);
    placed.gid = Some(1);
    let on_solid_layer =
        map([2, 1], set.clone(), vec![object_layer("Walls", vec![placed.clone()])]);
    placed.properties = flags(&["solid"]);
    let by_itself = map([2, 1], set, vec![object_layer("Things", vec![placed])]);
    for map in [on_solid_layer, by_itself] {
        assert_eq!(text(&map), POST);
    }
}

#[test]
fn the_hexagonal_rotation_flag_is_ignored_on_an_orthogonal_map() {
    let set = tileset([4, 4], [(0, tile(&["solid"], Vec::new()))]);
    let cells = [1 | flip::ROTATED, 1 | flip::ALL];
    assert_eq!(text(&map([2, 1], set, vec![tile_layer("Ground", 2, &cells)])), "##");
}

#[test]
fn a_solid_tile_moves_with_the_offset_of_its_tileset() {
    let mut set = tileset([4, 2], [(0, tile(&["solid"], Vec::new()))]);
    // The tileset does not list tile 2, which is solid by its layer.
    for (layer, gid) in [("Ground", 1), ("Walls", 1), ("Walls", 2)] {
        let mut solid = |x, y| {
            set.offset = IVec2::new(x, y);
            text(&map([2, 2], set.clone(), vec![tile_layer(layer, 2, &[gid, 0, 0, 0])]))
        };
        assert_eq!(solid(0, 0), "#.\n..");
        assert_eq!(solid(4, 2), "..\n.#", "whole cells stay whole cells");
        assert_eq!(solid(1, 1), "........\n.####...\n.####...\n........");
    }
    let mut placed = rectangle([0, 2, 0, 0]);
    placed.gid = Some(1);
    let objects = |set| map([2, 2], set, vec![object_layer("Walls", vec![placed.clone()])]);
    assert_eq!(text(&objects(set)), "........\n.####...\n.####...\n........");
}

#[test]
fn a_fractional_layer_offset_moves_tile_shapes_and_objects_alike() {
    // A wall from x = 0.4 to x = 1.3 covers the centre of the first pixel. Moved by 0.3, it covers the centre
    // of the second pixel.
    let mut wall = rectangle([0, 0, 0, 4]);
    wall.position.x = thousandths(400);
    wall.size.x = thousandths(900);
    let offset = Point { x: thousandths(300), y: Decimal::ZERO };
    let shaped = tileset([4, 4], [(0, tile(&[], vec![wall.clone()]))]);
    let mut tiles = map([1, 1], shaped, vec![tile_layer("Ground", 1, &[1])]);
    let mut objects = map([1, 1], tileset([4, 4], []), vec![object_layer("Walls", vec![wall])]);
    let row = |map: &Map| text(map).lines().next().unwrap().to_owned();
    assert_eq!((&*row(&tiles), &*row(&objects)), ("#...", "#..."));
    (tiles.layers[0].offset, objects.layers[0].offset) = (offset, offset);
    assert_eq!((&*row(&tiles), &*row(&objects)), (".#..", ".#.."));
    // A tile without shapes fills its whole cell after it is displaced.
    let whole = tileset([4, 4], [(0, tile(&["solid"], Vec::new()))]);
    let mut whole = map([2, 1], whole, vec![tile_layer("Ground", 2, &[1, 0])]);
    whole.layers[0].offset.x = thousandths(1_600);
    assert_eq!(row(&whole), "..####..");
}

#[test]
fn a_shape_that_fills_its_tile_turns_with_the_diagonal_flag() {
    let all = tile(&[], vec![rectangle([0, 0, 4, 2])]);
    let solid = |gid| {
        let set = tileset([4, 2], [(0, all.clone())]);
        text(&map([1, 2], set, vec![tile_layer("Ground", 1, &[0, gid])]))
    };
    assert_eq!(solid(1 | flip::HORIZONTAL | flip::VERTICAL), ".\n#");
    let turned = "##..\n##..\n##..\n##..";
    assert_eq!(solid(1 | flip::DIAGONAL), turned, "from the bottom-left corner");
    assert_eq!(solid(1 | flip::ALL), turned);
}

#[test]
fn a_picture_larger_than_its_tileset_states_gives_more_tiles() {
    let mut set = tileset([4, 4], [(0, tile(&["solid"], Vec::new()))]);
    set.tile_count = Some(2);
    (set.margin, set.spacing) = (1, 1);
    let map = map([2, 1], set, vec![tile_layer("Walls", 2, &[1, 6])]);
    let asked = std::cell::Cell::new(0);
    let made = |size: Option<[u32; 2]>, lenient| {
        let mut picture = |path: &std::path::Path| {
            assert_eq!(path, std::path::Path::new("t.png"));
            asked.set(asked.get() + 1);
            size.map(UVec2::from)
        };
        let mut options = options();
        options.lenient = lenient;
        options.areas.clear();
        let maps = vec![Ok(input(&map, [0, 0], None))];
        build(Path::new("all"), maps, &options, &mut Spent::default(), &mut picture)
    };
    let built = made(Some([16, 11]), false).unwrap();
    assert_eq!(built.level.grid().to_string(), "##");
    assert_eq!(built.maps[0].tile_counts, [Some(6)]);
    for size in [None, Some([14, 11]), Some([0, 0])] {
        let error = made(size, false).unwrap_err();
        assert_eq!((error.path(), error.place().cell), (Path::new("map"), Some((1, 0))));
        assert!(matches!(error.kind(), LoadErrorKind::UnknownTile { gid: 6, .. }));
        let built = made(size, true).unwrap();
        assert_eq!(built.level.grid().to_string(), "#.");
        assert_eq!(built.warnings.len(), 1);
    }
    assert_eq!(made(Some([16, 11]), true).unwrap().warnings, []);
    assert_eq!(asked.get(), 8, "once a tileset and build");
}

#[test]
fn a_shape_around_the_whole_picture_fills_the_cell_only_if_the_picture_does() {
    let solid = |size: [i32; 2], fills_cell, keeps_aspect, offset: [i32; 2]| {
        let [w, h] = size;
        let all = tile(&[], vec![rectangle([0, 0, w, h])]);
        let mut set = tileset(size.map(|side| side as u32), [(0, all)]);
        (set.fills_cell, set.keeps_aspect, set.offset) = (fills_cell, keeps_aspect, offset.into());
        let mut map = map([1, 1], set, vec![tile_layer("Ground", 1, &[1])]);
        map.tile_size = UVec2::new(8, 4);
        text(&map)
    };
    let rows = |row: &str| [row; 4].join("\n");
    for keeps_aspect in [false, true] {
        for fills_cell in [false, true] {
            assert_eq!(solid([8, 4], fills_cell, keeps_aspect, [0, 0]), "#", "{keeps_aspect}");
            let moved = solid([8, 4], fills_cell, keeps_aspect, [1, 0]);
            assert_eq!(moved, rows(".#######"), "{keeps_aspect}");
        }
        assert_eq!(solid([4, 4], false, keeps_aspect, [0, 0]), rows("####...."));
    }
    assert_eq!(solid([4, 4], true, false, [0, 0]), "#", "stretched to the cell");
    assert_eq!(solid([4, 4], true, true, [0, 0]), rows("..####.."), "in the middle of the cell");
    assert_eq!(solid([16, 2], true, false, [0, 0]), "#");
    let flat = "........\n########\n........\n........";
    assert_eq!(solid([16, 2], true, true, [0, 0]), flat);
}

/// The grid is three times as wide as high, so that a width in place of a height would show.
#[test]
fn shapes_on_an_isometric_grid_run_along_the_sides_of_its_diamond() {
    for (shape, expected) in [
        ([0, 0, 4, 4], ["....###.....", ".#########..", ".#########..", "....###....."]),
        ([0, 0, 2, 2], ["....###.....", "....###.....", "............", "............"]),
        ([2, 0, 2, 2], ["............", ".......###..", ".......###..", "............"]),
        ([0, 2, 2, 2], ["............", ".###........", ".###........", "............"]),
        ([2, 2, 2, 2], ["............", "............", "....###.....", "....###....."]),
    ] {
        let mut set = tileset([12, 4], [(0, tile(&[], vec![rectangle(shape)]))]);
        set.isometric_grid = Some(UVec2::new(12, 4));
        let map = map([1, 1], set, vec![tile_layer("Ground", 1, &[1])]);
        assert_eq!(text(&map), expected.join("\n"), "{shape:?}");
    }
}

#[test]
fn a_tile_object_of_a_hexagonal_map_covers_the_pixels_of_the_tile_in_a_cell() {
    // Two sides of the rectangle run through centres of pixels. A mirrored outline would cover other pixels
    // than the mirrored drawing.
    let mut shape = rectangle([0, 0, 3, 4]);
    shape.position = Point { x: thousandths(500), y: thousandths(1_500) };
    let hexagonal = |layer| {
        let set = tileset([8, 8], [(0, tile(&[], vec![shape.clone()]))]);
        let mut map = map([3, 3], set, vec![layer]);
        let (axis, index) = (StaggerAxis::Y, StaggerIndex::Odd);
        map.orientation = Orientation::Hexagonal { axis, index, side: 4 };
        map
    };
    let mut all = std::collections::BTreeSet::new();
    for flips in (0..1 << 4).map(|flips| flips << flip::ALL.trailing_zeros()) {
        let gid = 1 | flips;
        let in_cell = hexagonal(tile_layer("Ground", 3, &[0, 0, 0, 0, gid, 0, 0, 0, 0]));
        let corner = Lattice::for_map(&in_cell, Space::Map).cell_bottom_left_pixel(IVec2::ONE);
        let mut placed = rectangle([corner.x, corner.y, 0, 0]);
        placed.gid = Some(gid);
        let expected = text(&in_cell);
        assert_eq!(text(&hexagonal(object_layer("Walls", vec![placed]))), expected, "{flips:x}");
        all.insert(expected);
    }
    assert!(all.len() > 8, "{}", all.len());
}

#[test]
fn each_tile_and_shape_of_a_row_guards_its_own_sides() {
    let guards = |side: &str, tile: Tile, offset: i32| {
        let one_way = Property::new(PropertyValue::Text(side.to_owned()));
        let tile = Tile { properties: [("one_way".to_owned(), one_way)].into(), ..tile };
        let row = tile_layer("Ground", 3, &[1; 3]);
        let mut map = map([3, 1], tileset([4, 4], [(0, tile)]), vec![row]);
        map.layers[0].offset.x = Decimal::from_pixels(offset);
        let level = level(&map);
        assert_eq!(level.grid().solid_count(), 0);
        Dir::ALL.map(|dir| level.one_way(dir).unwrap().to_string())
    };
    let none = ["............"; 4];
    for (side, dir, whole, shaped) in [
        ("left", Dir::Left, [".#...#...#.."; 4], ["#...#...#..."; 4]),
        ("right", Dir::Right, ["....#...#..."; 4], [".#...#...#.."; 4]),
        (
            "top",
            Dir::Up,
            [".###########", none[0], none[0], none[0]],
            ["##..##..##..", none[0], none[0], none[0]],
        ),
        (
            "bottom",
            Dir::Down,
            [none[0], none[0], none[0], ".###########"],
            [none[0], none[0], none[0], "##..##..##.."],
        ),
    ] {
        let expected = |rows: [&str; 4], blank: &str| {
            Dir::ALL.map(|other| if other == dir { rows.join("\n") } else { blank.to_owned() })
        };
        assert_eq!(guards(side, tile(&[], Vec::new()), 0), expected(["###"; 4], "...").map(first));
        let blank = none.join("\n");
        assert_eq!(guards(side, tile(&[], Vec::new()), 1), expected(whole, &blank), "{side}");
        assert_eq!(guards(side, post(&[]), 0), expected(shaped, &blank), "{side}");
    }
}

fn first(text: String) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_tile_object_with_shapes_guards_the_sides_of_its_shapes() {
    let mut placed = rectangle([0, 4, 4, 4]);
    placed.gid = Some(1);
    let sides = Property::new(PropertyValue::Text("top right".to_owned()));
    placed.properties = [("one_way".to_owned(), sides)].into();
    placed.class = "wall".to_owned();
    for scaled in [false, true] {
        let size = if scaled { point(8, 8) } else { point(4, 4) };
        let placed = Object { size, position: point(0, 8), ..placed.clone() };
        let set = tileset([4, 4], [(0, post(&[]))]);
        let level = level(&map([2, 2], set, vec![object_layer("Things", vec![placed])]));
        let (w, h) = if scaled { (4, 8) } else { (2, 4) };
        let drawn = |is_guard: &dyn Fn(u32, u32) -> bool| {
            let cell = |x, y| if x < w && y >= 8 - h && is_guard(x, y) { '#' } else { '.' };
            let rows = (0..8).map(|y| (0..8).map(|x| cell(x, y)).collect::<String>());
            rows.collect::<Vec<_>>().join("\n")
        };
        let guards = |dir| level.one_way(dir).unwrap().to_string();
        assert_eq!(guards(Dir::Up), drawn(&|_, y| y == 8 - h));
        assert_eq!(guards(Dir::Right), drawn(&|x, _| x == w - 1));
        assert_eq!(guards(Dir::Left), drawn(&|_, _| false));
    }
}

#[test]
fn without_a_count_and_a_size_a_tileset_may_have_any_tile() {
    let build = |tile: [u32; 2], picture: [u32; 2], gid| {
        let mut set = tileset(tile, []);
        set.tile_count = None;
        set.image = Some(Image { size: picture.into(), ..Image::default() });
        let mut map = map([2, 1], set, vec![tile_layer("Walls", 2, &[gid, 0])]);
        map.tile_size = UVec2::new(4, 4);
        build_one(&map, &options()).map(|built| built.level.grid().to_string())
    };
    assert_eq!(build([4, 4], [8, 4], 2).unwrap(), "#.");
    let error = build([4, 4], [8, 4], 3).unwrap_err();
    assert!(matches!(error.kind(), LoadErrorKind::UnknownTile { gid: 3, .. }));
    for (tile, picture) in [([0, 4], [8, 4]), ([4, 0], [8, 4]), ([4, 4], [0, 4]), ([4, 4], [8, 0])]
    {
        assert!(build(tile, picture, 3).is_ok(), "{tile:?} {picture:?}");
    }
}
