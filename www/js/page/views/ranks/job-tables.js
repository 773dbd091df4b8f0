// Stages, collectives, links between ranks.

import {h} from '../../dom.js';
import {has, t} from '../../environment/i18n.js';
import {heading} from '../parts/heading.js';
import {DataTable, orDash} from '../table/data-table.js';
import {smallTable} from '../table/small-table.js';
import {rankList} from './metrics.js';

/** @typedef {import('../../../../types/reports.js').JobCollectiveReport} JobCollective */
/** @typedef {import('../../../../types/reports.js').JobGroupReport} JobGroup */
/** @typedef {import('../../../../types/reports.js').JobLinkReport} JobLink */
/** @typedef {import('../../../../types/reports.js').JobTables} JobTables */

/** Ranks up to which a matrix has room for numbers. */
const NUMBERED = 16;

/** The pipeline's stages; nothing without any. @param {import('../../app.js').App} app @param {JobTables} tables */
export function stagesCard(app, {job, stragglers}) {
  if (job.stages.length === 0) return null;
  const {duration, percent_change: change} = app.wasm;
  const slow = stragglers.filter(({place}) => place === 'stage').map(({stage}) => stage);
  const rows = job.stages.map((stage) => ({
    name: t('ranks.place.stage', {stage: stage.stage}) + (slow.includes(stage.stage) ? ` · ${t('ranks.stage.slow')}` : ''),
    why: t('ranks.place.group', {ranks: stage.ranks.join(', ')}),
    cells: [
      rankList(stage.ranks),
      duration(stage.stage_ns),
      duration(stage.compute_ns),
      duration(stage.receive_alone_ns),
      duration(stage.collective_alone_ns),
      change(stage.above_mean),
    ],
  }));
  const keys = ['stage_ranks', 'stage_ns', 'stage_compute_ns', 'stage_receive_ns', 'stage_collective_ns', 'stage_above'];
  return h(
    'section',
    {class: 'card wide', 'aria-labelledby': 'stages-title', 'data-look': 'stages', tabindex: '-1'},
    heading('h2', 'ranks.stages', 'ranks_numbers', {id: 'stages-title'}),
    smallTable(t('ranks.column.stage'), 'stages', keys, rows),
  );
}

/** Collectives by operation and group. @param {import('../../app.js').App} app @returns {DataTable<JobCollective>} */
export function collectivesTable(app) {
  const {duration, count, bytes, gigabytes_per_second: rate} = app.wasm;
  /** @typedef {import('../table/data-table.js').Column<JobCollective>} Column */
  const column = (/** @type {string} */ key, /** @type {(row: JobCollective) => number | null} */ value, /** @type {(value: number) => string} */ text) =>
    /** @type {Column} */ ({key, title: t(`ranks.collective.${key}`), why: t(`ranks.collective.${key}.why`), text: (row) => orDash(value(row), text), value});
  const perSecond = (/** @type {number} */ value) => rate(value / 1e9);
  const operation = (/** @type {JobCollective} */ {operation}) =>
    has(`ranks.operation.${operation}`) ? t(`ranks.operation.${operation}`) : operation.replaceAll('_', ' ');
  const group = (/** @type {JobCollective} */ row) =>
    row.group_ranks === null ? t('ranks.group.all') : [row.group, rankList(row.group_ranks)].filter(Boolean).join(' · ');
  /** @type {Column[]} */
  const columns = [
    {
      key: 'operation',
      title: t('ranks.collective.operation'),
      why: t('ranks.collective.operation.why'),
      text: operation,
      value: (row) => row.operation,
      left: true,
      width: 9,
      weight: 2,
    },
    {
      key: 'group',
      title: t('ranks.collective.group'),
      why: t('ranks.collective.group.why'),
      text: group,
      whole: (row) => (row.group_ranks ?? []).join(', '),
      value: group,
      left: true,
      width: 10,
      weight: 3,
    },
    column('group_size', (row) => row.group_size, count),
    column('count', (row) => row.count, count),
    column('matched', (row) => row.matched, count),
    {...column('incomplete', (row) => row.incomplete || null, count), optional: true},
    column('parts', (row) => row.parts, count),
    column('bytes', (row) => row.bytes, bytes),
    column('total_ns', (row) => row.total_ns, duration),
    column('transfer_ns', (row) => row.transfer_ns, duration),
    column('wait_ns', (row) => row.wait_ns, duration),
    column('mean_skew_ns', (row) => row.mean_skew_ns, duration),
    column('max_skew_ns', (row) => row.max_skew_ns, duration),
    column('algorithm_bytes_per_second', (row) => row.algorithm_bytes_per_second, perSecond),
    column('bus_bytes_per_second', (row) => row.bus_bytes_per_second, perSecond),
  ];
  return new DataTable(app, {
    name: 'collectives',
    label: t('ranks.collectives'),
    columns,
    sort: {key: 'total_ns', down: true},
    empty: () => t('ranks.collectives.none'),
    searched: (row) => [operation(row), row.operation, group(row)].join(' '),
    detail: (row) => [
      [t('ranks.collective.operation'), operation(row)],
      [t('ranks.collective.group'), [row.group, (row.group_ranks ?? []).join(', ')].filter(Boolean).join(' · ') || group(row)],
    ],
  });
}

/** The process groups that are used, and what their ranks share. @param {import('../../app.js').App} app @returns {DataTable<JobGroup>} */
export function groupsTable(app) {
  const {count} = app.wasm;
  const shares = (/** @type {JobGroup} */ {parallel, parallel_source: source}) =>
    parallel ? `${t(`drill_down.parallel.${parallel}`)} (${sourceText(source)})` : '–';
  return new DataTable(app, {
    name: 'groups',
    label: t('ranks.groups'),
    columns: [
      {
        key: 'name',
        title: t('ranks.collective.group'),
        why: t('ranks.group.name.why'),
        text: (row) => row.name || '–',
        value: (row) => row.name,
        left: true,
        width: 8,
        weight: 2,
      },
      {
        key: 'parallel',
        title: t('ranks.group.parallel'),
        why: t('drill_down.parallel.why'),
        text: shares,
        value: (row) => row.parallel,
        left: true,
        width: 10,
        weight: 2,
      },
      {
        key: 'description',
        title: t('ranks.group.description'),
        why: t('ranks.group.description.why'),
        text: (row) => row.description,
        value: (row) => row.description,
        optional: true,
        left: true,
        width: 8,
        weight: 2,
      },
      {
        key: 'size',
        title: t('ranks.collective.group_size'),
        why: t('ranks.collective.group_size.why'),
        text: (row) => count(row.size),
        value: (row) => row.size,
      },
      {
        key: 'ranks',
        title: t('ranks.table'),
        why: t('ranks.group.ranks.why'),
        text: (row) => rankList(row.ranks),
        whole: (row) => row.ranks.join(', '),
        value: (row) => row.ranks.join(' '),
        left: true,
        width: 10,
        weight: 3,
      },
      {
        key: 'seen',
        title: t('ranks.group.seen'),
        why: t('ranks.group.seen.why'),
        text: (row) => (row.ranks_told ? '' : t('ranks.group.seen.yes')),
        value: (row) => (row.ranks_told ? null : 'seen'),
        optional: true,
        left: true,
      },
    ],
    sort: {key: 'size', down: true},
    empty: () => t('table.empty'),
    searched: (row) => [row.name, row.description, shares(row), row.parallel, row.ranks.join(' ')].join(' '),
    detail: (row) => [
      [t('ranks.collective.group'), row.name || '–'],
      [t('ranks.table'), row.ranks.join(', ')],
    ],
  });
}

/** @param {string | null} source */
function sourceText(source) {
  return source ? t(`drill_down.source.${source}`) : '–';
}

/** Links as a table, with what the matrix has no room for. @param {import('../../app.js').App} app @returns {DataTable<JobLink>} */
export function linksTable(app) {
  const {duration, count, bytes, gigabytes_per_second: rate} = app.wasm;
  const name = (/** @type {JobLink} */ {from, to}) => `${from} → ${to}`;
  return new DataTable(app, {
    name: 'job-links',
    label: t('ranks.links'),
    columns: [
      {
        key: 'link',
        title: t('ranks.recorded.link'),
        why: t('ranks.links.link.why'),
        text: name,
        value: name,
        order: (row) => row.from * 1e6 + row.to,
        left: true,
      },
      {
        key: 'across_hosts',
        title: t('ranks.links.hosts'),
        why: t('ranks.links.hosts.why'),
        text: hosts,
        value: ({across_hosts: across}) => (across === null ? null : String(across)),
        optional: true,
        left: true,
      },
      {key: 'count', title: t('ranks.collective.count'), why: t('ranks.links.count.why'), text: (row) => count(row.count), value: (row) => row.count},
      {
        key: 'bytes',
        title: t('ranks.links.bytes'),
        why: t('ranks.links.bytes.why'),
        text: (row) => orDash(row.bytes, bytes),
        value: (row) => row.bytes,
        optional: true,
      },
      {
        key: 'transfer_ns',
        title: t('ranks.links.transfer'),
        why: t('ranks.links.transfer.why'),
        text: (row) => duration(row.transfer_ns),
        value: (row) => row.transfer_ns,
      },
      {key: 'wait_ns', title: t('ranks.links.wait'), why: t('ranks.links.wait.why'), text: (row) => duration(row.wait_ns), value: (row) => row.wait_ns},
      {
        key: 'bytes_per_second',
        title: t('ranks.link.rate'),
        why: t('ranks.collective.algorithm_bytes_per_second.why'),
        text: (row) => orDash(row.bytes_per_second, (value) => rate(value / 1e9)),
        value: (row) => row.bytes_per_second,
        optional: true,
      },
    ],
    sort: {key: 'bytes_per_second', down: false},
    empty: () => t('table.empty'),
    searched: (row) => `${name(row)} ${t('rank', {rank: row.from})} ${t('rank', {rank: row.to})}`,
    detail: (row) => [[t('ranks.recorded.link'), name(row)]],
  });
}

/** Whether a link leads to another host. @param {JobLink} link */
function hosts({across_hosts: across}) {
  if (across === null) return '–';
  return t(across ? 'ranks.link.across' : 'ranks.link.within');
}

/**
 * How fast each rank sends to each other one; nothing where none sends.
 * @param {import('../../app.js').App} app @param {JobTables} tables @param {HTMLElement} table the same as a table
 */
export function linksCard(app, {job, stragglers}, table) {
  const {links} = job;
  if (links.length === 0) return null;
  const {wasm} = app;
  const ranks = [...new Set(links.flatMap(({from, to}) => [from, to]))].sort((a, b) => a - b);
  const places = new Map(links.map((link) => [`${link.from}>${link.to}`, link]));
  const slow = stragglers.filter(({place}) => place === 'link' || place === 'group');
  const isSlow = (/** @type {JobLink} */ {from, to}) =>
    slow.some((one) => (one.place === 'link' ? one.ranks[0] === from && one.ranks[1] === to : one.ranks.includes(from) && one.ranks.includes(to)));
  const most = Math.max(...links.map((link) => link.bytes_per_second ?? 0));
  const cell = (/** @type {number} */ from, /** @type {number} */ to) => {
    const link = places.get(`${from}>${to}`);
    if (!link) return h('td', {});
    const rate = wasm.gigabytes_per_second(link.bytes_per_second === null ? null : link.bytes_per_second / 1e9);
    const facts = [
      t('ranks.place.link', {from, to}),
      `${t('ranks.link.rate')}: ${rate}`,
      t('ranks.link.facts', {
        count: wasm.count(link.count),
        bytes: link.bytes === null ? '–' : wasm.bytes(link.bytes),
        transfer: wasm.duration(link.transfer_ns),
        wait: wasm.duration(link.wait_ns),
      }),
      link.across_hosts !== null && hosts(link),
      isSlow(link) && t('ranks.link.slow'),
    ];
    const look = ['heat-cell', isSlow(link) && 'is-marked', link.across_hosts && 'is-across'].filter(Boolean).join(' ');
    const found = h(
      'td',
      {class: look, title: facts.filter(Boolean).join('\n'), 'data-test': isSlow(link) ? 'link-slow' : 'link'},
      h('span', {class: ranks.length > NUMBERED ? 'only-read-out' : null}, rate),
    );
    if (link.bytes_per_second !== null) found.style.setProperty('--heat', `${Math.round((100 * link.bytes_per_second) / Math.max(1, most))}%`);
    return found;
  };
  return h(
    'section',
    {class: 'card wide', 'data-look': 'links', tabindex: '-1'},
    heading('h2', 'ranks.links', 'ranks_numbers'),
    h('p', {class: 'hint'}, t('ranks.links.why'), links.some((link) => link.across_hosts) && [' ', t('ranks.links.across')]),
    h(
      'div',
      {class: 'scroll heat-scroll', tabindex: '0', role: 'region', 'aria-label': t('ranks.links')},
      h(
        'table',
        {class: 'heat', 'data-test': 'links'},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', {scope: 'col', class: 'left'}, t('ranks.links.from')),
            ranks.map((rank) => h('th', {scope: 'col', class: 'heat-rank', title: t('rank', {rank})}, String(rank))),
          ),
        ),
        h(
          'tbody',
          {},
          ranks.map((from) =>
            h(
              'tr',
              {},
              h('th', {scope: 'row', class: 'left'}, String(from)),
              ranks.map((to) => cell(from, to)),
            ),
          ),
        ),
      ),
    ),
    table,
  );
}
