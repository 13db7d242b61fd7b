//! Lines of a file by the place of a byte, in any order of the places.

/// Bytes of a block: what a look-up counts through at most.
const BLOCK: usize = 1 << 10;

/// The line feeds of a text, counted by blocks. A tree is not gone through in the order of the file, so that
/// a count from the last place to the next could go through the file once for each element.
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
    pub(super) fn line(&self, at: u32) -> u32 {
        let at = (at as usize).min(self.text.len());
        let block = (at / BLOCK).min(self.before.len().saturating_sub(1));
        let before = self.before.get(block);
        let within = self.text.get(block * BLOCK..at).map_or(0, line_feeds);
        before.map_or(1, |before| before.saturating_add(within).saturating_add(1))
    }

    /// The place of the byte `at` in its line, from 1. Goes back through the line.
    pub(super) fn byte(&self, at: u32) -> u32 {
        let before = self.text.get(..at as usize).unwrap_or(self.text);
        let bytes = before.iter().rev().take_while(|byte| **byte != b'\n');
        u32::try_from(bytes.count() + 1).unwrap_or(u32::MAX)
    }
}

fn line_feeds(text: &[u8]) -> u32 {
    text.iter().map(|byte| u32::from(*byte == b'\n')).sum()
}
