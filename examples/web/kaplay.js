// Kaplay draws the map and reads the keys; bitwall moves the hero. Arrows walk, up or space jumps.
import kaplay from "kaplay";
import { Feel, Platformer } from "bitwall";
import { loadLevel } from "bitwall/load";

const k = kaplay({ width: 480, height: 270, scale: 2, crisp: true, background: "#9ad4f0", global: false });
k.loadSprite("art", "hills.png"); // bitwall render hills.tmx --view art -o hills.png
const level = await loadLevel("hills.tmx");

k.onLoad(() => {
  const { atX, atY } = level.marker(level.findMarker("player"));
  const hero = Platformer.new(atX - 6, atY - 20, 12, 20, 60);
  hero.setFeel({ ...Feel.usual(), jumpHeight: 52 });
  k.add([k.sprite("art")]);
  const box = k.add([k.rect(12, 20), k.color("#d9404d"), k.pos(0, 0)]);

  let rest = 0;
  k.onUpdate(() => {
    const x = Number(k.isKeyDown("right")) - Number(k.isKeyDown("left"));
    const jump = k.isKeyDown("up") || k.isKeyDown("space");
    rest = Math.min(rest + k.dt(), 0.1);
    for (; rest >= 1 / 60; rest -= 1 / 60) hero.step(level, x, Number(k.isKeyDown("down")), jump, false);

    const at = hero.drawn(level), size = level.size();
    box.pos = k.vec2(at.x, at.y);
    const inside = (middle, whole, view) => Math.max(view / 2, Math.min(whole - view / 2, middle));
    k.setCamPos(inside(at.x, size.width, 480), inside(at.y, size.height, 270));
    document.documentElement.dataset.hero = Math.round(at.x);
  });
});
