//! The bitwise or of the rows that a body covers, while the body moves down row by row.

/// The largest `depth` for which [`sliding_or`] keeps its buffer on the stack.
const FEW: usize = 32;

/// Calls `write` with each of `lines`, and with the bitwise or of `always` and of the `depth` rows from row i
/// on, for line i. `rows` has the same word of every row.
///
/// This takes O(rows) for any depth, by the algorithm of van Herk, Gil and Werman. It cuts the rows into
/// blocks of `depth` rows. So the rows of a line are the end of one block and the start of the next
/// block. A buffer has the bitwise or of each end of a block. The bitwise or of the start grows by one
/// row from line to line. For 32 rows this takes a third of the time of an algorithm that doubles the
/// depth repeatedly.
// As a call of its own, an edit beside prepared sizes takes a fifth more instructions.
#[inline(always)]
pub(super) fn sliding_or<L>(
    rows: &[u64],
    always: u64,
    depth: usize,
    mut lines: impl Iterator<Item = L>,
    write: impl Fn(L, u64),
) {
    // A body in a tile map covers few rows. Combining these rows again for each line takes a third of the
    // instructions of the algorithm below.
    if depth <= 3 {
        for (rows, line) in rows.windows(depth).zip(lines) {
            write(line, rows.iter().fold(always, |or, row| or | row));
        }
        return;
    }
    let mut few = [0; FEW];
    let mut many = Vec::new();
    let tails = if depth <= FEW {
        &mut few[..depth]
    } else {
        many.resize(depth, 0);
        &mut many[..]
    };
    tails[depth - 1] = always;
    for end in (depth - 1..rows.len()).step_by(depth) {
        let before = &rows[end + 1 - depth..end];
        let mut tail = always;
        for (kept, row) in tails.iter_mut().zip(before).rev() {
            tail |= row;
            *kept = tail;
        }
        let mut head = 0;
        for ((row, tail), line) in rows[end..].iter().zip(&*tails).zip(&mut lines) {
            head |= row;
            write(line, head | tail);
        }
    }
}

#[cfg(test)]
mod tests;
