// Reports from the analyzer to the page that differ from those in reports.d.ts: tables come separately, as columns.

/** @typedef {import('../../types/reports.js').Topics} Reports */
/** @typedef {import('./table.js').TableValues} TableValues */

/**
 * A report whose tables are columns.
 * @template {keyof Reports} T
 * @template {string} Table
 * @typedef {Reports[T] & {tables: Record<Table, TableValues>}} WithTables
 */

/** @typedef {WithTables<'selection', 'operators' | 'kernel_families' | 'kernels' | 'copies'>} Selection report on a step, the average step, or the whole trace; a view's described tables are there by their IDs, too */
/** @typedef {WithTables<'kernel_use', 'kernel_use.kernels'>} KernelUse use of the device by kernels */
/** @typedef {WithTables<'why_idle', 'launches.names' | 'launches.slowest' | 'launches.latest' | 'queues'>} WhyIdle launches, queues and idle time */
/** @typedef {Omit<Reports, 'selection' | 'kernel_use' | 'why_idle'> & {selection: Selection, kernel_use: KernelUse, why_idle: WhyIdle}} Topics the report of each topic */

/** Values of a row that are known where their group is. @template T @typedef {T extends object ? {[Key in keyof T]-?: Known<Exclude<T[Key], null>>} : T} Known */
/** @typedef {NonNullable<Reports['kernel_use']['kernels']>[number]} UseRow */
/** @typedef {NonNullable<UseRow['launch']>} UseLaunch */
/**
 * @typedef {Known<Omit<UseLaunch, 'occupancy' | 'waves'>> & {occupancy?: Known<UseLaunch['occupancy']>, waves?: Known<UseLaunch['waves']>}} KernelLaunch
 *   the launch of a row that takes the longest
 */
/** @typedef {Known<Omit<UseRow, 'launch'>> & {launch?: KernelLaunch}} KernelUseRow the values behind the details of a row */
/** @typedef {NonNullable<KernelLaunch['occupancy']>['fitting']} Fitting the number of blocks within each limit */
/** @typedef {Omit<import('../../types/reports.js').StreamIdleReport, 'stream'>} IdleTimes of a device, or of one of its streams */

/**
 * @typedef {object} ReportRequest the parameters of a report; each topic uses those that it knows
 * @property {number | null} [step]
 * @property {boolean} [average] whether tables are of the average step, where no step is named
 * @property {string} [grouping]
 * @property {boolean} [merge]
 * @property {string[]} [what_if]
 * @property {string} [table]
 * @property {number} [row]
 * @property {number} [event] by its number
 * @property {{slow_call_ns?: number, late_ns?: number, kernel_wait_ns?: number, long_gap_ns?: number}} [thresholds]
 * @property {number} [graph] the steps of a graph of MindSpore alone
 * @property {string} [forward_start]
 * @property {string} [backward_end]
 * @property {string} [kernel_grouping]
 * @property {string} [kind] of the resources with points
 * @property {[number, number]} [span_ns] the part of time of curves or of the report
 * @property {[number, number]} [other_span_ns] another part, which that is compared with
 * @property {number[]} [tracks] those with the slices to sum, by their places in the trace
 * @property {string} [rules] a set of rules
 * @property {[string, number][]} [rule_thresholds]
 * @property {string} [language] of sentences
 */

/** @typedef {Omit<import('../../types/reports.js').EventPlaceReport, 'rank'> & import('../../types/reports.js').EventTextReport} EventText an event as it stands in its file, and where */

/** @typedef {keyof import('../../types/reports.js').CategoriesReport extends infer Key ? Key extends `${infer Name}_ns` ? Name : never : never} CategoryName */
/** @typedef {'dataloader' | 'optimizer' | 'backward' | 'forward' | 'other'} PhaseName */
/** @typedef {keyof IdleTimes['host_wait_by_activity'] extends infer Key ? Key extends `${infer Name}_ns` ? Name : never : never} HostActivity */

export {};
