//! The contract of queries, compared with one naive model that visits every pixel.

mod bad_arguments;
mod edits;
mod every_pixel;
mod extremes;
mod footprints;
mod hash;
mod model;
mod queries;
mod rectangles;
mod solids;
mod thin_walls;
mod view;
