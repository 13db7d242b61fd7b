//! The rules of the house, held against its sources.

mod guide;
mod packages;
mod tidy;
