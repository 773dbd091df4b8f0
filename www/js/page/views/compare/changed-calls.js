// Two call trees as one: stacks of both sides beside each other, by their names. It needs no browser.

import {Calls} from '../calls/calls.js';
import {StackTree} from '../calls/stack-tree.js';

/** @typedef {import('../../../../types/reports.js').CallTreeReport} CallTreeReport */
/** @typedef {import('../calls/calls.js').Measure} Measure */
/** @typedef {'both' | 'a' | 'b'} Where the sides that list a stack */
/** @typedef {{event: number, time: number}} Longest a side's longest call of a stack */

/**
 * @typedef {object} ChangedNode a stack
 * @property {string} name
 * @property {number} parent -1 for all threads together
 * @property {Where} where
 * @property {number} a its time on the one side
 * @property {number} b and on the other
 * @property {number} selfA the same without its callees
 * @property {number} selfB
 * @property {number} restA time of the stacks below it that are not compared
 * @property {number} restB
 * @property {number} most upper bound of its time on a side that does not list it
 * @property {Longest | null} longestA
 * @property {Longest | null} longestB
 */

/**
 * @typedef {object} ChangedSum merged stacks
 * @property {number} a their time on the one side
 * @property {number} b and on the other
 * @property {number} selfA the same without their callees
 * @property {number} selfB
 * @property {Where} where
 * @property {number} mostInA upper bound of the time on that side of those that it does not list
 * @property {number} mostInB
 * @property {Longest | null} longestA
 * @property {Longest | null} longestB
 */

/** A side's call tree. */
class Side {
  /** @param {CallTreeReport} report @param {Measure} measure */
  constructor(report, measure) {
    this.calls = new Calls(report, measure);
    this.report = report;
  }

  /** @param {readonly number[]} nodes */
  total(nodes) {
    return nodes.reduce((sum, node) => sum + this.calls.totals[node], 0);
  }

  /** @param {readonly number[]} nodes */
  self(nodes) {
    return nodes.reduce((sum, node) => sum + this.calls.selves[node], 0);
  }

  /** Callees of nodes, by the part of their names that is the same in every run. @param {readonly number[]} nodes @returns {Map<string, number[]>} */
  below(nodes) {
    /** @type {Map<string, number[]>} */
    const found = new Map();
    for (const child of nodes.flatMap((node) => this.calls.children(node))) {
      const name = withoutAddress(this.calls.nameOf(child));
      const same = found.get(name);
      if (same) same.push(child);
      else found.set(name, [child]);
    }
    return found;
  }

  /**
   * The time of stacks below that the report leaves out.
   * @param {readonly number[]} nodes @param {Map<string, number[]>} below
   */
  leftOut(nodes, below) {
    if (!this.report.left_out) return 0;
    const children = [...below.values()].flat();
    const rest = this.total(nodes) - this.self(nodes) - this.total(children);
    // Each mean is rounded separately.
    return rest > nodes.length + children.length ? rest : 0;
  }

  /** @param {readonly number[]} nodes @returns {Longest | null} */
  longest(nodes) {
    const {longest, longest_ns: times} = this.report.nodes;
    const calls = nodes.filter((node) => longest[node] >= 0).map((node) => ({event: longest[node], time: times[node]}));
    return calls.reduce((/** @type {Longest | null} */ most, call) => (most && most.time >= call.time ? most : call), null);
  }
}

/** A name without the address of an object, which is another one in every run: `<built-in method mm of type object at 0x7f…>`. @param {string} name */
export const withoutAddress = (name) => name.replace(/ at 0x[\da-f]+/gi, '');

/** A Python function without the line that it stands in, which an edit above it moves; the same name if it is none. @param {string} name */
const withoutLine = (name) => name.replace(/\(\d+\): /, ': ');

/** The line that a Python function stands in. @param {string} name */
const lineOf = (name) => Number(/\((\d+)\): /.exec(name)?.[1] ?? 0);

/**
 * Names of both sides that mean the same: equal ones, and of the rest functions that moved to another line, in the order of the lines.
 * @param {string[]} a @param {string[]} b @returns {[a: string | null, b: string | null][]}
 */
export function pairedNames(a, b) {
  const inB = new Set(b);
  const both = new Set(a.filter((name) => inB.has(name)));
  const [onlyA, onlyB] = [a, b].map((names) => names.filter((name) => !both.has(name)).sort((one, other) => lineOf(one) - lineOf(other)));
  /** @type {[string | null, string | null][]} */
  const pairs = [...both].map((name) => [name, name]);
  /** @type {Map<string, string[]>} */
  const moved = new Map();
  for (const name of onlyB) moved.set(withoutLine(name), [...(moved.get(withoutLine(name)) ?? []), name]);
  for (const name of onlyA) pairs.push([name, moved.get(withoutLine(name))?.shift() ?? null]);
  for (const names of moved.values()) pairs.push(...names.map((name) => /** @type {[null, string]} */ ([null, name])));
  return pairs;
}

/**
 * The trees of two sides, from `a` to `b`. Threads are merged, since their numbers differ in every run. A box is as wide as the
 * mean of both times: so boxes fit into their callers, and stacks of one side alone are visible.
 */
export class ChangedCalls extends StackTree {
  /** @param {ChangedNode[]} nodes */
  constructor(nodes) {
    super(
      nodes.map(({parent}) => parent),
      nodes.map(({a, b}) => (a + b) / 2),
    );
    this.nodes = nodes;
  }

  /** @param {CallTreeReport} from @param {CallTreeReport} to @param {Measure} measure @param {string} all name of all threads together */
  static of(from, to, measure, all) {
    const [a, b] = [new Side(from, measure), new Side(to, measure)];
    /** @type {ChangedNode[]} */
    const nodes = [];
    /** @typedef {{name: string, parent: number, where: Where, most: number, inA: readonly number[], inB: readonly number[]}} Pair */
    /** @type {Pair[]} */
    const waiting = [{name: all, parent: -1, where: 'both', most: 0, inA: a.calls.roots, inB: b.calls.roots}];
    for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
      const {name, parent, where, most, inA, inB} = pair;
      const [belowA, belowB] = [a.below(inA), b.below(inB)];
      let [restA, restB] = [a.leftOut(inA, belowA), b.leftOut(inB, belowB)];
      // A stack that one side does not list has no listed stacks below it there.
      const [mostA, mostB] = where === 'both' ? [restA, restB] : [most, most];
      const place = nodes.length;
      /** @type {Pair[]} */
      const children = [];
      for (const [nameA, nameB] of pairedNames([...belowA.keys()], [...belowB.keys()])) {
        const [inA, inB] = [nameA === null ? [] : (belowA.get(nameA) ?? []), nameB === null ? [] : (belowB.get(nameB) ?? [])];
        const [timeA, timeB] = [a.total(inA), b.total(inB)];
        if (!timeA && !timeB) continue;
        const isIn = nameA === null ? 'b' : nameB === null ? 'a' : 'both';
        // A stack that the other side does not list may be left out of it: then no change is known.
        const most = isIn === 'b' ? mostA : isIn === 'a' ? mostB : 0;
        if (where === 'both' && most > 0 && timeA + timeB <= most) {
          restA += timeA;
          restB += timeB;
        } else children.push({name: nameB ?? nameA ?? '', parent: place, where: isIn, most, inA, inB});
      }
      nodes.push({
        ...{name, parent, where, most},
        ...{a: a.total(inA), b: b.total(inB), selfA: a.self(inA), selfB: b.self(inB), restA, restB},
        ...{longestA: a.longest(inA), longestB: b.longest(inB)},
      });
      waiting.push(...children);
    }
    return new ChangedCalls(nodes);
  }

  /** @override @param {number} node */
  nameOf(node) {
    return this.nodes[node].name;
  }

  /** Time that is not compared, on both sides. @returns {{a: number, b: number}} */
  get rest() {
    return this.nodes.reduce(({a, b}, {restA, restB}) => ({a: a + restA, b: b + restB}), {a: 0, b: 0});
  }

  /** Where the names are such. @param {(name: string) => boolean} isSuch @returns {Set<number>} */
  matching(isSuch) {
    return new Set(this.nodes.flatMap(({name, parent}, node) => (parent >= 0 && isSuch(name) ? [node] : [])));
  }

  /** Total time of nodes on both sides; a node inside another one does not count. @param {Set<number>} found */
  totalOf(found) {
    const nodes = this.outermost(found).map((node) => this.nodes[node]);
    return nodes.reduce((sum, {a, b}) => ({a: sum.a + a, b: sum.b + b}), {a: 0, b: 0});
  }

  /** Time of a box's stacks on both sides. @param {import('../calls/stack-tree.js').Stacks} stacks @returns {ChangedSum} */
  sum({nodes, timed, own}) {
    /** @param {readonly number[]} places @param {'a' | 'b' | 'selfA' | 'selfB'} key */
    const total = (places, key) => places.reduce((sum, node) => sum + this.nodes[node][key], 0);
    /** Upper bound of the other side's time in nodes that only one side lists. @param {'a' | 'b'} side */
    const most = (side) => timed.reduce((sum, node) => sum + (this.nodes[node].where === side ? this.nodes[node].most : 0), 0);
    /** @param {'longestA' | 'longestB'} key */
    const longest = (key) => nodes.map((node) => this.nodes[node][key]).reduce((most, call) => (most && (!call || most.time >= call.time) ? most : call), null);
    const where = this.nodes[timed[0]].where;
    return {
      ...{a: total(timed, 'a'), b: total(timed, 'b'), selfA: total(own, 'selfA'), selfB: total(own, 'selfB')},
      where: timed.every((node) => this.nodes[node].where === where) ? where : 'both',
      ...{mostInB: most('a'), mostInA: most('b'), longestA: longest('longestA'), longestB: longest('longestB')},
    };
  }

  /**
   * The change as a part of the longer time, from −1 to 1; for stacks that a side does not list, the least possible one.
   * @param {import('../calls/stack-tree.js').Stacks} stacks
   */
  changeOf(stacks) {
    const {a, b, mostInA, mostInB} = this.sum(stacks);
    if (!Math.max(a, b)) return 0;
    const least = Math.max(0, Math.abs(b - a) - (b > a ? mostInA : mostInB));
    return (least / Math.max(a, b)) * Math.sign(b - a);
  }
}
