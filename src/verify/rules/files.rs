//! Rules for files that are no levels.

mod foreign_bytes;
mod unknown_format;
mod unreadable_file;

super::catalogue! {
    unreadable_file::UNREADABLE_FILE,
    unknown_format::UNKNOWN_FORMAT,
    foreign_bytes::FOREIGN_BYTES,
}
