// The stragglers: a rank, a link, a group's links or a stage, with the cause and the possible gain.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {heading} from '../parts/heading.js';
import {describedSmallTable} from '../table/described/described-small.js';
import {rankList} from './metrics.js';
import {link} from './rank-table.js';

/** @typedef {import('../../../../types/reports.js').JobTables} JobTables */
/** @typedef {import('../../../../types/reports.js').StragglersRow} Straggler */

/**
 * The card of the stragglers; null without any, which the drill-down says.
 * @param {import('../../app.js').App} app @param {JobTables} tables @param {(rank: number) => void} open opens a rank by its number
 */
export function stragglersCard(app, {job, stragglers}, open) {
  if (stragglers.length === 0) return null;
  const gain = job.gain_ns_per_step;
  const name = (/** @type {Straggler} */ one) => (one.place === 'rank' ? link(placeText(one), 'straggler-open', () => open(one.ranks[0])) : placeText(one));
  return h(
    'section',
    {class: 'card wide', 'data-look': 'stragglers', tabindex: '-1'},
    heading('h2', 'ranks.stragglers', 'ranks_numbers'),
    gain !== null && gain > 0 && h('p', {'data-test': 'stragglers-gain'}, t('ranks.gain', {time: app.wasm.duration(gain)})),
    describedSmallTable(app, 'stragglers', t('ranks.stragglers'), stragglers, name, ['ranks', 'group', 'stage']),
  );
}

/** Name of a straggler. @param {Pick<Straggler, 'place' | 'ranks' | 'group' | 'stage'>} one */
export function placeText({place, ranks, stage}) {
  if (place === 'rank') return t('rank', {rank: ranks[0]});
  if (place === 'stage') return t('ranks.place.stage', {stage: stage ?? 0});
  if (place === 'link') return t('ranks.place.link', {from: ranks[0], to: ranks[1]});
  return t('ranks.place.group', {ranks: rankList(ranks)});
}
