//! The [`Limits`]: a file that needs exactly the limit loads, and a file that needs one more is refused. The
//! error states the limit and the amount found.

mod honest;
mod table;

use std::fs;
use std::path::Path;

use bitwall::image::{ImageBuffer, Rgba};
use bitwall::{Level, Limits, LoadError, LoadOptions, error::LoadErrorKind};

use crate::support::png;

/// A file to load.
enum Made {
    /// A map, and another file that it refers to.
    Map(String, String),
    Mask(Vec<u8>),
    /// A world with this number of maps.
    World(u64),
}

use self::Made::{Map, Mask, World};
use self::table::{LIMITED, WORK, map};

fn load(made: &Made, limits: &Limits) -> Result<Level, LoadError> {
    let options =
        LoadOptions { allow_nothing_solid: true, limits: limits.clone(), ..LoadOptions::default() };
    match made {
        Map(map, other) => {
            let read = |_: &Path| Ok(other.clone().into_bytes());
            Level::decode("m.tmx", map.as_bytes(), read, &options)
        }
        Mask(bytes) => Level::decode("mask", bytes, (), &options),
        World(maps) => {
            let folder = tempfile::tempdir().unwrap();
            let names: Vec<String> = (0..*maps).map(|i| format!("{i}.tmx")).collect();
            for name in &names {
                fs::write(folder.path().join(name), map("", "")).unwrap();
            }
            let listed: Vec<String> = names
                .iter()
                .zip(0..)
                .map(|(name, i)| format!(r#"{{"fileName":"{name}","x":{},"y":0}}"#, i * 64))
                .collect();
            let path = folder.path().join("w.world");
            fs::write(&path, format!(r#"{{"maps":[{}]}}"#, listed.join(","))).unwrap();
            Level::load_with(path, &options)
        }
    }
}

/// Returns the limit and the amount found, from the error of a refused file.
fn refusal(made: &Made, limits: &Limits, name: &str) -> (u64, u64) {
    let error = load(made, limits).expect_err(name);
    match error.kind() {
        LoadErrorKind::TooLarge { limit, found, .. } => {
            let text = error.to_string();
            assert!(text.contains(&format!(": {found}, but the limit is {limit};")), "{text}");
            (*limit, *found)
        }
        LoadErrorKind::Reference { source, .. } => match &**source {
            LoadErrorKind::TooLarge { limit, found, .. } => (*limit, *found),
            _ => panic!("{name}: {error}"),
        },
        _ => panic!("{name}: {error}"),
    }
}

#[test]
fn a_file_at_a_limit_loads_and_one_above_it_is_refused() {
    for (name, limit, lower, files) in LIMITED {
        let mut limits = Limits::default();
        lower(&mut limits, *limit);
        for (index, file) in files.iter().enumerate() {
            let name = format!("{name}, file {index}");
            if let Err(error) = load(&file(*limit), &limits) {
                panic!("{name}: {error}");
            }
            assert_eq!(refusal(&file(limit + 1), &limits, &name), (*limit, limit + 1), "{name}");
        }
    }
}

#[test]
fn the_work_limit_is_exact_to_the_last_step() {
    for (name, _, lower, files) in WORK {
        for (index, file) in files.iter().enumerate() {
            let name = format!("{name}, file {index}");
            let mut limits = Limits::default();
            lower(&mut limits, 0);
            // Raises the limit to the amount found, until the file loads.
            let mut needed = 0;
            while load(&file(0), &limits).is_err() {
                let (limit, found) = refusal(&file(0), &limits, &name);
                assert!(limit == needed && found > needed, "{name}: {found}");
                needed = found;
                lower(&mut limits, needed);
            }
            assert!((1..20_000).contains(&needed), "{name}: {needed}");
            lower(&mut limits, needed - 1);
            assert_eq!(refusal(&file(0), &limits, &name), (needed - 1, needed), "{name}");
        }
    }
}

/// A limit without a test might have no effect.
#[test]
fn every_limit_is_tested() {
    let source = include_str!("../../src/limits.rs");
    let fields =
        source.lines().filter_map(|line| line.strip_prefix("    pub ")?.strip_suffix(": u64,"));
    let tested: Vec<&str> = LIMITED.iter().chain(WORK).map(|limited| limited.0).collect();
    let fields: Vec<&str> = fields.collect();
    assert_eq!(fields.len(), 6);
    for field in fields {
        assert!(tested.contains(&field) || field == "points", "{field}");
    }
    // A load has no such limit; tools that make shapes of a level compare it.
    let limits = Limits { points: 12, ..Limits::default() };
    assert!(limits.check_points(12).is_ok() && limits.check_points(13).is_err());
}

/// The limit applies to the pixels of a mask, and also to their bytes before compression.
#[test]
fn a_mask_of_16_bits_per_channel_is_limited_by_its_uncompressed_bytes() {
    let deep = |width| Mask(png(ImageBuffer::from_pixel(width, 1, Rgba([0_u16, 0, 0, u16::MAX]))));
    // 13 pixels allow 52 bytes. A row has one byte more than its pixels.
    let limits = Limits { pixels: 13, ..Limits::default() };
    assert!(load(&deep(6), &limits).is_ok());
    assert_eq!(refusal(&deep(7), &limits, "pixels"), (52, 57));
}
