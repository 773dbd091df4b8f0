// A person's choices on rows and groups, and their form in the view for the address. Nothing here touches the page.

/** @typedef {import('./layout.js').Group} Group */
/** @typedef {import('./layout.js').Place} Place */
/** @typedef {import('./view.js').TimelineView} TimelineView */

/**
 * @typedef {object} Choices rows and groups by their keys: a row's is `row:N`
 * @property {Set<string>} folded those whose state is not the initial one
 * @property {string[]} pinned in the order in which they are shown
 * @property {Set<string>} hidden
 * @property {string[][]} order the rows, or the groups, of each group whose order was changed, from top to bottom
 * @property {string} filter only rows with that in their name, or in a group's
 * @property {Set<number>} detailed ranks with all rows, not only steps and overlap
 */

/** @type {Choices} */
export const UNTOUCHED = {folded: new Set(), pinned: [], hidden: new Set(), order: [], filter: '', detailed: new Set()};

const isRow = (/** @type {string} */ key) => key.startsWith('row:');

/** The choices that stay valid when the rows change: those on groups. @param {Choices} choices @returns {Choices} */
export function ofOtherRows(choices) {
  const groups = (/** @type {Iterable<string>} */ keys) => [...keys].filter((key) => !isRow(key));
  return {
    ...choices,
    folded: new Set(groups(choices.folded)),
    pinned: groups(choices.pinned),
    hidden: new Set(groups(choices.hidden)),
    order: choices.order.filter((keys) => !isRow(keys[0])),
  };
}

/** The choices in a view. @param {TimelineView} view @param {number} rows number of rows @returns {Choices} */
export function choicesOf(view, rows) {
  const known = (/** @type {string[]} */ said = []) => said.flatMap((text) => (!/^\d+$/.test(text) ? text : Number(text) < rows ? `row:${text}` : []));
  return {
    pinned: known(view.pin),
    hidden: new Set(known(view.hide)),
    order: (view.order ?? []).map(known).filter((keys) => keys.length),
    folded: new Set(view.fold),
    detailed: new Set(view.all),
    filter: view.rows ?? '',
  };
}

/** The part of a view on rows and groups. @param {Choices} choices @returns {TimelineView} */
export function viewOf({pinned, hidden, order, folded, detailed, filter}) {
  const said = (/** @type {Iterable<string>} */ keys) => [...keys].map((key) => (isRow(key) ? key.slice(4) : key));
  return {
    ...(pinned.length && {pin: said(pinned)}),
    ...(hidden.size && {hide: said(hidden)}),
    ...(order.length && {order: order.map(said)}),
    ...(folded.size && {fold: [...folded]}),
    ...(detailed.size && {all: [...detailed]}),
    ...(filter && {rows: filter}),
  };
}

/** A group's rows, or groups, as a person ordered them; those that were not there then come last. @template {{key: string}} One @param {One[]} all @param {string[][]} order */
export function ordered(all, order) {
  const list = order.find((list) => all.some(({key}) => list.includes(key)));
  if (!list) return all;
  const at = new Map(list.map((key, index) => [key, index]));
  return [...all].sort((a, b) => (at.get(a.key) ?? list.length) - (at.get(b.key) ?? list.length));
}

/**
 * The order once a row, or a group, has passed the next one that is shown beside it; the same if there is none.
 * @param {string[][]} order @param {Group[]} ranks @param {Place[]} places @param {string} key @param {1 | -1} by
 */
export function passed(order, ranks, places, key, by) {
  const all = besideOf(ranks, key);
  const list = ordered(all, order).map((one) => one.key);
  const shown = new Set(places.map((place) => place.key));
  const from = list.indexOf(key);
  let to = from + by;
  while (to in list && !shown.has(list[to])) to += by;
  if (!(to in list)) return order;
  list.splice(to, 0, ...list.splice(from, 1));
  const others = order.filter((other) => !other.some((one) => list.includes(one)));
  const first = all.every((one, index) => one.key === list[index]);
  return first ? others : [...others, list];
}

/** The siblings of a row or a group, with itself. @param {Group[]} groups @param {string} key @returns {{key: string}[]} */
function besideOf(groups, key) {
  if (groups.some((one) => one.key === key)) return groups;
  for (const group of groups) {
    const found = group.rows.some((one) => one.key === key) ? group.rows : besideOf(group.groups, key);
    if (found.length) return found;
  }
  return [];
}

/** A set with something put in or taken out. @template T @param {Set<T>} set @param {T} one */
export function toggled(set, one) {
  const next = new Set(set);
  if (!next.delete(one)) next.add(one);
  return next;
}
