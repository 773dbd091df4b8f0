// The overview of a job: lost time of its step, stragglers and their causes, and the own time of each rank per step.

import {fill, h} from '../../dom.js';
import {comparedRanks} from '../../state.js';
import {t} from '../../environment/i18n.js';
import {isUnmarked} from '../parts/all-steps.js';
import {bookLink} from '../parts/heading.js';
import {titleInJob} from '../parts/rank-name.js';
import {peerOf} from '../ranks/metrics.js';
import {compareRanks, indexIn} from '../ranks/opening.js';
import {link} from '../ranks/rank-table.js';
import {StepMap} from '../ranks/step-map.js';
import {placeText} from '../ranks/stragglers.js';
import {verdictText} from '../ranks/drill-down.js';
import {BudgetView} from './budget-view.js';
import {openRank} from './rank-part.js';

/** @typedef {import('../../../../types/reports.js').JobRankReport} JobRank */
/** @typedef {import('../../../../types/reports.js').JobTables} JobTables */
/** @typedef {import('../../../../types/reports.js').StragglersRow} Straggler */
/** @typedef {import('../../state.js').State} State */

/** Number of listed stragglers. */
const MOST = 3;

/** Number of ranks in the map: the ranks tab shows all of them. */
const MOST_RANKS = 8;

/** Causes that another rank shows beside the late one. */
const COMPARED = ['late_compute', 'late_more_kernels', 'late_longer_kernels'];

/** The first card of the overview of several ranks. */
export class JobCard {
  #title = h('h2', {id: 'job-title', title: t('job.title.why')});
  #body = h('div', {class: 'job-body'});
  #budget;
  #map;
  /** The parallel layout of the last request. @type {string | undefined} */
  #asked;
  /** Whether a list of runs stands in its place: a job among these is shown once it is opened. */
  isListed = false;
  /** The summary of the last request: another one may have other peaks. @type {State['summary'] | undefined} */
  #summary;
  /** @type {JobTables | undefined} */
  #found;

  /** @param {import('../../app.js').App} app @param {HTMLElement} rules that apply */
  constructor(app, rules) {
    this.app = app;
    this.rules = rules;
    this.#budget = new BudgetView(
      app,
      'job-budget',
      (cause) => this.#openFix(cause),
      (rank) => {
        const row = this.#rows.find((row) => row.rank === rank && !row.repeated);
        return row && indexIn(app, this.#rows, row);
      },
    );
    this.#map = new StepMap(
      app,
      MOST_RANKS,
      (row) => indexIn(app, this.#rows, row),
      (row) => this.#open(row),
    );
    this.element = h('section', {class: 'card wide job', 'aria-labelledby': 'job-title', 'data-test': 'job-card', hidden: true}, this.#title, this.#body);
  }

  get #rows() {
    return this.#found?.job.ranks ?? [];
  }

  /** @param {State} state @returns {Promise<boolean | undefined>} whether the ranks are of one job, where that was asked */
  async show({summary, parallel}) {
    if (!summary || comparedRanks(summary).length < 2 || (this.#asked === parallel && this.#summary === summary)) return undefined;
    [this.#asked, this.#summary] = [parallel, summary];
    const found = await this.app.job();
    if (this.#asked !== parallel || this.#summary !== summary) return undefined;
    this.element.hidden = !found || this.isListed;
    if (!found) this.#asked = undefined;
    else if ('not_a_job' in found) this.#showApart(found.not_a_job, summary.ranks.length);
    else this.#show(found);
    return found !== undefined && !('not_a_job' in found);
  }

  /** @param {string} text */
  #setTitle(text) {
    fill(this.#title, text, bookLink('ranks', text));
  }

  /** Why the traces are no ranks of one job: that is on the tab of ranks. @param {import('../../../../types/reports.js').NotAJobReport} apart @param {number} count */
  #showApart({recordings}, count) {
    this.#found = undefined;
    this.#setTitle(t('job.apart', {count: this.app.wasm.count(count)}));
    fill(
      this.#body,
      h('p', {}, t(recordings === 1 ? 'ranks.one_recording' : 'ranks.not_a_job', {count: this.app.wasm.count(count)}), ' ', this.#more('job.apart.more')),
      this.rules,
    );
  }

  /** @param {JobTables} found */
  #show(found) {
    this.#found = found;
    const {job, stragglers} = found;
    const {count, duration} = this.app.wasm;
    const gain = job.gain_ns_per_step;
    const [first] = stragglers;
    const late = first && t('job.late', {what: placeText(first), cause: t(`ranks.cause.${first.cause}`)});
    const verdict = verdictText(this.app.wasm, job, stragglers.length);
    const here = job.ranks.filter(({repeated, apart}) => !repeated && !apart).length;
    this.#setTitle(t('job.title', {here: count(here), world: count(job.world_size)}));
    const {budget, causes = []} = job;
    // The budget's first sentence names the late ranks, and the reason if all have the same one.
    const isSaid = budget !== undefined && typeof causes[0]?.late === 'string';
    const isOneReason = stragglers.every(({cause}) => cause === first.cause);
    if (budget) this.#budget.show({budget, causes, cause_functions: []}, this.#whole(budget, job.world_size));
    fill(
      this.#body,
      budget && this.#budget.element,
      first && !isSaid && h('p', {class: budget ? null : 'budget-first', 'data-test': 'job-late'}, late),
      h(
        'p',
        {class: first || budget ? null : 'budget-first', 'data-test': 'job-verdict'},
        verdict,
        stragglers.length > 1 && gain !== null && gain > 0 && ` ${t('ranks.gain', {time: duration(gain)})}`,
      ),
      stragglers.length > 0 &&
        h(
          'ul',
          {class: 'job-stragglers', 'data-test': 'job-stragglers'},
          stragglers.slice(0, MOST).map((one, place) => this.#line(one, isSaid ? isOneReason : place === 0)),
        ),
      this.#map.element,
      this.rules,
      h('p', {class: 'jumps'}, this.#more('job.more')),
    );
    this.#map.show(job, stragglers);
  }

  /** Description of the whole that the times are parts of. @param {NonNullable<JobTables['job']['budget']>} budget @param {number} world */
  #whole({length_ns: length, ranks = 0, windows, shares_of: whole}, world) {
    const {count, duration} = this.app.wasm;
    const {summary} = this.app.state;
    const isWithout = summary !== null && comparedRanks(summary).every((index) => isUnmarked(summary.ranks[index]));
    const ofSteps = isWithout ? 'unmarked' : 'steps';
    const scope = windows === 'trace' ? 'trace' : whole === 'periods' ? 'periods' : ofSteps;
    return t(`job.whole.${scope}`, {ranks: count(ranks), world: count(world), time: duration(length)});
  }

  /** @param {Straggler} one @param {boolean} isSaid whether its cause stands above */
  #line(one, isSaid) {
    const {duration, gigabytes_per_second: rate, duration_change: change} = this.app.wasm;
    const isTime = one.place === 'rank' || one.place === 'stage';
    const text = (/** @type {number} */ value) => (isTime ? duration(value) : rate(value / 1e9));
    const {gain_ns_per_step: gain} = one;
    const excess = /** @type {import('../../../protocol/answers.js').Known<Straggler>['excess'] | undefined} */ (one.excess);
    const numbers = [
      t(`job.usual.${one.place}`, {value: text(one.value), usual: text(one.usual)}),
      excess && t('ranks.excess', {compute: change(excess.compute_ns), data: change(excess.data_ns), host: change(excess.host_ns)}),
      gain !== null && gain > 0 && t('job.gain', {time: duration(gain)}),
    ];
    const row = one.place === 'rank' ? this.#rows.find(({rank, repeated}) => rank === one.ranks[0] && !repeated) : undefined;
    const peer = row && peerOf(this.#rows, row);
    const title = (/** @type {JobRank} */ {rank}) => titleInJob(this.app.state.summary, rank);
    return h(
      'li',
      {'data-test': 'job-straggler'},
      h('strong', {}, placeText(one)),
      isSaid ? ': ' : `: ${t(`ranks.cause.${one.cause}`)} `,
      h('span', {class: 'hint'}, numbers.filter(Boolean).join(' · ')),
      row && [' ', link(t('ranks.open', {rank: title(row)}), 'job-open', () => this.#open(row))],
      row && peer && [' · ', link(t('ranks.compare', {rank: title(row), peer: title(peer)}), 'job-compare', () => this.#compare(row, peer))],
    );
  }

  /** Opens the start of the fix of lateness: for a rank, its comparison with another one, else its overview; otherwise the ranks tab. @param {import('../../../../types/reports.js').BudgetCauseReport} cause */
  #openFix({wording}) {
    const of = this.#found?.stragglers.filter(({cause}) => wording === `late_${cause}`) ?? [];
    const row = of.length === 1 && of[0].place === 'rank' ? this.#rows.find(({rank, repeated}) => rank === of[0].ranks[0] && !repeated) : undefined;
    if (!row || indexIn(this.app, this.#rows, row) === undefined) return this.app.go('ranks');
    const peer = COMPARED.includes(wording) ? peerOf(this.#rows, row) : undefined;
    return peer ? this.#compare(row, peer) : this.#open(row);
  }

  /** @param {JobRank} row */
  #open(row) {
    const index = indexIn(this.app, this.#rows, row);
    if (index !== undefined) openRank(this.app, index);
  }

  /** @param {JobRank} row @param {JobRank} peer */
  #compare(row, peer) {
    const [index, other] = [row, peer].map((one) => indexIn(this.app, this.#rows, one));
    if (index !== undefined && other !== undefined) compareRanks(this.app, index, other);
  }

  /** @param {string} key */
  #more(key) {
    return link(t(key), 'job-more', () => this.app.go('ranks'));
  }
}
