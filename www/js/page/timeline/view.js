// The view and the selection of the timeline, as in the address.

/** @typedef {'pinned' | 'shown' | number[]} Among the rows that a range's report covers: the pinned ones, the shown ones, or these */

/**
 * @typedef {object} TimelineView missing properties have their initial values
 * @property {[number, number]} [at] the visible part of time, in ns from the first rank's start
 * @property {number} [event] the slice that is chosen
 * @property {number} [of] the rank whose slice it is, if it is not the shown one's
 * @property {[number, number]} [range] the part of time that is chosen
 * @property {[number, number]} [kept] the one that it is shown beside
 * @property {string[]} [pin] rows, by their numbers, and groups, by their keys
 * @property {string[]} [hide] likewise
 * @property {string[][]} [order] the rows, or groups, of each group whose order was changed
 * @property {Among} [among] the rows that a range's report covers
 * @property {string[]} [fold] groups and rows that are not in their initial state
 * @property {number[]} [all] ranks with all rows
 * @property {string} [rows] filter of row names
 * @property {string} [find] the search query
 * @property {true} [args] whether the search includes the files' own text
 */

/** A row by its number, or a group by its key. */
const KEY = '(?:\\d{1,6}|rank:\\d{1,6}(?:/(?:devices|host|system|(?:device|process):-?\\d{1,19}))?)';
const LISTS = /** @type {const} */ (['pin', 'hide']);
const RANGES = /** @type {const} */ (['range', 'kept']);
const ONE = /** @type {const} */ (['event', 'of']);

/** Puts a view into an address. @param {TimelineView} view @param {URLSearchParams} said */
export function sayView(view, said) {
  if (view.at) said.set('at', view.at.map((time) => Math.round(time)).join('~'));
  for (const key of RANGES) saySpan(key, view[key], said);
  for (const key of ONE) if (view[key] !== undefined) said.set(key, String(view[key]));
  for (const key of LISTS) if (view[key]?.length) said.set(key, view[key].join(' '));
  if (view.all?.length) said.set('all', view.all.join(' '));
  if (view.among) said.set('among', typeof view.among === 'string' ? view.among : view.among.join(' '));
  if (view.order?.length) said.set('order', view.order.map((keys) => keys.join('.')).join(' '));
  if (view.fold?.length) said.set('fold', view.fold.join(' '));
  for (const key of /** @type {const} */ (['rows', 'find'])) if (view[key]) said.set(key, view[key]);
  if (view.args) said.set('args', '1');
}

/** Puts a part of time into an address, rounded outward to whole nanoseconds, as its statistics are. @param {string} key @param {[number, number] | null | undefined} span @param {URLSearchParams} said */
export function saySpan(key, span, said) {
  if (span) said.set(key, `${Math.floor(span[0])}~${Math.ceil(span[1])}`);
}

/** The part of time in an address; null: none. @param {URLSearchParams} said @param {string} key @returns {[number, number] | null} */
export function spanSaid(said, key) {
  const [from, to] = timesSaid(said, key);
  return from < to ? [from, to] : null;
}

/** Two times in an address; empty if it has none. @param {URLSearchParams} said @param {string} key @returns {number[]} */
function timesSaid(said, key) {
  const found = /^(-?\d{1,19})~(-?\d{1,19})$/.exec(said.get(key) ?? '');
  return found ? found.slice(1).map(Number) : [];
}

/** The view in an address; invalid parts are left out. @param {URLSearchParams} said @returns {TimelineView} */
export function viewSaid(said) {
  /** @type {TimelineView} */
  const view = {};
  for (const key of /** @type {const} */ (['at', ...RANGES])) {
    const [from, to] = timesSaid(said, key);
    // A moment can be chosen, not looked at.
    if (from < to || (from !== undefined && from === to && key !== 'at')) view[key] = [from, to];
  }
  for (const key of ONE) {
    const number = said.get(key) ?? '';
    if (/^\d{1,10}$/.test(number)) view[key] = Number(number);
  }
  const words = (/** @type {string} */ name, /** @type {RegExp} */ pattern) => (said.get(name) ?? '').split(' ').filter((text) => pattern.test(text));
  for (const key of LISTS) {
    const keys = words(key, new RegExp(`^${KEY}$`));
    if (keys.length) view[key] = keys;
  }
  const all = words('all', /^\d{1,6}$/);
  if (all.length) view.all = all.map(Number);
  const among = said.get('among');
  const rows = words('among', /^\d{1,6}$/);
  if (among === 'pinned' || among === 'shown') view.among = among;
  else if (rows.length) view.among = rows.map(Number);
  const order = words('order', new RegExp(`^${KEY}(\\.${KEY})+$`));
  if (order.length) view.order = order.map((keys) => keys.split('.'));
  const fold = words('fold', /^(row|rank):\d+/);
  if (fold.length) view.fold = fold;
  for (const key of /** @type {const} */ (['rows', 'find'])) {
    const text = said.get(key);
    if (text) view[key] = text;
  }
  if (said.get('args') === '1') view.args = true;
  return view;
}
