use fastrand::Rng;

use super::sliding_or;

fn ors<const N: usize>(random: &mut Rng) {
    let (count, depth) = (random.usize(1..150), random.usize(1..90));
    let rows: [Vec<u64>; N] = std::array::from_fn(|_| {
        (1..count + depth).map(|_| 1_u64.checked_shl(random.u32(0..500)).unwrap_or(0)).collect()
    });
    let always: [u64; N] = std::array::from_fn(|_| if random.bool() { 0 } else { 1 << 63 });
    let mut lines = vec![[4; N]; count];
    let slices = std::array::from_fn(|at| &rows[at][..]);
    sliding_or(slices, always, depth, lines.iter_mut(), |line, words| *line = words);
    for (line, words) in lines.iter().enumerate() {
        for at in 0..N {
            let rows = &rows[at][line..line + depth];
            let naive = rows.iter().fold(always[at], |or, word| or | word);
            assert_eq!(words[at], naive, "{N} words, {count} lines of {depth}: line {line}");
        }
    }
}

#[test]
fn each_line_is_the_bitwise_or_of_its_rows() {
    let mut random = Rng::with_seed(81);
    for _ in 0..500 {
        ors::<1>(&mut random);
        ors::<4>(&mut random);
    }
}
