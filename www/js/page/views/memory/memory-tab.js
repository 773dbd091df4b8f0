// The memory tab: a curve of each device and of the host, allocations of operators, the largest blocks, live blocks at the peak.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {LineChart} from '../charts/line-chart.js';
import {Choice} from '../parts/choice.js';
import {heading} from '../parts/heading.js';
import {around, jumpButton} from '../parts/jump.js';
import {ReportTab} from '../parts/report-tab.js';
import {momentText} from '../table/described/described-columns.js';
import {memoryTables} from './memory-tables.js';

/** @typedef {import('../../../../types/reports.js').MemoryReport} MemoryReport */
/** @typedef {import('../../../../types/reports.js').MemoryCurveReport} MemoryCurve */
/** @typedef {import('../../../protocol/wasm.js').LineOptions} LineOptions */
/** @typedef {import('../../state.js').State} State */
/** @typedef {LineOptions['series'][number]} Series */
/** @typedef {import('./memory-tables.js').NamedTable} NamedTable */

/**
 * @typedef {object} Shown a memory that can be chosen
 * @property {string} name
 * @property {(report: MemoryReport) => MemoryCurve | undefined} [curve] over time, in this report or in one with finer curves
 * @property {LineOptions} chart
 * @property {[name: string, value: string, more: string, at?: number][]} facts `at`: when that was
 * @property {string} note
 * @property {NamedTable[]} tables
 * @property {(at: number) => string[]} [more] facts about a place of the curve
 * @property {(at: number) => {place: string, rows: object[]}} [live] the rows of the first table that are live at a place of the curve
 */

/** @extends {ReportTab<'memory'>} */
export class MemoryTab extends ReportTab {
  #place;
  #view;
  #chart;
  #tiles = h('div', {class: 'tiles', role: 'group', 'data-test': 'memory-facts'});
  #note = h('p', {class: 'hint', 'data-test': 'memory-note'});
  #table = h('div', {class: 'table-box'});
  /** The place of the curve that the table is about. */
  #live = h('p', {class: 'hint', hidden: true, 'data-test': 'memory-live'});
  #scope = h('p', {class: 'hint', hidden: true, 'data-test': 'memory-scope'}, t('memory.scope'));
  /** @type {Shown[]} */
  #all = [];
  /** The step that the curve was zoomed to. @type {number | null} */
  #step = null;
  /** Counts requests for finer curves: only the last one's answer is shown. */
  #asked = 0;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    super(app, 'memory', () => ({}));
    this.#place = new Choice(t('memory.place'), 'memory-place', () => this.#choose());
    this.#view = new Choice(t('memory.table'), 'memory-table', () => this.#showTable());
    this.#chart = new LineChart(app, {
      label: t('memory.chart'),
      onZoom: (range) => this.#refine(range),
      more: (at) => this.#shown?.more?.(at) ?? [],
      onPick: (at) => this.#pick(at),
    });
  }

  /** @param {State} now */
  async show(now) {
    this.#scope.hidden = now.step === null;
    await super.show(now);
    if (now.step === this.#step || !this.#all.length) return;
    this.#step = now.step;
    const step = now.step === null ? undefined : now.summary?.ranks[now.rank].steps[now.step];
    if (this.#shown?.curve) this.#chart.zoom(step ? [step.start_ns, step.end_ns] : null);
  }

  search() {
    this.#chosenTable?.[1].table.search();
  }

  redraw() {
    this.#chart.draw();
  }

  get #shown() {
    return this.#all[Number(this.#place.value)];
  }

  get #chosenTable() {
    const tables = this.#shown?.tables ?? [];
    return tables.find(([name]) => name === this.#view.value) ?? tables[0];
  }

  /** @param {MemoryReport} report @returns {Node[]} */
  draw(report) {
    const before = this.#shown?.name;
    this.#all = memories(this.app, report);
    this.#place.offer(this.#all.map(({name}, index) => [String(index), name]));
    // The same place of another rank.
    this.#place.value = String(
      Math.max(
        0,
        this.#all.findIndex(({name}) => name === before),
      ),
    );
    this.#place.element.hidden = this.#all.length < 2;
    this.#step = null;
    // Drawn once it stands in the page and has a size.
    queueMicrotask(() => this.#choose());
    return [
      h(
        'section',
        {class: 'card'},
        h('div', {class: 'card-head'}, heading('h2', 'memory.chart', 'memory'), h('span', {class: 'space'}), this.#place.element),
        this.#note,
        this.#chart.element,
      ),
      this.#scope,
      this.#tiles,
      h('section', {class: 'card'}, h('div', {class: 'card-head'}, this.#view.element), this.#table),
    ];
  }

  #choose() {
    const shown = this.#shown;
    if (!shown) return;
    this.#asked++;
    fill(this.#note, shown.note);
    this.#chart.show(shown.chart, null);
    this.#chart.element.hidden = !shown.chart.series.length;
    fill(
      this.#tiles,
      shown.facts.map(([name, value, more, at]) =>
        h(
          'div',
          {class: 'tile', tabindex: '0', 'data-test': `memory-${name}`, 'aria-describedby': `formula-memory-${name}`},
          h('span', {class: 'tile-name'}, t(`memory.fact.${name}`)),
          h('span', {class: 'tile-value'}, value),
          h('span', {class: 'tile-more'}, (at !== undefined && jumpButton(this.app, around(at), more, more)) || more),
          h('span', {class: 'formula', role: 'tooltip', id: `formula-memory-${name}`}, t(`memory.fact.${name}.why`)),
        ),
      ),
    );
    this.#tiles.hidden = !shown.facts.length;
    const view = this.#view.value;
    this.#view.offer(shown.tables.map(([name]) => [name, t(`memory.table.${name}`)]));
    this.#view.value = shown.tables.some(([name]) => name === view) ? view : (shown.tables[0]?.[0] ?? '');
    /** @type {HTMLElement} */ (this.#view.element.parentElement).hidden = shown.tables.length < 2;
    this.#showTable();
  }

  #showTable() {
    const chosen = this.#chosenTable;
    const section = /** @type {HTMLElement} */ (this.#table.parentElement);
    section.hidden = !chosen;
    if (!chosen) return;
    const [name, table, rows] = chosen;
    this.#live.hidden = true;
    fill(this.#table, h('p', {class: 'hint'}, t(`memory.table.${name}.why`)), this.#live, table.element);
    table.show(rows);
  }

  /** Shows the live blocks at a place of the curve. @param {number} at */
  #pick(at) {
    const [found, chosen] = [this.#shown?.live?.(at), this.#chosenTable];
    if (!found || !chosen) return;
    chosen[1].show(found.rows);
    const all = h('button', {class: 'button quiet', type: 'button', 'data-test': 'memory-live-all', onclick: () => this.#showTable()}, t('memory.live.all'));
    fill(this.#live, t('memory.live', {place: found.place}), ' ', all);
    this.#live.hidden = false;
  }

  /** Fetches finer curves for the part that is shown. @param {[number, number] | null} range */
  async #refine(range) {
    const shown = this.#shown;
    const asked = ++this.#asked;
    if (!shown?.curve) return;
    if (!range) {
      this.#chart.show(shown.chart, null);
      return;
    }
    const report = await this.app.report('memory', {span_ns: range});
    const fine = report && shown.curve(report);
    if (!fine || asked !== this.#asked) return;
    this.#chart.show(
      {
        ...shown.chart,
        series: shown.chart.series.map((series) =>
          spliced(
            series,
            seriesOf(fine).find(({name}) => name === series.name),
          ),
        ),
      },
      range,
    );
  }
}

/** A curve, the points of a finer one in place of its own where that has any. @param {Series} coarse @param {Series | undefined} fine @returns {Series} */
function spliced(coarse, fine) {
  if (!fine?.x.length) return coarse;
  const [x, y] = [Array.from(coarse.x), Array.from(coarse.y)];
  const before = x.filter((at) => at < fine.x[0]).length;
  const after = x.filter((at) => at <= fine.x[fine.x.length - 1]).length;
  return {
    ...coarse,
    x: [...x.slice(0, before), ...Array.from(fine.x), ...x.slice(after)],
    y: [...y.slice(0, before), ...Array.from(fine.y), ...y.slice(after)],
  };
}

/** @param {MemoryCurve} curve @returns {Series[]} */
function seriesOf(curve) {
  /** @type {(name: string, colour: string, values: (number | null)[]) => Series} */
  const series = (name, colour, values) => ({name: t(`memory.series.${name}`), class: colour, x: curve.at_ns, y: values, step: true, filled: true});
  return [...(curve.reserved_bytes ? [series('reserved', 'other', curve.reserved_bytes)] : []), series('allocated', 'kernel', curve.allocated_bytes)];
}

/** @param {MemoryCurve} curve @param {number} peak its time @returns {LineOptions} */
function overTime(curve, peak) {
  return {series: seriesOf(curve), x: 'ns', y: 'bytes', marks: [{at: peak, label: t('memory.peak')}]};
}

/** All that can be chosen. @param {import('../../app.js').App} app @param {MemoryReport} report @returns {Shown[]} */
function memories(app, report) {
  const {bytes, count, duration} = app.wasm;
  // Times before the trace are not in it.
  const when = (/** @type {number} */ at) =>
    /** @type {[string, number?]} */ (at < 0 ? [momentText(app.wasm, at)] : [t('memory.at', {time: duration(at)}), at]);
  const tables = memoryTables(app);
  const places = report.places.map((place, index) => {
    const {allocated, reserved, fragmentation: unused, blocks} = place;
    /** @type {Shown['facts']} */
    const facts = [['peak', bytes(allocated.peak_bytes), ...when(allocated.peak_at_ns)]];
    facts.push(...capacity(app, place, reserved ? 'reserved' : 'allocated'));
    if (reserved) facts.push(['reserved', bytes(reserved.peak_bytes), ...when(reserved.peak_at_ns)]);
    if (unused) facts.push(['unused', bytes(unused.max_bytes), t('memory.unused', {bytes: bytes(unused.at_allocated_peak_bytes)})]);
    facts.push(['blocks', count(blocks.allocations), t('memory.median', {time: duration(blocks.median_lifetime_ns)})]);
    facts.push(['unreleased', bytes(blocks.unreleased.bytes), t('memory.blocks', {blocks: count(blocks.unreleased.blocks)})]);
    return {
      name: place.device === null ? t('memory.host') : t('device', {device: place.device}),
      curve: (/** @type {MemoryReport} */ other) => other.places[index]?.curve,
      chart: overTime(place.curve, allocated.peak_at_ns),
      facts,
      note: t(`memory.source.${allocated.source}`, {events: count(place.events)}),
      tables: tables.ofPlace(place),
    };
  });
  const recorded = (report.recorded ?? []).map((found, index) => ({
    name: [found.component, found.device].filter(Boolean).join(' · ') || t('memory.recorded'),
    curve: (/** @type {MemoryReport} */ other) => other.recorded?.[index]?.curve,
    chart: overTime(found.curve, found.allocated.peak_at_ns),
    facts: /** @type {Shown['facts']} */ ([['peak', bytes(found.allocated.peak_bytes), ...when(found.allocated.peak_at_ns)]]),
    note: t('memory.recorded.why', {records: count(found.records)}),
    tables: tables.ofRecorded(report),
  }));
  const processes = (report.processes ?? []).map((found, index) => ({
    name: `${found.process} · ${found.counter}`,
    curve: (/** @type {MemoryReport} */ other) => other.processes?.[index]?.curve,
    chart: {...overTime(found.curve, found.peak_at_ns), series: seriesOf(found.curve).map((series) => ({...series, name: found.counter, class: 'dataloader'}))},
    facts: /** @type {Shown['facts']} */ ([['peak', bytes(found.peak_bytes), ...when(found.peak_at_ns)]]),
    note: t('memory.process.why'),
    tables: [],
  }));
  return [...places, ...recorded, ...processes, ...(report.planned ?? []).map((graph) => planned(app, graph, tables))];
}

/**
 * The device's memory with the peak's part of it, where known.
 * @param {import('../../app.js').App} app @param {{capacity_bytes?: number, peak_share?: number}} of @param {'reserved' | 'allocated' | 'planned'} peak what has that peak
 * @returns {Shown['facts']}
 */
function capacity({wasm: {bytes, percent}}, {capacity_bytes: all, peak_share: share}, peak) {
  return all === undefined ? [] : [['capacity', bytes(all), share === undefined ? '' : t(`memory.capacity.${peak}`, {share: percent(share)})]];
}

/** The plan as MindSpore's summary alone has it, where its details are missing. @param {import('../../app.js').App} app @param {import('../../../../types/reports.js').PlannedMemoryReport} graph @returns {Shown} */
function plannedInAll(app, graph) {
  const {bytes} = app.wasm;
  const {static_bytes: fixed, peak_bytes: peak} = graph;
  return {
    name: t('memory.plan'),
    chart: {series: [], x: 'number', y: 'bytes', marks: []},
    facts: [
      ['peak', bytes(peak), ''],
      ...capacity(app, graph, 'planned'),
      ...(fixed === null ? [] : /** @type {Shown['facts']} */ ([['static', bytes(fixed), '']])),
    ],
    note: t('memory.plan.why'),
    tables: [],
  };
}

/** A graph's plan, over the order of execution. @param {import('../../app.js').App} app @param {import('../../../../types/reports.js').PlannedMemoryReport} graph @param {ReturnType<typeof memoryTables>} tables @returns {Shown} */
function planned(app, graph, tables) {
  const {bytes} = app.wasm;
  if (!graph.total_bytes.length) return plannedInAll(app, graph);
  // The last operator takes as much room as any other.
  const order = [...graph.total_bytes.keys(), graph.total_bytes.length];
  const total = [...graph.total_bytes, ...graph.total_bytes.slice(-1)];
  /** @type {(name: string, colour: string, values: number[]) => Series} */
  const series = (name, colour, values) => ({name: t(`memory.series.${name}`), class: colour, x: order, y: values, step: true, filled: true});
  const {static_bytes: fixed, forward_start_index: first, backward_end_index: last} = graph;
  const place = (/** @type {number} */ at) => Math.min(Math.max(Math.floor(at), 0), graph.total_bytes.length - 1);
  const named = (/** @type {number} */ index) => [String(index), graph.operators[index]].filter(Boolean).join(' · ');
  const signed = (/** @type {number} */ value) => (value < 0 ? `-${bytes(-value)}` : bytes(value));
  return {
    name: t('memory.graph', {graph: graph.graph}),
    chart: {
      series: [
        series('planned', 'kernel', total),
        ...(fixed === null
          ? []
          : [
              series(
                'static',
                'memcpy',
                order.map(() => fixed),
              ),
            ]),
      ],
      x: 'number',
      y: 'bytes',
      marks: [
        {at: graph.peak_index, label: t('memory.peak')},
        ...(first === null ? [] : [{at: first, label: t('memory.forward_start')}]),
        ...(last === null ? [] : [{at: last + 1, label: t('memory.backward_end')}]),
      ],
    },
    facts: [
      ['peak', bytes(graph.peak_bytes), graph.peak_operator || t('memory.operator', {index: graph.peak_index})],
      ...capacity(app, graph, 'planned'),
      ...(fixed === null ? [] : /** @type {Shown['facts']} */ ([['static', bytes(fixed), '']])),
    ],
    note: t('memory.graph.why'),
    tables: graph.tensors.length ? [['tensors', tables.tensors, graph.tensors]] : [],
    more: (at) => {
      const index = place(at);
      const own = graph.operator_bytes[index] ?? null;
      const change = graph.total_bytes[index] - (index > 0 ? graph.total_bytes[index - 1] : (fixed ?? 0));
      return [
        ...(graph.operators[index] ? [named(index)] : []),
        ...(own === null ? [] : [t('memory.operator_bytes', {bytes: bytes(own)})]),
        t('memory.change', {bytes: signed(change)}),
      ];
    },
    live: (at) => {
      const index = place(at);
      const lives = (/** @type {import('../../../../types/reports.js').MemoryPlannedTensorsRow} */ {first_index: from, last_index: to}) =>
        from !== null && to !== null && from <= index && index <= to;
      return {place: named(index), rows: graph.tensors.filter(lives)};
    },
  };
}
