//! Tests of worlds: many bodies that push, carry, bounce and rest.

mod ahead;
pub(crate) mod balls;
mod bullets;
mod buried;
pub(crate) mod climb;
mod crowd;
mod drawn;
mod faults;
mod hits;
mod layers;
pub(crate) mod long;
mod one_way;
mod pains;
mod path;
mod platforms;
mod players;
mod push;
mod queries;
mod rates;
mod recording;
mod rest;
mod restitution;
pub(crate) mod riders;
mod row;
mod shift;
mod sleep;
mod turns;
