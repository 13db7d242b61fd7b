//! Pages of documentation that belong to no single type. There is no code here.

pub mod features;
pub mod feel;
pub mod saved;
pub mod scenarios;
pub mod tutorials;
