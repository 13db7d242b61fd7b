//! Rules for files that are no levels.

mod unknown_format;
mod unreadable_file;

super::catalogue! {
    unreadable_file::UNREADABLE_FILE,
    unknown_format::UNKNOWN_FORMAT,
}
