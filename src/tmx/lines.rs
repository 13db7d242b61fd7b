//! Lines of a file by the place of a byte, in any order of the places.

/// Bytes of a block: a look-up counts through one at most. A byte holds the count of its line feeds.
const BLOCK: usize = 255;

/// The line feeds of a text, counted by blocks. The tree of a JSON file is not gone through in the order of
/// the file: a count from the last place to the next could go through the file once for each element.
pub(super) struct Lines<'t> {
    text: &'t [u8],
    /// The lines that end before each block.
    before: Vec<u32>,
}

impl<'t> Lines<'t> {
    /// Counts through the text once.
    pub(super) fn new(text: &'t [u8]) -> Self {
        let mut ends = 0u32;
        let count = |block: &[u8]| {
            let before = ends;
            ends = ends.saturating_add(line_feeds(block));
            before
        };
        Self { text, before: text.chunks(BLOCK).map(count).collect() }
    }

    /// The line of the byte `at`, from 1.
    pub(super) fn line(&self, at: usize) -> u32 {
        let at = at.min(self.text.len());
        let block = (at / BLOCK).min(self.before.len().saturating_sub(1));
        let before = self.before.get(block).map_or(0, |before| *before);
        let within = self.text.get(block * BLOCK..at).map_or(0, line_feeds);
        before.saturating_add(within).saturating_add(1)
    }

    /// The line of the byte `at`, and the place of the byte in it, both from 1. Goes back through the line.
    pub(super) fn position(&self, at: usize) -> (u32, u32) {
        let before = self.text.get(..at).unwrap_or(self.text);
        let bytes = before.iter().rev().take_while(|byte| **byte != b'\n');
        (self.line(at), u32::try_from(bytes.count() + 1).unwrap_or(u32::MAX))
    }
}

/// The number of line feeds in at most 255 bytes. A count in a byte lets the compiler look at 16 bytes at a
/// time.
fn line_feeds(block: &[u8]) -> u32 {
    block.iter().fold(0u8, |ends, byte| ends.wrapping_add(u8::from(*byte == b'\n'))).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_a_count_from_the_start() {
        let mut rng = fastrand::Rng::with_seed(1);
        for length in [0, 1, 254, 255, 256, 5_000] {
            let text: Vec<u8> = (0..length).map(|_| [b'\n', b'a'][rng.usize(0..2)]).collect();
            let lines = Lines::new(&text);
            for at in 0..length + 2 {
                let before = &text[..at.min(length)];
                let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
                assert_eq!(lines.line(at), line as u32, "{at} of {length}");
            }
        }
    }

    #[test]
    fn a_block_of_line_feeds_is_counted_in_full() {
        assert_eq!(Lines::new(&[b'\n'; 600]).line(600), 601);
    }
}
