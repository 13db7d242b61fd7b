//! The contract of queries, against oracles that visit every pixel.

mod every_pixel;
mod extremes;
mod footprints;
mod hash;
mod one_way;
mod pixels;
mod queries;
mod rectangles;
mod thin_walls;
