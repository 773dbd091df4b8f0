// The sandwich view of one name: its callers on one side, its callees on the other, merged by name. It needs no browser.

import {StackTree} from './stack-tree.js';

/** @typedef {import('./stack-tree.js').Stacks} Stacks */
/** @typedef {{parent: number, name: string, stacks: Stacks}} Merged */

/**
 * All calls of a name as one tree. The name is the root; callers and callees are its children, by their names, and so on.
 *
 * A call inside of another call of the same name is a callee, and has no callers of its own: so each time counts once, on both sides.
 * Callers of one level add up to the name's total unless a stack ends below that level. Callees and the time of the outermost calls
 * without their callees add up to it, too, except for stacks that the tree leaves out.
 */
export class Sandwich extends StackTree {
  #merged;

  /** @param {StackTree} source of all calls @param {string} name one without calls gives an empty tree */
  constructor(source, name) {
    const merged = mergedAround(source, name);
    super(
      merged.map(({parent}) => parent),
      merged.map(({stacks}) => stacks.timed.reduce((sum, node) => sum + source.totals[node], 0)),
    );
    this.source = source;
    this.name = name;
    this.#merged = merged;
  }

  /** @override @returns {number | null} */
  get middle() {
    return this.parents.length ? 0 : null;
  }

  /** @override @param {number} node */
  nameOf(node) {
    return this.#merged[node].name;
  }

  /** @override @param {number} node */
  markOf(node) {
    const {stacks, name} = this.#merged[node];
    return `${stacks.role} ${name}`;
  }

  /** @override @param {number} node @returns {Stacks} */
  stacks(node) {
    return this.#merged[node].stacks;
  }

  /** @override @param {number} node */
  above(node) {
    return this.#isCaller(node) ? this.children(node) : node === 0 ? this.#side('caller') : super.above(node);
  }

  /** @override @param {number} node */
  below(node) {
    return this.#isCaller(node) ? super.above(node) : node === 0 ? this.#side('callee') : this.children(node);
  }

  /** @override @param {number} node */
  siblings(node) {
    return this.parents[node] === 0 ? this.#side(this.#isCaller(node) ? 'caller' : 'callee') : super.siblings(node);
  }

  /** The side of a node in focus is zoomed; the other one and the name are as wide as all. @override @param {number | null} focus */
  boxes(focus) {
    if (this.middle === null) return [];
    const layOut = (/** @type {'caller' | 'callee'} */ role) => {
      const isHere = focus !== null && this.#merged[focus].stacks.role === role;
      return this.layOut(isHere ? focus : 0, (node) => (node === 0 ? this.#side(role) : this.children(node)));
    };
    const callers = layOut('caller');
    const top = callers.reduce((most, {depth}) => Math.max(most, depth), 0);
    return [
      ...callers.filter(({node}) => node !== 0).map((box) => ({...box, depth: top - box.depth})),
      ...layOut('callee').map((box) => ({...box, depth: top + box.depth})),
    ];
  }

  /** Where nodes of the source are. @param {Set<number>} found @returns {Set<number>} */
  holding(found) {
    return new Set(this.#merged.flatMap(({stacks}, node) => (stacks.nodes.some((one) => found.has(one)) ? [node] : [])));
  }

  /** The source's nodes that take the time of these nodes of one side, each once. @param {Set<number>} nodes @param {'caller' | 'callee'} role @returns {Set<number>} */
  timed(nodes, role) {
    const ofSide = new Set([...nodes].filter((node) => this.stacks(node).role === role));
    return new Set(this.outermost(ofSide).flatMap((node) => this.stacks(node).timed));
  }

  /** @param {number} node */
  #isCaller(node) {
    return this.#merged[node].stacks.role === 'caller';
  }

  /** The callers, or the callees, of the name itself. @param {'caller' | 'callee'} role */
  #side(role) {
    return this.children(0).filter((node) => this.#merged[node].stacks.role === role);
  }
}

/** @param {StackTree} source @param {string} name @returns {Merged[]} */
function mergedAround(source, name) {
  const {parents, areOutermost} = source;
  /** The calls of the name, by the outermost call around them. @type {Map<number, number[]>} */
  const inside = new Map();
  /** @type {number[]} */
  const again = [];
  for (const [node, parent] of parents.entries()) {
    if (parent < 0 || source.nameOf(node) !== name) continue;
    const around = outermostAround(node);
    if (around !== node && isSecond(node, around)) again.push(node);
    const calls = inside.get(around);
    if (calls) calls.push(node);
    else inside.set(around, [node]);
  }
  const outermost = [...inside.keys()];
  if (!outermost.length) return [];
  const own = (/** @type {readonly number[]} */ nodes) => nodes.flatMap((node) => inside.get(node) ?? []);
  /** @type {Merged[]} */
  const merged = [{parent: -1, name, stacks: {role: 'name', nodes: own(outermost), timed: outermost, own: own(outermost), again, of: null}}];

  /** Callers that are to be merged: each outermost call with the node around it that was reached. @type {{parent: number, reached: {at: number, call: number}[]}[]} */
  const callers = [{parent: 0, reached: outermost.map((call) => ({at: call, call}))}];
  for (let next = callers.pop(); next; next = callers.pop()) {
    const around = next.reached.map(({at, call}) => ({at: parents[at], call})).filter(({at}) => at >= 0);
    for (const reached of grouped(around, ({at}) => at)) {
      const calls = reached.map(({call}) => call);
      const nodes = [...new Set(reached.map(({at}) => at))];
      merged.push({
        parent: next.parent,
        name: source.nameOf(nodes[0]),
        stacks: {role: 'caller', nodes, timed: calls, own: own(calls), again: [], of: outermost},
      });
      callers.push({parent: merged.length - 1, reached});
    }
  }

  /** @type {{parent: number, nodes: readonly number[]}[]} */
  const callees = [{parent: 0, nodes: outermost}];
  for (let next = callees.pop(); next; next = callees.pop()) {
    const below = next.nodes.flatMap((node) => source.children(node));
    for (const nodes of grouped(below, (node) => node)) {
      merged.push({parent: next.parent, name: source.nameOf(nodes[0]), stacks: {role: 'callee', nodes, timed: nodes, own: nodes, again: [], of: outermost}});
      callees.push({parent: merged.length - 1, nodes});
    }
  }
  return merged;

  /** The outermost call of the name around a call of it. @param {number} call */
  function outermostAround(call) {
    let at = call;
    while (!areOutermost[at] || source.nameOf(at) !== name) at = parents[at];
    return at;
  }

  /** Whether only the outermost call of the name is around a call of it. @param {number} call @param {number} outermost */
  function isSecond(call, outermost) {
    let at = parents[call];
    while (source.nameOf(at) !== name || parents[at] < 0) at = parents[at];
    return at === outermost;
  }

  /** By the name of a node; threads are no calls of their name. @template Value @param {readonly Value[]} values @param {(value: Value) => number} nodeOf @returns {Value[][]} */
  function grouped(values, nodeOf) {
    /** @type {Map<string, Value[]>} */
    const groups = new Map();
    for (const value of values) {
      const node = nodeOf(value);
      const key = `${parents[node] < 0 ? 'thread' : 'call'} ${source.nameOf(node)}`;
      const same = groups.get(key);
      if (same) same.push(value);
      else groups.set(key, [value]);
    }
    return [...groups.values()];
  }
}
