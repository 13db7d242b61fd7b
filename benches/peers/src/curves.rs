//! Placeholder.
pub(crate) fn draw_all(_: &std::path::Path) -> Result<(), Box<dyn std::error::Error>> {
    Ok(())
}
