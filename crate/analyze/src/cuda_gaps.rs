//! Times in which another profiler of the program had CUPTI, so that our recorder has nothing of CUDA. METRICS section 2.

use super::intervals::IntervalSet;
use stepscope_base::{Interval, Nanos, sort_times};
use stepscope_format::about::{CUDA_AGAIN, CUDA_LEFT, CUDA_LOST};
use stepscope_trace::{Class, ProcessId, Trace, Track};

/// The marks of a process about CUPTI.
#[derive(Default)]
struct Marks {
    left: Vec<Nanos>,
    lost: Vec<Nanos>,
    again: Vec<Nanos>,
}

/// By process, the times without CUDA's activity and calls: from the mark that it is left, or from the last record before the mark that it was
/// taken, until the mark that it is recorded again. A recording that begins while another profiler has taken CUPTI has only the last mark.
pub(super) fn cuda_gaps(trace: &Trace) -> Vec<(ProcessId, IntervalSet)> {
    let texts = [CUDA_LEFT, CUDA_LOST, CUDA_AGAIN].map(|text| trace.strings.find(text));
    if texts == [None; 3] {
        return Vec::new();
    }
    let [left, lost, _] = texts;
    let mut marks: Vec<(ProcessId, Marks)> = Vec::new();
    for mark in &trace.instants {
        let text = Some(mark.name);
        if !texts.contains(&text) {
            continue;
        }
        let Some(track) = trace.tracks.get(mark.track.index()) else { continue };
        let known = marks.iter().position(|(process, _)| *process == track.process);
        let place = known.unwrap_or_else(|| {
            marks.push((track.process, Marks::default()));
            marks.len() - 1
        });
        let of_process = &mut marks[place].1;
        if text == left {
            of_process.left.push(mark.at);
        } else if text == lost {
            of_process.lost.push(mark.at);
        } else {
            of_process.again.push(mark.at);
        }
    }
    marks.into_iter().map(|(process, marks)| (process, gaps(trace, process, marks))).collect()
}

#[inline(never)]
fn gaps(trace: &Trace, process: ProcessId, marks: Marks) -> IntervalSet {
    let (Marks { left, lost, mut again }, whole) = (marks, trace.span());
    sort_times(&mut again);
    let end = |start: Nanos| again.iter().copied().find(|at| *at >= start).unwrap_or(whole.end).max(start);
    let taken = lost.into_iter().map(|mark| (last_before(trace, process, mark), mark));
    let starts: Vec<(Nanos, Nanos)> = left.into_iter().map(|mark| (mark, mark)).chain(taken).collect();
    let begins_inside = again.first().filter(|first| starts.iter().all(|(_, mark)| mark > first));
    let before = begins_inside.map(|end| Interval::new(whole.start, whole.start.max(*end)));
    IntervalSet::of(before.into_iter().chain(starts.iter().map(|(start, mark)| Interval::new(*start, end(*mark)))))
}

/// The end of the last call before a time; that time, if there is none.
fn last_before(trace: &Trace, process: ProcessId, time: Nanos) -> Nanos {
    let tracks = trace.tracks.iter().filter(|track| track.process == process);
    let calls = tracks.flat_map(Track::events).filter(|id| trace.slices.class(*id) == Class::RuntimeCall);
    let spans = calls.map(|id| trace.slices.interval(id)).filter(|span| span.start < time);
    spans.map(|span| span.end.min(time)).max().unwrap_or(time)
}

#[cfg(test)]
mod tests {
    use super::{CUDA_AGAIN, CUDA_LEFT, CUDA_LOST};
    use crate::{Rank, overview};
    use stepscope_base::{Code, Nanos};

    fn mark(name: &str, at: i64) -> String {
        format!(r#"{{"ph":"i","s":"t","name":"{name}","pid":1,"tid":1,"ts":{at}}}"#)
    }

    fn step(number: i64) -> String {
        let start = number * 100;
        format!(
            r#"{{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{number}","pid":1,"tid":1,"ts":{start},"dur":100}}"#
        )
    }

    fn kernel(number: i64) -> String {
        format!(
            r#"{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":{call},"dur":2,"args":{{"correlation":{number}}}}},
            {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":{kernel},"dur":10,"args":{{"device":0,"stream":7,"correlation":{number}}}}}"#,
            call = number * 100 + 20,
            kernel = number * 100 + 25,
        )
    }

    /// Six steps; CUDA is recorded in those of these numbers.
    fn program(recorded: &[i64], marks: &[(&str, i64)]) -> Rank {
        let mut events: Vec<String> = (0..6).map(step).collect();
        events.extend(recorded.iter().map(|number| kernel(*number)));
        events.extend(marks.iter().map(|(name, at)| mark(name, *at)));
        Rank::of_events(&events)
    }

    fn partial(rank: &Rank) -> Vec<usize> {
        let steps = &rank.analysis.steps.steps;
        (0..steps.len()).filter(|step| steps[*step].partial).collect()
    }

    /// Busy, idle and unknown time of the device in a step.
    fn device(rank: &Rank, step: usize) -> [Nanos; 3] {
        let time = rank.analysis.step_devices[step][0];
        [time.busy, time.idle, time.uncovered]
    }

    #[test]
    fn steps_while_cuda_is_left_to_another_profiler_enter_no_average() {
        // It is left between steps 1 and 2, and comes back in step 3.
        let rank = program(&[0, 1, 4, 5], &[(CUDA_LEFT, 200), (CUDA_AGAIN, 350)]);
        assert_eq!(partial(&rank), [2, 3]);
        // The host is recorded all the time.
        assert!(rank.analysis.steps.steps.iter().all(|step| step.host.len() == Nanos(100_000)));
        assert_eq!(device(&rank, 1), [Nanos(10_000), Nanos(90_000), Nanos::ZERO]);
        assert_eq!(device(&rank, 2), [Nanos::ZERO, Nanos::ZERO, Nanos(100_000)]);
        assert_eq!(device(&rank, 3), [Nanos::ZERO, Nanos(50_000), Nanos(50_000)]);
        let seen = overview(&rank.analysis, None);
        assert_eq!((seen.tiles[0].time, seen.unrecorded), (Nanos(100_000), Nanos::ZERO));
        assert!(rank.warnings.iter().any(|warning| warning.code == Code::CudaNotRecorded));
        assert!(rank.warnings.iter().all(|warning| warning.code != Code::PartialStep), "it is said once");
    }

    #[test]
    fn what_was_taken_unannounced_is_missing_from_the_last_call_on() {
        let rank = program(&[0, 1, 4, 5], &[(CUDA_LOST, 290), (CUDA_AGAIN, 400)]);
        assert_eq!(partial(&rank), [1, 2, 3]);
        assert_eq!(device(&rank, 1), [Nanos(10_000), Nanos(22_000), Nanos(68_000)]);
    }

    #[test]
    fn a_recording_that_begins_in_such_a_time_lacks_its_first_steps() {
        assert_eq!(partial(&program(&[2, 3, 4, 5], &[(CUDA_AGAIN, 150)])), [0, 1]);
    }

    #[test]
    fn steps_stay_where_none_is_complete() {
        let rank = program(&[], &[(CUDA_LEFT, 0)]);
        assert_eq!(partial(&rank), [] as [usize; 0]);
        assert_eq!(overview(&rank.analysis, None).tiles[0].time, Nanos(100_000), "the host's times are known");
    }
}
