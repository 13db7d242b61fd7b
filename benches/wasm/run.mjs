// Asks the module for the answers of a baked level: node run.mjs MODULE.wasm FILE.bwl
// Prints their hash, as the native program does, and nanoseconds a query.

import { readFile } from "node:fs/promises";

const [module, file] = await Promise.all(process.argv.slice(2, 4).map((path) => readFile(path)));
const { instance } = await WebAssembly.instantiate(module, {});
const { memory, room, answers_of_baked } = instance.exports;
const at = room(file.length);
new Uint8Array(memory.buffer).set(file, at);
const count = 4_000_000;
const time = (count) => {
    const start = performance.now();
    const hash = answers_of_baked(at, file.length, count);
    return [hash, (performance.now() - start) * 1e6];
};
const hash = BigInt.asUintN(64, time(count)[0]).toString(16).padStart(16, "0");
const best = Math.min(...Array.from({ length: 5 }, () => time(count)[1] - time(0)[1]));
console.log(`${hash} ${(best / count).toFixed(1)} ns a query`);
