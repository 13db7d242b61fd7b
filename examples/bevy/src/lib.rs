//! Levels of [`bitwall`] as assets of Bevy 0.19 or 0.20, its movers and platformers as components, and its
//! worlds as a resource.
//!
//! [`BitwallPlugin`] does four things:
//! * It loads maps, worlds of maps, projects of LDtk and masks as [`LevelAsset`]s, with the files that they
//!   refer to. With Bevy's feature `file_watcher` a level is reloaded when one of its files changes.
//! * In [`FixedUpdate`] it moves each entity that has a [`Mover`], by its [`Velocity`] or by its
//!   [`Platformer`] and [`Keys`], and the bodies of the resource [`Bodies`].
//! * It sends the messages [`Stepped`] and [`BodyEvent`] about each step.
//! * After the steps of each frame it sets the `Transform`s, interpolated between the last two steps. What is
//!   new or teleported is placed in the frame in which it appears.
//!
//! A level has whole pixels with y downward, and Bevy has y upward. The resource [`LevelSpace`] converts
//! between them. All components of this crate that Bevy's own systems use, `Transform` and `Velocity`, are in
//! Bevy's units with y upward. Types of `bitwall` are in pixels with y downward. Collision answers stay
//! exact, because only velocities and drawn positions are floats.
//!
//! This crate depends on no renderer, and gives the same answers with and without a window.

#[cfg(feature = "gizmos")]
mod gizmos;
mod keys;
mod level;
mod motion;

use bevy_app::{App, FixedUpdate, Plugin, PostUpdate, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_asset::AssetApp;
use bevy_ecs::prelude::*;
use bevy_transform::TransformSystems;

pub use bitwall;
#[cfg(feature = "gizmos")]
pub use gizmos::{SolidGizmos, SolidGizmosPlugin};
pub use keys::Keys;
pub use level::{LevelAsset, LevelLoader};
pub use motion::{
    Bodies, BodyEvent, BodyOf, Drawn, InLevel, LevelSpace, Mover, Platformer, Stepped, Velocity,
};

/// Loads levels, moves movers and bodies, and sets their `Transform`s. Add Bevy's `AssetPlugin` and
/// `TimePlugin` before it.
///
/// The steps are those of `Time<Fixed>`, 64 a second by default. A game that sets another rate passes it to
/// [`Platformer::new`] and stores a world of that rate in [`Bodies`].
#[derive(Clone, Debug, Default)]
pub struct BitwallPlugin {
    /// The load options of all levels, such as the rules that decide what is solid.
    pub options: bitwall::LoadOptions,
}

/// The systems of [`BitwallPlugin`] in [`FixedUpdate`] and in [`PostUpdate`].
///
/// In `FixedUpdate`, a system that sets velocities or keys runs before this set, and a system that reads
/// [`Stepped`] or [`BodyEvent`] after it. In `PostUpdate`, a camera that follows a body moves after this set
/// and before [`TransformSystems::Propagate`].
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
                (motion::place_unmoved, motion::step_movers, motion::step_bodies)
                    .chain()
                    .in_set(BitwallSystems),
            )
            .add_systems(
                RunFixedMainLoop,
                (motion::place_unmoved, motion::place)
                    .chain()
                    .in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
            )
            .add_systems(
                PostUpdate,
                motion::place_unmoved.in_set(BitwallSystems).before(TransformSystems::Propagate),
            );
    }
}
