//! Functions on the pixels of masks and of their art, without files, findings or rules.

pub(crate) mod causes;
pub(crate) mod pair;
pub(crate) mod specks;
