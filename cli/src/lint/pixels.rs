//! Functions on the pixels of masks and of their art. They know no files, findings or rules.

pub(crate) mod causes;
pub(crate) mod pair;
pub(crate) mod specks;
