//! Samples of every type that goes through a file.

use bitwall::analyze::{BarrierKind, Keys, ReachLimits, Unknown};
use bitwall::analyze::{
    CellKind, Connectivity, LevelDifference, MarkerChange, components, difference, free_space,
    joints, leak, near_gaps, skipped_solids,
};
use bitwall::character::{Feel, Input, Outcome, Platformer, Stance};
use bitwall::footprint::Footprint;
use bitwall::geometry::{Corners, Outside, Sides};
use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2};
use bitwall::load::{BakeOptions, Source, WarningCause};
use bitwall::mover::{MovePath, Response, Slope, WalkSpeed};
use bitwall::property::PropertyValue;
use bitwall::render::{ArtOptions, Overlay};
use bitwall::rules::{
    AreaRule, MaskPlane, MaskRule, PropertyIs, Setting, SolidRules, Suggestion, TileIds, TileRange,
};
use bitwall::shapes::{
    Capsule, Circle, Convex, ConvexPolygon, Rectangle, Sector, Segment, Touch, Triangle,
};
use bitwall::sweep::Hit;
use bitwall::tmx::{self, Decimal};
use bitwall::verify::{
    Baseline, BodySpec, Checked, Family, FileKind, KnownBy, MarkerRole, MarkerSpec, Need, RULES,
    Rule, RuleLevel, RuleSet, Selection, Severity, SkipReason, SolidShare, Summary, VerifyConfig,
    VerifyOptions, verify_file,
};
use bitwall::world::{BallHit, Body, BodyKind, Meeting, World};
use bitwall::{
    Aabb, Axis, Contact, Dir, Grid, Level, Limits, LoadOptions, LoadedLevel, Marker, Move, Mover,
    MoverSettings, Sweep, Terrain,
};

use crate::documents::{all_levels, all_maps, rich_map};
use crate::reach;
use crate::worlds::busy_world;
use crate::{copies, same};

/// A contact with a body.
fn of_body() -> Contact {
    let body = busy_world().iter().map(|(id, _)| id).next();
    Contact::new(IVec2::ONE, IVec2::NEG_Y).with_body(body.unwrap())
}

/// Two rooms, with a door of 8 px and a way in from the left.
fn walls() -> Terrain {
    let grid = Grid::from_text("#######\n...#..#\n.......\n...#..#\n#######").unwrap();
    Terrain::new(grid, UVec2::splat(8)).unwrap()
}

/// The difference of two levels with markers, of which one closes the door of the other.
fn changed() -> LevelDifference {
    let before = Level::new(walls()).with_markers(level().markers().to_vec());
    let mut after = Level::new(walls());
    after.fill(3..4, 2..3, true).unwrap();
    difference(&before, &after, &[UVec2::splat(6)], |_| true).unwrap()
}

/// A character that has jumped, and the outcome of its step.
fn jumped() -> (Platformer, Outcome) {
    let (mut player, mut mover) = (Platformer { coyote: 1, ..Platformer::default() }, moved().0);
    let input = Input { jump: true, ..Input::NONE };
    let outcome = player.step(&level(), &mut mover, input, &Feel::default());
    assert_eq!(outcome.jumped_from, Some(Stance::Air));
    (player, outcome)
}

/// Each type, and the round trip of its samples.
pub(crate) const TYPES: &[(&str, fn())] = &[
    // Geometry.
    ("Aabb", || same([boxed(), Aabb { min: IVec2::MAX, max: IVec2::MIN }])),
    ("Axis", || same([Axis::X, Axis::Y])),
    ("Dir", || same(Dir::ALL)),
    ("Sides", || same([Sides { left: 1, right: 2, up: 3, down: u32::MAX }])),
    ("Outside", || same([Outside::Solid, Outside::Open])),
    ("Corners", || same([Corners::Block, Corners::Pass])),
    ("Decimal", || same([Decimal::ZERO, Decimal::from_millionths(i64::MIN)])),
    ("Point", || same(all_maps().iter().map(|map| map.parallax_origin))),
    // Facts of a level.
    ("CellKind", || same([CellKind::Solid, CellKind::Passable])),
    ("Connectivity", || same([Connectivity::Four, Connectivity::Eight])),
    ("Component", || {
        let parts = components(level().grid(), CellKind::Solid, Connectivity::Eight).unwrap();
        same(parts.parts().iter().copied());
    }),
    ("FreeArea", || same(free_space(&walls(), UVec2::splat(9)).unwrap().areas().iter().copied())),
    ("Gap", || {
        let free = free_space(&walls(), UVec2::splat(9)).unwrap();
        same(near_gaps(&walls(), &free, 2).unwrap());
    }),
    ("ThinSolid", || {
        let wall = Grid::from_text(&["....#...."; 9].join("\n")).unwrap();
        let wall = Terrain::new(wall, UVec2::ONE).unwrap();
        same(skipped_solids(&wall, UVec2::ONE, 4).unwrap());
    }),
    ("Joint", || same(joints(&Grid::from_text("#.\n.#").unwrap()).unwrap())),
    ("Leak", || same(leak(&walls(), UVec2::ONE, IVec2::new(9, 9)).unwrap())),
    ("LevelDifference", || same([changed()])),
    ("Patch", || same(changed().patches)),
    ("BodyDifference", || same(changed().bodies)),
    ("Passage", || same(changed().bodies.into_iter().flat_map(|body| body.closed))),
    ("MarkerDifference", || same(changed().markers)),
    ("MarkerChange", || same([MarkerChange::Added, MarkerChange::Moved(IVec2::MIN)])),
    // Shapes.
    ("Touch", || same([Touch::Counts, Touch::Ignored])),
    ("Rectangle", || {
        same([Rectangle { min: IVec2::MIN, max: IVec2::MAX }]);
        same([Rectangle { min: Vec2::new(0.1, -3e38), max: Vec2::splat(f32::MIN_POSITIVE) }]);
    }),
    ("Circle", || {
        same([Circle { center: IVec2::NEG_X, radius: -1 }]);
        same([Circle { center: Vec2::new(0.1, 0.2), radius: 0.3 }]);
    }),
    ("Capsule", || same([Capsule { start: IVec2::ZERO, end: IVec2::X, radius: 7 }])),
    ("Segment", || same([Segment { start: IVec2::ZERO, end: IVec2::MIN }])),
    ("Triangle", || same([Triangle { points: [Vec2::ZERO, Vec2::X, Vec2::NEG_Y] }])),
    ("Sector", || {
        let (from, to) = (IVec2::X, IVec2::NEG_Y);
        same([Sector { center: IVec2::ONE, radius: 9, from, to }]);
    }),
    ("ConvexPolygon", || {
        let kite = [(0, 0), (4, -3), (8, 0), (4, 9)].map(IVec2::from);
        same([ConvexPolygon::new(&kite).unwrap()]);
        same([ConvexPolygon::new(&kite.map(|corner| corner.as_vec2() / 3.0)).unwrap()]);
    }),
    ("SweptOverlap", || {
        let (one, two) = circles();
        same([
            one.swept_overlap(IVec2::new(30, 7), &two, Touch::Counts).unwrap(),
            two.swept_overlap(IVec2::X, &two, Touch::Counts).unwrap(),
        ]);
    }),
    ("PushOut", || {
        let (one, two) = circles();
        same([Circle { center: IVec2::new(9, 3), ..one }.push_out(&two).unwrap()]);
        let of_floats = |circle: Circle<IVec2>| Circle {
            center: circle.center.as_vec2() / 7.0,
            radius: circle.radius as f32,
        };
        same([of_floats(one).push_out(&of_floats(two)).unwrap()]);
    }),
    // Grid, sweep, footprint and level.
    ("Grid", || same(["#", "##..#....#\n....#....."].map(|text| Grid::from_text(text).unwrap()))),
    ("Terrain", || {
        for copy in copies(level().terrain()) {
            assert_eq!(format!("{copy:?}"), format!("{:?}", level().terrain()));
            assert_eq!(copy.one_way(Dir::Up), level().one_way(Dir::Up));
        }
    }),
    ("Sweep", || same([Sweep::clear(3), level().sweep(boxed(), Dir::Down, 500)])),
    ("Contact", || same([Contact::new(IVec2::MIN, IVec2::X), of_body()])),
    ("Hit", || same([Contact::new(IVec2::MIN, IVec2::X).hit(), of_body().hit()])),
    ("RayHit", || same(level().ray(IVec2::new(3, 3), IVec2::new(90, 77), Corners::Block))),
    ("NearestSolid", || same(level().nearest_solid(IVec2::new(3, 3), 500))),
    ("Footprint", || {
        same([Footprint::circle(9).unwrap(), Footprint::rectangle(UVec2::new(1, 4_096)).unwrap()]);
    }),
    ("Level", || {
        for copy in copies(&level()) {
            assert_eq!(format!("{copy:?}"), format!("{:?}", level()));
            assert_eq!(copy.origin(), level().origin());
        }
    }),
    ("Marker", || same(markers())),
    ("PropertyValue", || same(values())),
    // Movers and worlds.
    ("MovePath", || {
        let straight = MovePath::Straight(Corners::Pass);
        same([MovePath::XThenY, MovePath::YThenX, straight]);
    }),
    ("Response", || {
        let bounce = Response::Bounce { restitution: 255 };
        same([Response::Stop, Response::Slide, bounce, Response::Cross]);
    }),
    ("MoverSettings", || {
        same([MoverSettings::PLAIN, MoverSettings::platformer(), MoverSettings::top_down()]);
    }),
    ("Slope", || same([Slope::VERTICAL, Slope { rise: 0, run: u16::MAX }])),
    ("WalkSpeed", || same([WalkSpeed::AlongAxis, WalkSpeed::AlongSlope])),
    ("Mover", || same([moved().0])),
    ("Move", || same([moved().1, bounced_off_a_slope()])),
    ("Feel", || same([Feel::default(), Feel { released_speed: None, ..Feel::from_jump(1, 2) }])),
    ("Input", || same([Input::NONE, Input { x: i8::MIN, y: 50, jump: true }])),
    ("Outcome", || same([jumped().1])),
    ("Platformer", || same([Platformer::default(), jumped().0])),
    ("Stance", || {
        let sides = [Stance::WallSlide, Stance::Ledge, Stance::LedgeClimb].map(|of| of(Dir::Left));
        same(sides);
        same([Stance::Ground, Stance::Air, Stance::Ladder, Stance::Water]);
    }),
    ("Body", || same(busy_world().iter().map(|(_, body)| *body))),
    ("BodyKind", || same(busy_world().iter().map(|(_, body)| body.kind))),
    ("Character", || {
        same(busy_world().iter().filter_map(|(_, body)| match body.kind {
            BodyKind::Character(character) => Some(character),
            _ => None,
        }));
    }),
    ("Ball", || {
        same(busy_world().iter().filter_map(|(_, body)| match body.kind {
            BodyKind::Ball(ball) => Some(ball),
            _ => None,
        }));
    }),
    ("BodyId", || same(busy_world().iter().map(|(id, _)| id))),
    ("Platform", || {
        let belt = Body::one_way_platform(boxed()).with_belt(Vec2::new(0.5, -3.0)).unwrap();
        same([belt.kind]);
    }),
    ("Meeting", || {
        let id = busy_world().iter().map(|(id, _)| id).next().unwrap();
        let sides = [None, Some(Dir::Up)];
        same(sides.map(|side| Meeting { watcher: id, body: id, side }));
    }),
    ("BallHit", || {
        let ball = busy_world().iter().map(|(id, _)| id).next().unwrap();
        let hits = [Hit::Cell(IVec2::new(-3, 4)), Hit::Body(ball)];
        same(hits.map(|hit| BallHit { ball, hit, normal: IVec2::new(-65_536, 0) }));
    }),
    ("Event", || same(busy_world().events().iter().copied())),
    ("World", || same([World::new(), busy_world()])),
    // Options and rules.
    ("LoadOptions", || {
        copies(&LoadOptions::default());
        copies(&options());
    }),
    ("Limits", || same([Limits::default()])),
    ("SolidRules", || same([SolidRules::default(), options().solid_rules])),
    ("AreaRule", || same(options().areas)),
    ("MaskRule", || {
        let rules = ["dark=1", "light=200", "opaque=3", "#ff0000,#00ff00"];
        same(rules.map(|rule| rule.parse::<MaskRule>().unwrap()));
    }),
    ("MaskPlane", || same(options().planes)),
    ("PropertyIs", || same([PropertyIs::new("terrain", "lava")])),
    ("TileIds", || same([TileIds::new("cave", 3..=u32::MAX)])),
    ("Space", || same([tmx::Space::Map, tmx::Space::Screen])),
    // Tiled's documents.
    ("Map", || same(all_maps())),
    ("Orientation", || same(all_maps().into_iter().map(|map| map.orientation))),
    ("StaggerAxis", || same([tmx::StaggerAxis::X, tmx::StaggerAxis::Y])),
    ("StaggerIndex", || same([tmx::StaggerIndex::Odd, tmx::StaggerIndex::Even])),
    ("RenderOrder", || same([tmx::RenderOrder { leftward: true, upward: false }])),
    ("Unknown", || same(rich_map().unknown)),
    ("Tileset", || same(rich_map().tilesets)),
    ("Tile", || same(rich_map().tilesets.remove(0).tiles.into_values())),
    ("Frame", || same([tmx::Frame { tile: 3, duration: u32::MAX }])),
    ("Image", || same(rich_map().images().cloned())),
    ("Alignment", || same([tmx::Alignment::Unspecified, tmx::Alignment::BottomRight])),
    ("Layer", || same(rich_map().layers)),
    ("LayerContent", || same(rich_map().layers.into_iter().map(|layer| layer.content))),
    ("LayerKind", || same(rich_map().layers.iter().map(|layer| layer.content.kind()))),
    ("TileLayer", || same(rich_map().layers.into_iter().filter_map(tiles))),
    ("CellBlock", || same(rich_map().layers.into_iter().filter_map(tiles).flat_map(|t| t.blocks))),
    ("ObjectLayer", || same(rich_map().layers.into_iter().filter_map(objects))),
    ("ImageLayer", || {
        same(rich_map().layers.into_iter().filter_map(|layer| match layer.content {
            tmx::LayerContent::Image(image) => Some(image),
            _ => None,
        }));
    }),
    ("BlendMode", || same([tmx::BlendMode::Normal, tmx::BlendMode::ColorDodge])),
    ("Object", || same(all_objects())),
    ("Shape", || same(all_objects().into_iter().map(|object| object.shape))),
    ("Property", || same(rich_map().properties.into_values())),
    ("World", || same(all_worlds_of_tiled())),
    ("WorldMap", || same(all_worlds_of_tiled().into_iter().flat_map(|world| world.maps))),
    ("WorldPattern", || same(all_worlds_of_tiled().into_iter().flat_map(|world| world.patterns))),
    ("PlacedMap", || same(all_levels().into_iter().flat_map(|loaded| loaded.maps))),
    ("Projection", || same(all_maps().iter().map(tmx::Map::projection))),
    // The facts of a load.
    ("LoadedLevel", || all_levels().iter().for_each(|loaded| drop(copies(loaded)))),
    ("Source", || same(all_levels().into_iter().map(|loaded| loaded.source))),
    ("BakedSource", || {
        same(all_levels().into_iter().filter_map(|loaded| match loaded.source {
            Source::Baked(source) => Some(source),
            _ => None,
        }));
    }),
    ("BakeOptions", || {
        same([BakeOptions::default(), BakeOptions::default().with_provenance(true)])
    }),
    ("MapSource", || same(sources().0)),
    ("WorldSource", || same(sources().1)),
    ("WorldPart", || same(sources().1.into_iter().flat_map(|world| world.maps))),
    ("LayerSource", || same(sources().0.into_iter().flat_map(|map| map.layers))),
    ("SolidCount", || same(sources().0.into_iter().flat_map(|map| map.solids))),
    ("MaskSource", || same(sources().2)),
    ("MaskCounts", || same(sources().2.into_iter().map(|mask| mask.counts))),
    ("Reference", || same(all_references())),
    ("ReferenceKind", || same(all_references().into_iter().map(|reference| reference.kind))),
    ("Provenance", || {
        let loaded = all_levels();
        let provenances = loaded.iter().flat_map(|loaded| {
            let mut explainer = loaded.explainer();
            let cells = (0..20).flat_map(|row| (0..20).map(move |column| IVec2::new(column, row)));
            cells.filter_map(move |cell| explainer.provenance(cell)).collect::<Vec<_>>()
        });
        same(provenances);
    }),
    ("LoadWarning", || same(warnings())),
    ("WarningCause", || {
        same([WarningCause::Fault, WarningCause::TextFlag, WarningCause::SolidPicture]);
        same([WarningCause::EmptyArea, WarningCause::EmptyLayer]);
    }),
    ("Suggestion", || same(suggestions())),
    ("Setting", || same(suggestions().into_iter().flat_map(|found| found.options))),
    ("TileRange", || same([TileRange::new("t", None), TileRange::new("t", Some((1, 3)))])),
    ("Place", || same(warnings().into_iter().map(|warning| warning.place))),
    // Verify and render.
    ("Finding", || findings().iter().for_each(|finding| drop(copies(finding)))),
    ("FaultGroup", || same(findings().into_iter().filter_map(|finding| finding.group))),
    ("Rule", || {
        for rule in RULES.iter() {
            let copies = copies::<&'static Rule>(rule);
            assert!(copies.iter().all(|copy| std::ptr::eq(*copy, *rule)));
        }
    }),
    ("FixChange", || same(fixes())),
    ("FixKind", || same(fixes().into_iter().map(|change| change.kind))),
    ("Severity", || same([Severity::Error, Severity::Warning])),
    ("Excerpt", || same(findings().into_iter().filter_map(|finding| finding.excerpt))),
    ("Summary", || same([Summary::new(3, &findings())])),
    ("VerifyOptions", || {
        let mut options = VerifyOptions::default();
        (options.size, options.tile) = (Some(UVec2::new(640, 400)), Some(UVec2::new(8, 5)));
        (options.levels, options.load) = (selection(), self::options());
        copies(&options);
    }),
    ("VerifyConfig", || drop(copies(&verify_config()))),
    ("MaskPair", || same(verify_config().pairs)),
    ("PathRules", || drop(copies(&verify_config().per_path))),
    ("Selection", || drop(copies(&selection()))),
    ("RuleSet", || drop(copies(&vec![RuleSet::All, RuleSet::One(RULES[2])]))),
    ("Family", || same(Family::ALL)),
    ("RuleLevel", || {
        same([RuleLevel::Off, RuleLevel::On, RuleLevel::Warning, RuleLevel::Error]);
    }),
    ("FileKind", || same([FileKind::Any, FileKind::Map, FileKind::Mask, FileKind::Config])),
    ("Need", || {
        same([
            Need::Body,
            Need::TopSpeed,
            Need::Moves,
            Need::Spawn,
            Need::Goal,
            Need::Marker,
            Need::Art,
            Need::Base,
        ]);
    }),
    ("Report", || drop(copies(&verify_file("assets/no_such.png", &VerifyOptions::default())))),
    ("Skipped", || {
        let options = VerifyOptions::default();
        drop(copies(&verify_file("assets/cave.tmx", &options).skipped));
    }),
    ("SkipReason", || {
        same([SkipReason::Needs(Need::Body), SkipReason::Unknown("too many cells".to_owned())]);
    }),
    ("Checked", || drop(copies(&checked()))),
    ("Reported", || drop(copies(&checked().findings))),
    ("SkippedRule", || drop(copies(&checked().skipped))),
    ("Known", || {
        let known = checked().since(&Baseline::of(&checked()), |_| false).known;
        same(known);
    }),
    ("KnownBy", || same([KnownBy::Baseline, KnownBy::Revision, KnownBy::Both])),
    ("SolidShare", || same([SolidShare::new(3, 9)])),
    ("BodySpec", || same(verify_config().options.bodies)),
    ("MarkerSpec", || same(verify_config().options.markers)),
    ("MarkerRole", || {
        same([MarkerRole::Spawn, MarkerRole::Goal, MarkerRole::Pickup, MarkerRole::Other]);
    }),
    // Where a body gets.
    ("MoveSet", || same(reach::moves())),
    ("PlatformerMoves", || same(reach::platformers())),
    ("Reach", || same(reach::answers())),
    ("ReachLimits", || same([ReachLimits::default().with_steps(9).with_traps()])),
    ("Verdict", || same(reach::verdicts())),
    ("Unknown", || {
        same([Unknown::NoStart, Unknown::NotFound, Unknown::Steps, Unknown::OneWay]);
        same([Unknown::Unbounded]);
    }),
    ("Witness", || same(reach::witnesses())),
    ("Leg", || same(reach::witnesses().into_iter().flat_map(|witness| witness.legs))),
    ("Keys", || same([Keys::Walk(IVec2::NEG_X), Keys::Press(Input::NONE)])),
    ("Barrier", || same(reach::barriers())),
    ("BarrierKind", || {
        same([BarrierKind::Solid { cells: 3 }, BarrierKind::Gap { by: 1 }, BarrierKind::OneWay]);
        same([BarrierKind::Height { needed: 80, rise: 49 }]);
    }),
    ("Overlay", || {
        same([
            Overlay::new(3).with_legend(true).with_grid(true),
            Overlay::new(1).with_sweep(boxed(), Dir::Up, u32::MAX),
        ]);
    }),
    ("ArtOptions", || same([ArtOptions::AS_TILED, ArtOptions::default()])),
];

fn boxed() -> Aabb {
    Aabb::from_xywh(20, 3, 12, 20)
}

fn circles() -> (Circle<IVec2>, Circle<IVec2>) {
    let two = Circle { center: IVec2::new(10, 0), radius: 7 };
    (Circle { center: IVec2::new(-14, -3), radius: 3 }, two)
}

/// A level with all that one can have.
fn level() -> Level {
    let grid = |text| Grid::from_text(text).unwrap();
    let water = Terrain::new(grid("..##"), UVec2::new(9, 1)).unwrap();
    let outside = Sides::all(Outside::Open).with(Dir::Down, Outside::Solid);
    let level = Level::from_grid(grid("......\n......\n.....#"), UVec2::new(16, 8)).unwrap();
    let level = level.with_one_way(Dir::Up, grid("......\n..#...\n......")).unwrap();
    level
        .with_outside(outside)
        .with_area("water", water.clone())
        .with_solid_area("glass", water, 1 << 63)
        .with_markers(markers())
        .with_origin(IVec2::new(-5, 7))
}

fn moved() -> (Mover, Move) {
    let mut mover = Mover::new(boxed(), MoverSettings::platformer());
    mover.settings.response = Response::Bounce { restitution: 70 };
    let step = mover.step_subpixels(&level(), I64Vec2::new(3_276_801, 1_234_567));
    assert!(step.is_stopped() && mover.subpixel != IVec2::ZERO, "{mover:?} {step:?}");
    (mover, step)
}

fn bounced_off_a_slope() -> Move {
    let slope = Grid::from_text("....#\n...##\n..###\n.####\n#####").unwrap();
    let settings =
        MoverSettings { response: Response::Bounce { restitution: 70 }, ..MoverSettings::PLAIN };
    let mut ball = Mover::new(Aabb::from_xywh(2, -4, 1, 1), settings);
    let level = Level::from_grid(slope, UVec2::ONE).unwrap().with_outside(Outside::Open);
    let step = ball.step_subpixels(&level, I64Vec2::new(0, 10 << 16));
    assert_eq!(step.slanted_bounce(), Some(IVec2::NEG_ONE));
    step
}

fn markers() -> Vec<Marker> {
    all_levels().iter().flat_map(|loaded| loaded.level.markers().to_vec()).collect()
}

/// A value of each kind, with values inside values.
fn values() -> Vec<PropertyValue> {
    let plain = [
        PropertyValue::Bool(true),
        PropertyValue::Int(i32::MIN),
        PropertyValue::Float(0.1),
        PropertyValue::Text("a\n\u{1b}".to_owned()),
        PropertyValue::Color("#ff102030".to_owned()),
        PropertyValue::Object(u32::MAX),
    ];
    let list = PropertyValue::List(plain.to_vec());
    let members = [("a".to_owned(), list.clone()), (String::new(), list.clone())].into();
    let class = PropertyValue::Class { class: "Wall".to_owned(), members };
    plain.into_iter().chain([list, class]).collect()
}

fn options() -> LoadOptions {
    let hazard = AreaRule::named("hazard").with_value("terrain", "lava").with_tiles("cave", 3..=9);
    let mut options = LoadOptions::default()
        .with_outside(Outside::Open)
        .with_mask_rule(MaskRule::Colors(vec![[1, 2, 255]]))
        .with_solid_rules(SolidRules::default().with_solid_tiles("dungeon", 12..=15))
        .with_area(hazard)
        .with_root("assets");
    options.planes = vec![MaskPlane::new("water", [0, 0, 255])];
    options.space = tmx::Space::Screen;
    options
}

fn tiles(layer: tmx::Layer) -> Option<tmx::TileLayer> {
    match layer.content {
        tmx::LayerContent::Tiles(tiles) => Some(tiles),
        _ => None,
    }
}

fn objects(layer: tmx::Layer) -> Option<tmx::ObjectLayer> {
    match layer.content {
        tmx::LayerContent::Objects(objects) => Some(objects),
        _ => None,
    }
}

fn all_objects() -> Vec<tmx::Object> {
    let layers = all_maps().into_iter().flat_map(|map| map.layers);
    layers.filter_map(objects).flat_map(|layer| layer.objects).collect()
}

fn all_worlds_of_tiled() -> Vec<tmx::World> {
    let file = br#"{"maps": [{"fileName": "cave.tmx", "x": 320, "y": -64}],
        "patterns": [{"regexp": "room_(\\d+)_(\\d+)\\.tmx", "multiplierX": 160, "offsetY": -9}]}"#;
    vec![tmx::World::default(), tmx::World::decode(file, &Limits::default()).unwrap()]
}

/// The facts of maps, of worlds and of masks.
fn sources()
-> (Vec<bitwall::load::MapSource>, Vec<bitwall::load::WorldSource>, Vec<bitwall::mask::MaskSource>)
{
    let mut all = (Vec::new(), Vec::new(), Vec::new());
    for loaded in all_levels() {
        match loaded.source {
            Source::Map(map) => all.0.push(map),
            Source::World(world) => all.1.push(world),
            Source::Mask(mask) => all.2.push(mask),
            Source::Baked(_) => {}
            other => panic!("{other:?}"),
        }
    }
    all
}

fn all_references() -> Vec<bitwall::load::Reference> {
    let path = "assets/cave.tmx";
    bitwall::load::references(path, &std::fs::read(path).unwrap())
}

fn warnings() -> Vec<bitwall::load::LoadWarning> {
    all_levels().into_iter().flat_map(|loaded: LoadedLevel| loaded.warnings).collect()
}

/// Those for the levels with a rule by which nothing is solid, and settings of the other kinds.
fn suggestions() -> Vec<Suggestion> {
    let rules = SolidRules::none();
    let options = LoadOptions::default().with_solid_rules(rules).with_nothing_solid_allowed(true);
    let options = options.with_lenient(true);
    let all = all_levels().into_iter().flat_map(|loaded| {
        let maps = loaded.maps.into_iter().map(|placed| (*placed.map).clone());
        maps.flat_map(|map| LoadedLevel::from_map(map, &options).unwrap().suggestions(None))
            .collect::<Vec<_>>()
    });
    let mut all: Vec<Suggestion> = all.collect();
    let word = || "word".to_owned();
    all[0].options.extend([
        Setting::WalkableLayer(word()),
        Setting::PassableLayer(word()),
        Setting::SolidClass(word()),
        Setting::SolidProperty(word()),
        Setting::PassableProperty(word()),
        Setting::SolidValue { name: word(), value: word() },
        Setting::SolidTiles(TileRange::new("t", None)),
        Setting::PassableTiles(TileRange::new("t", Some((0, 2)))),
        Setting::ShapesOnly,
        Setting::Mask("opaque".to_owned()),
        Setting::Plane { name: word(), color: [1, 2, 3] },
        Setting::Lenient,
    ]);
    all
}

fn checked() -> Checked {
    let report = |path: &str| (path.into(), verify_file(path, &VerifyOptions::default()));
    let paths = ["assets/no_such.png", "assets/cave.tmx"];
    Checked::new(paths.map(report), [], |path| path.to_owned()).with_left_out(3, 1, 2)
}

fn selection() -> Selection {
    let mut selection = Selection::default();
    selection.set(RuleSet::All, RuleLevel::Error);
    selection.set(RuleSet::Family(Family::Msk), RuleLevel::Warning);
    selection.set(RuleSet::One(RULES[2]), RuleLevel::Off);
    selection
}

fn verify_config() -> VerifyConfig {
    let text = std::fs::read("tests/fixtures/verify/broken-config/good_all_keys.toml").unwrap();
    let mut config = VerifyConfig::decode("bitwall.toml", text).unwrap();
    config.options.bodies.push(BodySpec::new("hero", UVec2::new(12, 20)).with_top_speed(9));
    config.options.markers.push(MarkerSpec::new("door", MarkerRole::Goal).with_count(1, Some(2)));
    config
}

fn fixes() -> Vec<bitwall::verify::fix::FixChange> {
    let path = "tests/fixtures/verify/specks/bad_specks.png";
    let bytes = std::fs::read(path).unwrap();
    let fix = bitwall::verify::fix::fix_mask(path, &bytes, &VerifyOptions::default()).unwrap();
    fix.expect("specks are dropped").changes
}

fn findings() -> Vec<bitwall::verify::Finding> {
    let gray = "tests/fixtures/verify/gray-pixels";
    let mut paths: Vec<_> = std::fs::read_dir(gray).unwrap().map(|e| e.unwrap().path()).collect();
    paths.push("assets/no_such.png".into());
    paths.push("tests/fixtures/verify/specks/bad_specks.png".into());
    paths.iter().flat_map(|path| verify_file(path, &VerifyOptions::default()).findings).collect()
}
