// What is drawn of a call tree: boxes for a width, functions by name, the way to a node. It needs no browser.

/** @typedef {import('../../../../types/reports.js').CallTreeReport} CallTreeReport */
/** @typedef {'host' | 'device'} Measure whose time: the host's threads', or what they made devices do */
/** @typedef {{node: number, depth: number, left: number, width: number}} Box `left` and `width` as parts of the whole width */
/** @typedef {{name: number, total: number, self: number, calls: number, node: number}} CallSum all calls of a name; `node`: the one with its longest call */

/** Boxes narrower than this part of the width are not drawn. */
const NARROWEST = 1 / 8000;

/** A call tree by one measure. */
export class Calls {
  /** @type {number[][]} */
  #children;
  /** The whole: what all threads take. */
  whole;

  /** @param {CallTreeReport} report @param {Measure} measure */
  constructor(report, measure) {
    this.report = report;
    this.measure = measure;
    this.totals = measure === 'host' ? report.nodes.host_ns : report.nodes.device_ns;
    this.selves = measure === 'host' ? report.nodes.host_self_ns : report.nodes.device_self_ns;
    this.whole = measure === 'host' ? report.host_ns : report.device_ns;
    this.#children = report.nodes.name.map(() => []);
    /** @type {number[]} */
    this.roots = [];
    for (const [node, parent] of report.nodes.parent.entries()) (parent < 0 ? this.roots : this.#children[parent]).push(node);
    const largestFirst = (/** @type {number} */ a, /** @type {number} */ b) => this.totals[b] - this.totals[a];
    for (const list of [this.roots, ...this.#children]) list.sort(largestFirst);
  }

  /** @param {number} node */
  nameOf(node) {
    return this.report.names[this.report.nodes.name[node]];
  }

  /** The nodes from a thread to a node. @param {number} node */
  path(node) {
    const path = [];
    for (let at = node; at >= 0; at = this.report.nodes.parent[at]) path.push(at);
    return path.reverse();
  }

  /** What a node calls, what takes most first. @param {number} node @returns {readonly number[]} */
  children(node) {
    return this.#children[node];
  }

  /** What stands beside a node, called by the same: those before it, or after it, the nearest first. @param {number} node @param {-1 | 1} way */
  beside(node, way) {
    const parent = this.report.nodes.parent[node];
    const all = parent < 0 ? this.roots : this.#children[parent];
    const at = all.indexOf(node);
    return way > 0 ? all.slice(at + 1) : all.slice(0, at).reverse();
  }

  /**
   * The boxes below a node, or of all threads: the node and what it is called by are as wide as all.
   * @param {number | null} focus @returns {Box[]}
   */
  boxes(focus) {
    /** @type {Box[]} */
    const boxes = [];
    const path = focus === null ? [] : this.path(focus);
    for (const [depth, node] of path.slice(0, -1).entries()) boxes.push({node, depth, left: 0, width: 1});
    const whole = focus === null ? this.roots.reduce((sum, root) => sum + this.totals[root], 0) : this.totals[focus];
    if (!whole) return boxes;
    /** @type {Box[]} */
    const waiting = [];
    /** @param {readonly number[]} nodes @param {number} depth @param {number} from */
    const put = (nodes, depth, from) => {
      let left = from;
      for (const node of nodes) {
        const width = this.totals[node] / whole;
        if (width >= NARROWEST) waiting.push({node, depth, left, width});
        left += width;
      }
    };
    if (focus === null) put(this.roots, 0, 0);
    else put([focus], path.length - 1, 0);
    for (let box = waiting.pop(); box; box = waiting.pop()) {
      boxes.push(box);
      put(this.#children[box.node], box.depth + 1, box.left);
    }
    return boxes;
  }

  /** Where the names are such. @param {(name: string) => boolean} isSuch @returns {Set<number>} */
  matching(isSuch) {
    const names = new Set(this.report.names.flatMap((name, place) => (isSuch(name) ? [place] : [])));
    return new Set(this.report.nodes.name.flatMap((name, node) => (names.has(name) && this.report.nodes.parent[node] >= 0 ? [node] : [])));
  }

  /** What nodes take together: of one inside of another nothing is added. @param {Set<number>} nodes */
  totalOf(nodes) {
    let total = 0;
    for (const node of nodes) if (!this.#isWithin(node, nodes)) total += this.totals[node];
    return total;
  }

  /** @param {number} node @param {Set<number>} nodes */
  #isWithin(node, nodes) {
    for (let at = this.report.nodes.parent[node]; at >= 0; at = this.report.nodes.parent[at]) if (nodes.has(at)) return true;
    return false;
  }

  /** All calls by name, without threads; a function that calls itself takes its outermost calls' time. @returns {CallSum[]} */
  byName() {
    /** @type {Map<number, CallSum>} */
    const sums = new Map();
    const {name: names, parent, calls, longest_ns: longest} = this.report.nodes;
    /** The nodes around the present one: each node comes after what it is called by, with all that is called before the next. @type {number[]} */
    const around = [];
    /** How many of them have each name. @type {Map<number, number>} */
    const open = new Map();
    for (const [node, name] of names.entries()) {
      while (around.length && around[around.length - 1] !== parent[node]) {
        const left = names[/** @type {number} */ (around.pop())];
        if (open.get(left)) open.set(left, (open.get(left) ?? 0) - 1);
      }
      const isOutermost = !open.get(name);
      around.push(node);
      // A thread's name may be a function's, too.
      if (parent[node] < 0) continue;
      open.set(name, (open.get(name) ?? 0) + 1);
      const sum = sums.get(name) ?? {name, total: 0, self: 0, calls: 0, node};
      sums.set(name, sum);
      sum.self += this.selves[node];
      sum.calls += calls[node];
      if (longest[node] > longest[sum.node]) sum.node = node;
      if (isOutermost) sum.total += this.totals[node];
    }
    return [...sums.values()].filter(({total}) => total > 0);
  }

  /** The callers of a name, or what it calls, with the time that it takes for each. @param {number} name @param {'callers' | 'callees'} which @returns {{name: number, total: number}[]} */
  around(name, which) {
    /** @type {Map<number, number>} */
    const sums = new Map();
    const {name: names, parent} = this.report.nodes;
    for (const [node, here] of names.entries()) {
      if (here !== name || parent[node] < 0) continue;
      const others = which === 'callers' ? [parent[node]] : this.#children[node];
      for (const other of others) {
        const time = which === 'callers' ? this.totals[node] : this.totals[other];
        if (time > 0) sums.set(names[other], (sums.get(names[other]) ?? 0) + time);
      }
    }
    return [...sums].map(([name, total]) => ({name, total})).sort((a, b) => b.total - a.total);
  }
}
