// What ranks say together: the `job`, `collectives`, `stragglers` and `cluster` of a summary.

/** @typedef {{column: 'iteration_interval' | 'flop_rate' | 'compute' | 'own', rule: string, by: number}} JobMark a value that is far from the other ranks' */
/** @typedef {{source: 'shared' | 'solved' | 'unknown', offset_ns: number, collectives: number, residual_ns: number | null, drift_ns: number}} RankClock */

/**
 * @typedef {object} JobRank times are means over the steps that count
 * @property {number} rank
 * @property {string} input
 * @property {string} [host]
 * @property {string[]} [devices] each with its number, and its model where that is told
 * @property {number | null} stage
 * @property {number} steps_counted
 * @property {number} step_ns
 * @property {number | null} own_ns
 * @property {(number | null)[]} [own_of_steps_ns] of each step, without the time to the next one; none of a step that is not in the mean
 * @property {number | null} compute_ns
 * @property {number | null} communication_ns
 * @property {number | null} exposed_communication_ns
 * @property {number | null} exposed_memcpy_ns
 * @property {number | null} idle_ns
 * @property {number} [between_steps_ns] from the end of a step to the start of the next one, if that is no less than a hundredth of the step
 * @property {number} [between_steps_idle_ns] how long the devices do nothing meanwhile
 * @property {number | null} iteration_interval_ns
 * @property {number | null} forward_and_backward_ns
 * @property {number | null} tail_ns
 * @property {number | null} receive_alone_ns
 * @property {number | null} stage_ns
 * @property {number | null} flops
 * @property {number | null} flops_per_second
 * @property {boolean} flops_known whether both are known for enough of the time
 * @property {number | null} flops_coverage for which share of it
 * @property {number | null} flops_per_second_coverage
 * @property {number | null} memory_peak_bytes
 * @property {number} votes
 * @property {number} voted
 * @property {JobMark[]} marks
 * @property {RankClock} clock
 * @property {boolean} [not_averaged] whether the job's averages are without it: its times are from elsewhere than the other ranks'
 * @property {boolean} [repeated] whether another rank of its number is compared in its place
 * @property {ApartTrace['reason']} [apart] why it is no rank of the job, if it is none
 * @property {'tables' | 'steps'} [source] what its times are from, if not its events: its profiler's tables, or its steps alone
 */

/** @typedef {{name: string, description: string, ranks: number[], ranks_told: boolean, size: number, parallel: string | null, parallel_source: string | null}} JobGroup */
/** @typedef {{stage: number, ranks: number[], stage_ns: number, compute_ns: number, receive_alone_ns: number, collective_alone_ns: number, above_mean: number}} JobStage */
/** @typedef {{from: number, to: number, across_hosts: boolean | null, count: number, bytes: number | null, transfer_ns: number, wait_ns: number, bytes_per_second: number | null}} JobLink */
/** @typedef {{kind: string, size: number, source: string}} JobParallel */
/** @typedef {{code: string, count: number, ranks?: number[], steps?: {rank: number, step: string}[]}} JobWarning */
/** @typedef {{value: number, unit: 'ns' | 'bytes_per_second' | 'share' | 'count'}} WalkNumber */
/** @typedef {{mode: string, stages: number[][], cuts: {parts: string, operators: number}[]}} JobStrategy how MindSpore says that the model is spread */
/** @typedef {{code: string, part: string, told?: number, ranks?: number}} SpreadFault why a text does not say how the model is spread over these ranks */

/**
 * @typedef {object} WalkStep of the walk to a cause; it belongs to the last one before it whose `depth` is less
 * @property {'entry' | 'parallel' | 'metric' | 'place' | 'cause'} step
 * @property {string} [name]
 * @property {number} depth
 * @property {boolean} off
 * @property {number[]} [ranks]
 * @property {string} [group]
 * @property {number} [stage]
 * @property {string} [source]
 * @property {string} [rule]
 * @property {Record<string, WalkNumber>} numbers
 * @property {'ranks' | 'stages' | 'collectives' | 'links' | 'stragglers' | 'kernels' | 'pipeline' | 'idle'} look
 */

/**
 * @typedef {object} JobCollective an operation, of all groups (no group) or of one
 * @property {string} operation
 * @property {string | null} group
 * @property {number[] | null} group_ranks
 * @property {number} group_size
 * @property {number} count
 * @property {number} matched
 * @property {number} incomplete
 * @property {number} parts
 * @property {number | null} total_ns none, as the next two, if nothing is matched
 * @property {number | null} transfer_ns
 * @property {number | null} wait_ns
 * @property {number | null} mean_skew_ns
 * @property {number | null} max_skew_ns
 * @property {number | null} bytes
 * @property {number | null} algorithm_bytes_per_second
 * @property {number | null} bus_bytes_per_second
 */

/**
 * @typedef {object} Straggler
 * @property {'rank' | 'link' | 'group' | 'stage'} place
 * @property {number[]} ranks
 * @property {string} [group]
 * @property {number} [stage]
 * @property {string} cause
 * @property {string} rule
 * @property {number} value of ranks and stages in ns, of links in bytes per second
 * @property {number} usual
 * @property {number} [votes]
 * @property {number} [voted]
 * @property {{compute_ns: number, data_ns: number, host_ns: number}} [excess]
 * @property {number | null} gain_ns_per_step
 */

/**
 * @typedef {object} Job
 * @property {number} world_size
 * @property {JobParallel[]} parallel
 * @property {JobParallel[]} [parallel_told] what the traces tell of that, if a person gives it
 * @property {JobGroup[]} groups
 * @property {JobRank[]} ranks
 * @property {JobStage[]} stages
 * @property {JobLink[]} links
 * @property {number | null} gain_ns_per_step
 * @property {'found' | 'none' | 'only_tables' | 'no_collectives' | 'nothing_matched'} verdict whether stragglers can be told
 * @property {{rank: number, longer_share: number, waiting_share: number, straggler_above: number}[]} [slow_alone] ranks that have more own time, and are no stragglers
 * @property {{ranks_compared: number, collectives_matched: number, collectives: number}} coverage of how much of the job the verdict is
 * @property {boolean} implausible_clock
 * @property {number} unmatched_parts
 * @property {JobWarning[]} warnings
 * @property {JobStrategy} [strategy]
 * @property {WalkStep[]} walk
 */

/** @typedef {{rank: number, iteration_interval_ns: number, computation_ns: number, communication_alone_ns: number, stage_ns: number | null, receive_alone_ns: number | null, collective_alone_ns: number | null}} ClusterRank */
/** @typedef {{rank: number, link: string, type: string, time_ns: number, bytes: number, bytes_per_second: number}} ClusterLink */
/** @typedef {{what: 'iteration_interval' | 'gflops_per_second' | 'link' | 'mflops', rank?: number, stage?: number, link?: string, value: number, worse_by: number}} ClusterOutlier */

/**
 * @typedef {object} Cluster what MindSpore's profiler wrote of several ranks
 * @property {string | null} mode
 * @property {number} stages
 * @property {number} world_size
 * @property {ClusterRank[]} rows
 * @property {number | null} communication_rate
 * @property {number | null} between_stages_rate
 * @property {{stage: number, rate: number}[]} within_stages
 * @property {ClusterLink[]} links
 * @property {{rank: number, mflops: number, gflops_per_second: number}[]} flops
 * @property {ClusterOutlier[]} outliers
 * @property {JobStrategy} [strategy]
 */

/** @typedef {{job: Job, collectives: JobCollective[], stragglers: Straggler[]}} JobTables */
/** @typedef {{input: string, reason: 'same_recording' | 'same_rank' | 'other_world' | 'other_framework' | 'other_time' | 'other_run' | 'same_device' | 'no_rank', other?: string}} ApartTrace */
/** @typedef {{recordings: number, traces: ApartTrace[]}} NotAJob why traces are no ranks of one job: how many recordings they are without copies, and those that do not belong to the first */
/** @typedef {JobTables | {not_a_job: NotAJob}} JobAnswer */

export {};
