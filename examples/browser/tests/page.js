// The page in Chromium, and what the tests do with it. With PICTURES=folder they leave pictures there.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { home, serve } from './serve.js';

export const { PICTURES } = process.env;
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
export async function on(link, story, { expected, ...options } = {}) {
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

export const hash = page => page.evaluate(() => location.hash);
export const status = page => page.locator('#status').textContent();
export const picture = async (page, name) => {
  if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`) });
};
/** The pixel of the page at a pixel of the level. */
export const place = (page, x, y) =>
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
export async function point(page, x, y) {
  const at = await place(page, x, y);
  await page.mouse.move(at.x, at.y);
}
export const hero = page =>
  page.evaluate(() => ({ x: window.playground.app.game.heroX, y: window.playground.app.game.heroY }));
export const drop = (page, files) =>
  page.evaluate(async files => {
    const list = files.map(
      ({ name, base64 }) => new File([Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))], name),
    );
    const data = new DataTransfer();
    list.forEach(file => data.items.add(file));
    dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
  }, files);
export const file = (name, bytes = readFileSync(join(home, 'dist/levels', name))) => ({
  name,
  base64: Buffer.from(bytes).toString('base64'),
});
