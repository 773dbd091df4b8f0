// The tables that the profiler wrote itself: a choice of them, and the one that is chosen.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {Choice} from '../parts/choice.js';
import {OperatorNeighbors} from '../strategy/operator-neighbors.js';
import {StrategyCard} from '../strategy/strategy-card.js';
import {nodesOf, stagesOf} from '../strategy/strategy-layout.js';
import {DataTable} from '../table/data-table.js';
import {DescribedTable} from '../table/described/described.js';
import {graphOperators, nameColumn, partOf, tensorsOf, tensorsText} from './recorded-operators.js';
import {CurvesCard} from './curves-card.js';
import {nameOf} from './recorded-name.js';
import {RecordedPane, hasPane} from './recorded-pane.js';
import {ShapeCard} from './shape-card.js';
import {callsTable} from './shape-curves.js';

/** @typedef {import('../../../../types/reports.js').RecordedTableReport} RecordedTable */
/** @typedef {import('../../../../types/reports.js').MindSporeReport} MindSpore */
/** @typedef {import('../../../../types/reports.js').RecordedRowsReport} RecordedRows */
/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./recorded-pane.js').GraphOperator} GraphOperator */
/** @typedef {import('./recorded-operators.js').Rows & {texts: string[][]}} Work a table of FLOPs, by operator */
/** @typedef {{index: number, texts: string[], values: (number | string | null)[]}} Row */
/** @typedef {{table: RecordedTable, place: number | null, types?: NonNullable<MindSpore['aicpu_types']>}} Offered a table that can be chosen; `place` among those of the rank, or the rows of MindSpore's report */

/** Columns that are drawn: a step trace can have a thousand, one per collective and its ends. */
const MOST_COLUMNS = 60;

/** The tab of recorded tables. */
export class RecordedTab {
  #choice;
  #note = h('p', {class: 'hint', 'data-test': 'recorded-note'});
  #body = h('div', {class: 'recorded-table'});
  /** @type {DataTable<Row> | DataTable<number> | undefined} */
  #table;
  /** Curves of a table of dynamic shapes. @type {ShapeCard | undefined} */
  #shapes;
  /** Curves of any other table that says when its rows were. @type {CurvesCard | undefined} */
  #curves;
  /** Those of the rank that is shown. @type {Offered[]} */
  #offered = [];
  /** @type {RecordedTable[]} */
  #tables = [];
  /** Rows of tables that were asked for, by their places. @type {Map<number, Promise<RecordedRows | undefined>>} */
  #rows = new Map();
  /** The table to which a view led last: a later choice stays. @type {State['recordedTable']} */
  #led = null;
  /** Counts requests: only the last one's answer is shown. */
  #asked = 0;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    this.#choice = new Choice(t('recorded.table'), 'recorded', () => this.#choose());
    this.element = h('div', {class: 'recorded'}, h('div', {class: 'recorded-head'}, this.#choice.element, this.#note), this.#body);
  }

  /** @param {State} now @param {State | undefined} before */
  show(now, before) {
    const {recorded: tables = [], mindspore} = now.summary?.ranks[now.rank] ?? {};
    const isLed = now.recordedTable !== null && now.recordedTable !== this.#led;
    this.#led = now.recordedTable;
    if (before && tables === this.#tables && !isLed) return;
    const wanted = isLed ? now.recordedTable?.id : this.#offered[Number(this.#choice.value)]?.table.id;
    this.#tables = tables;
    this.#rows = new Map();
    this.#offered = tables.flatMap((table, place) => [...(table.id === 'aicpu' ? this.#processorTypes(table, mindspore) : []), {table, place}]);
    this.#choice.offer(this.#offered.map(({table}, index) => [String(index), this.#title(table)]));
    // The same table of another rank.
    this.#choice.value = String(
      Math.max(
        0,
        this.#offered.findIndex(({table}) => table.id === wanted),
      ),
    );
    this.#choose();
  }

  search() {
    this.#table?.search();
  }

  /** Draws the charts again: the theme changed. */
  redraw() {
    this.#table?.redraw();
    this.#shapes?.redraw();
    this.#curves?.redraw();
  }

  /** Operators of the AI CPU by type, of which the profiler wrote single calls. @param {RecordedTable} calls @param {MindSpore | undefined} mindspore @returns {Offered[]} */
  #processorTypes({file}, mindspore) {
    const types = mindspore?.aicpu_types ?? [];
    return types.length ? [{table: {id: 'aicpu_type', columns: [], file, row_count: types.length}, place: null, types}] : [];
  }

  /** @param {RecordedTable} table */
  #title({id, row_count: rows, file}) {
    const name = nameOf(id);
    const same = this.#offered.filter(({table}) => table.id === id).length > 1;
    return t(same ? 'recorded.choice.file' : 'recorded.choice', {name, rows: this.app.wasm.count(rows), file: file.split('/').pop() ?? ''});
  }

  /** @param {Offered} offered */
  #rowsOf({place}) {
    if (place === null) return undefined;
    const found = this.#rows.get(place) ?? this.app.recorded(place);
    this.#rows.set(place, found);
    return found;
  }

  /** Rows of the first table of an id, with its columns. @param {string} id */
  async #rowsNamed(id) {
    const offered = this.#offered.find(({table}) => table.id === id);
    const rows = offered && (await this.#rowsOf(offered));
    return rows && {columns: offered.table.columns, values: rows.values, texts: rows.texts};
  }

  /** The graph's data on operators, by name. @returns {Promise<Map<string, GraphOperator>>} */
  async #graph() {
    const framework = await this.#rowsNamed('framework');
    return framework ? graphOperators(framework) : new Map();
  }

  /** Asks for the rows of the chosen table. */
  async #choose() {
    const offered = this.#offered[Number(this.#choice.value)];
    const asked = ++this.#asked;
    if (!offered) {
      fill(this.#body, h('p', {class: 'nothing'}, t('recorded.none')));
      fill(this.#note);
      return;
    }
    const {table, types} = offered;
    if (types) {
      fill(this.#note, [t('recorded.file', {file: table.file}), t('recorded.operators.hint')].join(' · '));
      this.#showTypes(table, types);
      return;
    }
    const names = nameColumn(table.id, table.columns);
    const rows = await this.#rowsOf(offered);
    const graph = names === undefined ? undefined : await this.#graph();
    const work = names === undefined || table.id === 'op_flops' ? undefined : await this.#rowsNamed('op_flops');
    const calls = callsTable(table.id);
    const ofCalls = calls === undefined ? undefined : await this.#rowsNamed(calls);
    if (asked !== this.#asked || !rows) return;
    const hidden = Math.max(0, table.columns.length - MOST_COLUMNS);
    fill(
      this.#note,
      [
        t('recorded.file', {file: table.file}),
        rows.points_from ? t('recorded.points', {from: rows.points_from}) : '',
        hidden ? t('recorded.hidden', {columns: hidden}) : '',
        names === undefined && hasPane(table) ? t('recorded.operators.hint') : '',
        graph?.size ? t('recorded.tensors.hint') : '',
      ]
        .filter(Boolean)
        .join(' · '),
    );
    const all = rows.texts.map((texts, row) => ({index: row, texts, values: rows.values[row]}));
    const made = this.#make(table, all, graph, work);
    this.#table = made;
    this.#shapes = calls === undefined ? undefined : new ShapeCard(this.app, table.id, {columns: table.columns, values: rows.values}, ofCalls);
    this.#curves = this.#shapes ? undefined : CurvesCard.of(this.app, table, rows.values);
    const strategy = table.id === 'parallel_strategy' ? this.#strategyOf(table, rows) : undefined;
    fill(this.#body, this.#shapes?.element, this.#curves?.element, strategy?.element, made.element);
    made.show(all);
  }

  /** Operators by type, of which the profiler wrote no such table. @param {RecordedTable} table @param {NonNullable<Offered['types']>} types */
  #showTypes(table, types) {
    const pane = new RecordedPane(
      this.app,
      table,
      () => this.#graph(),
      (index) => types[index]?.name ?? '',
    );
    const made = new DescribedTable(this.app, 'mindspore.aicpu_types', {name: table.id, label: nameOf(table.id), empty: () => t('recorded.empty'), pane});
    this.#table = made.table;
    this.#shapes = undefined;
    this.#curves = undefined;
    fill(this.#body, made.element);
    made.show(types);
  }

  /** The stages that the table lists, with the operators of the graph. @param {RecordedTable} table @param {RecordedRows} rows */
  #strategyOf({columns}, {values}) {
    const {app} = this;
    const card = new StrategyCard(app, (rank) => {
      const index = app.state.summary?.ranks.findIndex((one) => one.rank === rank) ?? -1;
      if (index >= 0) app.choose({rank: index, step: null, selection: null});
    });
    const stages = stagesOf({columns, values});
    const open = new Set(app.state.summary?.ranks.flatMap(({rank}) => rank ?? []));
    card.show({ranks: stages.flat(), stages, groups: [], values: [], open});
    return card;
  }

  /** More of a row. @param {RecordedTable} table @param {Row[]} rows @returns {{show: (index: number) => HTMLElement, redraw: () => void} | undefined} */
  #paneOf(table, rows) {
    if (table.id === 'parallel_nodes') {
      const nodes = nodesOf({columns: table.columns, values: rows.map(({values}) => values)});
      const beside = new OperatorNeighbors(this.app, (node) => /** @type {DataTable<Row> | undefined} */ (this.#table)?.open(rows[nodes.indexOf(node)]));
      return {show: (index) => beside.show(nodes, nodes[index]), redraw: () => {}};
    }
    if (!hasPane(table)) return undefined;
    const at = (/** @type {string} */ name) => table.columns.findIndex((column) => column.name === name);
    return new RecordedPane(
      this.app,
      table,
      () => this.#graph(),
      (index, column) => rows[index]?.texts[at(column)] ?? '',
      (id) => this.#rowsNamed(id),
    );
  }

  /** @param {RecordedTable} table @param {Row[]} rows @param {Map<string, GraphOperator> | undefined} graph data on operators, if the table has their names @param {Work | undefined} work the FLOPs of operators, likewise @returns {DataTable<Row>} */
  #make(table, rows, graph, work) {
    const {id, columns} = table;
    const all = columns.map(({name, unit}, at) => ({
      // Columns may have the same name.
      key: columns.findIndex((one) => one.name === name) === at ? suffixed(name, unit) : `${suffixed(name, unit)}_${at}`,
      title: name,
      why: t(`recorded.unit.${unit}`),
      text: (/** @type {Row} */ row) => row.texts[at],
      value: (/** @type {Row} */ row) => row.values[at],
      left: unit === 'text',
      // Names and lists may be long; a click shows all of them.
      width: unit === 'text' ? 8 : undefined,
      weight: unit === 'text' ? 2 : 1,
      part: partOf(id, name),
      mean: unit === 'ns' && /(^|_)(avg|average|mean)(_|$)/.test(name),
    }));
    const number = {
      key: 'row',
      title: '#',
      why: t('recorded.row'),
      text: (/** @type {Row} */ row) => String(row.index + 1),
      value: (/** @type {Row} */ row) => row.index + 1,
      weight: 0,
    };
    const at = (/** @type {string} */ name) => columns.findIndex((column) => column.name === name);
    // Operators and their types stand by time, as in MindInsight; all else as in the file.
    const time = all.find(({part}) => part === 'time') ?? (graph && all.find((_, column) => columns[column].unit === 'ns'));
    const named = at(nameColumn(id, columns) ?? '');
    const joined = [
      ...meanColumns(all, (time) => this.app.wasm.duration(time)),
      ...(work ? workColumns(named, work) : []),
      ...(graph?.size ? graphColumns(named, graph) : []),
    ];
    return new DataTable(this.app, {
      name: id,
      label: nameOf(id),
      columns: [number, ...all.slice(0, MOST_COLUMNS), ...joined],
      saved: all,
      sort: time ? {key: time.key, down: true} : {key: 'row', down: false},
      searched: (row) => [...row.texts, ...joined.map(({text}) => text(row))].join(' '),
      detail: (row) => all.map(({title, text}) => [title, text(row)]),
      empty: () => t('recorded.empty'),
      pane: this.#paneOf(table, rows),
    });
  }
}

/**
 * The mean time of a call, where a table has the sum of times, the number of calls and no mean.
 * @param {(import('../table/columns/column.js').Column<Row> & {title: string})[]} columns @param {(time: number) => string} duration
 * @returns {import('../table/columns/column.js').Column<Row>[]}
 */
function meanColumns(columns, duration) {
  const [time, calls] = ['time', 'count'].map((kind) => columns.find(({part}) => part === kind));
  if (!time || !calls || columns.some(({title}) => /avg|average|mean/i.test(title))) return [];
  const mean = (/** @type {Row} */ row) => {
    const [sum, count] = [time.value(row), calls.value(row)];
    return typeof sum === 'number' && typeof count === 'number' && count > 0 ? sum / count : null;
  };
  const text = (/** @type {Row} */ row) => {
    const value = mean(row);
    return value === null ? '' : duration(value);
  };
  return [{key: 'mean', title: t('column.recorded_mean'), why: t('column.recorded_mean.why'), text, value: mean, weight: 1}];
}

/**
 * Columns with the FLOPs of operators, for a table with their names.
 * @param {number} at the column of the names @param {Work} work
 * @returns {import('../table/columns/column.js').Column<Row>[]}
 */
function workColumns(at, {columns, values, texts}) {
  const name = columns.findIndex((column) => column.name === 'full_kernel_name');
  const places = new Map(texts.map((row, place) => [row[name], place]));
  return columns.flatMap((column, index) => {
    if (index === name) return [];
    const of = (/** @type {Row} */ row, /** @type {(string | number | null)[][]} */ rows) => rows[places.get(row.texts[at]) ?? -1]?.[index] ?? null;
    return [
      {
        key: column.name,
        title: column.name,
        why: t('recorded.joined.flops'),
        text: (/** @type {Row} */ row) => String(of(row, texts) ?? ''),
        value: (/** @type {Row} */ row) => of(row, values),
        optional: true,
        weight: 1,
      },
    ];
  });
}

/** Columns with the graph's data on operators, for a table with their names. @param {number} at the column of the names @param {Map<string, GraphOperator>} graph @returns {import('../table/columns/column.js').Column<Row>[]} */
function graphColumns(at, graph) {
  const of = (/** @type {Row} */ row) => graph.get(row.texts[at]);
  const tensors = (/** @type {Row} */ row) => tensorsText(tensorsOf(of(row)?.info ?? ''));
  const column = (/** @type {string} */ key, /** @type {string} */ title, /** @type {(row: Row) => string} */ text, /** @type {number} */ width) => ({
    key,
    title,
    why: t('recorded.joined'),
    text,
    value: (/** @type {Row} */ row) => text(row) || null,
    left: true,
    optional: true,
    width,
    weight: 2,
  });
  return [column('kernel_type', 'kernel_type', (row) => of(row)?.type ?? '', 8), column('op_info', 'op_info', tensors, 12)];
}

/** A column's name with its unit, as in the program's JSON. @param {string} name @param {string} unit */
function suffixed(name, unit) {
  return unit === 'text' || unit === 'number' ? name : `${name} [${unit}]`;
}
