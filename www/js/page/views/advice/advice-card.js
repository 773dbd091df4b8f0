// The card of the overview: what to do first.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {heading} from '../parts/heading.js';
import {adviceAsk} from './advice-choice.js';
import {gainText, nothingToDo, wording} from './advice.js';

/** @typedef {import('../../../../types/reports.js').RankReport} Rank */

/** How many rules it shows. */
const SHOWN = 3;

/** The three rules that promise most. */
export class AdviceCard {
  #list = h('div', {});
  /** Counts requests: only the last one's answer is shown. */
  #asked = 0;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    this.element = h(
      'section',
      {class: 'card wide', 'aria-labelledby': 'advice-title', 'data-test': 'advice-card', hidden: true},
      heading('h2', 'advice.top', 'advice', {id: 'advice-title'}),
      this.#list,
    );
  }

  /** @param {Rank} rank */
  async show(rank) {
    const asked = ++this.#asked;
    const report = rank.topics?.includes('advice') ? await this.app.report('advice', adviceAsk()) : undefined;
    if (asked !== this.#asked) return;
    this.element.hidden = !report;
    if (!report) return;
    const open = () => this.app.store.set({tab: 'advice'});
    const first = report.rules.filter((rule) => rule.verdict === 'holds').slice(0, SHOWN);
    const lines = first.map((rule) =>
      h(
        'li',
        {},
        h('button', {class: 'link', title: t(`advice.${wording(rule)}`), 'data-test': `top-${rule.rule}`, onclick: open}, t(`advice.${wording(rule)}.title`)),
        ' ',
        h('span', {class: 'hint'}, [gainText(this.app.wasm, rule), rule.ranks?.[0]?.input].filter(Boolean).join(' · ')),
      ),
    );
    const told = lines.length ? h('ol', {class: 'advice-top'}, lines) : nothingToDo(this.app.wasm, report.conclusion);
    fill(this.#list, told, h('button', {class: 'button', 'data-test': 'advice-more', onclick: open}, t('advice.more')));
  }
}
