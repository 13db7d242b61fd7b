//! The facade as data: the only file that knows Rust's syntax. A kind of argument that no door knows is an
//! error.

use std::path::Path;

use proc_macro2::TokenTree;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Expr, FnArg, Ident, ImplItem, Item, Lit, Meta, Pat, ReturnType, Token, Type};

use crate::words::snake;

/// Everything that the doors give out.
#[derive(Default)]
pub struct Model {
    pub choices: Vec<Choice>,
    pub records: Vec<Record>,
    pub classes: Vec<Class>,
}

/// An enumeration.
pub struct Choice {
    pub name: String,
    pub doc: String,
    /// The names of the values, by their numbers, with their docs.
    pub values: Vec<(String, String)>,
}

/// A struct of numbers, flags and enumerations.
pub struct Record {
    pub name: String,
    pub doc: String,
    pub fields: Vec<Field>,
}

pub struct Field {
    pub name: String,
    pub doc: String,
    pub kind: Kind,
}

/// A handle with its functions, or a record that has some.
pub struct Class {
    pub name: String,
    pub doc: String,
    pub feature: Option<String>,
    pub is_handle: bool,
    pub functions: Vec<Function>,
}

pub struct Function {
    pub name: String,
    pub doc: String,
    pub feature: Option<String>,
    /// `Some(true)` for `&mut self`, `Some(false)` for `&self`.
    pub receiver: Option<bool>,
    pub arguments: Vec<(String, Kind)>,
    pub answer: Kind,
    pub fails: bool,
}

/// The kinds of arguments and answers.
#[derive(Clone, PartialEq)]
pub enum Kind {
    Nothing,
    Int,
    Float,
    Double,
    Flag,
    Word,
    Text,
    /// `&[i32]` and such: the type of an element, and whether it is written to.
    Slice(&'static str, bool),
    Choice(String),
    Record(String),
    /// A handle, and whether it is changed.
    Handle(String, bool),
    /// `Vec<T>`.
    List(Box<Kind>),
    /// `u8`, in a list.
    Byte,
}

type Found<T> = Result<T, String>;

/// The records and enumerations in a `record!` of the facade.
struct Written(Vec<(Line, Vec<Line>)>);

/// A field, a value of an enumeration, or the head of either's type.
struct Line {
    doc: String,
    name: Ident,
    kind: Option<Type>,
}

impl Line {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let (doc, name) = (doc(&input.call(Attribute::parse_outer)?), input.parse()?);
        let colon: Option<Token![:]> = input.parse()?;
        let kind = colon.map(|_| input.parse()).transpose()?;
        Ok(Self { doc, name, kind })
    }
}

impl Parse for Written {
    /// Skips what stands between a head and its lines, and between a line and its end.
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut all = Vec::new();
        while !input.is_empty() {
            let (head, mut lines) = (Line::parse(input)?, Vec::new());
            while !input.peek(syn::token::Brace) {
                input.parse::<TokenTree>()?;
            }
            let body;
            syn::braced!(body in input);
            while !body.is_empty() {
                lines.push(Line::parse(&body)?);
                while body.parse::<Option<Token![;]>>()?.is_none() {
                    body.parse::<TokenTree>()?;
                }
            }
            all.push((head, lines));
        }
        Ok(Self(all))
    }
}

impl Model {
    /// Reads all files of the facade.
    pub fn read(folder: &Path) -> Found<Self> {
        let root = parsed(&folder.join("lib.rs"))?;
        let mut files = Vec::new();
        for item in &root {
            if let Item::Mod(module) = item
                && module.ident != "arguments"
            {
                let path = folder.join(format!("{}.rs", module.ident));
                files.push((feature(&module.attrs), parsed(&path)?));
            }
        }
        files.insert(0, (None, root));
        let mut model = Self::default();
        for (feature, items) in &files {
            for item in items {
                model.add_type(item, feature)?;
            }
        }
        for (feature, items) in &files {
            for item in items {
                model.add_functions(item, feature)?;
            }
        }
        model.classes.retain(|class| class.is_handle || !class.functions.is_empty());
        Ok(model)
    }

    fn add_type(&mut self, item: &Item, feature: &Option<String>) -> Found<()> {
        match item {
            Item::Enum(item) if is_public(&item.vis) => {
                let values = item.variants.iter().map(|it| (snake(&it.ident.to_string()), doc(&it.attrs)));
                let name = item.ident.to_string();
                self.choices.push(Choice { name, doc: doc(&item.attrs), values: values.collect() });
            }
            Item::Struct(item) if is_public(&item.vis) && item.ident != "Error" => {
                self.add_class(item.ident.to_string(), doc(&item.attrs), feature, true);
            }
            Item::Macro(item) if item.mac.path.is_ident("record") => {
                let written: Written = item.mac.parse_body().map_err(|error| error.to_string())?;
                for (Line { doc, name, .. }, lines) in written.0 {
                    self.add_written(name.to_string(), doc, lines, feature)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn add_written(
        &mut self,
        name: String,
        doc: String,
        lines: Vec<Line>,
        feature: &Option<String>,
    ) -> Found<()> {
        let (mut fields, mut values) = (Vec::new(), Vec::new());
        for line in lines {
            match line.kind {
                Some(kind) => {
                    let kind = self.kind(&kind)?;
                    fields.push(Field { name: line.name.to_string(), doc: line.doc, kind });
                }
                None => values.push((snake(&line.name.to_string()), line.doc)),
            }
        }
        if values.is_empty() {
            self.add_class(name.clone(), doc.clone(), feature, false);
            self.records.push(Record { name, doc, fields });
        } else {
            self.choices.push(Choice { name, doc, values });
        }
        Ok(())
    }

    fn add_class(&mut self, name: String, doc: String, feature: &Option<String>, is_handle: bool) {
        let (feature, functions) = (feature.clone(), Vec::new());
        self.classes.push(Class { name, doc, feature, is_handle, functions });
    }

    fn add_functions(&mut self, item: &Item, inherited: &Option<String>) -> Found<()> {
        let Item::Impl(item) = item else { return Ok(()) };
        let Some(name) = named(&item.self_ty) else { return Ok(()) };
        for entry in &item.items {
            let ImplItem::Fn(found) = entry else { continue };
            // What is hidden is for the door of Python, which is Rust.
            if item.trait_.is_some() || !is_public(&found.vis) || is_hidden(&found.attrs) {
                continue;
            }
            let function = self.function(&name, found, inherited)?;
            let class = self.classes.iter_mut().find(|class| class.name == name);
            class.ok_or_else(|| format!("{name} is not known"))?.functions.push(function);
        }
        Ok(())
    }

    fn function(&self, owner: &str, found: &syn::ImplItemFn, inherited: &Option<String>) -> Found<Function> {
        let name = found.sig.ident.to_string();
        let mut receiver = None;
        let mut arguments = Vec::new();
        for input in &found.sig.inputs {
            match input {
                FnArg::Receiver(own) => receiver = Some(own.mutability.is_some()),
                FnArg::Typed(argument) => {
                    let Pat::Ident(pattern) = &*argument.pat else {
                        return Err(format!("{owner}::{name} has an argument without a name"));
                    };
                    arguments.push((pattern.ident.to_string(), self.kind(&argument.ty)?));
                }
            }
        }
        let mut fails = false;
        let mut answer = Kind::Nothing;
        if let ReturnType::Type(_, of) = &found.sig.output {
            let inner = parameter(of, "Result");
            fails = inner.is_some();
            let of = inner.unwrap_or(of);
            answer = match named(of).as_deref() {
                Some("Self") => self.by_name(owner, true)?,
                _ => self.kind(of)?,
            };
        }
        let doc = doc(&found.attrs);
        if doc.is_empty() {
            return Err(format!("{owner}::{name} has no documentation"));
        }
        let feature = feature(&found.attrs).or(inherited.clone());
        Ok(Function { name, doc, feature, receiver, arguments, answer, fails })
    }

    fn kind(&self, of: &Type) -> Found<Kind> {
        if let Type::Tuple(tuple) = of
            && tuple.elems.is_empty()
        {
            return Ok(Kind::Nothing);
        }
        if let Type::Reference(reference) = of {
            let changes = reference.mutability.is_some();
            if let Type::Slice(slice) = &*reference.elem {
                return match named(&slice.elem).as_deref() {
                    Some("u8") => Ok(Kind::Slice("u8", changes)),
                    Some("i32") => Ok(Kind::Slice("i32", changes)),
                    _ => Err("a slice is of u8 or i32".to_owned()),
                };
            }
            let name = named(&reference.elem).unwrap_or_default();
            return if name == "str" { Ok(Kind::Text) } else { self.by_name(&name, changes) };
        }
        if let Some(element) = parameter(of, "Vec") {
            return Ok(Kind::List(Box::new(self.kind(element)?)));
        }
        self.by_name(&named(of).unwrap_or_default(), true)
    }

    fn by_name(&self, name: &str, changes: bool) -> Found<Kind> {
        Ok(match name {
            "i32" => Kind::Int,
            "f32" => Kind::Float,
            "f64" => Kind::Double,
            "bool" => Kind::Flag,
            "u64" => Kind::Word,
            "u8" => Kind::Byte,
            "String" => Kind::Text,
            _ if self.choices.iter().any(|choice| choice.name == name) => Kind::Choice(name.to_owned()),
            _ if self.records.iter().any(|record| record.name == name) => Kind::Record(name.to_owned()),
            _ if self.classes.iter().any(|class| class.name == name) => {
                Kind::Handle(name.to_owned(), changes)
            }
            _ => return Err(format!("no door knows arguments of the type `{name}`")),
        })
    }

    /// Keeps the functions with one of the features, where `play` is that of functions without one.
    pub fn only(mut self, features: &[&str]) -> Self {
        self.classes.retain_mut(|class| {
            let was_empty = class.functions.is_empty();
            let feature_of = |function: &Function| function.feature.clone().unwrap_or("play".to_owned());
            class.functions.retain(|function| features.contains(&feature_of(function).as_str()));
            was_empty || !class.functions.is_empty()
        });
        self
    }

    pub fn choice(&self, name: &str) -> &Choice {
        self.choices.iter().find(|choice| choice.name == name).expect("the model names only known choices")
    }

    pub fn handles(&self) -> impl Iterator<Item = &Class> {
        self.classes.iter().filter(|class| class.is_handle)
    }

    /// The records that are an argument of a function.
    pub fn given_records(&self) -> impl Iterator<Item = &Record> {
        self.records.iter().filter(|record| {
            let functions = self.classes.iter().flat_map(|class| &class.functions);
            let mut kinds = functions.flat_map(|function| &function.arguments).map(|(_, kind)| kind);
            kinds.any(|kind| *kind == Kind::Record(record.name.clone()))
        })
    }

    pub fn summary(&self) -> String {
        let functions: usize = self.classes.iter().map(|class| class.functions.len()).sum();
        let (handles, records) = (self.handles().count(), self.records.len());
        format!(
            "{functions} functions, {handles} handles, {records} records, {} enumerations",
            self.choices.len()
        )
    }
}

impl Function {
    /// True if `options` may be left out: it is the last argument, and empty for none.
    pub fn has_options(&self) -> bool {
        self.arguments.last().is_some_and(|(name, kind)| name == "options" && *kind == Kind::Text)
    }
}

fn parsed(path: &Path) -> Found<Vec<Item>> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let file = syn::parse_file(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(file.items)
}

/// True for `doc(hidden)`.
fn is_hidden(attributes: &[Attribute]) -> bool {
    let mut docs = attributes.iter().filter(|attribute| attribute.path().is_ident("doc"));
    docs.any(|attribute| attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "hidden"))
}

fn is_public(visibility: &syn::Visibility) -> bool {
    matches!(visibility, syn::Visibility::Public(_))
}

/// The name of a type without arguments.
fn named(of: &Type) -> Option<String> {
    let Type::Path(path) = of else { return None };
    path.path.get_ident().map(ToString::to_string)
}

/// The argument of a type such as `Vec<T>`.
fn parameter<'t>(of: &'t Type, name: &str) -> Option<&'t Type> {
    let Type::Path(path) = of else { return None };
    let last = path.path.segments.last().filter(|segment| segment.ident == name)?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        syn::GenericArgument::Type(of) => Some(of),
        _ => None,
    }
}

fn doc(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(value) => match &value.lit {
                Lit::Str(text) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    lines.collect::<Vec<_>>().join(" ")
}

/// The feature of an attribute `cfg(feature = "load")`.
fn feature(attributes: &[Attribute]) -> Option<String> {
    let mut found = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    let condition: syn::MetaNameValue = found.next()?.parse_args().ok()?;
    match condition.value {
        Expr::Lit(value) => match value.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}
