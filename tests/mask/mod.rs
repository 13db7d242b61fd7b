//! Masks: pictures that are loaded as levels.

mod corpus;
mod same_answer;
