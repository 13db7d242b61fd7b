// The page in Chromium: it loads, walks, carves and sweeps, and can be used by keys, on a phone, in the dark.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { hash, hero, on, picture, place, point, status, PICTURES } from './page.js';

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
    const isSolid = () =>
      page.evaluate(([x, y]) => !window.playground.app.game.why(x, y).endsWith('passable'), at);
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
    assert.ok(
      boxes[1].every((x, at) => at % 4 !== 0 || x < 120),
      'all are left of the wall',
    );
    await page.getByLabel('Show what the hero reaches').check();
    assert.match(await hash(page), /reach=true/);
    await picture(page, 'reach-carved');
  });
});

test('the page runs nothing but its own files', async () => {
  await on(
    '#level=cave.tmx',
    async page => {
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
    },
    { expected: /Content Security Policy|violates/ },
  );
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
  const phone = {
    viewport: { width: 740, height: 360 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  };
  await on(
    '#level=hills.tmx',
    async page => {
      const { width, height } = await page.locator('#frame').boundingBox();
      assert.ok(width > 400 && height > 230, `${width} x ${height}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 740);
      const pad = await page.locator('#pad').boundingBox();
      const said = await page.locator('#status').boundingBox();
      assert.ok(
        pad.y + pad.height < said.y && said.y + said.height <= 360,
        `${pad.y} + ${pad.height}, ${said.y}`,
      );
      assert.ok(await page.getByText('Collision for levels of 2D games').isVisible());
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
