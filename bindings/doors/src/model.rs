//! The facade as data: the only file that knows Rust's syntax. A kind of argument that no door knows is an
//! error.

use std::collections::HashSet;
use std::path::Path;

use proc_macro2::TokenTree;
use serde::Serialize;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Expr, FnArg, Ident, ImplItem, Item, Lit, Pat, ReceiverKind, ReturnType, Token, Type};

use crate::words::snake;

/// The feature of what needs none in the facade: all but files.
const PLAY: &str = "play";

/// Everything that the doors give out.
#[derive(Clone, Default, Serialize)]
pub struct Model {
    pub choices: Vec<Choice>,
    pub records: Vec<Record>,
    pub classes: Vec<Class>,
}

/// An enumeration, or one of its values, which are in the order of their numbers.
#[derive(Clone, Serialize)]
pub struct Choice {
    pub name: String,
    pub doc: String,
    pub values: Vec<Choice>,
}

/// A struct of numbers, flags and enumerations, as C lays it out.
#[derive(Clone, Serialize)]
pub struct Record {
    pub name: String,
    pub doc: String,
    pub fields: Vec<Field>,
    /// The bytes that it takes.
    pub size: usize,
    /// True if it is an argument of a function.
    pub is_given: bool,
}

#[derive(Clone, Serialize)]
pub struct Field {
    pub name: String,
    pub doc: String,
    pub kind: Kind,
    /// The bytes before it.
    pub at: usize,
}

/// A handle with its functions, or a record that has some.
#[derive(Clone, Serialize)]
pub struct Class {
    pub name: String,
    pub doc: String,
    pub feature: String,
    pub is_handle: bool,
    pub functions: Vec<Function>,
}

#[derive(Clone, Serialize)]
pub struct Function {
    pub name: String,
    /// The name in C.
    pub symbol: String,
    pub doc: String,
    pub feature: String,
    /// `Some(true)` for `&mut self`, `Some(false)` for `&self`.
    pub receiver: Option<bool>,
    pub arguments: Vec<Argument>,
    /// The arguments in C: the receiver, `arguments`, and the place of the answer.
    pub in_c: Vec<Argument>,
    pub answer: Kind,
    pub fails: bool,
}

#[derive(Clone, Serialize)]
pub struct Argument {
    pub name: String,
    pub kind: Kind,
}

/// What an argument, a field or an answer is.
#[derive(Clone, Serialize)]
pub struct Kind {
    pub is: Is,
    /// The type in Rust, or that of an element.
    pub of: String,
    /// True if a slice or a handle is written to.
    pub changes: bool,
    /// The bytes of a record.
    pub size: usize,
}

/// The kinds, which templates write as `byte_slice`.
#[derive(Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Is {
    Nothing,
    Int,
    Float,
    Double,
    Flag,
    Word,
    Text,
    /// The text `options`, which is empty for none.
    Options,
    Choice,
    Record,
    Handle,
    /// `&[u8]`.
    ByteSlice,
    IntSlice,
    /// `Vec<u8>`.
    ByteList,
    IntList,
    RecordList,
    /// In C: the receiver, the place of an answer, and that of the number of elements.
    Receiver,
    RecordPlace,
    DoublePlace,
    Count,
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
                let feature = feature(&module.attrs).unwrap_or(PLAY.to_owned());
                files.push((feature, parsed(&path)?));
            }
        }
        files.insert(0, (PLAY.to_owned(), root));
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

    fn add_type(&mut self, item: &Item, feature: &str) -> Found<()> {
        match item {
            Item::Enum(item) if is_public(&item.vis) => {
                let values = item.variants.iter().map(|value| Line {
                    doc: doc(&value.attrs),
                    name: value.ident.clone(),
                    kind: None,
                });
                let (name, about) = (item.ident.to_string(), doc(&item.attrs));
                self.add_written(name, about, values.collect(), feature)?;
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

    fn add_written(&mut self, name: String, doc: String, lines: Vec<Line>, feature: &str) -> Found<()> {
        let mut fields: Vec<Field> = Vec::new();
        let mut values = Vec::new();
        let mut size: usize = 0;
        for line in lines {
            if let Some(kind) = line.kind {
                let kind =
                    self.kind(&kind, &name).map_err(|error| format!("{name}.{}: {error}", line.name))?;
                let at = size.next_multiple_of(kind.bytes());
                size = at + kind.bytes();
                fields.push(Field { name: line.name.to_string(), doc: line.doc, kind, at });
            } else {
                let name = snake(&line.name.to_string());
                values.push(Choice { name, doc: line.doc, values: Vec::new() });
            }
        }
        if let Some(largest) = fields.iter().map(|field| field.kind.bytes()).max() {
            self.add_class(name.clone(), doc.clone(), feature, false);
            let size = size.next_multiple_of(largest);
            self.records.push(Record { name, doc, fields, size, is_given: false });
        } else {
            self.choices.push(Choice { name, doc, values });
        }
        Ok(())
    }

    fn add_class(&mut self, name: String, doc: String, feature: &str, is_handle: bool) {
        let (feature, functions) = (feature.to_owned(), Vec::new());
        self.classes.push(Class { name, doc, feature, is_handle, functions });
    }

    fn add_functions(&mut self, item: &Item, inherited: &str) -> Found<()> {
        let Item::Impl(item) = item else { return Ok(()) };
        let Some(name) = named(&item.self_ty) else { return Ok(()) };
        for entry in &item.items {
            let ImplItem::Fn(found) = entry else { continue };
            // What is hidden is for the door of Python, which is Rust.
            if item.trait_.is_some() || !is_public(&found.vis) || is_hidden(&found.attrs) {
                continue;
            }
            let function = self.function(&name, found, inherited);
            let function = function.map_err(|error| format!("{name}::{}: {error}", found.sig.ident))?;
            let class = self.classes.iter_mut().find(|class| class.name == name);
            class.ok_or_else(|| format!("{name} is not known"))?.functions.push(function);
        }
        Ok(())
    }

    fn function(&self, owner: &str, found: &syn::ImplItemFn, inherited: &str) -> Found<Function> {
        let name = found.sig.ident.to_string();
        let mut receiver = None;
        let mut arguments = Vec::new();
        let mut in_c = Vec::new();
        for input in &found.sig.inputs {
            match input {
                FnArg::Receiver(own) => {
                    let changes = matches!(own.kind, ReceiverKind::Reference(_, _, Some(_)));
                    receiver = Some(changes);
                    let kind = Kind { is: Is::Receiver, of: owner.to_owned(), changes, size: 0 };
                    in_c.push(Argument { name: snake(owner), kind });
                }
                FnArg::Typed(argument) => {
                    let Pat::Ident(pattern) = &*argument.pat else {
                        return Err("an argument has no name".to_owned());
                    };
                    let name = pattern.ident.to_string();
                    let mut kind = self.kind(&argument.ty, owner)?;
                    if name == "options" && kind.is == Is::Text {
                        kind.is = Is::Options;
                    }
                    arguments.push(Argument { name, kind });
                }
            }
        }
        let mut fails = false;
        let mut answer = Kind { is: Is::Nothing, of: String::new(), changes: false, size: 0 };
        if let ReturnType::Type(_, of) = &found.sig.output {
            let inner = parameter(of, "Result");
            fails = inner.is_some();
            answer = self.kind(inner.unwrap_or(of), owner)?;
        }
        let doc = doc(&found.attrs);
        if doc.is_empty() {
            return Err("it has no documentation".to_owned());
        }
        let feature = feature(&found.attrs).unwrap_or(inherited.to_owned());
        let symbol = format!("bitwall_{}_{name}", snake(owner));
        in_c.extend_from_slice(&arguments);
        let place = match answer.is {
            Is::Record => Some(("out", Is::RecordPlace)),
            Is::Double => Some(("out", Is::DoublePlace)),
            Is::ByteList | Is::IntList | Is::RecordList => Some(("count", Is::Count)),
            _ => None,
        };
        in_c.extend(place.map(|(name, is)| {
            let kind = Kind { is, ..answer.clone() };
            Argument { name: name.to_owned(), kind }
        }));
        Ok(Function { name, symbol, doc, feature, receiver, arguments, in_c, answer, fails })
    }

    fn kind(&self, of: &Type, owner: &str) -> Found<Kind> {
        let (shape, element, changes) = match of {
            Type::Reference(reference) => match &*reference.elem {
                Type::Slice(slice) => ("a slice of", &*slice.elem, reference.mutability.is_some()),
                element => ("the type", element, reference.mutability.is_some()),
            },
            of => match parameter(of, "Vec") {
                Some(element) => ("a list of", element, true),
                None => ("the type", of, true),
            },
        };
        let of = match named(element) {
            Some(name) if name == "Self" => owner.to_owned(),
            name => name.unwrap_or_default(),
        };
        let record = self.records.iter().find(|record| record.name == of);
        let is = match (shape, of.as_str()) {
            ("the type", "i32") => Is::Int,
            ("the type", "f32") => Is::Float,
            ("the type", "f64") => Is::Double,
            ("the type", "bool") => Is::Flag,
            ("the type", "u64") => Is::Word,
            ("the type", "str" | "String") => Is::Text,
            ("a slice of", "u8") => Is::ByteSlice,
            ("a slice of", "i32") => Is::IntSlice,
            ("a list of", "u8") => Is::ByteList,
            ("a list of", "i32") => Is::IntList,
            ("a list of", _) if record.is_some() => Is::RecordList,
            ("the type", _) if record.is_some() => Is::Record,
            ("the type", _) if self.choices.iter().any(|choice| choice.name == of) => Is::Choice,
            ("the type", _) if self.classes.iter().any(|class| class.name == of) => Is::Handle,
            ("the type", "") if matches!(element, Type::Tuple(tuple) if tuple.elems.is_empty()) => {
                Is::Nothing
            }
            _ => return Err(format!("no door knows {shape} `{of}`")),
        };
        let size = record.map_or(0, |record| record.size);
        Ok(Kind { is, of, changes, size })
    }

    /// The functions of the features, the classes that have some or are of these features, and the records
    /// and enumerations of these functions.
    pub fn only(&self, features: &[&str]) -> Self {
        let mut part = self.clone();
        for class in &mut part.classes {
            class.functions.retain(|function| features.contains(&&*function.feature));
        }
        part.classes.retain(|it| !it.functions.is_empty() || features.contains(&&*it.feature));
        let functions: Vec<&Function> = part.classes.iter().flat_map(|class| &class.functions).collect();
        let given: HashSet<&str> =
            functions.iter().flat_map(|it| &it.arguments).map(|it| &*it.kind.of).collect();
        let mut used: HashSet<&str> = functions.iter().map(|it| &*it.answer.of).collect();
        used.extend(&given);
        part.records.retain(|record| used.contains(&*record.name));
        for record in &mut part.records {
            record.is_given = given.contains(&*record.name);
        }
        let fields = part.records.iter().flat_map(|record| &record.fields);
        used.extend(fields.map(|field| &*field.kind.of));
        part.choices.retain(|choice| used.contains(&*choice.name));
        part
    }

    pub fn summary(&self) -> String {
        let functions: usize = self.classes.iter().map(|class| class.functions.len()).sum();
        let handles = self.classes.iter().filter(|class| class.is_handle).count();
        let records = self.records.len();
        format!(
            "{functions} functions, {handles} handles, {records} records, {} enumerations",
            self.choices.len()
        )
    }
}

impl Kind {
    /// The bytes of a field, to a multiple of which C moves it.
    fn bytes(&self) -> usize {
        match self.is {
            Is::Flag => 1,
            Is::Double => 8,
            _ => 4,
        }
    }
}

pub fn parsed(path: &Path) -> Found<Vec<Item>> {
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
pub fn named(of: &Type) -> Option<String> {
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

pub fn doc(attributes: &[Attribute]) -> String {
    let docs = attributes.iter().filter_map(|attribute| attribute.meta.require_name_value().ok());
    let docs = docs.filter(|pair| pair.path.is_ident("doc")).filter_map(|pair| text(&pair.value));
    docs.map(|line| line.trim().to_owned()).collect::<Vec<_>>().join(" ")
}

/// The feature of an attribute `cfg(feature = "load")`.
fn feature(attributes: &[Attribute]) -> Option<String> {
    let found = attributes.iter().find(|attribute| attribute.path().is_ident("cfg"))?;
    text(&found.parse_args::<syn::MetaNameValue>().ok()?.value)
}

/// The text of a literal.
fn text(of: &Expr) -> Option<String> {
    match of {
        Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}
