//! Results for jobs of several shapes, compared with the truth: counts, bytes, times, bandwidths, columns.

use stepscope::Nanos;
use stepscope::analyze::{CollectiveRow, Job, JobGroup, ParallelKind, ParallelSource, RankRow};
use stepscope_tests::generator::{CollectiveTruth, JobSpec, JobTruth, Library, LinkTruth, RankTruth, Schedule, Tells};

use super::job::{job, sizes};

/// Every shape.
fn shapes(seed: u64) -> Vec<JobSpec> {
    vec![
        JobSpec::data_parallel(seed),
        JobSpec::sharded(seed),
        JobSpec { parallel: [4, 2, 1], ..JobSpec::sharded(seed) },
        JobSpec::experts(seed),
        JobSpec { details: true, host: Some(8), ..JobSpec::three_dimensional(seed) },
        JobSpec { details: true, ..JobSpec::one_forward_one_backward(seed) },
        JobSpec { schedule: Schedule::OneForwardOneBackward, ..JobSpec::three_dimensional(seed) },
        JobSpec { parallel: [4, 2, 2], experts: 2, sharded: true, ..JobSpec::one_forward_one_backward(seed) },
    ]
}

/// Means are of whole nanoseconds.
#[track_caller]
fn mean_is(found: Nanos, sum: i64, count: u64, what: &str) {
    let count = i64::try_from(count).expect("a count");
    assert!((found.0 * count - sum).abs() <= count, "{what}: {} is not the {count}th part of {sum}", found.0);
}

#[track_caller]
#[expect(clippy::cast_precision_loss, reason = "bytes and lengths, for a rate")]
fn rate_is(found: Option<f64>, bytes: i64, time: i64, what: &str) {
    let expected = bytes as f64 / time as f64 * 1e9;
    assert!(found.is_some_and(|found| (found / expected - 1.0).abs() < 1e-9), "{what}: {found:?}, not {expected}");
}

/// The group of a row.
fn group_of<'a>(job: &'a Job, row: &CollectiveRow) -> &'a JobGroup {
    &job.groups[row.group.expect("a group")]
}

fn collectives_are(job: &Job, truth: &[CollectiveTruth]) {
    let rows: Vec<&CollectiveRow> = job.collectives.iter().filter(|row| row.group.is_some()).collect();
    assert_eq!(rows.len(), truth.len(), "{rows:?}");
    for of in truth {
        let such = |row: &&&CollectiveRow| row.kind.name() == of.kind && group_of(job, row).ranks == of.ranks;
        let what = format!("{} of {:?}", of.kind, of.ranks);
        let row = rows.iter().find(such).expect(&what);
        assert_eq!((row.count, row.matched, row.incomplete), (of.count, of.count, 0), "{what}");
        assert_eq!(row.bytes.map(u64::cast_signed), Some(of.bytes), "{what}");
        let sums = row.sums.expect("matched");
        assert_eq!((sums.transfer.0, sums.wait.0), (of.transfer_of_parts, of.wait), "{what}");
        mean_is(row.mean_skew.expect("a clock"), of.skew, of.count, &what);
        assert_eq!(row.max_skew, Some(Nanos(of.max_skew)), "{what}");
        rate_is(row.algorithm_bandwidth, of.bytes, of.transfer, &what);
        rate_is(row.bus_bandwidth, of.carried, of.transfer, &what);
    }
    for all in job.collectives.iter().filter(|row| row.group.is_none()) {
        let of = || truth.iter().filter(|of| of.kind == all.kind.name());
        assert_eq!(all.count, of().map(|of| of.count).sum::<u64>());
        assert_eq!(all.sums.expect("matched").wait.0, of().map(|of| of.wait).sum::<i64>());
        rate_is(all.bus_bandwidth, of().map(|of| of.carried).sum(), of().map(|of| of.transfer).sum(), all.kind.name());
    }
}

fn links_are(job: &Job, truth: &[LinkTruth]) {
    assert_eq!(job.links.len(), truth.len());
    for of in truth {
        let link = job.links.iter().find(|link| (link.from, link.to) == (of.from, of.to)).expect("the link");
        let found = (link.across_hosts, link.count, link.bytes.map(u64::cast_signed), link.transfer.0, link.wait.0);
        assert_eq!(found, (of.across_hosts, of.count, Some(of.bytes), of.transfer, of.wait), "{of:?}");
        rate_is(link.bandwidth, of.bytes, of.transfer, "a link");
    }
}

fn rank_is(spec: &JobSpec, row: &RankRow, of: &RankTruth) {
    let steps = spec.steps as u64;
    assert_eq!((row.steps, &row.host), (steps, &of.host), "rank {}", row.rank);
    let device = i64::try_from(spec.host.map_or(0, |ranks| row.rank % ranks)).expect("small");
    assert_eq!(row.devices, [(device, "NVIDIA H100".to_owned())], "rank {}", row.rank);
    let is = |found, sum, column: &str| mean_is(found, sum, steps, &format!("{column} of rank {}", row.rank));
    let told = |found: Option<Nanos>, sum, column: &str| is(found.expect(column), sum, column);
    is(row.step, of.step, "step");
    told(row.compute, of.compute, "compute");
    told(row.communication, of.communication, "communication");
    told(row.communication_alone, of.communication_alone, "communication alone");
    told(row.memcpy, of.copy, "copies");
    told(row.idle, of.idle, "idle");
    told(row.own, of.step - of.communication_alone, "own");
    assert_eq!(row.stage.is_some(), spec.parallel[2] > 1);
    if let Some((receive, stage)) = row.receive_alone.zip(row.stage_time) {
        is(receive, of.receive_alone, "receiving alone");
        is(stage, of.step - of.receive_alone, "stage time");
    }
    if spec.details {
        let found = row.step_trace.expect("a step trace");
        let parts = ["interval", "forward and backward", "tail"];
        for ((found, sum), part) in found.into_iter().zip(of.step_trace).zip(parts) {
            mean_is(found, sum, steps - 1, &format!("{part} of rank {}", row.rank));
        }
        assert_eq!((row.flops, row.memory_peak), (Some(of.flops / steps), Some(of.memory_peak)), "rank {}", row.rank);
    } else {
        assert_eq!((row.step_trace, row.flops, row.memory_peak), (None, None, None));
    }
}

#[test]
fn every_number_is_the_true_one() {
    for spec in shapes(51) {
        let (job, truth): (Job, JobTruth) = (job(&spec), spec.truth());
        assert_eq!(job.warnings, [], "{spec:?}");
        collectives_are(&job, &truth.collectives);
        links_are(&job, &truth.links);
        assert_eq!(job.ranks.len(), truth.ranks.len());
        for (row, of) in job.ranks.iter().zip(&truth.ranks) {
            rank_is(&spec, row, of);
        }
    }
}

/// 1.75 times the bytes on the bus for a sum of eight, seven eighths for gathers, scatters and exchanges.
#[test]
fn the_wire_is_the_same_whatever_goes_over_it() {
    let job = job(&JobSpec::sharded(52));
    // 20 MB to and from seven others, at 100 GB/s, and 8 µs before it.
    let expected = 17.5e6 / (8e-6 + 17.5e6 / 100e9);
    for kind in ["all_gather", "reduce_scatter"] {
        let row = job.collectives.iter().find(|row| row.kind.name() == kind).expect("a row");
        let (bus, algorithm) = (row.bus_bandwidth.expect("a rate"), row.algorithm_bandwidth.expect("a rate"));
        assert!((bus / expected - 1.0).abs() < 1e-6 && (bus / algorithm - 0.875).abs() < 1e-9, "{kind}: {row:?}");
    }
}

#[test]
fn how_shapes_are_spread() {
    use ParallelKind::{Data, Expert, Pipeline, Tensor};
    // Neighboring ranks are taken for tensor parallelism if the traces do not define it.
    let told = [(JobSpec::one_forward_one_backward(53), vec![(Data, 2), (Pipeline, 4)])];
    let shown = [
        (JobSpec::sharded(53), vec![(Data, 8)]),
        (JobSpec { parallel: [4, 2, 1], ..JobSpec::sharded(53) }, vec![(Data, 4), (Tensor, 2)]),
        (JobSpec::experts(53), vec![(Data, 8), (Expert, 4)]),
        (
            JobSpec { parallel: [4, 2, 2], experts: 2, ..JobSpec::one_forward_one_backward(53) },
            vec![(Data, 4), (Tensor, 2), (Pipeline, 2), (Expert, 2)],
        ),
    ];
    let described = told.iter().chain(&shown).map(|case| (case, Tells::All, ParallelSource::Described));
    let by_shape = shown.iter().map(|case| (case, Tells::NoPurpose, ParallelSource::Shape));
    for ((spec, expected), tells, source) in described.chain(by_shape) {
        let job = job(&JobSpec { tells, ..spec.clone() });
        assert_eq!(sizes(&job), *expected, "{tells:?} {spec:?}");
        assert!(job.groups.iter().all(|group| group.parallel.is_some_and(|(_, found)| found == source)));
    }
}

/// The traces name hosts, and a link between hosts is slower by four than one within a host.
#[test]
fn links_across_hosts() {
    let spec = JobSpec { bytes: [40_000_000, 0, 20_000_000], ..JobSpec::one_forward_one_backward(54) };
    let job = job(&spec);
    let hosts: Vec<&str> = job.ranks.iter().map(|row| row.host.as_str()).collect();
    assert_eq!(hosts, ["node0", "node0", "node0", "node0", "node1", "node1", "node1", "node1"]);
    for link in &job.links {
        let across = (link.from < 4) != (link.to < 4);
        let rate = if across { 25e9 } else { 100e9 };
        let expected = 40e6 / (8e-6 + 40e6 / rate);
        assert_eq!(link.across_hosts, Some(across), "{link:?}");
        assert!((link.bandwidth.expect("a rate") / expected - 1.0).abs() < 1e-6, "{link:?}");
    }
    assert_eq!(job.links.iter().filter(|link| link.across_hosts == Some(true)).count(), 4);
}

/// Without devices: Gloo's operations are matched by their order, with their true transfer and waiting times; there are
/// no bytes.
#[test]
fn ranks_without_devices() {
    for spec in [JobSpec::gloo(55), JobSpec { sharded: true, ..JobSpec::gloo(55) }] {
        assert_eq!(spec.library, Library::Gloo);
        let (job, truth) = (job(&spec), spec.truth());
        assert_eq!(job.warnings, []);
        for of in &truth.collectives {
            let such = |row: &&CollectiveRow| row.group.is_none() && row.kind.name() == of.kind;
            let row = job.collectives.iter().find(such).expect("a row");
            assert_eq!((row.count, row.matched, row.bytes), (of.count, of.count, None));
            let sums = row.sums.expect("matched");
            assert_eq!((sums.transfer.0, sums.wait.0), (of.transfer_of_parts, of.wait));
            assert_eq!(row.max_skew, Some(Nanos(of.max_skew)));
        }
        for (row, of) in job.ranks.iter().zip(&truth.ranks) {
            let steps = spec.steps as u64;
            mean_is(row.step, of.step, steps, "step");
            // The operators that request collectives take their time, too.
            let is_near = |found: Option<Nanos>, expected: i64| {
                found.is_some_and(|found| (found.0 * steps as i64 - expected).abs() < of.compute / 500)
            };
            assert!(is_near(row.compute, of.compute), "{row:?}");
            mean_is(row.communication.expect("Gloo's"), of.communication, steps, "communication");
            assert!(is_near(row.communication_alone, of.communication_alone), "{row:?}");
        }
    }
}
