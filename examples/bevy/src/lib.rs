//! Levels of [`bitwall`] as assets of Bevy 0.20, and its movers, platformers and worlds as components and a
//! resource.
//!
//! [`BitwallPlugin`] does four things:
//! * It loads maps, worlds of maps and masks as [`LevelAsset`]s, with the files that they refer to. With
//!   Bevy's feature
//!   `file_watcher` a level is loaded again when one of its files changes.
//! * In [`FixedUpdate`] it moves each entity with a [`Mover`], by its [`Velocity`] or by its [`Platformer`],
//!   and the
//!   bodies of the resource [`Bodies`].
//! * It tells of each step by the messages [`Stepped`] and [`BodyEvent`].
//! * Before each frame it places the `Transform`s, between the last two steps.
//!
//! A level has whole pixels with y downward, and Bevy has y upward. The resource [`LevelSpace`] converts: all
//! components of this crate that Bevy's own systems use, `Transform` and `Velocity`, are in Bevy's units with
//! y upward. What is of `bitwall` keeps pixels with y downward. Collision answers stay exact; only positions
//! to draw and velocities are floats.
//!
//! This crate depends on no renderer, and answers alike with and without a window.

#[cfg(feature = "gizmos")]
mod gizmos;
mod level;
mod motion;

use bevy_app::{App, FixedUpdate, Plugin, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_asset::AssetApp;
use bevy_ecs::prelude::*;

pub use bitwall;
#[cfg(feature = "gizmos")]
pub use gizmos::{SolidGizmos, SolidGizmosPlugin};
pub use level::{LevelAsset, LevelLoader};
pub use motion::{
    Bodies, BodyEvent, BodyOf, Drawn, InLevel, LevelSpace, Mover, Platformer, Stepped, Velocity,
};

/// Loads levels, moves movers and bodies, and places their `Transform`s. It needs Bevy's `AssetPlugin` and
/// `TimePlugin` before it. A game that moves at 60 steps a second says so by `Time::<Fixed>::from_hz(60.0)`;
/// Bevy's default is 64.
#[derive(Clone, Debug, Default)]
pub struct BitwallPlugin {
    /// The options of all levels, such as rules of what is solid.
    pub options: bitwall::LoadOptions,
}

/// The systems of [`BitwallPlugin`] in [`FixedUpdate`]. A system that sets velocities or inputs there runs
/// before this set, and one that reads [`Stepped`] or [`BodyEvent`] after it.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitwallSystems;

impl Plugin for BitwallPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<LevelAsset>()
            .register_asset_loader(LevelLoader { options: self.options.clone() })
            .init_resource::<LevelSpace>()
            .init_resource::<Bodies>()
            .add_message::<Stepped>()
            .add_message::<BodyEvent>()
            .add_systems(
                FixedUpdate,
                (motion::step_movers, motion::step_bodies).in_set(BitwallSystems),
            )
            .add_systems(
                RunFixedMainLoop,
                motion::place.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
            );
    }
}
