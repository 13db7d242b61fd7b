// What comes into the page and leaves it: dropped files, links, downloads; and what the linter says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { drop, file, hash, on, picture, place, point, status } from './page.js';
import { home } from './serve.js';

/** A map of rows of `width` tiles of 8 x 8 px, of which those with 1 are solid. */
const small = (width, cells = Array(width).fill(1)) => {
  const size = `width="${width}" height="${cells.length / width}"`;
  return `<map version="1.10" orientation="orthogonal" ${size} tilewidth="8" tileheight="8">
<tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="1" columns="1">
<image source="t.png" width="8" height="8"/></tileset>
<layer id="1" name="Collision" ${size}><data encoding="csv">${cells.join()}</data></layer></map>`;
};

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
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', button).click(),
      ]);
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
    await drop(page, [
      file('own.tmx', small(7)),
      file('t.png', readFileSync(join(home, 'dist/levels/walker.png'))),
    ]);
    await page.waitForFunction(() => window.playground.app.path === 'own.tmx');
    const link = await page.evaluate(() => window.playground.link());
    assert.match(link, /^#own=[\w-]{50,}/);
    await on(link, async other => {
      assert.deepEqual(
        await other.evaluate(() => [window.playground.app.path, window.playground.app.game.width]),
        ['own.tmx', 56],
      );
    });
    for (const broken of ['#own=%', '#own=AAAA', `${link.slice(0, 60)}`]) {
      await on(broken, async other => {
        assert.match(await other.locator('#notice').textContent(), /^The level in the link cannot be read/);
        assert.equal(await other.evaluate(() => window.playground.app.path), 'hills.tmx');
      });
    }
  });
});

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
    const share = () =>
      page.evaluate(() => [window.playground.app.game.width, window.playground.app.game.solidShare]);
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
        data: Array.from({ length: 96 }, (_, at) => Number(at >= 84 || (at % 12 === 8 && at > 72))),
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
    assert.match(text, /--solid-layer 'Tile Layer 3'/);
    assert.match(
      text,
      /^In Tiled: rename the layer `Tile Layer 3` to `Collision`, or tick its bool property `solid`/,
    );
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
    '#level=hills.tmx&tool=sweep&distance=2.7&radius=1e300&width=2.5&height=NaN&step=-9' +
    '&run=Infinity&jump=0.5&above=7';
  await on(link, async page => {
    const { distance, radius, feel } = await page.evaluate(() => {
      const { settings, feel } = window.playground.app;
      return {
        ...settings,
        feel: { width: feel.width, height: feel.height, step: feel.step, run: feel.run },
      };
    });
    assert.deepEqual([distance, radius], [3, 64]);
    assert.deepEqual(feel, { width: 3, height: 20, step: 0, run: 105 });
    assert.match(await status(page), /^right by 3 px\?/);
  });
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
