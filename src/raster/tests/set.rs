use std::collections::BTreeSet;

use glam::UVec2;

use super::*;
use crate::geometry::Dir;

type Pixels = BTreeSet<(i32, i32)>;

fn pixels_of(set: &Coverage) -> Pixels {
    let found = pixels(|emit| set.spans().iter().for_each(|span| emit(*span)));
    let count = found.len();
    let found = Pixels::from_iter(found);
    assert_eq!(found.len(), count);
    found
}

fn random_set(rng: &mut fastrand::Rng) -> (Coverage, Pixels) {
    let clip = random_box(rng);
    let outlines: Vec<_> = (0..rng.usize(0..5))
        .map(|_| {
            let points = random_points(rng, 3, 2);
            match rng.u8(0..3) {
                0 => Outline::Polygon(points),
                1 => Outline::Path(points),
                _ => Outline::Dot(points[0]),
            }
        })
        .collect();
    let naive = outlines.iter().flat_map(|outline| covered(outline, clip));
    (Coverage::of(&outlines, clip), naive.collect())
}

#[test]
fn a_coverage_has_the_pixels_of_all_its_outlines() {
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..1000 {
        let (set, naive) = random_set(&mut rng);
        assert_eq!(pixels_of(&set), naive);
        assert_eq!(set.spans().is_empty(), naive.is_empty());
        let columns = || naive.iter().map(|(_, x)| *x);
        let rows = || naive.iter().map(|(y, _)| *y);
        let bounds = match naive.is_empty() {
            true => Aabb::default(),
            false => Aabb {
                min: IVec2::new(columns().min().unwrap(), rows().min().unwrap()),
                max: IVec2::new(columns().max().unwrap() + 1, rows().max().unwrap() + 1),
            },
        };
        assert_eq!(set.bounds(), bounds);
    }
}

#[test]
fn the_coverage_of_30_000_overlapping_dots_has_each_pixel_once() {
    let clip = Aabb::from_xywh(0, 0, 100, 100);
    let dots: Vec<_> =
        (0..30_000).map(|n| Outline::Dot(point(n * 7919 % 90, n / 90 % 90, 1))).collect();
    let set = Coverage::of(&dots, clip);
    let square = (0..90).map(|y| Span { y, start: 0, end: 90 });
    assert_eq!(set.spans(), square.collect::<Vec<_>>());
}

fn flips(bits: u32) -> Flips {
    Flips { diagonal: bits & 1 != 0, horizontal: bits & 2 != 0, vertical: bits & 4 != 0 }
}

#[test]
fn a_flipped_coverage_has_the_pixels_of_the_flipped_picture() {
    let mut rng = fastrand::Rng::with_seed(2);
    for _ in 0..1000 {
        let (set, pixels) = random_set(&mut rng);
        let size = UVec2::new(rng.u32(1..20), rng.u32(1..20));
        for bits in 0..8 {
            let flips = flips(bits);
            // In `picture`, positions are relative to the tile's top-left corner, as in a picture.
            let (mut w, mut h) = (size.x as i32, size.y as i32);
            let mut picture: Pixels = pixels.iter().map(|(y, x)| (y + h, *x)).collect();
            if flips.diagonal {
                picture = picture.iter().map(|(y, x)| (*x, *y)).collect();
                (w, h) = (h, w);
            }
            if flips.horizontal {
                picture = picture.iter().map(|(y, x)| (*y, w - 1 - x)).collect();
            }
            if flips.vertical {
                picture = picture.iter().map(|(y, x)| (h - 1 - y, *x)).collect();
            }
            let naive: Pixels = picture.iter().map(|(y, x)| (y - h, *x)).collect();
            let turned = set.turned(flips, size);
            assert_eq!(pixels_of(&turned), naive, "{size} {flips:?}");
            assert_eq!(set.turned_len(flips), turned.spans().len() as u64);
        }
    }
}

#[test]
fn edges_returns_the_pixels_without_a_neighbour_in_a_direction() {
    let mut rng = fastrand::Rng::with_seed(3);
    for _ in 0..1000 {
        let (set, pixels) = random_set(&mut rng);
        for dir in Dir::ALL {
            let step = dir.vector();
            let is_free = |(y, x): &&(i32, i32)| !pixels.contains(&(y + step.y, x + step.x));
            let naive: Pixels = pixels.iter().filter(is_free).copied().collect();
            assert_eq!(pixels_of(&set.edges(dir)), naive, "{dir:?}");
        }
    }
}

#[test]
fn flips_in_a_tile_of_the_largest_size_do_not_overflow() {
    let set = Coverage::of(&[Outline::Dot(point(3, -3, 1))], Aabb::from_xywh(-9, -9, 18, 18));
    for bits in 0..8 {
        let turned = set.turned(flips(bits), UVec2::MAX);
        assert!(turned.spans().len() <= 1);
        for dir in Dir::ALL {
            assert_eq!(turned.edges(dir), turned);
        }
        let _ = turned.bounds();
    }
}
