//! The steps of a field lead to the nearest goal along a shortest path.

use bitwall::glam::{IVec2, UVec2};

use super::grounds;
use super::plain::{PIXEL, Plain};
use crate::support::rounds;

#[test]
fn steps_of_a_field_lead_to_the_nearest_goal_along_a_shortest_path() {
    let mut random = fastrand::Rng::with_seed(341);
    let mut diagonals = 0;
    for _ in 0..rounds(400) {
        let terrain = grounds::terrain(&mut random, UVec2::new(150, 100));
        let size = UVec2::new(random.u32(1..7), random.u32(1..7));
        let mut others = Vec::new();
        if random.bool() {
            others.push(bitwall::Aabb::from_xywh(random.i32(0..90), random.i32(0..90), 13, 9));
        }
        let plain = Plain::new(&terrain, size, &others);
        let free: Vec<IVec2> = plain.free_positions().collect();
        if free.is_empty() {
            continue;
        }
        let mut goals: Vec<IVec2> = (0..3).map(|_| free[random.usize(0..free.len())]).collect();
        goals.push(IVec2::new(-99, 7));
        let lengths = plain.dijkstra(&goals, false);
        let ways = terrain.ways(size).unwrap();
        let ways = ways.around(&others);
        for (ways, may_be_diagonal) in [(&ways, true), (&ways.four_directions(), false)] {
            let field = ways.field(&goals);
            for _ in 0..20 {
                let from = free[random.usize(0..free.len())];
                let expected = lengths[plain.index(from).unwrap()];
                assert_eq!(field.reaches(from), expected.is_some());
                let (mut at, mut length) = (from, 0);
                while let Some(step) = field.step(at) {
                    let parts = step.abs().element_sum();
                    assert!(parts == 1 || parts == 2 && may_be_diagonal);
                    assert!(
                        plain.is_free(at + step.with_x(0)) && plain.is_free(at + step.with_y(0))
                    );
                    diagonals += u32::from(parts == 2);
                    (at, length) = (at + step, length + parts as u64 * PIXEL);
                }
                if let Some(expected) = expected {
                    assert!(goals.contains(&at) && length == expected, "{from} {at} {length}");
                }
            }
        }
        assert_eq!(ways.field(&goals).step(IVec2::MAX), None);
        assert_eq!(ways.field(&goals).step(IVec2::MIN), None);
        assert!(!ways.field(&[]).reaches(free[0]));
    }
    assert!(diagonals > 100, "{diagonals}");
}
