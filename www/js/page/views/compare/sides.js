// Names of the two sides of a comparison, short enough for headings of columns. Nothing here touches the page.

import {cut, differences} from '../table/cut.js';

/** @typedef {{input: string, rank: number | null}} Side a file, by its path, and the rank that it is */
/** @typedef {{shown: string, other: string}} SideNames */

/** The most letters of a name: in sentences, and in headings of columns. */
export const LONGEST = 28;
export const LONGEST_HEADING = 14;

/** Endings of trace files that do not depend on the run. */
const ENDINGS = /(\.(pt|trace|json|gz|zst|zip|xz|bz2|sqlite|db|pb|xplane|nsys-rep|pftrace|perfetto-trace))+$/i;

/** A name of so many letters at most, with where it differs from the other. @param {string} name @param {number} differs @param {number} longest */
function short(name, differs, longest) {
  if (name.length <= longest) return name;
  const parts = cut(name, differs, longest);
  if (!parts) return `${name.slice(0, longest - 1)}…`;
  const [begin, , end] = parts;
  return `${begin}…${end.slice(0, Math.max(1, longest - 1 - begin.length))}`;
}

/**
 * The names of both sides: the ranks' numbers where both are of one run, else the parts in which the files' names differ; null where they do not.
 * @param {Side} shown @param {Side} other @param {boolean} isOneRun @param {(rank: number) => string} rankName @param {number} longest
 * @returns {SideNames | null}
 */
export function sideNames(shown, other, isOneRun, rankName, longest) {
  const ofRanks = () => (shown.rank === null || other.rank === null ? null : {shown: rankName(shown.rank), other: rankName(other.rank)});
  if (isOneRun && shown.rank !== other.rank) return ofRanks();
  const paths = [shown, other].map(({input}) => input.split(/[/\\]/).filter(Boolean));
  const files = paths.map((path) => path.at(-1) ?? '');
  const bare = files.map((file) => file.replace(ENDINGS, '') || file);
  const deepest = Math.max(...paths.map(({length}) => length));
  // Files of the same name are distinguished by the nearest folder that differs.
  const folders = Array.from({length: deepest}, (_, up) => paths.map((path) => path.at(-1 - up) ?? '')).find(([a, b]) => a !== b && a && b);
  const candidates = [bare, files, folders].filter((names) => names !== undefined && names[0] !== names[1]);
  for (const names of candidates) {
    const at = differences(/** @type {string[]} */ (names), (name) => name);
    const [a, b] = /** @type {string[]} */ (names).map((name) => short(name, at.get(name) ?? 0, longest));
    if (a !== b) return {shown: a, other: b};
  }
  return shown.rank === other.rank ? null : ofRanks();
}
