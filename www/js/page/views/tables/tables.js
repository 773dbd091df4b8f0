// The tables of operators, kernels and copies.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {hasModules} from '../../state.js';
import {tabName} from '../frame/tab-name.js';
import {Choice} from '../parts/choice.js';
import {known} from '../parts/units.js';
import {describedSmallTable} from '../table/described/described-small.js';
import {EveryStep} from '../table/described/every-step.js';
import {joined, placeOf} from '../table/described/step-tables.js';
import {DescribedTable, descriptionOf, tableRows} from '../table/described/described.js';
import {KernelUseParts, useFacts} from './kernel-use.js';
import {RowPane} from './row-pane.js';

/** @typedef {import('../../../../types/reports.js').LeftOutReport} LeftOut */
/** @typedef {import('../../../protocol/table.js').TableValues} TableValues */
/** @typedef {import('../../state.js').State} State */

/** A tab with one table of the selection. */
class TableTab {
  /** The rows in the table: an open row stays open, also while another tab is shown. @type {TableValues | undefined} */
  #shown;
  /** @param {DescribedTable} described @param {(state: State) => TableValues | undefined} rows */
  constructor(described, rows) {
    this.described = described;
    this.table = described.table;
    this.rows = rows;
    this.element = described.element;
  }

  /** Other rows than these are shown. */
  forget() {
    this.#shown = undefined;
  }

  /** @param {State} now @param {State | undefined} _before */
  show(now, _before) {
    const rows = this.rows(now);
    if (!rows || rows === this.#shown) return;
    this.#shown = rows;
    this.described.show(rows);
  }

  search() {
    this.table.search();
  }

  redraw() {
    this.table.redraw();
  }

  /** @param {string} text @param {boolean} isLed whether the way to the tab led to it */
  find(text, isLed) {
    this.table.find(text, isLed);
  }
}

/** Why a table has no rows. @param {import('../../app.js').App} app @param {'operators' | 'kernels' | 'copies'} table */
function nothing(app, table) {
  return t(app.state.step === null ? `table.empty.${table}` : 'table.empty.step');
}

/**
 * The rows of calls that averages over steps leave out; below rows of each step, those outside of all.
 * @param {State} state @param {(left: LeftOut) => number} calls @param {(left: LeftOut) => Record<string, string>} cells @param {boolean} [isOfSteps]
 */
function leftOut({selection}, calls, cells, isOfSteps = false) {
  const rows = selection?.left_out?.filter((left) => calls(left) > 0 && !(isOfSteps && left.steps)) ?? [];
  return rows.map((left) => ({name: left.steps ? t('left_out.steps', {steps: left.steps}) : t('left_out.outside'), cells: cells(left)}));
}

/** Groupings of operators: calls with the same value are one row. */
const GROUPINGS = ['name', 'shapes', 'type', 'stack', 'category', 'thread', 'module', 'step'];

/** Whether each row is to be of one step. @param {State} state */
const isByStep = ({grouping, step}) => grouping === 'step' && step === null;

/** The times by which operators are sorted at first. @param {State} state */
const ofOperators = ({summary, rank}) => (summary?.ranks[rank].device_time.length ? 'device_self_ns' : 'host_self_ns');

export class OperatorsTab extends TableTab {
  /** The tables of each step that were asked for last. @type {import('../table/described/every-step.js').StepTables | undefined} */
  #asked;
  /** The selection with which one could not be read: they are asked for again with another. @type {State['selection'] | undefined} */
  #failed;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    const grouping = new Choice(t('grouping'), 'grouping', (by) => {
      if (['module', 'step'].includes(by)) table.table.group(by);
      choose();
    });
    const merge = h('input', {type: 'checkbox', 'data-test': 'merge', onchange: () => choose()});
    merge.checked = app.state.merge;
    const show = (/** @type {Pick<State, 'grouping' | 'merge'>} */ choice) => {
      grouping.value = choice.grouping;
      merge.checked = choice.merge;
      app.choose(choice);
    };
    const choose = () => {
      const [before, now] = [app.state, {grouping: grouping.value, merge: merge.checked}].map(({grouping, merge}) => ({grouping, merge}));
      app.undos.add({element: table.element, what: tabName('operators', app.state), kind: 'grouping', undo: () => show(before), redo: () => show(now)});
      show(now);
    };
    const slices = h('span', {class: 'hint below', 'data-test': 'slices', hidden: true}, t('slices.why'));
    const steps = new EveryStep(
      app,
      async (request, rank) => (await app.report('selection', request, rank))?.tables.operators,
      () => ({grouping: app.state.grouping, merge: app.state.merge}),
    );
    const table = new DescribedTable(app, 'operators', {
      name: 'operators',
      pane: new RowPane(app, 'operators', (row) => (this.ofSteps ? placeOf(this.ofSteps, row) : {})),
      curve: {steps, of: () => ofOperators(app.state)},
      label: t('tab.operators'),
      empty: () => (steps.isReading ? '' : nothing(app, 'operators')),
      tools: [grouping.element, h('label', {class: 'check', title: t('merge.why')}, merge, t('merge')), slices],
    });
    super(table, (state) => state.selection?.tables.operators);
    this.steps = steps;
    /** The tables of each step, where the rows are of one. @type {TableValues[] | undefined} */
    this.ofSteps = undefined;
    this.slices = slices;
    this.grouping = grouping;
  }

  /** @override @param {State} now @param {State | undefined} before */
  show(now, before) {
    this.slices.hidden = now.selection?.operators_are !== 'slices';
    // By modules where the trace has some, or where rows were grouped so before.
    const has = {module: hasModules(now), step: this.steps.areOffered};
    const offered = GROUPINGS.filter((name) => name === now.grouping || (has[/** @type {keyof has} */ (name)] ?? true));
    this.grouping.offer(offered.map((name) => [name, t(`grouping.${name}`)]));
    this.grouping.value = now.grouping;
    const {count, duration} = this.table.app.wasm;
    const cells = (/** @type {LeftOut} */ left) => ({
      calls: count(left.operator_calls),
      device_self_ns: duration(left.device_self_ns),
      host_self_ns: duration(left.host_self_ns),
    });
    const foot = (/** @type {State} */ of) => this.table.foot(leftOut(of, (left) => left.operator_calls, cells, this.ofSteps !== undefined));
    const isOfSteps = isByStep(now) && has.step && now.selection !== this.#failed;
    if (isOfSteps) this.#showSteps(foot);
    else {
      this.#asked = this.ofSteps = undefined;
      this.element.removeAttribute('aria-busy');
      super.show(now, before);
    }
    if (!isOfSteps || this.ofSteps) foot(now);
    // Without a device all of its times are zero.
    if (!before || now.summary !== before.summary || now.rank !== before.rank) this.table.order(ofOperators(now), true);
  }

  /** Shows the rows of each step, once they are there; none before, since those of another rank lead elsewhere. @param {(of: State) => void} foot */
  async #showSteps(foot) {
    const asked = this.steps.tables;
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.ofSteps = undefined;
    this.forget();
    this.element.setAttribute('aria-busy', 'true');
    this.described.show(undefined);
    this.table.foot([]);
    const tables = await asked;
    // Something else is shown by then: it is asked for when this tab is.
    if (asked !== this.#asked || tables === undefined) return;
    const {state} = this.table.app;
    this.element.removeAttribute('aria-busy');
    if (tables) {
      this.ofSteps = tables;
      this.described.show(joined(tables, this.steps.names), true);
    } else {
      this.#failed = state.selection;
      super.show(state, state);
    }
    foot(state);
  }
}

export class KernelsTab extends TableTab {
  /** @param {import('../../app.js').App} app */
  constructor(app) {
    /** @type {KernelUseParts} */
    const use = new KernelUseParts(
      app,
      () => table.table,
      (rows, isOfSteps) => {
        this.kernels = rows;
        table.show(rows, isOfSteps);
        this.#showFoot(isOfSteps);
      },
    );
    /** @type {DescribedTable} */
    const table = new DescribedTable(app, 'kernel_use.kernels', {
      name: 'kernels',
      pane: new RowPane(app, 'kernels', (row) => ({kernel_grouping: use.rowsBy, ...(use.ofSteps && placeOf(use.ofSteps, row))})),
      curve: {steps: use.steps, of: () => 'total_ns', more: () => (['family', 'launch'].includes(use.rowsBy) ? ['family'] : [])},
      label: t('tab.kernels'),
      empty: () => (use.element.hasAttribute('aria-busy') ? '' : nothing(app, 'kernels')),
      facts: (row) => useFacts(app, row),
      tools: [use.choice],
      onGroup: () => use.show(app.state),
    });
    super(table, () => undefined);
    /** @type {TableValues | undefined} */
    this.kernels = undefined;
    this.use = use;
    this.families = h('div');
    this.element = use.around(table.element);
    this.element.prepend(this.families);
  }

  /** @override @param {State} now @param {State | undefined} before */
  show(now, before) {
    this.use.show(now);
    const families = now.selection?.tables.kernel_families;
    if (now.selection !== before?.selection) {
      fill(this.families, families && families.rows > 0 && this.#familyTable(families));
    }
    this.#showFoot(this.use.ofSteps !== undefined);
  }

  /** @param {boolean} isOfSteps */
  #showFoot(isOfSteps) {
    const {state, wasm} = this.table.app;
    const cells = (/** @type {LeftOut} */ left) => ({calls: wasm.count(left.kernels), total_ns: wasm.duration(left.kernel_ns)});
    this.table.foot(leftOut(state, (left) => left.kernels, cells, isOfSteps));
  }

  /** The families; a click shows the kernels of one. @param {TableValues} families */
  #familyTable(families) {
    const name = (/** @type {{family: string}} */ {family}, /** @type {string} */ text) =>
      h(
        'button',
        {type: 'button', class: 'link', title: t('kernel.family.open'), 'data-test': `family-${family}`, onclick: () => this.#openFamily(family, text)},
        text,
      );
    return describedSmallTable(this.use.app, 'kernel_families', t('kernel.families'), families, name);
  }

  /** Filters the kernels to those of a family, and opens the one with the most time, as the family's row names it. @param {string} family @param {string} text as the table has it */
  async #openFamily(family, text) {
    await this.use.showByFamily();
    if (!this.kernels) return;
    this.table.filter('family', `=${text}`);
    const rows = tableRows(descriptionOf(this.use.app, 'kernel_use.kernels'), this.kernels);
    const total = (/** @type {number} */ row) => Number(rows.value('total_ns', row));
    const of = [...Array(rows.length).keys()].filter((row) => rows.value('family', row) === family);
    if (of.length) this.table.open(of.reduce((most, row) => (total(row) > total(most) ? row : most)));
  }

  /** @override @param {string} text @param {boolean} isLed */
  async find(text, isLed) {
    // Rows of another rank or step may still be shown.
    await this.use.show(this.use.app.state);
    super.find(text, isLed);
  }
}

export class CopiesTab extends TableTab {
  /** @param {import('../../app.js').App} app */
  constructor(app) {
    const {percent, gigabytes_per_second: rate} = app.wasm;
    const peak = (/** @type {any} */ row) =>
      row.peak_gigabytes_per_second === null
        ? t('kernel.no_peak')
        : t('copy.peak', {share: known(app.wasm, percent(row.share_of_peak), row.share_of_peak_coverage), peak: rate(row.peak_gigabytes_per_second)});
    const table = new DescribedTable(app, 'copies', {
      name: 'copies',
      pane: new RowPane(app, 'copies'),
      curve: {
        steps: new EveryStep(
          app,
          async (request, rank) => (await app.report('selection', request, rank))?.tables.copies,
          () => ({}),
        ),
        of: () => 'total_ns',
      },
      label: t('tab.copies'),
      empty: () => nothing(app, 'copies'),
      facts: (row) => ({texts: {share_of_peak: peak(row), peak_gigabytes_per_second: ''}}),
    });
    super(table, (state) => state.selection?.tables.copies);
  }

  /** @override @param {State} now @param {State | undefined} before */
  show(now, before) {
    super.show(now, before);
    const {count, duration, bytes} = this.table.app.wasm;
    const cells = (/** @type {LeftOut} */ left) => ({calls: count(left.copies), total_ns: duration(left.copy_ns), bytes: bytes(left.copy_bytes)});
    this.table.foot(leftOut(now, (left) => left.copies, cells));
  }
}
