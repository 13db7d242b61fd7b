//! Reduction of a picture by the average of the area that each pixel covers, in whole numbers and in
//! premultiplied colours.

use glam::UVec2;
use image::{ImageBuffer, Pixel};

use super::{RenderError, filled, room};

/// The picture reduced to a size, neither of whose sides is 0 or larger.
pub(super) fn shrunk<P: Pixel<Subpixel = u8>>(
    picture: &ImageBuffer<P, Vec<u8>>,
    to: UVec2,
) -> Result<ImageBuffer<P, Vec<u8>>, RenderError> {
    let (from, channels) = (UVec2::from(picture.dimensions()), usize::from(P::CHANNEL_COUNT));
    let mut shrink = Shrink::new(from, to, channels, room(to, channels)?);
    for row in picture.as_raw().chunks_exact((from.x as usize * channels).max(1)) {
        shrink.add(row);
    }
    Ok(filled(to, shrink.rows))
}

/// A picture that is being reduced. Rows come from the top.
///
/// A pixel of the source covers `to.x` x `to.y` units, one of the result `from.x` x `from.y`: all overlaps
/// are whole numbers. Sums fit: of 2^32 pixels of the source they are below 2^48.
pub(super) struct Shrink {
    from: UVec2,
    to: UVec2,
    channels: usize,
    /// The sums of the row of the source that is being read, by pixel of the result and channel.
    row: Vec<u64>,
    /// The sums of the row of the result that is not finished.
    sums: Vec<u64>,
    /// The row of the source that comes next.
    y: u32,
    /// The finished rows.
    rows: Vec<u8>,
}

impl Shrink {
    /// A reduction of pictures of the size `from` to the size `to`, whose rows are added to `rows`;
    /// `channels` is 1 for gray and 4 for colours with straight alpha.
    fn new(from: UVec2, to: UVec2, channels: usize, rows: Vec<u8>) -> Self {
        let sums = vec![0; to.x as usize * channels];
        Self { from, to, channels, row: sums.clone(), sums, y: 0, rows }
    }

    /// Adds a row of the source.
    fn add(&mut self, pixels: &[u8]) {
        let (own, all) = (u64::from(self.to.x), u64::from(self.from.x));
        let mut start = 0;
        for pixel in pixels.chunks_exact(self.channels) {
            let end = start + own;
            let first = start / all;
            // A pixel is not larger than one of the result, so it lies in one or two of them.
            let in_first = end.min((first + 1) * all) - start;
            self.add_pixel(first as usize, pixel, in_first);
            if in_first < own {
                self.add_pixel(first as usize + 1, pixel, own - in_first);
            }
            start = end;
        }
        self.end_row();
    }

    #[inline]
    fn add_pixel(&mut self, at: usize, pixel: &[u8], weight: u64) {
        match (pixel, self.row.get_mut(at * self.channels..(at + 1) * self.channels)) {
            (&[red, green, blue, alpha], Some([r, g, b, a])) => {
                let alpha = u64::from(alpha) * weight;
                *r += u64::from(red) * alpha;
                *g += u64::from(green) * alpha;
                *b += u64::from(blue) * alpha;
                *a += alpha;
            }
            (&[gray], Some([sum])) => *sum += u64::from(gray) * weight,
            _ => {}
        }
    }

    /// Ends a row of the source.
    fn end_row(&mut self) {
        let (own, all) = (u64::from(self.to.y), u64::from(self.from.y));
        let start = u64::from(self.y) * own;
        let end = start + own;
        let in_first = end.min((start / all + 1) * all) - start;
        self.add_row(in_first);
        if end.is_multiple_of(all) || in_first < own {
            self.finish_row();
        }
        self.add_row(own - in_first);
        self.row.fill(0);
        self.y += 1;
    }

    fn add_row(&mut self, weight: u64) {
        if weight > 0 {
            self.sums.iter_mut().zip(&self.row).for_each(|(sum, part)| *sum += part * weight);
        }
    }

    fn finish_row(&mut self) {
        let area = u64::from(self.from.x) * u64::from(self.from.y);
        let mean = |sum: u64, weight: u64| ((sum + weight / 2) / weight.max(1)) as u8;
        for sums in self.sums.chunks_exact(self.channels) {
            match *sums {
                [red, green, blue, alpha] => {
                    let color = [red, green, blue].map(|sum| mean(sum, alpha));
                    self.rows.extend_from_slice(&color);
                    self.rows.push(mean(alpha, area));
                }
                _ => self.rows.extend(sums.iter().map(|sum| mean(*sum, area))),
            }
        }
        self.sums.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduced(pixels: &[u8], from: UVec2, to: UVec2, channels: usize) -> Vec<u8> {
        let mut shrink = Shrink::new(from, to, channels, Vec::new());
        pixels.chunks_exact(from.x as usize * channels).for_each(|row| shrink.add(row));
        shrink.rows
    }

    #[test]
    fn each_pixel_is_the_mean_of_its_area_of_the_picture() {
        let mut random = fastrand::Rng::with_seed(4);
        for _ in 0..200 {
            let from = UVec2::new(random.u32(1..40), random.u32(1..40));
            let to = UVec2::new(random.u32(1..=from.x), random.u32(1..=from.y));
            let pixels: Vec<u8> = (0..from.element_product()).map(|_| random.u8(..)).collect();
            let found = reduced(&pixels, from, to, 1);
            assert_eq!(found.len(), to.element_product() as usize);
            let ratio = from.as_dvec2() / to.as_dvec2();
            for (at, value) in (0..).zip(&found) {
                let corner = UVec2::new(at % to.x, at / to.x).as_dvec2() * ratio;
                let end = corner + ratio;
                let mut sum = 0.0;
                for (index, pixel) in (0..).zip(&pixels) {
                    let min = UVec2::new(index % from.x, index / from.x).as_dvec2();
                    let overlap = (end.min(min + 1.0) - corner.max(min)).max(glam::DVec2::ZERO);
                    sum += f64::from(*pixel) * overlap.element_product();
                }
                let mean = sum / ratio.element_product();
                assert!((f64::from(*value) - mean).abs() < 0.501, "{value} is not {mean}");
            }
        }
    }

    #[test]
    fn a_clear_pixel_adds_no_colour() {
        let pixels = [200, 100, 0, 255, 9, 9, 9, 0];
        let found = reduced(&pixels, UVec2::new(2, 1), UVec2::ONE, 4);
        assert_eq!(found, [200, 100, 0, 128]);
        assert_eq!(reduced(&[0; 8], UVec2::new(2, 1), UVec2::ONE, 4), [0; 4]);
        let large = vec![255; 4 * 300 * 300];
        assert_eq!(reduced(&large, UVec2::splat(300), UVec2::splat(7), 4), vec![255; 4 * 49]);
    }
}
