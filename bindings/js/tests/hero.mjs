// One hero, every door, one hash: the same script of keys as in the other languages. node hero.mjs DIST level.tmx

/** The script over the level of `path` through both modules of the package, as a line of text. */
export async function play({ Feel, World }, { readLevel }, path, read) {
  const level = await readLevel(path, read);
  const world = World.new(60);
  const spawn = level.marker(level.findMarker("player"));
  const left = spawn.atX, top = spawn.atY;
  const hero = world.addCharacter(left - 6, top - 20, 12, 20, "platformer");
  const lift = world.addPlatform(left + 40, top - 40, 48, 8, true);
  const wheel = world.addPlatform(left + 120, top - 60, 32, 8, false);
  const crate = world.addPushable(left + 24, top - 60, 14, 14, 2, 900);
  world.setPath(lift, Int32Array.of(left + 40, top - 40, left + 100, top - 80), 45, 0.5, false);
  world.setCircle(wheel, left + 120, top - 60, 30, 4);
  const all = 2n ** 64n - 1n;
  world.setCategories(crate, 4, all, 0);
  world.setCategories(hero, 2, all, 5);
  world.setPlayer(hero, { ...Feel.usual(), jumpHeight: 56, airJumps: 1, dashSpeed: 240 });

  let keys = 1, hash = 0n, events = 0, x = 0, jump = false, patch, kept;
  for (let i = 0; i < 100000; i++) {
    keys = (keys * 16807) % 2147483647;
    if (i % 16 === 0) [x, jump] = [(keys % 3) - 1, keys % 4 === 0];
    world.setInput(hero, x, 0, jump, keys % 97 === 0);
    if (i % 1000 === 500) {
      const at = world.bounds(hero);
      patch = level.patch(at.x - 32, at.y - 32, 96, 96);
      level.setDisc(at.x, at.y + 24, 12, false);
    }
    if (i % 1000 === 999) {
      level.apply(patch);
      patch.free();
    }
    world.step(level);
    events += world.events().length;
    if (i === 50000) kept = world.copy();
    if (i === 60000) world.restore(kept);
    if (i % 100 === 0) hash = BigInt.asUintN(64, (hash << 5n) | (hash >> 59n)) ^ world.checksum() ^ level.checksum();
  }
  const box = world.bounds(hero);
  return `${hash.toString(16).padStart(16, "0")} ${events} ${box.x} ${box.y}`;
}

if (globalThis.process?.argv[2]) {
  const { default: assert } = await import("node:assert");
  const { readFileSync } = await import("node:fs");
  const { pathToFileURL } = await import("node:url");
  const [, , dist, path] = process.argv;
  const [core, readers] = await Promise.all(["index.js", "load.js"].map((name) => import(pathToFileURL(`${dist}/${name}`))));
  // A file of another folder is asked for by its own URL.
  const asked = [], map = `<map orientation="orthogonal" width="1" height="1" tilewidth="8" tileheight="8">
    <tileset firstgid="1" source="../t/c.tsx"/></map>`;
  const refused = await readers.Source.read("https://game.example/maps/cave.tmx", (name) => {
    asked.push(name);
    return name.endsWith(".tmx") ? new TextEncoder().encode(map) : null;
  }).catch((error) => error);
  assert.deepEqual(asked, ["https://game.example/maps/cave.tmx", "https://game.example/t/c.tsx"]);
  assert(refused instanceof Error);
  console.log(await play(core, readers, path, (name) => readFileSync(name)));
}
