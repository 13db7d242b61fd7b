//! Texts and places of findings about reachability: the obstacle before a goal, narrow passages, coordinates,
//! markers of every shape, and the Tiled map with their paths.

use std::fmt::Write;

use bitwall::character::Feel;
use bitwall::glam::{UVec2, Vec2};
use bitwall::navigate::Jumper;
use bitwall::tmx::{LayerContent, Map, Shape};
use bitwall::{Aabb, Limits, Rate};
use bitwall_cli::lint::{
    BodySpec, Finding, MarkerRole, MarkerSpec, Moves, Report, VerifyOptions, verify_bytes,
};

use crate::shared::{bitwall_in, folder};
use crate::support::processor_time;

const TILE: u32 = 16;

/// Returns a map of solid tiles `#` and one-way tiles `^`, with objects.
fn map(rows: &[&str], objects: &str) -> String {
    let (width, height) = (rows[0].len(), rows.len());
    let gid = |letter| match letter {
        '#' => "1",
        '^' => "2",
        _ => "0",
    };
    let cells: Vec<&str> = rows.iter().flat_map(|row| row.chars()).map(gid).collect();
    format!(
        r#"<map orientation="orthogonal" width="{width}" height="{height}" tilewidth="16" tileheight="16">
<tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="4" columns="2">
<tile id="0"><properties><property name="solid" type="bool" value="true"/></properties></tile>
<tile id="1"><properties><property name="one_way" type="bool" value="true"/></properties></tile>
<tile id="2"/>
</tileset>
<layer id="1" name="ground" width="{width}" height="{height}"><data encoding="csv">{}</data></layer>
<objectgroup id="2" name="places">{objects}</objectgroup>
</map>"#,
        cells.join(",")
    )
}

fn point(id: u32, name: &str, x: i32, y: i32) -> String {
    format!(r#"<object id="{id}" name="{name}" x="{x}" y="{y}"><point/></object>"#)
}

/// A body that jumps so high in these seconds, without wall jumps and ledges.
fn side(size: [u32; 2], jump_height: f32, jump_time: f32) -> Moves {
    let feel = Feel { jump_height, jump_time, wall_jump: Vec2::ZERO, ..Feel::default() };
    let feel = Feel { ledge_reach: 0, ..feel };
    Moves::Side(Box::new(Jumper::new(size.into(), feel, Rate::per_second(60))))
}

fn options(moves: Moves, size: UVec2) -> VerifyOptions {
    VerifyOptions {
        bodies: vec![BodySpec { moves: Some(moves), ..BodySpec::new("hero", size) }],
        markers: vec![
            MarkerSpec::new("player", MarkerRole::Spawn),
            MarkerSpec::new("exit*", MarkerRole::Goal),
        ],
        ..VerifyOptions::default()
    }
}

fn check(text: &str, options: &VerifyOptions) -> Report {
    verify_bytes("a.tmx", text.as_bytes(), options)
}

/// Returns the only finding of a report, which must have this code.
fn only(report: Report, code: &str) -> Finding {
    match &*report.findings {
        [finding] => assert_eq!(finding.rule.code, code, "{finding:?}"),
        findings => {
            let reasons = report.skipped.iter().map(|it| (it.rule.code, it.reason.to_string()));
            panic!("{findings:?} {:?}", reasons.collect::<Vec<_>>())
        }
    }
    report.findings.into_iter().next().unwrap()
}

#[test]
fn an_unreachable_goal_names_the_first_obstacle_and_the_height_above_the_floor() {
    let objects = point(3, "player", 24, 40) + &point(4, "exit", 104, 40);
    let rows = ["########", "#...#..#", "#...#..#", "########"];
    let top = options(Moves::Above, UVec2::splat(12));
    let finding = only(check(&map(&rows, &objects), &top), "NAV401");
    let ends = "the way ends at col 3, row 2; the next place is at col 6, row 2";
    assert_eq!(finding.notes, ["solids close the way of `hero` (12 x 12 px)", ends]);
    assert_eq!(finding.area, Some(Aabb::from_xywh(52, 34, 58, 12)));

    // Goals with the same name are distinguished by their objects.
    let two = objects.clone() + &point(5, "exit", 104, 24) + &point(6, "exit 2", 88, 40);
    let finding = only(check(&map(&rows, &two), &top), "NAV401");
    assert_eq!(finding.headline, "`exit` cannot be reached, and 2 more");
    let others = "the others: `exit`, object 5 of `places`; `exit 2`, object 6 of `places`";
    assert_eq!(finding.notes[2], others);

    // Only one rule reports a goal in a solid.
    let buried = point(3, "player", 24, 40) + &point(4, "exit", 72, 40);
    only(check(&map(&rows, &buried), &top), "NAV401");

    // The floor is at y 128, and the shelf is 80 px higher.
    let rows = ["########", "#......#", "#......#", "#....###", "#......#", "#......#"];
    let rows = [&rows[..], &["#......#", "#......#", "########"]].concat();
    let side = options(side([12, 16], 44.0, 0.35), UVec2::new(12, 16));
    // A body that starts in the air falls to the floor first.
    for y in [120, 106] {
        let objects = point(3, "player", 24, y) + &point(4, "exit", 96, 40);
        let finding = only(check(&map(&rows, &objects), &side), "NAV401");
        let high = "`hero` (12 x 16 px) rises at most 51 px at once, the step is 80 px high";
        assert_eq!(finding.notes[0], high);
        let ends = "the way ends at col 4, row 7; the next place is at col 4, row 2";
        assert_eq!(finding.notes[1], ends, "the body stands on the last pixel of the shelf");
        assert_eq!(finding.area.unwrap().max.y, 128, "it stands on the floor");
    }
}

#[test]
fn a_level_of_one_way_cells_alone_is_not_blank() {
    for (row, expected) in [("^^^^", false), ("####", true)] {
        let report = check(&map(&[row, row], ""), &VerifyOptions::default());
        let is_blank = report.findings.iter().any(|finding| finding.rule.code == "LVL305");
        assert_eq!(is_blank, expected, "{row}");
    }
}

#[test]
fn one_way_cells_that_block_the_way_to_a_goal_are_reported() {
    // Top view: the body gets down through the row of one-way cells, but not back up.
    let rows = ["#####", "#...#", "#^^^#", "#...#", "#####"];
    let objects = point(3, "player", 40, 18) + &point(4, "exit", 40, 56);
    let top = options(Moves::Above, UVec2::splat(12));
    let finding = only(check(&map(&rows, &objects), &top), "NAV401");
    assert!(finding.notes[1].starts_with("the way ends at col 2, row 1;"), "{finding:?}");
    assert!(finding.trace.len() > 1);
}

#[test]
fn each_narrow_passage_is_listed_with_its_missing_pixels() {
    // Three rooms, connected by a shaft 10 px wide and a tunnel 19 px high.
    let mut rects = String::new();
    let rooms = [[0, 48, 64, 16], [74, 48, 54, 16], [128, 0, 16, 115], [128, 134, 16, 74]];
    for (id, [x, y, w, h]) in (20..).zip(rooms) {
        write!(rects, r#"<object id="{id}" x="{x}" y="{y}" width="{w}" height="{h}"/>"#).unwrap();
    }
    let walls = format!(r#"<objectgroup id="9" name="walls">{rects}</objectgroup></map>"#);
    let rows = ["................"; 13];
    let text = map(&rows, "").replace("</map>", &walls);
    let bodies = vec![BodySpec::new("", UVec2::new(12, 20))];
    let options = VerifyOptions { bodies, ..VerifyOptions::default() };
    let finding = only(check(&text, &options), "LVL307");
    assert_eq!(finding.headline, "a passage is 1 px too low for a body, and 1 more");
    let of = |text: &str| finding.notes.iter().any(|note| note.contains(text));
    assert!(of("does not fit through 19 px at x 128, y 115"), "{finding:?}");
    assert!(of("the others: x 64, y 48"), "{finding:?}");
}

/// The room on the left has a passage to the room on the right, and one to a nook that leads nowhere else.
#[test]
fn a_narrow_passage_into_a_nook_is_not_listed_because_its_room_has_another_one() {
    let rows = [
        "##############",
        "#..#....#....#",
        "#.......#....#",
        "####.........#",
        "####....#....#",
        "##############",
    ];
    let bodies = vec![BodySpec::new("", UVec2::splat(18))];
    let options = VerifyOptions { bodies, ..VerifyOptions::default() };
    let finding = only(check(&map(&rows, ""), &options), "LVL307");
    assert_eq!(finding.headline, "a passage is 2 px too low for a body");
    assert!(finding.notes[0].contains("16 px at x 128, y 48"), "{finding:?}");
    assert!(!finding.notes.iter().any(|note| note.starts_with("nor ")), "{finding:?}");
}

/// The only chunk of the infinite map is left of and above its origin. Texts and places use the coordinates
/// that Tiled shows.
#[test]
fn findings_in_an_infinite_map_use_the_coordinates_of_tiled() {
    let rows = ["########", "#...#..#", "#...#..#", "########"];
    let cells = rows.concat().replace('#', "1,").replace('.', "0,");
    let chunk = format!(
        r#"<chunk x="-8" y="-8" width="8" height="4">{}</chunk>"#,
        cells.trim_end_matches(',')
    );
    let objects = point(3, "player", 24 - 128, 40 - 128) + &point(4, "exit", 104 - 128, 40 - 128);
    let text = map(&rows, &objects);
    let data = text.find("<data encoding=\"csv\">").unwrap() + "<data encoding=\"csv\">".len();
    let end = text.find("</data>").unwrap();
    let text = format!("{}{chunk}{}", &text[..data], &text[end..]);
    let text = text.replace("<map ", r#"<map infinite="1" "#);
    let top = options(Moves::Above, UVec2::splat(12));
    let finding = only(check(&text, &top), "NAV401");
    assert!(finding.notes[1].starts_with("the way ends at col -5, row -6;"), "{finding:?}");
    assert_eq!(finding.place.cell, Some((-2, -6)), "that of the goal");
}

#[test]
fn tile_objects_ellipses_and_polygons_can_be_goals_and_spawns() {
    let rows = ["########", "#...#..#", "#...#..#", "########"];
    let top = options(Moves::Above, UVec2::splat(12));
    let exits = [
        r#"<object id="4" name="exit" gid="3" x="96" y="48" width="16" height="16"/>"#,
        r#"<object id="4" name="exit" x="96" y="32" width="16" height="16"><ellipse/></object>"#,
        r#"<object id="4" name="exit" x="96" y="32"><polygon points="0,0 16,0 8,16"/></object>"#,
    ];
    for exit in exits {
        let closed = map(&rows, &(point(3, "player", 24, 40) + exit));
        let finding = only(check(&closed, &top), "NAV401");
        assert_eq!(finding.place.object, Some(4));
        let open = ["########", "#......#", "#......#", "########"];
        let report = check(&map(&open, &(point(3, "player", 24, 40) + exit)), &top);
        let is_skipped = report.skipped.iter().any(|skipped| skipped.rule.code == "NAV401");
        assert!(report.findings.is_empty() && !is_skipped, "{report:?}");
        // As a spawn in a solid, the object is found too.
        let spawn = exit.replace("exit", "player").replace("96", "64");
        let finding = only(check(&map(&rows, &spawn), &top), "LVL301");
        assert_eq!(finding.place.object, Some(4), "{spawn}");
    }
    // An object that is solid itself is not a goal.
    let solid = exits[0].replace("gid=\"3\"", "gid=\"1\"");
    let text = map(&rows, &(point(3, "player", 24, 40) + &solid));
    let text = text.replace("name=\"places\"", "name=\"walls\"");
    assert!(check(&text, &top).findings.is_empty(), "{text}");
}

/// Spawns beyond a limit are ignored, although a body may reach the goal from them.
#[test]
fn no_goal_is_reported_unreachable_if_a_spawn_was_left_out() {
    let rows = ["########", "#...#..#", "#...#..#", "########"];
    let mut objects = point(4, "exit", 104, 40);
    for id in 10..30 {
        objects += &point(id, "player", 24, 40);
    }
    objects += &point(40, "player", 100, 40);
    let top = options(Moves::Above, UVec2::splat(12));
    let report = check(&map(&rows, &objects), &top);
    assert!(report.findings.is_empty(), "{report:?}");
    let reasons: Vec<String> = report.skipped.iter().map(|it| it.reason.to_string()).collect();
    assert!(reasons.iter().any(|it| it.contains("of 21 spawns only the first 16")), "{reasons:?}");
}

/// All bodies share one limit of work, not of time, so that all machines give the same results.
#[test]
fn a_thousand_goals_and_three_bodies_are_answered_in_bounded_time() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut rows = vec![vec![b'.'; 120]; 120];
    for _ in 0..1_400 {
        rows[random.usize(0..120)][random.usize(0..120)] = b'#';
    }
    rows[2][..8].fill(b'#');
    rows[0][..8].fill(b'.');
    rows[1][..8].fill(b'.');
    let rows: Vec<&str> = rows.iter().map(|row| std::str::from_utf8(row).unwrap()).collect();
    let mut objects = point(1, "player", 24, 24);
    for id in 10..1_010 {
        let place = [(); 2].map(|()| random.i32(0..120 * TILE as i32));
        objects += &point(id, &format!("exit {id}"), place[0], place[1]);
    }
    let mut options = options(side([12, 20], 44.0, 0.35), UVec2::new(12, 20));
    for size in [UVec2::new(10, 14), UVec2::new(14, 28)] {
        let moves = Some(side(size.into(), 30.0, 0.3));
        options.bodies.push(BodySpec { moves, ..BodySpec::new("other", size) });
    }
    let text = map(&rows, &objects);
    // Other tests run at the same time.
    let start = processor_time("thread-self");
    let first = check(&text, &options);
    let took = processor_time("thread-self").zip(start).map(|(end, start)| end - start);
    println!("{took:?}");
    assert!(took.is_none_or(|took| took.as_secs() < 10), "{took:?}");
    let words = |report: &Report| {
        let findings = report.findings.iter().map(|finding| finding.headline.clone());
        findings.chain(report.skipped.iter().map(|it| it.reason.to_string())).collect::<Vec<_>>()
    };
    assert!(words(&first).iter().any(|it| it.contains("only the first 256")), "{first:?}");
    assert_eq!(words(&check(&text, &options)), words(&first));
}

#[test]
fn annotate_writes_paths_and_places_as_a_map_for_tiled() {
    let rows = ["########", "#...#..#", "#...#..#", "########"];
    let text = map(&rows, &(point(3, "player", 24, 40) + &point(4, "exit", 104, 40)));
    let config = "[[verify.body]]\nname = 'hero'\nsize = '12x12'\nmoves = { view = 'top' }\n\
                  [[verify.marker]]\nname = 'exit'\nrole = 'goal'\n";
    let folder = folder(&[("maps/a.tmx", &text), ("bitwall.toml", config), (".git/HEAD", "")]);
    let root = folder.path();
    let (code, out, err) = bitwall_in(root, &["verify", "--annotate", "out"], "");
    assert!(code == 1 && out.contains("NAV401"), "{out}{err}");
    assert!(err.contains("out/maps/a.tmx-findings.png: 1 finding\n"), "{err}");
    assert!(
        err.contains("out/maps/a.tmx-findings.xml: their places and paths, for Tiled\n"),
        "{err}"
    );
    let written = std::fs::read(root.join("out/maps/a.tmx-findings.xml")).unwrap();
    let none = |path: &std::path::Path| Err(std::io::Error::other(path.display().to_string()));
    let map = Map::decode("a.tmx", &written, none, &Limits::default()).unwrap();
    let [behind, objects] = &map.layers[..] else { panic!("{map:?}") };
    let LayerContent::Image(behind) = &behind.content else { panic!("{map:?}") };
    let behind =
        root.join("out/maps").join(behind.image.as_ref().unwrap().path.file_name().unwrap());
    let size = bitwall::load::load_picture(&behind).unwrap().dimensions();
    assert_eq!(size, (128, 64), "the whole level, at the place of its pixels");
    let LayerContent::Objects(layer) = &objects.content else { panic!("{map:?}") };
    let [area, path] = &*layer.objects else { panic!("{layer:?}") };
    assert_eq!((&*area.name, &*path.name), ("NAV401", "NAV401"));
    assert!(matches!(&path.shape, Shape::Polyline(points) if points.len() > 1), "{path:?}");
    // The next run must not check these maps, even in a folder that existed before.
    std::fs::remove_file(root.join("out/.gitignore")).unwrap();
    let (_, again, err) = bitwall_in(root, &["verify", "--format", "concise"], "");
    assert!(!again.contains("out/"), "{again}{err}");
}
