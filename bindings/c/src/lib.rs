//! bitwall for C: levels, queries, edits and movers behind opaque pointers. `include/bitwall.h` is the header.
//!
//! Arguments and results are plain numbers and pointers; no structure passes by value, because LuaJIT leaves
//! calls with structures to its interpreter. Every pointer is tested for null. A function that fails returns a
//! negative code, or null in place of a pointer, and [`bitwall_error_text`] tells why. No panic leaves this file.
//!
//! # Safety
//! This is the only file with unsafe code. Each function has the same preconditions:
//! * A level or mover is null, or comes from this library and is not freed.
//! * No other thread uses a level or mover while a function without `const` on it in the header runs.
//! * A text is null or ends in a zero byte; an array is null or has the stated number of elements. A null pointer,
//!   a misaligned array and arrays that overlap are errors, because the library can see them.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bitwall::glam::{IVec2, UVec2};
use bitwall::shapes::Circle;
use bitwall::terrain::{Brush, Terrain};
use bitwall::{Aabb, Dir, Grid, Level, LoadOptions, Mover, MoverSettings, Outside};

#[path = "../../arguments.rs"]
mod arguments;

use arguments::{LENGTH, refused, whole};

/// A pointer is null.
pub const NULL: i32 = -1;
/// An argument is out of its range.
pub const ARGUMENT: i32 = -2;
/// A file or its bytes give no level.
pub const LOAD: i32 = -3;
/// A level would be too large, or has too little memory.
pub const SIZE: i32 = -4;
/// A fault of this library; please report it.
pub const INTERNAL: i32 = -5;

/// The body stands on its floor.
pub const GROUNDED: i32 = 1;
/// A solid stopped the body on its left; the next three bits are right, up and down.
pub const HIT_LEFT: i32 = 2;
/// The body overlapped a solid before the step.
pub const STARTED_SOLID: i32 = 32;

struct Failure {
    code: i32,
    text: String,
}

impl Failure {
    fn new(code: i32, text: impl ToString) -> Self {
        Self { code, text: text.to_string() }
    }

    #[cold]
    fn of_question(self, at: usize) -> Self {
        Self { text: format!("question {at}: {}", self.text), ..self }
    }
}

thread_local! {
    static ERROR: RefCell<(i32, CString)> = RefCell::default();
}

/// Runs `body`; on a failure or a panic, keeps the error and returns what `failed` makes of its code.
#[inline]
fn guard<T>(failed: impl FnOnce(i32) -> T, body: impl FnOnce() -> Result<T, Failure>) -> T {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => value,
        Ok(Err(failure)) => failed(keep(failure)),
        Err(_) => failed(keep(Failure::new(INTERNAL, "a fault of bitwall; please report it"))),
    }
}

#[cold]
fn keep(Failure { code, text }: Failure) -> i32 {
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    ERROR.set((code, text));
    code
}

/// Runs `body` for a function that returns an answer of at least 0 or an error code.
#[inline]
fn answer(body: impl FnOnce() -> Result<i32, Failure>) -> i32 {
    guard(|code| code, body)
}

#[cold]
fn null(name: &str) -> Failure {
    Failure::new(NULL, format!("`{name}` is null; pass a pointer that is not"))
}

/// # Safety
/// `pointer` is null or valid for reads while the result is used.
#[inline]
unsafe fn read<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    // SAFETY: the caller's promise.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(name))
}

/// # Safety
/// `pointer` is null or valid for reads and writes, by nobody else, while the result is used.
#[inline]
unsafe fn write<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut T, Failure> {
    // SAFETY: the caller's promise.
    unsafe { pointer.as_mut() }.ok_or_else(|| null(name))
}

/// # Safety
/// `text` is null or ends in a zero byte, and does not change while the result is used.
unsafe fn text<'a>(text: *const c_char, name: &str) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(null(name));
    }
    // SAFETY: it is not null; the rest is the caller's promise.
    let bytes = unsafe { CStr::from_ptr(text) };
    bytes.to_str().map_err(|_| Failure::new(ARGUMENT, format!("`{name}` is no UTF-8")))
}

/// Returns an error for an array that no memory can hold: null, misaligned, or too long.
fn test_array<T>(first: *const T, count: usize, name: &str) -> Result<(), Failure> {
    if first.is_null() {
        return Err(null(name));
    }
    if !first.is_aligned() {
        let allowed = format!("an address that is a multiple of {}", align_of::<T>());
        return Err(bad(name, format_args!("at the address {first:p}"), allowed));
    }
    let most = isize::MAX as usize / size_of::<T>();
    if count > most {
        return Err(bad("count", count, format_args!("at most {most}")));
    }
    Ok(())
}

/// # Safety
/// `first` is null or the first of `count` elements that do not change while the result is used.
unsafe fn slice<'a, T>(first: *const T, count: usize, name: &str) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    test_array(first, count, name)?;
    // SAFETY: memory can hold it; the rest is the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(first, count) })
}

/// # Safety
/// `first` is null or the first of `count` elements that nobody else uses while the result is used.
unsafe fn slice_mut<'a, T>(
    first: *mut T,
    count: usize,
    name: &str,
) -> Result<&'a mut [T], Failure> {
    if count == 0 {
        return Ok(&mut []);
    }
    test_array(first, count, name)?;
    // SAFETY: memory can hold it; the rest is the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts_mut(first, count) })
}

#[cold]
fn bad(name: &str, value: impl std::fmt::Display, allowed: impl std::fmt::Display) -> Failure {
    Failure::new(ARGUMENT, refused(name, value, allowed))
}

/// Returns `value` if it is in `range`.
#[inline]
fn number(name: &str, value: i32, range: RangeInclusive<i32>) -> Result<i32, Failure> {
    if range.contains(&value) { Ok(value) } else { Err(bad(name, value, whole(&range))) }
}

#[inline]
fn length(name: &str, value: i32) -> Result<u32, Failure> {
    number(name, value, LENGTH).map(i32::cast_unsigned)
}

/// The box of the arguments x, y, w and h.
#[inline]
fn body(x: i32, y: i32, w: i32, h: i32) -> Result<Aabb, Failure> {
    Ok(Aabb::from_xywh(x, y, number("w", w, LENGTH)?, number("h", h, LENGTH)?))
}

#[inline]
fn flag(name: &str, value: i32) -> Result<bool, Failure> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(bad(name, value, "0 or 1")),
    }
}

#[inline]
fn direction(name: &str, dir: i32) -> Result<Dir, Failure> {
    let at = usize::try_from(dir).ok().and_then(|at| Dir::ALL.get(at));
    at.copied().ok_or_else(|| bad(name, dir, "0 (left), 1 (right), 2 (up) or 3 (down)"))
}

#[inline]
fn can_move(level: &Level, [x, y, w, h, dir, step]: [i32; 6]) -> Result<bool, Failure> {
    let body = body(x, y, w, h)?;
    Ok(level.can_move(body, direction("dir", dir)?, length("step", step)?))
}

fn boxed<T>(value: T) -> *mut T {
    Box::into_raw(Box::new(value))
}

fn pointer<T>(body: impl FnOnce() -> Result<T, Failure>) -> *mut T {
    guard(|_| std::ptr::null_mut(), || body().map(boxed))
}

/// Returns the code of the last error of this thread; 0 before the first error.
#[unsafe(no_mangle)]
pub extern "C" fn bitwall_error_code() -> i32 {
    ERROR.with_borrow(|error| error.0)
}

/// Returns the last error of this thread as a sentence in UTF-8: the file, the place, the cause and a remedy.
/// Valid until the next error of this thread; empty before the first error.
#[unsafe(no_mangle)]
pub extern "C" fn bitwall_error_text() -> *const c_char {
    ERROR.with_borrow(|error| error.1.as_ptr())
}

/// Loads a level from the disk; null on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_load(path: *const c_char) -> *mut Level {
    pointer(|| {
        // SAFETY: the caller's promise.
        let path = unsafe { text(path, "path") }?;
        Level::load(path).map_err(|error| Failure::new(LOAD, error))
    })
}

/// Makes a level from `count` bytes of a file named `name`, which refers to no other files; null on an error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_decode(
    name: *const c_char,
    bytes: *const u8,
    count: usize,
) -> *mut Level {
    pointer(|| {
        // SAFETY: the caller's promise.
        let (name, bytes) = unsafe { (text(name, "name")?, slice(bytes, count, "bytes")?) };
        Level::decode(name, bytes, (), &LoadOptions::default())
            .map_err(|error| Failure::new(LOAD, error))
    })
}

/// Makes an empty level of `columns` x `rows` cells, each `cell_width` x `cell_height` pixels; null on an
/// error.
#[unsafe(no_mangle)]
pub extern "C" fn bitwall_level_new(
    columns: i32,
    rows: i32,
    cell_width: i32,
    cell_height: i32,
) -> *mut Level {
    pointer(|| {
        let columns = number("columns", columns, 1..=i32::MAX)?.cast_unsigned();
        let rows = number("rows", rows, 1..=i32::MAX)?.cast_unsigned();
        let side = 1..=Terrain::MAX_CELL_SIZE.cast_signed();
        let width = number("cell_width", cell_width, side.clone())?.cast_unsigned();
        let height = number("cell_height", cell_height, side)?.cast_unsigned();
        let cell = UVec2::new(width, height);
        let level = Grid::new(columns, rows).and_then(|grid| Level::from_grid(grid, cell));
        level.map_err(|error| Failure::new(SIZE, error))
    })
}

/// Returns a copy of the level whose cells are pixels, so that edits take shapes pixel by pixel; null on an
/// error.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_in_pixels(level: *const Level) -> *mut Level {
    pointer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?.clone();
        level.into_pixels().map_err(|error| Failure::new(SIZE, error))
    })
}

/// Frees a level; null is allowed.
///
/// # Safety
/// See the head of the file. The level must not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_free(level: *mut Level) {
    if !level.is_null() {
        // SAFETY: it comes from `Box::into_raw`, by the caller's promise, and is freed once.
        let level = unsafe { Box::from_raw(level) };
        guard(
            |_| (),
            || {
                drop(level);
                Ok(())
            },
        );
    }
}

/// Writes the width and height of the level in pixels to `size[0]` and `size[1]`, and those of a cell to
/// `size[2]` and `size[3]`. Returns 0.
///
/// # Safety
/// See the head of the file; `size` has 4 elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_size(level: *const Level, size: *mut i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let (level, size) = unsafe { (read(level, "level")?, slice_mut(size, 4, "size")?) };
        let (all, cell) = (level.size(), level.cell_size());
        let values = [all.x, all.y, cell.x, cell.y];
        size.copy_from_slice(&values.map(|value| i32::try_from(value).unwrap_or(i32::MAX)));
        Ok(0)
    })
}

/// Makes the outside of the level solid (0, the default) or open (1) on one side. Returns 0.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_open_side(level: *mut Level, side: i32, open: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { write(level, "level") }?;
        let is_open = flag("open", open)?;
        let mut outside = level.outside();
        let side = match direction("side", side)? {
            Dir::Left => &mut outside.left,
            Dir::Right => &mut outside.right,
            Dir::Up => &mut outside.up,
            Dir::Down => &mut outside.down,
        };
        *side = if is_open { Outside::Open } else { Outside::Solid };
        level.set_outside(outside);
        Ok(0)
    })
}

/// Writes the position of the first marker named `name` to `position[0]` and `position[1]`, in pixels. Returns
/// 1, or 0 if the level has no such marker.
///
/// # Safety
/// See the head of the file; `position` has 2 elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_level_marker(
    level: *const Level,
    name: *const c_char,
    position: *mut i32,
) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let (level, name) = unsafe { (read(level, "level")?, text(name, "name")?) };
        // SAFETY: the caller's promise.
        let position = unsafe { slice_mut(position, 2, "position") }?;
        let Some(marker) = level.marker(name) else {
            return Ok(0);
        };
        position.copy_from_slice(&marker.position().to_array());
        Ok(1)
    })
}

/// Returns 1 if the pixel (`x`, `y`) is solid, else 0.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_is_solid(level: *const Level, x: i32, y: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        Ok(level.is_solid(IVec2::new(x, y)).into())
    })
}

/// Returns 1 if the box overlaps a solid, else 0.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_overlaps(
    level: *const Level,
    x: i32,
    y: i32,
    w: i32,
    h: i32,
) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        Ok(level.overlaps(body(x, y, w, h)?).into())
    })
}

/// Returns 1 if the box overlaps the named area, else 0, also if the level has no such area.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_area_overlaps(
    level: *const Level,
    name: *const c_char,
    x: i32,
    y: i32,
    w: i32,
    h: i32,
) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let (level, name) = unsafe { (read(level, "level")?, text(name, "name")?) };
        let body = body(x, y, w, h)?;
        Ok(level.area(name).is_some_and(|area| area.overlaps(body)).into())
    })
}

/// Returns 1 if the box can move `step` pixels in the direction `dir`, else 0. The whole way counts.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_can_move(
    level: *const Level,
    x: i32,
    y: i32,
    w: i32,
    h: i32,
    dir: i32,
    step: i32,
) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        can_move(level, [x, y, w, h, dir, step]).map(i32::from)
    })
}

/// Returns the largest distance up to `step` that the box can move in the direction `dir`. If that is less than
/// `step` and `hit` is not null, writes the column and row of the cell that stops the box and the normal.
///
/// # Safety
/// See the head of the file; `hit` is null or has 4 elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_sweep(
    level: *const Level,
    x: i32,
    y: i32,
    w: i32,
    h: i32,
    dir: i32,
    step: i32,
    hit: *mut i32,
) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let hit = if hit.is_null() { None } else { Some(unsafe { slice_mut(hit, 4, "hit") }?) };
        let body = body(x, y, w, h)?;
        let sweep = level.sweep(body, direction("dir", dir)?, length("step", step)?);
        if let Some((contact, hit)) = sweep.contact.zip(hit) {
            let (cell, normal) = (contact.cell, contact.normal);
            hit.copy_from_slice(&[cell.x, cell.y, normal.x, normal.y]);
        }
        Ok(sweep.moved as i32)
    })
}

/// Answers `count` questions of [`bitwall_can_move`] in one call: each is the six numbers x, y, w, h, dir, step
/// in `questions`, and its answer, 0 or 1, goes to `answers`. Returns 0. On an error, some answers are written.
///
/// # Safety
/// See the head of the file; `questions` has 6 x `count` elements and `answers` has `count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_can_move_all(
    level: *const Level,
    questions: *const i32,
    count: usize,
    answers: *mut u8,
) -> i32 {
    answer(|| {
        // A count that is too large for its sixfold is too large for memory, which `slice` says.
        let numbers = count.saturating_mul(6);
        // SAFETY: the caller's promise.
        let level = unsafe { read(level, "level") }?;
        // SAFETY: the caller's promise.
        let questions = unsafe { slice(questions, numbers, "questions") }?;
        let asked = questions.as_ptr_range();
        let end = answers.wrapping_add(count).cast_const().cast();
        if answers.cast_const().cast() < asked.end && asked.start < end {
            return Err(bad("answers", "inside `questions`", "an array of its own"));
        }
        // SAFETY: the caller's promise, and the arrays do not overlap.
        let answers = unsafe { slice_mut(answers, count, "answers") }?;
        let questions = questions.as_chunks::<6>().0;
        for (at, (question, answer)) in questions.iter().zip(answers).enumerate() {
            let free = can_move(level, *question);
            *answer = free.map_err(|failure| failure.of_question(at))?.into();
        }
        Ok(0)
    })
}

/// Makes a cell solid (1) or passable (0). Returns 1 if the cell changed, else 0.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_set_cell(
    level: *mut Level,
    column: i32,
    row: i32,
    solid: i32,
) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { write(level, "level") }?;
        changed(level.set(IVec2::new(column, row), flag("solid", solid)?))
    })
}

/// Makes each cell that touches the box of pixels solid (1) or passable (0). Returns 1 if a cell changed, else
/// 0.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_set_box(
    level: *mut Level,
    x: i32,
    y: i32,
    w: i32,
    h: i32,
    solid: i32,
) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { write(level, "level") }?;
        draw(level, &body(x, y, w, h)?, solid)
    })
}

/// Makes each cell that contains a pixel of the disc solid (1) or passable (0). Returns 1 if a cell changed,
/// else 0.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_set_disc(
    level: *mut Level,
    x: i32,
    y: i32,
    radius: i32,
    solid: i32,
) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { write(level, "level") }?;
        let radius = number("radius", radius, LENGTH)?;
        draw(level, &Circle { center: IVec2::new(x, y), radius }, solid)
    })
}

fn draw(level: &mut Level, shape: &impl Brush, solid: i32) -> Result<i32, Failure> {
    if flag("solid", solid)? {
        changed(level.paint(shape, IVec2::ZERO))
    } else {
        changed(Ok(level.carve(shape, IVec2::ZERO)))
    }
}

fn changed(edit: Result<Option<Aabb>, bitwall::grid::GridError>) -> Result<i32, Failure> {
    edit.map(|area| area.is_some().into()).map_err(|error| Failure::new(SIZE, error))
}

/// A mover with the results of its last step.
pub struct MoverHandle {
    mover: Mover,
    velocity: [f32; 2],
}

/// Makes a mover. `kind` is 0 for plain, 1 for a platformer, 2 for a view from above; null on an error.
#[unsafe(no_mangle)]
pub extern "C" fn bitwall_mover_new(x: i32, y: i32, w: i32, h: i32, kind: i32) -> *mut MoverHandle {
    pointer(|| {
        let settings = match kind {
            0 => MoverSettings::PLAIN,
            1 => MoverSettings::platformer(),
            2 => MoverSettings::top_down(),
            _ => {
                return Err(bad("kind", kind, "0 (plain), 1 (platformer) or 2 (top_down)"));
            }
        };
        let mover = Mover::new(body(x, y, w, h)?, settings);
        Ok(MoverHandle { mover, velocity: [0.0; 2] })
    })
}

/// Frees a mover; null is allowed.
///
/// # Safety
/// See the head of the file. The mover must not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_free(mover: *mut MoverHandle) {
    if !mover.is_null() {
        // SAFETY: it comes from `Box::into_raw`, by the caller's promise, and is freed once.
        drop(unsafe { Box::from_raw(mover) });
    }
}

/// Sets how many pixels the mover walks up a step, and how many it is kept down on a slope: 0 to 256. Returns
/// 0.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_set_steps(
    mover: *mut MoverHandle,
    step_height: i32,
    snap_distance: i32,
) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let settings = &mut unsafe { write(mover, "mover") }?.mover.settings;
        let most = 0..=MoverSettings::MAX_CORRECTION.cast_signed();
        let step_height = number("step_height", step_height, most.clone())?;
        let snap_distance = number("snap_distance", snap_distance, most)?;
        settings.step_height = step_height.cast_unsigned();
        settings.snap_distance = snap_distance.cast_unsigned();
        Ok(0)
    })
}

/// Puts the mover's top-left corner at a pixel, through all solids. Returns 0.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_place(mover: *mut MoverHandle, x: i32, y: i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let mover = &mut unsafe { write(mover, "mover") }?.mover;
        let size = mover.body.size().as_ivec2();
        *mover = Mover::new(Aabb::from_xywh(x, y, size.x, size.y), mover.settings);
        Ok(0)
    })
}

/// Moves the mover by a velocity in pixels a step, as far as the level allows. Returns a sum of 1 (it stands on
/// its floor), 2, 4, 8, 16 (a solid stopped it on its left, right, above, below) and 32 (it started in a solid).
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_step(
    mover: *mut MoverHandle,
    level: *const Level,
    velocity_x: f32,
    velocity_y: f32,
) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let (handle, level) = unsafe { (write(mover, "mover")?, read(level, "level")?) };
        let asked = [velocity_x, velocity_y];
        let step =
            handle.mover.step(level, asked).map_err(|error| Failure::new(ARGUMENT, error))?;
        handle.velocity = step.velocity(asked);
        let hits = Dir::ALL.iter().enumerate();
        let hits = hits.filter(|(_, dir)| step.contacts.get(**dir).is_some());
        let hits: i32 = hits.map(|(at, _)| HIT_LEFT << at).sum();
        let solid = if step.started_solid { STARTED_SOLID } else { 0 };
        Ok(i32::from(step.grounded) * GROUNDED + hits + solid)
    })
}

/// Writes the velocity that the last step left to `velocity[0]` and `velocity[1]`. Returns 0.
///
/// # Safety
/// See the head of the file; `velocity` has 2 elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_velocity(
    mover: *const MoverHandle,
    velocity: *mut f32,
) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let (mover, velocity) =
            unsafe { (read(mover, "mover")?, slice_mut(velocity, 2, "velocity")?) };
        velocity.copy_from_slice(&mover.velocity);
        Ok(0)
    })
}

/// Writes the exact top-left corner of the mover, for drawing, to `position[0]` and `position[1]`. Returns 0.
///
/// # Safety
/// See the head of the file; `position` has 2 elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_position(
    mover: *const MoverHandle,
    position: *mut f64,
) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let (mover, position) =
            unsafe { (read(mover, "mover")?, slice_mut(position, 2, "position")?) };
        position.copy_from_slice(&mover.mover.position().to_array());
        Ok(0)
    })
}

/// Writes the box of the mover, x, y, w and h in whole pixels, to `body`. Returns 0.
///
/// # Safety
/// See the head of the file; `body` has 4 elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_mover_box(mover: *const MoverHandle, body: *mut i32) -> i32 {
    answer(|| {
        // SAFETY: the caller's promise.
        let (mover, out) = unsafe { (read(mover, "mover")?, slice_mut(body, 4, "body")?) };
        let body = mover.mover.body;
        let size = body.size().as_ivec2();
        out.copy_from_slice(&[body.min.x, body.min.y, size.x, size.y]);
        Ok(0)
    })
}
