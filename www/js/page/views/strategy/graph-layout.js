// Where the boxes, operators and edges of a parallel graph stand: open boxes around their children, edges between boxes bundled. Nothing here touches
// the page.

import {layered} from './layered.js';

/** @typedef {import('./graph-scopes.js').Item} Item */
/** @typedef {import('./graph-scopes.js').Link} Link */
/** @typedef {import('./layered.js').Point} Point */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {{points: Point[], count: number, links: Set<Link>, isArrow: boolean, isUp: boolean}} Line `count`: edges of operators; `isArrow`: whether it ends at the target of the edges, and not at the side of a box around that */
/** @typedef {{boxes: Map<Item, Box>, lines: Line[], width: number, height: number}} Picture */

/** The sizes of items, in pixels. @type {Record<Item['type'], {width: number, height: number}>} */
const SIZES = {
  scope: {width: 176, height: 52},
  operator: {width: 176, height: 46},
  earlier: {width: 176, height: 30},
  later: {width: 176, height: 30},
};

/** Sizes of an open box: the room around its children, and its heading. */
const PADDING = 14;
export const HEADING = 30;

/** Where an edge passes the side of an open box. */
const PORT = {width: 8, height: 0};

/** @typedef {{from: Item | 'in', to: Item | 'out', count: number, links: Set<Link>}} Part of links, among the children of a box: `in` and `out` are its sides */

/** @param {Item[]} items @param {Iterable<Link>} links @param {number} most the width of a row @returns {Picture} */
export function pictureOf(items, links, most) {
  const parts = partsOf(links);
  return inside(items, null, parts, most);
}

/** The parts of all links, by the open box in which they are. @param {Iterable<Link>} links */
function partsOf(links) {
  /** @type {Map<Item | null, Map<string, Part>>} */
  const found = new Map();
  const add = (/** @type {Item | null} */ parent, /** @type {Item | 'in'} */ from, /** @type {Item | 'out'} */ to, /** @type {Link} */ link) => {
    const key = [from, to].map((one) => (typeof one === 'string' ? one : one.key)).join('>');
    const parts = found.get(parent) ?? new Map();
    found.set(parent, parts);
    const part = parts.get(key) ?? {from, to, count: 0, links: new Set()};
    parts.set(key, part);
    part.count += link.count;
    part.links.add(link);
  };
  for (const link of links) {
    let {from, to} = link;
    const around = new Set();
    for (let at = to.parent; at; at = at.parent) around.add(at);
    for (; from.parent && !around.has(from.parent); from = from.parent) add(from.parent, from, 'out', link);
    for (; to.parent !== from.parent; to = /** @type {Item} */ (to.parent)) add(to.parent, 'in', to, link);
    add(from.parent, from, to, link);
  }
  return found;
}

/** @param {Item[]} items the children of a box @param {Item | null} box @param {Map<Item | null, Map<string, Part>>} parts @param {number} most @returns {Picture & {entry?: number, exit?: number}} */
function inside(items, box, parts, most) {
  const own = [...(parts.get(box)?.values() ?? [])];
  const pictures = new Map(items.flatMap((item) => (item.children ? [[item, inside(item.children, item, parts, most)]] : [])));
  /** @type {Map<Item | 'in' | 'out', number>} */
  const places = new Map();
  /** @type {import('./layered.js').Cell[]} */
  const cells = items.map((item, index) => {
    places.set(item, index);
    const picture = pictures.get(item);
    if (!picture) return SIZES[item.type];
    const width = Math.max(SIZES.scope.width, picture.width + 2 * PADDING);
    const left = (width - picture.width) / 2;
    const port = (/** @type {number | undefined} */ x) => x !== undefined && x + left;
    return {
      width,
      height: HEADING + picture.height + 2 * PADDING,
      entry: port(picture.entry) || undefined,
      exit: port(picture.exit) || undefined,
    };
  });
  if (own.some(({from}) => from === 'in')) places.set('in', cells.push({...PORT, pin: 'first'}) - 1);
  if (own.some(({to}) => to === 'out')) places.set('out', cells.push({...PORT, pin: 'last'}) - 1);
  const at = (/** @type {Item | 'in' | 'out'} */ of) => /** @type {number} */ (places.get(of));
  const layout = layered(
    cells,
    own.map(({from, to}) => [at(from), at(to)]),
    most,
  );
  /** @type {Map<Item, Box>} */
  const boxes = new Map();
  const lines = own.map(({from, to, count, links}, index) => {
    const {points, isUp} = layout.routes[index];
    if (from === 'in') points.unshift({x: points[0].x, y: -HEADING - PADDING});
    if (to === 'out') points.push({x: points[points.length - 1].x, y: layout.height + PADDING});
    const isArrow = to !== 'out' && !to.children;
    return {points, count, links, isArrow, isUp};
  });
  for (const [index, item] of items.entries()) {
    const {x, y} = layout.places[index];
    const {width, height} = cells[index];
    boxes.set(item, {x, y, width, height});
    const picture = pictures.get(item);
    if (!picture) continue;
    const by = {x: x + (width - picture.width) / 2, y: y + HEADING + PADDING};
    for (const [child, place] of picture.boxes) boxes.set(child, {...place, x: place.x + by.x, y: place.y + by.y});
    for (const line of picture.lines) lines.push({...line, points: line.points.map((point) => ({x: point.x + by.x, y: point.y + by.y}))});
  }
  const port = (/** @type {'in' | 'out'} */ of) => (places.has(of) ? layout.places[at(of)].x + PORT.width / 2 : undefined);
  return {boxes, lines, width: layout.width, height: layout.height, entry: port('in'), exit: port('out')};
}

/** A line as an SVG path: straight through rows, bent between them. @param {Point[]} points */
export function pathOf(points) {
  const number = (/** @type {number} */ value) => String(Math.round(value * 10) / 10);
  return points
    .map(({x, y}, index) => {
      const before = points[index - 1];
      if (!before) return `M${number(x)} ${number(y)}`;
      if (before.x === x) return `V${number(y)}`;
      const middle = number((before.y + y) / 2);
      return `C${number(before.x)} ${middle} ${number(x)} ${middle} ${number(x)} ${number(y)}`;
    })
    .join('');
}

/**
 * The item to which an arrow key leads: up and down along the edges, where there is one, else to the nearest on that side.
 * @param {string} key @param {Item} from @param {Picture} picture @param {Iterable<Link>} links @returns {Item | undefined}
 */
export function itemAfter(key, from, {boxes}, links) {
  const items = [...boxes.keys()];
  // The heading of an open box takes the focus.
  const middle = (/** @type {Item} */ item) => {
    const {x, y, width, height} = /** @type {Box} */ (boxes.get(item));
    return {x: x + (item.children ? SIZES.scope.width : width) / 2, y: y + (item.children ? HEADING : height) / 2};
  };
  const here = middle(from);
  const nearest = (/** @type {Item[]} */ among, /** @type {(by: Point) => number | null} */ distance) => {
    let [found, least] = [/** @type {Item | undefined} */ (undefined), Infinity];
    for (const item of among) {
      const {x, y} = middle(item);
      const far = item === from ? null : distance({x: x - here.x, y: y - here.y});
      if (far !== null && far < least) [found, least] = [item, far];
    }
    return found;
  };
  const sign = key === 'ArrowUp' || key === 'ArrowLeft' ? -1 : 1;
  switch (key) {
    case 'Home':
      return items[0];
    case 'End':
      return items[items.length - 1];
    case 'ArrowUp':
    case 'ArrowDown': {
      if (sign > 0 && from.children) return nearest(from.children, ({x, y}) => 4 * y + Math.abs(x));
      const joined = [...links].flatMap((link) => (sign > 0 ? (link.from === from ? link.to : []) : link.to === from ? link.from : []));
      const onward = nearest(joined, ({x, y}) => Math.abs(x) + Math.abs(y));
      return onward ?? nearest(items, ({x, y}) => (y * sign > 1 ? y * sign + 2 * Math.abs(x) : null));
    }
    case 'ArrowLeft':
    case 'ArrowRight':
      return nearest(items, ({x, y}) => (x * sign > 1 ? x * sign + 3 * Math.abs(y) : null));
    default:
      return undefined;
  }
}
