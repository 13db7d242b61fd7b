//! What the reader takes out of a map's files: everything that must be exact or checked. Plain data.

use glam::IVec2;

use super::cells::CellData;
use super::schema::Shape;
use crate::level::decimal::Micro;

/// A map, as far as `tiled` is not asked.
#[derive(Default)]
pub(super) struct Document<'t> {
    /// The copy for `tiled`.
    pub(super) canonical: String,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) tile_width: u32,
    pub(super) tile_height: u32,
    /// In the order of the file.
    pub(super) tilesets: Vec<RawTileset>,
    /// All layers and groups in the order of the file, a group before what is in it.
    pub(super) layers: Vec<RawLayer<'t>>,
}

/// A tileset's ids.
#[derive(Default)]
pub(super) struct RawTileset {
    pub(super) name: String,
    pub(super) first_gid: u32,
    /// How many tiles it has, if the file says so or its picture's size does.
    pub(super) tile_count: Option<u32>,
    /// The ids that it names, in the order of the file.
    pub(super) tile_ids: Vec<u32>,
    /// True if its tiles have pictures of their own; then it has the tiles that it names, and no others.
    pub(super) is_collection: bool,
}

/// A layer or group.
pub(super) struct RawLayer<'t> {
    /// Its name with those of the groups around it.
    pub(super) path: String,
    pub(super) content: RawContent<'t>,
    /// How far it is moved, by the groups around it too.
    pub(super) offset: (Micro, Micro),
}

impl RawLayer<'_> {
    /// How far it is moved, in whole pixels by the rule of [`Micro::pixel`].
    pub(super) fn offset_in_pixels(&self) -> IVec2 {
        let whole = |offset: Micro| {
            offset
                .pixel()
                .clamp(i64::from(i32::MIN), i64::from(i32::MAX))
        };
        IVec2::new(whole(self.offset.0) as i32, whole(self.offset.1) as i32)
    }
}

/// What a layer holds.
pub(super) enum RawContent<'t> {
    Tiles(CellData<'t>),
    Objects(Vec<RawObject>),
    Image,
    Group,
}

/// An object's geometry, exactly.
pub(super) struct RawObject {
    pub(super) id: u32,
    pub(super) x: Micro,
    pub(super) y: Micro,
    pub(super) width: Micro,
    pub(super) height: Micro,
    pub(super) rotation: Micro,
    pub(super) gid: Option<u32>,
    pub(super) shape: Shape,
}
