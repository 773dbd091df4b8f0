// The card on missing data: what the trace lacks, so that views are empty or absent, and how to record it.

import {fill, h} from '../../dom.js';
import {has, t} from '../../environment/i18n.js';
import {codeText} from '../parts/code-text.js';

/** @typedef {import('../../../../types/reports.js').Summary} Summary */

/** Frameworks with ways of their own, by the names that traces have. @type {[name: string, key: string][]} */
const FRAMEWORKS = [
  ['PyTorch', 'pytorch'],
  ['PaddlePaddle', 'paddle'],
  ['MindSpore', 'mindspore'],
  ['JAX', 'jax'],
  ['Nsight Systems', 'nsys'],
  ['Stepscope', 'stepscope'],
];

/**
 * The missing data of a rank's trace, the most important first.
 * @param {Summary} summary @param {number} index of the rank @returns {string[]} the parts of its messages' keys
 */
export function missingOf({ranks, inputs}, index) {
  const rank = ranks[index];
  const has = (/** @type {string} */ topic) => rank.topics?.includes(topic) ?? false;
  if (rank.only_tables) return ['timeline'];
  const missing = [];
  if (inputs[index].slices === 0) return ['events'];
  if (rank.device_time.length === 0) missing.push('device');
  if (rank.step_source === 'whole_trace') missing.push('steps');
  if (ranks.length === 1 && (rank.world_size ?? 1) > 1) missing.push('ranks');
  if (!has('memory')) missing.push('memory');
  if (!has('resources')) missing.push('resources');
  return missing;
}

/** Fills the card on missing data, or hides it where nothing is missing. @param {HTMLElement} card @param {Summary} summary @param {number} index of the rank */
export function showMissing(card, summary, index) {
  const missing = missingOf(summary, index);
  card.hidden = missing.length === 0;
  const [, framework] = FRAMEWORKS.find(([name]) => name === summary.inputs[index].framework) ?? ['', 'other'];
  const {rank, world_size: world} = summary.ranks[index];
  const values = {rank: rank ?? 0, world: world ?? 0};
  const item = (/** @type {string} */ what) => {
    const own = `missing.${what}.${framework}`;
    const how = [own, `missing.${what}.other`].find((key) => has(key));
    return h(
      'li',
      {'data-test': `missing-${what}`},
      h('strong', {}, t(`missing.${what}`)),
      h('p', {}, t(`missing.${what}.gone`, values)),
      how && h('p', {class: 'hint'}, codeText(t(how, values))),
    );
  };
  fill(card, h('h2', {id: 'missing-title', title: t('about.missing.why')}, t('about.missing')), h('ul', {class: 'missing'}, missing.map(item)));
}
