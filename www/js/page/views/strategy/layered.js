// A layered layout: boxes in rows, each below those from which edges lead to it, in an order with few crossings. Nothing here touches the page.

/** @typedef {{width: number, height: number, pin?: 'first' | 'last', entry?: number, exit?: number}} Cell `pin`: alone in the first or last row; `entry`, `exit`: where edges meet its top and bottom, from its left side, if it matters; its middle otherwise */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{points: Point[], isUp: boolean}} Route from row to row; `isUp`: the edge closes a circle and leads up: its points are from its end to its beginning */
/** @typedef {{places: Point[], routes: Route[], width: number, height: number}} Layout places of the left upper corners, routes of the edges */

/** A cell, or a place through which an edge passes a row. @typedef {Cell & {row: number, up: number[], down: number[], x: number}} Node */

/** Room between boxes beside each other, and between rows. */
const GAP = 18;
const ROW_GAP = 30;

/** Room for an edge that passes a row. */
const PASSING = 6;

/** Distance of an edge that leads up from the others. */
const ASIDE = 14;

/** Room between a cell and an edge around it: less than the gap. */
const BESIDE = 9;

/** Weight by which an edge that passes rows keeps its place, relative to a cell. */
const STRAIGHT = 8;

/** Number of sweeps that improve the order in rows, and of those that improve the places. */
const SWEEPS = 12;

/** @param {Cell[]} cells @param {[from: number, to: number][]} edges between other than the same cell, each pair once @param {number} most the width of a row that more cells do not exceed @returns {Layout} */
export function layered(cells, edges, most) {
  const {order, isUp} = acyclic(cells.length, edges);
  const ways = edges.map(([from, to], index) => (isUp[index] ? [to, from] : [from, to]));
  const rows = rowsOf(cells, ways, order, most);
  /** @type {Node[]} */
  const nodes = cells.map((cell, index) => ({...cell, row: rows[index], up: [], down: [], x: 0}));
  const join = (/** @type {number} */ from, /** @type {number} */ to) => {
    if (nodes[from].down.includes(to)) return;
    nodes[from].down.push(to);
    nodes[to].up.push(from);
  };
  const ends = [0, 1].map((end) => cells.map((_, index) => ways.filter((way) => way[end] === index).length));
  /** @type {Map<string, number>} */
  const passing = new Map();
  // Edges from the same cell, or to it, pass a row together: an optimizer's operators all take the same.
  const through = (/** @type {string} */ bundle, /** @type {number} */ row) => {
    const key = `${bundle} ${row}`;
    const found = passing.get(key) ?? nodes.push({width: PASSING, height: 0, row, up: [], down: [], x: 0}) - 1;
    passing.set(key, found);
    return found;
  };
  const passed = ways.map(([from, to]) => {
    const bundle = ends[0][from] >= ends[1][to] ? `from ${from}` : `to ${to}`;
    const way = [from];
    for (let row = rows[from] + 1; row < rows[to]; row += 1) way.push(through(bundle, row));
    way.push(to);
    for (let at = 1; at < way.length; at += 1) join(way[at - 1], way[at]);
    return way;
  });
  /** @type {number[][]} */
  const layers = Array.from({length: Math.max(-1, ...rows) + 1}, () => []);
  for (const index of order) layers[rows[index]].push(index);
  // In the middle: their targets are then below the rest, unless other edges say otherwise.
  for (let index = cells.length; index < nodes.length; index += 1) {
    const layer = layers[nodes[index].row];
    layer.splice(Math.ceil(layer.length / 2), 0, index);
  }
  const ordered = withFewCrossings(layers, nodes);
  placeAcross(ordered, nodes);
  const left = Math.min(...nodes.map(({x, width}) => x - width / 2));
  let y = 0;
  const bands = ordered.map((layer) => {
    const height = Math.max(...layer.map((index) => nodes[index].height));
    const top = y;
    y += height + ROW_GAP;
    return {top, bottom: top + height};
  });
  const places = cells.map(({width, height}, index) => {
    const {top, bottom} = bands[rows[index]];
    return {x: nodes[index].x - left - width / 2, y: (top + bottom - height) / 2};
  });
  const besideOf = (/** @type {number} */ index) => {
    const {x, y} = places[index];
    return {right: x + cells[index].width + BESIDE, top: y - BESIDE, bottom: y + cells[index].height + BESIDE};
  };
  const routes = passed.map((way, at) => {
    const [from, to] = [way[0], way[way.length - 1]];
    // Both edges of a circle of two would be one line.
    const aside = isUp[at] ? ASIDE : 0;
    const exit = places[from].x + (cells[from].exit ?? cells[from].width / 2) + aside;
    const entry = places[to].x + (cells[to].entry ?? cells[to].width / 2) + aside;
    const points = [
      {x: exit, y: places[from].y + cells[from].height},
      {x: exit, y: bands[rows[from]].bottom},
    ];
    // An edge that leads up meets the same side of a cell as others where it matters which: it leads around the cell.
    if (isUp[at] && cells[from].entry !== undefined) {
      const {right, top} = besideOf(from);
      points.splice(0, 2, ...around(places[from].x + cells[from].entry, places[from].y, top, right, bands[rows[from]].bottom));
    }
    for (const index of way.slice(1, -1)) {
      const {top, bottom} = bands[nodes[index].row];
      points.push({x: nodes[index].x - left, y: top}, {x: nodes[index].x - left, y: bottom});
    }
    if (isUp[at] && cells[to].exit !== undefined) {
      const {right, bottom} = besideOf(to);
      points.push(...around(places[to].x + cells[to].exit, places[to].y + cells[to].height, bottom, right, bands[rows[to]].top).reverse());
    } else points.push({x: entry, y: bands[rows[to]].top}, {x: entry, y: places[to].y});
    return {points, isUp: isUp[at]};
  });
  const width = nodes.length ? Math.max(...nodes.map(({x, width}) => x + width / 2)) - left : 0;
  return {places, routes, width, height: Math.max(0, y - ROW_GAP)};
}

/** From a port to the edge of a row, around the right side of its cell. @param {number} x @param {number} y @param {number} outside @param {number} right @param {number} end @returns {Point[]} */
const around = (x, y, outside, right, end) => [
  {x, y},
  {x, y: outside},
  {x: right, y: outside},
  {x: right, y: end},
];

/** A topological order, without the edges that close a cycle; the first of several candidates comes next. @param {number} count @param {[number, number][]} edges */
function acyclic(count, edges) {
  /** @type {boolean[]} */
  const isUp = edges.map(() => false);
  /** @type {('open' | 'done' | undefined)[]} */
  const state = [];
  const visit = (/** @type {number} */ at) => {
    state[at] = 'open';
    for (const [index, [from, to]] of edges.entries()) {
      if (from !== at) continue;
      if (state[to] === 'open') isUp[index] = true;
      else if (!state[to]) visit(to);
    }
    state[at] = 'done';
  };
  for (let at = 0; at < count; at += 1) if (!state[at]) visit(at);
  const left = new Set(Array(count).keys());
  /** @type {number[]} */
  const order = [];
  while (left.size) {
    const waits = new Set(edges.flatMap(([from, to], index) => (isUp[index] ? (left.has(to) ? from : []) : left.has(from) ? to : [])));
    const next = /** @type {number} */ ([...left].find((index) => !waits.has(index)));
    left.delete(next);
    order.push(next);
  }
  return {order, isUp};
}

/** The row of each cell: below all from which edges lead to it, and where its row has room. @param {Cell[]} cells @param {number[][]} ways @param {number[]} order @param {number} most @returns {number[]} */
function rowsOf(cells, ways, order, most) {
  const rows = cells.map(() => 0);
  /** @type {number[]} */
  const used = [];
  const hasRoom = (/** @type {number} */ row, /** @type {number} */ width) => !used[row] || used[row] + GAP + width <= most;
  const put = (/** @type {number} */ index, /** @type {number} */ row) => {
    rows[index] = row;
    used[row] = (used[row] ? used[row] + GAP : 0) + cells[index].width;
  };
  const least = cells.some(({pin}) => pin === 'first') ? 1 : 0;
  const free = order.filter((index) => !cells[index].pin);
  for (const index of free) {
    let row = ways.reduce((found, [from, to]) => (to === index && !cells[from].pin ? Math.max(found, rows[from] + 1) : found), least);
    while (!hasRoom(row, cells[index].width)) row += 1;
    put(index, row);
  }
  // Cells without inputs stand near the cells that take their output.
  for (const index of free.toReversed()) {
    if (ways.some(([, to]) => to === index)) continue;
    const takers = ways.flatMap(([from, to]) => (from === index && !cells[to].pin ? rows[to] : []));
    let row = Math.min(...takers) - 1;
    if (!takers.length) continue;
    while (row > rows[index] && !hasRoom(row, cells[index].width)) row -= 1;
    if (row <= rows[index]) continue;
    used[rows[index]] -= cells[index].width + GAP;
    put(index, row);
  }
  const taken = [...new Set(free.map((index) => rows[index]))].sort((a, b) => a - b);
  const place = new Map(taken.map((row, at) => [row, at + least]));
  return cells.map(({pin}, index) => (pin === 'first' ? 0 : pin === 'last' ? taken.length + least : /** @type {number} */ (place.get(rows[index]))));
}

/** The rows in the order with the fewest crossings of several that are tried: each node near the middle of those it is joined with. @param {number[][]} layers @param {Node[]} nodes */
function withFewCrossings(layers, nodes) {
  let now = layers.map((layer) => [...layer]);
  let [best, least] = [now, crossings(now, nodes)];
  for (let sweep = 0; sweep < SWEEPS && least > 0; sweep += 1) {
    const isDown = sweep % 2 === 0;
    now = now.map((layer) => [...layer]);
    const way = [...now.keys()];
    for (const row of isDown ? way.slice(1) : way.slice(0, -1).reverse()) {
      const beside = new Map(now[isDown ? row - 1 : row + 1].map((index, at) => [index, at]));
      const middle = new Map(
        now[row].map((index, at) => {
          const joined = isDown ? nodes[index].up : nodes[index].down;
          const sum = joined.reduce((sum, one) => sum + (beside.get(one) ?? 0), 0);
          return [index, joined.length ? sum / joined.length : at];
        }),
      );
      now[row].sort((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0));
    }
    const count = crossings(now, nodes);
    if (count < least) [best, least] = [now, count];
  }
  return best;
}

/** Number of edge crossings. @param {number[][]} layers @param {Node[]} nodes */
function crossings(layers, nodes) {
  let count = 0;
  for (const [row, layer] of layers.entries()) {
    const below = new Map((layers[row + 1] ?? []).map((index, at) => [index, at]));
    const ends = layer.flatMap((index) => nodes[index].down.map((to) => below.get(to) ?? 0).sort((a, b) => a - b));
    for (const [at, end] of ends.entries()) for (let before = 0; before < at; before += 1) if (ends[before] > end) count += 1;
  }
  return count;
}

/** Gives each node its middle: near those of the nodes it is joined with, in the order of its row, without overlaps. @param {number[][]} layers @param {Node[]} nodes */
function placeAcross(layers, nodes) {
  for (const layer of layers) {
    const all = layer.reduce((sum, index) => sum + nodes[index].width + GAP, -GAP);
    let x = -all / 2;
    for (const index of layer) {
      nodes[index].x = x + nodes[index].width / 2;
      x += nodes[index].width + GAP;
    }
  }
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const isDown = sweep % 2 === 0;
    for (const layer of isDown ? layers : layers.toReversed()) {
      const wanted = layer.map((index) => {
        const {up, down, x} = nodes[index];
        const joined = sweep === SWEEPS - 1 ? [...up, ...down] : isDown ? up : down;
        return joined.length ? joined.reduce((sum, one) => sum + nodes[one].x, 0) / joined.length : x;
      });
      const apart = layer.slice(1).map((index, at) => (nodes[index].width + nodes[layer[at]].width) / 2 + GAP);
      const weights = layer.map((index) => (nodes[index].height ? 1 : STRAIGHT));
      for (const [at, x] of spread(wanted, apart, weights).entries()) nodes[layer[at]].x = x;
    }
  }
}

/**
 * The places nearest to those wanted (by the weighted sum of squares) that are far enough apart: an isotonic regression by pooling neighbors.
 * @param {number[]} wanted @param {number[]} apart between each and the next @param {number[]} weights @returns {number[]}
 */
export function spread(wanted, apart, weights) {
  const before = [0];
  for (const distance of apart) before.push(before[before.length - 1] + distance);
  /** @type {{sum: number, weight: number, count: number}[]} */
  const pools = [];
  for (const [at, x] of wanted.entries()) {
    let pool = {sum: weights[at] * (x - before[at]), weight: weights[at], count: 1};
    for (let last = pools.at(-1); last && last.sum / last.weight > pool.sum / pool.weight; last = pools.at(-1)) {
      pools.pop();
      pool = {sum: pool.sum + last.sum, weight: pool.weight + last.weight, count: pool.count + last.count};
    }
    pools.push(pool);
  }
  return pools.flatMap(({sum, weight, count}) => Array(count).fill(sum / weight)).map((x, at) => x + before[at]);
}
