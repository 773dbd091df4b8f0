//! Collectives that `MindSpore` puts into the graph itself: sums of gradients, and redistributions of tensors between
//! the cuts of two operators. Its guide has a hint for each; here are their numbers and costs. METRICS section 8.

use super::operation::CollectiveKind;
use crate::{Analysis, IntervalSet, mean};
use stepscope_base::{CompactSort as _, Interval, Nanos};
use stepscope_trace::{Class, NO_COUNT, Trace};

/// A collective of a step, reduced to the data needed here.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepCollective {
    /// The operation.
    pub(super) kind: CollectiveKind,
    /// The step by its index.
    pub(super) step: u32,
    /// When it runs.
    pub(super) span: Interval,
    /// Its bytes; [`NO_COUNT`] if unknown.
    pub(super) bytes: u64,
}

/// The inserted collectives of a rank per step, over the steps that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InsertedCollectives {
    /// All-reduces per step.
    pub all_reduces: u64,
    /// The small ones among them: less than 1 MiB, or less than 100 µs where bytes are unknown. The start of each costs
    /// more than its bytes.
    pub small: u64,
    /// Time per step in which these small ones run and nothing is computed.
    pub small_alone: Nanos,
    /// All-gathers and all-to-alls per step after which a tensor is split or joined: a redistribution.
    pub resharding: u64,
    /// Time per step in which these run and nothing is computed.
    pub resharding_alone: Nanos,
}

impl InsertedCollectives {
    /// Smallest number of small all-reduces per step that is worth a fusion.
    pub const MANY: u64 = 8;

    /// The part of the step above which they are worth a hint.
    pub const LEAST: f64 = 0.02;

    /// Bytes below which an all-reduce is small.
    const SMALL: u64 = 1 << 20;

    /// Length below which an all-reduce is short.
    const SHORT: Nanos = Nanos(100_000);

    /// The collectives of a rank of MindSpore's, by its collectives and the steps that count; none for other
    /// frameworks, or without steps that count. A moment of overlapping collectives counts once.
    pub(super) fn of(
        trace: &Trace,
        parts: impl Iterator<Item = StepCollective>,
        (analysis, counted): (&Analysis, &[usize]),
    ) -> Option<Self> {
        if crate::Recorder::of(trace) != crate::Recorder::MindSpore || counted.is_empty() {
            return None;
        }
        let operators =
            trace.activities.iter().filter(|one| !one.communication && trace.slices.class(one.event) == Class::Kernel);
        let mut operators: Vec<(Nanos, stepscope_trace::EventId)> =
            operators.map(|one| (trace.slices.start(one.event), one.event)).collect();
        operators.compact_sort();
        let next = |end: Nanos| operators.get(operators.partition_point(|(start, _)| *start < end));
        let moves = |part: &StepCollective| {
            let is_such = matches!(part.kind, CollectiveKind::AllGather | CollectiveKind::AllToAll);
            is_such && next(part.span.end).is_some_and(|(_, operator)| moves_parts(trace.name_of(*operator)))
        };
        let counts = |part: &StepCollective| counted.binary_search(&(part.step as usize)).is_ok();
        let steps = counted.len() as u64;
        let mut found = Self::default();
        let (mut small, mut moving): (Vec<Interval>, Vec<Interval>) = (Vec::new(), Vec::new());
        for part in parts.filter(counts) {
            if part.kind == CollectiveKind::AllReduce {
                found.all_reduces += 1;
                let is_known = part.bytes != NO_COUNT;
                if (is_known && part.bytes < Self::SMALL) || (!is_known && part.span.len() < Self::SHORT) {
                    found.small += 1;
                    small.push(part.span);
                }
            } else if moves(&part) {
                found.resharding += 1;
                moving.push(part.span);
            }
        }
        #[expect(clippy::integer_division, reason = "whole collectives per step")]
        let per_step = |count: u64| count / steps;
        let exposed_there = analysis.only_communicating();
        let exposed = |spans: Vec<Interval>| mean(IntervalSet::of(spans).intersection(&exposed_there).len(), steps);
        Some(Self {
            all_reduces: per_step(found.all_reduces),
            small: per_step(found.small),
            small_alone: exposed(small),
            resharding: per_step(found.resharding),
            resharding_alone: exposed(moving),
        })
    }

    /// Whether most all-reduces are small, many, and long enough together to be fused.
    #[must_use]
    pub fn asks_for_fusion(&self, step: Nanos) -> bool {
        let share = self.small_alone.ratio_of(step).unwrap_or_default();
        self.small >= Self::MANY && 2 * self.small > self.all_reduces && share > Self::LEAST
    }

    /// Whether redistributions take long enough for the cuts to be looked at.
    #[must_use]
    pub fn asks_for_cuts(&self, step: Nanos) -> bool {
        let share = self.resharding_alone.ratio_of(step).unwrap_or_default();
        self.resharding > 0 && share > Self::LEAST
    }
}

/// Whether an operator takes a tensor apart or joins parts, as those do that follow a collective of a redistribution.
fn moves_parts(name: &str) -> bool {
    let own = name.rsplit('/').next().unwrap_or(name);
    ["Split", "Concat", "StridedSlice", "Slice"].iter().any(|known| own.starts_with(known))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::RankDigest;
    use crate::{AnalysisConfig, analyze};
    use stepscope_input::Loader;

    /// Three iterations of 2 ms, as msprof exports them, each with collectives one after the other, and an operator
    /// after each.
    fn inserted(collectives: &[(&str, u32, &str)]) -> (InsertedCollectives, Nanos) {
        inserted_on(1, collectives)
    }

    /// The same on several planes, beside each other.
    fn inserted_on(planes: u32, collectives: &[(&str, u32, &str)]) -> (InsertedCollectives, Nanos) {
        let row = |name: &str, process: u32, thread: u32, start: u32, length: u32, args: &str, category: &str| {
            format!(
                r#"{{"name":"{name}","pid":{process},"tid":{thread},"ts":{start},"dur":{length},"args":{{{args}}},"cat":"{category}","ph":"X"}}"#
            )
        };
        let mut events = vec![
            r#"{"name":"process_name","pid":3,"tid":0,"args":{"name":"Ascend Hardware"},"ph":"M"}"#.to_owned(),
            r#"{"name":"thread_name","pid":3,"tid":9,"args":{"name":"Step Trace(Model ID:0)"},"ph":"M"}"#.to_owned(),
            r#"{"name":"process_name","pid":4,"tid":0,"args":{"name":"HCCL"},"ph":"M"}"#.to_owned(),
        ];
        for step in 1..4 {
            let start = 2_000 * step;
            let id = format!(r#""Iteration ID":{step}"#);
            events.push(row(&format!("Iteration {step}"), 3, 9, start, 2_000, &id, "Iteration Time"));
            let mut at = start;
            for (name, length, operator) in collectives {
                events.extend((1..=planes).map(|plane| row(name, 4, plane, at, *length, "", "")));
                let kind = r#""Task Type":"AI_CORE""#;
                events.push(row(&format!("Default/{operator}-op3"), 3, 2, at + length, 10, kind, ""));
                at += length + 10;
            }
        }
        let text = format!("[{}]", events.join(","));
        let mut loader = Loader::new("job/profiler/PROF_1/device_0/timeline/msprof_0_2_1.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        let trace = loader.finish().expect("a trace").trace;
        let digest = RankDigest::of(&trace, &analyze(&trace, &AnalysisConfig::standard()), 0, "0");
        (digest.inserted.expect("a rank of MindSpore's"), digest.steps[1].span.len())
    }

    #[test]
    fn many_short_all_reduces_ask_for_fusion_and_few_or_long_ones_do_not() {
        let of = |count: usize, length: u32| inserted(&vec![("hcom_allReduce__1_0", length, "Mul"); count]);
        let (found, step) = of(10, 50);
        assert_eq!(
            (found.all_reduces, found.small, found.small_alone, step),
            (10, 10, Nanos(500_000), Nanos(2_000_000))
        );
        assert!(found.asks_for_fusion(step) && !found.asks_for_cuts(step));
        // Beside each other, a moment counts once.
        let (found, _) = inserted_on(3, &vec![("hcom_allReduce__1_0", 50, "Mul"); 10]);
        assert_eq!((found.small, found.small_alone), (30, Nanos(500_000)));
        for (count, length) in [(7, 50), (10, 150), (10, 2)] {
            let (found, step) = of(count, length);
            assert!(!found.asks_for_fusion(step), "{count} of {length} µs: {found:?}");
        }
    }

    #[test]
    fn what_is_gathered_and_split_again_was_redistributed() {
        let (found, step) = inserted(&[("hcom_allGather__1_0", 100, "Split"), ("hcom_allGather__1_0", 100, "MatMul")]);
        assert_eq!((found.resharding, found.resharding_alone), (1, Nanos(100_000)));
        assert!(found.asks_for_cuts(step) && !found.asks_for_fusion(step));
        let (found, step) = inserted(&[("hcom_allGather__1_0", 100, "MatMul"), ("hcom_allReduce__1_0", 100, "Split")]);
        assert!(!found.asks_for_cuts(step), "{found:?}");
    }
}
