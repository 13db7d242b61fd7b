// Written by bindings/doors from bindings/facade; edit those.
// bitwall: level collision for 2D games, for browsers, bundlers and Node. Positions are whole pixels, x to
// the right, y down; a box covers x <= p < x + w. A wrong argument throws a sentence that says what is
// allowed. `start` comes first.
let wasm, scratch, lastView;
let rooms = [];
const encoder = new TextEncoder(), decoder = new TextDecoder(), secret = Symbol("bitwall");

/** Starts the module: the exports of an instance of its WebAssembly. */
export function start(instance) {
  wasm = instance.exports;
  scratch = wasm.bitwall_room(256);
}

/** The memory, which gets another buffer when it grows. */
function view() {
  if (lastView?.buffer !== wasm.memory.buffer) lastView = new DataView(wasm.memory.buffer);
  return lastView;
}
function bytes(at) {
  return new Uint8Array(wasm.memory.buffer, at);
}
function getText(at) {
  const all = bytes(at);
  return decoder.decode(all.subarray(0, all.indexOf(0)));
}
function fail() {
  throw new Error(getText(wasm.bitwall_error_text()));
}
function check(answer) {
  if (answer < -1) fail();
  return answer;
}

function shown(value) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return String(value).replace("e+", "e");
}
function refuse(name, value, kind, allowed) {
  const what = typeof value === "number" && kind === "no number" ? shown(value) : kind;
  throw new TypeError(`\`${name}\` is ${what}; pass ${allowed}`);
}
function int(value, name) {
  if (value === (value | 0)) return value;
  return refuse(name, value, "no number", "a whole number from -2147483648 to 2147483647");
}
function real(value, name) {
  if (typeof value === "number") return value;
  return refuse(name, value, "no number", "a number");
}
function flag(value, name) {
  if (value === true) return 1;
  if (value === false) return 0;
  return refuse(name, value, "no truth value", "true or false");
}
function word(value, name) {
  if (typeof value === "bigint" && value === BigInt.asUintN(64, value)) return value;
  if (Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  const kind = typeof value === "bigint" ? String(value) : "no number";
  return refuse(name, value, kind, "a whole number from 0 to 18446744073709551615, as a number or a bigint");
}
function none(names, value, name) {
  const what = typeof value === "string" ? value : "no text";
  throw new TypeError(`\`${name}\` is ${what}; pass ${names.slice(0, -1).join(", ")} or ${names.at(-1)}`);
}
function handle(value, type, name) {
  if (value instanceof type) return value.at;
  return refuse(name, value, `no ${type.name}`, `a ${type.name}`);
}

/** Room in the memory until `freeRooms`. */
function room(size) {
  const at = wasm.bitwall_room(size);
  rooms.push(at, size);
  return at;
}
function freeRooms() {
  while (rooms.length > 0) {
    const size = rooms.pop();
    wasm.bitwall_room_free(rooms.pop(), size);
  }
}
function putText(value, name) {
  if (typeof value !== "string") refuse(name, value, "no text", "a string");
  const text = encoder.encode(value + "\0"), at = room(text.length);
  bytes(at).set(text);
  return at;
}
function putArray(array, type, name) {
  if (!(array instanceof type)) refuse(name, array, `no ${type.name}`, `a ${type.name}`);
  const at = room(array.byteLength);
  new type(wasm.memory.buffer, at, array.length).set(array);
  return at;
}
function takeArray(array, at) {
  array.set(new array.constructor(wasm.memory.buffer, at, array.length));
}
function count() {
  return view().getUint32(scratch, true);
}
function getArray(list, type) {
  return new type(wasm.memory.buffer, list, count()).slice();
}
function getRecords(list, size, get) {
  return Array.from({ length: count() }, (_, index) => get(list + index * size));
}

const gone = new FinalizationRegistry(([free, at]) => free(at));
class Handle {
  #at;
  #free;
  constructor(key, at, free) {
    if (key !== secret) {
      const name = new.target.name;
      throw new TypeError(`make a ${name} by one of its functions, as ${name}.new`);
    }
    this.#at = at;
    this.#free = free;
    gone.register(this, [free, at], this);
  }
  get at() {
    if (this.#at === 0) throw new Error("it is freed");
    return this.#at;
  }
  free() {
    if (this.#at === 0) return;
    gone.unregister(this);
    this.#free(this.#at);
    this.#at = 0;
  }
}

const dirNames = ["left", "right", "up", "down"];
function dirNumber(value, name) {
  switch (value) {
    case "left": return 0;
    case "right": return 1;
    case "up": return 2;
    case "down": return 3;
    default: return none(dirNames, value, name);
  }
}
const sideNames = ["none", "left", "right", "up", "down"];
function sideNumber(value, name) {
  switch (value) {
    case "none": return 0;
    case "left": return 1;
    case "right": return 2;
    case "up": return 3;
    case "down": return 4;
    default: return none(sideNames, value, name);
  }
}
const kindNames = ["plain", "platformer", "top_down"];
function kindNumber(value, name) {
  switch (value) {
    case "plain": return 0;
    case "platformer": return 1;
    case "top_down": return 2;
    default: return none(kindNames, value, name);
  }
}
const movePathNames = ["x_then_y", "y_then_x", "straight", "straight_past_corners"];
function movePathNumber(value, name) {
  switch (value) {
    case "x_then_y": return 0;
    case "y_then_x": return 1;
    case "straight": return 2;
    case "straight_past_corners": return 3;
    default: return none(movePathNames, value, name);
  }
}
const responseNames = ["stop", "slide", "bounce", "cross"];
function responseNumber(value, name) {
  switch (value) {
    case "stop": return 0;
    case "slide": return 1;
    case "bounce": return 2;
    case "cross": return 3;
    default: return none(responseNames, value, name);
  }
}
const stanceNames = ["air", "ground", "wall_slide", "ledge", "ledge_climb", "ladder", "water"];
function stanceNumber(value, name) {
  switch (value) {
    case "air": return 0;
    case "ground": return 1;
    case "wall_slide": return 2;
    case "ledge": return 3;
    case "ledge_climb": return 4;
    case "ladder": return 5;
    case "water": return 6;
    default: return none(stanceNames, value, name);
  }
}
const followNames = ["go", "arrived", "no_way"];
function followNumber(value, name) {
  switch (value) {
    case "go": return 0;
    case "arrived": return 1;
    case "no_way": return 2;
    default: return none(followNames, value, name);
  }
}
const markerShapeNames = ["rectangle", "point", "ellipse", "capsule", "polygon", "polyline"];
function markerShapeNumber(value, name) {
  switch (value) {
    case "rectangle": return 0;
    case "point": return 1;
    case "ellipse": return 2;
    case "capsule": return 3;
    case "polygon": return 4;
    case "polyline": return 5;
    default: return none(markerShapeNames, value, name);
  }
}
const eventKindNames = ["crushed", "buried", "hit", "begin", "stay", "end"];
function eventKindNumber(value, name) {
  switch (value) {
    case "crushed": return 0;
    case "buried": return 1;
    case "hit": return 2;
    case "begin": return 3;
    case "stay": return 4;
    case "end": return 5;
    default: return none(eventKindNames, value, name);
  }
}
function getRect(at, into = {}) {
  const all = view();
  into.x = all.getInt32(at + 0, true);
  into.y = all.getInt32(at + 4, true);
  into.w = all.getInt32(at + 8, true);
  into.h = all.getInt32(at + 12, true);
  return into;
}
function getPoint(at, into = {}) {
  const all = view();
  into.x = all.getFloat64(at + 0, true);
  into.y = all.getFloat64(at + 8, true);
  return into;
}
function getPixel(at, into = {}) {
  const all = view();
  into.found = all.getUint8(at + 0) === 1;
  into.x = all.getInt32(at + 4, true);
  into.y = all.getInt32(at + 8, true);
  return into;
}
function getSettings(at, into = {}) {
  const all = view();
  into.path = movePathNames[all.getInt32(at + 0, true)];
  into.response = responseNames[all.getInt32(at + 4, true)];
  into.restitution = all.getInt32(at + 8, true);
  into.floor = sideNames[all.getInt32(at + 12, true)];
  into.stepHeight = all.getInt32(at + 16, true);
  into.snapDistance = all.getInt32(at + 20, true);
  into.slopeRise = all.getInt32(at + 24, true);
  into.slopeRun = all.getInt32(at + 28, true);
  into.walksAlongSlope = all.getUint8(at + 32) === 1;
  into.cornerLeft = all.getInt32(at + 36, true);
  into.cornerRight = all.getInt32(at + 40, true);
  into.cornerUp = all.getInt32(at + 44, true);
  into.cornerDown = all.getInt32(at + 48, true);
  into.slidesAroundCorners = all.getUint8(at + 52) === 1;
  into.oneWayLeft = all.getUint8(at + 53) === 1;
  into.oneWayRight = all.getUint8(at + 54) === 1;
  into.oneWayUp = all.getUint8(at + 55) === 1;
  into.oneWayDown = all.getUint8(at + 56) === 1;
  return into;
}
function getMotion(at, into = {}) {
  const all = view();
  into.movedX = all.getInt32(at + 0, true);
  into.movedY = all.getInt32(at + 4, true);
  into.velocityX = all.getFloat32(at + 8, true);
  into.velocityY = all.getFloat32(at + 12, true);
  into.grounded = all.getUint8(at + 16) === 1;
  into.wasGrounded = all.getUint8(at + 17) === 1;
  into.hitLeft = all.getUint8(at + 18) === 1;
  into.hitRight = all.getUint8(at + 19) === 1;
  into.hitUp = all.getUint8(at + 20) === 1;
  into.hitDown = all.getUint8(at + 21) === 1;
  into.startedSolid = all.getUint8(at + 22) === 1;
  into.stance = stanceNames[all.getInt32(at + 24, true)];
  into.facing = sideNames[all.getInt32(at + 28, true)];
  into.jumped = all.getUint8(at + 32) === 1;
  return into;
}
function getFeel(at, into = {}) {
  const all = view();
  into.floor = dirNames[all.getInt32(at + 0, true)];
  into.topSpeed = all.getFloat32(at + 4, true);
  into.acceleration = all.getFloat32(at + 8, true);
  into.friction = all.getFloat32(at + 12, true);
  into.airAcceleration = all.getFloat32(at + 16, true);
  into.airFriction = all.getFloat32(at + 20, true);
  into.jumpHeight = all.getFloat32(at + 24, true);
  into.jumpTime = all.getFloat32(at + 28, true);
  into.fallScale = all.getFloat32(at + 32, true);
  into.fallLimit = all.getFloat32(at + 36, true);
  into.apexSpeed = all.getFloat32(at + 40, true);
  into.releasedSpeed = all.getFloat32(at + 44, true);
  into.coyoteTime = all.getFloat32(at + 48, true);
  into.airJumps = all.getInt32(at + 52, true);
  into.bufferTime = all.getFloat32(at + 56, true);
  into.wallSlideSpeed = all.getFloat32(at + 60, true);
  into.wallReach = all.getInt32(at + 64, true);
  into.wallContact = all.getFloat32(at + 68, true);
  into.wallJumpX = all.getFloat32(at + 72, true);
  into.wallJumpY = all.getFloat32(at + 76, true);
  into.wallJumpTime = all.getFloat32(at + 80, true);
  into.ledgeReach = all.getInt32(at + 84, true);
  into.ledgeTime = all.getFloat32(at + 88, true);
  into.dashSpeed = all.getFloat32(at + 92, true);
  into.dashTime = all.getFloat32(at + 96, true);
  into.dashWait = all.getFloat32(at + 100, true);
  into.crouchHeight = all.getInt32(at + 104, true);
  into.crouchSpeed = all.getFloat32(at + 108, true);
  into.carryX = all.getFloat32(at + 112, true);
  into.carryY = all.getFloat32(at + 116, true);
  into.momentumLimit = all.getFloat32(at + 120, true);
  into.momentumTime = all.getFloat32(at + 124, true);
  into.climbSpeed = all.getFloat32(at + 128, true);
  into.ladderSnap = all.getInt32(at + 132, true);
  into.swimSpeed = all.getFloat32(at + 136, true);
  into.swimAcceleration = all.getFloat32(at + 140, true);
  into.floatSpeed = all.getFloat32(at + 144, true);
  return into;
}
function getSize(at, into = {}) {
  const all = view();
  into.width = all.getInt32(at + 0, true);
  into.height = all.getInt32(at + 4, true);
  into.cellWidth = all.getInt32(at + 8, true);
  into.cellHeight = all.getInt32(at + 12, true);
  return into;
}
function getSweep(at, into = {}) {
  const all = view();
  into.moved = all.getInt32(at + 0, true);
  into.hit = all.getUint8(at + 4) === 1;
  into.column = all.getInt32(at + 8, true);
  into.row = all.getInt32(at + 12, true);
  into.normalX = all.getInt32(at + 16, true);
  into.normalY = all.getInt32(at + 20, true);
  into.body = all.getInt32(at + 24, true);
  return into;
}
function getRay(at, into = {}) {
  const all = view();
  into.hit = all.getUint8(at + 0) === 1;
  into.x = all.getInt32(at + 4, true);
  into.y = all.getInt32(at + 8, true);
  into.column = all.getInt32(at + 12, true);
  into.row = all.getInt32(at + 16, true);
  into.normalX = all.getInt32(at + 20, true);
  into.normalY = all.getInt32(at + 24, true);
  into.body = all.getInt32(at + 28, true);
  into.fraction = all.getFloat64(at + 32, true);
  return into;
}
function getMarker(at, into = {}) {
  const all = view();
  into.x = all.getInt32(at + 0, true);
  into.y = all.getInt32(at + 4, true);
  into.w = all.getInt32(at + 8, true);
  into.h = all.getInt32(at + 12, true);
  into.atX = all.getInt32(at + 16, true);
  into.atY = all.getInt32(at + 20, true);
  into.shape = markerShapeNames[all.getInt32(at + 24, true)];
  into.rotation = all.getFloat32(at + 28, true);
  into.object = all.getInt32(at + 32, true);
  into.map = all.getInt32(at + 36, true);
  into.tile = all.getInt32(at + 40, true);
  into.flipX = all.getUint8(at + 44) === 1;
  into.flipY = all.getUint8(at + 45) === 1;
  return into;
}
function getEvent(at, into = {}) {
  const all = view();
  into.kind = eventKindNames[all.getInt32(at + 0, true)];
  into.body = all.getInt32(at + 4, true);
  into.other = all.getInt32(at + 8, true);
  into.side = sideNames[all.getInt32(at + 12, true)];
  into.column = all.getInt32(at + 16, true);
  into.row = all.getInt32(at + 20, true);
  into.normalX = all.getFloat32(at + 24, true);
  into.normalY = all.getFloat32(at + 28, true);
  return into;
}
function getDrawn(at, into = {}) {
  const all = view();
  into.body = all.getInt32(at + 0, true);
  into.x = all.getFloat32(at + 4, true);
  into.y = all.getFloat32(at + 8, true);
  into.w = all.getFloat32(at + 12, true);
  into.h = all.getFloat32(at + 16, true);
  return into;
}
function putSettings(from, name) {
  if (Object(from) !== from) refuse(name, from, "no object", "an object with all fields");
  const at = room(60), all = view();
  all.setInt32(at + 0, movePathNumber(from.path, "path"), true);
  all.setInt32(at + 4, responseNumber(from.response, "response"), true);
  all.setInt32(at + 8, int(from.restitution, "restitution"), true);
  all.setInt32(at + 12, sideNumber(from.floor, "floor"), true);
  all.setInt32(at + 16, int(from.stepHeight, "step_height"), true);
  all.setInt32(at + 20, int(from.snapDistance, "snap_distance"), true);
  all.setInt32(at + 24, int(from.slopeRise, "slope_rise"), true);
  all.setInt32(at + 28, int(from.slopeRun, "slope_run"), true);
  all.setUint8(at + 32, flag(from.walksAlongSlope, "walks_along_slope"));
  all.setInt32(at + 36, int(from.cornerLeft, "corner_left"), true);
  all.setInt32(at + 40, int(from.cornerRight, "corner_right"), true);
  all.setInt32(at + 44, int(from.cornerUp, "corner_up"), true);
  all.setInt32(at + 48, int(from.cornerDown, "corner_down"), true);
  all.setUint8(at + 52, flag(from.slidesAroundCorners, "slides_around_corners"));
  all.setUint8(at + 53, flag(from.oneWayLeft, "one_way_left"));
  all.setUint8(at + 54, flag(from.oneWayRight, "one_way_right"));
  all.setUint8(at + 55, flag(from.oneWayUp, "one_way_up"));
  all.setUint8(at + 56, flag(from.oneWayDown, "one_way_down"));
  return at;
}
function putFeel(from, name) {
  if (Object(from) !== from) refuse(name, from, "no object", "an object with all fields");
  const at = room(148), all = view();
  all.setInt32(at + 0, dirNumber(from.floor, "floor"), true);
  all.setFloat32(at + 4, real(from.topSpeed, "top_speed"), true);
  all.setFloat32(at + 8, real(from.acceleration, "acceleration"), true);
  all.setFloat32(at + 12, real(from.friction, "friction"), true);
  all.setFloat32(at + 16, real(from.airAcceleration, "air_acceleration"), true);
  all.setFloat32(at + 20, real(from.airFriction, "air_friction"), true);
  all.setFloat32(at + 24, real(from.jumpHeight, "jump_height"), true);
  all.setFloat32(at + 28, real(from.jumpTime, "jump_time"), true);
  all.setFloat32(at + 32, real(from.fallScale, "fall_scale"), true);
  all.setFloat32(at + 36, real(from.fallLimit, "fall_limit"), true);
  all.setFloat32(at + 40, real(from.apexSpeed, "apex_speed"), true);
  all.setFloat32(at + 44, real(from.releasedSpeed, "released_speed"), true);
  all.setFloat32(at + 48, real(from.coyoteTime, "coyote_time"), true);
  all.setInt32(at + 52, int(from.airJumps, "air_jumps"), true);
  all.setFloat32(at + 56, real(from.bufferTime, "buffer_time"), true);
  all.setFloat32(at + 60, real(from.wallSlideSpeed, "wall_slide_speed"), true);
  all.setInt32(at + 64, int(from.wallReach, "wall_reach"), true);
  all.setFloat32(at + 68, real(from.wallContact, "wall_contact"), true);
  all.setFloat32(at + 72, real(from.wallJumpX, "wall_jump_x"), true);
  all.setFloat32(at + 76, real(from.wallJumpY, "wall_jump_y"), true);
  all.setFloat32(at + 80, real(from.wallJumpTime, "wall_jump_time"), true);
  all.setInt32(at + 84, int(from.ledgeReach, "ledge_reach"), true);
  all.setFloat32(at + 88, real(from.ledgeTime, "ledge_time"), true);
  all.setFloat32(at + 92, real(from.dashSpeed, "dash_speed"), true);
  all.setFloat32(at + 96, real(from.dashTime, "dash_time"), true);
  all.setFloat32(at + 100, real(from.dashWait, "dash_wait"), true);
  all.setInt32(at + 104, int(from.crouchHeight, "crouch_height"), true);
  all.setFloat32(at + 108, real(from.crouchSpeed, "crouch_speed"), true);
  all.setFloat32(at + 112, real(from.carryX, "carry_x"), true);
  all.setFloat32(at + 116, real(from.carryY, "carry_y"), true);
  all.setFloat32(at + 120, real(from.momentumLimit, "momentum_limit"), true);
  all.setFloat32(at + 124, real(from.momentumTime, "momentum_time"), true);
  all.setFloat32(at + 128, real(from.climbSpeed, "climb_speed"), true);
  all.setInt32(at + 132, int(from.ladderSnap, "ladder_snap"), true);
  all.setFloat32(at + 136, real(from.swimSpeed, "swim_speed"), true);
  all.setFloat32(at + 140, real(from.swimAcceleration, "swim_acceleration"), true);
  all.setFloat32(at + 144, real(from.floatSpeed, "float_speed"), true);
  return at;
}

/** The feel of a platformer: pixels, seconds, pixels a second, pixels a second squared. All numbers are finite
 * and at least 0, but for `carry`. */
export class Feel {
  /** Returns the usual feel, for tiles of 16 pixels. */
  static usual(into) {
    check(wasm.bitwall_feel_usual(scratch));
    return getFeel(scratch, into);
  }
}

/** One body that slides, climbs steps and slopes, and keeps fractions of a pixel. The game has its velocity. */
export class Mover extends Handle {
  constructor(key, at) { super(key, at, wasm.bitwall_mover_free); }
  /** Makes a mover with the settings of its kind. */
  static new(x, y, w, h, kind) {
    return new Mover(secret, wasm.bitwall_mover_new(int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), kindNumber(kind, "kind")) || fail());
  }
  /** Returns the settings, for a change of some of them. */
  settings(into) {
    check(wasm.bitwall_mover_settings(this.at, scratch));
    return getSettings(scratch, into);
  }
  /** Sets all settings. */
  setSettings(settings) {
    try {
      check(wasm.bitwall_mover_set_settings(this.at, putSettings(settings, "settings")));
    } finally {
      freeRooms();
    }
  }
  /** Puts the top-left corner at a pixel, through all solids. */
  place(x, y) {
    check(wasm.bitwall_mover_place(this.at, int(x, "x"), int(y, "y")));
  }
  /** Moves by a velocity in pixels a step, as far as the level allows and at most 4096 pixels. */
  step(level, velocityX, velocityY, into) {
    check(wasm.bitwall_mover_step(this.at, handle(level, Level, "level"), real(velocityX, "velocity_x"), real(velocityY, "velocity_y"), scratch));
    return getMotion(scratch, into);
  }
  /** Changes the size, as for a crouch; the side `anchor` stays. False, and nothing changes, if there is no
   * room. */
  resize(level, w, h, anchor) {
    return check(wasm.bitwall_mover_resize(this.at, handle(level, Level, "level"), int(w, "w"), int(h, "h"), sideNumber(anchor, "anchor"))) === 1;
  }
  /** Drops through the one-way floor on which the body stands. False if it stands on none. */
  dropThrough(level) {
    return check(wasm.bitwall_mover_drop_through(this.at, handle(level, Level, "level"))) === 1;
  }
  /** Moves a body that overlaps a solid to the nearest free place, at most `radius` pixels away. Returns that
   * move, or none if there is no such place. */
  unstick(level, radius, into) {
    check(wasm.bitwall_mover_unstick(this.at, handle(level, Level, "level"), int(radius, "radius"), scratch));
    return getPixel(scratch, into);
  }
  /** Returns the box in whole pixels. */
  bounds(into) {
    check(wasm.bitwall_mover_bounds(this.at, scratch));
    return getRect(scratch, into);
  }
  /** Returns the exact place of the top-left corner. */
  position(into) {
    check(wasm.bitwall_mover_position(this.at, scratch));
    return getPoint(scratch, into);
  }
  /** Returns where to draw the top-left corner, which also glides along slopes. */
  drawn(level, into) {
    check(wasm.bitwall_mover_drawn(this.at, handle(level, Level, "level"), scratch));
    return getPoint(scratch, into);
  }
  /** Returns a number that is equal for equal movers, on every platform. */
  checksum() {
    return BigInt.asUintN(64, wasm.bitwall_mover_checksum(this.at));
  }
}

/** A character that runs, jumps, climbs and swims by its keys, in a level without other bodies. */
export class Platformer extends Handle {
  constructor(key, at) { super(key, at, wasm.bitwall_platformer_free); }
  /** Makes a character at rest in the air, for a game with `fps` steps a second, with the usual feel. */
  static new(x, y, w, h, fps) {
    return new Platformer(secret, wasm.bitwall_platformer_new(int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), int(fps, "fps")) || fail());
  }
  /** Returns the feel, for a change of some of it. */
  feel(into) {
    check(wasm.bitwall_platformer_feel(this.at, scratch));
    return getFeel(scratch, into);
  }
  /** Sets the whole feel. */
  setFeel(feel) {
    try {
      check(wasm.bitwall_platformer_set_feel(this.at, putFeel(feel, "feel")));
    } finally {
      freeRooms();
    }
  }
  /** Names the areas that are ladders and water, as in the level; empty for none. */
  setAreas(ladder, water) {
    try {
      check(wasm.bitwall_platformer_set_areas(this.at, putText(ladder, "ladder"), putText(water, "water")));
    } finally {
      freeRooms();
    }
  }
  /** Returns the settings of the motion. */
  settings(into) {
    check(wasm.bitwall_platformer_settings(this.at, scratch));
    return getSettings(scratch, into);
  }
  /** Sets the settings of the motion. The response must be to slide. */
  setSettings(settings) {
    try {
      check(wasm.bitwall_platformer_set_settings(this.at, putSettings(settings, "settings")));
    } finally {
      freeRooms();
    }
  }
  /** Moves by one step with the keys that are held: `x` from -1 (left) to 1 (right), `y` from -1 (up) to 1
   * (down). */
  step(level, x, y, jump, dash, into) {
    check(wasm.bitwall_platformer_step(this.at, handle(level, Level, "level"), real(x, "x"), real(y, "y"), flag(jump, "jump"), flag(dash, "dash"), scratch));
    return getMotion(scratch, into);
  }
  /** Returns what the last step did, also that of a follower, with the velocity as it is now. Nothing moved
   * before the first step. */
  motion(into) {
    check(wasm.bitwall_platformer_motion(this.at, scratch));
    return getMotion(scratch, into);
  }
  /** Puts the top-left corner at a pixel, through all solids. */
  place(x, y) {
    check(wasm.bitwall_platformer_place(this.at, int(x, "x"), int(y, "y")));
  }
  /** Sets the velocity in pixels a second, as for a spring. */
  setVelocity(velocityX, velocityY) {
    check(wasm.bitwall_platformer_set_velocity(this.at, real(velocityX, "velocity_x"), real(velocityY, "velocity_y")));
  }
  /** Gives a velocity and keeps it for some seconds, as for a knockback: no key and no gravity changes it. */
  force(velocityX, velocityY, seconds) {
    check(wasm.bitwall_platformer_force(this.at, real(velocityX, "velocity_x"), real(velocityY, "velocity_y"), real(seconds, "seconds")));
  }
  /** Returns the box in whole pixels. */
  bounds(into) {
    check(wasm.bitwall_platformer_bounds(this.at, scratch));
    return getRect(scratch, into);
  }
  /** Returns the exact place of the top-left corner. */
  position(into) {
    check(wasm.bitwall_platformer_position(this.at, scratch));
    return getPoint(scratch, into);
  }
  /** Returns where to draw the top-left corner. */
  drawn(level, into) {
    check(wasm.bitwall_platformer_drawn(this.at, handle(level, Level, "level"), scratch));
    return getPoint(scratch, into);
  }
  /** Returns a number that is equal for equal characters, on every platform. */
  checksum() {
    return BigInt.asUintN(64, wasm.bitwall_platformer_checksum(this.at));
  }
}

/** The ways of a body that runs and jumps: every link was played by a real platformer. Not every way is found,
 * but none is false. */
export class JumpWays extends Handle {
  constructor(key, at) { super(key, at, wasm.bitwall_jump_ways_free); }
  /** Finds the ways of a body of this size with this feel, in a game with `fps` steps a second. It takes from
   * some milliseconds to a second. */
  static new(level, w, h, feel, fps) {
    try {
      return new JumpWays(secret, wasm.bitwall_jump_ways_new(handle(level, Level, "level"), int(w, "w"), int(h, "h"), putFeel(feel, "feel"), int(fps, "fps")) || fail());
    } finally {
      freeRooms();
    }
  }
  /** Tells the ways that the cells of a box were edited: no link is offered that the edit may have changed. */
  edited(x, y, w, h) {
    check(wasm.bitwall_jump_ways_edited(this.at, int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h")));
  }
  /** Finds the changed links after edits, for at most about `budget` steps of play. True if all are found. */
  update(level, budget) {
    return check(wasm.bitwall_jump_ways_update(this.at, handle(level, Level, "level"), int(budget, "budget"))) === 1;
  }
  /** True if a way may lead from one place of the body's top-left corner to another; false if none is known. */
  mayReach(x, y, toX, toY) {
    return check(wasm.bitwall_jump_ways_may_reach(this.at, int(x, "x"), int(y, "y"), int(toX, "to_x"), int(toY, "to_y"))) === 1;
  }
  /** Returns the jumps and falls of a way: x and y of the start and of the end of each. Between them the body
   * walks. Empty without a way, and for a walk. */
  path(x, y, toX, toY) {
    const list = wasm.bitwall_jump_ways_path(this.at, int(x, "x"), int(y, "y"), int(toX, "to_x"), int(toY, "to_y"), scratch) || fail();
    return getArray(list, Int32Array);
  }
}

/** The way of one body along jump ways. */
export class Follower extends Handle {
  constructor(key, at) { super(key, at, wasm.bitwall_follower_free); }
  /** Makes a follower for one body. */
  static new() {
    return new Follower(secret, wasm.bitwall_follower_new() || fail());
  }
  /** Moves a character by one step toward a place, by the keys of the way. It must have the size and the feel
   * of the ways. */
  step(ways, level, character, toX, toY) {
    return followNames[check(wasm.bitwall_follower_step(this.at, handle(ways, JumpWays, "ways"), handle(level, Level, "level"), handle(character, Platformer, "character"), int(toX, "to_x"), int(toY, "to_y")))];
  }
  /** Sets the keys that a player of a world holds in the next step of the world, by the way toward a place. The
   * player must have the size and the feel of the ways, which know neither lifts nor crates. */
  steer(ways, level, world, body, toX, toY) {
    return followNames[check(wasm.bitwall_follower_steer(this.at, handle(ways, JumpWays, "ways"), handle(level, Level, "level"), handle(world, World, "world"), int(body, "body"), int(toX, "to_x"), int(toY, "to_y")))];
  }
}

/** A level: walls as bits, with named areas and markers. Positions are pixels, x to the right, y down. */
export class Level extends Handle {
  constructor(key, at) { super(key, at, wasm.bitwall_level_free); }
  /** Makes an empty level of `columns` x `rows` cells, each `cell_width` x `cell_height` pixels. */
  static new(columns, rows, cellWidth, cellHeight) {
    return new Level(secret, wasm.bitwall_level_new(int(columns, "columns"), int(rows, "rows"), int(cellWidth, "cell_width"), int(cellHeight, "cell_height")) || fail());
  }
  /** Makes a level of an engine's own map: a cell is solid where the byte is not 0. Row by row, a byte for each
   * cell. */
  static fromCells(columns, rows, cellWidth, cellHeight, cells) {
    try {
      const cellsAt = putArray(cells, Uint8Array, "cells");
      return new Level(secret, wasm.bitwall_level_from_cells(int(columns, "columns"), int(rows, "rows"), int(cellWidth, "cell_width"), int(cellHeight, "cell_height"), cellsAt, cells.length) || fail());
    } finally {
      freeRooms();
    }
  }
  /** Makes a level of rows of `#` (solid) and `.` (passable). */
  static fromText(text, cellWidth, cellHeight) {
    try {
      return new Level(secret, wasm.bitwall_level_from_text(putText(text, "text"), int(cellWidth, "cell_width"), int(cellHeight, "cell_height")) || fail());
    } finally {
      freeRooms();
    }
  }
  /** Makes a level of a baked one. It has the cells, areas and markers of its source, and no pictures. */
  static fromBaked(bytes) {
    try {
      const bytesAt = putArray(bytes, Uint8Array, "bytes");
      return new Level(secret, wasm.bitwall_level_from_baked(bytesAt, bytes.length) || fail());
    } finally {
      freeRooms();
    }
  }
  /** Returns the level as the bytes of a baked one. */
  bake() {
    const list = wasm.bitwall_level_bake(this.at, scratch) || fail();
    return getArray(list, Uint8Array);
  }
  /** Returns a copy of the level. */
  copy() {
    return new Level(secret, wasm.bitwall_level_copy(this.at) || fail());
  }
  /** Returns a copy whose cells are pixels, so that edits take shapes pixel by pixel. */
  inPixels() {
    return new Level(secret, wasm.bitwall_level_in_pixels(this.at) || fail());
  }
  /** Returns the size of the level and of a cell in pixels. */
  size(into) {
    check(wasm.bitwall_level_size(this.at, scratch));
    return getSize(scratch, into);
  }
  /** Makes the outside of the level passable or solid on one side. It is solid before. */
  openSide(side, open) {
    check(wasm.bitwall_level_open_side(this.at, dirNumber(side, "side"), flag(open, "open")));
  }
  /** Makes questions about boxes of this size faster, and keeps them so after edits. False if the memory for it
   * is used up. */
  prepare(w, h) {
    return check(wasm.bitwall_level_prepare(this.at, int(w, "w"), int(h, "h"))) === 1;
  }
  /** True if the pixel is solid. */
  isSolid(x, y) {
    return check(wasm.bitwall_level_is_solid(this.at, int(x, "x"), int(y, "y"))) === 1;
  }
  /** True if the box overlaps a solid. */
  overlaps(x, y, w, h) {
    return check(wasm.bitwall_level_overlaps(this.at, int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"))) === 1;
  }
  /** True if the box can move by `step` pixels. The whole way counts, so no thin wall is skipped. */
  canMove(x, y, w, h, dir, step) {
    return check(wasm.bitwall_level_can_move(this.at, int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), dirNumber(dir, "dir"), int(step, "step"))) === 1;
  }
  /** Returns how far the box can move, at most `step` pixels, and the cell that stops it. */
  sweep(x, y, w, h, dir, step, into) {
    check(wasm.bitwall_level_sweep(this.at, int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), dirNumber(dir, "dir"), int(step, "step"), scratch));
    return getSweep(scratch, into);
  }
  /** Answers many questions of `can_move`: each is the six numbers x, y, w, h, dir (0 left, 1 right, 2 up, 3
   * down) and step. An answer is 0 or 1. On an error some answers are written. */
  canMoveAll(questions, answers) {
    try {
      const questionsAt = putArray(questions, Int32Array, "questions");
      const answersAt = putArray(answers, Uint8Array, "answers");
      check(wasm.bitwall_level_can_move_all(this.at, questionsAt, questions.length, answersAt, answers.length));
      takeArray(answers, answersAt);
    } finally {
      freeRooms();
    }
  }
  /** Answers many questions of `sweep`, as `can_move_all`: each answer is the pixels moved. */
  sweepAll(questions, answers) {
    try {
      const questionsAt = putArray(questions, Int32Array, "questions");
      const answersAt = putArray(answers, Int32Array, "answers");
      check(wasm.bitwall_level_sweep_all(this.at, questionsAt, questions.length, answersAt, answers.length));
      takeArray(answers, answersAt);
    } finally {
      freeRooms();
    }
  }
  /** Returns the first solid on the line between the middles of two pixels. `corners` is true for a line that
   * may pass between two solid cells that touch at a corner. */
  ray(x, y, toX, toY, corners, into) {
    check(wasm.bitwall_level_ray(this.at, int(x, "x"), int(y, "y"), int(toX, "to_x"), int(toY, "to_y"), flag(corners, "corners"), scratch));
    return getRay(scratch, into);
  }
  /** True if no solid is on the line between the middles of two pixels; the answer is the same both ways. */
  lineOfSight(x, y, toX, toY, corners) {
    return check(wasm.bitwall_level_line_of_sight(this.at, int(x, "x"), int(y, "y"), int(toX, "to_x"), int(toY, "to_y"), flag(corners, "corners"))) === 1;
  }
  /** True if the footprint with its top-left corner at a pixel overlaps a solid. */
  footprintOverlaps(footprint, x, y) {
    return check(wasm.bitwall_level_footprint_overlaps(this.at, handle(footprint, Footprint, "footprint"), int(x, "x"), int(y, "y"))) === 1;
  }
  /** Returns how far the footprint can move, at most `step` pixels, and the cell that stops it. */
  footprintSweep(footprint, x, y, dir, step, into) {
    check(wasm.bitwall_level_footprint_sweep(this.at, handle(footprint, Footprint, "footprint"), int(x, "x"), int(y, "y"), dirNumber(dir, "dir"), int(step, "step"), scratch));
    return getSweep(scratch, into);
  }
  /** Makes a cell solid or passable. True if it changed. */
  setCell(column, row, solid) {
    return check(wasm.bitwall_level_set_cell(this.at, int(column, "column"), int(row, "row"), flag(solid, "solid"))) === 1;
  }
  /** Makes each cell that touches the box solid or passable. True if one changed. */
  setBox(x, y, w, h, solid) {
    return check(wasm.bitwall_level_set_box(this.at, int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), flag(solid, "solid"))) === 1;
  }
  /** Makes each cell that contains a pixel of the disc solid or passable. True if one changed. */
  setDisc(x, y, radius, solid) {
    return check(wasm.bitwall_level_set_disc(this.at, int(x, "x"), int(y, "y"), int(radius, "radius"), flag(solid, "solid"))) === 1;
  }
  /** Makes each cell that contains a pixel of the footprint solid or passable. True if one changed. */
  setFootprint(footprint, x, y, solid) {
    return check(wasm.bitwall_level_set_footprint(this.at, handle(footprint, Footprint, "footprint"), int(x, "x"), int(y, "y"), flag(solid, "solid"))) === 1;
  }
  /** Puts the cells, areas and markers of another level into this one, with the other's top-left corner at a
   * pixel that is a corner of a cell. True if a cell changed. */
  place(other, x, y) {
    return check(wasm.bitwall_level_place(this.at, handle(other, Level, "other"), int(x, "x"), int(y, "y"))) === 1;
  }
  /** Returns the cells of the box as they are now, so that `apply` undoes later edits of it. */
  patch(x, y, w, h) {
    return new Patch(secret, wasm.bitwall_level_patch(this.at, int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h")) || fail());
  }
  /** Puts the cells of the patch back. True if one changed. */
  apply(patch) {
    return check(wasm.bitwall_level_apply(this.at, handle(patch, Patch, "patch"))) === 1;
  }
  /** Returns a number that is equal for equal levels, on every platform. */
  checksum() {
    return BigInt.asUintN(64, wasm.bitwall_level_checksum(this.at));
  }
  /** Returns the number of markers. */
  markerCount() {
    return check(wasm.bitwall_level_marker_count(this.at));
  }
  /** Returns the index of the first marker with this name; -1 without one. */
  findMarker(name) {
    try {
      return check(wasm.bitwall_level_find_marker(this.at, putText(name, "name")));
    } finally {
      freeRooms();
    }
  }
  /** Returns the place and the shape of a marker, by its index from 0 in the order of the file. */
  marker(index, into) {
    check(wasm.bitwall_level_marker(this.at, int(index, "index"), scratch));
    return getMarker(scratch, into);
  }
  /** Returns the name of a marker, which may be empty. */
  markerName(index) {
    return getText(wasm.bitwall_level_marker_name(this.at, int(index, "index")) || fail());
  }
  /** Returns the class of a marker (Tiled also calls it type), which may be empty. */
  markerClass(index) {
    return getText(wasm.bitwall_level_marker_class(this.at, int(index, "index")) || fail());
  }
  /** Returns the layer of a marker, with the names of its groups. */
  markerLayer(index) {
    return getText(wasm.bitwall_level_marker_layer(this.at, int(index, "index")) || fail());
  }
  /** Returns x and y of each point of a marker's shape as it is drawn. */
  markerPoints(index) {
    const list = wasm.bitwall_level_marker_points(this.at, int(index, "index"), scratch) || fail();
    return getArray(list, Int32Array);
  }
  /** Returns the names of a marker's properties, one a line. */
  markerProperties(index) {
    return getText(wasm.bitwall_level_marker_properties(this.at, int(index, "index")) || fail());
  }
  /** Returns a property of a marker as a text: true or false for a flag, the digits of a number. Empty if the
   * marker has no such property, or if it is a list or a class. */
  markerText(index, name) {
    try {
      return getText(wasm.bitwall_level_marker_text(this.at, int(index, "index"), putText(name, "name")) || fail());
    } finally {
      freeRooms();
    }
  }
  /** Returns the names of the areas, one a line. */
  areas() {
    return getText(wasm.bitwall_level_areas(this.at) || fail());
  }
  /** True if the box overlaps the named area; false if the level has no such area. */
  areaOverlaps(name, x, y, w, h) {
    try {
      return check(wasm.bitwall_level_area_overlaps(this.at, putText(name, "name"), int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"))) === 1;
    } finally {
      freeRooms();
    }
  }
  /** Returns the categories for which the named area is solid, as bits; 0 if it stops nobody. */
  areaCategory(name) {
    try {
      return BigInt.asUintN(64, wasm.bitwall_level_area_category(this.at, putText(name, "name")));
    } finally {
      freeRooms();
    }
  }
  /** Makes the named area solid for bodies that collide with one of these categories. False if the level has no
   * such area. */
  setAreaCategory(name, category) {
    try {
      return check(wasm.bitwall_level_set_area_category(this.at, putText(name, "name"), word(category, "category"))) === 1;
    } finally {
      freeRooms();
    }
  }
  /** Returns the cells row by row: a byte for each, 1 for a solid one. */
  cells() {
    const list = wasm.bitwall_level_cells(this.at, scratch) || fail();
    return getArray(list, Uint8Array);
  }
  /** Returns the solids in a box as rectangles that do not overlap: x, y, w and h of each. */
  rectangles(x, y, w, h) {
    const list = wasm.bitwall_level_rectangles(this.at, int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), scratch) || fail();
    return getArray(list, Int32Array);
  }
  /** Returns the outlines of the solids as loops: of each the number of its points, then x and y of each point.
   * The solid is on the right; a loop around a hole runs the other way. */
  outlines() {
    const list = wasm.bitwall_level_outlines(this.at, scratch) || fail();
    return getArray(list, Int32Array);
  }
  /** Returns the surfaces of the solids in a box as chains for a physics engine: of each the number of its
   * points, then x and y of each point. */
  chains(x, y, w, h) {
    const list = wasm.bitwall_level_chains(this.at, int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), scratch) || fail();
    return getArray(list, Int32Array);
  }
}

/** The cells of a box of a level before an edit, to undo the edit. */
export class Patch extends Handle {
  constructor(key, at) { super(key, at, wasm.bitwall_patch_free); }
}

/** A body or a brush that is no box: the pixels of a small picture. */
export class Footprint extends Handle {
  constructor(key, at) { super(key, at, wasm.bitwall_footprint_free); }
  /** Makes a footprint of `width` x `height` pixels: a pixel belongs to it where the byte is not 0. Row by row,
   * a byte for each pixel. */
  static new(width, height, pixels) {
    try {
      const pixelsAt = putArray(pixels, Uint8Array, "pixels");
      return new Footprint(secret, wasm.bitwall_footprint_new(int(width, "width"), int(height, "height"), pixelsAt, pixels.length) || fail());
    } finally {
      freeRooms();
    }
  }
  /** Makes a disc with this diameter in pixels. */
  static circle(diameter) {
    return new Footprint(secret, wasm.bitwall_footprint_circle(int(diameter, "diameter")) || fail());
  }
  /** Makes a box with round ends, of `width` x `height` pixels. */
  static capsule(width, height) {
    return new Footprint(secret, wasm.bitwall_footprint_capsule(int(width, "width"), int(height, "height")) || fail());
  }
}

/** The shortest ways of boxes of one size. Prepare the size in the level first: then an edit redoes only its
 * part. */
export class Ways extends Handle {
  constructor(key, at) { super(key, at, wasm.bitwall_ways_free); }
  /** Makes the ways of boxes of this size in pixels. */
  static new(w, h) {
    return new Ways(secret, wasm.bitwall_ways_new(int(w, "w"), int(h, "h")) || fail());
  }
  /** Returns the shortest way of the box's top-left corner to a pixel: x and y of each of its points. Empty if
   * there is none. `smooth` leaves out the points that a straight line can skip. */
  path(level, x, y, toX, toY, smooth) {
    const list = wasm.bitwall_ways_path(this.at, handle(level, Level, "level"), int(x, "x"), int(y, "y"), int(toX, "to_x"), int(toY, "to_y"), flag(smooth, "smooth"), scratch) || fail();
    return getArray(list, Int32Array);
  }
  /** Returns the way as `path`, to the place that is nearest to the pixel if the pixel itself cannot be
   * reached. */
  pathToward(level, x, y, toX, toY) {
    const list = wasm.bitwall_ways_path_toward(this.at, handle(level, Level, "level"), int(x, "x"), int(y, "y"), int(toX, "to_x"), int(toY, "to_y"), scratch) || fail();
    return getArray(list, Int32Array);
  }
  /** Returns the field of the ways to the nearest of some goals: `goals` is x and y of each. */
  field(level, goals) {
    try {
      const goalsAt = putArray(goals, Int32Array, "goals");
      return new Field(secret, wasm.bitwall_ways_field(this.at, handle(level, Level, "level"), goalsAt, goals.length) || fail());
    } finally {
      freeRooms();
    }
  }
}

/** The way of every free place to the nearest of some goals, for a crowd. An edit of the level does not change
 * it. */
export class Field extends Handle {
  constructor(key, at) { super(key, at, wasm.bitwall_field_free); }
  /** Returns the next step from a pixel: -1, 0 or 1 along each axis. None at a goal, and where no goal can be
   * reached. */
  step(x, y, into) {
    check(wasm.bitwall_field_step(this.at, int(x, "x"), int(y, "y"), scratch));
    return getPixel(scratch, into);
  }
  /** Returns the length of the way to the nearest goal in pixels, of which a diagonal step has two; -1 where no
   * goal can be reached. */
  distance(x, y) {
    return check(wasm.bitwall_field_distance(this.at, int(x, "x"), int(y, "y")));
  }
}

/** Bodies in a level that move together, step by step. */
export class World extends Handle {
  constructor(key, at) { super(key, at, wasm.bitwall_world_free); }
  /** Makes a world without bodies, for a game with `fps` steps a second. */
  static new(fps) {
    return new World(secret, wasm.bitwall_world_new(int(fps, "fps")) || fail());
  }
  /** Adds a character, and returns its number. It moves by its velocity, or by keys as a player. */
  addCharacter(x, y, w, h, kind) {
    return check(wasm.bitwall_world_add_character(this.at, int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), kindNumber(kind, "kind")));
  }
  /** Adds a platform, which carries and pushes other bodies and which nothing stops. A one-way platform is
   * solid only from above. */
  addPlatform(x, y, w, h, oneWay) {
    return check(wasm.bitwall_world_add_platform(this.at, int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), flag(oneWay, "one_way")));
  }
  /** Adds a platform in the shape of a level's solid cells. */
  addPiece(x, y, piece) {
    return check(wasm.bitwall_world_add_piece(this.at, int(x, "x"), int(y, "y"), handle(piece, Level, "piece")));
  }
  /** Adds a crate that falls and can be pushed. `mass` is 0 to 65535; `gravity` is in pixels a second squared. */
  addPushable(x, y, w, h, mass, gravity) {
    return check(wasm.bitwall_world_add_pushable(this.at, int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), int(mass, "mass"), real(gravity, "gravity")));
  }
  /** Adds a ball that bounces. `mass` is 0 to 65535; with 0 nothing moves it. */
  addBall(x, y, diameter, mass) {
    return check(wasm.bitwall_world_add_ball(this.at, int(x, "x"), int(y, "y"), int(diameter, "diameter"), int(mass, "mass")));
  }
  /** Adds a bullet, which flies straight until something stops it. */
  addBullet(x, y, w, h) {
    return check(wasm.bitwall_world_add_bullet(this.at, int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h")));
  }
  /** Adds a sensor, which is not solid and only watches. */
  addSensor(x, y, w, h) {
    return check(wasm.bitwall_world_add_sensor(this.at, int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h")));
  }
  /** Removes a body. */
  remove(body) {
    check(wasm.bitwall_world_remove(this.at, int(body, "body")));
  }
  /** Returns the numbers of all bodies, in the order in which they were added. */
  bodies() {
    const list = wasm.bitwall_world_bodies(this.at, scratch) || fail();
    return getArray(list, Int32Array);
  }
  /** Returns the box of a body in whole pixels. */
  bounds(body, into) {
    check(wasm.bitwall_world_bounds(this.at, int(body, "body"), scratch));
    return getRect(scratch, into);
  }
  /** Returns the exact place of the top-left corner of a body. */
  position(body, into) {
    check(wasm.bitwall_world_position(this.at, int(body, "body"), scratch));
    return getPoint(scratch, into);
  }
  /** Puts the top-left corner of a body at a pixel, through all solids. */
  place(body, x, y) {
    check(wasm.bitwall_world_place(this.at, int(body, "body"), int(x, "x"), int(y, "y")));
  }
  /** Changes the size of a character; the side `anchor` stays. False, and nothing changes, if there is no room. */
  resize(level, body, w, h, anchor) {
    return check(wasm.bitwall_world_resize(this.at, handle(level, Level, "level"), int(body, "body"), int(w, "w"), int(h, "h"), sideNumber(anchor, "anchor"))) === 1;
  }
  /** Returns the velocity of a body in pixels a second. */
  velocity(body, into) {
    check(wasm.bitwall_world_velocity(this.at, int(body, "body"), scratch));
    return getPoint(scratch, into);
  }
  /** Sets the velocity of a body in pixels a second. */
  setVelocity(body, velocityX, velocityY) {
    check(wasm.bitwall_world_set_velocity(this.at, int(body, "body"), real(velocityX, "velocity_x"), real(velocityY, "velocity_y")));
  }
  /** Sets the acceleration of a body, such as its gravity, in pixels a second squared. */
  setAcceleration(body, x, y) {
    check(wasm.bitwall_world_set_acceleration(this.at, int(body, "body"), real(x, "x"), real(y, "y")));
  }
  /** Sets what a body is, what it collides with, and what it watches for events: categories as bits. */
  setCategories(body, category, collidesWith, watches) {
    check(wasm.bitwall_world_set_categories(this.at, int(body, "body"), word(category, "category"), word(collidesWith, "collides_with"), word(watches, "watches")));
  }
  /** Returns the settings of a character's motion. */
  settings(body, into) {
    check(wasm.bitwall_world_settings(this.at, int(body, "body"), scratch));
    return getSettings(scratch, into);
  }
  /** Sets the settings of a character's motion. */
  setSettings(body, settings) {
    try {
      check(wasm.bitwall_world_set_settings(this.at, int(body, "body"), putSettings(settings, "settings")));
    } finally {
      freeRooms();
    }
  }
  /** Moves a platform from stop to stop: `stops` is x and y of each, `speed` in pixels a second, `wait` in
   * seconds at each. `round` goes from the last straight to the first; else it goes back the same way. Empty
   * `stops` end the path. */
  setPath(body, stops, speed, wait, round) {
    try {
      const stopsAt = putArray(stops, Int32Array, "stops");
      check(wasm.bitwall_world_set_path(this.at, int(body, "body"), stopsAt, stops.length, real(speed, "speed"), real(wait, "wait"), flag(round, "round")));
    } finally {
      freeRooms();
    }
  }
  /** Moves a platform on a circle. A turn takes `seconds`, and is counter-clockwise if they are negative. */
  setCircle(body, x, y, radius, seconds) {
    check(wasm.bitwall_world_set_circle(this.at, int(body, "body"), int(x, "x"), int(y, "y"), int(radius, "radius"), real(seconds, "seconds")));
  }
  /** Makes a character a player, which moves by keys with this feel; or changes the feel of a player. */
  setPlayer(body, feel) {
    try {
      check(wasm.bitwall_world_set_player(this.at, int(body, "body"), putFeel(feel, "feel")));
    } finally {
      freeRooms();
    }
  }
  /** Returns the feel of a player. */
  feel(body, into) {
    check(wasm.bitwall_world_feel(this.at, int(body, "body"), scratch));
    return getFeel(scratch, into);
  }
  /** Names the areas that are ladders and water for a player, as in the level; empty for none. */
  setAreas(body, ladder, water) {
    try {
      check(wasm.bitwall_world_set_areas(this.at, int(body, "body"), putText(ladder, "ladder"), putText(water, "water")));
    } finally {
      freeRooms();
    }
  }
  /** Sets the keys that a player holds in the next steps: `x` from -1 (left) to 1 (right), `y` from -1 (up) to
   * 1 (down). */
  setInput(body, x, y, jump, dash) {
    check(wasm.bitwall_world_set_input(this.at, int(body, "body"), real(x, "x"), real(y, "y"), flag(jump, "jump"), flag(dash, "dash")));
  }
  /** Gives a player a velocity and keeps it for some seconds, as for a knockback. */
  force(body, x, y, seconds) {
    check(wasm.bitwall_world_force(this.at, int(body, "body"), real(x, "x"), real(y, "y"), real(seconds, "seconds")));
  }
  /** Returns what the last step did to a character; nothing before its first step. */
  motion(body, into) {
    check(wasm.bitwall_world_motion(this.at, int(body, "body"), scratch));
    return getMotion(scratch, into);
  }
  /** Moves all bodies by one step: platforms on their paths, players by their keys, the others by their
   * velocity. */
  step(level) {
    check(wasm.bitwall_world_step(this.at, handle(level, Level, "level")));
  }
  /** Returns the events of the last step. */
  events() {
    const list = wasm.bitwall_world_events(this.at, scratch) || fail();
    return getRecords(list, 32, getEvent);
  }
  /** Returns where to draw each body, in the order in which they were added. */
  drawn(level) {
    const list = wasm.bitwall_world_drawn(this.at, handle(level, Level, "level"), scratch) || fail();
    return getRecords(list, 20, getDrawn);
  }
  /** Returns the platform on which a body stands; -1 without one. */
  standingOn(body) {
    return check(wasm.bitwall_world_standing_on(this.at, int(body, "body")));
  }
  /** Drops a character through the one-way floor on which it stands. False if it stands on none. */
  dropThrough(level, body) {
    return check(wasm.bitwall_world_drop_through(this.at, handle(level, Level, "level"), int(body, "body"))) === 1;
  }
  /** Moves a character that overlaps a solid to the nearest free place, at most `radius` pixels away. */
  unstick(level, body, radius, into) {
    check(wasm.bitwall_world_unstick(this.at, handle(level, Level, "level"), int(body, "body"), int(radius, "radius"), scratch));
    return getPixel(scratch, into);
  }
  /** Returns the bodies of some categories that overlap a box. */
  overlapping(x, y, w, h, categories) {
    const list = wasm.bitwall_world_overlapping(this.at, int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), word(categories, "categories"), scratch) || fail();
    return getArray(list, Int32Array);
  }
  /** Returns the body of some categories that is nearest to a pixel, at most `radius` pixels away; -1 without
   * one. */
  nearest(x, y, radius, categories) {
    return check(wasm.bitwall_world_nearest(this.at, int(x, "x"), int(y, "y"), int(radius, "radius"), word(categories, "categories")));
  }
  /** Returns how far a box can move in the level and among the bodies of some categories. */
  sweep(level, x, y, w, h, dir, step, categories, into) {
    check(wasm.bitwall_world_sweep(this.at, handle(level, Level, "level"), int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), dirNumber(dir, "dir"), int(step, "step"), word(categories, "categories"), scratch));
    return getSweep(scratch, into);
  }
  /** Returns the first solid, or the first body of some categories, on the line between the middles of two
   * pixels. */
  ray(level, x, y, toX, toY, categories, into) {
    check(wasm.bitwall_world_ray(this.at, handle(level, Level, "level"), int(x, "x"), int(y, "y"), int(toX, "to_x"), int(toY, "to_y"), word(categories, "categories"), scratch));
    return getRay(scratch, into);
  }
  /** Returns a copy of the world with its players and paths, to go back to. */
  copy() {
    return new World(secret, wasm.bitwall_world_copy(this.at) || fail());
  }
  /** Makes this world what another one is, as for going back to a copy. */
  restore(other) {
    check(wasm.bitwall_world_restore(this.at, handle(other, World, "other")));
  }
  /** Returns a number that is equal for worlds with equal bodies and players, on every platform. */
  checksum() {
    return BigInt.asUintN(64, wasm.bitwall_world_checksum(this.at));
  }
}

/** The version of bitwall. */
export function version() {
  return getText(wasm.bitwall_version());
}
