//! A mask of bits with the methods of `pygame.mask.Mask`, and with the same answers. The words lie as in
//! pygame's masks, in stripes of 64 columns, because `overlap` returns the first common pixel in that order.

use pyo3::exceptions::{PyIndexError, PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyTuple};

use super::numbers::{Any, flags, invalid};

/// A mask of bits with the methods and the answers of `pygame.mask.Mask`. `from_array` and `to_array` are
/// (width, height), as in `pygame.surfarray`. A size or offset beyond 32 bits, or NaN, is a `TypeError`, and
/// a mask of more than 512 MiB a `ValueError`, also where pygame makes another number of it.
// Word `stripe * height + y` has the columns from `64 * stripe`, the first in bit 0. Bits beyond the width
// are 0.
#[pyclass(subclass, module = "bitwall")]
#[derive(Clone)]
pub(crate) struct Mask {
    width: i64,
    height: i64,
    words: Vec<u64>,
}

/// Two whole numbers in the range of `i32`, such as a position; anything else is a `TypeError`, as in pygame.
pub(crate) struct Pair(i64, i64);

impl<'a, 'py> FromPyObject<'a, 'py> for Pair {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let pair = object.extract::<(i32, i32)>();
        // A `pygame.Vector2` or a list; a fraction is cut off.
        let pair = pair.or_else(|_| {
            let [x, y] = object.extract::<[f64; 2]>()?;
            Ok((whole(x)?, whole(y)?))
        });
        pair.map(|(x, y)| Self(x.into(), y.into())).map_err(|_: PyErr| {
            let range = format!("from {} to {}", i32::MIN, i32::MAX);
            PyTypeError::new_err(format!("pass two numbers {range}, as in (3, 4)"))
        })
    }
}

/// Returns a number without its fraction.
fn whole(number: f64) -> PyResult<i32> {
    let is_inside = number > f64::from(i32::MIN) - 1.0 && number < f64::from(i32::MAX) + 1.0;
    if is_inside { Ok(number as i32) } else { Err(invalid("no number of this range")) }
}

const W: i64 = 64;
/// The eight neighbours, clockwise from the right one.
const AROUND: [(i64, i64); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
/// The largest number of pixels in a mask: 512 MiB of bits.
const MOST: i64 = 1 << 32;

impl Mask {
    pub(crate) fn sized(width: i64, height: i64, fill: bool) -> PyResult<Self> {
        if width < 0 || height < 0 {
            return Err(PyValueError::new_err("cannot create mask with negative size"));
        }
        let words = ((width + W - 1) / W).checked_mul(height).filter(|words| *words <= MOST / W);
        let count = words
            .ok_or_else(|| invalid(format!("a mask of {width} x {height} pixels takes more than 512 MiB")))?;
        let mut words = Vec::new();
        if words.try_reserve_exact(count as usize).is_err() {
            let size = format!("a mask of {width} x {height} pixels does not fit in memory");
            return Err(PyMemoryError::new_err(size));
        }
        words.resize(count as usize, 0);
        let mut mask = Self { width, height, words };
        if fill {
            mask.fill();
        }
        Ok(mask)
    }

    fn stripes(&self) -> i64 {
        (self.width + W - 1) / W
    }

    fn is_inside(&self, x: i64, y: i64) -> bool {
        (0..self.width).contains(&x) && (0..self.height).contains(&y)
    }

    fn word(&self, stripe: i64, y: i64) -> u64 {
        let is_inside = (0..self.stripes()).contains(&stripe) && (0..self.height).contains(&y);
        if is_inside { self.words[(stripe * self.height + y) as usize] } else { 0 }
    }

    /// The 64 pixels from (`x`, `y`) to the right, for any position.
    fn bits(&self, x: i64, y: i64) -> u64 {
        let (stripe, shift) = (x.div_euclid(W), x.rem_euclid(W));
        match shift {
            0 => self.word(stripe, y),
            _ => self.word(stripe, y) >> shift | self.word(stripe + 1, y) << (W - shift),
        }
    }

    fn has(&self, x: i64, y: i64) -> bool {
        self.word(x.div_euclid(W), y) >> x.rem_euclid(W) & 1 == 1
    }

    pub(crate) fn put(&mut self, x: i64, y: i64, value: bool) {
        let at = (x / W * self.height + y) as usize;
        let bit = 1 << (x % W);
        if value { self.words[at] |= bit } else { self.words[at] &= !bit }
    }

    /// The set pixels, row by row.
    pub(crate) fn points(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        let rows = (0..self.height).flat_map(|y| (0..self.stripes()).map(move |at| (at, y)));
        rows.flat_map(|(stripe, y)| {
            let mut word = self.word(stripe, y);
            std::iter::from_fn(move || {
                let bit = i64::from(word.trailing_zeros());
                (word != 0).then(|| {
                    word &= word - 1;
                    (stripe * W + bit, y)
                })
            })
        })
    }

    /// Combines the part of `other`, placed at `offset`, that is inside this mask.
    fn combine(&mut self, other: &Self, (dx, dy): (i64, i64), with: impl Fn(u64, u64) -> u64) {
        for stripe in 0..self.stripes() {
            let (first, valid) = (stripe * W, self.valid(stripe));
            if first - dx >= other.width || first + W <= dx {
                continue;
            }
            for y in dy.max(0)..dy.saturating_add(other.height).min(self.height) {
                let at = (stripe * self.height + y) as usize;
                self.words[at] = with(self.words[at], other.bits(first - dx, y - dy)) & valid;
            }
        }
    }

    /// The bits of a stripe that are inside the width.
    fn valid(&self, stripe: i64) -> u64 {
        u64::MAX >> (W - (self.width - stripe * W).clamp(1, W))
    }

    /// The first common pixel in pygame's order: by the stripes of the mask further left, each against the
    /// two stripes that it meets, then by rows, then by columns.
    fn first_common(&self, other: &Self, (dx, dy): (i64, i64)) -> Option<(i64, i64)> {
        if dx < 0 {
            let (x, y) = other.first_common(self, (-dx, -dy))?;
            return Some((x + dx, y + dy));
        }
        let rows = dy.max(0)..(dy + other.height).min(self.height);
        let (base, shift) = (dx / W, dx % W);
        for stripe in 0..other.stripes() {
            for half in 0..=i64::from(shift > 0) {
                let place = base + stripe + half;
                for y in rows.clone() {
                    let word = other.word(stripe, y - dy);
                    let word = if half == 0 { word << shift } else { word >> (W - shift) };
                    let common = self.word(place, y) & word;
                    if common != 0 {
                        return Some((place * W + i64::from(common.trailing_zeros()), y));
                    }
                }
            }
        }
        None
    }

    /// The components of pixels that touch along an edge or at a corner, in the order of their first pixel.
    fn components(&self) -> Vec<Vec<(i64, i64)>> {
        let mut left = self.clone();
        let mut found = Vec::new();
        for (x, y) in self.points() {
            if !left.has(x, y) {
                continue;
            }
            let mut open = vec![(x, y)];
            left.put(x, y, false);
            let mut all = Vec::new();
            while let Some((x, y)) = open.pop() {
                all.push((x, y));
                for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                    let (x, y) = (x + dx, y + dy);
                    if left.is_inside(x, y) && left.has(x, y) {
                        left.put(x, y, false);
                        open.push((x, y));
                    }
                }
            }
            found.push(all);
        }
        found
    }

    fn of_points(&self, points: &[(i64, i64)]) -> PyResult<Self> {
        let mut mask = Self::sized(self.width, self.height, false)?;
        points.iter().for_each(|(x, y)| mask.put(*x, *y, true));
        Ok(mask)
    }

    /// The border of the component of the first pixel, clockwise from that pixel and back to it.
    fn border(&self) -> Vec<(i64, i64)> {
        // The first set neighbour in clockwise order from neighbour `from`.
        let next = |(x, y), from: usize| {
            (from..from + 8).map(|at| at % 8).find(|&at| {
                let (dx, dy) = AROUND[at];
                self.has(x + dx, y + dy)
            })
        };
        let first = self.points().next();
        let mut points: Vec<_> = first.into_iter().collect();
        // To the left of the first pixel and above it there is none.
        let turn = first.and_then(|first| next(first, 4));
        let (Some(first), Some(turn)) = (first, turn) else { return points };
        let (mut at, mut dir) = (first, turn);
        loop {
            at = (at.0 + AROUND[dir].0, at.1 + AROUND[dir].1);
            points.push(at);
            // The neighbour two turns back was empty, or is the pixel that it came from.
            match next(at, dir + 6) {
                Some(next) if at != first || next != turn => dir = next,
                _ => return points,
            }
        }
    }

    /// The same mask as pygame has it.
    fn to_pygame<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if self.words.is_empty() {
            return py.import("pygame")?.getattr("Mask")?.call1((self.get_size(),));
        }
        let mut pixels = vec![0; 4 * (self.width * self.height) as usize];
        for (x, y) in self.points() {
            pixels[4 * (y * self.width + x) as usize + 3] = 255;
        }
        let image = py.import("pygame.image")?;
        let pixels = (PyBytes::new(py, &pixels), self.get_size(), "RGBA");
        let surface = image.call_method1("frombuffer", pixels)?;
        py.import("pygame.mask")?.call_method1("from_surface", (surface,))
    }

    /// Changes each word, and keeps the bits beyond the width.
    fn change(&mut self, change: impl Fn(u64) -> u64) {
        for stripe in 0..self.stripes() {
            let (valid, start) = (self.valid(stripe), (stripe * self.height) as usize);
            for word in &mut self.words[start..start + self.height as usize] {
                *word = change(*word) & valid;
            }
        }
    }

    /// Returns the position of a pixel inside.
    fn inside(&self, Pair(x, y): Pair) -> PyResult<(i64, i64)> {
        if self.is_inside(x, y) {
            return Ok((x, y));
        }
        Err(PyIndexError::new_err(format!("{x}, {y} is out of bounds")))
    }

    /// The sums of 1, x, y, x x, y y and x y over all set pixels; the squares of a long mask leave the range
    /// of 64 bits.
    fn moments(&self) -> [i128; 6] {
        self.points().fold([0; 6], |[n, sx, sy, xx, yy, xy], (x, y)| {
            let (x, y) = (i128::from(x), i128::from(y));
            [n + 1, sx + x, sy + y, xx + x * x, yy + y * y, xy + x * y]
        })
    }
}

fn pygame_rect<'py>(py: Python<'py>, of: (i64, i64, i64, i64)) -> PyResult<Bound<'py, PyAny>> {
    py.import("pygame")?.getattr("Rect")?.call1(of)
}

#[pymethods]
impl Mask {
    /// Makes a mask of `size`, with all pixels set if `fill`.
    #[new]
    #[pyo3(signature = (size, fill=false))]
    fn new(size: Pair, fill: bool) -> PyResult<Self> {
        Self::sized(size.0, size.1, fill)
    }

    /// Makes a mask of an array of bool of (width, height), as in `pygame.surfarray`.
    #[staticmethod]
    fn from_array(array: Any) -> PyResult<Self> {
        let ([width, height], bytes) = flags("array", array)?;
        let mut mask = Self::sized(width, height, false)?;
        let places = (0..width).flat_map(|x| (0..height).map(move |y| (x, y)));
        for ((x, y), _) in places.zip(bytes).filter(|(_, byte)| *byte != 0) {
            mask.put(x, y, true);
        }
        Ok(mask)
    }

    /// Makes a mask of the pixels of a pygame surface with an alpha above `threshold`; with a colour key,
    /// those of other colours.
    #[staticmethod]
    #[pyo3(signature = (surface, threshold=127))]
    fn from_surface(surface: &Bound<'_, PyAny>, threshold: i32) -> PyResult<Self> {
        let py = surface.py();
        let pixels = py.import("pygame.surfarray")?;
        let key = surface.call_method0("get_colorkey")?;
        let set = if key.is_none() {
            pixels.call_method1("array_alpha", (surface,))?.call_method1("__gt__", (threshold,))?
        } else {
            let key = surface.call_method1("map_rgb", (key,))?;
            pixels.call_method1("array2d", (surface,))?.call_method1("__ne__", (key,))?
        };
        Self::from_array(&set)
    }

    /// Makes a mask of the pixels whose colours are near a colour, or near those of another surface: the
    /// arguments of `pygame.mask.from_threshold`, which finds them.
    #[staticmethod]
    #[pyo3(signature = (*arguments, **named))]
    fn from_threshold(
        py: Python<'_>,
        arguments: &Bound<'_, PyTuple>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let find = py.import("pygame.mask")?.getattr("from_threshold")?;
        let found = find.call(arguments, named)?;
        let (width, height) = found.call_method0("get_size")?.extract()?;
        if width == 0 || height == 0 {
            return Self::sized(width, height, false);
        }
        let none = py.None();
        let colors = (&none, &none, &none, (0, 0, 0, 255), (0, 0, 0, 0));
        Self::from_surface(&found.call_method1("to_surface", colors)?, 127)
    }

    /// Draws the mask on a surface: the arguments of pygame's `to_surface`, which draws it.
    #[pyo3(signature = (*arguments, **named))]
    fn to_surface<'py>(
        &self,
        py: Python<'py>,
        arguments: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.to_pygame(py)?.getattr("to_surface")?.call(arguments, named)
    }

    /// Returns the outline of the first component: every `every`-th point of its border.
    #[pyo3(signature = (every=1))]
    fn outline(&self, every: i64) -> Vec<(i64, i64)> {
        // As in pygame, a step of 0 or less leaves the first point alone.
        let step = if every > 0 { every as usize } else { usize::MAX };
        self.border().into_iter().step_by(step).collect()
    }

    /// Returns an array of numpy, of bool and (width, height), as in `pygame.surfarray`.
    fn to_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut bytes = vec![0; (self.width * self.height) as usize];
        for (x, y) in self.points() {
            bytes[(x * self.height + y) as usize] = 1;
        }
        let array = (self.get_size(), "bool", PyByteArray::new(py, &bytes));
        py.import("numpy")?.getattr("ndarray")?.call1(array)
    }

    /// Returns a copy of the same class, which may be a subclass.
    fn copy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let own = slf.borrow().clone();
        let made = slf.get_type().call1((own.get_size(),))?;
        *made.cast::<Self>()?.borrow_mut() = own;
        Ok(made)
    }

    fn __copy__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.call_method0("copy")
    }

    /// Returns the width and the height.
    pub(crate) fn get_size(&self) -> (i64, i64) {
        (self.width, self.height)
    }

    /// Returns a `pygame.Rect` of the size of the mask; its attributes may be given by their names.
    #[pyo3(signature = (**attributes))]
    fn get_rect<'py>(
        &self,
        py: Python<'py>,
        attributes: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rect = pygame_rect(py, (0, 0, self.width, self.height))?;
        for (name, value) in attributes.into_iter().flatten() {
            rect.setattr(name.extract::<String>()?.as_str(), value)?;
        }
        Ok(rect)
    }

    /// Returns 1 for a set pixel and 0 for another one; `IndexError` outside.
    fn get_at(&self, pos: Pair) -> PyResult<u8> {
        let (x, y) = self.inside(pos)?;
        Ok(self.has(x, y).into())
    }

    /// Sets a pixel, or clears it if `value` is 0; `IndexError` outside.
    #[pyo3(signature = (pos, value=1))]
    fn set_at(&mut self, pos: Pair, value: i64) -> PyResult<()> {
        let (x, y) = self.inside(pos)?;
        self.put(x, y, value != 0);
        Ok(())
    }

    /// Returns the first common pixel with another mask at an offset, in pygame's order; None without one.
    fn overlap(&self, other: &Self, offset: Pair) -> Option<(i64, i64)> {
        self.first_common(other, (offset.0, offset.1))
    }

    /// Returns the number of common pixels with another mask at an offset.
    fn overlap_area(&self, other: &Self, offset: Pair) -> u64 {
        self.overlap_mask(other, offset).count()
    }

    /// Returns the common pixels with another mask at an offset, in a mask of the size of this one.
    fn overlap_mask(&self, other: &Self, offset: Pair) -> Self {
        let mut common = Self { words: vec![0; self.words.len()], ..*self };
        common.combine(other, (offset.0, offset.1), |_, b| b);
        common.words.iter_mut().zip(&self.words).for_each(|(common, own)| *common &= own);
        common
    }

    /// Sets all pixels.
    fn fill(&mut self) {
        self.change(|_| u64::MAX);
    }

    /// Clears all pixels.
    fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Sets the clear pixels and clears the set ones.
    fn invert(&mut self) {
        self.change(|word| !word);
    }

    /// Returns the mask scaled to a size.
    fn scale(&self, scale: Pair) -> PyResult<Self> {
        if scale.0 < 0 || scale.1 < 0 {
            return Err(PyValueError::new_err("cannot scale mask to negative size"));
        }
        let mut scaled = Self::sized(scale.0, scale.1, false)?;
        for (x, y) in (0..scale.1).flat_map(|y| (0..scale.0).map(move |x| (x, y))) {
            if self.has(x * self.width / scale.0, y * self.height / scale.1) {
                scaled.put(x, y, true);
            }
        }
        Ok(scaled)
    }

    /// Sets the pixels of another mask at an offset.
    fn draw(slf: &Bound<'_, Self>, other: &Bound<'_, Self>, offset: Pair) {
        // `other` may be the mask itself.
        let other = other.borrow().clone();
        slf.borrow_mut().combine(&other, (offset.0, offset.1), |a, b| a | b);
    }

    /// Clears the pixels of another mask at an offset.
    fn erase(slf: &Bound<'_, Self>, other: &Bound<'_, Self>, offset: Pair) {
        let other = other.borrow().clone();
        slf.borrow_mut().combine(&other, (offset.0, offset.1), |a, b| a & !b);
    }

    /// Returns the number of set pixels.
    fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Returns the middle of the set pixels; (0, 0) without one.
    fn centroid(&self) -> (i64, i64) {
        let [count, x, y, ..] = self.moments();
        if count == 0 { (0, 0) } else { ((x / count) as i64, (y / count) as i64) }
    }

    /// Returns the direction in degrees in which the set pixels extend, from -90 to 90.
    fn angle(&self) -> f64 {
        let [count, x, y, xx, yy, xy] = self.moments();
        if count == 0 {
            return 0.0;
        }
        let (x, y) = ((x / count) as f64, (y / count) as f64);
        let of = |sum: i128| (sum / count) as f64;
        let across = 2.0 * (of(xy) - x * y);
        let along = (of(xx) - x * x) - (of(yy) - y * y);
        -90.0 * across.atan2(along) / std::f64::consts::PI
    }

    /// Returns the convolution with another mask, in `output` if it is given: where the other one,
    /// mirrored, overlaps this one.
    #[pyo3(signature = (other, output=None, offset=Pair(0, 0)))]
    fn convolve<'py>(
        &self,
        py: Python<'py>,
        other: &Self,
        output: Option<Bound<'py, Self>>,
        offset: Pair,
    ) -> PyResult<Bound<'py, Self>> {
        let output = match output {
            Some(output) => output,
            None => {
                let side = |a: i64, b: i64| (a + b - 1).max(0);
                let size = (side(self.width, other.width), side(self.height, other.height));
                Bound::new(py, Self::sized(size.0, size.1, false)?)?
            }
        };
        let mut all = output
            .try_borrow_mut()
            .map_err(|_| PyValueError::new_err("`output` is one of the other masks; pass a copy"))?;
        let last = (offset.0 + other.width - 1, offset.1 + other.height - 1);
        for (x, y) in other.points() {
            all.combine(self, (last.0 - x, last.1 - y), |a, b| a | b);
        }
        drop(all);
        Ok(output)
    }

    /// Returns the component of a pixel, or the largest one without a pixel. Pixels that touch at a corner
    /// are connected.
    #[pyo3(signature = (pos=None))]
    fn connected_component(&self, pos: Option<Pair>) -> PyResult<Self> {
        let pos = pos.map(|pos| self.inside(pos)).transpose()?;
        let components = self.components();
        let found = match pos {
            Some(pos) => components.iter().find(|points| points.contains(&pos)),
            // The first of the largest.
            None => components.iter().rev().max_by_key(|points| points.len()),
        };
        self.of_points(found.map_or(&[], |points| points))
    }

    /// Returns the components of at least `minimum` pixels.
    #[pyo3(signature = (minimum=0))]
    fn connected_components(&self, minimum: i64) -> PyResult<Vec<Self>> {
        let components = self.components();
        let large = components.iter().filter(|points| points.len() as i64 >= minimum);
        let large: Vec<_> = large.collect();
        if large.len().saturating_mul(self.words.len()) > (MOST / W) as usize {
            let masks = format!("{} masks of {} x {} pixels", large.len(), self.width, self.height);
            return Err(invalid(format!("{masks} take more than 512 MiB; pass a larger `minimum`")));
        }
        large.into_iter().map(|points| self.of_points(points)).collect()
    }

    /// Returns a `pygame.Rect` around each component.
    fn get_bounding_rects<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rects = PyList::empty(py);
        for points in self.components() {
            let ends = (i64::MAX, i64::MAX, i64::MIN, i64::MIN);
            let (left, top, right, bottom) = points
                .iter()
                .fold(ends, |ends, (x, y)| (ends.0.min(*x), ends.1.min(*y), ends.2.max(*x), ends.3.max(*y)));
            rects.append(pygame_rect(py, (left, top, right - left + 1, bottom - top + 1))?)?;
        }
        Ok(rects)
    }

    fn __repr__(&self) -> String {
        format!("<Mask({}x{})>", self.width, self.height)
    }
}
