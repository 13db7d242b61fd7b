//! Rules for levels of either source.

mod blank_level;
mod open_border;

super::catalogue! {
    open_border::OPEN_BORDER,
    blank_level::BLANK_LEVEL,
}
