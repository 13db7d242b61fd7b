//! The C ABI in Rust, and the header.

use crate::MADE;
use crate::model::{Class, Function, Kind, Model, Record};
use crate::words::{block, comment, snake};

/// What stands above a line with unsafe code.
const PROMISE: &str = "// SAFETY: the caller's promise.\n        ";

/// An argument of the ABI: its name, its type in Rust and in C.
pub type Raw = (String, String, String);

pub fn symbol(class: &Class, function: &str) -> String {
    format!("bitwall_{}_{function}", snake(&class.name))
}

/// The arguments with the receiver first and the place of the answer last.
pub fn arguments(class: &Class, function: &Function) -> Vec<Raw> {
    let mut all = Vec::new();
    if let Some(changes) = function.receiver {
        all.push(handle(&snake(&class.name), &class.name, changes));
    }
    for (name, kind) in &function.arguments {
        match kind {
            Kind::Slice(of, changes) => {
                let (pointer, constant) = if *changes { ("*mut", "") } else { ("*const", "const ") };
                let in_c = if *of == "u8" { "uint8_t" } else { "int32_t" };
                all.push((name.clone(), format!("{pointer} {of}"), format!("{constant}{in_c} *")));
                all.push((format!("{name}_count"), "usize".to_owned(), "size_t ".to_owned()));
            }
            Kind::Handle(of, changes) => all.push(handle(name, of, *changes)),
            Kind::Record(of) => {
                let in_c = format!("const bitwall_{} *", snake(of));
                all.push((name.clone(), format!("*const {of}Raw"), in_c));
            }
            Kind::Text => all.push((name.clone(), "*const c_char".to_owned(), "const char *".to_owned())),
            Kind::Float => all.push((name.clone(), "f32".to_owned(), "float ".to_owned())),
            Kind::Word => all.push((name.clone(), "u64".to_owned(), "uint64_t ".to_owned())),
            _ => all.push((name.clone(), "i32".to_owned(), "int32_t ".to_owned())),
        }
    }
    match &function.answer {
        Kind::Record(of) => {
            all.push(("out".to_owned(), format!("*mut {of}"), format!("bitwall_{} *", snake(of))));
        }
        Kind::Double => all.push(("out".to_owned(), "*mut f64".to_owned(), "double *".to_owned())),
        Kind::List(_) => all.push(("count".to_owned(), "*mut usize".to_owned(), "size_t *".to_owned())),
        _ => {}
    }
    all
}

fn handle(name: &str, of: &str, changes: bool) -> Raw {
    let (pointer, constant) = if changes { ("*mut", "") } else { ("*const", "const ") };
    (name.to_owned(), format!("{pointer} {of}"), format!("{constant}bitwall_{} *", snake(of)))
}

/// The type of the result in Rust and in C, and the function of `lib.rs` that makes it.
fn result(function: &Function) -> (String, String, &'static str) {
    match &function.answer {
        Kind::Handle(of, _) => (format!("*mut {of}"), format!("bitwall_{} *", snake(of)), "pointer"),
        Kind::Word => ("u64".to_owned(), "uint64_t ".to_owned(), "word"),
        Kind::Text => ("*const c_char".to_owned(), "const char *".to_owned(), "text_answer"),
        Kind::List(of) => {
            let (of, in_c) = element(of);
            (format!("*const {of}"), format!("const {in_c} *"), "list")
        }
        _ => ("i32".to_owned(), "int32_t ".to_owned(), "answer"),
    }
}

/// An element of a list in Rust and in C.
pub fn element(of: &Kind) -> (String, String) {
    match of {
        Kind::Record(of) => (of.clone(), format!("bitwall_{}", snake(of))),
        Kind::Byte => ("u8".to_owned(), "uint8_t".to_owned()),
        _ => ("i32".to_owned(), "int32_t".to_owned()),
    }
}

/// What the doc of the facade leaves open: the result of an error.
fn tail(function: &Function) -> &'static str {
    match &function.answer {
        Kind::Handle(..) => "NULL on an error. Free it.",
        Kind::Text => "NULL on an error.",
        Kind::List(_) => "NULL on an error; `count` gets the number of elements.",
        Kind::Word => "0 on an error.",
        Kind::Flag => "1 for true, 0 for false; below 0 on an error.",
        Kind::Nothing | Kind::Record(_) | Kind::Double => "0; below 0 on an error.",
        _ => "Below -1 on an error.",
    }
}

/// Functions without a feature in the facade are of `play`.
fn gate(feature: &Option<String>) -> String {
    let feature = feature.as_deref().unwrap_or("play");
    format!("#[cfg(feature = \"{feature}\")]\n")
}

/// The values of the enumerations with their names, as Rust.
pub fn choices(model: &Model) -> String {
    let mut text = String::new();
    for choice in &model.choices {
        let name = snake(&choice.name).to_ascii_uppercase();
        let all = choice.values.iter().map(|(value, _)| {
            format!("    ({}::{}, \"{value}\"),\n", choice.name, crate::words::pascal(value))
        });
        text += &format!(
            "#[allow(dead_code, reason = \"some are only answers\")]\nconst {name}: &[({}, &str)] = &[\n{}];\n\n",
            choice.name,
            all.collect::<String>()
        );
    }
    text
}

pub fn abi(model: &Model) -> String {
    let mut text = format!("// {MADE}\n\n");
    text += &choices(model);
    for record in model.given_records() {
        text += &raw_record(record);
    }
    for class in &model.classes {
        if class.is_handle {
            let (low, name) = (snake(&class.name), &class.name);
            // The readers free a level too.
            if class.name != "Level" {
                text += &gate(&class.feature);
            }
            text += &format!(
                "/// Frees a handle; null is allowed.\n///\n/// # Safety\n/// See the head of the file. It must not be \
                 used again.\n#[unsafe(no_mangle)]\npub unsafe extern \"C\" fn bitwall_{low}_free({low}: *mut {name}) \
                 {{\n    // SAFETY: the caller's promise.\n    unsafe {{ free({low}) }}\n}}\n\n"
            );
        }
        for function in &class.functions {
            text += &abi_function(class, function);
        }
    }
    text
}

/// A record as another language writes it: its flags and enumerations are numbers to be tested.
fn raw_record(record: &Record) -> String {
    let name = &record.name;
    let mut fields = String::new();
    let mut tested = String::new();
    for field in &record.fields {
        let (of, value) = match &field.kind {
            Kind::Flag => ("u8", format!("flag(\"{0}\", raw.{0}.into())?", field.name)),
            Kind::Choice(of) => {
                let all = snake(of).to_ascii_uppercase();
                ("i32", format!("choice(\"{0}\", raw.{0}, {all})?", field.name))
            }
            Kind::Float => ("f32", format!("raw.{}", field.name)),
            _ => ("i32", format!("raw.{}", field.name)),
        };
        fields += &format!("    {}: {of},\n", field.name);
        tested += &format!("        {}: {value},\n", field.name);
    }
    let low = snake(name);
    format!(
        "/// [`{name}`] as another language writes it.\n#[repr(C)]\npub struct {name}Raw {{\n{fields}}}\n\n\
         fn given_{low}(raw: &{name}Raw) -> Result<{name}> {{\n    Ok({name} {{\n{tested}    }})\n}}\n\n"
    )
}

fn abi_function(class: &Class, function: &Function) -> String {
    let low = snake(&class.name);
    let mut lines = String::new();
    let mut passed = Vec::new();
    let slices: Vec<_> =
        function.arguments.iter().filter(|(_, kind)| matches!(kind, Kind::Slice(..))).collect();
    for (name, kind) in &slices {
        for (other, _) in slices.iter().filter(|(other, _)| other != name) {
            if matches!(kind, Kind::Slice(_, true)) {
                let (one, two) = (format!("{name}, {name}_count"), format!("{other}, {other}_count"));
                lines += &format!("        apart(\"{name}\", {one}, \"{other}\", {two})?;\n");
            }
        }
    }
    for (name, kind) in &function.arguments {
        let line = match kind {
            Kind::Text => format!("unsafe {{ given_text({name}, \"{name}\") }}?"),
            Kind::Slice(_, false) => {
                format!("unsafe {{ slice({name}, {name}_count, \"{name}\") }}?")
            }
            Kind::Slice(_, true) => {
                format!("unsafe {{ slice_mut({name}, {name}_count, \"{name}\") }}?")
            }
            Kind::Handle(_, false) => format!("unsafe {{ read({name}, \"{name}\") }}?"),
            Kind::Handle(_, true) => format!("unsafe {{ write({name}, \"{name}\") }}?"),
            Kind::Record(of) => {
                format!("&given_{}(unsafe {{ read({name}, \"{name}\") }}?)?", snake(of))
            }
            Kind::Flag => format!("flag(\"{name}\", {name})?"),
            Kind::Choice(of) => {
                format!("choice(\"{name}\", {name}, {})?", snake(of).to_ascii_uppercase())
            }
            _ => String::new(),
        };
        if line.contains("unsafe") {
            lines += "        // SAFETY: the caller's promise.\n";
        }
        if !line.is_empty() {
            lines += &format!("        let {name} = {line};\n");
        }
        passed.push(name.clone());
    }
    let own = match function.receiver {
        None => format!("{}::", class.name),
        Some(changes) => {
            let get = if changes { "write" } else { "read" };
            lines = format!(
                "        // SAFETY: the caller's promise.\n        let {low} = unsafe {{ {get}({low}, \"{low}\") }}?;\n\
                 {lines}"
            );
            format!("{low}.")
        }
    };
    let asked = format!("{own}{}({})", function.name, passed.join(", "));
    let call = if function.fails { format!("{asked}?") } else { asked.clone() };
    let (of, _, make) = result(function);
    let (start, end) = match &function.answer {
        Kind::Nothing => (format!("{call};\n        "), "Ok(0)".to_owned()),
        Kind::Flag => (String::new(), format!("Ok({call}.into())")),
        Kind::Choice(_) => (String::new(), format!("Ok({call} as i32)")),
        Kind::Record(_) | Kind::Double => {
            (format!("let found = {call};\n        {PROMISE}"), "unsafe { put(out, found) }".to_owned())
        }
        Kind::List(_) => {
            let count = "let count = unsafe { write(count, \"count\") }?;\n        ";
            (format!("{PROMISE}{count}"), format!("Ok(counted({call}, count))"))
        }
        _ if function.fails => (String::new(), asked),
        _ => (String::new(), format!("Ok({call})")),
    };
    let typed = arguments(class, function).into_iter().map(|(name, of, _)| format!("{name}: {of}"));
    let typed = typed.collect::<Vec<_>>().join(", ");
    let doc = comment("", "///", &format!("{} {}", function.doc, tail(function)));
    let (gate, name) = (gate(&function.feature), symbol(class, &function.name));
    format!(
        "{gate}{doc}///\n/// # Safety\n/// See the head of the file.\n#[unsafe(no_mangle)]\npub unsafe extern \"C\" fn \
         {name}({typed}) -> {of} {{\n    {make}(|| {{\n{lines}        {start}{end}\n    }})\n}}\n\n"
    )
}

pub fn header(model: &Model) -> String {
    let prelude = include_str!("../preludes/prelude.h");
    let (types, functions) = declarations(model);
    let made = format!("/* {MADE} */\n");
    format!("{made}{}", prelude.replace("@TYPES@\n", &types).replace("@FUNCTIONS@\n", &functions))
}

/// The types and the functions of the header.
pub fn declarations(model: &Model) -> (String, String) {
    let mut types = String::new();
    for choice in &model.choices {
        types += &block("", &choice.doc);
        let name = snake(&choice.name).to_ascii_uppercase();
        let values = choice.values.iter().enumerate().map(|(number, (value, doc))| {
            format!("  BITWALL_{name}_{} = {number}, /**< {doc} */\n", value.to_ascii_uppercase())
        });
        let values: String = values.collect();
        // C++ before 11 and C90 refuse a comma at the end.
        let last = values.rfind(", /**<").unwrap_or_default();
        types += &format!("enum {{\n{}{}}};\n\n", &values[..last], &values[last + 1..]);
    }
    for class in model.handles() {
        let low = snake(&class.name);
        types += &format!("{}typedef struct bitwall_{low} bitwall_{low};\n\n", block("", &class.doc));
    }
    for record in &model.records {
        let low = snake(&record.name);
        types += &format!("{}typedef struct bitwall_{low} {{\n", block("", &record.doc));
        for field in &record.fields {
            let of = match &field.kind {
                Kind::Float => "float",
                Kind::Double => "double",
                Kind::Flag => "bool",
                _ => "int32_t",
            };
            let choice = match &field.kind {
                Kind::Choice(of) => {
                    format!(" One of BITWALL_{}_...", snake(of).to_ascii_uppercase())
                }
                _ => String::new(),
            };
            types += &format!("  {of} {}; /**< {}{choice} */\n", field.name, field.doc);
        }
        types += &format!("}} bitwall_{low};\n\n");
    }
    let mut functions = String::new();
    for class in &model.classes {
        let low = snake(&class.name);
        functions += &format!("/* {} */\n\n", class.name);
        for function in &class.functions {
            let all = arguments(class, function);
            let all: Vec<String> = all.iter().map(|(name, _, of)| format!("{of}{name}")).collect();
            let all = if all.is_empty() { "void".to_owned() } else { all.join(", ") };
            functions += &block("", &format!("{} {}", function.doc, tail(function)));
            functions += &format!("{}{}({all});\n\n", result(function).1, symbol(class, &function.name));
        }
        if class.is_handle {
            functions += &format!(
                "/** Frees it; NULL is allowed. */\nvoid bitwall_{low}_free(bitwall_{low} *{low});\n\n"
            );
        }
    }
    (types, functions)
}
