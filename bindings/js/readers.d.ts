// Written by bindings/doors from bindings/facade; edit those.
/** Starts the module: the exports of an instance of its WebAssembly. */
export function start(instance: { exports: object }): void;

/** The version of bitwall. */
export function version(): string;

/** A direction of motion. */
export type Dir = "left" | "right" | "up" | "down";

/** A side, or none. */
export type Side = "none" | "left" | "right" | "up" | "down";

/** What a body is made for: its first settings. */
export type Kind = "plain" | "platformer" | "top_down";

/** The way of a step along both axes. */
export type MovePath = "x_then_y" | "y_then_x" | "straight" | "straight_past_corners";

/** What a body does at a solid. */
export type Response = "stop" | "slide" | "bounce" | "cross";

/** The stance of a platformer. */
export type Stance = "air" | "ground" | "wall_slide" | "ledge" | "ledge_climb" | "ladder" | "water";

/** What a follower does. */
export type Follow = "go" | "arrived" | "no_way";

/** The shape of a marker. */
export type MarkerShape = "rectangle" | "point" | "ellipse" | "capsule" | "polygon" | "polyline";

/** What happened in a step of a world. */
export type EventKind = "crushed" | "buried" | "hit" | "begin" | "stay" | "end";

/** A box of whole pixels; it covers x <= p < x + w. */
export interface Rect {
  /** The left edge. */
  x: number;
  /** The top edge. */
  y: number;
  /** The width. */
  w: number;
  /** The height. */
  h: number;
}

/** A place or a vector in pixels, with fractions. */
export interface Point {
  /** The part along x. */
  x: number;
  /** The part along y. */
  y: number;
}

/** A pixel, if one was found. */
export interface Pixel {
  /** True if there is such a pixel. */
  found: boolean;
  /** Its x; 0 if there is none. */
  x: number;
  /** Its y; 0 if there is none. */
  y: number;
}

/** How a mover moves. Lengths are whole pixels from 0 to 256. */
export interface Settings {
  /** The way of a step along both axes. */
  path: MovePath;
  /** What the body does at a solid. */
  response: Response;
  /** The part of the speed that a bounce keeps, in percent: 0 to 100. */
  restitution: number;
  /** The side of the body on which its floor is; none for a view from above. */
  floor: Side;
  /** The highest step that the body walks up. */
  stepHeight: number;
  /** The depth to which the body is kept on a floor that falls away. */
  snapDistance: number;
  /** The steepest slope that is a floor: so many pixels up, from 0 to 65535. */
  slopeRise: number;
  /** On so many pixels aside; 0 makes every slope a floor. */
  slopeRun: number;
  /** True if the speed of a walk counts along the slope, not along the axis. */
  walksAlongSlope: boolean;
  /** How far a body that moves left is moved aside to pass a corner. */
  cornerLeft: number;
  /** The same to the right. */
  cornerRight: number;
  /** The same upward. */
  cornerUp: number;
  /** The same downward. */
  cornerDown: number;
  /** True if a body that stands against a corner glides around it. */
  slidesAroundCorners: boolean;
  /** True if one-way cells stop a body that moves left. */
  oneWayLeft: boolean;
  /** The same to the right. */
  oneWayRight: boolean;
  /** The same upward. */
  oneWayUp: boolean;
  /** The same downward. */
  oneWayDown: boolean;
}

/** What a step did. */
export interface Motion {
  /** The whole pixels moved along x. */
  movedX: number;
  /** The whole pixels moved along y. */
  movedY: number;
  /** The velocity along x that the step left: 0 after a solid. */
  velocityX: number;
  /** The velocity along y that the step left. */
  velocityY: number;
  /** True if the body stands on its floor. */
  grounded: boolean;
  /** True if the body stood on its floor before the step. */
  wasGrounded: boolean;
  /** True if a solid stopped the body on its left. */
  hitLeft: boolean;
  /** True if a solid stopped the body on its right. */
  hitRight: boolean;
  /** True if a solid stopped the body above. */
  hitUp: boolean;
  /** True if a solid stopped the body below. */
  hitDown: boolean;
  /** True if the body overlapped a solid before the step. */
  startedSolid: boolean;
  /** The stance; on the ground or in the air for a body without keys. */
  stance: Stance;
  /** The side to which a body with keys looks; none before its first key. */
  facing: Side;
  /** True if a body with keys jumped in the step. */
  jumped: boolean;
}

/** The feel of a platformer: pixels, seconds, pixels a second, pixels a second squared. All numbers are finite
 * and at least 0, but for `carry`. */
export interface Feel {
  /** The direction in which the character falls. */
  floor: Dir;
  /** The highest speed of a run. */
  topSpeed: number;
  /** The acceleration on a floor. */
  acceleration: number;
  /** The loss of speed on a floor without a key. */
  friction: number;
  /** The acceleration in the air. */
  airAcceleration: number;
  /** The loss of speed in the air without a key. */
  airFriction: number;
  /** The height of a jump with the key held. */
  jumpHeight: number;
  /** The time to the highest point of a jump. */
  jumpTime: number;
  /** The gravity of a fall, as a multiple of the gravity of a rise. */
  fallScale: number;
  /** The highest speed of a fall. */
  fallLimit: number;
  /** Below this speed along y gravity is halved while the jump key is held. */
  apexSpeed: number;
  /** The highest speed of a rise after the jump key was released. */
  releasedSpeed: number;
  /** The time for a jump after leaving a floor (coyote time). */
  coyoteTime: number;
  /** The number of jumps in the air: 0 to 255. */
  airJumps: number;
  /** The time for which a press of the jump key counts. */
  bufferTime: number;
  /** The highest speed of a fall along a wall. */
  wallSlideSpeed: number;
  /** The distance to a wall below which it can be jumped from. */
  wallReach: number;
  /** The part of the body's height that must touch a wall: 0 to 1. */
  wallContact: number;
  /** The speed of a jump from a wall, away from it. */
  wallJumpX: number;
  /** The speed of a jump from a wall, upward. */
  wallJumpY: number;
  /** The time without steering after a jump from a wall. */
  wallJumpTime: number;
  /** The distance from the body's top up to a ledge that it grabs. */
  ledgeReach: number;
  /** The time of a climb onto a ledge. */
  ledgeTime: number;
  /** The speed of a dash; 0 without dashes. */
  dashSpeed: number;
  /** The time of a dash. */
  dashTime: number;
  /** The time after a dash without another. */
  dashWait: number;
  /** The height of a crouching body; 0 without crouching. */
  crouchHeight: number;
  /** The highest speed while crouching. */
  crouchSpeed: number;
  /** The velocity of wind or a stream along x, of either sign. */
  carryX: number;
  /** The velocity of wind or a stream along y, of either sign. */
  carryY: number;
  /** The highest speed that a jump takes over from a platform. */
  momentumLimit: number;
  /** The time for which a jump still takes over a platform's speed. */
  momentumTime: number;
  /** The speed on a ladder. */
  climbSpeed: number;
  /** The distance by which a climbing body moves to the middle of its ladder. */
  ladderSnap: number;
  /** The highest speed in water. */
  swimSpeed: number;
  /** The acceleration in water. */
  swimAcceleration: number;
  /** The speed at which a body in water rises by itself. */
  floatSpeed: number;
}

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

/** The size of a level in pixels. */
export interface Size {
  /** The width of the level. */
  width: number;
  /** The height of the level. */
  height: number;
  /** The width of a cell. */
  cellWidth: number;
  /** The height of a cell. */
  cellHeight: number;
}

/** How far a box can move, and what stops it. */
export interface Sweep {
  /** The pixels that the box moves. */
  moved: number;
  /** True if something stops the box; if not, the other numbers say nothing. */
  hit: boolean;
  /** The column of the cell that stops the box. */
  column: number;
  /** The row of the cell that stops the box. */
  row: number;
  /** The normal along x: out of the solid, toward the box. */
  normalX: number;
  /** The normal along y. */
  normalY: number;
  /** The body of a world that stops the box; -1 for a cell. */
  body: number;
}

/** The first solid on a straight line. */
export interface Ray {
  /** True if there is a solid; if not, the other numbers say nothing. */
  hit: boolean;
  /** The solid pixel that the line enters first: its x. */
  x: number;
  /** The y of the pixel. */
  y: number;
  /** The column of the pixel's cell. */
  column: number;
  /** The row of the pixel's cell. */
  row: number;
  /** The normal of the side through which the line enters; 0 and 0 if the line starts in a solid. */
  normalX: number;
  /** The normal along y. */
  normalY: number;
  /** The body of a world that the line hits; -1 for a cell. */
  body: number;
  /** The part of the line before the hit, from 0 to 1. */
  fraction: number;
}

/** What the map's maker placed and what stops nobody: a spawn, a door, a path. */
export interface Marker {
  /** The left edge of the box around the marker as it is drawn. */
  x: number;
  /** The top edge of the box. */
  y: number;
  /** The width of the box; 0 for a point. */
  w: number;
  /** The height of the box; 0 for a point. */
  h: number;
  /** The x of the point, or of the middle of the box. */
  atX: number;
  /** The y of the point, or of the middle of the box. */
  atY: number;
  /** The shape. */
  shape: MarkerShape;
  /** The clockwise rotation in degrees, which the box includes. */
  rotation: number;
  /** The id of the object in its map. */
  object: number;
  /** The index of the map in its world; 0 without a world. */
  map: number;
  /** The id in its tileset of the tile that the marker shows; -1 without a tile. */
  tile: number;
  /** True if the tile is mirrored left to right. */
  flipX: boolean;
  /** True if the tile is mirrored top to bottom. */
  flipY: boolean;
}

/** An event of a step. */
export interface Event {
  /** What happened. */
  kind: EventKind;
  /** The body to which it happened, or which watches; -1 for a body that was removed before the step. */
  body: number;
  /** The other body; -1 for a cell. */
  other: number;
  /** The side of the body that the other one touches; none if they overlap. */
  side: Side;
  /** The column of the cell that was hit. */
  column: number;
  /** The row of the cell that was hit. */
  row: number;
  /** The normal of a hit along x: out of the solid, of length 1. */
  normalX: number;
  /** The normal of a hit along y. */
  normalY: number;
}

/** Where to draw a body. */
export interface Drawn {
  /** The body. */
  body: number;
  /** The left edge. */
  x: number;
  /** The top edge. */
  y: number;
  /** The width. */
  w: number;
  /** The height. */
  h: number;
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

