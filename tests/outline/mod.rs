//! The rectangles, outlines and chains of the solids are tested against naive versions that visit every cell.

mod chains;
mod corpus;
mod cover;
mod exact;
mod grids;
