//! The bitwise or of the rows that a body covers, while the body moves down row by row.

/// The largest `depth` for which [`sliding_or`] keeps its buffer on the stack.
const FEW: usize = 32;

/// Calls `write` with each of `lines`, and with N words: the bitwise or of `always` and of the `depth` rows
/// from row i on, for line i. For each of the N words, `rows` has this word of every row.
///
/// This takes O(words of the rows) for any depth, by the algorithm of van Herk, Gil and Werman. It cuts the
/// rows into blocks of `depth` rows. So the rows of a line are the end of one block and the start of the next
/// block. A buffer has the bitwise or of each end of a block. The bitwise or of the start grows by one row
/// from line to line. For 32 rows this takes a third of the time of an algorithm that doubles the depth
/// repeatedly.
pub(super) fn sliding_or<const N: usize, L>(
    rows: [&[u64]; N],
    always: [u64; N],
    depth: usize,
    mut lines: impl Iterator<Item = L>,
    write: impl Fn(L, [u64; N]),
) {
    let len = rows[0].len();
    // A body in a tile map covers few rows. Combining these rows again for each line takes a third of the
    // instructions of the algorithm below.
    if depth <= 3 {
        for (first, line) in (0..=len - depth).zip(lines) {
            let rows = rows.map(|words| &words[first..first + depth]);
            write(
                line,
                std::array::from_fn(|at| rows[at].iter().fold(always[at], |or, row| or | row)),
            );
        }
        return;
    }
    let mut few = [[0; N]; FEW];
    let mut many = Vec::new();
    let tails = if depth <= FEW {
        &mut few[..depth]
    } else {
        many.resize(depth, [0; N]);
        &mut many[..]
    };
    tails[depth - 1] = always;
    for end in (depth - 1..len).step_by(depth) {
        let before = rows.map(|words| &words[end + 1 - depth..end]);
        let mut tail = always;
        for (row, kept) in tails[..depth - 1].iter_mut().enumerate().rev() {
            tail = std::array::from_fn(|at| tail[at] | before[at][row]);
            *kept = tail;
        }
        let count = depth.min(len - end);
        let after = rows.map(|words| &words[end..end + count]);
        let mut head = [0; N];
        for ((row, tail), line) in tails[..count].iter().enumerate().zip(&mut lines) {
            head = std::array::from_fn(|at| head[at] | after[at][row]);
            write(line, std::array::from_fn(|at| head[at] | tail[at]));
        }
    }
}

#[cfg(test)]
mod tests;
