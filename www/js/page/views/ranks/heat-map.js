// The heat map of ranks, a line per value: the darkness of a cell shows its place between the least and the greatest of its line.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {titleInJob} from '../parts/rank-name.js';
import {GridPlace, asGrid} from './grid-keys.js';
import {headingOf, markOf, markText, meaningOf, textOf} from './metrics.js';

/** @typedef {import('../../../../types/reports.js').JobRankReport} JobRank */
/** @typedef {import('./metrics.js').Metric} Metric */

/** The map; a click chooses a rank. */
export class HeatMap {
  #place = new GridPlace();
  element = this.#place.element;

  /** @param {import('../../app.js').App} app @param {(row: JobRank) => void} onPick */
  constructor(app, onPick) {
    this.app = app;
    this.onPick = onPick;
  }

  /** @param {JobRank[]} rows @param {Metric[]} metrics @param {Set<number>} judged the ranks that the verdict names */
  show(rows, metrics, judged) {
    const names = rows.map(({rank}) => titleInJob(this.app.state.summary, rank));
    const heads = rows.map(({rank}, place) => h('th', {scope: 'col', class: 'heat-rank', title: names[place]}, String(rank)));
    const cells = metrics.map((metric) => this.#cells(rows, names, metric, judged));
    const lines = metrics.map((metric, line) => h('tr', {}, h('th', {scope: 'row', class: 'left', title: meaningOf(metric)}, headingOf(metric)), cells[line]));
    const table = h(
      'table',
      {class: 'heat', 'data-test': 'heat-map'},
      h('thead', {}, h('tr', {}, h('th', {scope: 'col', class: 'left'}, t('column.job.ranks.rank')), heads)),
      h('tbody', {}, lines),
    );
    asGrid(table, t('ranks.heat.label'), cells);
    this.#place.show(table);
  }

  /** @param {JobRank[]} rows @param {string[]} names of the rows @param {Metric} metric @param {Set<number>} judged */
  #cells(rows, names, metric, judged) {
    const {wasm} = this.app;
    const values = rows.map(metric.value).filter((value) => value !== null);
    const least = Math.min(...values);
    const range = Math.max(...values) - least;
    return rows.map((row, place) => {
      const value = metric.value(row);
      const mark = markOf(row, metric);
      const title = [`${names[place]} · ${headingOf(metric)}: ${textOf(wasm, row, metric)}`, mark && markText(wasm, mark)].filter(Boolean).join('\n');
      const cell = h(
        'td',
        {
          class: `heat-cell${mark ? ' is-marked' : ''}${mark && judged.has(row.rank) ? ' is-judged' : ''}`,
          title,
          'data-test': mark ? 'heat-marked' : null,
          onclick: () => this.onPick(row),
        },
        h('span', {class: 'only-read-out'}, textOf(wasm, row, metric)),
      );
      if (value !== null) cell.style.setProperty('--heat', `${range ? Math.round((100 * (value - least)) / range) : 0}%`);
      return cell;
    });
  }
}
