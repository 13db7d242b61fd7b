//! An animated picture (GIF) that is written to a file frame by frame.

use std::env;
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;

use bitwall::image::codecs::gif::{GifEncoder, Repeat};
use bitwall::image::{Delay, Frame, RgbaImage};

/// The number of steps of a 60th of a second for each frame. There are 20 frames a second, because a GIF
/// counts time in hundredths of a second.
pub(crate) const STEPS_A_FRAME: u32 = 3;

/// An animated picture to which frames are added.
pub(crate) struct Film {
    path: PathBuf,
    encoder: GifEncoder<BufWriter<File>>,
    frames: u32,
}

impl Film {
    /// Creates a film in the file that the command line names, or in `<name>.gif` in the folder for temporary
    /// files.
    pub(crate) fn create(name: &str) -> Result<Self, Box<dyn Error>> {
        let given = env::args_os().nth(1).map(PathBuf::from);
        let path = given.unwrap_or_else(|| env::temp_dir().join(format!("{name}.gif")));
        let file = File::create(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut encoder = GifEncoder::new_with_speed(BufWriter::new(file), 20);
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Self { path, encoder, frames: 0 })
    }

    pub(crate) fn add(&mut self, picture: RgbaImage) -> Result<(), Box<dyn Error>> {
        let delay = Delay::from_numer_denom_ms(1000 * STEPS_A_FRAME, 60);
        self.encoder.encode_frame(Frame::from_parts(picture, 0, 0, delay))?;
        self.frames += 1;
        Ok(())
    }

    /// Prints the number of frames and the path of the film.
    pub(crate) fn finish(self) {
        println!("{} frames in {}", self.frames, self.path.display());
    }
}
