// The drawn graph of operators on the page: its script is loaded once there is a graph. Below it stands the chosen operator between its neighbors.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {OperatorNeighbors} from './operator-neighbors.js';

/** @typedef {import('./strategy-layout.js').StrategyNode} StrategyNode */

/** The graph. */
export class OperatorsGraph {
  #body = h('div', {});
  #detail = h('div', {class: 'strategy-graph-detail', 'data-test': 'strategy-graph-detail', hidden: true});
  element = h('div', {}, this.#body, this.#detail);
  #beside;
  /** @type {import('./strategy-graph.js').StrategyGraph | undefined} */
  #graph;
  /** @type {StrategyNode[]} */
  #nodes = [];
  /** The operator that is open in the list. @type {StrategyNode | undefined} */
  #marked;

  /** @param {import('../../app.js').App} app @param {(node: StrategyNode) => void} onList shows an operator in the list */
  constructor(app, onList) {
    this.app = app;
    this.onList = onList;
    this.#beside = new OperatorNeighbors(app, (node) => {
      const index = this.#nodes.indexOf(node);
      this.#graph?.reveal(index, {focus: true});
      this.#pick(index);
    });
  }

  /** @param {StrategyNode[]} nodes */
  async show(nodes) {
    // The same nodes again, when something else of the card changed: open boxes stay open.
    const isSame = this.#graph !== undefined && areSame(this.#nodes, nodes);
    this.#nodes = nodes;
    if (isSame && this.#marked) this.mark(this.#marked);
    if (isSame) return;
    this.#detail.hidden = true;
    try {
      if (!this.#graph) {
        const {StrategyGraph} = await this.app.strategyGraph();
        this.#graph ??= new StrategyGraph({t, count: this.app.wasm.count, onPick: (index) => this.#pick(index)});
        fill(this.#body, this.#graph.element);
      }
    } catch {
      // The script could not be loaded; the list says the same.
      fill(this.#body, h('p', {class: 'hint', role: 'status'}, t('strategy.graph.failed')));
      return;
    }
    // Others may have come in the meantime.
    if (nodes !== this.#nodes) return;
    this.#graph.show(nodes);
    if (this.#marked) this.mark(this.#marked);
  }

  /** Marks an operator that was opened in the list; none without one. @param {StrategyNode | undefined} node */
  mark(node) {
    this.#marked = node;
    this.#detail.hidden = true;
    const index = node ? this.#nodes.indexOf(node) : -1;
    if (index < 0) this.#graph?.forget();
    else this.#graph?.reveal(index);
  }

  /** @param {number} index */
  #pick(index) {
    const node = this.#nodes[index];
    this.#detail.hidden = false;
    fill(
      this.#detail,
      this.#beside.show(this.#nodes, node),
      h('button', {type: 'button', class: 'button', 'data-test': 'strategy-graph-list', onclick: () => this.onList(node)}, t('strategy.graph.list')),
    );
  }
}

/** Whether two graphs have the same operators. @param {StrategyNode[]} nodes @param {StrategyNode[]} others */
function areSame(nodes, others) {
  const text = (/** @type {StrategyNode} */ {name, type, full, strategy, inputs}) => [name, type, full, strategy, ...inputs].join('\n');
  return nodes.length === others.length && nodes.every((node, index) => text(node) === text(others[index]));
}
