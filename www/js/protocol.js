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
 * @property {StepTrace} [step_trace]
 * @property {Benchmark} [benchmark]
 */

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

/** @typedef {{step?: number | null, grouping?: string, merge?: boolean, kind?: string, rules?: string, thresholds?: [string, number][]}} Ask what is asked of a topic; each takes what it knows */

/**
 * @typedef {object} Pipeline MindData's
 * @property {'processing' | 'transmission' | 'not_data' | null} verdict
 * @property {boolean} keeps_up
 * @property {number[]} bottlenecks operators by their numbers
 * @property {{id: number, type: string, workers: number, queue_mean_size: number | null, queue_capacity: number | null, queue_usage: number,
 *   times_empty: number, times_full: number, samples: number, parent: number | null, children: number[]}[]} operators
 * @property {{device: boolean, steps: number, times_empty: number, times_full: number, mean_usage: number | null, mean_get_ns: number, mean_push_ns: number, mean_total_ns: number} | null} queue
 * @property {{steps: number, times_empty: number, mean_ns: number} | null} get_next
 * @property {number | null} processors_busy
 * @property {boolean} processors_bound
 */
/** @typedef {{waits: number, total_ns: number, longest_ns: number, exposed_ns: number}} Waits */
/**
 * @typedef {object} Loading waits for the data loader
 * @property {'single_process' | 'workers' | 'unknown'} kind
 * @property {number} waits
 * @property {number} mean_ns
 * @property {number} median_ns
 * @property {number} max_ns
 * @property {Waits} average
 * @property {number} waiting_steps
 * @property {Waits[]} steps
 */
/**
 * @typedef {object} DataReport
 * @property {Pipeline} [pipeline]
 * @property {{size: number | null, capacity: number | null}[]} queue what each step found
 * @property {{id: number, sizes: number[]}[]} queues per operator, its samples
 * @property {Loading} [loading]
 */
/**
 * @typedef {object} Resource
 * @property {string} kind
 * @property {string} owner
 * @property {string} name
 * @property {Unit} unit
 * @property {boolean} holds whether a value holds until the next one; else points are numbered, not timed
 * @property {number} samples
 * @property {number} min
 * @property {number} max
 * @property {number} mean
 * @property {number} last
 * @property {[number, number][]} [points] of the kind that was asked for
 */
/** @typedef {{resources: Resource[]}} ResourcesReport */

/**
 * @typedef {object} Topics what each topic's report is
 * @property {Selection} selection
 * @property {AdviceReport} advice
 * @property {DataReport} data
 * @property {ResourcesReport} resources
 */

/** @typedef {{name: string, unit: 'share' | 'ns' | 'bytes' | 'count', value: number, standard: number}} AdviceThreshold the first has the rule's name */
/** @typedef {{name: string, value?: number, slice?: number, start_ns?: number, duration_ns?: number, class?: string, table?: 'operators' | 'kernels' | 'copies', search?: string}} Evidence */
/**
 * @typedef {object} AdviceRule
 * @property {string} rule
 * @property {number | null} value
 * @property {number} threshold what the value was compared with
 * @property {number | null} gain_ns_per_step
 * @property {number | null} gain_share_of_step
 * @property {'holds' | 'passed' | 'not_judged'} verdict
 * @property {{code: string, text: string}} [reason] why it was not judged
 * @property {AdviceThreshold['unit']} unit
 * @property {'above' | 'below'} condition
 * @property {AdviceThreshold[]} thresholds
 * @property {Evidence[]} [evidence]
 */
/** @typedef {{set: string, steps_counted: number, step_ns: number, rules: AdviceRule[]}} AdviceReport */

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

/** @typedef {{aside: boolean, rank: number}} Baseline what a rank is compared with: a rank by its index, of what is opened or kept aside */

/** @typedef {{a_ns: number, b_ns: number, change_ns: number}} Change a time per step on both sides, and the exact difference */
/** @typedef {{a: number, b: number}} Counts */
/**
 * @typedef {object} Contribution
 * @property {RoleName} role
 * @property {string} name empty for `other`
 * @property {string} [shapes]
 * @property {Change} time the moments of a step that are its alone
 * @property {Counts} calls in the steps that count
 * @property {Counts} total_ns
 * @property {{a: number | null, b: number | null}} mean_ns
 */
/** @typedef {{name: string, class: string, shapes?: string, types?: string, calls: Counts, host_total: Change, host_self: Change, device_total: Change, device_self: Change}} OperatorChange */
/** @typedef {{input: string, rank: number | null, framework: string, framework_version: string, step_source: string, average: Rank['average']}} DiffSide */
/**
 * @typedef {object} Diff what is different in the second of two ranks
 * @property {DiffSide} a
 * @property {DiffSide} b
 * @property {Change} step
 * @property {{role: RoleName, time: Change}[]} roles
 * @property {{phase: PhaseName, host: Change, device: Change}[]} phases
 * @property {Contribution[]} contributions
 * @property {OperatorChange[]} operators
 * @property {{a: {name: string, length_ns: number} | null, b: {name: string, length_ns: number} | null}[]} steps
 */

/**
 * @typedef {object} Requests each request's argument and answer
 * @property {{argument: {files: Dropped[]}, answer: Opened}} open
 * @property {{argument: {changes: Changes}, answer: Opened}} regroup
 * @property {{argument: {rank: number, topic: string, ask: Ask}, answer: any}} report as `Topics` says
 * @property {{argument: {files: Dropped[]}, answer: Opened}} openOther what ranks are compared with, beside what is opened
 * @property {{argument: {}, answer: void}} forgetOther also while it is being read
 * @property {{argument: {rank: number, other: Baseline, shapes: boolean}, answer: Diff | undefined}} compare
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
 * @property {(rank: number, other: Session, otherRank: number, shapes: boolean) => Uint8Array | undefined} compare
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
 * @property {(nanos: number) => string} duration_change
 * @property {(share: number | null | undefined) => string} percent_change
 * @property {(count: number) => string} bytes
 * @property {(count: number) => string} count
 * @property {(share: number | null | undefined) => string} percent
 * @property {(rate: number | null | undefined) => string} gigabytes_per_second
 * @property {(value: number) => string} number
 * @property {(rows: string[][]) => Uint8Array<ArrayBuffer>} csv
 */

export {};
