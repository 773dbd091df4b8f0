// A tree of stacks with a width for each node: boxes of a flame graph, and the way through them. It needs no browser.

/** @typedef {{name: string, total: number, own: number}} NameSum */
/** @typedef {{node: number, depth: number, left: number, width: number}} Box `left` and `width` as parts of the whole width */

/**
 * The stacks of a box: one in a flame graph, all that are merged into the box in a sandwich view.
 * @typedef {object} Stacks
 * @property {'stack' | 'name' | 'caller' | 'callee'} role
 * @property {readonly number[]} nodes those that have the box's name
 * @property {readonly number[]} timed those that take its time; none is inside of another
 * @property {readonly number[]} own those whose self times are its own
 * @property {readonly number[]} again outermost recursive calls of a name
 * @property {readonly number[] | null} of the stacks whose time is the whole; null: all
 */

/** Boxes narrower than this part of the width are not drawn. */
const NARROWEST = 1 / 8000;

/** A tree whose nodes each come after the one that they are called by. */
export class StackTree {
  /** @type {number[][]} */
  #children;
  /** @type {readonly boolean[] | undefined} */
  #areOutermost;
  /** @type {NameSum[] | undefined} */
  #nameSums;

  /** @param {readonly number[]} parents -1 for roots @param {readonly number[]} totals each with its callees */
  constructor(parents, totals) {
    this.parents = parents;
    this.totals = totals;
    this.#children = parents.map(() => []);
    /** @type {number[]} */
    this.roots = [];
    for (const [node, parent] of parents.entries()) (parent < 0 ? this.roots : this.#children[parent]).push(node);
    const largestFirst = (/** @type {number} */ a, /** @type {number} */ b) => totals[b] - totals[a];
    for (const list of [this.roots, ...this.#children]) list.sort(largestFirst);
  }

  /** The text on a node's box. @param {number} _node */
  nameOf(_node) {
    return '';
  }

  /** Identity of a node among its siblings. @param {number} node */
  markOf(node) {
    return this.nameOf(node);
  }

  /** @param {number} node @returns {Stacks} */
  stacks(node) {
    return {role: 'stack', nodes: [node], timed: [node], own: [node], again: [], of: null};
  }

  /** The node whose row keeps its place while others are zoomed into; null if no node has such a row. @returns {number | null} */
  get middle() {
    return null;
  }

  /** Whether each node is a call that is inside of no other call of its name. Threads are no calls. @returns {readonly boolean[]} */
  get areOutermost() {
    if (this.#areOutermost) return this.#areOutermost;
    const found = this.parents.map(() => false);
    /** Number of calls of each name around the current node. @type {Map<string, number>} */
    const open = new Map();
    // A node that is left again is listed as its complement.
    const waiting = [...this.roots];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const node = next < 0 ? ~next : next;
      const isCall = this.parents[node] >= 0;
      const around = isCall ? (open.get(this.nameOf(node)) ?? 0) : 0;
      if (isCall) open.set(this.nameOf(node), around + (next < 0 ? -1 : 1));
      if (next < 0) continue;
      found[node] = isCall && around === 0;
      waiting.push(~node, ...this.#children[node]);
    }
    return (this.#areOutermost = found);
  }

  /** The names of all calls with their times, the longest first; `own` is the time without callees. @returns {NameSum[]} */
  get nameSums() {
    if (this.#nameSums) return this.#nameSums;
    /** @type {Map<string, NameSum>} */
    const sums = new Map();
    for (const [node, parent] of this.parents.entries()) {
      if (parent < 0) continue;
      const name = this.nameOf(node);
      const sum = sums.get(name) ?? {name, total: 0, own: 0};
      sums.set(name, sum);
      if (this.areOutermost[node]) sum.total += this.totals[node];
      sum.own += this.#children[node].reduce((rest, child) => rest - this.totals[child], this.totals[node]);
    }
    return (this.#nameSums = [...sums.values()].sort((a, b) => b.total - a.total));
  }

  /** The nodes from a root to a node. @param {number} node */
  path(node) {
    const path = [];
    for (let at = node; at >= 0; at = this.parents[at]) path.push(at);
    return path.reverse();
  }

  /** The callees of a node, the longest first. @param {number} node @returns {readonly number[]} */
  children(node) {
    return this.#children[node];
  }

  /** The nodes above a node, with callers at the top. @param {number} node @returns {readonly number[]} */
  above(node) {
    return [this.parents[node]];
  }

  /** The nodes below a node, with callers at the top. @param {number} node @returns {readonly number[]} */
  below(node) {
    return this.children(node);
  }

  /** A node and its siblings, called by the same. @param {number} node @returns {readonly number[]} */
  siblings(node) {
    const parent = this.parents[node];
    return parent < 0 ? this.roots : this.#children[parent];
  }

  /** The siblings before or after a node, the nearest first. @param {number} node @param {-1 | 1} way */
  beside(node, way) {
    const all = this.siblings(node);
    const at = all.indexOf(node);
    return way > 0 ? all.slice(at + 1) : all.slice(0, at).reverse();
  }

  /** The node with these marks on its path, or the last that is there. @param {readonly string[]} marks @returns {number | null} */
  find(marks) {
    let [found, among] = [/** @type {number | null} */ (null), /** @type {readonly number[]} */ (this.roots)];
    for (const mark of marks) {
      const next = among.find((node) => this.markOf(node) === mark);
      if (next === undefined) return found;
      [found, among] = [next, this.children(next)];
    }
    return found;
  }

  /**
   * The boxes below a node, or of all roots; the node and its callers have the full width.
   * @param {number | null} focus @returns {Box[]}
   */
  boxes(focus) {
    return this.layOut(focus, (node) => this.#children[node]);
  }

  /** @param {number | null} focus @param {(node: number) => readonly number[]} childrenOf @returns {Box[]} */
  layOut(focus, childrenOf) {
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
      put(childrenOf(box.node), box.depth + 1, box.left);
    }
    return boxes;
  }

  /** The nodes of a set that are inside of no other one of it. @param {Set<number>} nodes @returns {number[]} */
  outermost(nodes) {
    return [...nodes].filter((node) => !this.#isWithin(node, nodes));
  }

  /** @param {number} node @param {Set<number>} nodes */
  #isWithin(node, nodes) {
    for (let at = this.parents[node]; at >= 0; at = this.parents[at]) if (nodes.has(at)) return true;
    return false;
  }
}
