//! Functions that run the program in tests.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::support::{peak_memory, processor_time};

pub(crate) use crate::support::{asset, files_in, folder, root, shared};

/// Runs `bitwall` in [`HOME`](crate::HOME), and returns its exit code, standard output and standard error.
pub(crate) fn bitwall(args: &[&str], input: &str) -> (i32, String, String) {
    bitwall_in(Path::new(crate::HOME), args, input)
}

/// Runs [`bitwall`] in another folder.
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
        // Ignores errors, because the program may stop reading at a bad line.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().expect("no signal"), text(output.stdout), text(output.stderr))
}

/// Returns the program that the limits are measured with: the one that `BITWALL_PROGRAM` names, such as a
/// release build, or else the one of this test run.
#[cfg(unix)]
fn program() -> OsString {
    std::env::var_os("BITWALL_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_bitwall").into())
}

/// Returns a `bitwall` command with its arguments and a file. The process may use `kib` KiB of address space,
/// program code included.
#[cfg(unix)]
pub(crate) fn limited_command(path: &Path, kib: u64, command: &str) -> Command {
    // The shell sets the limit with `ulimit`, so that the test needs no unsafe code.
    let mut limited = Command::new("sh");
    limited
        .arg("-c")
        .arg(format!("ulimit -v {kib} && exec \"$0\" {command} -- \"$1\""))
        .arg(program())
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    limited
}

/// Runs a command on a file within `kib` KiB of address space and `most` processor time. Ends a program that
/// waits for more than a minute.
#[cfg(unix)]
pub(crate) fn run_limited(
    path: &Path,
    kib: u64,
    most: Duration,
    command: &str,
) -> Result<Output, String> {
    run_measured(path, kib, most, command).map(|(output, _)| output)
}

/// What a process took: its processor time in steps of 10 ms, and its peak of resident memory in KiB, without
/// the last millisecond.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Taken {
    pub(crate) work: Duration,
    pub(crate) peak_kib: u64,
}

/// Runs a command as [`run_limited`] does, and measures it on Linux.
#[cfg(unix)]
pub(crate) fn run_measured(
    path: &Path,
    kib: u64,
    most: Duration,
    command: &str,
) -> Result<(Output, Taken), String> {
    let start = Instant::now();
    let mut child =
        limited_command(path, kib, command).spawn().map_err(|error| error.to_string())?;
    let process = child.id().to_string();
    // Reads both outputs in threads, because the program blocks on a full pipe.
    let stdout = drained(child.stdout.take().unwrap());
    let stderr = drained(child.stderr.take().unwrap());
    let mut taken = Taken::default();
    let status = loop {
        // The processor time of an ended process can be read until the process is waited for.
        taken.work = processor_time(&process).unwrap_or(taken.work);
        taken.peak_kib = peak_memory(&process).unwrap_or(taken.peak_kib);
        let spent = taken.work;
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break status;
        }
        if spent > most || start.elapsed() > Duration::from_secs(60) {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("still running after {:?}, {spent:?} of work", start.elapsed()));
        }
        thread::sleep(Duration::from_millis(1));
    };
    let (stdout, stderr) = (stdout.join().unwrap(), stderr.join().unwrap());
    Ok((Output { status, stdout, stderr }, taken))
}

fn drained(mut from: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        bytes
    })
}

/// Checks all files on two cores. The second argument of `check` is a folder for output.
pub(crate) fn check_all(
    files: &[PathBuf],
    check: impl Fn(&Path, &Path) -> Result<(), String> + Sync,
) {
    let next = AtomicUsize::new(0);
    let faults: Vec<String> = thread::scope(|scope| {
        let work = || {
            let scratch = tempfile::tempdir().unwrap();
            let mut faults = Vec::new();
            while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                let fault = check(path, scratch.path()).err();
                faults.extend(fault.map(|fault| format!("{}: {fault}", path.display())));
            }
            faults
        };
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    println!("{} files", files.len());
    if files.is_empty() {
        crate::support::skip("there are no files to check");
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Returns the files in these folders of `../shared`; see [`shared`].
pub(crate) fn shared_files(folders: &[&str]) -> Vec<PathBuf> {
    folders
        .iter()
        .filter_map(|folder| shared(folder))
        .flat_map(|folder| files_in(&folder))
        .collect()
}
