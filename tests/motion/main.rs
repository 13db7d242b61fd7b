//! Bodies and queries against twins that visit every pixel, from outside the crate and without its program.

mod footprints;
mod pixels;
mod queries;
