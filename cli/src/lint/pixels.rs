//! Functions over the pixels of masks and of their art. Plain data in and out: no files, findings or rules.

pub(crate) mod causes;
pub(crate) mod pair;
pub(crate) mod specks;
