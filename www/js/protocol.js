// What the page and its workers say to each other, and what the reports look like.
// The reports' shape is made in crate/src/export/report_json; keys are added there, never renamed.

/**
 * @typedef {object} Problem an error as wasm or a worker tells it
 * @property {string} code a stable name, for translations
 * @property {string} file
 * @property {number | null} position a byte of the uncompressed file
 * @property {string} message in English
 * @property {[string, string][]} tried formats and the code of why each said no
 * @property {string} expected
 * @property {string} [other] the file that is read instead
 * @property {string} [why] the code of why a known file is not read
 */

/**
 * @typedef {object} DeviceTime
 * @property {number} device
 * @property {number} window_ns
 * @property {number} busy_ns
 * @property {number} idle_ns
 * @property {number} compute_ns
 * @property {number} communication_ns
 * @property {number} memcpy_ns
 * @property {number} memset_ns
 * @property {number} overlap_ns
 * @property {number} exposed_communication_ns
 * @property {number} exposed_memcpy_ns
 * @property {number} exposed_memset_ns
 * @property {number | null} overlap_of_communication
 */

/** @typedef {'kernel' | 'memcpy' | 'memset' | 'communication' | 'runtime' | 'dataloader' | 'cpu' | 'other'} RoleName */
/** @typedef {Record<`${RoleName}_ns`, number>} Roles */
/** @typedef {'dataloader' | 'optimizer' | 'backward' | 'forward' | 'other'} PhaseName */

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {number} start_ns
 * @property {number} end_ns
 * @property {number} length_ns
 * @property {number} host_start_ns
 * @property {number} host_end_ns
 * @property {number} host_length_ns
 * @property {number} activities
 * @property {boolean} partial
 * @property {boolean} warmup
 * @property {boolean} counted
 * @property {DeviceTime[]} device_time
 * @property {Roles} roles
 * @property {Record<PhaseName, {calls: number, host_ns: number, device_ns: number}>} phases
 */

/** @typedef {{code: string, severity: 'info' | 'warning' | 'loss', count: number, example: string, position: number | null}} Warning */

/**
 * @typedef {object} Input
 * @property {string} name
 * @property {number} bytes
 * @property {number} text_bytes
 * @property {string} format
 * @property {string} framework
 * @property {string} framework_version
 * @property {number} events
 * @property {number} slices
 * @property {[string, string][]} facts
 * @property {Warning[]} warnings
 */

/**
 * @typedef {object} Rank
 * @property {string} input
 * @property {number | null} rank
 * @property {number | null} world_size
 * @property {{id: number, name: string, memory_bytes: number | null, capability: string | null, multiprocessors: number | null}[]} devices
 * @property {string | null} origin_unix_ns
 * @property {string} definition
 * @property {{values: Record<string, number | null>, steps?: {name: string, values: Record<string, number | null>}[]}} [definition_values]
 * @property {DeviceTime[]} device_time
 * @property {string} step_source
 * @property {Record<string, string>} phase_sources
 * @property {{steps: number, step_ns: number, roles: Roles, device_time: DeviceTime, data_wait_ns: number}} average
 * @property {Step[]} steps
 * @property {string[]} [topics] what can be asked for, where there is anything
 * @property {true} [only_tables] if there is nothing with a time, only recorded tables
 * @property {RecordedTable[]} [recorded] where there are any
 * @property {Counter[]} [counters] where there are any
 * @property {StepTrace} [step_trace]
 * @property {Benchmark} [benchmark]
 */

/** @typedef {{process: string, name: string, series: string, samples: number, min: number, max: number, mean: number, last: number, first_ns: number, last_ns: number}} Counter */

/** @typedef {{total_ns: number, iteration_interval_ns: number, forward_and_backward_ns: number, tail_ns: number}} StepParts */
/** @typedef {{name: string, stream: number | null, start_ns: number, length_ns: number}} StepCollective from the step's start */
/**
 * @typedef {object} StepTrace after MindSpore; the average leaves out the first step
 * @property {'recorded' | 'device' | 'host' | 'named'} source
 * @property {string} [forward_start]
 * @property {string} [backward_end]
 * @property {boolean} average_is_recorded
 * @property {StepParts} average
 * @property {(StepParts & {name: string, start_ns: number, collectives?: StepCollective[]})[]} steps
 */
/** @typedef {{avg: number, max: number, min: number}} Extremes */
/** @typedef {{steps: number, samples?: number, reader_cost?: Extremes, batch_cost: Extremes, ips: Extremes, reader_ratio?: number}} Benchmark times in seconds */

/** @typedef {{schema: string, inputs: Input[], ranks: Rank[]}} Summary */

/**
 * @typedef {object} Operator
 * @property {string} name
 * @property {string} class
 * @property {string} [shapes]
 * @property {string} [types]
 * @property {string[]} [stack]
 * @property {string} [thread]
 * @property {number} calls
 * @property {number} host_total_ns
 * @property {number} host_self_ns
 * @property {number} host_mean_ns
 * @property {number} host_min_ns
 * @property {number} host_max_ns
 * @property {number} device_total_ns
 * @property {number} device_self_ns
 */

/**
 * @typedef {object} Kernel
 * @property {string} name
 * @property {'compute' | 'communication'} class
 * @property {number} calls
 * @property {number} total_ns
 * @property {number} mean_ns
 * @property {number} median_ns
 * @property {number} min_ns
 * @property {number} max_ns
 * @property {number} std_ns
 * @property {number} share_of_kernel_time
 * @property {number} cumulative_share_of_kernel_time
 * @property {number | null} blocks_per_sm
 * @property {number | null} occupancy_percent
 * @property {boolean} tensor_cores
 */

/**
 * @typedef {object} Copy
 * @property {string} name
 * @property {'memcpy' | 'memset'} class
 * @property {number} calls
 * @property {number} total_ns
 * @property {number} mean_ns
 * @property {number} median_ns
 * @property {number} min_ns
 * @property {number} max_ns
 * @property {number | null} bytes
 * @property {number | null} gigabytes_per_second
 */

/** @typedef {{name: string, time_ns: number, share: number | null}} Tile */
/** @typedef {{device: number, compute_alone_ns: number, overlap_ns: number, exposed_communication_ns: number, exposed_memcpy_ns: number, exposed_memset_ns: number, idle_ns: number}} OverlapBar */

/**
 * @typedef {object} Selection what is shown of a step, or of the whole trace
 * @property {Tile[]} tiles
 * @property {OverlapBar[]} overlap
 * @property {'slices'} [operators_are] where the trace has no operators: all slices of the host
 * @property {Operator[]} operators
 * @property {{activities: number, device_ns: number, device_sum_ns: number}} unlinked
 * @property {Kernel[]} kernels
 * @property {Copy[]} copies
 */

/** @typedef {'text' | 'number' | 'ns' | 'bytes' | 'share' | 'bytes_per_second'} RecordedUnit */
/** @typedef {{id: string, file: string, columns: {name: string, unit: RecordedUnit}[], row_count: number}} RecordedTable a table that the profiler wrote itself */
/** @typedef {{texts: string[][], values: (number | string | null)[][]}} RecordedRows its rows as shown, and as sorted and saved */

/** @typedef {{step?: number | null, grouping?: string, merge?: boolean, span_ns?: [number, number]}} Ask what is asked of a topic; each takes what it knows */

/**
 * @typedef {object} Topics what each topic's report is
 * @property {Selection} selection
 * @property {MemoryReport} memory
 */

/** @typedef {{source: 'recorded' | 'counted', first_bytes: number, last_bytes: number, peak_bytes: number, peak_at_ns: number}} MemoryLevel */
/** @typedef {{start_ns: number, end_ns: number, at_ns: number[], allocated_bytes: number[], reserved_bytes?: (number | null)[]}} MemoryCurve each value holds from its time on */
/** @typedef {{blocks: number, bytes: number}} BlockCount */
/** @typedef {{address: string, bytes: number, allocated_ns: number | null, released_ns: number | null, lifetime_ns: number | null, allocated_by: {slice: number, name: string} | null, released_by: {slice: number, name: string} | null}} MemoryBlock */
/** @typedef {{name: string | null, allocations: number, releases: number, allocated_bytes: number, released_bytes: number, net_bytes: number, total_allocations: number, total_releases: number, total_allocated_bytes: number, total_released_bytes: number, total_net_bytes: number}} OperatorMemory */
/** @typedef {{name: string, bytes: number, type: string, shape: string, data_type: string, format: string, first_index: number | null, last_index: number | null, at_peak: boolean}} PlannedTensor */
/** @typedef {{graph: string, static_bytes: number | null, peak_bytes: number, peak_index: number, peak_operator: string, total_bytes: number[], tensors: PlannedTensor[]}} PlannedMemory over the order of execution */

/**
 * @typedef {object} PlaceMemory a device's memory; of no device, the host's
 * @property {number | null} device
 * @property {number} events
 * @property {MemoryLevel} allocated
 * @property {MemoryLevel | null} reserved
 * @property {{at_allocated_peak_bytes: number, max_bytes: number, max_at_ns: number} | null} fragmentation reserved − allocated
 * @property {MemoryCurve} curve
 * @property {{allocations: number, releases: number, unreleased: BlockCount, from_before: BlockCount, mean_lifetime_ns: number, median_lifetime_ns: number, max_lifetime_ns: number, largest: MemoryBlock[]}} blocks
 * @property {OperatorMemory[]} operators
 * @property {{operators: {name: string | null, blocks: number, bytes: number}[], from_before: BlockCount, unexplained_bytes: number}} live_at_peak
 */

/**
 * @typedef {object} MemoryReport
 * @property {PlaceMemory[]} places
 * @property {{process: string, counter: string, first_bytes: number, last_bytes: number, peak_bytes: number, peak_at_ns: number, curve: MemoryCurve}[]} [processes]
 * @property {{component: string, device: string, records: number, allocated: MemoryLevel, reserved: MemoryLevel | null, curve: MemoryCurve}[]} [recorded]
 * @property {{name: string, blocks: number, bytes: number}[]} [recorded_operators]
 * @property {{name: string, device: string, bytes: number, allocated_ns: number | null, released_ns: number | null, lifetime_ns: number | null}[]} [recorded_blocks]
 * @property {PlannedMemory[]} [planned]
 */

/** @typedef {{path: string, file: File}} Dropped a file with its path in the drop, with `/` */

/** @typedef {[source: number, rank: number | null][]} Changes of some sources the number of their rank, none to leave them out */

/**
 * @typedef {object} Grouping what was found, and which of it makes which rank
 * @property {{path: string, bytes: number, title: string | null, problem: Problem | null}[]} sources files and what archives hold;
 *   the title of the format that each has, or why it is part of no rank
 * @property {{name: string, number: number | null, sources: number[]}[]} ranks that were read
 * @property {Changes} changes to the rule that a person made
 */

/** @typedef {{summary: Summary, read: number, grouping: Grouping, failures: Problem[], wasmBytes: number}} Opened `read` ranks; if none, the summary is of what was there before */

/**
 * @typedef {object} Requests each request's argument and answer
 * @property {{argument: {files: Dropped[]}, answer: Opened}} open
 * @property {{argument: {changes: Changes}, answer: Opened}} regroup
 * @property {{argument: {rank: number, topic: string, ask: Ask}, answer: any}} report as `Topics` says
 * @property {{argument: {rank: number, table: number}, answer: RecordedRows | undefined}} recorded
 * @property {{argument: {name: string}, answer: Summary}} define
 * @property {{argument: {ranks: number[], summary: boolean}, answer: Blob}} export
 * @property {{argument: {}, answer: Uint8Array<ArrayBuffer>}} summaryJson
 */

/** @typedef {keyof Requests} RequestName */

/**
 * @typedef {{file: string, index: number, files: number, read: number, size: number, bytes: number, events: number, slices: number,
 *   activities: number, stage: 'looking' | 'reading' | 'analyzing', blocked: boolean}} Progress `blocked`: the worker hears nothing
 */

/** @typedef {{kind: 'request', id: number, name: RequestName, argument: any} | {kind: 'cancel'}} ToWorker */

/**
 * @typedef {{kind: 'answer', id: number, answer: any}
 *   | {kind: 'failure', id: number, problem: Problem}
 *   | {kind: 'progress', progress: Progress}} FromWorker
 */

/**
 * @typedef {object} RankLoad the wasm class of that name
 * @property {(list: SourceList, source: number) => void} begin
 * @property {(bytes: Uint8Array) => void} push
 * @property {(list: SourceList, source: number, size: number, read: ReadBytes, report: (read: number) => void) => void} read
 * @property {(what: string) => void} damaged
 * @property {(rank: number) => void} set_rank
 * @property {() => {bytes: number, events: number, slices: number, activities: number}} progress
 * @property {() => void} free
 */

/** @typedef {(offset: number, length: number) => Uint8Array} ReadBytes */

/**
 * @typedef {object} Plan the sources of a drop and the ranks that they make
 * @property {{path: string, file: number, start: number, len: number, bytes: number, layers: string, random: boolean, title: string | null, problem: Problem | null}[]} sources
 * @property {{name: string, rank: number | null, bytes: number, sources: number[]}[]} ranks
 */

/**
 * @typedef {object} SourceList the wasm class of that name
 * @property {(path: string, size: number, read: ReadBytes) => void} add
 * @property {(changes: Changes) => Plan} plan
 * @property {() => void} free
 */

/**
 * @typedef {object} Session the wasm class of that name
 * @property {() => void} begin
 * @property {() => void} make_way
 * @property {() => void} drop_new
 * @property {(load: RankLoad) => number | undefined} add
 * @property {() => void} clear
 * @property {(name: string) => void} define
 * @property {() => Uint8Array} summary
 * @property {() => Uint8Array<ArrayBuffer>} summary_json
 * @property {(rank: number, topic: string, ask: Ask) => Uint8Array | undefined} report
 * @property {(rank: number, table: number) => Uint8Array | undefined} recorded
 * @property {(ranks: Uint32Array, summary: boolean, piece: (bytes: Uint8Array<ArrayBuffer>) => void) => void} export
 */

/** @typedef {{first: number, end: number, part: number, value: number, left: number, top: number, right: number, bottom: number}} Region */

/**
 * @typedef {object} ChartOptions
 * @property {string[]} parts classes of time
 * @property {{label: string, values: number[], pale: boolean}[]} bars
 * @property {boolean} lying
 * @property {number | null} selected
 */

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
 * @typedef {object} Wasm the module that wasm-bindgen makes of crate/src/web
 * @property {(options: {module_or_path: string | URL}) => Promise<{memory: WebAssembly.Memory}>} default
 * @property {() => void} warm_up
 * @property {new () => Session} Session
 * @property {new () => SourceList} SourceList
 * @property {new (name: string, bytes: number) => RankLoad} RankLoad
 * @property {new (layers: string) => Unpack} Unpack
 * @property {(canvas: HTMLCanvasElement, options: ChartOptions & {scale: number, dark: boolean, font: string}) => Region[]} draw_stacked_bars
 * @property {(canvas: HTMLCanvasElement, options: LineOptions & {zoom: [number, number] | null, scale: number, dark: boolean, font: string}) => Plot} draw_lines
 * @property {() => Record<string, {light: string, dark: string}>} class_colors
 * @property {(nanos: number) => string} duration
 * @property {(count: number) => string} bytes
 * @property {(count: number) => string} count
 * @property {(share: number | null | undefined) => string} percent
 * @property {(rate: number | null | undefined) => string} gigabytes_per_second
 * @property {(value: number) => string} number
 * @property {(rows: string[][]) => Uint8Array<ArrayBuffer>} csv
 */

export {};
