// Keys, the touch pad and the first gamepad, as one stick and one jump key.

const NAMES = {
  ArrowLeft: 'left',
  KeyA: 'left',
  ArrowRight: 'right',
  KeyD: 'right',
  ArrowUp: 'up',
  KeyW: 'up',
  ArrowDown: 'down',
  KeyS: 'down',
  Space: 'jump',
  KeyX: 'jump',
};

export class Input {
  constructor(canvas, pad) {
    this.held = new Set();
    this.touch = matchMedia('(pointer: coarse)').matches;
    this.ontouch = () => {};
    addEventListener('blur', () => this.held.clear());
    canvas.addEventListener('blur', () => this.held.clear());
    addEventListener('pointerdown', event => {
      if (event.pointerType === 'touch' && !this.touch) {
        this.touch = true;
        this.ontouch();
      }
    });
    for (const button of pad.querySelectorAll('button')) {
      button.onpointerdown = event => {
        event.preventDefault();
        this.press(button.dataset.key);
      };
      for (const end of ['pointerup', 'pointercancel', 'pointerleave']) {
        button.addEventListener(end, () => this.release(button.dataset.key));
      }
    }
  }

  /** Holds a key. Returns false for a key that does nothing here. */
  press(code) {
    if (NAMES[code]) this.held.add(NAMES[code]);
    return code in NAMES;
  }

  release(code) {
    this.held.delete(NAMES[code]);
  }

  /** The direction, each part from -1 to 1, and whether the jump key is held. */
  read() {
    const axis = (low, high) => Number(this.held.has(high)) - Number(this.held.has(low));
    let [x, y, jump] = [axis('left', 'right'), axis('up', 'down'), this.held.has('jump')];
    const pad = [...(navigator.getGamepads?.() ?? [])].find(Boolean);
    if (pad) {
      const down = number => Number(pad.buttons[number]?.pressed ?? false);
      // A stick at rest is not quite at 0.
      const stick = value => (Math.abs(value ?? 0) < 0.2 ? 0 : Math.min(Math.max(value, -1), 1));
      x ||= stick(pad.axes[0]) || down(15) - down(14);
      y ||= stick(pad.axes[1]) || down(13) - down(12);
      jump ||= Boolean(down(0));
    }
    return { x, y, jump };
  }
}
