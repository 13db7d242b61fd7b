//! The rows of `bindings/bad_arguments.tsv` that say what C answers, and calls with random numbers: an
//! argument that is not meant is an error with a sentence, never a crash, a fault of the library or another
//! number.

use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use bitwall_c::*;
use bitwall_facade::{Level, Motion, Mover, Platformer, Rect, Size, Sweep, World};

/// The functions of the table that take numbers alone: each with its arguments by name, all of them good.
const FUNCTIONS: [(&str, &[(&str, i32)]); 17] = [
    ("level_new", &[("columns", 4), ("rows", 4), ("cell_width", 8), ("cell_height", 8)]),
    ("is_solid", &[("x", 0), ("y", 0)]),
    ("overlaps", &[("x", 0), ("y", 0), ("w", 8), ("h", 8)]),
    ("area_overlaps", &[("x", 0), ("y", 0), ("w", 8), ("h", 8)]),
    ("can_move", &[("x", 0), ("y", 0), ("w", 8), ("h", 8), ("dir", 1), ("step", 3)]),
    ("can_move_all", &[("x", 0), ("y", 0), ("w", 8), ("h", 8), ("dir", 1), ("step", 3)]),
    ("sweep", &[("x", 0), ("y", 0), ("w", 8), ("h", 8), ("dir", 1), ("step", 3)]),
    ("open_side", &[("side", 1), ("open", 1)]),
    ("set_cell", &[("column", 1), ("row", 1), ("solid", 1)]),
    ("set_box", &[("x", 0), ("y", 0), ("w", 8), ("h", 8), ("solid", 1)]),
    ("set_disc", &[("x", 0), ("y", 0), ("radius", 3), ("solid", 1)]),
    ("mover_new", &[("x", 0), ("y", 0), ("w", 8), ("h", 8), ("kind", 1)]),
    ("mover_steps", &[("step_height", 4), ("snap_distance", 4)]),
    ("mover_place", &[("x", 0), ("y", 0)]),
    ("world_rect", &[("body", 0)]),
    ("platformer", &[("fps", 60)]),
    ("size", &[]),
];

/// An empty level, a mover and a platformer in it, and a world with one body.
struct Things {
    level: *mut Level,
    mover: *mut Mover,
    platformer: *mut Platformer,
    world: *mut World,
}

impl Things {
    fn new() -> Self {
        // SAFETY: the functions take numbers alone.
        let (level, mover) = unsafe { (bitwall_level_new(40, 20, 16, 8), bitwall_mover_new(8, 8, 8, 8, 1)) };
        // SAFETY: as above; the world is new.
        let (platformer, world) = unsafe { (bitwall_platformer_new(8, 8, 8, 8, 60), bitwall_world_new(60)) };
        // SAFETY: the world lives.
        assert_eq!(unsafe { bitwall_world_add_character(world, 8, 8, 8, 8, 1) }, 0);
        Self { level, mover, platformer, world }
    }

    /// Calls a function of [`FUNCTIONS`]: its answer, or the sentence of its error.
    fn call(&self, function: &str, values: &[i32]) -> Result<i32, String> {
        let mut numbers = [0; 6];
        numbers[..values.len()].copy_from_slice(values);
        let [a, b, c, d, e, f] = numbers;
        let (level, mover) = (self.level, self.mover);
        let (mut sweep, mut size) = (MaybeUninit::<Sweep>::uninit(), MaybeUninit::<Size>::uninit());
        let mut rect = MaybeUninit::<Rect>::uninit();
        // SAFETY: the level and the mover live, no other thread has them, and the arrays are long enough.
        answered(unsafe {
            match function {
                "level_new" => return made(bitwall_level_new(a, b, c, d)),
                "is_solid" => bitwall_level_is_solid(level, a, b),
                "overlaps" => bitwall_level_overlaps(level, a, b, c, d),
                "area_overlaps" => bitwall_level_area_overlaps(level, c"water".as_ptr(), a, b, c, d),
                "can_move" => bitwall_level_can_move(level, a, b, c, d, e, f),
                "can_move_all" => {
                    bitwall_level_can_move_all(level, numbers.as_ptr(), 6, [9_u8].as_mut_ptr(), 1)
                }
                "sweep" => bitwall_level_sweep(level, a, b, c, d, e, f, sweep.as_mut_ptr()),
                "open_side" => bitwall_level_open_side(level, a, b),
                "set_cell" => bitwall_level_set_cell(level, a, b, c),
                "set_box" => bitwall_level_set_box(level, a, b, c, d, e),
                "set_disc" => bitwall_level_set_disc(level, a, b, c, d),
                "mover_new" => return freed(bitwall_mover_new(a, b, c, d, e)),
                "mover_steps" => {
                    let mut settings = [0; std::mem::size_of::<SettingsRaw>() / 4];
                    bitwall_mover_settings(mover, settings.as_mut_ptr().cast());
                    // The fields step_height and snap_distance.
                    settings[4..6].copy_from_slice(&[a, b]);
                    bitwall_mover_set_settings(mover, settings.as_ptr().cast())
                }
                "mover_place" => bitwall_mover_place(mover, a, b),
                "world_rect" => bitwall_world_bounds(self.world, a, rect.as_mut_ptr()),
                "platformer" => {
                    let made = bitwall_platformer_new(8, 8, 8, 8, a);
                    let code = if made.is_null() { bitwall_error_code() } else { 0 };
                    bitwall_platformer_free(made);
                    code
                }
                "size" => bitwall_level_size(level, size.as_mut_ptr()),
                _ => panic!("the table has a function {function} that this test does not know"),
            }
        })
    }

    /// Calls a function with a pointer or a number of another type.
    fn call_special(&self, function: &str, argument: &str, value: &str) -> Result<i32, String> {
        let (level, mover) = (self.level, self.mover);
        let (mut numbers, mut answers) = ([0_i32; 24], [0_u8; 4]);
        // One byte further than an address that every type allows.
        let mut room = [0_u64; 8];
        let mut motion = MaybeUninit::<Motion>::uninit();
        let apart = room.as_mut_ptr().cast::<u8>().wrapping_add(1);
        // SAFETY: as in `call`; a misaligned, null or overlapping array is what the library tests for.
        answered(unsafe {
            match (function, argument, value) {
                ("can_move_all", "questions", "null") => {
                    bitwall_level_can_move_all(level, null(), 6, answers.as_mut_ptr(), 1)
                }
                ("can_move_all", "questions", "misaligned") => {
                    bitwall_level_can_move_all(level, apart.cast(), 6, answers.as_mut_ptr(), 1)
                }
                ("can_move_all", "answers", "null") => {
                    bitwall_level_can_move_all(level, numbers.as_ptr(), 6, null_mut(), 1)
                }
                ("can_move_all", "answers", "overlapping") => {
                    let questions = numbers.as_mut_ptr();
                    bitwall_level_can_move_all(level, questions, 24, questions.cast::<u8>().add(95), 4)
                }
                ("can_move_all", "count", count) => {
                    let count = count.parse().unwrap();
                    bitwall_level_can_move_all(level, numbers.as_ptr(), count, answers.as_mut_ptr(), 1)
                }
                ("size", "size", "null") => bitwall_level_size(level, null_mut()),
                ("size", "size", "misaligned") => bitwall_level_size(level, apart.cast()),
                ("sweep", "hit", "misaligned") => bitwall_level_sweep(level, 0, 0, 8, 8, 1, 3, apart.cast()),
                ("mover_position", "position", "misaligned") => bitwall_mover_position(mover, apart.cast()),
                ("mover_velocity", "velocity", "misaligned") => {
                    bitwall_mover_step(mover, level, 0.0, 0.0, apart.cast())
                }
                ("mover_step", "velocity", number) => {
                    let speed = number.parse().unwrap();
                    let sideways = bitwall_mover_step(mover, level, speed, 0.0, motion.as_mut_ptr());
                    assert_eq!(sideways, bitwall_mover_step(mover, level, 0.0, speed, motion.as_mut_ptr()));
                    sideways
                }
                ("set_velocity", "velocity", number) => {
                    bitwall_world_set_velocity(self.world, 0, 0.0, number.parse().unwrap())
                }
                ("add_pushable", "gravity", number) => {
                    bitwall_world_add_pushable(self.world, 0, 0, 8, 8, 1, number.parse().unwrap())
                }
                ("platformer", field, number) => {
                    let mut feel = [0.0_f32; size_of::<FeelRaw>() / 4];
                    bitwall_feel_usual(feel.as_mut_ptr().cast());
                    let at = if field == "jump_height" { 6 } else { 7 };
                    feel[at] = number.parse().unwrap();
                    bitwall_platformer_set_feel(self.platformer, feel.as_ptr().cast())
                }
                ("decode", "name", name) => {
                    let not_utf8 = c"\xff".as_ptr();
                    let name = if name == "null" { null::<c_char>() } else { not_utf8 };
                    return made(bitwall_level_decode(name, answers.as_ptr(), 4, c"".as_ptr()));
                }
                ("decode", "count", count) => {
                    let count = count.parse().unwrap();
                    return made(bitwall_level_decode(
                        c"a.tmx".as_ptr(),
                        answers.as_ptr(),
                        count,
                        c"".as_ptr(),
                    ));
                }
                ("level_new", "size", side) => {
                    let side = side.parse().unwrap();
                    return made(bitwall_level_new(side, side, 8, 8));
                }
                _ => panic!("the table has a value {value} that this test does not know"),
            }
        })
    }
}

impl Drop for Things {
    fn drop(&mut self) {
        // SAFETY: they come from the library, and are freed once.
        unsafe {
            bitwall_level_free(self.level);
            bitwall_mover_free(self.mover);
            bitwall_platformer_free(self.platformer);
            bitwall_world_free(self.world);
        }
    }
}

fn sentence() -> String {
    // SAFETY: it ends in a zero byte, and no other call of this thread runs meanwhile.
    unsafe { CStr::from_ptr(bitwall_error_text()) }.to_str().unwrap().to_owned()
}

fn answered(answer: i32) -> Result<i32, String> {
    if answer >= 0 {
        return Ok(answer);
    }
    assert_eq!(answer, bitwall_error_code());
    assert_ne!(answer, INTERNAL, "{}", sentence());
    Err(sentence())
}

fn made(level: *mut Level) -> Result<i32, String> {
    let found = if level.is_null() { answered(bitwall_error_code()) } else { Ok(0) };
    // SAFETY: null, or from the library and freed once.
    unsafe { bitwall_level_free(level) };
    found
}

fn freed(mover: *mut Mover) -> Result<i32, String> {
    let found = if mover.is_null() { answered(bitwall_error_code()) } else { Ok(0) };
    // SAFETY: null, or from the library and freed once.
    unsafe { bitwall_mover_free(mover) };
    found
}

#[test]
fn every_bad_argument_of_the_table_is_refused_in_the_words_of_the_table() {
    let table = include_str!("../../bad_arguments.tsv");
    let rows = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    let mut tried = 0;
    for line in rows {
        let cells: Vec<&str> = line.split('\t').collect();
        let &[function, argument, value, _, c, ..] = &cells[..] else { panic!("{line}") };
        if c == "-" {
            continue;
        }
        let said = c.replace('=', cells.get(7).unwrap_or(&""));
        let things = Things::new();
        let good = FUNCTIONS.iter().find(|(name, _)| *name == function);
        let at = good.and_then(|(_, good)| good.iter().position(|(name, _)| *name == argument));
        let answer = match (good, at, value.parse()) {
            (Some((_, good)), Some(at), Ok(number)) => {
                let mut values: Vec<i32> = good.iter().map(|(_, value)| *value).collect();
                things.call(function, &values).unwrap();
                values[at] = number;
                things.call(function, &values)
            }
            _ => things.call_special(function, argument, value),
        };
        let error = answer.expect_err(line);
        assert!(error.contains(&said), "{line}\n{error}");
        tried += 1;
    }
    assert!(tried > 50, "{tried} rows");
}

#[test]
fn no_random_number_is_a_fault_of_the_library() {
    let things = Things::new();
    let mut seed = 50_u32;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        (seed >> 8) as usize % below
    };
    let edges = [0, 1, 2, 3, 8, 255, 256, 257, -1, i32::MAX, i32::MIN, i32::MAX - 1, 65_536];
    let mut answers = [0, 0];
    for _ in 0..100_000 {
        let (function, good) = FUNCTIONS[random(FUNCTIONS.len())];
        let mut values: Vec<i32> = good.iter().map(|(_, value)| *value).collect();
        // A level of 2^32 cells takes as much memory as it says.
        if function == "level_new" || values.is_empty() {
            continue;
        }
        for _ in 0..=random(3) {
            let at = random(values.len());
            values[at] = edges[random(edges.len())];
        }
        answers[usize::from(things.call(function, &values).is_ok())] += 1;
    }
    assert!(answers.iter().all(|count| *count > 10_000), "{answers:?}");
}

/// A text that is long, and bytes that are any.
#[test]
fn bytes_that_are_no_level_are_an_error() {
    let name = CString::new("a".repeat(100_000) + ".tmx").unwrap();
    for bytes in [&b""[..], b"<map", &[0; 100], &[0xff; 100]] {
        // SAFETY: the name ends in a zero byte, and the bytes have their length.
        let level = unsafe { bitwall_level_decode(name.as_ptr(), bytes.as_ptr(), bytes.len(), c"".as_ptr()) };
        assert!(made(level).is_err());
    }
}
