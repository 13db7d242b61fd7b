//! The program as a test runs it.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

pub(crate) use crate::support::{asset, files_in, folder, root, shared};

/// Runs `bitwall` in [`HOME`](crate::HOME), and returns its exit code, standard output and standard error.
pub(crate) fn bitwall(args: &[&str], input: &str) -> (i32, String, String) {
    bitwall_in(Path::new(crate::HOME), args, input)
}

/// As [`bitwall`], in another folder.
pub(crate) fn bitwall_in(folder: &Path, args: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bitwall"))
        .current_dir(folder)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        // It may stop reading at a bad line.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().expect("no signal"), text(output.stdout), text(output.stderr))
}

/// A command of `bitwall`, with its arguments, on a file, in a process with `kib` KiB of address space, code
/// included.
#[cfg(unix)]
pub(crate) fn limited_command(path: &Path, kib: u64, command: &str) -> Command {
    // `ulimit` is the shell's own, so that the test needs no unsafe code to set a limit.
    let mut limited = Command::new("sh");
    limited
        .arg("-c")
        .arg(format!("ulimit -v {kib} && exec \"$0\" {command} -- \"$1\""))
        .arg(env!("CARGO_BIN_EXE_bitwall"))
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    limited
}
