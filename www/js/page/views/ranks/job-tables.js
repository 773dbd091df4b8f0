// Stages, collectives, links between ranks.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {heading} from '../parts/heading.js';
import {describedSmallTable} from '../table/described/described-small.js';
import {DescribedTable} from '../table/described/described.js';

/** @typedef {JobTables['job']['links'][number]} LinkRow */
/** @typedef {'bytes' | 'bytes_per_second' | 'across_hosts'} MaybeUnknown of a link */
/** @typedef {import('../../../protocol/answers.js').Known<Omit<LinkRow, MaybeUnknown>> & Pick<LinkRow, MaybeUnknown>} JobLink */
/** @typedef {import('../../../../types/reports.js').JobTables} JobTables */

/** Ranks up to which a matrix has room for numbers. */
const NUMBERED = 16;

/** The pipeline's stages; nothing without any. @param {import('../../app.js').App} app @param {JobTables} tables */
export function stagesCard(app, {job, stragglers}) {
  if (job.stages.length === 0) return null;
  const slow = stragglers.filter(({place}) => place === 'stage').map(({stage}) => stage);
  const name = (/** @type {{stage: number}} */ {stage}) => t('ranks.place.stage', {stage}) + (slow.includes(stage) ? ` · ${t('ranks.stage.slow')}` : '');
  return h(
    'section',
    {class: 'card wide', 'aria-labelledby': 'stages-title', 'data-look': 'stages', tabindex: '-1'},
    heading('h2', 'ranks.stages', 'ranks_numbers', {id: 'stages-title'}),
    describedSmallTable(app, 'job.stages', t('column.job.ranks.stage'), job.stages, name),
  );
}

/** Collectives by operation and group. @param {import('../../app.js').App} app */
export function collectivesTable(app) {
  return new DescribedTable(app, 'collectives', {
    name: 'collectives',
    label: t('ranks.collectives'),
    empty: () => t('ranks.collectives.none'),
  });
}

/** The used process groups, and the axis that their ranks share. @param {import('../../app.js').App} app */
export function groupsTable(app) {
  return new DescribedTable(app, 'job.groups', {name: 'groups', label: t('ranks.groups'), empty: () => t('table.empty')});
}

/** Links as a table, with the values that the matrix has no room for. @param {import('../../app.js').App} app */
export function linksTable(app) {
  return new DescribedTable(app, 'job.links', {name: 'job-links', label: t('ranks.links'), empty: () => t('table.empty')});
}

/** Whether a link leads to another host. @param {JobLink} link */
function hosts({across_hosts: across}) {
  if (across === null) return '–';
  return t(across ? 'ranks.link.across' : 'ranks.link.within');
}

/**
 * The matrix of bandwidths between ranks; null where none sends.
 * @param {import('../../app.js').App} app @param {JobTables} tables @param {HTMLElement} table the same as a table
 */
export function linksCard(app, {job, stragglers}, table) {
  const links = /** @type {JobLink[]} */ (job.links);
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
