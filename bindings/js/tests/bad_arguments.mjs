// The rows of bad_arguments.tsv through JavaScript: node bad_arguments.mjs core.wasm bad_arguments.tsv
// A row for C counts, and a row for Python or JavaScript whose value no integer of C can have. JavaScript has words and
// truth values where C has numbers, and refuses a number that is no whole one of 32 bits before its own bounds.
import assert from "node:assert";
import { readFileSync } from "node:fs";
import { Feel, Level, Mover, Platformer, World, start } from "../core.js";

start((await WebAssembly.instantiate(readFileSync(process.argv[2]))).instance);
const level = Level.new(40, 20, 16, 8), mover = Mover.new(8, 8, 8, 8, "platformer");
const good = { x: 0, y: 0, w: 8, h: 8, dir: "right", step: 3, side: "right", open: true, column: 1, row: 1, solid: true,
  gravity: 1, body: 0, fps: 60, jump_height: 50, jump_time: 0.4, radius: 3, kind: "platformer", columns: 4, rows: 4, cell_width: 8, cell_height: 8, step_height: 4, snap_distance: 4,
  velocity: 1 };
const world = World.new(60), body = world.addCharacter(8, 8, 8, 8, "platformer");
function feel(fps, jumpHeight, jumpTime) {
  Platformer.new(8, 8, 8, 8, fps).setFeel({ ...Feel.usual(), jumpHeight, jumpTime });
}
const functions = {
  set_velocity: ["velocity", (velocity) => world.setVelocity(body, 0, velocity)],
  add_pushable: ["gravity", (gravity) => world.addPushable(0, 0, 8, 8, 1, gravity)],
  add_character: ["kind", (kind) => world.addCharacter(0, 0, 8, 8, kind)],
  world_rect: ["body", (each) => world.bounds(each)],
  platformer: ["fps jump_height jump_time", feel],
  level_new: ["columns rows cell_width cell_height", (...all) => Level.new(...all)],
  is_solid: ["x y", (...all) => level.isSolid(...all)],
  overlaps: ["x y w h", (...all) => level.overlaps(...all)],
  area_overlaps: ["x y w h", (...all) => level.areaOverlaps("water", ...all)],
  can_move: ["x y w h dir step", (...all) => level.canMove(...all)],
  sweep: ["x y w h dir step", (...all) => level.sweep(...all)],
  open_side: ["side open", (...all) => level.openSide(...all)],
  set_cell: ["column row solid", (...all) => level.setCell(...all)],
  set_box: ["x y w h solid", (...all) => level.setBox(...all)],
  set_disc: ["x y radius solid", (...all) => level.setDisc(...all)],
  mover_new: ["x y w h kind", (...all) => Mover.new(...all)],
  mover_steps: ["step_height snap_distance", (stepHeight, snapDistance) => mover.setSettings({ ...mover.settings(), stepHeight, snapDistance })],
  mover_place: ["x y", (...all) => mover.place(...all)],
  mover_step: ["velocity", (velocity) => mover.step(level, velocity, 0)],
};
// In an array of numbers a direction is a number, as in C.
const batch = ["x y w h dir step", (...all) => level.canMoveAll(Int32Array.from(all, (it) => (it === "right" ? 1 : it)), new Uint8Array(1))];
const values = { NaN: NaN, inf: Infinity, null: null, "[]": [], true: true };
const sides = "no text; pass left, right, up or down", truth = "no truth value; pass true or false";
const words = { dir: sides, side: sides, kind: "no text; pass plain, platformer or top_down", solid: truth, open: truth };

let tried = 0;
for (const line of readFileSync(process.argv[3], "utf8").split("\n")) {
  const [name, argument, value, , c, python, javascript, sentence] = line.split("\t");
  const isBatch = name === "can_move_all" && /^-?\d+$/.test(value);
  const [names, call] = isBatch ? batch : (functions[name] ?? ["", null]);
  const number = value in values ? values[value] : value?.startsWith('"') ? value.slice(1, -1) : Number(value);
  if (!names.split(" ").includes(argument) || (c === "-" && python !== "=" && javascript !== "=")) continue;
  if (value !== "NaN" && Number.isNaN(number)) continue;
  let said = c === "-" ? sentence : c.replace("=", sentence);
  if (number !== (number | 0)) said = said.replace(/ from .*/, "");
  if (argument in words && typeof number === "number" && !isBatch) said = `\`${argument}\` is ${words[argument]}`;
  const all = names.split(" ").map((each) => (each === argument ? number : good[each]));
  assert.throws(() => call(...all), (error) => error.message.includes(said), `${line}\n${said}`);
  tried += 1;
}

const gone = Level.new(1, 1, 1, 1);
gone.free();
gone.free();
const player = Platformer.new(0, 0, 8, 8, 60);
for (const [said, call] of [
  ["it is freed", () => gone.isSolid(0, 0)],
  ["`level` is no Level; pass a Level", () => mover.step(mover, 0, 0)],
  ["`velocity_x` is no number; pass a number", () => mover.step(level, undefined, 0)],
  ["`text` is no text; pass a string", () => Level.fromText(7, 8, 8)],
  ["`questions` is no Int32Array; pass a Int32Array", () => level.canMoveAll([0, 0, 8, 8, 1, 3], new Uint8Array(1))],
  ["`top_speed` is NaN; pass a finite number of at least 0", () => player.setFeel({ ...player.feel(), topSpeed: NaN })],
  ["`category` is 18446744073709551616; pass a whole number from 0", () => world.setCategories(body, 2n ** 64n, 0, 0)],
  ["`category` is -1; pass a whole number from 0", () => world.setCategories(body, -1n, 0, 0)],
  ["make a Level by one of its functions", () => new Level()],
]) {
  assert.throws(call, (error) => error.message.includes(said), said);
}
assert(tried > 110, String(tried));
console.log(`Node: ${tried} bad arguments in the words of the table`);
