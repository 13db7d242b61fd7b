//! The cells of a tile layer: numbers, or base64, whole or in chunks.

use std::borrow::Cow;

use super::Object;
use super::opened::{Opened, Opening, checked};
use crate::error::LoadErrorKind;
use crate::tmx::tree::{Node, json};

/// The `data` of a layer that has some, or chunks.
pub(super) fn open(layer: Object<'_>) -> Opening<'_> {
    let mut opened = Opened::new("data");
    let given = |name| {
        let text = layer.text(name)?;
        Ok::<_, LoadErrorKind>(text.filter(|text| !text.is_empty()))
    };
    let encoding = given("encoding")?.unwrap_or("csv".into());
    let is_csv = encoding == "csv";
    opened.attribute("encoding", encoding)?;
    if let Some(compression) = given("compression")?.filter(|_| !is_csv) {
        opened.attribute("compression", compression)?;
    }
    if layer.get("data").is_none() {
        opened
            .list(layer, "chunks", "a chunk", move |chunk| open_chunk(chunk, ["x", "y"], is_csv))?;
    } else if layer.get("startx").or(layer.get("starty")).is_some() {
        // A layer of an infinite map in one piece.
        opened.child(layer, move || open_chunk(layer, ["startx", "starty"], is_csv));
    } else {
        opened.text = cells(layer, is_csv)?;
    }
    Ok(opened)
}

/// A chunk, or a layer of an infinite map in one piece. Its column and row go by the names `x` and `y`.
fn open_chunk<'t>(chunk: Object<'t>, [x, y]: [&'static str; 2], is_csv: bool) -> Opening<'t> {
    let mut opened = Opened::new("chunk");
    opened.renamed(chunk, x, "x")?;
    opened.renamed(chunk, y, "y")?;
    opened.copy(chunk, "width height")?;
    opened.text = cells(chunk, is_csv)?;
    Ok(opened)
}

/// The text of the cells.
fn cells(holder: Object<'_>, is_csv: bool) -> Result<Cow<'_, str>, LoadErrorKind> {
    let what = holder.what;
    match holder.get("data") {
        None => Err(json(format!("{what} without `data`"))),
        Some(Node::Numbers(numbers)) if is_csv => Ok((*numbers).into()),
        Some(Node::Numbers(_)) => Err(json(format!("`data` of {what} is numbers, not base64"))),
        Some(data) => match data.text()? {
            Some(text) if !is_csv => checked(text),
            Some(_) => Err(json(format!("`data` of {what} is text without an encoding"))),
            None => Err(json(format!("`data` of {what} is not a list of numbers"))),
        },
    }
}
