//! A hero runs over the hills of `hills.tmx`. The arrow keys run and drop, space jumps, and C shows the
//! solids. The argument is the folder of the assets; without it, `assets` beside `Cargo.toml`.
//!
//! `cargo run --features window --example platformer ../../assets`

use bevy::prelude::*;
use bevy_bitwall::bitwall::tmx::Paint;
use bevy_bitwall::bitwall::{Aabb, MoverSettings};
use bevy_bitwall::*;

/// Marks everything that is created from the level. It is created again when a file of the level changes.
#[derive(Component)]
struct Art;

#[derive(Resource)]
struct Current(Handle<LevelAsset>);

/// The width and height of a pixel of the window in pixels of the level.
const SCALE: f32 = 0.4;

fn main() {
    let file_path = std::env::args().nth(1).unwrap_or("assets".to_owned());
    let assets = AssetPlugin { file_path, ..default() };
    App::new()
        .add_plugins(DefaultPlugins.set(assets).set(ImagePlugin::default_nearest()))
        .add_plugins((BitwallPlugin::default(), SolidGizmosPlugin))
        .add_systems(Startup, start)
        .add_systems(
            RunFixedMainLoop,
            read_keys.in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(Update, (enter, show_solids))
        .add_systems(PostUpdate, follow.after(BitwallSystems).before(TransformSystems::Propagate))
        .run();
}

fn start(mut commands: Commands, server: Res<AssetServer>) {
    commands.insert_resource(Current(server.load("hills.tmx")));
    let projection =
        OrthographicProjection { scale: SCALE, ..OrthographicProjection::default_2d() };
    commands.spawn((Camera2d, Projection::from(projection)));
}

/// Draws the map of a level that was loaded or reloaded. After the first load it also creates the hero.
fn enter(
    mut commands: Commands,
    mut events: MessageReader<AssetEvent<LevelAsset>>,
    (levels, server, space): (Res<Assets<LevelAsset>>, Res<AssetServer>, Res<LevelSpace>),
    (art, heroes): (Query<Entity, With<Art>>, Query<(), With<Mover>>),
    current: Res<Current>,
) {
    let is_new = |event: &AssetEvent<LevelAsset>| {
        event.is_added(&current.0) || event.is_modified(&current.0)
    };
    if events.read().filter(|event| is_new(event)).count() == 0 {
        return;
    }
    let Some(level) = levels.get(&current.0) else { return };
    let Some(map) = level.0.map() else { return };
    art.iter().for_each(|entity| commands.entity(entity).despawn());
    if let Some([red, green, blue, _]) = map.background {
        commands.insert_resource(ClearColor(Color::srgb_u8(red, green, blue)));
    }
    let scene = map.scene(|image| Some(image.size));
    for (order, drawing) in scene.drawings().enumerate() {
        let Paint::Picture { image, source } = drawing.paint else { continue };
        let sprite = Sprite {
            image: server.load(image.path.clone()),
            rect: Some(Rect {
                min: Vec2::from(source.min.as_vec2().to_array()),
                max: Vec2::from(source.max.as_vec2().to_array()),
            }),
            custom_size: Some(Vec2::from(drawing.size.as_vec2().to_array())),
            flip_x: drawing.flip_x,
            flip_y: drawing.flip_y,
            color: Color::WHITE.with_alpha(drawing.opacity),
            ..default()
        };
        let [x, y] = space.0.point_to_engine(drawing.center);
        let turn = Quat::from_rotation_z(-drawing.degrees.to_radians() as f32);
        let place = Transform::from_xyz(x, y, order as f32 * 1e-4).with_rotation(turn);
        commands.spawn((Art, sprite, place));
    }
    if let (Some(spawn), true) = (level.marker("player"), heroes.is_empty()) {
        let at = spawn.position();
        let body = Aabb::from_xywh(at.x - 6, at.y - 24, 12, 24);
        let mover = bitwall::Mover::new(body, MoverSettings::platformer());
        let sprite = Sprite::from_color(Color::srgb(0.8, 0.25, 0.25), Vec2::new(12.0, 24.0));
        let place = Transform::from_xyz(0.0, 0.0, 10.0);
        let level = InLevel(current.0.clone());
        commands.spawn((level, Mover(mover), Platformer::default(), sprite, place));
    }
}

fn read_keys(keys: Res<ButtonInput<KeyCode>>, mut players: Query<&mut Keys>) {
    let [left, right, up, down, jump] = [
        KeyCode::ArrowLeft,
        KeyCode::ArrowRight,
        KeyCode::ArrowUp,
        KeyCode::ArrowDown,
        KeyCode::Space,
    ]
    // A key that is pressed and released within a frame is not `pressed`.
    .map(|key| keys.pressed(key) || keys.just_pressed(key));
    let x = f32::from(right) - f32::from(left);
    let y = f32::from(up) - f32::from(down);
    for mut player in &mut players {
        player.hold(Vec2::new(x, y), jump, false);
    }
}

fn show_solids(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    heroes: Query<(Entity, Has<SolidGizmos>), With<Mover>>,
) {
    for (hero, shows) in heroes.iter().filter(|_| keys.just_pressed(KeyCode::KeyC)) {
        match shows {
            true => commands.entity(hero).remove::<SolidGizmos>(),
            false => commands.entity(hero).insert(SolidGizmos(Color::srgb(1.0, 0.2, 0.6))),
        };
    }
}

/// Puts the camera on the hero, in whole pixels of the window: otherwise a tile may show a line of its
/// neighbour in the picture of the tileset.
fn follow(
    heroes: Query<&Transform, With<Mover>>,
    mut cameras: Query<&mut Transform, (With<Camera2d>, Without<Mover>)>,
) {
    if let (Ok(hero), Ok(mut camera)) = (heroes.single(), cameras.single_mut()) {
        let place = (hero.translation / SCALE).round() * SCALE;
        camera.translation = place.with_z(camera.translation.z);
    }
}
