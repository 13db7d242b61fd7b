// Phaser draws the map and reads the keys; bitwall moves the hero. Arrows walk, up or space jumps.
import Phaser from "phaser";
import { Feel, Platformer } from "bitwall";
import { loadLevel } from "bitwall/load";

const level = await loadLevel("hills.tmx");
const { width, height } = level.size();

class Play extends Phaser.Scene {
  preload() {
    this.load.image("art", "hills.png"); // bitwall render hills.tmx --view art -o hills.png
  }

  create() {
    this.add.image(0, 0, "art").setOrigin(0);
    const { atX, atY } = level.marker(level.findMarker("player"));
    this.hero = Platformer.new(atX - 6, atY - 20, 12, 20, 60);
    this.hero.setFeel({ ...Feel.usual(), jumpHeight: 52 });
    this.box = this.add.rectangle(0, 0, 12, 20, 0xd9404d).setOrigin(0);
    this.keys = this.input.keyboard.createCursorKeys();
    this.cameras.main.setBounds(0, 0, width, height).startFollow(this.box);
    this.rest = 0;
  }

  update(now, milliseconds) {
    const { left, right, up, down, space } = this.keys;
    const x = Number(right.isDown) - Number(left.isDown);
    this.rest = Math.min(this.rest + milliseconds, 100);
    for (; this.rest >= 1000 / 60; this.rest -= 1000 / 60) {
      this.hero.step(level, x, Number(down.isDown), up.isDown || space.isDown, false);
    }
    const at = this.hero.drawn(level);
    this.box.setPosition(at.x, at.y);
    document.documentElement.dataset.hero = Math.round(at.x);
  }
}

new Phaser.Game({
  width: 480,
  height: 270,
  zoom: 2,
  pixelArt: true,
  backgroundColor: "#9ad4f0",
  scene: Play,
});
