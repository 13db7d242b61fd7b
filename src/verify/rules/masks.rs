//! Rules for masks.

mod gray_pixels;
mod mask_size_mismatch;
mod translucent_pixels;
mod undecodable_mask;

super::catalogue! {
    undecodable_mask::UNDECODABLE_MASK,
    gray_pixels::GRAY_PIXELS,
    translucent_pixels::TRANSLUCENT_PIXELS,
    mask_size_mismatch::MASK_SIZE_MISMATCH,
}
