// The graphs that MindSpore made of a program: their iterations, and an export of some of them.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {Choice} from '../parts/choice.js';
import {heading} from '../parts/heading.js';
import {describedSmallTable} from '../table/described/described-small.js';

/** @typedef {import('../../../../types/reports.js').RankReport} Rank */

/** The card of the graphs; hidden where a trace has one. */
export class GraphsCard {
  element = h('section', {class: 'card wide', hidden: true, 'data-test': 'graphs-card'});
  #level = new Choice(t('steps.graphs.level'), 'graphs-level', () => {});
  #apart = h('input', {type: 'checkbox', 'data-test': 'graphs-apart'});

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    this.#level.offer([
      ['detail', t('steps.graphs.detail')],
      ['summary', t('steps.graphs.summary')],
    ]);
  }

  /** @param {Rank} rank */
  show(rank) {
    const {graphs} = rank;
    this.element.hidden = !graphs;
    if (!graphs) return;
    const chosen = graphs.map(({graph}) => {
      const box = h('input', {type: 'checkbox', checked: true, 'data-test': `graphs-export-${graph}`, onchange: () => enable()});
      return {graph: Number(graph), box};
    });
    const wanted = () => chosen.filter(({box}) => box.checked).map(({graph}) => graph);
    const save = () => {
      // All graphs together stand for the whole trace, with events of no graph.
      const only = wanted();
      const graphs = {only: only.length === chosen.length ? [] : only, apart: this.#apart.checked};
      this.app.exports.perfetto({summary: this.#level.value === 'summary', graphs});
    };
    const button = h('button', {class: 'button', title: t('steps.graphs.export.why'), onclick: save, 'data-test': 'graphs-export'}, t('steps.graphs.export'));
    const enable = () => {
      button.disabled = wanted().length === 0;
    };
    fill(
      this.element,
      heading('h2', 'steps.graphs', 'graphs'),
      h('p', {class: 'hint'}, t('steps.graphs.names')),
      describedSmallTable(this.app, 'graphs', t('steps.graphs'), graphs),
      h(
        'div',
        {class: 'card-head'},
        ...chosen.map(({graph, box}) => h('label', {class: 'choice'}, box, h('span', {}, t('steps.graphs.graph', {graph: String(graph)})))),
        this.#level.element,
        h('label', {class: 'choice', title: t('steps.graphs.apart.why')}, this.#apart, h('span', {}, t('steps.graphs.apart'))),
        button,
      ),
    );
  }
}
