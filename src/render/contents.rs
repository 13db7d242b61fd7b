//! The content of a level's legend: its size, its solids, one-way sides and areas, and how much there is of
//! each.

use glam::UVec2;

use super::canvas::Canvas;
use super::labels::{MAX_NAME, shortened};
use super::legend::{Legend, Swatch};
use super::overlay::Overlay;
use super::pattern::Pattern;
use super::{markers, motion, one_way};
use crate::Level;
use crate::geometry::Dir;
use crate::sweep::Terrain;

/// The legend of a level, of which the canvas may show a part.
pub(super) fn legend(
    canvas: &Canvas<'_>,
    level: &Level,
    overlay: &Overlay,
    name: Option<&str>,
) -> Legend {
    let mut legend = Legend::new(canvas.font());
    let pair = |size: UVec2| format!("{} x {}", size.x, size.y);
    if let Some(name) = name {
        legend.add(None, shortened(name, MAX_NAME));
    }
    legend.add(None, format!("{} px", pair(level.size())));
    let grid = level.grid();
    if level.cell_size() != UVec2::ONE {
        legend.add(None, format!("{} cells of {} px", pair(grid.size()), pair(level.cell_size())));
    }
    let scale = canvas.scale;
    let shown = canvas.size() / scale.max(1);
    if let Some(from) = canvas.cut_at() {
        legend.add(None, format!("here {} px from {}, {}", pair(shown), from.x, from.y));
    }
    if scale > 1 {
        legend.add(None, format!("{scale} times enlarged"));
    }
    if overlay.solids {
        let solid = Swatch::Cells(Pattern::SOLID);
        legend.add(Some(solid), format!("solid {}", share(level.terrain(), level)));
        for side in [Dir::Up, Dir::Down, Dir::Left, Dir::Right] {
            let count = level.one_way(side).map_or(0, |grid| grid.solid_count());
            if count > 0 {
                let from = match side {
                    Dir::Up => "from above",
                    Dir::Down => "from below",
                    Dir::Left => "from the left",
                    Dir::Right => "from the right",
                };
                let swatch = Swatch::OneWay(side, one_way::LINE);
                let count = cells(count, level.cell_size());
                legend.add(Some(swatch), format!("blocks {from} {count}"));
            }
        }
    }
    for (index, (name, area)) in level.areas().enumerate().filter(|_| overlay.areas) {
        let stops = level.area_category(name).is_some_and(|category| category != 0);
        let stops = if stops { ", stops some" } else { "" };
        let text = format!("{} {}{stops}", shortened(name, MAX_NAME), share(area, level));
        legend.add(Some(Swatch::Cells(Pattern::area(index))), text);
    }
    if overlay.markers && !level.markers().is_empty() {
        let count = level.markers().len();
        let word = if count == 1 { "marker" } else { "markers" };
        legend.add(Some(Swatch::Marker(markers::INK)), format!("{count} {word}"));
    }
    if let Some(body) = overlay.body {
        let size = pair(body.size());
        let place = motion::place(level, body).map_or(String::new(), |place| format!(" {place}"));
        legend.add(Some(Swatch::Body(motion::ink(level, body))), format!("body {size}{place}"));
    }
    legend
}

/// The share of the level that a terrain's solid cells take, and their number.
fn share(terrain: &Terrain, level: &Level) -> String {
    let grid = terrain.grid();
    let pixels = |count: u64, cell: UVec2| count as f64 * f64::from(cell.x) * f64::from(cell.y);
    let all = pixels(level.grid().cell_count(), level.cell_size()).max(1.0);
    let percent = 100.0 * pixels(grid.solid_count(), terrain.cell_size()) / all;
    format!("{percent:.1}% ({})", cells(grid.solid_count(), terrain.cell_size()))
}

/// A number of cells of this size.
fn cells(count: u64, cell: UVec2) -> String {
    let word = match (cell == UVec2::ONE, count == 1) {
        (true, _) => "px",
        (_, true) => "cell",
        _ => "cells",
    };
    format!("{count} {word}")
}
