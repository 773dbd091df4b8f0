// The painter of the timeline, in the session's worker, where the traces are: the page sends the layout.
//
// A frame is made of pixels that wasm paints, a line per lane, which are stretched to the lanes' heights; of texts where
// there is room; and of the selection. Only the last requested view is drawn.

import {FEW, thinned} from '../shared/arrows.js';
import {AXIS, drawAxis} from '../shared/axis.js';
import {drawEdges} from './edges.js';
import {faceOf} from './face.js';
import {Texts} from './texts.js';

/** @typedef {import('../protocol/wasm.js').Session} Session */
/** @typedef {import('../page/timeline/scene.js').Scene} Scene */
/** @typedef {import('../page/timeline/scene.js').Line} Line */
/** @typedef {import('../page/timeline/scene.js').Mark} Mark */
/** @typedef {import('../protocol/timeline.js').Drawn} Drawn */

/** From how many CSS pixels on a span gets a text. */
const LABELLED = 26;

/** Milliseconds that a frame spends on preparing rows: those that it lacks then come with the next ones, which have more time. */
const PREPARING = 25;
const PREPARING_REST = 80;

/** The least width of the outline of a chosen slice, in CSS pixels. */
const CHOSEN = 6;

/** Pixels between lanes. */
const GAP = 1;

/** Draws scenes on a canvas that was handed over. */
export class Painter {
  /** @type {OffscreenCanvas | undefined} */
  #canvas;
  /** @type {OffscreenCanvasRenderingContext2D | undefined} */
  #context;
  #pixels = new OffscreenCanvas(1, 1);
  /** The same in the color of the edges. */
  #shadows = new OffscreenCanvas(1, 1);
  #texts;
  /** @type {Scene | undefined} */
  #scene;
  #waiting = false;
  /** Whether the last frame lacked rows. */
  #lacking = false;

  /** @param {() => Session | undefined} session @param {(drawn: Drawn) => void} onDrawn @param {(nanos: number) => string} duration formats a duration */
  constructor(session, onDrawn, duration) {
    this.session = session;
    this.onDrawn = onDrawn;
    this.#texts = new Texts(
      (row, number) => session()?.timeline_text(row, number) ?? '',
      (row, number) => {
        const length = session()?.timeline_length(row, number);
        return length ? duration(length) : '';
      },
    );
  }

  /** Takes a canvas; it can be handed over only once. @param {OffscreenCanvas} canvas */
  attach(canvas) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d') ?? undefined;
  }

  /** Forgets all data on the traces: they changed. */
  reset() {
    this.#texts.forget();
    this.#scene = undefined;
  }

  /** Draws a scene with the next frame. @param {Scene} scene */
  show(scene) {
    this.#scene = scene;
    this.#soon();
  }

  #soon() {
    if (this.#waiting) return;
    this.#waiting = true;
    requestAnimationFrame(() => {
      this.#waiting = false;
      const face = faceOf(this.#scene?.font ?? '');
      if (face) face.then(() => this.#soon());
      else this.#draw();
    });
  }

  #draw() {
    const scene = this.#scene;
    const context = this.#context;
    const canvas = this.#canvas;
    const session = this.session();
    if (!scene || !context || !canvas || !session) return;
    const begun = performance.now();
    const missing = prepare(session, scene, begun + (this.#lacking ? PREPARING_REST : PREPARING));
    this.#lacking = missing.size > 0;
    const {scale} = scene;
    const [width, height] = [Math.round(scene.width * scale), Math.round(scene.height * scale)];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, {width, height});
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = scene.colors.ground;
    context.fillRect(0, 0, width, height);
    context.scale(scale, scale);
    grounds(context, scene);
    const {places, line: top} = drawAxis(context, scene);
    context.strokeStyle = scene.colors.line;
    context.lineWidth = 1 / scale;
    context.beginPath();
    for (const x of places) {
      context.moveTo(x, top);
      context.lineTo(x, scene.height);
    }
    context.stroke();
    const pixel = (scene.end - scene.start) / width;
    let labels = 0;
    for (const clip of scene.clips) {
      context.save();
      context.beginPath();
      context.rect(0, clip.top, scene.width, clip.bottom - clip.top);
      context.clip();
      labels += this.#lines(context, session, scene, there(clip.lines, missing), {start: scene.start, pixel, width});
      this.#chosen(context, scene, clip);
      context.restore();
    }
    this.#overview(context, session, scene, width, missing);
    this.#step(context, scene);
    this.#span(context, scene);
    flags(context, scene);
    this.onDrawn({frame: scene.frame, cpu: performance.now() - begun, labels, missing: missing.size});
    if (missing.size) this.#soon();
  }

  /**
   * @param {OffscreenCanvasRenderingContext2D} context @param {Session} session @param {Scene} scene @param {Line[]} lines
   * @param {{start: number, pixel: number, width: number}} view
   */
  #lines(context, session, scene, lines, {start, pixel, width}) {
    if (!lines.length) return 0;
    const strips = Uint32Array.from(lines.flatMap(({row, first, count, curve}) => [row, first, curve ? Math.max(1, Math.round(count * scene.scale)) : count]));
    const picture = session.timeline_paint(start, pixel, width, scene.dark, LABELLED * scene.scale, strips);
    const pixels = picture.pixels();
    const labels = picture.labels();
    picture.free();
    const rows = pixels.length / (4 * width);
    if (!rows) return 0;
    const colored = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.length);
    const {edge} = scene.colors;
    if (edge) {
      const areSpans = lines.flatMap(({count, curve}) => Array.from({length: curve ? Math.max(1, Math.round(count * scene.scale)) : count}, () => !curve));
      put(
        this.#shadows,
        drawEdges(colored, width, edge, (line) => areSpans[line]),
        width,
      );
    }
    put(this.#pixels, colored, width);
    context.imageSmoothingEnabled = false;
    /** Where each line of pixels went: its top and height. @type {[number, number][]} */
    const places = [];
    for (const {y, laneHeight, count, curve} of lines) {
      if (curve) {
        const high = Math.max(1, Math.round(count * scene.scale));
        context.drawImage(this.#pixels, 0, places.length, width, high, 0, y, scene.width, count);
        for (let line = 0; line < high; line++) places.push([y, 0]);
        continue;
      }
      const gap = laneHeight > 4 ? GAP : 0;
      for (let lane = 0; lane < count; lane++) {
        const [top, high] = [y + lane * laneHeight, laneHeight - gap];
        const inset = edge && high > 4 ? 1 : 0;
        if (inset) context.drawImage(this.#shadows, 0, places.length, width, 1, 0, top, scene.width, high);
        context.drawImage(this.#pixels, 0, places.length, width, 1, 0, top + inset, scene.width, high - 2 * inset);
        places.push([top, high]);
      }
    }
    return this.#texts.draw(context, scene, labels, places);
  }

  /** Arrows between slices, and the selection. @param {OffscreenCanvasRenderingContext2D} context @param {Scene} scene @param {Scene['clips'][number]} clip */
  #chosen(context, scene, clip) {
    const x = (/** @type {number} */ at) => ((at - scene.start) / (scene.end - scene.start)) * scene.width;
    const outline = (/** @type {Mark} */ mark, grown = 0) => {
      const more = Math.max(0, CHOSEN - x(mark.end) + x(mark.start)) / 2;
      const left = Math.max(-9, x(mark.start) - more);
      const right = Math.min(scene.width + 9, x(mark.end) + more);
      context.strokeRect(left - grown, mark.y + 0.5 - grown, right - left + 2 * grown, mark.height - 1 + 2 * grown);
    };
    const here = (/** @type {Mark} */ mark) => mark.pinned === clip.pinned;
    context.strokeStyle = scene.colors.accent;
    context.fillStyle = scene.colors.accent;
    const arrows = scene.arrows.filter(({from, to}) => here(from) || here(to));
    const drawn = thinned(arrows, x, scene.width);
    context.lineWidth = drawn.length > FEW ? 1 : 1.5;
    for (const {from, to} of drawn) {
      const [x1, y1, x2, y2] = [x(from.end), from.y + from.height / 2, x(to.start), to.y + to.height / 2];
      const bend = Math.min(60, Math.abs(x2 - x1) / 2 + 12);
      context.beginPath();
      context.moveTo(x1, y1);
      context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
      context.stroke();
      context.beginPath();
      context.moveTo(x2, y2);
      context.lineTo(x2 - 6, y2 - 3.5);
      context.lineTo(x2 - 6, y2 + 3.5);
      context.fill();
    }
    // Over its arrows, and apart from slices of any color.
    for (const mark of scene.selected.filter(here)) {
      context.strokeStyle = scene.colors.ground;
      context.lineWidth = 2;
      outline(mark, 2);
      context.strokeStyle = scene.colors.text;
      context.lineWidth = 2.5;
      outline(mark);
    }
  }

  /** The whole trace at the top, with the part that is shown. @param {OffscreenCanvasRenderingContext2D} context @param {Session} session @param {Scene} scene @param {number} width @param {Set<number>} missing */
  #overview(context, session, scene, width, missing) {
    const {
      whole,
      overview: {lines, top, height},
    } = scene;
    if (!height) return;
    this.#lines(context, session, {...scene, texts: false}, there(lines, missing), {start: 0, pixel: whole / width, width});
    const x = (/** @type {number} */ at) => Math.min(scene.width, Math.max(0, (at / whole) * scene.width));
    const [left, right] = [x(scene.start), Math.max(x(scene.end), x(scene.start) + 2)];
    context.fillStyle = scene.colors.veil;
    context.fillRect(0, top, left, height);
    context.fillRect(right, top, scene.width - right, height);
    context.strokeStyle = scene.colors.accent;
    context.lineWidth = 1;
    context.strokeRect(left + 0.5, top + 0.5, Math.max(1, right - left - 1), height - 1);
    context.fillStyle = scene.colors.accent;
    for (const at of scene.hits) context.fillRect(x(at) - 0.5, top + height - 6, 1.5, 6);
  }

  /** The highlighted step: the time outside of it is veiled. @param {OffscreenCanvasRenderingContext2D} context @param {Scene} scene */
  #step(context, {step, start, end, width, height, overview, colors}) {
    if (!step) return;
    const x = (/** @type {number} */ at) => Math.min(width, Math.max(0, ((at - start) / (end - start)) * width));
    const [left, right] = step.map(x);
    const top = overview.top + overview.height;
    context.fillStyle = colors.veil;
    context.fillRect(0, top, left, height - top);
    context.fillRect(right, top, width - right, height - top);
    context.fillStyle = colors.accent;
    context.fillRect(left, top, right - left, 2);
  }

  /** The chosen span of time, and the rows that its report covers. @param {OffscreenCanvasRenderingContext2D} context @param {Scene} scene */
  #span(context, {range, among, start, end, width, height, overview, colors}) {
    if (!range) return;
    const x = (/** @type {number} */ at) => ((at - start) / (end - start)) * width;
    const [left, right] = [Math.max(-2, x(range[0])), Math.min(width + 2, x(range[1]))];
    if (right < 0 || left > width) return;
    const top = overview.top + overview.height;
    context.globalAlpha = 0.12;
    context.fillStyle = colors.accent;
    for (const [from, to] of among ? [[top, top + AXIS], ...among] : [[top, height]]) context.fillRect(left, from, right - left, to - from);
    context.globalAlpha = 1;
    for (const [from, to] of among ? [[top, top + AXIS], ...among] : [[top, height]]) {
      context.fillRect(left - 0.5, from, 1, to - from);
      context.fillRect(right - 0.5, from, 1, to - from);
    }
  }
}

/**
 * Prepares the rows that a scene shows, the first ones first; gives those for which there was no time. One is prepared in any case.
 * @param {Session} session @param {Scene} scene @param {number} end
 */
function prepare(session, {overview, clips}, end) {
  /** @type {Set<number>} */
  const missing = new Set();
  // Pinned rows and the overview are visible at any scroll position.
  const rows = new Set([overview.lines, ...clips.toReversed().map(({lines}) => lines)].flat().map(({row}) => row));
  for (const row of rows) {
    if (performance.now() > end && !session.timeline_is_prepared(row)) missing.add(row);
    else session.timeline_prepare(row);
  }
  return missing;
}

/** The lines of rows that are prepared. @param {Line[]} lines @param {Set<number>} missing */
function there(lines, missing) {
  return missing.size ? lines.filter(({row}) => !missing.has(row)) : lines;
}

/** Puts lines of pixels on a canvas that is as large as they need. @param {OffscreenCanvas} canvas @param {Uint8ClampedArray<ArrayBuffer>} pixels RGBA @param {number} width of a line */
function put(canvas, pixels, width) {
  const height = pixels.length / (4 * width);
  if (canvas.width !== width || canvas.height < height) Object.assign(canvas, {width, height});
  canvas.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0);
}

/** The background of rows. @param {OffscreenCanvasRenderingContext2D} context @param {Scene} scene */
function grounds(context, {grounds, width, colors}) {
  for (const {y, height, group} of grounds) {
    context.fillStyle = group ? colors.surface : colors.line;
    if (group) context.fillRect(0, y, width, height);
    else context.fillRect(0, y + height - 1, width, 1);
  }
}

/** A flag's height and width on the axis, and the height of a range's bar, in CSS pixels. */
const FLAG = {high: 8, wide: 9, range: 3};

/** Flags of notes on the axis, at the begins of their subjects; for a range, also a bar of its length. @param {OffscreenCanvasRenderingContext2D} context @param {Scene} scene */
function flags(context, {notes, start, end, width, overview, colors}) {
  const top = overview.top + overview.height;
  const x = (/** @type {number} */ at) => ((at - start) / (end - start)) * width;
  for (const note of notes) {
    const [left, right] = [x(note.start), x(note.end)];
    if (right < -FLAG.wide || left > width) continue;
    context.fillStyle = colors.accent;
    context.globalAlpha = 0.5;
    context.fillRect(Math.max(0, left), top + AXIS - FLAG.range, Math.min(width, right) - Math.max(0, left), FLAG.range);
    context.globalAlpha = 1;
    if (left < -FLAG.wide) continue;
    context.beginPath();
    context.moveTo(left, top + 2);
    context.lineTo(left + FLAG.wide, top + 2 + FLAG.high / 2);
    context.lineTo(left, top + 2 + FLAG.high);
    context.closePath();
    // Texts of the axis may be under it.
    context.strokeStyle = colors.surface;
    context.lineWidth = 2;
    context.stroke();
    context.fill();
    context.fillRect(left - 0.75, top + 2, 1.5, AXIS - 2);
  }
}
