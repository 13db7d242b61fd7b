// bitwall: level collision for 2D games, for browsers, bundlers and Node. Positions are whole pixels, x to the right, y
// down; a box covers x <= p < x + w. A wrong argument throws a sentence that says what is allowed. `start` comes first.
let wasm, scratch, lastView;
let rooms = [];
const encoder = new TextEncoder(), decoder = new TextDecoder(), secret = Symbol("bitwall");

/** Starts the module: the exports of an instance of its WebAssembly. */
export function start(instance) {
  wasm = instance.exports;
  scratch = wasm.bitwall_room(256);
}

/** The version of bitwall. */
export function version() {
  return getText(wasm.bitwall_version());
}

/** The memory, which gets another buffer when it grows. */
function view() {
  if (lastView === undefined || lastView.buffer !== wasm.memory.buffer) lastView = new DataView(wasm.memory.buffer);
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
  if (typeof value === "bigint" && value >= 0n) return BigInt.asUintN(64, value);
  if (Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  return refuse(name, value, "no number", "a whole number of at least 0, as a number or a bigint");
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
    if (key !== secret) throw new TypeError(`make a ${new.target.name} by one of its functions, as ${new.target.name}.new`);
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

