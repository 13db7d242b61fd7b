//! Tests of the feature `serde`: every type that a game saves survives a file, and no file gives a value that
//! makes a later call panic.

mod checksums;
mod grids;
mod hostile;
mod levels;
mod random_game;
mod samples;
mod types;
mod worlds;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Saves and loads a value as JSON and in a binary format without field names. Panics if a copy is not saved
/// to the same text and bytes as the original.
pub(crate) fn copies<T: Serialize + DeserializeOwned>(value: &T) -> [T; 2] {
    let (text, bytes) = (json(value), binary(value));
    let copies: [T; 2] = [
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")),
        postcard::from_bytes(&bytes).unwrap_or_else(|error| panic!("{error}: {text}")),
    ];
    for copy in &copies {
        assert_eq!(json(copy), text);
        assert_eq!(binary(copy), bytes, "{text}");
    }
    copies
}

pub(crate) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

pub(crate) fn binary(value: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(value).unwrap()
}

/// Does the same as [`copies`] for values that can be compared, and checks that each copy equals its
/// original.
pub(crate) fn same<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(
    values: impl IntoIterator<Item = T>,
) {
    let mut count = 0;
    for value in values {
        for copy in copies(&value) {
            assert_eq!(copy, value);
        }
        count += 1;
    }
    assert!(count > 0, "no {}", std::any::type_name::<T>());
}
