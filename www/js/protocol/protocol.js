// What the page and its workers say to each other, and what the reports look like.
// The reports' shape is made in crate/export/src/report_json; keys are added there, never renamed.

/** @typedef {import('./table.js').TableValues} TableValues */
/** @typedef {import('./wasm.js').Unit} Unit */
/** @typedef {import('./timeline.js').Drawn} Drawn */
/** @typedef {import('./timeline.js').TimelineAnswers} TimelineAnswers */
/** @typedef {import('./timeline.js').TimelineCall} TimelineCall */
/** @typedef {import('./timeline.js').TimelineDirection} TimelineDirection */
/** @typedef {import('./timeline.js').TimelineFound} TimelineFound */
/** @typedef {import('./timeline.js').TimelineReport} TimelineReport */
/** @typedef {import('./timeline.js').TimelineRow} TimelineRow */

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
 * @property {number} idle_ns known to be idle
 * @property {number} before_first_activity_ns neither busy nor known to be idle; likewise `uncovered_ns`, in steps that the timeline does not cover and after launches without activity
 * @property {number} uncovered_ns
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
 * @property {boolean} [captures] whether it captures a graph
 * @property {boolean} counted
 * @property {boolean} covered whether the timeline shows what ran in it
 * @property {DeviceTime[]} device_time
 * @property {Roles} roles
 * @property {EarlyRoles} [roles_before_first_activity] the part of the host's own roles
 * @property {Record<PhaseName, {calls: number, host_ns: number, device_ns: number}>} phases
 */

/** @typedef {{runtime_ns: number, dataloader_ns: number, cpu_ns: number, other_ns: number, total_ns: number} & Partial<Roles>} EarlyRoles while a device's state is unknown */
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
 * @property {'nvidia' | 'amd' | 'ascend' | 'unknown'} vendor decides what units of the devices are called
 * @property {Record<string, number>} [given_peaks] in TFLOP/s and GB/s, as the person gave them
 * @property {string | null} origin_unix_ns
 * @property {string} definition
 * @property {DefinitionValues} [definition_values]
 * @property {DeviceTime[]} device_time
 * @property {string} step_source
 * @property {Record<string, string>} phase_sources
 * @property {number} [device_busy_outside_steps_ns] how long any device is busy outside of marked steps, where that is more than a hundredth of its time
 * @property {{span: 'operators' | 'activities' | 'events', outside_ns: number, device_busy_outside_ns: number}} [whole_step] what the only step spans, where the trace marks none
 * @property {{steps: number, covered_steps: number, step_ns: number, between_steps_ns?: number, roles: Roles, roles_before_first_activity?: EarlyRoles, device_time: Omit<DeviceTime, 'device'> & {device: number | null}, data_wait_ns: number}} average
 * @property {Step[]} steps
 * @property {string[]} [topics] what can be asked for, where there is anything
 * @property {true} [only_tables] if there is nothing with a time, only recorded tables
 * @property {RecordedTable[]} [recorded] where there are any
 * @property {StepTrace} [step_trace]
 * @property {Benchmark} [benchmark]
 */

/**
 * @typedef {object} DefinitionValues what another tool's definitions give
 * @property {Record<string, number | null>} values
 * @property {{name: string, values: Record<string, number | null>}[]} [steps]
 * @property {{kernel_type: string, sum_ns: number}[]} [kernel_types]
 * @property {Tile[]} [tiles] those of the overview's numbers that it defines
 * @property {{compute_alone_ns: number, overlap_ns: number, exposed_communication_ns: number, exposed_memcpy_ns: number, other_ns: number, idle_ns: number}} [bar]
 */

/** @typedef {{total_ns: number, iteration_interval_ns: number, forward_and_backward_ns: number, tail_ns: number}} StepParts */
/** @typedef {{name: string, stream: number | null, start_ns: number, length_ns: number}} StepCollective from the step's start */
/**
 * @typedef {object} StepTrace after MindSpore; the average leaves out the first step
 * @property {'recorded' | 'device' | 'host' | 'named' | 'timeline' | 'operators'} source
 * @property {string} [forward_start]
 * @property {string} [backward_end]
 * @property {boolean} average_is_recorded
 * @property {boolean} is_of_other_steps the profiler recorded other steps than the timeline shows
 * @property {StepParts} average
 * @property {(StepParts & {name: string, start_ns: number, collectives?: StepCollective[]})[]} steps
 * @property {{name: string, near: string[]}[]} [unknown] points that were named and that no operator or kernel has: the rest is empty then
 */
/** @typedef {{avg: number, max: number, min: number}} Extremes */
/** @typedef {{steps: number, samples?: number, reader_cost?: Extremes, batch_cost: Extremes, ips: Extremes, reader_ratio?: number}} Benchmark times in seconds */

/** @typedef {{schema: string, inputs: Input[], ranks: Rank[], cluster?: import('./job.js').Cluster}} Summary */

/** @typedef {{name: string, time_ns: number, share: number | null}} Tile */
/** @typedef {{device: number, compute_alone_ns: number, overlap_ns: number, exposed_communication_ns: number, exposed_memcpy_ns: number, exposed_memset_ns: number, idle_ns: number, before_first_activity_ns: number, uncovered_ns: number}} OverlapBar */

/**
 * @typedef {object} Selection what is shown of a step, of the average step, or of the whole trace
 * @property {import('./event.js').LeftOut[]} [left_out] what averages over steps leave out
 * @property {Tile[]} tiles
 * @property {OverlapBar[]} overlap
 * @property {number} before_first_activity_ns
 * @property {number} between_steps_ns the mean time between the steps that are averaged; zero for one step
 * @property {number} uncovered_ns the part of the step in which it is not recorded what the device does
 * @property {number} idle_start_late_ns launched work that starts late, and the trace does not show why
 * @property {'slices'} [operators_are] where the trace has no operators: all slices of the host
 * @property {{activities: number, device_ns: number, device_sum_ns: number}} unlinked
 * @property {Record<'operators' | 'kernel_families' | 'kernels' | 'copies', TableValues>} tables
 */

/** @typedef {'text' | 'number' | 'ns' | 'bytes' | 'share' | 'bytes_per_second'} RecordedUnit */
/** @typedef {{id: string, file: string, columns: {name: string, unit: RecordedUnit}[], row_count: number}} RecordedTable a table that the profiler wrote itself */
/** @typedef {{texts: string[][], values: (number | string | null)[][]}} RecordedRows its rows as shown, and as sorted and saved */

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
 * @property {number | null} processors_samples
 * @property {boolean} processors_bound
 */
/** @typedef {{waits: number, total_ns: number, longest_ns: number, longest_slice: number | null, waiting_ns: number, host_step_ns: number, waiting_share_of_host_step: number | null, exposed_ns: number}} Waits */
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
 * @property {number | null} from_ns
 * @property {number | null} until_ns
 * @property {number} min
 * @property {number} max
 * @property {number} mean
 * @property {number} last
 * @property {[number, number][]} [points] of the kind that was asked for
 */
/** @typedef {{resources: Resource[]}} ResourcesReport */
/** @typedef {import('./kernels.js').Fitting} Fitting */
/** @typedef {import('./kernels.js').Occupancy} Occupancy */
/** @typedef {import('./kernels.js').Waves} Waves */
/** @typedef {import('./kernels.js').KernelLaunch} KernelLaunch */
/** @typedef {import('./kernels.js').KernelUseRow} KernelUseRow */
/** @typedef {import('./kernels.js').DeviceUse} DeviceUse */
/** @typedef {import('./kernels.js').KernelUse} KernelUse */

/** @typedef {{from_ns: number, to_ns: number, count: number}} HistogramBar lengths from one to before the other, and how many there are */
/** @typedef {{mean_ns: number, median_ns: number, min_ns: number, max_ns: number, std_ns: number, histogram: HistogramBar[]}} Distribution */
/** @typedef {{calls: number, total_ns: number, device_ns: number}} RowTimes */
/** @typedef {{shapes?: string, types?: string, grid?: [number, number, number], block?: [number, number, number], bytes?: number}} VariantOf */
/** @typedef {VariantOf & {slice: number, name: string, start_ns: number, length_ns: number, device_ns: number, step: string | null, device?: number, stream?: number, thread?: string}} RowEvent */
/**
 * @typedef {object} RowReport a row of a table, looked into
 * @property {Distribution} lengths
 * @property {RowEvent[]} slowest
 * @property {RowEvent[]} first
 * @property {RowTimes[]} steps
 * @property {RowTimes} outside of any step
 * @property {number} variant_count
 * @property {(RowTimes & {variant: VariantOf | null, steps: RowTimes[]})[]} variants the last one may be all that are not told apart: of no variant
 */

/** @typedef {{slice: number, name: string}} Slice */
/** @typedef {{calls: number, activities: number, short: number, slow: number, blocked: number, delayed: number, queued: number, before_first_activity: number, late: number, cpu_ns: number, cpu_max_ns: number, gpu_ns: number, delay_ns: number, delay_mean_ns: number, delay_max_ns: number}} LaunchSum */
/** @typedef {LaunchSum & {name: string}} LaunchName */
/** @typedef {Slice & {start_ns: number, activities: number, cpu_ns: number, gpu_ns: number, delay_ns: number, late_by_ns: number}} Launch */
/** @typedef {LaunchSum & {slow_threshold_ns: number, late_threshold_ns: number, unlinked_activities: number, cpu: Distribution, gpu: Distribution, delay: Distribution, names: LaunchName[], slowest: Launch[], latest: Launch[]}} Launches */
/** @typedef {{start_ns: number, end_ns: number, mean: number | null, max: number, curve?: [number, number][]}} QueueLength */
/** @typedef {{device: number, stream: number, calls: number, limit: number | null, blocked_ns: number, waiting: QueueLength, in_flight: QueueLength}} Queue */
/** @typedef {'data_loading' | 'synchronization' | 'allocation' | 'launching' | 'operator' | 'python' | 'range' | 'unrecorded' | 'start_late_unexplained'} HostActivity */
/** @typedef {Record<string, number>} HostTimes by activity, `…_ns` */
/** @typedef {Record<'window_ns' | 'busy_ns' | 'idle_ns' | 'host_wait_ns' | 'kernel_wait_ns' | 'other_ns' | 'unknown_ns', number>} IdleClasses */
/**
 * @typedef {object} IdleRest
 * @property {number} uncovered_ns in steps that the timeline does not cover, and after launches without activity: no part of the idle time
 * @property {Record<string, number>} leaves_ns the idle time by what it is spent on
 * @property {number} handed_over_ns the part of these that is of the thread which launched before the one that launched late
 * @property {{host_wait: number, kernel_wait: number, other: number, unknown: number}} gaps
 * @property {HostTimes} host_wait_by_activity
 */
/** @typedef {IdleClasses & IdleRest} IdleTimes */
/** @typedef {{start_ns: number, length_ns: number, class: string, cause: string | null, before: Slice | null, after: Slice | null, call: Slice | null, host: ({activity: HostActivity, shown_by: Slice | null} & Record<`${HostActivity}_ns`, number>) | null}} Gap */
/** @typedef {Omit<IdleTimes, 'gaps' | 'handed_over_ns'> & {averaged_steps: number | null, before_first_activity_ns: number, lead_in_ns: number, lead_out_ns: number}} IdleInSteps a device's time in the chosen step, or per step */
/** @typedef {IdleTimes & {device: number, kernel_wait_threshold_ns: number, streams: (IdleTimes & {stream: number})[], long_gaps: {threshold_ns: number, count: number, total_ns: number, longest: Gap[]}, in_steps?: IdleInSteps, before_first_activity_ns: number, lead_in_ns: number, lead_out_ns: number, step_leaves_ns: Record<string, number>[], edges: Gap[]}} DeviceIdle */
/** @typedef {{launches: Launches, queues: Queue[], idle: DeviceIdle[]}} WhyIdle */

/** @typedef {{class: string, name: string | null, pieces: number, total_ns: number, longest_slice: number | null, longest_start_ns: number, longest_end_ns: number}} PathRow */
/** @typedef {{change: string, kernel?: string, factor?: number, changed: number, steps_counted: number, step_ns: number, new_step_ns: number, gain_ns_per_step: number, steps: {name: string, length_ns: number, new_length_ns: number}[]}} WhatIf */
/**
 * @typedef {object} CriticalPath
 * @property {number} steps_counted
 * @property {number} step_ns
 * @property {Record<string, number>} classes
 * @property {{name: string, length_ns: number, classes: Record<string, number>}[]} steps
 * @property {PathRow[]} rows
 * @property {{step: number, start_ns: number, end_ns: number, classes: string[], pieces: [slice: number | null, from: number, to: number, part: number][], names: string[], piece_names: (number | null)[]}} [path]
 */
/** @typedef {{critical_path?: CriticalPath, what_if?: WhatIf[]}} CriticalReport */

/**
 * @typedef {object} Ask what is asked of a topic; each takes what it knows
 * @property {number | null} [step]
 * @property {boolean} [average] whether tables are of the average step, where no step is named
 * @property {string} [grouping]
 * @property {boolean} [merge]
 * @property {string[]} [what_if]
 * @property {string} [table]
 * @property {number} [row]
 * @property {number} [event] by its number
 * @property {{slow_call_ns?: number, late_ns?: number, kernel_wait_ns?: number, long_gap_ns?: number}} [thresholds]
 * @property {string} [forward_start]
 * @property {string} [backward_end]
 * @property {string} [kernel_grouping]
 * @property {string} [kind] of resources whose points are wanted
 * @property {[number, number]} [span_ns] the part of time that curves show or that is told of
 * @property {[number, number]} [other_span_ns] another part, which that is compared with
 * @property {number[]} [tracks] of which slices are added up, by their places in the trace
 * @property {string} [rules] a set of rules
 * @property {[string, number][]} [rule_thresholds]
 * @property {string} [language] of sentences
 */

/**
 * @typedef {object} Topics what each topic's report is
 * @property {Selection} selection
 * @property {DataReport} data
 * @property {ResourcesReport} resources
 * @property {MemoryReport} memory
 * @property {KernelUse} kernel_use
 * @property {WhyIdle} why_idle
 * @property {CriticalReport} critical_path
 * @property {RowReport} row
 * @property {EventReport} event
 * @property {import('./range.js').RangeReport} range
 * @property {StepTrace} step_trace
 * @property {AdviceReport} advice
 * @property {import('./budget.js').BudgetReport} budget
 * @property {import('./calls.js').CallTreeReport} call_tree
 */

/** @typedef {import('./job.js').JobAnswer} JobAnswer */
/** @typedef {import('./job.js').SpreadFault} SpreadFault */
/** @typedef {import('./event.js').EventReport} EventReport */
/** @typedef {import('./event.js').EventText} EventText */
/** @typedef {import('./event.js').EventPeers} EventPeers */

/** @typedef {{source: 'recorded' | 'counted', first_bytes: number, last_bytes: number, peak_bytes: number, peak_at_ns: number}} MemoryLevel */
/** @typedef {{start_ns: number, end_ns: number, at_ns: number[], allocated_bytes: number[], reserved_bytes?: (number | null)[]}} MemoryCurve each value holds from its time on */
/** @typedef {{blocks: number, bytes: number}} BlockCount */
/** @typedef {{address: string, bytes: number, allocated_ns: number | null, released_ns: number | null, lifetime_ns: number | null, allocated_by: {slice: number, name: string} | null, released_by: {slice: number, name: string} | null}} MemoryBlock */
/** @typedef {{name: string | null, allocations: number, releases: number, allocated_bytes: number, released_bytes: number, net_bytes: number, total_allocations: number, total_releases: number, total_allocated_bytes: number, total_released_bytes: number, total_net_bytes: number}} OperatorMemory */
/** @typedef {{name: string, bytes: number, type: string, shape: string, data_type: string, format: string, first_index: number | null, last_index: number | null, at_peak: boolean}} PlannedTensor */
/** @typedef {{graph: string, static_bytes: number | null, peak_bytes: number, peak_index: number, peak_operator: string, forward_start_index: number | null, backward_end_index: number | null, total_bytes: number[], operators: string[], operator_bytes: (number | null)[], tensors: PlannedTensor[]}} PlannedMemory over the order of execution */

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

/** @typedef {{name: string, unit: 'share' | 'ns' | 'bytes' | 'count', value: number, standard: number}} AdviceThreshold the first has the rule's name */
/** @typedef {{name: string, value?: number, unit?: AdviceThreshold['unit'] | 'bytes_per_second' | 'flops' | 'flops_per_second', slice?: number, start_ns?: number, duration_ns?: number, class?: string, table?: 'operators' | 'kernels' | 'copies', search?: string, gap_of_device?: number, host?: string | null, cause?: string | null}} Evidence a gap has no slice */
/** @typedef {{name: string, score_ns: number, share: number, saving_low_ns?: number, saving_low_share?: number, saving_high_ns?: number, saving_high_share?: number}} CauseCost bounds where they are far apart */
/**
 * @typedef {object} AdviceRule
 * @property {string} rule
 * @property {string} [wording] the id of its texts, where it is not the rule's
 * @property {number | null} value
 * @property {number} threshold what the value was compared with
 * @property {number | null} gain_ns_per_step
 * @property {number | null} gain_share_of_step
 * @property {number} [gain_share_of_ns] what that is a share of, if it is not the mean step
 * @property {CauseCost} [cause] what the step budget says of the cause that the rule is about
 * @property {'holds' | 'passed' | 'not_judged'} verdict
 * @property {{code: string, text: string}} [reason] why it was not judged
 * @property {{code: string, text: string}} [excuse] why it passed though its value is reached
 * @property {string} [covered_by] the rule that says more of the same time
 * @property {AdviceThreshold['unit']} unit
 * @property {'above' | 'below'} condition
 * @property {AdviceThreshold[]} thresholds
 * @property {Evidence[]} [evidence]
 * @property {string} [input] the rank that it is about; none of what compares ranks
 * @property {'tables' | 'steps' | 'repeated' | 'apart'} [outside] why the job's averages do not include its ranks
 * @property {number} [median_gain_ns_per_step] of several ranks; `gain_ns_per_step` is the first one's, the most
 * @property {RankRule[]} [ranks] of which it says that, where several are open, those with the most to gain first
 */
/** @typedef {{rank: number | null, place: number, input?: string, value: number | null, gain_ns_per_step: number | null, gain_share_of_step: number | null, cause?: CauseCost, evidence?: Evidence[]}} RankRule `place` among the ranks that are open; `input` where they are no ranks of one job */
/** @typedef {{set: string, steps_counted: number, step_ns: number, ranks?: number, ranks_judged?: number, conclusion: Conclusion, rules: AdviceRule[]}} AdviceReport */
/** @typedef {{cause: string, wording: string, score_ns: number, share: number, windows: 'steps' | 'periods' | 'trace', input?: string, title: string, text: string}} LargestCause the largest cause of the step budget, where no rule holds */
/** @typedef {{verdict: 'advice' | 'cause' | 'nothing' | 'incomplete', missing: {code: string, text: string}[], cause?: LargestCause}} Conclusion what advice comes to, and what the traces lack for a verdict that nothing is to be done */

/** @typedef {{path: string, file: File}} Dropped a file with its path in the drop, with `/` */

/** @typedef {[source: number, rank: number | null][]} Changes of some sources the number of their rank, none to leave them out */

/**
 * @typedef {object} Grouping what was found, and which of it makes which rank
 * @property {{path: string, bytes: number, title: string | null, problem: Problem | null}[]} sources files and what archives hold;
 *   the title of the format that each has, or why it is part of no rank
 * @property {{name: string, number: number | null, sources: number[]}[]} ranks that were read
 * @property {Changes} changes to the rule that a person made
 */

/** @typedef {{scanning: number, finishing: number, analyzing: number}} Times of the session's worker in milliseconds: taking in text, making traces of what was in it, all reports */

/** @typedef {{summary: Summary, read: number, grouping: Grouping, failures: Problem[], held: number[], times: Times, wasmBytes: number}} Opened `read` ranks, of which those `held` are in memory; if none, the summary is of what was there before */

/** @typedef {{aside: boolean, rank: number}} Baseline what a rank is compared with: a rank by its index, of what is opened or of what is kept aside in another worker */

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
/** @typedef {{cause: string, wording: string, time: Change}} CauseChange `wording` is the last part of its messages' keys */
/** @typedef {{verdict: 'as_predicted' | 'less' | 'more' | 'not_shorter', cause: CauseChange, windows: string, predicted_low_ns: number, predicted_high_ns: number, achieved_ns: number, grown?: CauseChange}} Outcome */
/**
 * @typedef {object} Diff what is different in the second of two ranks
 * @property {DiffSide} a
 * @property {DiffSide} b
 * @property {Change} step
 * @property {{role: RoleName, time: Change}[]} roles
 * @property {Change} [before_first_activity] the part of the steps that is no role's
 * @property {{phase: PhaseName, host: Change, device: Change}[]} phases
 * @property {Contribution[]} contributions
 * @property {OperatorChange[]} operators
 * @property {CauseChange[]} causes of lost time by the step budgets, those that changed most first
 * @property {Outcome} [outcome] what became of the step where a large cause of the first is gone
 * @property {{a: {name: string, length_ns: number} | null, b: {name: string, length_ns: number} | null}[]} steps
 */

/**
 * @typedef {object} Requests each request's argument and answer
 * @property {{argument: {files: Dropped[], changes?: Changes, aside?: boolean, memory?: number, workers?: number}, answer: Opened}} open grouped by the rule with these changes; what is opened aside is only compared with, never drawn; how many MB traces may take, and how many workers read ranks
 * @property {{argument: {changes: Changes}, answer: Opened}} regroup
 * @property {{argument: {rank: number, topic: string, ask: Ask}, answer: any}} report as `Topics` says
 * @property {{argument: {}, answer: JobAnswer | undefined}} job what ranks say together, or why they are no ranks of one job; nothing of fewer than two
 * @property {{argument: {rank: number, event: number | null}, answer: EventText | undefined}} args an event as it stands in its file; none stops what goes on
 * @property {{argument: {rank: number, event: number}, answer: EventPeers | undefined}} peers
 * @property {{argument: {rank: number, shapes: boolean}, answer: Uint8Array<ArrayBuffer> | undefined}} compareSide what a rank contributes to a comparison
 * @property {{argument: {rank: number, side: Uint8Array<ArrayBuffer>, shapes: boolean}, answer: Diff | undefined}} compare with such a side, maybe of another worker
 * @property {{argument: {rank: number, table: number}, answer: RecordedRows | undefined}} recorded
 * @property {{argument: {rank: number, query: string, args: boolean, end: number}, answer: FindAnswer | undefined}} find an empty query forgets what was found; nothing once another search is wanted
 * @property {{argument: FindFrom, answer: FindHit | null}} nextHit
 * @property {{argument: {after: ListedHit | null, most: number}, answer: ListedHit[]}} hits of the last search, in the order of time
 * @property {{argument: TimelineCall, answer: any}} timeline as `TimelineAnswers` says
 * @property {{argument: {name: string}, answer: Summary}} define
 * @property {{argument: {text: string}, answer: Summary | {fault: string}}} peaks that the person gives
 * @property {{argument: {parallel: string}, answer: SpreadFault | undefined}} spread how the model is spread over the ranks, as a person says; empty: as the traces tell
 * @property {{argument: {number: number, name: string, ranks: number[], summary: boolean, span?: [number, number], tracks?: number[]}, answer: Blob}} export
 * @property {{argument: {}, answer: Uint8Array<ArrayBuffer>}} summaryJson
 * @property {{argument: {scripts: string | null, view: string}, answer: Blob}} htmlReport one file; with the analyzer's scripts, it carries them and the traces, and what is shown of these first
 */

/** @typedef {{fault: string, from: number, to: number, message: string}} QueryFault what is wrong with a part of a query */
/** @typedef {{count: number, fault: QueryFault | null, unmatched: [number, number][], unread: string[], at: number[]}} FindAnswer how many hits; where there are none, which parts of the query match nothing; which files could not be looked through, and where hits are, thinned over the time until `end` */
/** @typedef {{at: number, event: number | null, instant: number | null, backwards: boolean}} FindFrom a slice, an instant event, or else a time in ns */
/** @typedef {{index: number, name: string, at_ns: number}} Instant an instant event, its time in that of its rank */
/** @typedef {{event: number | null, instant: Instant | null, number: number}} FindHit a slice or else an instant event, and which it is of all, by time */

/** @typedef {FindHit & {name: string, start_ns: number, length_ns: number | null, row: number | null}} ListedHit a hit with its time in that of the timeline; instant events have no length and no row, and the time of their rank */

/** @typedef {{rank: number, share: number}} Reread a rank whose trace is read again, and which part of it was */

/** @typedef {keyof Requests} RequestName */

/**
 * @typedef {{file: string, index: number, files: number, read: number, size: number, bytes: number, events: number, slices: number,
 *   activities: number, stage: 'looking' | 'reading' | 'analyzing', blocked: boolean}} Progress `blocked`: the worker hears nothing
 */

/**
 * @typedef {{kind: 'request', id: number, name: RequestName, argument: any} | {kind: 'cancel'} | {kind: 'cancelExport', number: number}
 *   | {kind: 'canvas', canvas: OffscreenCanvas} | {kind: 'scene', scene: import('../page/timeline/scene.js').Scene}} ToWorker
 */

/**
 * @typedef {{kind: 'answer', id: number, answer: any}
 *   | {kind: 'drawn', drawn: Drawn}
 *   | {kind: 'searching', share: number}
 *   | {kind: 'exporting', exporting: ExportGoing[]}
 *   | {kind: 'held', held: number[], summary: Summary | null}
 *   | {kind: 'rereading', reread: Reread | null}
 *   | {kind: 'failure', id: number, problem: Problem}
 *   | {kind: 'progress', progress: Progress}} FromWorker
 */

/** @typedef {{number: number, name: string, share: number | null}} ExportGoing how much is done of an export, which has the page's number; null while it waits */

/** @typedef {import('./wasm.js').RankLoad} RankLoad */

/** @typedef {(offset: number, length: number) => Uint8Array} ReadBytes */

/**
 * @typedef {object} Plan the sources of a drop and the ranks that they make
 * @property {{path: string, file: number, start: number, len: number, bytes: number, layers: string, random: boolean, apart: boolean, title: string | null, problem: Problem | null}[]} sources
 * @property {{name: string, rank: number | null, bytes: number, sources: number[]}[]} ranks
 */

/**
 * @typedef {object} SourceList the wasm class of that name
 * @property {(path: string, size: number, read: ReadBytes) => void} add
 * @property {(changes: Changes) => Plan} plan
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
 * @property {(rank: number) => void} gather
 * @property {() => Uint8Array | undefined} job
 * @property {(text: string) => Uint8Array | undefined} spread
 * @property {() => void} clear
 * @property {(name: string) => void} define
 * @property {(text: string) => void} give_peaks throws the part that is no peak
 * @property {() => Uint8Array} summary
 * @property {() => Uint8Array<ArrayBuffer>} summary_json
 * @property {(rank: number, topic: string, ask: Ask) => {json: Uint8Array, tables: TableValues[]} | undefined} report
 * @property {(rank: number, shapes: boolean) => Uint8Array<ArrayBuffer> | undefined} compare_side
 * @property {(rank: number, side: Uint8Array, shapes: boolean) => Uint8Array | undefined} compare
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
 * @property {(ranks: Uint32Array, summary: boolean, span: Float64Array | undefined, tracks: Uint32Array | undefined, piece: (bytes: Uint8Array<ArrayBuffer>) => void) => void} export_begin
 * @property {(rank: number, piece: (bytes: Uint8Array<ArrayBuffer>) => void) => boolean} export_rank goes on by some MB; whether nothing is left
 * @property {() => number} export_share
 * @property {() => void} export_stop
 * @property {(piece: (bytes: Uint8Array<ArrayBuffer>) => void) => void} export_end
 */

export {};
