// The link to what the page shows: the level's name and the settings that are not the usual ones.
import { BUNDLED } from './files.js';
import { FeelOfHero } from './module/bitwall.js';
import { SLIDERS } from './panel.js';

const USUAL = { tool: 'walk', view: 'both', outlines: false, reach: false, distance: 200, radius: 12, brush: 'carve' };
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

export function writeLink({ path, settings, feel }) {
  const parts = new URLSearchParams({ level: path });
  for (const [key, value] of Object.entries(USUAL)) {
    if (settings[key] !== value) parts.set(key, String(settings[key]));
  }
  if (feel.above !== Boolean(levelOf(`#level=${path}`).above)) parts.set('above', String(feel.above));
  const usual = usualFeel(feel.above, 1);
  for (const { key } of FEEL) {
    if (feel[key] !== usual[key]) parts.set(key, String(Number(Number(feel[key]).toFixed(3))));
  }
  return `#${parts}`;
}

/** Sets the settings and the feel by a link. Returns the level's path. Unknown words count as absent. */
export function readLink(app, hash) {
  const parts = new URLSearchParams(hash.slice(1));
  const level = levelOf(hash);
  const { settings } = app;
  Object.assign(settings, USUAL);
  for (const [key, words] of Object.entries(WORDS)) {
    if (words.includes(parts.get(key))) settings[key] = parts.get(key);
  }
  settings.outlines = parts.get('outlines') === 'true';
  settings.reach = parts.get('reach') === 'true';
  /** A number of the link, in the range and with the step of its slider. */
  const number = ({ key, min, max, step }, usual) => {
    const value = Number.parseFloat(parts.get(key) ?? '');
    if (!Number.isFinite(value)) return usual;
    const inside = Math.min(Math.max(value, min), max);
    return step < 1 ? inside : Math.round(inside);
  };
  settings.distance = number({ key: 'distance', min: 1, max: 600, step: 1 }, USUAL.distance);
  settings.radius = number({ key: 'radius', min: 0, max: 64, step: 1 }, USUAL.radius);
  const above = parts.has('above') ? parts.get('above') === 'true' : Boolean(level.above);
  const feel = usualFeel(above, 1);
  Object.assign(app, { feel, scale: 1 });
  for (const slider of FEEL) {
    const { key, flag } = slider;
    if (flag) feel[key] = number({ key, min: 0, max: 1, step: 1 }, Number(feel[key])) === 1;
    else feel[key] = number(slider, feel[key]);
  }
  return level.path;
}
