//! Steps by an operator that the user named, where the trace marks none.

use crate::point_name::point_name;
use stepscope_base::{CompactSort, Interval, Nanos};
use stepscope_trace::{EventId, Layer, Trace};

/// From one start of the operator with which steps begin to the next one; else from one end of the operator with
/// which they end to the next one. None unless it runs twice.
///
/// Time before the first one and after the last one is in no step: where that one ends is not known.
pub(super) fn steps(trace: &Trace, begins_with: Option<&str>, ends_with: Option<&str>) -> Vec<(String, Interval)> {
    let starts = begins_with.iter().map(|name| moments(trace, name, |span| span.start));
    let ends = ends_with.iter().map(|name| moments(trace, name, |span| span.end));
    let moments = starts.chain(ends).find(|moments| moments.len() > 1).unwrap_or_default();
    let spans = moments.windows(2).map(|pair| Interval::new(pair[0], pair[1]));
    spans.enumerate().map(|(index, span)| (index.to_string(), span)).collect()
}

/// The moments at which an operator of the host begins or ends, by time; else a kernel's launching calls, or the kernels
/// where not all calls are recorded. An operator within itself counts once.
fn moments(trace: &Trace, name: &str, moment: fn(Interval) -> Nanos) -> Vec<Nanos> {
    let Some(name) = point_name(trace, name) else { return Vec::new() };
    let named = |id: &EventId| trace.slices.name(*id) == name;
    let host = trace.tracks.iter().filter(|track| matches!(track.layer, Layer::Host | Layer::Python));
    let mut found: Vec<EventId> = host.flat_map(stepscope_trace::Track::events).filter(named).collect();
    if found.is_empty() {
        let kernels = || trace.activities.iter().filter(|activity| named(&activity.event));
        let calls: Option<Vec<EventId>> = kernels().map(|activity| activity.call.get()).collect();
        found = calls.unwrap_or_else(|| kernels().map(|activity| activity.event).collect());
    }
    found.retain(|id| !trace.slices.ancestors(*id).any(|around| named(&around)));
    let mut moments: Vec<Nanos> = found.into_iter().map(|id| moment(trace.slices.interval(id))).collect();
    moments.compact_sort();
    moments.dedup();
    moments
}

#[cfg(test)]
mod tests {
    use crate::{PointSource, StepSource, StepTraceConfig, StepsConfig, phases, step_trace_of, steps};
    use stepscope_base::Nanos;
    use stepscope_input::Loader;
    use stepscope_trace::Trace;

    /// Three iterations of 100 µs from 50 µs on without marks: `load` 0–10, `conv` 20–30 with a kernel 25–45, `loss`
    /// 50–60 with a kernel 55–70, `update` 80–90.
    fn trace(linked: bool) -> Trace {
        let mut events = vec![r#"{"ph":"X","cat":"cpu_op","name":"init","pid":1,"tid":1,"ts":0,"dur":30}"#.to_owned()];
        for iteration in 0..3 {
            let at = 50 + 100 * iteration;
            for (name, start) in [("load", 0), ("conv", 20), ("loss", 50), ("update", 80)] {
                let ts = at + start;
                events
                    .push(format!(r#"{{"ph":"X","cat":"cpu_op","name":"{name}","pid":1,"tid":1,"ts":{ts},"dur":10}}"#));
            }
            for (name, call, start, length) in [("gemm", 22, 25, 20), ("nll", 52, 55, 15)] {
                let (call, start) = (at + call, at + start);
                let id = if linked { format!(r#""correlation":{call}"#) } else { String::new() };
                let call = format!(
                    r#"{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":{call},"dur":2,"args":{{{id}}}}}"#
                );
                events.extend(linked.then_some(call));
                events.push(format!(
                    r#"{{"ph":"X","cat":"kernel","name":"{name}","pid":0,"tid":7,"ts":{start},"dur":{length},"args":{{{id}}}}}"#
                ));
            }
        }
        let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(","));
        let mut loader = Loader::new("test.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        loader.finish().expect("a trace").trace
    }

    fn config(begins_with: &str, ends_with: &str) -> StepsConfig {
        let name = |name: &str| Some(name.to_owned()).filter(|name| !name.is_empty());
        StepsConfig { begins_with: name(begins_with), ends_with: name(ends_with), ..StepsConfig::default() }
    }

    /// The source, and starts and lengths in µs with the number of activities.
    fn found(trace: &Trace, config: &StepsConfig) -> (StepSource, Vec<(i64, i64, u64)>) {
        let found = steps(trace, config);
        let micros = |time: Nanos| time.0 / 1000;
        let of = |step: &crate::Step| (micros(step.span.start), micros(step.span.len()), step.activities);
        (found.source, found.steps.iter().map(of).collect())
    }

    #[test]
    fn steps_go_from_one_start_of_the_named_operator_to_the_next() {
        for linked in [true, false] {
            let trace = trace(linked);
            let two = |first| (StepSource::Operator, vec![(first, 100, 2), (first + 100, 100, 2)]);
            assert_eq!(found(&trace, &config("load", "")), two(50));
            assert_eq!(found(&trace, &config("load", "loss")), two(50));
            // A kernel: its call, where that is recorded.
            assert_eq!(found(&trace, &config("gemm", "")), two(if linked { 72 } else { 75 }));
            // From one end to the next.
            assert_eq!(found(&trace, &config("", "update")), two(140));
            // One that runs once, or never, is no step.
            for name in ["init", "none", ""] {
                assert_eq!(found(&trace, &config(name, "")).0, StepSource::WholeTrace, "{name}");
            }
        }
    }

    /// A long run on another thread does not swallow these, and a trace without some calls has no moments of two clocks.
    #[test]
    fn runs_of_other_threads_and_kernels_without_calls() {
        let slice = |category: &str, name: &str, thread: u32, ts: u32, dur: u32, args: &str| {
            format!(
                r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":1,"tid":{thread},"ts":{ts},"dur":{dur},"args":{{{args}}}}}"#
            )
        };
        let loaded = |events: &[String]| {
            let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(","));
            let mut loader = Loader::new("test.json");
            loader.space(text.len()).copy_from_slice(text.as_bytes());
            loader.advance(text.len()).expect("a trace");
            loader.finish().expect("a trace").trace
        };
        let mut events: Vec<String> = (0..6).map(|run| slice("cpu_op", "load", 1, 100 * run, 10, "")).collect();
        // Its call within itself is no run of its own.
        events.push(slice("cpu_op", "load", 1, 102, 5, ""));
        events.push(slice("cpu_op", "load", 2, 50, 500, ""));
        let starts = |trace: &Trace| found(trace, &config("load", "")).1.iter().map(|step| step.0).collect::<Vec<_>>();
        assert_eq!(starts(&loaded(&events)), [0, 50, 100, 200, 300, 400]);
        let mut events = Vec::new();
        for run in 0..4_u32 {
            let link = if run % 2 == 0 { format!(r#""correlation":{}"#, run + 1) } else { String::new() };
            events.push(slice("cuda_runtime", "cudaLaunchKernel", 1, 100 * run, 2, &link));
            events.push(slice("kernel", "load", 7, 100 * run + 60, 5, &link));
        }
        // The kernel at 260 was launched in the step before.
        assert_eq!(starts(&loaded(&events)), [60, 160, 265]);
    }

    #[test]
    fn marks_come_first() {
        let text = br#"{"deviceProperties": [], "traceEvents": [
            {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":20},
            {"ph":"X","cat":"cpu_op","name":"load","pid":1,"tid":1,"ts":1,"dur":1},
            {"ph":"X","cat":"cpu_op","name":"load","pid":1,"tid":1,"ts":5,"dur":1},
            {"ph":"X","cat":"cpu_op","name":"load","pid":1,"tid":1,"ts":9,"dur":1}]}"#;
        let mut loader = Loader::new("test.json");
        loader.space(text.len()).copy_from_slice(text);
        loader.advance(text.len()).expect("a trace");
        let trace = loader.finish().expect("a trace").trace;
        assert_eq!(found(&trace, &config("load", "")), (StepSource::Marks, vec![(0, 20, 0)]));
    }

    #[test]
    fn the_step_trace_is_of_these_steps() {
        let trace = trace(true);
        // Also where the trace was read without the names: then it is one step.
        let whole = steps(&trace, &StepsConfig::default());
        let named = |start: Option<&str>, end: Option<&str>| {
            let config = StepTraceConfig {
                forward_start: start.map(Into::into),
                backward_end: end.map(Into::into),
                graph: None,
            };
            let found = step_trace_of(&trace, &whole, &phases(&trace, &whole), &config)?;
            let parts = |step: &crate::StepTimes| {
                [step.total, step.iteration_interval, step.forward_and_backward, step.tail].map(|time| time.0 / 1000)
            };
            Some((found.source, found.steps.iter().map(parts).collect::<Vec<_>>()))
        };
        let source = PointSource::NamedSteps;
        // From `load` at 50 to the end of `loss`' kernel at 120; the tail has the time until the next one.
        assert_eq!(named(Some("load"), Some("loss")), Some((source, vec![[100, 0, 70, 30]; 2])));
        // The last kernel of a step is the end of its backward pass.
        assert_eq!(named(Some("load"), None), Some((source, vec![[100, 0, 70, 30]; 2])));
        // No backward pass is known from the end of the named operator: forward begins nowhere.
        assert_eq!(named(None, Some("loss")), None);
    }
}
