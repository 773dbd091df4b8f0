// The table of ranks: the parts of each one's average step, beside the others.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {orDash} from '../parts/units.js';
import {DataTable} from '../table/data-table.js';
import {sparkline} from '../charts/sparkline.js';
import {METRICS, headingOf, markOf, markText, meaningOf, textOf} from './metrics.js';

/** @typedef {import('../../../../types/reports.js').JobRankReport} JobRank */
/** @typedef {import('../../../protocol/wasm.js').Wasm} Wasm */

/**
 * The table.
 * @param {import('../../app.js').App} app
 * @param {(row: JobRank) => (Node | null)[]} links to the timeline @param {(index: number) => HTMLElement} more of a row, by its place
 * @param {(row: JobRank) => boolean} isJudged whether the verdict names a rank
 * @param {() => import('./own-steps.js').OwnLines | undefined} ownLines of the ranks that are shown
 */
export function rankTable(app, links, more, isJudged, ownLines) {
  const {wasm} = app;
  const {duration, count} = wasm;
  const votes = METRICS.find(({key}) => key === 'votes');
  /** @type {import('../table/columns/column.js').Column<JobRank>[]} */
  const columns = [
    {key: 'rank', title: t('column.job.ranks.rank'), why: t('column.job.ranks.rank.why'), text: (row) => String(row.rank), value: (row) => row.rank},
    {
      key: 'stage',
      title: t('column.job.ranks.stage'),
      why: t('column.job.ranks.stage.why'),
      text: (row) => (row.stage === null ? '' : String(row.stage)),
      value: (row) => row.stage,
      optional: true,
    },
    {
      key: 'marks',
      title: t('ranks.column.marks'),
      why: t('ranks.column.marks.why'),
      text: (row) => marks(wasm, row),
      whole: (row) => row.marks.map((mark) => `${t(`ranks.mark.${mark.column}`)}: ${markText(wasm, mark)}`).join('\n'),
      value: (row) => marks(wasm, row),
      order: (row) => row.marks.length,
      optional: true,
      left: true,
      width: 17,
      weight: 3,
    },
    ownColumn(wasm, isJudged, ownLines),
    ...METRICS.filter((metric) => metric !== votes).map((metric) => ({
      key: metric.key,
      title: headingOf(metric),
      why: meaningOf(metric),
      text: (/** @type {JobRank} */ row) => textOf(wasm, row, metric),
      value: metric.value,
      optional: true,
      // A mark is a value far from the others'; only the verdict says that it matters.
      tone: (/** @type {JobRank} */ row) => (markOf(row, metric) && isJudged(row) ? 1 : 0),
      whole: (/** @type {JobRank} */ row) => whole(wasm, row, metric),
    })),
    {
      key: 'votes',
      title: t('column.job.ranks.votes'),
      why: t('column.job.ranks.votes.why'),
      text: (row) => (row.voted ? t('ranks.votes', {votes: count(row.votes), voted: count(row.voted)}) : '–'),
      value: (row) => (row.voted ? row.votes : null),
      optional: true,
    },
    {
      key: 'clock_residual_ns',
      title: t('ranks.column.clock'),
      why: t('ranks.column.clock.why'),
      text: (row) => (row.clock.residual_ns === null ? t(`ranks.clock.${row.clock.source}`) : `± ${duration(row.clock.residual_ns)}`),
      value: (row) => row.clock.residual_ns,
    },
    ...['offset', 'drift'].map((part) => {
      const value = (/** @type {JobRank} */ {clock}) => (part === 'offset' ? clock.offset_ns : clock.drift_ns);
      return {
        key: `clock_${part}_ns`,
        title: t(`column.job.ranks.clock.${part}_ns`),
        why: t(`column.job.ranks.clock.${part}_ns.why`),
        text: (/** @type {JobRank} */ row) => orDash(value(row), wasm.duration_change),
        value,
        optional: true,
      };
    }),
    {
      key: 'clock_collectives',
      title: t('column.job.ranks.clock.collectives'),
      why: t('column.job.ranks.clock.collectives.why'),
      text: ({clock}) => count(clock.collectives),
      value: ({clock}) => clock.collectives,
      optional: true,
    },
    {
      key: 'steps_counted',
      title: t('column.job.ranks.steps_counted'),
      why: t('column.job.ranks.steps_counted.why'),
      text: (row) => count(row.steps_counted),
      value: (row) => row.steps_counted,
    },
    {key: 'note', title: t('ranks.column.note'), why: t('ranks.column.note.why'), text: note, value: note, optional: true, left: true, width: 12, weight: 2},
    {
      key: 'host',
      title: t('column.job.ranks.host'),
      why: t('column.job.ranks.host.why'),
      text: (row) => row.host ?? '',
      value: (row) => row.host ?? '',
      optional: true,
      left: true,
      width: 8,
      weight: 2,
    },
    {
      key: 'devices',
      title: t('ranks.column.devices'),
      why: t('ranks.column.devices.why'),
      text: devices,
      value: devices,
      optional: true,
      left: true,
      width: 8,
      weight: 2,
    },
    {
      key: 'input',
      title: t('column.job.ranks.input'),
      why: t('column.job.ranks.input.why'),
      text: (row) => row.input,
      value: (row) => row.input,
      left: true,
      width: 12,
      weight: 3,
    },
  ];
  /** @type {DataTable<JobRank>} */
  const table = new DataTable(app, {
    name: 'ranks',
    label: t('ranks.table'),
    columns,
    sort: {key: 'rank', down: false},
    empty: () => t('table.empty'),
    searched: (row) => [t('rank', {rank: row.rank}), row.host, devices(row), row.input].join(' '),
    links,
    pane: {show: more, redraw: () => {}},
    detail: (row) => [
      [t('column.job.ranks.rank'), String(row.rank)],
      [t('column.job.ranks.input'), row.input],
      [t('ranks.column.clock'), t(`ranks.clock.${row.clock.source}.why`)],
      [t('column.job.ranks.clock.residual_ns'), row.clock.residual_ns === null ? '–' : duration(row.clock.residual_ns)],
      .../** @type {[string, string][]} */ (row.marks.map((mark) => [t(`ranks.mark.${mark.column}`), markText(wasm, mark)])),
    ],
  });
  return table;
}

/**
 * The own time in each step as a small chart; it sorts by the longest.
 * @param {Wasm} wasm @param {(row: JobRank) => boolean} isJudged @param {() => import('./own-steps.js').OwnLines | undefined} ownLines
 * @returns {import('../table/columns/column.js').Column<JobRank>}
 */
function ownColumn(wasm, isJudged, ownLines) {
  const {duration} = wasm;
  const lineOf = (/** @type {JobRank} */ row) => ownLines()?.lines.get(row);
  return {
    key: 'own_longest_ns',
    title: t('ranks.column.own_of_steps'),
    why: t('ranks.column.own_of_steps.why'),
    text: (row) => {
      const line = lineOf(row);
      return line ? `${duration(line.lowest)} – ${duration(line.highest)}` : '–';
    },
    value: (row) => lineOf(row)?.highest ?? null,
    optional: true,
    width: 10,
    weight: 0,
    picture: (row) => {
      const [found, line] = [ownLines(), lineOf(row)];
      if (!found || !line) return null;
      const label = t('sparkline', {lowest: duration(line.lowest), median: duration(line.median), highest: duration(line.highest)});
      const said = (/** @type {number} */ place) => {
        const own = duration(line.values[place] ?? 0);
        return `${t('step', {name: found.names[place]})}: ${t(found.isGrouped ? 'ranks.own.longest' : 'ranks.steps.own', {own})}`;
      };
      return sparkline(line.values, found.scale, {label, usual: line.usual, isJudged: isJudged(row), said});
    },
  };
}

/** The devices on which something of it ran. @param {JobRank} row */
function devices(row) {
  return (row.devices ?? []).join(', ');
}

/** Notes on a row. @param {JobRank} row */
function note({source, not_averaged: aside, repeated, apart}) {
  return [source && t(`ranks.note.${source}`), aside && t('ranks.note.not_averaged'), repeated && t('ranks.note.repeated'), apart && t('ranks.note.apart')]
    .filter(Boolean)
    .join(', ');
}

/** Tooltip of a cell. @param {Wasm} wasm @param {JobRank} row @param {import('./metrics.js').Metric} metric */
function whole(wasm, row, metric) {
  const mark = markOf(row, metric);
  return mark ? markText(wasm, mark) : textOf(wasm, row, metric);
}

/** The marks of a rank, in short. @param {Wasm} wasm @param {JobRank} row */
function marks(wasm, row) {
  return row.marks.map(({column, by}) => `${t(`ranks.mark.${column}`)} ${wasm.percent_change(by)}`).join(', ');
}

/** A button that looks like a link. @param {string} text @param {string} test @param {() => void} onclick */
export function link(text, test, onclick) {
  return h('button', {type: 'button', class: 'link', 'data-test': test, onclick}, text);
}
