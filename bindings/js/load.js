// The readers: levels of Tiled, worlds and masks for `bitwall`, in a module of WebAssembly of their own. It hands a level
// over as baked bytes, and can be left out of a game whose levels are baked or made of its own map.
import { Level } from "./index.js";
import { Level as Source, start } from "./readers.js";
import { inflated } from "./inflated.js";
import packed from "./load.packed.js";

start(await inflated(packed));

/** A level of the readers: its files, pictures (`scene`), reasons (`why`) and warnings. */
export { Source };

/** The level of a source, without its pictures. */
export function toLevel(source) {
  return Level.fromBaked(source.bake());
}

function handedOver(source) {
  try {
    return toLevel(source);
  } finally {
    source.free();
  }
}

/** Loads a level from a URL, with the files to which it refers. `options` is the text of a `bitwall.toml`. */
export async function loadLevel(url, options = "") {
  return handedOver(await Source.fetch(url, options));
}

/** Loads a level whose files the game reads: `read(path)` returns their bytes, or null, or a promise of them. */
export async function readLevel(path, read, options = "") {
  return handedOver(await Source.read(path, read, options));
}

/** Makes a level of a map in Tiled's JSON that an engine has parsed already; its tilesets are in it. */
export function fromTiledJson(map, options = "") {
  return handedOver(Source.decode("map.tmj", new TextEncoder().encode(JSON.stringify(map)), options));
}
