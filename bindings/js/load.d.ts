import type { Level } from "./core.js";
import { Level as Source } from "./readers.js";

/** A level of the readers: its files, pictures (`scene`), reasons (`why`) and warnings. */
export { Source };
export type { Files, Scene, Sprite } from "./readers.js";

/** The level of a source, without its pictures. */
export function toLevel(source: Source): Level;

/** Loads a level from a URL, with the files to which it refers. `options` is the text of a `bitwall.toml`. */
export function loadLevel(url: string | URL, options?: string): Promise<Level>;

/** Loads a level whose files the game reads: `read(path)` returns their bytes, or null, or a promise of them. */
export function readLevel(
  path: string,
  read: (path: string) => Uint8Array | null | Promise<Uint8Array | null>,
  options?: string,
): Promise<Level>;

/** Makes a level of a map in Tiled's JSON that an engine has parsed already; its tilesets are in it. */
export function fromTiledJson(map: object, options?: string): Level;
