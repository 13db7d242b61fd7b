// The page in Chromium: it loads, walks, carves, sweeps, takes dropped files, lists findings and suggestions,
// and can be used by keys, on a phone, in the dark. With PICTURES=folder it leaves pictures of that there.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { home, serve } from './serve.js';

const { PICTURES } = process.env;
const executablePath = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(path => path && existsSync(path));
let server, browser, url;

before(async () => {
  assert.ok(executablePath, 'there is no Chromium: `apt-get install chromium`, or name one in CHROMIUM');
  if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  server = await serve();
  url = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Opens the page, runs `story`, and fails on any error that the page logs, unless it is `expected`. */
async function on(link, story, { expected, ...options } = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  const errors = [];
  page.on('pageerror', error => errors.push(error.message));
  page.on('console', message => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(url + link);
  await page.waitForSelector('html[data-ready]', { state: 'attached', timeout: 60_000 });
  await story(page);
  await page.close();
  assert.deepEqual(
    errors.filter(error => !expected?.test(error)),
    [],
  );
}

const hash = page => page.evaluate(() => location.hash);
const status = page => page.locator('#status').textContent();
const picture = async (page, name) => {
  if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`) });
};
/** The pixel of the page at a pixel of the level. */
const place = (page, x, y) =>
  page.evaluate(
    ([x, y]) => {
      const {
        stage: { camera, canvas },
      } = window.playground;
      const box = canvas.getBoundingClientRect();
      const zoom = camera.zoom / devicePixelRatio;
      return {
        x: box.x + box.width / 2 + (x + 0.5 - camera.x) * zoom,
        y: box.y + box.height / 2 + (y + 0.5 - camera.y) * zoom,
      };
    },
    [x, y],
  );
async function point(page, x, y) {
  const at = await place(page, x, y);
  await page.mouse.move(at.x, at.y);
}
const hero = page =>
  page.evaluate(() => ({ x: window.playground.app.game.heroX, y: window.playground.app.game.heroY }));
const drop = (page, files) =>
  page.evaluate(async files => {
    const list = files.map(
      ({ name, base64 }) => new File([Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))], name),
    );
    const data = new DataTransfer();
    list.forEach(file => data.items.add(file));
    dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
  }, files);
const file = (name, bytes = readFileSync(join(home, 'dist/levels', name))) => ({
  name,
  base64: Buffer.from(bytes).toString('base64'),
});

test('it is ready in a second, and says what blocks and why', async () => {
  const times = [];
  for (let run = 0; run < 3; run++) {
    await on('', async page => {
      times.push(await page.evaluate(() => window.playground.times.ready));
    });
  }
  console.log(`ready after ${times.map(Math.round).join(', ')} ms`);
  assert.ok(Math.min(...times) < 1000, `${times}`);
  await on('#level=cave.tmx&tool=look', async page => {
    await point(page, 8, 472);
    assert.match(
      await status(page),
      /^cell \(col 0, row 29\), tile \d+ of tileset `cave` in layer `Collision` \(solid by its name\)$/,
    );
    await point(page, 120, 350);
    assert.match(await status(page), /passable$/);
    await picture(page, 'look');
  });
});

test('one walks with keys; the link keeps the tool', async () => {
  await on('#level=hills.tmx', async page => {
    await page.waitForTimeout(500);
    const start = await hero(page);
    await page.keyboard.down('ArrowRight');
    for (let shot = 0; shot < 6; shot++) {
      await page.waitForTimeout(250);
      if (shot === 3) await page.keyboard.down('Space');
      await picture(page, `walk${shot}`);
    }
    await page.keyboard.up('Space');
    await page.keyboard.up('ArrowRight');
    const end = await hero(page);
    await page.getByRole('button', { name: 'Back to the start' }).click();
    await page.waitForTimeout(200);
    const again = await hero(page);
    await page.keyboard.down('ArrowRight');
    await page.waitForTimeout(200);
    await page.keyboard.up('ArrowRight');
    assert.ok(again.x === start.x && (await hero(page)).x > again.x, 'after a click the keys walk again');
    assert.ok(end.x > start.x + 60, `from ${start.x} to ${end.x}`);
    assert.match(await hash(page), /level=hills.tmx$/);
  });
});

test('a gamepad walks and jumps', async () => {
  await on('#level=hills.tmx', async page => {
    await page.waitForTimeout(500);
    const start = await hero(page);
    await page.evaluate(() => {
      const buttons = Array.from({ length: 16 }, (_, number) => ({ pressed: number === 0 }));
      navigator.getGamepads = () => [null, { axes: [0.9, 0.1], buttons }];
    });
    await page.waitForTimeout(250);
    const end = await hero(page);
    assert.ok(
      end.x > start.x + 5 && end.y < start.y - 5,
      `from ${start.x}, ${start.y} to ${end.x}, ${end.y}`,
    );
  });
});

test('the sliders change the walk, and the link brings them back', async () => {
  await on('#level=hills.tmx', async page => {
    const speed = page => page.getByLabel('Speed', { exact: true });
    await page.getByText('Run', { exact: true }).click();
    const slider = speed(page);
    await slider.focus();
    await page.keyboard.press('End');
    await page.waitForFunction(() => location.hash.includes('run=400'), null, { timeout: 5000 });
    const link = await hash(page);
    await on(link, async other => {
      assert.equal(await speed(other).inputValue(), '400');
      const start = await hero(other);
      await other.keyboard.down('ArrowLeft');
      await other.waitForTimeout(300);
      await other.keyboard.up('ArrowLeft');
      assert.ok((await hero(other)).x < start.x);
    });
  });
});

test('from above one walks in all directions', async () => {
  await on('#level=town.tmx', async page => {
    const start = await hero(page);
    for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) {
      await page.keyboard.down(key);
      await page.waitForTimeout(200);
      await page.keyboard.up(key);
    }
    const end = await hero(page);
    assert.notDeepEqual(start, end);
    await picture(page, 'above');
  });
});

test('the pointer carves, and the hole is passable', async () => {
  await on('#level=island_mask.png&tool=carve&radius=20', async page => {
    const at = [10, 200];
    const isSolid = () => page.evaluate(([x, y]) => !window.playground.app.game.why(x, y).endsWith('passable'), at);
    assert.equal(await isSolid(), true);
    await point(page, ...at);
    await page.mouse.down();
    await point(page, 120, 260);
    await page.mouse.up();
    assert.equal(await isSolid(), false);
    assert.match(await status(page), /% of the level is solid/);
    await picture(page, 'carve');
    // Each stroke is taken back by itself, and the facts follow.
    const fact = () => page.locator('#facts').textContent();
    const carved = await fact();
    await point(page, 300, 300);
    await page.mouse.down();
    await page.mouse.up();
    assert.notEqual(await fact(), carved);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    assert.equal(await fact(), carved);
    assert.equal(await isSolid(), false);
    await page.keyboard.press('Control+z');
    assert.equal(await isSolid(), true);
    assert.ok(await page.getByRole('button', { name: 'Undo', exact: true }).isDisabled());
    await page.mouse.down();
    await page.mouse.up();
    await page.getByRole('button', { name: 'Undo all' }).click();
    await page.waitForTimeout(100);
    assert.notEqual(await fact(), carved);
  });
});

test('a level is seen as its map is meant', async () => {
  const above = {
    'hills.tmx': false,
    'cave.tmx': false,
    'platforms.tmx': false,
    'town.tmx': true,
    'bricks.tmx': false,
    'rooms.ldtk': false,
    'harbor_mask.png': true,
    'island_mask.png': true,
    'thin_walls.png': true,
    'unmarked.tmx': false,
  };
  await on('', async page => {
    for (const [name, expected] of Object.entries(above)) {
      await page.locator('#level').selectOption(`/${name}`);
      await page.waitForFunction(name => window.playground.app.path === name, name);
      assert.equal(await page.getByLabel('From above').isChecked(), expected, name);
    }
  });
});

test('what one makes leaves the page: a picture, a mask, options, a link with the level in it', async () => {
  await on('#level=island_mask.png&tool=carve&radius=20', async page => {
    await point(page, 10, 200);
    await page.mouse.down();
    await page.mouse.up();
    const solids = () => page.evaluate(() => window.playground.app.game.solidShare);
    const carved = await solids();
    const saved = async (name, button) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', button).click()]);
      assert.equal(download.suggestedFilename(), name);
      return readFileSync(await download.path());
    };
    const mask = await saved('island_mask.png', { name: 'Save the solids as a mask' });
    await saved('island_mask-both.png', { name: 'Save the picture' });
    const own = await page.evaluate(async () => (await window.playground.link()).slice(1));
    await drop(page, [file('again_mask.png', mask)]);
    await page.waitForFunction(() => window.playground.app.path === 'again_mask.png');
    assert.equal(await solids(), carved, 'the mask has the carved solids');
    if (own.includes('own=')) {
      await on(`#${own}`, async other => {
        assert.equal(await other.evaluate(() => window.playground.app.game.solidShare), carved);
      });
    }
  });
  // A map of one's own, without its picture.
  await on('', async page => {
    await drop(page, [file('own.tmx', small(7)), file('t.png', readFileSync(join(home, 'dist/levels/walker.png')))]);
    await page.waitForFunction(() => window.playground.app.path === 'own.tmx');
    const link = await page.evaluate(() => window.playground.link());
    assert.match(link, /^#own=[\w-]{50,}/);
    await on(link, async other => {
      assert.deepEqual(await other.evaluate(() => [window.playground.app.path, window.playground.app.game.width]), ['own.tmx', 56]);
    });
    for (const broken of ['#own=%', '#own=AAAA', `${link.slice(0, 60)}`]) {
      await on(broken, async other => {
        assert.match(await other.locator('#notice').textContent(), /^The level in the link cannot be read/);
        assert.equal(await other.evaluate(() => window.playground.app.path), 'hills.tmx');
      });
    }
  });
});

/** A map of rows of `width` tiles of 8 x 8 px, of which those with 1 are solid. */
const small = (width, cells = Array(width).fill(1)) => {
  const size = `width="${width}" height="${cells.length / width}"`;
  return `<map version="1.10" orientation="orthogonal" ${size} tilewidth="8" tileheight="8">
<tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="1" columns="1"><image source="t.png" width="8" height="8"/></tileset>
<layer id="1" name="Collision" ${size}><data encoding="csv">${cells.join()}</data></layer></map>`;
};

test('a map that lacks a picture does not keep later drops on itself', async () => {
  await on('', async page => {
    await drop(page, [file('a.tmx', small(3))]);
    await page.waitForFunction(() => window.playground.app.path === 'a.tmx');
    await drop(page, [file('b.tmx', small(7))]);
    await page.waitForFunction(() => window.playground.app.path === 'b.tmx');
    assert.equal(await page.evaluate(() => window.playground.app.game.width), 56);
    assert.match(await page.locator('#notice').textContent(), /^b.tmx also needs t.png/);
  });
});

test('the lines for each engine', async () => {
  await on('', async page => {
    await page.getByRole('button', { name: 'Use it in your game' }).click();
    const lines = page.locator('#lines');
    for (const label of await page.locator('#engine label').all()) {
      await label.click();
      const text = await lines.textContent();
      assert.equal(text.split('\n').length, 6, text);
      assert.match(await page.locator('#more').getAttribute('href'), /^https:.*(readme|in-a-game)$/);
    }
    await picture(page, 'engines');
    await page.getByRole('button', { name: 'Close' }).click();
    assert.ok(await page.locator('#engines').isHidden());
  });
});

test('a drawn box is swept, and says where it stops and by what', async () => {
  await on('#level=cave.tmx&tool=sweep', async page => {
    await point(page, 114, 320);
    await page.mouse.down();
    await point(page, 133, 339);
    await page.mouse.up();
    await page.getByRole('button', { name: 'Sweep down' }).click();
    assert.match(
      await status(page),
      /^down by 200 px\? no: moves \d+ px, stopped by cell \(col \d+, row \d+\), tile/,
    );
    await picture(page, 'sweep');
    await page.locator('#canvas').focus();
    await page.keyboard.press('ArrowLeft');
    assert.match(await status(page), /^left by 200 px\?/);
  });
});

test('the shortest way follows the pointer', async () => {
  await on('#level=town.tmx&tool=way', async page => {
    const at = await place(page, 40, 40);
    await page.mouse.click(at.x, at.y);
    await point(page, 600, 560);
    assert.match(await status(page), /^a way of \d+ px for a body of 12 x 10 px$/);
    await page.getByLabel('Show the outlines').check();
    await page.waitForTimeout(100);
    await picture(page, 'way');
  });
});

test('what the hero reaches is shown while one carves', async () => {
  await on('#level=hills.tmx&tool=carve', async page => {
    const boxes = await page.evaluate(() => {
      const { app } = window.playground;
      /** The floors and the steps of jumps, when all are known: x, y, width and height of each. */
      const reached = () => {
        let last = [];
        for (let call = 0; call < 500; call += 1) last = app.game.reached() ?? last;
        return [...last];
      };
      const before = reached();
      // A wall up to the sky beside the hero.
      for (let y = 0; y < 240; y += 16) app.game.edit(120, y, 12, true);
      return [before, reached()];
    });
    const [before, after] = boxes.map(all => all.filter((_, at) => at % 4 === 3 && all[at] === 3).length);
    assert.ok(before > 5 && boxes[0].length > 4 * before, `${before} floors`);
    assert.ok(after < before, `${after} floors`);
    assert.ok(boxes[1].every((x, at) => at % 4 !== 0 || x < 120), 'all are left of the wall');
    await page.getByLabel('Show what the hero reaches').check();
    assert.match(await hash(page), /reach=true/);
    await picture(page, 'reach-carved');
  });
});

test('outlines with more points than a page can draw: a notice says so', async () => {
  const side = 300;
  const cells = Array.from({ length: side * side }, (_, at) => (at + Math.floor(at / side)) % 2);
  await on('#level=hills.tmx&outlines=true', async page => {
    await drop(page, [file('checker.tmx', small(side, cells))]);
    const notice = page.getByText('the outlines have 180000 points, and a page can draw 131072');
    await notice.waitFor();
  });
});

test('a world of maps in folders is opened, and one of its maps', async () => {
  const maps = ['a.tmx', 'b.tmx'].map((fileName, at) => ({ fileName: `maps/${fileName}`, x: 16 * at, y: 0 }));
  const world = file('all.world', JSON.stringify({ type: 'world', maps }));
  await on('', async page => {
    await drop(page, [file('a.tmx', small(2)), file('b.tmx', small(2)), world]);
    await page.waitForFunction(() => window.playground.app.path === 'all.world');
    const share = () => page.evaluate(() => [window.playground.app.game.width, window.playground.app.game.solidShare]);
    assert.deepEqual(await share(), [32, 1]);
    await page.locator('#level').selectOption('b.tmx');
    await page.waitForFunction(() => window.playground.app.path === 'b.tmx');
    assert.deepEqual(await share(), [16, 1]);
  });
});

test('dropped files are opened; what is missing is asked for, and can be added', async () => {
  await on('', async page => {
    await drop(page, [file('cave.tmx'), file('cave_tiles.png')]);
    await page.waitForFunction(() => document.getElementById('notice').textContent.includes('cave.tsx'));
    await drop(page, [file('cave.tsx')]);
    await page.waitForFunction(
      () => window.playground.app.path === 'cave.tmx' && document.getElementById('notice').hidden,
    );
    assert.equal(await page.locator('#level').inputValue(), 'cave.tmx');
    await drop(page, [file('harbor_mask.png')]);
    await page.waitForFunction(() => window.playground.app.path === 'harbor_mask.png');
    await drop(page, [file('bad.tmx', '<map')]);
    await page.waitForFunction(() => document.getElementById('notice').textContent.startsWith('bad.tmx'));
    assert.equal(
      await page.evaluate(() => window.playground.app.path),
      'harbor_mask.png',
      'the old level stays',
    );
    await picture(page, 'dropped');
  });
});

test('a map named .json is opened, with a hero of the size of its tiles', async () => {
  const map = {
    type: 'map',
    orientation: 'orthogonal',
    width: 12,
    height: 8,
    tilewidth: 48,
    tileheight: 48,
    layers: [
      {
        type: 'tilelayer',
        name: 'Walls',
        width: 12,
        height: 8,
        data: Array.from({ length: 96 }, (_, at) => Number(at >= 84 || at % 12 === 8 && at > 72)),
        visible: true,
        opacity: 1,
        x: 0,
        y: 0,
      },
    ],
    tilesets: [
      {
        firstgid: 1,
        name: 't',
        tilewidth: 48,
        tileheight: 48,
        tilecount: 1,
        columns: 1,
        image: 'harbor.png',
        imagewidth: 48,
        imageheight: 48,
      },
    ],
  };
  await on('', async page => {
    const size = () =>
      page.evaluate(() => {
        const { width, height } = window.playground.app.feel;
        return [width, height];
      });
    assert.deepEqual(await size(), [12, 20]);
    await drop(page, [
      file('harbor.png'),
      file('level.json', JSON.stringify(map)),
      file('tiles.json', '{"type": "tileset", "tiles": []}'),
    ]);
    await page.waitForFunction(() => window.playground.app.path === 'level.json');
    assert.deepEqual(await size(), [36, 60]);
    // He climbs a tile by a jump.
    await page.waitForTimeout(500);
    await page.locator('#canvas').focus();
    await page.keyboard.down('ArrowRight');
    await page.keyboard.down('Space');
    await page.waitForFunction(() => window.playground.app.game.heroX > 8 * 48, null, { timeout: 5000 });
    await page.keyboard.up('Space');
    await page.keyboard.up('ArrowRight');
    await picture(page, 'large-tiles');
    await page.locator('#level').selectOption('/cave.tmx');
    await page.waitForFunction(() => window.playground.app.path === 'cave.tmx');
    assert.deepEqual(await size(), [12, 20]);
    assert.match(await hash(page), /^#level=cave.tmx$/);
  });
});

test('a level with a misspelt layer has suggestions', async () => {
  await on('#level=unmarked.tmx&tool=look', async page => {
    const first = page.locator('.suggestion').first();
    await first.waitFor();
    const text = await first.textContent();
    assert.match(text, /--solid-layer Tile Layer 3/);
    assert.match(text, /^In Tiled: rename the layer `Tile Layer 3` to `Collision`, or tick its bool property `solid`/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      first.getByRole('button', { name: 'Save bitwall.toml' }).click(),
    ]);
    assert.equal(readFileSync(await download.path(), 'utf8'), '[solid]\nlayers = ["Tile Layer 3"]\n');
    await page.locator('#findings button').first().click();
    await picture(page, 'suggestions');
  });
});

test('a link of broken numbers shows a level', async () => {
  const link =
    '#level=hills.tmx&tool=sweep&distance=2.7&radius=1e300&width=2.5&height=NaN&step=-9&run=Infinity&jump=0.5&above=7';
  await on(link, async page => {
    const { distance, radius, feel } = await page.evaluate(() => {
      const { settings, feel } = window.playground.app;
      return { ...settings, feel: { width: feel.width, height: feel.height, step: feel.step, run: feel.run } };
    });
    assert.deepEqual([distance, radius], [3, 64]);
    assert.deepEqual(feel, { width: 3, height: 20, step: 0, run: 105 });
    assert.match(await status(page), /^right by 3 px\?/);
  });
});

test('the page runs nothing but its own files', async () => {
  await on('#level=cave.tmx', async page => {
    const refused = await page.evaluate(async () => {
      const broken = [];
      addEventListener('securitypolicyviolation', event => broken.push(event.effectiveDirective));
      const script = document.createElement('script');
      script.textContent = 'window.injected = 1';
      document.head.append(script);
      document.body.insertAdjacentHTML('beforeend', '<i onclick="1" style="color: red"></i>');
      document.body.lastElementChild.click();
      await fetch('https://example.com/').catch(() => {});
      new Image().src = 'https://example.com/a.png';
      await new Promise(done => setTimeout(done, 200));
      return [window.injected, ...broken];
    });
    const [injected, ...broken] = refused;
    assert.equal(injected, undefined);
    assert.deepEqual([...new Set(broken)].sort(), [
      'connect-src',
      'img-src',
      'script-src-attr',
      'script-src-elem',
      'style-src-attr',
    ]);
  }, { expected: /Content Security Policy|violates/ });
});

test('a finding is shown on the level', async () => {
  const faulty = readFileSync(join(home, 'dist/levels/cave.tmx'), 'utf8').replace(
    'x="120" y="360"',
    'x="8" y="472"',
  );
  await on('', async page => {
    await drop(page, [file('faulty.tmx', faulty), file('cave.tsx'), file('cave_tiles.png')]);
    await page.waitForFunction(
      () => window.playground.app.path === 'faulty.tmx' && window.playground.app.found?.some(it => it.area),
    );
    const number = await page.evaluate(() => window.playground.app.found.findIndex(it => it.area));
    await page.locator('#findings button').nth(number).click();
    await page.waitForTimeout(200);
    const area = await page.evaluate(() => [...window.playground.app.finding.area]);
    const [at, box] = [await place(page, area[0], area[1]), await page.locator('#canvas').boundingBox()];
    assert.ok(
      at.x >= box.x && at.x < box.x + box.width && at.y >= box.y && at.y < box.y + box.height,
      'it is in sight',
    );
    await picture(page, 'finding');
  });
});

test('all can be reached by keys, and has a name', async () => {
  await on('#level=cave.tmx&tool=look', async page => {
    const seen = [];
    await page.keyboard.press('Tab');
    for (let step = 0; step < 20; step++) {
      seen.push(
        await page.evaluate(() => {
          const at = document.activeElement;
          return (
            at.getAttribute('aria-label') ||
            at.labels?.[0]?.textContent.trim() ||
            at.textContent.trim().slice(0, 30) ||
            at.id
          );
        }),
      );
      await page.keyboard.press('Tab');
    }
    for (const name of ['Copy link', 'Look', 'Both', 'The level', 'Level', 'Open your files'])
      assert.ok(seen.includes(name), `${name} in ${seen}`);
    assert.ok(!seen.includes(''), seen.join('; '));
    await page.locator('#canvas').focus();
    await page.keyboard.press('ArrowLeft');
    assert.match(await status(page), /^cell \(col \d+, row \d+\)/);
    await page.keyboard.press('3');
    assert.ok(await page.getByLabel('Sweep', { exact: true }).isChecked());
  });
});

test('it fits a phone of 360 px, and the pad walks', async () => {
  const phone = {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  };
  await on(
    '#level=hills.tmx',
    async page => {
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
      await page.waitForTimeout(300);
      const start = await hero(page);
      const right = await page.getByRole('button', { name: 'Right', exact: true }).boundingBox();
      const session = await page.context().newCDPSession(page);
      await session.send('Input.dispatchTouchEvent', {
        type: 'touchStart',
        touchPoints: [{ x: right.x + 20, y: right.y + 20 }],
      });
      await page.waitForTimeout(600);
      await picture(page, 'phone');
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      assert.ok((await hero(page)).x > start.x + 20);
    },
    phone,
  );
  // After a drag of a finger the way stays: there is no pointer that hovers.
  await on(
    '#level=town.tmx&tool=way',
    async page => {
      const session = await page.context().newCDPSession(page);
      const touch = async (type, ...at) =>
        session.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: at.length ? [await place(page, ...at)] : [],
        });
      await touch('touchStart', 40, 40);
      await touch('touchMove', 300, 300);
      await touch('touchEnd');
      await page.waitForTimeout(100);
      assert.match(await status(page), /^a way of \d{3} px for a body of 12 x 10 px$/);
      await picture(page, 'phone-drag');
    },
    phone,
  );
  for (const tool of ['look', 'sweep', 'carve', 'way']) {
    await on(
      `#level=cave.tmx&tool=${tool}`,
      async page => {
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, tool);
        if (PICTURES) await page.screenshot({ path: join(PICTURES, `phone-${tool}.png`), fullPage: true });
      },
      { ...phone, colorScheme: 'dark' },
    );
  }
});

test('it fits a phone on its side', async () => {
  const phone = { viewport: { width: 740, height: 360 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
  await on(
    '#level=hills.tmx',
    async page => {
      const { width, height } = await page.locator('#frame').boundingBox();
      assert.ok(width > 400 && height > 230, `${width} x ${height}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 740);
      const pad = await page.locator('#pad').boundingBox();
      assert.ok(pad.y + pad.height <= 360, `${pad.y} + ${pad.height}`);
      await page.waitForTimeout(300);
      await picture(page, 'phone-side');
    },
    phone,
  );
});

test('it is dark where the person wants it dark, with enough contrast', async () => {
  for (const colorScheme of ['light', 'dark']) {
    await on(
      '',
      async page => {
        const ratios = await page.evaluate(() => {
          const style = getComputedStyle(document.documentElement);
          const light = name => {
            const hex = style.getPropertyValue(name).trim();
            const parts = [1, 3, 5]
              .map(at => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
              .map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
          };
          const ratio = (one, two) => {
            const [low, high] = [light(one), light(two)].sort((a, b) => a - b);
            return (high + 0.05) / (low + 0.05);
          };
          return [
            ['--ink', '--paper'],
            ['--soft', '--paper'],
            ['--on-accent', '--accent'],
            ['--error', '--card'],
            ['--warning', '--card'],
            ['--note', '--card'],
            ['--ink', '--wash'],
          ].map(pair => [pair.join(' on '), ratio(...pair)]);
        });
        for (const [pair, ratio] of ratios)
          assert.ok(ratio >= 4.5, `${colorScheme}: ${pair} is ${ratio.toFixed(2)}`);
        await picture(page, colorScheme);
      },
      { colorScheme },
    );
  }
});

test('a level of 2048 x 2048 px runs at the screen’s rate', async () => {
  await on('#level=hills.tmx', async page => {
    const { frames, seconds, load, work } = await page.evaluate(async () => {
      const { app, stage, openOwn } = window.playground;
      // Caves: a mask of 2048 x 2048 px, made here.
      const side = 2048;
      const canvas = new OffscreenCanvas(side, side);
      const context = canvas.getContext('2d');
      context.fillStyle = '#000';
      context.fillRect(0, 0, side, side);
      context.fillStyle = '#fff';
      let seed = 7;
      const random = () => {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        return seed / 2147483648;
      };
      for (let cave = 0; cave < 900; cave++) {
        context.beginPath();
        context.arc(random() * side, random() * side, 10 + 50 * random(), 0, 7);
        context.fill();
      }
      // Two colours only, as a mask has them.
      const pixels = context.getImageData(0, 0, side, side);
      for (let at = 0; at < pixels.data.length; at += 4)
        pixels.data.fill(pixels.data[at] < 128 ? 0 : 255, at, at + 3);
      context.putImageData(pixels, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/png' });
      await openOwn([new File([blob], 'caves_mask.png')]);
      await new Promise(done => setTimeout(done, 3000));
      dispatchEvent(new KeyboardEvent('keydown', { code: 'ArrowRight', key: 'ArrowRight' }));
      const begin = performance.now();
      const [first, times] = [app.frames, []];
      let last = begin;
      await new Promise(done => {
        const next = now => {
          times.push(now - last);
          last = now;
          if (now - begin > 3000) done();
          else requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      });
      // The time of the page's own work in a frame.
      const work = [];
      for (let frame = 0; frame < 120; frame++) {
        const start = performance.now();
        app.game.advance(1 / 60, frame % 40 < 20 ? 1 : -1, 0, frame % 20 < 5);
        stage.dirty = true;
        stage.follow();
        stage.draw();
        work.push(performance.now() - start);
      }
      return {
        frames: app.frames - first,
        seconds: (last - begin) / 1000,
        load: app.loadMs,
        work: work.sort((one, other) => one - other),
      };
    });
    const rate = frames / seconds;
    console.log(
      `2048 x 2048 px: loaded and drawn in ${load.toFixed(0)} ms; ${rate.toFixed(1)} frames a second; ` +
        `a frame's work ${work[60].toFixed(1)} ms, at most ${work[119].toFixed(1)} ms`,
    );
    assert.ok(rate > 50, `${rate} frames a second`);
    assert.ok(work[60] < 8, `${work[60]} ms`);
    await picture(page, 'large');
  });
});
