// The levels of the page, and the files that a person drops on it.
import { LevelFiles, Playground } from './module/playground.js';

/** The levels of the page. `with` are their other files. */
export const BUNDLED = [
  { path: 'hills.tmx', title: 'Hills: slopes and one-way ledges', with: ['hills_tiles.png'] },
  { path: 'cave.tmx', title: 'Cave: a hidden collision layer', with: ['cave.tsx', 'cave_tiles.png'] },
  { path: 'platforms.tmx', title: 'Platforms: solid tiles and objects', with: ['platforms_tiles.png'] },
  { path: 'town.tmx', title: 'Town: seen from above', with: ['town.tsx', 'town_tiles.png'] },
  { path: 'bricks.tmx', title: 'Bricks: tiles that are not square', with: ['bricks_tiles.png'] },
  { path: 'rooms.ldtk', title: 'Rooms: an LDtk world', with: ['cave_tiles.png'] },
  { path: 'harbor_mask.png', title: 'Harbor: a mask and its picture', with: ['harbor.png'] },
  { path: 'island_mask.png', title: 'Island: a mask to carve', with: [] },
  { path: 'thin_walls.png', title: 'Thin walls: a maze of single pixels', with: [] },
  { path: 'unmarked.tmx', title: 'Unmarked: nothing says what blocks', with: ['cave.tsx', 'cave_tiles.png'] },
];

/** Fetches the files of a level of the page: their names and bytes. */
export function fetchLevel(path) {
  const get = async name => {
    const answer = await fetch(`levels/${name}`);
    if (!answer.ok) throw new Error(`${name}: the server answers ${answer.status}`);
    return [name, new Uint8Array(await answer.arrayBuffer())];
  };
  return Promise.all([path, ...BUNDLED.find(it => it.path === path).with].map(get));
}

export async function bundled(path, fetched = fetchLevel(path)) {
  const files = new LevelFiles();
  for (const [name, bytes] of await fetched) files.put(name, bytes);
  return files;
}

export function openLevel(files, path) {
  return new Playground(files, path);
}

/** Reads dropped or chosen files, also those in dropped folders: their paths and bytes. */
export async function droppedFiles(list) {
  const read = [];
  const put = async (file, path) => read.push([path, new Uint8Array(await file.arrayBuffer())]);
  const walk = async entry => {
    if (entry.isFile) {
      const file = await new Promise((done, fail) => entry.file(done, fail));
      return put(file, entry.fullPath.slice(1));
    }
    const reader = entry.createReader();
    for (;;) {
      // A reader gives at most a hundred entries at a time.
      const some = await new Promise((done, fail) => reader.readEntries(done, fail));
      if (!some.length) return undefined;
      await Promise.all(some.map(walk));
    }
  };
  const entries = [...(list.items ?? [])].map(item => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length) await Promise.all(entries.map(walk));
  else await Promise.all([...(list.files ?? list)].map(file => put(file, file.name)));
  return read;
}

const nameOf = path => path.split('/').pop();

/** The collection for some files: that of `lacking` if one of them is what it lacks, else a new one. */
export function collect(read, lacking) {
  const lost = new Set(lacking?.missing.map(nameOf));
  const files = read.some(([path]) => lost.has(nameOf(path))) ? lacking.files : new LevelFiles();
  for (const [path, bytes] of read) files.put(path, bytes);
  return files;
}
