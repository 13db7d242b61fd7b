//! The element of the map itself.

use glam::UVec2;

use super::layer::{self, kind_of};
use super::property::properties;
use super::value::{positive, required, values};
use super::{Failure, FileReader, Seen, tileset};
use crate::error::LoadErrorKind;
use crate::geometry::MAX_CELL_SIZE;
use crate::limits::check;
use crate::tmx::cursor::Element;
use crate::tmx::{Orientation, RenderOrder, StaggerAxis, StaggerIndex};

/// The attributes that state how the cells lie.
#[derive(Default)]
struct Lie {
    orientation: Option<String>,
    axis: StaggerAxis,
    index: StaggerIndex,
    hexagon_side: i32,
    skew: [i32; 2],
}

/// Reads the map into the shared document.
pub(super) fn read(
    reader: &mut FileReader<'_, '_, '_, '_>,
    element: Element<'_>,
) -> Result<(), Failure> {
    attributes(reader, element)?;
    let mut seen = Seen::default();
    while let Some(child) = reader.child()? {
        match &*child.name {
            "properties" => {
                seen.once("properties")?;
                reader.shared.map.properties = properties(reader)?;
            }
            "tileset" => tileset::add_to_map(reader, child)?,
            name => match kind_of(name) {
                Some(kind) => {
                    let layer = layer::read(reader, kind, child, None)?;
                    reader.shared.map.layers.push(layer);
                }
                None => reader.pass(&child, "map")?,
            },
        }
    }
    Ok(())
}

fn attributes(
    reader: &mut FileReader<'_, '_, '_, '_>,
    element: Element<'_>,
) -> Result<(), Failure> {
    const ORDERS: [(&str, RenderOrder); 4] = [
        ("right-down", order(false, false)),
        ("right-up", order(false, true)),
        ("left-down", order(true, false)),
        ("left-up", order(true, true)),
    ];
    const AXES: [(&str, StaggerAxis); 2] = [("x", StaggerAxis::X), ("y", StaggerAxis::Y)];
    const INDICES: [(&str, StaggerIndex); 2] =
        [("odd", StaggerIndex::Odd), ("even", StaggerIndex::Even)];
    let limits = reader.shared.options.limits;
    let map = &mut reader.shared.map;
    let mut lie = Lie::default();
    let [mut width, mut height, mut tile_width, mut tile_height] = [None; 4];
    let mut kind = String::new();
    for value in values("map", element.attributes, limits) {
        match &*value.name {
            "version" => map.version = value.name()?,
            "tiledversion" => map.tiled_version = value.name()?,
            "class" => map.class = value.name()?,
            "type" => kind = value.name()?,
            "orientation" => lie.orientation = Some(value.text()?.into_owned()),
            "renderorder" => map.render_order = value.word(&ORDERS),
            "staggeraxis" => lie.axis = value.word(&AXES),
            "staggerindex" => lie.index = value.word(&INDICES),
            "hexsidelength" => lie.hexagon_side = value.int()?,
            "skewx" => lie.skew[0] = value.int()?,
            "skewy" => lie.skew[1] = value.int()?,
            "width" => width = Some(value.count()?),
            "height" => height = Some(value.count()?),
            "tilewidth" => tile_width = Some(value.count()?),
            "tileheight" => tile_height = Some(value.count()?),
            "infinite" => map.is_infinite = value.flag()?,
            "parallaxoriginx" => map.parallax_origin.x = value.decimal()?,
            "parallaxoriginy" => map.parallax_origin.y = value.decimal()?,
            "backgroundcolor" => map.background = value.color(),
            _ => {}
        }
    }
    if map.class.is_empty() {
        map.class = kind;
    }
    map.orientation = lie.orientation()?;
    let side = |name, value| {
        let side = required("map", name, value)?;
        positive("map", name, side)?;
        Ok::<u32, LoadErrorKind>(side)
    };
    map.size = match map.is_infinite {
        true => UVec2::new(width.unwrap_or(0), height.unwrap_or(0)),
        false => UVec2::new(side("width", width)?, side("height", height)?),
    };
    map.tile_size = UVec2::new(side("tilewidth", tile_width)?, side("tileheight", tile_height)?);
    let sides = map.size.to_array();
    for side in sides {
        let what = "tiles in the width or height of the map";
        check(what, side, limits.map_side)?;
    }
    for side in map.tile_size.to_array() {
        let limit = limits.tile_side.min(MAX_CELL_SIZE);
        check("pixels in a side of a tile", side, limit)?;
    }
    for side in [lie.skew[0], lie.skew[1], lie.hexagon_side] {
        let what = "pixels in a map's skew or a hexagon's side";
        check(what, side.unsigned_abs(), limits.tile_side)?;
    }
    Ok(())
}

impl Lie {
    fn orientation(&self) -> Result<Orientation, LoadErrorKind> {
        let &Self { axis, index, .. } = self;
        Ok(match self.orientation.as_deref() {
            None | Some("orthogonal") => Orientation::Orthogonal,
            Some("isometric") => Orientation::Isometric,
            Some("staggered") => Orientation::Staggered { axis, index },
            Some("hexagonal") => Orientation::Hexagonal {
                axis,
                index,
                side: self.hexagon_side.max(0).unsigned_abs(),
            },
            Some("oblique") => Orientation::Oblique { skew_x: self.skew[0], skew_y: self.skew[1] },
            Some(other) => {
                return Err(LoadErrorKind::Value {
                    element: "map",
                    attribute: "orientation".to_owned(),
                    value: other.to_owned(),
                    expected: "an orientation that Tiled knows",
                });
            }
        })
    }
}

const fn order(leftward: bool, upward: bool) -> RenderOrder {
    RenderOrder { leftward, upward }
}
