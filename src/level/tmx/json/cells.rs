//! The cells of a tile layer: numbers, or base64, whole or in chunks.

use super::writer::Writer;
use crate::error::LoadErrorKind;
use crate::json::{Node, Object, json};

/// Writes a layer's `data` or `chunks`.
pub(super) fn write(out: &mut Writer, layer: Object<'_, '_>) -> Result<(), LoadErrorKind> {
    if layer.get("data").or(layer.get("chunks")).is_none() {
        return Ok(());
    }
    let encoding = match layer.text("encoding")? {
        Some(encoding) if !encoding.is_empty() => encoding,
        _ => "csv".into(),
    };
    out.start("data");
    out.attribute("encoding", &encoding)?;
    if let Some(compression) = layer.text("compression")?
        && encoding != "csv"
        && !compression.is_empty()
    {
        out.attribute("compression", &compression)?;
    }
    out.content();
    let is_csv = encoding == "csv";
    if layer.get("data").is_none() {
        for chunk in layer.list("chunks")? {
            let chunk = chunk.object("a chunk")?;
            out.start("chunk");
            out.attributes(chunk, &["x", "y", "width", "height"])?;
            out.content();
            data(out, chunk, is_csv)?;
            out.end("chunk")?;
        }
    } else if layer.get("startx").or(layer.get("starty")).is_some() {
        // A layer of an infinite map in one piece.
        out.start("chunk");
        out.renamed(layer, "startx", "x")?;
        out.renamed(layer, "starty", "y")?;
        out.attributes(layer, &["width", "height"])?;
        out.content();
        data(out, layer, is_csv)?;
        out.end("chunk")?;
    } else {
        data(out, layer, is_csv)?;
    }
    out.end("data")
}

fn data(out: &mut Writer, holder: Object<'_, '_>, is_csv: bool) -> Result<(), LoadErrorKind> {
    let what = holder.what();
    match holder.get("data") {
        None => Err(json(format!("{what} without `data`"))),
        Some(Node::Numbers(numbers)) if is_csv => out.plain(numbers),
        Some(Node::Numbers(_)) => Err(json(format!("`data` of {what} is numbers, not base64"))),
        Some(data) => match data.text()? {
            Some(text) if !is_csv => out.text(&text),
            Some(_) => Err(json(format!(
                "`data` of {what} is text without an encoding"
            ))),
            None => Err(json(format!("`data` of {what} is not a list of numbers"))),
        },
    }
}
