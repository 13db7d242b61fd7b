//! Functions on the pixels of masks and of their art. They know no files, findings or rules.

pub(super) mod causes;
pub(super) mod hairlines;
pub(super) mod pair;
pub(super) mod specks;
