#!/usr/bin/env python3
"""Loads every hostile file through the doors of Python, C and JavaScript, and measures each load.

    BITWALL_LONG=1 BITWALL_HOSTILE=FILES cargo test --all-features --test commands every_hostile
    python3 benches/doors/hostile.py FILES --python FOLDER --c LIBRARY --js FOLDER

FILES is a folder, named by its whole path, which the first command fills. FOLDER of Python holds the built module
`bitwall`, LIBRARY is the built `libbitwall_c.so`, FOLDER of JavaScript is `bindings/js/dist`, whose module `ldtk` loads
LDtk and zstd, and `load` the rest. A door that is not named is left out. Every load is a process of its own. Fails if a
file of less than 1 MB takes more than two seconds of processor time, or more memory than 256 MiB beyond what the same
door takes for an empty file, or if it ends the process.
"""
import argparse
import os
import resource
import sys
import tempfile
import time

MOST_SECONDS, MOST_MIB = 2.0, 256
ENDINGS = (".tmx", ".tmj", ".ldtk", ".world", ".png", ".bwl")

JS = """
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
const [, folder, path] = process.argv;
const name = path.endsWith('.ldtk') || readFileSync(path).includes('zstd') ? 'ldtk' : 'load';
const { Source, toLevel } = await import(pathToFileURL(`${folder}/${name}.js`));
try {
  toLevel(await Source.read(path, (wanted) => {
    try { return readFileSync(wanted); } catch { return null; }
  }));
} catch (error) {
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) process.exit(3);
}
"""


def load_python(path):
    import bitwall

    try:
        bitwall.Level.load(path)
    except (ValueError, OSError, MemoryError):
        pass


def load_c(library, path):
    import ctypes

    door = ctypes.CDLL(library)
    door.bitwall_level_load.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
    door.bitwall_level_load.restype = ctypes.c_void_p
    door.bitwall_level_free.argtypes = [ctypes.c_void_p]
    level = door.bitwall_level_load(os.fsencode(path), b"")
    if level:
        door.bitwall_level_free(level)


def measured(load):
    """Runs `load` in a child: its status (0 also for an error of the door), seconds and peak in MiB."""
    child = os.fork()
    if child == 0:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (6, 6))
        try:
            load()
        except BaseException:
            os._exit(4)
        os._exit(0)
    _, status, used = os.wait4(child, 0)
    return status, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("folder")
    arguments.add_argument("--python")
    arguments.add_argument("--c")
    arguments.add_argument("--js")
    arguments = arguments.parse_args()
    doors = {}
    if arguments.python:
        sys.path.insert(0, arguments.python)
        doors["Python"] = lambda path: load_python(path)
    if arguments.c:
        doors["C"] = lambda path: load_c(os.path.abspath(arguments.c), path)
    if arguments.js:
        module = os.path.abspath(arguments.js)
        doors["JavaScript"] = lambda path: os.execvp("node", ["node", "--input-type=module", "-e", JS, module, path])
    files = []
    for root, _, names in os.walk(arguments.folder):
        paths = (os.path.join(root, name) for name in names if name.endswith(ENDINGS))
        files += [path for path in paths if os.path.isfile(path) and os.path.getsize(path) < 1_000_000]
    empty = os.path.join(tempfile.mkdtemp(), "empty.tmx")
    open(empty, "w").close()
    faults = []
    for name, load in doors.items():
        own = measured(lambda: load(empty))
        if own[0] != 0:
            faults.append(f"{name}: the door does not open, status {own[0]}")
            continue
        slowest, largest, start = (0.0, ""), (0.0, ""), time.monotonic()
        for path in sorted(files):
            status, seconds, peak = measured(lambda: load(path))
            seconds, peak = max(seconds - own[1], 0.0), max(peak - own[2], 0.0)
            slowest, largest = max(slowest, (seconds, path)), max(largest, (peak, path))
            if status != 0 or seconds > MOST_SECONDS or peak > MOST_MIB:
                faults.append(f"{name} {path}: status {status}, {seconds:.2f} s, {peak:.0f} MiB")
        print(
            f"{name}: {len(files)} files in {time.monotonic() - start:.0f} s; the slowest {slowest[0]:.2f} s"
            f" ({os.path.basename(slowest[1])}), the largest {largest[0]:.0f} MiB ({os.path.basename(largest[1])})"
        )
    print("\n".join(faults))
    return 1 if faults or not doors else 0


if __name__ == "__main__":
    sys.exit(main())
