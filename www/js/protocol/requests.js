// Messages between the page and its workers. The analyzer's reports on traces are in reports.d.ts.

/** @typedef {import('../../types/reports.js').Diff} Diff */
/** @typedef {import('../../types/reports.js').FindHitReport} FindHitReport */
/** @typedef {import('../../types/reports.js').ProblemReport} ProblemReport */
/** @typedef {import('../../types/reports.js').QueryFaultReport} QueryFaultReport */
/** @typedef {import('../../types/reports.js').EventPeersReport} EventPeersReport */
/** @typedef {import('../../types/reports.js').JobOrNot} JobOrNot */
/** @typedef {import('../../types/reports.js').LayoutFault} LayoutFault */
/** @typedef {import('../../types/reports.js').RunReport} RunReport */
/** @typedef {import('../../types/reports.js').Summary} Summary */
/** @typedef {import('./answers.js').ReportRequest} ReportRequest */
/** @typedef {import('./answers.js').EventText} EventText */
/** @typedef {import('../../types/reports.js').RecordedRowsReport} RecordedRows */
/** @typedef {import('./timeline.js').CanvasName} CanvasName */
/** @typedef {import('./timeline.js').Drawn} Drawn */
/** @typedef {import('./timeline.js').TimelineCall} TimelineCall */

/** @typedef {{path: string, file: File}} Dropped a file with its path in the drop, with `/` */

/** @typedef {[source: number, rank: number | null][]} Changes of some sources the number of their rank, none to leave them out */

/**
 * @typedef {object} Grouping the sources, and the ranks that they make
 * @property {{path: string, bytes: number, title: string | null, problem: ProblemReport | null}[]} sources files and the files in archives;
 *   the title of the format that each has, or why it is part of no rank
 * @property {{name: string, number: number | null, sources: number[]}[]} ranks that were read, in the order of the summary
 * @property {Changes} changes to the rule that a person made
 */

/** @typedef {{scanning: number, finishing: number, analyzing: number}} Times of the session's worker in milliseconds: taking in text, making traces of what was in it, all reports */

/** @typedef {{summary: Summary, read: number, grouping: Grouping, failures: ProblemReport[], held: number[], times: Times, wasmBytes: number}} Opened `read` ranks, of which those `held` are in memory; if none, the summary is the previous one */

/** @typedef {{aside: boolean, rank: number}} Baseline the rank to compare with, by its index: of the open trace, or of the one that is kept aside in another worker */

/**
 * @typedef {object} Requests each request's argument and answer
 * @property {{argument: {files: Dropped[], changes?: Changes, aside?: boolean, memory?: number, workers?: number}, answer: Opened}} open grouped by the rule with these changes; `aside`: only to compare with; `memory`: limit of traces in MB; `workers`: number that read ranks
 * @property {{argument: {changes: Changes}, answer: Opened}} regroup
 * @property {{argument: {rank: number, topic: string, request: ReportRequest}, answer: any}} report as in `Topics`
 * @property {{argument: {language: string}, answer: JobOrNot | undefined}} job the report on all ranks, or why they are not of one job; undefined for fewer than two
 * @property {{argument: {}, answer: RunReport[]}} runs that are open: one unless several are open together
 * @property {{argument: {rank: number, request: PrintRequest}, answer: string | undefined}} printed a rank's tables as another tool prints them
 * @property {{argument: {rank: number, event: number | null}, answer: EventText | undefined}} args an event as it stands in its file; null stops the current read
 * @property {{argument: {rank: number, event: number}, answer: EventPeersReport | undefined}} peers
 * @property {{argument: {rank: number, shapes: boolean, job: boolean}, answer: Uint8Array<ArrayBuffer> | undefined}} compareSide one side of a comparison; `job`: with the job that the rank is of
 * @property {{argument: {rank: number, side: Uint8Array<ArrayBuffer>, shapes: boolean, language: import('../page/environment/i18n.js').Language}, answer: Diff | undefined}} compare with such a side, maybe of another worker; sentences are in the language
 * @property {{argument: {rank: number, table: number}, answer: RecordedRows | undefined}} recorded
 * @property {{argument: {rank: number, query: string, args: boolean, end: number}, answer: FindAnswer | undefined}} find an empty query forgets the hits; undefined once another search is wanted
 * @property {{argument: FindFrom, answer: FindHitReport | null}} nextHit
 * @property {{argument: {after: ListedHit | null, most: number}, answer: ListedHit[]}} hits of the last search, in the order of time
 * @property {{argument: TimelineCall, answer: any}} timeline as in `TimelineAnswers`
 * @property {{argument: {name: string}, answer: Summary}} define
 * @property {{argument: {text: string}, answer: Summary | {fault: string}}} peaks that the person gives
 * @property {{argument: {parallel: string}, answer: LayoutFault | undefined}} layout the parallel layout of the ranks from a person; empty: that of the traces
 * @property {{argument: {number: number, name: string, ranks: number[], summary: boolean, span?: [number, number], tracks?: number[], graphs?: ExportedGraphs}, answer: Blob}} export
 * @property {{argument: {texts: string[]}, answer: string[]}} maskSecrets in texts by a person
 * @property {{argument: {}, answer: Uint8Array<ArrayBuffer>}} summaryJson
 * @property {{argument: {scripts: string | null, view: string, notes: string, texts: ReportTexts}, answer: {report: Blob, markdown: string}}} htmlReport one file, and its summary as Markdown, both with notes as JSON; with the analyzer's scripts, it carries them and the traces, and the first view
 */

/** @typedef {'paddle' | 'nvprof' | 'mindspore' | 'tensorboard'} PrintTool the tool with the tables' layout */
/** @typedef {{tool: PrintTool, unit?: string, sort?: string, view?: string, no_detail?: boolean, thread_sep?: boolean, before_9?: boolean}} PrintRequest tables as a tool prints them; each tool takes the choices that it knows */

/** Some graphs of a program, all if none is named; with a lane of steps for each, or one. @typedef {{only: number[], apart: boolean}} ExportedGraphs */

/** @typedef {{language: string, messages: string}} ReportTexts the messages of a language as JSON */

/** @typedef {{count: number, fault: QueryFaultReport | null, unmatched: [number, number][], unread: string[], at: number[]}} FindAnswer `count`: number of hits; `unmatched`: without hits, the parts of the query that match nothing; `unread`: files that could not be searched; `at`: places of hits, thinned over the time until `end` */
/** @typedef {{at: number, event: number | null, instant: number | null, backwards: boolean}} FindFrom a slice, an instant event, or else a time in ns */

/** @typedef {FindHitReport & {name: string, start_ns: number, length_ns: number | null, row: number | null}} ListedHit a hit with its time in that of the timeline; instant events have no length and no row, and the time of their rank */

/** @typedef {{rank: number, share: number}} Reread a rank whose trace is read again, and the read share of it */

/** @typedef {keyof Requests} RequestName */

/**
 * @typedef {{file: string, index: number, files: number, read: number, size: number, bytes: number, events: number, slices: number,
 *   activities: number, stage: 'looking' | 'reading' | 'analyzing', blocked: boolean}} Progress `blocked`: the worker receives no messages
 */

/**
 * @typedef {{kind: 'request', id: number, name: RequestName, argument: any} | {kind: 'cancel'} | {kind: 'cancelExport', number: number}
 *   | {kind: 'canvas', name: CanvasName, canvas: OffscreenCanvas} | {kind: 'scene', name: CanvasName, scene: import('../page/timeline/scene.js').Scene}} ToWorker
 */

/**
 * @typedef {{kind: 'answer', id: number, answer: any}
 *   | {kind: 'drawn', name: CanvasName, drawn: Drawn}
 *   | {kind: 'searching', share: number}
 *   | {kind: 'exporting', exporting: ExportGoing[]}
 *   | {kind: 'held', held: number[], summary: Summary | null}
 *   | {kind: 'rereading', reread: Reread | null}
 *   | {kind: 'failure', id: number, problem: ProblemReport}
 *   | {kind: 'progress', progress: Progress}} FromWorker
 */

/** @typedef {{number: number, name: string, share: number | null}} ExportGoing a running export with the page's number; `share`: its progress, null while it waits */

export {};
