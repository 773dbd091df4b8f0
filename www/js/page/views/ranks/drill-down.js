// The walk from the job to a cause, as `stepscope summary --by drill-down` prints it: each line follows from the one above it that is
// further to the left.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {heading} from '../parts/heading.js';
import {checksOf, ranksNamed} from './metrics.js';
import {link} from './rank-table.js';
import {placeText} from './stragglers.js';

/** @typedef {import('../../../../types/reports.js').DrillDownStepReport} DrillDownStep */
/** @typedef {import('../../../../types/reports.js').DrillDownNumberReport} WalkNumber */
/** @typedef {import('../../../protocol/wasm.js').Wasm} Wasm */
/** @typedef {(step: DrillDownStep) => (Node | null)[]} Links to where a step can be looked at */

/** The card. @param {Wasm} wasm @param {import('../../../../types/reports.js').JobReport} job @param {import('../../../../types/reports.js').StragglersRow[]} stragglers @param {Links} links */
export function drillDownCard(wasm, job, stragglers, links) {
  const {drill_down: steps, verdict} = job;
  const off = steps.filter((step) => step.off);
  const {noted, other, fine} = checksOf(job, stragglers);
  const checks = fine.filter(({step}) => step === 'metric').length;
  const list = (/** @type {DrillDownStep[]} */ shown) =>
    h(
      'ol',
      {class: 'drill-down'},
      shown.map((step) => line(wasm, step, links)),
    );
  return h(
    'section',
    {class: 'card wide', 'aria-labelledby': 'drill-down-title', 'data-test': 'drill-down'},
    heading('h2', 'drill_down', 'drill_down', {id: 'drill-down-title'}),
    // A metric may be off on all ranks alike.
    h(
      'p',
      {class: verdict === 'none' && !job.slow_alone && !job.longer_compute ? 'good' : null, 'data-test': 'drill-down-none'},
      verdictText(wasm, job, stragglers.length),
    ),
    off.length > 0 && [h('p', {class: 'hint'}, t('drill_down.why')), list(off)],
    noted.length > 0 &&
      h('div', {'data-test': 'drill-down-noted'}, h('p', {class: 'hint', title: t('drill_down.noted.why')}, t('drill_down.noted')), list(noted)),
    other.length > 0 &&
      h(
        'details',
        {class: 'drill-down-fine', 'data-test': 'drill-down-other'},
        h('summary', {title: t('drill_down.other.why')}, t('drill_down.other', {count: wasm.count(other.length)})),
        list(other),
      ),
    checks > 0 &&
      h('details', {class: 'drill-down-fine', 'data-test': 'drill-down-fine'}, h('summary', {}, t('drill_down.fine', {count: wasm.count(checks)})), list(fine)),
  );
}

/** Text on whether stragglers can be found, and on the coverage of the job. @param {Wasm} wasm @param {import('../../../../types/reports.js').JobReport} job @param {number} found */
export function verdictText({count}, {verdict, coverage, world_size: world, slow_alone: alone = [], longer_compute: longer}, found) {
  const known = {
    count: count(found),
    ranks: count(coverage.ranks_compared),
    world: count(world),
    matched: count(coverage.collectives_matched),
    collectives: count(coverage.collectives),
  };
  if (verdict === 'found') return t(coverage.ranks_compared > 1 ? 'drill_down.found' : 'drill_down.found.tables', known);
  if (verdict !== 'none') return t(`drill_down.unjudged.${verdict}`, known);
  return [t('drill_down.none', known), ...[...alone, ...(longer ? [longer] : [])].map((one) => one.text)].join(' ');
}

/** @param {Wasm} wasm @param {DrillDownStep} step @param {Links} links */
function line(wasm, step, links) {
  const numbers = Object.entries(step.numbers).flatMap(([name, number]) => [
    ' ',
    h('span', {class: 'hint drill-down-number'}, `· ${numberText(wasm, name, number)}`),
  ]);
  const more = links(step).filter((one) => one !== null);
  const item = h(
    'li',
    {class: 'drill-down-step', title: why(step), 'data-test': `drill-down-${step.step}`},
    h('span', {'data-test': 'drill-down-text'}, h('span', {class: step.off ? 'drill-down-head is-off' : 'drill-down-head'}, headText(step)), numbers),
    more.map((one) => [' ', one]).flat(),
  );
  item.style.setProperty('--depth', String(step.depth));
  return item;
}

/** Title of a step: the thing that it checks. @param {DrillDownStep} step */
function headText({step, name, ranks = [], group, stage, source, rule}) {
  if (step === 'parallel') return t(`drill_down.parallel.${name}`) + (source ? ` (${t(`drill_down.source.${source}`)})` : '');
  if (step === 'metric') {
    const of = name === 'link_bandwidth' ? `${ranks[0]} → ${ranks[1]}` : ranksNamed(ranks);
    const metric = t(`drill_down.metric.${name}`);
    return stage === undefined ? t('drill_down.metric', {metric, of}) : t('drill_down.metric.in_stage', {metric, of, stage});
  }
  if (step === 'place') return placeText({place: /** @type {any} */ (name), ranks, group, stage}) + (rule ? ` (${t(`ranks.rule.${rule}`)})` : '');
  if (step === 'hint') return t(`drill_down.hint.${name}`, {of: ranksNamed(ranks)});
  return step === 'cause' ? t('drill_down.cause', {cause: t(`ranks.cause.${name}`)}) : t('drill_down.entry');
}

/** Explanation of a step: its question, and the rule by which it is off. @param {DrillDownStep} step */
function why({step, name, source, rule}) {
  if (step === 'parallel') return [t('drill_down.parallel.why'), source && t(`drill_down.source.${source}.why`)].filter(Boolean).join('\n');
  if (step === 'metric' || step === 'hint') return t(`drill_down.${step}.${name}.why`);
  return step === 'place' && rule ? t(`ranks.rule.${rule}.why`) : t(`drill_down.${step}.why`);
}

/** @param {Wasm} wasm @param {string} name @param {WalkNumber} number */
function numberText(wasm, name, {value, unit}) {
  if (name === 'by') return wasm.percent_change(value);
  /** @type {Record<string, (value: number) => string>} */
  const texts = {
    ns: wasm.duration,
    bytes_per_second: (/** @type {number} */ rate) => wasm.gigabytes_per_second(rate / 1e9),
    share: wasm.percent,
    count: wasm.count,
    flops: (/** @type {number} */ flops) => wasm.amount_of_flops(flops),
  };
  const label = t(`drill_down.number.${name}`);
  return `${label} ${texts[unit](value)}`;
}

/** A link of a drill-down step. @param {string} key @param {() => void} act @param {Record<string, string | number>} [values] */
export function drillDownLink(key, act, values) {
  return link(t(`drill_down.look.${key}`, values), `drill-down-look-${key}`, act);
}
