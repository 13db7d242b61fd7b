// The folder dist: its modules keep to their sizes, and its server answers every address.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { home, serve } from './serve.js';

test('the modules keep to their sizes', () => {
  for (const [name, most, zipped] of [
    ['playground', 1.36e6, 620e3],
    ['linter', 2.04e6, 890e3],
  ]) {
    const module = readFileSync(join(home, `dist/module/${name}_bg.wasm`));
    const { length } = gzipSync(module, { level: 9 });
    console.log(`${name}_bg.wasm: ${module.length} bytes, ${length} with gzip`);
    assert.ok(module.length <= most && length <= zipped, `${name}: at most ${most} and ${zipped}`);
  }
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
    '/%2e%2e%2ftests/serve.js': 400,
    '/..%2fpackage.json': 400,
    '/..%2fdist-of-another/a': 400,
    '/../package.json': 404,
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
