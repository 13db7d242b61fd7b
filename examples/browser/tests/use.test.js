// The lines for each engine: every name in them is one of the written bindings, or of the engine.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { ENGINES } from '../page/use.js';
import { home } from './serve.js';

const repository = join(home, '../..');
const read = path => readFileSync(join(repository, path), 'utf8');
const sources = folder =>
  readdirSync(join(repository, folder), { recursive: true })
    .filter(path => path.endsWith('.rs'))
    .map(path => read(join(folder, path)))
    .join('\n');

/** Where the names of an engine's lines are declared, and the names that are the engine's own. */
const DECLARED = {
  Rust: [() => sources('src'), ''],
  JavaScript: [() => read('bindings/js/core.d.ts') + read('bindings/js/load.d.ts'), ''],
  'C#: Unity, Godot, MonoGame': [() => read('bindings/csharp/Bitwall.cs'), 'FixedUpdate Unity'],
  LÖVE: [() => read('bindings/lua/bitwall.lua'), 'filesystem'],
  Python: [() => read('bindings/python/bitwall.pyi'), 'rect'],
  'C, C++': [() => read('bindings/c/include/bitwall.h'), ''],
  Bevy: [() => sources('src') + sources('examples/bevy/src'), 'DefaultPlugins add_plugins'],
  macroquad: [() => sources('src'), 'KeyCode Space'],
};

test('the lines for each engine have names of the bindings', () => {
  for (const { name, page, lines } of ENGINES) {
    const [declared, foreign] = DECLARED[name];
    const text = lines('hills.tmx', '50, 192, 12, 20').replaceAll('hills.tmx', '');
    // Members, types, and the names of C; no comments.
    const code = text.replace(/(\/\/|--|#) .*/g, '');
    const names = new Set(code.match(/(?<=[.:]|import { )[a-z]\w+|\b[A-Z]\w+|\b(bitwall|BITWALL)_\w+/g));
    const known = new Set(`${declared()} ${foreign}`.match(/\w+/g));
    assert.ok(names.size > 4, `${name}: ${[...names]}`);
    assert.deepEqual(
      [...names].filter(it => !known.has(it)),
      [],
      name,
    );
    const [, folder] = page.match(/main\/(.*)#readme/) ?? ['', '.'];
    assert.match(read(join(folder, 'README.md')), /^# /, `${page} is a page`);
  }
});
