//! Masks. Switch 4 selects the default limits, and
//! switches 5 to 7 select the rule.

use bitwall::{Limits, LoadedLevel};

use crate::{Input, visit};

/// The rules. The empty text is none: the mask is read by its counts.
const RULES: [&str; 8] = [
    "dark",
    "light=1",
    "opaque",
    "#000000",
    "#ff0000,#00ff00,#ffffff",
    "dark=255",
    "black=254",
    "",
];

pub fn run(data: &[u8]) {
    let Some((&switches, picture)) = data.split_first() else {
        return;
    };
    // A mask is a single file, even if it contains a separator.
    let input = Input { switches, files: vec![picture] };
    let mut options = input.options();
    if input.is_on(4) {
        options.limits = Limits::default();
    }
    options.mask_rule = RULES[usize::from(switches >> 5)].parse().ok();
    if input.is_on(3) {
        options.planes =
            ["sea=#0000ff", "any=#ffffff"].map(|plane| plane.parse().expect("a plane")).to_vec();
    }
    visit(LoadedLevel::decode("mask.png", picture, (), &options), &options);
}
