//! Samples of every type that can be saved.

use bitwall::character::{Feel, Input, Outcome, Platformer, Stance};
use bitwall::geometry::{Corners, Outside, Sides};
use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2};
use bitwall::level::{MarkerShape, MarkerTile};
use bitwall::mover::{MovePath, Response, Slope, WalkSpeed};
use bitwall::property::PropertyValue;
use bitwall::terrain::Hit;
use bitwall::world::{Body, BodyKind, Event, Impact, Meeting, Path, Player, Recording, World};
use bitwall::{
    Aabb, Axis, Contact, Dir, Footprint, Grid, Level, Marker, Move, Mover, MoverSettings, Rate,
    Terrain,
};

use crate::support::SubpixelSteps;

use super::levels::all_levels;
use super::worlds::busy_world;
use super::{copies, same};

/// Returns a contact with a body.
fn of_body() -> Contact {
    let body = busy_world().iter().map(|(id, _)| id).next();
    Contact::new(IVec2::ONE, IVec2::NEG_Y).with_body(body.unwrap())
}

/// Returns a character that has just jumped, and the outcome of that step.
fn jumped() -> (Platformer, Outcome) {
    let (mut player, mut mover) = (Platformer::new(Rate::per_second(60)), moved().0);
    player.stance = Stance::Ladder;
    let input = Input::NONE.with_jump(true);
    let (_, outcome) = player.step(&level(), &mut mover, input, &Feel::default());
    assert_eq!(outcome.jumped_from, Some(Stance::Ladder));
    (player, outcome)
}

/// The name of each type that can be saved, and a function that saves and loads samples of it.
pub(crate) const TYPES: &[(&str, fn())] = &[
    // Geometry.
    ("Aabb", || same([boxed(), Aabb { min: IVec2::MAX, max: IVec2::MIN }])),
    ("Axis", || same([Axis::X, Axis::Y])),
    ("Dir", || same(Dir::ALL)),
    ("Sides", || same([Sides { left: 1, right: 2, up: 3, down: u32::MAX }])),
    ("Outside", || same([Outside::Solid, Outside::Open])),
    ("Corners", || same([Corners::Block, Corners::Pass])),
    // Grid, contacts and level.
    ("Grid", || same(["#", "##..#....#\n....#....."].map(|text| Grid::from_text(text).unwrap()))),
    ("Terrain", || {
        for copy in copies(level().terrain()) {
            assert_eq!(format!("{copy:?}"), format!("{:?}", level().terrain()));
            assert_eq!(copy.one_way(Dir::Up), level().one_way(Dir::Up));
        }
    }),
    ("Contact", || same([Contact::new(IVec2::MIN, IVec2::X), of_body()])),
    ("Hit", || same([Contact::new(IVec2::MIN, IVec2::X).hit(), of_body().hit()])),
    ("Level", || {
        for copy in copies(&level()) {
            assert_eq!(format!("{copy:?}"), format!("{:?}", level()));
            assert_eq!(copy.origin(), level().origin());
        }
    }),
    ("Area", || {
        for area in level().areas() {
            for copy in copies(area) {
                assert_eq!(format!("{copy:?}"), format!("{area:?}"));
            }
        }
        assert!(!level().areas().is_empty());
    }),
    ("Footprint", || {
        let moon = Footprint::circle(70).unwrap();
        same([moon.difference(&moon, IVec2::new(9, 3)).unwrap(), moon]);
    }),
    ("Patch", || {
        let whole = Aabb { min: IVec2::ZERO, max: IVec2::MAX };
        for copy in copies(&level().patch(whole)) {
            let mut edited = level();
            edited.carve(&whole, IVec2::ZERO);
            edited.carve_one_way(Dir::Up, &whole, IVec2::ZERO);
            assert_ne!(edited.checksum(), level().checksum());
            assert!(edited.apply(&copy).unwrap().is_some());
            assert_eq!(edited.checksum(), level().checksum());
        }
    }),
    ("Marker", || same(markers())),
    ("MarkerShape", || same(MarkerShape::ALL)),
    ("MarkerTile", || same([tile()])),
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
    ("Rate", || same([Rate::per_second(1), Rate::per_second(u16::MAX)])),
    ("Move", || same([moved().1, bounced_off_a_slope()])),
    ("Feel", || {
        same([
            Feel::default(),
            Feel { released_speed: f32::MAX, fall_limit: 1.0 / 3.0, ..Feel::default() },
        ])
    }),
    ("Input", || same([Input::NONE, Input::from_axes(-0.37, 1.0, true)])),
    ("Platformer", || same([Platformer::new(Rate::per_second(60)), jumped().0])),
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
    ("Player", || {
        let id = busy_world().iter().map(|(id, _)| id).next().unwrap();
        let mut player = Player::new(id, Feel::default());
        player.outcome = Some(jumped().1);
        same([player]);
    }),
    ("Recording", || {
        let mut recording = Recording::default();
        let id = busy_world().iter().map(|(id, _)| id).next().unwrap();
        for axis in [1.0, -0.37] {
            let mut player = Player::new(id, Feel::default());
            player.input = Input::from_axes(axis, 0.0, true);
            recording.record(&busy_world(), &[player.clone(), player]);
        }
        same([Recording::default(), recording]);
    }),
    ("Outcome", || same([jumped().1])),
    ("Ball", || {
        same(busy_world().iter().filter_map(|(_, body)| match body.kind {
            BodyKind::Ball(ball) => Some(ball),
            _ => None,
        }));
    }),
    ("BodyId", || same(busy_world().iter().map(|(id, _)| id))),
    ("Platform", || {
        let belt = Body::one_way_platform(boxed()).with_belt(Vec2::new(0.5, -3.0));
        same([belt.kind]);
    }),
    ("Meeting", || {
        let id = busy_world().iter().map(|(id, _)| id).next().unwrap();
        let sides = [None, Some(Dir::Up)];
        same(sides.map(|side| Meeting { watcher: id, body: id, side }));
    }),
    ("Impact", || {
        let mut world = World::new(Rate::per_second(1));
        for (x, velocity) in [(4, [9.0, 0.0]), (18, [0.0, 30.0])] {
            let ball = Body::ball(IVec2::new(x, 4), 10, 1).with_velocity(velocity);
            world.add(ball.with_watches(u64::MAX));
        }
        world.step(&level());
        let hits: Vec<Impact> = (world.events().iter())
            .filter_map(|event| if let Event::Hit(hit) = event { Some(*hit) } else { None })
            .collect();
        assert!(hits.iter().any(|hit| matches!(hit.hit, Hit::Cell(_))), "{hits:?}");
        assert!(hits.iter().any(|hit| matches!(hit.hit, Hit::Body(_))), "{hits:?}");
        same(hits);
    }),
    ("Path", || {
        let rate = Rate::per_second(60);
        let stops = [(IVec2::new(-3, 4), 0.5), (IVec2::MAX, 0.0)];
        let round = Path::round(rate, 40.0, stops).later(0.7);
        same([Path::back_and_forth(rate, 0.5, []), round, Path::circle(rate, IVec2::ONE, 9, -2.0)]);
    }),
    ("Event", || same(busy_world().events().iter().copied())),
    ("World", || same([World::new(Rate::per_second(1)), busy_world()])),
];

fn boxed() -> Aabb {
    Aabb::from_xywh(20, 3, 12, 20)
}

/// Creates a level that uses every feature of levels.
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
    let loaded = all_levels();
    let turned = Marker { rotation: 22.5, map: 3, tile: Some(tile()), ..Marker::default() };
    let loaded = loaded.iter().flat_map(|loaded| loaded.level.markers().to_vec());
    loaded.chain([turned]).collect()
}

fn tile() -> MarkerTile {
    MarkerTile { tileset: "t\u{e9}".into(), id: u32::MAX, flip_x: true, flip_y: false }
}

/// Returns a property value of each kind, some with nested values.
fn values() -> Vec<PropertyValue> {
    let plain = [
        PropertyValue::Bool(true),
        PropertyValue::Int(i32::MIN),
        PropertyValue::Float(0.1),
        PropertyValue::Text("a\n\u{1b}".to_owned()),
        PropertyValue::Color("#ff102030".to_owned()),
        PropertyValue::Object(u32::MAX),
        PropertyValue::Point(IVec2::new(i32::MIN, 7)),
    ];
    let list = PropertyValue::List(plain.to_vec());
    let members = [("a".to_owned(), list.clone()), (String::new(), list.clone())].into();
    let class = PropertyValue::Class { class: "Wall".to_owned(), members };
    plain.into_iter().chain([list, class]).collect()
}
