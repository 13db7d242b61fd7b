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

function getSprite(at, into = {}) {
  const all = view();
  into.picture = all.getInt32(at + 0, true);
  into.sourceX = all.getInt32(at + 4, true);
  into.sourceY = all.getInt32(at + 8, true);
  into.sourceW = all.getInt32(at + 12, true);
  into.sourceH = all.getInt32(at + 16, true);
  into.x = all.getFloat32(at + 20, true);
  into.y = all.getFloat32(at + 24, true);
  into.w = all.getFloat32(at + 28, true);
  into.h = all.getFloat32(at + 32, true);
  into.flipX = all.getUint8(at + 36) === 1;
  into.flipY = all.getUint8(at + 37) === 1;
  into.degrees = all.getFloat32(at + 40, true);
  into.repeatX = all.getUint8(at + 44) === 1;
  into.repeatY = all.getUint8(at + 45) === 1;
  into.red = all.getFloat32(at + 48, true);
  into.green = all.getFloat32(at + 52, true);
  into.blue = all.getFloat32(at + 56, true);
  into.alpha = all.getFloat32(at + 60, true);
  into.layer = all.getInt32(at + 64, true);
  into.parallaxX = all.getFloat32(at + 68, true);
  into.parallaxY = all.getFloat32(at + 72, true);
  return into;
}

/** What a level's maps draw, in the order of drawing. */
export class Scene extends Handle {
  constructor(key, at) { super(key, at, wasm.bitwall_scene_free); }
  /** Returns the paths of the pictures, one a line, by their numbers from 0. */
  pictures() {
    return getText(wasm.bitwall_scene_pictures(this.at) || fail());
  }
  /** Returns the names of the layers that draw, one a line, by their numbers from 0. A name can be there twice. */
  layers() {
    return getText(wasm.bitwall_scene_layers(this.at) || fail());
  }
  /** Returns everything, from the back to the front. */
  all() {
    const list = wasm.bitwall_scene_all(this.at, scratch) || fail();
    return getRecords(list, 76, getSprite);
  }
  /** Returns what may be seen in a box of pixels, from the back to the front. O(all). */
  seen(x, y, w, h) {
    const list = wasm.bitwall_scene_seen(this.at, int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), scratch) || fail();
    return getRecords(list, 76, getSprite);
  }
}

/** A level: walls as bits, with named areas and markers. Positions are pixels, x to the right, y down. */
export class Level extends Handle {
  constructor(key, at) { super(key, at, wasm.bitwall_level_free); }
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
  /** Makes a level from the bytes of a file that refers to no other file. `name` is its path, for the format
   * and for errors; `options` is the text of a `bitwall.toml`, or empty. */
  static decode(name, bytes, options = "") {
    try {
      const bytesAt = putArray(bytes, Uint8Array, "bytes");
      return new Level(secret, wasm.bitwall_level_decode(putText(name, "name"), bytesAt, bytes.length, putText(options, "options")) || fail());
    } finally {
      freeRooms();
    }
  }
  /** Makes a level from the file `path` of the files. `options` is the text of a `bitwall.toml`, or empty. */
  static fromFiles(path, files, options = "") {
    try {
      return new Level(secret, wasm.bitwall_level_from_files(putText(path, "path"), handle(files, Files, "files"), putText(options, "options")) || fail());
    } finally {
      freeRooms();
    }
  }
  /** Returns the files that the level was made of, one a line: if one of them changes, load again. */
  files() {
    return getText(wasm.bitwall_level_files(this.at) || fail());
  }
  /** Returns what is suspicious in the files, a sentence a line. */
  warnings() {
    return getText(wasm.bitwall_level_warnings(this.at) || fail());
  }
  /** Returns what made a cell solid: the tile or object, its layer and the rule. Empty if nothing of a file
   * did. */
  why(column, row) {
    return getText(wasm.bitwall_level_why(this.at, int(column, "column"), int(row, "row")) || fail());
  }
  /** Returns what the level's maps draw. A level without maps draws nothing. */
  scene() {
    return new Scene(secret, wasm.bitwall_level_scene(this.at) || fail());
  }
}

/** The files of a level that is not loaded from the disk: from an archive, an engine's resources or the
 * network. Put the level's own file first, then ask for those that are wanted until there is none. */
export class Files extends Handle {
  constructor(key, at) { super(key, at, wasm.bitwall_files_free); }
  /** Makes an empty collection of files. */
  static new() {
    return new Files(secret, wasm.bitwall_files_new() || fail());
  }
  /** Puts the bytes of a file, under the path by which it was wanted. */
  put(path, bytes) {
    try {
      const bytesAt = putArray(bytes, Uint8Array, "bytes");
      check(wasm.bitwall_files_put(this.at, putText(path, "path"), bytesAt, bytes.length));
    } finally {
      freeRooms();
    }
  }
  /** Returns the path of a file to which the files so far refer, each once; empty if there is none. A file that
   * cannot be had is not put. `pictures` is true if the pictures for drawing are wanted too: a load reads one
   * only if a map uses tiles beyond those that its tileset states. Maps that a world finds by a pattern are
   * not named. */
  wanted(pictures) {
    return getText(wasm.bitwall_files_wanted(this.at, flag(pictures, "pictures")) || fail());
  }
}

/** The version of bitwall. */
export function version() {
  return getText(wasm.bitwall_version());
}

/** Loads a level whose files the game reads: `read(path)` returns the bytes of a file as a Uint8Array, or
 * null, or a promise of them. */
Level.read = async (path, read, options = "") => {
  const files = Files.new();
  try {
    for (let wanted = path; wanted !== ""; wanted = files.wanted(false)) {
      const contents = await read(wanted);
      if (contents) files.put(wanted, contents);
    }
    return Level.fromFiles(path, files, options);
  } finally {
    files.free();
  }
};

/** Loads a level from a URL, with the files to which it refers. */
Level.fetch = (url, options = "") =>
  Level.read(String(url), async (path) => {
    const answer = await fetch(path);
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
  }, options);
