//! `bitwall mcp`: answers a coding agent by the Model Context Protocol, on standard input and output, one
//! JSON-RPC message a line. It keeps nothing between two calls but the version of the protocol.
//!
//! This file has the protocol; [`tools`] has the answers. Nothing is written but these, and nothing outside
//! of the folder is read. No line ends the program: the protocol has an error for each that is no request.

mod tools;

use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;

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
Examples:
  claude mcp add bitwall -- bitwall mcp .
      in the folder of a game: the agent has the tools look, why, can_move, verify, reach and diff
  echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}' | bitwall mcp
      the tools and their arguments")]
pub(super) struct McpArgs {
    /// The folder with the levels [default: the current folder]
    #[arg(value_name = "FOLDER", default_value = ".", hide_default_value = true)]
    folder: PathBuf,
}

/// The longest accepted message, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// The most messages of a batch.
const MOST_MESSAGES: usize = 32;

/// The versions of the protocol that begin with `initialize`. For this program they differ in batches alone.
const VERSIONS: [&str; 4] = ["2024-11-05", BATCHES, "2025-06-18", NEWEST];
/// The one version that has batches.
const BATCHES: &str = "2025-03-26";
const NEWEST: &str = "2025-11-25";
/// The version without `initialize`: each request names it under [`VERSION_KEY`].
const STATELESS: &str = "2026-07-28";
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

const INSTRUCTIONS: &str = "bitwall reads the collision of 2D levels: Tiled maps, LDtk projects, and masks in \
    black and white. Paths are relative to the folder of the server. Positions are in pixels of a level, x to \
    the right, y down, from its top left corner. Begin with `look`; after a change to a level, call `verify`.";

pub(super) fn run(args: &McpArgs) -> Result<Answer, Failure> {
    let entered = std::env::set_current_dir(&args.folder);
    let entered = entered.and_then(|()| std::env::current_dir()?.canonicalize());
    let folder = entered.map_err(|error| Failure::at(&args.folder, io_reason(&error)))?;
    let mut server = Server { folder, version: "" };
    let mut input = io::stdin().lock();
    let mut out = io::stdout().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut read = Read::take(&mut input, MOST_BYTES + 1).read_until(b'\n', &mut line);
        let is_long = line.len() as u64 > MOST_BYTES && !line.ends_with(b"\n");
        if is_long {
            read = read.and_then(|_| input.skip_until(b'\n'));
        }
        read.map_err(|error| format!("standard input: {}", io_reason(&error)))?;
        let answer = if line.is_empty() {
            return Ok(Answer::Yes);
        } else if is_long {
            Some(response(Value::Null, Err(NO_REQUEST.with("a message has at most 1 MiB"))))
        } else {
            server.answer(&line)
        };
        if let Some(answer) = answer {
            let written = writeln!(out, "{answer}").and_then(|()| out.flush());
            if written.is_err() {
                return Answer::Yes.once(written);
            }
        }
    }
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

/// A kind of error of the protocol.
#[derive(Clone, Copy)]
struct Code(i32);

const NO_JSON: Code = Code(-32_700);
const NO_REQUEST: Code = Code(-32_600);
const NO_METHOD: Code = Code(-32_601);
const BAD_PARAMS: Code = Code(-32_602);
const BAD_VERSION: Code = Code(-32_022);

impl Code {
    /// Returns an error with a text for the client.
    fn with(self, message: &str) -> Value {
        json!({"code": self.0, "message": message})
    }
}

fn response(id: Value, result: Result<Value, Value>) -> Value {
    match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
    }
}

struct Server {
    /// The real path of the current folder.
    folder: PathBuf,
    /// The version of the protocol that `initialize` has chosen; empty before it.
    version: &'static str,
}

impl Server {
    /// Answers a line; `None` if it asks nothing. A line without text is no message.
    fn answer(&mut self, line: &[u8]) -> Option<Value> {
        let error = match serde_json::from_slice(line) {
            _ if line.trim_ascii().is_empty() => return None,
            Ok(Value::Array(_)) if self.version != BATCHES => {
                NO_REQUEST.with("a line has one message: only version 2025-03-26 has batches")
            }
            Ok(Value::Array(all)) if all.is_empty() || all.len() > MOST_MESSAGES => {
                NO_REQUEST.with("a batch has 1 to 32 messages")
            }
            Ok(Value::Array(all)) => {
                let answers: Vec<Value> =
                    all.into_iter().filter_map(|message| self.answer_one(message, true)).collect();
                return (!answers.is_empty()).then_some(answers.into());
            }
            Ok(message) => return self.answer_one(message, false),
            Err(error) => NO_JSON.with(&format!("the line is not JSON: {error}")),
        };
        Some(response(Value::Null, Err(error)))
    }

    /// Answers a message; `None` for a notification, and for a response, as this program asks nothing.
    fn answer_one(&mut self, message: Value, is_in_batch: bool) -> Option<Value> {
        let id = message.get("id").cloned();
        let has_result = ["result", "error"].iter().any(|key| message.get(key).is_some());
        if has_result && message.get("method").is_none() {
            return None;
        }
        let message = serde_json::from_value::<Message>(message).ok();
        let Some(Message { method, params, .. }) = message.filter(|it| it.jsonrpc == "2.0") else {
            let error = NO_REQUEST.with("no request of JSON-RPC 2.0: `jsonrpc`, `id`, `method`");
            return Some(response(id.unwrap_or_default(), Err(error)));
        };
        let result = match params {
            _ if id.is_none() => return None,
            _ if is_in_batch && method == "initialize" => {
                Err(NO_REQUEST.with("`initialize` stands alone, not in a batch"))
            }
            Value::Object(_) | Value::Null => self.result(&method, params),
            _ => Err(BAD_PARAMS.with("`params` is an object")),
        };
        Some(response(id?, result))
    }

    fn result(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let stateless = params.get("_meta").and_then(|meta| meta.get(VERSION_KEY)).cloned();
        if let Some(version) = stateless.as_ref().filter(|version| *version != STATELESS) {
            let mut error = BAD_VERSION.with("the version of the protocol is not known");
            error["data"] = json!({"supported": [STATELESS], "requested": version});
            return Err(error);
        }
        let server = json!({"name": "bitwall", "version": env!("CARGO_PKG_VERSION")});
        let mut result = match method {
            "initialize" => {
                let asked = params.get("protocolVersion").and_then(Value::as_str);
                let asked = asked.ok_or_else(|| BAD_PARAMS.with("`protocolVersion` is missing"))?;
                self.version = VERSIONS.into_iter().find(|it| *it == asked).unwrap_or(NEWEST);
                json!({"protocolVersion": self.version, "serverInfo": server})
            }
            "server/discover" => json!({
                "supportedVersions": [STATELESS],
                "_meta": {"io.modelcontextprotocol/serverInfo": server},
            }),
            "ping" => json!({}),
            "tools/list" if params.get("cursor").is_some_and(Value::is_string) => {
                return Err(BAD_PARAMS.with("no list of tools begins at this cursor"));
            }
            "tools/list" => json!({"tools": tools::list()}),
            "tools/call" => {
                let call = serde_json::from_value::<Call>(params);
                let call = call.map_err(|error| BAD_PARAMS.with(&error.to_string()))?;
                let answer = tools::call(&self.folder, &call.name, call.arguments);
                let answer = answer.ok_or_else(|| BAD_PARAMS.with("there is no such tool"))?;
                // What a tool cannot do is a result too, so that the agent reads it.
                let is_error = answer.is_err();
                let text = answer.unwrap_or_else(|reason| reason);
                json!({"content": [{"type": "text", "text": text}], "isError": is_error})
            }
            _ => return Err(NO_METHOD.with("there is no such method")),
        };
        if ["initialize", "server/discover"].contains(&method) {
            result["capabilities"] = json!({"tools": {}});
            result["instructions"] = INSTRUCTIONS.into();
        }
        if stateless.is_some() {
            result["resultType"] = "complete".into();
            result["ttlMs"] = 0.into();
            result["cacheScope"] = "private".into();
        }
        Ok(result)
    }
}
