// The graphs that MindSpore made of a program: their iterations, and an export of some of them.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {heading} from '../parts/heading.js';
import {GraphChoice, levelChoice} from '../share/graph-choice.js';
import {describedSmallTable} from '../table/described/described-small.js';

/** @typedef {import('../../../../types/reports.js').RankReport} Rank */

/** The card of the graphs; hidden where a trace has one. */
export class GraphsCard {
  element = h('section', {class: 'card wide', hidden: true, 'data-test': 'graphs-card'});
  #level = levelChoice('graphs-level');

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
  }

  /** @param {Rank} rank */
  show(rank) {
    const {graphs} = rank;
    this.element.hidden = !graphs;
    if (!graphs) return;
    const chosen = new GraphChoice(
      graphs.map(({graph}) => Number(graph)),
      'graphs',
      () => enable(),
    );
    const save = () => this.app.exports.perfetto({summary: this.#level.value === 'summary', graphs: chosen.value});
    const button = h('button', {class: 'button', title: t('steps.graphs.export.why'), onclick: save, 'data-test': 'graphs-export'}, t('steps.graphs.export'));
    const enable = () => {
      button.disabled = chosen.isEmpty;
    };
    fill(
      this.element,
      heading('h2', 'table.graphs', 'graphs'),
      h('p', {class: 'hint'}, t('steps.graphs.names')),
      describedSmallTable(this.app, 'graphs', t('table.graphs'), graphs),
      h('div', {class: 'card-head'}, ...chosen.boxes, this.#level.element, chosen.apart, button),
    );
  }
}
