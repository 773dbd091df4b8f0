// Rows of both sides' reports side by side, by their names: families, kernels, functions. Nothing here touches the page.

import {Calls} from '../calls/calls.js';

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

/** What is called, by name: calls of all steps are divided by their number, as times are. @param {CallTreeReport} report @param {import('../calls/calls.js').Measure} measure @returns {Map<string, Sum>} */
export function sumsOfCalls(report, measure) {
  const steps = Math.max(1, report.steps);
  return new Map(new Calls(report, measure).byName().map(({name, total, calls}) => [report.names[name], {calls: calls / steps, time: total}]));
}
