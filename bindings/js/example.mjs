// A hero walks through a level for five seconds and jumps at walls: node example.mjs level.tmx
import { readFileSync } from "node:fs";
import { Platformer } from "bitwall";
import { Source, toLevel } from "bitwall/load";

const source = await Source.read(process.argv[2], (path) => readFileSync(path));
console.log(`${source.scene().all().length} tiles of ${source.scene().pictures()}`);
const level = toLevel(source);
const spawn = level.marker(level.findMarker("player"));
const hero = Platformer.new(spawn.atX - 6, spawn.atY - 20, 12, 20, 60);
let motion = {};
for (let step = 0; step < 300; step++) {
  motion = hero.step(level, 1, 0, motion.hitRight === true && step % 2 === 1, false);
  if (step % 30 === 0) console.log(hero.bounds(), motion.stance);
}
