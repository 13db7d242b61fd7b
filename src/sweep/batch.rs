//! Many queries in one call: answers as bits, in the order of the queries.
//!
//! With feature `rayon` the cores share a batch that is long enough. The answers are the same: each one has
//! its own place, and nothing is shared. Nothing here knows a query.

/// The words of answers that one core gives at a time: some 10 us of work, so that the cores are seldom idle.
#[cfg(feature = "rayon")]
const PART: usize = 64;

/// Writes the answers of the queries from 0 on, as many as fit: those of queries 64 w to 64 w + 63 are in
/// word w, bit 0 the first. Bits of the last word past `count` are 0. Returns the number of answers.
pub(super) fn bits(
    words: &mut [u64],
    count: usize,
    answer: impl Fn(usize) -> bool + Sync,
) -> usize {
    let count = count.min(words.len().saturating_mul(64));
    let words = &mut words[..count.div_ceil(64)];
    let write = |first: usize, words: &mut [u64]| {
        for (word, bits) in (first..).zip(words) {
            let queries = word * 64..count.min(word * 64 + 64);
            *bits = queries.fold(0, |bits, query| bits | u64::from(answer(query)) << (query % 64));
        }
    };
    #[cfg(feature = "rayon")]
    if words.len() > PART {
        use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};
        let parts = words.par_chunks_mut(PART).enumerate();
        parts.for_each(|(number, words)| write(number * PART, words));
        return count;
    }
    write(0, words);
    count
}
