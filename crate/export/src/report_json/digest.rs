//! Serialization of a rank's digest, to be read where the job is put together.

use serde::{Deserialize, Serialize};

use super::diff_side::{AverageTwin, place};
use super::text::json;
use stepscope_analyze::{
    CollectiveKind, CollectivePart, CollectiveTasks, DigestGroup, Fingerprint, InsertedCollectives, ParallelStrategy,
    RankDigest, RecordedRank, RecordedTimes, StepDigest, StepGap,
};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::EventId;

/// Serializes a digest for [`digest_from_bytes`] of the same version. It has integers and texts, and columns of
/// differences, so that a part of a collective takes some tens of bytes.
#[must_use]
pub fn digest_to_bytes(digest: &RankDigest) -> Vec<u8> {
    json(&Twin::of(digest))
}

/// Deserializes the result of [`digest_to_bytes`]; none if these are other bytes.
#[must_use]
pub fn digest_from_bytes(bytes: &[u8]) -> Option<RankDigest> {
    serde_json::from_slice::<Twin>(bytes).ok()?.into_digest()
}

#[derive(Serialize, Deserialize)]
struct Twin {
    rank: u64,
    unnumbered: bool,
    file: String,
    folder: String,
    program: String,
    framework: String,
    /// Start, end, and time of activities and operators; then their counts.
    fingerprint: ([i64; 5], [u64; 3]),
    host: String,
    devices: Vec<(i64, String)>,
    world_size: Option<u64>,
    origin: Option<i64>,
    marked_steps: bool,
    on_host: bool,
    groups: Vec<(String, String, Vec<u64>, Option<u64>)>,
    parts: Parts,
    steps: Vec<StepTwin>,
    average: AverageTwin,
    step_trace: Option<[i64; 3]>,
    flops: Option<u64>,
    tasks: Vec<Option<[i64; 3]>>,
    inserted: Option<([u64; 3], [i64; 2])>,
    long_interval: Option<bool>,
    flops_coverage: f64,
    memory_peak: Option<i64>,
    planned_peak: Option<i64>,
    strategy: Option<StrategyTwin>,
    recorded: Option<RecordedTwin>,
}

/// Mode, the stages' ranks, the operators' cuts.
type StrategyTwin = (String, Vec<Vec<u64>>, Vec<(String, u64)>);

/// Compute and communication alone, stage and receive alone; operations and their rate.
type RecordedTwin = (Option<([i64; 2], [Option<i64>; 2])>, Option<[u64; 2]>);

/// Name; span; whether it counts, and the number of kernels that it launched; own time; categories; compute,
/// communication, receive alone, communication alone; memcpy, idle; its step trace.
type StepTwin =
    (String, [i64; 2], (bool, u64), [i64; 2], [i64; 8], [i64; 4], [i64; 2], Option<[i64; 3]>, Option<[i64; 4]>);

/// The columns of [`CollectivePart`], each value as the difference from the previous one; unsigned values are signed
/// ones with the same bits.
#[derive(Default, Serialize, Deserialize)]
struct Parts {
    kind: Vec<usize>,
    blocks: Vec<u8>,
    columns: [Vec<i64>; 11],
}

impl Parts {
    fn of(parts: &[CollectivePart]) -> Self {
        let columns = parts.iter().map(numbers);
        let mut found = Self {
            kind: parts.iter().map(|part| place(&CollectiveKind::ALL, &part.kind)).collect(),
            blocks: parts.iter().map(|part| u8::from(part.blocks)).collect(),
            columns: Default::default(),
        };
        let mut before = [0_i64; 11];
        for row in columns {
            for ((column, value), before) in found.columns.iter_mut().zip(row).zip(&mut before) {
                column.push(value.wrapping_sub(*before));
                *before = value;
            }
        }
        found
    }

    /// The parts; none if columns differ in length or an index is invalid.
    fn into_parts(self, groups: usize) -> Option<Vec<CollectivePart>> {
        let count = self.kind.len();
        if self.blocks.len() != count || self.columns.iter().any(|column| column.len() != count) {
            return None;
        }
        let mut row = [0_i64; 11];
        let part = |index: usize| {
            for (value, column) in row.iter_mut().zip(&self.columns) {
                *value = value.wrapping_add(column[index]);
            }
            let [event, group, sequence, step, start, end, own, own_end, alone, bytes, peer] = row;
            let group = u32::try_from(group).ok().filter(|group| (*group as usize) < groups)?;
            let (start, end) = (Nanos(start), Nanos(end));
            Some(CollectivePart {
                event: EventId(u32::try_from(event).ok()?),
                kind: *CollectiveKind::ALL.get(self.kind[index])?,
                group,
                sequence: sequence.cast_unsigned(),
                step: u32::try_from(step).ok()?,
                span: Interval { start, end: end.max(start) },
                own: [Nanos(own), Nanos(own_end)],
                blocks: self.blocks[index] != 0,
                alone: Nanos(alone),
                bytes: bytes.cast_unsigned(),
                peer: u32::try_from(peer).ok()?,
            })
        };
        (0..count).map(part).collect()
    }
}

fn numbers(part: &CollectivePart) -> [i64; 11] {
    let [own, own_end] = part.own;
    [
        i64::from(part.event.0),
        i64::from(part.group),
        part.sequence.cast_signed(),
        i64::from(part.step),
        part.span.start.0,
        part.span.end.0,
        own.0,
        own_end.0,
        part.alone.0,
        part.bytes.cast_signed(),
        i64::from(part.peer),
    ]
}

impl Twin {
    fn of(digest: &RankDigest) -> Self {
        let group =
            |group: &DigestGroup| (group.name.clone(), group.description.clone(), group.ranks.clone(), group.size);
        let step = |step: &StepDigest| {
            let own = step.own.map(|time| time.0);
            let alone =
                [step.compute, step.communication, step.receive_alone, step.communication_alone].map(|time| time.0);
            let span = [step.span.start.0, step.span.end.0];
            let device = step.device.map(|time| time.0);
            let step_trace = step.step_trace.map(|times| times.map(|time| time.0));
            let gap = step.gap.map(|gap| [gap.length, gap.own, gap.compute, gap.idle].map(|time| time.0));
            let categories = step.categories.map(|time| time.0);
            (step.name.clone(), span, (step.counts, step.kernels), own, categories, alone, device, step_trace, gap)
        };
        Self {
            rank: digest.rank,
            unnumbered: digest.unnumbered,
            file: digest.file.clone(),
            folder: digest.folder.clone(),
            program: digest.program.clone(),
            framework: digest.framework.clone(),
            fingerprint: {
                let Fingerprint { span, kernels, kernel_time, activities, activity_time, operators, operator_time } =
                    digest.fingerprint;
                let times = [kernel_time, activity_time, operator_time].map(|time| time.0);
                ([span.start.0, span.end.0, times[0], times[1], times[2]], [kernels, activities, operators])
            },
            host: digest.host.clone(),
            devices: digest.devices.clone(),
            world_size: digest.world_size,
            origin: digest.origin,
            marked_steps: digest.marked_steps,
            on_host: digest.on_host,
            groups: digest.groups.iter().map(group).collect(),
            parts: Parts::of(&digest.parts),
            steps: digest.steps.iter().map(step).collect(),
            average: AverageTwin::of(&digest.average),
            step_trace: digest.step_trace.map(|times| times.map(|time| time.0)),
            flops: digest.flops,
            tasks: {
                let times = |tasks: CollectiveTasks| [tasks.reduce, tasks.transfer, tasks.wait].map(|time| time.0);
                digest.tasks.iter().map(|tasks| tasks.map(times)).collect()
            },
            inserted: digest.inserted.map(|found| {
                let InsertedCollectives { all_reduces, small, small_alone, resharding, resharding_alone } = found;
                ([all_reduces, small, resharding], [small_alone.0, resharding_alone.0])
            }),
            long_interval: digest.long_interval,
            flops_coverage: digest.flops_coverage,
            memory_peak: digest.memory_peak,
            planned_peak: digest.planned_peak,
            strategy: digest.strategy.clone().map(|told| (told.mode, told.stages, told.cuts)),
            recorded: digest.recorded.map(|told| {
                let times = |of: RecordedTimes| {
                    let alone = [of.stage, of.receive_alone].map(|time| time.map(|time| time.0));
                    ([of.compute.0, of.communication_alone.0], alone)
                };
                (told.times.map(times), told.flops)
            }),
        }
    }

    fn into_digest(self) -> Option<RankDigest> {
        let group = |(name, description, ranks, size)| DigestGroup { name, description, ranks, size };
        let step =
            |(name, [start, end], (counts, kernels), own, categories, alone, device, step_trace, gap): StepTwin| {
                let [compute, communication, receive_alone, communication_alone] = alone.map(Nanos);
                let (start, end) = (Nanos(start), Nanos(end));
                StepDigest {
                    name,
                    span: Interval { start, end: end.max(start) },
                    counts,
                    own: own.map(Nanos),
                    categories: categories.map(Nanos),
                    kernels,
                    compute,
                    communication,
                    receive_alone,
                    communication_alone,
                    device: device.map(Nanos),
                    step_trace: step_trace.map(|times| times.map(Nanos)),
                    gap: gap.map(|gap| {
                        let [length, own, compute, idle] = gap.map(Nanos);
                        StepGap { length, own, compute, idle }
                    }),
                }
            };
        Some(RankDigest {
            rank: self.rank,
            unnumbered: self.unnumbered,
            file: self.file,
            folder: self.folder,
            program: self.program,
            framework: self.framework,
            fingerprint: {
                let ([start, end, times @ ..], [kernels, activities, operators]) = self.fingerprint;
                let span = Interval { start: Nanos(start), end: Nanos(end.max(start)) };
                let [kernel_time, activity_time, operator_time] = times.map(Nanos);
                Fingerprint { span, kernels, kernel_time, activities, activity_time, operators, operator_time }
            },
            host: self.host,
            devices: self.devices,
            world_size: self.world_size,
            origin: self.origin,
            marked_steps: self.marked_steps,
            on_host: self.on_host,
            parts: self.parts.into_parts(self.groups.len())?,
            groups: self.groups.into_iter().map(group).collect(),
            steps: self.steps.into_iter().map(step).collect(),
            average: self.average.into_average(),
            step_trace: self.step_trace.map(|times| times.map(Nanos)),
            flops: self.flops,
            tasks: {
                let tasks = |times: [i64; 3]| {
                    let [reduce, transfer, wait] = times.map(Nanos);
                    CollectiveTasks { reduce, transfer, wait }
                };
                self.tasks.into_iter().map(|times| times.map(tasks)).collect()
            },
            inserted: self.inserted.map(|([all_reduces, small, resharding], alone)| {
                let [small_alone, resharding_alone] = alone.map(Nanos);
                InsertedCollectives { all_reduces, small, small_alone, resharding, resharding_alone }
            }),
            long_interval: self.long_interval,
            flops_coverage: self.flops_coverage,
            memory_peak: self.memory_peak,
            planned_peak: self.planned_peak,
            strategy: self.strategy.map(|(mode, stages, cuts)| ParallelStrategy { mode, stages, cuts }),
            recorded: self.recorded.map(|(times, flops)| {
                let times = times.map(|([compute, communication_alone], alone)| {
                    let [stage, receive_alone] = alone.map(|time| time.map(Nanos));
                    let (compute, communication_alone) = (Nanos(compute), Nanos(communication_alone));
                    RecordedTimes { compute, communication_alone, stage, receive_alone }
                });
                RecordedRank { times, flops }
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, any, prop_assert_eq, proptest};

    use super::*;

    fn parts() -> impl Strategy<Value = Vec<CollectivePart>> {
        let times = (any::<i64>(), any::<i64>(), any::<[i64; 2]>(), any::<i64>());
        let numbers = (0..13_usize, any::<u64>(), any::<u32>(), any::<bool>(), any::<u64>(), any::<u32>());
        let part =
            (times, numbers).prop_map(|((start, end, own, alone), (kind, sequence, step, blocks, bytes, peer))| {
                CollectivePart {
                    event: EventId(start.unsigned_abs().try_into().unwrap_or(7)),
                    kind: CollectiveKind::ALL[kind],
                    group: 0,
                    sequence,
                    step,
                    span: Interval { start: Nanos(start.min(end)), end: Nanos(start.max(end)) },
                    own: own.map(Nanos),
                    blocks,
                    alone: Nanos(alone),
                    bytes,
                    peer,
                }
            });
        proptest::collection::vec(part, 0..20)
    }

    proptest! {
        #[test]
        fn digests_come_back_as_they_were(parts in parts(), rank in any::<u64>(), origin in any::<Option<i64>>()) {
            let group = DigestGroup { name: "0".into(), ranks: vec![0, 3], size: Some(2), ..DigestGroup::default() };
            let step = StepDigest {
                name: "7".into(),
                counts: true,
                kernels: 12,
                own: [Nanos(1), Nanos(2)],
                device: [Nanos(3), Nanos(4)],
                step_trace: Some([Nanos(5), Nanos(6), Nanos(7)]),
                gap: Some(StepGap { length: Nanos(8), own: Nanos(9), compute: Nanos(10), idle: Nanos(11) }),
                ..StepDigest::default()
            };
            let digest = RankDigest {
                rank,
                origin,
                unnumbered: true,
                file: "rank \"3\".json".into(),
                folder: "run 1".into(),
                program: "python3, 2 processes".into(),
                framework: "PyTorch".into(),
                fingerprint: Fingerprint { kernels: 11, activities: 12, operator_time: Nanos(13), ..Fingerprint::default() },
                devices: vec![(3, "NVIDIA H100".into()), (-1, String::new())],
                groups: vec![group],
                parts,
                steps: vec![step],
                step_trace: Some([Nanos(3), Nanos(4), Nanos(5)]),
                long_interval: Some(true),
                tasks: vec![None, Some(CollectiveTasks { reduce: Nanos(1), transfer: Nanos(2), wait: Nanos(3) })],
                inserted: Some(InsertedCollectives { small: 3, resharding_alone: Nanos(9), ..InsertedCollectives::default() }),
                flops: Some(u64::MAX),
                flops_coverage: 0.25,
                strategy: Some(ParallelStrategy { stages: vec![vec![0], vec![1, 2]], ..ParallelStrategy::default() }),
                recorded: Some(RecordedRank {
                    times: Some(RecordedTimes { compute: Nanos(6), stage: Some(Nanos(8)), ..RecordedTimes::default() }),
                    flops: Some([u64::MAX, 9]),
                }),
                ..RankDigest::default()
            };
            prop_assert_eq!(digest_from_bytes(&digest_to_bytes(&digest)), Some(digest));
        }
    }

    #[test]
    fn other_bytes_are_none() {
        assert_eq!(digest_from_bytes(b"{}"), None);
        let digest = RankDigest { groups: vec![DigestGroup::default()], ..RankDigest::default() };
        let text = String::from_utf8(digest_to_bytes(&digest)).expect("text");
        let short = text.replace("\"blocks\":[]", "\"blocks\":[1]");
        assert_ne!(text, short);
        assert_eq!(digest_from_bytes(short.as_bytes()), None, "columns of different lengths");
    }
}
