//! Use of processors, by the samples of a recorder: the host's part of Paddle's Device Summary.

use std::collections::BTreeSet;

use stepscope_trace::{Counter, ProcessId, Trace};

/// The load of processors over a recording, as parts of 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProcessorUse {
    /// The time of the process that ran the steps on any core, divided by the elapsed time: up to the number of cores.
    pub process: Option<f64>,
    /// The busy time of the machine's cores, divided by all of their time.
    pub machine: Option<f64>,
}

/// The recorder's samples of a process: the time that its threads ran, in percent of one core.
const PROCESS: &str = "CPU time (% of a core): running";

/// Its samples of the machine, in percent of all cores, without waiting for input and output: as Paddle counts.
const BUSY: [&str; 3] = ["CPU utilization (%): user", "CPU utilization (%): system", "CPU utilization (%): stolen"];

/// The load of processors as the recorder sampled it; none where it did not.
#[must_use]
pub fn processor_use(trace: &Trace) -> ProcessorUse {
    let named = |name: &'static str| {
        trace.counters.iter().filter(move |counter| crate::resources::full_name(trace, counter) == name)
    };
    let steps = trace.step_marks.iter().map(|(mark, _)| trace.tracks[trace.slices.track(*mark).index()].process);
    let steps: BTreeSet<ProcessId> = steps.collect();
    let processes: Vec<&Counter> = named(PROCESS).collect();
    let own = processes.iter().find(|counter| steps.contains(&counter.process));
    let only = || processes.first().filter(|_| processes.len() == 1);
    let busy: Vec<f64> = BUSY.iter().filter_map(|name| mean(named(name).next()?)).collect();
    ProcessorUse {
        process: own.or_else(only).and_then(|counter| mean(counter)).map(|percent| percent / 100.0),
        machine: (!busy.is_empty()).then(|| busy.iter().sum::<f64>() / 100.0),
    }
}

/// The mean weighted by time: a sample counts for the time until the next one, and the last for as long as the one
/// before.
#[expect(clippy::cast_precision_loss, reason = "a mean")]
fn mean(counter: &Counter) -> Option<f64> {
    let samples = &counter.samples;
    let spans: Vec<f64> = samples.windows(2).map(|pair| (pair[1].at - pair[0].at).0 as f64).collect();
    let Some(last) = spans.last() else { return samples.first().map(|sample| sample.value) };
    let weights = spans.iter().chain(std::iter::once(last));
    let (sum, all) = samples
        .iter()
        .zip(weights)
        .fold((0.0, 0.0), |(sum, all), (sample, weight)| (sum + sample.value * weight, all + weight));
    (all > 0.0).then(|| sum / all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_input::Loader;

    #[test]
    fn samples_count_by_the_time_that_they_are_about() {
        let text = br#"{"deviceProperties": [], "traceEvents": [
            {"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":7,"tid":1,"ts":0,"dur":40},
            {"ph":"C","name":"CPU time (% of a core): running","pid":7,"ts":0,"args":{"":150}},
            {"ph":"C","name":"CPU time (% of a core): running","pid":7,"ts":30,"args":{"":50}},
            {"ph":"C","name":"CPU time (% of a core): running","pid":7,"ts":40,"args":{"":50}},
            {"ph":"C","name":"CPU utilization (%): user","pid":1,"ts":0,"args":{"":20}},
            {"ph":"C","name":"CPU utilization (%): user","pid":1,"ts":10,"args":{"":40}},
            {"ph":"C","name":"CPU utilization (%): system","pid":1,"ts":0,"args":{"":5}},
            {"ph":"C","name":"CPU utilization (%): I/O wait","pid":1,"ts":0,"args":{"":50}}
        ]}"#;
        let mut loader = Loader::new("run.json");
        loader.space(text.len()).copy_from_slice(text);
        loader.advance(text.len()).expect("a trace");
        let found = processor_use(&loader.finish().expect("a trace").trace);
        // 30 µs of 150 %, 20 of 50; a mean of 30 % in programs and 5 in the system. Waiting for a disk is no work.
        assert_eq!((found.process, found.machine), (Some(1.1), Some(0.35)));
    }
}
