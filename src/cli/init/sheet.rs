//! The sheet of small pictures of the levels that `init` has looked at.

use std::io::Cursor;
use std::path::Path;

use image::{ImageFormat, RgbaImage};

use super::survey::Survey;
use crate::cli::Failure;
use crate::cli::progress::Bar;
use crate::load::Disk;
use crate::render::{self, DrawOptions, Overlay, THUMBNAIL, Thumbnail};
use crate::{LoadOptions, LoadedLevel};

/// Levels on a sheet; of a larger project the first ones.
const MOST: usize = 400;

/// The sheet as a PNG, with what is solid in each level by the options in force.
pub(super) fn of(survey: &Survey) -> Result<Vec<u8>, Failure> {
    let looks = survey.looks.iter().take(MOST);
    let mut bar = Bar::new("drawing", looks.len() as u64);
    let mut thumbnails = Vec::new();
    for (done, look) in (1..).zip(looks) {
        let said = match (&look.error, look.suggestions.first()) {
            (Some(_), _) => "cannot be loaded".to_owned(),
            (None, Some(first)) => format!("try {}", first.arguments().join(" ")),
            (None, None) => format!("{:.1}% solid", look.share * 100.0),
        };
        let picture =
            if look.error.is_none() { picture(&look.path, &survey.options) } else { None };
        let name = look.path.to_string_lossy().into_owned();
        thumbnails.push(Thumbnail::new(picture, [name, said]));
        bar.at(done);
    }
    let sheet = render::contact_sheet(&thumbnails);
    let sheet = sheet.map_err(|error| Failure::Other(format!("the sheet: {error}")))?;
    let mut bytes = Cursor::new(Vec::new());
    sheet
        .write_to(&mut bytes, ImageFormat::Png)
        .map_err(|error| Failure::Other(format!("cannot encode the sheet: {error}")))?;
    Ok(bytes.into_inner())
}

/// A small picture of a level: its art with its solids; `None` if it cannot be drawn.
fn picture(path: &Path, options: &LoadOptions) -> Option<RgbaImage> {
    let options = options.clone().with_nothing_solid_allowed(true);
    let loaded = LoadedLevel::load(path, &options).ok()?;
    let mut disk = Disk::new(path, &options);
    let (pictures, _) = render::load_pictures(&loaded.maps, &mut disk);
    let overlay = Overlay::new(1).with_labels(false);
    let options = DrawOptions::default().with_pictures(&pictures).with_overlay(overlay);
    render::draw(&loaded, &options.with_fit(THUMBNAIL)).ok()
}
