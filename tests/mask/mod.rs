//! Masks: pictures that are levels.

mod same_answer;
