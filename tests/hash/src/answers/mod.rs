//! Questions from a fixed seed, and one hash of all answers to them. The hash must be equal on every
//! platform.
//!
//! No answer depends on a file, on the size of a pointer or on the byte order. Derived `Hash` implementations
//! depend on these, so each kind of answer lists its numbers itself. A `checksum()` is an answer as it is.

mod answer;
mod checksums;
mod levels;
mod movers;
mod random;
mod shapes;
mod terrains;
mod worlds;

use std::fmt::Write;

use bitwall::Mover;
use bitwall::glam::{I64Vec2, Vec2};

pub use answer::Answer;

/// A hash of answers, and the number of answers of each kind.
#[derive(Default)]
pub struct Answers {
    state: u64,
    kinds: Vec<(&'static str, u64)>,
    /// The hash after each part of the questions, to find the part that differs.
    parts: Vec<(&'static str, u64)>,
}

impl Answers {
    /// Adds an answer of a kind to the hash.
    pub fn add(&mut self, kind: &'static str, answer: impl Answer) {
        match self.kinds.iter_mut().find(|(name, _)| *name == kind) {
            Some((_, count)) => *count += 1,
            None => self.kinds.push((kind, 1)),
        }
        answer.mix(self);
    }

    /// Mixes a number into the hash. Different states stay different after the same number.
    pub fn mix(&mut self, number: u64) {
        let mixed = (self.state ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.state = mixed ^ (mixed >> 29);
    }

    /// Returns the hash of all answers so far.
    pub fn hash(&self) -> u64 {
        self.state
    }

    /// Returns the number of all answers so far.
    pub fn count(&self) -> u64 {
        self.kinds.iter().map(|(_, count)| count).sum()
    }

    /// Returns a text with the number of answers of each kind and the hash after each part. It helps to find
    /// the first answer that differs on another platform.
    pub fn facts(&self) -> String {
        let mut text = format!("{} answers", self.count());
        for (kind, count) in &self.kinds {
            let _ = write!(text, ", {count} {kind}");
        }
        for (part, hash) in &self.parts {
            let _ = write!(text, "\n{hash:016x} after {part}");
        }
        text
    }
}

/// A function that asks the questions of one part.
type Ask = fn(&mut Answers);

/// Answers all questions.
pub fn all() -> Answers {
    let parts = [
        ("levels", levels::ask as Ask),
        ("terrains", terrains::ask),
        ("movers", movers::ask),
        ("worlds", worlds::ask),
        ("shapes", shapes::ask),
        ("checksums", checksums::ask),
    ];
    let mut answers = Answers::default();
    for (name, ask) in parts {
        ask(&mut answers);
        answers.parts.push((name, answers.state));
    }
    answers
}

/// Converts pixels to 65,536ths of a pixel.
fn subpixels(pixels: Vec2) -> I64Vec2 {
    (pixels.as_dvec2() * f64::from(Mover::SUBPIXELS)).round().as_i64vec2()
}

/// Converts 65,536ths of a pixel to pixels.
fn pixels(subpixels: I64Vec2) -> Vec2 {
    (subpixels.as_dvec2() / f64::from(Mover::SUBPIXELS)).as_vec2()
}
