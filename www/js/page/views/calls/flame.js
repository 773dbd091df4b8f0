// The flame graph of a call tree, on a canvas: callers above callees or the other way round, the longest first.

import {fill, h} from '../../dom.js';
import {edgeColor, isDark} from '../../environment/theme.js';
import {face, placeTip} from '../charts/chart.js';
import {boxName} from './box-name.js';

/** @typedef {import('./stack-tree.js').Box} Box */
/** @typedef {import('./stack-tree.js').StackTree} StackTree */
/** @typedef {[red: number, green: number, blue: number]} Color */

const ROW = 20;

/** Lower bound of the mean width of a letter, in CSS pixels. */
const NARROW = 4;

/** A flame graph. */
export class FlameGraph {
  #canvas;
  #tip = h('div', {class: 'tip', role: 'presentation', hidden: true});
  /** As high as all rows; the canvas is as high as their visible part, since browsers limit its height. */
  #frame = h('div', {class: 'flame-frame'});
  element = h('div', {class: 'flame-scroll'}, this.#frame);
  /** @type {Box[]} */
  #boxes = [];
  /** @type {StackTree | undefined} */
  #tree;
  /** @type {Set<number> | null} */
  #marked = null;
  /** Whether callers are below their callees. */
  isUpward = false;
  #deepest = 0;
  /** The node that keys move from. @type {number | null} */
  chosen = null;

  /**
   * @param {object} how
   * @param {string} how.label label for screen readers
   * @param {string} how.keys the id of the text on its keys
   * @param {string} how.name for tests
   * @param {(node: number | null) => void} how.onZoom zooms into a node, or out to all
   * @param {(node: number) => void} how.onChoose
   * @param {(node: number) => string[]} how.describe lines on a node
   * @param {(node: number, style: CSSStyleDeclaration, dark: boolean) => Color} how.color of a node's box
   * @param {(node: number) => boolean} [how.isDashed] whether its edge is a dashed line
   */
  constructor({label, keys, name, onZoom, onChoose, describe, color, isDashed}) {
    this.#canvas = h('canvas', {class: 'flame-canvas', tabindex: '0', role: 'img', 'aria-label': label, 'aria-describedby': keys, 'data-test': name});
    this.#frame.append(this.#canvas, this.#tip);
    this.onZoom = onZoom;
    this.onChoose = onChoose;
    this.describe = describe;
    this.color = color;
    this.isDashed = isDashed;
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

  /** @param {StackTree} tree @param {number | null} focus @param {Set<number> | null} marked those that a search found */
  show(tree, focus, marked) {
    this.#tree = tree;
    this.#marked = marked;
    this.#boxes = tree.boxes(focus);
    this.element.dataset.boxes = String(this.#boxes.length);
    this.#deepest = this.#boxes.reduce((most, {depth}) => Math.max(most, depth), 0);
    this.#frame.style.height = `${(this.#deepest + 1) * ROW}px`;
    this.draw();
  }

  /** Puts callers below or above their callees. @param {boolean} isUpward */
  turn(isUpward) {
    this.isUpward = isUpward;
    this.draw();
    this.home();
  }

  /** Scrolls to where one begins to read: the row of a name, or the end from which all is called. */
  home() {
    const {scrollHeight, clientHeight} = this.element;
    const middle = this.#tree?.middle ?? null;
    const row = this.#boxes.find(({node}) => node === middle)?.depth;
    if (row !== undefined) this.element.scrollTop = (this.#turned(row) + 0.5) * ROW - clientHeight / 2;
    else this.element.scrollTop = this.isUpward ? scrollHeight : 0;
  }

  /** Label for screen readers. @param {string} label */
  set label(label) {
    this.#canvas.setAttribute('aria-label', label);
  }

  /** The row of a depth, and the depth of a row. @param {number} place */
  #turned(place) {
    return this.isUpward ? this.#deepest - place : place;
  }

  /** Draws it at the size, in the theme, for the screen of now. */
  draw() {
    const tree = this.#tree;
    const {clientWidth: width, clientHeight: height, scrollTop: top} = this.element;
    if (!tree || !width || !height) return;
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
    const edge = edgeColor(style);
    for (const {node, depth, left, width: part} of this.#boxes) {
      const [x, y, w] = [left * width, this.#turned(depth) * ROW - top, part * width];
      if (y + ROW < 0 || y > height) continue;
      context.globalAlpha = this.#marked && !this.#marked.has(node) ? 0.25 : 1;
      const color = this.color(node, style, dark);
      context.fillStyle = `rgb(${color.join(' ')})`;
      context.fillRect(x, y, Math.max(w - 1, 0.5), ROW - 1);
      if (edge && w > 4) {
        context.strokeStyle = edge;
        context.lineWidth = 1;
        context.strokeRect(x + 0.5, y + 0.5, w - 2, ROW - 2);
      }
      if (w > 6 && this.isDashed?.(node)) this.#dash(context, color, x, y, w);
      if (node === this.chosen) {
        context.strokeStyle = text;
        context.lineWidth = 2;
        context.strokeRect(x + 1, y + 1, Math.max(w - 3, 1), ROW - 3);
      }
      if (w > 24) this.#label(context, color, tree.nameOf(node), x, y, w, node === tree.middle);
    }
    context.globalAlpha = 1;
  }

  /** @param {CanvasRenderingContext2D} context @param {Color} color @param {number} x @param {number} y @param {number} width */
  #dash(context, color, x, y, width) {
    context.strokeStyle = inkOn(color);
    context.lineWidth = 1;
    context.setLineDash([3, 3]);
    context.strokeRect(x + 0.5, y + 0.5, width - 2, ROW - 2);
    context.setLineDash([]);
  }

  /** @param {CanvasRenderingContext2D} context @param {Color} color @param {string} name @param {number} x @param {number} y @param {number} width @param {boolean} isBold */
  #label(context, color, name, x, y, width, isBold) {
    context.fillStyle = inkOn(color);
    context.save();
    if (isBold) context.font = `bold ${context.font}`;
    context.beginPath();
    context.rect(x, y, width - 4, ROW);
    context.clip();
    const text = boxName(name, (one) => one.length * NARROW < width && context.measureText(one).width <= width - 8);
    context.fillText(text, x + 4, y + ROW / 2);
    context.restore();
  }

  /** @param {MouseEvent} event @returns {Box | undefined} */
  #at(event) {
    const area = this.#canvas.getBoundingClientRect();
    const row = Math.floor((event.clientY - area.top + this.element.scrollTop) / ROW);
    const [x, depth] = [(event.clientX - area.left) / area.width, this.#turned(row)];
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
    const tree = this.#tree;
    if (!tree || event.ctrlKey || event.metaKey || event.altKey) return;
    const drawn = new Map(this.#boxes.map((box) => [box.node, box]));
    const from = this.chosen !== null && drawn.has(this.chosen) ? this.chosen : undefined;
    // The row of a name, or the largest of the topmost.
    const first = tree.middle ?? this.#boxes.find(({depth, left}) => depth === 0 && left === 0)?.node;
    if (first === undefined) return;
    /** The next box, for those that are too narrow to be drawn are none. @param {readonly number[]} nodes */
    const seen = (nodes) => nodes.find((node) => drawn.has(node));
    /** @type {Record<string, () => number | undefined>} */
    const moves = {
      [this.isUpward ? 'ArrowDown' : 'ArrowUp']: () => seen(tree.above(from ?? first)),
      [this.isUpward ? 'ArrowUp' : 'ArrowDown']: () => seen(tree.below(from ?? first)),
      ArrowLeft: () => seen(tree.beside(from ?? first, -1)),
      ArrowRight: () => seen(tree.beside(from ?? first, 1)),
    };
    if (event.key === 'Enter') this.onZoom(from ?? first);
    else if (event.key === 'Escape') this.onZoom(null);
    else if (event.key in moves) {
      const to = from === undefined ? first : moves[event.key]();
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
    const row = this.#turned(depth);
    if (row * ROW < top) this.element.scrollTop = row * ROW;
    else if ((row + 1) * ROW > top + height) this.element.scrollTop = (row + 1) * ROW - height;
  }
}

/** A token's colour. @param {CSSStyleDeclaration} style @param {string} token @returns {Color} */
export function colorOf(style, token) {
  const value = style.getPropertyValue(token).trim();
  const hex = value.startsWith('#') ? value.slice(1) : '';
  const wide = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
  const parts = wide ? (wide.match(/../g) ?? []).map((part) => parseInt(part, 16)) : (value.match(/\d+/g) ?? []).map(Number);
  return [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0];
}

/** A readable text color on a background. @param {Color} color */
const inkOn = ([red, green, blue]) => (0.299 * red + 0.587 * green + 0.114 * blue > 140 ? '#10151b' : '#ffffff');
