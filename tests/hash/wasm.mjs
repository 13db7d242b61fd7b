// Runs a WebAssembly module of tests/hash and prints its hash.
//
// node wasm.mjs FILE        calls the function `hash` of a module without a system
// node wasm.mjs --wasi FILE runs a program, which prints the hash itself

import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [mode, file] = process.argv.length > 3 ? process.argv.slice(2) : ["", process.argv[2]];
const module = await WebAssembly.compile(await readFile(file));
if (mode === "--wasi") {
    const wasi = new WASI({ version: "preview1" });
    process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
} else {
    const instance = await WebAssembly.instantiate(module, {});
    const hash = BigInt.asUintN(64, instance.exports.hash());
    console.log(hash.toString(16).padStart(16, "0"));
}
