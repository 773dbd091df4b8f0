// The idle gap of a range: its cause and surroundings, as far as the table of the longest gaps has it.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {DescribedColumns} from '../table/described/described-columns.js';
import {descriptionOf, eventsOf, tableRows} from '../table/described/described.js';

/** @typedef {import('../../../../types/reports.js').OneRangeReport} OneRange */

/** The table of the longest gaps. */
const TABLE = 'idle[].long_gaps.longest';

/** Whether a time is a gap or a part of it. @param {{start_ns: number, length_ns: number}} time @param {{start_ns: number | null, length_ns: number | null}} gap */
const isWithin = (time, {start_ns: start, length_ns: length}) =>
  start !== null && length !== null && start <= time.start_ns && time.start_ns + time.length_ns <= start + length;

/**
 * The section of a gap and the slice of the host that causes it, if a device idles all the range and the range is one of its longest gaps, or a part of one; for another gap, a note that its
 * cause is not listed.
 * @param {import('../../app.js').App} app @param {OneRange} range of the shown rank @param {(event: number) => void} go
 */
export async function gapIn(app, range, go) {
  // The report on idle time of a large trace takes a while: other ranges are no gap.
  const idle = range.overlap.filter((device) => device.idle_ns + device.before_first_activity_ns === range.length_ns);
  if (!range.length_ns || !idle.length) return null;
  const report = await app.report('why_idle', {step: null});
  const gap = report?.idle
    .flatMap((device) => [...device.edges, ...device.long_gaps.longest])
    .find((one) => isWithin(range, one) && idle.some(({device}) => device === one.device));
  if (!gap) return {element: h('p', {class: 'hint', 'data-test': 'range-gap-unlisted'}, t('range.gap.unlisted'))};
  const description = descriptionOf(app, TABLE);
  const columns = new DescribedColumns(description, app.wasm, app.state.summary?.ranks[app.state.rank]?.vendor);
  const rows = tableRows(description, [gap]);
  columns.rows = rows;
  const events = [...eventsOf(description, rows, 0)].map(({slice, name, beside}) => ({
    ...columns.headingOf(beside),
    key: beside,
    value: h('button', {type: 'button', class: 'link', title: t('jump.to', {name}), onclick: () => go(slice)}, columns.shortOf(beside, name)),
  }));
  // The range itself has the time, and a name leads to its event.
  const isWhole = gap.length_ns === range.length_ns;
  const others = columns.shown.filter(({key}) => !(isWhole && description.span?.includes(key)) && !events.some((event) => event.key === key));
  const [causes, rest] = [true, false].map((isCause) =>
    others.filter(({key}) => (key === 'cause') === isCause).map((column) => ({...column, value: column.text(0)})),
  );
  // The last slice of the table shows the cause.
  const facts = [...causes, ...events.toReversed(), ...rest];
  const element = h(
    'section',
    {class: 'range-section', 'data-test': 'range-gap'},
    h('h3', {title: t('idle.gaps.why')}, t('range.gap')),
    !isWhole && h('p', {class: 'hint', 'data-test': 'range-gap-part'}, t('range.gap.part')),
    h(
      'dl',
      {class: 'facts'},
      facts.flatMap(({key, title, why, value}) => [h('dt', {title: why ?? ''}, title), h('dd', {'data-test': `range-gap-${key}`}, value)]),
    ),
  );
  return {element, cause: gap.call?.slice ?? gap.host?.shown_by?.slice};
}
