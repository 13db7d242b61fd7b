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

/** The feel of a platformer: pixels, seconds, pixels a second, pixels a second squared. All numbers are finite
 * and at least 0, but for `carry`. */
export declare class Feel {
  private constructor();
  /** Returns the usual feel, for tiles of 16 pixels. */
  static usual(into?: Feel): Feel;
}

/** One body that slides, climbs steps and slopes, and keeps fractions of a pixel. The game has its velocity. */
export declare class Mover {
  private constructor();
  /** Frees it now, not when the collector comes. */
  free(): void;
  /** Makes a mover with the settings of its kind. */
  static new(x: number, y: number, w: number, h: number, kind: Kind): Mover;
  /** Returns the settings, for a change of some of them. */
  settings(into?: Settings): Settings;
  /** Sets all settings. */
  setSettings(settings: Settings): void;
  /** Puts the top-left corner at a pixel, through all solids. */
  place(x: number, y: number): void;
  /** Moves by a velocity in pixels a step, as far as the level allows and at most 4096 pixels. */
  step(level: Level, velocityX: number, velocityY: number, into?: Motion): Motion;
  /** Changes the size, as for a crouch; the side `anchor` stays. False, and nothing changes, if there is no
   * room. */
  resize(level: Level, w: number, h: number, anchor: Side): boolean;
  /** Drops through the one-way floor on which the body stands. False if it stands on none. */
  dropThrough(level: Level): boolean;
  /** Moves a body that overlaps a solid to the nearest free place, at most `radius` pixels away. Returns that
   * move, or none if there is no such place. */
  unstick(level: Level, radius: number, into?: Pixel): Pixel;
  /** Returns the box in whole pixels. */
  bounds(into?: Rect): Rect;
  /** Returns the exact place of the top-left corner. */
  position(into?: Point): Point;
  /** Returns where to draw the top-left corner, which also glides along slopes. */
  drawn(level: Level, into?: Point): Point;
  /** Returns a number that is equal for equal movers, on every platform. */
  checksum(): bigint;
}

/** A character that runs, jumps, climbs and swims by its keys, in a level without other bodies. */
export declare class Platformer {
  private constructor();
  /** Frees it now, not when the collector comes. */
  free(): void;
  /** Makes a character at rest in the air, for a game with `fps` steps a second, with the usual feel. */
  static new(x: number, y: number, w: number, h: number, fps: number): Platformer;
  /** Returns the feel, for a change of some of it. */
  feel(into?: Feel): Feel;
  /** Sets the whole feel. */
  setFeel(feel: Feel): void;
  /** Names the areas that are ladders and water, as in the level; empty for none. */
  setAreas(ladder: string, water: string): void;
  /** Returns the settings of the motion. */
  settings(into?: Settings): Settings;
  /** Sets the settings of the motion. The response must be to slide. */
  setSettings(settings: Settings): void;
  /** Moves by one step with the keys that are held: `x` from -1 (left) to 1 (right), `y` from -1 (up) to 1
   * (down). */
  step(level: Level, x: number, y: number, jump: boolean, dash: boolean, into?: Motion): Motion;
  /** Returns what the last step did, also that of a follower, with the velocity as it is now. Nothing moved
   * before the first step. */
  motion(into?: Motion): Motion;
  /** Puts the top-left corner at a pixel, through all solids. */
  place(x: number, y: number): void;
  /** Sets the velocity in pixels a second, as for a spring. */
  setVelocity(velocityX: number, velocityY: number): void;
  /** Gives a velocity and keeps it for some seconds, as for a knockback: no key and no gravity changes it. */
  force(velocityX: number, velocityY: number, seconds: number): void;
  /** Returns the box in whole pixels. */
  bounds(into?: Rect): Rect;
  /** Returns the exact place of the top-left corner. */
  position(into?: Point): Point;
  /** Returns where to draw the top-left corner. */
  drawn(level: Level, into?: Point): Point;
  /** Returns a number that is equal for equal characters, on every platform. */
  checksum(): bigint;
}

/** The ways of a body that runs and jumps: every link was played by a real platformer. Not every way is found,
 * but none is false. */
export declare class JumpWays {
  private constructor();
  /** Frees it now, not when the collector comes. */
  free(): void;
  /** Finds the ways of a body of this size with this feel, in a game with `fps` steps a second. It takes from
   * some milliseconds to a second. */
  static new(level: Level, w: number, h: number, feel: Feel, fps: number): JumpWays;
  /** Tells the ways that the cells of a box were edited: no link is offered that the edit may have changed. */
  edited(x: number, y: number, w: number, h: number): void;
  /** Finds the changed links after edits, for at most about `budget` steps of play. True if all are found. */
  update(level: Level, budget: number): boolean;
  /** True if a way may lead from one place of the body's top-left corner to another; false if none is known. */
  mayReach(x: number, y: number, toX: number, toY: number): boolean;
  /** Returns the jumps and falls of a way: x and y of the start and of the end of each. Between them the body
   * walks. Empty without a way, and for a walk. */
  path(x: number, y: number, toX: number, toY: number): Int32Array;
}

/** The way of one body along jump ways. */
export declare class Follower {
  private constructor();
  /** Frees it now, not when the collector comes. */
  free(): void;
  /** Makes a follower for one body. */
  static new(): Follower;
  /** Moves a character by one step toward a place, by the keys of the way. It must have the size and the feel
   * of the ways. */
  step(ways: JumpWays, level: Level, character: Platformer, toX: number, toY: number): Follow;
  /** Sets the keys that a player of a world holds in the next step of the world, by the way toward a place. The
   * player must have the size and the feel of the ways, which know neither lifts nor crates. */
  steer(ways: JumpWays, level: Level, world: World, body: number, toX: number, toY: number): Follow;
}

/** A level: walls as bits, with named areas and markers. Positions are pixels, x to the right, y down. */
export declare class Level {
  private constructor();
  /** Frees it now, not when the collector comes. */
  free(): void;
  /** Makes an empty level of `columns` x `rows` cells, each `cell_width` x `cell_height` pixels. */
  static new(columns: number, rows: number, cellWidth: number, cellHeight: number): Level;
  /** Makes a level of an engine's own map: a cell is solid where the byte is not 0. Row by row, a byte for each
   * cell. */
  static fromCells(columns: number, rows: number, cellWidth: number, cellHeight: number, cells: Uint8Array): Level;
  /** Makes a level of rows of `#` (solid) and `.` (passable). */
  static fromText(text: string, cellWidth: number, cellHeight: number): Level;
  /** Makes a level of a baked one. It has the cells, areas and markers of its source, and no pictures. */
  static fromBaked(bytes: Uint8Array): Level;
  /** Returns the level as the bytes of a baked one. */
  bake(): Uint8Array;
  /** Returns a copy of the level. */
  copy(): Level;
  /** Returns a copy whose cells are pixels, so that edits take shapes pixel by pixel. */
  inPixels(): Level;
  /** Returns the size of the level and of a cell in pixels. */
  size(into?: Size): Size;
  /** Makes the outside of the level passable or solid on one side. It is solid before. */
  openSide(side: Dir, open: boolean): void;
  /** Makes questions about boxes of this size faster, and keeps them so after edits. False if the memory for it
   * is used up. */
  prepare(w: number, h: number): boolean;
  /** True if the pixel is solid. */
  isSolid(x: number, y: number): boolean;
  /** True if the box overlaps a solid. */
  overlaps(x: number, y: number, w: number, h: number): boolean;
  /** True if the box can move by `step` pixels. The whole way counts, so no thin wall is skipped. */
  canMove(x: number, y: number, w: number, h: number, dir: Dir, step: number): boolean;
  /** Returns how far the box can move, at most `step` pixels, and the cell that stops it. */
  sweep(x: number, y: number, w: number, h: number, dir: Dir, step: number, into?: Sweep): Sweep;
  /** Answers many questions of `can_move`: each is the six numbers x, y, w, h, dir (0 left, 1 right, 2 up, 3
   * down) and step. An answer is 0 or 1. On an error some answers are written. */
  canMoveAll(questions: Int32Array, answers: Uint8Array): void;
  /** Answers many questions of `sweep`, as `can_move_all`: each answer is the pixels moved. */
  sweepAll(questions: Int32Array, answers: Int32Array): void;
  /** Returns the first solid on the line between the middles of two pixels. `corners` is true for a line that
   * may pass between two solid cells that touch at a corner. */
  ray(x: number, y: number, toX: number, toY: number, corners: boolean, into?: Ray): Ray;
  /** True if no solid is on the line between the middles of two pixels; the answer is the same both ways. */
  lineOfSight(x: number, y: number, toX: number, toY: number, corners: boolean): boolean;
  /** True if the footprint with its top-left corner at a pixel overlaps a solid. */
  footprintOverlaps(footprint: Footprint, x: number, y: number): boolean;
  /** Returns how far the footprint can move, at most `step` pixels, and the cell that stops it. */
  footprintSweep(footprint: Footprint, x: number, y: number, dir: Dir, step: number, into?: Sweep): Sweep;
  /** Makes a cell solid or passable. True if it changed. */
  setCell(column: number, row: number, solid: boolean): boolean;
  /** Makes each cell that touches the box solid or passable. True if one changed. */
  setBox(x: number, y: number, w: number, h: number, solid: boolean): boolean;
  /** Makes each cell that contains a pixel of the disc solid or passable. True if one changed. */
  setDisc(x: number, y: number, radius: number, solid: boolean): boolean;
  /** Makes each cell that contains a pixel of the footprint solid or passable. True if one changed. */
  setFootprint(footprint: Footprint, x: number, y: number, solid: boolean): boolean;
  /** Puts the cells, areas and markers of another level into this one, with the other's top-left corner at a
   * pixel that is a corner of a cell. True if a cell changed. */
  place(other: Level, x: number, y: number): boolean;
  /** Returns the cells of the box as they are now, so that `apply` undoes later edits of it. */
  patch(x: number, y: number, w: number, h: number): Patch;
  /** Puts the cells of the patch back. True if one changed. */
  apply(patch: Patch): boolean;
  /** Returns a number that is equal for equal levels, on every platform. */
  checksum(): bigint;
  /** Returns the number of markers. */
  markerCount(): number;
  /** Returns the index of the first marker with this name; -1 without one. */
  findMarker(name: string): number;
  /** Returns the place and the shape of a marker, by its index from 0 in the order of the file. */
  marker(index: number, into?: Marker): Marker;
  /** Returns the name of a marker, which may be empty. */
  markerName(index: number): string;
  /** Returns the class of a marker (Tiled also calls it type), which may be empty. */
  markerClass(index: number): string;
  /** Returns the layer of a marker, with the names of its groups. */
  markerLayer(index: number): string;
  /** Returns x and y of each point of a marker's shape as it is drawn. */
  markerPoints(index: number): Int32Array;
  /** Returns the names of a marker's properties, one a line. */
  markerProperties(index: number): string;
  /** Returns a property of a marker as a text: true or false for a flag, the digits of a number. Empty if the
   * marker has no such property, or if it is a list or a class. */
  markerText(index: number, name: string): string;
  /** Returns the names of the areas, one a line. */
  areas(): string;
  /** True if the box overlaps the named area; false if the level has no such area. */
  areaOverlaps(name: string, x: number, y: number, w: number, h: number): boolean;
  /** Returns the categories for which the named area is solid, as bits; 0 if it stops nobody. */
  areaCategory(name: string): bigint;
  /** Makes the named area solid for bodies that collide with one of these categories. False if the level has no
   * such area. */
  setAreaCategory(name: string, category: number | bigint): boolean;
  /** Returns the cells row by row: a byte for each, 1 for a solid one. */
  cells(): Uint8Array;
  /** Returns the solids in a box as rectangles that do not overlap: x, y, w and h of each. */
  rectangles(x: number, y: number, w: number, h: number): Int32Array;
  /** Returns the outlines of the solids as loops: of each the number of its points, then x and y of each point.
   * The solid is on the right; a loop around a hole runs the other way. */
  outlines(): Int32Array;
  /** Returns the surfaces of the solids in a box as chains for a physics engine: of each the number of its
   * points, then x and y of each point. */
  chains(x: number, y: number, w: number, h: number): Int32Array;
}

/** The cells of a box of a level before an edit, to undo the edit. */
export declare class Patch {
  private constructor();
  /** Frees it now, not when the collector comes. */
  free(): void;
}

/** A body or a brush that is no box: the pixels of a small picture. */
export declare class Footprint {
  private constructor();
  /** Frees it now, not when the collector comes. */
  free(): void;
  /** Makes a footprint of `width` x `height` pixels: a pixel belongs to it where the byte is not 0. Row by row,
   * a byte for each pixel. */
  static new(width: number, height: number, pixels: Uint8Array): Footprint;
  /** Makes a disc with this diameter in pixels. */
  static circle(diameter: number): Footprint;
  /** Makes a box with round ends, of `width` x `height` pixels. */
  static capsule(width: number, height: number): Footprint;
}

/** The shortest ways of boxes of one size. Prepare the size in the level first: then an edit redoes only its
 * part. */
export declare class Ways {
  private constructor();
  /** Frees it now, not when the collector comes. */
  free(): void;
  /** Makes the ways of boxes of this size in pixels. */
  static new(w: number, h: number): Ways;
  /** Returns the shortest way of the box's top-left corner to a pixel: x and y of each of its points. Empty if
   * there is none. `smooth` leaves out the points that a straight line can skip. */
  path(level: Level, x: number, y: number, toX: number, toY: number, smooth: boolean): Int32Array;
  /** Returns the way as `path`, to the place that is nearest to the pixel if the pixel itself cannot be
   * reached. */
  pathToward(level: Level, x: number, y: number, toX: number, toY: number): Int32Array;
  /** Returns the field of the ways to the nearest of some goals: `goals` is x and y of each. */
  field(level: Level, goals: Int32Array): Field;
}

/** The way of every free place to the nearest of some goals, for a crowd. An edit of the level does not change
 * it. */
export declare class Field {
  private constructor();
  /** Frees it now, not when the collector comes. */
  free(): void;
  /** Returns the next step from a pixel: -1, 0 or 1 along each axis. None at a goal, and where no goal can be
   * reached. */
  step(x: number, y: number, into?: Pixel): Pixel;
  /** Returns the length of the way to the nearest goal in pixels, of which a diagonal step has two; -1 where no
   * goal can be reached. */
  distance(x: number, y: number): number;
}

/** Bodies in a level that move together, step by step. */
export declare class World {
  private constructor();
  /** Frees it now, not when the collector comes. */
  free(): void;
  /** Makes a world without bodies, for a game with `fps` steps a second. */
  static new(fps: number): World;
  /** Adds a character, and returns its number. It moves by its velocity, or by keys as a player. */
  addCharacter(x: number, y: number, w: number, h: number, kind: Kind): number;
  /** Adds a platform, which carries and pushes other bodies and which nothing stops. A one-way platform is
   * solid only from above. */
  addPlatform(x: number, y: number, w: number, h: number, oneWay: boolean): number;
  /** Adds a platform in the shape of a level's solid cells. */
  addPiece(x: number, y: number, piece: Level): number;
  /** Adds a crate that falls and can be pushed. `mass` is 0 to 65535; `gravity` is in pixels a second squared. */
  addPushable(x: number, y: number, w: number, h: number, mass: number, gravity: number): number;
  /** Adds a ball that bounces. `mass` is 0 to 65535; with 0 nothing moves it. */
  addBall(x: number, y: number, diameter: number, mass: number): number;
  /** Adds a bullet, which flies straight until something stops it. */
  addBullet(x: number, y: number, w: number, h: number): number;
  /** Adds a sensor, which is not solid and only watches. */
  addSensor(x: number, y: number, w: number, h: number): number;
  /** Removes a body. */
  remove(body: number): void;
  /** Returns the numbers of all bodies, in the order in which they were added. */
  bodies(): Int32Array;
  /** Returns the box of a body in whole pixels. */
  bounds(body: number, into?: Rect): Rect;
  /** Returns the exact place of the top-left corner of a body. */
  position(body: number, into?: Point): Point;
  /** Puts the top-left corner of a body at a pixel, through all solids. */
  place(body: number, x: number, y: number): void;
  /** Changes the size of a character; the side `anchor` stays. False, and nothing changes, if there is no room. */
  resize(level: Level, body: number, w: number, h: number, anchor: Side): boolean;
  /** Returns the velocity of a body in pixels a second. */
  velocity(body: number, into?: Point): Point;
  /** Sets the velocity of a body in pixels a second. */
  setVelocity(body: number, velocityX: number, velocityY: number): void;
  /** Sets the acceleration of a body, such as its gravity, in pixels a second squared. */
  setAcceleration(body: number, x: number, y: number): void;
  /** Sets what a body is, what it collides with, and what it watches for events: categories as bits. */
  setCategories(body: number, category: number | bigint, collidesWith: number | bigint, watches: number | bigint): void;
  /** Returns the settings of a character's motion. */
  settings(body: number, into?: Settings): Settings;
  /** Sets the settings of a character's motion. */
  setSettings(body: number, settings: Settings): void;
  /** Moves a platform from stop to stop: `stops` is x and y of each, `speed` in pixels a second, `wait` in
   * seconds at each. `round` goes from the last straight to the first; else it goes back the same way. Empty
   * `stops` end the path. */
  setPath(body: number, stops: Int32Array, speed: number, wait: number, round: boolean): void;
  /** Moves a platform on a circle. A turn takes `seconds`, and is counter-clockwise if they are negative. */
  setCircle(body: number, x: number, y: number, radius: number, seconds: number): void;
  /** Makes a character a player, which moves by keys with this feel; or changes the feel of a player. */
  setPlayer(body: number, feel: Feel): void;
  /** Returns the feel of a player. */
  feel(body: number, into?: Feel): Feel;
  /** Names the areas that are ladders and water for a player, as in the level; empty for none. */
  setAreas(body: number, ladder: string, water: string): void;
  /** Sets the keys that a player holds in the next steps: `x` from -1 (left) to 1 (right), `y` from -1 (up) to
   * 1 (down). */
  setInput(body: number, x: number, y: number, jump: boolean, dash: boolean): void;
  /** Gives a player a velocity and keeps it for some seconds, as for a knockback. */
  force(body: number, x: number, y: number, seconds: number): void;
  /** Returns what the last step did to a character; nothing before its first step. */
  motion(body: number, into?: Motion): Motion;
  /** Moves all bodies by one step: platforms on their paths, players by their keys, the others by their
   * velocity. */
  step(level: Level): void;
  /** Returns the events of the last step. */
  events(): Event[];
  /** Returns where to draw each body, in the order in which they were added. */
  drawn(level: Level): Drawn[];
  /** Returns the platform on which a body stands; -1 without one. */
  standingOn(body: number): number;
  /** Drops a character through the one-way floor on which it stands. False if it stands on none. */
  dropThrough(level: Level, body: number): boolean;
  /** Moves a character that overlaps a solid to the nearest free place, at most `radius` pixels away. */
  unstick(level: Level, body: number, radius: number, into?: Pixel): Pixel;
  /** Returns the bodies of some categories that overlap a box. */
  overlapping(x: number, y: number, w: number, h: number, categories: number | bigint): Int32Array;
  /** Returns the body of some categories that is nearest to a pixel, at most `radius` pixels away; -1 without
   * one. */
  nearest(x: number, y: number, radius: number, categories: number | bigint): number;
  /** Returns how far a box can move in the level and among the bodies of some categories. */
  sweep(level: Level, x: number, y: number, w: number, h: number, dir: Dir, step: number, categories: number | bigint, into?: Sweep): Sweep;
  /** Returns the first solid, or the first body of some categories, on the line between the middles of two
   * pixels. */
  ray(level: Level, x: number, y: number, toX: number, toY: number, categories: number | bigint, into?: Ray): Ray;
  /** Returns a copy of the world with its players and paths, to go back to. */
  copy(): World;
  /** Makes this world what another one is, as for going back to a copy. */
  restore(other: World): void;
  /** Returns a number that is equal for worlds with equal bodies and players, on every platform. */
  checksum(): bigint;
}

