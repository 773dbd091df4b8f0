//! Steps of a table: `step_trace_raw_N_detail_time.csv`, or that of raw records, if the timeline has no rows of steps.

use super::facts::{clock, fact, note};
use stepscope_base::{Code, Nanos, Warnings};
use stepscope_trace::{Argument, ArgumentValue, Class, Layer, NewSlice, RawId, RecordedTable, TraceBuilder};

/// The clock of the device's counter.
pub(crate) const DEVICE_COUNTER: &str = "device counter";

/// The clock of msprof's exports, which counts from the machine's start.
pub(crate) const UPTIME: &str = "uptime";

/// Marks the steps of the step trace from a row on, if that is the last table and nothing but rows before marked steps.
///
/// `is_raw` is whether the times are raw, from before the profiler's own analysis. Its times are those of a counter, `counted` by its name unless they count from 1970, as on a GPU. With a timeline
/// of another clock, steps stay in the table. The exception is the clock of 1.x, which counts from the first task, if
/// `min_cycle_counter` has that time.
pub(crate) fn mark(
    builder: &mut TraceBuilder,
    (first_new, is_raw): (usize, bool),
    counted: &'static str,
    warnings: &mut Warnings,
) {
    const MARKS: &str = "step_trace_raw";
    if fact(builder, "step_marks").is_some_and(|marks| first_new == 0 || marks != MARKS) {
        return;
    }
    let mut steps = steps(builder, first_new);
    let Some(first) = steps.first() else { return };
    let clock = clock(counted, first.points[0]);
    match fact(builder, "clock") {
        None => {}
        Some(known) if known == clock => {}
        Some("relative") if counted == DEVICE_COUNTER => {
            let zero = fact(builder, "min_cycle_counter").and_then(|ticks| ticks.parse::<i64>().ok());
            let Some(zero) = zero else { return };
            let zero = Nanos(zero.saturating_mul(RecordedTable::STEP_TRACE_TICK));
            for step in &mut steps {
                step.points = step.points.map(|point| point - zero);
            }
        }
        Some(_) => return,
    }
    if is_raw && builder.slices() == 0 {
        warnings.add(Code::RawTimes, None, String::new);
    }
    note(builder, "clock", clock);
    note(builder, "step_marks", MARKS);
    let name = builder.intern(b"Step Trace");
    let process = RawId::Text(name);
    builder.process_mut(process).name = name;
    let track = builder.track(process, RawId::default(), Layer::Profiler, None);
    let names = ["iteration_interval", "fp_and_bp", "tail"].map(|name| builder.intern(name.as_bytes()));
    // The start of the first of several steps is not recorded: the profiler leaves it out of its average, too.
    let mut left_out = first_new == 0 && steps.len() > 1;
    for step in steps {
        let [start, forward, backward, end] = step.points;
        let number = builder.intern(step.number.as_bytes());
        let mut add = |category: &str, name, start, end| {
            let category = builder.category(category.as_bytes());
            builder.meta.events += 1;
            builder.slice(NewSlice { track, class: Class::ProfilerSpan, category, name, start, end, position: 0 })
        };
        let row = add("step_trace", number, start, end);
        for (name, start, end) in [(names[0], start, forward), (names[1], forward, backward), (names[2], backward, end)]
        {
            add("step_part", name, start, end);
        }
        builder.step(row, number);
        if std::mem::take(&mut left_out) {
            let key = builder.intern(b"partial");
            builder.argument(row, Argument { key, value: ArgumentValue::Bool(true) });
        }
    }
}

struct Step {
    number: String,
    /// Start, first forward operator, last backward operator, end.
    points: [Nanos; 4],
}

/// The steps of the last table from a row on, without the row of averages.
fn steps(builder: &TraceBuilder, first_new: usize) -> Vec<Step> {
    let Some(table) = builder.tables().last().filter(|table| table.id == "step_trace") else { return Vec::new() };
    let rows = table.rows.iter().skip(first_new).filter_map(|row| {
        let number: u64 = table.cell(row, "step_num").text()?.parse().ok()?;
        let points = ["start_point", "fp_point", "bp_point", "end_point"].map(|name| table.cell(row, name).nanos());
        let [Some(start), Some(forward), Some(backward), Some(end)] = points else { return None };
        let points = [start, forward, backward, end];
        let is_step = number > 0 && points.is_sorted();
        is_step.then(|| Step { number: number.to_string(), points })
    });
    rows.collect()
}
