//! A game in one file: a hero runs over the hills of `assets/hills.tmx`, in a window or in a browser. The
//! arrow keys run, climb and drop, and space jumps.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::path::{Path, PathBuf};

use bitwall::character::{Feel, Input, Platformer};
use bitwall::engine::FixedSteps;
use bitwall::load::{ReferenceKind, references};
use bitwall::tmx::{Map, Paint};
use bitwall::{Aabb, LoadOptions, LoadedLevel, Mover, MoverSettings, Rate};
use macroquad::prelude::*;

/// The folder of the assets, relative to the folder of this package on the disk, or to the page on a server.
const ASSETS: &str = "../../assets";
/// The height of the view, in pixels of the level.
const VIEW: f32 = 180.0;

/// A picture of the map and the arguments of `draw_texture_ex` to draw it.
struct Sprite {
    image: PathBuf,
    corner: Vec2,
    color: Color,
    params: DrawTextureParams,
}

/// Returns everything that the map draws, from the back to the front.
fn sprites(map: &Map) -> Vec<Sprite> {
    let scene = map.scene(|image| Some(image.size));
    let drawings = scene.drawings().filter_map(|it| {
        let Paint::Picture { image, source } = it.paint else { return None };
        let [min, part] = [source.min.as_vec2(), source.size().as_vec2()];
        let params = DrawTextureParams {
            dest_size: Some(it.size.as_vec2().to_array().into()),
            source: Some(Rect::new(min.x, min.y, part.x, part.y)),
            rotation: it.degrees.to_radians() as f32,
            flip_x: it.flip_x,
            flip_y: it.flip_y,
            pivot: None,
        };
        let corner = (it.center - it.size / 2.0).as_vec2().to_array().into();
        let color = Color { a: it.opacity, ..WHITE };
        Some(Sprite { image: image.path.clone(), corner, color, params })
    });
    drawings.collect()
}

/// Loads the map and the files that it refers to, from the disk or from the server of the page.
async fn load_level(path: &str) -> Result<LoadedLevel, Box<dyn Error>> {
    let map = load_file(path).await?;
    let mut files = HashMap::new();
    let mut wanted = references(path, &map);
    while let Some(file) = wanted.pop() {
        if file.kind == ReferenceKind::Art {
            continue;
        }
        let bytes = load_file(&file.path.to_string_lossy()).await?;
        wanted.extend(references(&file.path, &bytes));
        files.insert(file.path, bytes);
    }
    Ok(LoadedLevel::decode(path, &map, files, &LoadOptions::default())?)
}

async fn load_sharp_texture(path: &Path) -> Result<Texture2D, Box<dyn Error>> {
    let texture = load_texture(&path.to_string_lossy()).await?;
    texture.set_filter(FilterMode::Nearest);
    Ok(texture)
}

async fn play() -> Result<(), Box<dyn Error>> {
    let loaded = load_level(&format!("{ASSETS}/hills.tmx")).await?;
    let (level, map) = (&loaded.level, loaded.map().ok_or("it is no map")?);
    let sprites = sprites(map);
    let mut textures = BTreeMap::new();
    for image in map.drawn_images() {
        textures.insert(&image.path, load_sharp_texture(&image.path).await?);
    }
    let walker = load_sharp_texture(&Path::new(ASSETS).join("walker.png")).await?;
    let sky = map
        .background
        .map_or(BLACK, |[red, green, blue, _]| Color::from_rgba(red, green, blue, 255));

    let spawn = level.marker("player").ok_or("the map has no spawn")?.position();
    let body = Aabb::from_xywh(spawn.x - 6, spawn.y - 24, 12, 24);
    let mut hero = Mover::new(body, MoverSettings::platformer());
    let (mut player, feel) = (Platformer::new(Rate::per_second(60)), Feel::default());
    let mut clock = FixedSteps::new(60);
    let (mut before, mut pressed_jump, mut faces_left) = (hero.position(), false, false);
    loop {
        // A frame may have no step, so a short press of the jump key is kept for the next step.
        pressed_jump |= is_key_pressed(KeyCode::Space);
        for _ in 0..clock.advance(get_frame_time()) {
            before = hero.position();
            let [left, right, up, down] =
                [KeyCode::Left, KeyCode::Right, KeyCode::Up, KeyCode::Down].map(is_key_down);
            let jump = is_key_down(KeyCode::Space) || pressed_jump;
            player.step(level, &mut hero, Input::from_keys(left, right, up, down, jump), &feel);
            faces_left = if left == right { faces_left } else { left };
            pressed_jump = false;
        }

        let drawn = before.lerp(hero.position(), clock.alpha().into());
        let [drawn, size] = [drawn.as_vec2(), level.size().as_vec2()].map(|it| vec2(it.x, it.y));
        let view = vec2(VIEW * screen_width() / screen_height(), VIEW);
        let corner = (drawn + 12.0 - view / 2.0).clamp(Vec2::ZERO, (size - view).max(Vec2::ZERO));
        set_camera(&Camera2D {
            target: corner + view / 2.0,
            zoom: 2.0 / view,
            ..Camera2D::default()
        });
        clear_background(sky);
        for Sprite { image, corner, color, params } in &sprites {
            draw_texture_ex(&textures[image], corner.x, corner.y, *color, params.clone());
        }
        // The picture has a row of four frames for each of down, left, right and up.
        let column = if hero.steps_since_grounded > 0 { 1 } else { hero.body.min.x / 7 % 4 };
        let row = if faces_left { 24.0 } else { 48.0 };
        let source = Some(Rect::new(column as f32 * 16.0, row, 16.0, 24.0));
        let params = DrawTextureParams { source, ..DrawTextureParams::default() };
        draw_texture_ex(&walker, drawn.x - 2.0, drawn.y, WHITE, params);
        next_frame().await;
    }
}

#[macroquad::main("hills")]
async fn main() {
    if let Err(fault) = play().await {
        error!("{fault}");
    }
}
