//! Scripts of keys that are held for some steps.

use super::hero::Keys;

/// Returns the keys of each step of a script, such as `[(40, "right"), (10, "right jump")]`.
pub(crate) fn keys(script: &[(u32, &str)]) -> impl Iterator<Item = Keys> {
    script.iter().flat_map(|(steps, names)| {
        let holds = |key: &str| names.split(' ').any(|name| name == key);
        let keys = Keys {
            left: holds("left"),
            right: holds("right"),
            up: holds("up"),
            down: holds("down"),
            jump: holds("jump"),
        };
        (0..*steps).map(move |_| keys)
    })
}
