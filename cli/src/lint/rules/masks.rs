//! Rules for masks.

mod art_as_mask;
mod extra_frames;
mod gray;
mod gray_pixels;
mod lossy_noise;
mod mask_drift;
mod mask_size_mismatch;
mod shape_in_alpha;
mod soft_edge;
mod specks;
mod stale_or_inverted;
mod stray_color;
mod translucent_pixels;
mod turned_picture;
mod two_levels;

super::catalogue! {
    gray_pixels::GRAY_PIXELS,
    translucent_pixels::TRANSLUCENT_PIXELS,
    mask_size_mismatch::MASK_SIZE_MISMATCH,
    mask_drift::MASK_DRIFT,
    stale_or_inverted::STALE_OR_INVERTED,
    soft_edge::SOFT_EDGE,
    lossy_noise::LOSSY_NOISE,
    stray_color::STRAY_COLOR,
    specks::SPECKS,
    extra_frames::EXTRA_FRAMES,
    two_levels::TWO_LEVELS,
    art_as_mask::ART_AS_MASK,
    turned_picture::TURNED_PICTURE,
    shape_in_alpha::SHAPE_IN_ALPHA,
}
