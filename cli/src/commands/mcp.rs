//! `bitwall mcp`: answers a coding agent by the Model Context Protocol, on standard input and output, one
//! JSON-RPC message a line. It keeps nothing between two calls.
//!
//! This file has the protocol; [`tools`] has the answers. Nothing is written but these, and nothing outside
//! of the folder is read. No line ends the program: the protocol has an error for each that is no request.

mod tools;

use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::commands::{Answer, Failure};
use bitwall::error::io_reason;

/// Answer a coding agent by the Model Context Protocol (MCP)
///
/// The agent starts the program, and asks it on standard input. It sees levels as text, asks why a cell is
/// solid, whether a box can move, what a body reaches, and for findings and differences. Only files below
/// FOLDER are read, and none is written.
#[derive(Args)]
#[command(after_help = "\
Example, in the folder of a game:
  claude mcp add bitwall -- bitwall mcp .
      the agent has the tools look, why, can_move, verify, reach and diff")]
pub(super) struct McpArgs {
    /// The folder with the levels [default: the current folder]
    #[arg(value_name = "FOLDER", default_value = ".", hide_default_value = true)]
    folder: PathBuf,
}

/// The longest accepted message, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// The versions of the protocol, the newest last. For this program they are the same: a batch, which the
/// version 2025-03-26 alone has, is refused in each. That of 2026-07-28 has no `initialize`; its clients ask
/// an older server as this one by that.
const VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", NEWEST];
const NEWEST: &str = "2025-11-25";

const INSTRUCTIONS: &str = "bitwall reads the collision of 2D levels: Tiled maps, LDtk projects, and masks \
    in black and white. Paths are relative to the folder of the server. Positions are in pixels of a level, \
    x to the right, y down, from its top left corner. Begin with `look`; after a change to a level, call \
    `verify`.";

pub(super) fn run(args: &McpArgs) -> Result<Answer, Failure> {
    let entered = std::env::set_current_dir(&args.folder);
    let entered = entered.and_then(|()| std::env::current_dir()?.canonicalize());
    let folder = entered.map_err(|error| Failure::at(&args.folder, io_reason(&error)))?;
    let mut input = io::stdin().lock();
    let mut out = io::stdout().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut read = Read::take(&mut input, MOST_BYTES + 1).read_until(b'\n', &mut line);
        if is_too_long(&line) {
            read = read.and_then(|_| input.skip_until(b'\n'));
        }
        read.map_err(|error| format!("standard input: {}", io_reason(&error)))?;
        if line.is_empty() {
            return Ok(Answer::Yes);
        }
        if let Some(answer) = answer(&folder, &line) {
            let written = writeln!(out, "{answer}").and_then(|()| out.flush());
            if written.is_err() {
                return Answer::Yes.once(written);
            }
        }
    }
}

/// True if only a part of a line was read.
fn is_too_long(line: &[u8]) -> bool {
    line.len() as u64 > MOST_BYTES && !line.ends_with(b"\n")
}

/// A request, or without an `id` a notification.
#[derive(Deserialize)]
struct Message {
    jsonrpc: String,
    method: String,
    #[serde(default)]
    params: Value,
}

#[derive(Deserialize)]
struct Call {
    name: String,
    #[serde(default)]
    arguments: Map<String, Value>,
}

const NO_JSON: i32 = -32_700;
const NO_REQUEST: i32 = -32_600;
const NO_METHOD: i32 = -32_601;
const BAD_PARAMS: i32 = -32_602;

/// Returns an error of the protocol.
fn fault(code: i32, message: &str) -> Value {
    json!({"code": code, "message": message})
}

fn response(id: Value, result: Result<Value, Value>) -> Value {
    match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
    }
}

/// Answers a line; `None` if it asks nothing. A line without text is no message. `folder` is the real path of
/// the current folder.
fn answer(folder: &Path, line: &[u8]) -> Option<Value> {
    let error = match serde_json::from_slice(line) {
        _ if is_too_long(line) => fault(NO_REQUEST, "a message has at most 1 MiB"),
        _ if line.trim_ascii().is_empty() => return None,
        Ok(Value::Array(_)) => fault(NO_REQUEST, "a line has one message: there are no batches"),
        Ok(message) => return answer_one(folder, message),
        Err(error) => fault(NO_JSON, &format!("the line is not JSON: {error}")),
    };
    Some(response(Value::Null, Err(error)))
}

/// Answers a message; `None` for a notification, and for a response, as this program asks nothing.
fn answer_one(folder: &Path, message: Value) -> Option<Value> {
    let id = message.get("id").cloned();
    let has_result = ["result", "error"].iter().any(|key| message.get(key).is_some());
    if has_result && message.get("method").is_none() {
        return None;
    }
    let message = serde_json::from_value::<Message>(message).ok();
    let Some(Message { method, params, .. }) = message.filter(|it| it.jsonrpc == "2.0") else {
        let error = fault(NO_REQUEST, "no request of JSON-RPC 2.0: `jsonrpc`, `id`, `method`");
        return Some(response(id.unwrap_or_default(), Err(error)));
    };
    let result = match params {
        _ if id.is_none() => return None,
        Value::Object(_) | Value::Null => result(folder, &method, params),
        _ => Err(fault(BAD_PARAMS, "`params` is an object")),
    };
    Some(response(id?, result))
}

fn result(folder: &Path, method: &str, params: Value) -> Result<Value, Value> {
    Ok(match method {
        "initialize" => {
            let Some(asked) = params["protocolVersion"].as_str() else {
                return Err(fault(BAD_PARAMS, "`protocolVersion` is missing"));
            };
            json!({
                "protocolVersion": VERSIONS.iter().find(|it| **it == asked).unwrap_or(&NEWEST),
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "bitwall", "version": env!("CARGO_PKG_VERSION")},
                "instructions": INSTRUCTIONS,
            })
        }
        "ping" => json!({}),
        "tools/list" => json!({"tools": tools::list()}),
        "tools/call" => {
            let call = serde_json::from_value::<Call>(params);
            let call = call.map_err(|error| fault(BAD_PARAMS, &error.to_string()))?;
            let answer = tools::call(folder, &call.name, &call.arguments);
            let answer = answer.ok_or_else(|| fault(BAD_PARAMS, "there is no such tool"))?;
            // What a tool cannot do is a result too, so that the agent reads it.
            let is_error = answer.is_err();
            let text = answer.unwrap_or_else(|reason| reason);
            json!({"content": [{"type": "text", "text": text}], "isError": is_error})
        }
        _ => return Err(fault(NO_METHOD, "there is no such method")),
    })
}
