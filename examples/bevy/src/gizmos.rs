//! Draws the outlines of the solids of a level with Bevy's gizmos.

use std::collections::HashMap;

use bevy_app::{App, Plugin, Update};
use bevy_asset::{AssetEvent, AssetId, Assets};
use bevy_color::Color;
use bevy_ecs::prelude::*;
use bevy_gizmos::gizmos::Gizmos;
use bevy_math::Vec2;

use crate::{InLevel, LevelAsset, LevelSpace};

/// Draws the outlines of the solids of the entity's [`InLevel`] in this colour.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct SolidGizmos(pub Color);

/// Draws [`SolidGizmos`]. It needs Bevy's `GizmoPlugin`, which is one of `DefaultPlugins`.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolidGizmosPlugin;

impl Plugin for SolidGizmosPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, draw);
    }
}

type Loops = Vec<Vec<Vec2>>;

/// Returns the closed outlines of the solids, in Bevy's units. O(cells).
pub(crate) fn loops(level: &LevelAsset, space: &LevelSpace) -> Loops {
    let outlines = level.outlines();
    let place = |point: &bitwall::glam::IVec2| space.0.point_to_engine(point.as_dvec2()).into();
    outlines.loops().map(|it| it.points.iter().map(place).collect()).collect()
}

fn draw(
    mut gizmos: Gizmos,
    levels: Res<Assets<LevelAsset>>,
    space: Res<LevelSpace>,
    entities: Query<(&InLevel, &SolidGizmos)>,
    mut changes: MessageReader<AssetEvent<LevelAsset>>,
    mut known: Local<HashMap<AssetId<LevelAsset>, Loops>>,
) {
    if space.is_changed() {
        known.clear();
    }
    for change in changes.read() {
        if let AssetEvent::Modified { id } | AssetEvent::Removed { id } = change {
            known.remove(id);
        }
    }
    for (at, color) in &entities {
        let Some(level) = levels.get(&at.0) else { continue };
        let loops = known.entry(at.0.id()).or_insert_with(|| loops(level, &space));
        loops.iter().for_each(|points| gizmos.lineloop_2d(points.iter().copied(), color.0));
    }
}

#[cfg(test)]
mod tests {
    use bitwall::{LoadOptions, LoadedLevel};

    use super::*;

    #[test]
    fn the_outlines_of_the_hills_have_all_corners_and_y_points_upward() {
        let loaded = LoadedLevel::load("../../assets/hills.tmx", &LoadOptions::default()).unwrap();
        let size = loaded.level.size().as_vec2();
        let corners = loaded.level.corner_count();
        let loops = loops(&LevelAsset(loaded), &LevelSpace::default());
        let points: Vec<Vec2> = loops.concat();
        assert_eq!(points.len() as u64, corners, "{points:?}");
        assert!(points.iter().all(|at| at.x >= 0.0 && at.y <= 0.0 && at.y >= -size.y));
        assert!(points.contains(&Vec2::new(0.0, -size.y)), "the bottom left of the ground");
    }
}
