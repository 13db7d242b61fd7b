//! Questions from a fixed seed, and one hash of all answers to them. It must be the same on every platform.
//!
//! Nothing here reads a file or depends on the size of a pointer or the order of bytes. Derived hashes do, so
//! each kind of answer says which numbers it consists of.

mod answer;
mod levels;
mod movers;
mod random;
mod shapes;
mod terrains;
mod worlds;

use std::fmt::Write;

pub use answer::Answer;

/// A hash of answers, and the number of each kind of them.
#[derive(Default)]
pub struct Answers {
    state: u64,
    kinds: Vec<(&'static str, u64)>,
    /// The hash after each part of the questions.
    parts: Vec<(&'static str, u64)>,
}

impl Answers {
    /// Adds an answer of a kind.
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

    /// The hash.
    pub fn hash(&self) -> u64 {
        self.state
    }

    /// The number of all answers.
    pub fn count(&self) -> u64 {
        self.kinds.iter().map(|(_, count)| count).sum()
    }

    /// The number of answers of each kind, and the hash after each part. They help to find the first answer
    /// that differs on another platform.
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

/// Asks the questions of one part.
type Ask = fn(&mut Answers);

/// The answers to all questions.
pub fn all() -> Answers {
    let parts = [
        ("levels", levels::ask as Ask),
        ("terrains", terrains::ask),
        ("movers", movers::ask),
        ("worlds", worlds::ask),
        ("shapes", shapes::ask),
    ];
    let mut answers = Answers::default();
    for (name, ask) in parts {
        ask(&mut answers);
        answers.parts.push((name, answers.state));
    }
    answers
}
