// The first card of a rank: where the step's time goes.

import {fill, h} from '../../dom.js';
import {shownLanguage, t} from '../../environment/i18n.js';
import {heading} from '../parts/heading.js';
import {BudgetView} from './budget-view.js';

/** @typedef {import('../../../../types/reports.js').BudgetReport} BudgetReport */
/** @typedef {import('../../state.js').State} State */

/** The first card of the overview of a rank. */
export class BudgetCard {
  #view;
  /** The sentences in place of the budget where no device is recorded. */
  #none = h('p', {class: 'budget-first', hidden: true, 'data-test': 'budget-none'});
  /** Counts requests: only the last one's answer is shown. */
  #asked = 0;

  /** @param {import('../../app.js').App} app @param {(report: BudgetReport | undefined | null) => void} onShown called with the shown report; null while it is requested */
  constructor(app, onShown) {
    this.app = app;
    this.onShown = onShown;
    this.#view = new BudgetView(app);
    this.element = h(
      'section',
      {class: 'card wide budget', 'aria-labelledby': 'budget-title', 'data-test': 'budget-card', hidden: true},
      heading('h2', 'budget.title', 'budget', {id: 'budget-title'}),
      this.#view.element,
      this.#none,
    );
  }

  /** @param {State} state */
  async show({summary, rank, step}) {
    const asked = ++this.#asked;
    const has = summary?.ranks[rank].topics?.includes('budget');
    this.onShown(null);
    const {device_time: devices = [], only_tables: bare = false} = summary?.ranks[rank] ?? {};
    const found = has || devices.length === 0 ? await this.app.report('budget', {step, language: shownLanguage()}) : undefined;
    if (asked !== this.#asked) return;
    const report = has ? found : undefined;
    // Without a device, the largest loss of the host, where there is one.
    const sentences = has ? [] : (found?.budget.sentences ?? []);
    // Recorded tables alone get a card for a loss only.
    const isOfHost = sentences.length > (bare ? 1 : 0);
    fill(this.#none, sentences.join(' '));
    this.element.hidden = !report && !isOfHost;
    this.#view.element.hidden = !report;
    this.#none.hidden = !isOfHost;
    if (report) this.#view.show(report, this.#whole(report, step));
    this.onShown(report);
  }

  /** Description of the whole that the times are parts of. @param {BudgetReport} report @param {number | null} step */
  #whole({budget}, step) {
    const {count, duration} = this.app.wasm;
    const {windows, counted, length_ns: length, device_count: devices, shares_of: whole} = budget;
    const {steps = [], whole_step: unmarked} = this.app.state.summary?.ranks[this.app.state.rank] ?? {};
    const name = step === null ? '' : t('step', {name: steps[step]?.name ?? ''});
    const values = {time: duration(length), steps: count(counted), step: name, span: unmarked ? t(`tile.step.whole.${unmarked.span}`) : ''};
    const ofSteps = whole === 'periods' ? 'periods' : counted === 1 ? 'one' : 'mean';
    const marked = step === null ? ofSteps : 'step';
    const scope = windows === 'trace' ? 'trace' : unmarked ? 'unmarked' : marked;
    return [t(`budget.whole.${scope}`, values), devices > 1 && t('budget.whole.devices', {devices: count(devices)})].filter(Boolean).join(' ');
  }
}
