// Who holds the others up: a rank, a link, a group's links or a stage; why, and what mending it would gain.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {heading} from '../parts/heading.js';
import {rankList} from './metrics.js';
import {link} from './rank-table.js';

/** @typedef {import('../../../../types/reports.js').JobTables} JobTables */
/** @typedef {import('../../../../types/reports.js').StragglerReport} Straggler */

/**
 * The card; nothing where nobody does, which the walk says.
 * @param {import('../../app.js').App} app @param {JobTables} tables @param {(rank: number) => void} open opens a rank by its number
 */
export function stragglersCard(app, {job, stragglers}, open) {
  if (stragglers.length === 0) return null;
  const {duration} = app.wasm;
  const heads = ['place', 'cause', 'value', 'usual', 'votes', 'rule', 'gain'];
  const gain = job.gain_ns_per_step;
  return h(
    'section',
    {class: 'card wide', 'data-look': 'stragglers', tabindex: '-1'},
    heading('h2', 'ranks.stragglers', 'ranks_numbers'),
    gain !== null && gain > 0 && h('p', {'data-test': 'stragglers-gain'}, t('ranks.gain', {time: duration(gain)})),
    h(
      'div',
      {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t('ranks.stragglers')},
      h(
        'table',
        {class: 'small-table', 'data-test': 'stragglers'},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            heads.map((key, index) =>
              h('th', {scope: 'col', class: index < 2 ? 'left' : null, title: t(`ranks.straggler.${key}.why`)}, t(`ranks.straggler.${key}`)),
            ),
          ),
        ),
        h(
          'tbody',
          {},
          stragglers.map((one) => row(app, one, open)),
        ),
      ),
    ),
  );
}

/** @param {import('../../app.js').App} app @param {Straggler} one @param {(rank: number) => void} open */
function row(app, one, open) {
  const {duration, duration_change: change, count, gigabytes_per_second: rate} = app.wasm;
  const isTime = one.place === 'rank' || one.place === 'stage';
  const value = (/** @type {number} */ value) => (isTime ? duration(value) : rate(value / 1e9));
  const {excess} = one;
  const evidence = excess && t('ranks.excess', {compute: change(excess.compute_ns), data: change(excess.data_ns), host: change(excess.host_ns)});
  return h(
    'tr',
    {'data-test': 'straggler'},
    h('th', {scope: 'row', class: 'left'}, one.place === 'rank' ? link(placeText(one), 'straggler-open', () => open(one.ranks[0])) : placeText(one)),
    h('td', {class: 'left', title: evidence ?? null}, t(`ranks.cause.${one.cause}`), evidence ? h('div', {class: 'hint'}, evidence) : null),
    h('td', {}, value(one.value)),
    h('td', {}, value(one.usual)),
    h('td', {}, one.voted ? t('ranks.votes', {votes: count(one.votes ?? 0), voted: count(one.voted)}) : '–'),
    h('td', {title: t(`ranks.rule.${one.rule}.why`)}, t(`ranks.rule.${one.rule}`)),
    h(
      'td',
      {title: one.gain_ns_per_step === null ? t('ranks.straggler.gain.none') : null},
      one.gain_ns_per_step === null ? '–' : duration(one.gain_ns_per_step),
    ),
  );
}

/** What it is. @param {Pick<Straggler, 'place' | 'ranks' | 'group' | 'stage'>} one */
export function placeText({place, ranks, stage}) {
  if (place === 'rank') return t('rank', {rank: ranks[0]});
  if (place === 'stage') return t('ranks.place.stage', {stage: stage ?? 0});
  if (place === 'link') return t('ranks.place.link', {from: ranks[0], to: ranks[1]});
  return t('ranks.place.group', {ranks: rankList(ranks)});
}
