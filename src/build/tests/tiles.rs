//! Tests of the pixels in which a tile is solid: shapes, flags, flips, offsets.

use super::*;
use crate::rules::TileIds;

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
    let mut solid = |x, y| {
        set.offset = IVec2::new(x, y);
        text(&map([2, 2], set.clone(), vec![tile_layer("Ground", 2, &[1, 0, 0, 0])]))
    };
    assert_eq!(solid(0, 0), "#.\n..");
    assert_eq!(solid(4, 2), "..\n.#", "whole cells stay whole cells");
    assert_eq!(solid(1, 1), "........\n.####...\n.####...\n........");
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
        let placed = InputMap { map: map.clone(), position: IVec2::ZERO, file: None };
        let mut picture = |path: &std::path::Path| {
            assert_eq!(path, std::path::Path::new("t.png"));
            asked.set(asked.get() + 1);
            size.map(UVec2::from)
        };
        let mut options = options();
        options.lenient = lenient;
        options.areas.clear();
        build(vec![placed], &options, &mut Spent::default(), &mut picture)
    };
    let built = made(Some([16, 11]), false).unwrap();
    assert_eq!(built.level.grid().to_string(), "##");
    assert_eq!(built.tile_counts, [[Some(6)]]);
    for size in [None, Some([14, 11]), Some([0, 0])] {
        let error = made(size, false).unwrap_err();
        assert_eq!((error.file, error.place.cell), (None, Some((1, 0))));
        assert!(matches!(error.kind, LoadErrorKind::UnknownTile { gid: 6, .. }));
        let built = made(size, true).unwrap();
        assert_eq!(built.level.grid().to_string(), "#.");
        assert_eq!(built.warnings.len(), 1);
    }
    assert_eq!(made(Some([16, 11]), true).unwrap().warnings, []);
    assert_eq!(asked.get(), 8, "once a tileset and build");
}
