//! The ES module and its types. Numbers are tested and go to the module of WebAssembly as they are; texts,
//! arrays and records go through its memory.

use crate::MADE;
use crate::c::symbol;
use crate::model::{Class, Function, Kind, Model, Record};
use crate::words::{block, camel, snake};

pub fn module(model: &Model) -> String {
    let mut text = format!("// {MADE}\n{}", include_str!("../preludes/prelude.js"));
    for choice in &model.choices {
        let low = camel(&snake(&choice.name));
        let words: Vec<String> = choice.values.iter().map(|(value, _)| format!("\"{value}\"")).collect();
        let cases = choice.values.iter().enumerate();
        let cases = cases.map(|(at, (value, _))| format!("    case \"{value}\": return {at};\n"));
        let cases: String = cases.collect();
        text += &format!("const {low}Names = [{}];\n", words.join(", "));
        // A `switch` over words takes less than a look-up in an object without a prototype.
        text += &format!(
            "function {low}Number(value, name) {{\n  switch (value) {{\n{cases}    default: return \
             none({low}Names, value, name);\n  }}\n}}\n"
        );
    }
    for record in &model.records {
        text += &from_memory(record);
    }
    for record in model.given_records() {
        text += &to_memory(record);
    }
    for class in &model.classes {
        let name = &class.name;
        text += &format!("\n{}", block("", &class.doc));
        if class.is_handle {
            let low = snake(name);
            text += &format!(
                "export class {name} extends Handle {{\n  constructor(key, at) {{ super(key, at, wasm.bitwall_{low}_free); }}\n"
            );
        } else {
            text += &format!("export class {name} {{\n");
        }
        for function in &class.functions {
            text += &method(model, class, function);
        }
        text += "}\n";
    }
    if has_readers(model) {
        text += include_str!("../preludes/coda.js");
    }
    text
}

/// True for the module that loads levels.
fn has_readers(model: &Model) -> bool {
    model.classes.iter().any(|class| class.name == "Files")
}

/// The fields with their offsets in bytes, and the size: the layout of C.
fn layout(record: &Record) -> (Vec<(usize, &crate::model::Field)>, usize) {
    let mut at: usize = 0;
    let mut largest = 1;
    let mut fields = Vec::new();
    for field in &record.fields {
        let size = match field.kind {
            Kind::Flag => 1,
            Kind::Double => 8,
            _ => 4,
        };
        at = at.next_multiple_of(size);
        fields.push((at, field));
        at += size;
        largest = largest.max(size);
    }
    (fields, at.next_multiple_of(largest))
}

/// The function that makes an object of a record, or writes to the object `into`.
fn from_memory(record: &Record) -> String {
    let name = &record.name;
    let mut text = format!("function get{name}(at, into = {{}}) {{\n  const all = view();\n");
    for (offset, field) in layout(record).0 {
        let value = match &field.kind {
            Kind::Flag => format!("all.getUint8(at + {offset}) === 1"),
            Kind::Double => format!("all.getFloat64(at + {offset}, true)"),
            Kind::Float => format!("all.getFloat32(at + {offset}, true)"),
            Kind::Choice(of) => {
                format!("{}Names[all.getInt32(at + {offset}, true)]", camel(&snake(of)))
            }
            _ => format!("all.getInt32(at + {offset}, true)"),
        };
        text += &format!("  into.{} = {value};\n", camel(&field.name));
    }
    text + "  return into;\n}\n"
}

/// The function that writes an object to the place of a record.
fn to_memory(record: &Record) -> String {
    let name = &record.name;
    let (fields, size) = layout(record);
    let mut text = format!(
        "function put{name}(from, name) {{\n  if (Object(from) !== from) refuse(name, from, \"no object\", \"an object with all \
         fields\");\n  const at = room({size}), all = view();\n"
    );
    for (offset, field) in fields {
        let value = camel(&field.name);
        let passed = passed(&field.kind, &format!("from.{value}"), &field.name);
        let write = match &field.kind {
            Kind::Flag => format!("all.setUint8(at + {offset}, {passed})"),
            Kind::Float => format!("all.setFloat32(at + {offset}, {passed}, true)"),
            _ => format!("all.setInt32(at + {offset}, {passed}, true)"),
        };
        text += &format!("  {write};\n");
    }
    text + "  return at;\n}\n"
}

/// An argument as the module takes it, after its test. An error has the facade's name of it.
fn passed(kind: &Kind, value: &str, name: &str) -> String {
    match kind {
        Kind::Int => format!("int({value}, \"{name}\")"),
        Kind::Float => format!("real({value}, \"{name}\")"),
        Kind::Flag => format!("flag({value}, \"{name}\")"),
        Kind::Word => format!("word({value}, \"{name}\")"),
        Kind::Text => format!("putText({value}, \"{name}\")"),
        Kind::Choice(of) => {
            let low = camel(&snake(of));
            format!("{low}Number({value}, \"{name}\")")
        }
        Kind::Record(of) => format!("put{of}({value}, \"{name}\")"),
        Kind::Handle(of, _) => format!("handle({value}, {of}, \"{name}\")"),
        _ => value.to_owned(),
    }
}

/// True if the argument or answer needs memory that is freed after the call.
fn needs_room(kind: &Kind) -> bool {
    matches!(kind, Kind::Text | Kind::Slice(..) | Kind::Record(_))
}

fn method(model: &Model, class: &Class, function: &Function) -> String {
    let mut names = Vec::new();
    let mut all = Vec::new();
    let mut before = String::new();
    let mut after = String::new();
    if function.receiver.is_some() {
        all.push("this.at".to_owned());
    }
    for (name, kind) in &function.arguments {
        let value = camel(name);
        let default = if name == "options" && function.has_options() { " = \"\"" } else { "" };
        names.push(format!("{value}{default}"));
        if let Kind::Slice(of, changes) = kind {
            let of = if *of == "u8" { "Uint8Array" } else { "Int32Array" };
            before += &format!("    const {value}At = putArray({value}, {of}, \"{name}\");\n");
            all.extend([format!("{value}At"), format!("{value}.length")]);
            if *changes {
                after += &format!("    takeArray({value}, {value}At);\n");
            }
        } else {
            all.push(passed(kind, &value, name));
        }
    }
    let symbol = symbol(class, &function.name);
    let call = |all: &[String]| format!("wasm.{symbol}({})", all.join(", "));
    let last = match &function.answer {
        Kind::Nothing => format!("    check({});\n{after}", call(&all)),
        Kind::Flag => format!("    return check({}) === 1;\n", call(&all)),
        Kind::Choice(of) => {
            format!("    return {}Names[check({})];\n", camel(&snake(of)), call(&all))
        }
        Kind::Word => format!("    return BigInt.asUintN(64, {});\n", call(&all)),
        Kind::Text => format!("    return getText({} || fail());\n", call(&all)),
        Kind::Handle(of, _) => format!("    return new {of}(secret, {} || fail());\n", call(&all)),
        Kind::Record(of) => {
            names.push("into".to_owned());
            all.push("scratch".to_owned());
            format!("    check({});\n    return get{of}(scratch, into);\n", call(&all))
        }
        Kind::Double => {
            all.push("scratch".to_owned());
            format!("    check({});\n    return view().getFloat64(scratch, true);\n", call(&all))
        }
        Kind::List(of) => {
            all.push("scratch".to_owned());
            let made = match &**of {
                Kind::Record(of) => {
                    let record = model.records.iter().find(|record| record.name == *of);
                    let size = record.map_or(0, |record| layout(record).1);
                    format!("getRecords(list, {size}, get{of})")
                }
                Kind::Byte => "getArray(list, Uint8Array)".to_owned(),
                _ => "getArray(list, Int32Array)".to_owned(),
            };
            format!("    const list = {} || fail();\n    return {made};\n", call(&all))
        }
        _ => format!("    return check({});\n", call(&all)),
    };
    let mut body = format!("{before}{last}");
    if function.arguments.iter().any(|(_, kind)| needs_room(kind)) {
        let deeper: String = body.lines().map(|line| format!("  {line}\n")).collect();
        body = format!("    try {{\n{deeper}    }} finally {{\n      freeRooms();\n    }}\n");
    }
    let still = if function.receiver.is_some() { "" } else { "static " };
    let doc = block("  ", &function.doc);
    format!("{doc}  {still}{}({}) {{\n{body}  }}\n", camel(&function.name), names.join(", "))
}

pub fn types(model: &Model) -> String {
    let mut text = format!("// {MADE}\n{}", include_str!("../preludes/prelude.d.ts"));
    for choice in &model.choices {
        let words: Vec<String> = choice.values.iter().map(|(value, _)| format!("\"{value}\"")).collect();
        text +=
            &format!("{}export type {} = {};\n\n", block("", &choice.doc), choice.name, words.join(" | "));
    }
    for record in &model.records {
        text += &format!("{}export interface {} {{\n", block("", &record.doc), record.name);
        for field in &record.fields {
            let (name, of) = (camel(&field.name), type_of(&field.kind));
            text += &format!("{}  {name}: {of};\n", block("  ", &field.doc));
        }
        text += "}\n\n";
    }
    for class in &model.classes {
        text += &format!(
            "{}export declare class {} {{\n  private constructor();\n",
            block("", &class.doc),
            class.name
        );
        if class.is_handle {
            text += "  /** Frees it now, not when the collector comes. */\n  free(): void;\n";
        }
        for function in &class.functions {
            text += &signature(function);
        }
        if class.name == "Level" && has_readers(model) {
            text += include_str!("../preludes/level.d.ts");
        }
        text += "}\n\n";
    }
    text
}

fn signature(function: &Function) -> String {
    let mut typed = Vec::new();
    for (name, kind) in &function.arguments {
        let optional = if name == "options" && function.has_options() { "?" } else { "" };
        let of = if *kind == Kind::Word { "number | bigint".to_owned() } else { type_of(kind) };
        typed.push(format!("{}{optional}: {of}", camel(name)));
    }
    if let Kind::Record(of) = &function.answer {
        typed.push(format!("into?: {of}"));
    }
    let still = if function.receiver.is_some() { "" } else { "static " };
    let (name, of) = (camel(&function.name), type_of(&function.answer));
    format!("{}  {still}{name}({}): {of};\n", block("  ", &function.doc), typed.join(", "))
}

fn type_of(kind: &Kind) -> String {
    match kind {
        Kind::Nothing => "void",
        Kind::Int | Kind::Float | Kind::Double | Kind::Byte => "number",
        Kind::Flag => "boolean",
        Kind::Word => "bigint",
        Kind::Text => "string",
        Kind::Slice("u8", _) => "Uint8Array",
        Kind::Slice(..) => "Int32Array",
        Kind::Choice(of) | Kind::Record(of) | Kind::Handle(of, _) => return of.clone(),
        Kind::List(of) => match &**of {
            Kind::Record(of) => return format!("{of}[]"),
            Kind::Byte => "Uint8Array",
            _ => "Int32Array",
        },
    }
    .to_owned()
}
