//! LDtk projects, with the file of a level as the second file. Switch 4 selects the default limits. A level
//! that is loaded alone gives the same document as in its world, and memory stays in proportion to the input.

use std::collections::BTreeSet;

use bitwall::load::references;
use bitwall::{Limits, LoadOptions, LoadedLevel};

use crate::{Input, peak_bytes, visit};

/// The most levels that are loaded alone.
const ALONE: usize = 4;

/// The memory of a load with small limits: as much for any input, and as much for each byte of it. An item of
/// a list, `{"a":1},`, has 8 bytes, and takes 0.9 KB in a document.
const FOR_ANY: usize = 16 << 20;
const FOR_A_BYTE: usize = 1_024;

pub fn run(data: &[u8]) {
    let Some(input) = Input::new(data) else {
        return;
    };
    let mut options = input.options();
    references("maps/p.ldtk", input.file(0));
    let (loaded, peak) = peak_bytes(|| load(&input, &options));
    assert!(peak < FOR_ANY + FOR_A_BYTE * data.len(), "{peak} bytes for {}", data.len());
    if let Ok(world) = &loaded {
        alone(world, &input, &options);
    }
    visit(loaded, &options);
    if input.is_on(4) {
        options.limits = Limits::default();
        visit(load(&input, &options), &options);
    }
}

fn load(input: &Input, options: &LoadOptions) -> Result<LoadedLevel, bitwall::LoadError> {
    let level = input.file(1).to_vec();
    let read = move |_: &std::path::Path| Ok(level.clone());
    LoadedLevel::decode("maps/p.ldtk", input.file(0), read, options)
}

/// Loads some levels of a world by their names. A name may belong to several levels.
fn alone(world: &LoadedLevel, input: &Input, options: &LoadOptions) {
    let names: BTreeSet<&String> = world.maps.iter().filter_map(|map| map.file.as_ref()).collect();
    for name in names.into_iter().take(ALONE) {
        let options = LoadOptions { levels: vec![name.clone()], ..options.clone() };
        let level = load(input, &options).expect("it loads in its world");
        let mut of_world = world.maps.iter().filter(|map| map.file.as_ref() == Some(name));
        if let (Some(map), true) = (of_world.next(), level.maps.len() == 1) {
            assert!(of_world.next().is_none() && map.map == level.maps[0].map, "{name:?}");
        }
    }
}
