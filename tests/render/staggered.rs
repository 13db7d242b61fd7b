//! Staggered and hexagonal maps of odd sizes are compared with a naive copy of the renderer of Tiled 1.12.

use bitwall::LoadedLevel;
use bitwall::glam::IVec2;
use bitwall::image::{Rgba, RgbaImage, imageops};
use bitwall::render::{self, DrawOptions, Overlay};

use crate::render::sheet::pictures;
use crate::support::{self, even_blank, layer, map, tileset};

/// The numbers of `RenderParams` in Tiled since 1.10.1, computed with Tiled's formulas, in pixels.
struct Params {
    tile: IVec2,
    side: IVec2,
    offset: IVec2,
    /// The width of a column and the height of a row.
    step: IVec2,
    is_x: bool,
    is_even: bool,
}

impl Params {
    fn new(tile: [i32; 2], side: i32, is_x: bool, is_even: bool) -> Self {
        let side = if is_x { IVec2::new(side, 0) } else { IVec2::new(0, side) };
        let offset = (IVec2::from(tile) - side) / 2;
        let step = offset + side;
        Self { tile: step + offset, side, offset, step, is_x, is_even }
    }

    fn is_shifted(&self, line: i32) -> bool {
        (line % 2 == 1) ^ self.is_even
    }

    /// Returns the top-left corner of the box around a cell.
    fn corner(&self, cell: IVec2) -> IVec2 {
        let Self { tile, side, step, .. } = *self;
        if self.is_x {
            let down = i32::from(self.is_shifted(cell.x)) * step.y;
            IVec2::new(cell.x * step.x, cell.y * (tile.y + side.y) + down)
        } else {
            let right = i32::from(self.is_shifted(cell.y)) * step.x;
            IVec2::new(cell.x * (tile.x + side.x) + right, cell.y * step.y)
        }
    }

    /// Returns the size of the picture of a map with `size` columns and rows.
    fn picture(&self, size: IVec2) -> IVec2 {
        if self.is_x {
            let down = i32::from(size.x > 1) * self.step.y;
            IVec2::new(size.x * self.step.x + self.offset.x, size.y * self.tile.y + down)
        } else {
            let right = i32::from(size.y > 1) * self.step.x;
            IVec2::new(size.x * self.tile.x + right, size.y * self.step.y + self.offset.y)
        }
    }

    /// Returns the cells of a map with `size` columns and rows, in drawing order.
    fn cells(&self, size: IVec2) -> Vec<IVec2> {
        let mut cells: Vec<IVec2> = support::places(size).collect();
        if self.is_x {
            cells.sort_by_key(|cell| (cell.y, self.is_shifted(cell.x), cell.x));
        }
        cells
    }
}

fn drawn(loaded: &LoadedLevel, tiles: &RgbaImage) -> RgbaImage {
    let pictures = pictures(&loaded.maps, |_| Some(tiles.clone()));
    let overlay = Overlay::none(1);
    let options = DrawOptions { overlay, pictures: Some(&pictures), ..DrawOptions::default() };
    render::draw(loaded, &options).unwrap()
}

/// Tests 28 maps: both stagger axes, both stagger indices, and seven sizes. In each size at least one number
/// cannot be halved without a remainder.
#[test]
fn staggered_and_hexagonal_maps_of_odd_sizes_are_drawn_as_tiled_draws_them() {
    let sizes = [
        ([16, 9], 0),
        ([15, 8], 0),
        ([13, 11], 0),
        ([17, 17], 7),
        ([14, 12], 5),
        ([19, 15], 6),
        ([65, 65], 31),
    ];
    let mut rng = fastrand::Rng::with_seed(28);
    let mut compared = 0;
    for (tile, side) in sizes {
        for (is_x, is_even) in [(false, false), (false, true), (true, false), (true, true)] {
            let params = Params::new(tile, side, is_x, is_even);
            let size = IVec2::new(rng.i32(2..7), rng.i32(2..7));
            let gids: Vec<u32> = support::places(size).map(|_| rng.u32(0..4)).collect();
            // The pictures of the tiles are taller than a cell.
            let own = IVec2::new(tile[0] - 1, tile[1] + 4);
            let tiles = RgbaImage::from_fn(3 * own.x as u32, own.y as u32, |x, y| {
                Rgba([x as u8, 3 * y as u8, 60 * (x / own.x as u32) as u8, 255])
            });
            let picture = params.picture(size).as_uvec2();
            let mut theirs = RgbaImage::new(picture.x, picture.y);
            for cell in params.cells(size) {
                let gid = gids[(cell.y * size.x + cell.x) as usize];
                if let Some(id) = gid.checked_sub(1) {
                    let part = (id * own.x as u32, 0, own.x as u32, own.y as u32);
                    let part = imageops::crop_imm(&tiles, part.0, part.1, part.2, part.3);
                    let at = params.corner(cell) + IVec2::new(0, params.tile.y - own.y);
                    imageops::overlay(&mut theirs, &part.to_image(), at.x.into(), at.y.into());
                }
            }
            let axis = if is_x { "x" } else { "y" };
            let index = if is_even { "even" } else { "odd" };
            let orientation = match side {
                0 => r#"orientation="staggered""#.to_owned(),
                _ => format!(r#"orientation="hexagonal" hexsidelength="{side}""#),
            };
            let attributes =
                format!(r#"{orientation} staggeraxis="{axis}" staggerindex="{index}""#);
            let data: Vec<String> = gids.iter().map(u32::to_string).collect();
            let content = tileset([own.x, own.y], 3, "")
                + &layer(r#"name="l""#, size.to_array(), &data.join(","));
            let loaded = support::load_all(
                &map(&attributes, size.to_array(), tile, &content),
                &even_blank(),
            );
            let ours = drawn(&loaded, &tiles);
            assert_eq!(ours.dimensions(), theirs.dimensions(), "{attributes} {tile:?} {size}");
            assert!(ours == theirs, "{attributes} {tile:?} {size}");
            // The cells of the level must be where the pictures are.
            let projection = loaded.maps[0].map.projection();
            for cell in support::places(size) {
                let corner = projection.cell_to_screen(cell).as_ivec2();
                assert_eq!(corner, params.corner(cell), "{attributes} {tile:?} {cell}");
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 28);
}

/// Tests the map in `../shared/trials/loaders` whose tiles are 65 x 65 pixels with hexagon sides of 31
/// pixels.
#[test]
fn a_real_map_of_odd_hexagons_is_as_wide_as_in_tiled() {
    let Some(folder) = support::shared("trials/loaders") else {
        return;
    };
    let loaded = LoadedLevel::load(folder.join("hex-65x65.tmx"), &even_blank()).unwrap();
    assert_eq!((loaded.level.size().x, loaded.maps[0].map.tile_size.x), (672, 65));
}
