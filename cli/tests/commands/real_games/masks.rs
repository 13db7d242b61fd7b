//! The true solids of masks, according to the code of their games. `CONVENTIONS.tsv` describes them in terms
//! such as `mask:alpha=255`.

use std::path::Path;

use bitwall::Grid;
use bitwall::Level;
use bitwall::Terrain;
use bitwall::geometry::Outside;
use bitwall::glam::{IVec2, UVec2};

use crate::conventions::table::{Row, lines};
use crate::conventions::truth::PlacedLevel;

/// Returns the rows of the masks in the table of a folder.
pub(super) fn rows(folder: &Path) -> Vec<Row> {
    let mut rows = Vec::new();
    for [file, solid, neither] in lines(folder) {
        if file.ends_with(".png") {
            let path = folder.join(&file);
            let levels = |terms: &str| {
                let terms = terms.split(" + ").map(str::trim).filter(|term| !term.is_empty());
                terms.map(|term| level(&path, term)).collect::<Vec<_>>()
            };
            let [solid, neither] = [levels(&solid), levels(&neither)];
            rows.push(Row { file, folder: folder.to_owned(), path, solid, neither });
        }
    }
    rows
}

/// Returns the pixels of a mask that a term describes.
fn level(path: &Path, term: &str) -> PlacedLevel {
    let picture = bitwall::load::load_picture(path).unwrap();
    let term = term.strip_prefix("mask:").unwrap();
    let mut parts = term.split('!');
    let (kind, of) = parts.next().map(|part| part.split_once('=').unwrap_or((part, ""))).unwrap();
    let is_without_red = parts.any(|flag| flag == "notred");
    let indices = if kind == "index" { palette_indices(path) } else { Vec::new() };
    let least: u32 = of.parse().unwrap_or_default();
    let mut grid = Grid::new(picture.width(), picture.height()).unwrap();
    for (x, y, pixel) in picture.enumerate_pixels() {
        let [red, green, blue, alpha] = pixel.0;
        let is_red = red >= 200 && green < 100 && blue < 100;
        let is_solid = match kind {
            "color" => of
                .split(',')
                .any(|color| color == format!("#{red:02x}{green:02x}{blue:02x}") && alpha == 255),
            "dark" => u32::from(red) + u32::from(green) + u32::from(blue) < 3 * least,
            "light" => [red, green, blue].iter().all(|sample| u32::from(*sample) > least),
            "alpha" => u32::from(alpha) >= least,
            "index" => {
                let index = indices[(y * picture.width() + x) as usize].to_string();
                of.split(',').any(|wanted| wanted == index)
            }
            "partial" => alpha > 0 && alpha < 255,
            _ => panic!("a term that is not followed here: {term}"),
        };
        if is_solid && !(is_red && is_without_red) {
            grid.set(x, y, true).unwrap();
        }
    }
    let terrain = Terrain::new(grid, UVec2::ONE).unwrap().with_outside(Outside::Open);
    PlacedLevel { level: Level::new(terrain), corner: IVec2::ZERO }
}

/// Returns the index into the palette of each pixel of a PNG, row by row.
fn palette_indices(path: &Path) -> Vec<u8> {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut packed = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut packed).unwrap();
    assert_eq!(info.color_type, png::ColorType::Indexed, "{}", path.display());
    let bits = info.bit_depth as usize;
    let mut indices = Vec::new();
    for row in packed.chunks(info.line_size) {
        for x in 0..info.width as usize {
            let shift = 8 - bits - x * bits % 8;
            indices.push((row[x * bits / 8] >> shift) & (255 >> (8 - bits)) as u8);
        }
    }
    indices
}
