// Notes on events and ranges, as this device, links and reports keep them. Nothing here touches the page.

/**
 * @typedef {object} Note
 * @property {number} rank by its index
 * @property {number} [event] the slice that it is on
 * @property {[number, number]} [span] else the part of the rank's time, in ns
 * @property {string} name of its subject
 * @property {string} text by the person; may be empty: a bookmark
 */

/** The most notes on an open trace, and the longest texts. */
export const MOST = 100;
const LONGEST = {name: 200, text: 500};

/** @param {unknown} value */
const isIndex = (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32;

/** @param {unknown} value */
const isTime = (value) => typeof value === 'number' && Number.isSafeInteger(value);

/** @param {unknown} value @param {number} longest */
const textOf = (value, longest) => (typeof value === 'string' ? value.slice(0, longest) : '');

/** Whether a note's subject has this name: notes keep the beginning of a long one. @param {Pick<Note, 'name'>} note @param {string} name */
export const isOn = (note, name) => textOf(note.name, LONGEST.name) === textOf(name, LONGEST.name);

/** Notes as a text. @param {readonly Note[]} notes */
export function sayNotes(notes) {
  return JSON.stringify(notes.map(({rank, event, span, name, text}) => [rank, event ?? null, ...(span ?? [null, null]), name, text]));
}

/** Parses notes from a text; invalid ones are left out. @param {string | null} said @returns {Note[]} */
export function notesSaid(said) {
  let all;
  try {
    all = JSON.parse(said || '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(all)) return [];
  const found = all.flatMap(noteOf);
  return merged([], found);
}

/** The note that a value says, if it says one. @param {unknown} one @returns {Note[]} */
function noteOf(one) {
  if (!Array.isArray(one)) return [];
  const [rank, event, from, to, name, text] = one;
  const rest = {name: textOf(name, LONGEST.name), text: textOf(text, LONGEST.text)};
  if (!isIndex(rank)) return [];
  if (isIndex(event)) return [{rank, event, ...rest}];
  return isTime(from) && isTime(to) && from <= to ? [{rank, span: [from, to], ...rest}] : [];
}

/** Key of a note's subject. @param {Note} note */
const placeOf = ({rank, event, span}) => `${rank}:${event ?? span?.join('~')}`;

/** Notes with others, up to the most: those on the same place with the same text are there once, and none of the first is dropped. @param {readonly Note[]} notes @param {readonly Note[]} more @returns {Note[]} */
export function merged(notes, more) {
  const all = new Map([...notes, ...more].map((note) => [`${placeOf(note)} ${note.text}`, note]));
  return [...all.values()].slice(0, Math.max(MOST, notes.length));
}

/** @typedef {{start: number, end: number, note: Note}} Flag of a note, where the timeline has it, in ns */

/** Largest distance of the pointer from a flag's pole, in CSS pixels: a flag flies to the right. */
const REACH = {left: 4, right: 12};

/** The notes whose flags are at a place, the nearest one first. @param {Flag[]} flags @param {number} x in CSS pixels @param {(time: number) => number} placeOf a time, in CSS pixels */
export function flagsAt(flags, x, placeOf) {
  return flags
    .map((flag) => ({flag, by: x - placeOf(flag.start)}))
    .filter(({by}) => by >= -REACH.left && by <= REACH.right)
    .sort((a, b) => Math.abs(a.by - REACH.right / 3) - Math.abs(b.by - REACH.right / 3))
    .map(({flag}) => flag);
}
