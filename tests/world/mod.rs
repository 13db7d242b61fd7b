//! Tests of worlds: many bodies that push, carry, bounce and rest.

pub(crate) mod balls;
mod crowd;
mod drawn;
mod faults;
mod hits;
mod layers;
pub(crate) mod long;
mod one_way;
mod pains;
mod platforms;
mod players;
mod push;
mod queries;
mod rates;
mod rest;
mod restitution;
mod riders;
mod row;
mod sleep;
