// Rows of both sides' reports side by side, by their names: families, kernels, functions. Nothing here touches the page.

import {Calls} from '../calls/calls.js';
import {pairedNames, withoutAddress} from './changed-calls.js';

/** @typedef {import('../../../../types/reports.js').CallTreeReport} CallTreeReport */
/** @typedef {import('../table/described/table-rows.js').TableRows} TableRows */
/** @typedef {{calls: number, time: number}} Sum of a name on one side, per step */
/** @typedef {{name: string, calls: {a: number, b: number}, a: number, b: number, change: number}} PairedRow per step on both sides */

/** Sums by name, beside each other. @param {Map<string, Sum>} a @param {Map<string, Sum>} b @returns {PairedRow[]} */
export function paired(a, b) {
  const none = {calls: 0, time: 0};
  return [...new Set([...a.keys(), ...b.keys()])].map((name) => {
    const [before, after] = [a.get(name) ?? none, b.get(name) ?? none];
    return {name, calls: {a: before.calls, b: after.calls}, a: before.time, b: after.time, change: after.time - before.time};
  });
}

/**
 * Sums of functions beside each other, as flame graphs of two sides pair them: a function that moved to another line is the same. It has its later name.
 * @param {Map<string, Sum>} a @param {Map<string, Sum>} b @returns {PairedRow[]}
 */
export function pairedCalls(a, b) {
  const later = new Map(pairedNames([...a.keys()], [...b.keys()]).map(([nameA, nameB]) => [nameA, nameB ?? nameA]));
  return paired(new Map([...a].map(([name, sum]) => [later.get(name) ?? name, sum])), b);
}

/** The rows of a table with calls and a total time. @param {TableRows} rows @param {string} key of the names @returns {Map<string, Sum>} */
export function sumsOfTable(rows, key) {
  /** @type {Map<string, Sum>} */
  const sums = new Map();
  for (let row = 0; row < rows.length; row++) {
    const name = String(rows.value(key, row) ?? '');
    const sum = sums.get(name) ?? {calls: 0, time: 0};
    sums.set(name, {calls: sum.calls + Number(rows.value('calls', row) ?? 0), time: sum.time + Number(rows.value('total_ns', row) ?? 0)});
  }
  return sums;
}

/**
 * Functions by name, without addresses of objects: calls of all steps are divided by their number, as times are. A call within one of the same name adds no time.
 * @param {CallTreeReport} report @param {import('../calls/calls.js').Measure} measure @returns {Map<string, Sum>}
 */
export function sumsOfCalls(report, measure) {
  const steps = Math.max(1, report.steps);
  const keys = report.names.map(withoutAddress);
  const {totals, areOutermost} = new Calls({...report, names: keys}, measure);
  const {name: names, parent, calls} = report.nodes;
  /** @type {Map<string, Sum>} */
  const sums = new Map();
  for (const [node, name] of names.entries()) {
    if (parent[node] < 0) continue;
    const sum = sums.get(keys[name]) ?? {calls: 0, time: 0};
    sums.set(keys[name], {calls: sum.calls + calls[node] / steps, time: sum.time + (areOutermost[node] ? totals[node] : 0)});
  }
  return new Map([...sums].filter(([, {time}]) => time > 0));
}
