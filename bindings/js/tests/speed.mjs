// Nanoseconds a call, the best of many short rounds, for ../../speed.sh:
// node speed.mjs DIST level.tmx PEERS
// If `npm install phaser jsdom` ran in the folder PEERS, its arcade physics gets the same questions.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [, , dist, map, peers] = process.argv;
const { Platformer } = await import(pathToFileURL(`${dist}/index.js`));
const { readLevel } = await import(pathToFileURL(`${dist}/load.js`));
const { instance } = await WebAssembly.instantiate(readFileSync(`${dist}/core.wasm`));
const level = await readLevel(map, (path) => readFileSync(path));
let sum = 0;

function measure(who, name, count, run) {
  let best = 1e9;
  for (let round = 0; round < 60; round++) {
    const begin = performance.now();
    run(count);
    best = Math.min(best, ((performance.now() - begin) * 1e6) / count);
  }
  console.log(`${who}\t${name}\t${best.toFixed(1)}`);
}

function bitwall() {
  const hero = Platformer.new(40, 40, 12, 20, 60);
  const nothing = instance.exports.bitwall_error_code;
  const into = {}, questions = new Int32Array(3e5), answers = new Uint8Array(5e4);
  for (let i = 0; i < 5e4; i++) questions.set([40 + (i & 255), 40 + (i & 63), 12, 20, 1, 4], 6 * i);
  measure("Node", "nothing", 5e4, (n) => { for (let i = 0; i < n; i++) sum += nothing(); });
  measure("Node", "can_move", 5e4, (n) => {
    for (let i = 0; i < n; i++) if (level.canMove(40 + (i & 255), 40 + (i & 63), 12, 20, "right", 4)) sum++;
  });
  measure("Node", "sweep", 5e4, (n) => {
    for (let i = 0; i < n; i++)
      sum += level.sweep(40 + (i & 255), 40 + (i & 63), 12, 20, "down", 200, into).moved;
  });
  measure("Node", "can_move_all", 5e4, () => level.canMoveAll(questions, answers));
  measure("Node", "step", 1e4, (n) => {
    for (let i = 0; i < n; i++) hero.step(level, ((i / 300) & 1) * 2 - 1, 0, (i & 63) < 9, false, into);
  });
}

// Phaser wants a page: jsdom's, in which a picture is there at once and a canvas draws nothing.
class Picture {
  width = 1;
  height = 1;
  set src(url) { setTimeout(() => this.onload?.()); }
}
function makePage({ JSDOM }) {
  const { window } = new JSDOM();
  const canvas = new Proxy({}, { get: (kept, name) => kept[name] ?? (() => ({ data: [0, 0, 0, 0] })) });
  window.HTMLCanvasElement.prototype.getContext = () => canvas;
  window.requestAnimationFrame = (frame) => setTimeout(frame, 1);
  Object.assign(globalThis, { window, Image: Picture, cancelAnimationFrame: clearTimeout });
  const elements = ["Element", "HTMLElement", "HTMLCanvasElement", "HTMLVideoElement"];
  for (const name of ["document", "navigator", "screen", ...elements]) globalThis[name] = window[name];
}
function phaser({ make, add, physics }) {
  const who = "Phaser, `collide` with a layer";
  const data = [];
  for (let y = 0; y < 288; y += 16)
    data.push(Array.from({ length: 64 }, (_, column) => +level.isSolid(16 * column + 8, y + 8)));
  const tiles = make.tilemap({ data, tileWidth: 16, tileHeight: 16 });
  const layer = tiles.createLayer(0, tiles.addTilesetImage("tiles", "__DEFAULT", 16, 16)).setCollision([1]);
  const zone = add.zone(0, 0, 12, 20).setOrigin(0);
  const { body } = physics.add.existing(zone), { world } = physics;
  measure(who, "can_move", 5e4, (n) => {
    for (let i = 0; i < n; i++) {
      body.reset(40 + (i & 255), 40 + (i & 63));
      body.position.x += 4;
      if (!world.collide(zone, layer)) sum++;
    }
  });
  world.gravity.y = 600;
  world.setBounds(0, 0, 1024, 288);
  body.setCollideWorldBounds(true);
  physics.add.collider(zone, layer);
  measure(who, "step", 1e4, (n) => {
    for (let i = 0; i < n; i++) {
      body.setVelocityX(((i / 300) & 1) * 180 - 90);
      if ((i & 63) < 9 && body.blocked.down) body.setVelocityY(-220);
      world.step(1 / 60);
      world.postUpdate();
    }
  });
  process.exit(sum > 0 && body.bottom <= 256 ? 0 : 1); // it stands on the hills
}

bitwall();
try {
  const require = createRequire(resolve(peers, "package.json"));
  makePage(require("jsdom"));
  const Phaser = require("phaser");
  const scene = { create() { phaser(this); } };
  const audio = { noAudio: true }, physics = { default: "arcade" };
  new Phaser.Game({ type: Phaser.HEADLESS, banner: false, audio, physics, scene });
} catch (error) {
  console.log(`not measured: Phaser. ${error.message.split("\n")[0]}`);
}
