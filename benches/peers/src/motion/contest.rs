//! Contenders that answer the same questions in turn, with the best time of each and the number of answers
//! that differ.

use std::hint::black_box;
use std::time::Instant;

/// An answer: whether a motion is free, or how many pixels of it.
pub(crate) trait Answer: Copy {
    /// Returns a number for a sum of all answers, so that the compiler cannot leave an answer out.
    fn key(self) -> u64;

    /// Returns the pixels, or 1 for yes and 0 for no.
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

/// A contender, and how near its answers must be to the answers of the first contender.
#[derive(Clone, Copy)]
pub(crate) struct Contender {
    pub(crate) name: &'static str,
    /// The largest difference between equal answers, in pixels.
    pub(crate) tolerance: f32,
    /// The largest share of answers that may differ.
    pub(crate) share: f64,
}

impl Contender {
    /// Creates a contender none of whose answers may differ.
    pub(crate) const fn exact(name: &'static str) -> Self {
        Self { name, tolerance: 0.0, share: 0.0 }
    }

    /// Creates a contender whose answers may differ by a hundredth of a pixel, and a share of them by more.
    pub(crate) const fn rounded(name: &'static str, share: f64) -> Self {
        Self { name, tolerance: 0.01, share }
    }
}

/// The time and answers of a contender.
pub(crate) struct Row {
    pub(crate) contender: Contender,
    /// The time of one answer in the fastest round.
    pub(crate) nanoseconds: f64,
    rounds: usize,
    /// The number of answers that differ from the answers of the first contender.
    pub(crate) differ: usize,
    /// The number of questions.
    pub(crate) asked: usize,
}

impl Row {
    pub(crate) fn is_good(&self) -> bool {
        self.differ as f64 <= self.contender.share * self.asked as f64
    }
}

/// A contender that takes more nanoseconds for an answer runs only [`FEW`] rounds.
const SLOW: f64 = 1_000.0;
const FEW: usize = 3;

/// A question on one level, and the results of all contenders.
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

    /// Times a contender in several rounds. Before each round it answers the questions once, so that its data
    /// is in the caches. In the first round these answers are compared.
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

    /// Adds the result of a contender that ran in another process.
    pub(crate) fn add(&mut self, contender: Contender, nanoseconds: f64, answers: Vec<f32>) {
        if self.rows.is_empty() {
            self.answers.clone_from(&answers);
        }
        let differs = |(one, other): &(&f32, &f32)| (*one - *other).abs() > contender.tolerance;
        // Missing answers count as different.
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
