//! Kernels over the pixels of masks and of their art: plain data in, plain data out. They know no files, no
//! findings and no rules.

pub(crate) mod causes;
pub(crate) mod pair;
pub(crate) mod specks;
