// The rows of bindings/bad_arguments.tsv that say what JavaScript answers, and calls with random values: a value that
// is not meant is an error that a person can read, never another number.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { home } from './serve.js';

const require = createRequire(import.meta.url);
const { FeelOfHero, LevelFiles, Playground } = require(join(home, 'dist/npm'));
const { LevelFiles: FilesOfLinter, findings } = require(join(home, 'dist/npm/linter.js'));
const file = name => readFileSync(join(home, 'dist/page/levels', name));
const files = new LevelFiles();
for (const name of ['cave.tmx', 'cave.tsx', 'unmarked.tmx']) files.put(name, file(name));
const load = name => new Playground(files, name);

/** Each function of the table: its arguments by name, all of them good, and the call. */
const FUNCTIONS = {
  is_solid: [{ x: 1, y: 2 }, (it, { x, y }) => it.isSolid(x, y)],
  why: [{ x: 1, y: 2 }, (it, { x, y }) => it.why(x, y)],
  cell_at: [{ x: 1, y: 2 }, (it, { x, y }) => it.cellAt(x, y)],
  place_hero: [{ x: 1, y: 2 }, (it, { x, y }) => it.placeHero(x, y)],
  sweep: [
    { x: 108, y: 340, w: 12, h: 20, dir: 'right', step: 3 },
    (it, { x, y, w, h, dir, step }) => it.sweep(x, y, w, h, dir, step),
  ],
  edit: [
    { x: 1, y: 2, radius: 3, solid: true },
    (it, { x, y, radius, solid }) => it.edit(x, y, radius, solid),
  ],
  picture: [
    { view: 0, x: 0, y: 0, w: 9, h: 9 },
    (it, { view, x, y, w, h }) => it.picture(view, x, y, w, h),
  ],
  way: [
    { from: [120, 350], to: [100, 350], w: 12, h: 20 },
    (it, { from, to, w, h }) => it.way(from, to, w, h),
  ],
  advance: [
    { seconds: 0.1, x: 1, y: 0, jump: false },
    (it, { seconds, x, y, jump }) => it.advance(seconds, x, y, jump),
  ],
  feel: [{}, (it, fields) => it.setFeel(Object.assign(new FeelOfHero(), fields))],
  load: [
    { files, path: 'cave.tmx' },
    (_, { files, path }) => new Playground(files, path),
  ],
  put: [
    { path: 'a.tmx', contents: new Uint8Array(3) },
    (_, { path, contents }) => new LevelFiles().put(path, contents),
  ],
};

const WORDS = {
  NaN: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  ArrayBuffer: new ArrayBuffer(8),
  '50000 zeros': new Uint32Array(50_000),
};
const value = text => (text in WORDS ? WORDS[text] : JSON.parse(text));

test('every bad argument of the table is refused in the words of the table', () => {
  const lines = readFileSync(join(home, '../../bindings/bad_arguments.tsv'), 'utf8').split('\n');
  const [names, ...rows] = lines.filter(line => line && !line.startsWith('#')).map(line => line.split('\t'));
  const row = cells => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
  const own = rows.map(row).filter(it => it.javascript !== '-');
  assert.ok(own.length > 100, `${own.length} rows`);
  const cave = load('cave.tmx');
  for (const { function: name, argument, value: text, javascript, sentence } of own) {
    const [good, call] = FUNCTIONS[name];
    call(cave, good);
    const said = javascript.replace('=', sentence);
    assert.throws(
      () => call(cave, { ...good, [argument]: value(text) }),
      error => error instanceof Error && error.message.includes(said),
      `${name}, ${argument} = ${text}: ${said}`,
    );
  }
});

test('the linter refuses the same paths', () => {
  const own = new FilesOfLinter();
  own.put('unmarked.tmx', file('unmarked.tmx'));
  assert.throws(() => findings(own, 7, 12, 20), /`path` is no text/);
  assert.throws(() => findings(own, 'cave.tmx', -3, 20), /`width` is -3/);
  assert.throws(() => own.put('a', 'text'), /no Uint8Array/);
});

test('an error of a caller’s own object leaves the level usable', () => {
  const cave = load('cave.tmx');
  const broken = {
    get length() {
      throw new Error('broken');
    },
  };
  const lost = new Uint8Array(8);
  structuredClone(lost.buffer, { transfer: [lost.buffer] });
  const own = new LevelFiles();
  assert.throws(() => cave.way(broken, [1, 2], 3, 4), /`from` is no pair/);
  assert.throws(() => own.put('a', lost), /`contents` is no Uint8Array/);
  const endless = { length: 2, [Symbol.iterator]: () => ({ next: () => assert.fail('broken') }) };
  assert.throws(() => cave.way([1, 2], endless, 3, 4), /`to` is no pair/);
  assert.equal(cave.isSolid(0, 479), true);
  assert.deepEqual(own.paths(), []);
});

test('no random value ends the module', () => {
  let seed = 50;
  const random = below => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % below;
  };
  const pool = [
    ...[0, 1, -1, 2.5, 255, 256, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, 2 ** 53, 1e300, -1e300, NaN, Infinity],
    ...[-Infinity, -0, null, undefined, true, '', 'left', 'cave.tmx', 10n, Symbol('a'), {}, [], [1, 2]],
    ...[{ length: 2 }, { length: 1e9 }, new Int32Array(2), new Uint8Array(3), () => 1, new Date()],
  ];
  let [cave, answered, refused] = [load('cave.tmx'), 0, 0];
  for (let round = 0; round < 3000; round++) {
    const [good, call] = Object.values(FUNCTIONS)[random(Object.keys(FUNCTIONS).length)];
    const values = { ...good };
    const keys = good === FUNCTIONS.feel[0] ? ['width', 'step', 'run', 'jump'] : Object.keys(good);
    for (let change = 0; change <= random(2); change++) {
      values[keys[random(keys.length)]] = pool[random(pool.length)];
    }
    try {
      call(cave, values);
      answered++;
    } catch (error) {
      // A trap of the module is a `WebAssembly.RuntimeError`.
      assert.ok(!(error instanceof WebAssembly.RuntimeError), `${call} ${error.stack}`);
      refused++;
    }
    if (round % 300 === 0) cave = load('cave.tmx');
  }
  assert.ok(answered > 300 && refused > 300, `${answered} answered, ${refused} refused`);
});
