//! The rules for the code of this repository, checked against its sources.

mod guide;
mod packages;
mod tidy;
