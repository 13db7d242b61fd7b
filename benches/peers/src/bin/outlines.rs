//! Compares outlines with `unary_union` of the crate `geo`, over the same cells as squares, in one run.
//!
//! `cargo run --release --features outlines --bin outlines`, in this package, prints a table in Markdown. Its
//! levels are the bundled assets, masks of `../shared/corpus` if they are there, a cave and noise. `geo` is
//! called twice: with a square for each solid cell, and with bitwall's rectangles, which are fewer. The
//! fastest of several rounds counts, and the time to make the squares is not included. The last column is the
//! area of `geo`'s union minus the area of the cells.

use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use bitwall::glam::UVec2;
use bitwall::{Aabb, Footprint, Grid, LoadOptions, LoadedLevel, Terrain};
use geo::{Area, Polygon, Rect, coord, unary_union};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "Milliseconds:\n\n| level | solid cells | points | `outlines` | `geo`, cells | `geo`, rectangles | \
         cells / `outlines` | rectangles / `outlines` | pixels too many in `geo` |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|"
    );
    let hedgewars = "../shared/corpus/debian-hedgewars-data_1.0.2-6/Maps";
    let options = LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() };
    for (name, file) in [
        ("cave.tmx", "assets/cave.tmx".to_owned()),
        ("town.tmx", "assets/town.tmx".to_owned()),
        ("harbor_mask.png", "assets/harbor_mask.png".to_owned()),
        ("Hedgewars Cake", format!("{hedgewars}/Cake/mask.png")),
        ("Hedgewars Cave", format!("{hedgewars}/Cave/mask.png")),
    ] {
        let path = Path::new(ROOT).join(file);
        if path.exists() {
            compare(name, LoadedLevel::load(&path, &options)?.level.terrain())?;
        } else {
            println!("\nNot measured: {name} ({} is not there).\n", path.display());
        }
    }
    compare("round caves, 1024 x 1024", &caves()?)?;
    for percent in [10, 50] {
        compare(&format!("noise of {percent}%, 256 x 256"), &noise(percent)?)?;
    }
    Ok(())
}

fn caves() -> Result<Terrain, Box<dyn Error>> {
    let mut random = fastrand::Rng::with_seed(5);
    let mut grid = Grid::new(1024, 1024)?;
    grid.fill(0..1024, 0..1024, true)?;
    let mut terrain = Terrain::new(grid, UVec2::ONE)?;
    for _ in 0..60 {
        let hole = Footprint::circle(random.u32(16..180))?;
        terrain.carve(&hole, [random.i32(0..1024), random.i32(0..1024)].into());
    }
    Ok(terrain)
}

fn noise(percent: u32) -> Result<Terrain, Box<dyn Error>> {
    let mut random = fastrand::Rng::with_seed(4);
    let mut grid = Grid::new(256, 256)?;
    for (x, y) in (0..256).flat_map(|y| (0..256).map(move |x| (x, y))) {
        grid.set(x, y, random.u32(0..100) < percent)?;
    }
    Ok(Terrain::new(grid, UVec2::ONE)?)
}

/// Measures a level and prints its row of the table.
fn compare(name: &str, terrain: &Terrain) -> Result<(), Box<dyn Error>> {
    let square = |area: Aabb| {
        let [min, max] =
            [area.min, area.max].map(|at| coord! { x: f64::from(at.x), y: f64::from(at.y) });
        Rect::new(min, max).to_polygon()
    };
    let solid = terrain.grid().iter_solid();
    let cells: Vec<Polygon> = solid.map(|cell| square(terrain.cell_box(cell.as_ivec2()))).collect();
    let rectangles: Vec<Polygon> = terrain.rectangles().into_iter().map(square).collect();
    let (ours, outlines) = fastest(|| terrain.outlines());
    let (by_cells, union) = fastest(|| unary_union(&cells));
    let (by_rectangles, _) = fastest(|| unary_union(&rectangles));
    let area = cells.len() as f64 * terrain.cell_size().as_dvec2().element_product();
    let more = union.unsigned_area() - area;
    let points: usize = outlines.loops().map(|outline| outline.points.len()).sum();
    println!(
        "| {name} | {} | {points} | **{ours:.4}** | {by_cells:.3} | {by_rectangles:.3} | {:.0} | {:.0} | \
         {more} |",
        cells.len(),
        by_cells / ours,
        by_rectangles / ours
    );
    Ok(())
}

/// Returns the milliseconds of the fastest round, and its result. Runs at least one round, and more for half
/// a second.
fn fastest<T>(mut work: impl FnMut() -> T) -> (f64, T) {
    let begin = Instant::now();
    let mut best = f64::INFINITY;
    loop {
        let start = Instant::now();
        let result = black_box(work());
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
        if begin.elapsed() > Duration::from_millis(500) {
            return (best, result);
        }
    }
}
