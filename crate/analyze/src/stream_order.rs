//! Activities that run on their stream after one with a later launch.

use stepscope_base::Nanos;
use stepscope_trace::{ActivityId, Trace};

/// Returns the activities that begin on their stream after one whose launching call began when theirs had ended, in the
/// order of [`Trace::activities`].
///
/// A stream runs its activities in the order of their launches, so the links or times of these are wrong. An activity
/// that begins before its own call proves nothing about others: its link is wrong, or the clocks differ.
pub(super) fn out_of_order(trace: &Trace) -> Vec<ActivityId> {
    let slices = &trace.slices;
    let mut found = Vec::new();
    let (mut track, mut latest) = (None, Nanos::MIN);
    // They come by stream and start.
    for (row, activity) in trace.activities.iter().enumerate() {
        let Some(call) = activity.call.get() else { continue };
        let stream = Some(slices.track(activity.event));
        if track != stream {
            (track, latest) = (stream, Nanos::MIN);
        }
        let call = slices.interval(call);
        if call.end < latest {
            found.push(ActivityId::from_index(row));
        } else if slices.start(activity.event) >= call.start {
            latest = latest.max(call.start);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::out_of_order;
    use stepscope_input::Loader;
    use stepscope_trace::ActivityId;

    /// The indices of out-of-order kernels; each kernel is given by its stream, its launch and its start in µs.
    fn rows(kernels: &[(u32, u32, u32)]) -> Vec<usize> {
        let mut events = vec![r#"{"deviceProperties": [], "traceEvents": [{"ph":"M","name":"x","pid":1}"#.to_owned()];
        for (number, (stream, call, start)) in kernels.iter().enumerate() {
            let args = format!(r#""args":{{"correlation":{},"device":0,"stream":{stream}}}"#, number + 1);
            events.push(format!(
                r#"{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":{call},"dur":2,{args}}},
                {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":{stream},"ts":{start},"dur":2,{args}}}"#
            ));
        }
        let text = [events.join(",").as_str(), "]}"].concat();
        let mut loader = Loader::new("order.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        let trace = loader.finish().expect("a trace").trace;
        out_of_order(&trace).into_iter().map(ActivityId::index).collect()
    }

    #[test]
    fn a_stream_runs_in_the_order_of_launches() {
        assert_eq!(rows(&[(7, 0, 10), (7, 5, 20), (7, 15, 30)]), [] as [usize; 0]);
        assert_eq!(rows(&[(7, 0, 10), (7, 15, 20), (7, 5, 30)]), [2]);
        assert_eq!(rows(&[(7, 0, 10), (7, 15, 20), (9, 5, 30)]), [] as [usize; 0], "streams run beside each other");
        assert_eq!(rows(&[(7, 0, 10), (7, 6, 20), (7, 5, 30)]), [] as [usize; 0], "the calls overlap");
        assert_eq!(rows(&[(7, 90, 10), (7, 15, 20), (7, 25, 30)]), [] as [usize; 0], "the first one's link is wrong");
    }
}
