// Made from crate/export/schema/page.json by `cargo xtask types`: the analyzer tells the page so. Not to be edited.
/**
 * A member: key, value, and whether the value is text. Text has no quotes and escapes; other values are as in the
 * file, so that numbers keep all digits.
 *
 * @minItems 3
 * @maxItems 3
 */
export type EventMemberReport = [string, string, boolean];
/**
 * Results of a job, or why the traces are not one job.
 */
export type JobOrNot =
  | JobTables
  | {
      not_a_job: NotAJobReport;
    };
export type ValueReport = number | (number | null);

export interface Reports {
  diff: Diff;
  event_place: EventPlaceReport;
  event_text: EventTextReport;
  find_hit: FindHitReport | null;
  job: JobOrNot;
  layout_fault: LayoutFault;
  peers: EventPeersReport;
  plan: PlanReport;
  problem: ProblemReport;
  progress: ProgressReport;
  query_fault: QueryFaultReport;
  recorded: RecordedTableReport;
  recorded_rows: RecordedRowsReport;
  runs: RunReport[];
  summary: Summary;
  tables: TableReport[];
  timeline: TimelineReport;
  timeline_found: TimelineFoundReport | null;
  topics: Topics;
}
/**
 * A comparison of two ranks. METRICS section 10.
 */
export interface Diff {
  a: ComparedSideReport;
  b: ComparedSideReport;
  /**
   * The part of the steps before the first recorded activity; left out if zero.
   */
  before_first_activity?: ChangeReport;
  categories: CategoryChangeReport[];
  /**
   * Causes of lost time by the step budgets, largest change first.
   */
  causes: CauseChangeReport[];
  contributions: ContributionReport[];
  /**
   * The jobs that both ranks are of; left out unless both sides are ranks of one job.
   */
  job?: JobDiffReport;
  /**
   * `nn.Module`s by their paths, such as `Net_0.Linear_0`, paired by these; the row without a name is what is outside of all of them. Left
   * out unless both sides have some.
   */
  modules?: OperatorChangeReport[];
  operators: OperatorChangeReport[];
  /**
   * Predicted and achieved saving, if a large cause of the first side is gone.
   */
  outcome?: OutcomeReport;
  phases: PhaseChangeReport[];
  /**
   * @deprecated
   * The earlier name of `categories`.
   */
  roles: CategoryChangeReport[];
  schema: string;
  step: ChangeReport;
  /**
   * Items: A value on both sides.
   */
  steps: {
    a: ComparedStepReport | null;
    b: ComparedStepReport | null;
  }[];
  /**
   * Work per second, if steps follow one another on both sides.
   */
  throughput?: ThroughputReport;
}
/**
 * One side of a comparison.
 */
export interface ComparedSideReport {
  average: AverageReport;
  framework: string;
  framework_version: string;
  input: string;
  rank: number | null;
  step_source: string;
}
/**
 * Means over steps.
 */
export interface AverageReport {
  /**
   * The mean time between these steps, not included in their length.
   */
  between_steps_ns?: number;
  categories: CategoriesReport;
  /**
   * The part of `categories` before the first recorded activity, while the state of a device is unknown; left out if zero.
   */
  categories_before_first_activity?: EarlyCategories;
  /**
   * The number of steps averaged in `categories`, `device_time` and `data_wait_ns`: those that the timeline covers.
   */
  covered_steps: number;
  data_wait_ns: number;
  device_time: DeviceTimeReport;
  /**
   * Without devices: communication on hosts while no host computes.
   */
  exposed_on_hosts_ns?: number;
  /**
   * @deprecated
   * The earlier name of `categories`.
   */
  roles: CategoriesReport;
  /**
   * @deprecated
   * The earlier name of `categories_before_first_activity`.
   */
  roles_before_first_activity?: EarlyCategories;
  step_ns: number;
  steps: number;
  /**
   * The mean time of the steps' marks outside of the steps: the profiler recorded nothing there.
   */
  unrecorded_ns?: number;
}
/**
 * Time by category.
 */
export interface CategoriesReport {
  communication_ns: number;
  cpu_ns: number;
  dataloader_ns: number;
  kernel_ns: number;
  memcpy_ns: number;
  memset_ns: number;
  other_ns: number;
  runtime_ns: number;
}
/**
 * Host categories while the state of a device is unknown, and their sum.
 */
export interface EarlyCategories {
  cpu_ns: number;
  dataloader_ns: number;
  other_ns: number;
  runtime_ns: number;
  total_ns: number;
}
/**
 * Time of a device by category.
 */
export interface DeviceTimeReport {
  /**
   * Time before the first recorded activity: neither busy nor known to be idle.
   */
  before_first_activity_ns: number;
  busy_ns: number;
  communication_ns: number;
  compute_ns: number;
  /**
   * The device's number; null for a mean of several devices.
   */
  device: number | null;
  exposed_communication_ns: number;
  exposed_memcpy_ns: number;
  exposed_memset_ns: number;
  idle_ns: number;
  memcpy_ns: number;
  memset_ns: number;
  overlap_ns: number;
  overlap_of_communication: number | null;
  /**
   * Time in steps that the timeline does not cover: neither busy nor known to be idle.
   */
  uncovered_ns: number;
  window_ns: number;
}
/**
 * A time per step on both sides, and the increase from the first to the second.
 */
export interface ChangeReport {
  a_ns: number;
  b_ns: number;
  change_ns: number;
}
export interface CategoryChangeReport {
  category: string;
  /**
   * @deprecated
   * The earlier name of `category`.
   */
  role: string;
  time: ChangeReport;
}
/**
 * A cause's time per window on both sides.
 */
export interface CauseChangeReport {
  cause: string;
  /**
   * The late parts of the job, in words; only in jobs.
   */
  late?: string;
  /**
   * The cause in words.
   */
  name: string;
  time: ChangeReport;
  /**
   * The last part of its message keys.
   */
  wording: string;
}
export interface ContributionReport {
  /**
   * Calls in the steps that are averaged.
   */
  calls: {
    a: number;
    b: number;
  };
  category: string;
  /**
   * A value on both sides.
   */
  mean_ns: {
    a: number | null;
    b: number | null;
  };
  name: string;
  /**
   * A value on both sides.
   */
  own_total_ns: {
    a: number;
    b: number;
  };
  /**
   * @deprecated
   * The earlier name of `category`.
   */
  role: string;
  shapes?: string;
  time: ChangeReport;
  /**
   * A value on both sides.
   */
  total_ns: {
    a: number;
    b: number;
  };
}
/**
 * A comparison of two jobs, as means over the ranks of each.
 */
export interface JobDiffReport {
  /**
   * Number of ranks in the means, and of all ranks.
   */
  averaged: {
    a: number;
    b: number;
  };
  /**
   * Causes of lost time, largest change first.
   */
  causes: CauseChangeReport[];
  /**
   * Predicted and achieved saving, if a large cause of the first side is gone.
   */
  outcome?: OutcomeReport;
  ranks: RankChangeReport[];
  /**
   * The mean window of the ranks' step budgets.
   */
  step: ChangeReport;
  /**
   * A value on both sides.
   */
  world_size: {
    a: number;
    b: number;
  };
}
/**
 * Predicted and achieved saving of a cause that is gone.
 */
export interface OutcomeReport {
  /**
   * The achieved saving; negative if the step became longer.
   */
  achieved_ns: number;
  cause: CauseChangeReport;
  /**
   * The cause that grew most, if by enough to matter.
   */
  grown?: CauseChangeReport;
  predicted_high_ns: number;
  /**
   * Lower bound of the predicted saving.
   */
  predicted_low_ns: number;
  /**
   * The outcome in words.
   */
  sentences: string[];
  /**
   * `as_predicted`, `less`, `more` or `not_shorter`.
   */
  verdict: string;
  /**
   * The unit of times: a step, or the time from step to step.
   */
  windows: string;
}
/**
 * A rank of both jobs.
 */
export interface RankChangeReport {
  /**
   * Its own time, with the time to the next step and without exposed communication.
   */
  own_ns: {
    a: number | null;
    b: number | null;
  };
  rank: number;
  /**
   * A value on both sides.
   */
  step_ns: {
    a: number | null;
    b: number | null;
  };
}
export interface OperatorChangeReport {
  /**
   * A value on both sides.
   */
  calls: {
    a: number;
    b: number;
  };
  class: string;
  device_self: ChangeReport;
  device_total: ChangeReport;
  host_self: ChangeReport;
  host_total: ChangeReport;
  name: string;
  shapes?: string;
  types?: string;
}
export interface PhaseChangeReport {
  device: ChangeReport;
  host: ChangeReport;
  phase: string;
}
export interface ComparedStepReport {
  length_ns: number;
  name: string;
}
/**
 * Samples or steps per second on both sides.
 */
export interface ThroughputReport {
  /**
   * The increase, as a share of the first side's.
   */
  change: number | null;
  /**
   * A value on both sides.
   */
  per_second: {
    a: number;
    b: number;
  };
  /**
   * `samples`, if the steps of both sides say how many they have, else `steps`.
   */
  unit: string;
}
/**
 * The location of an event in its file.
 */
export interface EventPlaceReport {
  at: number;
  /**
   * The file's name.
   */
  file: string;
  format: string;
  is_json: boolean;
  /**
   * The rank's name.
   */
  rank: string;
}
/**
 * The text of an event in its file.
 */
export interface EventTextReport {
  /**
   * The object; null if there is none at that place.
   */
  object: EventObjectReport | null;
}
/**
 * The JSON object of an event.
 */
export interface EventObjectReport {
  /**
   * The members of `args`.
   */
  args: EventMemberReport[];
  is_repaired: boolean;
  members: EventMemberReport[];
  text: string;
}
/**
 * A search hit: a slice or an instant event.
 */
export interface FindHitReport {
  /**
   * The slice's number.
   */
  event: number | null;
  /**
   * The instant event, if the hit is not a slice.
   */
  instant: FoundInstantReport | null;
  /**
   * The position among all hits, by time.
   */
  number: number;
}
/**
 * An instant event.
 */
export interface FoundInstantReport {
  /**
   * Time on the rank's clock.
   */
  at_ns: number;
  index: number;
  name: string;
}
/**
 * Results of a job.
 */
export interface JobTables {
  collectives: CollectivesRow[];
  job: JobReport;
  stragglers: StragglersRow[];
}
export interface CollectivesRow {
  /**
   * Algorithm GB/s: Bytes per second of transfer, each collective counted once
   */
  algorithm_bytes_per_second: number | null;
  /**
   * Bus GB/s: Algorithm bandwidth × 2(n−1)/n (all-reduce), × (n−1)/n (all-gather, reduce-scatter, all-to-all), else × 1
   */
  bus_bytes_per_second: number | null;
  /**
   * Bytes of one: Each collective counted once, as in nccl-tests: the gathered output of an all-gather, the whole input of a reduce-scatter, else one rank's buffer
   */
  bytes: number | null;
  /**
   * Count: How many collectives; a collective has a part on each rank
   */
  count: number | null;
  /**
   * Group: The process group and its ranks
   */
  group: string | null;
  /**
   * Ranks: The ranks of the group; a row of all groups has the collectives of all of them
   */
  group_ranks: number[] | null;
  /**
   * Size: How many ranks the group has; of all groups together, the largest
   */
  group_size: number | null;
  /**
   * Incomplete: How many of these lack the part of a rank that is here
   */
  incomplete: number | null;
  /**
   * Matched: Collectives with parts of several ranks
   */
  matched: number | null;
  /**
   * Max skew: From the first rank's start to the last one's, at most
   */
  max_skew_ns: number | null;
  /**
   * Mean skew: From the first rank's start to the last one's, on average
   */
  mean_skew_ns: number | null;
  /**
   * Operation: Kind of the collective
   */
  operation: string | null;
  /**
   * Parts: Parts of matched collectives: each rank has one of each
   */
  parts: number | null;
  /**
   * Reduce (tasks): On an Ascend: a task of the collective reduces, also while it copies (Reduce_Inline). Long: a problem of the reduction
   */
  task_reduce_ns: number | null;
  /**
   * Transfer (tasks): On an Ascend: a task of the collective copies or sends and none reduces, by the planes of the timeline; all ranks. Long: a slow link
   */
  task_transfer_ns: number | null;
  /**
   * Wait (tasks): On an Ascend: a task of the collective waits for another device and none copies or reduces. Long: a slow rank. Over RDMA it contains the transfer
   */
  task_wait_ns: number | null;
  /**
   * Tasks known: Share of the time of these collectives whose tasks are recorded; not known where collectives of a device overlap
   */
  tasks_known: number | null;
  /**
   * All ranks' time: The parts' lengths on all ranks; transfer and wait add up to it
   */
  total_ns: number | null;
  /**
   * All ranks' transfer: Shortest part of each collective, once per rank, and what parts that start at once on hosts take beyond it: bandwidths use the shortest part once
   */
  transfer_ns: number | null;
  /**
   * All ranks' wait: Time of each part beyond the shortest one; of collectives of hosts that start at once, until the last start
   */
  wait_ns: number | null;
}
/**
 * A job: layout, ranks, stages, links, verdict.
 */
export interface JobReport {
  budget?: BudgetMeanReport;
  causes?: BudgetCauseReport[];
  coverage: JobCoverageReport;
  /**
   * The steps from the job to the cause of its delay.
   */
  drill_down: DrillDownStepReport[];
  gain_ns_per_step: number | null;
  groups: JobGroupsRow[];
  implausible_clock: boolean;
  links: JobLinksRow[];
  /**
   * The ranks that compute longer where no straggler is found.
   */
  longer_compute?: LongerComputeReport;
  parallel: JobParallelReport[];
  /**
   * The layout found in the traces, if the user gave another one.
   */
  parallel_told?: JobParallelReport[];
  ranks: JobRankReport[];
  /**
   * Ranks with more own time that do not delay others.
   */
  slow_alone?: SlowAloneReport[];
  stages: JobStagesRow[];
  strategy?: StrategyReport;
  unmatched_parts: number;
  /**
   * `found`, `none`, or why stragglers cannot be found: `only_tables`, `no_collectives`, `nothing_matched`.
   */
  verdict: string;
  /**
   * @deprecated
   * The earlier name of `drill_down`.
   */
  walk: DrillDownStepReport[];
  warnings: JobWarningReport[];
  world_size: number;
}
/**
 * The mean window, and on request all windows of all devices.
 */
export interface BudgetMeanReport {
  /**
   * The mean time between windows, not included in their length.
   */
  between_ns?: number;
  branches: BudgetBranchReport[];
  /**
   * The number of windows averaged, without warm-up and partial steps.
   */
  counted: number;
  /**
   * The number of devices averaged.
   */
  device_count: number;
  devices?: BudgetDeviceReport[];
  /**
   * The kind of the first line.
   */
  first_line: string;
  /**
   * The split of exposed communication by the other ranks' traces, of ranks of a job.
   */
  in_job?: InJobReport;
  /**
   * The sum of all branches: the mean length of a window, including the time between windows if that is a
   * branch.
   */
  length_ns: number;
  /**
   * The number of ranks averaged, if it is the budget of a job.
   */
  ranks?: number;
  /**
   * The first line in words, with the fix.
   */
  sentences: string[];
  /**
   * `periods` if shares of causes refer to the time from step to step, not to windows.
   */
  shares_of?: string;
  /**
   * `steps`, or `trace` if the whole trace is one window.
   */
  windows: string;
}
/**
 * A branch of the step budget; `leaves` only if it has several.
 */
export interface BudgetBranchReport {
  /**
   * Branch: A part of the first level of the budget
   */
  branch: string;
  /**
   * Class
   */
  class: string;
  leaves?: BudgetBranchesLeavesRow[];
  /**
   * Time: The mean over steps and devices
   */
  mean_ns: number;
  /**
   * Share: The part of the step; of the time from step to step where that is longer, or of the trace without steps
   */
  share: number;
}
export interface BudgetBranchesLeavesRow {
  /**
   * Part: The part of the time, as the budget divides it
   */
  leaf: string;
  longest?: {
    event: number | null;
    /**
     * Its host activity: The host event that best shows what the host does in the longest span
     */
    host: string | null;
    leaf: string | null;
    /**
     * Longest: The longest span of the part
     */
    length_ns: number | null;
    /**
     * Its activity: The activity that runs in the longest span, or that the device waits for
     */
    name: string | null;
    /**
     * Start of the longest: When the longest span of the part starts, from the trace's start
     */
    start_ns: number | null;
  };
  /**
   * Time: The mean over steps and devices
   */
  mean_ns: number;
  /**
   * Share: The part of the step; of the time from step to step where that is longer, or of the trace without steps
   */
  share: number;
}
export interface BudgetDeviceReport {
  device: number;
  steps: BudgetStepReport[];
  trace: BudgetTimesReport;
}
/**
 * A window and its leaves, which add up to its length.
 */
export interface BudgetStepReport {
  counts: boolean;
  leaves: {
    [k: string]: number;
  };
  length_ns: number;
  step: string;
}
/**
 * A window and its leaves, which add up to its length.
 */
export interface BudgetTimesReport {
  leaves: {
    [k: string]: number;
  };
  length_ns: number;
}
/**
 * The split of a rank's exposed communication.
 */
export interface InJobReport {
  /**
   * The part of transfers, likewise; none where ranks of the job are missing.
   */
  transfer_ns: number | null;
  /**
   * The part in which it waits for other ranks, per window.
   */
  waiting_ns: number;
}
/**
 * A cause of lost time.
 */
export interface BudgetCauseReport {
  /**
   * The most time per window that can be hidden beside computation, if that is less than the cause.
   */
  can_hide_ns?: number;
  cause: string;
  /**
   * Confidence: Exact: time of recorded activities or steps. Linked: all launching calls are known or, for kernels, all limits. Partial: some are not, and the cause may be larger
   */
  confidence: string;
  /**
   * The few steps that most of its time is in, if it is not spread over the steps.
   */
  few_steps?: FewStepsReport;
  /**
   * This in words, if it is less than the saving.
   */
  hides?: string;
  /**
   * Known: For partial causes, the part that is known: of the activities their launching calls, of the compute time the kernels' limits
   */
  known_share?: number;
  /**
   * The ranks, links or stages that are late, in words; only of jobs.
   */
  late?: string;
  leaves: {
    [k: string]: number;
  };
  longest: CausesLongestRow[];
  /**
   * Time: Time that the cause takes of the mean step, or of the trace without steps
   */
  mean_ns: number;
  /**
   * The known part of what it rests on in words, if that is not enough for the whole.
   */
  partial?: string;
  /**
   * The cause that makes the late rank late, and its remedy, in words.
   */
  rank_cause?: string;
  /**
   * The saving in words, if the two bounds are far apart.
   */
  saves?: string;
  /**
   * Saving, at most: How much shorter a step, or a trace without steps, is in a replay without the cause: the upper bound
   */
  saving_high_ns?: number;
  /**
   * Saving, at least: How much shorter a step, or a trace without steps, is in a replay without the cause: the lower bound
   */
  saving_low_ns?: number;
  /**
   * Cost: The most that removing the cause can save per step, or of a trace without steps
   */
  score_ns: number;
  /**
   * Share: The cost as a share of the step; of the time from step to step where that is longer, or of the trace without steps
   */
  share: number;
  /**
   * The split of a rank's exposed communication by the other ranks' traces in words.
   */
  split?: string;
  /**
   * Cause: The reason for the lost time
   */
  wording: string;
}
/**
 * A few steps that have more than half of a cause's time, or of the longer own time of a rank.
 */
export interface FewStepsReport {
  /**
   * The mean of that time in one of them.
   */
  mean_ns: number;
  /**
   * The number of steps that they are a part of.
   */
  of: number;
  /**
   * The mean of that time in one of the other steps.
   */
  others_mean_ns: number;
  /**
   * Their share of that time.
   */
  share: number;
  /**
   * Their names, in the order of time.
   */
  steps: string[];
  /**
   * This in words; only of causes.
   */
  text?: string;
}
export interface CausesLongestRow {
  event: number | null;
  /**
   * Host activity: The host event that best shows what the host does in the span
   */
  host: string | null;
  /**
   * Part: The part of the time, as the budget divides it
   */
  leaf: string;
  /**
   * Length: From its start to its end
   */
  length_ns: number;
  /**
   * Activity: The activity that runs in the span, or that the device waits for
   */
  name: string | null;
  /**
   * Rank: Rank of the span, in causes of a job; its times are on that trace
   */
  rank?: number;
  /**
   * Start: From the trace's start
   */
  start_ns: number;
}
/**
 * The part of the job that the verdict is based on.
 */
export interface JobCoverageReport {
  collectives: number;
  collectives_matched: number;
  ranks_compared: number;
}
/**
 * A step of the drill-down. Its parent is the last step before it with a smaller `depth`.
 */
export interface DrillDownStepReport {
  /**
   * Whether a rule checks the number. Only such a number passes as a check.
   */
  checked: boolean;
  depth: number;
  group?: string;
  /**
   * The table with details: `ranks`, `stages`, `collectives`, `links` or `stragglers` of the job, `kernels`,
   * `pipeline` or `idle` of the rank.
   */
  look: string;
  /**
   * The kind of parallelism, the metric, the kind of location, the cause, or the hint.
   */
  name?: string;
  numbers: {
    [k: string]: DrillDownNumberReport;
  };
  off: boolean;
  ranks?: number[];
  rule?: string;
  source?: string;
  stage?: number;
  /**
   * `entry`, `parallel`, `metric`, `place`, `cause` or `hint`.
   */
  step: string;
  /**
   * Whether ranks differ in the number by more than a fifth of the mean.
   */
  uneven?: boolean;
}
/**
 * A number with its unit: `ns` per step, `flops` per step, `bytes_per_second`, `share`, `count`.
 */
export interface DrillDownNumberReport {
  unit: string;
  value: number;
}
export interface JobGroupsRow {
  /**
   * Description: Purpose of the group, as its creator wrote it
   */
  description: string;
  /**
   * Group: The group's name, where the traces give it
   */
  name: string;
  /**
   * Parallel: How these ranks share the work; it decides which numbers are compared
   */
  parallel: string | null;
  /**
   * Known by: How it is known what its ranks share
   */
  parallel_source: string | null;
  /**
   * Ranks: The group's ranks
   */
  ranks: number[];
  /**
   * Ranks listed: Whether a trace lists the group's ranks; else they are those that are seen to take part
   */
  ranks_told: boolean;
  /**
   * Size: How many ranks the group has; of all groups together, the largest
   */
  size: number;
}
export interface JobLinksRow {
  /**
   * Across hosts: Whether the two ranks are on one host or on two, where both give their host
   */
  across_hosts: boolean | null;
  /**
   * Bytes: The bytes of those whose bytes are known
   */
  bytes: number | null;
  /**
   * Rate: Bytes per second of transfer, each message counted once
   */
  bytes_per_second: number | null;
  /**
   * Messages: How many messages
   */
  count: number | null;
  /**
   * From: The rank that sends
   */
  from: number | null;
  /**
   * To: The rank that receives
   */
  to: number | null;
  /**
   * Transfer: Time of the messages while both ranks take part, each message once
   */
  transfer_ns: number | null;
  /**
   * Wait of both: How long the two wait for each other, in all
   */
  wait_ns: number | null;
}
/**
 * Ranks that compute longer than the others and are no stragglers, as their own time is not longer.
 */
export interface LongerComputeReport {
  /**
   * The first one's excess over the usual time, as a share of that.
   */
  longer_share: number;
  /**
   * The one that computes longest first.
   */
  ranks: number[];
  /**
   * This in words.
   */
  text: string;
}
export interface JobParallelReport {
  kind: string;
  size: number;
  source: string;
}
/**
 * A rank of a job. Times are means over counted steps.
 */
export interface JobRankReport {
  /**
   * Not of the job: Why it is not compared with others: it is no rank of this job
   */
  apart?: string;
  between_steps_idle_ns?: number;
  /**
   * Between steps: From the end of a step to the start of the next one: time of the job that is no part of a step
   */
  between_steps_ns?: number;
  clock: {
    /**
     * Collectives of the clock: From how many collectives the clock is known
     */
    collectives: number;
    /**
     * Drift over the trace: How far its clock drifts from the others over the trace
     */
    drift_ns: number | null;
    /**
     * Offset of the clock: Added to its times, so that ends of collectives coincide
     */
    offset_ns: number | null;
    /**
     * Residual of the clock: How far ends of its collectives lie from the others' once clocks are aligned
     */
    residual_ns: number | null;
    /**
     * Clock: Where the offset of its clock is from
     */
    source: string;
  };
  /**
   * Communication: A communication kernel runs
   */
  communication_ns: number | null;
  /**
   * Compute: A compute kernel runs
   */
  compute_ns: number | null;
  /**
   * Devices with number and, if known, model.
   */
  devices?: string[];
  /**
   * Exposed: Communication during which nothing is computed, with all waiting for other ranks
   */
  exposed_communication_ns: number | null;
  /**
   * Copies: Copies during which nothing is computed or communicated
   */
  exposed_memcpy_ns: number | null;
  /**
   * Exposed, no receive: Exposed communication without receives from other stages: the collectives of the ranks that share a stage
   */
  exposed_without_receiving_ns?: number;
  /**
   * FLOPs: Floating-point operations of a step
   */
  flops: number | null;
  /**
   * The share of the time that the value is known for.
   */
  flops_coverage: number | null;
  flops_known: boolean;
  /**
   * FLOP/s: FLOPs per second of computing
   */
  flops_per_second: number | null;
  /**
   * The share of the time that the value is known for.
   */
  flops_per_second_coverage: number | null;
  /**
   * Fp+bp: From the first forward operator to the last backward one
   */
  forward_and_backward_ns: number | null;
  /**
   * Host: The machine it ran on
   */
  host?: string;
  /**
   * Idle: The devices do nothing
   */
  idle_ns: number | null;
  /**
   * File: Files of the rank
   */
  input: string;
  /**
   * Interval: From the end of the last step's tail to the first forward operator
   */
  iteration_interval_ns: number | null;
  marks: JobMarkReport[];
  /**
   * Memory peak: The most bytes allocated on its devices
   */
  memory_peak_bytes: number | null;
  /**
   * Not averaged: Averages of the job leave it out, as its times have another source
   */
  not_averaged?: boolean;
  /**
   * Own, to the next step: Step with the time to the next step, without exposed communication: the rank's own time
   */
  own_ns: number | null;
  /**
   * Own time of each step, without the time to the next step; null for steps that are not averaged.
   */
  own_of_steps_ns?: (number | null)[];
  /**
   * Planned peak: The peak of the model's memory on the device, as MindSpore planned it
   */
  planned_peak_bytes?: number;
  /**
   * Rank: The rank's number in the job
   */
  rank: number;
  /**
   * Receive only: Receiving from other stages while nothing is computed. MindSpore limits it to a tenth of the time of computing and exposed communication, over all ranks.
   */
  receive_alone_ns: number | null;
  /**
   * Repeated: Its number occurred before: it is not compared with others
   */
  repeated?: boolean;
  /**
   * Times: Source of the row's times, if not the rank's events
   */
  source?: string;
  /**
   * Stage: The stage of the pipeline, from 0
   */
  stage: number | null;
  /**
   * Stage time: The step without waiting for other stages
   */
  stage_ns: number | null;
  /**
   * Step: The step's length. It is about the same on all ranks, since they wait for each other.
   */
  step_ns: number;
  /**
   * Steps that count: Warm-up steps and cut ones do not count
   */
  steps_counted: number;
  /**
   * Tail: From the last backward operator to the step's end
   */
  tail_ns: number | null;
  /**
   * Took part in: In how many collectives with a last rank it takes part
   */
  voted: number;
  /**
   * Last in collectives: In how many collectives it arrived last, of those in which it takes part and one is last
   */
  votes: number;
}
export interface JobMarkReport {
  by: number;
  column: string;
  rule: string;
}
/**
 * A rank with more own time that is not a straggler.
 */
export interface SlowAloneReport {
  /**
   * The few steps that most of the additional time is in, if it is not spread over the steps.
   */
  few_steps?: FewStepsReport;
  longer_share: number;
  rank: number;
  straggler_above: number;
  /**
   * This in words.
   */
  text: string;
  /**
   * The share of all waiting that it causes.
   */
  waiting_share: number;
}
export interface JobStagesRow {
  /**
   * Compute to the mean: How much longer it computes than the mean of the stages
   */
  above_mean: number | null;
  /**
   * Other communication: The other communication while nothing is computed
   */
  collective_alone_ns: number | null;
  /**
   * Compute: A compute kernel runs; the mean over the stage's ranks
   */
  compute_ns: number | null;
  /**
   * Ranks: The ranks of it
   */
  ranks: number[] | null;
  /**
   * Receive alone: Receiving from other stages while nothing is computed. MindSpore limits it to a tenth of the time of computing and exposed communication, over all ranks.
   */
  receive_alone_ns: number | null;
  /**
   * Stage: The stage of the pipeline, from 0
   */
  stage: number | null;
  /**
   * Stage time: The step without waiting for other stages
   */
  stage_ns: number | null;
}
/**
 * Content of a `parallel_strategy` file.
 */
export interface StrategyReport {
  cuts: JobStrategyCutsRow[];
  mode: string;
  /**
   * The ranks of each stage.
   */
  stages: number[][];
}
export interface JobStrategyCutsRow {
  /**
   * Operators: How many operators are cut so
   */
  operators: number;
  /**
   * Parts: Into how many parts each dimension of the inputs is cut
   */
  parts: string;
}
export interface JobWarningReport {
  code: string;
  count: number;
  ranks?: number[];
  steps?: RankStepReport[];
}
/**
 * A step and its rank.
 */
export interface RankStepReport {
  rank: number;
  step: string;
}
export interface StragglersRow {
  /**
   * Cause: Activity that takes longer than on the other ranks
   */
  cause: string;
  excess?: {
    /**
     * Its device: How much longer its device works per step than the median of the other ranks
     */
    compute_ns: number | null;
    /**
     * Its data: How much longer it waits for data per step than the median of the other ranks
     */
    data_ns: number | null;
    /**
     * Its host: How much longer its device waits for the host per step than the median of the other ranks
     */
    host_ns: number | null;
  };
  /**
   * Gain per step: How much shorter a step would be if it were as the others, from a replay of all ranks; – where their traces cannot be replayed
   */
  gain_ns_per_step: number | null;
  /**
   * Group: The process group whose links are slow
   */
  group?: string;
  /**
   * Mostly in: The few steps that most of its excess is in; empty where it is spread over the steps
   */
  mostly_in?: string;
  /**
   * What: A rank, a link from one rank to another, the links of a group, or a stage of the pipeline
   */
  place: string;
  /**
   * Ranks: The ranks concerned
   */
  ranks: number[];
  /**
   * Rule: The test that separates it from the others
   */
  rule: string;
  /**
   * Stage: The stage of the pipeline, from 0
   */
  stage?: number;
  unit: string;
  /**
   * Others: The median of the other ranks, of the other stages, or of the other links of its kind, without those that are slow as well
   */
  usual: number;
  /**
   * Per step, or rate: Ranks and stages: own time per step, in ns. Links: bytes per second
   */
  value: number;
  /**
   * Took part in: In how many collectives of the steps that count it takes part and one is last
   */
  voted?: number;
  /**
   * Last in collectives: In how many collectives of the steps that count it arrived last
   */
  votes?: number;
}
/**
 * Why the traces are not ranks of one job.
 */
export interface NotAJobReport {
  /**
   * The number of distinct recordings.
   */
  recordings: number;
  /**
   * The traces that do not belong to the first one.
   */
  traces: ApartReport[];
}
/**
 * A trace that is not part of the job.
 */
export interface ApartReport {
  input: string;
  /**
   * The trace that it was compared with.
   */
  other?: string;
  /**
   * `same_recording`, `same_rank`, `other_world`, `other_framework`, `other_time`, `other_run`, `same_device` or
   * `no_rank`.
   */
  reason: string;
}
/**
 * Why a text is not a valid parallel layout of these ranks.
 */
export interface LayoutFault {
  /**
   * The fault; `other_ranks` if the layout has another number of ranks.
   */
  code: string;
  /**
   * The faulty part of the text.
   */
  part: string;
  /**
   * The number of ranks of the job.
   */
  ranks?: number;
  /**
   * The number of ranks of the layout.
   */
  told?: number;
}
/**
 * A collective on all ranks that took part.
 */
export interface EventPeersReport {
  /**
   * `sequence`, `order` or `moment`; null if no peer was found.
   */
  matched_by: string | null;
  peers: EventPeerReport[];
}
export interface EventPeerReport {
  /**
   * The index of the rank among open ranks.
   */
  index: number;
  input: string;
  length_ns: number | null;
  /**
   * Start relative to the selected event, on the common clock.
   */
  offset_ns: number | null;
  /**
   * The number of the rank, if known.
   */
  rank: number | null;
  /**
   * The slice; null if the rank belongs to the group but did not take part.
   */
  slice: number | null;
  start_ns: number | null;
  /**
   * Length beyond that of the shortest peer.
   */
  wait_ns: number | null;
}
/**
 * Opened sources, and the ranks made from them.
 */
export interface PlanReport {
  ranks: PlannedRankReport[];
  sources: SourceReport[];
}
/**
 * A rank that can be read.
 */
export interface PlannedRankReport {
  bytes: number;
  name: string;
  rank: number | null;
  /**
   * Indexes into `sources`.
   */
  sources: number[];
}
/**
 * A file, or an entry of an archive.
 */
export interface SourceReport {
  /**
   * Whether it is splittable.
   */
  apart: boolean;
  bytes: number;
  /**
   * The index of the added file that contains it.
   */
  file: number;
  /**
   * Compression and archive layers; empty for a plain file.
   */
  layers: string;
  len: number;
  path: string;
  /**
   * The reason why it is part of no rank.
   */
  problem: ProblemReport | null;
  /**
   * Whether it is read by random access, which blocks the worker.
   */
  random: boolean;
  /**
   * The byte at which it begins in that file.
   */
  start: number;
  /**
   * The title of its format; null if unknown.
   */
  title: string | null;
}
/**
 * An error, with what is needed to translate it.
 */
export interface ProblemReport {
  /**
   * A stable name.
   */
  code: string;
  expected: string;
  file: string;
  /**
   * The message in English.
   */
  message: string;
  /**
   * The file that is read in its place.
   */
  other?: string;
  /**
   * The byte position in the uncompressed file.
   */
  position: number | null;
  /**
   * Formats that were tried, each with the code of the rejection reason.
   */
  tried: [string, string][];
  /**
   * The code of the reason why a known file is not read.
   */
  why?: string;
}
/**
 * Progress of reading a rank.
 */
export interface ProgressReport {
  activities: number;
  bytes: number;
  events: number;
  slices: number;
}
/**
 * A fault in a query; positions in UTF-16 units.
 */
export interface QueryFaultReport {
  fault: string;
  from: number;
  /**
   * The message in English.
   */
  message: string;
  to: number;
}
/**
 * A table written by the profiler.
 */
export interface RecordedTableReport {
  columns: RecordedColumnReport[];
  file: string;
  id: string;
  row_count: number;
  rows?: (string | number | null)[][];
}
export interface RecordedColumnReport {
  name: string;
  unit: string;
}
/**
 * Rows of a recorded table: texts to show, and values to sort and save.
 */
export interface RecordedRowsReport {
  /**
   * The point of the profiler's clock from which points in time are written, if the table has such.
   */
  points_from?: string;
  texts: string[][];
  values: (string | number | null)[][];
}
/**
 * A run: ranks that belong together.
 */
export interface RunReport {
  /**
   * The name of its only trace, of its folder, or of its first trace.
   */
  name: string;
  /**
   * The number of its traces that are not in the name.
   */
  others: number;
  /**
   * The indices of its ranks.
   */
  ranks: number[];
  /**
   * The shortest and the longest average step of its ranks, in ns; none without steps.
   *
   * @minItems 2
   * @maxItems 2
   */
  step_ns: [number, number] | null;
}
/**
 * The summary of all open files.
 */
export interface Summary {
  advice?: AdviceRuleReport[];
  /**
   * The verdict of all rules.
   */
  advice_conclusion?: AdviceConclusionReport;
  cluster?: ClusterReport;
  collectives?: CollectivesRow[];
  inputs: Input[];
  /**
   * Results of a job; `job`, `collectives` and `stragglers` only with several ranks.
   */
  job?: JobReport;
  /**
   * Why several traces are not ranks of one job; then `job`, `collectives` and `stragglers` are left out.
   */
  not_a_job?: NotAJobReport;
  ranks: RankReport[];
  schema: string;
  stragglers?: StragglersRow[];
}
/**
 * The outcome of a rule.
 */
export interface AdviceRuleReport {
  /**
   * Cost and saving of the rule's cause by the step budget, if the budget has that cause.
   */
  cause?: CauseCostReport;
  condition: string;
  /**
   * The rule that covers the same time in more detail, if this rule passed for that reason.
   */
  covered_by?: string;
  /**
   * The listed cause of the step budget that the rule is a detail of. Rules are sorted by these.
   */
  detail_of?: NamedCauseReport;
  evidence?: AdviceEvidenceReport[];
  /**
   * @deprecated
   * The earlier name of `exemption`.
   */
  excuse?: AdviceReasonReport;
  /**
   * The exemption by which the rule passed although its value is reached.
   */
  exemption?: AdviceReasonReport;
  gain_ns_per_step: number | null;
  /**
   * The time that the share refers to, if not the mean step.
   */
  gain_share_of_ns?: number;
  gain_share_of_step: number | null;
  input?: string;
  /**
   * The median gain of `ranks`; the first rank has the largest gain. Only with several ranks.
   */
  median_gain_ns_per_step?: number;
  /**
   * The gain and its share are of the recorded time, not of a step: no steps are marked, or only a part of one is recorded.
   */
  of_recorded_time?: boolean;
  /**
   * The reason why averages of the job do not include these ranks: `tables`, `steps`, `repeated` or `apart`.
   */
  outside?: string;
  rank?: number;
  /**
   * The ranks to which this outcome applies, largest gain first; only with several ranks.
   */
  ranks?: RankRuleReport[];
  reason?: AdviceReasonReport;
  rule: string;
  /**
   * The saving in words, in English.
   */
  saves?: string;
  text: string;
  threshold: number;
  /**
   * The adjustable thresholds; only where all rules are listed.
   */
  thresholds?: AdviceThresholdReport[];
  title: string;
  unit: string;
  value: number | null;
  /**
   * `holds`, `passed` or `not_judged`.
   */
  verdict: string;
  /**
   * The id of title and text, if not that of the rule.
   */
  wording?: string;
}
/**
 * Cost of a cause of the step budget per window, and the saving without it.
 */
export interface CauseCostReport {
  name: string;
  saving_high_ns?: number;
  saving_high_share?: number;
  /**
   * Lower bound of the saving; only if the two bounds are far apart.
   */
  saving_low_ns?: number;
  saving_low_share?: number;
  score_ns: number;
  /**
   * The cost as a share of the window.
   */
  share: number;
}
/**
 * A cause that the step budget lists.
 */
export interface NamedCauseReport {
  cause: string;
  /**
   * The file of the rank, with several ranks.
   */
  input?: string;
  known_share?: number;
  /**
   * The ground of its time, `limits` of kernels or `launches`, and its known share, where that is not enough.
   */
  partial_ground?: string;
  /**
   * The cost per window.
   */
  score_ns: number;
  share: number;
  text?: string;
  /**
   * The cause and its fix in words, where no rule is about it.
   */
  title?: string;
  /**
   * The unit of `share`: `steps`, `periods` from step to step, or the whole `trace`.
   */
  windows: string;
  /**
   * The last part of its message keys.
   */
  wording: string;
}
/**
 * A slice, a gap or a row of a recorded table that shows the problem.
 */
export interface AdviceEvidenceReport {
  /**
   * The leaf of the step budget with most of the gap.
   */
  cause?: string | null;
  class?: string;
  duration_ns?: number;
  gap_of_device?: number;
  /**
   * The host event that best shows the host's activity in the gap, if the host is the cause.
   */
  host?: string | null;
  name: string;
  /**
   * The time on a mean critical path of all pieces with this name, where this is the longest of them.
   */
  on_critical_path_ns?: number;
  /**
   * The number of the rank that it is about; only in a job.
   */
  rank?: number;
  search?: string;
  slice?: number;
  start_ns?: number;
  /**
   * The page's table with this name, and the text to search there.
   */
  table?: string;
  /**
   * The unit of `value`.
   */
  unit?: string;
  value?: number;
  /**
   * The range of the program around a call of the host, else the outermost operator around it.
   */
  within?: string;
}
export interface AdviceReasonReport {
  code: string;
  text: string;
}
/**
 * The outcome of a rule for one of several ranks.
 */
export interface RankRuleReport {
  cause?: CauseCostReport;
  evidence?: AdviceEvidenceReport[];
  gain_ns_per_step: number | null;
  gain_share_of_step: number | null;
  /**
   * The file, if the traces are not ranks of one job.
   */
  input?: string;
  /**
   * The index among open ranks.
   */
  place: number;
  rank: number | null;
  value: number | null;
}
export interface AdviceThresholdReport {
  name: string;
  standard: number;
  unit: string;
  value: number;
}
/**
 * The verdict of all rules.
 */
export interface AdviceConclusionReport {
  /**
   * The largest cause of the step budget, if it is large and no rule applies; of a single rank also if no rule that
   * applies is a detail of it.
   */
  cause?: NamedCauseReport;
  /**
   * Data that is missing for the verdict `nothing`.
   */
  missing: AdviceReasonReport[];
  /**
   * `advice`, `cause`, `nothing` or `incomplete`.
   */
  verdict: string;
}
/**
 * MindSpore's cluster tables.
 */
export interface ClusterReport {
  between_stages_rate: number | null;
  communication_rate: number | null;
  flops: ClusterFlopsRow[];
  links: ClusterLinksRow[];
  mode: string | null;
  operators: ClusterOperatorsRow[];
  outliers: ClusterOutliersRow[];
  rows: ClusterRowsRow[];
  stages: number;
  strategy?: StrategyReport;
  within_stages: ClusterWithinStagesRow[];
  world_size: number;
}
export interface ClusterFlopsRow {
  /**
   * FLOP/s: FLOPs per second; data have billions
   */
  gflops_per_second: number;
  /**
   * FLOPs: Floating-point operations of a step; data have millions
   */
  mflops: number;
  /**
   * Rank: The rank's number in the job
   */
  rank: number;
}
export interface ClusterLinksRow {
  /**
   * Bytes: Bytes per step
   */
  bytes: number;
  /**
   * Sum of rates: The sum of the rates of each operator, as the profiler computes it: not bytes ÷ time
   */
  bytes_per_second: number;
  /**
   * Link: The two ranks; one rank twice is what it copies within itself
   */
  link: string;
  /**
   * Rank: Rank whose file it comes from: both ends describe a link
   */
  rank: number;
  /**
   * Time: The time of its transfers in a step
   */
  time_ns: number;
  /**
   * Type: Medium, such as SDMA
   */
  type: string;
}
export interface ClusterOperatorsRow {
  /**
   * Transfer: The time of its transfers in a step
   */
  communication_ns: number;
  /**
   * Operator: The operator, with its stream and its place there
   */
  operator: string;
  /**
   * Rank: Rank whose file it comes from
   */
  rank: number;
  /**
   * Wait: The time in a step that it waits for other ranks
   */
  wait_ns: number;
}
export interface ClusterOutliersRow {
  /**
   * Link: The two ranks, and what the link runs over
   */
  link?: string;
  /**
   * Rank: The rank's number in the job
   */
  rank?: number;
  /**
   * Stage: The stage of the pipeline, from 0
   */
  stage?: number;
  unit: string;
  /**
   * Value: Value in the profiler's table
   */
  value: number;
  /**
   * What: A rank's interval between steps or rate of operations, a link's rate, or a stage's operations
   */
  what: string;
  /**
   * Worse by: How much worse it is than the mean, as a share of the mean
   */
  worse_by: number;
}
export interface ClusterRowsRow {
  /**
   * Collectives alone: The other communication during which nothing is computed
   */
  collective_alone_ns: number | null;
  /**
   * Communication alone: Communication during which nothing is computed
   */
  communication_alone_ns: number;
  /**
   * Compute: The device computes
   */
  computation_ns: number;
  /**
   * FLOPs: Floating-point operations of a step
   */
  flops: number | null;
  /**
   * FLOP/s: Floating-point operations per second of its operators
   */
  flops_per_second: number | null;
  /**
   * Interval: From the end of a step to the first forward operator of the next one
   */
  iteration_interval_ns: number | null;
  /**
   * Rank: The rank's number in the job
   */
  rank: number;
  /**
   * Receive alone: Waiting for other stages (Receive) while nothing is computed
   */
  receive_alone_ns: number | null;
  /**
   * Stage time: Computing and communication alone without waiting for other stages (Receive)
   */
  stage_ns: number | null;
}
export interface ClusterWithinStagesRow {
  /**
   * Communication alone: Communication alone as a share of computing and communicating alone, in the stage
   */
  rate: number;
  /**
   * Stage: The stage of the pipeline, from 0
   */
  stage: number;
}
/**
 * One file.
 */
export interface Input {
  bytes: number;
  events: number;
  facts: [string, string][];
  files?: FileReport[];
  format: string;
  framework: string;
  framework_version: string;
  name: string;
  slices: number;
  text_bytes: number;
  warnings: WarningReport[];
}
/**
 * One file of a rank with several files.
 */
export interface FileReport {
  events: number;
  format: string;
  name: string;
  text_bytes: number;
}
/**
 * Damage or an oddity of the trace.
 */
export interface WarningReport {
  code: string;
  count: number;
  example: string;
  file?: string;
  position: number | null;
  severity: string;
}
/**
 * Results of one rank.
 */
export interface RankReport {
  average: AverageReport;
  /**
   * The number of steps by which sums and counts are divided; only for the average step.
   */
  averaged_steps?: number;
  benchmark?: BenchmarkReport;
  budget?: BudgetMeanReport;
  /**
   * Groupings of the call tree for which the rank has something; left out where `topics` is.
   */
  call_groupings?: string[];
  /**
   * The functions of the host, or the activities of devices, that most of each cause is in.
   */
  cause_functions?: CauseFunctionsRow[];
  causes?: BudgetCauseReport[];
  communication?: CommunicationRow[];
  /**
   * The communication library of the job, such as `nccl`.
   */
  communication_backend?: string;
  copies?: CopiesRow[];
  critical_path?: CriticalPathsReport;
  data_loading?: LoadingReport;
  definition: string;
  definition_values?: DefinitionReport;
  /**
   * Time during which any device is busy outside of marked steps, if more than 1 %.
   */
  device_busy_outside_steps_ns?: number;
  device_time: DeviceTimeReport[];
  devices: DeviceInfo[];
  /**
   * Peaks given by the user, in TFLOP/s and GB/s.
   */
  given_peaks?: {
    [k: string]: number;
  };
  /**
   * The graphs that the steps ran, if there are several.
   */
  graphs?: GraphsRow[];
  idle?: DeviceIdleReport[];
  input: string;
  kernel_families?: KernelFamiliesRow[];
  kernel_use?: KernelUseReport;
  kernels?: KernelsRow[];
  launches?: LaunchesReport;
  /**
   * Sums that the averages leave out.
   */
  left_out?: LeftOutReport[];
  /**
   * The largest loss of the hosts, for a trace without device activity.
   */
  lost_on_host?: HostLossReport;
  memory?: MemoryReport;
  mindspore?: MindSporeReport;
  only_tables?: boolean;
  operators?: OperatorsRow[];
  /**
   * `slices` if the trace has no operators and the table lists all host slices.
   */
  operators_are?: string;
  origin_unix_ns: string | null;
  phase_sources: {
    [k: string]: string;
  };
  pipeline?: PipelineReport;
  /**
   * The curves of the queues, in their order; only on the page.
   */
  queue_curves?: QueueCurvesReport[];
  queues?: QueuesRow[];
  rank: number | null;
  recorded?: RecordedTableReport[];
  resources?: ResourceReport[];
  /**
   * The name of the step; only for one step.
   */
  step?: string;
  step_source: string;
  step_trace?: StepTraceReport;
  steps: StepReport[];
  synchronizations?: SynchronizationsRow[];
  /**
   * Reports that can be requested; left out if all are included.
   */
  topics?: string[];
  unlinked?: UnlinkedReport;
  /**
   * `nvidia`, `amd`, `ascend` or `unknown`; decides names of units.
   */
  vendor: string;
  what_if?: ReplayReport[];
  /**
   * The extent of the only step, if the trace marks no steps.
   */
  whole_step?: WholeStepReport;
  world_size: number | null;
}
/**
 * Paddle's throughput table, times in seconds.
 */
export interface BenchmarkReport {
  batch_cost: ExtremesReport;
  ips: ExtremesReport;
  /**
   * The number of steps that enter averages.
   */
  of_steps: number;
  /**
   * No step has a next one, so each counts until its own end.
   */
  own_lengths: boolean;
  reader_cost?: ExtremesReport;
  reader_ratio?: number;
  samples?: number;
  /**
   * The number of steps with a known cost: those that have a next one.
   */
  steps: number;
}
export interface ExtremesReport {
  avg: number;
  max: number;
  min: number;
}
export interface CauseFunctionsRow {
  /**
   * Time: Mean per step of its part of the cause's cost; of a trace without steps, all of that. For kernels beyond their limit, the time that good kernels would save
   */
  mean_ns: number;
  /**
   * Function or activity: The innermost Python function of the thread that launches, or its innermost call where none is recorded or calls are the cause; for lost lead, the one in which the host lost it; for pauses the activity that follows; for busy time the activity
   */
  name: string;
  /**
   * Share of the cause: Its time / the cause's cost
   */
  share: number | null;
  slice: number;
  /**
   * Longest one in: The innermost range of the program around the longest call, or around the launch of the longest activity; else the outermost operator. Others of the name may be elsewhere
   */
  within: string | null;
  /**
   * Cause: The cause of lost time, or that the limit of kernels is not known
   */
  wording: string;
}
export interface CommunicationRow {
  /**
   * Best: The same of the call with the highest rate, which waits the least
   */
  best_bus_gigabytes_per_second: number | null;
  /**
   * Bus rate: The load of a link at the mean time of a call, as in nccl-tests. Waiting for other ranks is a part of that time, so the link may be faster
   */
  bus_gigabytes_per_second: number | null;
  /**
   * Bytes: Bytes of a call as nccl-tests counts them, a mean of sizes that are alike
   */
  bytes_per_call: number | null;
  /**
   * Calls: How many there are
   */
  calls: number | null;
  /**
   * Type: Type of the elements
   */
  dtype: string | null;
  /**
   * Group: The purpose of the process group, else its name
   */
  group: string | null;
  /**
   * Group name: The name of the process group
   */
  group_name: string | null;
  /**
   * Ranks: Ranks in the group
   */
  group_size: number | null;
  /**
   * Max: The longest call
   */
  max_ns: number | null;
  /**
   * Mean: Total ÷ calls
   */
  mean_ns: number | null;
  /**
   * Min: The shortest call
   */
  min_ns: number | null;
  /**
   * Operation: Kind of the collective
   */
  operation: string | null;
  /**
   * Total: Sum of the durations
   */
  total_ns: number | null;
}
export interface CopiesRow {
  /**
   * Bytes: Bytes of the calls that record how many they move
   */
  bytes: number | null;
  /**
   * Calls: How many there are
   */
  calls: number | null;
  /**
   * Class
   */
  class: string | null;
  /**
   * Rate: Bytes ÷ time of the calls that record how many bytes they move
   */
  gigabytes_per_second: number | null;
  /**
   * The share of the time that the value is known for.
   */
  gigabytes_per_second_coverage: number | null;
  /**
   * Max: The longest call
   */
  max_ns: number | null;
  /**
   * Mean: Total ÷ calls
   */
  mean_ns: number | null;
  /**
   * Median: Half of the calls are shorter
   */
  median_ns: number | null;
  /**
   * Min: The shortest call
   */
  min_ns: number | null;
  /**
   * Kind
   */
  name: string | null;
  /**
   * Peak rate: The highest rate that the link or the device's memory allows
   */
  peak_gigabytes_per_second?: number;
  /**
   * % of peak: Rate ÷ the highest possible rate: between device and host the link's rate in one direction, within the device half its memory's (read and written), for memsets all of it
   */
  share_of_peak?: number;
  /**
   * The share of the time that the value is known for.
   */
  share_of_peak_coverage?: number;
  /**
   * Total: Sum of the durations
   */
  total_ns: number | null;
}
export interface CriticalPathsReport {
  classes: {
    [k: string]: number;
  };
  /**
   * Time of a step's path for which it follows other threads by elimination: the step's thread shows no work then.
   */
  inferred_ns_per_step?: number;
  /**
   * False where more than half of the paths' time is `unlinked`.
   */
  known: boolean;
  path?: CriticalPathReport;
  rows: CriticalPathRowsRow[];
  step_ns: number;
  steps: StepPathReport[];
  steps_counted: number;
  /**
   * Time of a step's path on the host while devices run work that no call launched: the host may wait for it.
   */
  unlinked_ns_per_step: number;
}
/**
 * The critical path of a step as consecutive pieces.
 */
export interface CriticalPathReport {
  classes: string[];
  end_ns: number;
  /**
   * The distinct names of the pieces' slices.
   */
  names: string[];
  /**
   * For each piece an index into `names`.
   */
  piece_names: (number | null)[];
  /**
   * Slice, start, end, and an index into `classes`.
   */
  pieces: [number | null, number, number, number][];
  start_ns: number;
  step: number;
}
export interface CriticalPathRowsRow {
  /**
   * Kind: The kind of activity on the path
   */
  class: string;
  longest_end_ns: number;
  longest_slice: number | null;
  longest_start_ns: number;
  /**
   * Name
   */
  name: string | null;
  /**
   * Pieces: How many pieces of the paths have this name
   */
  pieces: number;
  /**
   * Share of the path: On the path / the length of the paths of these steps
   */
  share: number | null;
  /**
   * On the paths: How long the paths run through it, over the steps that enter averages
   */
  total_ns: number;
}
export interface StepPathReport {
  classes: {
    [k: string]: number;
  };
  length_ns: number;
  name: string;
}
/**
 * Waits of the host for a data loader.
 */
export interface LoadingReport {
  average: WaitsReport;
  histogram: HistogramBarReport[];
  kind: string;
  longest: DataLoadingLongestRow[];
  max_ns: number;
  mean_ns: number;
  median_ns: number;
  min_ns: number;
  /**
   * The queues of loaders that this tool's recorder counted.
   */
  queues?: DataLoadingQueuesRow[];
  steps: DataLoadingStepsRow[];
  total_ns: number;
  waiting_steps: number;
  waits: number;
}
export interface WaitsReport {
  exposed_ns: number;
  host_step_ns: number;
  longest_ns: number;
  longest_slice: number | null;
  total_ns: number;
  waiting_ns: number;
  waiting_share_of_host_step: number | null;
  waits: number;
}
/**
 * Number of lengths from `from_ns` to below `to_ns`. Empty bars are left out.
 */
export interface HistogramBarReport {
  count: number;
  from_ns: number;
  to_ns: number;
}
export interface DataLoadingLongestRow {
  /**
   * Length: From its start to its end
   */
  length_ns: number;
  /**
   * Call: The call that waits for data
   */
  name: string;
  slice: number;
  /**
   * Start: From the trace's start
   */
  start_ns: number;
}
export interface DataLoadingQueuesRow {
  /**
   * Batches: How many batches were asked for
   */
  batches: number;
  /**
   * Empty: Found empty / batches
   */
  empty_share: number | null;
  /**
   * Max: The most batches that were ready
   */
  max_ready: number | null;
  /**
   * Mean: Batches that were ready, on average
   */
  mean_ready: number | null;
  /**
   * Queue: The counter of the batches that are ready
   */
  name: string;
  /**
   * Found empty: How often no batch was ready: the training waited
   */
  times_empty: number;
}
export interface DataLoadingStepsRow {
  /**
   * Exposed: The part of the step in which the host waits for data, the device does nothing and the host is in no call: its category “data loading”
   */
  exposed_ns: number;
  /**
   * Exposed share: Exposed / the step's length
   */
  exposed_share_of_step: number | null;
  host_step_ns: number;
  /**
   * Longest: The longest wait that begins in the step
   */
  longest_ns: number;
  longest_slice: number | null;
  /**
   * Step: The step's name in the trace
   */
  name: string;
  /**
   * Start: From the trace's start
   */
  start_ns: number;
  /**
   * Waiting: Sum of the lengths of the waits that begin in the step
   */
  total_ns: number;
  waiting_ns: number;
  /**
   * Share of the host's step: Time in which the host waits for data within its step / the step's length on the host
   */
  waiting_share_of_host_step: number | null;
  /**
   * Waits: How many waits begin in the step
   */
  waits: number;
}
export interface DefinitionReport {
  /**
   * Device time by the chosen definition.
   */
  bar?: DefinitionBarReport;
  kernel_types?: KernelTypeReport[];
  kernels?: DefinitionKernelReport[];
  steps?: DefinitionStep[];
  /**
   * The overview's tiles by the chosen definition.
   */
  tiles?: TileReport[];
  values: {
    [k: string]: ValueReport;
  };
}
export interface DefinitionBarReport {
  compute_alone_ns: number;
  exposed_communication_ns: number;
  exposed_memcpy_ns: number;
  idle_ns: number;
  other_ns: number;
  overlap_ns: number;
}
export interface KernelTypeReport {
  kernel_type: string;
  sum_ns: number;
}
export interface DefinitionKernelReport {
  calls: number;
  kernel_type: string;
  max_ns: number;
  mean_ns: number;
  min_ns: number;
  name: string;
  std_ns: number;
  sum_ns: number;
}
export interface DefinitionStep {
  name: string;
  values: {
    [k: string]: ValueReport;
  };
}
/**
 * A number of the overview.
 */
export interface TileReport {
  name: string;
  share: number | null;
  time_ns: number;
}
/**
 * A device.
 */
export interface DeviceInfo {
  capability: string | null;
  id: number;
  memory_bytes: number | null;
  multiprocessors: number | null;
  name: string;
}
export interface GraphsRow {
  /**
   * Activities: Device activities in the iterations that the timeline shows
   */
  activities: number | null;
  /**
   * Forward (and backward): Mean time from the first forward operator to the last backward one
   */
  forward_and_backward_ns: number | null;
  /**
   * Graph: The graph that MindSpore compiled; msprof calls it a model
   */
  graph: number | null;
  /**
   * Iterations: Iterations of the graph, also those within another graph's
   */
  iterations: number | null;
  /**
   * Max: The longest iteration
   */
  max_ns: number | null;
  /**
   * Mean: Mean length of an iteration
   */
  mean_ns: number | null;
  /**
   * Min: The shortest iteration
   */
  min_ns: number | null;
  /**
   * Tail: Mean time from the last backward operator to the end of the iteration
   */
  tail_ns: number | null;
  /**
   * Total: Sum of the lengths of its iterations
   */
  total_ns: number | null;
}
/**
 * Idle time of a device.
 */
export interface DeviceIdleReport {
  /**
   * Device state unknown at start: The device may run work from before the recording: the trace shows what it does only since its first activity, or since a synchronization before that.
   */
  before_first_activity_ns: number;
  /**
   * Busy: Union of all kernels, copies and memsets
   */
  busy_ns: number;
  /**
   * Device: The device, by its number
   */
  device: number;
  /**
   * Long lead-in and lead-out times, as gaps with one end.
   */
  edges: IdleEdgesRow[];
  /**
   * Gaps: How many gaps there are, of all four kinds
   */
  gap_count?: number;
  gaps?: {
    host_wait: number | null;
    kernel_wait: number | null;
    other: number | null;
    unknown: number | null;
  };
  /**
   * By the thread that launched before: The part of the host wait that belongs to the thread that launched before, where the trace shows little of the launching one
   */
  handed_over_ns?: number;
  host_wait_by_activity: {
    /**
     * Host: allocation: How long the launching thread allocates or frees memory
     */
    allocation_ns: number;
    /**
     * Host: data loading: How long the launching thread waits for data
     */
    data_loading_ns: number;
    /**
     * Host: launching: How long the launching thread is in launching calls
     */
    launching_ns: number;
    /**
     * Host: operators: How long the launching thread is in operators
     */
    operator_ns: number;
    /**
     * Host: Python: How long the launching thread is in Python functions
     */
    python_ns: number;
    /**
     * Host: marked ranges: How long the launching thread is in ranges that the program marked, without more
     */
    range_ns?: number;
    start_late_unexplained_ns?: number;
    /**
     * Host: synchronization: How long the launching thread waits for the device
     */
    synchronization_ns: number;
    /**
     * Host: not recorded: How long the launching thread has no record
     */
    unrecorded_ns: number;
  };
  /**
   * Host wait with late starts: The sum of host wait and unexplained late starts
   */
  host_wait_ns: number;
  /**
   * Host wait: The activity that ends the gap was launched after the gap began: the host was late
   */
  host_wait_until_launch_ns: number;
  /**
   * Idle: Time without activity, as far as the device is known to be idle
   */
  idle_ns: number;
  /**
   * Device time in the chosen step, or averaged over steps; left out for the whole trace.
   */
  in_steps?: InStepsReport;
  /**
   * Kernel wait: The activity that ends the gap was launched in time, and the gap is short
   */
  kernel_wait_ns: number;
  kernel_wait_threshold_ns: number;
  /**
   * Step before the first activity: A step runs on the host, and the device has not begun yet
   */
  lead_in_ns: number;
  /**
   * Step after the last activity: A step runs on the host, and the device has ended its last activity
   */
  lead_out_ns: number;
  /**
   * Idle time by leaf; the leaves add up to `idle_ns`.
   */
  leaves_ns: {
    [k: string]: number;
  };
  long_gaps: LongGapsReport;
  /**
   * Other wait: The activity that ends the gap was launched in time, and waited for an event or another stream
   */
  other_ns: number;
  /**
   * Late start, unexplained: The host had launched what ends the gap, and that started late: the trace does not show why
   */
  start_late_ns: number;
  /**
   * Leaves of each step, in order.
   */
  step_leaves_ns: {
    [k: string]: number;
  }[];
  streams: StreamIdleReport[];
  /**
   * Device activity not recorded: Steps that the timeline does not cover, and the time after launching calls without activity: the device counts as neither busy nor idle
   */
  uncovered_ns: number;
  /**
   * Unknown: The trace does not show the call that launched what ends the gap
   */
  unknown_ns: number;
  /**
   * Window: The step, or from the first activity's start to the last one's end
   */
  window_ns: number;
}
export interface IdleEdgesRow {
  after: {
    /**
     * Next activity: The activity whose start ends it
     */
    name: string | null;
    slice: number | null;
  } | null;
  before: {
    /**
     * Previous activity: The activity whose end begins it
     */
    name: string | null;
    slice: number | null;
  } | null;
  call: {
    /**
     * Launching call: The call that launched the activity after it
     */
    name: string | null;
    slice: number | null;
  } | null;
  /**
   * Main cause: The cause of idle time that takes most of it; before the device's first activity see the host activity
   */
  cause: string | null;
  /**
   * Class
   */
  class: string | null;
  /**
   * Device: The device, by its number
   */
  device: number | null;
  host: {
    /**
     * Host activity: The longest activity of the launching thread in it
     */
    activity: string | null;
    /**
     * Host: allocation: How long the launching thread allocates or frees memory
     */
    allocation_ns: number | null;
    /**
     * Host: data loading: How long the launching thread waits for data
     */
    data_loading_ns: number | null;
    /**
     * Host: launching: How long the launching thread is in launching calls
     */
    launching_ns: number | null;
    /**
     * Host: operators: How long the launching thread is in operators
     */
    operator_ns: number | null;
    /**
     * Host: Python: How long the launching thread is in Python functions
     */
    python_ns: number | null;
    /**
     * Host: marked ranges: How long the launching thread is in ranges that the program marked, without more
     */
    range_ns?: number;
    shown_by: {
      /**
       * Shown by: The event that shows the host activity best
       */
      name: string | null;
      slice: number | null;
    } | null;
    /**
     * Host: late start, unexplained: How long the launching thread has launched, and the activity starts late without a recorded reason
     */
    start_late_unexplained_ns?: number;
    /**
     * Host: synchronization: How long the launching thread waits for the device
     */
    synchronization_ns: number | null;
    /**
     * Host: not recorded: How long the launching thread has no record
     */
    unrecorded_ns: number | null;
  } | null;
  /**
   * Length: From its start to its end
   */
  length_ns: number | null;
  /**
   * Start: From the trace's start
   */
  start_ns: number | null;
}
/**
 * Device time in the chosen steps; the window is their length.
 */
export interface InStepsReport {
  /**
   * The number of steps averaged; null for one step.
   */
  averaged_steps: number | null;
  /**
   * Device state unknown at start: The device may run work from before the recording: the trace shows what it does only since its first activity, or since a synchronization before that.
   */
  before_first_activity_ns: number;
  /**
   * Busy: Union of all kernels, copies and memsets
   */
  busy_ns: number;
  /**
   * Device: The device, by its number
   */
  device: number;
  /**
   * Gaps: How many gaps there are, of all four kinds
   */
  gap_count?: number;
  gaps?: {
    host_wait: number | null;
    kernel_wait: number | null;
    other: number | null;
    unknown: number | null;
  };
  /**
   * By the thread that launched before: The part of the host wait that belongs to the thread that launched before, where the trace shows little of the launching one
   */
  handed_over_ns?: number;
  host_wait_by_activity: {
    /**
     * Host: allocation: How long the launching thread allocates or frees memory
     */
    allocation_ns: number;
    /**
     * Host: data loading: How long the launching thread waits for data
     */
    data_loading_ns: number;
    /**
     * Host: launching: How long the launching thread is in launching calls
     */
    launching_ns: number;
    /**
     * Host: operators: How long the launching thread is in operators
     */
    operator_ns: number;
    /**
     * Host: Python: How long the launching thread is in Python functions
     */
    python_ns: number;
    /**
     * Host: marked ranges: How long the launching thread is in ranges that the program marked, without more
     */
    range_ns?: number;
    start_late_unexplained_ns?: number;
    /**
     * Host: synchronization: How long the launching thread waits for the device
     */
    synchronization_ns: number;
    /**
     * Host: not recorded: How long the launching thread has no record
     */
    unrecorded_ns: number;
  };
  /**
   * Host wait with late starts: The sum of host wait and unexplained late starts
   */
  host_wait_ns: number;
  /**
   * Host wait: The activity that ends the gap was launched after the gap began: the host was late
   */
  host_wait_until_launch_ns: number;
  /**
   * Idle: Time without activity, as far as the device is known to be idle
   */
  idle_ns: number;
  /**
   * Kernel wait: The activity that ends the gap was launched in time, and the gap is short
   */
  kernel_wait_ns: number;
  /**
   * Step before the first activity: A step runs on the host, and the device has not begun yet
   */
  lead_in_ns: number;
  /**
   * Step after the last activity: A step runs on the host, and the device has ended its last activity
   */
  lead_out_ns: number;
  leaves_ns: {
    [k: string]: number;
  };
  /**
   * Other wait: The activity that ends the gap was launched in time, and waited for an event or another stream
   */
  other_ns: number;
  /**
   * Late start, unexplained: The host had launched what ends the gap, and that started late: the trace does not show why
   */
  start_late_ns: number;
  /**
   * Device activity not recorded: Steps that the timeline does not cover, and the time after launching calls without activity: the device counts as neither busy nor idle
   */
  uncovered_ns: number;
  /**
   * Unknown: The trace does not show the call that launched what ends the gap
   */
  unknown_ns: number;
  /**
   * Window: The step, or from the first activity's start to the last one's end
   */
  window_ns: number;
}
/**
 * Long gaps of a device.
 */
export interface LongGapsReport {
  count: number;
  longest: IdleLongGapsLongestRow[];
  threshold_ns: number;
  total_ns: number;
}
export interface IdleLongGapsLongestRow {
  after: {
    /**
     * Next activity: The activity whose start ends it
     */
    name: string | null;
    slice: number | null;
  } | null;
  before: {
    /**
     * Previous activity: The activity whose end begins it
     */
    name: string | null;
    slice: number | null;
  } | null;
  call: {
    /**
     * Launching call: The call that launched the activity after it
     */
    name: string | null;
    slice: number | null;
  } | null;
  /**
   * Main cause: The cause of idle time that takes most of it; before the device's first activity see the host activity
   */
  cause: string | null;
  /**
   * Class
   */
  class: string | null;
  /**
   * Device: The device, by its number
   */
  device: number | null;
  host: {
    /**
     * Host activity: The longest activity of the launching thread in it
     */
    activity: string | null;
    /**
     * Host: allocation: How long the launching thread allocates or frees memory
     */
    allocation_ns: number | null;
    /**
     * Host: data loading: How long the launching thread waits for data
     */
    data_loading_ns: number | null;
    /**
     * Host: launching: How long the launching thread is in launching calls
     */
    launching_ns: number | null;
    /**
     * Host: operators: How long the launching thread is in operators
     */
    operator_ns: number | null;
    /**
     * Host: Python: How long the launching thread is in Python functions
     */
    python_ns: number | null;
    /**
     * Host: marked ranges: How long the launching thread is in ranges that the program marked, without more
     */
    range_ns?: number;
    shown_by: {
      /**
       * Shown by: The event that shows the host activity best
       */
      name: string | null;
      slice: number | null;
    } | null;
    /**
     * Host: late start, unexplained: How long the launching thread has launched, and the activity starts late without a recorded reason
     */
    start_late_unexplained_ns?: number;
    /**
     * Host: synchronization: How long the launching thread waits for the device
     */
    synchronization_ns: number | null;
    /**
     * Host: not recorded: How long the launching thread has no record
     */
    unrecorded_ns: number | null;
  } | null;
  /**
   * Length: From its start to its end
   */
  length_ns: number | null;
  /**
   * Start: From the trace's start
   */
  start_ns: number | null;
}
/**
 * Idle time of a stream.
 */
export interface StreamIdleReport {
  /**
   * Busy: Union of all kernels, copies and memsets
   */
  busy_ns: number;
  /**
   * Device: The device, by its number
   */
  device: number;
  /**
   * Gaps: How many gaps there are, of all four kinds
   */
  gap_count?: number;
  gaps?: {
    host_wait: number | null;
    kernel_wait: number | null;
    other: number | null;
    unknown: number | null;
  };
  /**
   * By the thread that launched before: The part of the host wait that belongs to the thread that launched before, where the trace shows little of the launching one
   */
  handed_over_ns?: number;
  host_wait_by_activity: {
    /**
     * Host: allocation: How long the launching thread allocates or frees memory
     */
    allocation_ns: number;
    /**
     * Host: data loading: How long the launching thread waits for data
     */
    data_loading_ns: number;
    /**
     * Host: launching: How long the launching thread is in launching calls
     */
    launching_ns: number;
    /**
     * Host: operators: How long the launching thread is in operators
     */
    operator_ns: number;
    /**
     * Host: Python: How long the launching thread is in Python functions
     */
    python_ns: number;
    /**
     * Host: marked ranges: How long the launching thread is in ranges that the program marked, without more
     */
    range_ns?: number;
    start_late_unexplained_ns?: number;
    /**
     * Host: synchronization: How long the launching thread waits for the device
     */
    synchronization_ns: number;
    /**
     * Host: not recorded: How long the launching thread has no record
     */
    unrecorded_ns: number;
  };
  /**
   * Host wait with late starts: The sum of host wait and unexplained late starts
   */
  host_wait_ns: number;
  /**
   * Host wait: The activity that ends the gap was launched after the gap began: the host was late
   */
  host_wait_until_launch_ns: number;
  /**
   * Idle: Time without activity, as far as the device is known to be idle
   */
  idle_ns: number;
  /**
   * Kernel wait: The activity that ends the gap was launched in time, and the gap is short
   */
  kernel_wait_ns: number;
  leaves_ns: {
    [k: string]: number;
  };
  /**
   * Other wait: The activity that ends the gap was launched in time, and waited for an event or another stream
   */
  other_ns: number;
  /**
   * Late start, unexplained: The host had launched what ends the gap, and that started late: the trace does not show why
   */
  start_late_ns: number;
  /**
   * Stream: The stream, by its number on the device
   */
  stream: number;
  /**
   * Device activity not recorded: Steps that the timeline does not cover, and the time after launching calls without activity: the device counts as neither busy nor idle
   */
  uncovered_ns: number;
  /**
   * Unknown: The trace does not show the call that launched what ends the gap
   */
  unknown_ns: number;
  /**
   * Window: The step, or from the first activity's start to the last one's end
   */
  window_ns: number;
}
export interface KernelFamiliesRow {
  /**
   * Calls: How many there are
   */
  calls: number | null;
  /**
   * Family: Kind of work, by the operator that launched the kernel, else by the kernel's name
   */
  family: string | null;
  /**
   * Largest kernel: The kernel of the family with the longest total time
   */
  largest: string | null;
  /**
   * Mean: Total ÷ calls
   */
  mean_ns: number | null;
  /**
   * Names: How many kernels of different names the family has
   */
  names: number | null;
  /**
   * Share: Share of the time of all kernels
   */
  share_of_kernel_time: number | null;
  /**
   * Total: Sum of the durations
   */
  total_ns: number | null;
}
/**
 * Kernels with occupancy, limiter, waves and FLOP/s, and utilization of each device. METRICS section 4.
 */
export interface KernelUseReport {
  devices: DeviceUseReport[];
  kernels?: KernelUseKernelsRow[];
  operators?: KernelUseOperatorsRow[];
}
/**
 * Utilization of a device.
 */
export interface DeviceUseReport {
  achieved_occupancy: number | null;
  achieved_occupancy_coverage: number | null;
  computed_flops: number | null;
  device: number;
  flops_per_second: number | null;
  /**
   * The share of the time of kernels whose operator has a formula for FLOPs, for which FLOPs are known.
   */
  flops_per_second_coverage: number | null;
  flops_per_second_of_span: number | null;
  model: string | null;
  peak_share_of_span: number | null;
  peak_share_of_span_coverage: number | null;
  peaks?: DevicePeaksReport;
  share_of_peak: number | null;
  share_of_peak_coverage: number | null;
  sm_efficiency: number | null;
  sm_efficiency_coverage: number | null;
  span_ns: number;
  tensor_cores: number | null;
  tensor_cores_coverage: number | null;
  theoretical_occupancy: number | null;
  theoretical_occupancy_coverage: number | null;
  /**
   * `nvidia`, `amd`, `ascend` or `unknown`; decides names of units.
   */
  vendor: string;
}
/**
 * Peaks from the data sheet or given by the user; null if unknown.
 */
export interface DevicePeaksReport {
  /**
   * The names of peaks given by the user.
   */
  given?: string[];
  link_gigabytes_per_second: number | null;
  memory_gigabytes_per_second: number | null;
  /**
   * The source of the data sheet values; empty if all peaks were given.
   */
  source: string;
  teraflops_per_second: {
    [k: string]: number | null;
  };
}
export interface KernelUseKernelsRow {
  /**
   * Block: Threads of a block, in each direction
   *
   * @minItems 3
   * @maxItems 3
   */
  block?: [number, number, number];
  /**
   * Blocks per {unit}: Blocks of the grid ÷ {units} of the device, the mean weighted by duration
   */
  blocks_per_sm: number | null;
  /**
   * The share of the time that the value is known for.
   */
  blocks_per_sm_coverage: number | null;
  /**
   * Bound by: Compute or memory: the limit whose least time is longer, where kernels reach 60 % of that; of calls with both, the one of more time. Latency: below 60 % of both, as the NVIDIA Visual Profiler has it; the kernels may also move more than the fewest bytes
   */
  bound_by: string | null;
  /**
   * Calls: How many there are
   */
  calls: number | null;
  /**
   * Class
   */
  class: string | null;
  /**
   * FLOPs: 2 × m × n × k for matrix products, 2 × output points × weights for convolutions, 2 × batch × heads × queries × keys × (width + value width) for attention, masks not counted
   */
  computed_flops: number | null;
  /**
   * Cumulative share: Share of the time of all kernels, with the rows before
   */
  cumulative_share_of_kernel_time: number | null;
  /**
   * Family: Kind of work, by the operator that launched the kernel, else by its name: the family with most of the row's time. One name may be launched for several; the table by family divides it
   */
  family: string | null;
  /**
   * FLOP/s: FLOPs of the calls that launched the kernel, computed from their inputs' shapes ÷ time of these calls' kernels that compute
   */
  flops_per_second: number | null;
  /**
   * The share of the time that the value is known for.
   */
  flops_per_second_coverage: number | null;
  /**
   * Grid: Blocks of the grid, in each direction
   *
   * @minItems 3
   * @maxItems 3
   */
  grid?: [number, number, number];
  launch?: {
    /**
     * @minItems 3
     * @maxItems 3
     */
    block: [number, number, number] | null;
    calls: number | null;
    device: number | null;
    /**
     * @minItems 3
     * @maxItems 3
     */
    grid: [number, number, number] | null;
    occupancy?: {
      blocks: number | null;
      fitting?: {
        blocks: number | null;
        registers: number | null;
        shared_memory: number | null;
        warps: number | null;
      };
      /**
       * Occupancy limit: The limit that allows the fewest blocks on one {unit}: {warps}, blocks, registers or shared memory; for the launch that takes the longest
       */
      limiter: string | null;
      registers_per_block: number | null;
      share: number | null;
      shared_memory_per_block: number | null;
      warps: number | null;
      warps_per_block: number | null;
    };
    /**
     * Registers: Registers of a thread, for the launch that takes the longest
     */
    registers: number | null;
    /**
     * Shared memory: Shared memory of a block, for the launch that takes the longest
     */
    shared_memory: number | null;
    total_ns: number | null;
    waves?: {
      at_once: number | null;
      blocks: number | null;
      last: number | null;
      tail: number | null;
      /**
       * Waves: Blocks ÷ ({units} × blocks that run on one at once), for the launch that takes the longest
       */
      waves: number | null;
    };
  };
  launches: number | null;
  /**
   * Max: The longest call
   */
  max_ns: number | null;
  /**
   * Mean: Total ÷ calls
   */
  mean_ns: number | null;
  /**
   * Median: Half of the calls are shorter
   */
  median_ns: number | null;
  /**
   * Min: The shortest call
   */
  min_ns: number | null;
  /**
   * Module: Modules around the call on its thread, outermost first
   */
  module?: string;
  /**
   * Name
   */
  name: string | null;
  /**
   * Estimated occupancy: The profiler's estimate of the achieved occupancy, the mean weighted by duration; an estimate of 0 is unknown
   */
  occupancy_percent: number | null;
  /**
   * The share of the time that the value is known for.
   */
  occupancy_percent_coverage: number | null;
  /**
   * Operator
   */
  operator?: string;
  /**
   * Share: Share of the time of all kernels
   */
  share_of_kernel_time: number | null;
  /**
   * % of limit: The least time that the device could take ÷ the time of all kernels of the call: the fewest bytes (each input read once, each output written once) ÷ the memory's bandwidth; for products, convolutions and attention FLOPs ÷ peak where that is longer
   */
  share_of_limit: number | null;
  /**
   * The share of the time that the value is known for.
   */
  share_of_limit_coverage: number | null;
  /**
   * % of peak: FLOP/s ÷ the device's peak for this type (as given, else from its data sheet, without sparsity; on {matrix} where the call uses them, and always for 16 bits and fewer)
   */
  share_of_peak: number | null;
  /**
   * The share of the time that the value is known for.
   */
  share_of_peak_coverage: number | null;
  /**
   * Std. dev.: Standard deviation of the durations
   */
  std_ns: number | null;
  /**
   * Tail: Tail effect: the empty part of all waves, since the last wave is not full: 1 − waves ÷ waves rounded up; the mean weighted by duration
   */
  tail: number | null;
  /**
   * The share of the time that the value is known for.
   */
  tail_coverage: number | null;
  /**
   * {Matrix}: Whether the kernel uses {matrix}: decided from its name, its operator's input types and FLOP/s above what ordinary cores can do; otherwise unknown
   */
  tensor_core_use: string | null;
  tensor_cores: boolean | null;
  /**
   * Occupancy: Theoretical occupancy: {warps} that run on one {unit} at once ÷ the most it runs, from block size, registers, shared memory and the device's limits; the mean weighted by duration
   */
  theoretical_occupancy: number | null;
  /**
   * The share of the time that the value is known for.
   */
  theoretical_occupancy_coverage: number | null;
  /**
   * Total: Sum of the durations
   */
  total_ns: number | null;
  /**
   * Variation: Standard deviation ÷ mean: how much the calls differ; unknown for a single call
   */
  variation: number | null;
}
export interface KernelUseOperatorsRow {
  /**
   * Calls: How many there are
   */
  calls: number;
  /**
   * FLOPs: 2 × m × n × k for matrix products, 2 × output points × weights for convolutions, 2 × batch × heads × queries × keys × (width + value width) for attention, masks not counted
   */
  computed_flops: number;
  /**
   * Device total: Device time of what the calls and their callees launched; overlaps count once per call
   */
  device_total_ns: number;
  /**
   * FLOP/s: FLOPs ÷ device time of the operator's calls, if the shapes of all of them are known
   */
  flops_per_second: number | null;
  /**
   * Name
   */
  name: string;
}
export interface KernelsRow {
  /**
   * Blocks per {unit}: Blocks of the grid ÷ {units} of the device, the mean weighted by duration
   */
  blocks_per_sm: number | null;
  /**
   * The share of the time that the value is known for.
   */
  blocks_per_sm_coverage: number | null;
  /**
   * Calls: How many there are
   */
  calls: number | null;
  /**
   * Class
   */
  class: string | null;
  /**
   * Cumulative share: Share of the time of all kernels, with the rows before
   */
  cumulative_share_of_kernel_time: number | null;
  /**
   * Max: The longest call
   */
  max_ns: number | null;
  /**
   * Mean: Total ÷ calls
   */
  mean_ns: number | null;
  /**
   * Median: Half of the calls are shorter
   */
  median_ns: number | null;
  /**
   * Min: The shortest call
   */
  min_ns: number | null;
  /**
   * Name
   */
  name: string | null;
  /**
   * Estimated occupancy: The profiler's estimate of the achieved occupancy, the mean weighted by duration; an estimate of 0 is unknown
   */
  occupancy_percent: number | null;
  /**
   * The share of the time that the value is known for.
   */
  occupancy_percent_coverage: number | null;
  /**
   * Share: Share of the time of all kernels
   */
  share_of_kernel_time: number | null;
  /**
   * Std. dev.: Standard deviation of the durations
   */
  std_ns: number | null;
  /**
   * {Matrix}: Whether the kernel uses {matrix}: decided from its name, its operator's input types and FLOP/s above what ordinary cores can do; otherwise unknown
   */
  tensor_core_use: string | null;
  tensor_cores: boolean | null;
  /**
   * Total: Sum of the durations
   */
  total_ns: number | null;
  /**
   * Variation: Standard deviation ÷ mean: how much the calls differ; unknown for a single call
   */
  variation: number | null;
}
/**
 * Launching calls of the trace.
 */
export interface LaunchesReport {
  activities: number;
  before_first_activity: number;
  /**
   * Calls blocked by a full queue; not counted as short or slow.
   */
  blocked: number;
  calls: number;
  cpu: DistributionReport;
  cpu_max_ns: number;
  cpu_ns: number;
  delay: DistributionReport;
  delay_max_ns: number;
  delay_mean_ns: number;
  delay_ns: number;
  /**
   * Calls whose first activity started long after the call: `queued`, `before_first_activity` or `late`.
   */
  delayed: number;
  gpu: DistributionReport;
  gpu_ns: number;
  late: number;
  late_threshold_ns: number;
  latest?: LaunchesLatestRow[];
  names?: LaunchesNamesRow[];
  queued: number;
  short: number;
  slow: number;
  slow_threshold_ns: number;
  slowest?: LaunchesSlowestRow[];
  unlinked_activities: number;
}
/**
 * Statistics and histogram of lengths.
 */
export interface DistributionReport {
  histogram: HistogramBarReport[];
  max_ns: number;
  mean_ns: number;
  median_ns: number;
  min_ns: number;
  std_ns: number;
}
export interface LaunchesLatestRow {
  /**
   * Launched: How many activities the call launched
   */
  activities: number | null;
  /**
   * Call time: How long the call takes on the host
   */
  cpu_ns: number | null;
  /**
   * Delay: From the call's end to its first activity's start; zero if that started before
   */
  delay_ns: number | null;
  /**
   * Device: How long any of its activities runs
   */
  gpu_ns: number | null;
  /**
   * Late by: The end of the delay, in which the device idled
   */
  late_by_ns: number | null;
  /**
   * Call: The launching call
   */
  name: string | null;
  slice: number | null;
  /**
   * Start: From the trace's start
   */
  start_ns: number | null;
}
export interface LaunchesNamesRow {
  /**
   * Launched: How many activities the calls launched
   */
  activities: number | null;
  /**
   * Before the trace: Delayed calls whose delay begins while the device state is unknown: the device may have run work from before the trace
   */
  before_first_activity: number | null;
  /**
   * Blocked: Calls that a full queue blocked; they count neither as short nor as slow
   */
  blocked: number | null;
  /**
   * Calls: How many there are
   */
  calls: number | null;
  /**
   * Host max: The longest call
   */
  cpu_max_ns: number | null;
  /**
   * Host: Sum of the calls' durations
   */
  cpu_ns: number | null;
  /**
   * Delay max: The longest of them
   */
  delay_max_ns: number | null;
  /**
   * Delay mean: Mean of the times from each call's end to its first activity. These times overlap, so their sum is not a time that passes.
   */
  delay_mean_ns: number | null;
  /**
   * Delays: Sum of the delays. They overlap: it is no time that passes
   */
  delay_ns: number | null;
  /**
   * Delayed: Calls whose delay is over the threshold
   */
  delayed: number | null;
  /**
   * Device: How long what they launched runs, united per call
   */
  gpu_ns: number | null;
  /**
   * Late: Delayed calls before whose first activity the device idled longer than the threshold
   */
  late: number | null;
  /**
   * Call: The runtime's or driver's call that launches, by name
   */
  name: string | null;
  /**
   * Queued: Delayed calls for which the device was busy with earlier recorded work
   */
  queued: number | null;
  /**
   * Short: Calls that took longer than what they launched
   */
  short: number | null;
  /**
   * Slow: Calls over the threshold
   */
  slow: number | null;
}
export interface LaunchesSlowestRow {
  /**
   * Launched: How many activities the call launched
   */
  activities: number | null;
  /**
   * Call time: How long the call takes on the host
   */
  cpu_ns: number | null;
  /**
   * Delay: From the call's end to its first activity's start; zero if that started before
   */
  delay_ns: number | null;
  /**
   * Device: How long any of its activities runs
   */
  gpu_ns: number | null;
  /**
   * Late by: The end of the delay, in which the device idled
   */
  late_by_ns: number | null;
  /**
   * Call: The launching call
   */
  name: string | null;
  slice: number | null;
  /**
   * Start: From the trace's start
   */
  start_ns: number | null;
}
/**
 * Sums that averages over steps leave out.
 */
export interface LeftOutReport {
  copies: number;
  copy_bytes: number;
  copy_ns: number;
  device_self_ns: number;
  host_self_ns: number;
  kernel_ns: number;
  kernels: number;
  operator_calls: number;
  /**
   * The number of steps left out; 0 for time outside of steps.
   */
  steps: number;
}
/**
 * The largest loss of the hosts of a trace without device activity.
 */
export interface HostLossReport {
  /**
   * `exposed_communication`, `data_wait`, `communication` or `iteration_interval`.
   */
  kind: string;
  /**
   * `steps`, or `recorded` where the step is recorded time.
   */
  share_of: string;
  share_of_step: number;
  time_ns: number;
}
/**
 * Memory of a rank.
 */
export interface MemoryReport {
  places: PlaceMemoryReport[];
  planned?: PlannedMemoryReport[];
  processes?: ProcessMemoryReport[];
  recorded?: RecordedMemoryReport[];
  recorded_blocks?: MemoryRecordedBlocksRow[];
  recorded_operators?: MemoryRecordedOperatorsRow[];
}
/**
 * Memory of a device, or of the host (`device` null).
 */
export interface PlaceMemoryReport {
  allocated: MemoryLevelReport;
  blocks: MemoryBlocksReport;
  capacity_bytes?: number;
  curve: MemoryCurveReport;
  device: number | null;
  events: number;
  fragmentation: FragmentationReport | null;
  live_at_peak: LiveMemoryReport;
  operators: MemoryPlacesOperatorsRow[];
  peak_share?: number;
  reserved: MemoryLevelReport | null;
}
export interface MemoryLevelReport {
  first_bytes: number;
  last_bytes: number;
  peak_at_ns: number;
  peak_bytes: number;
  source: string;
}
export interface MemoryBlocksReport {
  allocations: number;
  from_before: BlockCountReport;
  largest: MemoryPlacesBlocksLargestRow[];
  max_lifetime_ns: number;
  mean_lifetime_ns: number;
  median_lifetime_ns: number;
  releases: number;
  unreleased: BlockCountReport;
}
export interface BlockCountReport {
  blocks: number;
  bytes: number;
}
export interface MemoryPlacesBlocksLargestRow {
  /**
   * Address: Where the block begins, in hexadecimal digits
   */
  address: string | null;
  allocated_by: {
    /**
     * Allocated by
     */
    name: string | null;
    slice: number | null;
  } | null;
  /**
   * Allocated at: When, from the trace's start
   */
  allocated_ns: number | null;
  /**
   * Size: Bytes of the block, or of all of them
   */
  bytes: number | null;
  /**
   * Lifetime: From allocation to release
   */
  lifetime_ns: number | null;
  released_by: {
    /**
     * Released in
     */
    name: string | null;
    slice: number | null;
  } | null;
  /**
   * Released at: When, from the trace's start; a dash if it was not released during the recording
   */
  released_ns: number | null;
}
/**
 * Points by columns; each value is valid until the next time.
 */
export interface MemoryCurveReport {
  allocated_bytes: number[];
  at_ns: number[];
  end_ns: number;
  reserved_bytes?: (number | null)[];
  start_ns: number;
}
export interface FragmentationReport {
  at_allocated_peak_bytes: number;
  max_at_ns: number;
  max_bytes: number;
}
export interface LiveMemoryReport {
  from_before: BlockCountReport;
  operators: MemoryPlacesLiveAtPeakOperatorsRow[];
  unexplained_bytes: number;
}
export interface MemoryPlacesLiveAtPeakOperatorsRow {
  /**
   * Blocks: How many blocks there are
   */
  blocks: number | null;
  /**
   * Size: Bytes of the block, or of all of them
   */
  bytes: number | null;
  /**
   * Operator
   */
  name: string | null;
}
export interface MemoryPlacesOperatorsRow {
  /**
   * Allocated: Sum of the bytes that the operator itself allocated
   */
  allocated_bytes: number | null;
  /**
   * Allocations: How often the operator itself allocated
   */
  allocations: number | null;
  /**
   * Operator
   */
  name: string | null;
  /**
   * Net: Allocated − released: by how much memory grew in the operator itself
   */
  net_bytes: number | null;
  /**
   * Released: Sum of the bytes that were released in the operator itself
   */
  released_bytes: number | null;
  /**
   * Releases: How many blocks were released in the operator itself, whoever allocated them
   */
  releases: number | null;
  /**
   * Allocated with callees: Sum of the bytes that the operator and all it called allocated
   */
  total_allocated_bytes: number | null;
  total_allocations: number | null;
  /**
   * Net with callees: Allocated − released in the operator and all it called
   */
  total_net_bytes: number | null;
  total_released_bytes: number | null;
  total_releases: number | null;
}
/**
 * Planned memory of a graph, over the order of execution.
 */
export interface PlannedMemoryReport {
  backward_end_index: number | null;
  capacity_bytes?: number;
  forward_start_index: number | null;
  graph: string;
  operator_bytes: (number | null)[];
  operators: string[];
  peak_bytes: number;
  peak_index: number;
  peak_operator: string;
  peak_share?: number;
  static_bytes: number | null;
  tensors: MemoryPlannedTensorsRow[];
  total_bytes: number[];
}
export interface MemoryPlannedTensorsRow {
  /**
   * At the peak: Whether it lives while memory is at its peak
   */
  at_peak: boolean | null;
  /**
   * Size: Bytes of the block, or of all of them
   */
  bytes: number | null;
  /**
   * Data type
   */
  data_type: string | null;
  /**
   * Lives from: The first operator at which it lives, by its place in the order of execution
   */
  first_index: number | null;
  /**
   * Format
   */
  format: string | null;
  /**
   * Lives to: The last operator at which it lives
   */
  last_index: number | null;
  /**
   * Tensor
   */
  name: string | null;
  /**
   * Shape
   */
  shape: string | null;
  /**
   * Type
   */
  type: string | null;
}
/**
 * The memory of a process of the host.
 */
export interface ProcessMemoryReport {
  counter: string;
  curve: MemoryCurveReport;
  first_bytes: number;
  last_bytes: number;
  peak_at_ns: number;
  peak_bytes: number;
  process: string;
}
export interface RecordedMemoryReport {
  allocated: MemoryLevelReport;
  component: string;
  curve: MemoryCurveReport;
  device: string;
  records: number;
  reserved: MemoryLevelReport | null;
}
export interface MemoryRecordedBlocksRow {
  /**
   * Allocated at: When, from the trace's start
   */
  allocated_ns: number | null;
  /**
   * Size: Bytes of the block, or of all of them
   */
  bytes: number | null;
  /**
   * Device: The device, by its number
   */
  device: string | null;
  /**
   * Lifetime: From allocation to release
   */
  lifetime_ns: number | null;
  /**
   * Operator
   */
  name: string | null;
  /**
   * Released at: When, from the trace's start; a dash if it was not released during the recording
   */
  released_ns: number | null;
}
export interface MemoryRecordedOperatorsRow {
  /**
   * Blocks: How many blocks there are
   */
  blocks: number | null;
  /**
   * Size: Bytes of the block, or of all of them
   */
  bytes: number | null;
  /**
   * Operator
   */
  name: string | null;
}
/**
 * MindSpore's tables of a rank.
 */
export interface MindSporeReport {
  aicore_operators?: MindsporeAicoreOperatorsRow[];
  aicore_types?: MindsporeAicoreTypesRow[];
  aicpu_operators?: MindsporeAicpuOperatorsRow[];
  aicpu_types?: MindsporeAicpuTypesRow[];
  findings?: RecordedFindingReport[];
  host_operators?: MindsporeHostOperatorsRow[];
  host_types?: MindsporeHostTypesRow[];
  step_trace?: RecordedStepTraceReport;
}
export interface MindsporeAicoreOperatorsRow {
  /**
   * Calls: How many there are
   */
  calls: number;
  /**
   * FLOPs (cube): Floating-point operations on the cube unit, as the profiler recorded them: with padding, so more than the shapes need
   */
  cube_flops?: number;
  /**
   * FLOP/s (cube): Floating-point operations per second on the cube unit, as the profiler recorded them
   */
  cube_flops_per_second?: number;
  /**
   * FLOPs: Floating-point operations on both units, as the profiler recorded them
   */
  flops?: number;
  /**
   * FLOP/s: Floating-point operations per second on both units, as the profiler recorded them
   */
  flops_per_second?: number;
  gflops_cube: number | null;
  gflops_vector: number | null;
  /**
   * Kernel: The operator's name without its scopes
   */
  kernel: string;
  /**
   * Mean: Total ÷ calls
   */
  mean_ns: number;
  mflops_cube: number | null;
  mflops_vector: number | null;
  /**
   * Operator: The operator's name, with its scopes where the table has them
   */
  name: string;
  /**
   * Type: The kind of operator
   */
  type: string;
  /**
   * FLOPs (vector): Floating-point operations on the vector unit, as the profiler recorded them
   */
  vector_flops?: number;
  /**
   * FLOP/s (vector): Floating-point operations per second on the vector unit, as the profiler recorded them
   */
  vector_flops_per_second?: number;
}
export interface MindsporeAicoreTypesRow {
  /**
   * Calls: How many there are
   */
  calls: number;
  /**
   * Mean: Total ÷ calls
   */
  mean_ns: number;
  /**
   * Type: The kind of operator
   */
  name: string;
  /**
   * Share: Share of all operators' time, as the profiler's table has it; on the AI CPU of the table's own sum
   */
  share: number;
  /**
   * Total: Sum of the durations
   */
  total_ns: number;
}
export interface MindsporeAicpuOperatorsRow {
  /**
   * Calls: How many there are
   */
  calls: number;
  /**
   * Dispatch: Mean time to dispatch a call, as the profiler recorded it
   */
  mean_dispatch_ns: number;
  /**
   * Mean: Total ÷ calls
   */
  mean_ns: number;
  /**
   * Operator: The operator's name, with its scopes where the table has them
   */
  name: string;
  /**
   * Type: The kind of operator
   */
  type: string;
}
export interface MindsporeAicpuTypesRow {
  /**
   * Calls: How many there are
   */
  calls: number;
  /**
   * Mean: Total ÷ calls
   */
  mean_ns: number;
  /**
   * Type: The kind of operator
   */
  name: string;
  /**
   * Share: Share of all operators' time, as the profiler's table has it; on the AI CPU of the table's own sum
   */
  share: number;
  /**
   * Total: Sum of the durations
   */
  total_ns: number;
}
export interface RecordedFindingReport {
  rule: string;
  subject?: string;
  threshold: number;
  value: number;
}
export interface MindsporeHostOperatorsRow {
  /**
   * Calls: How many there are
   */
  calls?: number;
  /**
   * Mean: Total ÷ calls
   */
  mean_ns: number;
  /**
   * Operator: The operator's name, with its scopes where the table has them
   */
  name: string;
  /**
   * Runs on: Where the operator ran, as the profiler wrote it
   */
  side?: string;
  table: string;
  /**
   * Type: The kind of operator
   */
  type: string;
}
export interface MindsporeHostTypesRow {
  /**
   * Calls: How many there are
   */
  calls: number;
  /**
   * Mean: Total ÷ calls
   */
  mean_ns: number;
  /**
   * Type: The kind of operator
   */
  name: string;
  /**
   * Share: Share of all operators' time, as the profiler's table has it; on the AI CPU of the table's own sum
   */
  share: number;
  /**
   * Total: Sum of the durations
   */
  total_ns: number;
}
export interface RecordedStepTraceReport {
  average: {
    /**
     * Forward (and backward): From the start of the forward pass to its end, in training to that of the backward pass
     */
    forward_and_backward_ns: number;
    /**
     * Iteration interval: From the end of the step before to the start of the forward pass
     */
    iteration_interval_ns: number;
    /**
     * Step: The number that the profiler gives the step
     */
    name: string;
    /**
     * Tail: From the end of these passes to the end of the step
     */
    tail_ns: number;
    /**
     * Length: From the end of the step before to its own end
     */
    total_ns: number;
  };
  average_is_recorded: boolean;
  backward_end: string;
  forward_start: string;
  steps: MindsporeStepTraceStepsRow[];
}
export interface MindsporeStepTraceStepsRow {
  /**
   * Forward (and backward): From the start of the forward pass to its end, in training to that of the backward pass
   */
  forward_and_backward_ns: number;
  /**
   * Iteration interval: From the end of the step before to the start of the forward pass
   */
  iteration_interval_ns: number;
  /**
   * Step: The number that the profiler gives the step
   */
  name: string;
  /**
   * Tail: From the end of these passes to the end of the step
   */
  tail_ns: number;
  /**
   * Length: From the end of the step before to its own end
   */
  total_ns: number;
}
export interface OperatorsRow {
  /**
   * Calls: How many there are
   */
  calls: number | null;
  /**
   * Class
   */
  class: string | null;
  /**
   * Device self: Device time of what the calls launched themselves; overlaps count once per call
   */
  device_self_ns: number | null;
  /**
   * Device self, summed: The same as a sum of durations: overlaps count each time
   */
  device_self_sum_ns: number | null;
  /**
   * Device total: Device time of what the calls and their callees launched; overlaps count once per call
   */
  device_total_ns: number | null;
  /**
   * Device total, summed: The same as a sum of durations: overlaps count each time
   */
  device_total_sum_ns: number | null;
  /**
   * Host max: The longest call on the host
   */
  host_max_ns: number | null;
  /**
   * Host mean: Mean duration of a call on the host, nested calls included. In a step: of the whole calls that begin in it
   */
  host_mean_ns: number | null;
  /**
   * Host min: The shortest call on the host
   */
  host_min_ns: number | null;
  /**
   * Host self: The same without operators, ranges and runtime calls inside; the parts that Paddle records of an operator count with it
   */
  host_self_ns: number | null;
  /**
   * Host total: Time in the calls on the host. A call inside another call of the same row, on the same thread, counts once. In a step: of the time in it
   */
  host_total_ns: number | null;
  /**
   * Module: Modules around the call on its thread, outermost first
   */
  module?: string;
  /**
   * Name
   */
  name: string | null;
  /**
   * Shapes
   */
  shapes?: string;
  /**
   * Stack
   */
  stack?: string[];
  /**
   * Thread
   */
  thread?: string;
  /**
   * Types
   */
  types?: string;
}
/**
 * A rank's data pipeline.
 */
export interface PipelineReport {
  bottlenecks: number[];
  get_next: GetNextReport | null;
  /**
   * Whether the device takes data ahead of its steps, by the timeline.
   */
  get_next_ahead?: GetNextAheadReport;
  /**
   * Longest iteration interval that is not long.
   */
  interval_limit_ns: number | null;
  /**
   * Mean iteration interval by the step trace.
   */
  interval_ns: number | null;
  keeps_up: boolean;
  operators: PipelineOperatorsRow[];
  processors_bound: boolean;
  /**
   * Null with too few samples.
   */
  processors_busy: number | null;
  processors_samples: number | null;
  queue: DataQueueReport | null;
  /**
   * Further operators that the queues around them show to be slow, though their queues were never found empty.
   */
  slow_by_queues?: number[];
  verdict: string | null;
}
export interface GetNextReport {
  mean_ns: number;
  steps: number;
  times_empty: number;
}
/**
 * The device's operator that gets data, in counted steps, by its timeline.
 */
export interface GetNextAheadReport {
  /**
   * Mean time per step in which it ran and nothing computed.
   */
  alone_ns: number;
  /**
   * The longest one that ran alone.
   */
  example?: number;
  /**
   * Whether it does not run ahead: late in more than half of several steps, for more than 1 % of the step.
   */
  is_late: boolean;
  /**
   * The mean length of these steps.
   */
  step_ns: number;
  steps: number;
  /**
   * Steps in which no operator computed beside it.
   */
  steps_late: number;
}
export interface PipelineOperatorsRow {
  children: number[];
  /**
   * Number: The operator's number in the pipeline
   */
  id: number;
  /**
   * Limits the pipeline: The pipeline is as slow as this operator: its input queue is fuller than its own, or it has no input; its queue was found empty and is less than 60 % full, and the device waits for data
   */
  limits_pipeline: boolean;
  parent: number | null;
  /**
   * Capacity: Capacity of its queue, in elements
   */
  queue_capacity: number | null;
  /**
   * Queue, mean: Mean number of elements in its queue
   */
  queue_mean_size: number | null;
  /**
   * Usage: mean(size) / capacity
   */
  queue_usage: number | null;
  /**
   * Samples: How often the size of its queue was recorded
   */
  samples: number | null;
  /**
   * Times empty: How many samples found its queue empty
   */
  times_empty: number | null;
  /**
   * Times full: How many samples found its queue full
   */
  times_full: number | null;
  /**
   * Operator: The kind of operator
   */
  type: string;
  /**
   * Workers: How many threads or processes run the operator (num_parallel_workers)
   */
  workers: number;
}
export interface DataQueueReport {
  /**
   * Counted steps that found it empty.
   */
  counted_empty: number;
  /**
   * Steps by which it is judged: the first one finds the queue empty because the pipeline starts.
   */
  counted_steps: number;
  device: boolean;
  mean_get_ns: number;
  mean_push_ns: number;
  mean_total_ns: number;
  mean_usage: number | null;
  /**
   * The first step's time to get data, where it is the pipeline's start: then the means are without that step.
   */
  start_ns?: number;
  steps: number;
  times_empty: number;
  times_full: number;
}
/**
 * The number of waiting and in-flight launches of a queue: from each time on, until the next.
 */
export interface QueueCurvesReport {
  in_flight: [number, number][];
  waiting: [number, number][];
}
export interface QueuesRow {
  /**
   * Full for: How long the queue was at its limit: then a launch blocks the host. Zero if the queue shows no limit.
   */
  blocked_ns: number | null;
  /**
   * Calls: Calls that launched something on the stream
   */
  calls: number | null;
  /**
   * Device: The device, by its number
   */
  device: number | null;
  in_flight?: {
    end_ns: number | null;
    /**
     * In flight max: The most calls at once that were launched and had not ended
     */
    max: number | null;
    /**
     * In flight mean: How many calls were launched and have not ended, the mean over time
     */
    mean: number | null;
    start_ns: number | null;
  };
  /**
   * Limit: The queue depth at which launches block; unknown if the queue shows no limit
   */
  limit: number | null;
  /**
   * Stream: The stream, by its number on the device
   */
  stream: number | null;
  waiting?: {
    end_ns: number | null;
    /**
     * Waiting max: The most calls at once that were launched and had not begun
     */
    max: number | null;
    /**
     * Waiting mean: How many calls were launched and have not begun, the mean over time
     */
    mean: number | null;
    start_ns: number | null;
  };
}
export interface ResourceReport {
  from_ns: number | null;
  holds: boolean;
  /**
   * Kind: The kind of measurement
   */
  kind: string;
  /**
   * Last: The latest value
   */
  last: number;
  /**
   * Max: The largest value
   */
  max: number;
  /**
   * Mean: A mean by time where each value is valid until the next one: the last one has no weight. Values of single moments, and MindData's regular samples, have equal weights
   */
  mean: number;
  /**
   * Min: The smallest value
   */
  min: number;
  /**
   * Curve: The name of the curve in the trace
   */
  name: string;
  /**
   * Owner: A process, a device or an operator of the pipeline
   */
  owner: string;
  /**
   * Points, thinned to the resolution of a chart without losing peaks.
   */
  points?: [number, number][];
  /**
   * Values: How many values the counter has
   */
  samples: number;
  unit: string;
  until_ns: number | null;
}
/**
 * MindSpore's step trace.
 */
export interface StepTraceReport {
  average: StepPartsReport;
  /**
   * Whether that average is of other steps than the table lists.
   */
  average_is_of_other_steps?: boolean;
  average_is_recorded: boolean;
  backward_end?: string;
  forward_start?: string;
  /**
   * Whether the profiler's table has other steps than the timeline.
   */
  is_of_other_steps: boolean;
  source: string;
  steps: TracedStepReport[];
  /**
   * Operators named by the user that the trace does not have; then all else is empty.
   */
  unknown?: UnknownPointReport[];
}
/**
 * The parts of the average step.
 */
export interface StepPartsReport {
  forward_and_backward_ns: number;
  iteration_interval_ns: number;
  tail_ns: number;
  total_ns: number;
}
export interface TracedStepReport {
  collectives?: StepTraceStepsCollectivesRow[];
  /**
   * Forward (and backward): From the start of the forward pass to its end, in training to that of the backward pass
   */
  forward_and_backward_ns: number;
  /**
   * Iteration interval: From the end of the step before to the start of the forward pass
   */
  iteration_interval_ns: number;
  /**
   * Step: The step's name in the trace, or its number in the profiler's own table
   */
  name: string;
  /**
   * Start: From the trace's start; for steps of the profiler's own table, by the profiler's clock
   */
  start_ns: number;
  /**
   * Tail: From the end of these passes to the end of the step
   */
  tail_ns: number;
  /**
   * Length: From the end of the step before to its own end
   */
  total_ns: number;
}
export interface StepTraceStepsCollectivesRow {
  /**
   * Length: From its start to its end
   */
  length_ns: number;
  /**
   * Collective: The communication kernel
   */
  name: string;
  /**
   * Start: From the start of the step
   */
  start_ns: number;
  /**
   * Stream: The stream, by its number on the device
   */
  stream: number | null;
}
export interface UnknownPointReport {
  name: string;
  near: string[];
}
/**
 * A step.
 */
export interface StepReport {
  /**
   * Device activities: Kernels, copies and memsets that were launched in the step
   */
  activities: number;
  captures?: boolean;
  categories: {
    /**
     * Communication: A communication kernel or a host collective runs, and nothing before it
     */
    communication_ns: number;
    /**
     * Host operators: The host is in an operator, and nothing before applies
     */
    cpu_ns: number;
    /**
     * Data loading: The host waits for the next batch, and nothing before applies
     */
    dataloader_ns: number;
    /**
     * Compute kernels: A compute kernel runs on any device
     */
    kernel_ns: number;
    /**
     * Copies: A copy runs, and no compute kernel
     */
    memcpy_ns: number;
    /**
     * Memsets: A memset runs, and neither kernel nor copy
     */
    memset_ns: number;
    /**
     * Other: None of these: the eight categories add up to the step exactly
     */
    other_ns: number;
    /**
     * Runtime calls: The host is in a call of the device's runtime or driver, and the device does nothing
     */
    runtime_ns: number;
  };
  categories_before_first_activity?: {
    cpu_ns: number | null;
    dataloader_ns: number | null;
    other_ns: number | null;
    runtime_ns: number | null;
    /**
     * Device state unknown at start: The part of the host's categories in which the state of a device is unknown. The device may run work from before the recording: the trace shows what it does only since its first activity, or since a synchronization before that.
     */
    total_ns: number | null;
  };
  counted: boolean;
  covered: boolean;
  /**
   * Device busy: The share of the step in which the device does anything, where its state is known; the mean over devices
   */
  device_busy_share: number | null;
  device_time: DeviceTimeReport[];
  end_ns: number;
  /**
   * Graph: The graph that the step ran, if the profiler says so
   */
  graph?: number;
  host_end_ns: number;
  /**
   * Host time: On the host, from the step's mark to its end
   */
  host_length_ns: number;
  host_start_ns: number;
  inference?: {
    kind: string | null;
    /**
     * Requests: How many requests the inference engine says that the step serves
     */
    requests: number | null;
    /**
     * Tokens: How many tokens the inference engine says that the step works on
     */
    tokens: number | null;
  };
  /**
   * Length: From the step's mark, or the end of the device work before it where that is later, to the end of the last activity it launched
   */
  length_ns: number;
  /**
   * Mark: Why the step is unlike the others and enters no averages
   */
  mark?: string;
  /**
   * Step: The step's name in the trace
   */
  name: string;
  partial: boolean;
  phases: {
    backward: {
      calls: number;
      /**
       * Backward: device: Union of the device activities that were launched in the phase
       */
      device_ns: number;
      /**
       * Backward: host: Time of the phase on the host
       */
      host_ns: number;
    };
    dataloader: {
      calls: number;
      /**
       * Data loading: device: Union of the device activities that were launched in the phase
       */
      device_ns: number;
      /**
       * Data loading: host: Time of the phase on the host
       */
      host_ns: number;
    };
    forward: {
      calls: number;
      /**
       * Forward: device: Union of the device activities that were launched in the phase
       */
      device_ns: number;
      /**
       * Forward: host: Time of the phase on the host
       */
      host_ns: number;
    };
    optimizer: {
      calls: number;
      /**
       * Optimizer: device: Union of the device activities that were launched in the phase
       */
      device_ns: number;
      /**
       * Optimizer: host: Time of the phase on the host
       */
      host_ns: number;
    };
    other: {
      calls: number;
      /**
       * Other: device: Union of the device activities that were launched in the phase
       */
      device_ns: number;
      /**
       * Other: host: Time of the phase on the host
       */
      host_ns: number;
    };
  };
  /**
   * @deprecated
   * The earlier name of `categories`.
   */
  roles: CategoriesReport;
  /**
   * @deprecated
   * The earlier name of `categories_before_first_activity`.
   */
  roles_before_first_activity?: EarlyCategories;
  /**
   * Start: From the trace's start
   */
  start_ns: number;
  /**
   * Not recorded: The part of the step's mark before the profiler started or after it stopped: it is no part of the length
   */
  unrecorded_ns?: number;
  warmup: boolean;
}
export interface SynchronizationsRow {
  /**
   * Calls: How many there are
   */
  calls: number | null;
  /**
   * Python function: The innermost Python function around the call that is not built in, where stacks are recorded
   */
  function: string | null;
  /**
   * Max: The longest call
   */
  max_ns: number | null;
  /**
   * Mean: Total ÷ calls
   */
  mean_ns: number | null;
  /**
   * Call: The call that waits; a call within another one that waits is not listed
   */
  name: string | null;
  /**
   * Operator: The outermost operator around the call
   */
  operator: string | null;
  /**
   * Range: The innermost range of the program around the call, such as record_function or NVTX; marks of steps are none
   */
  range: string | null;
  slice: number | null;
  /**
   * Total: Sum of the durations. The wait for work that the device has to do anyway is no loss; the loss is that the host launches the next work later
   */
  total_ns: number | null;
}
/**
 * Device activities without an operator.
 */
export interface UnlinkedReport {
  activities: number;
  device_ns: number;
  device_sum_ns: number;
}
export interface ReplayReport {
  change: string;
  changed: number;
  factor?: number;
  gain_ns_per_step: number;
  kernel?: string;
  new_step_ns: number;
  step_ns: number;
  steps: StepReplayReport[];
  steps_counted: number;
}
export interface StepReplayReport {
  length_ns: number;
  name: string;
  new_length_ns: number;
}
/**
 * The extent of the only step, if the trace marks no steps.
 */
export interface WholeStepReport {
  device_busy_outside_ns: number;
  /**
   * Time of the trace before and after the step.
   */
  outside_ns: number;
  /**
   * `operators`, `activities` or `events`: the step spans from the first to the last of these.
   */
  span: string;
}
/**
 * The description of a table.
 */
export interface TableReport {
  /**
   * Columns in the order of data.
   */
  columns: TableColumnReport[];
  id: string;
  /**
   * Whether the smallest value comes first.
   */
  is_ascending: boolean;
  /**
   * The keys of visible columns, in order.
   */
  shown: string[];
  sort: string;
  /**
   * The columns of the start, and of the end or the length, of a row's time.
   *
   * @minItems 2
   * @maxItems 2
   */
  span: [string, string] | null;
  /**
   * The tab that shows it below its own tables, under the title `table.ID`.
   */
  view: string | null;
}
/**
 * A column of a described table.
 */
export interface TableColumnReport {
  /**
   * The column whose shares are drawn as bars; empty for shares of the column's own maximum.
   */
  bar: string | null;
  /**
   * Whether each value has a coverage.
   */
  is_covered: boolean;
  /**
   * Whether values are numbers of events, to which the rows' names lead.
   */
  is_event: boolean;
  is_number: boolean;
  /**
   * Whether it is hidden if no device was recorded.
   */
  is_of_device: boolean;
  /**
   * Whether values are parts of a whole.
   */
  is_part: boolean;
  /**
   * Whether its words sort as the rows have them at first.
   */
  is_ranked: boolean;
  /**
   * The key in JSON, CSV and messages; dots separate nested objects.
   */
  key: string;
  /**
   * The key of the column by whose values rows are sorted instead.
   */
  order: string | null;
  /**
   * The column whose values are the wholes of these; the share stands after each value.
   */
  part_of: string | null;
  /**
   * `always`, `seldom` (not where all values are zero), `wide`, `name` or `data`.
   */
  show: string;
  unit: string;
  /**
   * The column that names the unit of each row's value.
   */
  unit_key: string | null;
  /**
   * The key of a column without whose value it has none, either.
   */
  with: string | null;
  /**
   * The prefix of message keys of its words.
   */
  words: string | null;
}
/**
 * All rows of the timeline.
 */
export interface TimelineReport {
  /**
   * The time from the start of the first rank to the end of the last event.
   */
  end_ns: number;
  rows: TimelineRowReport[];
  /**
   * The start of each rank relative to the first one.
   */
  shifts_ns: number[];
}
/**
 * A row of the timeline.
 */
export interface TimelineRowReport {
  device?: number;
  /**
   * The group of ranks whose communication is all that a stream has; empty if the group is not named.
   */
  group?: string;
  /**
   * `steps`, `doing`, `overlap`, `share`, `communication`, `stream`, `thread`, `queue`, `memory` or `counter`.
   */
  kind: string;
  /**
   * The number of lanes; null for curves.
   */
  lanes: number | null;
  layer?: string;
  /**
   * The name of the thread, stream, counter or group.
   */
  name?: string;
  /**
   * The part of device time that an overlap row shows.
   */
  part?: string;
  /**
   * Index and label of the process.
   *
   * @minItems 2
   * @maxItems 2
   */
  process?: [number, string];
  rank: number;
  /**
   * Whether the row shows reserved instead of allocated memory.
   */
  reserved?: boolean;
  /**
   * The number of slices.
   */
  slices?: number;
  /**
   * The length of each time slot of a share row.
   */
  slot_ns?: number;
  stream?: number;
  /**
   * The thread id.
   */
  thread?: string;
  /**
   * The index of the track within the rank.
   */
  track?: number;
  /**
   * The unit of a curve, if known.
   */
  unit?: string;
}
/**
 * A slice on the timeline.
 */
export interface TimelineFoundReport {
  end: number;
  lane: number;
  number: number;
  place: number;
  /**
   * The rank of the slice; null for a computed span.
   */
  rank: number | null;
  row: number;
  start: number;
  text: string;
}
export interface Topics {
  advice: AdviceReport;
  budget: BudgetReport;
  call_tree: CallTreeReport;
  critical_path: CriticalReport;
  data: DataReport;
  event: EventReport;
  kernel_use: KernelUseReport;
  memory: MemoryReport;
  range: RangeReport;
  resources: ResourcesReport;
  row: RowReport;
  selection: Selection;
  step_trace: StepTraceReport;
  why_idle: WhyIdle;
}
/**
 * The outcome of each rule, for one rank and the ranks open with it.
 */
export interface AdviceReport {
  /**
   * The verdict of all rules.
   */
  conclusion: AdviceConclusionReport;
  /**
   * The number of open ranks, and of those that were judged; only with several ranks.
   */
  ranks?: number;
  ranks_judged?: number;
  rules: AdviceRuleReport[];
  set: string;
  step_ns: number;
  steps_counted: number;
}
/**
 * The step budget of a rank, and the causes of lost time.
 */
export interface BudgetReport {
  budget: BudgetMeanReport;
  /**
   * The functions of the host, or the activities of devices, that most of each cause is in.
   */
  cause_functions: CauseFunctionsRow[];
  causes: BudgetCauseReport[];
}
/**
 * The call tree of a rank, or its tree of modules, of ranges or by phases. Each list in `nodes` has one value per node; callers come before callees.
 */
export interface CallTreeReport {
  /**
   * The time in modules, ranges or phases; absent for calls.
   */
  coverage?: CallCoverageReport;
  /**
   * Device time of activities launched by calls of the tree.
   */
  device_ns: number;
  /**
   * Device time of activities without a recorded launch.
   */
  device_unlinked_ns: number;
  /**
   * The kind of nodes: `calls`, `modules`, `ranges`, or `phases` with the calls in them.
   */
  grouping: string;
  /**
   * The groupings for which the trace has something.
   */
  groupings: string[];
  /**
   * Host time, summed over the threads of the tree.
   */
  host_ns: number;
  /**
   * The number of nodes that are too short to be listed.
   */
  left_out: number;
  names: string[];
  nodes: CallTreeNodesReport;
  /**
   * The range of time, if one was asked for: device time is then what ran in it.
   */
  range?: CallRangeReport;
  /**
   * The number of steps by which times are divided; call counts are not divided.
   */
  steps: number;
  /**
   * Host time, summed over these.
   */
  waiting_ns: number;
  /**
   * The number of threads that only wait; they are no nodes unless they were asked for.
   */
  waiting_threads: number;
}
/**
 * The time in modules, ranges or phases, and the time outside.
 */
export interface CallCoverageReport {
  /**
   * Device time of activities launched in them.
   */
  device_ns: number;
  /**
   * Host time in them.
   */
  host_ns: number;
  /**
   * Device time of activities launched outside of all of them, largest first.
   */
  outside: LaunchedOutsideReport[];
  /**
   * In a tree by phases: the phases that were found, in the order of a step.
   */
  phases?: FoundPhaseReport[];
}
/**
 * Device time of activities launched outside of all modules, ranges or phases.
 */
export interface LaunchedOutsideReport {
  /**
   * `graph` for launches of graphs, otherwise the phase of the launching call.
   */
  by: string;
  device_ns: number;
  /**
   * The source by which the phase was recognized; `absent` for graphs and outside of all phases.
   */
  source: string;
}
/**
 * A phase that was found in the trace.
 */
export interface FoundPhaseReport {
  phase: string;
  /**
   * The source by which it was recognized.
   */
  source: string;
}
export interface CallTreeNodesReport {
  calls: number[];
  /**
   * The class; empty for a thread, `phase` for a phase.
   */
  class: string[];
  device_ns: number[];
  device_self_ns: number[];
  host_ns: number[];
  /**
   * Without callees; for a thread, the time outside of all modules, ranges or phases.
   */
  host_self_ns: number[];
  /**
   * The event of the longest call; -1 for a thread, and if no call starts in the range.
   */
  longest: number[];
  /**
   * The length of that call.
   */
  longest_ns: number[];
  /**
   * An index into `names`.
   */
  name: number[];
  /**
   * The index of the caller; -1 for a thread.
   */
  parent: number[];
}
/**
 * A range of time, in the rank's time.
 */
export interface CallRangeReport {
  end_ns: number;
  length_ns: number;
  /**
   * The part of the trace's time that lies in it; null for a trace without any time.
   */
  share: number | null;
  start_ns: number;
}
/**
 * The critical path of a rank's steps, and what-if replays. METRICS section 11.
 */
export interface CriticalReport {
  critical_path?: CriticalPathsReport;
  what_if?: ReplayReport[];
}
/**
 * The data pipeline, its queues, and waits for data.
 */
export interface DataReport {
  /**
   * Size of the device's queue whenever `GetNext` took data from it.
   */
  get_next_sizes: number[];
  loading?: LoadingReport;
  pipeline?: PipelineReport;
  /**
   * Queue size and capacity at each step.
   */
  queue: QueueSampleReport[];
  /**
   * Queue size of each operator in each sample.
   */
  queues: OperatorQueue[];
  /**
   * Batches ready at each request, by loader, in the order of `loading.queues`.
   */
  ready: number[][];
}
export interface QueueSampleReport {
  capacity: number | null;
  get_ns: number | null;
  push_ns: number | null;
  size: number | null;
  /**
   * The step's number.
   */
  step: number | null;
  total_ns: number | null;
}
export interface OperatorQueue {
  id: number;
  /**
   * The time between two samples; none where it is not known.
   */
  interval_ns: number | null;
  sizes: number[];
}
/**
 * An event: its location, facts, links, and statistics of its name.
 */
export interface EventReport {
  ahead?: number;
  category: string;
  children: number;
  class: string;
  delay_ns?: number;
  depth: number;
  device?: number;
  facts: EventFactsReport;
  first_children: EventRefReport[];
  flow_count: number;
  flows: EventFlowReport[];
  /**
   * Whether it is a collective, which other ranks may share.
   */
  is_collective: boolean;
  layer: string;
  length_ns: number;
  links: EventLinkReport[];
  name: string;
  parent: EventRefReport | null;
  process: string;
  same: EventSameReport;
  self_ns: number;
  /**
   * The event's length as a part of the step's; absent if it is longer.
   */
  share_of_step?: number;
  slice: number;
  stack: EventStackReport;
  start_ns: number;
  /**
   * The step's name.
   */
  step: string | null;
  stream?: number;
  thread: string;
}
/**
 * Known facts of an event; unknown ones are left out.
 */
export interface EventFactsReport {
  /**
   * Arguments given by the program: key, value, and whether the value is text.
   */
  arguments?: [string, string, boolean][];
  awaited_stream?: number;
  /**
   * @minItems 3
   * @maxItems 3
   */
  block?: [number, number, number];
  blocks_per_sm?: number;
  bytes?: number;
  collective?: EventCollectiveReport;
  concrete_inputs?: string;
  correlation?: number;
  external?: number;
  forward_thread?: number;
  gigabytes_per_second?: number;
  graph?: number;
  /**
   * @minItems 3
   * @maxItems 3
   */
  grid?: [number, number, number];
  occupancy?: OccupancyReport;
  /**
   * Occupancy as recorded by the profiler.
   */
  occupancy_percent?: number;
  registers?: number;
  sequence?: number;
  shapes?: string;
  shared_memory?: number;
  /**
   * The stream argument of a call.
   */
  stream_argument?: number;
  types?: string;
  warps_per_sm?: number;
  waves?: WavesReport;
}
/**
 * Arguments of a collective.
 */
export interface EventCollectiveReport {
  bytes?: number;
  destination?: number;
  dtype?: string;
  group?: string;
  group_description?: string;
  group_size?: number;
  input_elements?: number;
  name?: string;
  output_elements?: number;
  ranks?: string;
  sequence?: number;
  source?: number;
}
export interface OccupancyReport {
  blocks: number;
  /**
   * Blocks per SM that each limit allows.
   */
  fitting: {
    [k: string]: number | null;
  };
  limiter: string;
  registers_per_block: number;
  share: number;
  shared_memory_per_block: number;
  warps: number;
  warps_per_block: number;
}
export interface WavesReport {
  at_once: number;
  blocks: number;
  last: number;
  tail: number;
  waves: number;
}
/**
 * A reference to an event.
 */
export interface EventRefReport {
  class: string;
  length_ns: number;
  name: string;
  slice: number;
  start_ns: number;
}
export interface EventFlowReport {
  from: number;
  kind: string;
  to: number;
}
export interface EventLinkReport {
  count: number;
  first: EventRefReport[];
  /**
   * The name of the flow in the file.
   */
  flow?: string;
  kind: string;
}
/**
 * Statistics of all slices with the event's name, and its rank among them.
 */
export interface EventSameReport {
  calls: number;
  device_self_ns?: number;
  device_total_ns?: number;
  host_self_ns?: number;
  max_ns: number;
  mean_ns: number;
  median_ns: number;
  min_ns: number;
  next: number | null;
  /**
   * Rank by length: 1 is the slowest; equal lengths share a rank.
   */
  place: number;
  previous: number | null;
  share_of_kernel_time?: number;
  std_ns: number;
  /**
   * The page's table that has this name.
   */
  table?: string;
  total_ns: number;
}
export interface EventStackReport {
  frames: EventRefReport[];
  /**
   * The event that the stack belongs to, if another one.
   */
  of: EventRefReport | null;
  text: string;
}
/**
 * Sums of a time range, and on request the difference to another range.
 */
export interface RangeReport {
  categories: CategoriesReport;
  /**
   * The part of `categories` before the first recorded activity, while the state of a device is unknown; left out if zero.
   */
  categories_before_first_activity?: EarlyCategories;
  /**
   * Changes by name and class.
   */
  changes?: RangeChangesRow[];
  classes: RangeClassReport[];
  counters?: RangeCounterReport[];
  device_time: DeviceTimeReport[];
  end_ns: number;
  hosts: RangeHostReport[];
  length_ns: number;
  memory?: RangeMemoryReport[];
  names: RangeNamesRow[];
  other?: OneRangeReport;
  overlap: OverlapReport[];
  phases: {
    [k: string]: PhaseReport;
  };
  /**
   * @deprecated
   * The earlier name of `categories`.
   */
  roles: CategoriesReport;
  /**
   * @deprecated
   * The earlier name of `categories_before_first_activity`.
   */
  roles_before_first_activity?: EarlyCategories;
  /**
   * Sums of all slices in the range.
   */
  slices: RangeSumsReport;
  start_ns: number;
  tracks: RangeTrackReport[];
}
export interface RangeChangesRow {
  /**
   * Class: The class of the slices
   */
  class: string;
  count: {
    change: number;
    /**
     * Count, other range: Slices that have a point in common with the range
     */
    other: number;
    /**
     * Count: Slices that have a point in common with the range
     */
    this: number;
  };
  /**
   * Name
   */
  name: string;
  sum_ns: {
    /**
     * Change: Sum in this range − sum in the kept one
     */
    change: number;
    /**
     * Sum, other range: Sum of the slices' lengths in the range
     */
    other: number;
    /**
     * Sum: Sum of the slices' lengths in the range
     */
    this: number;
  };
  union_ns: {
    change: number;
    /**
     * Union, other range: Union of the slices in the range: overlapping slices count once
     */
    other: number;
    /**
     * Union: Union of the slices in the range: overlapping slices count once
     */
    this: number;
  };
}
/**
 * Sums over slices of a class in the range.
 */
export interface RangeClassReport {
  begun: number;
  class: string;
  count: number;
  /**
   * The longest slice; the first one of several.
   */
  longest: number | null;
  max_ns: number;
  mean_ns: number;
  min_ns: number;
  self_ns: number;
  share: number | null;
  sum_ns: number;
  union_ns: number;
}
export interface RangeCounterReport {
  last: number;
  max: number;
  mean: number;
  min: number;
  name: string;
  owner: string;
  samples: number;
}
/**
 * Host activity of a launching thread in the range.
 */
export interface RangeHostReport {
  activity: string;
  allocation_ns: number;
  data_loading_ns: number;
  device?: number;
  launching_ns: number;
  layer: string;
  operator_ns: number;
  python_ns: number;
  /**
   * Left out if zero.
   */
  range_ns?: number;
  shown_by: SliceReport | null;
  /**
   * Launched in time but started late; not caused by the host. Left out if zero.
   */
  start_late_unexplained_ns?: number;
  stream?: number;
  synchronization_ns: number;
  /**
   * Process and thread, or the name of the stream.
   */
  thread: string;
  track: number;
  unrecorded_ns: number;
}
/**
 * A reference to a slice.
 */
export interface SliceReport {
  name: string;
  slice: number;
}
export interface RangeMemoryReport {
  allocated: MemoryLevelReport;
  allocated_bytes: number;
  allocations: number;
  /**
   * Allocated bytes at the end minus those at the start.
   */
  change_bytes: number;
  device: number | null;
  released_bytes: number;
  releases: number;
  reserved: MemoryLevelReport | null;
}
export interface RangeNamesRow {
  /**
   * Begin in it: Slices that begin in the range
   */
  begun: number;
  /**
   * Class: The class of the slices
   */
  class: string;
  /**
   * Count: Slices that have a point in common with the range
   */
  count: number;
  longest: number | null;
  /**
   * Max: The longest whole length
   */
  max_ns: number;
  /**
   * Mean: Mean of the slices' whole lengths, including what lies outside the range
   */
  mean_ns: number;
  /**
   * Min: The shortest whole length
   */
  min_ns: number;
  /**
   * Name
   */
  name: string;
  /**
   * Self: Sum without slices of the same track inside them
   */
  self_ns: number;
  /**
   * Share of range: Union ÷ length of the range
   */
  share: number | null;
  /**
   * Sum: Sum of the slices' lengths in the range
   */
  sum_ns: number;
  /**
   * Union: Union of the slices in the range: overlapping slices count once
   */
  union_ns: number;
}
/**
 * Time by category, and what of it is at the start while the state of a device is unknown.
 */
export interface OneRangeReport {
  categories: CategoriesReport;
  /**
   * The part of `categories` before the first recorded activity, while the state of a device is unknown; left out if zero.
   */
  categories_before_first_activity?: EarlyCategories;
  classes: RangeClassReport[];
  counters?: RangeCounterReport[];
  device_time: DeviceTimeReport[];
  end_ns: number;
  hosts: RangeHostReport[];
  length_ns: number;
  memory?: RangeMemoryReport[];
  names: RangeNamesRow[];
  overlap: OverlapReport[];
  phases: {
    [k: string]: PhaseReport;
  };
  /**
   * @deprecated
   * The earlier name of `categories`.
   */
  roles: CategoriesReport;
  /**
   * @deprecated
   * The earlier name of `categories_before_first_activity`.
   */
  roles_before_first_activity?: EarlyCategories;
  /**
   * Sums of all slices in the range.
   */
  slices: RangeSumsReport;
  start_ns: number;
  tracks: RangeTrackReport[];
}
/**
 * Time of a device by overlap of compute and communication.
 */
export interface OverlapReport {
  before_first_activity_ns: number;
  compute_alone_ns: number;
  device: number;
  exposed_communication_ns: number;
  exposed_memcpy_ns: number;
  exposed_memset_ns: number;
  idle_ns: number;
  overlap_ns: number;
  uncovered_ns: number;
}
/**
 * Time of a phase.
 */
export interface PhaseReport {
  calls: number;
  device_ns: number;
  host_ns: number;
}
/**
 * Sums over slices in the range.
 */
export interface RangeSumsReport {
  begun: number;
  count: number;
  /**
   * The longest slice; the first one of several.
   */
  longest: number | null;
  max_ns: number;
  mean_ns: number;
  min_ns: number;
  self_ns: number;
  sum_ns: number;
  union_ns: number;
}
/**
 * Sums over slices of a thread or stream in the range.
 */
export interface RangeTrackReport {
  begun: number;
  /**
   * `union_ns` as a share of the range.
   */
  busy_share: number | null;
  count: number;
  device?: number;
  layer: string;
  /**
   * The longest slice; the first one of several.
   */
  longest: number | null;
  max_ns: number;
  mean_ns: number;
  min_ns: number;
  self_ns: number;
  stream?: number;
  sum_ns: number;
  /**
   * Process and thread, or the name of the stream.
   */
  thread: string;
  track: number;
  union_ns: number;
}
/**
 * All curves with statistics, and the points of the requested kind.
 */
export interface ResourcesReport {
  resources: ResourceReport[];
}
/**
 * Events of a table row: lengths, slowest, per step, by variant.
 */
export interface RowReport {
  first: RowEventReport[];
  lengths: DistributionReport;
  outside: RowTimesReport;
  slowest: RowEventReport[];
  steps: RowTimesReport[];
  variant_count: number;
  variants: VariantReport[];
}
/**
 * An event of a table row.
 */
export interface RowEventReport {
  /**
   * @minItems 3
   * @maxItems 3
   */
  block?: [number, number, number];
  bytes?: number;
  device?: number;
  device_ns: number;
  /**
   * @minItems 3
   * @maxItems 3
   */
  grid?: [number, number, number];
  length_ns: number;
  name: string;
  shapes?: string;
  slice: number;
  start_ns: number;
  /**
   * The step's name.
   */
  step: string | null;
  stream?: number;
  /**
   * The thread, for events that are not on a stream.
   */
  thread?: string;
  types?: string;
}
export interface RowTimesReport {
  calls: number;
  device_ns: number;
  total_ns: number;
}
export interface VariantReport {
  calls: number;
  device_ns: number;
  steps: RowTimesReport[];
  total_ns: number;
  /**
   * The variant; null for all that are not distinguished.
   */
  variant: VariantOf | null;
}
/**
 * Shapes, types or launch configuration of a variant.
 */
export interface VariantOf {
  /**
   * @minItems 3
   * @maxItems 3
   */
  block?: [number, number, number];
  bytes?: number;
  /**
   * @minItems 3
   * @maxItems 3
   */
  grid?: [number, number, number];
  shapes?: string;
  types?: string;
}
/**
 * Overview and tables of a rank, a step or the average step.
 */
export interface Selection {
  /**
   * The number of steps by which sums and counts are divided; only for the average step.
   */
  averaged_steps?: number;
  /**
   * Time before the first recorded activity, in which the device state is unknown.
   */
  before_first_activity_ns: number;
  /**
   * The mean time between averaged steps, not included in their length; 0 for one step.
   */
  between_steps_ns: number;
  communication?: CommunicationRow[];
  copies?: CopiesRow[];
  /**
   * Idle time in which launched work starts late, for an unknown reason or behind other work.
   */
  idle_start_late_ns: number;
  kernel_families?: KernelFamiliesRow[];
  kernels?: KernelsRow[];
  /**
   * Sums that the averages leave out.
   */
  left_out?: LeftOutReport[];
  operators?: OperatorsRow[];
  /**
   * `slices` if the trace has no operators and the table lists all host slices.
   */
  operators_are?: string;
  overlap: OverlapReport[];
  /**
   * The name of the step; only for one step.
   */
  step?: string;
  synchronizations?: SynchronizationsRow[];
  tiles: TileReport[];
  /**
   * Time in which device activity is not recorded.
   */
  uncovered_ns: number;
  unlinked: UnlinkedReport;
  /**
   * Time of the step's mark, or on average of the steps' marks, outside of the step: the profiler recorded nothing there.
   */
  unrecorded_ns: number;
}
/**
 * Launches, queues and idle time of a rank.
 */
export interface WhyIdle {
  idle: DeviceIdleReport[];
  launches: LaunchesReport;
  /**
   * The curves of the queues, in their order; only on the page.
   */
  queue_curves?: QueueCurvesReport[];
  queues?: QueuesRow[];
}
