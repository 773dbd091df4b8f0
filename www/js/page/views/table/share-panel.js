// The shares of a table's largest rows in its total, as bars or as a pie above the table; mean times, as bars alone.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {environment} from '../../environment/environment.js';
import {BarChart} from '../charts/chart.js';
import {Pie} from '../charts/pie.js';
import {Choice} from '../parts/choice.js';
import {sumText} from './sums.js';

/** Thickness of a bar, in CSS pixels: twenty of them must be visible at once. */
const THICK = 20;

const TOPS = ['5', '10', '20', '50'];

/** @typedef {'none' | 'bars' | 'pie'} Kind */

/** @template Row */
export class SharePanel {
  /** @type {Row[]} */
  #rows = [];
  /** @type {import('../../../protocol/wasm.js').Share[]} */
  #shares = [];
  #others = 0;
  #bars;
  #pie;
  #of;
  #top;
  #chart = h('div', {class: 'share-chart'});
  #whole = h('span', {class: 'hint'}, t('shares.whole'));

  /**
   * @param {import('../../app.js').App} app
   * @param {import('./columns/column.js').Column<Row>[]} columns
   * @param {(row: number) => void} onPick a row of those that are shown
   */
  constructor(app, columns, onPick) {
    this.app = app;
    this.columns = columns;
    this.parts = columns.filter(({part}) => part && part !== 'share');
    this.means = columns.filter(({mean}) => mean);
    // Rows may have a number first.
    this.named = columns.find(({left}) => left) ?? columns[0];
    const again = () => {
      this.#offer();
      this.#draw();
    };
    this.kind = new Choice(t('shares'), 'shares', () => {
      environment().remember('shares', this.kind.value);
      again();
    });
    this.kind.offer([
      ['none', t('shares.none')],
      ['bars', t('shares.bars')],
      ['pie', t('shares.pie')],
    ]);
    const kind = environment().remembered('shares');
    this.kind.value = kind === 'bars' || kind === 'pie' ? kind : 'none';
    this.#of = new Choice(t('shares.of'), 'shares-of', again);
    this.#offer();
    this.#top = new Choice(t('shares.top'), 'shares-top', again);
    this.#top.offer(TOPS.map((top) => [top, top]));
    this.#top.value = '20';
    this.#bars = new BarChart(app, {
      label: t('shares'),
      thick: THICK,
      partName: () => this.#column.title,
      describe: (region) => this.#describe(this.#shares[region.first], this.#others),
      onPick: (region) => {
        const {row} = this.#shares[region.first];
        if (row !== null) onPick(row);
      },
    });
    this.#pie = new Pie(app, {label: t('shares'), describe: (sector, others) => this.#describe(sector, others), onPick});
    this.element = h(
      'div',
      {class: 'share-panel card', hidden: true, 'data-test': 'share-panel'},
      h('div', {class: 'card-head'}, this.#of.element, this.#top.element, this.#whole),
      this.#chart,
    );
  }

  /** Offers the columns that the chosen chart can show: a pie shows parts of a whole. */
  #offer() {
    const before = this.#of.value;
    const columns = this.kind.value === 'bars' ? [...this.parts, ...this.means] : this.parts;
    this.#of.offer(columns.map((column) => [column.key, column.title]));
    if (columns.some(({key}) => key === before)) this.#of.value = before;
  }

  /** @returns {import('./columns/column.js').Column<Row>} */
  get #column() {
    return [...this.parts, ...this.means].find((column) => column.key === this.#of.value) ?? this.parts[0];
  }

  /** Chooses the column of the shares, if it is one that adds up. @param {string} key */
  measure(key) {
    if (this.parts.some((column) => column.key === key)) this.#of.value = key;
    this.#draw();
  }

  /** @param {Row[]} rows */
  show(rows) {
    this.#rows = rows;
    this.#draw();
  }

  /** Draws it again: the theme changed. */
  redraw() {
    if (this.kind.value === 'bars') this.#bars.draw();
    if (this.kind.value === 'pie') this.#pie.draw();
  }

  #draw() {
    const kind = this.kind.value;
    this.element.hidden = kind === 'none';
    if (kind === 'none') return;
    const column = this.#column;
    const values = this.#rows.map((row) => Number(column.value(row) ?? 0));
    const top = Number(this.#top.value);
    const {sectors: all, others} = this.app.wasm.top_shares(new Float64Array(values), top);
    // The other rows of a column of means have no sum.
    const sectors = column.part ? all : all.filter(({row}) => row !== null);
    this.#whole.hidden = !column.part;
    this.#shares = sectors;
    this.#others = others;
    if (!sectors.length) {
      fill(this.#chart, h('p', {class: 'nothing'}, t('shares.nothing')));
    } else if (kind === 'pie') {
      fill(this.#chart, this.#pie.element);
      this.#pie.show(values, top);
    } else {
      fill(this.#chart, this.#bars.element);
      this.#bars.show({
        parts: ['kernel'],
        bars: sectors.map((share) => ({label: this.#describe(share, others)[0], values: [share.value], pale: share.row === null})),
        lying: true,
        selected: null,
        counts: column.part !== 'time' && !column.mean,
      });
    }
  }

  /** @param {import('../../../protocol/wasm.js').Share} share @param {number} others @returns {[name: string, value: string] | [name: string, value: string, whole: string]} */
  #describe({row, value, share}, others) {
    const {count, percent} = this.app.wasm;
    const name = row === null ? t('shares.rest', {count: count(others)}) : this.named.text(this.#rows[row]);
    const column = this.#column;
    const text = column.part ? `${sumText(this.app.wasm, column.part, value)} · ${percent(share)}` : this.app.wasm.duration(value);
    const whole = row === null ? undefined : this.named.whole?.(this.#rows[row]);
    return whole === undefined || whole === name ? [name, text] : [name, text, whole];
  }
}
