//! The feature `serde`: every type that a game saves goes through a file and back, and no file brings a value into a state
//! that panics.

mod grids;
mod hostile;
mod levels;
mod samples;
mod types;
mod worlds;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A value through JSON and through a binary format that does not describe itself. Both copies must be
/// written as the value was.
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

/// As [`copies`], for values that can be compared.
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
