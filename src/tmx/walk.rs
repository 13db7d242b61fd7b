//! A map's layers in the order of the file, each with the traits that it inherits from the groups around it.
//!
//! It reads the document and changes nothing.

use super::{Color, Layer, LayerContent, Map, Point};

/// A layer with the effect of the groups around it.
#[derive(Clone, Debug)]
pub struct LayerContext<'m> {
    /// The layer itself.
    pub layer: &'m Layer,
    /// The groups around it, the outermost first.
    pub parents: Vec<&'m Layer>,
    /// Its name with those of the groups around it: `Walls/Houses`.
    pub path: String,
    /// How far it is moved in all, in pixels of the screen.
    pub offset: Point,
    /// False if it or a group around it is hidden.
    pub visible: bool,
    /// The product of its opacity and those of the groups around it.
    pub opacity: f32,
    /// The product of its tint and those of the groups around it; `None` if none of them has one.
    pub tint: Option<Color>,
}

impl<'m> LayerContext<'m> {
    /// The number of groups around the layer.
    pub fn depth(&self) -> usize {
        self.parents.len()
    }

    /// A layer within `parent`, or one of the map's own.
    fn new(layer: &'m Layer, parent: Option<&Self>) -> Self {
        let Some(parent) = parent else {
            return Self {
                layer,
                parents: Vec::new(),
                path: layer.name.clone(),
                offset: layer.offset,
                visible: layer.visible,
                opacity: layer.opacity,
                tint: layer.tint,
            };
        };
        let mut parents = parent.parents.clone();
        parents.push(parent.layer);
        Self {
            layer,
            parents,
            path: format!("{}/{}", parent.path, layer.name),
            offset: parent.offset + layer.offset,
            visible: parent.visible && layer.visible,
            opacity: parent.opacity * layer.opacity,
            tint: match (parent.tint, layer.tint) {
                (Some(outer), Some(own)) => Some(product(outer, own)),
                (outer, own) => outer.or(own),
            },
        }
    }
}

/// Both colours as factors from 0 to 1, multiplied.
fn product(a: Color, b: Color) -> Color {
    std::array::from_fn(|channel| {
        (u16::from(a[channel]) * u16::from(b[channel]) / u16::from(u8::MAX)) as u8
    })
}

impl Map {
    /// All layers in the order of the file, a group before its layers.
    pub fn walk(&self) -> impl Iterator<Item = LayerContext<'_>> {
        Walk { open: vec![(self.layers.iter(), None)] }
    }
}

/// The layers that are still to come, and the group that they are in; the innermost group last.
struct Walk<'m> {
    open: Vec<(std::slice::Iter<'m, Layer>, Option<LayerContext<'m>>)>,
}

impl<'m> Iterator for Walk<'m> {
    type Item = LayerContext<'m>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (layers, group) = self.open.last_mut()?;
            let Some(layer) = layers.next() else {
                self.open.pop();
                continue;
            };
            let context = LayerContext::new(layer, group.as_ref());
            if let LayerContent::Group(layers) = &layer.content {
                self.open.push((layers.iter(), Some(context.clone())));
            }
            return Some(context);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Decimal;
    use super::*;

    fn layer(name: &str, content: LayerContent) -> Layer {
        let mut layer = Layer::new(name, content);
        layer.offset.x = Decimal::from_pixels(3);
        layer.opacity = 0.5;
        layer
    }

    #[test]
    fn groups_hand_on_what_they_are() {
        let leaf = |name| layer(name, LayerContent::Objects(Default::default()));
        let mut inner = layer("B", LayerContent::Group(vec![leaf("C")]));
        inner.tint = Some([255, 128, 0, 255]);
        let mut outer = layer("A", LayerContent::Group(vec![inner, leaf("D")]));
        outer.visible = false;
        let map = Map { layers: vec![outer, leaf("E")], ..Map::default() };
        let all: Vec<_> = map.walk().collect();
        let paths: Vec<&str> = all.iter().map(|context| &*context.path).collect();
        assert_eq!(paths, ["A", "A/B", "A/B/C", "A/D", "E"]);
        let deep = &all[2];
        assert_eq!((deep.depth(), deep.parents[1].name.as_str()), (2, "B"));
        assert_eq!(deep.offset.x, Decimal::from_pixels(9));
        assert_eq!((deep.visible, deep.opacity), (false, 0.125));
        assert_eq!(deep.tint, Some([255, 128, 0, 255]));
        assert_eq!((all[4].visible, all[4].depth()), (true, 0));
    }
}
