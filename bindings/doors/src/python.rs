//! The classes for Python as Rust for PyO3, and their stubs: boxes and points are one argument, one number or
//! flag for "none" is `None`, and most flags have names and defaults. What only Python has is by hand in
//! `bindings/python`.

use crate::MADE;
use crate::c::choices;
use crate::model::{Class, Function, Kind, Model, Record};
use crate::words::{comment, docstring, snake};

/// The records that are plain values in Python, or classes by hand.
const PLAIN: [&str; 5] = ["Rect", "Point", "Pixel", "Size", "Marker"];

/// The Rust that takes the size of a cell.
const CELL: &str = "numbers::pair(\"cell\", [\"cell_width\", \"cell_height\"], @)";

/// An argument as Python passes it.
struct Given {
    name: String,
    stub: String,
    /// The default, as Python and as Rust write it.
    default: Option<(&'static str, &'static str)>,
    by_name: bool,
    kind: String,
    /// The Rust that takes it: the variables that it binds, and the function that makes them.
    binds: String,
    take: String,
}

/// A value as Python receives it.
struct Value {
    /// The type in Rust, and in the stubs.
    of: String,
    stub: String,
    /// The Rust that makes it of `@`.
    made: String,
}

fn value(of: &str, made: impl Into<String>, stub: &str) -> Value {
    Value { of: of.to_owned(), stub: stub.to_owned(), made: made.into() }
}

pub fn module(model: &Model) -> String {
    let names: Vec<&str> = model.choices.iter().map(|choice| choice.name.as_str()).collect();
    let names = names.join(", ");
    let mut text = format!("// {MADE}\n\nuse facade::{{{names}}};\n\n{}", choices(model));
    let mut added = String::new();
    for record in records(model) {
        added += &format!("    module.add_class::<{}>()?;\n", record.name);
        text += &wrapper(model, record);
    }
    for class in model.handles() {
        added += &format!("    module.add_class::<{}>()?;\n", class.name);
        text += &handle(class);
    }
    text + &format!(
        "fn add_classes(module: &Bound<'_, PyModule>) -> PyResult<()> {{\n{added}    Ok(())\n}}\n"
    )
}

fn records(model: &Model) -> impl Iterator<Item = &Record> {
    model.records.iter().filter(|record| !PLAIN.contains(&record.name.as_str()))
}

/// True if `bindings/python` has the function by hand.
fn is_by_hand(class: &Class, function: &Function) -> bool {
    match class.name.as_str() {
        "Level" => {
            let questions = ["size", "can_move", "sweep", "can_move_all", "sweep_all"];
            questions.contains(&function.name.as_str()) || function.name.contains("marker")
        }
        "Mover" | "Platformer" => function.name == "new",
        "Feel" => true,
        _ => false,
    }
}

/// True for a property: what an object is, in one value.
fn is_property(function: &Function) -> bool {
    let is_value = matches!(function.answer, Kind::Record(_) | Kind::Choice(_) | Kind::Flag);
    function.receiver == Some(false) && function.arguments.is_empty() && is_value
}

fn is_setter(class: &Class, function: &Function) -> bool {
    let name = function.name.strip_prefix("set_").filter(|_| function.arguments.len() == 1);
    name.is_some_and(|name| class.functions.iter().any(|it| it.name == name && is_property(it)))
}

fn wrapper(model: &Model, record: &Record) -> String {
    let name = &record.name;
    let doc = comment("", "///", &record.doc);
    let mut text = format!(
        "{doc}#[pyclass(frozen, eq, module = \"bitwall\")]\n#[derive(Clone, Copy, PartialEq)]\n\
         pub(crate) struct {name}(pub(crate) facade::{name});\n\n#[pymethods]\nimpl {name} {{\n"
    );
    let fields = fields(model, record);
    for (name, doc, value) in &fields {
        let (doc, made) = (comment("    ", "///", doc), value.made.replace('@', "self.0"));
        let of = &value.of;
        text += &format!("{doc}    #[getter]\n    fn {name}(&self) -> {of} {{ {made} }}\n");
    }
    let names: Vec<String> = fields.iter().map(|(name, ..)| format!("\"{name}\"")).collect();
    text += &format!(
        "    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {{ shown(slf, &[{}]) }}\n",
        names.join(", ")
    );
    if model.classes.iter().any(|class| class.name == *name) {
        text += &format!(
            "    /// Makes the usual {low} with some fields changed.\n    #[new]\n    #[pyo3(signature = (**changes))]\n    fn \
             new(changes: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {{\n        \
             Self(facade::{name}::usual()).replace(changes)\n    }}\n",
            low = snake(name)
        );
    }
    if is_given(model, record) {
        let cases = record.fields.iter().map(|field| {
            let take = taken(&field.kind, &field.name, "&value");
            format!("                \"{0}\" => made.0.{0} = {take}?,\n", field.name)
        });
        let cases: String = cases.collect();
        text += &format!(
            "    /// Returns a copy with some fields changed, as in `replace({}=...)`.\n    #[pyo3(signature = \
             (**changes))]\n    pub(crate) fn replace(&self, changes: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {{\n        let \
             mut made = *self;\n        for (name, value) in changes.into_iter().flatten() {{\n            match \
             name.extract::<String>()?.as_str() {{\n{cases}                name => return \
             Err(no_field(\"{name}\", name)),\n            }}\n        }}\n        Ok(made)\n    }}\n",
            record.fields[1].name
        );
    }
    text + "}\n\n"
}

fn is_given(model: &Model, record: &Record) -> bool {
    model.given_records().any(|given| given.name == record.name)
}

/// The fields as Python has them, with their docs: pairs such as `moved_x` and `moved_y` are one.
fn fields(model: &Model, record: &Record) -> Vec<(String, String, Value)> {
    let mut all = Vec::new();
    let mut rest = &record.fields[..];
    let has_hit = record.fields.iter().any(|field| field.name == "hit");
    while let [first, after @ ..] = rest {
        let (base, _) = first.name.rsplit_once('_').unwrap_or(("", ""));
        let next = |at: usize| after.get(at).map_or("", |field| field.name.as_str());
        let is_pair = first.name == format!("{base}_x") && next(0) == format!("{base}_y");
        let count = match first.name.as_str() {
            _ if is_given(model, record) => 1,
            _ if is_pair && next(1) == format!("{base}_w") => 4,
            _ if is_pair => 2,
            "column" => 2,
            "x" if next(0) == "y" && next(1) != "w" => 2,
            _ => 1,
        };
        let (group, left) = rest.split_at(count);
        rest = left;
        let doc = match first.doc.replace(" along x", "").replace(": its x", "") {
            doc if count == 1 || doc != first.doc => doc,
            _ => group.iter().map(|it| it.doc.as_str()).collect::<Vec<_>>().join(" "),
        };
        let mut part = field_value(&first.kind, &first.name, &first.doc);
        if is_given(model, record) && first.kind == Kind::Float {
            part = value("f64", format!("decimal({})", part.made), "float");
        }
        if count == 1 {
            all.push((first.name.clone(), without_minus(&doc), part));
            continue;
        }
        let name = match first.name.as_str() {
            "column" => "cell",
            "x" => "pixel",
            _ => base,
        };
        let (of, stub) = (vec![part.of; count].join(", "), vec![part.stub; count].join(", "));
        let parts: Vec<String> = group.iter().map(|field| format!("@.{}", field.name)).collect();
        let (of, stub) = (format!("({of})"), format!("tuple[{stub}]"));
        let made = format!("({})", parts.join(", "));
        let value = if has_hit {
            let made = format!("@.hit.then_some({made})");
            value(&format!("Option<{of}>"), made, &format!("{stub} | None"))
        } else {
            value(&of, made, &stub)
        };
        all.push((name.to_owned(), doc, value));
    }
    all
}

fn field_value(kind: &Kind, name: &str, doc: &str) -> Value {
    let field = format!("@.{name}");
    match kind {
        Kind::Choice(of) => word(of, &field),
        Kind::Int if doc.contains("-1 ") => value("Option<i32>", format!("some({field})"), "int | None"),
        Kind::Int => value("i32", field, "int"),
        Kind::Float => value("f32", field, "float"),
        Kind::Double => value("f64", field, "float"),
        _ => value("bool", field, "bool"),
    }
}

/// The word of an enumeration.
fn word(of: &str, made: &str) -> Value {
    let made = format!("word({made}, {})", snake(of).to_ascii_uppercase());
    value("Option<&'static str>", made, &format!("_{of}"))
}

fn without_minus(doc: &str) -> String {
    doc.replace("-1 ", "None ")
}

fn handle(class: &Class) -> String {
    let name = &class.name;
    let mut text = String::new();
    // The level of Python keeps its pictures too.
    if name != "Level" {
        text += &format!(
            "{}#[pyclass(module = \"bitwall\")]\npub(crate) struct {name}(pub(crate) facade::{name});\n\nimpl \
             From<facade::{name}> for {name} {{\n    fn from(made: facade::{name}) -> Self {{ Self(made) }}\n}}\n\n",
            comment("", "///", &class.doc)
        );
    }
    text += &format!("#[pymethods]\nimpl {name} {{\n");
    for function in class.functions.iter().filter(|function| !is_by_hand(class, function)) {
        text += &method(class, function);
    }
    if class.functions.iter().any(|function| function.name == "copy") {
        text += "    fn __copy__(&self) -> Self { self.0.copy().into() }\n";
        text += "    fn __deepcopy__(&self, _memo: Any) -> Self { self.0.copy().into() }\n";
    }
    if class.functions.iter().any(|it| it.name == "bounds" && is_property(it)) {
        text += &format!(
            "    fn __repr__(&self) -> String {{ format!(\"<{name} bounds={{:?}}>\", tuple(self.0.bounds())) }}\n"
        );
    }
    text + "}\n\n"
}

fn method(class: &Class, function: &Function) -> String {
    let all = given(function);
    let name = &function.name;
    let mut typed = Vec::new();
    let mut lines = String::new();
    let mut passed = Vec::new();
    for argument in &all {
        let name = rust_name(&argument.name);
        passed.extend((!argument.binds.is_empty()).then_some(argument.binds.as_str()));
        if argument.take.is_empty() {
            continue;
        }
        let take = match argument.default {
            Some((_, default)) => {
                let take = argument.take.replace('@', "it");
                format!("{name}.map_or(Ok({default}), |it| {take})")
            }
            None => argument.take.replace('@', &name),
        };
        let binds = argument.binds.trim_start_matches('&');
        let pattern = match binds.contains(',') {
            true if take.starts_with("numbers::motion") => format!("({binds})"),
            true => format!("[{binds}]"),
            false => binds.to_owned(),
        };
        lines += &format!("        let {pattern} = {take}?;\n");
    }
    for argument in in_order(&all) {
        let of = match (argument.kind.as_str(), argument.default) {
            ("", None) => "Any".to_owned(),
            ("", Some(_)) => "Rest".to_owned(),
            (of, _) => of.to_owned(),
        };
        typed.push(format!("{}: {of}", rust_name(&argument.name)));
    }
    let passed = passed.join(", ");
    let own = match function.receiver {
        Some(true) => Some("&mut self"),
        Some(false) => Some("&self"),
        None => None,
    };
    let mut call = match own {
        Some(_) => format!("self.0.{name}({passed})"),
        None => format!("facade::{}::{name}({passed})", class.name),
    };
    if is_slow(class, function) {
        call = format!("py.detach(|| {call})");
        typed.insert(0, "py: Python<'_>".to_owned());
    }
    typed.splice(0..0, own.map(ToOwned::to_owned));
    let Value { of, made, .. } = answer(class, function);
    let last = match (made.as_str(), function.fails) {
        ("" | "@", true) => format!("{call}.map_err(failed)"),
        ("", false) => format!("{call};\n        Ok(())"),
        (made, true) => format!("Ok({})", made.replace('@', &format!("{call}.map_err(failed)?"))),
        (made, false) => format!("Ok({})", made.replace('@', &call)),
    };
    let mark = match name.as_str() {
        _ if is_property(function) => "    #[getter]\n".to_owned(),
        _ if is_setter(class, function) => format!("    #[setter({})]\n", &name[4..]),
        "new" => format!("    #[new]\n{}", signature(function, &all)),
        _ if own.is_none() => format!("    #[staticmethod]\n{}", signature(function, &all)),
        _ => signature(function, &all),
    };
    let doc = comment("    ", "///", &doc(class, function));
    format!(
        "{doc}{mark}    fn {name}({}) -> PyResult<{of}> {{\n{lines}        {last}\n    }}\n",
        typed.join(", ")
    )
}

/// The attribute with the names and the defaults.
fn signature(function: &Function, all: &[Given]) -> String {
    let rust = listed(all, |argument| {
        let default = argument.default.map_or("", |_| "=None");
        format!("{}{default}", rust_name(&argument.name))
    });
    let own = if function.receiver.is_some() { vec!["$self".to_owned()] } else { Vec::new() };
    let python = listed(all, |argument| {
        let default = argument.default.map(|(python, _)| format!("={python}")).unwrap_or_default();
        format!("{}{default}", argument.name)
    });
    let python = [own, python].concat().join(", ");
    format!("    #[pyo3(signature = ({}), text_signature = \"({python})\")]\n", rust.join(", "))
}

/// The arguments in the order of Python, with a star before those that have to be named.
fn listed(all: &[Given], shown: impl Fn(&Given) -> String) -> Vec<String> {
    let mut list = Vec::new();
    for argument in in_order(all) {
        if argument.by_name && !list.iter().any(|it| it == "*") {
            list.push("*".to_owned());
        }
        list.push(shown(argument));
    }
    list
}

/// First those without a default, last those that have to be named.
fn in_order(all: &[Given]) -> Vec<&Given> {
    let mut ordered: Vec<&Given> = all.iter().collect();
    ordered.sort_by_key(|argument| (argument.by_name, argument.default.is_some()));
    ordered
}

fn rust_name(name: &str) -> String {
    if name == "box" { "r#box".to_owned() } else { name.to_owned() }
}

fn given(function: &Function) -> Vec<Given> {
    let mut all = Vec::new();
    let mut rest = &function.arguments[..];
    while let [(name, kind), after @ ..] = rest {
        let names: Vec<&str> = rest.iter().map(|(name, _)| name.as_str()).collect();
        let count = match &names[..] {
            ["x", "y", "w", "h", ..] => {
                all.push(some_of("box", "_Box", "x, y, w, h", "numbers::rect(@)"));
                4
            }
            ["x", "y", "to_x", "to_y", ..] => {
                all.push(some_of("start", "_Point", "x, y", "numbers::point(\"start\", @)"));
                2
            }
            ["x", "y", "radius", ..] => {
                all.push(some_of("center", "_Point", "x, y", "numbers::point(\"center\", @)"));
                2
            }
            ["to_x", "to_y", ..] => {
                all.push(some_of("end", "_Point", "to_x, to_y", "numbers::point(\"end\", @)"));
                2
            }
            ["cell_width", "cell_height", ..] => {
                let cell = some_of("cell", "_Point", "cell_width, cell_height", CELL);
                all.push(Given { default: Some(("(1, 1)", "[1, 1]")), ..cell });
                2
            }
            ["dir", "step", ..] => {
                all.push(some_of("dx", "int", "dir, step", "numbers::motion(@, dy)"));
                all.push(some_of("dy", "int", "", ""));
                2
            }
            _ => {
                all.push(one(function, name, kind));
                1
            }
        };
        rest = if count == 1 { after } else { &rest[count..] };
    }
    all
}

fn some_of(name: &str, stub: &str, binds: &str, take: &str) -> Given {
    let [name, stub, binds, take] = [name, stub, binds, take].map(ToOwned::to_owned);
    Given { name, stub, default: None, by_name: false, kind: String::new(), binds, take }
}

fn one(function: &Function, name: &str, kind: &Kind) -> Given {
    let name = if name == "bytes" { "data" } else { name };
    let default = default(function, name, kind);
    let stub = match kind {
        Kind::Text if name == "path" => "str | PathLike[str]".to_owned(),
        Kind::Slice("u8", _) => "_Bytes".to_owned(),
        Kind::Slice(..) => "Iterable[_Point]".to_owned(),
        kind => type_of(kind),
    };
    let given = match kind {
        Kind::Record(of) | Kind::Handle(of, _) => {
            let changes = if matches!(kind, Kind::Handle(_, true)) { "&mut " } else { "&" };
            let binds = format!("{changes}{name}.0");
            Given { kind: format!("{changes}{of}"), ..some_of(name, &stub, &binds, "") }
        }
        kind => {
            let is_read = matches!(kind, Kind::Text | Kind::Slice(..));
            let binds = if is_read { format!("&{name}") } else { name.to_owned() };
            some_of(name, &stub, &binds, &taken(kind, name, "@"))
        }
    };
    let by_name = name == "fps" || *kind == Kind::Flag && default.is_some() && name != "solid";
    Given { default, by_name, ..given }
}

/// The Rust that tests and takes a value.
fn taken(kind: &Kind, name: &str, value: &str) -> String {
    let take = match kind {
        Kind::Choice(of) => {
            let table = snake(of).to_ascii_uppercase();
            return format!("numbers::choice(\"{name}\", {value}, {table})");
        }
        Kind::Text if name == "path" => "path",
        Kind::Float => "real",
        Kind::Flag => "flag",
        Kind::Text => "text",
        Kind::Slice("u8", _) => "bytes",
        Kind::Slice(..) => "points",
        _ => "number",
    };
    format!("numbers::{take}(\"{name}\", {value})")
}

/// The default of an argument, as Python and as Rust write it.
fn default(function: &Function, name: &str, kind: &Kind) -> Option<(&'static str, &'static str)> {
    let has_keys = function.arguments.iter().any(|(name, _)| name == "jump");
    Some(match (name, kind) {
        ("kind", Kind::Choice(_)) => ("'platformer'", "Kind::Platformer"),
        ("fps", _) => ("60", "60"),
        ("mass", _) => ("0", "0"),
        ("gravity", _) => ("900.0", "900.0"),
        ("wait", _) => ("0.0", "0.0"),
        ("x" | "y", Kind::Float) if has_keys => ("0.0", "0.0"),
        ("options", _) => ("''", "String::new()"),
        ("categories", _) => ("18446744073709551615", "u64::MAX"),
        ("solid", Kind::Flag) => ("True", "true"),
        (_, Kind::Flag) if name != "open" => ("False", "false"),
        _ => return None,
    })
}

/// True if other threads may run meanwhile.
fn is_slow(class: &Class, function: &Function) -> bool {
    match class.name.as_str() {
        "Level" => ["load", "decode", "from_files", "from_baked", "bake"].contains(&&*function.name),
        "JumpWays" => ["new", "update"].contains(&&*function.name),
        _ => false,
    }
}

fn answer(class: &Class, function: &Function) -> Value {
    let is_lines = function.doc.contains(" a line");
    match &function.answer {
        Kind::Nothing => value("()", "", "None"),
        Kind::Int if function.doc.contains("-1 ") => value("Option<i32>", "some(@)", "int | None"),
        Kind::Int => value("i32", "@", "int"),
        Kind::Float | Kind::Double => value("f64", "@", "float"),
        Kind::Flag => value("bool", "@", "bool"),
        Kind::Word => value("u64", "@", "int"),
        Kind::Text if is_lines => {
            value("Vec<String>", "(@).lines().map(ToOwned::to_owned).collect()", "list[str]")
        }
        Kind::Text => value("String", "@", "str"),
        Kind::Choice(of) => word(of, "@"),
        Kind::Record(of) => match of.as_str() {
            "Rect" => value("Box4", "tuple(@)", "tuple[int, int, int, int]"),
            "Point" => value("(f64, f64)", "place(@)", "tuple[float, float]"),
            "Pixel" => value("Option<(i32, i32)>", "pixel(@)", "tuple[int, int] | None"),
            _ => value(of, format!("{of}(@)"), of),
        },
        Kind::Handle(of, _) if *of == class.name => value("Self", "(@).into()", of),
        Kind::Handle(of, _) => value(of, "(@).into()", of),
        Kind::List(of) => match &**of {
            Kind::Byte => value("Bytes", "Bytes::from(@)", "bytes"),
            Kind::Record(of) => {
                let made = format!("(@).into_iter().map({of}).collect()");
                value(&format!("Vec<{of}>"), made, &format!("list[{of}]"))
            }
            _ => numbers(class, &function.name),
        },
        Kind::Slice(..) | Kind::Byte => value("()", "", "None"),
    }
}

/// What the numbers of a list are.
fn numbers(class: &Class, name: &str) -> Value {
    match name {
        "bodies" | "overlapping" => value("Vec<i32>", "@", "list[int]"),
        "outlines" | "chains" => value("Vec<Vec<(i32, i32)>>", "loops(@)", "list[list[tuple[int, int]]]"),
        "rectangles" => value("Vec<Box4>", "quads(@)", "list[tuple[int, int, int, int]]"),
        "path" if class.name == "JumpWays" => {
            value("Vec<Box4>", "quads(@)", "list[tuple[int, int, int, int]]")
        }
        _ => value("Vec<(i32, i32)>", "pairs(@)", "list[tuple[int, int]]"),
    }
}

fn doc(class: &Class, function: &Function) -> String {
    let Value { of, .. } = answer(class, function);
    let mut doc = function.doc.replace("`cell_width` x `cell_height`", "`cell`");
    if of.starts_with("Option<i32>") {
        doc = without_minus(&doc);
    }
    if of == "Vec<String>" {
        doc = doc.replace(", one a line", "").replace(", a sentence a line", "");
    }
    doc
}

fn type_of(kind: &Kind) -> String {
    match kind {
        Kind::Float | Kind::Double => "float".to_owned(),
        Kind::Flag => "bool".to_owned(),
        Kind::Text => "str".to_owned(),
        Kind::Choice(of) => format!("_{of}"),
        Kind::Record(of) | Kind::Handle(of, _) => of.clone(),
        _ => "int".to_owned(),
    }
}

pub fn stubs(model: &Model) -> String {
    let hand = include_str!("../preludes/prelude.pyi");
    let (head, hand) = hand.split_once("# In ").unwrap_or((hand, ""));
    let mut text = format!("# {MADE}\n{head}");
    for choice in &model.choices {
        let values: Vec<String> = choice.values.iter().map(|(value, _)| quoted(value)).collect();
        text += &format!("_{} = Literal[{}]\n", choice.name, values.join(", "));
    }
    for record in records(model) {
        text += &record_stub(model, record, hand);
    }
    for class in model.handles() {
        let doc = docstring("    ", &class.doc);
        text += &format!("\n@final\nclass {}:\n{doc}{}", class.name, by_hand(hand, &class.name));
        for function in class.functions.iter().filter(|function| !is_by_hand(class, function)) {
            text += &method_stub(class, function);
        }
    }
    text + "\n" + by_hand(hand, "the module")
}

/// What is by hand in the stub of a class.
fn by_hand<'h>(hand: &'h str, name: &str) -> &'h str {
    let parts = hand.split("# In ");
    let own = parts.filter_map(|part| part.split_once(":\n")).find(|(of, _)| *of == name);
    own.map_or("", |(_, text)| text)
}

fn quoted(value: &str) -> String {
    if value == "none" { "None".to_owned() } else { format!("\"{value}\"") }
}

fn record_stub(model: &Model, record: &Record, hand: &str) -> String {
    let doc = docstring("    ", &record.doc);
    let own = by_hand(hand, &record.name);
    let mut text = format!("\n@final\nclass {}:\n{doc}", record.name);
    for (name, doc, Value { stub, .. }) in fields(model, record) {
        let doc = docstring("        ", &doc);
        text += &format!("    @property\n    def {name}(self) -> {stub}:\n{doc}");
    }
    if is_given(model, record) {
        let fields = record.fields.iter();
        let fields = fields.map(|field| format!("{}: {} = ...", field.name, type_of(&field.kind)));
        let fields: Vec<String> = fields.collect();
        let fields = fields.join(",\n        ");
        text += &own.replace("@FIELDS@", &fields);
        text += &format!(
            "    def replace(\n        self,\n        *,\n        {fields},\n    ) -> {}:\n        \"\"\"Returns a copy with some \
             fields changed, as in `replace({}=...)`.\"\"\"\n",
            record.name, record.fields[1].name
        );
    }
    text
}

fn method_stub(class: &Class, function: &Function) -> String {
    let all = given(function);
    let Value { stub, .. } = answer(class, function);
    let doc = docstring("        ", &doc(class, function));
    let name = &function.name;
    if is_property(function) {
        return format!("    @property\n    def {name}(self) -> {stub}:\n{doc}");
    }
    if is_setter(class, function) {
        let (name, of) = (&name[4..], &all[0].stub);
        return format!("    @{name}.setter\n    def {name}(self, value: {of}) -> None: ...\n");
    }
    let typed = listed(&all, |argument| {
        let default = argument.default.map(|(python, _)| format!(" = {python}")).unwrap_or_default();
        format!("{}: {}{default}", argument.name, argument.stub)
    });
    let (mark, name, own) = match (name.as_str(), function.receiver) {
        ("new", _) => ("", "__new__", "cls"),
        (name, None) => ("    @staticmethod\n", name, ""),
        (name, _) => ("", name, "self"),
    };
    let own = if own.is_empty() { Vec::new() } else { vec![own.to_owned()] };
    let typed = [own, typed].concat().join(", ");
    format!("{mark}    def {name}({typed}) -> {stub}:\n{doc}")
}
