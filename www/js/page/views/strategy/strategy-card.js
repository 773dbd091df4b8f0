// The parallel layout as a picture: stages, the ranks that share tensors, and the operators of MindSpore's parallel graph.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {Choice} from '../parts/choice.js';
import {heading} from '../parts/heading.js';
import {rankName} from '../parts/rank-name.js';
import {DataTable} from '../table/data-table.js';
import {moveFocus, stopAt} from '../ranks/grid-keys.js';
import {rankList} from '../ranks/metrics.js';
import {OperatorNeighbors} from './operator-neighbors.js';
import {OperatorsGraph} from './operators-graph.js';
import {isSpread, layoutOf, nodesOf, peersOf} from './strategy-layout.js';

/** @typedef {import('./strategy-layout.js').Group} Group */
/** @typedef {import('./strategy-layout.js').StrategyNode} StrategyNode */
/** @typedef {{key: string, name: string, value: (rank: number) => number | null, say: (value: number) => string}} RankValue a value by the rank's number, and how it is written */

/**
 * A parallel layout, and the values of its ranks.
 * @typedef {object} Spread
 * @property {number[]} ranks
 * @property {number[][]} stages the ranks of each
 * @property {Group[]} groups
 * @property {RankValue[]} values by which ranks are colored, those that some rank has
 * @property {Set<number>} open those that a click leads to
 */

/** The values that color ranks first: a rank's own time. */
const FIRST = ['own_ns', 'compute_ns', 'computation_ns'];

/** Cards made so far: each has a title with an id of its own. */
let made = 0;

/** The card. */
export class StrategyCard {
  #color;
  #picture;
  /** The buttons of each stage that has some. @type {HTMLElement[][]} */
  #lines = [];
  #of;
  #operators = h('div', {'data-test': 'strategy-operators', hidden: true});
  #table;
  #beside;
  #graph;
  /** @type {Spread | undefined} */
  #spread;
  /** @type {StrategyNode[]} */
  #nodes = [];
  /** The index of the rank whose graph a person chose. @type {string | undefined} */
  #picked;
  /** Counts requests: only the last one's answer is shown. */
  #asked = 0;

  /** @param {import('../../app.js').App} app @param {(rank: number) => void} onPick a click on a rank */
  constructor(app, onPick) {
    this.app = app;
    this.onPick = onPick;
    const {count} = app.wasm;
    this.#beside = new OperatorNeighbors(app, (node) => this.#table.open(node));
    this.#graph = new OperatorsGraph(app, (node) => this.#table.open(node));
    this.#color = new Choice(t('strategy.color'), 'strategy-color', () => this.#draw());
    this.#of = new Choice(t('strategy.of'), 'strategy-of', (value) => {
      this.#picked = value;
      this.#showOperators();
    });
    this.#picture = h('div', {
      class: 'strategy-stages',
      role: 'group',
      'aria-label': t('strategy'),
      'aria-description': t('ranks.grid.keys'),
      'data-test': 'strategy-stages',
      onkeydown: (/** @type {KeyboardEvent} */ event) => moveFocus(event, this.#lines),
      onfocusin: (/** @type {FocusEvent} */ {target}) => stopAt(this.#lines.flat(), /** @type {HTMLElement} */ (target)),
    });
    const words = (/** @type {'full' | 'type' | 'strategy'} */ key, /** @type {number} */ width) => ({
      key,
      title: t(`strategy.column.${key}`),
      why: t(`strategy.column.${key}.why`),
      text: (/** @type {StrategyNode} */ row) => row[key],
      value: (/** @type {StrategyNode} */ row) => row[key] || null,
      left: true,
      width,
      weight: width,
    });
    /** @type {DataTable<StrategyNode>} */
    this.#table = new DataTable(app, {
      name: 'strategy-operators',
      label: t('strategy.operators'),
      columns: [
        words('full', 14),
        words('type', 6),
        words('strategy', 8),
        {
          key: 'inputs',
          title: t('strategy.column.inputs'),
          why: t('strategy.column.inputs.why'),
          text: (row) => count(row.inputs.length),
          value: (row) => row.inputs.length,
        },
      ],
      sort: {key: 'strategy', down: true},
      searched: ({full, type, strategy}) => [full, type, strategy].join(' '),
      identity: ({name}) => name,
      detail: () => [],
      empty: () => t('table.empty'),
      onRow: (row) => this.#graph.mark(row),
      pane: {show: (index) => this.#beside.show(this.#nodes, this.#nodes[index]), redraw: () => {}},
    });
    const id = `strategy-title-${++made}`;
    this.element = h(
      'section',
      {class: 'card wide', 'aria-labelledby': id, 'data-test': 'strategy', 'data-look': 'strategy', tabindex: '-1', hidden: true},
      h('div', {class: 'card-head'}, heading('h2', 'strategy', 'ranks', {id}), h('span', {class: 'space'}), this.#color.element),
      this.#picture,
      this.#operators,
    );
  }

  /** @param {Spread} spread */
  show(spread) {
    this.#spread = spread;
    const {values} = spread;
    const recorded = this.#recorded();
    this.element.hidden = !isSpread(spread) && !recorded.length;
    if (this.element.hidden) return;
    const before = this.#color.value;
    this.#color.offer(values.map(({key, name}) => [key, name]));
    const first = values.find(({key}) => FIRST.includes(key))?.key ?? values[0]?.key;
    if (first) this.#color.value = values.some(({key}) => key === before) ? before : first;
    this.#color.element.hidden = !values.length;
    this.#draw();
    this.#operators.hidden = !recorded.length;
    if (!recorded.length) return;
    this.#of.offer(recorded.map(({index, name}) => [String(index), name]));
    this.#of.value = this.#wanted(recorded);
    this.#of.element.hidden = recorded.length < 2;
    fill(
      this.#operators,
      h('div', {class: 'card-head'}, h('h3', {title: t('strategy.operators.why')}, t('strategy.operators')), this.#of.element),
      h('p', {class: 'hint'}, t('strategy.operators.why')),
      this.#graph.element,
      this.#table.element,
    );
    this.#showOperators();
  }

  /** The ranks whose files have the graph. */
  #recorded() {
    const {summary} = this.app.state;
    return (summary?.ranks ?? []).flatMap((rank, index) => {
      const place = (rank.recorded ?? []).findIndex(({id, row_count: rows}) => id === 'parallel_nodes' && rows > 0);
      return place < 0 ? [] : [{index, place, name: [rankName(rank), this.#stageOf(rank.rank)].filter(Boolean).join(' · ')}];
    });
  }

  /** The stage of a rank, in words; nothing where there is one for all. @param {number | null} rank */
  #stageOf(rank) {
    const {stages = []} = this.#spread ?? {};
    const stage = stages.findIndex((ranks) => rank !== null && ranks.includes(rank));
    return stages.length > 1 && stage >= 0 && t('ranks.place.stage', {stage});
  }

  /** The rank whose graph is shown: the chosen one, else the shown one, else the first that has a graph. @param {{index: number}[]} recorded */
  #wanted(recorded) {
    const wanted = [this.#picked, String(this.app.state.rank)];
    return wanted.find((one) => recorded.some(({index}) => String(index) === one)) ?? String(recorded[0].index);
  }

  /** Another rank is shown: its graph, unless a person chose one. */
  follow() {
    const recorded = this.#recorded();
    if (this.element.hidden || !recorded.length) return;
    const wanted = this.#wanted(recorded);
    if (wanted === this.#of.value) return;
    this.#of.value = wanted;
    this.#showOperators();
  }

  #draw() {
    const {ranks = [], stages = [], groups = [], values = [], open = new Set()} = this.#spread ?? {};
    const value = values.find(({key}) => key === this.#color.value);
    const numbers = ranks.flatMap((rank) => value?.value(rank) ?? []);
    const least = Math.min(...numbers);
    const most = Math.max(...numbers);
    const range = most - least;
    /** @type {Map<number, HTMLElement>} */
    const cells = new Map();
    const point = (/** @type {number | null} */ rank) => {
      const peers = rank === null ? new Set() : new Set([...peersOf(groups, rank).values()].flat());
      for (const [other, cell] of cells) cell.classList.toggle('is-peer', peers.has(other));
    };
    const cell = (/** @type {number} */ rank) => {
      const number = value?.value(rank) ?? null;
      const shares = [...peersOf(groups, rank)].map(([parallel, peers]) =>
        t('strategy.shares', {parallel: t(`drill_down.parallel.${parallel}`), ranks: rankList(peers)}),
      );
      const title = [t('rank', {rank}), value && `${value.name}: ${number === null ? '–' : value.say(number)}`, ...shares].filter(Boolean).join('\n');
      const attributes = {
        class: 'heat-cell strategy-rank',
        title,
        'aria-label': title,
        'data-test': 'strategy-rank',
        onpointerenter: () => point(rank),
        onpointerleave: () => point(null),
      };
      const leads = {type: 'button', tabindex: '-1', onclick: () => this.onPick(rank), onfocus: () => point(rank), onblur: () => point(null)};
      // A rank that is not open is no button: it leads nowhere.
      const made = open.has(rank) ? h('button', {...attributes, ...leads}, String(rank)) : h('span', {...attributes, role: 'img'}, String(rank));
      if (number !== null) made.style.setProperty('--heat', `${range ? Math.round((100 * (number - least)) / range) : 0}%`);
      cells.set(rank, made);
      return made;
    };
    const layout = layoutOf(stages, groups, ranks);
    const lines = layout.flatMap(({stage, bundles}, index) => [
      index > 0 && h('div', {class: 'strategy-arrow', 'aria-hidden': 'true'}, '↓'),
      h(
        'div',
        {class: 'strategy-stage', role: 'group', 'aria-label': layout.length > 1 ? t('ranks.place.stage', {stage}) : t('strategy.ranks')},
        h('span', {class: 'strategy-name'}, layout.length > 1 ? t('ranks.place.stage', {stage}) : t('strategy.ranks')),
        bundles.map((bundle) => h('span', {class: bundle.length > 1 ? 'strategy-bundle' : null}, bundle.map(cell))),
      ),
    ]);
    const buttonOf = (/** @type {number} */ rank) => (open.has(rank) ? (cells.get(rank) ?? []) : []);
    this.#lines = layout.map(({bundles}) => bundles.flat().flatMap(buttonOf)).filter(({length}) => length > 0);
    if (this.#lines.length) this.#lines[0][0].tabIndex = 0;
    const hasBundles = layout.some(({bundles}) => bundles.some(({length}) => length > 1));
    fill(
      this.#picture,
      lines,
      h(
        'p',
        {class: 'hint'},
        [
          value && range > 0 && t('strategy.scale', {name: value.name, least: value.say(least), most: value.say(most)}),
          hasBundles && t('strategy.bundles'),
          groups.length > 0 && t('strategy.peers'),
        ]
          .filter(Boolean)
          .join(' '),
      ),
    );
  }

  /** Shows the operators of the chosen rank's graph. */
  async #showOperators() {
    const asked = ++this.#asked;
    const of = this.#recorded();
    const chosen = of.find(({index}) => String(index) === this.#of.value) ?? of[0];
    const rows = await this.app.recorded(chosen.place, chosen.index);
    const columns = this.app.state.summary?.ranks[chosen.index]?.recorded?.[chosen.place]?.columns;
    if (asked !== this.#asked || !rows || !columns) return;
    this.#nodes = nodesOf({columns, values: rows.values});
    this.#table.show(this.#nodes);
    await this.#graph.show(this.#nodes);
  }

  /** Draws again: the theme changed. */
  redraw() {
    this.#table.redraw();
  }
}
