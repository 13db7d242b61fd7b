//! Many queries in one call: structures of arrays in, bits and distances out, in the order of the queries.
//!
//! With feature `rayon` the cores share a batch that is long enough. The answers are the same: each one has
//! its own place, and nothing is shared. Nothing here knows a query.

/// The answers that one core gives at a time: some 10 us of work, so that the cores are seldom idle.
#[cfg(feature = "rayon")]
const PART: usize = 4096;

/// Writes the answers of the queries from 0 on, as many as fit: those of queries 64 w to 64 w + 63 are in
/// word w, bit 0 the first. Bits of the last word past `count` are 0. Returns the number of answers.
pub(super) fn bits(
    words: &mut [u64],
    count: usize,
    answer: impl Fn(usize) -> bool + Sync,
) -> usize {
    let count = count.min(words.len().saturating_mul(64));
    let words = &mut words[..count.div_ceil(64)];
    fill(
        words,
        |word| {
            let queries = word * 64..count.min(word * 64 + 64);
            queries.fold(0, |bits, query| bits | u64::from(answer(query)) << (query % 64))
        },
        64,
    );
    count
}

/// Writes the answers of the queries from 0 on, as many as fit, and returns their number.
pub(super) fn values<T: Send>(
    values: &mut [T],
    count: usize,
    answer: impl Fn(usize) -> T + Sync,
) -> usize {
    let count = count.min(values.len());
    fill(&mut values[..count], answer, 1);
    count
}

/// Writes `make` of each index; one of them stands for `queries` queries.
#[cfg(not(feature = "rayon"))]
fn fill<T>(values: &mut [T], make: impl Fn(usize) -> T, _queries: usize) {
    for (index, value) in values.iter_mut().enumerate() {
        *value = make(index);
    }
}

/// Writes `make` of each index; one of them stands for `queries` queries.
#[cfg(feature = "rayon")]
fn fill<T: Send>(values: &mut [T], make: impl Fn(usize) -> T + Sync, queries: usize) {
    use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

    let part = PART / queries;
    let write = |(number, values): (usize, &mut [T])| {
        for (index, value) in (number * part..).zip(values) {
            *value = make(index);
        }
    };
    if values.len() <= part {
        write((0, values));
    } else {
        values.par_chunks_mut(part).enumerate().for_each(write);
    }
}
