// The page: what is shown, and which controls change it. The level itself is asked of the module.
import init from './module/playground.js';
import { BUNDLED, bundled, collect, droppedFiles, fetchLevel, openLevel } from './files.js';
import { Input } from './input.js';
import {
  USUAL,
  levelOf,
  packed,
  readFeel,
  readSettings,
  unpacked,
  usualFeel,
  writeLink,
} from './link.js';
import { SLIDERS, slider, VIEWS } from './panel.js';
import { Stage } from './stage.js';
import { Tools } from './tools.js';
import { ENGINES } from './use.js';

const find = id => document.getElementById(id);
const radios = name => [...document.querySelectorAll(`input[name=${name}]`)];

/** All that the page knows. A link holds `settings`, as far as they are not the usual ones. */
const app = {
  game: null,
  files: null,
  path: '',
  own: {},
  lacking: null,
  found: [],
  settings: {
    level: 'hills.tmx',
    ...USUAL,
  },
  feel: null,
  scale: 1,
  finding: null,
  loadMs: 0,
  frames: 0,
  say(text) {
    const line = find('status');
    if (line.textContent !== text) line.textContent = text;
  },
  notice,
  edited() {
    find('undo').disabled = !app.game.canUndo;
    fillFacts();
  },
};
const stage = new Stage(find('canvas'), app);
let linter = null;
const input = new Input(find('canvas'), find('pad'));
const tools = new Tools(app, stage);

/**
 * Loads a level and shows it, from the side or from above as the map seems to be meant. If it cannot be
 * loaded, the old one stays and the reason is shown.
 */
async function open(files, path) {
  const begin = performance.now();
  let game;
  try {
    game = openLevel(files, path);
  } catch (error) {
    notice(error.message);
    return false;
  }
  app.loadMs = performance.now() - begin;
  const isNew = app.files !== files || app.path !== path;
  app.game?.free();
  Object.assign(app, { game, files, path, finding: null });
  app.settings.level = path;
  // A hero for tiles of 16 pixels could not climb a tile of 64. The sliders end at three times his size.
  const scale = app.own.files === files ? Math.min(Math.max(game.tile / 16, 0.5), 3) : 1;
  if (scale !== app.scale || !app.feel) takeUsualFeel(game.isFromAbove, scale);
  else if (isNew) lookFrom(game.isFromAbove);
  game.setFeel(app.feel);
  game.startHero();
  stage.show();
  tools.start();
  fillLevels();
  find('suggested').hidden = true;
  app.edited();
  save();
  // The linter takes longer than the rest: the level is drawn first.
  setTimeout(fillFindings, 50);
  return true;
}

function notice(text) {
  find('notice').hidden = !text;
  find('notice').textContent = text ?? '';
}

/** Opens what a person dropped or chose. Files that an earlier drop still lacked are added to it. */
async function openOwn(list) {
  const read = await droppedFiles(list);
  const { lacking } = app;
  const files = collect(read, lacking);
  await openFiles(files, files === lacking?.files ? lacking.path : undefined);
}

/** Opens the level at `path` among files, else the first one. */
async function openFiles(files, path) {
  const levels = files.levels();
  const maps = levels.filter(name => !name.endsWith('.png'));
  path ??= (maps.length ? maps : levels)[0];
  if (!path) {
    notice('No level among these files: drop a map (.tmx, .tmj, .json), a world, an LDtk project or a mask.');
    return;
  }
  const missing = files.missing(path);
  const old = app.own;
  app.own = { files, levels: maps.length ? maps : levels };
  const opened = await open(files, path);
  if (!opened) app.own = old;
  app.lacking = missing.length ? { files, path, missing } : null;
  if (missing.length) {
    const names = missing.map(name => name.split('/').pop()).join(', ');
    notice(`${path} also needs ${names}. Drop ${missing.length > 1 ? 'them' : 'it'} on the page as well.`);
  } else if (opened) {
    notice('');
  }
}

async function openBundled(name, fetched) {
  app.lacking = null;
  try {
    if (await open(await bundled(name, fetched), name)) notice('');
  } catch (error) {
    notice(`${name}: ${error.message}`);
  }
}

function save() {
  if (app.own.files !== app.files) history.replaceState(null, '', writeLink(app));
}

/** The link to what is seen. A level of one's own, or an edited one as a mask, is in it if it is small. */
async function link() {
  const { files, path, game } = app;
  if (game.canUndo) {
    const mask = new Uint8Array(await (await maskFile()).arrayBuffer());
    return writeLink(app, await packed([[maskName(), mask]]));
  }
  if (app.own.files !== files) return writeLink(app);
  const all = [path, ...files.paths().filter(name => name !== path)].map(name => [name, files.get(name)]);
  // The pictures are the largest part, and the solids of a map need none.
  return writeLink(
    app,
    (await packed(all)) ?? (await packed(all.filter(([name]) => !name.endsWith('.png')))),
  );
}

async function copyLink() {
  const hash = await link();
  if (!hash.includes('own=') && (app.game.canUndo || app.own.files === app.files)) {
    return 'Too large for a link';
  }
  try {
    await navigator.clipboard.writeText(new URL(hash, location.href).href);
    return 'Copied';
  } catch {
    history.replaceState(null, '', hash);
    return 'It is in the address bar';
  }
}

const stem = () =>
  app.path
    .split('/')
    .pop()
    .replace(/\.[^.]*$/, '');
/** A name by which `bitwall` knows a mask. */
const maskName = () => `${stem().replace(/_mask$/, '')}_mask.png`;

/** A picture of the module as a PNG. */
async function file(picture) {
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const data = new ImageData(new Uint8ClampedArray(picture.rgba().buffer), picture.width, picture.height);
  picture.free();
  canvas.getContext('2d').putImageData(data, 0, 0);
  return canvas.convertToBlob({ type: 'image/png' });
}

const maskFile = () => file(app.game.mask());

/** Hands a file to the person. */
function download(blob, name) {
  const anchor = document.createElement('a');
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

function fillLevels() {
  const group = (label, names) => {
    const element = document.createElement('optgroup');
    element.label = label;
    element.append(...names.map(([value, text]) => new Option(text, value)));
    return element;
  };
  const select = find('level');
  select.replaceChildren(
    group(
      'Sample levels',
      BUNDLED.map(it => [`/${it.path}`, it.title]),
    ),
  );
  if (app.own.levels)
    select.append(
      group(
        'Your files',
        app.own.levels.map(name => [name, name]),
      ),
    );
  select.value = app.own.files === app.files ? app.path : `/${app.path}`;
}

function fillSuggestions(all) {
  find('suggested').hidden = !all.length;
  find('suggestions').replaceChildren(
    ...all.map(it => {
      const item = document.createElement('p');
      item.className = 'suggestion';
      const tiled = document.createElement('span');
      tiled.textContent = it.inTiled && `In Tiled: ${it.inTiled}.`;
      const code = document.createElement('code');
      code.textContent = it.arguments;
      const why = document.createElement('span');
      why.className = 'soft';
      why.textContent = it.why + (it.isGuess ? ' (a guess)' : '');
      const keep = Object.assign(document.createElement('button'), {
        type: 'button',
        textContent: 'Save bitwall.toml',
      });
      const { config } = it;
      keep.onclick = () => download(new Blob([config], { type: 'text/plain' }), 'bitwall.toml');
      item.append(tiled, code, why, keep);
      return item;
    }),
  );
}

/** Fetches the linter at the first call: it is larger than all else, and the level is drawn without it. */
async function lint(files, path) {
  linter ??= import('./module/linter.js').then(async module => {
    await module.default({ module_or_path: new URL('module/linter_bg.wasm', import.meta.url) });
    return module;
  });
  const { LevelFiles, findings, suggestions } = await linter;
  const copy = new LevelFiles();
  for (const name of files.paths()) copy.put(name, files.get(name));
  const { found, skipped } = findings(copy, path, app.feel.width, app.feel.height);
  const proposed = suggestions(copy, path);
  copy.free();
  return { found, skipped, proposed };
}

async function fillFindings() {
  const { game, files, path } = app;
  const say = text => {
    const item = Object.assign(document.createElement('li'), { className: 'soft', textContent: text });
    find('findings').replaceChildren(item);
  };
  find('count').textContent = '';
  find('skipped').hidden = true;
  say('Looking for faults');
  let found, skipped, proposed;
  try {
    ({ found, skipped, proposed } = await lint(files, path));
  } catch (error) {
    say(`The linter could not be fetched: ${error.message}`);
    return;
  }
  if (game !== app.game) return;
  fillSuggestions(proposed);
  find('skipped').hidden = !skipped.length;
  find('skipped').lastElementChild.replaceChildren(
    ...skipped.map(text => Object.assign(document.createElement('li'), { textContent: text })),
  );
  app.found = found;
  find('count').textContent = found.length ? String(found.length) : '';
  if (!found.length) {
    say(`The linter finds no fault for a body of ${app.feel.width} x ${app.feel.height} px.`);
    return;
  }
  find('findings').replaceChildren(
    ...found.map(it => {
      const item = document.createElement('li');
      item.className = it.severity;
      const button = document.createElement('button');
      button.type = 'button';
      button.setAttribute('aria-pressed', 'false');
      const code = document.createElement('b');
      code.textContent = `${it.severity} ${it.code} `;
      button.append(code, it.headline);
      const more = document.createElement('p');
      more.className = 'soft';
      more.hidden = true;
      more.textContent = [it.notes, it.help && `Help: ${it.help}`].filter(Boolean).join('\n');
      button.onclick = () => {
        const was = app.finding === it;
        for (const other of find('findings').children) {
          other.firstChild.setAttribute('aria-pressed', 'false');
          other.lastChild.hidden = true;
        }
        app.finding = was ? null : it;
        button.setAttribute('aria-pressed', String(!was));
        more.hidden = was || !more.textContent;
        if (!was && it.area) stage.showArea(it.area);
        stage.dirty = true;
      };
      item.append(button, more);
      return item;
    }),
  );
}

let waiting = 0;

/** Asks the linter again when the sliders of the body have come to rest. */
function lintSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(fillFindings, 600);
}

function fillFacts() {
  const { game } = app;
  const cell = game.cell[0] * game.cell[1] === 1 ? 'pixels' : `tiles of ${game.cell[0]} x ${game.cell[1]} px`;
  const facts = [
    ['Size', `${game.width} x ${game.height} px`],
    ['Cells', cell],
    ['Solid', `${(100 * game.solidShare).toFixed(1)} %`],
    ...game.rules().map((rule, number) => [number ? '' : 'By', rule]),
    ...game.warnings().map(warning => ['Warning', warning]),
  ];
  find('facts').replaceChildren(
    ...facts.flatMap(([name, value]) => {
      const [term, detail] = [document.createElement('dt'), document.createElement('dd')];
      [term.textContent, detail.textContent] = [name, value];
      return [term, detail];
    }),
  );
}

/** Sets every control by the settings and the feel. */
function fillControls() {
  const { settings, feel } = app;
  for (const [name, value] of Object.entries({
    tool: settings.tool,
    view: settings.view,
    brush: settings.brush,
    side: feel.above ? 'above' : 'side',
  })) {
    for (const radio of radios(name)) radio.checked = radio.value === value;
  }
  find('outlines').checked = settings.outlines;
  find('reach').checked = settings.reach;
  fillTool();
  find('distance').replaceChildren(
    slider({ name: 'Distance', unit: 'px', min: 1, max: 600, step: 1 }, settings.distance, value => {
      settings.distance = value;
      tools.sweepAgain();
      save();
    }),
  );
  find('radius').replaceChildren(
    slider({ name: 'Radius', unit: 'px', min: 0, max: 64, step: 1 }, settings.radius, value => {
      settings.radius = value;
      stage.dirty = true;
      save();
    }),
  );
  const groups = SLIDERS.filter(group => !feel.above || group.above).map(group => {
    const details = document.createElement('details');
    details.open = Boolean(group.open);
    details.append(Object.assign(document.createElement('summary'), { textContent: group.title }));
    const own = group.sliders.filter(it => !feel.above || it.above !== false);
    details.append(
      ...own.map(it =>
        slider(it, feel[it.key], value => {
          feel[it.key] = value;
          app.game.setFeel(feel);
          stage.dirty = true;
          save();
          if (it.key === 'width' || it.key === 'height') lintSoon();
        }),
      ),
    );
    details.ontoggle = () => {
      group.open = details.open;
    };
    return details;
  });
  find('feel').replaceChildren(...groups);
}

function fillTool() {
  const { tool } = app.settings;
  for (const part of document.querySelectorAll('[data-for]')) part.hidden = part.dataset.for !== tool;
  find('hint').textContent = tools.hint();
  find('pad').hidden = tool !== 'walk' || !input.touch;
  find('pad').lastElementChild.hidden = app.feel.above;
  find('reach').disabled = app.feel.above;
  find('canvas').style.cursor = tool === 'look' ? 'grab' : tool === 'walk' ? 'pointer' : 'crosshair';
}

/** Changes to a view from the side or from above, where only the feet are in the way. */
function lookFrom(above) {
  if (above === app.feel.above) return;
  Object.assign(app.feel, { above, height: usualFeel(above, app.scale).height });
  fillControls();
}

function takeUsualFeel(above, scale) {
  Object.assign(app, { feel: usualFeel(above, scale), scale });
  fillControls();
}

function choose(tool) {
  app.settings.tool = tool;
  for (const radio of radios('tool')) radio.checked = radio.value === tool;
  fillTool();
  tools.start();
  save();
}

for (const radio of radios('tool')) {
  radio.onchange = () => choose(radio.value);
}
for (const radio of radios('view'))
  radio.onchange = () => {
    app.settings.view = radio.value;
    stage.redraw();
    save();
  };
for (const radio of radios('brush'))
  radio.onchange = () => {
    app.settings.brush = radio.value;
    fillTool();
    save();
  };
for (const radio of radios('side'))
  radio.onchange = () => {
    lookFrom(radio.value === 'above');
    app.game.setFeel(app.feel);
    save();
  };
for (const name of ['outlines', 'reach'])
  find(name).onchange = event => {
    app.settings[name] = event.target.checked;
    stage.dirty = true;
    save();
  };
find('level').onchange = event => {
  const { value } = event.target;
  if (byPointer) find('canvas').focus({ preventScroll: true });
  if (!value.startsWith('/')) {
    open(app.own.files, value);
    return;
  }
  openBundled(value.slice(1));
};
find('undo').onclick = () => tools.undo();
find('undo-all').onclick = () => open(app.files, app.path);
find('save-mask').onclick = async () => download(await maskFile(), maskName());
find('save-picture').onclick = async () => {
  const { game, settings } = app;
  const picture = game.picture(VIEWS[settings.view], 0, 0, game.width, game.height);
  download(await file(picture), `${stem()}-${settings.view}.png`);
};
find('restart').onclick = () => {
  app.game.startHero();
  stage.follow();
};
find('usual').onclick = () => {
  takeUsualFeel(app.feel.above, app.scale);
  app.game.setFeel(app.feel);
  save();
};
for (const button of document.querySelectorAll('[data-dir]'))
  button.onclick = () => tools.sweep(button.dataset.dir);
find('closer').onclick = () => stage.zoomBy(1.5);
find('farther').onclick = () => stage.zoomBy(1 / 1.5);
find('fit').onclick = () => stage.fit();
find('open').onclick = () => find('files').click();
find('files').onchange = event => {
  openOwn([...event.target.files]);
  event.target.value = '';
};
find('share').onclick = async () => {
  find('share').textContent = await copyLink();
  setTimeout(() => {
    find('share').textContent = 'Copy link';
  }, 2000);
};

/** Shows the lines of an engine for the level, and for the body of the hero where it is. */
function fillLines(engine) {
  const { game, feel } = app;
  const box = [Math.round(game.heroX), Math.round(game.heroY), feel.width, feel.height];
  find('lines').textContent = engine.lines(app.path, box.join(', '));
  find('more').href = REPOSITORY + engine.page;
  find('more').textContent = `${engine.name}: all of it, and how to install it`;
}
const REPOSITORY = document.querySelector('nav a').href.replace(/#.*/, '');
find('engine').append(
  ...ENGINES.map((engine, number) => {
    const [label, name] = [document.createElement('label'), document.createElement('span')];
    const radio = Object.assign(document.createElement('input'), { type: 'radio', name: 'engine' });
    radio.checked = !number;
    radio.onchange = () => fillLines(engine);
    name.textContent = engine.name;
    label.append(radio, name);
    return label;
  }),
);
find('use').onclick = () => {
  fillLines(ENGINES[radios('engine').findIndex(radio => radio.checked)]);
  find('engines').showModal();
};
find('close-engines').onclick = () => find('engines').close();
find('copy-lines').onclick = () => navigator.clipboard.writeText(find('lines').textContent);
// After a click the keys are for the level again; who goes by keys stays where they are.
let byPointer = false;
addEventListener('pointerdown', () => (byPointer = true), true);
addEventListener('keydown', () => (byPointer = false), true);
addEventListener('click', event => {
  if (byPointer && event.target.closest('button, .choice')) find('canvas').focus({ preventScroll: true });
});
addEventListener('dragover', event => {
  event.preventDefault();
  find('drop').hidden = false;
});
addEventListener('dragleave', event => {
  if (!event.relatedTarget) find('drop').hidden = true;
});
addEventListener('drop', event => {
  event.preventDefault();
  find('drop').hidden = true;
  openOwn(event.dataTransfer);
});
addEventListener('hashchange', () => start());
addEventListener('keydown', event => {
  const at = document.activeElement;
  if (event.key === 'z' && (event.ctrlKey || event.metaKey) && app.settings.tool === 'carve') {
    tools.undo();
    event.preventDefault();
  }
  if ((at !== document.body && at !== find('canvas')) || event.ctrlKey || event.metaKey || event.altKey)
    return;
  const tool = ['walk', 'look', 'sweep', 'carve', 'way'][Number(event.key) - 1];
  if (tool) choose(tool);
  else if (event.key === '+') stage.zoomBy(1.5);
  else if (event.key === '-') stage.zoomBy(1 / 1.5);
  else if (event.key === '0') stage.fit();
  else if (app.settings.tool === 'walk' ? input.press(event.code) : tools.key(event)) event.preventDefault();
});
addEventListener('keyup', event => input.release(event.code));
input.ontouch = fillTool;

let last = performance.now();
function frame(now) {
  // The first frame may have begun before the page was ready.
  const seconds = Math.min(Math.max((now - last) / 1000, 0), 0.1);
  last = now;
  if (app.game) {
    if (app.settings.tool === 'walk') {
      const { x, y, jump } = input.read();
      app.game.advance(seconds, x, y, jump);
      stage.follow();
      tools.walked(x, y);
    }
    stage.draw();
    app.frames++;
  }
  requestAnimationFrame(frame);
}

/** Starts with what the link says; the level's files may have been `fetched` before. */
async function start(fetched) {
  const { hash } = location;
  const own = new URLSearchParams(hash.slice(1)).get('own');
  readSettings(app, hash);
  app.scale = 0;
  if (own) {
    try {
      const files = await unpacked(own);
      await openFiles(collect(files), files[0]?.[0]);
    } catch (error) {
      notice(`The level in the link cannot be read: ${error.message}`);
    }
  } else {
    await openBundled(levelOf(hash).path, fetched);
  }
  const reason = find('notice').textContent;
  if (!app.game) await openBundled(BUNDLED[0].path, fetched);
  if (reason) notice(reason);
  if (!app.game) return;
  app.feel = readFeel(app, hash);
  app.game.setFeel(app.feel);
  app.game.startHero();
  fillControls();
  stage.show();
  save();
}

const begun = performance.now();
const fetched = fetchLevel(levelOf(location.hash).path);
// A failure is said when the level is opened.
fetched.catch(() => {});
await init({ module_or_path: new URL('module/playground_bg.wasm', import.meta.url) });
const compiled = performance.now();
await start(fetched);
requestAnimationFrame(frame);

/** For tests and for a curious reader of the console. */
window.playground = {
  app,
  stage,
  tools,
  openOwn,
  link,
  times: { compile: compiled - begun, ready: performance.now() },
};
document.documentElement.dataset.ready = '';
