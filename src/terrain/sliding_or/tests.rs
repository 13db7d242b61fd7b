use fastrand::Rng;

use super::sliding_or;

#[test]
fn each_line_is_the_bitwise_or_of_its_rows() {
    let mut random = Rng::with_seed(81);
    for _ in 0..1_000 {
        let (count, depth) = (random.usize(1..150), random.usize(1..90));
        let row = |_| 1_u64.checked_shl(random.u32(0..500)).unwrap_or(0);
        let rows: Vec<u64> = (1..count + depth).map(row).collect();
        let always = if random.bool() { 0 } else { 1 << 63 };
        let mut lines = vec![4; count];
        sliding_or(&rows, always, depth, lines.iter_mut(), |line, word| *line = word);
        for (line, word) in lines.iter().enumerate() {
            let naive = rows[line..line + depth].iter().fold(always, |or, word| or | word);
            assert_eq!(*word, naive, "{count} lines of {depth}: line {line}");
        }
    }
}
