// The module in Node, from the folder of the npm package: what a program that is no page does with it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { home, serve } from './serve.js';

const require = createRequire(import.meta.url);
const npm = join(home, 'dist/npm');
const { FeelOfHero, LevelFiles, Playground, View } = require(npm);
const { LevelFiles: FilesOfLinter, findings, suggestions } = require(join(npm, 'linter.js'));
const level = name => readFileSync(join(home, 'dist/page/levels', name));

function load(path) {
  const files = new LevelFiles();
  files.put(path, level(path));
  for (let lost; (lost = files.missing(path)).length;) lost.forEach(name => files.put(name, level(name)));
  return new Playground(files, path);
}

test('a map says which files it needs, and what blocks in it and why', () => {
  const files = new LevelFiles();
  files.put('cave.tmx', level('cave.tmx'));
  assert.deepEqual(files.missing('cave.tmx'), ['cave.tsx']);
  files.put('cave.tsx', level('cave.tsx'));
  assert.deepEqual(files.missing('cave.tmx'), ['cave_tiles.png']);

  const cave = load('cave.tmx');
  assert.deepEqual([cave.width, cave.height, ...cave.cell], [768, 480, 16, 16]);
  assert.equal(cave.isSolid(0, 479), true);
  assert.match(
    cave.why(0, 479),
    /^cell \(col 0, row 29\), tile \d+ of tileset `cave` in layer `Collision` \(solid by its name\)$/,
  );
  assert.match(cave.why(120, 350), /^cell \(col 7, row 21\), passable$/);
  assert.match(cave.why(-1, 5), /^the outside of the level/);
  assert.match(cave.rules().join(), /layer `Collision` by its name: \d+ tiles/);
});

test('a sweep answers as `bitwall can-move` prints it', () => {
  const cave = load('cave.tmx');
  const fall = cave.sweep(114, 330, 12, 20, 'down', 200);
  assert.equal(fall.moved, 18);
  assert.match(fall.text, /^no: moves 18 px, stopped by cell \(col 7, row 23\), tile/);
  assert.deepEqual([...fall.contact], [7 * 16, 23 * 16, 16, 16]);
  assert.match(cave.sweep(114, 330, 12, 20, 'down', 5).text, /^yes/);
  assert.throws(() => cave.sweep(0, 0, 1, 1, 'sideways', 1));
});

test('the hero falls, walks and jumps by the feel', () => {
  const cave = load('cave.tmx');
  for (let step = 0; step < 60; step++) cave.advance(1 / 60, 0, 0, false);
  assert.equal(cave.stance, 'ground');
  const [x, y] = [cave.heroX, cave.heroY];
  for (let step = 0; step < 30; step++) cave.advance(1 / 60, 1, 0, false);
  assert.ok(cave.heroX > x + 30, `${cave.heroX}`);
  const feel = new FeelOfHero();
  feel.jump = 30;
  cave.startHero();
  cave.setFeel(feel);
  for (let step = 0; step < 60; step++) cave.advance(1 / 60, 0, 0, false);
  let top = y;
  for (let step = 0; step < 40; step++) {
    cave.advance(1 / 60, 0, 0, true);
    top = Math.min(top, cave.heroY);
  }
  assert.ok(Math.abs(y - 30 - top) < 1, `a jump of ${y - top} px`);
});

test('edits change the picture, the outlines and the ways', () => {
  const island = load('island_mask.png');
  const before = island.picture(View.Solids, 0, 0, island.width, island.height).rgba();
  const [x, y] = [2, 200];
  assert.equal(island.isSolid(x, y), true);
  const changed = island.edit(x, y, 30, false);
  assert.equal(island.isSolid(x, y), false);
  assert.ok(changed[2] > 20 && changed[3] > 40, `${changed}`);
  const after = island.picture(View.Solids, 0, 0, island.width, island.height).rgba();
  assert.notDeepEqual(before, after);
  // A part of the picture is the same as the whole there.
  const part = island.picture(View.Solids, ...changed);
  const row = after.slice(4 * (changed[1] * island.width + changed[0])).slice(0, 4 * changed[2]);
  assert.deepEqual(part.rgba().slice(0, 4 * changed[2]), row);
  assert.ok(island.outlines()[0] >= 4);
  const town = load('town.tmx');
  const way = town.way([20, 20], [600, 600], 12, 10);
  assert.ok(way.length >= 4);
});

test('what the hero reaches follows an edit', () => {
  const hills = load('hills.tmx');
  /** The floors and the steps of jumps, when all are known. */
  const reached = () => {
    let last = [];
    for (let call = 0; call < 500; call += 1) last = hills.reached() ?? last;
    assert.equal(hills.reached(), undefined);
    return [...last];
  };
  const before = reached();
  const floors = boxes => boxes.filter((h, at) => at % 4 === 3 && h === 3).length;
  assert.ok(floors(before) > 5 && before.length > 4 * floors(before), `${floors(before)} floors`);
  // A wall up to the sky beside the hero.
  for (let y = 0; y < 240; y += 16) hills.edit(120, y, 12, true);
  const after = reached();
  assert.ok(floors(after) < floors(before), `${floors(after)} floors`);
  assert.ok(after.every((x, at) => at % 4 !== 0 || x < 120), 'all are left of the wall');
  const feel = new FeelOfHero();
  feel.above = true;
  hills.setFeel(feel);
  assert.deepEqual([...hills.reached()], []);
});

test('outlines with more points than a page can draw are an error that says so', () => {
  const side = 300;
  const cells = Array.from({ length: side * side }, (_, at) => ((at + Math.floor(at / side)) % 2 ? 1 : 0));
  const files = new LevelFiles();
  const map = `<map version="1.10" orientation="orthogonal" width="${side}" height="${side}" tilewidth="8"
    tileheight="8"><tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="1" columns="1">
    <image source="t.png" width="8" height="8"/></tileset><layer name="Walls" width="${side}" height="${side}">
    <data encoding="csv">${cells}</data></layer></map>`;
  files.put('checker.tmx', new TextEncoder().encode(map));
  const checker = new Playground(files, 'checker.tmx');
  assert.throws(() => checker.outlines(), /the outlines have 180000 points, and a page can draw 131072/);
});

test('a layer without a name gets a suggestion of the linter', () => {
  assert.equal(load('unmarked.tmx').solidShare, 0);
  const own = new FilesOfLinter();
  own.put('unmarked.tmx', level('unmarked.tmx'));
  own.put('cave.tsx', level('cave.tsx'));
  const [first] = suggestions(own, 'unmarked.tmx');
  assert.equal(first.arguments, '--solid-layer Tile Layer 3');
  assert.equal(first.config, '[solid]\nlayers = ["Tile Layer 3"]\n');
  assert.deepEqual([load('cave.tmx').tile, load('thin_walls.png').tile], [16, 16]);
});

test('worlds, LDtk projects and JSON maps load', () => {
  assert.ok(load('rooms.ldtk').solidShare > 0);
  const files = new LevelFiles();
  const row = {
    type: 'tilelayer',
    name: 'Walls',
    width: 2,
    height: 1,
    data: [1, 0],
    visible: true,
    opacity: 1,
    x: 0,
    y: 0,
  };
  const map = {
    type: 'map',
    orientation: 'orthogonal',
    width: 2,
    height: 1,
    tilewidth: 8,
    tileheight: 8,
    layers: [row],
    tilesets: [
      {
        firstgid: 1,
        name: 't',
        tilewidth: 8,
        tileheight: 8,
        tilecount: 1,
        columns: 1,
        image: 't.png',
        imagewidth: 8,
        imageheight: 8,
      },
    ],
  };
  for (const name of ['a.tmj', 'b.json']) files.put(name, Buffer.from(JSON.stringify(map)));
  files.put('tiles.json', Buffer.from('{"type": "tileset"}'));
  files.put(
    'all.world',
    Buffer.from(
      JSON.stringify({
        type: 'world',
        maps: [
          { fileName: 'maps/a.tmj', x: 0, y: 0 },
          { fileName: 'maps/b.json', x: 16, y: 0 },
        ],
      }),
    ),
  );
  assert.deepEqual(files.levels(), ['all.world', 'a.tmj', 'b.json']);
  const world = new Playground(files, 'all.world');
  assert.deepEqual([world.width, world.height, world.solidShare], [32, 8, 0.5]);
});

test('a broken file is an error that names the file and the cause', () => {
  const files = new LevelFiles();
  files.put('bad.tmx', Buffer.from('<map'));
  assert.throws(() => new Playground(files, 'bad.tmx'), /^Error: bad\.tmx: /);
  assert.throws(() => new Playground(files, 'none.tmx'), /none\.tmx/);
});

test('the linter finds what `bitwall verify` finds', () => {
  const files = new FilesOfLinter();
  for (const name of ['unmarked.tmx', 'cave.tmx', 'cave.tsx', 'cave_tiles.png']) files.put(name, level(name));
  const [found] = findings(files, 'unmarked.tmx', 12, 20).found;
  assert.equal(found.severity, 'error');
  assert.match(`${found.headline} ${found.notes} ${found.help}`, /nothing in the map is solid.*`Tile Layer 3`.*name a layer `Collision`/);
  const cave = findings(files, 'cave.tmx', 12, 20);
  assert.deepEqual(cave.found, []);
  assert.ok(cave.skipped.some(text => text.includes('needs')), cave.skipped.join());
});

test('the server answers every address, and nothing outside the page', async () => {
  const server = await serve();
  const { port } = server.address();
  const ask = path =>
    new Promise((done, fail) => {
      const asked = get({ port, host: '127.0.0.1', path }, answer => {
        answer.resume().on('end', () => done(answer.statusCode));
      });
      asked.on('error', fail);
    });
  const answers = {
    '/': 200,
    '/levels/cave.tmx': 200,
    '/index.html?a=%': 200,
    '/%': 400,
    '/%E0%A4%A': 400,
    '/%00': 400,
    '/main.js%00.png': 400,
    '//': 400,
    '/%2e%2e%2f%2e%2e%2ftests/serve.js': 400,
    '/..%2f..%2fpackage.json': 400,
    '/..%2fpage-of-another/a': 400,
    '/../../package.json': 404,
    '/levels': 404,
    '/levels/': 404,
    '/main.js/more': 404,
    [`/${'a'.repeat(5000)}`]: 404,
    '/none': 404,
  };
  for (const [path, status] of Object.entries(answers)) assert.equal(await ask(path), status, path);
  assert.equal(await ask('/'), 200, 'it still runs');
  server.close();
});

test('the types are those of the module', () => {
  const program = join(home, 'dist/types.ts');
  writeFileSync(
    program,
    `
    import { LevelFiles, Playground, View } from './npm/bitwall.js';
    import { findings, type Found } from './npm/linter.js';
    const level = new Playground(new LevelFiles(), 'a.tmx');
    const moved: number = level.sweep(0, 0, 1, 1, 'left', 8).moved;
    const bytes: Uint8Array = level.picture(View.Both, 0, 0, 1, 1).rgba();
    export type All = [typeof moved, typeof bytes, Found, typeof findings];
  `,
  );
  execFileSync(join(home, 'node_modules/.bin/tsc'), [
    '--noEmit',
    '--strict',
    '--lib',
    'esnext,dom',
    '--module',
    'nodenext',
    program,
  ]);
});

test('the modules keep to their sizes', () => {
  for (const [name, most, zipped] of [
    ['bitwall', 1.36e6, 620e3],
    ['linter', 2.04e6, 890e3],
  ]) {
    const module = readFileSync(join(home, `dist/page/module/${name}_bg.wasm`));
    const { length } = gzipSync(module, { level: 9 });
    console.log(`${name}_bg.wasm: ${module.length} bytes, ${length} with gzip`);
    assert.ok(module.length <= most && length <= zipped, `${name}: at most ${most} and ${zipped}`);
  }
});
