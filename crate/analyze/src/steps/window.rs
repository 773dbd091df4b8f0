//! The time for which the profiler recorded, as its marks show it, and the parts of steps outside of it. METRICS section 3.

use super::step::Step;
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Class, Layer, Trace};

/// The instant event at which libkineto stops recording: nothing that begins later is in the trace.
const END: &str = "Record Window End";

/// The beginning of the names of the instant events at which its profilers start.
const START: &str = "Iteration Start: ";

/// The times of the profiler's marks.
fn marked<'a>(trace: &'a Trace, is_mark: impl Fn(&str) -> bool + 'a) -> impl Iterator<Item = Nanos> + 'a {
    let is_profilers = |track: usize| trace.tracks.get(track).is_some_and(|track| track.layer == Layer::Profiler);
    let marks = trace.instants.iter().filter(move |mark| is_profilers(mark.track.index()));
    marks.filter(move |mark| is_mark(trace.strings.get(mark.name))).map(|mark| mark.at)
}

/// Cuts steps to the time for which the profiler recorded: what is outside counts as neither busy nor idle, and such a
/// step is partial.
///
/// Devices may begin before the profilers: a step is cut at its start only where nothing else is recorded before.
pub(super) fn cut(trace: &Trace, steps: &mut [Step]) {
    let end = marked(trace, |name| name == END).max();
    let start = marked(trace, |name| name.starts_with(START)).min();
    let is_outside =
        |step: &Step| end.is_some_and(|end| step.host.end > end) || start.is_some_and(|start| step.host.start < start);
    if !steps.iter().any(is_outside) {
        return;
    }
    let work = trace.slices.ids().filter(|id| {
        !matches!(trace.slices.class(*id), Class::Annotation | Class::DeviceAnnotation | Class::ProfilerSpan)
    });
    let first = || work.map(|id| trace.slices.start(id)).min();
    let begins_before = |start: &Nanos| steps.iter().any(|step| step.host.start < *start);
    let start = start.filter(begins_before).map(|start| first().map_or(start, |first| start.min(first)));
    for step in steps {
        let mark = step.mark;
        let from = start.map_or(mark.start, |start| mark.start.max(start).min(mark.end));
        let to = end.map_or(mark.end, |end| mark.end.min(end).max(from));
        step.host = Interval::new(from, to);
        step.partial |= step.unrecorded() > Nanos::ZERO;
    }
}

#[cfg(test)]
mod tests {
    use crate::{BenchmarkConfig, Rank, benchmark, overview};
    use stepscope_base::{Code, Interval, Nanos};

    fn mark(name: &str, at: i64) -> String {
        format!(r#"{{"ph":"i","s":"g","name":"{name}","pid":"","tid":"","ts":{at}}}"#)
    }

    fn step(number: i64, start: i64, length: i64) -> String {
        format!(
            r#"{{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{number}","pid":9,"tid":9,"ts":{start},"dur":{length}}},
            {{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":{call},"dur":2,"args":{{"correlation":{number}}}}},
            {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":{kernel},"dur":10,"args":{{"correlation":{number}}}}}"#,
            call = start + 20,
            kernel = start + 25,
        )
    }

    fn micros(start: i64, end: i64) -> Interval {
        Interval::new(Nanos(start * 1000), Nanos(end * 1000))
    }

    #[test]
    fn time_after_the_recording_is_no_part_of_a_step() {
        let rank = Rank::of_events(&[
            mark("Iteration Start: PyTorch Profiler", -5),
            step(1, 0, 10_000),
            mark("Record Window End", 100),
        ]);
        let found = &rank.analysis.steps.steps[0];
        assert_eq!((found.span, found.host, found.partial), (micros(0, 100), micros(0, 100), true));
        assert_eq!(found.unrecorded(), Nanos(9_900_000));
        let seen = overview(&rank.analysis, None);
        assert_eq!((seen.tiles[0].time, seen.unrecorded), (Nanos(100_000), Nanos(9_900_000)));
        assert_eq!(seen.tiles[4].time, Nanos(90_000), "the device is idle in the recorded part alone");
        let warning = rank.warnings.iter().find(|warning| warning.code == Code::StepNotRecorded);
        assert_eq!(warning.map(|warning| &*warning.example), Some("1: 9.900 of 10.000 ms not recorded"));
        assert!(rank.warnings.iter().all(|warning| warning.code != Code::PartialStep), "it is said once");
        let rate = benchmark(&rank.analysis.steps, &rank.analysis.phases, BenchmarkConfig::default());
        assert_eq!(rate, None, "the length of a part is no step's");
    }

    #[test]
    fn kernels_that_end_after_the_recording_extend_the_step() {
        let rank = Rank::of_events(&[step(1, 0, 100), mark("Record Window End", 28)]);
        assert_eq!(rank.analysis.steps.steps[0].span, micros(0, 35));
    }

    #[test]
    fn steps_before_the_end_stay_as_they_are() {
        let steps = [step(1, 0, 100), step(2, 100, 100)];
        let whole = Rank::of_events(&steps);
        let marked = Rank::of_events(&[&steps[..], &[mark("Record Window End", 200)]].concat());
        assert_eq!(marked.analysis.steps, whole.analysis.steps);
        assert!(whole.analysis.steps.steps.iter().all(|step| step.unrecorded() == Nanos::ZERO && !step.partial));
    }

    #[test]
    fn a_part_of_a_step_enters_no_average() {
        let rank = Rank::of_events(&[step(1, 0, 100), step(2, 100, 1_000), mark("Record Window End", 300)]);
        let seen = overview(&rank.analysis, None);
        assert_eq!((seen.tiles[0].time, seen.unrecorded), (Nanos(100_000), Nanos::ZERO));
        assert_eq!(overview(&rank.analysis, Some(1)).unrecorded, Nanos(800_000));
    }

    #[test]
    fn a_step_is_cut_at_its_start_only_where_nothing_else_is_recorded_before() {
        let start = mark("Iteration Start: PyTorch Profiler", 50);
        let cut = Rank::of_events(&[
            r#"{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":100}"#.to_owned(),
            r#"{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":60,"dur":5}"#.to_owned(),
            start.clone(),
        ]);
        assert_eq!(cut.analysis.steps.steps[0].host, micros(50, 100));
        let kept = Rank::of_events(&[step(1, 0, 100), start]);
        assert_eq!(kept.analysis.steps.steps[0].host, micros(20, 100), "a call begins at 20 µs");
    }
}
