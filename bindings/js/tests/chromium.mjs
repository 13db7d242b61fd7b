// The package in Chromium: the hash of the hero, and a picture of examples/web. Run it beside playwright-core:
// NODE_PATH is not looked at by ES modules, so its folder is an argument.
// node chromium.mjs DIST ASSETS EXAMPLE PLAYWRIGHT PICTURE
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [, , dist, assets, example, playwright, picture] = process.argv;
const tests = fileURLToPath(new URL(".", import.meta.url));
const types = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };
const folders = [["/node_modules/bitwall/", dist], ["/js/tests/", tests], ["/", example], ["/", assets]];

const server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://localhost").pathname;
  for (const [prefix, folder] of folders) {
    if (!path.startsWith(prefix)) continue;
    const contents = await readFile(join(folder, path.slice(prefix.length) || "index.html")).catch(() => null);
    if (contents === null) continue;
    response.writeHead(200, { "content-type": types[extname(path)] ?? (path === "/" ? "text/html" : "application/octet-stream") });
    response.end(contents);
    return;
  }
  response.writeHead(404).end();
}).listen(0);
const address = `http://localhost:${server.address().port}`;

const { chromium } = (await import(pathToFileURL(join(playwright, "index.mjs")))).default ?? (await import(pathToFileURL(join(playwright, "index.mjs"))));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 960, height: 540 } });
page.on("pageerror", (error) => console.error(String(error)));
page.on("console", (message) => console.error(message.text()));
try {
  await page.goto(address);
  await page.waitForSelector("html[data-hero]", { state: "attached", timeout: 20000 });
  console.log(await page.evaluate(async () => {
    const { play } = await import("/js/tests/hero.mjs");
    const [core, readers] = [await import("bitwall"), await import("bitwall/load")];
    return play(core, readers, "/hills.tmx", async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer()));
  }));
  await page.keyboard.down("ArrowRight");
  await page.waitForTimeout(1200);
  await page.keyboard.down("Space");
  await page.waitForTimeout(300);
  if (picture) await page.screenshot({ path: picture });
} finally {
  await browser.close();
  server.close();
}
