//! Whether `GetNext` gets a step's data ahead of the step, while operators compute. METRICS section 7.
//!
//! MindSpore's guide: `GetNext` normally runs before its step, during the computation of the previous one. Where it
//! runs alone, the computation waits for it, though the data may be there.

use crate::get_next::{is_get_next, is_of_data};
use crate::intervals::IntervalSet;
use crate::steps::Steps;
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Class, EventId, Trace};

/// `GetNext` in the steps that count, by the timeline of the device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GetNextAhead {
    /// Steps that count in which it ran.
    pub steps: u64,
    /// The steps among these in which no operator computed during it.
    pub late: u64,
    /// Mean time per step during which it ran and nothing computed.
    pub alone: Nanos,
    /// The mean length of these steps.
    pub step: Nanos,
    /// The call that ran alone for the longest time.
    pub example: Option<EventId>,
}

impl GetNextAhead {
    /// The share of the step up to which time alone does not matter.
    pub const LEAST: f64 = 0.01;

    /// Whether it does not run ahead: alone in more than half of several steps, and for more than a hundredth of a step.
    #[must_use]
    pub fn is_late(&self) -> bool {
        let share = self.alone.ratio_of(self.step).unwrap_or_default();
        self.steps > 1 && 2 * self.late > self.steps && share > Self::LEAST
    }

    /// Whether it runs ahead in all steps, or does not in most; unknown otherwise.
    #[must_use]
    pub fn runs_ahead(&self) -> Option<bool> {
        let is_little = self.alone.ratio_of(self.step).unwrap_or_default() <= Self::LEAST;
        match (self.is_late(), self.late == 0 && is_little) {
            (true, _) => Some(false),
            (_, true) => Some(true),
            _ => None,
        }
    }

    /// The facts from a trace's timeline; none without `GetNext` on a device in a step that counts, or without any
    /// computation.
    #[must_use]
    pub fn of(trace: &Trace, steps: &Steps) -> Option<Self> {
        if !steps.source.is_marked() {
            return None;
        }
        let kernels = || {
            let kernels =
                trace.activities.iter().filter(|activity| trace.slices.class(activity.event) == Class::Kernel);
            kernels.map(|activity| (activity.event, trace.slices.interval(activity.event), activity.communication))
        };
        let [get_next, of_data] = [is_get_next, is_of_data].map(|is| trace.strings.map(is));
        let takes_data = |event: EventId| get_next[trace.slices.name(event).index()];
        let is_of_data = |event: EventId| of_data[trace.slices.name(event).index()];
        let computing = kernels().filter(|(event, _, communication)| !communication && !is_of_data(*event));
        let computing = IntervalSet::of(computing.map(|(_, span, _)| span));
        let counted = steps.counted();
        if computing.is_empty() {
            return None;
        }
        let alone_of = |span: Interval| span.len() - computing.clip(span).len();
        let mut of_steps: Vec<Option<(Nanos, bool)>> = vec![None; steps.steps.len()];
        let mut example: Option<(Nanos, EventId)> = None;
        for (event, span, _) in kernels().filter(|(event, ..)| takes_data(*event)) {
            // A call between two steps belongs to the next one.
            let step = steps.steps.partition_point(|step| step.span.end <= span.start);
            if counted.binary_search(&step).is_err() {
                continue;
            }
            let alone = alone_of(span);
            let (sum, is_late) = of_steps[step].unwrap_or((Nanos::ZERO, true));
            of_steps[step] = Some((sum + alone, is_late && alone == span.len()));
            if alone == span.len() && example.is_none_or(|(longest, _)| alone > longest) {
                example = Some((alone, event));
            }
        }
        let lengths =
            || of_steps.iter().zip(&steps.steps).filter_map(|(found, step)| Some(((*found)?, step.span.len())));
        let count = lengths().count() as u64;
        (count > 0).then(|| Self {
            steps: count,
            late: lengths().filter(|((_, is_late), _)| *is_late).count() as u64,
            alone: crate::mean(lengths().map(|((alone, _), _)| alone).sum(), count),
            step: crate::mean(lengths().map(|(_, length)| length).sum(), count),
            example: example.map(|(_, event)| event),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{StepsConfig, steps};
    use stepscope_input::Loader;

    /// Four consecutive iterations of 100 µs, as msprof exports them; `Conv2D` runs from 30 to 90 in each, `GetNext` in
    /// the given spans.
    fn found(get_next: [[u32; 2]; 4]) -> Option<GetNextAhead> {
        let row = |name: &str, thread: u32, start: u32, end: u32, args: &str, category: &str| {
            format!(
                r#"{{"name":"{name}","pid":3,"tid":{thread},"ts":{start},"dur":{},"args":{{{args}}},"cat":"{category}","ph":"X"}}"#,
                end - start
            )
        };
        let mut events = vec![
            r#"{"name":"process_name","pid":3,"tid":0,"args":{"name":"Ascend Hardware"},"ph":"M"}"#.to_owned(),
            r#"{"name":"thread_name","pid":3,"tid":9,"args":{"name":"Step Trace(Model ID:0)"},"ph":"M"}"#.to_owned(),
        ];
        for (step, [from, to]) in (0_u32..).zip(get_next) {
            let start = 1_000 + 100 * step;
            let id = format!(r#""Iteration ID":{}"#, step + 1);
            events.push(row(&format!("Iteration {}", step + 1), 9, start, start + 100, &id, "Iteration Time"));
            let kind = |kind: &str| format!(r#""Task Type":"{kind}""#);
            events.push(row("Default/Conv2D-op1", 2, start + 30, start + 90, &kind("AI_CORE"), ""));
            if to > from {
                events.push(row("Default/GetNext-op2", 4, start + from, start + to, &kind("AI_CPU"), ""));
            }
        }
        let text = format!("[{}]", events.join(","));
        let mut loader = Loader::new("job/profiler/PROF_1/device_0/timeline/msprof_0_2_1.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        let trace = loader.finish().expect("a trace").trace;
        GetNextAhead::of(&trace, &steps(&trace, &StepsConfig::default()))
    }

    #[test]
    fn what_runs_beside_an_operator_is_ahead_and_what_runs_before_all_is_not() {
        let ahead = found([[40, 60]; 4]).expect("GetNext");
        assert_eq!((ahead.steps, ahead.late, ahead.alone, ahead.runs_ahead()), (4, 0, Nanos::ZERO, Some(true)));
        assert_eq!(ahead.example, None);
        let late = found([[5, 25]; 4]).expect("GetNext");
        assert_eq!((late.late, late.alone, late.runs_ahead()), (4, Nanos(20_000), Some(false)));
        assert!(late.example.is_some());
        // Partly during an operator: the step waits for a part of it.
        let partly = found([[20, 50]; 4]).expect("GetNext");
        assert_eq!((partly.late, partly.alone, partly.runs_ahead()), (0, Nanos(10_000), None));
        // A stub without data is not late by any time that matters.
        let short = found([[5, 6]; 4]).expect("GetNext");
        assert_eq!((short.late, short.is_late()), (4, false));
        // In half of the steps alone.
        assert_eq!(found([[5, 25], [5, 25], [40, 60], [40, 60]]).expect("GetNext").runs_ahead(), None);
        assert_eq!(found([[0, 0]; 4]), None);
    }
}
