// The tools: what the pointer and the keys do to the level in each of them.

const DIRS = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' };
const STEPS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };
// The rows of the walker's sprites.
const FACING = { down: 0, left: 1, right: 2, up: 3 };

export class Tools {
  constructor(app, stage) {
    Object.assign(this, { app, stage, down: null, at: null, box: null, dir: null, from: null });
    const { canvas } = stage;
    canvas.addEventListener('pointerdown', event => this.press(event));
    canvas.addEventListener('pointermove', event => this.move(event));
    for (const end of ['pointerup', 'pointercancel'])
      canvas.addEventListener(end, event => this.release(event));
    canvas.addEventListener('pointerleave', () => {
      if (!this.down) this.hover(null);
    });
  }

  get tool() {
    return this.app.settings.tool;
  }

  get touch() {
    return matchMedia('(pointer: coarse)').matches;
  }

  hint() {
    const { touch } = this;
    const keys = touch
      ? ''
      : {
          look: ' Drag to move, turn the wheel to zoom. Arrow keys go from cell to cell.',
          walk: this.app.feel.above
            ? ' Arrow keys, WASD or a gamepad walk.'
            : ' Arrow keys, WASD or a gamepad walk, space jumps, down and space drop through a ledge.',
          sweep: ' Arrow keys sweep, with shift they move the box.',
          carve: ' Arrow keys and space work too, ctrl and Z takes back.',
          way: ' Arrow keys move its end, enter sets its start.',
        }[this.tool];
    const way = touch ? 'Drag from a start to an end' : 'Click to set a start, and point at an end';
    return (
      {
        look: `${touch ? 'Touch' : 'Point at'} the level: the line below it says what blocks there, and why.`,
        walk: touch
          ? 'Touch the level to put the hero there.'
          : 'Click to put the hero elsewhere. Point at a thing to see why it blocks.',
        sweep: 'Drag a box in the level, then sweep it: how far does it move, and what stops it?',
        carve:
          this.app.settings.brush === 'fill'
            ? 'Drag in the level to make it solid.'
            : 'Drag in the level to make it passable.',
        way: `${way}: this is the shortest way of the hero’s body.`,
      }[this.tool] + keys
    );
  }

  /** Begins with a tool, or with a new level. */
  start() {
    const { stage, app } = this;
    const { game, feel } = app;
    Object.assign(this, { down: null, at: null, dir: null });
    stage.marks = {};
    if (this.level !== game) Object.assign(this, { level: game, box: null, from: null });
    const hero = [Math.round(game.heroX), Math.round(game.heroY)];
    if (this.tool === 'walk') {
      stage.approach();
      stage.step.shown = null;
    } else if (this.tool === 'sweep') {
      this.box ??= [...hero, feel.width, feel.height];
      stage.marks.box = this.box;
      this.sweep('right');
    } else if (this.tool === 'way') {
      this.from ??= [hero[0] + Math.floor(feel.width / 2), hero[1] + Math.floor(feel.height / 2)];
      this.way(this.from);
    } else {
      const point = this.touch ? 'Touch the level' : 'Point at the level';
      app.say(this.tool === 'look' ? point : 'Drag in the level');
    }
    stage.dirty = true;
  }

  press(event) {
    if (event.button > 0 || !this.app.game) return;
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.down = { x: event.clientX, y: event.clientY, at: this.stage.toLevel(event), moved: false };
    if (this.tool === 'carve') {
      this.app.game.stroke();
      this.edit(this.down.at);
    }
    if (this.tool === 'walk') this.app.game.placeHero(this.down.at.x, this.down.at.y);
    if (this.tool === 'way') this.from = [this.down.at.x, this.down.at.y];
    if (this.tool === 'look' || this.tool === 'way') this.hover(this.down.at);
  }

  move(event) {
    if (!this.app.game) return;
    const { stage, down } = this;
    const at = stage.toLevel(event);
    if (!down) {
      this.hover(at);
      return;
    }
    down.moved ||= Math.hypot(event.clientX - down.x, event.clientY - down.y) > 4;
    if (this.tool === 'look' && down.moved) {
      const by = (devicePixelRatio || 1) / stage.camera.zoom;
      stage.move((down.x - event.clientX) * by, (down.y - event.clientY) * by);
      Object.assign(down, { x: event.clientX, y: event.clientY });
    } else if (this.tool === 'carve') {
      // Between two events of the pointer there is a line, not a gap.
      const from = this.at ?? at;
      const [dx, dy] = [at.x - from.x, at.y - from.y];
      const steps = Math.max(1, Math.ceil(Math.hypot(dx, dy) / Math.max(1, this.app.settings.radius / 2)));
      for (let step = 1; step <= steps; step++) {
        this.edit({
          x: Math.round(from.x + (dx * step) / steps),
          y: Math.round(from.y + (dy * step) / steps),
        });
      }
    } else if (this.tool === 'way') {
      this.way([at.x, at.y]);
    } else if (this.tool === 'sweep' && down.moved) {
      const [x, y] = [Math.min(at.x, down.at.x), Math.min(at.y, down.at.y)];
      this.box = [x, y, Math.abs(at.x - down.at.x) + 1, Math.abs(at.y - down.at.y) + 1];
      stage.marks = { box: this.box };
      this.app.say(`a box of ${this.box[2]} x ${this.box[3]} px at (${x}, ${y})`);
    }
    stage.dirty = true;
  }

  release() {
    const { down } = this;
    this.down = null;
    if (!down || !this.app.game) return;
    if (this.tool === 'carve') this.app.edited();
    if (this.tool === 'sweep') {
      if (!down.moved) this.box = [down.at.x, down.at.y, this.box[2], this.box[3]];
      this.sweep(this.dir ?? 'right');
    }
  }

  /** Shows and says what is at a pixel of the level; `null` if the pointer left. */
  hover(at) {
    const { stage, app } = this;
    this.at = at;
    stage.dirty = true;
    if (this.tool === 'look' || this.tool === 'walk') {
      stage.marks = at ? { cell: app.game.cellAt(at.x, at.y) } : {};
      if (at) app.say(app.game.why(at.x, at.y));
      else this.stage.step.shown = null;
    } else if (this.tool === 'carve') {
      stage.marks = at ? { disc: [at.x, at.y, app.settings.radius] } : {};
    } else if (this.tool === 'way' && at) {
      this.way([at.x, at.y]);
    }
  }

  edit(at) {
    const { app } = this;
    this.hover(at);
    this.shown(app.game.edit(at.x, at.y, app.settings.radius, app.settings.brush === 'fill'));
  }

  /** Takes the last stroke back. */
  undo() {
    this.shown(this.app.game.undo());
    this.app.edited();
  }

  shown(changed) {
    if (changed) this.stage.redraw(changed);
    this.app.say(`${(100 * this.app.game.solidShare).toFixed(2)} % of the level is solid`);
  }

  sweep(dir) {
    const {
      app,
      stage,
      box: [x, y, w, h],
    } = this;
    const swept = app.game.sweep(x, y, w, h, dir, app.settings.distance);
    const [dx, dy] = STEPS[dir].map(part => part * swept.moved);
    this.dir = dir;
    stage.marks = {
      box: this.box,
      end: [x + dx, y + dy, w, h],
      contact: swept.contact,
      swept: [Math.min(x, x + dx), Math.min(y, y + dy), w + Math.abs(dx), h + Math.abs(dy)],
    };
    stage.dirty = true;
    app.say(`${dir} by ${app.settings.distance} px? ${swept.text}`);
  }

  sweepAgain() {
    if (this.tool === 'sweep') this.sweep(this.dir ?? 'right');
  }

  /** Shows the shortest way from the start to a pixel. */
  way(to) {
    const { app, stage, from } = this;
    this.at = { x: to[0], y: to[1] };
    let points;
    try {
      points = app.game.way(...from, ...to, app.feel.width, app.feel.height);
    } catch (error) {
      app.say(error.message);
      return;
    }
    const ends = points.length ? [points.slice(0, 2), points.slice(-2)] : [from];
    stage.marks = { way: points, ends };
    stage.dirty = true;
    let length = 0;
    for (let at = 2; at < points.length; at += 2)
      length += Math.hypot(points[at] - points[at - 2], points[at + 1] - points[at - 1]);
    const body = `${app.feel.width} x ${app.feel.height} px`;
    app.say(
      points.length
        ? `a way of ${Math.round(length)} px for a body of ${body}`
        : `no way for a body of ${body}`,
    );
  }

  /** Turns the walker's picture, and says the hero's stance and place. */
  walked(x, y) {
    const {
      stage: { step },
      app: { game, feel, say },
    } = this;
    if (x) step.facing = x < 0 ? FACING.left : FACING.right;
    else if (y && feel.above) step.facing = y < 0 ? FACING.up : FACING.down;
    const moves = feel.above ? x || y : x && game.stance === 'ground';
    step.walked = moves ? step.walked + 1 : 0;
    const words = {
      walk: 'seen from above',
      ground: 'on the ground',
      air: 'in the air',
      wall: 'slides down a wall',
      ledge: 'on a ledge',
      ladder: 'on a ladder',
      water: 'in water',
    };
    if (!this.at && (step.stance !== game.stance || step.shown !== game)) {
      [step.stance, step.shown] = [game.stance, game];
      say(`The hero: ${words[game.stance]}`);
    }
  }

  /** A key in another tool than the walk. Returns true if it does something. */
  key(event) {
    const dir = DIRS[event.key];
    const { app, stage } = this;
    const isDone = event.key === ' ' || event.key === 'Enter';
    if (this.tool === 'sweep' && dir) {
      if (event.shiftKey) {
        const [dx, dy] = STEPS[dir];
        const [w, h] = app.game.cell;
        this.box = [
          this.box[0] + dx * Math.max(w, 4),
          this.box[1] + dy * Math.max(h, 4),
          this.box[2],
          this.box[3],
        ];
        this.sweep(this.dir ?? 'right');
      } else {
        this.sweep(dir);
      }
      return true;
    }
    if (dir) {
      const [w, h] = app.game.cell.map(side => Math.max(side, 4));
      const at = this.at ?? { x: Math.floor(stage.camera.x), y: Math.floor(stage.camera.y) };
      const [dx, dy] = STEPS[dir];
      const clamp = (value, size) => Math.min(Math.max(value, 0), size - 1);
      this.hover({ x: clamp(at.x + dx * w, app.game.width), y: clamp(at.y + dy * h, app.game.height) });
      return true;
    }
    if (isDone && this.at && this.tool === 'carve') {
      app.game.stroke();
      this.edit(this.at);
      app.edited();
    } else if (isDone && this.at && this.tool === 'way') this.from = [this.at.x, this.at.y];
    else return false;
    return true;
  }
}
