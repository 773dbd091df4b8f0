// Which part of time is shown: zooming and moving, with limits. Nothing here touches the page.

/** Zoom factor from which a view counts as another place. */
const FAR = 4;

/** The shortest part of time that is shown, in ns. */
const LEAST = 20;

/** @typedef {{start: number, end: number}} Window */
/** @typedef {import('../../../types/reports.js').TimelineFoundReport} Found */

/** A window within the whole, which may reach a little beyond. @param {Window} wanted @param {number} whole @returns {Window} */
export function limited({start, end}, whole) {
  const margin = whole * 0.02;
  const most = whole + 2 * margin;
  const length = Math.min(most, Math.max(LEAST, end - start));
  const middle = (start + end) / 2;
  const from = Math.min(whole + margin - length, Math.max(-margin, middle - length / 2));
  return {start: from, end: from + length};
}

/** A window that is longer by a factor, around a time that stays where it is. @param {Window} window @param {number} factor @param {number} at @param {number} whole */
export function zoomed({start, end}, factor, at, whole) {
  const length = Math.min(whole * 1.04, Math.max(LEAST, (end - start) * factor));
  const share = (at - start) / (end - start);
  return limited({start: at - share * length, end: at + (1 - share) * length}, whole);
}

/** A window moved by a share of its length. @param {Window} window @param {number} share @param {number} whole */
export function shifted({start, end}, share, whole) {
  const by = (end - start) * share;
  return limited({start: start + by, end: end + by}, whole);
}

/** A window of the same length, around a time. @param {Window} window @param {number} at @param {number} whole */
export function centered({start, end}, at, whole) {
  const half = (end - start) / 2;
  return limited({start: at - half, end: at + half}, whole);
}

/** A window with something in its middle, and room around it. @param {number} start @param {number} end @param {number} whole */
export function around(start, end, whole) {
  const room = Math.max((end - start) * 0.25, LEAST);
  return limited({start: start - room, end: end + room}, whole);
}

/** A window moved as little as shows something of a span that lies outside of it: its middle, or else its beginning. @param {Window} window @param {Window} span @param {number} whole */
export function reaching(window, span, whole) {
  if (span.end >= window.start && span.start <= window.end) return window;
  const half = (window.end - window.start) / 2;
  return centered(window, Math.min((span.start + span.end) / 2, span.start + half), whole);
}

/** @typedef {{window: Window, view: import('./view.js').TimelineView}} Place on the timeline */

/** Whether a person went to another place, and not only looked around: something else is chosen, or hardly any of the same time is seen. @param {Place} before @param {Place} now */
export function isElsewhere(before, now) {
  const isNew = (/** @type {'event' | 'range'} */ key) => now.view[key] !== undefined && String(now.view[key]) !== String(before.view[key]);
  if (isNew('event') || isNew('range')) return true;
  const [a, b] = [before.window, now.window];
  const factor = (b.end - b.start) / (a.end - a.start);
  return factor >= FAR || factor <= 1 / FAR || b.end <= a.start || b.start >= a.end;
}

/**
 * The slice to which an arrow of a slice leads, or from which one comes.
 * @param {{from: Found, to: Found}[]} arrows @param {Found} of @param {boolean} back @returns {Found | undefined}
 */
export function alongArrow(arrows, of, back) {
  const own = (/** @type {{from: Found, to: Found}} */ arrow) => (back ? arrow.to : arrow.from);
  // An operator's arrow starts at the call inside of it.
  const inside = (/** @type {Found} */ end) => end.rank === of.rank && end.start >= of.start && end.end <= of.end;
  const next = arrows.find((arrow) => own(arrow).number === of.number) ?? arrows.find((arrow) => inside(own(arrow)));
  return back ? next?.from : next?.to;
}
