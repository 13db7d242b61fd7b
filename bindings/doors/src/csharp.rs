//! The file for C#: Unity, Godot and MonoGame. C# 7, `DllImport`, one class a handle.

use crate::MADE;
use crate::c::{arguments, symbol};
use crate::model::{Class, Function, Kind, Model, Record};
use crate::words::{pascal, snake, summary};

pub fn file(model: &Model) -> String {
    let mut text = format!("// {MADE}\n{}", include_str!("../preludes/prelude.cs"));
    for choice in &model.choices {
        let values = choice
            .values
            .iter()
            .map(|(value, doc)| format!("{}        {},\n", summary("        ", doc), pascal(value)));
        let values: String = values.collect();
        text += &format!(
            "\n{}    public enum {}\n    {{\n{values}    }}\n",
            summary("    ", &choice.doc),
            choice.name
        );
    }
    for record in &model.records {
        text += &structure(model, record);
    }
    for class in model.handles() {
        text += &handle(class);
    }
    text += "\n    static unsafe partial class Native\n    {\n";
    for class in &model.classes {
        for function in &class.functions {
            text += &import(class, function);
        }
        if class.is_handle {
            let low = snake(&class.name);
            text += &format!(
                "        [DllImport(Name)] internal static extern void bitwall_{low}_free(IntPtr at);\n"
            );
        }
    }
    text + "    }\n}\n"
}

/// A struct with the functions of its record. A flag is a byte, so that the layout is that of C.
fn structure(model: &Model, record: &Record) -> String {
    let mut text = format!(
        "\n{}    [StructLayout(LayoutKind.Sequential)]\n    public unsafe struct {}\n    {{\n",
        summary("    ", &record.doc),
        record.name
    );
    for field in &record.fields {
        let name = pascal(&field.name);
        let doc = summary("        ", &field.doc);
        text += &match &field.kind {
            Kind::Flag => {
                let byte = format!("is{name}");
                format!(
                    "        byte {byte};\n{doc}        public bool {name} {{ get {{ return {byte} != 0; }} set {{ {byte} = \
                     value ? (byte)1 : (byte)0; }} }}\n"
                )
            }
            kind => format!("{doc}        public {} {name};\n", type_of(kind)),
        };
    }
    for class in model.classes.iter().filter(|class| class.name == record.name) {
        for function in &class.functions {
            text += &method(class, function);
        }
    }
    text + "    }\n"
}

fn handle(class: &Class) -> String {
    let (name, low) = (&class.name, snake(&class.name));
    let mut text = format!(
        "\n{}    public sealed unsafe partial class {name} : Handle\n    {{\n        internal {name}(IntPtr at) : base(at) {{ \
         }}\n        internal override void Free(IntPtr at) {{ Native.bitwall_{low}_free(at); }}\n",
        summary("    ", &class.doc)
    );
    for function in &class.functions {
        text += &method(class, function);
    }
    text + "    }\n"
}

fn type_of(kind: &Kind) -> String {
    match kind {
        Kind::Nothing => "void",
        Kind::Int => "int",
        Kind::Float => "float",
        Kind::Double => "double",
        Kind::Flag => "bool",
        Kind::Word => "ulong",
        Kind::Text => "string",
        Kind::Byte | Kind::Slice("u8", _) => return kind_of_bytes(kind),
        Kind::Slice(..) => "int[]",
        Kind::Choice(of) | Kind::Record(of) | Kind::Handle(of, _) => return of.clone(),
        Kind::List(of) => return format!("{}[]", type_of(of)),
    }
    .to_owned()
}

fn kind_of_bytes(kind: &Kind) -> String {
    if *kind == Kind::Byte { "byte".to_owned() } else { "byte[]".to_owned() }
}

/// A name that is no word of C#.
fn safe(name: &str) -> String {
    let name = crate::words::camel(name);
    if ["out", "params", "object", "string", "fixed"].contains(&name.as_str()) {
        format!("@{name}")
    } else {
        name
    }
}

fn import(class: &Class, function: &Function) -> String {
    let all = arguments(class, function).into_iter().map(|(name, of, _)| {
        let of = match of.trim_start_matches("*const ").trim_start_matches("*mut ") {
            "c_char" | "u8" => "byte*".to_owned(),
            "i32" if of.starts_with('*') => "int*".to_owned(),
            "f64" => "double*".to_owned(),
            "usize" if of.starts_with('*') => "UIntPtr*".to_owned(),
            "usize" => "UIntPtr".to_owned(),
            "i32" => "int".to_owned(),
            "f32" => "float".to_owned(),
            "u64" => "ulong".to_owned(),
            record if record.ends_with("Raw") => format!("{}*", record.trim_end_matches("Raw")),
            record if name == "out" => format!("{record}*"),
            _ => "IntPtr".to_owned(),
        };
        format!("{of} {}", safe(&name))
    });
    let all: Vec<String> = all.collect();
    let result = match &function.answer {
        Kind::Handle(..) => "IntPtr".to_owned(),
        Kind::Word => "ulong".to_owned(),
        Kind::Text => "byte*".to_owned(),
        Kind::List(of) => format!("{}*", type_of(of)),
        _ => "int".to_owned(),
    };
    let symbol = symbol(class, &function.name);
    format!("        [DllImport(Name)] internal static extern {result} {symbol}({});\n", all.join(", "))
}

fn method(class: &Class, function: &Function) -> String {
    let mut typed = Vec::new();
    let mut passed = Vec::new();
    let mut fixed = String::new();
    let mut keep = String::new();
    if function.receiver.is_some() {
        passed.push("At".to_owned());
        keep += " GC.KeepAlive(this);";
    }
    for (name, kind) in &function.arguments {
        let name = safe(name);
        let default = if name == "options" && function.has_options() { " = \"\"" } else { "" };
        typed.push(format!("{} {name}{default}", type_of(kind)));
        match kind {
            Kind::Text => {
                fixed += &format!("fixed (byte* {name}At = Handle.Utf8({name}, \"{name}\")) ");
                passed.push(format!("{name}At"));
            }
            Kind::Slice(of, _) => {
                let of = if *of == "u8" { "byte" } else { "int" };
                let counted = format!("Handle.Count({name}, \"{name}\")");
                fixed += &format!("fixed ({of}* {name}At = {name}) ");
                passed.extend([format!("{name}At"), counted]);
            }
            Kind::Record(_) => passed.push(format!("&{name}")),
            Kind::Choice(_) => passed.push(format!("(int){name}")),
            Kind::Flag => passed.push(format!("{name} ? 1 : 0")),
            Kind::Handle(..) => {
                passed.push(format!("Handle.Of({name}, \"{name}\")"));
                keep += &format!(" GC.KeepAlive({name});");
            }
            _ => passed.push(name),
        }
    }
    let symbol = symbol(class, &function.name);
    let call = |all: &[String]| format!("Native.{symbol}({})", all.join(", "));
    let body = match &function.answer {
        Kind::Nothing => format!("Handle.Check({});{keep}", call(&passed)),
        Kind::Flag => {
            format!("var answer = Handle.Check({});{keep} return answer != 0;", call(&passed))
        }
        Kind::Choice(of) => {
            format!("var answer = Handle.Check({});{keep} return ({of})answer;", call(&passed))
        }
        Kind::Word => format!("var answer = {};{keep} return answer;", call(&passed)),
        Kind::Text => format!("var answer = Handle.Text({});{keep} return answer;", call(&passed)),
        Kind::Handle(of, _) => {
            format!("var answer = new {of}({});{keep} return answer;", call(&passed))
        }
        Kind::Record(of) => {
            passed.push("&found".to_owned());
            format!("{of} found; Handle.Check({});{keep} return found;", call(&passed))
        }
        Kind::Double => {
            passed.push("&found".to_owned());
            format!("double found; Handle.Check({});{keep} return found;", call(&passed))
        }
        Kind::List(of) => {
            passed.push("&count".to_owned());
            let of = type_of(of);
            format!(
                "UIntPtr count; var list = {};{keep} if (list == null) throw Handle.Last(); var all = new {of}[(int)count]; \
                 for (int i = 0; i < all.Length; i++) all[i] = list[i]; return all;",
                call(&passed)
            )
        }
        _ => format!("var answer = Handle.Check({});{keep} return answer;", call(&passed)),
    };
    let still = if function.receiver.is_some() { "" } else { "static " };
    let of = type_of(&function.answer);
    let name = pascal(&function.name);
    let doc = summary("        ", &function.doc);
    format!("{doc}        public {still}{of} {name}({}) {{ {fixed}{{ {body} }} }}\n", typed.join(", "))
}
