// The tables that MindSpore's profiler itself wrote on all ranks: each one's average step, links, values worse than the mean,
// as `stepscope summary` prints them.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {heading} from '../parts/heading.js';
import {describedSmallTable} from '../table/described/described-small.js';
import {DescribedTable} from '../table/described/described.js';

/** @typedef {import('../../../../types/reports.js').ClusterReport} Cluster */
/** @typedef {import('../../../protocol/wasm.js').Wasm} Wasm */

/** The tables. */
export class RecordedCluster {
  #facts = h('p', {'data-test': 'recorded-facts'});
  #worse = h('div', {});
  #ranks;
  #links;
  #linksPart;
  #operators;
  #operatorsPart;
  #ranksPart;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    this.#ranks = ranksTable(app);
    this.#links = linksTable(app);
    this.#operators = operatorsTable(app);
    this.#ranksPart = h('div', {}, h('h3', {}, t('ranks.recorded.ranks')), this.#ranks.element);
    this.#linksPart = h('div', {}, heading('h3', 'ranks.recorded.links', 'ranks_numbers'), this.#links.element);
    this.#operatorsPart = h('div', {}, heading('h3', 'ranks.recorded.operators', 'ranks_numbers'), this.#operators.element);
    const head = h('h2', {id: 'recorded-cluster-title'}, t('ranks.recorded'));
    const why = h('p', {class: 'hint'}, t('ranks.recorded.why'));
    this.element = h(
      'section',
      {class: 'ranks-collectives', 'aria-labelledby': 'recorded-cluster-title', 'data-test': 'recorded-cluster'},
      head,
      why,
      this.#facts,
      this.#ranksPart,
      this.#worse,
      this.#linksPart,
      this.#operatorsPart,
    );
  }

  /** @param {Cluster} cluster */
  show(cluster) {
    const {wasm} = this.app;
    const {rows, links, operators, outliers} = cluster;
    fill(this.#facts, factsOf(wasm, cluster).join(' · '));
    this.#ranksPart.hidden = rows.length === 0;
    this.#linksPart.hidden = links.length === 0;
    this.#ranks.show(rows);
    this.#links.show(links);
    this.#operatorsPart.hidden = operators.length === 0;
    this.#operators.show(operators);
    fill(
      this.#worse,
      outliers.length
        ? [heading('h3', 'ranks.recorded.worse', 'ranks_numbers'), describedSmallTable(this.app, 'cluster.outliers', t('ranks.recorded.worse'), outliers)]
        : null,
    );
  }

  /** Draws again: the theme changed. */
  redraw() {
    this.#ranks.table.redraw();
    this.#links.table.redraw();
    this.#operators.table.redraw();
  }
}

/** Facts on the parallel layout, and shares of communication. @param {Wasm} wasm @param {Cluster} cluster */
function factsOf({count, percent}, {mode, stages, world_size: world, rows, communication_rate: alone, between_stages_rate: between, within_stages: within}) {
  const name = mode?.replace('-', '_');
  return [
    name && t(`ranks.recorded.mode.${name}`),
    stages > 1 && t('ranks.recorded.stages', {stages: count(stages)}),
    // Some profilers write links alone.
    rows.length > 0 && t('ranks.count', {here: count(rows.length), world: count(world)}),
    alone !== null && t('ranks.recorded.alone', {share: percent(alone)}),
    between !== null && t('ranks.recorded.between', {share: percent(between)}),
    ...within.map(({stage, rate}) => t('ranks.recorded.within', {stage, share: percent(rate)})),
  ].filter((fact) => typeof fact === 'string');
}

/** @param {import('../../app.js').App} app */
function ranksTable(app) {
  return new DescribedTable(app, 'cluster.rows', {name: 'recorded-ranks', label: t('ranks.recorded.ranks'), empty: () => t('table.empty')});
}

/** @param {import('../../app.js').App} app */
function linksTable(app) {
  return new DescribedTable(app, 'cluster.links', {name: 'recorded-links', label: t('ranks.recorded.links'), empty: () => t('table.empty')});
}

/** @param {import('../../app.js').App} app */
function operatorsTable(app) {
  return new DescribedTable(app, 'cluster.operators', {name: 'recorded-operators', label: t('ranks.recorded.operators'), empty: () => t('table.empty')});
}
