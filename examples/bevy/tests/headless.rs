//! Tests of whole apps without a window: loading levels through the asset server, steps, keys, messages, and
//! drawn positions.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use bevy_app::{App, FixedUpdate, Last, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, AssetServer, Assets, Handle, LoadState};
use bevy_bitwall::bitwall::character::{Feel, Stance};
use bevy_bitwall::bitwall::engine::Space;
use bevy_bitwall::bitwall::glam::IVec2;
use bevy_bitwall::bitwall::world::{Body, Event, Player, World};
use bevy_bitwall::bitwall::{self, Aabb, MoverSettings, Rate};
use bevy_bitwall::*;
use bevy_ecs::prelude::*;
use bevy_math::{Vec2, Vec3};
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;

/// The messages that were sent so far.
#[derive(Resource, Default)]
struct Seen(Vec<Stepped>, Vec<Event>);

fn note(
    mut seen: ResMut<Seen>,
    mut stepped: MessageReader<Stepped>,
    mut events: MessageReader<BodyEvent>,
) {
    seen.0.extend(stepped.read());
    seen.1.extend(events.read().map(|event| event.0));
}

/// Creates an app that makes one step in each update.
fn app(folder: &Path) -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        TimePlugin,
        AssetPlugin { file_path: folder.to_str().unwrap().to_owned(), ..AssetPlugin::default() },
        BitwallPlugin::default(),
    ));
    app.insert_resource(Time::<Fixed>::from_hz(60.0));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.init_resource::<Seen>().add_systems(FixedUpdate, note.after(BitwallSystems));
    app.finish();
    app.cleanup();
    app
}

fn assets() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets")
}

/// Updates the app until `is_done` returns true. Panics after a minute.
fn wait(app: &mut App, mut is_done: impl FnMut(&App) -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !is_done(app) {
        assert!(Instant::now() < end, "it took a minute");
        app.update();
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Loads a level. Panics with the error of the loader.
fn load(app: &mut App, path: &'static str) -> Handle<LevelAsset> {
    let server = app.world().resource::<AssetServer>().clone();
    let handle = server.load::<LevelAsset>(path);
    wait(app, |_| match server.load_state(&handle) {
        LoadState::Failed(error) => panic!("{error}"),
        state => state.is_loaded(),
    });
    handle
}

fn level<'a>(app: &'a App, handle: &Handle<LevelAsset>) -> &'a LevelAsset {
    app.world().resource::<Assets<LevelAsset>>().get(handle).unwrap()
}

fn hero(app: &App, handle: &Handle<LevelAsset>) -> bitwall::Mover {
    let spawn = level(app, handle).marker("player").unwrap().position();
    let body = Aabb::from_xywh(spawn.x - 6, spawn.y - 24, 12, 24);
    bitwall::Mover::new(body, MoverSettings::platformer())
}

#[test]
fn a_mover_makes_the_same_steps_as_without_bevy() {
    let mut app = app(&assets());
    let handle = load(&mut app, "hills.tmx");
    let mut alone = hero(&app, &handle);
    let velocity = Velocity(Vec2::new(90.0, -60.0)); // units a second, y upward: it runs and falls
    let entity = app.world_mut().spawn((InLevel(handle.clone()), Mover(alone), velocity)).id();
    let steps = 150;
    for _ in 0..steps {
        app.world_mut().entity_mut(entity).insert(velocity);
        app.update();
        alone.step(&level(&app, &handle).0.level, (1.5, 1.0)).unwrap();
        assert_eq!(app.world().get::<Mover>(entity).unwrap().0, alone);
    }
    assert!(alone.body.min.y < hero(&app, &handle).body.min.y - 16, "it is on the hill");
    let left = app.world().get::<Velocity>(entity).unwrap().0;
    assert!(
        (left.x - 90.0).abs() < 0.01 && left.y == 0.0,
        "the floor has stopped the fall: {left}"
    );
    let seen = &app.world().resource::<Seen>().0;
    assert_eq!((seen.len(), seen[0].entity, seen[0].outcome), (steps, entity, None));
}

fn hold(app: &mut App, entity: Entity, direction: Vec2, jump: bool) {
    app.world_mut().get_mut::<Keys>(entity).unwrap().hold(direction, jump, false);
}

/// Holds the jump key in a frame without a step, and releases it before the next step.
fn tap_jump(app: &mut App, entity: Entity) {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(1)));
    hold(app, entity, Vec2::ZERO, true);
    app.update();
    hold(app, entity, Vec2::ZERO, false);
}

/// The number of jumps from the ground so far.
fn jumps(app: &App) -> usize {
    let steps = app.world().resource::<Seen>().0.iter();
    steps.filter(|step| step.outcome.unwrap().jumped_from == Some(Stance::Ground)).count()
}

#[test]
fn a_tap_of_the_jump_key_in_a_frame_without_a_step_is_one_jump() {
    let mut app = app(&assets());
    let handle = load(&mut app, "hills.tmx");
    let mover = Mover(hero(&app, &handle));
    let entity = app.world_mut().spawn((InLevel(handle), mover, Platformer::default())).id();
    (0..30).for_each(|_| app.update()); // it falls to the ground
    let steps = app.world().resource::<Seen>().0.len();
    tap_jump(&mut app, entity);
    assert_eq!(app.world().resource::<Seen>().0.len(), steps, "no step");
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(2)); // two steps in each frame
    app.update();
    assert_eq!((app.world().resource::<Seen>().0.len(), jumps(&app)), (steps + 2, 1));
    (0..45).for_each(|_| app.update());
    assert_eq!(jumps(&app), 1, "it has landed, and stays");
    let last = app.world().resource::<Seen>().0.last().unwrap().outcome.unwrap();
    assert_eq!(last.to, Stance::Ground);
}

#[test]
fn a_release_and_a_second_press_between_two_steps_is_a_second_jump() {
    let mut app = app(&assets());
    let handle = load(&mut app, "hills.tmx");
    let mover = Mover(hero(&app, &handle));
    let entity = app.world_mut().spawn((InLevel(handle), mover, Platformer::default())).id();
    (0..30).for_each(|_| app.update());
    hold(&mut app, entity, Vec2::ZERO, true);
    (0..90).for_each(|_| app.update()); // it jumps, lands, and stays, with the key held
    assert_eq!(jumps(&app), 1);
    hold(&mut app, entity, Vec2::ZERO, false);
    hold(&mut app, entity, Vec2::ZERO, true);
    (0..2).for_each(|_| app.update());
    assert_eq!(jumps(&app), 2);
}

#[test]
fn a_player_of_the_world_jumps_after_a_tap_in_a_frame_without_a_step() {
    let mut app = app(&assets());
    let level = load(&mut app, "hills.tmx");
    let aabb = hero(&app, &level).body;
    let mut bodies = app.world_mut().resource_mut::<Bodies>();
    bodies.level = level;
    let body = bodies.world.add(Body::character(aabb, MoverSettings::platformer()));
    bodies.players.push(Player::new(body, Feel::default()));
    let entity = app.world_mut().spawn((BodyOf(body), Keys::default())).id();
    (0..30).for_each(|_| app.update());
    tap_jump(&mut app, entity);
    let outcome = |app: &App| app.world().resource::<Bodies>().players[0].outcome.unwrap();
    assert_eq!(outcome(&app).to, Stance::Ground);
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    assert_eq!(outcome(&app).jumped_from, Some(Stance::Ground));
    app.update();
    assert_eq!(outcome(&app).jumped_from, None);
}

#[test]
fn a_platformer_obeys_its_keys_and_updates_its_velocity() {
    let mut app = app(&assets());
    let handle = load(&mut app, "hills.tmx");
    let mover = Mover(hero(&app, &handle));
    let start = mover.0.body.min.x;
    let entity = app.world_mut().spawn((InLevel(handle), mover, Platformer::default())).id();
    hold(&mut app, entity, Vec2::X, false);
    (0..30).for_each(|_| app.update());
    assert!(app.world().get::<Mover>(entity).unwrap().0.body.min.x > start + 30);
    let velocity = app.world().get::<Velocity>(entity).unwrap().0;
    assert!((velocity - Vec2::new(105.0, 0.0)).length() < 0.001, "{velocity}, not 1.75 px a step");
}

#[test]
fn a_transform_is_interpolated_between_the_last_two_steps_with_y_upward() {
    let mut app = app(&assets());
    let handle = load(&mut app, "hills.tmx");
    let size = level(&app, &handle).size();
    app.insert_resource(LevelSpace(Space::centered(size)));
    let mover = hero(&app, &handle);
    let place = Transform::from_translation(Vec3::new(0.0, 0.0, 7.0));
    let velocity = Velocity(Vec2::new(120.0, 0.0));
    let entity = app.world_mut().spawn((InLevel(handle), Mover(mover), velocity, place)).id();
    app.update(); // one step: 2 px to the right
    let step = app.world().resource::<Time<Fixed>>().timestep();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(step / 4));
    app.update();
    let drawn = app.world().get::<Transform>(entity).unwrap().translation;
    let middle = mover.body.center().as_vec2() - size.as_vec2() / 2.0;
    assert!((drawn - Vec3::new(middle.x + 0.5, -middle.y, 7.0)).length() < 0.01, "{drawn}");
}

/// The places of all bodies at the end of a frame, as the renderer sees them.
#[derive(Resource, Default)]
struct Frames(Vec<(Entity, Vec3)>);

fn record(mut frames: ResMut<Frames>, entities: Query<(Entity, &Transform), With<Drawn>>) {
    frames.0 = entities.iter().map(|(entity, place)| (entity, place.translation)).collect();
}

/// Returns an app without steps from now on, that spawns a mover and a body of a world in its next update.
fn app_that_spawns(aabb: Aabb) -> App {
    let mut app = app(&assets());
    let level = load(&mut app, "hills.tmx");
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    let spawn =
        move |mut commands: Commands, mut bodies: ResMut<Bodies>, mut is_done: Local<bool>| {
            if std::mem::replace(&mut *is_done, true) {
                return;
            }
            bodies.level = level.clone();
            let place = Transform::from_xyz(0.0, 0.0, 7.0);
            let mover = bitwall::Mover::new(aabb, MoverSettings::top_down());
            commands.spawn((InLevel(level.clone()), Mover(mover), place));
            let body = bodies.world.add(Body::character(aabb, MoverSettings::top_down()));
            commands.spawn((BodyOf(body), place));
        };
    app.init_resource::<Frames>().add_systems(Update, spawn).add_systems(Last, record);
    app
}

/// Moves each mover and body of a world to the same place.
fn teleport(mut movers: Query<&mut Mover>, bodies: Query<&BodyOf>, mut world: ResMut<Bodies>) {
    let aabb = Aabb::from_xywh(200, 40, 12, 24);
    movers.iter_mut().for_each(|mut mover| mover.0.body = aabb);
    bodies.iter().for_each(|body| world.world.get_mut(body.0).unwrap().aabb = aabb);
}

#[test]
fn a_body_that_is_spawned_in_update_stands_at_its_place_in_the_same_frame() {
    let mut app = app_that_spawns(Aabb::from_xywh(100, 40, 12, 24));
    for frame in 0..3 {
        app.update();
        let seen = &app.world().resource::<Frames>().0;
        let places: Vec<Vec3> = seen.iter().map(|(_, place)| *place).collect();
        assert_eq!(places, [Vec3::new(106.0, -52.0, 7.0); 2], "frame {frame}");
    }
    assert!(app.world().resource::<Seen>().0.is_empty(), "no step was made");
}

#[test]
fn a_teleported_body_is_drawn_at_its_new_place_at_once_and_is_not_interpolated_from_the_old_one() {
    for in_fixed_update in [false, true] {
        let mut app = app_that_spawns(Aabb::from_xywh(100, 40, 12, 24));
        app.update();
        let step = app.world().resource::<Time<Fixed>>().timestep();
        app.insert_resource(TimeUpdateStrategy::ManualDuration(step * 5 / 4));
        app.update(); // one step, and a quarter of the next one
        let teleports = app.world_mut().register_system(teleport);
        match in_fixed_update {
            true => _ = app.add_systems(FixedUpdate, teleport.after(BitwallSystems)),
            false => app.world_mut().run_system(teleports).unwrap(),
        }
        app.insert_resource(TimeUpdateStrategy::ManualDuration(match in_fixed_update {
            true => step,
            false => Duration::ZERO,
        }));
        app.update();
        let seen = &app.world().resource::<Frames>().0;
        let places: Vec<Vec3> = seen.iter().map(|(_, place)| *place).collect();
        assert_eq!(places, [Vec3::new(206.0, -52.0, 7.0); 2], "in a step: {in_fixed_update}");
    }
}

#[test]
fn a_lift_of_the_world_carries_a_body_and_crushes_another_one() {
    let mut app = app(&assets());
    let level = load(&mut app, "cave.tmx");
    let mut bodies = app.world_mut().resource_mut::<Bodies>();
    bodies.level = level;
    bodies.world = World::new(Rate::per_second(60));
    let lift = Body::platform(Aabb::from_xywh(320, 200, 48, 8)).with_velocity((0.0, -30.0));
    bodies.world.add(lift);
    let rider = Body::character(Aabb::from_xywh(330, 180, 12, 20), MoverSettings::platformer());
    let rider = bodies.world.add(rider);
    let entity = app.world_mut().spawn(BodyOf(rider)).id();
    (0..20).for_each(|_| app.update());
    let body = app.world().resource::<Bodies>().world.get(rider).unwrap().aabb;
    assert_eq!(body.min, IVec2::new(330, 170));
    let drawn = app.world().get::<Transform>(entity).unwrap().translation;
    assert!((drawn.x - 336.0).abs() < 0.01 && (drawn.y + 180.0).abs() < 1.0, "{drawn}");

    (0..600).for_each(|_| app.update());
    let crushed = |event: &Event| matches!(event, Event::Crushed { body, .. } if *body == rider);
    let seen = &app.world().resource::<Seen>().1;
    assert_eq!(seen.iter().filter(|event| crushed(event)).count(), 1, "at the ceiling");
}

#[test]
fn a_mask_picture_is_loaded_as_a_level() {
    let mut app = app(&assets());
    let handle = load(&mut app, "harbor_mask.png");
    assert_eq!(level(&app, &handle).size().to_array(), [480, 270]);
}

#[test]
fn a_project_of_ldtk_is_loaded_with_all_its_levels() {
    let mut app = app(&assets());
    let handle = load(&mut app, "rooms.ldtk");
    let alone = bitwall::Level::load(assets().join("rooms.ldtk")).unwrap();
    let level = level(&app, &handle);
    assert_eq!(level.checksum(), alone.checksum());
    assert!(level.marker("Player").is_some(), "{:?}", level.0.maps);
}

const LDTK: &str = r#"{"__header__": {"fileType": "LDtk Project JSON"}, "jsonVersion": "1.5.3",
 "worldLayout": "Free", "defs": {"layers": [{
  "uid": 1, "identifier": "Collisions", "intGridValues": [{"value": 1, "identifier": "wall"}]}]},
 "levels": [{
  "identifier": "A", "worldX": 0, "worldY": 0, "pxWid": 16, "pxHei": 8, "externalRelPath": "p/A.ldtkl"}]}"#;

const LDTK_LEVEL: &str = r#"{"identifier": "A", "worldX": 0, "worldY": 0, "pxWid": 16, "pxHei": 8,
 "layerInstances": [{"layerDefUid": 1, "__identifier": "Collisions", "__type": "IntGrid", "__cWid": 2,
  "__cHei": 1, "__gridSize": 8, "intGridCsv": [1, 0]}]}"#;

#[test]
fn a_level_of_ldtk_in_a_file_of_its_own_is_read_by_the_asset_server() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("p")).unwrap();
    fs::write(folder.path().join("p.ldtk"), LDTK).unwrap();
    fs::write(folder.path().join("p/A.ldtkl"), LDTK_LEVEL).unwrap();
    let mut app = app(folder.path());
    let handle = load(&mut app, "p.ldtk");
    assert_eq!(level(&app, &handle).grid().to_string(), "#.");
}

#[test]
fn a_missing_file_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(assets().join("cave.tmx"), folder.path().join("cave.tmx")).unwrap();
    let mut app = app(folder.path());
    let server = app.world().resource::<AssetServer>().clone();
    let handle = server.load::<LevelAsset>("cave.tmx");
    let mut error = String::new();
    wait(&mut app, |_| {
        if let LoadState::Failed(fault) = server.load_state(&handle) {
            error = fault.to_string();
        }
        !error.is_empty()
    });
    assert!(error.contains("cave.tsx"), "{error}");
}

const MAP: &str = r#"<map version="1.10" orientation="orthogonal" width="4" height="1" tilewidth="16" tileheight="16">
 <tileset firstgid="1" source="../tiles/t.tsx"/>
 <layer id="1" name="Ground" width="4" height="1"><data encoding="csv">1,2,1,2</data></layer>
</map>"#;

/// Returns a tileset of two tiles. The tile with the id `solid` is solid.
fn tileset(solid: u32) -> String {
    format!(
        r#"<tileset version="1.10" name="t" tilewidth="16" tileheight="16" tilecount="2" columns="2">
 <image source="t.png" width="32" height="16"/>
 <tile id="{solid}"><properties><property name="solid" type="bool" value="true"/></properties></tile>
</tileset>"#
    )
}

#[test]
fn a_change_of_a_tileset_reloads_the_levels_that_use_it() {
    let folder = tempfile::tempdir().unwrap();
    let tsx = folder.path().join("tiles/t.tsx");
    ["maps", "tiles"].iter().for_each(|name| fs::create_dir(folder.path().join(name)).unwrap());
    fs::write(folder.path().join("maps/room.tmx"), MAP).unwrap();
    fs::write(&tsx, tileset(0)).unwrap();
    let mut app = app(folder.path());
    app.insert_resource(Time::<Fixed>::from_hz(60.0));
    let handle = load(&mut app, "maps/room.tmx");
    let is_solid = |app: &App, x| level(app, &handle).is_solid(IVec2::new(x, 8));
    assert!(is_solid(&app, 8) && !is_solid(&app, 24));

    fs::write(&tsx, tileset(1)).unwrap();
    wait(&mut app, |app| !is_solid(app, 8) && is_solid(app, 24));
}
