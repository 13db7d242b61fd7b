// Written by bindings/doors from bindings/facade; edit those.
/** Starts the module: the exports of an instance of its WebAssembly. */
export function start(instance: { exports: object }): void;

/** The version of bitwall. */
export function version(): string;

/** A part of a picture at its place in the level. Turn it about its middle after it is mirrored. */
export interface Sprite {
  /** The number of the picture in `Scene.pictures`, from 0; -1 for a box of one colour. */
  picture: number;
  /** The left edge of the part in the picture. */
  sourceX: number;
  /** The top edge of the part. */
  sourceY: number;
  /** The width of the part. */
  sourceW: number;
  /** The height of the part. */
  sourceH: number;
  /** The middle of the drawing along x, in pixels of the level (of the screen for an isometric map). */
  x: number;
  /** The middle of the drawing along y. */
  y: number;
  /** The width to which the part is scaled. */
  w: number;
  /** The height to which the part is scaled. */
  h: number;
  /** True if the part is mirrored left to right. */
  flipX: boolean;
  /** True if the part is mirrored top to bottom. */
  flipY: boolean;
  /** The clockwise rotation in degrees. */
  degrees: number;
  /** True for a picture that repeats to the left and right without limit. */
  repeatX: boolean;
  /** True for a picture that repeats upward and downward without limit. */
  repeatY: boolean;
  /** The red part of the tint, or of the one colour: 0 to 1. */
  red: number;
  /** The green part. */
  green: number;
  /** The blue part. */
  blue: number;
  /** The opacity: 0 (clear) to 1. */
  alpha: number;
  /** The number of the layer in `Scene.layers`, from 0. */
  layer: number;
  /** How many pixels the layer moves along x for one of the camera; usually 1. */
  parallaxX: number;
  /** How many pixels the layer moves along y for one of the camera. */
  parallaxY: number;
}

/** What a level's maps draw, in the order of drawing. */
export declare class Scene {
  private constructor();
  /** Frees it now, not when the collector comes. */
  free(): void;
  /** Returns the paths of the pictures, one a line, by their numbers from 0. */
  pictures(): string;
  /** Returns the names of the layers that draw, one a line, by their numbers from 0. A name can be there twice. */
  layers(): string;
  /** Returns everything, from the back to the front. */
  all(): Sprite[];
  /** Returns what may be seen in a box of pixels, from the back to the front. O(all). */
  seen(x: number, y: number, w: number, h: number): Sprite[];
}

/** A level: walls as bits, with named areas and markers. Positions are pixels, x to the right, y down. */
export declare class Level {
  private constructor();
  /** Frees it now, not when the collector comes. */
  free(): void;
  /** Makes a level of a baked one. It has the cells, areas and markers of its source, and no pictures. */
  static fromBaked(bytes: Uint8Array): Level;
  /** Returns the level as the bytes of a baked one. */
  bake(): Uint8Array;
  /** Makes a level from the bytes of a file that refers to no other file. `name` is its path, for the format
   * and for errors; `options` is the text of a `bitwall.toml`, or empty. */
  static decode(name: string, bytes: Uint8Array, options?: string): Level;
  /** Makes a level from the file `path` of the files. `options` is the text of a `bitwall.toml`, or empty. */
  static fromFiles(path: string, files: Files, options?: string): Level;
  /** Returns the files that the level was made of, one a line: if one of them changes, load again. */
  files(): string;
  /** Returns what is suspicious in the files, a sentence a line. */
  warnings(): string;
  /** Returns what made a cell solid: the tile or object, its layer and the rule. Empty if nothing of a file
   * did. */
  why(column: number, row: number): string;
  /** Returns what the level's maps draw. A level without maps draws nothing. */
  scene(): Scene;
  /** Loads a level whose files the game reads: `read(path)` returns its bytes, null, or a promise of them. */
  static read(
    path: string,
    read: (path: string) => Uint8Array | null | Promise<Uint8Array | null>,
    options?: string,
  ): Promise<Level>;
  /** Loads a level from a URL, with the files to which it refers. */
  static fetch(url: string | URL, options?: string): Promise<Level>;
}

/** The files of a level that is not loaded from the disk: from an archive, an engine's resources or the
 * network. Put the level's own file first, then ask for those that are wanted until there is none. */
export declare class Files {
  private constructor();
  /** Frees it now, not when the collector comes. */
  free(): void;
  /** Makes an empty collection of files. */
  static new(): Files;
  /** Puts the bytes of a file, under the path by which it was wanted. */
  put(path: string, bytes: Uint8Array): void;
  /** Returns the path of a file to which the files so far refer, each once; empty if there is none. A file that
   * cannot be had is not put. `pictures` is true if the pictures for drawing are wanted too: a load reads one
   * only if a map uses tiles beyond those that its tileset states. Maps that a world finds by a pattern are
   * not named. */
  wanted(pictures: boolean): string;
}

