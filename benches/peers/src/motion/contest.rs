//! Contenders that answer the same questions in turn: the best time of each, and the answers that differ.

use std::hint::black_box;
use std::time::Instant;

/// An answer: whether a way is free, or how many pixels of it.
pub(crate) trait Answer: Copy {
    /// A number that no answer can be left out of.
    fn key(self) -> u64;

    /// The pixels, or 1 for yes and 0 for no.
    fn pixels(self) -> f32;
}

impl Answer for bool {
    fn key(self) -> u64 {
        self.into()
    }

    fn pixels(self) -> f32 {
        self.into()
    }
}

impl Answer for f32 {
    fn key(self) -> u64 {
        self.to_bits().into()
    }

    fn pixels(self) -> f32 {
        self
    }
}

/// Who answers, and how near its answers must be to those of the first contender.
#[derive(Clone, Copy)]
pub(crate) struct Contender {
    pub(crate) name: &'static str,
    /// Answers that differ by more count as different. In pixels.
    pub(crate) tolerance: f32,
    /// The largest share of answers that may differ.
    pub(crate) share: f64,
}

impl Contender {
    /// No answer may differ.
    pub(crate) const fn exact(name: &'static str) -> Self {
        Self { name, tolerance: 0.0, share: 0.0 }
    }

    /// Answers may differ by a hundredth of a pixel, and more in this share.
    pub(crate) const fn rounded(name: &'static str, share: f64) -> Self {
        Self { name, tolerance: 0.01, share }
    }
}

/// The result of a contender.
pub(crate) struct Row {
    pub(crate) contender: Contender,
    /// Of the fastest round, for one answer.
    pub(crate) nanoseconds: f64,
    rounds: usize,
    /// The answers that differ from those of the first contender.
    pub(crate) differ: usize,
    /// The number of questions.
    pub(crate) asked: usize,
}

impl Row {
    pub(crate) fn is_good(&self) -> bool {
        self.differ as f64 <= self.contender.share * self.asked as f64
    }
}

/// A contender slower than so many nanoseconds has only [`FEW`] rounds.
const SLOW: f64 = 1_000.0;
const FEW: usize = 3;

/// A question on one level.
pub(crate) struct Contest {
    pub(crate) question: &'static str,
    pub(crate) level: &'static str,
    pub(crate) rows: Vec<Row>,
    /// The contenders that could not take part, and why.
    pub(crate) skipped: Vec<String>,
    /// The answers of the first contender.
    answers: Vec<f32>,
}

impl Contest {
    pub(crate) fn new(question: &'static str, level: &'static str) -> Self {
        Self { question, level, rows: Vec::new(), skipped: Vec::new(), answers: Vec::new() }
    }

    /// Times a round of a contender, after its answers have brought its own data into the caches. In its
    /// first round these are compared.
    pub(crate) fn run<T, A: Answer>(
        &mut self,
        contender: Contender,
        questions: &[T],
        answer: impl Fn(&T) -> A,
    ) {
        let lap = || {
            let start = Instant::now();
            let sum = questions
                .iter()
                .fold(0, |sum: u64, question| sum.wrapping_add(answer(black_box(question)).key()));
            black_box(sum);
            start.elapsed().as_nanos() as f64 / questions.len() as f64
        };
        let Some(row) = self.rows.iter_mut().find(|row| row.contender.name == contender.name)
        else {
            let answers: Vec<f32> = questions.iter().map(|q| answer(q).pixels()).collect();
            self.add(contender, lap(), answers);
            return;
        };
        if row.nanoseconds < SLOW || row.rounds < FEW {
            lap();
            row.nanoseconds = row.nanoseconds.min(lap());
            row.rounds += 1;
        }
    }

    /// Takes the result of a contender that ran elsewhere.
    pub(crate) fn add(&mut self, contender: Contender, nanoseconds: f64, answers: Vec<f32>) {
        if self.rows.is_empty() {
            self.answers.clone_from(&answers);
        }
        let differs = |(one, other): &(&f32, &f32)| (*one - *other).abs() > contender.tolerance;
        // Answers that are missing differ.
        let differ = answers.iter().zip(&self.answers).filter(differs).count()
            + self.answers.len().abs_diff(answers.len());
        self.rows.push(Row {
            contender,
            nanoseconds,
            rounds: 1,
            differ,
            asked: self.answers.len(),
        });
    }
}
