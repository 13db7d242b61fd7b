// The link to what the page shows: the level's name, or a small level itself, and the settings that are not
// the usual ones.
import { BUNDLED } from './files.js';
import { FeelOfHero } from './module/playground.js';
import { SLIDERS } from './panel.js';

/** The settings that a link leaves out. */
export const USUAL = {
  tool: 'walk',
  view: 'both',
  outlines: false,
  reach: false,
  distance: 200,
  radius: 12,
  brush: 'carve',
};
const WORDS = {
  tool: ['walk', 'look', 'sweep', 'carve', 'way'],
  view: ['art', 'both', 'solids'],
  brush: ['carve', 'fill'],
};
const FEEL = SLIDERS.flatMap(group => group.sliders);

/** The usual height of the hero on tiles of 16 pixels: from above only the feet are in the way. */
const usualHeight = above => (above ? 10 : 20);

/** The usual feel; `scale` is 1 on tiles of 16 pixels, and larger on larger tiles. */
export function usualFeel(above, scale) {
  const feel = Object.assign(new FeelOfHero(), { above, height: usualHeight(above) });
  for (const key of ['run', 'fall', 'jump', 'width', 'height', 'step', 'corner'])
    feel[key] = Math.round(feel[key] * scale);
  return feel;
}

/** The level that a link names, else the first one. */
export function levelOf(hash) {
  const name = new URLSearchParams(hash.slice(1)).get('level');
  return BUNDLED.find(it => it.path === name) ?? BUNDLED[0];
}

/** The link; `own` is a packed level of a person. */
export function writeLink({ path, settings, feel, game }, own) {
  const parts = new URLSearchParams(own ? { own } : { level: path });
  for (const [key, value] of Object.entries(USUAL)) {
    if (settings[key] !== value) parts.set(key, String(settings[key]));
  }
  if (feel.above !== game.isFromAbove) parts.set('above', String(feel.above));
  const usual = usualFeel(feel.above, 1);
  for (const { key } of FEEL) {
    if (feel[key] !== usual[key]) parts.set(key, String(Number(Number(feel[key]).toFixed(3))));
  }
  return `#${parts}`;
}

/** A number of a link, in the range and with the step of its slider. */
function number(parts, { key, min, max, step }, usual) {
  const value = Number.parseFloat(parts.get(key) ?? '');
  if (!Number.isFinite(value)) return usual;
  const inside = Math.min(Math.max(value, min), max);
  return step < 1 ? inside : Math.round(inside);
}

/** Sets the settings by a link. Unknown words count as absent. */
export function readSettings({ settings }, hash) {
  const parts = new URLSearchParams(hash.slice(1));
  Object.assign(settings, USUAL);
  for (const [key, words] of Object.entries(WORDS)) {
    if (words.includes(parts.get(key))) settings[key] = parts.get(key);
  }
  settings.outlines = parts.get('outlines') === 'true';
  settings.reach = parts.get('reach') === 'true';
  settings.distance = number(parts, { key: 'distance', min: 1, max: 600, step: 1 }, USUAL.distance);
  settings.radius = number(parts, { key: 'radius', min: 0, max: 64, step: 1 }, USUAL.radius);
}

/** The feel of a link for the level that is open. */
export function readFeel({ game, scale }, hash) {
  const parts = new URLSearchParams(hash.slice(1));
  const above = parts.has('above') ? parts.get('above') === 'true' : game.isFromAbove;
  const feel = usualFeel(above, scale);
  for (const slider of FEEL) {
    const { key, flag } = slider;
    if (flag) feel[key] = number(parts, { key, min: 0, max: 1, step: 1 }, Number(feel[key])) === 1;
    else feel[key] = number(parts, slider, feel[key]);
  }
  return feel;
}

/** The most characters of a level in a link: longer ones are cut by chats and by mail. */
const MOST_OF_LINK = 8000;
/** The most bytes of files that a link holds; a hostile one would fill the memory. */
const MOST_BYTES = 1 << 22;

async function through(stream, bytes, most) {
  const parts = [];
  let size = 0;
  for await (const part of new Blob([bytes]).stream().pipeThrough(stream)) {
    size += part.length;
    if (size > most) throw new Error('the level in the link is too large');
    parts.push(part);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Packs files into the text of a link, the level first; undefined if they are too large for one. */
export async function packed(files) {
  const parts = [];
  for (const [path, bytes] of files) {
    const name = new TextEncoder().encode(path);
    const head = new DataView(new ArrayBuffer(6));
    head.setUint16(0, name.length);
    head.setUint32(2, bytes.length);
    parts.push(head.buffer, name, bytes);
  }
  const all = new Uint8Array(await new Blob(parts).arrayBuffer());
  if (all.length > MOST_BYTES) return undefined;
  const small = await through(new CompressionStream('deflate-raw'), all, MOST_BYTES);
  if (small.length > (MOST_OF_LINK * 3) / 4) return undefined;
  const text = btoa(Array.from(small, byte => String.fromCharCode(byte)).join(''));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The files of a packed level, the level first. Throws if the text is none. */
export async function unpacked(text) {
  const small = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), it => it.charCodeAt(0));
  const all = await through(new DecompressionStream('deflate-raw'), small, MOST_BYTES);
  const view = new DataView(all.buffer);
  const files = [];
  for (let at = 0; at < all.length;) {
    const [name, size] = [view.getUint16(at), view.getUint32(at + 2)];
    const end = at + 6 + name + size;
    if (end > all.length) throw new Error('the level in the link is cut');
    files.push([new TextDecoder().decode(all.subarray(at + 6, at + 6 + name)), all.slice(end - size, end)]);
    at = end;
  }
  return files;
}
