// The resources tab: curves of the machine's load, one kind at a time, and statistics of each.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {CURVE_COLORS, LineChart, valueText} from '../charts/line-chart.js';
import {ReportTab} from '../parts/report-tab.js';
import {DescribedTable} from '../table/described/described.js';
import {sparkline} from '../charts/sparkline.js';
import {curveKey, curveLines} from './curve-lines.js';

/** @typedef {import('../../../protocol/wasm.js').Unit} Unit */
/** @typedef {import('../../../../types/reports.js').ResourceReport} Resource */
/** @typedef {import('../../../../types/reports.js').ResourcesReport} ResourcesReport */

/** The tab of resources. @extends {ReportTab<'resources'>} */
export class ResourcesTab extends ReportTab {
  #chart;
  #table;
  #note = h('p', {class: 'hint'});
  /** The drawn parts, once a report is there. */
  #parts;
  /** The kind that is shown: the first that there is, until one is chosen. */
  #kind = '';
  /** @type {Resource[]} */
  #resources = [];
  /** Curves of which the points are known: of each kind that was shown. @type {Map<string, Resource>} */
  #drawable = new Map();
  /** @type {Map<string, import('./curve-lines.js').CurveLine>} */
  #lines = new Map();

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    super(app, 'resources', () => ({kind: this.#kind}));
    this.#chart = new LineChart(app, {label: t('tab.resources')});
    this.#table = new DescribedTable(app, 'resources', {
      name: 'resources',
      label: t('tab.resources'),
      empty: () => t('table.empty'),
      beside: [
        {
          key: 'curve',
          after: 'kind',
          title: t('resources.column.curve'),
          why: t('resources.column.curve.why'),
          // In copies, and until the points are known.
          text: (row) => `${this.#said(row, row.min)} – ${this.#said(row, row.max)}`,
          value: (row) => row.max,
          width: 10,
          weight: 0,
          picture: (row) => this.#picture(row),
        },
      ],
      onRow: (row) => this.#pick(row),
    });
    this.#parts = [
      h('section', {class: 'card wide', 'aria-label': t('tab.resources')}, h('p', {class: 'hint'}, t('resources.why')), this.#note, this.#chart.element),
      this.#table.element,
    ];
  }

  /** A value of a curve. @param {Resource} row @param {number} value */
  #said(row, value) {
    return valueText(this.app.wasm, /** @type {Unit} */ (row.unit), value);
  }

  redraw() {
    this.#chart.draw();
  }

  search() {
    this.#table.table.search();
  }

  /** @override @param {ResourcesReport} report */
  draw({resources}) {
    const known = this.#resources.length && this.#resources.every((one, index) => one.name === resources[index]?.name && one.owner === resources[index]?.owner);
    this.#resources = resources;
    if (!resources.some(({kind}) => kind === this.#kind)) {
      this.#kind = resources[0]?.kind ?? '';
      if (this.#kind) this.again();
    }
    if (!known) this.#drawable.clear();
    for (const one of resources) if (one.points) this.#drawable.set(curveKey(one), one);
    this.#lines = curveLines([...this.#drawable.values()]);
    // The row that was chosen stays so.
    if (known) this.#table.table.redraw();
    else this.#table.show(resources);
    this.#showCurves(this.#chosen);
    return this.#parts;
  }

  /** A curve's line; none until its kind was shown. @param {Resource} row */
  #picture(row) {
    const line = this.#lines.get(curveKey(row));
    if (!line) return null;
    const {duration} = this.app.wasm;
    const valued = (/** @type {number} */ value) => this.#said(row, value);
    const label = t('sparkline.mean', {lowest: valued(row.min), mean: valued(row.mean), highest: valued(row.max)});
    const said = (/** @type {number} */ place) => {
      const value = valued(line.values[place] ?? 0);
      const from = line.from + place * line.each;
      return line.holds ? t('resources.curve.at', {from: duration(from), until: duration(from + line.each), value}) : value;
    };
    return sparkline(line.values, line.scale, {label, usual: row.mean, isJudged: false, said});
  }

  /** The curve that is shown alone, by name and owner. @type {{name: string, owner: string} | undefined} */
  #chosen;

  /** @param {Resource | undefined} row */
  #pick(row) {
    this.#chosen = row && {name: row.name, owner: row.owner};
    if (row && row.kind !== this.#kind) {
      this.#kind = row.kind;
      this.again();
    } else this.#showCurves(this.#chosen);
  }

  /** @param {{name: string, owner: string} | undefined} chosen */
  #showCurves(chosen) {
    const ofKind = this.#resources.filter((one) => one.points);
    const first = ofKind.find((one) => one.name === chosen?.name && one.owner === chosen.owner) ?? ofKind[0];
    if (!first) return;
    // Only curves of one unit: several units have no common axis.
    const alike = chosen ? [first] : ofKind.filter((one) => one.unit === first.unit && one.holds === first.holds);
    const shown = alike.slice(0, CURVE_COLORS.length);
    const owners = new Set(shown.map(({owner}) => owner));
    const series = shown.map((one, index) => ({
      name: owners.size > 1 ? `${one.owner}: ${one.name}` : one.name,
      class: CURVE_COLORS[index],
      x: (one.points ?? []).map(([at]) => at),
      y: (one.points ?? []).map(([, value]) => value),
      step: one.holds,
      filled: shown.length === 1,
    }));
    const rest = ofKind.length - shown.length;
    fill(
      this.#note,
      [t(`resources.${first.kind}`), chosen || rest <= 0 ? '' : t('resources.rest', {rest: this.app.wasm.count(rest)})].filter(Boolean).join(' · '),
    );
    this.#chart.show({series, x: first.holds ? 'ns' : 'number', y: /** @type {Unit} */ (first.unit), marks: []}, null);
  }
}
