// The change from one job to another one, as means over the ranks of each: the step, its causes, and the ranks.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {causesOf, jobCauses, jobRanks} from './compared-tables.js';

/** @typedef {import('../../../../types/reports.js').JobDiffReport} JobDiff */

/** The card, hidden unless both sides are ranks of a job that are open together. */
export class JobCard {
  #said = h('p', {class: 'verdict', role: 'status', 'data-test': 'compare-job-verdict'});
  #outcome = h('p', {'data-test': 'compare-job-outcome'});
  #tables = h('div', {class: 'compare-job-tables'});

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    this.element = h(
      'section',
      {class: 'card wide', hidden: true, 'aria-labelledby': 'compare-job-title', 'data-test': 'compare-job'},
      h('h2', {id: 'compare-job-title', title: t('compare.job.why')}, t('compare.job')),
      this.#said,
      this.#outcome,
      this.#tables,
    );
  }

  /** @param {JobDiff | undefined} job @param {import('./compared-tables.js').NamedSides} sides */
  show(job, sides) {
    this.element.hidden = !job;
    if (!job) return;
    const {duration, duration_change: signed, percent_change: percent} = this.app.wasm;
    const {a_ns: a, b_ns: b, change_ns: change} = job.step;
    // Less is shown as no change.
    const kind = Math.abs(change) <= 0.0005 * a ? 'same' : change > 0 ? 'longer' : 'shorter';
    const ranks = (/** @type {'a' | 'b'} */ side) => {
      const [averaged, all] = [job.averaged[side], job.world_size[side]];
      return averaged < all ? t('compare.job.some', {averaged, all}) : t('compare.job.all', {all});
    };
    const said = {a: duration(a), b: duration(b), change: signed(change), percent: percent(a ? change / a : null), ranksA: ranks('a'), ranksB: ranks('b')};
    fill(this.#said, t(kind === 'same' ? 'compare.job.same' : `compare.job.${sides.b}.${kind}`, said));
    this.#said.className = `verdict ${kind}`;
    this.#outcome.hidden = !job.outcome;
    fill(this.#outcome, job.outcome?.sentences.join(' ') ?? '');
    const [causes, rows] = [jobCauses(this.app, sides), jobRanks(this.app, sides)];
    fill(this.#tables, job.causes.length ? causes.element : null, rows.element);
    causes.show(causesOf(job.causes));
    rows.show(job.ranks);
  }
}
