//! Clean masks, and art drawn from them, by program.
//!
//! No draw is of a `usize`: with the same seed its values depend on the target.

use bitwall::image::{GrayImage, Luma, Rgba, RgbaImage};
use fastrand::Rng;

/// A mask: true is solid.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Cells {
    pub(crate) width: u32,
    pub(crate) height: u32,
    solid: Vec<bool>,
}

impl Cells {
    pub(crate) fn new(width: u32, height: u32, is_solid: impl Fn(u32, u32) -> bool) -> Self {
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        Self { width, height, solid: pixels.map(|(x, y)| is_solid(x, y)).collect() }
    }

    /// True if the pixel is solid; outside the mask, if the nearest pixel of the mask is.
    pub(crate) fn is_solid(&self, x: i32, y: i32) -> bool {
        let x = x.clamp(0, self.width as i32 - 1) as u32;
        let y = y.clamp(0, self.height as i32 - 1) as u32;
        self.solid[(y * self.width + x) as usize]
    }

    pub(crate) fn set(&mut self, x: i32, y: i32, solid: bool) {
        if (0..self.width as i32).contains(&x) && (0..self.height as i32).contains(&y) {
            self.solid[(y as u32 * self.width + x as u32) as usize] = solid;
        }
    }

    pub(crate) fn fill(&mut self, [x, y, width, height]: [i32; 4], solid: bool) {
        for (x, y) in (y..y + height).flat_map(|y| (x..x + width).map(move |x| (x, y))) {
            self.set(x, y, solid);
        }
    }

    /// The mask with every solid pixel moved by `dx` and `dy`.
    pub(crate) fn shifted(&self, dx: i32, dy: i32) -> Self {
        Self::new(self.width, self.height, |x, y| self.is_solid(x as i32 - dx, y as i32 - dy))
    }

    /// The mask in another size; its last column and row are repeated.
    pub(crate) fn sized(&self, width: u32, height: u32) -> Self {
        Self::new(width, height, |x, y| self.is_solid(x as i32, y as i32))
    }

    pub(crate) fn inverted(&self) -> Self {
        Self::new(self.width, self.height, |x, y| !self.is_solid(x as i32, y as i32))
    }

    pub(crate) fn image(&self) -> GrayImage {
        GrayImage::from_fn(self.width, self.height, |x, y| {
            Luma([if self.is_solid(x as i32, y as i32) { 0 } else { 255 }])
        })
    }

    /// True if all pixels of the square of this radius are solid, or all are passable.
    pub(crate) fn is_even(&self, x: i32, y: i32, radius: i32) -> bool {
        let solid = self.is_solid(x, y);
        let mut near = (-radius..=radius).flat_map(|dy| (-radius..=radius).map(move |dx| (dx, dy)));
        near.all(|(dx, dy)| self.is_solid(x + dx, y + dy) == solid)
    }
}

/// The kinds of clean masks.
pub(crate) const KINDS: [&str; 5] = ["cave", "rooms", "slopes", "platforms", "discs"];

/// A clean mask of a kind.
pub(crate) fn mask(kind: usize, rng: &mut Rng) -> Cells {
    let (width, height) = (rng.u32(200..420), rng.u32(150..300));
    match kind % KINDS.len() {
        0 => cave(width, height, rng),
        1 => rooms(width, height, rng),
        2 => slopes(width, height, rng),
        3 => platforms(width, height, rng),
        _ => discs(width, height, rng),
    }
}

/// Smooth noise: waves of random directions.
fn cave(width: u32, height: u32, rng: &mut Rng) -> Cells {
    let waves: Vec<[f64; 4]> = (0..7)
        .map(|_| {
            let (length, turn) = (18.0 + 50.0 * rng.f64(), 6.3 * rng.f64());
            [turn.cos() * 6.3 / length, turn.sin() * 6.3 / length, 6.3 * rng.f64(), rng.f64()]
        })
        .collect();
    let level = 0.4 * rng.f64() - 0.2;
    let sum = |x: u32, y: u32| {
        let waves = waves.iter();
        waves.map(|[a, b, c, d]| d * (a * f64::from(x) + b * f64::from(y) + c).sin()).sum::<f64>()
    };
    let rough = Cells::new(width, height, |x, y| {
        let is_border = x < 8 || y < 8 || x >= width - 8 || y >= height - 8;
        is_border || sum(x, y) > level
    });
    smoothed(&rough)
}

/// The mask without the corners where waves meet: each pixel gets the kind of most pixels in the square
/// around it.
fn smoothed(rough: &Cells) -> Cells {
    let mut cells = rough.clone();
    for _ in 0..20 {
        let before = cells.clone();
        cells = Cells::new(cells.width, cells.height, |x, y| {
            let (x, y) = (x as i32, y as i32);
            let near = (-2..=2).flat_map(|dy| (-2..=2).map(move |dx| (dx, dy)));
            near.filter(|(dx, dy)| before.is_solid(x + dx, y + dy)).count() > 12
        });
        if cells == before {
            break;
        }
    }
    cells
}

/// Rooms with doors between them.
fn rooms(width: u32, height: u32, rng: &mut Rng) -> Cells {
    let mut cells = Cells::new(width, height, |_, _| true);
    let (across, down) = (rng.i32(3..6), rng.i32(2..5));
    let (w, h) = (width as i32 / across, height as i32 / down);
    for (i, j) in (0..down).flat_map(|j| (0..across).map(move |i| (i, j))) {
        let (left, top) = (i * w + rng.i32(4..9), j * h + rng.i32(4..9));
        cells.fill([left, top, w - 14, h - 14], false);
        if i + 1 < across {
            cells.fill([i * w + w / 2, j * h + h / 2 - 6, w, 12], false);
        }
        if j + 1 < down {
            cells.fill([i * w + w / 2 - 6, j * h + h / 2, 12, h], false);
        }
        if rng.bool() {
            cells.fill([left + 8, top + 8, rng.i32(4..10), rng.i32(4..10)], true);
        }
    }
    cells
}

/// A floor that rises and falls, with a ceiling.
fn slopes(width: u32, height: u32, rng: &mut Rng) -> Cells {
    let mut line = |low: i32, high: i32| {
        let mut heights = vec![rng.i32(low..high) * 8];
        while heights.len() < width as usize {
            let (length, step) =
                (rng.i32(16..60), [-8, -4, -2, 0, 0, 2, 4, 8][rng.u32(0..8) as usize]);
            for _ in 0..length {
                let last = heights[heights.len() - 1];
                heights.push((last + step).clamp(low * 8, high * 8));
            }
        }
        heights
    };
    let (h, down) = (height as i32, height as i32);
    let (floor, ceiling) = (line(h * 5 / 8, h * 7 / 8), line(8, down / 4));
    Cells::new(width, height, |x, y| {
        let y = y as i32 * 8;
        y >= floor[x as usize] || y < ceiling[x as usize]
    })
}

/// Platforms in the open, on a ground.
fn platforms(width: u32, height: u32, rng: &mut Rng) -> Cells {
    let mut cells = Cells::new(width, height, |_, _| false);
    let (w, h) = (width as i32, height as i32);
    cells.fill([0, h - 20, w, 20], true);
    for _ in 0..14 {
        let (x, y) = (rng.i32(0..w - 30), rng.i32(20..h - 40));
        cells.fill([x, y, rng.i32(16..60), rng.i32(5..14)], true);
    }
    cells
}

/// Discs on a ground.
fn discs(width: u32, height: u32, rng: &mut Rng) -> Cells {
    let (w, h) = (width as i32, height as i32);
    let discs: Vec<[i32; 3]> =
        (0..16).map(|_| [rng.i32(0..w), rng.i32(0..h), rng.i32(8..34)]).collect();
    smoothed(&Cells::new(width, height, |x, y| {
        let (x, y) = (x as i32, y as i32);
        y >= h - 12 || discs.iter().any(|[a, b, r]| (x - a).pow(2) + (y - b).pow(2) < r * r)
    }))
}

/// How art is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    /// The free space is transparent.
    pub(crate) clear: bool,
    /// Bricks and clouds instead of grain.
    pub(crate) textured: bool,
    /// Light from above: walls are lighter along their edges, and throw a shadow.
    pub(crate) shaded: bool,
    /// Trees and bushes that stop nobody.
    pub(crate) decorated: bool,
    /// The walls are only a little brighter or darker than the rest.
    pub(crate) faint: bool,
}

impl Style {
    /// A style whose flags are the lowest five bits of `bits`.
    pub(crate) fn of(bits: usize) -> Self {
        let bit = |place: usize| bits >> place & 1 == 1;
        Self {
            clear: bit(0) && !bit(4),
            textured: bit(1),
            shaded: bit(2),
            decorated: bit(3),
            faint: bit(4),
        }
    }
}

/// Art drawn from a mask.
pub(crate) fn art(cells: &Cells, style: Style, rng: &mut Rng) -> RgbaImage {
    let (dark, step) = (rng.i32(30..90), if style.faint { 34 } else { rng.i32(60..130) });
    let (wall, air) = if rng.bool() { (dark, dark + step) } else { (dark + step, dark) };
    let tint = [rng.i32(-20..20), rng.i32(-20..20), rng.i32(-20..20)];
    let grain = rng.i32(2..14);
    let mut image = RgbaImage::from_fn(cells.width, cells.height, |px, py| {
        let (x, y) = (px as i32, py as i32);
        let solid = cells.is_solid(x, y);
        if style.clear && !solid {
            return Rgba([0; 4]);
        }
        let mut light = if solid { wall } else { air };
        light += rng.i32(-grain..=grain);
        if style.textured && solid && (y % 8 == 0 || (x + y / 8 * 6) % 12 == 0) {
            light -= 22;
        }
        if style.textured && !solid {
            light += (10.0 * (f64::from(x) / 17.0).sin() * (f64::from(y) / 11.0).cos()) as i32;
        }
        if style.shaded {
            if solid && !cells.is_solid(x, y - 3) {
                light += 30;
            }
            if !solid && cells.is_solid(x - 3, y - 3) {
                light -= 18;
            }
        }
        let blue = if solid { 0 } else { 18 };
        let byte = |value: i32| value.clamp(0, 255) as u8;
        Rgba([byte(light + tint[0]), byte(light + tint[1]), byte(light + tint[2] + blue), 255])
    });
    if style.decorated {
        decorate(&mut image, rng);
    }
    image
}

fn decorate(image: &mut RgbaImage, rng: &mut Rng) {
    let (w, h) = (image.width() as i32, image.height() as i32);
    for _ in 0..rng.i32(6..16) {
        let (x, y, radius) = (rng.i32(0..w), rng.i32(0..h), rng.i32(2..7));
        let color = Rgba([rng.u8(20..120), rng.u8(90..200), rng.u8(20..120), 255]);
        for (dx, dy) in (-radius..=radius).flat_map(|dy| (-radius..=radius).map(move |dx| (dx, dy)))
        {
            let (x, y) = (x + dx, y + dy);
            let is_in = dx * dx + dy * dy <= radius * radius;
            if is_in && (0..w).contains(&x) && (0..h).contains(&y) {
                image.put_pixel(x as u32, y as u32, color);
            }
        }
    }
}
