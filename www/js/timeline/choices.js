// What a person did to rows, and how the view for the address says it. Nothing here touches the page.

/** @typedef {import('./layout.js').Group} Group */
/** @typedef {import('./layout.js').Named} Named */
/** @typedef {import('./layout.js').Place} Place */
/** @typedef {import('./view.js').TimelineView} TimelineView */

/**
 * @typedef {object} Choices
 * @property {Set<string>} folded keys of groups, and `row:N`, whose state is not what it is at first
 * @property {number[]} pinned rows, in the order in which they are shown
 * @property {Set<number>} hidden
 * @property {number[][]} order the rows of each group whose order was changed, from top to bottom
 * @property {string} filter only rows with that in their name, or in a group's
 * @property {Set<number>} detailed ranks of which all is shown, not only steps and overlap
 */

/** @type {Choices} */
export const UNTOUCHED = {folded: new Set(), pinned: [], hidden: new Set(), order: [], filter: '', detailed: new Set()};

/** What is left of it once the rows are others. @param {Choices} choices @returns {Choices} */
export function ofOtherRows(choices) {
  const folded = new Set([...choices.folded].filter((key) => !key.startsWith('row:')));
  return {...choices, pinned: [], hidden: new Set(), order: UNTOUCHED.order, folded};
}

/** What a view says of rows. @param {TimelineView} view @param {number} rows how many there are @returns {Choices} */
export function choicesOf(view, rows) {
  const known = (/** @type {number[]} */ said = []) => said.filter((row) => row < rows);
  return {
    pinned: known(view.pin),
    hidden: new Set(known(view.hide)),
    order: (view.order ?? []).map(known),
    folded: new Set(view.fold),
    detailed: new Set(view.all),
    filter: view.rows ?? '',
  };
}

/** What a view has to say of rows. @param {Choices} choices @returns {TimelineView} */
export function viewOf({pinned, hidden, order, folded, detailed, filter}) {
  return {
    ...(pinned.length && {pin: pinned}),
    ...(hidden.size && {hide: [...hidden]}),
    ...(order.length && {order}),
    ...(folded.size && {fold: [...folded]}),
    ...(detailed.size && {all: [...detailed]}),
    ...(filter && {rows: filter}),
  };
}

/** A group's rows as a person ordered them; those that were not there then come last. @param {Named[]} rows @param {number[][]} order */
export function ordered(rows, order) {
  const list = order.find((list) => rows.some(({row}) => list.includes(row)));
  if (!list) return rows;
  const at = new Map(list.map((row, index) => [row, index]));
  return [...rows].sort((a, b) => (at.get(a.row) ?? list.length) - (at.get(b.row) ?? list.length));
}

/**
 * The order once a row has passed the next one that is shown of its group; the same if there is none.
 * @param {number[][]} order @param {Group[]} ranks @param {Place[]} places @param {number} row @param {1 | -1} by
 */
export function passed(order, ranks, places, row, by) {
  const rows = ranks.flatMap(groupsIn).find((group) => group.rows.some((one) => one.row === row))?.rows ?? [];
  const list = ordered(rows, order).map((one) => one.row);
  const shown = new Set(places.map((place) => place.row));
  const from = list.indexOf(row);
  let to = from + by;
  while (to in list && !shown.has(list[to])) to += by;
  if (!(to in list)) return order;
  list.splice(to, 0, ...list.splice(from, 1));
  const others = order.filter((other) => !other.some((one) => list.includes(one)));
  const first = rows.every((one, index) => one.row === list[index]);
  return first ? others : [...others, list];
}

/** A group and all in it. @param {Group} group @returns {Group[]} */
function groupsIn(group) {
  return [group, ...group.groups.flatMap(groupsIn)];
}

/** A set with something put in or taken out. @template T @param {Set<T>} set @param {T} one */
export function toggled(set, one) {
  const next = new Set(set);
  if (!next.delete(one)) next.add(one);
  return next;
}
