// A call tree by the time of the host or of devices, and functions by name. It needs no browser.

import {t} from '../../environment/i18n.js';
import {MODULE} from './box-name.js';
import {StackTree} from './stack-tree.js';

/** @typedef {import('../../../../types/reports.js').CallTreeReport} CallTreeReport */
/** @typedef {'host' | 'device'} Measure the time of host threads, or the device time that they launched */
/** @typedef {{name: number, total: number, self: number, calls: number, node: number}} CallSum all calls of a name; `node`: the one with its longest call */

/** The class of a phase's box. */
const PHASE = 'phase';

/** A call tree by one measure. */
export class Calls extends StackTree {
  /** @param {CallTreeReport} report @param {Measure} measure */
  constructor(report, measure) {
    super(report.nodes.parent, measure === 'host' ? report.nodes.host_ns : report.nodes.device_ns);
    this.report = report;
    this.measure = measure;
    this.selves = measure === 'host' ? report.nodes.host_self_ns : report.nodes.device_self_ns;
    /** Total time of all threads. */
    this.whole = measure === 'host' ? report.host_ns : report.device_ns;
    /** The names of phases, by their places among the names: they are words of the analyzer. */
    const ofPhases = report.grouping === 'phases' ? report.nodes.name.filter((_, node) => report.nodes.class[node] === PHASE) : [];
    this.phases = new Set(ofPhases);
  }

  /** @override @param {number} node */
  nameOf(node) {
    return this.label(this.report.nodes.name[node]);
  }

  /** A name as it is shown: where all are modules, none says so. @param {number} place in the names */
  label(place) {
    const name = this.report.names[place];
    if (this.phases.has(place)) return t(`calls.coverage.by.${name}`);
    return this.report.grouping === 'modules' && name.startsWith(MODULE) ? name.slice(MODULE.length) : name;
  }

  /** Where the names are such. @param {(name: string) => boolean} isSuch @returns {Set<number>} */
  matching(isSuch) {
    const names = new Set(this.report.names.flatMap((name, place) => (isSuch(this.phases.has(place) ? this.label(place) : name) ? [place] : [])));
    return new Set(this.report.nodes.name.flatMap((name, node) => (names.has(name) && this.report.nodes.parent[node] >= 0 ? [node] : [])));
  }

  /** Total time of nodes; a node inside another one does not count. @param {Set<number>} nodes */
  totalOf(nodes) {
    return this.outermost(nodes).reduce((total, node) => total + this.totals[node], 0);
  }

  /** The time and the number of merged calls; `again`: the time of recursive calls. @param {import('./stack-tree.js').Stacks} stacks */
  sum({timed, own, again, of}) {
    const total = (/** @type {readonly number[]} */ nodes) => nodes.reduce((sum, node) => sum + this.totals[node], 0);
    return {
      total: total(timed),
      self: own.reduce((sum, node) => sum + this.selves[node], 0),
      calls: own.reduce((sum, node) => sum + this.report.nodes.calls[node], 0),
      again: total(again),
      whole: of ? total(of) : this.whole,
    };
  }

  /** The node with the longest call. @param {readonly number[]} nodes */
  longest(nodes) {
    const {longest_ns: times} = this.report.nodes;
    return nodes.reduce((most, node) => (times[node] > times[most] ? node : most), nodes[0]);
  }

  /** All calls by name, without threads; a function that calls itself takes its outermost calls' time. @returns {CallSum[]} */
  byName() {
    /** @type {Map<number, CallSum>} */
    const sums = new Map();
    const {name: names, parent, calls, longest_ns: longest} = this.report.nodes;
    for (const [node, name] of names.entries()) {
      // A thread's name may be a function's, too.
      if (parent[node] < 0) continue;
      const sum = sums.get(name) ?? {name, total: 0, self: 0, calls: 0, node};
      sums.set(name, sum);
      sum.self += this.selves[node];
      sum.calls += calls[node];
      if (longest[node] > longest[sum.node]) sum.node = node;
      if (this.areOutermost[node]) sum.total += this.totals[node];
    }
    return [...sums.values()].filter(({total}) => total > 0);
  }

  /** The callers or callees of a name, each with its time. @param {number} name @param {'callers' | 'callees'} which @returns {{name: number, total: number}[]} */
  around(name, which) {
    /** @type {Map<number, number>} */
    const sums = new Map();
    const {name: names, parent} = this.report.nodes;
    for (const [node, here] of names.entries()) {
      if (here !== name || parent[node] < 0) continue;
      const others = which === 'callers' ? [parent[node]] : this.children(node);
      for (const other of others) {
        const time = which === 'callers' ? this.totals[node] : this.totals[other];
        if (time > 0) sums.set(names[other], (sums.get(names[other]) ?? 0) + time);
      }
    }
    return [...sums].map(([name, total]) => ({name, total})).sort((a, b) => b.total - a.total);
  }
}
