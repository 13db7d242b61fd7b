//! What Python sees otherwise than the other languages: boxes and points are one argument, one number or flag
//! for "none" is `None`, and most flags have names and defaults. What only Python has is by hand in
//! `bindings/python`, with its docs.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use syn::{ImplItem, Item};

use crate::model::{Argument, Class, Function, Is, Kind, Model, Record, doc, named, parsed};
use crate::words::{docstring, snake};

/// The records that are plain values in Python, or classes by hand.
const PLAIN: [&str; 5] = ["Rect", "Point", "Pixel", "Size", "Marker"];

/// Arguments in a row that are one in Python: their names, the name and the type there, the variables in
/// Rust, and the Rust that takes them of `@`.
const GROUPS: [(&str, &str, &str, &str, &str); 6] = [
    ("x y w h", "box", "_Box", "[x, y, w, h]", "numbers::rect(@)"),
    ("x y to_x to_y", "start", "_Point", "[x, y]", "numbers::point(\"start\", @)"),
    ("x y radius", "center", "_Point", "[x, y]", "numbers::point(\"center\", @)"),
    ("to_x to_y", "end", "_Point", "[to_x, to_y]", "numbers::point(\"end\", @)"),
    ("cell_width cell_height", "cell", "_Point", "[cell_width, cell_height]", CELL),
    ("dir step", "dx", "int", "(dir, step)", "numbers::motion(@, dy)"),
];

const CELL: &str = "numbers::pair(\"cell\", [\"cell_width\", \"cell_height\"], @)";

/// The classes as Python sees them, by their names.
#[derive(Serialize)]
pub struct Python {
    fields: BTreeMap<String, Vec<Field>>,
    methods: BTreeMap<String, Vec<Method>>,
}

/// One or more fields of a record.
#[derive(Serialize)]
struct Field {
    name: String,
    doc: String,
    value: Value,
}

/// A value as Python receives it.
#[derive(Serialize)]
struct Value {
    /// The type in Rust, and in the stubs.
    of: String,
    stub: String,
    /// The Rust that makes it of `@`.
    made: String,
}

#[derive(Serialize)]
struct Method {
    name: String,
    doc: String,
    /// getter, setter, new, static or method.
    role: &'static str,
    receiver: Option<bool>,
    /// The statements that take the arguments, and what the facade gets.
    taken: Vec<String>,
    passed: Vec<String>,
    /// The arguments in the order of Python.
    listed: Vec<Listed>,
    answer: Value,
    fails: bool,
    /// True if other threads may run meanwhile.
    is_slow: bool,
}

/// An argument in four lists: of the Rust function, of PyO3's two signatures, and of the stub.
#[derive(Serialize)]
struct Listed {
    typed: String,
    signature: String,
    text: String,
    stub: String,
}

/// An argument as Python passes it.
struct Given {
    name: String,
    /// The default, as Python and as Rust write it.
    default: Option<(&'static str, &'static str)>,
    by_name: bool,
    /// The type in the stubs, and in Rust if PyO3 tests it.
    stub: String,
    of: String,
    /// The Rust that takes it of `@`, the variables that it makes, and what the facade gets.
    take: String,
    pattern: String,
    passed: String,
}

impl Python {
    pub fn of(model: &Model) -> Self {
        let records = model.records.iter().filter(|record| !PLAIN.contains(&record.name.as_str()));
        let fields = records.map(|record| (record.name.clone(), fields(record))).collect();
        let handles = model.classes.iter().filter(|class| class.is_handle);
        let methods = handles.map(|class| {
            let methods = class.functions.iter().filter(|function| !is_by_hand(class, function));
            (class.name.clone(), methods.map(|function| method(class, function)).collect())
        });
        Self { fields, methods: methods.collect() }
    }
}

/// True if `bindings/python` has the function by hand.
fn is_by_hand(class: &Class, function: &Function) -> bool {
    match class.name.as_str() {
        "Level" => {
            let questions = ["size", "can_move", "sweep", "can_move_all", "sweep_all"];
            questions.contains(&function.name.as_str()) || function.name.contains("marker")
        }
        "Mover" | "Platformer" => function.name == "new",
        _ => false,
    }
}

/// The fields as Python has them: pairs such as `moved_x` and `moved_y` are one.
fn fields(record: &Record) -> Vec<Field> {
    let has_hit = record.fields.iter().any(|field| field.name == "hit");
    let mut all = Vec::new();
    let mut rest = &record.fields[..];
    while let [first, ..] = rest {
        let names: Vec<&str> = rest.iter().map(|field| field.name.as_str()).collect();
        let (count, name) = match (names[0].strip_suffix("_x"), &names[..]) {
            _ if record.is_given => (1, names[0]),
            (Some(base), [_, _, w, ..]) if *w == format!("{base}_w") => (4, base),
            (Some(base), _) => (2, base),
            (_, ["column", ..]) => (2, "cell"),
            (_, ["x", "y", w, ..]) if *w != "w" => (2, "pixel"),
            _ => (1, names[0]),
        };
        let (group, after) = rest.split_at(count);
        rest = after;
        let mut doc = first.doc.replace(" along x", "").replace(": its x", "");
        let mut value = plain(&first.kind, &format!("@.{}", first.name), &first.doc);
        if record.is_given && first.kind.is == Is::Float {
            value = Value::new("f64", &format!("decimal({})", value.made), "float");
        }
        if count > 1 {
            if doc == first.doc {
                doc = group.iter().map(|field| field.doc.as_str()).collect::<Vec<_>>().join(" ");
            }
            let parts: Vec<String> = group.iter().map(|field| format!("@.{}", field.name)).collect();
            let made = format!("({})", parts.join(", "));
            let of = format!("({})", vec![value.of; count].join(", "));
            let stub = format!("tuple[{}]", vec![value.stub; count].join(", "));
            value = Value::new(&of, &made, &stub);
            if has_hit {
                let made = format!("@.hit.then_some({made})");
                value = Value::new(&format!("Option<{of}>"), &made, &format!("{stub} | None"));
            }
        } else {
            doc = doc.replace("-1 ", "None ");
        }
        all.push(Field { name: name.to_owned(), doc, value });
    }
    all
}

/// A number, a flag or a word, which the Rust `made` has.
fn plain(kind: &Kind, made: &str, doc: &str) -> Value {
    match kind.is {
        Is::Int if doc.contains("-1 ") => Value::new("Option<i32>", &format!("some({made})"), "int | None"),
        Is::Int => Value::new("i32", made, "int"),
        Is::Word => Value::new("u64", made, "int"),
        Is::Float => Value::new("f32", made, "float"),
        Is::Double => Value::new("f64", made, "float"),
        Is::Flag => Value::new("bool", made, "bool"),
        Is::Choice => {
            let made = format!("word({made}, {})", snake(&kind.of).to_ascii_uppercase());
            Value::new("Option<&'static str>", &made, &format!("_{}", kind.of))
        }
        _ => Value::new("()", "", "None"),
    }
}

impl Value {
    fn new(of: &str, made: &str, stub: &str) -> Self {
        let [of, made, stub] = [of, made, stub].map(ToOwned::to_owned);
        Self { of, stub, made }
    }
}

fn method(class: &Class, function: &Function) -> Method {
    let mut arguments = given(function);
    let taken = arguments.iter().filter(|it| !it.take.is_empty()).map(Given::taken).collect();
    let passed = arguments.iter().map(|it| it.passed.clone()).filter(|it| !it.is_empty()).collect();
    arguments.sort_by_key(|argument| (argument.by_name, argument.default.is_some()));
    let first_by_name = arguments.iter().position(|argument| argument.by_name);
    let listed = arguments.iter().enumerate().map(|(at, it)| it.listed(Some(at) == first_by_name));
    let listed: Vec<Listed> = listed.collect();
    let answer = answer(class, function);
    let mut doc = function.doc.replace("`cell_width` x `cell_height`", "`cell`");
    if answer.of == "Option<i32>" {
        doc = doc.replace("-1 ", "None ");
    }
    if answer.of == "Vec<String>" {
        doc = doc.replace(", one a line", "").replace(", a sentence a line", "");
    }
    let set = function.name.strip_prefix("set_").filter(|_| listed.len() == 1);
    let role = match set {
        _ if is_property(function) => "getter",
        Some(name) if class.functions.iter().any(|it| it.name == name && is_property(it)) => "setter",
        _ if function.name == "new" => "new",
        _ if function.receiver.is_none() => "static",
        _ => "method",
    };
    let is_slow = match class.name.as_str() {
        "Level" => ["load", "decode", "from_files", "from_baked", "bake"].contains(&&*function.name),
        "JumpWays" => ["new", "update"].contains(&&*function.name),
        _ => false,
    };
    let Function { name, receiver, fails, .. } = function;
    let (name, receiver, fails) = (name.clone(), *receiver, *fails);
    Method { name, doc, role, receiver, taken, passed, listed, answer, fails, is_slow }
}

/// True for a property: what an object is, in one value.
fn is_property(function: &Function) -> bool {
    let is_value = matches!(function.answer.is, Is::Record | Is::Choice | Is::Flag);
    function.receiver == Some(false) && function.arguments.is_empty() && is_value
}

fn given(function: &Function) -> Vec<Given> {
    let mut all = Vec::new();
    let mut rest = &function.arguments[..];
    while let [first, ..] = rest {
        let names: String = rest.iter().map(|argument| format!("{} ", argument.name)).collect();
        let group = GROUPS.iter().find(|group| names.starts_with(&format!("{} ", group.0)));
        let Some((_, name, stub, pattern, take)) = group else {
            all.push(one(function, first));
            rest = &rest[1..];
            continue;
        };
        let mut given = Given::new(name, stub, pattern, take);
        given.default = (*name == "cell").then_some(("(1, 1)", "[1, 1]"));
        all.push(given);
        if *name == "dx" {
            all.push(Given::new("dy", "int", "", ""));
        }
        rest = &rest[pattern.split(',').count()..];
    }
    all
}

/// An argument that is one here and there.
fn one(function: &Function, argument: &Argument) -> Given {
    let Argument { name, kind } = argument;
    let name = if name == "bytes" { "data" } else { name };
    let (take, stub) = taken(kind, name);
    let mut given = Given::new(name, &stub, name, &take);
    let has_keys = function.arguments.iter().any(|argument| argument.name == "jump");
    given.default = match (name, kind.is) {
        ("kind", Is::Choice) => Some(("'platformer'", "Kind::Platformer")),
        ("fps", _) => Some(("60", "60")),
        ("mass", _) => Some(("0", "0")),
        ("gravity", _) => Some(("900.0", "900.0")),
        ("wait", _) => Some(("0.0", "0.0")),
        ("x" | "y", Is::Float) if has_keys => Some(("0.0", "0.0")),
        (_, Is::Options) => Some(("''", "String::new()")),
        ("categories", _) => Some(("18446744073709551615", "u64::MAX")),
        ("solid", Is::Flag) => Some(("True", "true")),
        (_, Is::Flag) if name != "open" => Some(("False", "false")),
        _ => None,
    };
    given.by_name = name == "fps" || kind.is == Is::Flag && given.default.is_some() && name != "solid";
    match kind.is {
        Is::Record | Is::Handle => {
            let mark = if kind.changes { "&mut " } else { "&" };
            given.of = format!("{mark}{}", kind.of);
            given.passed = format!("{mark}{name}.0");
        }
        Is::Text | Is::Options | Is::ByteSlice | Is::IntSlice => {
            given.passed = format!("&{name}");
        }
        _ => {}
    }
    given
}

/// The Rust that tests and takes a value, and its type in the stubs. PyO3 tests an object.
fn taken(kind: &Kind, name: &str) -> (String, String) {
    let (take, stub) = match kind.is {
        Is::Text if name == "path" => ("path", "str | PathLike[str]"),
        Is::Text | Is::Options => ("text", "str"),
        Is::ByteSlice => ("bytes", "_Bytes"),
        Is::IntSlice => ("points", "Iterable[_Point]"),
        Is::Float => ("real", "float"),
        Is::Flag => ("flag", "bool"),
        Is::Record | Is::Handle => return (String::new(), kind.of.clone()),
        Is::Choice => {
            let names = snake(&kind.of).to_ascii_uppercase();
            return (format!("numbers::choice(\"{name}\", @, {names})"), format!("_{}", kind.of));
        }
        _ => ("number", "int"),
    };
    (format!("numbers::{take}(\"{name}\", @)"), stub.to_owned())
}

impl Given {
    /// The argument `name` that makes the variables of `pattern`.
    fn new(name: &str, stub: &str, pattern: &str, take: &str) -> Self {
        let passed = pattern.trim_matches(['[', ']', '(', ')']).to_owned();
        let [name, stub, pattern, take] = [name, stub, pattern, take].map(ToOwned::to_owned);
        Self { name, default: None, by_name: false, stub, of: String::new(), take, pattern, passed }
    }

    fn rust_name(&self) -> &str {
        if self.name == "box" { "r#box" } else { &self.name }
    }

    /// The statement that takes the argument.
    fn taken(&self) -> String {
        let name = self.rust_name();
        let take = match self.default {
            Some((_, default)) => {
                format!("{name}.map_or(Ok({default}), |it| {})", self.take.replace('@', "it"))
            }
            None => self.take.replace('@', name),
        };
        format!("let {} = {take}?;", self.pattern)
    }

    /// The argument in lists; `is_first` for the first that has to be named.
    fn listed(&self, is_first: bool) -> Listed {
        let (name, rust) = (&self.name, self.rust_name());
        let star = if is_first { "*, " } else { "" };
        let (none, any) = if self.default.is_some() { ("=None", "Rest") } else { ("", "Any") };
        let of = if self.of.is_empty() { any } else { &self.of };
        let default = self.default.map(|(python, _)| format!("={python}")).unwrap_or_default();
        Listed {
            typed: format!("{rust}: {of}"),
            signature: format!("{star}{rust}{none}"),
            text: format!("{star}{name}{default}"),
            stub: format!("{star}{name}: {}{}", self.stub, default.replace('=', " = ")),
        }
    }
}

fn answer(class: &Class, function: &Function) -> Value {
    let Kind { is, of, .. } = &function.answer;
    match is {
        Is::Text if function.doc.contains(" a line") => {
            Value::new("Vec<String>", "(@).lines().map(ToOwned::to_owned).collect()", "list[str]")
        }
        Is::Text => Value::new("String", "@", "str"),
        Is::Record => match of.as_str() {
            "Rect" => Value::new("Box4", "tuple(@)", "tuple[int, int, int, int]"),
            "Point" => Value::new("(f64, f64)", "place(@)", "tuple[float, float]"),
            "Pixel" => Value::new("Option<(i32, i32)>", "pixel(@)", "tuple[int, int] | None"),
            _ => Value::new(of, &format!("{of}(@)"), of),
        },
        Is::Handle if *of == class.name => Value::new("Self", "(@).into()", of),
        Is::Handle => Value::new(of, "(@).into()", of),
        Is::ByteList => Value::new("Bytes", "Bytes::from(@)", "bytes"),
        Is::RecordList => {
            let made = format!("(@).into_iter().map({of}).collect()");
            Value::new(&format!("Vec<{of}>"), &made, &format!("list[{of}]"))
        }
        Is::IntList => match (class.name.as_str(), function.name.as_str()) {
            (_, "bodies" | "overlapping") => Value::new("Vec<i32>", "@", "list[int]"),
            (_, "outlines" | "chains") => {
                Value::new("Vec<Vec<(i32, i32)>>", "loops(@)", "list[list[tuple[int, int]]]")
            }
            (_, "rectangles") | ("JumpWays", "path") => {
                Value::new("Vec<Box4>", "quads(@)", "list[tuple[int, int, int, int]]")
            }
            _ => Value::new("Vec<(i32, i32)>", "pairs(@)", "list[tuple[int, int]]"),
        },
        _ => plain(&function.answer, "@", &function.doc),
    }
}

/// Puts the docs of the Rust of a folder below the classes and members of a stub.
pub fn with_docs(stub: &str, folder: &Path) -> Result<String, String> {
    let mut docs = BTreeMap::new();
    for file in ["lib.rs", "mask.rs", "marker.rs", "generated.rs"] {
        for item in parsed(&folder.join(file))? {
            add_docs(&mut docs, &item);
        }
    }
    let mut text = String::new();
    let mut class = String::new();
    let mut name = String::new();
    for line in stub.lines() {
        text += line;
        text += "\n";
        let words = line.trim_start();
        let (first, rest) = words.split_once(' ').unwrap_or_default();
        let word = rest.split(['(', ':']).next().unwrap_or_default();
        match first {
            "class" => (class, name) = (word.to_owned(), word.to_owned()),
            "def" => name = format!("{class}.{}", if word == "__new__" { "new" } else { word }),
            _ if words.starts_with(')') => {}
            _ => continue,
        }
        if line.ends_with(':')
            && let Some(doc) = docs.get(&name)
        {
            let indent = line.len() - words.len() + 4;
            text += &format!("{}\n", docstring(doc, indent));
        }
    }
    Ok(text)
}

/// Adds the docs of a class, its fields and its functions under names such as `Level.draw`.
fn add_docs(docs: &mut BTreeMap<String, String>, item: &Item) {
    match item {
        Item::Struct(item) => {
            for field in &item.fields {
                let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
                docs.insert(format!("{}.{name}", item.ident), doc(&field.attrs));
            }
            docs.insert(item.ident.to_string(), doc(&item.attrs));
        }
        Item::Impl(item) => {
            let class = named(&item.self_ty).unwrap_or_default();
            for entry in &item.items {
                if let ImplItem::Fn(found) = entry {
                    docs.insert(format!("{class}.{}", found.sig.ident), doc(&found.attrs));
                }
            }
        }
        _ => {}
    }
}
