// The part of a job's overview that is about one rank: closed until something leads into it.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {rankName} from '../parts/rank-name.js';

/** @typedef {import('../../app.js').App} App */

/** Pages on which a link leads to the rank: the overview may not be shown yet. @type {WeakSet<App>} */
const LED = new WeakSet();

/** Opens the overview of a rank, and scrolls to its part there once that shows the rank. @param {App} app @param {number} rank its index */
export function openRank(app, rank) {
  LED.add(app);
  return app.choose({rank, step: null, selection: null, tab: 'overview'});
}

/** Whether a link leads to the rank; only asked once. @param {App} app */
export function isLedToRank(app) {
  return LED.delete(app);
}

/** The part, with its cards. */
export class RankPart {
  #name = h('h2', {class: 'overview-rank', title: t('overview.alone.why'), 'data-test': 'overview-rank'});
  #summary = h('summary', {}, this.#name, h('span', {class: 'hint'}, t('overview.alone')));
  #body = h('div', {class: 'overview'});
  element;

  constructor() {
    this.element = h('details', {class: 'overview-part', 'data-test': 'rank-part'}, this.#summary, this.#body);
  }

  /** @param {Pick<import('../../../../types/reports.js').RankReport, 'rank' | 'input'>} rank */
  set rank(rank) {
    fill(this.#name, rankName(rank));
  }

  /** @param {Node[]} parts */
  hold(parts) {
    fill(this.#body, parts);
  }

  open() {
    this.element.open = true;
  }

  /** Opens it at the top of the visible area, with the focus: the link that leads here may be gone. */
  reveal() {
    this.open();
    this.element.scrollIntoView({block: 'start'});
    this.#summary.focus({preventScroll: true});
  }
}
