//! MindSpore's step trace: MindInsight's summary, and the table `step_trace_raw_N_detail_time.csv`.

use std::collections::BTreeMap;

use super::TimeUnit;
use stepscope_analyze::{StepTimes, StepTrace};
use stepscope_base::{CompactSort, Nanos};
use stepscope_present::csv;
use stepscope_trace::{Cell, EventId, RecordedTable, Trace};

/// MindInsight's summary of the average step; its unit is milliseconds.
#[must_use]
pub fn summary(trace: &Trace, report: &StepTrace, unit: TimeUnit) -> String {
    let inference = recorded(trace, report).is_some_and(|table| table.column("fp_and_bp").is_none());
    let average = &report.average;
    let mut text = String::new();
    for (name, point) in [("fp_start", &report.forward_start), ("bp_end", &report.backward_end)] {
        if !point.is_empty() {
            text += &format!("{name}: {point}\n");
        }
    }
    text += &format!("total_steps: {}\n", report.steps.len());
    text += &format!("total_time: {} {}\n", time(average.total, unit), unit.symbol());
    let parts = [
        ("iteration_interval", average.iteration_interval),
        (if inference { "fp" } else { "fp_and_bp" }, average.forward_and_backward),
        ("tail", average.tail),
    ];
    for (name, part) in parts.into_iter().filter(|(name, _)| !(inference && *name == "tail")) {
        let share = rounded(part.ratio_of(average.total).unwrap_or(0.0) * 100.0, 2);
        text += &format!("{name}: {} {} ({share}%)\n", time(part, unit), unit.symbol());
    }
    text
}

/// The steps and their average, in milliseconds or another unit: the values of MindInsight's curves.
#[must_use]
pub fn steps(report: &StepTrace, unit: TimeUnit) -> String {
    let symbol = unit.symbol();
    let mut text =
        format!("step_num,iteration_interval({symbol}),fp_and_bp({symbol}),tail({symbol}),total({symbol})\n");
    for step in report.steps.iter().chain([&report.average]) {
        let times = [step.iteration_interval, step.forward_and_backward, step.tail, step.total];
        text += &format!("{},{}\n", csv::cell(&step.name), times.map(|length| time(length, unit)).join(","));
    }
    text
}

#[expect(clippy::cast_precision_loss, reason = "four decimals are shown")]
fn time(length: Nanos, unit: TimeUnit) -> String {
    rounded(length.0 as f64 / unit.nanos(), 4)
}

/// A number as Python prints it after `round`.
fn rounded(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let short = text.trim_end_matches('0');
    if short.ends_with('.') { format!("{short}0") } else { short.to_owned() }
}

/// The profiler's own table, if the step trace is from it.
fn recorded<'a>(trace: &'a Trace, report: &StepTrace) -> Option<&'a RecordedTable> {
    let table = trace.recorded.iter().find(|table| table.id == "step_trace");
    table.filter(|_| report.source == stepscope_analyze::PointSource::Recorded)
}

/// The table that MindSpore writes, in ticks of 10 ns. A recorded table is printed unchanged; a computed one has the
/// same form, with points from the trace's start. A stream's collectives are numbered in each step.
#[must_use]
pub fn detail_csv(trace: &Trace, report: &StepTrace) -> String {
    match recorded(trace, report) {
        Some(table) => again(table),
        None => computed(trace, report),
    }
}

fn again(table: &RecordedTable) -> String {
    let names: Vec<_> = table.columns.iter().map(|column| csv::cell(&column.name)).collect();
    let mut text = names.join(",") + "\n";
    for row in &table.rows {
        let cell = |cell: &Cell| match cell {
            Cell::Empty => String::new(),
            Cell::Text(text) => csv::cell(text).into_owned(),
            Cell::Integer(nanos) => ticks(Nanos(*nanos)),
            Cell::Real(number) => number.to_string(),
        };
        text += &row.iter().map(cell).collect::<Vec<_>>().join(",");
        text.push('\n');
    }
    text
}

/// Nanoseconds as ticks; fractions as decimals.
fn ticks(length: Nanos) -> String {
    let (sign, size) = (if length.0 < 0 { "-" } else { "" }, length.0.unsigned_abs());
    let tick = RecordedTable::STEP_TRACE_TICK.unsigned_abs();
    let (whole, rest) = (size / tick, size % tick);
    if rest == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{rest}") }
}

/// A collective's place in a table: its stream, and its index among the stream's in its step.
type CollectiveKey = (i64, usize);

fn computed(trace: &Trace, report: &StepTrace) -> String {
    let placed = |step: &StepTimes| -> BTreeMap<CollectiveKey, EventId> {
        let mut count: BTreeMap<i64, usize> = BTreeMap::new();
        let place = |id: &EventId| {
            let stream = trace.stream_of(*id).map_or(0, |stream| stream.stream);
            let number = count.entry(stream).or_default();
            *number += 1;
            ((stream, *number - 1), *id)
        };
        step.collectives.iter().map(place).collect()
    };
    let steps: Vec<(&StepTimes, BTreeMap<CollectiveKey, EventId>)> =
        report.steps.iter().map(|step| (step, placed(step))).collect();
    let mut places: Vec<CollectiveKey> = steps.iter().flat_map(|(_, placed)| placed.keys().copied()).collect();
    places.compact_sort();
    places.dedup();
    let mut text = RecordedTable::STEP_TRACE.join(",");
    for (stream, number) in &places {
        let name = format!("stream_{stream}_parallel_{number}");
        text += &format!(",{name}_start_point,{name}_end_point,{name}");
    }
    text.push('\n');
    for (step, placed) in &steps {
        text += &row(step);
        for place in &places {
            let span = placed.get(place).map(|id| trace.slices.interval(*id)).unwrap_or_default();
            text += &format!(",{},{},{}", ticks(span.start), ticks(span.end), ticks(span.len()));
        }
        text.push('\n');
    }
    text + &row(&report.average) + &",0,0,0".repeat(places.len()) + "\n"
}

fn row(step: &StepTimes) -> String {
    let forward = step.start + step.iteration_interval;
    let backward = forward + step.forward_and_backward;
    let points = [
        step.start,
        step.start + step.total,
        step.total,
        forward,
        backward,
        step.iteration_interval,
        step.forward_and_backward,
        step.tail,
    ];
    format!("{},{}", csv::cell(&step.name), points.map(ticks).join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_analyze::{PointSource, StepTraceConfig, StepsConfig, phases, step_trace_of, steps};
    use stepscope_input::Loader;

    const RECORDED: &str = "\
step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail,stream_5_parallel_0_start_point,stream_5_parallel_0_end_point,stream_5_parallel_0
1,100,200100,200000,100,150100,0,150000,50000,1000,1500,500
2,200100,420100,220000,220100,370100,20000,150000,50000,200200,200700,500
-,200100,420100,220000,220100,370100,20000,150000,50000,200200,200700,500
";

    fn read(name: &str, text: &str) -> Trace {
        let mut loader = Loader::new(name);
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        loader.finish().expect("a trace").trace
    }

    fn report(trace: &Trace) -> StepTrace {
        let steps = steps(trace, &StepsConfig::default());
        step_trace_of(trace, &steps, &phases(trace, &steps), &StepTraceConfig::default()).expect("a step trace")
    }

    #[test]
    fn a_recorded_table_is_written_again() {
        let trace = read("step_trace_raw_0_detail_time.csv", RECORDED);
        let report = report(&trace);
        assert_eq!(detail_csv(&trace, &report), RECORDED);
        let expected = "total_steps: 2\ntotal_time: 2.2 ms\niteration_interval: 0.2 ms (9.09%)\n\
                        fp_and_bp: 1.5 ms (68.18%)\ntail: 0.5 ms (22.73%)\n";
        assert_eq!(summary(&trace, &report, TimeUnit::Milliseconds), expected);
        assert!(steps_of(&report).ends_with("2,200.0,1500.0,500.0,2200.0\n-,200.0,1500.0,500.0,2200.0\n"));
    }

    fn steps_of(report: &StepTrace) -> String {
        super::steps(report, TimeUnit::Microseconds)
    }

    #[test]
    fn a_computed_table_has_the_form_of_a_recorded_one() {
        let text = r###"{"deviceProperties": [], "traceEvents": [
          {"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":20},
          {"ph":"X","cat":"user_annotation","name":"forward","pid":1,"tid":1,"ts":2,"dur":5.005},
          {"ph":"X","cat":"user_annotation","name":"ProfilerStep#2","pid":1,"tid":1,"ts":20,"dur":20},
          {"ph":"X","cat":"user_annotation","name":"forward","pid":1,"tid":1,"ts":23,"dur":5},
          {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":24,"dur":1,"args":{"correlation":9}},
          {"ph":"X","cat":"kernel","name":"ncclAllReduce","pid":0,"tid":7,"ts":26,"dur":3,"args":{"correlation":9,"stream":7}}
        ]}"###;
        let trace = read("trace.json", text);
        let report = report(&trace);
        assert_eq!(report.source, PointSource::Host);
        let expected = "\
step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail,stream_7_parallel_0_start_point,stream_7_parallel_0_end_point,stream_7_parallel_0
1,0,2000,2000,200,700.5,200,500.5,1299.5,0,0,0
2,2000,4000,2000,2300,2800,300,500,1200,2600,2900,300
-,0,2000,2000,300,800,300,500,1200,0,0,0
";
        assert_eq!(detail_csv(&trace, &report), expected);
        // MindSpore's reader reads it back.
        let again = read("step_trace_raw_0_detail_time.csv", expected);
        assert_eq!(stepscope_analyze::step_trace(&again).map(|again| again.steps.len()), Some(2));
    }
}
