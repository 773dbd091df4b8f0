//! Launches, queues and idle time against the truth: METRICS section 5.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::{prop_assert, prop_assert_eq};
use proptest::test_runner::TestCaseError;
use stepscope::analyze::{
    AdviceConfig, AnalysisConfig, BudgetLeaf, EdgeSide, Exemption, FirstLine, HostActivity, IdleClass, IdleLeaf,
    IdleTimes, Missing, QueueLength, QueuesConfig, advice, budget, launch_rows, overview, queues,
};
use stepscope::{Code, Nanos, Rank};
use stepscope_tests::files::load;
use stepscope_tests::generator::{LaunchTruth, Truth};

/// A span of the truth.
type Span = (i64, i64);

/// Every launching call of a stream, with its activity.
fn launched(truth: &Truth, stream: i64) -> Vec<(Span, Span)> {
    let here = truth.launches.iter().filter(|launch| launch.stream == stream);
    here.filter_map(|launch| Some((launch.call?, launch.activity))).collect()
}

fn streams(truth: &Truth) -> BTreeSet<i64> {
    truth.launches.iter().map(|launch| launch.stream).collect()
}

/// Each call launches one activity.
pub(crate) fn same_launches(rank: &Rank, truth: &Truth) -> Result<(), TestCaseError> {
    let mut expected: Vec<[i64; 4]> = Vec::new();
    for launch in &truth.launches {
        let (Some(call), (start, end)) = (launch.call, launch.activity) else { continue };
        expected.push([call.0, call.1 - call.0, end - start, (start - call.1).max(0)]);
    }
    expected.sort_unstable();
    let start = |launch: &stepscope::analyze::Launch| rank.trace.slices.start(launch.call).0;
    let mut found: Vec<[i64; 4]> =
        launch_rows(&rank.trace).iter().map(|one| [start(one), one.cpu.0, one.gpu.0, one.delay.0]).collect();
    found.sort_unstable();
    // The trace has another zero.
    let shift = expected.first().map_or(0, |row| row[0]) - found.first().map_or(0, |row| row[0]);
    for row in &mut found {
        row[0] += shift;
    }
    prop_assert_eq!(&found, &expected);
    let launches = &rank.analysis.launches;
    prop_assert_eq!(launches.unlinked, (truth.launches.len() - expected.len()) as u64);
    let count = |wanted: fn(&[i64; 4]) -> bool| expected.iter().filter(|row| wanted(row)).count() as u64;
    let flags = [count(|row| row[2] < row[1]), count(|row| row[1] > 50_000), count(|row| row[3] > 100_000)];
    prop_assert_eq!([launches.total.short, launches.total.slow, launches.total.delayed], flags);
    Ok(())
}

/// The mean length is the sum of the waits over the window; the maximum is at a call's start.
#[expect(clippy::cast_precision_loss, reason = "compared with a tolerance")]
fn same_length(found: &QueueLength, waits: &[Span]) -> Result<(), TestCaseError> {
    let first = waits.iter().map(|(from, _)| *from).min().unwrap_or_default();
    let last = waits.iter().map(|(_, to)| *to).max().unwrap_or_default();
    prop_assert_eq!(found.window.len().0, last - first);
    let at = |moment: i64| waits.iter().filter(|(from, to)| *from <= moment && moment <= *to).count() as u64;
    prop_assert_eq!(found.max, waits.iter().map(|(from, _)| at(*from)).max().unwrap_or_default());
    let mean = waits.iter().map(|(from, to)| to - from).sum::<i64>() as f64 / (last - first) as f64;
    prop_assert!(found.mean.is_some_and(|found| (found - mean).abs() < 1e-9), "{:?} is not {}", found.mean, mean);
    for (moment, length) in &found.curve {
        let moment = moment.0 - found.window.start.0 + first;
        let open = waits.iter().filter(|(from, to)| *from <= moment && moment < *to).count() as u64;
        prop_assert_eq!(*length, open, "at {}", moment);
    }
    Ok(())
}

/// Compares queues; one of two launches is full.
pub(crate) fn same_queues(rank: &Rank, truth: &Truth) -> Result<(), TestCaseError> {
    let config = QueuesConfig { full: Some(2), ..QueuesConfig::standard() };
    let found = queues(&rank.trace, &config);
    let expected: Vec<(i64, Vec<(Span, Span)>)> = streams(truth)
        .into_iter()
        .map(|stream| (stream, launched(truth, stream)))
        .filter(|(_, launched)| !launched.is_empty())
        .collect();
    prop_assert_eq!(found.len(), expected.len());
    for (queue, (stream, launched)) in found.iter().zip(expected) {
        prop_assert_eq!((queue.stream.stream, queue.calls), (stream, launched.len() as u64));
        let waiting: Vec<Span> = launched.iter().map(|(call, activity)| (call.0, activity.0)).collect();
        let in_flight: Vec<Span> = launched.iter().map(|(call, activity)| (call.0, activity.1)).collect();
        same_length(&queue.waiting, &waiting)?;
        same_length(&queue.in_flight, &in_flight)?;
        // Lengths are constant between two changes.
        let moments: BTreeSet<i64> = waiting.iter().flat_map(|(from, to)| [*from, *to]).collect();
        let moments: Vec<i64> = moments.into_iter().collect();
        let open = |at: i64| waiting.iter().filter(|(from, to)| *from <= at && at < *to).count();
        let full: i64 = moments.windows(2).filter(|pair| open(pair[0]) >= 2).map(|pair| pair[1] - pair[0]).sum();
        prop_assert_eq!(queue.blocked.0, full);
    }
    Ok(())
}

/// A stream's gaps, by the definition.
fn classes(activities: &[&LaunchTruth]) -> ([i64; 4], [u64; 4], i64) {
    let (mut times, mut gaps) = ([0; 4], [0; 4]);
    let mut end = activities.first().map_or(0, |first| first.activity.0);
    for launch in activities {
        let gap = launch.activity.0 - end;
        if gap > 0 {
            let class = match launch.call {
                None => IdleClass::Unknown,
                Some((start, _)) if start > end => IdleClass::HostWait,
                Some(_) if gap < 30_000 => IdleClass::KernelWait,
                Some(_) => IdleClass::Other,
            };
            times[class as usize] += gap;
            gaps[class as usize] += 1;
        }
        end = end.max(launch.activity.1);
    }
    (times, gaps, end - activities.first().map_or(0, |first| first.activity.0))
}

/// Whether a stream's first activity starts more than 30 µs after its call and after the device's other work: as far as a
/// trace shows, the stream may have been busy with work from before the recording.
fn starts_late(truth: &Truth) -> bool {
    streams(truth).into_iter().any(|stream| {
        let here = truth.launches.iter().filter(|launch| launch.stream == stream);
        let Some(first) = here.min_by_key(|launch| launch.activity) else { return false };
        let Some((_, returned)) = first.call else { return false };
        let start = first.activity.0;
        let before = truth.launches.iter().map(|launch| launch.activity).filter(|other| other.0 < start);
        let since = before.map(|other| other.1).max().unwrap_or(returned).max(returned);
        start - since > 30_000
    })
}

/// The device's idle time is counted by the simulation, moment by moment; the streams' follows the definition.
pub(crate) fn same_idle(rank: &Rank, truth: &Truth) -> Result<(), TestCaseError> {
    prop_assert_eq!(rank.analysis.idle.len(), 1);
    let device = &rank.analysis.idle[0];
    // The simulation has no work from before the recording; one trace in a hundred looks as if it had.
    if rank.analysis.devices[0].uncovered.len() > Nanos::ZERO {
        prop_assert!(starts_late(truth));
        return Ok(());
    }
    prop_assert_eq!(device.times.classes.map(|time| time.0), truth.idle.classes);
    prop_assert_eq!(device.times.gaps, truth.idle.gaps);
    // The simulation does not distinguish late starts from launching: launched work is on its way.
    let mut host = device.times.host.map(|time| time.0).to_vec();
    let late = host.pop().unwrap_or_default();
    host[HostActivity::Launching as usize] += late;
    // Nor does it distinguish ranges from unrecorded time.
    let range = host.remove(HostActivity::Range as usize);
    host[HostActivity::Range as usize] += range;
    prop_assert_eq!(host, truth.idle.host);
    prop_assert_eq!(device.times.idle().0, truth.device.idle);
    let mut found: BTreeMap<i64, IdleTimes> =
        device.streams.iter().map(|(stream, times)| (stream.stream, *times)).collect();
    for stream in streams(truth) {
        let mut here: Vec<&LaunchTruth> = truth.launches.iter().filter(|launch| launch.stream == stream).collect();
        here.sort_by_key(|launch| launch.activity);
        let times = found.remove(&stream).unwrap_or_default();
        let (expected, gaps, window) = classes(&here);
        prop_assert_eq!((times.classes.map(|time| time.0), times.gaps), (expected, gaps), "stream {}", stream);
        prop_assert_eq!(times.window.0, window);
    }
    prop_assert!(found.is_empty(), "{:?}", found);
    let first = truth.launches.iter().map(|launch| launch.activity.0).min().unwrap_or_default();
    let last = truth.launches.iter().map(|launch| launch.activity.1).max().unwrap_or_default();
    let lead_in: i64 = truth.steps.iter().map(|step| (step.span.1.min(first) - step.span.0).max(0)).sum();
    let lead_out: i64 = truth.steps.iter().map(|step| (step.span.1 - step.span.0.max(last)).max(0)).sum();
    prop_assert_eq!([device.before_first.0 + device.lead_in.0, device.lead_out.0], [lead_in, lead_out]);
    for edge in device.edges.iter().filter(|edge| edge.side != EdgeSide::BeforeFirst) {
        let host = edge.host.map(|host| host.times.iter().copied().sum::<Nanos>());
        prop_assert_eq!(host, Some(edge.span.len()));
    }
    let long: Nanos = device.longest.iter().map(|listed| listed.gap.span.len()).sum();
    prop_assert!(long <= device.long_gaps_time && device.long_gaps_time <= device.times.idle());
    Ok(())
}

/// Launches during a graph's capture are recorded into it: the device is idle.
#[test]
fn launches_inside_a_capture_are_told_apart() {
    let call = |name: &str, start: u32, number: u32| {
        format!(
            r#"{{"ph":"X","cat":"cuda_runtime","name":"{name}","pid":1,"tid":1,"ts":{start},"dur":5,"args":{{"correlation":{number}}}}}"#
        )
    };
    let kernel = r#"{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":20,"dur":10,"args":{"correlation":1}}"#;
    let events = [
        r#"{"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":200}"#.to_owned(),
        call("cudaLaunchKernel", 10, 1),
        kernel.to_owned(),
        call("cudaStreamBeginCapture", 50, 2),
        call("cudaLaunchKernel", 60, 3),
        call("cudaLaunchKernel", 70, 4),
        call("cudaStreamEndCapture", 80, 5),
    ];
    let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(","));
    let loaded = load("capture.json", text.as_bytes(), 4096).expect("a trace");
    let rank = Rank::new("capture.json", 0, loaded, &AnalysisConfig::standard());
    let count = |code: Code| rank.warnings.iter().find(|warning| warning.code == code).map(|warning| warning.count);
    assert_eq!((count(Code::CapturedLaunches), count(Code::LaunchWithoutActivity)), (Some(2), None));
    let time = rank.analysis.step_devices[0][0];
    assert_eq!((time.uncovered, time.idle), (Nanos::ZERO, Nanos(190_000)));
}

/// The recording of the device ends while the host continues: its last launches have no kernels.
#[test]
fn launches_without_activity_are_told_and_no_idle_time() {
    let event = |category: &str, name: &str, thread: u32, start: u32, length: u32, correlation: u32| {
        format!(
            r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":{},"tid":{thread},"ts":{start},"dur":{length},"args":{{"correlation":{correlation}}}}}"#,
            u32::from(thread == 1)
        )
    };
    let launch = |number: u32| event("cuda_runtime", "cudaLaunchKernel", 1, 100 * number, 5, number);
    let mut events = vec![event("user_annotation", "ProfilerStep#3", 1, 0, 2_000, 0)];
    events.extend((1..20).map(launch));
    events.extend((1..10).map(|number| event("kernel", "gemm", 7, 100 * number + 10, 80, number)));
    let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(","));
    let loaded = load("cut.json", text.as_bytes(), 4096).expect("a trace");
    let rank = Rank::new("cut.json", 0, loaded, &AnalysisConfig::standard());
    let warning = rank.warnings.iter().find(|warning| warning.code == Code::LaunchWithoutActivity).expect("a warning");
    assert_eq!((warning.count, warning.example.as_str()), (10, "10 of 19 launching calls"));
    // From the first launch without a kernel on.
    let time = rank.analysis.step_devices[0][0];
    assert_eq!((time.uncovered, time.busy), (Nanos(1_000_000), Nanos(720_000)));
    assert_eq!(overview(&rank.analysis, None).tiles.map(|tile| tile.share.is_some()), [false; 5]);
    let times = &budget(&rank.trace, &rank.analysis).devices[0].windows[0];
    assert_eq!(times.get(BudgetLeaf::Idle(IdleLeaf::Uncovered)), Nanos(1_000_000));
    assert!(rank.missing.contains(&Missing::Start));
    let gaps = rank.analysis.idle[0].edges.iter().map(|edge| edge.span.len()).max();
    assert!(gaps < Some(Nanos(200_000)), "{gaps:?}");
    let rules = advice(&rank.trace, &rank.analysis, &AdviceConfig::default());
    assert!(rules.iter().all(|rule| rule.rule.id != "long_gaps" || !rule.holds));
}

/// Steps of 200 µs, each with a kernel; in one of them a graph is captured.
fn capturing(steps: u32, capturing: u32) -> Rank {
    let mut events = Vec::new();
    for step in 0..steps {
        let at = 200 * step;
        let mut call = |name: &str, start: u32, number: u32| {
            events.push(format!(
                r#"{{"ph":"X","cat":"cuda_runtime","name":"{name}","pid":1,"tid":1,"ts":{},"dur":5,"args":{{"correlation":{}}}}}"#,
                at + start,
                10 * step + number
            ));
        };
        call("cudaLaunchKernel", 10, 1);
        if step == capturing {
            call("cudaStreamBeginCapture", 50, 2);
            call("cudaLaunchKernel", 60, 3);
            call("cudaStreamEndCapture", 150, 4);
        }
        events.push(format!(
            r#"{{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{step}","pid":1,"tid":1,"ts":{at},"dur":200}},
            {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":{},"dur":150,"args":{{"correlation":{}}}}}"#,
            at + 20,
            10 * step + 1
        ));
    }
    let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(","));
    let loaded = load("capture.json", text.as_bytes(), 4096).expect("a trace");
    Rank::new("capture.json", 0, loaded, &AnalysisConfig::standard())
}

/// A step that captures a graph is not a steady step: averages leave it out, and if it is the only one, no gain is
/// promised.
#[test]
fn a_step_that_captures_a_graph_is_no_steady_step() {
    let several = capturing(4, 1);
    assert_eq!(several.analysis.steps.counted(), [0, 2, 3]);
    let warned = |rank: &Rank| rank.warnings.iter().any(|warning| warning.code == Code::CaptureStep);
    assert!(warned(&several) && !several.missing.contains(&Missing::SteadyStep));
    let alone = capturing(1, 0);
    assert!(warned(&alone) && alone.missing == [Missing::SteadyStep], "{:?}", alone.missing);
    assert_eq!(alone.step_budget().map(|budget| budget.first), Some(FirstLine::CapturesGraph));
    let mut config = AdviceConfig::default();
    assert!(config.set_threshold("low_utilization", 1.0) && config.set_threshold("long_gaps", 1.0));
    let judged = advice(&alone.trace, &alone.analysis, &config);
    assert!(judged.iter().all(|one| one.gain().is_none()));
    let utilization = judged.iter().find(|one| one.rule.id == "low_utilization").expect("the rule");
    assert_eq!((utilization.holds, utilization.exemption()), (false, Some(Exemption::CapturesGraph)));
    assert!(!warned(&capturing(4, 9)));
}
