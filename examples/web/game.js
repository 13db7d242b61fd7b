// A hero in a level that is drawn: arrows or A and D walk, up, W or space jump.
import { Feel, World } from "bitwall";
import { Source, toLevel } from "bitwall/load";

const SCALE = 2, STEP = 1 / 60;
const canvas = document.querySelector("canvas"), context = canvas.getContext("2d");

const source = await Source.fetch("hills.tmx");
const level = toLevel(source), size = level.size(), scene = source.scene();
const images = await Promise.all(scene.pictures().split("\n").map(async (path) => {
  const image = new Image();
  image.src = path;
  await image.decode();
  return image;
}));

// The tiles are drawn once; a source rectangle is mirrored, then turned about its middle.
const art = new OffscreenCanvas(size.width, size.height), brush = art.getContext("2d");
for (const it of scene.all()) {
  brush.setTransform(1, 0, 0, 1, it.x, it.y);
  brush.rotate((it.degrees * Math.PI) / 180);
  brush.scale(it.flipX ? -1 : 1, it.flipY ? -1 : 1);
  brush.globalAlpha = it.alpha;
  brush.drawImage(images[it.picture], it.sourceX, it.sourceY, it.sourceW, it.sourceH, -it.w / 2, -it.h / 2, it.w, it.h);
}

const world = World.new(60), { atX, atY } = level.marker(level.findMarker("player"));
const hero = world.addCharacter(atX - 6, atY - 20, 12, 20, "platformer");
world.setPlayer(hero, { ...Feel.usual(), jumpHeight: 52 });
const lift = world.addPlatform(atX + 60, atY - 16, 40, 8, true);
world.setPath(lift, Int32Array.of(atX + 60, atY - 16, atX + 60, atY - 90), 40, 0.5, false);

const keys = new Set(), down = (...codes) => codes.some((code) => keys.has(code));
addEventListener("keydown", (event) => keys.add(event.code));
addEventListener("keyup", (event) => keys.delete(event.code));

let before = performance.now(), time = 0;
requestAnimationFrame(function frame(now) {
  time = Math.min(time + (now - before) / 1000, 5 * STEP);
  before = now;
  const x = Number(down("ArrowRight", "KeyD")) - Number(down("ArrowLeft", "KeyA"));
  world.setInput(hero, x, Number(down("ArrowDown", "KeyS")), down("ArrowUp", "KeyW", "Space"), false);
  for (; time >= STEP; time -= STEP) world.step(level);

  const all = world.drawn(level), width = canvas.width / SCALE, height = canvas.height / SCALE;
  const left = Math.max(0, Math.min(size.width - width, all[0].x - width / 2));
  const top = Math.max(0, Math.min(size.height - height, all[0].y - height / 2));
  context.setTransform(SCALE, 0, 0, SCALE, Math.round(-left * SCALE), Math.round(-top * SCALE));
  context.imageSmoothingEnabled = false;
  context.fillStyle = "#9ad4f0";
  context.fillRect(0, 0, size.width, size.height);
  context.drawImage(art, 0, 0);
  for (const it of all) {
    context.fillStyle = it.body === hero ? "#d9404d" : "#594d73";
    context.fillRect(it.x, it.y, it.w, it.h);
  }
  document.documentElement.dataset.hero = Math.round(all[0].x);
  requestAnimationFrame(frame);
});
