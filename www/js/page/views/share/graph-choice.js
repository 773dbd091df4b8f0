// The choice of graphs, and of how much of them, for an export.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {Choice} from '../parts/choice.js';

/** How much of a trace an export has; as in MindSpore's guide, the summary comes first. @param {string} test */
export function levelChoice(test) {
  const level = new Choice(t('steps.graphs.level'), test, () => {});
  level.offer([
    ['summary', t('steps.graphs.summary')],
    ['detail', t('steps.graphs.detail')],
  ]);
  return level;
}

/** The choice of some graphs. */
export class GraphChoice {
  /** @type {{graph: number, box: HTMLInputElement, label: HTMLElement}[]} */
  #all;
  #apart;

  /** @param {number[]} graphs @param {string} test @param {() => void} onChange */
  constructor(graphs, test, onChange) {
    this.#all = graphs.map((graph) => {
      const box = h('input', {type: 'checkbox', checked: true, 'data-test': `${test}-export-${graph}`, onchange: onChange});
      return {graph, box, label: h('label', {class: 'choice'}, box, h('span', {}, t('steps.graphs.graph', {graph: String(graph)})))};
    });
    this.#apart = h('input', {type: 'checkbox', 'data-test': `${test}-apart`});
  }

  /** Offers only some of the graphs: those of the chosen ranks. @param {Set<number>} graphs */
  offer(graphs) {
    for (const {graph, label} of this.#all) label.hidden = !graphs.has(graph);
  }

  get #boxes() {
    return this.#all.filter(({label}) => !label.hidden);
  }

  get #wanted() {
    return this.#boxes.filter(({box}) => box.checked).map(({graph}) => graph);
  }

  /** Whether no graph is chosen, of those that there are. */
  get isEmpty() {
    return this.#boxes.length > 0 && this.#wanted.length === 0;
  }

  /** All graphs together stand for the whole trace, with events of no graph. @returns {import('../../../protocol/requests.js').ExportedGraphs | undefined} nothing without graphs */
  get value() {
    if (!this.#boxes.length) return undefined;
    const only = this.#wanted;
    return {only: only.length === this.#boxes.length ? [] : only, apart: this.#apart.checked};
  }

  get boxes() {
    return this.#all.map(({label}) => label);
  }

  get apart() {
    return this.#all.length > 0 && h('label', {class: 'choice', title: t('steps.graphs.apart.why')}, this.#apart, h('span', {}, t('steps.graphs.apart')));
  }
}
