//! An element as it is opened: the attributes that it takes from an object, and its children to come.

use std::borrow::Cow;

use super::Object;
use crate::error::LoadErrorKind;
use crate::tmx::cursor::{Element, is_control};
use crate::tmx::tree::{Node, json};

/// Attributes that are written as 1 or 0 in XML, and as true or false in JSON.
const FLAGS: &str =
    "infinite visible locked repeatx repeaty wrap bold italic underline strikeout kerning";

/// An element, or the reason why there is none.
pub(super) type Opening<'t> = Result<Opened<'t>, LoadErrorKind>;

/// An element that is not open yet.
pub(super) struct Part<'t> {
    /// Where the object starts that it is made from.
    pub(super) at: u32,
    pub(super) open: Box<dyn FnOnce() -> Opening<'t> + 't>,
}

impl<'t> Part<'t> {
    pub(super) fn new(from: Object<'t>, open: impl FnOnce() -> Opening<'t> + 't) -> Self {
        Self { at: from.at, open: Box::new(open) }
    }
}

/// An element that has just been opened.
pub(super) struct Opened<'t> {
    /// The element, but for its line.
    pub(super) element: Element<'t>,
    pub(super) children: Vec<Part<'t>>,
    pub(super) text: Cow<'t, str>,
}

impl<'t> Opened<'t> {
    /// An element without attributes.
    pub(super) fn new(name: &'static str) -> Self {
        let element = Element { name: name.into(), ..Element::default() };
        Self { element, children: Vec::new(), text: Cow::default() }
    }

    /// An element with those of the attributes `names` that `object` has.
    pub(super) fn with(name: &'static str, object: Object<'t>, names: &'static str) -> Opening<'t> {
        let mut opened = Self::new(name);
        opened.copy(object, names)?;
        Ok(opened)
    }

    /// Adds those of the values `names`, which blanks separate, that `object` has, each as the attribute of
    /// its name.
    pub(super) fn copy(
        &mut self,
        object: Object<'t>,
        names: &'static str,
    ) -> Result<(), LoadErrorKind> {
        names.split_ascii_whitespace().try_for_each(|name| self.renamed(object, name, name))
    }

    /// Adds the value `name` of `object`, if it has it, as the attribute `attribute`.
    pub(super) fn renamed(
        &mut self,
        object: Object<'t>,
        name: &str,
        attribute: &'static str,
    ) -> Result<(), LoadErrorKind> {
        let Some(text) = object.text(name)? else {
            return Ok(());
        };
        let is_string = object.get(name).is_some_and(Node::is_string);
        let is_flag = || FLAGS.split(' ').any(|flag| flag == attribute);
        let text = match &*text {
            _ if is_string => text,
            "true" if is_flag() => "1".into(),
            "false" if is_flag() => "0".into(),
            _ => whole(text),
        };
        self.attribute(attribute, text)
    }

    /// Adds an attribute.
    pub(super) fn attribute(
        &mut self,
        name: &'static str,
        value: impl Into<Cow<'t, str>>,
    ) -> Result<(), LoadErrorKind> {
        let value = checked(value.into())?;
        self.element.attributes.push((name.into(), value));
        Ok(())
    }

    /// Adds a child, which is made from an object.
    pub(super) fn child(&mut self, from: Object<'t>, open: impl FnOnce() -> Opening<'t> + 't) {
        self.children.push(Part::new(from, open));
    }

    /// Adds a child of attributes alone.
    pub(super) fn leaf(&mut self, from: Object<'t>, name: &'static str, attributes: &'static str) {
        self.child(from, move || Opened::with(name, from, attributes));
    }

    /// Adds a child for each object of the list `name` of `object`; `what` says what each should be.
    pub(super) fn list(
        &mut self,
        object: Object<'t>,
        name: &str,
        what: &'static str,
        open: impl Fn(Object<'t>) -> Opening<'t> + Copy + 't,
    ) -> Result<(), LoadErrorKind> {
        for node in object.list(name)? {
            let object = node.object(what)?;
            self.child(object, move || open(object));
        }
        Ok(())
    }

    /// Adds the picture of `owner`, if it has one.
    pub(super) fn image(&mut self, owner: Object<'t>) -> Result<(), LoadErrorKind> {
        if owner.text("image")?.is_some_and(|image| !image.is_empty()) {
            self.child(owner, move || open_image(owner));
        }
        Ok(())
    }
}

/// The picture of a tileset, a tile or an image layer that has one.
fn open_image(owner: Object<'_>) -> Opening<'_> {
    let mut opened = Opened::new("image");
    opened.renamed(owner, "image", "source")?;
    opened.renamed(owner, "imagewidth", "width")?;
    opened.renamed(owner, "imageheight", "height")?;
    opened.renamed(owner, "transparentcolor", "trans")?;
    Ok(opened)
}

/// The text, if XML could hold it.
pub(super) fn checked(text: Cow<'_, str>) -> Result<Cow<'_, str>, LoadErrorKind> {
    if text.bytes().any(is_control) {
        return Err(json("a control character"));
    }
    if !text.is_ascii() && text.contains(['\u{fffe}', '\u{ffff}']) {
        return Err(json("a code that is no character"));
    }
    Ok(text)
}

/// `32.0` as `32`: JSON has one kind of number, and some programs write all of them as decimals.
pub(super) fn whole(text: Cow<'_, str>) -> Cow<'_, str> {
    let Some((whole, zeros)) = text.split_once('.') else {
        return text;
    };
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0') {
        return whole.to_owned().into();
    }
    text
}
