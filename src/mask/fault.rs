//! The faults of pictures, and their words.

use std::io;
use std::path::Path;

use super::classify::NoColor;
use crate::error::{LoadError, LoadErrorKind, Place};

/// A fault in a picture, before its file is known.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(super) pixel: Option<(u32, u32)>,
    pub(super) kind: LoadErrorKind,
}

impl Fault {
    pub(crate) fn at(self, path: &Path) -> LoadError {
        let place = Place { pixel: self.pixel, ..Place::default() };
        LoadError::new(path, place, self.kind)
    }
}

impl From<LoadErrorKind> for Fault {
    fn from(kind: LoadErrorKind) -> Self {
        Self { pixel: None, kind }
    }
}

pub(super) fn broken(reason: String) -> Fault {
    LoadErrorKind::Picture { reason, by_decoder: false }.into()
}

/// A fault for which there are only the words of the decoder.
pub(super) fn broken_in_words_of_decoder(words: &str) -> Fault {
    LoadErrorKind::Picture { reason: as_clause(words), by_decoder: true }.into()
}

pub(super) fn io_fault(error: io::Error) -> Fault {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => broken("the file ends too early".to_owned()),
        _ => LoadErrorKind::Io(error).into(),
    }
}

pub(super) fn no_color(missing: NoColor, y: u32, colors: usize) -> Fault {
    let NoColor { x, value } = missing;
    Fault {
        pixel: Some((x, y)),
        ..broken(format!("the pixel has the value {value}, but the palette only {colors} colours"))
    }
}

/// A sentence without its capital and its full stop; an abbreviation keeps its capitals.
fn as_clause(sentence: &str) -> String {
    let mut rest = sentence.trim_end_matches('.').chars();
    let first = rest.next();
    let is_word = !rest.clone().next().is_some_and(char::is_uppercase);
    let first = first.map(|first| if is_word { first.to_ascii_lowercase() } else { first });
    first.into_iter().chain(rest).collect()
}
