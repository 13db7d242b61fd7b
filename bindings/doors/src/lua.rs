//! The module for LuaJIT. Handles are tables with their pointer, so that a freed one is an error; records are
//! tables.

use crate::MADE;
use crate::c::{declarations, symbol};
use crate::model::{Class, Function, Kind, Model, Record};
use crate::words::{comment, snake};

pub fn file(model: &Model) -> String {
    let (types, functions) = declarations(model);
    let declared = without_comments(&format!("{types}{functions}"));
    let mut text = include_str!("../preludes/prelude.lua").replace("@CDEF@", declared.trim());
    text = format!("-- {MADE}\n{text}\n");
    for choice in &model.choices {
        let low = snake(&choice.name);
        let values = choice.values.iter().enumerate().map(|(at, (value, _))| format!("[{at}] = \"{value}\""));
        let values: Vec<String> = values.collect();
        text += &format!("local {low}_names = {{ {} }}\n", values.join(", "));
        text += &format!("local {low}_numbers = numbered({low}_names)\n");
    }
    for record in &model.records {
        text += &to_table(record);
    }
    for record in model.given_records() {
        text += &from_table(record);
    }
    text += "\nlocal bitwall = {}\n";
    for class in &model.classes {
        let name = &class.name;
        text += &format!("\n{}bitwall.{name} = {{}}\n", comment("", "---", &class.doc));
        if class.is_handle {
            text += &format!("bitwall.{name}.__index = bitwall.{name}\n");
        }
        for function in &class.functions {
            text += &method(model, class, function);
        }
        if class.is_handle {
            text += &format!(
                "--- Frees it now, not when the collector comes.\nfunction bitwall.{name}:free() free(self) end\n"
            );
        }
    }
    text + include_str!("../preludes/coda.lua")
}

/// The declarations as LuaJIT takes them.
fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once("/*") {
        kept += before;
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    kept += rest;
    let lines = kept.lines().map(str::trim_end).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// The function that makes a table of a record, or writes to the table `into`.
fn to_table(record: &Record) -> String {
    let low = snake(&record.name);
    let mut text = format!(
        "local out_{low} = ffi.new(\"bitwall_{low}\")\nlocal function to_{low}(record, into)\n  into = into or {{}}\n"
    );
    for field in &record.fields {
        let name = &field.name;
        text += &match &field.kind {
            Kind::Choice(of) => format!("  into.{name} = {}_names[record.{name}]\n", snake(of)),
            _ => format!("  into.{name} = record.{name}\n"),
        };
    }
    text + "  return into\nend\n"
}

/// The function that writes a table to a record.
fn from_table(record: &Record) -> String {
    let low = snake(&record.name);
    let mut text = format!(
        "local in_{low} = ffi.new(\"bitwall_{low}\")\nlocal function from_{low}(from, name)\n  if type(from) ~= \"table\" then \
         refuse(name, from, \"no table\", \"a table of all fields\") end\n"
    );
    for field in &record.fields {
        let name = &field.name;
        let value = match &field.kind {
            Kind::Flag => format!("flag(from.{name}, \"{name}\") == 1"),
            kind => passed(kind, &format!("from.{name}"), name),
        };
        text += &format!("  in_{low}.{name} = {value}\n");
    }
    text + &format!("  return in_{low}\nend\n")
}

/// An argument as C takes it, after its test.
fn passed(kind: &Kind, value: &str, name: &str) -> String {
    match kind {
        Kind::Int => format!("int({value}, \"{name}\")"),
        Kind::Float => format!("real({value}, \"{name}\")"),
        Kind::Flag => format!("flag({value}, \"{name}\")"),
        Kind::Word => format!("word({value}, \"{name}\")"),
        Kind::Text => format!("text({value}, \"{name}\")"),
        Kind::Choice(of) => {
            let low = snake(of);
            format!("{low}_numbers[{value}] or none({low}_names, {value}, \"{name}\")")
        }
        Kind::Record(of) => format!("from_{}({value}, \"{name}\")", snake(of)),
        Kind::Handle(of, _) => format!("handle({value}, bitwall.{of}, \"{name}\", \"{of}\")"),
        _ => value.to_owned(),
    }
}

fn method(model: &Model, class: &Class, function: &Function) -> String {
    let mut names: Vec<&str> = function.arguments.iter().map(|(name, _)| name.as_str()).collect();
    let mut before = String::new();
    let mut after = String::new();
    let mut all = Vec::new();
    if function.receiver.is_some() {
        all.push("self.at or freed()".to_owned());
    }
    for (name, kind) in &function.arguments {
        if let Kind::Slice(of, changes) = kind {
            let of = if *of == "u8" { "uint8_t" } else { "int32_t" };
            before += &format!("  local {name}_at, {name}_count = array({name}, \"{name}\", \"{of}\")\n");
            all.extend([format!("{name}_at"), format!("{name}_count")]);
            if *changes {
                after += &format!("  give_back({name}, {name}_at, {name}_count)\n");
            }
        } else if name == "options" && function.has_options() {
            all.push(passed(kind, "options or \"\"", name));
        } else {
            all.push(passed(kind, name, name));
        }
    }
    let symbol = symbol(class, &function.name);
    let call = |all: &[String]| format!("C.{symbol}({})", all.join(", "));
    let last = match &function.answer {
        Kind::Nothing => format!("  check({})\n{after}", call(&all)),
        Kind::Flag => format!("  return check({}) == 1\n", call(&all)),
        Kind::Choice(of) => format!("  return {}_names[check({})]\n", snake(of), call(&all)),
        Kind::Word => format!("  return {}\n", call(&all)),
        Kind::Text => format!("  return ffi.string(given({}))\n", call(&all)),
        Kind::Handle(of, _) => {
            format!("  return made({}, C.bitwall_{}_free, bitwall.{of})\n", call(&all), snake(of))
        }
        Kind::Record(of) => {
            let low = snake(of);
            names.push("into");
            all.push(format!("out_{low}"));
            format!("  check({})\n  return to_{low}(out_{low}, into)\n", call(&all))
        }
        Kind::Double => {
            all.push("out_double".to_owned());
            format!("  check({})\n  return out_double[0]\n", call(&all))
        }
        Kind::List(of) => {
            all.push("count".to_owned());
            let made = match &**of {
                Kind::Byte => "ffi.string(list, count[0])".to_owned(),
                Kind::Record(of) => format!("records(list, to_{})", snake(of)),
                _ => "numbers(list)".to_owned(),
            };
            format!("  local list = given({})\n  return {made}\n", call(&all))
        }
        _ => format!("  return check({})\n", call(&all)),
    };
    let sign = if function.receiver.is_some() { ':' } else { '.' };
    let doc = comment("", "---", &format!("{}{}", function.doc, words(model, function)));
    format!(
        "{doc}function bitwall.{}{sign}{}({})\n{before}{last}end\n",
        class.name,
        function.name,
        names.join(", ")
    )
}

/// What the words of an argument or of the answer are.
fn words(model: &Model, function: &Function) -> String {
    let answer = ("the answer", &function.answer);
    let all = function.arguments.iter().map(|(name, kind)| (name.as_str(), kind)).chain([answer]);
    let mut text = String::new();
    for (name, kind) in all {
        if let Kind::Choice(of) = kind {
            let values: Vec<String> =
                model.choice(of).values.iter().map(|(value, _)| format!("\"{value}\"")).collect();
            text += &format!(" `{name}` is one of {}.", values.join(", "));
        }
    }
    text
}
