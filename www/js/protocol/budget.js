// The step budget, as the session gives it.

/** @typedef {{leaf: string, start_ns: number, length_ns: number, event: number | null, name: string | null, host: string | null}} LongestSpan the longest span of a leaf: what runs or is waited for, and what the host did */
/** @typedef {{leaf: string, mean_ns: number, share: number, longest?: LongestSpan}} BudgetLeaf */
/** @typedef {{branch: string, class: string, mean_ns: number, share: number, leaves?: BudgetLeaf[]}} BudgetBranch with the class whose colour it has */
/** @typedef {{cause: string, wording: string, mean_ns: number, score_ns: number, share: number, saving_low_ns?: number, saving_high_ns?: number, saves?: string, leaves: Record<string, number>, longest: LongestSpan[]}} BudgetCause what removing it saves lies between two bounds, said in words where they are far apart */
/**
 * @typedef {object} BudgetReport
 * @property {{windows: 'steps' | 'trace', counted: number, device_count: number, first_line: string, sentences: string[], length_ns: number, shares_of?: 'periods', between_ns?: number, branches: BudgetBranch[]}} budget of the mean step, or of the chosen one
 * @property {BudgetCause[]} causes the largest first
 */

export {};
