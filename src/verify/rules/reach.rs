//! Rules for where a body can get.

mod missing_way_back;
mod unmodelled;
mod unreachable;
mod verdicts;

super::catalogue! {
    unreachable::UNREACHABLE,
    missing_way_back::MISSING_WAY_BACK,
}
