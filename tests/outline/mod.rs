//! The solids as rectangles, outlines and chains, against naive versions that visit every cell.

mod chains;
mod corpus;
mod exact;
mod fewest;
mod grids;
mod own;
mod simplified;
