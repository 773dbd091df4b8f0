// The advice cards of the overview, for a trace or a rank, and for a job.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {heading} from '../parts/heading.js';
import {adviceAsk, showScope} from './advice-choice.js';
import {fixOf, gainText, nothingToDo, rulesOfRank, wording} from './advice.js';

/** @typedef {import('../../../../types/reports.js').RankReport} Rank */
/** @typedef {import('../../../../types/reports.js').AdviceRuleReport} AdviceRule */

/** Number of rules per card. */
const SHOWN = 3;

/** The three rules that promise most. */
export class AdviceCard {
  #scope = h('p', {class: 'hint', hidden: true, 'data-test': 'advice-card-scope'});
  #list = h('div', {});
  #listOfJob = h('div', {});
  /** Counts requests: only the last one's answer is shown. */
  #asked = 0;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    this.element = h(
      'section',
      {class: 'card wide', 'aria-labelledby': 'advice-title', 'data-test': 'advice-card', hidden: true},
      heading('h2', 'advice.top', 'advice', {id: 'advice-title'}),
      this.#scope,
      this.#list,
    );
    /** Those of all ranks together: a part of the job's card. */
    this.ofJob = h('div', {'data-test': 'job-advice', hidden: true}, heading('h3', 'advice.top', 'advice'), this.#listOfJob);
  }

  /** Shows the steps that the advice is of. @param {import('../../state.js').State} now */
  showScope(now) {
    showScope(this.#scope, now);
  }

  /** @param {Rank} rank */
  async show(rank) {
    const asked = ++this.#asked;
    const report = rank.topics?.includes('advice') ? await this.app.report('advice', adviceAsk()) : undefined;
    if (asked !== this.#asked) return;
    const {summary, rank: place} = this.app.state;
    const isOfSeveral = (summary?.ranks.length ?? 0) > 1;
    this.element.hidden = !report;
    this.ofJob.hidden = !report || !isOfSeveral;
    if (!report) return;
    const holding = report.rules.filter((rule) => rule.verdict === 'holds');
    if (!isOfSeveral) {
      fill(this.#list, this.#lines(holding, 'top') ?? nothingToDo(this.app.wasm, report.conclusion), this.#more('advice-more'));
      return;
    }
    const none = () => (report.conclusion.verdict === 'nothing' ? h('p', {}, t('advice.top.none')) : nothingToDo(this.app.wasm, report.conclusion));
    // The job's own rules are no rank's.
    fill(this.#list, this.#lines(rulesOfRank(holding, place), 'top') ?? none(), this.#more('advice-more'));
    fill(this.#listOfJob, this.#lines(holding, 'job-top') ?? nothingToDo(this.app.wasm, report.conclusion), this.#more('job-advice-more'));
  }

  #open() {
    this.app.store.set({tab: 'advice'});
  }

  /** @param {string} test */
  #more(test) {
    return h('button', {class: 'button', 'data-test': test, onclick: () => this.#open()}, t('advice.more'));
  }

  /** The first rules as a list; empty without rules. @param {AdviceRule[]} rules @param {string} test prefix of the names for tests */
  #lines(rules, test) {
    const lines = rules
      .slice(0, SHOWN)
      .map((rule) =>
        h(
          'li',
          {},
          h(
            'button',
            {class: 'link', title: fixOf(rule), 'data-test': `${test}-${rule.rule}`, onclick: () => this.#open()},
            t(`advice.${wording(rule)}.title`),
          ),
          ' ',
          h('span', {class: 'hint'}, [gainText(this.app, rule), rule.ranks?.[0]?.input].filter(Boolean).join(' · ')),
        ),
      );
    return lines.length ? h('ol', {class: 'advice-top'}, lines) : undefined;
  }
}
