//! The step trace, throughput and other tools' summaries, compared with the truth.

use proptest::prelude::{prop_assert, prop_assert_eq};
use proptest::test_runner::TestCaseError;
use stepscope::analyze::{MODEL, PointSource, nvprof_summary, paddle_summary};
use stepscope::trace::Class;
use stepscope::{Nanos, Rank};
use stepscope_tests::generator::Truth;

/// METRICS section 3, "MindSpore's step trace": from the end of the step before to the first forward activity, to the
/// last backward one, to the end.
pub(crate) fn same_step_trace(rank: &Rank, truth: &Truth) -> Result<(), TestCaseError> {
    let steps = &rank.analysis.steps.steps;
    let Some(found) = &rank.analysis.step_trace else {
        return Err(TestCaseError::fail("no step trace"));
    };
    prop_assert_eq!(found.source, PointSource::Device);
    let whole: Vec<usize> = (0..steps.len()).filter(|index| !steps[*index].partial).collect();
    prop_assert_eq!(found.steps.len(), whole.len());
    for (row, index) in found.steps.iter().zip(whole) {
        let step = &truth.steps[index];
        let start = if index > 0 { truth.steps[index - 1].span.1 } else { step.span.0 };
        let (forward, backward) = (step.forward_start.unwrap_or(start), step.backward_end.unwrap_or(start));
        prop_assert_eq!(&row.name, &step.name);
        let parts = [row.total, row.iteration_interval, row.forward_and_backward, row.tail].map(|part| part.0);
        let expected = [step.span.1 - start, forward - start, backward - forward, step.span.1 - backward];
        prop_assert_eq!(parts, expected);
        prop_assert_eq!(parts[0], parts[1..].iter().sum::<i64>());
        let collectives: Vec<(i64, i64)> = row
            .collectives
            .iter()
            .map(|id| ((rank.trace.slices.start(*id) - row.start).0, rank.trace.slices.length(*id).0))
            .collect();
        let expected: Vec<(i64, i64)> = step.collectives.iter().map(|(from, to)| (from - start, to - from)).collect();
        prop_assert_eq!(collectives, expected);
    }
    // The average leaves out the first step.
    let counted = if found.steps.len() > 1 { &found.steps[1..] } else { &found.steps[..] };
    let sum: Nanos = counted.iter().map(|step| step.total).sum();
    let count = i64::try_from(counted.len()).unwrap_or(i64::MAX);
    prop_assert!((found.average.total.0 * count - sum.0).abs() * 2 <= count);
    Ok(())
}

/// METRICS section 3, "Throughput".
#[expect(clippy::cast_precision_loss, reason = "compared with a tolerance")]
pub(crate) fn same_benchmark(rank: &Rank, truth: &Truth) -> Result<(), TestCaseError> {
    let Some(found) = &rank.analysis.benchmark else {
        return Err(TestCaseError::fail("no throughput"));
    };
    let counted = rank.analysis.steps.counted();
    let seconds = |nanos: i64| nanos as f64 / 1e9;
    // Steps are consecutive; the time between two belongs to the first one.
    let end = |index: usize| truth.steps.get(index + 1).map(|next| next.host.0);
    // A step alone takes until its devices have finished.
    let alone = |index: usize| {
        let step = &truth.steps[index];
        (step.host.1 - step.host.0).max(step.span.1 - step.span.0)
    };
    let cost = |index: usize| end(index).map_or_else(|| alone(index), |end| end - truth.steps[index].host.0);
    let followed: Vec<usize> = counted.iter().copied().filter(|index| end(*index).is_some()).collect();
    let chosen = if followed.is_empty() { &counted } else { &followed };
    let steps: Vec<_> = chosen.iter().map(|index| &truth.steps[*index]).collect();
    let batches: Vec<f64> = chosen.iter().map(|index| seconds(cost(*index))).collect();
    let waits: Vec<f64> = steps.iter().map(|step| seconds(step.phases_host[0])).collect();
    let sum = |values: &[f64]| values.iter().sum::<f64>();
    let (batch, wait) = (sum(&batches), sum(&waits));
    let close = |found: f64, expected: f64| (found - expected).abs() <= 1e-9 * expected.abs().max(1.0);
    prop_assert_eq!((found.steps, found.of), (steps.len() as u64, counted.len() as u64));
    prop_assert_eq!(found.own_lengths, followed.is_empty());
    prop_assert!(close(found.batch_cost.avg, batch / batches.len() as f64));
    prop_assert!(close(found.batch_cost.max, batches.iter().copied().fold(0.0, f64::max)));
    prop_assert!(close(found.batch_cost.min, batches.iter().copied().fold(f64::MAX, f64::min)));
    prop_assert!(close(found.ips.avg, batches.len() as f64 / batch));
    prop_assert!(close(found.ips.max, 1.0 / found.batch_cost.min) && close(found.ips.min, 1.0 / found.batch_cost.max));
    let Some(reader) = found.reader_cost else { return Err(TestCaseError::fail("no wait for data")) };
    prop_assert!(close(reader.avg, wait / waits.len() as f64));
    prop_assert!(found.reader_ratio.is_some_and(|ratio| close(ratio, wait / batch)));
    Ok(())
}

/// Paddle's and nvprof's summaries of a run of another framework.
pub(crate) fn same_summaries(rank: &Rank, truth: &Truth) -> Result<(), TestCaseError> {
    let summary = paddle_summary(&rank.trace, &rank.analysis.steps, false);
    let steps: i64 = truth.steps.iter().map(|step| step.host.1 - step.host.0).sum();
    prop_assert_eq!(summary.steps.0, steps);
    let row = |name: &str| summary.model.iter().find(|(known, _)| *known == name).map(|(_, times)| *times);
    let step = row(MODEL[0]).unwrap_or_default();
    prop_assert_eq!((step.calls, step.host.total.0), (truth.steps.len() as u64, steps));
    // In the order of METRICS' phases: data loading, optimizer, backward, forward.
    let mut rest = steps;
    for (phase, name) in ["Dataloader", "Optimization", "Backward", "Forward"].into_iter().enumerate() {
        let calls: u64 = truth.steps.iter().map(|step| step.phases_calls[phase]).sum();
        let host: i64 = truth.steps.iter().map(|step| step.phases_host[phase]).sum();
        let found = row(name).unwrap_or_default();
        prop_assert_eq!((found.calls, found.host.total.0), (calls, host), "{}", name);
        rest -= host;
    }
    prop_assert_eq!(summary.others[0].0, rest);
    for operator in &summary.operators {
        let name = rank.trace.strings.get(operator.name);
        let expected = truth.operators.get(name).copied().unwrap_or_default();
        prop_assert_eq!((operator.times.calls, operator.times.host.total.0), (expected.calls, expected.host_total));
    }
    // Paddle has no activities without a call.
    let lengths = |linked: bool| {
        let wanted = truth.launches.iter().filter(move |launch| launch.call.is_some() || !linked);
        wanted.map(|launch| launch.activity.1 - launch.activity.0).sum::<i64>()
    };
    let kernels =
        rank.trace.activities.iter().filter(|activity| {
            activity.call.get().is_some() && rank.trace.slices.class(activity.event) == Class::Kernel
        });
    prop_assert_eq!(summary.kernels.iter().map(|(_, time)| time.calls).sum::<u64>(), kernels.count() as u64);
    prop_assert_eq!(step.device.total.0, lengths(true));
    let nvprof = nvprof_summary(&rank.trace);
    prop_assert_eq!(nvprof.activities.iter().map(|(_, time)| time.total.0).sum::<i64>(), lengths(false));
    prop_assert_eq!(nvprof.activities.iter().map(|(_, time)| time.calls).sum::<u64>(), truth.launches.len() as u64);
    Ok(())
}
