//! Which goals a body reaches: the levels of a designer, views from above beside a naive search, objects that
//! may open a way, required goals, the limit of work, places that a body does not leave, and their pictures.

use std::collections::HashSet;

use bitwall::character::Feel;
use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::navigate::Jumper;
use bitwall::{Aabb, Dir, Level, LoadOptions, LoadedLevel, Rate};
use bitwall_cli::lint::{
    BodySpec, MarkerRole, MarkerSpec, Moves, Report, RuleLevel, VerifyOptions, verify_bytes,
};

use crate::shared::{bitwall_in, folder};
use crate::support;

/// A body that jumps 44 px high in 0.35 s and runs 120 px/s, without wall jumps and ledges.
fn hero() -> Feel {
    Feel { top_speed: 120.0, wall_jump: Vec2::ZERO, ledge_reach: 0, ..Feel::default() }
}

fn options(feel: Feel) -> VerifyOptions {
    let size = UVec2::new(12, 24);
    let jumper = Jumper::new(size, feel, Rate::per_second(60));
    let moves = Some(Moves::Side(Box::new(jumper)));
    VerifyOptions {
        bodies: vec![BodySpec { moves, ..BodySpec::new("hero", size) }],
        markers: vec![
            MarkerSpec::new("player", MarkerRole::Spawn),
            MarkerSpec::new("goal", MarkerRole::Goal),
        ],
        ..VerifyOptions::default()
    }
}

/// A map of 16 px tiles: `#` is solid, `^` a one-way floor. `P` is a player and `G` a goal, with their feet on
/// the lower side of the tile.
fn map(rows: &[String], more: &str) -> String {
    let (width, height) = (rows[0].len(), rows.len());
    let layer = |tile| {
        let cells = rows.iter().flat_map(|row| row.chars());
        let cells: Vec<&str> = cells.map(|it| if it == tile { "1" } else { "0" }).collect();
        cells.join(",")
    };
    let mut objects = String::new();
    for (y, row) in rows.iter().enumerate() {
        for (x, name) in row.chars().enumerate() {
            let name = match name {
                'P' => "player",
                'G' => "goal",
                _ => continue,
            };
            let (id, x, y) = (y * width + x + 1, x * 16 + 8, y * 16 + 16);
            objects +=
                &format!(r#"<object id="{id}" name="{name}" x="{x}" y="{y}"><point/></object>"#);
        }
    }
    format!(
        r#"<map orientation="orthogonal" width="{width}" height="{height}" tilewidth="16" tileheight="16">
<tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="1" columns="1"><tile id="0"/></tileset>
<layer id="1" name="Collision" width="{width}" height="{height}"><data encoding="csv">{}</data></layer>
<layer id="2" name="Floors" width="{width}" height="{height}"><properties><property name="one_way" type="bool" value="true"/></properties><data encoding="csv">{}</data></layer>
<objectgroup id="3" name="places">{objects}{more}</objectgroup>
</map>"#,
        layer('#'),
        layer('^'),
    )
}

/// A floor, a pit of `gap` tiles, and a goal behind it on a floor that is `rise` tiles higher.
fn pit(gap: usize, rise: usize) -> Vec<String> {
    let mut rows = vec![vec![b'.'; 60]; 20];
    for (y, row) in rows.iter_mut().enumerate() {
        for (x, tile) in row.iter_mut().enumerate() {
            let is_solid = x < 10 && y >= 15 || x >= 10 + gap && y >= 15 - rise;
            *tile = if is_solid { b'#' } else { b'.' };
        }
    }
    rows[14][2] = b'P';
    rows[14 - rise][13 + gap] = b'G';
    texts(rows)
}

/// One-way ledges on two sides of a shaft, `gap` tiles apart and each two tiles higher.
fn shaft(gap: usize) -> Vec<String> {
    let mut rows = vec![vec![b'.'; 24]; 30];
    for row in &mut rows {
        (row[0], row[23]) = (b'#', b'#');
    }
    rows[29].fill(b'#');
    let (mut y, mut is_right) = (27, false);
    while y > 4 {
        let columns = if is_right { 5 + gap..(9 + gap).min(23) } else { 1..5 };
        rows[y][columns].fill(b'^');
        (y, is_right) = (y - 2, !is_right);
    }
    rows[28][2] = b'P';
    rows[y + 1][if is_right { 2 } else { 6 + gap }] = b'G';
    texts(rows)
}

fn texts(rows: Vec<Vec<u8>>) -> Vec<String> {
    rows.into_iter().map(|row| String::from_utf8(row).unwrap()).collect()
}

fn check(rows: &[String], options: &VerifyOptions) -> Report {
    verify_bytes("a.tmx", map(rows, "").as_bytes(), options)
}

/// The notes of the finding that a goal is out of reach; `None` if it is reached. Panics if it is undecided.
fn barred(report: &Report) -> Option<&[String]> {
    let undecided = causes(report);
    assert!(undecided.is_empty(), "{undecided:?}");
    let mut found = report.findings.iter().filter(|finding| finding.rule.code == "NAV401");
    found.next().map(|finding| &*finding.notes)
}

/// The causes for which goals are undecided.
fn causes(report: &Report) -> Vec<String> {
    let skipped = report.skipped.iter().filter(|it| it.rule.code.starts_with("NAV"));
    skipped.map(|it| it.reason.to_string()).collect()
}

#[test]
fn the_levels_of_a_designer_are_all_decided_with_the_right_obstacle() {
    let options = options(hero());
    for gap in [2, 4, 5, 6, 7, 8, 10, 12, 16, 20, 30] {
        let report = check(&pit(gap, 0), &options);
        let notes = barred(&report);
        assert_eq!(notes.is_none(), gap <= 6, "{gap}: {report:?}");
        if let Some(notes) = notes {
            let (jump, wide) = ("the jump of `hero` (12 x 24 px) is 110 px wide", gap * 16);
            assert_eq!(notes[0], format!("{jump}, the pit {wide}"));
            let ends =
                format!("the way ends at col 10, row 14; the next place is at col {}", 9 + gap);
            assert_eq!(notes[1], format!("{ends}, row 14"));
        }
    }
    for rise in [1, 2, 3, 4] {
        let report = check(&pit(3, rise), &options);
        let notes = barred(&report);
        assert_eq!(notes.is_none(), rise <= 3, "{rise}: {report:?}");
        let high = "`hero` (12 x 24 px) rises at most 51 px at once, the step is 64 px high";
        assert!(notes.is_none_or(|notes| notes[0] == high), "{notes:?}");
    }
    for gap in [1, 2, 3, 4, 5, 6, 8] {
        let report = check(&shaft(gap), &options);
        let notes = barred(&report);
        assert_eq!(notes.is_none(), gap <= 5, "{gap}: {report:?}");
        let wide = format!("the jump of `hero` (12 x 24 px) is 94 px wide, the pit {}", gap * 16);
        assert!(notes.is_none_or(|notes| notes[0] == wide), "{notes:?}");
    }
}

#[test]
fn the_finding_has_the_place_of_the_goal_and_a_line_over_the_pit() {
    let report = check(&pit(10, 0), &options(hero()));
    let finding = &report.findings[0];
    assert_eq!(finding.headline, "`goal` cannot be reached");
    assert_eq!(finding.place.cell, Some((23, 15)), "that of the goal");
    let [from, to] = *finding.trace else { panic!("{finding:?}") };
    assert_eq!((from.x, to.x), (165, 315), "a pixel of the body is on each floor");
    assert!(finding.area.unwrap().overlaps(Aabb::from_xywh(160, 216, 160, 24)), "{finding:?}");
}

#[test]
fn an_object_that_may_open_a_way_makes_a_goal_undecided_and_is_named() {
    let rows = pit(10, 0);
    let named = |rows: &[String], name: &str| {
        let object =
            format!(r#"<object id="9999" name="{name}" x="200" y="100"><point/></object>"#);
        map(rows, &object)
    };
    let mut options = options(hero());
    for (name, is_named) in [("Lift 2", true), ("blob", false), ("blob 2", false)] {
        let report = verify_bytes("a.tmx", named(&rows, name).as_bytes(), &options);
        let causes = causes(&report);
        assert_eq!(report.findings.is_empty(), is_named, "{name}: {report:?}");
        let cause = format!("`goal`: `{name}` may open a way, which the moves do not know");
        assert_eq!(causes, if is_named { vec![cause] } else { vec![] }, "{name}");
    }
    options.markers.push(MarkerSpec::new("blob*", MarkerRole::Helper));
    for name in ["blob", "blob 2"] {
        let report = verify_bytes("a.tmx", named(&rows, name).as_bytes(), &options);
        let cause = format!("`goal`: `{name}` may open a way, which the moves do not know");
        assert!(report.findings.is_empty() && causes(&report) == [cause], "{report:?}");
    }
    // A goal that is reached needs no help.
    let report = verify_bytes("a.tmx", named(&pit(4, 0), "Lift").as_bytes(), &options);
    assert!(report.findings.is_empty() && causes(&report).is_empty(), "{report:?}");
}

#[test]
fn an_undecided_goal_that_must_be_reached_is_an_error() {
    // A dash has no bound, so no pit is too wide for the proof.
    let rows = pit(30, 0);
    let dash = Feel { dash_speed: 60.0, ..hero() };
    let mut options = options(dash);
    let report = check(&rows, &options);
    assert!(report.findings.is_empty(), "{report:?}");
    let cause = "no way was found, and the body's moves have no bound";
    assert_eq!(causes(&report), [format!("`goal`: {cause}")]);
    options.markers[1].must_be_reached = true;
    let report = check(&rows, &options);
    let [finding] = &*report.findings else { panic!("{report:?}") };
    assert_eq!(finding.headline, "`goal` is required, and undecided");
    assert_eq!(finding.notes, [cause]);
    assert_eq!(finding.place.cell, Some((43, 15)));
    // It says nothing about a goal that is reached, or proven to be out of reach.
    for (rows, feel, findings) in [(pit(4, 0), hero(), 0), (pit(10, 0), hero(), 1)] {
        let options = VerifyOptions { bodies: self::options(feel).bodies, ..options.clone() };
        let report = check(&rows, &options);
        assert_eq!(report.findings.len(), findings, "{report:?}");
        assert!(report.findings.iter().all(|it| it.headline == "`goal` cannot be reached"));
    }
}

#[test]
fn less_work_makes_goals_undecided_and_no_answer_false() {
    for (rows, is_reached) in [(pit(6, 0), true), (pit(7, 0), false), (shaft(5), true)] {
        let mut decided = 0;
        for work in [0, 1, 100, 1_000, 10_000, 30_000, 100_000, 300_000, 3_000_000] {
            let options = VerifyOptions { reach_work: Some(work), ..options(hero()) };
            let report = check(&rows, &options);
            let causes = causes(&report);
            if causes.is_empty() {
                assert_eq!(report.findings.is_empty(), is_reached, "{work}: {report:?}");
                decided += 1;
            } else {
                assert_eq!(causes, ["`goal`: the search ended after its limit of work"], "{work}");
                assert!(report.findings.is_empty(), "{report:?}");
            }
            assert!(work > 0 || !causes.is_empty(), "{report:?}");
        }
        assert!(decided > 0);
    }
}

/// All positions that a body reaches in steps of one pixel.
fn every_walk(level: &Level, starts: &[Aabb]) -> HashSet<IVec2> {
    let mut seen = HashSet::new();
    let mut open: Vec<Aabb> = starts.iter().copied().filter(|it| !level.overlaps(*it)).collect();
    seen.extend(open.iter().map(|body| body.min));
    while let Some(body) = open.pop() {
        for dir in Dir::ALL {
            let next = body.shifted(dir, 1);
            if level.can_move(body, dir, 1) && seen.insert(next.min) {
                open.push(next);
            }
        }
    }
    seen
}

#[test]
fn a_view_from_above_agrees_with_a_walk_over_single_pixels() {
    let mut random = fastrand::Rng::with_seed(14);
    let mut counts = [0, 0];
    let size = UVec2::new(10, 14);
    let mut options = options(hero());
    options.bodies = vec![BodySpec { moves: Some(Moves::Above), ..BodySpec::new("hero", size) }];
    for round in 0..if support::is_long() { 600 } else { 120 } {
        let mut rows = vec![vec![b'.'; 8]; 6];
        for _ in 0..random.u32(12..34) {
            let tile = if round % 2 == 0 && random.bool() { b'^' } else { b'#' };
            rows[random.usize(0..6)][random.usize(0..8)] = tile;
        }
        rows[random.usize(0..6)][random.usize(0..4)] = b'P';
        rows[random.usize(0..6)][random.usize(4..8)] = b'G';
        let rows = texts(rows);
        let text = map(&rows, "");
        let nothing = |_: &std::path::Path| Err(std::io::Error::other("nothing"));
        let load = LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() };
        let loaded = LoadedLevel::decode("a.tmx", text.as_bytes(), nothing, &load).unwrap();
        let level = &loaded.level;
        let [player, goal] = ["player", "goal"].map(|name| level.marker(name).unwrap());
        let starts = bitwall::analyze::boxes_at(player, size);
        let target = Aabb { min: goal.area.min - 1, max: goal.area.min + 1 };
        let seen = every_walk(level, &starts);
        let over = |at: &IVec2| Aabb { min: *at, max: *at + size.as_ivec2() }.overlaps(target);
        let is_reached = seen.iter().any(over);
        let report = verify_bytes("a.tmx", text.as_bytes(), &options);
        if seen.is_empty() {
            assert_eq!(causes(&report), ["`goal`: the body has no place where it starts"]);
            continue;
        }
        assert_eq!(barred(&report).is_none(), is_reached, "{rows:#?} {report:?}");
        counts[usize::from(is_reached)] += 1;
    }
    assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
}

/// A goal beyond an open side of a level seen from above.
#[test]
fn a_goal_beyond_an_open_side_is_reached_from_above() {
    let rows = ["P...", "...."].map(str::to_owned);
    let mut options = options(hero());
    options.bodies[0].moves = Some(Moves::Above);
    options.load.allow_nothing_solid = true;
    for (x, y) in [(300, 10), (-90, 5), (20, -70), (20, 400)] {
        let goal = format!(r#"<object id="77" name="goal" x="{x}" y="{y}"><point/></object>"#);
        for (outside, is_reached) in
            [(bitwall::Outside::Open, true), (bitwall::Outside::Solid, false)]
        {
            options.load.outside = bitwall::Sides::all(outside);
            let report = verify_bytes("a.tmx", map(&rows, &goal).as_bytes(), &options);
            assert_eq!(barred(&report).is_none(), is_reached, "{x} {y} {report:?}");
        }
    }
}

#[test]
fn places_that_a_body_does_not_leave_are_found_if_they_are_asked_for() {
    let shallow: Vec<String> = pit(4, 0)[..17].to_vec();
    for (rows, feel, expected) in [
        (pit(4, 0), hero(), Some("this is proven")),
        (pit(10, 0), hero(), Some("this is proven")),
        (pit(4, 0), Feel { dash_speed: 60.0, ..hero() }, Some("no way was found")),
        (pit(4, 0), Feel { air_jumps: 1, ..hero() }, None),
        (shallow, hero(), None),
    ] {
        let mut options = options(feel);
        let of_rule = |report: &Report| {
            let found = report.findings.iter().filter(|finding| finding.rule.code == "NAV402");
            found.map(|finding| finding.notes[0].clone()).collect::<Vec<_>>()
        };
        assert!(of_rule(&check(&rows, &options)).is_empty(), "it is off by default");
        options.levels.set("soft-lock".parse().unwrap(), RuleLevel::On);
        let found = of_rule(&check(&rows, &options));
        let from = "from there `hero` (12 x 24 px) reaches neither a goal nor its start";
        let expected: Vec<String> =
            expected.map(|how| format!("{from}: {how}")).into_iter().collect();
        assert_eq!(found, expected, "{rows:#?}");
    }
}

#[test]
fn a_picture_shows_what_a_body_reaches_and_how() {
    let config = "[[verify.body]]\nname = 'hero'\nsize = '12x24'\n\
                  moves = { view = 'side', jump-height = 44, jump-time = 0.35, top-speed = 120 }\n\
                  [[verify.marker]]\nname = 'goal'\nrole = 'goal'\n";
    let files = [("a.tmx", map(&pit(6, 0), "")), ("b.tmx", map(&pit(7, 0), ""))];
    let files = files.each_ref().map(|(name, text)| (*name, &**text));
    let folder = folder(&[files[0], files[1], ("bitwall.toml", config), (".git/HEAD", "")]);
    let drawn = |name: &str| {
        let (code, _, err) =
            bitwall_in(folder.path(), &["render", name, "--reach", "-o", "out.png"], "");
        assert_eq!(code, 0, "{err}");
        bitwall::image::open(folder.path().join("out.png")).unwrap().into_rgba8()
    };
    let has = |picture: &bitwall::image::RgbaImage, x: u32, y: u32, color: [u8; 3]| {
        let near = (x - 4..x + 4).flat_map(|x| (y - 4..y + 4).map(move |y| (x, y)));
        near.into_iter().any(|(x, y)| picture.get_pixel(x, y).0[..3] == color)
    };
    let (green, orange, red) = ([0, 158, 115], [230, 159, 0], [213, 0, 60]);
    let picture = drawn("a.tmx");
    assert!(has(&picture, 100, 238, green) && has(&picture, 600, 238, green));
    assert!(has(&picture, 208, 200, orange), "the jump");
    assert!(has(&picture, 200, 318, red), "the pit");
    let picture = drawn("b.tmx");
    assert!(has(&picture, 100, 238, green) && !has(&picture, 600, 238, green));
    let run = |args: &[&str]| {
        bitwall_in(folder.path(), &[&["render", "a.tmx", "--reach"], args].concat(), "")
    };
    for (args, wrong) in [
        (&["--no-config"][..], "--reach needs a `[[verify.body]]` with `moves` from the side"),
        (&["--view", "art"], "--reach has no effect on --view art"),
    ] {
        let (code, _, err) = run(args);
        assert!(code == 2 && err.contains(wrong), "{err}");
    }
}
