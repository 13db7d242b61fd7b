//! The bits of a line of bytes: loads of 64, and the first and the last one that is set.
//!
//! Plain data: nothing here knows what a bit is.

/// The words that a wide load reads.
pub(super) const WORDS: usize = 3;

/// `WIDE_MASK[n]`: the words up to bit n.
static WIDE_MASK: [[u64; WORDS]; 64 * WORDS] = {
    let mut mask = [[0; WORDS]; 64 * WORDS];
    let mut last = 0;
    while last < 64 * WORDS {
        if last > 0 {
            mask[last] = mask[last - 1];
        }
        mask[last][last / 64] |= 1 << (last % 64);
        last += 1;
    }
    mask
};

/// 64 bits from a byte on, the first one in bit 0.
#[inline(always)]
pub(super) fn load(bytes: &[u8], at: u32) -> u64 {
    let at = at as usize;
    let (chunks, _) = bytes[at..at + 8].as_chunks();
    u64::from_le_bytes(chunks[0])
}

/// The bytes that are tested at once where a strip is long.
const CHUNK: usize = 64;

/// True if a bit of a line from the first to the last of `bits` is set.
///
/// It tests up to 185 bits without a branch: the processor cannot predict the number of their words.
#[inline(always)]
pub(super) fn any_set(bytes: &[u8], line: u32, (first, last): (u32, u32)) -> bool {
    let start = (line + first / 8) as usize;
    // The last bit, counted from the first bit of the first byte.
    let last = (last - (first & !7)) as usize;
    let from = u64::MAX << (first % 8);
    let Some(mask) = WIDE_MASK.get(last) else {
        let (words, _) = bytes[start..start + last / 64 * 8 + 8].as_chunks();
        return any_in_many_words(words, from, u64::MAX >> (63 - last % 64));
    };
    let (words, _) = bytes[start..start + 8 * WORDS].as_chunks();
    let word = |at: usize| u64::from_le_bytes(words[at]) & mask[at];
    word(0) & from | word(1) | word(2) != 0
}

/// True if a bit is set in the first word, `from` it on, in the last one up to `to`, or between them.
#[cold]
#[inline(never)]
fn any_in_many_words(words: &[[u8; 8]], from: u64, to: u64) -> bool {
    let [first, between @ .., last] = words else { return false };
    u64::from_le_bytes(*first) & from | u64::from_le_bytes(*last) & to != 0
        || any_byte(between.as_flattened())
}

/// True if one of the bytes, a multiple of 8, is not 0. It tests all words of a chunk before it branches.
fn any_byte(bytes: &[u8]) -> bool {
    let (chunks, rest) = bytes.as_chunks::<CHUNK>();
    let (words, _) = rest.as_chunks();
    chunks.iter().any(|chunk| chunk.iter().fold(0, |any, byte| any | byte) != 0)
        || words.iter().fold(0, |any, word| any | u64::from_le_bytes(*word)) != 0
}

/// True if no bit of a chunk is set.
fn is_empty(bytes: &[u8], at: u32) -> bool {
    bytes[at as usize..].first_chunk() == Some(&[0; CHUNK])
}

/// The first set bit of a line from the first to the last of `bits`.
pub(super) fn first_set(bytes: &[u8], line: u32, (first, last): (u32, u32)) -> Option<u32> {
    let mut bit = first;
    while bit <= last {
        let word = load(bytes, line + bit / 8) >> (bit % 8);
        if word != 0 {
            return Some(bit + word.trailing_zeros()).filter(|bit| *bit <= last);
        }
        bit = bit / 8 * 8 + 64;
        while bit + CHUNK as u32 * 8 <= last && is_empty(bytes, line + bit / 8) {
            bit += CHUNK as u32 * 8;
        }
    }
    None
}

/// The last set bit of a line from the first to the last of `bits`.
pub(super) fn last_set(bytes: &[u8], line: u32, (first, last): (u32, u32)) -> Option<u32> {
    let mut end = last + 1;
    while end > first {
        let start = end.next_multiple_of(8).saturating_sub(64);
        let word = load(bytes, line + start / 8) << (64 - (end - start));
        if word != 0 {
            return Some(end - 1 - word.leading_zeros()).filter(|bit| *bit >= first);
        }
        end = start;
        while end >= first + CHUNK as u32 * 8 && is_empty(bytes, line + end / 8 - CHUNK as u32) {
            end -= CHUNK as u32 * 8;
        }
    }
    None
}
