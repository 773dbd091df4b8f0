// Types of the wasm module in JavaScript, as wasm-bindgen makes them of crate/src/web.

/** @typedef {import('./answers.js').ReportRequest} ReportRequest */
/** @typedef {import('../../types/reports.js').HistogramBarReport} HistogramBar */
/** @typedef {import('../../types/reports.js').PlanReport} PlanReport */
/** @typedef {import('./requests.js').Changes} Changes */
/** @typedef {import('../../types/reports.js').FindHitReport} FindHit */
/** @typedef {import('../../types/reports.js').ProblemReport} Problem */
/** @typedef {import('./table.js').TableValues} TableValues */
/** @typedef {import('./timeline.js').TimelineDirection} TimelineDirection */
/** @typedef {import('../../types/reports.js').TimelineFoundReport} TimelineFound */

/** @typedef {{first: number, end: number, part: number, value: number, left: number, top: number, right: number, bottom: number}} Region */

/**
 * @typedef {object} ChartOptions
 * @property {string[]} parts classes of time
 * @property {{label: string, values: number[], pale: boolean}[]} bars
 * @property {boolean} lying
 * @property {number | null} selected
 * @property {boolean} [counts] whether the values are counts; else they are in ns
 */

/** @typedef {{scale: number, dark: boolean, font: string}} Look the appearance of a canvas */
/** @typedef {{row: number | null, value: number, share: number}} Share of a row; `row` is null for the rest */
/** @typedef {Share & {from: number, to: number, color: string}} Sector between two parts of a turn, clockwise from the top */
/** @typedef {{parts: string[], pieces: [from: number, to: number, part: number][]}} LaneOptions */

/** @typedef {'number' | 'ns' | 'bytes' | 'share' | 'bytes_per_second' | 'flops' | 'flops_per_second'} Unit of an axis of a chart of curves */

/**
 * @typedef {object} LineOptions a chart of curves
 * @property {{name: string, class: string, x: ArrayLike<number>, y: ArrayLike<number | null>, step: boolean, filled: boolean}[]} series
 * @property {Unit} x
 * @property {Unit} y
 * @property {{at: number, label: string}[]} marks
 */

/** @typedef {{left: number, top: number, right: number, bottom: number, shown: [number, number], whole: [number, number], values: [number, number]}} Plot */

/**
 * @typedef {object} Unpack the wasm class of that name
 * @property {(layers: string) => number | undefined} distance
 * @property {(layers: string) => boolean} go_on
 * @property {(bytes: Uint8Array, piece: (bytes: Uint8Array<ArrayBuffer>) => void) => number} push returns the number of used bytes
 * @property {() => boolean} is_done
 * @property {(piece: (bytes: Uint8Array<ArrayBuffer>) => void) => string | undefined} finish
 * @property {() => void} free
 */

/**
 * @typedef {object} RankLoad the wasm class of that name
 * @property {(list: SourceList, source: number) => void} begin
 * @property {(bytes: Uint8Array) => void} push
 * @property {() => void} finish
 * @property {(list: SourceList, source: number, size: number, read: ReadBytes, report: (read: number) => void) => void} read
 * @property {(what: string) => void} damaged
 * @property {(byte: number) => void} stop_at
 * @property {() => boolean} is_stopped
 * @property {() => number} next_byte
 * @property {(next: () => Uint8Array | undefined, stop: number) => boolean} join
 * @property {(rank: number) => void} set_rank
 * @property {() => {bytes: number, events: number, slices: number, activities: number}} progress
 * @property {(piece: (bytes: Uint8Array<ArrayBuffer>) => void) => void} serialize
 * @property {() => void} free
 */

/**
 * @typedef {object} ShardLoad the wasm class of that name
 * @property {(bytes: Uint8Array) => void} push
 * @property {() => boolean} is_done
 * @property {(piece: (bytes: Uint8Array<ArrayBuffer>) => void) => void} serialize
 */

/**
 * @typedef {object} SecretMask the wasm class of that name
 * @property {(bytes: Uint8Array) => void} look
 * @property {(bytes: Uint8Array) => Uint8Array<ArrayBuffer>} push
 * @property {() => Uint8Array<ArrayBuffer>} finish
 * @property {() => string} names
 * @property {() => boolean} is_clean
 * @property {() => SecretMask} again
 * @property {() => void} free
 */

/**
 * @typedef {object} Wasm the module that wasm-bindgen makes of crate/src/web
 * @property {(options: {module_or_path: string | URL}) => Promise<{memory: WebAssembly.Memory, seldom_here: WebAssembly.Global, output_here: WebAssembly.Global}>} default
 * @property {(load: (part: 'seldom' | 'output') => void) => void} on_part
 * @property {() => Promise<void>} loadSeldom loads the part that seldom traces and views need, before it is needed; of `loadWasm`
 * @property {() => Promise<void>} loadAll loads that and the part that exports need; of `loadWasm`
 * @property {() => void} warm_up
 * @property {new () => Session} Session
 * @property {new (session: Session, rank: number, query: string) => Search} Search
 * @property {new () => SourceList} SourceList
 * @property {{new (name: string, bytes: number): RankLoad, deserialize: (name: string, bytes: number, next: () => Uint8Array | undefined) => RankLoad}} RankLoad
 * @property {{of: (list: SourceList, source: number, from: number, limit: number) => ShardLoad | undefined}} ShardLoad
 * @property {new (layers: string) => Unpack} Unpack
 * @property {new () => SecretMask} SecretMask
 * @property {(text: string) => string} mask_secrets
 * @property {(text: Uint8Array, isEnd: boolean) => Uint8Array | undefined} event_text
 * @property {(summary: Uint8Array, scripts: string, notes: string, language: string, messages: string) => [before: string, after: string]} html_report
 * @property {(summary: Uint8Array, notes: string, language: string, messages: string) => string} markdown_report
 * @property {(number: number, path: string, head: Uint8Array) => {before: string, after: string, compress: boolean, piece: number}} carried_file
 * @property {(canvas: HTMLCanvasElement, options: ChartOptions & {look: Look}) => Region[]} draw_stacked_bars
 * @property {(canvas: HTMLCanvasElement, options: LineOptions & {zoom: [number, number] | null, look: Look}) => Plot} draw_lines
 * @property {(canvas: HTMLCanvasElement, options: {bars: HistogramBar[], class: string, look: Look}) => {regions: Region[], spans: [number, number][]}} draw_histogram
 * @property {(canvas: HTMLCanvasElement, options: {values: number[], top: number, look: Look}) => {sectors: Sector[], others: number}} draw_shares
 * @property {(values: Float64Array, top: number) => {sectors: Share[], others: number}} top_shares
 * @property {(canvas: HTMLCanvasElement, options: LaneOptions & {look: Look}) => Region[]} draw_lane
 * @property {(text: string) => number | undefined} parse_duration
 * @property {() => Record<string, {light: string, dark: string}>} class_colors
 * @property {(nanos: number) => string} duration
 * @property {(nanos: number) => string} duration_change
 * @property {(share: number | null | undefined) => string} percent_change
 * @property {(count: number) => string} bytes
 * @property {(count: number) => string} count
 * @property {(share: number | null | undefined) => string} percent
 * @property {(coverage: number) => boolean} is_enough whether a value that is known for that share of the time stands for the whole
 * @property {(rate: number | null | undefined) => string} gigabytes_per_second
 * @property {(rate: number | null | undefined) => string} flops_per_second
 * @property {(flops: number) => string} amount_of_flops
 * @property {(value: number) => string} number
 * @property {(unit: string, value: number) => string} number_text
 * @property {(names: string[]) => string[]} kernel_names short ones, each another than those of other names
 * @property {() => import('../../types/reports.js').TableReport[]} describe_tables
 * @property {(rows: string[][]) => Uint8Array<ArrayBuffer>} csv
 */

/** @typedef {(offset: number, length: number) => Uint8Array} ReadBytes */

/**
 * @typedef {object} SourceList the wasm class of that name
 * @property {(path: string, size: number, read: ReadBytes) => void} add
 * @property {(changes: Changes) => PlanReport} plan
 * @property {() => void} free
 */

/**
 * @typedef {object} Search the wasm class of that name
 * @property {() => number} count
 * @property {(session: Session, end: number, columns: number) => Float64Array} columns
 * @property {() => Uint32Array} hits of slices
 * @property {(session: Session) => Uint32Array} unmatched the begin and end of each part of the query that matches nothing
 * @property {(session: Session, at: number, event: number | undefined, instant: number | undefined, backwards: boolean) => FindHit | null} next
 * @property {(session: Session) => {rank: string, file: string, is_json: boolean}[]} texts
 * @property {(session: Session, text: string) => void} look
 * @property {(session: Session) => boolean} prepare
 * @property {(session: Session, file: number) => void} begin
 * @property {(session: Session, bytes: Uint8Array) => void} push
 * @property {() => boolean} end
 * @property {() => void} finish
 * @property {() => void} free
 */

/**
 * @typedef {object} Session the wasm class of that name
 * @property {() => void} begin
 * @property {() => void} make_way
 * @property {() => void} drop_new
 * @property {(load: RankLoad, origin: number) => number | undefined} add
 * @property {(rank: number, load: RankLoad) => void} restore
 * @property {(bytes: number) => void} set_budget
 * @property {(rank: number) => boolean} is_held
 * @property {() => Uint32Array} held
 * @property {() => Uint32Array} dropped
 * @property {(rank: number) => number | undefined} origin
 * @property {() => boolean} is_redefined
 * @property {(rank: number, language: string, isReport: boolean) => void} gather
 * @property {(language: string) => Uint8Array | undefined} job
 * @property {() => Uint8Array} runs
 * @property {(text: string) => Uint8Array | undefined} set_layout
 * @property {(rank: number, request: import('./requests.js').PrintRequest) => string | undefined} as_printed
 * @property {() => void} clear
 * @property {(name: string) => void} define
 * @property {(text: string) => void} give_peaks throws the part that is no peak
 * @property {() => Uint8Array} summary
 * @property {(language: string) => Uint8Array<ArrayBuffer>} summary_json
 * @property {(rank: number, topic: string, request: ReportRequest) => {json: Uint8Array, tables: TableValues[]} | undefined} report
 * @property {(rank: number, shapes: boolean, job: boolean) => Uint8Array<ArrayBuffer> | undefined} compare_side
 * @property {(rank: number, side: Uint8Array, shapes: boolean, language: string) => Uint8Array | undefined} compare
 * @property {(rank: number, event: number) => Uint8Array | undefined} event_place
 * @property {(rank: number, event: number) => Uint8Array | undefined} peers
 * @property {(rank: number, table: number) => Uint8Array | undefined} recorded
 * @property {() => Uint8Array} timeline_rows
 * @property {(row: number) => boolean} timeline_is_prepared
 * @property {(row: number) => boolean} timeline_prepare
 * @property {(start: number, pixel: number, width: number, dark: boolean, labelled: number, strips: Uint32Array) => {pixels: () => Uint8Array<ArrayBuffer>, labels: () => Float64Array, free: () => void}} timeline_paint
 * @property {(row: number, number: number) => string} timeline_text
 * @property {(row: number, number: number) => number | undefined} timeline_length in ns
 * @property {(row: number, lane: number, at: number, near: number) => TimelineFound | null} timeline_hit
 * @property {(row: number, at: number) => Float64Array | undefined} timeline_value
 * @property {(rank: number, event: number) => TimelineFound | null} timeline_place
 * @property {(row: number, lane: number, place: number, number: number, direction: TimelineDirection) => TimelineFound | null} timeline_neighbour
 * @property {(rank: number, events: Uint32Array | undefined) => void} timeline_mark
 * @property {(ranks: Uint32Array, summary: boolean, span: Float64Array | undefined, tracks: Uint32Array | undefined, graphs: Uint32Array | undefined, apart: boolean, piece: (bytes: Uint8Array<ArrayBuffer>) => void) => void} export_begin
 * @property {(rank: number, piece: (bytes: Uint8Array<ArrayBuffer>) => void) => boolean} export_rank continues by some MB; whether nothing is left
 * @property {() => number} export_share
 * @property {() => void} export_stop
 * @property {(piece: (bytes: Uint8Array<ArrayBuffer>) => void) => void} export_end
 */

export {};
