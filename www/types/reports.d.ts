// Made from crate/export/schema/page.json by `cargo xtask types`: the analyzer tells the page so. Not to be edited.
/**
 * A member: its key, its value, and whether that is a text, which is given without quotes and escapes. What is none is
 * as it stands in the file, so that numbers keep all of their digits.
 *
 * @minItems 3
 * @maxItems 3
 */
export type EventMemberReport = [string, string, boolean];
/**
 * What traces say together, or why they do not.
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
  peers: EventPeersReport;
  plan: PlanReport;
  problem: ProblemReport;
  progress: ProgressReport;
  query_fault: QueryFaultReport;
  recorded: RecordedTableReport;
  recorded_rows: RecordedRowsReport;
  spread_fault: LayoutFault;
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
   * The part of the steps that is no role's; left out if there is none.
   */
  before_first_activity?: ChangeReport;
  /**
   * The causes of lost time by the step budgets, those that changed most first.
   */
  causes: CauseChangeReport[];
  contributions: ContributionReport[];
  operators: OperatorChangeReport[];
  /**
   * What became of the step where a large cause of the first side is gone.
   */
  outcome?: OutcomeReport;
  phases: PhaseChangeReport[];
  roles: RoleChangeReport[];
  schema: string;
  step: ChangeReport;
  /**
   * Items: The same of both sides.
   */
  steps: {
    a: ComparedStepReport | null;
    b: ComparedStepReport | null;
  }[];
}
/**
 * One of the traces.
 */
export interface ComparedSideReport {
  average: AverageReport;
  framework: string;
  framework_version: string;
  input: string;
  rank: number | null;
  step_source: string;
}
export interface AverageReport {
  /**
   * The mean time between these steps, which is no part of them.
   */
  between_steps_ns?: number;
  /**
   * How many steps roles, device times and waits are means of: those of which the timeline shows what ran.
   */
  covered_steps: number;
  data_wait_ns: number;
  device_time: DeviceTimeReport;
  /**
   * Without devices, the communication of the hosts during which none of them computes.
   */
  exposed_on_hosts_ns?: number;
  roles: RolesReport;
  /**
   * The part of the host's own roles while a device's state is unknown, at the start; left out if there is none.
   */
  roles_before_first_activity?: EarlyRoles;
  step_ns: number;
  steps: number;
}
export interface DeviceTimeReport {
  /**
   * Neither busy nor known to be idle.
   */
  before_first_activity_ns: number;
  busy_ns: number;
  communication_ns: number;
  compute_ns: number;
  /**
   * None in a mean of several devices.
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
   * In steps that the timeline does not cover: neither busy nor known to be idle.
   */
  uncovered_ns: number;
  window_ns: number;
}
export interface RolesReport {
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
 * The host's own roles while a device's state is unknown, and their sum.
 */
export interface EarlyRoles {
  cpu_ns: number;
  dataloader_ns: number;
  other_ns: number;
  runtime_ns: number;
  total_ns: number;
}
/**
 * A time per step on both sides, and how much more it is in the second.
 */
export interface ChangeReport {
  a_ns: number;
  b_ns: number;
  change_ns: number;
}
/**
 * A cause's time per window of the budget on both sides.
 */
export interface CauseChangeReport {
  cause: string;
  time: ChangeReport;
  /**
   * The last part of its messages' keys.
   */
  wording: string;
}
export interface ContributionReport {
  /**
   * In the steps that count, as the totals.
   */
  calls: {
    a: number;
    b: number;
  };
  /**
   * The same of both sides.
   */
  mean_ns: {
    a: number | null;
    b: number | null;
  };
  name: string;
  /**
   * The same of both sides.
   */
  own_total_ns: {
    a: number;
    b: number;
  };
  role: string;
  shapes?: string;
  time: ChangeReport;
  /**
   * The same of both sides.
   */
  total_ns: {
    a: number;
    b: number;
  };
}
export interface OperatorChangeReport {
  /**
   * The same of both sides.
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
export interface OutcomeReport {
  /**
   * How much shorter it became; less than zero if it became longer.
   */
  achieved_ns: number;
  cause: CauseChangeReport;
  /**
   * The cause that grew most, where one did by enough to matter.
   */
  grown?: CauseChangeReport;
  predicted_high_ns: number;
  /**
   * Between what removing as much of the cause as is gone was predicted to save.
   */
  predicted_low_ns: number;
  /**
   * All that in words, in English.
   */
  sentences: string[];
  /**
   * `as_predicted`, `less`, `more` or `not_shorter`.
   */
  verdict: string;
  /**
   * What times are per: a step, or the time from step to step.
   */
  windows: string;
}
export interface PhaseChangeReport {
  device: ChangeReport;
  host: ChangeReport;
  phase: string;
}
export interface RoleChangeReport {
  role: string;
  time: ChangeReport;
}
export interface ComparedStepReport {
  length_ns: number;
  name: string;
}
/**
 * Where a slice's event stands, for whoever has the files.
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
 * An event as it stands in its file.
 */
export interface EventTextReport {
  /**
   * None: there is no object there.
   */
  object: EventObjectReport | null;
}
/**
 * The object of an event.
 */
export interface EventObjectReport {
  /**
   * Those of the object's `args`.
   */
  args: EventMemberReport[];
  is_repaired: boolean;
  members: EventMemberReport[];
  text: string;
}
/**
 * A slice or else an instant event that was found.
 */
export interface FindHitReport {
  /**
   * The slice.
   */
  event: number | null;
  /**
   * Else the instant event.
   */
  instant: FoundInstantReport | null;
  /**
   * Which it is of all, by time.
   */
  number: number;
}
/**
 * An instant event.
 */
export interface FoundInstantReport {
  /**
   * In the rank's time.
   */
  at_ns: number;
  index: number;
  name: string;
}
/**
 * What ranks say together, as a summary has it.
 */
export interface JobTables {
  collectives: JobCollectiveReport[];
  job: JobReport;
  stragglers: StragglerReport[];
}
/**
 * Collectives of an operation, of all groups together (no group) or of one. `total_ns` is `transfer_ns` and `wait_ns`; none of
 * these is known of what nothing is matched of.
 */
export interface JobCollectiveReport {
  algorithm_bytes_per_second: number | null;
  bus_bytes_per_second: number | null;
  bytes: number | null;
  count: number;
  group: string | null;
  group_ranks: number[] | null;
  group_size: number;
  incomplete: number;
  matched: number;
  max_skew_ns: number | null;
  mean_skew_ns: number | null;
  operation: string;
  parts: number;
  total_ns: number | null;
  transfer_ns: number | null;
  wait_ns: number | null;
}
/**
 * The `job` of a summary: everything but the collectives and stragglers, which have keys of their own.
 */
export interface JobReport {
  coverage: JobCoverageReport;
  gain_ns_per_step: number | null;
  groups: JobGroupReport[];
  implausible_clock: boolean;
  links: JobLinkReport[];
  parallel: JobParallelReport[];
  /**
   * What the traces tell of that, if a person gives it.
   */
  parallel_told?: JobParallelReport[];
  ranks: JobRankReport[];
  /**
   * Ranks that need longer by themselves, and hold nobody up.
   */
  slow_alone?: SlowAloneReport[];
  stages: JobStageReport[];
  strategy?: StrategyReport;
  unmatched_parts: number;
  /**
   * Whether stragglers can be told: `found`, `none`, `only_tables`, `no_collectives`, `nothing_matched`.
   */
  verdict: string;
  walk: DrillDownStepReport[];
  warnings: JobWarningReport[];
  world_size: number;
}
/**
 * Of how much of the job the verdict is.
 */
export interface JobCoverageReport {
  collectives: number;
  collectives_matched: number;
  ranks_compared: number;
}
export interface JobGroupReport {
  description: string;
  name: string;
  parallel: string | null;
  parallel_source: string | null;
  ranks: number[];
  ranks_told: boolean;
  size: number;
}
export interface JobLinkReport {
  across_hosts: boolean | null;
  bytes: number | null;
  bytes_per_second: number | null;
  count: number;
  from: number;
  to: number;
  transfer_ns: number;
  wait_ns: number;
}
export interface JobParallelReport {
  kind: string;
  size: number;
  source: string;
}
/**
 * A rank's row. Times are means over the steps that count.
 */
export interface JobRankReport {
  /**
   * Why it is no rank of the job, if it is none.
   */
  apart?: string;
  between_steps_idle_ns?: number;
  /**
   * From the end of a step to the start of the next one, if that is no less than a hundredth of the step; and how long the
   * devices do nothing meanwhile.
   */
  between_steps_ns?: number;
  clock: RankClockReport;
  communication_ns: number | null;
  compute_ns: number | null;
  /**
   * Each with its number, and its model where that is told.
   */
  devices?: string[];
  exposed_communication_ns: number | null;
  exposed_memcpy_ns: number | null;
  flops: number | null;
  /**
   * For which share of the time of the kernels that compute such both are known; none where they were recorded.
   */
  flops_coverage: number | null;
  /**
   * Whether that is enough to stand for the whole.
   */
  flops_known: boolean;
  flops_per_second: number | null;
  flops_per_second_coverage: number | null;
  forward_and_backward_ns: number | null;
  host?: string;
  idle_ns: number | null;
  input: string;
  iteration_interval_ns: number | null;
  marks: JobMarkReport[];
  memory_peak_bytes: number | null;
  /**
   * Whether the job's averages are without it: its times are from elsewhere than the other ranks'.
   */
  not_averaged?: boolean;
  own_ns: number | null;
  /**
   * Of each step, without the time to the next one; none of a step that is not in the mean.
   */
  own_of_steps_ns?: (number | null)[];
  rank: number;
  receive_alone_ns: number | null;
  repeated?: boolean;
  /**
   * What its times are from, if not its events: `tables` that its profiler wrote, or `steps` alone.
   */
  source?: string;
  stage: number | null;
  stage_ns: number | null;
  step_ns: number;
  steps_counted: number;
  tail_ns: number | null;
  voted: number;
  votes: number;
}
export interface RankClockReport {
  collectives: number;
  drift_ns: number;
  offset_ns: number;
  residual_ns: number | null;
  source: string;
}
export interface JobMarkReport {
  by: number;
  column: string;
  rule: string;
}
/**
 * A rank that needs longer by itself, and is no straggler.
 */
export interface SlowAloneReport {
  longer_share: number;
  rank: number;
  straggler_above: number;
  /**
   * The part of the waiting that it causes, and the part above which it is a straggler.
   */
  waiting_share: number;
}
export interface JobStageReport {
  above_mean: number;
  collective_alone_ns: number;
  compute_ns: number;
  ranks: number[];
  receive_alone_ns: number;
  stage: number;
  stage_ns: number;
}
/**
 * What a `parallel_strategy` file says.
 */
export interface StrategyReport {
  cuts: StrategyCutReport[];
  mode: string;
  /**
   * The ranks of each stage.
   */
  stages: number[][];
}
/**
 * Into how many parts operators cut each dimension of each input.
 */
export interface StrategyCutReport {
  operators: number;
  parts: string;
}
/**
 * A step of the walk; it belongs to the last one before it whose `depth` is less.
 */
export interface DrillDownStepReport {
  depth: number;
  group?: string;
  /**
   * The table with more of it: `ranks`, `stages`, `collectives`, `links`, `stragglers` of the job; `kernels`, `pipeline`,
   * `idle` of the rank.
   */
  look: string;
  /**
   * The kind of parallelism, the metric, the kind of place, the cause.
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
   * `entry`, `parallel`, `metric`, `place` or `cause`.
   */
  step: string;
}
/**
 * A number with its unit: `ns` per step, `bytes_per_second`, `share`, `count`.
 */
export interface DrillDownNumberReport {
  unit: string;
  value: number;
}
export interface JobWarningReport {
  code: string;
  count: number;
  ranks?: number[];
  steps?: RankStepReport[];
}
/**
 * A step of a rank.
 */
export interface RankStepReport {
  rank: number;
  step: string;
}
/**
 * What holds the others up: a rank, a link, a group's links or a stage, and why.
 */
export interface StragglerReport {
  cause: string;
  excess?: StragglerExcessReport;
  gain_ns_per_step: number | null;
  group?: string;
  /**
   * `rank`, `link`, `group` or `stage`.
   */
  place: string;
  /**
   * The ranks that it is about.
   */
  ranks: number[];
  rule: string;
  stage?: number;
  usual: number;
  /**
   * Of ranks and stages in ns per step, of links in bytes per second.
   */
  value: number;
  voted?: number;
  votes?: number;
}
export interface StragglerExcessReport {
  compute_ns: number;
  data_ns: number;
  host_ns: number;
}
/**
 * Why traces are no ranks of one job.
 */
export interface NotAJobReport {
  /**
   * How many recordings these are: a copy is none of its own.
   */
  recordings: number;
  /**
   * Those that do not belong to the first.
   */
  traces: ApartReport[];
}
/**
 * A trace that does not belong to another one.
 */
export interface ApartReport {
  input: string;
  /**
   * The trace that it does not belong to.
   */
  other?: string;
  /**
   * Stable names: `same_recording`, `same_rank`, `other_world`, `other_framework`, `other_time`, `other_run`, `same_device`, `no_rank`.
   */
  reason: string;
}
/**
 * A collective on all ranks that have a share in it.
 */
export interface EventPeersReport {
  /**
   * `sequence`, `order` or `moment`; nothing if no other rank's part belongs to it.
   */
  matched_by: string | null;
  peers: EventPeerReport[];
}
export interface EventPeerReport {
  /**
   * The rank by its place among those that are open.
   */
  index: number;
  input: string;
  length_ns: number | null;
  /**
   * How much later it starts than the one that was asked for, on the clock of all ranks.
   */
  offset_ns: number | null;
  /**
   * Its number, where it has one.
   */
  rank: number | null;
  /**
   * None: the rank has no part in it, though it belongs to the group.
   */
  slice: number | null;
  start_ns: number | null;
  /**
   * What it takes longer than the shortest part.
   */
  wait_ns: number | null;
}
/**
 * The sources of a drop and the ranks that they make.
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
   * Sources by their places.
   */
  sources: number[];
}
/**
 * A file, or what an archive holds.
 */
export interface SourceReport {
  /**
   * Whether pieces of it can be read apart from each other.
   */
  apart: boolean;
  bytes: number;
  /**
   * Which of the files that were added it lies in.
   */
  file: number;
  /**
   * How it is packed; empty for bytes as they are.
   */
  layers: string;
  len: number;
  path: string;
  /**
   * Why it is part of no rank.
   */
  problem: ProblemReport | null;
  /**
   * Whether it is read here and there, which blocks the worker.
   */
  random: boolean;
  /**
   * Where it begins there.
   */
  start: number;
  /**
   * The title of its format; nothing if no reader knows it.
   */
  title: string | null;
}
/**
 * What the page needs to tell of an error in the person's language.
 */
export interface ProblemReport {
  /**
   * A stable name.
   */
  code: string;
  expected: string;
  file: string;
  /**
   * In English.
   */
  message: string;
  /**
   * The file that is read instead.
   */
  other?: string;
  /**
   * A byte of the uncompressed file.
   */
  position: number | null;
  /**
   * Formats, and the code of why each does not fit.
   */
  tried: [string, string][];
  /**
   * The code of why a known file is not read.
   */
  why?: string;
}
/**
 * How far the reading of a rank is.
 */
export interface ProgressReport {
  activities: number;
  bytes: number;
  events: number;
  slices: number;
}
/**
 * What is wrong with a query: a part of it, in UTF-16 units.
 */
export interface QueryFaultReport {
  fault: string;
  from: number;
  /**
   * In English.
   */
  message: string;
  to: number;
}
/**
 * A recorded table.
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
 * The rows of a recorded table: as they are shown, and as they are sorted and saved.
 */
export interface RecordedRowsReport {
  texts: string[][];
  values: (string | number | null)[][];
}
/**
 * Why a text does not say how a model is spread over these ranks.
 */
export interface LayoutFault {
  /**
   * The name of a [`GridFault`], or `other_ranks`: it tells of more or fewer ranks than there are.
   */
  code: string;
  /**
   * The part of the text that it is about.
   */
  part: string;
  /**
   * How many the job has.
   */
  ranks?: number;
  /**
   * How many ranks it tells of.
   */
  told?: number;
}
/**
 * The whole summary.
 */
export interface Summary {
  advice?: AdviceRuleReport[];
  /**
   * What that comes to.
   */
  advice_conclusion?: AdviceConclusionReport;
  cluster?: ClusterReport;
  collectives?: JobCollectiveReport[];
  inputs: Input[];
  /**
   * What several ranks say together; this and the next two are there if there are several.
   */
  job?: JobReport;
  /**
   * Why several traces are no ranks of one job; then the next three are not there.
   */
  not_a_job?: NotAJobReport;
  ranks: RankReport[];
  schema: string;
  stragglers?: StragglerReport[];
}
/**
 * What a rule says.
 */
export interface AdviceRuleReport {
  /**
   * What the step budget says of the cause that the rule is about, where it names that: this is what doing it saves.
   */
  cause?: CauseCostReport;
  condition: string;
  /**
   * The rule that says more of the same time, where that is why.
   */
  covered_by?: string;
  evidence?: AdviceEvidenceReport[];
  /**
   * Why it passed though the value is reached.
   */
  excuse?: AdviceReasonReport;
  gain_ns_per_step: number | null;
  /**
   * What that is a share of, if it is not the mean step.
   */
  gain_share_of_ns?: number;
  gain_share_of_step: number | null;
  input?: string;
  /**
   * Of several ranks what the middle one of `ranks` could save; the first one could save the most.
   */
  median_gain_ns_per_step?: number;
  /**
   * Why the job's averages do not include its ranks: `tables`, `steps`, `repeated` or `apart`.
   */
  outside?: string;
  rank?: number;
  /**
   * The ranks of which it says that, where several are open, those with the most to gain first.
   */
  ranks?: RankRuleReport[];
  reason?: AdviceReasonReport;
  rule: string;
  /**
   * What doing it saves, in English.
   */
  saves?: string;
  text: string;
  threshold: number;
  /**
   * What can be adjusted, where all rules are told.
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
   * The id of these texts, where it is not the rule's.
   */
  wording?: string;
}
/**
 * What a cause of the step budget costs per window, and what removing it saves.
 */
export interface CauseCostReport {
  name: string;
  saving_high_ns?: number;
  saving_high_share?: number;
  /**
   * Between what removing it saves, where these are far apart.
   */
  saving_low_ns?: number;
  saving_low_share?: number;
  score_ns: number;
  /**
   * That as a share of the windows.
   */
  share: number;
}
/**
 * Something to look at: a slice, or something of a recorded table.
 */
export interface AdviceEvidenceReport {
  /**
   * What most of it is spent on.
   */
  cause?: string | null;
  class?: string;
  duration_ns?: number;
  gap_of_device?: number;
  /**
   * The name of what shows best what the host did meanwhile, where it is the cause.
   */
  host?: string | null;
  name: string;
  search?: string;
  slice?: number;
  start_ns?: number;
  /**
   * The table that has its name, and the name to search there.
   */
  table?: string;
  /**
   * Of the value.
   */
  unit?: string;
  value?: number;
}
export interface AdviceReasonReport {
  code: string;
  text: string;
}
/**
 * What a rule says of one of several ranks.
 */
export interface RankRuleReport {
  cause?: CauseCostReport;
  evidence?: AdviceEvidenceReport[];
  gain_ns_per_step: number | null;
  gain_share_of_step: number | null;
  /**
   * Its file, where the traces are no ranks of one job.
   */
  input?: string;
  /**
   * Its place among the ranks that are open.
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
 * What advice comes to.
 */
export interface AdviceConclusionReport {
  /**
   * Where no rule holds, the largest cause of the step budget, if it is large.
   */
  cause?: LargestCauseReport;
  /**
   * What the traces lack for a verdict that nothing is to be done.
   */
  missing: AdviceReasonReport[];
  /**
   * `advice`, `cause`, `nothing` or `incomplete`.
   */
  verdict: string;
}
/**
 * A cause of the step budget that no rule names.
 */
export interface LargestCauseReport {
  cause: string;
  /**
   * The file of the rank that it is of, where there are several.
   */
  input?: string;
  /**
   * What it costs per window, and as a share of the windows.
   */
  score_ns: number;
  share: number;
  /**
   * What to do.
   */
  text: string;
  title: string;
  /**
   * What the share is of: `steps`, `periods` from step to step, or all of the `trace`.
   */
  windows: string;
  /**
   * The last part of its messages' keys.
   */
  wording: string;
}
/**
 * The ranks of a job beside each other.
 */
export interface ClusterReport {
  between_stages_rate: number | null;
  communication_rate: number | null;
  flops: ClusterFlopsReport[];
  links: ClusterLinkReport[];
  mode: string | null;
  outliers: ClusterOutlierReport[];
  rows: ClusterRankReport[];
  stages: number;
  strategy?: StrategyReport;
  within_stages: ClusterStageReport[];
  world_size: number;
}
export interface ClusterFlopsReport {
  gflops_per_second: number;
  mflops: number;
  rank: number;
}
export interface ClusterLinkReport {
  bytes: number;
  bytes_per_second: number;
  link: string;
  rank: number;
  time_ns: number;
  type: string;
}
export interface ClusterOutlierReport {
  link?: string;
  rank?: number;
  stage?: number;
  value: number;
  what: string;
  worse_by: number;
}
export interface ClusterRankReport {
  collective_alone_ns: number | null;
  communication_alone_ns: number;
  computation_ns: number;
  iteration_interval_ns: number;
  rank: number;
  receive_alone_ns: number | null;
  stage_ns: number | null;
}
export interface ClusterStageReport {
  rate: number;
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
 * One of several files of a rank.
 */
export interface FileReport {
  events: number;
  format: string;
  name: string;
  text_bytes: number;
}
export interface WarningReport {
  code: string;
  count: number;
  example: string;
  file?: string;
  position: number | null;
  severity: string;
}
/**
 * What one rank's trace says.
 */
export interface RankReport {
  average: AverageReport;
  /**
   * They are of the average step: sums and counts are divided by so many steps.
   */
  averaged_steps?: number;
  benchmark?: BenchmarkReport;
  budget?: BudgetMeanReport;
  causes?: BudgetCauseReport[];
  copies?: {
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
  }[];
  critical_path?: CriticalPathsReport;
  data_loading?: LoadingReport;
  definition: string;
  definition_values?: DefinitionReport;
  /**
   * How long any device is busy outside of marked steps, where that is more than a hundredth of its time.
   */
  device_busy_outside_steps_ns?: number;
  device_time: DeviceTimeReport[];
  devices: DeviceInfo[];
  /**
   * The peaks that the person gave, in TFLOP/s and GB/s, by name.
   */
  given_peaks?: {
    [k: string]: number;
  };
  idle?: DeviceIdleReport[];
  input: string;
  kernel_families?: {
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
  }[];
  kernel_use?: KernelUseReport;
  kernels?: {
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
    /**
     * tensor_cores
     */
    tensor_cores: boolean | null;
    /**
     * Total: Sum of the durations
     */
    total_ns: number | null;
    /**
     * Variation: Standard deviation ÷ mean: how much the calls differ; unknown for a single call
     */
    variation: number | null;
  }[];
  launches?: LaunchesReport;
  /**
   * What these averages leave out, with its sums.
   */
  left_out?: LeftOutReport[];
  memory?: MemoryReport;
  mindspore?: MindSporeReport;
  only_tables?: boolean;
  operators?: {
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
     * Host mean: Mean duration of a call on the host, nested calls included
     */
    host_mean_ns: number | null;
    /**
     * Host min: The shortest call on the host
     */
    host_min_ns: number | null;
    /**
     * Host self: The same without operators, ranges and runtime calls inside
     */
    host_self_ns: number | null;
    /**
     * Host total: Time in the calls on the host. A call inside another call of the same row, on the same thread, counts once
     */
    host_total_ns: number | null;
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
  }[];
  /**
   * `slices`, where the trace has no operators and the table holds all slices of the host.
   */
  operators_are?: string;
  origin_unix_ns: string | null;
  phase_sources: {
    [k: string]: string;
  };
  pipeline?: PipelineReport;
  queues?: QueueReport[];
  rank: number | null;
  recorded?: RecordedTableReport[];
  resources?: ResourceReport[];
  /**
   * The step that they are of, by its name.
   */
  step?: string;
  step_source: string;
  step_trace?: StepTraceReport;
  steps: StepReport[];
  /**
   * What can be asked for; empty where all of it is here.
   */
  topics?: string[];
  unlinked?: UnlinkedReport;
  /**
   * Who makes the devices, which decides what their units are called: `nvidia`, `amd`, `ascend` or `unknown`.
   */
  vendor: string;
  what_if?: ReplayReport[];
  /**
   * What the only step spans, where the trace marks none.
   */
  whole_step?: WholeStepReport;
  world_size: number | null;
}
/**
 * Throughput; times in seconds, as the table has them.
 */
export interface BenchmarkReport {
  batch_cost: ExtremesReport;
  ips: ExtremesReport;
  reader_cost?: ExtremesReport;
  reader_ratio?: number;
  samples?: number;
  steps: number;
}
export interface ExtremesReport {
  avg: number;
  max: number;
  min: number;
}
/**
 * The mean window; all windows of all devices, too, where they are wanted.
 */
export interface BudgetMeanReport {
  /**
   * The mean time between the windows, which is no part of them.
   */
  between_ns?: number;
  branches: BudgetBranchReport[];
  /**
   * How many windows the means are of: without warm-up and partial steps.
   */
  counted: number;
  /**
   * How many devices they are of.
   */
  device_count: number;
  devices?: BudgetDeviceReport[];
  /**
   * What is said first, by name.
   */
  first_line: string;
  /**
   * What the branches add up to: the mean length of a window, with the time between windows where that is one of them.
   */
  length_ns: number;
  /**
   * That in words, with what to do.
   */
  sentences: string[];
  /**
   * What shares of causes are of, where the windows are not all of it: `periods` from step to step.
   */
  shares_of?: string;
  /**
   * What the windows are: `steps`, or all of the `trace`.
   */
  windows: string;
}
/**
 * A branch of the tree; what its leaves are is known of those that have several.
 */
export interface BudgetBranchReport {
  branch: string;
  /**
   * The class whose colour it has.
   */
  class: string;
  leaves?: BudgetLeafReport[];
  mean_ns: number;
  share: number;
}
export interface BudgetLeafReport {
  leaf: string;
  longest?: LongestSpanReport;
  mean_ns: number;
  share: number;
}
export interface LongestSpanReport {
  /**
   * The activity that runs, or that the device waits for.
   */
  event: number | null;
  /**
   * What shows best what the host did.
   */
  host: string | null;
  leaf: string;
  length_ns: number;
  name: string | null;
  start_ns: number;
}
export interface BudgetDeviceReport {
  device: number;
  steps: BudgetStepReport[];
  trace: BudgetTimesReport;
}
/**
 * A window, and its leaves: their times are the window's length.
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
 * A window, and its leaves: their times are the window's length.
 */
export interface BudgetTimesReport {
  leaves: {
    [k: string]: number;
  };
  length_ns: number;
}
export interface BudgetCauseReport {
  cause: string;
  leaves: {
    [k: string]: number;
  };
  longest: LongestSpanReport[];
  /**
   * The leaves' time per window, the mean over windows and devices.
   */
  mean_ns: number;
  /**
   * That in words, where these are far apart.
   */
  saves?: string;
  saving_high_ns?: number;
  /**
   * Between what removing it saves per window, where the trace was replayed without it.
   */
  saving_low_ns?: number;
  /**
   * What removing the cause saves at the most, likewise.
   */
  score_ns: number;
  /**
   * That as a share of the windows.
   */
  share: number;
  /**
   * The last part of its messages' keys.
   */
  wording: string;
}
export interface CriticalPathsReport {
  classes: {
    [k: string]: number;
  };
  path?: CriticalPathReport;
  rows: PathRowReport[];
  step_ns: number;
  steps: StepPathReport[];
  steps_counted: number;
}
/**
 * A path for a lane: its pieces one behind the other.
 */
export interface CriticalPathReport {
  classes: string[];
  end_ns: number;
  /**
   * The names of the pieces' slices, each once.
   */
  names: string[];
  /**
   * Of each piece its name's place in the list.
   */
  piece_names: (number | null)[];
  /**
   * Slice, start, end, and the class's place in the list.
   */
  pieces: [number | null, number, number, number][];
  start_ns: number;
  step: number;
}
export interface PathRowReport {
  class: string;
  longest_end_ns: number;
  /**
   * The longest of the pieces: its slice, if anything is recorded, and its span.
   */
  longest_slice: number | null;
  longest_start_ns: number;
  name: string | null;
  pieces: number;
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
 * How the host waits for a data loader.
 */
export interface LoadingReport {
  average: WaitsReport;
  histogram: HistogramBarReport[];
  kind: string;
  longest: WaitReport[];
  max_ns: number;
  mean_ns: number;
  median_ns: number;
  min_ns: number;
  steps: WaitsReport[];
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
 * The lengths from one to before the other, and how many there are. Bars without any are left out.
 */
export interface HistogramBarReport {
  count: number;
  from_ns: number;
  to_ns: number;
}
export interface WaitReport {
  length_ns: number;
  name: string;
  slice: number;
  start_ns: number;
}
export interface DefinitionReport {
  /**
   * The time of the devices as the definition splits it.
   */
  bar?: DefinitionBarReport;
  kernel_types?: KernelTypeReport[];
  kernels?: DefinitionKernelReport[];
  steps?: DefinitionStep[];
  /**
   * The overview's numbers as the definition has them.
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
export interface TileReport {
  name: string;
  share: number | null;
  time_ns: number;
}
export interface DeviceInfo {
  capability: string | null;
  id: number;
  memory_bytes: number | null;
  multiprocessors: number | null;
  name: string;
}
export interface DeviceIdleReport {
  /**
   * Outside of the window, and not known to be idle.
   */
  before_first_activity_ns: number;
  busy_ns: number;
  device: number;
  /**
   * The long ones of these, as gaps with but one end.
   */
  edges: GapReport[];
  gaps: GapCounts;
  /**
   * The part of these that is of the thread which launched before the one that launched late.
   */
  handed_over_ns: number;
  /**
   * What the launching threads did during the host wait.
   */
  host_wait_by_activity: HostTimesReport;
  host_wait_ns: number;
  idle_ns: number;
  /**
   * In the chosen step or per step that counts; left out where the report is of the whole trace.
   */
  in_steps?: InStepsReport;
  kernel_wait_ns: number;
  kernel_wait_threshold_ns: number;
  lead_in_ns: number;
  lead_out_ns: number;
  /**
   * The idle time by what it is spent on: these add up to it.
   */
  leaves_ns: {
    [k: string]: number;
  };
  long_gaps: LongGapsReport;
  other_ns: number;
  /**
   * Of each step by number.
   */
  step_leaves_ns: {
    [k: string]: number;
  }[];
  streams: StreamIdleReport[];
  /**
   * In steps that the timeline does not cover: no part of the idle time.
   */
  uncovered_ns: number;
  unknown_ns: number;
  window_ns: number;
}
export interface GapReport {
  after: SliceReport | null;
  before: SliceReport | null;
  call: SliceReport | null;
  /**
   * The leaf that takes most of it, if it is known.
   */
  cause: string | null;
  class: string;
  host: HostInGapReport | null;
  length_ns: number;
  start_ns: number;
}
/**
 * A slice to jump to.
 */
export interface SliceReport {
  name: string;
  slice: number;
}
export interface HostInGapReport {
  activity: string;
  allocation_ns: number;
  data_loading_ns: number;
  launching_ns: number;
  operator_ns: number;
  python_ns: number;
  /**
   * Left out where there is none.
   */
  range_ns?: number;
  shown_by: SliceReport | null;
  /**
   * Launched, and late to start: the host is not the cause. Left out where there is none.
   */
  start_late_unexplained_ns?: number;
  synchronization_ns: number;
  unrecorded_ns: number;
}
export interface GapCounts {
  host_wait: number;
  kernel_wait: number;
  other: number;
  unknown: number;
}
export interface HostTimesReport {
  allocation_ns: number;
  data_loading_ns: number;
  launching_ns: number;
  operator_ns: number;
  python_ns: number;
  /**
   * Left out where there is none.
   */
  range_ns?: number;
  /**
   * Launched, and late to start: the host is not the cause. Left out where there is none.
   */
  start_late_unexplained_ns?: number;
  synchronization_ns: number;
  unrecorded_ns: number;
}
/**
 * Where a device's time goes in chosen steps: the window is the steps' length.
 */
export interface InStepsReport {
  /**
   * How many steps the times are means of; none of one step.
   */
  averaged_steps: number | null;
  before_first_activity_ns: number;
  busy_ns: number;
  host_wait_by_activity: HostTimesReport;
  host_wait_ns: number;
  idle_ns: number;
  kernel_wait_ns: number;
  lead_in_ns: number;
  lead_out_ns: number;
  leaves_ns: {
    [k: string]: number;
  };
  other_ns: number;
  uncovered_ns: number;
  unknown_ns: number;
  window_ns: number;
}
export interface LongGapsReport {
  count: number;
  longest: GapReport[];
  threshold_ns: number;
  total_ns: number;
}
export interface StreamIdleReport {
  busy_ns: number;
  gaps: GapCounts;
  /**
   * The part of these that is of the thread which launched before the one that launched late.
   */
  handed_over_ns: number;
  /**
   * What the launching threads did during the host wait.
   */
  host_wait_by_activity: HostTimesReport;
  host_wait_ns: number;
  idle_ns: number;
  kernel_wait_ns: number;
  /**
   * The idle time by what it is spent on: these add up to it.
   */
  leaves_ns: {
    [k: string]: number;
  };
  other_ns: number;
  stream: number;
  /**
   * In steps that the timeline does not cover: no part of the idle time.
   */
  uncovered_ns: number;
  unknown_ns: number;
  window_ns: number;
}
/**
 * Kernels with occupancy, limiter, waves and FLOP/s, and what is made of each device. METRICS section 4.
 */
export interface KernelUseReport {
  devices: DeviceUseReport[];
  kernels?: {
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
     * FLOP/s: FLOPs of the calls that launched the kernel, computed from their inputs' shapes ÷ time of all kernels of these calls
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
       * Block: Threads of a block, in each direction
       *
       * @minItems 3
       * @maxItems 3
       */
      block: [number, number, number] | null;
      /**
       * Calls: How many there are
       */
      calls: number | null;
      /**
       * device
       */
      device: number | null;
      /**
       * Grid: Blocks of the grid, in each direction
       *
       * @minItems 3
       * @maxItems 3
       */
      grid: [number, number, number] | null;
      occupancy?: {
        /**
         * blocks
         */
        blocks: number | null;
        fitting?: {
          /**
           * blocks
           */
          blocks: number | null;
          /**
           * Registers: Registers of a thread, for the launch that takes the longest
           */
          registers: number | null;
          /**
           * Shared memory: Shared memory of a block, for the launch that takes the longest
           */
          shared_memory: number | null;
          /**
           * warps
           */
          warps: number | null;
        };
        /**
         * Limited by: The limit that allows the fewest blocks on one {unit}: {warps}, blocks, registers or shared memory; for the launch that takes the longest
         */
        limiter: string | null;
        /**
         * registers_per_block
         */
        registers_per_block: number | null;
        /**
         * share
         */
        share: number | null;
        /**
         * shared_memory_per_block
         */
        shared_memory_per_block: number | null;
        /**
         * warps
         */
        warps: number | null;
        /**
         * warps_per_block
         */
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
      /**
       * Total: Sum of the durations
       */
      total_ns: number | null;
      waves?: {
        /**
         * at_once
         */
        at_once: number | null;
        /**
         * blocks
         */
        blocks: number | null;
        /**
         * last
         */
        last: number | null;
        /**
         * Tail: Tail effect: the empty part of all waves, since the last wave is not full: 1 − waves ÷ waves rounded up; the mean weighted by duration
         */
        tail: number | null;
        /**
         * Waves: Blocks ÷ ({units} × blocks that run on one at once), for the launch that takes the longest
         */
        waves: number | null;
      };
    };
    /**
     * launches
     */
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
    /**
     * tensor_cores
     */
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
  }[];
  operators?: OperatorFlopsReport[];
}
/**
 * FLOPs that are computed from the shapes of operators' inputs.
 */
export interface DeviceUseReport {
  achieved_occupancy: number | null;
  achieved_occupancy_coverage: number | null;
  computed_flops: number | null;
  device: number;
  flops_per_second: number | null;
  /**
   * The share of the time of kernels that may compute such for which FLOPs are known.
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
   * `nvidia`, `amd`, `ascend` or `unknown`: what units are called.
   */
  vendor: string;
}
/**
 * From the device's data sheet, or as the person gave them; nothing where there is no such unit, or nobody tells.
 */
export interface DevicePeaksReport {
  /**
   * The names of those that the person gave.
   */
  given?: string[];
  link_gigabytes_per_second: number | null;
  memory_gigabytes_per_second: number | null;
  /**
   * Where the table's stand; empty where all are given.
   */
  source: string;
  teraflops_per_second: {
    [k: string]: number | null;
  };
}
/**
 * What an operator's calls compute, from their inputs' shapes, over the device time of all its calls.
 */
export interface OperatorFlopsReport {
  calls: number;
  computed_flops: number;
  device_total_ns: number;
  flops_per_second: number | null;
  name: string;
}
export interface LaunchesReport {
  activities: number;
  before_first_activity: number;
  /**
   * Calls that a full queue blocked; neither short nor slow.
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
   * Calls whose first activity started long after the call: these are queued, waited for work from before the trace, or
   * are late.
   */
  delayed: number;
  gpu: DistributionReport;
  gpu_ns: number;
  late: number;
  late_threshold_ns: number;
  latest: LaunchReport[];
  names: LaunchNameReport[];
  queued: number;
  short: number;
  slow: number;
  slow_threshold_ns: number;
  slowest: LaunchReport[];
  unlinked_activities: number;
}
export interface DistributionReport {
  histogram: HistogramBarReport[];
  max_ns: number;
  mean_ns: number;
  median_ns: number;
  min_ns: number;
  std_ns: number;
}
/**
 * A slice to jump to.
 */
export interface LaunchReport {
  activities: number;
  cpu_ns: number;
  delay_ns: number;
  gpu_ns: number;
  /**
   * The end of the delay, in which the device idled.
   */
  late_by_ns: number;
  name: string;
  slice: number;
  start_ns: number;
}
export interface LaunchNameReport {
  activities: number;
  before_first_activity: number;
  /**
   * Calls that a full queue blocked; neither short nor slow.
   */
  blocked: number;
  calls: number;
  cpu_max_ns: number;
  cpu_ns: number;
  delay_max_ns: number;
  delay_mean_ns: number;
  delay_ns: number;
  /**
   * Calls whose first activity started long after the call: these are queued, waited for work from before the trace, or
   * are late.
   */
  delayed: number;
  gpu_ns: number;
  late: number;
  name: string;
  queued: number;
  short: number;
  slow: number;
}
/**
 * Sums of what averages over steps leave out.
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
   * How many steps it is; zero for what lies in no step.
   */
  steps: number;
}
/**
 * All about a rank's memory.
 */
export interface MemoryReport {
  places: PlaceMemoryReport[];
  planned?: PlannedMemoryReport[];
  processes?: ProcessMemoryReport[];
  recorded?: RecordedMemoryReport[];
  recorded_blocks?: RecordedBlockReport[];
  recorded_operators?: RecordedOperatorReport[];
}
/**
 * A device's memory; of no device, the host's.
 */
export interface PlaceMemoryReport {
  allocated: MemoryLevelReport;
  blocks: MemoryBlocksReport;
  curve: MemoryCurveReport;
  device: number | null;
  events: number;
  fragmentation: FragmentationReport | null;
  live_at_peak: LiveMemoryReport;
  operators: OperatorMemoryReport[];
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
  largest: MemoryBlockReport[];
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
export interface MemoryBlockReport {
  /**
   * As programs write addresses: JSON's numbers do not hold all of them.
   */
  address: string;
  allocated_by: SliceReport | null;
  allocated_ns: number | null;
  bytes: number;
  lifetime_ns: number | null;
  released_by: SliceReport | null;
  released_ns: number | null;
}
/**
 * Points as columns: each value holds from its time on.
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
  operators: LiveOperatorReport[];
  unexplained_bytes: number;
}
export interface LiveOperatorReport {
  blocks: number;
  bytes: number;
  name: string | null;
}
export interface OperatorMemoryReport {
  allocated_bytes: number;
  allocations: number;
  name: string | null;
  net_bytes: number;
  released_bytes: number;
  releases: number;
  total_allocated_bytes: number;
  total_allocations: number;
  total_net_bytes: number;
  total_released_bytes: number;
  total_releases: number;
}
/**
 * What a graph plans to use, over its order of execution.
 */
export interface PlannedMemoryReport {
  backward_end_index: number | null;
  forward_start_index: number | null;
  graph: string;
  operator_bytes: (number | null)[];
  operators: string[];
  peak_bytes: number;
  peak_index: number;
  peak_operator: string;
  static_bytes: number | null;
  tensors: PlannedTensorReport[];
  total_bytes: number[];
}
export interface PlannedTensorReport {
  at_peak: boolean;
  bytes: number;
  data_type: string;
  first_index: number | null;
  format: string;
  last_index: number | null;
  name: string;
  shape: string;
  type: string;
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
export interface RecordedBlockReport {
  allocated_ns: number | null;
  bytes: number;
  device: string;
  lifetime_ns: number | null;
  name: string;
  released_ns: number | null;
}
export interface RecordedOperatorReport {
  blocks: number;
  bytes: number;
  name: string;
}
/**
 * What a rank's tables say.
 */
export interface MindSporeReport {
  aicore_operators?: AicoreReport[];
  aicore_types?: TypeShareReport[];
  aicpu_operators?: OperatorMeanReport[];
  aicpu_types?: TypeShareReport[];
  findings?: RecordedFindingReport[];
  host_types?: TypeShareReport[];
  step_trace?: RecordedStepTraceReport;
}
export interface AicoreReport {
  calls: number;
  gflops_cube: number | null;
  gflops_vector: number | null;
  kernel: string;
  mean_ns: number;
  mflops_cube: number | null;
  mflops_vector: number | null;
  name: string;
  type: string;
}
export interface TypeShareReport {
  calls: number;
  mean_ns: number;
  name: string;
  share: number;
  total_ns: number;
}
export interface OperatorMeanReport {
  calls: number;
  mean_dispatch_ns: number;
  mean_ns: number;
  name: string;
  type: string;
}
export interface RecordedFindingReport {
  rule: string;
  subject?: string;
  threshold: number;
  value: number;
}
export interface RecordedStepTraceReport {
  average: RecordedStepPartsReport;
  average_is_recorded: boolean;
  backward_end: string;
  forward_start: string;
  steps: RecordedStepPartsReport[];
}
export interface RecordedStepPartsReport {
  forward_and_backward_ns: number;
  iteration_interval_ns: number;
  name: string;
  tail_ns: number;
  total_ns: number;
}
/**
 * A rank's data pipeline.
 */
export interface PipelineReport {
  bottlenecks: number[];
  get_next: GetNextReport | null;
  keeps_up: boolean;
  operators: PipelineOperatorReport[];
  processors_bound: boolean;
  /**
   * None if too few samples tell.
   */
  processors_busy: number | null;
  processors_samples: number | null;
  queue: DataQueueReport | null;
  verdict: string | null;
}
export interface GetNextReport {
  mean_ns: number;
  steps: number;
  times_empty: number;
}
export interface PipelineOperatorReport {
  children: number[];
  id: number;
  parent: number | null;
  queue_capacity: number | null;
  queue_mean_size: number | null;
  queue_usage: number;
  samples: number;
  times_empty: number;
  times_full: number;
  type: string;
  workers: number;
}
export interface DataQueueReport {
  device: boolean;
  mean_get_ns: number;
  mean_push_ns: number;
  mean_total_ns: number;
  mean_usage: number | null;
  steps: number;
  times_empty: number;
  times_full: number;
}
export interface QueueReport {
  blocked_ns: number;
  calls: number;
  device: number;
  in_flight: QueueLengthReport;
  /**
   * The length at which the queue is full; none if it shows no limit.
   */
  limit: number | null;
  stream: number;
  waiting: QueueLengthReport;
}
export interface QueueLengthReport {
  curve?: [number, number][];
  end_ns: number;
  max: number;
  mean: number | null;
  start_ns: number;
}
export interface ResourceReport {
  /**
   * When the first value was taken, and the last one; none of measurements without a time.
   */
  from_ns: number | null;
  /**
   * Whether a value holds until the next one.
   */
  holds: boolean;
  kind: string;
  last: number;
  max: number;
  mean: number;
  min: number;
  name: string;
  owner: string;
  /**
   * Thinned, where there are more than a chart has pixels, so that no peak is lost.
   */
  points?: [number, number][];
  samples: number;
  unit: string;
  until_ns: number | null;
}
/**
 * The step trace.
 */
export interface StepTraceReport {
  average: StepPartsReport;
  average_is_recorded: boolean;
  backward_end?: string;
  forward_start?: string;
  /**
   * Whether the profiler recorded other steps than the timeline shows.
   */
  is_of_other_steps: boolean;
  source: string;
  steps: TracedStepReport[];
  /**
   * Points that were named and that no operator or kernel has: nothing else is told then.
   */
  unknown?: UnknownPointReport[];
}
export interface StepPartsReport {
  forward_and_backward_ns: number;
  iteration_interval_ns: number;
  tail_ns: number;
  total_ns: number;
}
export interface TracedStepReport {
  collectives?: TracedCollectiveReport[];
  forward_and_backward_ns: number;
  iteration_interval_ns: number;
  name: string;
  start_ns: number;
  tail_ns: number;
  total_ns: number;
}
export interface TracedCollectiveReport {
  length_ns: number;
  name: string;
  /**
   * From the step's start.
   */
  start_ns: number;
  stream: number | null;
}
export interface UnknownPointReport {
  name: string;
  near: string[];
}
export interface StepReport {
  activities: number;
  /**
   * Whether it captures a graph, where it does.
   */
  captures?: boolean;
  counted: boolean;
  /**
   * Whether the timeline shows what ran in it.
   */
  covered: boolean;
  device_time: DeviceTimeReport[];
  end_ns: number;
  host_end_ns: number;
  host_length_ns: number;
  host_start_ns: number;
  /**
   * The facts in the mark of an inference engine.
   */
  inference?: InferenceReport;
  length_ns: number;
  name: string;
  partial: boolean;
  phases: {
    [k: string]: PhaseReport;
  };
  roles: RolesReport;
  /**
   * The part of the host's own roles before the first recorded activity; left out if there is none.
   */
  roles_before_first_activity?: EarlyRoles;
  start_ns: number;
  warmup: boolean;
}
/**
 * What an inference engine says of a step.
 */
export interface InferenceReport {
  kind: string | null;
  requests: number | null;
  tokens: number | null;
}
export interface PhaseReport {
  calls: number;
  device_ns: number;
  host_ns: number;
}
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
 * What the only step spans, where the trace marks none.
 */
export interface WholeStepReport {
  device_busy_outside_ns: number;
  /**
   * The time of the trace before and after it, and how long any device is busy in that time.
   */
  outside_ns: number;
  /**
   * `operators`, `activities` or `events`: from the first to the last of them.
   */
  span: string;
}
/**
 * [`stepscope_table::Description`].
 */
export interface TableReport {
  /**
   * In the order of data.
   */
  columns: TableColumnReport[];
  id: string;
  /**
   * The keys of the columns that a table shows, in order.
   */
  shown: string[];
  sort: string;
}
/**
 * [`stepscope_table::Column`].
 */
export interface TableColumnReport {
  /**
   * The column whose shares are drawn as bars; empty for shares of its own largest value.
   */
  bar: string | null;
  /**
   * Whether values are known for a share of the time.
   */
  is_covered: boolean;
  is_number: boolean;
  /**
   * Whether it says nothing where no device was recorded.
   */
  is_of_device: boolean;
  /**
   * Whether values are parts of a whole.
   */
  is_part: boolean;
  /**
   * In JSON, in CSV, and of its messages; with dots where JSON has objects.
   */
  key: string;
  /**
   * `always`, `wide`, `name` or `data`.
   */
  show: string;
  unit: string;
  /**
   * The prefix of its words' messages.
   */
  words: string | null;
}
/**
 * The rows of the timeline, of all ranks.
 */
export interface TimelineReport {
  /**
   * From the first rank's start to when the last thing ends.
   */
  end_ns: number;
  rows: TimelineRowReport[];
  /**
   * How much later each rank's trace starts than the first of all.
   */
  shifts_ns: number[];
}
/**
 * A row: what it shows, and of whom.
 */
export interface TimelineRowReport {
  device?: number;
  /**
   * `steps`, `doing`, `overlap`, `share`, `communication`, `stream`, `thread`, `queue`, `memory` or `counter`.
   */
  kind: string;
  /**
   * None of curves.
   */
  lanes: number | null;
  layer?: string;
  /**
   * The thread's or stream's name, the counter's, the group's.
   */
  name?: string;
  /**
   * Of the overlap of a device.
   */
  part?: string;
  /**
   * The process's place among the rank's, and what a person knows it by.
   *
   * @minItems 2
   * @maxItems 2
   */
  process?: [number, string];
  rank: number;
  /**
   * Whether what memory is reserved is shown, not what is allocated.
   */
  reserved?: boolean;
  /**
   * How many slices it has.
   */
  slices?: number;
  /**
   * How long each slot of time is of which shares are shown.
   */
  slot_ns?: number;
  stream?: number;
  /**
   * The thread's id.
   */
  thread?: string;
  /**
   * The track, by its place among the rank's.
   */
  track?: number;
  /**
   * The unit of a curve's values, where that is known.
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
   * The rank, if it is a slice of it; else it is a computed span.
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
 * What the rules say of a rank, and of those that are open with it.
 */
export interface AdviceReport {
  /**
   * What it comes to.
   */
  conclusion: AdviceConclusionReport;
  /**
   * How many ranks are open, and how many of them were judged, where there are several.
   */
  ranks?: number;
  ranks_judged?: number;
  rules: AdviceRuleReport[];
  set: string;
  step_ns: number;
  steps_counted: number;
}
/**
 * The budget of a rank, and its causes.
 */
export interface BudgetReport {
  budget: BudgetMeanReport;
  causes: BudgetCauseReport[];
}
/**
 * The call tree of a rank; each list of `nodes` has a value per node, in the order of [`stepscope_analyze::CallTree`].
 */
export interface CallTreeReport {
  /**
   * The sum over activities that calls of the tree launched.
   */
  device_ns: number;
  /**
   * That of activities without a recorded launch.
   */
  device_unlinked_ns: number;
  /**
   * The sum over threads.
   */
  host_ns: number;
  /**
   * Nodes that take too little to be listed.
   */
  left_out: number;
  names: string[];
  nodes: CallTreeNodesReport;
  /**
   * By how many steps times are divided; the numbers of calls are not.
   */
  steps: number;
}
export interface CallTreeNodesReport {
  calls: number[];
  /**
   * Its class; empty of a thread.
   */
  class: string[];
  device_ns: number[];
  device_self_ns: number[];
  host_ns: number[];
  host_self_ns: number[];
  /**
   * Its longest call's event; -1 of a thread, and where none starts in the time.
   */
  longest: number[];
  /**
   * How long that is.
   */
  longest_ns: number[];
  /**
   * Its place in `names`.
   */
  name: number[];
  /**
   * The place of what it is called by; -1 of a thread.
   */
  parent: number[];
}
/**
 * The critical paths of a rank's steps, and the steps with something changed. METRICS section 11.
 */
export interface CriticalReport {
  critical_path?: CriticalPathsReport;
  what_if?: ReplayReport[];
}
/**
 * All about data.
 */
export interface DataReport {
  loading?: LoadingReport;
  pipeline?: PipelineReport;
  /**
   * What each step found in the queue.
   */
  queue: QueueSampleReport[];
  /**
   * How many elements each operator's queue held in each sample.
   */
  queues: OperatorQueue[];
}
export interface QueueSampleReport {
  capacity: number | null;
  get_ns: number | null;
  push_ns: number | null;
  size: number | null;
  total_ns: number | null;
}
export interface OperatorQueue {
  id: number;
  sizes: number[];
}
/**
 * An event: where it stands, what is known of it, what it is linked with, how its kind does.
 */
export interface EventReport {
  ahead?: number;
  arrow_count: number;
  arrows: EventArrowReport[];
  category: string;
  children: number;
  class: string;
  delay_ns?: number;
  depth: number;
  device?: number;
  facts: EventFactsReport;
  first_children: EventRefReport[];
  /**
   * Whether it is a collective, of which other ranks may have a part.
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
export interface EventArrowReport {
  from: number;
  kind: string;
  to: number;
}
/**
 * What is known of an event by its class; what is not is left out.
 */
export interface EventFactsReport {
  /**
   * What the program itself said: key, value, whether that is a text.
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
   * As the producer recorded it.
   */
  occupancy_percent?: number;
  registers?: number;
  sequence?: number;
  shapes?: string;
  shared_memory?: number;
  /**
   * The stream that it names, of what is no activity.
   */
  stream_argument?: number;
  types?: string;
  warps_per_sm?: number;
  waves?: WavesReport;
}
/**
 * A collective's arguments.
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
   * The blocks that each limit would let in.
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
 * An event that another one names.
 */
export interface EventRefReport {
  class: string;
  length_ns: number;
  name: string;
  slice: number;
  start_ns: number;
}
export interface EventLinkReport {
  /**
   * What the file calls the arrow.
   */
  arrow?: string;
  count: number;
  first: EventRefReport[];
  kind: string;
}
/**
 * What the slices of the event's name take, and where it stands among them.
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
   * The first is the slowest; equals share a place.
   */
  place: number;
  previous: number | null;
  share_of_kernel_time?: number;
  std_ns: number;
  /**
   * The page's table with a row of that name.
   */
  table?: string;
  total_ns: number;
}
export interface EventStackReport {
  frames: EventRefReport[];
  /**
   * Whose it is, if it is not the event's own.
   */
  of: EventRefReport | null;
  text: string;
}
/**
 * What a range holds; and another one, with what is different from it.
 */
export interface RangeReport {
  /**
   * By name and class: what there is more than in the other.
   */
  changes?: RangeChangeReport[];
  classes: RangeClassReport[];
  counters?: RangeCounterReport[];
  device_time: DeviceTimeReport[];
  end_ns: number;
  hosts: RangeHostReport[];
  length_ns: number;
  memory?: RangeMemoryReport[];
  names: RangeNameReport[];
  other?: OneRangeReport;
  overlap: OverlapReport[];
  phases: {
    [k: string]: PhaseReport;
  };
  roles: RolesReport;
  /**
   * The part of the host's own roles while a device's state is unknown, at the start; left out if there is none.
   */
  roles_before_first_activity?: EarlyRoles;
  /**
   * All slices in it.
   */
  slices: RangeSumsReport;
  start_ns: number;
  tracks: RangeTrackReport[];
}
/**
 * A name and class in both ranges: what there is more than in the other.
 */
export interface RangeChangeReport {
  class: string;
  count: {
    change: number;
    other: number;
    this: number;
  };
  name: string;
  sum_ns: {
    change: number;
    other: number;
    this: number;
  };
  union_ns: {
    change: number;
    other: number;
    this: number;
  };
}
/**
 * What some slices come to in the range.
 */
export interface RangeClassReport {
  begun: number;
  class: string;
  count: number;
  /**
   * The first of the longest slices.
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
 * A track, by its place in the trace and as a person knows it.
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
   * Left out where there is none.
   */
  range_ns?: number;
  shown_by: SliceReport | null;
  /**
   * Launched, and late to start: the host is not the cause. Left out where there is none.
   */
  start_late_unexplained_ns?: number;
  stream?: number;
  synchronization_ns: number;
  /**
   * Its process and thread; of a stream, as the producer calls it.
   */
  thread: string;
  track: number;
  unrecorded_ns: number;
}
export interface RangeMemoryReport {
  allocated: MemoryLevelReport;
  allocated_bytes: number;
  allocations: number;
  /**
   * By how much more is allocated when the range ends than when it begins.
   */
  change_bytes: number;
  device: number | null;
  released_bytes: number;
  releases: number;
  reserved: MemoryLevelReport | null;
}
/**
 * What some slices come to in the range.
 */
export interface RangeNameReport {
  begun: number;
  class: string;
  count: number;
  /**
   * The first of the longest slices.
   */
  longest: number | null;
  max_ns: number;
  mean_ns: number;
  min_ns: number;
  name: string;
  self_ns: number;
  /**
   * The union's part of the range.
   */
  share: number | null;
  sum_ns: number;
  union_ns: number;
}
export interface OneRangeReport {
  classes: RangeClassReport[];
  counters?: RangeCounterReport[];
  device_time: DeviceTimeReport[];
  end_ns: number;
  hosts: RangeHostReport[];
  length_ns: number;
  memory?: RangeMemoryReport[];
  names: RangeNameReport[];
  overlap: OverlapReport[];
  phases: {
    [k: string]: PhaseReport;
  };
  roles: RolesReport;
  /**
   * The part of the host's own roles while a device's state is unknown, at the start; left out if there is none.
   */
  roles_before_first_activity?: EarlyRoles;
  /**
   * All slices in it.
   */
  slices: RangeSumsReport;
  start_ns: number;
  tracks: RangeTrackReport[];
}
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
 * What some slices come to in the range.
 */
export interface RangeSumsReport {
  begun: number;
  count: number;
  /**
   * The first of the longest slices.
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
 * A track, by its place in the trace and as a person knows it.
 */
export interface RangeTrackReport {
  begun: number;
  /**
   * The union's part of the range.
   */
  busy_share: number | null;
  count: number;
  device?: number;
  layer: string;
  /**
   * The first of the longest slices.
   */
  longest: number | null;
  max_ns: number;
  mean_ns: number;
  min_ns: number;
  self_ns: number;
  stream?: number;
  sum_ns: number;
  /**
   * Its process and thread; of a stream, as the producer calls it.
   */
  thread: string;
  track: number;
  union_ns: number;
}
/**
 * All curves, each with what it comes to; the points of those that are asked for.
 */
export interface ResourcesReport {
  resources: ResourceReport[];
}
/**
 * A row's events: how long, when, of which kind.
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
 * What tells a variant from others, as far as it is known.
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
   * Of what is on no stream.
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
   * None: all that are not told apart.
   */
  variant: VariantOf | null;
}
/**
 * What tells a variant from others, as far as it is known.
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
 * The overview and the tables of a rank, of one of its steps or of the average step, for the page.
 */
export interface Selection {
  /**
   * They are of the average step: sums and counts are divided by so many steps.
   */
  averaged_steps?: number;
  /**
   * The part of the step, or of the average one, in which the device state is unknown.
   */
  before_first_activity_ns: number;
  /**
   * The mean time between the steps that are averaged, which is no part of them; zero for one step.
   */
  between_steps_ns: number;
  copies?: {
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
  }[];
  /**
   * The part of the idle time in which launched work starts late, and the trace does not show why.
   */
  idle_start_late_ns: number;
  kernel_families?: {
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
  }[];
  kernels?: {
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
    /**
     * tensor_cores
     */
    tensor_cores: boolean | null;
    /**
     * Total: Sum of the durations
     */
    total_ns: number | null;
    /**
     * Variation: Standard deviation ÷ mean: how much the calls differ; unknown for a single call
     */
    variation: number | null;
  }[];
  /**
   * What these averages leave out, with its sums.
   */
  left_out?: LeftOutReport[];
  operators?: {
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
     * Host mean: Mean duration of a call on the host, nested calls included
     */
    host_mean_ns: number | null;
    /**
     * Host min: The shortest call on the host
     */
    host_min_ns: number | null;
    /**
     * Host self: The same without operators, ranges and runtime calls inside
     */
    host_self_ns: number | null;
    /**
     * Host total: Time in the calls on the host. A call inside another call of the same row, on the same thread, counts once
     */
    host_total_ns: number | null;
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
  }[];
  /**
   * `slices`, where the trace has no operators and the table holds all slices of the host.
   */
  operators_are?: string;
  overlap: OverlapReport[];
  /**
   * The step that they are of, by its name.
   */
  step?: string;
  tiles: TileReport[];
  /**
   * The part of the step, or of the average one, in which it is not recorded what the device does.
   */
  uncovered_ns: number;
  unlinked: UnlinkedReport;
}
/**
 * Launches, queues and idle time of a rank.
 */
export interface WhyIdle {
  idle: DeviceIdleReport[];
  launches: LaunchesReport;
  queues: QueueReport[];
}
