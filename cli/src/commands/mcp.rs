//! `bitwall mcp`: answers a coding agent by the Model Context Protocol, on standard input and output, one
//! JSON-RPC message a line. It keeps nothing between two calls but the version of the protocol.
//!
//! This file has the protocol; [`tools`] has the answers. Nothing is written but these, and nothing outside
//! of the folder is read. No line ends the program: the protocol has an error for each that is none.

mod tools;

use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::commands::mcp::tools::Folder;
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

/// The versions of the protocol that begin with `initialize`, the newest last. They differ for this program
/// in batches alone.
const VERSIONS: [&str; 4] = ["2024-11-05", BATCHES, "2025-06-18", "2025-11-25"];

/// The one version that has batches.
const BATCHES: &str = "2025-03-26";

/// The version without `initialize`: each request names it.
const STATELESS: &str = "2026-07-28";
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

const NOT_JSON: i32 = -32_700;
const NO_REQUEST: i32 = -32_600;
const NO_METHOD: i32 = -32_601;
const BAD_PARAMS: i32 = -32_602;
const BAD_VERSION: i32 = -32_022;

const INSTRUCTIONS: &str = "bitwall reads the collision of 2D levels: Tiled maps, LDtk projects, and masks in \
    black and white. Paths are relative to the folder of the server. Positions are in pixels of a level, x to \
    the right, y down, from its top left corner. Begin with `look`; after a change to a level, call `verify`.";

pub(super) fn run(args: &McpArgs) -> Result<Answer, Failure> {
    let entered = std::env::set_current_dir(&args.folder);
    let entered = entered.and_then(|()| std::env::current_dir()?.canonicalize());
    let root = entered.map_err(|error| Failure::at(&args.folder, io_reason(&error)))?;
    let mut server = Server { folder: Folder::new(root), version: None };
    let mut input = io::stdin().lock();
    let mut out = io::stdout().lock();
    let mut line = Vec::new();
    loop {
        let is_whole = read_line(&mut input, &mut line);
        let is_whole =
            is_whole.map_err(|error| format!("standard input: {}", io_reason(&error)))?;
        let answer = if !is_whole {
            Some(Response::error(Value::Null, NO_REQUEST, "a message has at most 1 MiB"))
        } else if line.is_empty() {
            return Ok(Answer::Yes);
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

/// Reads the next line into `line`, which is empty at the end of the input. Returns false for a line that is
/// too long, and passes over its rest.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    input.take(MOST_BYTES + 1).read_until(b'\n', line)?;
    if line.len() as u64 <= MOST_BYTES || line.ends_with(b"\n") {
        return Ok(true);
    }
    input.skip_until(b'\n')?;
    Ok(false)
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
struct CallParams {
    name: String,
    #[serde(default)]
    arguments: Map<String, Value>,
}

#[derive(Serialize)]
struct Response {
    jsonrpc: &'static str,
    id: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Fault>,
}

#[derive(Serialize)]
struct Fault {
    code: i32,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
}

impl Fault {
    fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }
}

impl Response {
    fn new(id: Value, result: Result<Value, Fault>) -> Value {
        let (result, error) = match result {
            Ok(result) => (Some(result), None),
            Err(fault) => (None, Some(fault)),
        };
        json!(Self { jsonrpc: "2.0", id, result, error })
    }

    fn error(id: Value, code: i32, message: &str) -> Value {
        Self::new(id, Err(Fault::new(code, message)))
    }
}

struct Server {
    folder: Folder,
    /// The version of the protocol that `initialize` has chosen.
    version: Option<&'static str>,
}

impl Server {
    /// Answers a line; `None` if it asks nothing. A line without text is no message.
    fn answer(&mut self, line: &[u8]) -> Option<Value> {
        if line.trim_ascii().is_empty() {
            return None;
        }
        match serde_json::from_slice(line) {
            Ok(Value::Array(messages)) => self.answer_all(messages),
            Ok(message) => self.answer_one(message, false),
            Err(error) => {
                let reason = format!("the line is not JSON: {error}");
                Some(Response::error(Value::Null, NOT_JSON, &reason))
            }
        }
    }

    /// Answers a batch.
    fn answer_all(&mut self, messages: Vec<Value>) -> Option<Value> {
        let reason = if self.version != Some(BATCHES) {
            format!("a line has one message: only version {BATCHES} of the protocol has batches")
        } else if messages.is_empty() || messages.len() > MOST_MESSAGES {
            format!("a batch has 1 to {MOST_MESSAGES} messages")
        } else {
            let answers = messages.into_iter().filter_map(|message| self.answer_one(message, true));
            let answers: Vec<Value> = answers.collect();
            return (!answers.is_empty()).then_some(answers.into());
        };
        Some(Response::error(Value::Null, NO_REQUEST, &reason))
    }

    /// Answers a message; `None` for a notification or a response.
    fn answer_one(&mut self, message: Value, is_in_batch: bool) -> Option<Value> {
        let id = message.get("id").cloned();
        let is_response = ["result", "error"].iter().any(|key| message.get(key).is_some());
        if is_response && message.get("method").is_none() {
            // This program asks nothing.
            return None;
        }
        let request = serde_json::from_value::<Message>(message);
        let Some(request) = request.ok().filter(|request| request.jsonrpc == "2.0") else {
            let reason = "no request of JSON-RPC 2.0, which has `jsonrpc`, `id` and `method`";
            return Some(Response::error(id.unwrap_or_default(), NO_REQUEST, reason));
        };
        let id = id?;
        let result = match request.params {
            _ if is_in_batch && request.method == "initialize" => {
                Err(Fault::new(NO_REQUEST, "`initialize` stands alone, not in a batch"))
            }
            Value::Object(params) => self.result(&request.method, params),
            Value::Null => self.result(&request.method, Map::new()),
            _ => Err(Fault::new(BAD_PARAMS, "`params` is an object")),
        };
        Some(Response::new(id, result))
    }

    fn result(&mut self, method: &str, params: Map<String, Value>) -> Result<Value, Fault> {
        let stateless = params.get("_meta").and_then(|meta| meta.get(VERSION_KEY)).cloned();
        if let Some(version) = stateless.as_ref().filter(|version| *version != STATELESS) {
            let mut fault = Fault::new(BAD_VERSION, "the version of the protocol is not known");
            fault.data = Some(json!({"supported": [STATELESS], "requested": version}));
            return Err(fault);
        }
        let mut result = match method {
            "initialize" => self.initialize(&params)?,
            "server/discover" => json!({
                "supportedVersions": [STATELESS],
                "capabilities": {"tools": {}},
                "instructions": INSTRUCTIONS,
                "ttlMs": 0,
                "cacheScope": "private",
                "_meta": {"io.modelcontextprotocol/serverInfo": server_info()},
            }),
            "ping" => json!({}),
            "tools/list" if params.get("cursor").is_some_and(|cursor| !cursor.is_null()) => {
                return Err(Fault::new(BAD_PARAMS, "no list of tools begins at this cursor"));
            }
            "tools/list" => {
                json!({"tools": tools::list(), "ttlMs": 0, "cacheScope": "private"})
            }
            "tools/call" => self.call(params)?,
            _ => return Err(Fault::new(NO_METHOD, "there is no such method")),
        };
        if stateless.is_some() {
            result["resultType"] = "complete".into();
        }
        Ok(result)
    }

    fn initialize(&mut self, params: &Map<String, Value>) -> Result<Value, Fault> {
        let asked = params.get("protocolVersion").and_then(Value::as_str);
        let asked = asked.ok_or_else(|| Fault::new(BAD_PARAMS, "`protocolVersion` is missing"))?;
        let [.., newest] = VERSIONS;
        let version = VERSIONS.into_iter().find(|version| *version == asked).unwrap_or(newest);
        self.version = Some(version);
        Ok(json!({
            "protocolVersion": version,
            "capabilities": {"tools": {}},
            "serverInfo": server_info(),
            "instructions": INSTRUCTIONS,
        }))
    }

    /// Calls a tool. What the tool cannot do is a result too, so that the agent reads it.
    fn call(&self, params: Map<String, Value>) -> Result<Value, Fault> {
        let params = serde_json::from_value::<CallParams>(params.into());
        let CallParams { name, arguments } =
            params.map_err(|error| Fault::new(BAD_PARAMS, error.to_string()))?;
        let called = self.folder.call(&name, arguments);
        let called = called.ok_or_else(|| Fault::new(BAD_PARAMS, "there is no such tool"))?;
        let (text, is_error) = match called {
            Ok(text) => (text, false),
            Err(reason) => (reason, true),
        };
        Ok(json!({"content": [{"type": "text", "text": text}], "isError": is_error}))
    }
}

fn server_info() -> Value {
    json!({"name": "bitwall", "version": env!("CARGO_PKG_VERSION")})
}
