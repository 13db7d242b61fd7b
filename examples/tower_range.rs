//! Towers see square enemies: circles and a sector are tested against rectangles exactly. The result is an
//! animated picture.
//!
//! `cargo run --release --example tower_range [FILE.gif]` (without a file name: in the folder for temporary
//! files)
//!
//! Two towers see in all directions, and the third sees a sector that turns. A tower shoots at the first
//! enemy that it sees. The picture is drawn with the same shapes that the game uses, pixel by pixel.

mod stage {
    pub(crate) mod film;
    pub(crate) mod paint;
}

use std::error::Error;

use bitwall::Aabb;
use bitwall::glam::{DVec2, IVec2};
use bitwall::image::{Rgba, RgbaImage};
use bitwall::shapes::{Circle, Convex, Rectangle, Sector, Segment, Touch};

use stage::film::{Film, STEPS_A_FRAME};
use stage::paint::paint;

const VIEW: IVec2 = IVec2::new(320, 200);
const STEPS: i32 = 480;

/// The corners of the enemies' path.
const WAY: [IVec2; 7] = [
    IVec2::new(-20, 40),
    IVec2::new(120, 40),
    IVec2::new(120, 150),
    IVec2::new(210, 150),
    IVec2::new(210, 60),
    IVec2::new(290, 60),
    IVec2::new(290, 220),
];
/// Half the side of an enemy, in pixels.
const HALF: i32 = 8;
/// The number of steps between two enemies.
const GAP: i32 = 70;

const GRASS: Rgba<u8> = Rgba([120, 176, 96, 255]);
const ROAD: Rgba<u8> = Rgba([214, 190, 140, 255]);
const RANGE: Rgba<u8> = Rgba([255, 255, 255, 70]);
const TOWER: Rgba<u8> = Rgba([70, 72, 92, 255]);
const SAFE: Rgba<u8> = Rgba([66, 96, 160, 255]);
const SEEN: Rgba<u8> = Rgba([206, 58, 48, 255]);
const SHOT: Rgba<u8> = Rgba([255, 240, 120, 255]);

/// The area that a tower sees.
enum Range {
    Round(Circle<IVec2>),
    Slice(Sector<IVec2>),
}

impl Range {
    fn center(&self) -> IVec2 {
        match self {
            Self::Round(circle) => circle.center,
            Self::Slice(sector) => sector.center,
        }
    }

    /// True if the tower sees an enemy. An enemy that only touches the area is seen too.
    fn sees(&self, enemy: &Rectangle<IVec2>) -> bool {
        match self {
            Self::Round(circle) => circle.overlaps(enemy, Touch::Counts),
            Self::Slice(sector) => sector.overlaps(enemy, Touch::Counts),
        }
    }

    fn contains(&self, point: IVec2) -> bool {
        match self {
            Self::Round(circle) => circle.contains(point, Touch::Counts),
            Self::Slice(sector) => sector.contains(point, Touch::Counts),
        }
    }
}

fn towers(step: i32) -> [Range; 3] {
    let round = |x, y, radius| Range::Round(Circle { center: IVec2::new(x, y), radius });
    // The rays are vectors of any length. Here they are whole numbers, so that the test stays exact.
    let ray =
        |degrees: i32| (DVec2::from_angle(f64::from(degrees).to_radians()) * 1000.0).as_ivec2();
    let slice = Sector {
        center: IVec2::new(165, 95),
        radius: 70,
        from: ray(step - 25),
        to: ray(step + 25),
    };
    [round(60, 90, 46), round(255, 115, 40), Range::Slice(slice)]
}

/// Returns an enemy that has moved `gone` pixels along the path, or `None` before it enters and after it has
/// left.
fn enemy(gone: i32) -> Option<Rectangle<IVec2>> {
    let mut left = gone;
    for ends in WAY.windows(2) {
        let (way, length) = (ends[1] - ends[0], (ends[1] - ends[0]).abs().max_element());
        if (0..=length).contains(&left) {
            let center = ends[0] + way.signum() * left;
            return Some(Rectangle { min: center - HALF, max: center + HALF });
        }
        left -= length;
    }
    None
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut film = Film::create("tower_range")?;
    let (mut seen, mut missed) = (0, 0);
    for step in 0..STEPS {
        let towers = towers(step);
        let enemies: Vec<_> = (0..4).filter_map(|number| enemy(step - number * GAP)).collect();
        for enemy in &enemies {
            // A circle instead of the square would have no corners, and would be seen too late.
            let inner = Circle { center: enemy.min + HALF, radius: HALF };
            for tower in &towers {
                if let Range::Round(circle) = tower
                    && circle.overlaps(enemy, Touch::Counts)
                {
                    seen += 1;
                    missed += u32::from(!circle.overlaps(&inner, Touch::Counts));
                }
            }
        }
        if step % STEPS_A_FRAME as i32 == 0 {
            film.add(draw(&towers, &enemies))?;
        }
    }
    println!("the round towers saw a square in {seen} steps, {missed} of them by its corner alone");
    film.finish();
    Ok(())
}

/// Returns the square with the sides `2 * reach` around a point.
fn around(center: IVec2, reach: i32) -> Aabb {
    Aabb { min: center - reach, max: center + reach }
}

fn draw(towers: &[Range], enemies: &[Rectangle<IVec2>]) -> RgbaImage {
    let mut picture = RgbaImage::from_pixel(VIEW.x as u32, VIEW.y as u32, GRASS);
    for ends in WAY.windows(2) {
        let (min, max) = (ends[0].min(ends[1]) - 12, ends[0].max(ends[1]) + 12);
        paint(&mut picture, Aabb { min, max }, ROAD, |_| true);
    }
    for tower in towers {
        paint(&mut picture, around(tower.center(), 80), RANGE, |point| tower.contains(point));
    }
    for enemy in enemies {
        let is_seen = towers.iter().any(|tower| tower.sees(enemy));
        let area = Aabb { min: enemy.min, max: enemy.max };
        paint(&mut picture, area, if is_seen { SEEN } else { SAFE }, |_| true);
    }
    for tower in towers {
        let from = tower.center();
        // The shot at the first enemy is a segment that is two pixels wide, drawn with a circle around each
        // pixel.
        if let Some(enemy) = enemies.iter().find(|enemy| tower.sees(enemy)) {
            let to = enemy.min + HALF;
            let shot = Segment { start: from, end: to };
            let area = Aabb { min: from.min(to) - 1, max: from.max(to) + 2 };
            paint(&mut picture, area, SHOT, |center| {
                Circle { center, radius: 1 }.overlaps(&shot, Touch::Ignored)
            });
        }
        let foot = Circle { center: from, radius: 9 };
        paint(&mut picture, around(from, 10), TOWER, |point| foot.contains(point, Touch::Counts));
    }
    picture
}
