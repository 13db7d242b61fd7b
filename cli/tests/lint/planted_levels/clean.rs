//! Clean levels of tiles: rooms with doors, caves and platforms, as maps and as masks.

use bitwall::analyze::{CellKind, Connectivity, components};
use bitwall::glam::IVec2;
use bitwall::image::{GrayImage, Luma};
use bitwall_cli::lint::SolidShare;

use super::Rect;
use crate::support::png;

/// The width and height of a tile, in pixels.
pub(super) const TILE: i32 = 16;

/// The letter of a slope that rises to the right.
pub(super) const SLOPE: u8 = b'/';

/// A level of tiles: `#` is solid, `.` is free, `/` is a slope.
#[derive(Clone, Debug)]
pub(super) struct Clean {
    pub(super) rows: Vec<Vec<u8>>,
    /// The name and the position in pixels of each marker.
    pub(super) markers: Vec<(String, IVec2)>,
    /// Additional solids, in pixels.
    pub(super) rects: Vec<Rect>,
    /// The height at which the slope ends, in pixels below the top of its tile.
    pub(super) slope_top: f32,
}

/// Yields the cells on the border of the square around `middle`.
pub(super) fn ring(middle: IVec2, radius: i32) -> impl Iterator<Item = IVec2> {
    let side = -radius..=radius;
    let all = side.clone().flat_map(move |y| side.clone().map(move |x| IVec2::new(x, y)));
    all.filter(move |at| at.abs().max_element() == radius).map(move |at| middle + at)
}

impl Clean {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let size = IVec2::new(34, 24);
        let mut level = Self::of_rows(vec![vec![b'#'; size.x as usize]; size.y as usize]);
        match seed % 3 {
            0 => level.dig_rooms(&mut random),
            1 => level.dig_caves(&mut random),
            _ => level.dig_platforms(&mut random),
        }
        level.keep_largest();
        level.place_markers();
        level.place_slope(seed);
        level
    }

    pub(super) fn of_rows(rows: Vec<Vec<u8>>) -> Self {
        Self { rows, markers: Vec::new(), rects: Vec::new(), slope_top: 0.0 }
    }

    fn fill(&mut self, min: IVec2, max: IVec2, solid: bool) {
        for (x, y) in (min.y..max.y).flat_map(|y| (min.x..max.x).map(move |x| (x, y))) {
            self.set(IVec2::new(x, y), solid);
        }
    }

    /// Digs three by two rooms, with a door of two tiles between neighbours.
    fn dig_rooms(&mut self, random: &mut fastrand::Rng) {
        for (column, row) in [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)] {
            let min = IVec2::new(1 + column * 11, 1 + row * 11);
            self.fill(min, min + IVec2::new(10, 10 + row), false);
            let door = IVec2::new(random.i32(1..8), random.i32(1..8));
            if column < 2 {
                self.fill(min + IVec2::new(10, door.y), min + IVec2::new(11, door.y + 2), false);
            }
            if row == 0 {
                self.fill(min + IVec2::new(door.x, 10), min + IVec2::new(door.x + 2, 11), false);
            }
        }
    }

    /// Digs overlapping pits.
    fn dig_caves(&mut self, random: &mut fastrand::Rng) {
        let size = self.size();
        for _ in 0..14 {
            let pit = IVec2::new(random.i32(6..12), random.i32(6..11));
            let min = IVec2::new(random.i32(1..size.x - pit.x), random.i32(1..size.y - pit.y));
            self.fill(min, min + pit, false);
        }
    }

    /// Digs one open space, with ledges at least three tiles apart.
    fn dig_platforms(&mut self, random: &mut fastrand::Rng) {
        let size = self.size();
        self.fill(IVec2::ONE, size - 1, false);
        for row in (9..size.y - 6).step_by(5) {
            let width = random.i32(4..9);
            let column = random.i32(4..size.x - width - 4);
            self.fill(IVec2::new(column, row), IVec2::new(column + width, row + 1), true);
        }
    }

    /// Fills all passable parts except the largest one.
    fn keep_largest(&mut self) {
        let text: Vec<&str> =
            self.rows.iter().map(|row| std::str::from_utf8(row).unwrap()).collect();
        let grid = bitwall::Grid::from_text(&text.join("\n")).unwrap();
        let parts = components(&grid, CellKind::Passable, Connectivity::Four).unwrap();
        let largest = parts.parts().iter().enumerate().max_by_key(|(_, part)| part.size);
        let largest = largest.map(|(number, _)| number);
        for (row, columns, _) in parts.runs().filter(|(.., part)| Some(*part) != largest) {
            columns.for_each(|column| self.set(IVec2::new(column as i32, row as i32), true));
        }
    }

    /// Places a spawn, a goal and a pickup on one floor of the level.
    fn place_markers(&mut self) {
        let stands = |cell: IVec2| {
            self.is_free(cell) && self.is_free(cell - IVec2::Y) && !self.is_free(cell + IVec2::Y)
        };
        let is_floor = |cell: &IVec2| (0..3).all(|more| stands(*cell + IVec2::X * more));
        let first = self.cells().filter(is_floor).last().expect("a floor of three tiles");
        for (name, more) in [("player", 0), ("coin 1", 1), ("exit", 2)] {
            let at = (first + IVec2::X * more) * TILE + IVec2::new(8, 14);
            self.markers.push((name.to_owned(), at));
        }
    }

    /// Places a step with a slope before it on the floor, in every second level.
    fn place_slope(&mut self, seed: u64) {
        let is_place = |cell: &IVec2| {
            let near = (-3..=5).flat_map(|x| (-4..=0).map(move |y| IVec2::new(x, y)));
            let open = near.into_iter().all(|by| self.is_free(*cell + by));
            let floor = (-3..=5).all(|x| !self.is_free(*cell + IVec2::new(x, 1)));
            let far = |(_, at): &(String, IVec2)| (*at / TILE - *cell).abs().max_element() > 6;
            open && floor && self.markers.iter().all(far)
        };
        if let Some(cell) = self.cells().find(is_place).filter(|_| seed.is_multiple_of(2)) {
            self.rows[cell.y as usize][cell.x as usize] = SLOPE;
            self.fill(cell + IVec2::X, cell + IVec2::new(3, 1), true);
        }
    }

    pub(super) fn size(&self) -> IVec2 {
        IVec2::new(self.rows[0].len() as i32, self.rows.len() as i32)
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = IVec2> + use<> {
        let size = self.size();
        (0..size.y).flat_map(move |y| (0..size.x).map(move |x| IVec2::new(x, y)))
    }

    fn letter(&self, cell: IVec2) -> u8 {
        let row = self.rows.get(cell.y as usize);
        row.and_then(|row| row.get(cell.x as usize)).copied().unwrap_or(b'#')
    }

    pub(super) fn is_free(&self, cell: IVec2) -> bool {
        self.letter(cell) == b'.'
    }

    pub(super) fn set(&mut self, cell: IVec2, solid: bool) {
        self.rows[cell.y as usize][cell.x as usize] = if solid { b'#' } else { b'.' };
    }

    /// Returns the pixel in the middle of a cell.
    pub(super) fn middle(&self, cell: IVec2) -> IVec2 {
        cell * TILE + TILE / 2
    }

    pub(super) fn any_solid(&self, random: &mut fastrand::Rng) -> IVec2 {
        let solid: Vec<IVec2> = self.cells().filter(|cell| self.letter(*cell) == b'#').collect();
        solid[random.usize(0..solid.len())]
    }

    /// Returns a random solid cell with only solid cells around it, up to two cells away.
    pub(super) fn buried(&self, random: &mut fastrand::Rng) -> Option<IVec2> {
        let is_buried = |cell: &IVec2| {
            let near = (1..=2).flat_map(|radius| ring(*cell, radius));
            self.letter(*cell) == b'#' && near.into_iter().all(|at| self.letter(at) == b'#')
        };
        let all: Vec<IVec2> = self.cells().filter(is_buried).collect();
        all.get(random.usize(0..all.len().max(1))).copied()
    }

    /// Returns the middle of a free square of `side` cells with two free cells around it, far from the
    /// markers.
    pub(super) fn open_square(&self, side: i32) -> Option<IVec2> {
        let radius = side / 2 + 2;
        self.cells().find(|cell| {
            let near = (0..=radius).flat_map(|radius| ring(*cell, radius));
            let far = |(_, at): &(String, IVec2)| (*at / TILE - *cell).abs().max_element() > radius;
            near.into_iter().all(|at| self.is_free(at)) && self.markers.iter().all(far)
        })
    }

    /// Returns a column and a row for a vertical wall with a door. The cells on both sides are free, and no
    /// marker is near the column.
    pub(super) fn columns_with_room(&self, random: &mut fastrand::Rng) -> Option<(i32, i32)> {
        let is_place = |cell: &IVec2| {
            let room = (-4..=4).all(|x| (-1..=2).all(|y| self.is_free(*cell + IVec2::new(x, y))));
            room && self.markers.iter().all(|(_, at)| (at.x / TILE - cell.x).abs() > 1)
        };
        let all: Vec<IVec2> = self.cells().filter(is_place).collect();
        all.get(random.usize(0..all.len().max(1))).map(|cell| (cell.x, cell.y))
    }

    /// Returns a column and a row for a horizontal wall with a shaft, like [`Clean::columns_with_room`] for a
    /// vertical wall.
    pub(super) fn rows_with_room(&self, random: &mut fastrand::Rng) -> Option<(i32, i32)> {
        let is_place = |cell: &IVec2| {
            let room = (-4..=4).all(|y| (-1..=2).all(|x| self.is_free(*cell + IVec2::new(x, y))));
            room && self.markers.iter().all(|(_, at)| (at.y / TILE - cell.y).abs() > 2)
        };
        let all: Vec<IVec2> = self.cells().filter(is_place).collect();
        all.get(random.usize(0..all.len().max(1))).map(|cell| (cell.x, cell.y))
    }

    pub(super) fn marker(&self, name: &str) -> IVec2 {
        self.markers.iter().find(|(known, _)| known == name).unwrap().1
    }

    pub(super) fn with_marker(&self, name: &str, at: IVec2) -> Self {
        let mut level = self.without_marker(name);
        level.markers.push((name.to_owned(), at));
        level
    }

    pub(super) fn without_marker(&self, name: &str) -> Self {
        let mut level = self.clone();
        level.markers.retain(|(known, _)| known != name);
        level
    }

    /// Returns the numbers of solid and of all pixels.
    pub(super) fn share(&self) -> SolidShare {
        let picture = self.picture();
        let solid = picture.pixels().filter(|pixel| pixel.0[0] == 0).count() as u64;
        SolidShare::new(solid, u64::from(picture.width()) * u64::from(picture.height()))
    }

    fn picture(&self) -> GrayImage {
        let size = self.size() * TILE;
        GrayImage::from_fn(size.x as u32, size.y as u32, |x, y| {
            let at = IVec2::new(x as i32, y as i32);
            let [dx, dy] = (at % TILE).to_array();
            let in_rect = self.rects.iter().any(|[left, top, width, height]| {
                (*left..left + width).contains(&at.x) && (*top..top + height).contains(&at.y)
            });
            let solid = match self.letter(at / TILE) {
                b'#' => true,
                SLOPE => dx + dy >= TILE - 1,
                _ => false,
            };
            Luma([if solid || in_rect { 0 } else { 255 }])
        })
    }

    /// Returns the level as a mask, in PNG.
    pub(super) fn mask(&self) -> Vec<u8> {
        png(self.picture())
    }

    /// Returns the level as a map, with a tileset of one full tile and one slope.
    pub(super) fn map(&self) -> String {
        let size = self.size();
        let gid = |letter: &u8| match letter {
            b'#' => "1",
            b'/' => "2",
            _ => "0",
        };
        let row = |row: &Vec<u8>| row.iter().map(gid).collect::<Vec<_>>().join(",");
        let cells = self.rows.iter().map(row).collect::<Vec<_>>().join(",\n");
        let objects = (10..).zip(&self.markers).map(|(id, (name, at))| {
            let (x, y) = (at.x, at.y);
            format!("<object id=\"{id}\" name=\"{name}\" x=\"{x}\" y=\"{y}\"><point/></object>\n")
        });
        let rects = (50..).zip(&self.rects).map(|(id, [x, y, width, height])| {
            format!(
                "<object id=\"{id}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>\n"
            )
        });
        format!(
            "<map version=\"1.10\" orientation=\"orthogonal\" width=\"{w}\" height=\"{h}\" \
             tilewidth=\"{TILE}\" tileheight=\"{TILE}\">\n\
             <tileset firstgid=\"1\" name=\"walls\" tilewidth=\"{TILE}\" tileheight=\"{TILE}\" \
             tilecount=\"2\" columns=\"2\">\n\
             <tile id=\"0\"><properties><property name=\"solid\" type=\"bool\" value=\"true\"/></properties>\
             <objectgroup><object id=\"1\" x=\"0\" y=\"0\" width=\"{TILE}\" height=\"{TILE}\"/></objectgroup>\
             </tile>\n\
             <tile id=\"1\"><properties><property name=\"solid\" type=\"bool\" value=\"true\"/></properties>\
             <objectgroup><object id=\"1\" x=\"0\" y=\"{TILE}\"><polygon points=\"0,0 {TILE},{rise} {TILE},0\"/>\
             </object></objectgroup></tile>\n</tileset>\n\
             <layer id=\"1\" name=\"ground\" width=\"{w}\" height=\"{h}\"><data encoding=\"csv\">\n{cells}\n\
             </data></layer>\n\
             <objectgroup id=\"2\" name=\"places\">\n{markers}</objectgroup>\n\
             <objectgroup id=\"3\" name=\"walls\">\n{rects}</objectgroup>\n</map>\n",
            w = size.x,
            h = size.y,
            rise = self.slope_top - TILE as f32,
            markers = objects.collect::<String>(),
            rects = rects.collect::<String>(),
        )
    }
}
