//! The rules, one file each.
//!
//! To add one, write its file, name it here, and give it a folder in `tests/fixtures/verify`. A code is
//! never used again, and the order here is that of the codes.

mod failure;
mod warned;

/// Declares the files of the rules and the slice of all rules: the only registration.
macro_rules! catalogue {
    ($($module:ident::$name:ident),+ $(,)?) => {
        $(mod $module; pub use $module::$name;)+

        /// All rules, by rising code.
        pub static RULES: &[&super::Rule] = &[$(&$name),+];
    };
}

catalogue! {
    unreadable_file::UNREADABLE_FILE,
    unknown_format::UNKNOWN_FORMAT,
    open_border::OPEN_BORDER,
    blank_level::BLANK_LEVEL,
    undecodable_mask::UNDECODABLE_MASK,
    gray_pixels::GRAY_PIXELS,
    translucent_pixels::TRANSLUCENT_PIXELS,
    mask_size_mismatch::MASK_SIZE_MISMATCH,
    unparsable_map::UNPARSABLE_MAP,
    nothing_solid::NOTHING_SOLID,
    passed_over_fault::PASSED_OVER_FAULT,
    missing_picture::MISSING_PICTURE,
    text_flag::TEXT_FLAG,
    solid_picture::SOLID_PICTURE,
}
