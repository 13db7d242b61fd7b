//! Small maps, and what the document says of them.
