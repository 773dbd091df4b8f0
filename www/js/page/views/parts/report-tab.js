// A tab that shows one topic's report: it asks for it when it is looked at, and again when something else is chosen.

import {fill, h} from '../../dom.js';
import {focused} from '../../environment/environment.js';
import {t} from '../../environment/i18n.js';

/** @typedef {import('../../../protocol/answers.js').ReportRequest} ReportRequest */
/** @typedef {import('../../../protocol/answers.js').Topics} Topics */
/** @typedef {import('../../state.js').State} State */

/** @template {keyof Topics} Topic */
export class ReportTab {
  #body = h('div', {class: 'report'});
  /** The last request, as text: only its answer is shown. */
  #asked = '';
  /** @type {import('../../../../types/reports.js').Summary | null} */
  #summary = null;

  /**
   * @param {import('../../app.js').App} app
   * @param {Topic} topic
   * @param {(state: State) => ReportRequest} ask the request that the state leads to
   */
  constructor(app, topic, ask) {
    this.app = app;
    this.topic = topic;
    this.ask = ask;
    this.element = h('div', {class: 'report-tab', 'data-test': `report-${topic}`}, this.#body);
  }

  /** @param {State} now */
  async show(now) {
    const asked = JSON.stringify([now.rank, now.parallel, this.ask(now)]);
    if (asked === this.#asked && now.summary === this.#summary) return;
    this.#asked = asked;
    this.#summary = now.summary;
    this.element.setAttribute('aria-busy', 'true');
    const report = await this.app.report(this.topic, this.ask(now));
    if (asked !== this.#asked || now.summary !== this.#summary) return;
    this.element.removeAttribute('aria-busy');
    const had = focused();
    fill(this.#body, report ? this.draw(report) : h('p', {class: 'nothing'}, t('table.empty')));
    // A replaced element loses the focus.
    if (had && had !== focused() && this.#body.contains(had)) /** @type {HTMLElement} */ (had).focus({preventScroll: true});
  }

  /** Asks again though nothing of the state changed: a choice of the tab's own did. */
  again() {
    this.#asked = '';
    return this.show(this.app.state);
  }

  /**
   * The report as elements; a tab draws its own.
   * @param {Topics[Topic]} _report @returns {(Node | string)[]}
   */
  draw(_report) {
    return [];
  }
}
