//! Masks: pictures that are levels.

mod corpus;
mod same_answer;
