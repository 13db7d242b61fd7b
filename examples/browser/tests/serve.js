// A server of the folder dist, for the tests and for a look: `npm start`. It answers this machine only.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createGzip } from 'node:zlib';

export const home = join(dirname(fileURLToPath(import.meta.url)), '..');
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
};

/** The path of a file below `root` that an address names; undefined if it names none. */
function fileOf(root, address) {
  let path;
  try {
    path = decodeURIComponent(new URL(address, 'http://localhost').pathname);
  } catch {
    return undefined;
  }
  // A name with a zero byte is no name, and `%2e%2e` and `%5c` lead out of the folder.
  const file = join(root, path.endsWith('/') ? `${path}index.html` : path);
  return path.includes('\0') || !file.startsWith(root + sep) ? undefined : file;
}

/** False also for a name that is too long, or that has a file for a folder. */
function isFile(path) {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Serves the page at a free port, or at `port`, and resolves to the server. */
export function serve(port = 0) {
  const root = join(home, 'dist');
  const server = createServer((request, response) => {
    const file = fileOf(root, request.url);
    if (!file) {
      response.writeHead(400).end();
      return;
    }
    if (!isFile(file)) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' });
    // A file that is lost meanwhile, or a browser that goes away, ends this answer only.
    pipeline(createReadStream(file), createGzip({ level: 1 }), response, () => {});
  });
  return new Promise(done => server.listen(port, '127.0.0.1', () => done(server)));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const server = await serve(8000);
  console.log(`http://localhost:${server.address().port}/`);
}
