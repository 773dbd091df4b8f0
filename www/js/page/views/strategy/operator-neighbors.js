// An operator of the parallel graph, drawn between those that its inputs come from and those that take its output.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {aroundOf} from './strategy-layout.js';

/** @typedef {import('./strategy-layout.js').StrategyNode} StrategyNode */

/** Operators that are drawn on each side. */
const MOST = 12;

/** The picture. */
export class OperatorNeighbors {
  element = h('div', {class: 'strategy-beside', 'data-test': 'strategy-beside'});

  /** @param {import('../../app.js').App} app @param {(node: StrategyNode) => void} onPick a click on another operator */
  constructor(app, onPick) {
    this.app = app;
    this.onPick = onPick;
  }

  /** @param {StrategyNode[]} nodes @param {StrategyNode | undefined} node */
  show(nodes, node) {
    if (!node) return this.element;
    const {inputs, outputs} = aroundOf(nodes, node);
    const text = (/** @type {StrategyNode} */ {type, name, full, strategy}) => [
      h('strong', {}, type || name),
      h('span', {class: 'hint'}, full),
      h('span', {}, strategy && t('strategy.split', {parts: strategy})),
    ];
    const box = (/** @type {StrategyNode | string} */ of) =>
      typeof of === 'string'
        ? h('div', {class: 'strategy-node is-parameter', title: t('strategy.parameter')}, of)
        : h('button', {type: 'button', class: 'strategy-node', 'data-test': 'strategy-node', onclick: () => this.onPick(of)}, ...text(of));
    const side = (/** @type {string} */ title, /** @type {(StrategyNode | string)[]} */ of) =>
      h(
        'div',
        {class: 'strategy-side', role: 'group', 'aria-label': title},
        h('span', {class: 'hint'}, title),
        of.slice(0, MOST).map(box),
        of.length > MOST && h('span', {class: 'hint'}, t('strategy.more', {count: this.app.wasm.count(of.length - MOST)})),
      );
    const arrow = () => h('span', {class: 'strategy-arrow', 'aria-hidden': 'true'}, '→');
    fill(
      this.element,
      side(t(inputs.length ? 'strategy.inputs' : 'strategy.inputs.none'), inputs),
      arrow(),
      h('div', {class: 'strategy-node is-chosen', 'data-test': 'strategy-chosen'}, ...text(node)),
      arrow(),
      side(t(outputs.length ? 'strategy.outputs' : 'strategy.outputs.none'), outputs),
    );
    return this.element;
  }
}
