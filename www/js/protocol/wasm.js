// The wasm module as JavaScript sees it: what wasm-bindgen makes of crate/src/web.

/** @typedef {import('./protocol.js').HistogramBar} HistogramBar */
/** @typedef {import('./protocol.js').ReadBytes} ReadBytes */
/** @typedef {import('./protocol.js').Search} Search */
/** @typedef {import('./protocol.js').Session} Session */
/** @typedef {import('./protocol.js').SourceList} SourceList */

/** @typedef {{first: number, end: number, part: number, value: number, left: number, top: number, right: number, bottom: number}} Region */

/**
 * @typedef {object} ChartOptions
 * @property {string[]} parts classes of time
 * @property {{label: string, values: number[], pale: boolean}[]} bars
 * @property {boolean} lying
 * @property {number | null} selected
 * @property {boolean} [counts] whether the values are counts; else they are in ns
 */

/** @typedef {{scale: number, dark: boolean, font: string}} Look how a canvas is to look */
/** @typedef {{row: number | null, value: number, share: number}} Share of no row: what is left */
/** @typedef {Share & {from: number, to: number, color: string}} Sector between two parts of a turn, clockwise from the top */
/** @typedef {{parts: string[], pieces: [from: number, to: number, part: number][]}} LaneOptions */

/** @typedef {'number' | 'ns' | 'bytes' | 'share' | 'bytes_per_second'} Unit what an axis of a chart of curves measures */

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
 * @property {(bytes: Uint8Array, piece: (bytes: Uint8Array<ArrayBuffer>) => void) => number} push how many bytes were used
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
 * @property {(piece: (bytes: Uint8Array<ArrayBuffer>) => void) => void} freeze
 * @property {() => void} free
 */

/**
 * @typedef {object} PieceLoad the wasm class of that name
 * @property {(bytes: Uint8Array) => void} push
 * @property {() => boolean} is_done
 * @property {(piece: (bytes: Uint8Array<ArrayBuffer>) => void) => void} freeze
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
 * @property {(options: {module_or_path: string | URL}) => Promise<{memory: WebAssembly.Memory}>} default
 * @property {() => void} warm_up
 * @property {new () => Session} Session
 * @property {new (session: Session, rank: number, query: string) => Search} Search
 * @property {new () => SourceList} SourceList
 * @property {{new (name: string, bytes: number): RankLoad, thaw: (name: string, bytes: number, next: () => Uint8Array | undefined) => RankLoad}} RankLoad
 * @property {{of: (list: SourceList, source: number, from: number, limit: number) => PieceLoad | undefined}} PieceLoad
 * @property {new (layers: string) => Unpack} Unpack
 * @property {new () => SecretMask} SecretMask
 * @property {(text: Uint8Array, isEnd: boolean) => Uint8Array | undefined} event_text
 * @property {(summary: Uint8Array, scripts: string) => [before: string, after: string]} html_report
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
 * @property {() => import('./table.js').TableDescription[]} describe_tables
 * @property {(rows: string[][]) => Uint8Array<ArrayBuffer>} csv
 */

export {};
