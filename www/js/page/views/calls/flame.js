// The flame graph of a call tree, on a canvas: what is called by what, from above to below, what takes most first.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {isDark} from '../../environment/theme.js';
import {face, placeTip} from '../charts/chart.js';

/** @typedef {import('./calls.js').Box} Box */
/** @typedef {import('./calls.js').Calls} Calls */

const ROW = 20;

/** The class whose colour a node's class has; others have that of `other`. @type {Record<string, string>} */
const COLORS = {operator: 'cpu', annotation: 'annotation', python_frame: 'python', runtime_call: 'runtime'};

/** How far a name moves its class's colour towards the ground, so that neighbours differ. */
const SHADES = [0, 14, 28];

/** A flame graph. */
export class FlameGraph {
  #canvas = h('canvas', {
    class: 'flame-canvas',
    tabindex: '0',
    role: 'img',
    'aria-label': t('calls.flame'),
    'aria-describedby': 'calls-keys',
    'data-test': 'flame',
  });
  #tip = h('div', {class: 'tip', role: 'presentation', hidden: true});
  /** As high as all rows; the canvas is as high as what is seen of them, since no browser draws any height. */
  #frame = h('div', {class: 'flame-frame'}, this.#canvas, this.#tip);
  element = h('div', {class: 'flame-scroll'}, this.#frame);
  /** @type {Box[]} */
  #boxes = [];
  /** @type {Calls | undefined} */
  #calls;
  /** @type {Set<number> | null} */
  #marked = null;
  /** The node that keys move from. @type {number | null} */
  chosen = null;

  /**
   * @param {import('../../app.js').App} app
   * @param {(node: number | null) => void} onZoom shows what is below a node, or all
   * @param {(node: number) => void} onChoose
   * @param {(node: number) => string[]} describe lines on a node
   */
  constructor(app, onZoom, onChoose, describe) {
    this.app = app;
    this.onZoom = onZoom;
    this.onChoose = onChoose;
    this.describe = describe;
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.element.addEventListener('scroll', () => this.draw(), {passive: true});
    this.#canvas.addEventListener('pointermove', (event) => this.#point(event));
    this.#canvas.addEventListener('pointerleave', () => (this.#tip.hidden = true));
    this.#canvas.addEventListener('click', (event) => {
      const box = this.#at(event);
      if (box) this.#choose(box.node);
    });
    this.#canvas.addEventListener('dblclick', (event) => {
      const box = this.#at(event);
      if (box) this.onZoom(box.node);
    });
    this.#canvas.addEventListener('keydown', (event) => this.#key(event));
  }

  /** @param {Calls} calls @param {number | null} focus @param {Set<number> | null} marked those that a search found */
  show(calls, focus, marked) {
    this.#calls = calls;
    this.#marked = marked;
    this.#boxes = calls.boxes(focus);
    this.element.dataset.boxes = String(this.#boxes.length);
    const deepest = this.#boxes.reduce((most, {depth}) => Math.max(most, depth), 0);
    this.#frame.style.height = `${(deepest + 1) * ROW}px`;
    this.draw();
  }

  /** Draws it at the size, in the theme, for the screen of now. */
  draw() {
    const calls = this.#calls;
    const {clientWidth: width, clientHeight: height, scrollTop: top} = this.element;
    if (!calls || !width || !height) return;
    const scale = devicePixelRatio || 1;
    this.#canvas.width = Math.round(width * scale);
    this.#canvas.height = Math.round(height * scale);
    this.#canvas.style.height = `${height}px`;
    const context = /** @type {CanvasRenderingContext2D} */ (this.#canvas.getContext('2d'));
    context.scale(scale, scale);
    context.font = `12px ${face()}`;
    context.textBaseline = 'middle';
    const style = getComputedStyle(this.element);
    const dark = isDark();
    const text = style.getPropertyValue('--text');
    for (const {node, depth, left, width: part} of this.#boxes) {
      const [x, y, w] = [left * width, depth * ROW - top, part * width];
      if (y + ROW < 0 || y > height) continue;
      context.globalAlpha = this.#marked && !this.#marked.has(node) ? 0.25 : 1;
      context.fillStyle = this.#color(style, node, dark);
      context.fillRect(x, y, Math.max(w - 1, 0.5), ROW - 1);
      if (node === this.chosen) {
        context.strokeStyle = text;
        context.lineWidth = 2;
        context.strokeRect(x + 1, y + 1, Math.max(w - 3, 1), ROW - 3);
      }
      if (w > 24) this.#label(context, calls.nameOf(node), x, y, w);
    }
    context.globalAlpha = 1;
  }

  /** @param {CSSStyleDeclaration} style @param {number} node @param {boolean} dark */
  #color(style, node, dark) {
    const {class: classes, name} = /** @type {Calls} */ (this.#calls).report.nodes;
    const base = style.getPropertyValue(classes[node] === '' ? '--class-idle' : `--class-${COLORS[classes[node]] ?? 'other'}`).trim();
    const [red, green, blue] = (base.match(/\d+/g) ?? []).map(Number);
    const shade = SHADES[name[node] % SHADES.length] * (dark ? -1 : 1);
    const moved = [red, green, blue].map((part) => Math.max(0, Math.min(255, part + shade)));
    return `rgb(${moved.join(' ')})`;
  }

  /** @param {CanvasRenderingContext2D} context @param {string} name @param {number} x @param {number} y @param {number} width */
  #label(context, name, x, y, width) {
    const [red, green, blue] = (String(context.fillStyle).match(/[\da-f]{2}/gi) ?? []).map((hex) => parseInt(hex, 16));
    context.fillStyle = 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? '#10151b' : '#ffffff';
    context.save();
    context.beginPath();
    context.rect(x, y, width - 4, ROW);
    context.clip();
    context.fillText(name.slice(0, Math.ceil(width / 4)), x + 4, y + ROW / 2);
    context.restore();
  }

  /** @param {MouseEvent} event @returns {Box | undefined} */
  #at(event) {
    const area = this.#canvas.getBoundingClientRect();
    const [x, depth] = [(event.clientX - area.left) / area.width, Math.floor((event.clientY - area.top + this.element.scrollTop) / ROW)];
    return this.#boxes.find((box) => box.depth === depth && box.left <= x && x < box.left + box.width);
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const box = this.#at(event);
    this.#tip.hidden = !box;
    if (!box) return;
    fill(
      this.#tip,
      this.describe(box.node).map((line, place) => h(place === 0 ? 'strong' : 'span', {}, line)),
    );
    placeTip(this.#tip, this.#frame, event);
  }

  /** Gives the graph the keys. */
  focus() {
    this.#canvas.focus({preventScroll: true});
  }

  /** @param {number} node */
  #choose(node) {
    this.chosen = node;
    this.onChoose(node);
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const calls = this.#calls;
    if (!calls || event.ctrlKey || event.metaKey || event.altKey) return;
    const drawn = new Map(this.#boxes.map((box) => [box.node, box]));
    const from = this.chosen !== null && drawn.has(this.chosen) ? this.chosen : undefined;
    const first = this.#boxes[0]?.node;
    if (first === undefined) return;
    /** The next box, for those that are too narrow to be drawn are none. @param {readonly number[]} nodes */
    const seen = (nodes) => nodes.find((node) => drawn.has(node));
    const moves = {
      ArrowUp: () => seen([calls.report.nodes.parent[from ?? first]]),
      ArrowDown: () => seen(calls.children(from ?? first)),
      ArrowLeft: () => seen(calls.beside(from ?? first, -1)),
      ArrowRight: () => seen(calls.beside(from ?? first, 1)),
    };
    if (event.key === 'Enter') this.onZoom(from ?? first);
    else if (event.key === 'Escape') this.onZoom(null);
    else if (event.key in moves) {
      const to = from === undefined ? first : moves[/** @type {keyof typeof moves} */ (event.key)]();
      if (to !== undefined) {
        this.#reveal(/** @type {Box} */ (drawn.get(to)).depth);
        this.#choose(to);
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Scrolls so that a row is seen. @param {number} depth */
  #reveal(depth) {
    const {scrollTop: top, clientHeight: height} = this.element;
    if (depth * ROW < top) this.element.scrollTop = depth * ROW;
    else if ((depth + 1) * ROW > top + height) this.element.scrollTop = (depth + 1) * ROW - height;
  }
}
