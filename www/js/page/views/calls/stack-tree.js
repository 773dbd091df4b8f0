// A tree of stacks with a width for each node: boxes of a flame graph, and the way through them. It needs no browser.

/** @typedef {{node: number, depth: number, left: number, width: number}} Box `left` and `width` as parts of the whole width */

/** Boxes narrower than this part of the width are not drawn. */
const NARROWEST = 1 / 8000;

/** A tree whose nodes each come after the one that they are called by. */
export class StackTree {
  /** @type {number[][]} */
  #children;

  /** @param {readonly number[]} parents -1 for what nothing calls @param {readonly number[]} totals each with what it calls */
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

  /** What is written on a node's box. @param {number} _node */
  nameOf(_node) {
    return '';
  }

  /** The nodes from a root to a node. @param {number} node */
  path(node) {
    const path = [];
    for (let at = node; at >= 0; at = this.parents[at]) path.push(at);
    return path.reverse();
  }

  /** What a node calls, what takes most first. @param {number} node @returns {readonly number[]} */
  children(node) {
    return this.#children[node];
  }

  /** What stands beside a node, called by the same: those before it, or after it, the nearest first. @param {number} node @param {-1 | 1} way */
  beside(node, way) {
    const parent = this.parents[node];
    const all = parent < 0 ? this.roots : this.#children[parent];
    const at = all.indexOf(node);
    return way > 0 ? all.slice(at + 1) : all.slice(0, at).reverse();
  }

  /** The node with these names on its path, or the last that is there. @param {readonly string[]} names @returns {number | null} */
  find(names) {
    let [found, among] = [/** @type {number | null} */ (null), /** @type {readonly number[]} */ (this.roots)];
    for (const name of names) {
      const next = among.find((node) => this.nameOf(node) === name);
      if (next === undefined) return found;
      [found, among] = [next, this.children(next)];
    }
    return found;
  }

  /**
   * The boxes below a node, or of all roots: the node and what it is called by are as wide as all.
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
