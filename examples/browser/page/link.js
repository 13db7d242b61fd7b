// The link to what the page shows: the level's name and the settings that are not the usual ones.
import { BUNDLED } from './files.js';
import { SLIDERS } from './panel.js';

const USUAL = { tool: 'walk', view: 'both', outlines: false, distance: 200, radius: 12, brush: 'carve' };
const WORDS = {
  tool: ['walk', 'look', 'sweep', 'carve', 'way'],
  view: ['art', 'both', 'solids'],
  brush: ['carve', 'fill'],
};
const FEEL = SLIDERS.flatMap(group => group.sliders);

/** The usual height of the hero: from above only the feet are in the way. */
export const usualHeight = above => (above ? 10 : 20);

/** The level that a link names, else the first one. */
export function levelOf(hash) {
  const name = new URLSearchParams(hash.slice(1)).get('level');
  return BUNDLED.find(it => it.path === name) ?? BUNDLED[0];
}

export function writeLink({ path, settings, feel, usual }) {
  const parts = new URLSearchParams({ level: path });
  for (const [key, value] of Object.entries(USUAL)) {
    if (settings[key] !== value) parts.set(key, String(settings[key]));
  }
  if (settings.choices.length) parts.set('choices', settings.choices.join('.'));
  if (feel.above !== Boolean(levelOf(`#level=${path}`).above)) parts.set('above', String(feel.above));
  for (const { key } of FEEL) {
    const own = key === 'height' ? usualHeight(feel.above) : usual[key];
    if (feel[key] !== own) parts.set(key, String(Number(Number(feel[key]).toFixed(3))));
  }
  return `#${parts}`;
}

/** Sets the settings and the feel by a link, and returns the level's path. Unknown words count as absent. */
export function readLink({ settings, feel }, hash) {
  const parts = new URLSearchParams(hash.slice(1));
  const level = levelOf(hash);
  Object.assign(settings, USUAL, { choices: [] });
  for (const [key, words] of Object.entries(WORDS)) {
    if (words.includes(parts.get(key))) settings[key] = parts.get(key);
  }
  settings.outlines = parts.get('outlines') === 'true';
  const number = (key, low, high, usual) => {
    const value = Number.parseFloat(parts.get(key) ?? '');
    return Number.isFinite(value) ? Math.min(Math.max(value, low), high) : usual;
  };
  settings.distance = number('distance', 1, 600, USUAL.distance);
  settings.radius = number('radius', 0, 64, USUAL.radius);
  settings.choices = (parts.get('choices') ?? '')
    .split('.')
    .filter(Boolean)
    .map(Number)
    .filter(Number.isInteger);
  feel.above = parts.has('above') ? parts.get('above') === 'true' : Boolean(level.above);
  feel.height = usualHeight(feel.above);
  for (const { key, min, max, flag } of FEEL) {
    feel[key] = flag ? number(key, 0, 1, Number(feel[key])) === 1 : number(key, min, max, feel[key]);
  }
  return level.path;
}
