// The tables of a comparison. Differences are b − a.

import {t} from '../../environment/i18n.js';
import {MODULE} from '../calls/box-name.js';
import {jumpButton, nameLink} from '../parts/jump.js';
import {DataTable} from '../table/data-table.js';

/** @typedef {import('../../../../types/reports.js').CauseChangeReport} CauseChange */
/** @typedef {import('../../../../types/reports.js').ChangeReport} Change */
/** @typedef {import('../../../../types/reports.js').ContributionReport} Contribution */
/** @typedef {import('../../../../types/reports.js').OperatorChangeReport} OperatorChange */
/** @typedef {import('../../../../types/reports.js').RankChangeReport} RankChange */
/** @typedef {import('../parts/kernel-names.js').KernelNames} KernelNames */
/** @template Row @typedef {import('../table/columns/column.js').Column<Row>} Column */
/** @typedef {import('./sides.js').SideNames} SideNames */

/** A step or a phase on both sides; `shown`: the step of the shown trace. @typedef {{name: string, a: number | null, b: number | null, change: number | null, shown?: string}} Pair */

/** Which trace each side of the differences is: they are b − a. @typedef {{a: 'shown' | 'other', b: 'shown' | 'other'}} Sides */
/** The sides with the names of both, and of their kernels. @typedef {Sides & {names: SideNames, kernels: {contributed: KernelNames, all: KernelNames}}} NamedSides */

/** The tables of a comparison. @param {import('../../app.js').App} app @param {NamedSides} sides */
export function tablesOf(app, sides) {
  return {
    contributions: contributions(app, sides),
    operators: operators(app, sides, 'operators'),
    modules: operators(app, sides, 'modules'),
    phases: pairs(app, sides, 'phases'),
    pairs: pairs(app, sides, 'pairs'),
    causes: pairs(app, sides, 'causes'),
    families: pairedTable(app, sides, 'families'),
    kernels: pairedTable(app, sides, 'kernels'),
    functions: pairedTable(app, sides, 'functions'),
  };
}

/** @param {NamedSides} sides @param {'a' | 'b'} side */
const nameOf = (sides, side) => sides.names[sides[side]];

/**
 * The columns of a time on both sides; a change has its sign, and an arrow's colour only beside that.
 * @template Row
 * @param {import('../../app.js').App} app @param {NamedSides} both @param {string} key @param {(row: Row) => {a: number | null, b: number | null, change: number | null}} of
 * @param {string} [what] before each title @param {string} [why] meaning of the change @returns {Column<Row>[]}
 */
function sides(app, both, key, of, what, why = t('compare.column.change.why', {nameA: nameOf(both, 'a'), nameB: nameOf(both, 'b')})) {
  const {duration, duration_change: signed} = app.wasm;
  const title = (/** @type {string} */ text) => (what ? `${what}: ${text}` : text);
  const text = (/** @type {number | null} */ value) => (value === null ? '–' : duration(value));
  return [
    {
      key: `${key}_change_ns`,
      title: title(t('compare.column.change')),
      why,
      text: (row) => {
        const {change} = of(row);
        return change === null ? '–' : signed(change);
      },
      value: (row) => of(row).change,
      order: (row) => Math.abs(of(row).change ?? 0),
      tone: (row) => of(row).change,
    },
    {key: `${key}_b_ns`, title: title(nameOf(both, 'b')), text: (row) => text(of(row).b), value: (row) => of(row).b},
    {key: `${key}_a_ns`, title: title(nameOf(both, 'a')), text: (row) => text(of(row).a), value: (row) => of(row).a},
  ];
}

/** @param {Change} change */
const changeOf = ({a_ns: a, b_ns: b, change_ns: change}) => ({a, b, change});

/** @template Row @param {import('../../app.js').App} app @param {NamedSides} both @param {(row: Row) => {a: number, b: number}} of @param {string} [why] @returns {Column<Row>[]} */
function calls(app, both, of, why = t('compare.column.calls.why')) {
  const {count} = app.wasm;
  const text = (/** @type {number} */ calls) => (Number.isInteger(calls) ? count(calls) : calls.toFixed(1));
  const column = (/** @type {'a' | 'b'} */ side) => ({
    key: `calls_${side}`,
    title: t('compare.column.calls', {side: nameOf(both, side)}),
    why,
    text: (/** @type {Row} */ row) => text(of(row)[side]),
    value: (/** @type {Row} */ row) => of(row)[side],
  });
  return [column('b'), column('a')];
}

/** @param {import('../../app.js').App} app @param {NamedSides} both */
function contributions(app, both) {
  const {duration} = app.wasm;
  const named = (/** @type {Contribution} */ row, /** @type {string} */ name) =>
    row.category === 'other' ? t('compare.unrecorded') : [name, row.shapes].filter(Boolean).join(' ');
  const name = (/** @type {Contribution} */ row) => named(row, row.name);
  const short = (/** @type {Contribution} */ row) => named(row, both.kernels.contributed.of(row.name));
  const mean = (/** @type {number | null} */ value) => (value === null ? '–' : duration(value));
  /** @type {DataTable<Contribution>} */
  const table = new DataTable(app, {
    name: 'contributions',
    label: t('compare.contributions'),
    columns: [
      {key: 'name', title: t('column.name'), text: short, whole: name, value: name, order: short, left: true, width: 16, weight: 6},
      {key: 'role', title: t('compare.column.category'), text: (row) => t(`category.${row.category}`), value: (row) => row.category, left: true},
      ...sides(app, both, 'time', (/** @type {Contribution} */ row) => changeOf(row.time)),
      ...calls(app, both, (/** @type {Contribution} */ row) => row.calls),
      {key: 'mean_b_ns', title: t('compare.column.mean', {side: nameOf(both, 'b')}), text: (row) => mean(row.mean_ns.b), value: (row) => row.mean_ns.b},
      {key: 'mean_a_ns', title: t('compare.column.mean', {side: nameOf(both, 'a')}), text: (row) => mean(row.mean_ns.a), value: (row) => row.mean_ns.a},
    ],
    sort: {key: 'time_change_ns', down: true},
    empty: () => t('table.empty'),
    searched: (row) => `${short(row)} ${name(row)} ${t(`category.${row.category}`)}`,
    detail: (row) => [
      [t('column.name'), name(row)],
      [t('compare.column.category'), t(`category.${row.category}`)],
      [t('compare.column.change'), app.wasm.duration_change(row.time.change_ns)],
      .../** @type {const} */ (['b', 'a']).map((side) => {
        const {time, total_ns: total, calls} = row;
        const said = {own: duration(time[`${side}_ns`]), total: duration(total[side]), calls: app.wasm.count(calls[side])};
        return /** @type {[string, string]} */ ([nameOf(both, side), t('compare.detail', said)]);
      }),
    ],
    links: (row) => [row.calls[both.b === 'shown' ? 'b' : 'a'] ? nameLink(app, row.name) : null],
  });
  return table;
}

/** Operators, or modules by their paths. @param {import('../../app.js').App} app @param {NamedSides} both @param {'operators' | 'modules'} what */
function operators(app, both, what) {
  const isOutside = (/** @type {OperatorChange} */ row) => what === 'modules' && !row.name;
  const name = (/** @type {OperatorChange} */ row) => (isOutside(row) ? t('compare.modules.outside') : [row.name, row.shapes].filter(Boolean).join(' '));
  // The profiler's name of the innermost module.
  const linked = (/** @type {OperatorChange} */ row) => (what === 'modules' ? MODULE + row.name.slice(row.name.lastIndexOf('.') + 1) : row.name);
  /** Times with all that is called inside: rows contain each other. @type {Column<OperatorChange>[]} */
  const totals = /** @type {const} */ (['device_total', 'host_total']).flatMap((key) =>
    sides(app, both, key, (row) => changeOf(row[key]), t(`column.${key}_ns`)),
  );
  /** @type {DataTable<OperatorChange>} */
  const table = new DataTable(app, {
    name: `compared-${what}`,
    label: t(`compare.${what}`),
    columns: [
      {key: 'name', title: t('column.name'), text: name, value: name, left: true, width: 16, weight: 6},
      ...sides(app, both, 'device_self', (/** @type {OperatorChange} */ row) => changeOf(row.device_self), t('column.device_self_ns')),
      ...sides(app, both, 'host_self', (/** @type {OperatorChange} */ row) => changeOf(row.host_self), t('column.host_self_ns')),
      ...calls(app, both, (/** @type {OperatorChange} */ row) => row.calls),
      ...totals.map((column) => ({...column, extra: true})),
    ],
    sort: {key: 'device_self_change_ns', down: true},
    empty: () => t('table.empty'),
    searched: name,
    detail: (row) => [
      [t('column.name'), isOutside(row) ? name(row) : row.name],
      ...(what === 'operators'
        ? /** @type {[string, string][]} */ ([
            [t('column.shapes'), row.shapes ?? ''],
            [t('column.types'), row.types ?? ''],
          ])
        : []),
      .../** @type {const} */ (['device_total', 'device_self', 'host_total', 'host_self']).map((key) => {
        const {a_ns: a, b_ns: b, change_ns: change} = row[key];
        const {duration, duration_change: signed} = app.wasm;
        return /** @type {[string, string]} */ ([t(`column.${key}_ns`), t('compare.detail.change', {a: duration(a), b: duration(b), change: signed(change)})]);
      }),
    ],
    links: (row) => [!isOutside(row) && row.calls[both.b === 'shown' ? 'b' : 'a'] ? nameLink(app, linked(row)) : null],
  });
  return table;
}

/** The causes as rows. @param {CauseChange[]} causes @returns {Pair[]} */
export const causesOf = (causes) => causes.map(({name, time}) => ({name, ...changeOf(time)}));

/** The table of the causes of both jobs. @param {import('../../app.js').App} app @param {NamedSides} both */
export const jobCauses = (app, both) => pairs(app, both, 'job-causes');

/** The table of the ranks of both jobs. @param {import('../../app.js').App} app @param {NamedSides} both */
export function jobRanks(app, both) {
  const pair = (/** @type {{a: number | null, b: number | null}} */ {a, b}) => ({a, b, change: a === null || b === null ? null : b - a});
  const name = (/** @type {RankChange} */ {rank}) => t('rank', {rank});
  /** @type {DataTable<RankChange>} */
  const table = new DataTable(app, {
    name: 'compared-job-ranks',
    label: t('compare.job.ranks'),
    columns: [
      {key: 'rank', title: t('column.job.ranks.rank'), text: name, value: ({rank}) => rank, left: true},
      ...sides(app, both, 'step', (/** @type {RankChange} */ {step_ns: step}) => pair(step), t('column.step')),
      ...sides(app, both, 'own', (/** @type {RankChange} */ {own_ns: own}) => pair(own), t('compare.job.own'), t('compare.job.own.why')),
    ],
    sort: {key: 'rank', down: false},
    empty: () => t('table.empty'),
    searched: name,
    detail: (row) => [[t('column.job.ranks.rank'), name(row)]],
    links: () => [],
  });
  return table;
}

/** @param {import('../../app.js').App} app @param {NamedSides} both @param {'phases' | 'pairs' | 'causes' | 'job-causes'} what */
function pairs(app, both, what) {
  /** @type {DataTable<Pair>} */
  const table = new DataTable(app, {
    name: `compared-${what}`,
    label: t({phases: 'compare.phases', pairs: 'compare.pairs', causes: 'compare.causes', 'job-causes': 'compare.job.causes'}[what]),
    columns: [
      {
        key: 'name',
        title: t({phases: 'compare.column.phase', pairs: 'column.step', causes: 'compare.column.cause', 'job-causes': 'compare.column.cause'}[what]),
        text: (row) => row.name,
        value: (row) => row.name,
        left: true,
        width: 12,
        weight: 3,
        order: () => 0,
      },
      ...sides(app, both, 'time', (/** @type {Pair} */ row) => row),
    ],
    sort: {key: 'name', down: false},
    empty: () => t('table.empty'),
    searched: (row) => row.name,
    detail: (row) => [[t('column.name'), row.name]],
    links: (row) => {
      const {summary, rank} = app.state;
      const step = what === 'pairs' ? summary?.ranks[rank].steps.find(({name}) => name === row.shown) : undefined;
      return [step ? jumpButton(app, {span: [step.start_ns, step.end_ns]}, t('step', {name: step.name}), t('step', {name: step.name})) : null];
    },
  });
  return table;
}

/** @param {import('../../app.js').App} app @param {NamedSides} both @param {'families' | 'kernels' | 'functions'} what */
function pairedTable(app, both, what) {
  const short = (/** @type {import('./paired.js').PairedRow} */ row) => (what === 'kernels' ? both.kernels.all.of(row.name) : row.name);
  /** @type {DataTable<import('./paired.js').PairedRow>} */
  const table = new DataTable(app, {
    name: `compared-${what}`,
    label: t(`compare.${what}`),
    columns: [
      {
        key: 'name',
        title: t('column.name'),
        text: short,
        value: (row) => row.name,
        order: short,
        whole: (row) => row.name,
        left: true,
        width: 16,
        weight: 6,
      },
      ...sides(app, both, 'time', (/** @type {import('./paired.js').PairedRow} */ row) => row, undefined, t(`compare.${what}.why`)),
      ...calls(app, both, (/** @type {import('./paired.js').PairedRow} */ row) => row.calls, t('compare.column.calls.per_step')),
    ],
    sort: {key: 'time_change_ns', down: true},
    empty: () => t('compare.paired.none'),
    searched: (row) => `${short(row)} ${row.name}`,
    detail: (row) => [[t('column.name'), row.name]],
    links: (row) => [what !== 'families' && row.calls[both.b === 'shown' ? 'b' : 'a'] ? nameLink(app, row.name) : null],
  });
  return table;
}
