//! Stragglers in jobs of several shapes: sharded layers, experts, stages with early backward passes, hosts, no devices.

use stepscope::analyze::{StragglerCause, StragglerPlace};
use stepscope_tests::generator::{Fault, JobSpec};

use super::job::{codes, finds, job};

fn with(fault: Fault, mut spec: JobSpec) -> JobSpec {
    spec.faults.push(fault);
    spec
}

#[test]
fn nothing_is_found_in_healthy_shapes() {
    for seed in 0..4 {
        for spec in [
            JobSpec::sharded(seed),
            JobSpec { parallel: [4, 2, 1], ..JobSpec::sharded(seed) },
            JobSpec::experts(seed),
            JobSpec::one_forward_one_backward(seed),
            JobSpec { parallel: [4, 2, 2], experts: 2, sharded: true, ..JobSpec::one_forward_one_backward(seed) },
            JobSpec::gloo(seed),
        ] {
            let job = job(&spec);
            assert_eq!(job.stragglers, [], "{spec:?}");
            assert_eq!((codes(&job), job.gain), (vec![], None), "{spec:?}");
        }
    }
}

#[test]
fn a_slow_rank_of_those_that_share_each_layer() {
    for spec in [JobSpec::sharded(61), JobSpec { parallel: [4, 2, 1], ..JobSpec::sharded(61) }] {
        finds(&with(Fault::Compute(5, 30), spec), StragglerPlace::Rank(5), StragglerCause::LongerKernels);
    }
}

#[test]
fn a_slow_rank_of_those_that_share_experts() {
    let place = StragglerPlace::Rank(6);
    finds(&with(Fault::Compute(6, 30), JobSpec::experts(64)), place, StragglerCause::LongerKernels);
    finds(&with(Fault::Data(6, 3_000_000), JobSpec::experts(65)), place, StragglerCause::Data);
    finds(&with(Fault::Host(6, 3_000_000), JobSpec::experts(66)), place, StragglerCause::Host);
}

#[test]
fn a_slow_rank_of_stages_that_go_back_early() {
    for rank in [1, 4] {
        let spec = with(Fault::Compute(rank, 30), JobSpec::one_forward_one_backward(67));
        finds(&spec, StragglerPlace::Rank(rank), StragglerCause::LongerKernels);
    }
    // A late stage's wait before a step is hidden by the end of the step before, except in the first step, which is a
    // warm-up step.
    for rank in [1, 2] {
        let place = StragglerPlace::Rank(rank);
        finds(&with(Fault::Data(rank, 9_000_000), JobSpec::one_forward_one_backward(68)), place, StragglerCause::Data);
        finds(&with(Fault::Host(rank, 9_000_000), JobSpec::one_forward_one_backward(69)), place, StragglerCause::Host);
    }
}

#[test]
fn a_stage_that_goes_back_early_and_has_more_to_do() {
    let spec = with(Fault::Stage(2, 60), JobSpec::one_forward_one_backward(70));
    finds(&spec, StragglerPlace::Stage(2), StragglerCause::Stage);
}

/// A slow link within a host is found, although links between hosts are slower still.
#[test]
fn a_slow_link_within_a_host() {
    let spec = JobSpec { bytes: [40_000_000, 0, 1_000_000], ..JobSpec::one_forward_one_backward(71) };
    finds(&with(Fault::Link(4, 6, 300), spec), StragglerPlace::Link([4, 6]), StragglerCause::Link);
}

/// The slow group is found among several equal ones.
fn finds_group(spec: &JobSpec, ranks: &[u64]) {
    let job = job(spec);
    assert_eq!(job.stragglers.len(), 1, "{:?}", job.stragglers);
    let slow = &job.stragglers[0];
    assert_eq!((slow.place.ranks(&job), slow.cause), (ranks.to_vec(), StragglerCause::Link));
    finds(spec, slow.place, StragglerCause::Link);
}

#[test]
fn a_slow_group_that_shares_gradients() {
    let replicas = JobSpec { parallel: [4, 4, 1], bytes: [0, 1_000_000, 60_000_000], ..JobSpec::data_parallel(72) };
    finds_group(&with(Fault::Replicas(5, 300), replicas), &[1, 5, 9, 13]);
}

/// Computation of a processor while Gloo runs is not exposed communication.
#[test]
fn a_slow_rank_without_a_device() {
    let place = StragglerPlace::Rank(2);
    finds(&with(Fault::Data(2, 4_000_000), JobSpec::gloo(75)), place, StragglerCause::Data);
    finds(&with(Fault::Compute(2, 30), JobSpec::gloo(74)), place, StragglerCause::Compute);
}

/// A rank that is late once per step is last in one of 36 collectives: its share of votes is small, that of the waiting
/// time is not.
#[test]
fn a_rank_that_begins_late_among_those_that_share_each_layer() {
    let place = StragglerPlace::Rank(5);
    finds(&with(Fault::Data(5, 4_000_000), JobSpec::sharded(62)), place, StragglerCause::Data);
    finds(&with(Fault::Host(5, 4_000_000), JobSpec::sharded(63)), place, StragglerCause::Host);
}

/// It is reported once, although both of its operations are slow, and with the gain of both.
#[test]
fn a_slow_group_that_shares_layers() {
    let replicas = JobSpec { parallel: [4, 4, 1], bytes: [0, 0, 60_000_000], host: None, ..JobSpec::sharded(72) };
    finds_group(&with(Fault::Replicas(5, 300), replicas), &[1, 5, 9, 13]);
}

/// The other groups run ahead, and come to the sums of gradients long before the slow one does.
#[test]
fn a_slow_group_that_shares_experts() {
    let experts = JobSpec { parallel: [16, 1, 1], bytes: [60_000_000, 0, 1_000_000], ..JobSpec::experts(73) };
    finds_group(&with(Fault::Experts(6, 300), experts), &[4, 5, 6, 7]);
}
