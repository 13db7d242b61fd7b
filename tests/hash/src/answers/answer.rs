//! The numbers that an answer consists of.

use bitwall::geometry::{Aabb, Axis, Sides};
use bitwall::glam::{DVec2, I64Vec2, IVec2, UVec2, Vec2};
use bitwall::mover::Move;
use bitwall::shapes::{PushOut, Rectangle, SweptOverlap};
use bitwall::terrain::{Contact, NearestSolid, RayHit, Sweep};

use super::Answers;

/// An answer that can be mixed into the hash.
pub trait Answer {
    /// Mixes the numbers of this answer into the hash.
    fn mix(&self, answers: &mut Answers);
}

macro_rules! numbers {
    ($($number:ty),*) => { $(
        impl Answer for $number {
            fn mix(&self, answers: &mut Answers) {
                answers.mix(*self as u64);
            }
        }
    )* };
}

numbers!(bool, u8, u32, u64, i32, i64);

impl Answer for f64 {
    fn mix(&self, answers: &mut Answers) {
        // The sign and the payload of a NaN differ between platforms.
        answers.mix(if self.is_nan() { u64::MAX } else { self.to_bits() });
    }
}

impl Answer for f32 {
    fn mix(&self, answers: &mut Answers) {
        f64::from(*self).mix(answers);
    }
}

macro_rules! vectors {
    ($($vector:ty),*) => { $(
        impl Answer for $vector {
            fn mix(&self, answers: &mut Answers) {
                (self.x, self.y).mix(answers);
            }
        }
    )* };
}

vectors!(IVec2, UVec2, I64Vec2, Vec2, DVec2);

impl<A: Answer, B: Answer> Answer for (A, B) {
    fn mix(&self, answers: &mut Answers) {
        self.0.mix(answers);
        self.1.mix(answers);
    }
}

impl<A: Answer> Answer for Option<A> {
    fn mix(&self, answers: &mut Answers) {
        self.is_some().mix(answers);
        self.iter().for_each(|answer| answer.mix(answers));
    }
}

impl<A: Answer + ?Sized> Answer for &A {
    fn mix(&self, answers: &mut Answers) {
        A::mix(self, answers);
    }
}

impl<A: Answer> Answer for [A] {
    fn mix(&self, answers: &mut Answers) {
        (self.len() as u64).mix(answers);
        self.iter().for_each(|answer| answer.mix(answers));
    }
}

impl Answer for str {
    fn mix(&self, answers: &mut Answers) {
        self.as_bytes().mix(answers);
    }
}

impl Answer for String {
    fn mix(&self, answers: &mut Answers) {
        self.as_bytes().mix(answers);
    }
}

impl Answer for Aabb {
    fn mix(&self, answers: &mut Answers) {
        (self.min, self.max).mix(answers);
    }
}

impl<A: Answer> Answer for Sides<A> {
    fn mix(&self, answers: &mut Answers) {
        ((&self.left, &self.right), (&self.up, &self.down)).mix(answers);
    }
}

impl Answer for Contact {
    fn mix(&self, answers: &mut Answers) {
        (self.cell, self.normal).mix(answers);
    }
}

impl Answer for Sweep {
    fn mix(&self, answers: &mut Answers) {
        ((self.step, self.moved), self.contact).mix(answers);
    }
}

impl Answer for RayHit {
    fn mix(&self, answers: &mut Answers) {
        ((self.pixel, self.cell), (self.normal, self.started_solid)).mix(answers);
        ((self.numerator, self.denominator), self.fraction()).mix(answers);
    }
}

impl Answer for NearestSolid {
    fn mix(&self, answers: &mut Answers) {
        ((self.pixel, self.cell), self.distance_squared).mix(answers);
    }
}

impl Answer for Move {
    fn mix(&self, answers: &mut Answers) {
        ((self.asked, self.moved), (self.leftover, self.contacts)).mix(answers);
        ((self.started_solid, self.was_grounded), self.grounded).mix(answers);
        (self.bounces(Axis::X), self.bounces(Axis::Y)).mix(answers);
    }
}

impl Answer for SweptOverlap {
    fn mix(&self, answers: &mut Answers) {
        (self.fraction, self.normal).mix(answers);
    }
}

impl Answer for PushOut<IVec2> {
    fn mix(&self, answers: &mut Answers) {
        (self.translation, (self.normal, self.penetration)).mix(answers);
    }
}

impl Answer for PushOut<Vec2> {
    fn mix(&self, answers: &mut Answers) {
        (self.translation, (self.normal, self.penetration)).mix(answers);
    }
}

impl<A: Answer> Answer for Rectangle<A> {
    fn mix(&self, answers: &mut Answers) {
        (&self.min, &self.max).mix(answers);
    }
}
