// Nanoseconds a call, the best of many short rounds: node speed.mjs DIST level.tmx
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , dist, path] = process.argv;
const { Platformer } = await import(pathToFileURL(`${dist}/index.js`));
const { readLevel } = await import(pathToFileURL(`${dist}/load.js`));
const { instance } = await WebAssembly.instantiate(readFileSync(`${dist}/core.wasm`));
const level = await readLevel(path, (path) => readFileSync(path));
const hero = Platformer.new(40, 40, 12, 20, 60);
const into = {}, nothing = instance.exports.bitwall_error_code;
let sum = 0;
function measure(name, count, run) {
  let best = 1e9;
  for (let round = 0; round < 300; round++) {
    const begin = performance.now();
    run(count);
    best = Math.min(best, ((performance.now() - begin) * 1e6) / count);
  }
  console.log(`Node   ${name.padEnd(14)} ${best.toFixed(1).padStart(7)} ns`);
}
measure("nothing", 5e4, (n) => { for (let i = 0; i < n; i++) sum += nothing(); });
measure("can_move", 5e4, (n) => { for (let i = 0; i < n; i++) if (level.canMove(40 + (i & 255), 40 + (i & 63), 12, 20, "right", 4)) sum++; });
measure("sweep", 5e4, (n) => { for (let i = 0; i < n; i++) sum += level.sweep(40 + (i & 255), 40 + (i & 63), 12, 20, "down", 200, into).moved; });
const questions = Int32Array.from({ length: 3e5 }, (_, at) => [40 + (((at / 6) | 0) & 255), 40 + (((at / 6) | 0) & 63), 12, 20, 1, 4][at % 6]);
const answers = new Uint8Array(5e4);
measure("can_move_all", 5e4, (n) => { for (let i = 0; i < n / 5e4; i++) level.canMoveAll(questions, answers); });
measure("hero's step", 1e4, (n) => { for (let i = 0; i < n; i++) hero.step(level, ((i / 300) & 1) * 2 - 1, 0, (i & 63) < 9, false, into); });
