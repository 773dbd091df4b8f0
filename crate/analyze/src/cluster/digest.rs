//! The data of one rank that the tables of a job need, without its trace.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::fingerprint::Fingerprint;
use super::inserted::{InsertedCollectives, StepCollective};
use super::operation::{CollectiveKind, collective_of};
use super::parallel::ParallelStrategy;
use super::progress::{Progress, Ready};
use super::recorded::RecordedRank;
use super::tasks::{CollectiveTasks, tasks_of};
use crate::all::{Analysis, StepAverage};
use crate::device_report::{DeviceReport, DeviceTime};
use crate::event::is_collective;
use crate::find::StepOf;
use crate::flops::ComputingCalls;
use crate::intervals::IntervalSet;
use crate::mean;
use crate::memory::{MemoryConfig, has_memory, memory, planned_peak};
use crate::mindspore::IntervalLimits;
use crate::scope::Scope;
use crate::time_categories::{CategoryTimes, HostCategories, computed_by_host, names_collective};
use crate::{StepTimes, StepTrace};
use stepscope_base::{CompactSort as _, Interval, Nanos};
use stepscope_trace::{Class, Collective, EventId, NO_COUNT, NO_SERIAL, NameId, PROGRAM, Trace, Track};

/// The value of [`CollectivePart::step`] for parts that belong to no step.
pub const NO_STEP: u32 = u32::MAX;

/// A rank, reduced to the data that are compared with others: plain values and texts, so that its trace can be dropped.
/// Times are on its own clock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankDigest {
    /// The rank's number.
    pub rank: u64,
    /// Whether that number is unknown: it is the trace's index then.
    pub unnumbered: bool,
    /// The file it is from.
    pub file: String,
    /// The folder that all of its files lie in; empty if unknown.
    pub folder: String,
    /// The program that several processes of its recording run, this one among them; empty if unknown.
    pub program: String,
    /// The framework that was profiled; empty if unknown.
    pub framework: String,
    /// The fingerprint of its recording.
    pub fingerprint: Fingerprint,
    /// The host it ran on; empty if unknown.
    pub host: String,
    /// The devices that it used: their numbers, and their models if known.
    pub devices: Vec<(i64, String)>,
    /// The number of ranks of the job, by the rank's trace.
    pub world_size: Option<u64>,
    /// The absolute time of the rank's time zero in ns since 1970, if its trace has it.
    pub origin: Option<i64>,
    /// Whether the framework or the user marks steps.
    pub marked_steps: bool,
    /// Whether the host computes, since there is no device.
    pub on_host: bool,
    /// The process groups it takes part in.
    pub groups: Vec<DigestGroup>,
    /// Its parts of collectives, by start.
    pub parts: Vec<CollectivePart>,
    /// The tasks of each part, in the order of the parts; empty if no device shows any.
    pub tasks: Vec<Option<CollectiveTasks>>,
    /// The collectives that MindSpore inserted into its graph.
    pub inserted: Option<InsertedCollectives>,
    /// Its steps.
    pub steps: Vec<StepDigest>,
    /// Means over the steps that count.
    pub average: StepAverage,
    /// From the step trace's average: iteration interval, forward and backward, tail.
    pub step_trace: Option<[Nanos; 3]>,
    /// Whether that interval is longer than the limit for the data pipeline; none without a step trace of its steps.
    pub long_interval: Option<bool>,
    /// Floating-point operations of kernels in the steps that count, in all.
    pub flops: Option<u64>,
    /// The share of the computing kernels' time for which they are known.
    pub flops_coverage: f64,
    /// The most bytes allocated on its devices.
    pub memory_peak: Option<i64>,
    /// The most bytes that `MindSpore` planned to use on its device.
    pub planned_peak: Option<i64>,
    /// The parallel layout of `MindSpore`, if it wrote one.
    pub strategy: Option<ParallelStrategy>,
    /// The data of its profiler's tables, if there is nothing else.
    pub recorded: Option<RecordedRank>,
}

/// A process group, as one rank knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DigestGroup {
    /// Its name; empty if unknown.
    pub name: String,
    /// Its purpose.
    pub description: String,
    /// Its ranks in their order, if known.
    pub ranks: Vec<u64>,
    /// Its number of ranks.
    pub size: Option<u64>,
}

/// A rank's part of a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CollectivePart {
    /// The slice.
    pub event: EventId,
    /// The operation.
    pub kind: CollectiveKind,
    /// The group, by its index in [`RankDigest::groups`].
    pub group: u32,
    /// The operation's number in the group; [`NO_COUNT`] if unknown.
    pub sequence: u64,
    /// The step by its index: the one that launched it, else the one during which, or in whose gap to the next one, its
    /// middle lies; [`NO_STEP`] if it belongs to none.
    pub step: u32,
    /// When it runs.
    pub span: Interval,
    /// The rank's own time when it could begin, and when it ended: time without exposed communication.
    pub own: [Nanos; 2],
    /// Whether the rank had nothing to compute just before it ended: later work waited for it.
    pub blocks: bool,
    /// Its time in which the rank computes nothing; for a part of a step, within that step.
    pub alone: Nanos,
    /// Bytes as nccl-tests counts them; [`NO_COUNT`] if unknown.
    pub bytes: u64,
    /// The other rank of a point-to-point operation; [`NO_SERIAL`] if unknown.
    pub peer: u32,
}

/// A step of a rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepDigest {
    /// Its name.
    pub name: String,
    /// When it runs.
    pub span: Interval,
    /// Whether it enters averages.
    pub counts: bool,
    /// The rank's own time when it began, and when it ended.
    pub own: [Nanos; 2],
    /// The eight categories' times, without the host's own while a device's state is unknown.
    pub categories: CategoryTimes,
    /// Kernels that it launched and that do not communicate.
    pub kernels: u64,
    /// Time of computing: of several devices, together; without a device, of the host's operators.
    pub compute: Nanos,
    /// Time of communicating: of kernels, of several devices together, and of the host's own collectives.
    pub communication: Nanos,
    /// Time of receiving from other ranks without computing.
    pub receive_alone: Nanos,
    /// Time of communicating without computing.
    pub communication_alone: Nanos,
    /// Time of copying without computing or communicating, and idle time of the devices: of several, their mean.
    pub device: [Nanos; 2],
    /// The time from its end to the next step, if there is a next one.
    pub gap: Option<StepGap>,
    /// In the step trace: interval between iterations, forward and backward, tail; none if it does not enter its
    /// average.
    pub step_trace: Option<[Nanos; 3]>,
}

/// The time between two steps that follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepGap {
    /// From the end of the first to the start of the second.
    pub length: Nanos,
    /// The rank's own part of that: without exposed communication.
    pub own: Nanos,
    /// Time of computing.
    pub compute: Nanos,
    /// Idle time of the devices: of several, their mean.
    pub idle: Nanos,
}

impl RankDigest {
    /// The digest of a rank's trace.
    #[must_use]
    pub fn of(trace: &Trace, analysis: &Analysis, rank: u64, file: &str) -> Self {
        let slices = collectives_of(trace);
        let kinds: Vec<CollectiveKind> = slices.iter().map(|id| CollectiveKind::of_slice(trace, *id)).collect();
        let sets = crate::activities::DeviceSets::together(
            &analysis.devices.iter().map(|device| device.sets.clone()).collect::<Vec<_>>(),
        );
        let spans = |wanted: fn(CollectiveKind) -> bool| {
            let such = slices.iter().zip(&kinds).filter(move |(_, kind)| wanted(**kind));
            IntervalSet::of(such.map(|(id, _)| trace.slices.interval(*id)))
        };
        let communication = spans(|_| true);
        let on_host = analysis.devices.is_empty();
        let busy: Vec<IntervalSet> = analysis.devices.iter().map(|device| device.sets.busy()).collect();
        let compute = if on_host { computed_by_host(trace) } else { sets.compute };
        let alone = communication.difference(&compute);
        let receiving = spans(CollectiveKind::receives).difference(&compute);
        let progress = Progress::of(&alone);
        let ready = Ready::of(trace, &slices);
        let mut groups = Groups::of(trace);
        let steps = StepOf::new(trace, &analysis.steps);
        let spans: Vec<Interval> = analysis.steps.steps.iter().map(|step| step.span).collect();
        let part = |(id, kind): (&EventId, &CollectiveKind)| {
            let span = trace.slices.interval(*id);
            let told = collective_of(trace, *id);
            let step = steps.index(*id).or_else(|| step_at(&spans, span));
            let within = step.map_or(span, |step| within(span, spans[step]));
            let step = step.and_then(|step| u32::try_from(step).ok());
            let group = groups.place(trace, told);
            CollectivePart {
                event: *id,
                kind: *kind,
                group,
                sequence: told.map_or(NO_COUNT, |told| told.sequence),
                step: step.unwrap_or(NO_STEP),
                span,
                own: [progress.at(ready.at(trace, *id)), progress.at(span.end)],
                blocks: alone.has(span.end - Nanos(1)),
                alone: within.len() - (progress.at(within.end) - progress.at(within.start)),
                bytes: kind.bytes_of_slice(trace, *id, groups.size(group)).unwrap_or(NO_COUNT),
                peer: told.map_or(NO_SERIAL, |told| groups.peer(group, *kind, told)),
            }
        };
        let parts: Vec<CollectivePart> = slices.iter().zip(&kinds).map(part).collect();
        let counted = analysis.steps.counted();
        let step_traces = step_traces(analysis);
        let kernels = kernels_of_steps(trace, analysis);
        let gap = |index: usize| {
            let next = spans.get(index + 1)?;
            let gap = Interval::new(spans[index].end, next.start.max(spans[index].end));
            let idle = busy.iter().map(|busy| gap.len() - busy.clip(gap).len()).sum();
            Some(StepGap {
                length: gap.len(),
                own: progress.at(gap.end) - progress.at(gap.start),
                compute: compute.clip(gap).len(),
                idle: mean(idle, busy.len() as u64),
            })
        };
        let steps = analysis.steps.steps.iter().enumerate().map(|(index, step)| StepDigest {
            name: step.name.clone(),
            span: step.span,
            counts: counted.binary_search(&index).is_ok(),
            own: [progress.at(step.span.start), progress.at(step.span.end)],
            categories: analysis.known_categories_of(index),
            kernels: kernels[index],
            compute: compute.clip(step.span).len(),
            communication: communication.clip(step.span).len(),
            receive_alone: receiving.clip(step.span).len(),
            communication_alone: alone.clip(step.span).len(),
            device: analysis.step_devices.get(index).map_or([Nanos::ZERO; 2], |devices| {
                let device = DeviceTime::mean(devices);
                [device.exposed_memcpy, device.idle]
            }),
            gap: gap(index),
            step_trace: step_traces.get(step.name.as_str()).copied(),
        });
        let fact = |wanted: &str| {
            let found = trace.meta.facts.iter().find(|(key, _)| key == wanted);
            found.map_or_else(String::new, |(_, value)| value.clone())
        };
        let device = |report: &DeviceReport| {
            let id = report.time.device;
            let model = trace.meta.devices.iter().find(|device| device.id == id);
            (id, model.map_or_else(String::new, |device| device.name.clone()))
        };
        let times = analysis.step_trace.as_ref().map(StepTrace::own_average);
        let scope = Scope::of_steps(&analysis.steps, &counted);
        let computing = ComputingCalls::of(trace, Some(&scope));
        Self {
            rank,
            unnumbered: false,
            file: file.to_owned(),
            folder: folder_of(trace),
            program: fact(PROGRAM),
            framework: trace.meta.framework.clone(),
            fingerprint: Fingerprint::of(trace),
            host: fact("host_name"),
            devices: analysis.devices.iter().map(device).collect(),
            world_size: trace.meta.distributed.world_size,
            origin: trace.meta.origin_unix_ns,
            marked_steps: analysis.steps.source.is_marked(),
            on_host,
            steps: steps.collect(),
            tasks: tasks_of(trace, &slices),
            inserted: InsertedCollectives::of(
                trace,
                parts.iter().map(|part: &CollectivePart| {
                    let CollectivePart { kind, step, span, bytes, .. } = *part;
                    StepCollective { kind, step, span, bytes }
                }),
                (analysis, &counted),
            ),
            parts,
            groups: groups.list,
            average: analysis.average,
            step_trace: times.map(|times| [times.iteration_interval, times.forward_and_backward, times.tail]),
            long_interval: analysis
                .iteration_interval()
                .map(|interval| interval.is_long(IntervalLimits::of(analysis.definition.definition))),
            flops: computing.flops(),
            flops_coverage: computing.coverage(trace, Some(&scope), &analysis.tensor_cores),
            memory_peak: memory_peak(trace),
            planned_peak: planned_peak(trace),
            strategy: ParallelStrategy::told(trace),
            recorded: RecordedRank::of(trace, &analysis.steps),
        }
    }

    /// The index of the part that an event of the rank's own trace belongs to: the event itself or one around it, else
    /// the first part that it launched. None if it is no collective.
    #[must_use]
    pub fn part_of(&self, trace: &Trace, event: EventId) -> Option<usize> {
        let place = |id: EventId| self.parts.iter().position(|part| part.event == id);
        let around = || trace.slices.ancestors(event).find_map(place);
        let is_from = |part: &CollectivePart| {
            let operator = trace.activity(part.event).and_then(|activity| activity.operator.get());
            operator.is_some_and(|id| id == event || trace.slices.ancestors(id).any(|id| id == event))
        };
        // A step launches collectives, too, but is none.
        let launched = || is_collective(trace, event).then(|| self.parts.iter().position(is_from)).flatten();
        place(event).or_else(around).or_else(launched)
    }

    /// The steps that enter averages, by their index.
    pub(super) fn counted(&self) -> impl Iterator<Item = (usize, &StepDigest)> {
        self.steps.iter().enumerate().filter(|(_, step)| step.counts)
    }
}

/// The folder that all files of a rank lie in.
pub(crate) fn folder_of(trace: &Trace) -> String {
    let folders = trace.meta.inputs.iter().map(|file| file.name.rsplit_once('/').map_or("", |(folder, _)| folder));
    // msprof gives the folder of each process in a run a name of its own.
    let is_of_run = |part: &&str| !part.starts_with("PROF_");
    let parts = |folder: &str| folder.split('/').take_while(is_of_run).map(str::to_owned).collect::<Vec<String>>();
    let common = folders.map(parts).reduce(|mut common, other| {
        let same = common.iter().zip(&other).take_while(|(one, other)| one == other).count();
        common.truncate(same);
        common
    });
    common.unwrap_or_default().join("/")
}

/// The step during which, or in whose gap to the next one, the middle of a span lies, of steps by start. It serves
/// spans without a recorded launching call, such as the transfers in MindSpore's traces of a device.
fn step_at(steps: &[Interval], span: Interval) -> Option<usize> {
    let middle = span.start + Nanos(span.len().0 >> 1);
    let last = steps.partition_point(|step| step.start <= middle).checked_sub(1)?;
    (last + 1 < steps.len() || middle < steps[last].end).then_some(last)
}

/// The part of a span that lies in another one.
fn within(span: Interval, outer: Interval) -> Interval {
    let start = span.start.max(outer.start).min(span.end);
    Interval::new(start, span.end.min(outer.end).max(start))
}

/// Number of kernels other than communication that each step launched.
fn kernels_of_steps(trace: &Trace, analysis: &Analysis) -> Vec<u64> {
    let mut found = vec![0; analysis.steps.steps.len()];
    for (activity, step) in trace.activities.iter().zip(&analysis.steps.step_of_activity) {
        let is_such = !activity.communication && trace.slices.class(activity.event) == Class::Kernel;
        if let Some(count) = step.filter(|_| is_such).and_then(|step| found.get_mut(step as usize)) {
            *count += 1;
        }
    }
    found
}

/// Interval, forward and backward, and tail of the steps that enter the step trace's average, which is without the
/// first.
fn step_traces(analysis: &Analysis) -> HashMap<&str, [Nanos; 3], FxBuildHasher> {
    let steps = analysis.step_trace.as_ref().map(|found| found.steps.as_slice()).unwrap_or_default();
    let counted = if steps.len() > 1 { &steps[1..] } else { steps };
    let times = |step: &StepTimes| [step.iteration_interval, step.forward_and_backward, step.tail];
    counted.iter().map(|step| (step.name.as_str(), times(step))).collect()
}

/// The slices that are a rank's parts of collectives, by start: kernels of communication, and the outermost slices of
/// the host's own collectives (Gloo, MPI).
fn collectives_of(trace: &Trace) -> Vec<EventId> {
    let kernels = trace
        .activities
        .iter()
        .filter(|activity| activity.communication && trace.slices.class(activity.event) == Class::Kernel);
    let host = trace.tracks.iter().filter(|track| HostCategories::counts(track)).flat_map(Track::events);
    let outermost = |id: &EventId| {
        names_collective(trace.name_of(*id))
            && !trace.slices.ancestors(*id).any(|id| names_collective(trace.name_of(id)))
    };
    let mut found: Vec<EventId> = kernels.map(|activity| activity.event).chain(host.filter(outermost)).collect();
    found.compact_sort_by_key(|id| (trace.slices.start(*id), *id));
    found
}

fn memory_peak(trace: &Trace) -> Option<i64> {
    if !has_memory(trace) {
        return None;
    }
    let found = memory(trace, &MemoryConfig { span: None, columns: 1, listed: 0 });
    let devices = found.places.iter().filter(|place| place.device.is_some());
    devices.map(|place| place.allocated.peak).reduce(i64::saturating_add)
}

/// The groups of a rank, in the order in which they occur.
struct Groups {
    /// The number of ranks of the job, if the trace has it.
    world_size: Option<u64>,
    list: Vec<DigestGroup>,
    places: HashMap<[NameId; 2], u32, FxBuildHasher>,
}

impl Groups {
    /// The groups that the trace lists.
    fn of(trace: &Trace) -> Self {
        let told = trace.meta.distributed.groups.iter().map(|group| DigestGroup {
            name: group.name.clone(),
            description: group.description.clone(),
            ranks: group.ranks.clone(),
            size: Some(group.ranks.len() as u64).filter(|size| *size > 0),
        });
        Self { world_size: trace.meta.distributed.world_size, list: told.collect(), places: HashMap::default() }
    }

    /// The index of a collective's group.
    fn place(&mut self, trace: &Trace, told: Option<&Collective>) -> u32 {
        let key = told.map_or([NameId::NONE; 2], |told| [told.group, told.ranks]);
        if let Some(place) = self.places.get(&key) {
            return *place;
        }
        let text = |name| trace.strings.get(name).to_owned();
        let (name, ranks) = (text(key[0]), ranks_in(&text(key[1])));
        let same = |group: &DigestGroup| group.name == name && (group.ranks == ranks || ranks.is_empty());
        let place = self.list.iter().position(same).unwrap_or(self.list.len());
        if place == self.list.len() {
            let size = told.map(|told| told.group_size).filter(|size| *size != NO_SERIAL).map(u64::from);
            let description = told.map_or_else(String::new, |told| text(told.group_description));
            self.list.push(DigestGroup { name, description, ranks, size });
        }
        let place = u32::try_from(place).unwrap_or(u32::MAX);
        self.places.insert(key, place);
        place
    }

    /// The number of ranks of a group; an unnamed group of unknown size has all ranks.
    fn size(&self, group: u32) -> Option<u64> {
        let of = self.list.get(group as usize)?;
        let listed = Some(of.ranks.len() as u64).filter(|size| *size > 0);
        of.size.or(listed).or(self.world_size.filter(|_| of.name.is_empty()))
    }

    /// The rank at the other end. Numbers are indices in the group; one beyond it is the rank itself.
    fn peer(&self, group: u32, kind: CollectiveKind, told: &Collective) -> u32 {
        let number = match kind {
            CollectiveKind::Send => told.destination,
            CollectiveKind::Receive => told.source,
            _ => NO_SERIAL,
        };
        let ranks = self.list.get(group as usize).map(|group| group.ranks.as_slice()).unwrap_or_default();
        let rank = ranks.get(number as usize).and_then(|rank| u32::try_from(*rank).ok());
        rank.unwrap_or(number)
    }
}

/// The ranks in a list such as `[0, 1]`; none if it is shortened.
fn ranks_in(text: &str) -> Vec<u64> {
    let inside = text.trim().trim_start_matches('[').trim_end_matches(']');
    let ranks: Option<Vec<u64>> = inside.split(',').map(|number| number.trim().parse().ok()).collect();
    ranks.unwrap_or_default()
}
