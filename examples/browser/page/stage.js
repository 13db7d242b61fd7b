// The canvas: the level's picture at the camera's place and size, and the marks on it.
import { VIEWS } from './panel.js';

const COLORS = {
  hover: '#ffffff',
  box: '#2f6fed',
  contact: '#e0302a',
  way: '#1a9a5b',
  outline: '#d6208c',
  reach: '#0a9a72',
  finding: '#e0302a',
};

export class Stage {
  constructor(canvas, app) {
    Object.assign(this, { canvas, app, context: canvas.getContext('2d', { alpha: false }) });
    /** The pixel of the level in the middle of the canvas, and the size of a pixel of the level. */
    this.camera = { x: 0, y: 0, zoom: 1 };
    this.picture = document.createElement('canvas');
    this.marks = {};
    this.dirty = true;
    this.path = null;
    this.reach = new Path2D();
    this.walker = new Image();
    this.walker.src = 'levels/walker.png';
    this.walker.onload = () => {
      this.dirty = true;
    };
    this.step = { facing: 2, walked: 0 };
    new ResizeObserver(() => this.resize()).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.dirty = true;
    });
    canvas.addEventListener(
      'wheel',
      event => {
        event.preventDefault();
        this.zoomBy(2 ** (-event.deltaY / 300), this.toLevel(event, true));
      },
      { passive: false },
    );
    this.resize();
  }

  resize() {
    const ratio = devicePixelRatio || 1;
    const { width, height } = this.canvas.getBoundingClientRect();
    [this.canvas.width, this.canvas.height] = [
      Math.max(1, Math.round(width * ratio)),
      Math.max(1, Math.round(height * ratio)),
    ];
    this.dirty = true;
    if (this.app.game && this.fitted) this.begin();
    else if (this.app.game) this.clamp();
  }

  /** Shows a new level. */
  show() {
    const { game } = this.app;
    [this.picture.width, this.picture.height] = [game.width, game.height];
    this.redraw();
    this.begin();
  }

  /** The first look: the whole level. A long one would be a thin strip, and is shown from the hero on. */
  begin() {
    const { game } = this.app;
    this.fit();
    const cover = Math.max(this.canvas.width / game.width, this.canvas.height / game.height);
    if (cover > 1.5 * this.whole()) {
      this.camera = { x: game.heroX, y: game.heroY, zoom: Math.min(cover, 2 * this.whole()) };
      this.clamp();
    }
    if (this.app.settings.tool === 'walk') this.approach();
  }

  /** Asks for the picture again: of a box, or of the whole level. */
  redraw([x, y, w, h] = [0, 0, this.app.game.width, this.app.game.height]) {
    const { view } = this.app.settings;
    const target = this.picture.getContext('2d');
    if (view !== 'both') {
      target.putImageData(this.drawn(view, x, y, w, h), x, y);
    } else {
      // What blocks is laid over the art so lightly that the art is still seen where it is enlarged.
      target.putImageData(this.drawn('art', x, y, w, h), x, y);
      const over = new OffscreenCanvas(w, h);
      over.getContext('2d').putImageData(this.drawn('both', x, y, w, h), 0, 0);
      target.globalAlpha = 0.6;
      target.drawImage(over, x, y);
    }
    this.path = null;
    this.dirty = true;
  }

  /** The module's picture of a box. */
  drawn(view, x, y, w, h) {
    const picture = this.app.game.picture(VIEWS[view], x, y, w, h);
    const data = new ImageData(new Uint8ClampedArray(picture.rgba().buffer), picture.width, picture.height);
    picture.free();
    return data;
  }

  /** The zoom at which the whole level is seen; whole pixels where it is enlarged. */
  whole() {
    const { game } = this.app;
    const zoom = Math.min(this.canvas.width / game.width, this.canvas.height / game.height);
    return zoom > 2 ? Math.floor(zoom) : zoom;
  }

  fit() {
    const { game } = this.app;
    this.camera = { x: game.width / 2, y: game.height / 2, zoom: this.whole() };
    this.fitted = true;
    this.dirty = true;
  }

  /** Comes so near that a walk is seen well. */
  approach() {
    const near = (2.5 * (devicePixelRatio || 1)) / Math.max(1, this.app.scale);
    if (this.camera.zoom < near && this.fitted) {
      this.camera = {
        x: this.app.game.heroX,
        y: this.app.game.heroY,
        zoom: Math.max(Math.round(near), this.whole()),
      };
    }
    this.step.x = null;
    this.follow();
  }

  /** Zooms around a point of the level, else around the middle. */
  zoomBy(factor, at = this.camera) {
    const { camera } = this;
    const zoom = Math.min(Math.max(camera.zoom * factor, this.whole() / 2), 32);
    const by = camera.zoom / zoom;
    this.camera = { x: at.x + (camera.x - at.x) * by, y: at.y + (camera.y - at.y) * by, zoom };
    this.fitted = false;
    this.clamp();
  }

  move(x, y) {
    this.camera.x += x;
    this.camera.y += y;
    this.fitted = false;
    this.clamp();
  }

  /** Keeps the level in sight: along an axis with room for all of it, in the middle. */
  clamp() {
    const {
      camera,
      canvas,
      app: { game },
    } = this;
    const along = (at, size, seen) =>
      size <= seen ? size / 2 : Math.min(Math.max(at, seen / 2), size - seen / 2);
    camera.x = along(camera.x, game.width, canvas.width / camera.zoom);
    camera.y = along(camera.y, game.height, canvas.height / camera.zoom);
    this.dirty = true;
  }

  /** Follows the hero where he moves: he stays in the middle third of the canvas. */
  follow() {
    const {
      camera,
      canvas,
      app: { game, feel },
      step,
    } = this;
    if (step.x === game.heroX && step.y === game.heroY) return;
    [step.x, step.y] = [game.heroX, game.heroY];
    const near = (at, hero, seen) => Math.min(Math.max(at, hero - seen / 6), hero + seen / 6);
    camera.x = near(camera.x, game.heroX + feel.width / 2, canvas.width / camera.zoom);
    camera.y = near(camera.y, game.heroY + feel.height / 2, canvas.height / camera.zoom);
    this.clamp();
  }

  showArea([x, y, w, h]) {
    const { canvas, camera } = this;
    const room = Math.min(canvas.width / (w + 64), canvas.height / (h + 64));
    camera.zoom = Math.min(Math.max(this.whole(), Math.min(room, 4 * (devicePixelRatio || 1))), 32);
    [camera.x, camera.y] = [x + w / 2, y + h / 2];
    this.fitted = camera.zoom === this.whole();
    this.clamp();
  }

  /** The pixel of the level under a pointer; with its fraction if `exact`. */
  toLevel(event, exact = false) {
    const ratio = devicePixelRatio || 1;
    const box = this.canvas.getBoundingClientRect();
    const x = ((event.clientX - box.x) * ratio - this.canvas.width / 2) / this.camera.zoom + this.camera.x;
    const y = ((event.clientY - box.y) * ratio - this.canvas.height / 2) / this.camera.zoom + this.camera.y;
    return exact ? { x, y } : { x: Math.floor(x), y: Math.floor(y) };
  }

  /** Draws a frame, if something changed since the last one. */
  draw() {
    if (this.app.settings.reach) this.askReach();
    if (!this.dirty) return;
    this.dirty = false;
    const {
      context,
      canvas,
      camera: { x, y, zoom },
      app: { game, settings },
    } = this;
    const style = getComputedStyle(document.documentElement);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = style.getPropertyValue('--frame');
    context.fillRect(0, 0, canvas.width, canvas.height);
    const left = Math.round(canvas.width / 2 - x * zoom);
    const top = Math.round(canvas.height / 2 - y * zoom);
    context.setTransform(zoom, 0, 0, zoom, left, top);
    // Below the art: paper, where it is clear.
    context.fillStyle = '#faf8f4';
    context.fillRect(0, 0, game.width, game.height);
    context.imageSmoothingEnabled = zoom < 1;
    context.imageSmoothingQuality = 'high';
    const from = [Math.max(0, Math.floor(-left / zoom)), Math.max(0, Math.floor(-top / zoom))];
    const to = [
      Math.min(game.width, Math.ceil((canvas.width - left) / zoom)),
      Math.min(game.height, Math.ceil((canvas.height - top) / zoom)),
    ];
    const size = [to[0] - from[0], to[1] - from[1]];
    if (size[0] > 0 && size[1] > 0) context.drawImage(this.picture, ...from, ...size, ...from, ...size);
    if (settings.outlines) this.drawOutlines();
    if (settings.reach) {
      context.fillStyle = COLORS.reach;
      context.fill(this.reach);
    }
    this.drawMarks();
    if (settings.tool === 'walk') this.drawHero();
  }

  /** Asks what the hero reaches. The answer grows with the frames, and changes with edits. */
  askReach() {
    const boxes = this.app.game.reached();
    if (!boxes) return;
    this.reach = new Path2D();
    for (let at = 0; at < boxes.length; at += 4) this.reach.rect(...boxes.subarray(at, at + 4));
    this.dirty = true;
  }

  drawOutlines() {
    const {
      context,
      camera: { zoom },
    } = this;
    if (!this.path) {
      this.path = new Path2D();
      let all = [];
      try {
        all = this.app.game.outlines();
      } catch (error) {
        // Nothing is drawn, and the page says why.
        this.app.notice(error.message);
      }
      for (let at = 0; at < all.length;) {
        const end = at + 1 + 2 * all[at];
        this.path.moveTo(all[at + 1], all[at + 2]);
        for (at += 3; at < end; at += 2) this.path.lineTo(all[at], all[at + 1]);
        this.path.closePath();
      }
    }
    this.line(COLORS.outline, 2, () => context.stroke(this.path), zoom);
  }

  /** Strokes with a line of `width` pixels of the screen. */
  line(color, width, stroke, zoom = this.camera.zoom) {
    const { context } = this;
    context.strokeStyle = color;
    context.lineWidth = (width * (devicePixelRatio || 1)) / zoom;
    context.lineJoin = 'round';
    stroke();
  }

  box([x, y, w, h], color, fill = 0, dash = []) {
    const {
      context,
      camera: { zoom },
    } = this;
    context.fillStyle = color;
    context.globalAlpha = fill;
    context.fillRect(x, y, w, h);
    context.globalAlpha = 1;
    context.setLineDash(dash.map(part => part / zoom));
    this.line(color, 2, () => context.strokeRect(x, y, w, h));
    context.setLineDash([]);
  }

  /** A box, made at least `least` pixels of the screen wide and high: one pixel would not be seen. */
  widened([x, y, w, h], least) {
    const pad = Math.max(0, (least * (devicePixelRatio || 1)) / this.camera.zoom - Math.min(w, h)) / 2;
    return [x - pad, y - pad, w + 2 * pad, h + 2 * pad];
  }

  drawMarks() {
    const {
      context,
      marks,
      app: { finding },
    } = this;
    if (finding?.area) {
      const around = this.widened(finding.area, 24);
      // White around red: seen on solids too.
      this.line('#ffffff', 5, () => context.strokeRect(...around));
      this.box(around, COLORS.finding, 0.2);
      this.polyline(finding.trace, COLORS.finding);
    }
    if (marks.cell) {
      // Black around white: seen on any art.
      this.line('#000000', 4, () => context.strokeRect(...marks.cell));
      this.line(COLORS.hover, 2, () => context.strokeRect(...marks.cell));
    }
    if (marks.swept) this.box(marks.swept, COLORS.box, 0.18, [6, 4]);
    if (marks.box) this.box(marks.box, COLORS.box, 0.35);
    if (marks.end) this.box(marks.end, COLORS.box, 0.35);
    if (marks.contact) this.box(this.widened(marks.contact, 10), COLORS.contact, 0.5);
    if (marks.disc) {
      const [x, y, radius] = marks.disc;
      context.beginPath();
      context.arc(x + 0.5, y + 0.5, radius + 0.5, 0, 2 * Math.PI);
      this.line('#000000', 3, () => context.stroke());
      this.line(COLORS.hover, 1.5, () => context.stroke());
    }
    if (marks.way) this.polyline(marks.way, COLORS.way);
    for (const [x, y] of marks.ends ?? []) {
      const { width, height } = this.app.feel;
      this.box([x - Math.floor(width / 2), y - Math.floor(height / 2), width, height], COLORS.way, 0.3);
    }
  }

  polyline(points, color) {
    const { context } = this;
    if (points.length < 4) return;
    context.beginPath();
    for (let at = 0; at < points.length; at += 2) context.lineTo(points[at] + 0.5, points[at + 1] + 0.5);
    this.line('#ffffff', 5, () => context.stroke());
    this.line(color, 3, () => context.stroke());
  }

  /** The walker, its feet at the feet of the body; its sprites are for a body 20 pixels high. */
  drawHero() {
    const {
      context,
      app: { game, feel },
      step,
      walker,
    } = this;
    const [x, y] = [game.heroX, game.heroY];
    if (walker.complete && walker.naturalWidth) {
      const size = feel.above ? this.app.scale : feel.height / 20;
      const frame = step.walked ? Math.floor(step.walked / 6) % 4 : 0;
      const [w, h] = [16 * size, 24 * size];
      context.imageSmoothingEnabled = false;
      context.drawImage(
        walker,
        16 * frame,
        24 * step.facing,
        16,
        24,
        x + (feel.width - w) / 2,
        y + feel.height - h,
        w,
        h,
      );
    }
    context.globalAlpha = 0.7;
    this.line(COLORS.box, 1, () => context.strokeRect(x, y, feel.width, feel.height));
    context.globalAlpha = 1;
  }
}
