// Messages between the workers that read files: the session's worker, its loaders, and the reader worker of each.

/** @typedef {import('./requests.js').Dropped} Dropped */
/** @typedef {import('../../types/reports.js').PlanReport} Plan */
/** @typedef {import('../../types/reports.js').ProblemReport} Problem */
/** @typedef {import('./requests.js').Progress} Progress */
/** @typedef {import('./wasm.js').RankLoad} RankLoad */

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

/** @typedef {Plan['sources'][number]} Source */
/** @typedef {Plan['ranks'][number]} PlannedRank */
/** @typedef {{source: Source, number: number}} Numbered a source, and its number where it is read */
/** @typedef {{load: RankLoad | undefined, failures: Problem[]}} ReadRank the result of reading a rank; without a load none of its files was read */
/** @typedef {Omit<Progress, 'files'>} RankProgress the progress of a rank */

/** @typedef {{kind: 'rank', rank: PlannedRank, sources: Source[]} | {kind: 'piece', source: Source, from: number, limit: number}} LoaderJob a rank, or the events that begin between two places of a file */
/** @typedef {{parts: Bytes[], failures: Problem[]}} LoaderAnswer a rank or a piece as bytes, in some parts; none if nothing was read */
/** @typedef {{kind: 'files', dropped: Dropped[]} | LoaderJob} ToLoader */
/** @typedef {{kind: 'progress', progress: RankProgress} | {kind: 'crashed', problem: Problem} | {kind: 'answer', answer: LoaderAnswer}} FromLoader */

/** @typedef {{kind: 'seek', file: Blob, layers: string, name: string, from: number, length: number, answer: MessagePort}} Seek a piece of a packed file's content */
/** @typedef {{bytes: Bytes, isEnd: boolean}} Sought */
/** @typedef {{kind: 'start', file: Blob, layers: string, archive: string | undefined} | {kind: 'more', buffers: ArrayBuffer[]} | {kind: 'rest'} | Seek | {kind: 'stop'}} ToSource */
/** @typedef {{kind: 'bytes', pieces: Bytes[], read: number} | {kind: 'end', damage: string | undefined} | {kind: 'failed', name: string, message: string}} FromSource */

export {};
