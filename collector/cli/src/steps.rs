//! Tables of steps as a whole: the step trace, throughput.

use stepscope::analyze::{Extremes, PointSource, StepTimes, StepTraceTable};
use stepscope::present::text::{count, duration, number, percent, percent_or_dash};
use stepscope::table::Table;
use stepscope::{Nanos, Rank};

use crate::grid::Grid;
use crate::tables::units;

/// The step trace: its average, then the steps.
pub(crate) fn step_trace(rank: &Rank) -> Grid {
    let found = rank.analysis.step_trace.as_ref();
    let average = found.filter(|found| !found.steps.is_empty()).map(|found| {
        let name = match (found.recorded_average, found.steps.len()) {
            (true, _) if found.averages_other_steps() => "average, as recorded (of other steps than listed)",
            (true, _) => "average, as recorded",
            (false, 1) => "average of the only step",
            (false, _) => "average without the first",
        };
        StepTimes { name: name.to_owned(), ..found.average.clone() }
    });
    let steps = found.into_iter().flat_map(|found| found.steps.iter().cloned());
    let rows: Vec<StepTimes> = average.into_iter().chain(steps).collect();
    let title = match found.map(|found| found.source) {
        Some(PointSource::Recorded) if found.is_some_and(|found| found.is_of_other_steps(&rank.analysis.steps)) => {
            "Step trace, as the profiler has it: its own table has other steps than the timeline"
        }
        None | Some(PointSource::Recorded) => "Step trace, as the profiler has it",
        Some(PointSource::Device) => "Step trace, on the device",
        Some(PointSource::Host) => "Step trace, on the host",
        Some(PointSource::Timeline) => "Step trace, as the profiler's timeline has it",
        Some(PointSource::Operators) => {
            "Step trace, from the first operator (after GetNext, if any) to the last (before the last collective, if any)"
        }
        Some(PointSource::NamedSteps) => {
            "Step trace, by the named operators: the tail has the time until the next step"
        }
        Some(PointSource::Named) => "Step trace, from and to the named operators",
    };
    let table = Table::of::<StepTraceTable<false>>(&rows, &());
    Grid::with(title, &table, units(rank), |row, column, text| {
        let part = match column.key {
            "iteration_interval_ns" => rows[row].iteration_interval,
            "forward_and_backward_ns" => rows[row].forward_and_backward,
            "tail_ns" => rows[row].tail,
            _ => return text,
        };
        format!("{text}  {:>7}", percent_or_dash(part.ratio_of(rows[row].total)))
    })
}

/// Throughput after Paddle's benchmark table.
pub(crate) fn benchmark(rank: &Rank) -> Grid {
    let found = rank.analysis.benchmark.as_ref();
    let seconds = |value: f64| {
        #[expect(clippy::cast_possible_truncation, reason = "seconds of steps")]
        let nanos = (value * 1e9).round() as i64;
        duration(Nanos(nanos))
    };
    let row = |name: &str, values: Extremes, text: &dyn Fn(f64) -> String| {
        let values = [values.avg, values.max, values.min].map(text);
        std::iter::once(name.to_owned()).chain(values).collect::<Vec<_>>()
    };
    let rows = found.into_iter().flat_map(|found| {
        let reader = found.reader_cost.map(|reader| row("host waits for data", reader, &seconds));
        let rate = if found.samples.is_some() { "samples per second" } else { "steps per second" };
        let ratio = found.reader_ratio.map(|ratio| {
            vec!["host waits for data, of that time".to_owned(), percent(ratio), String::new(), String::new()]
        });
        let name = if found.own_lengths { "length of a step" } else { "from step to step" };
        let batch = row(name, found.batch_cost, &seconds);
        reader.into_iter().chain([batch, row(rate, found.ips, &|value| number(value))]).chain(ratio)
    });
    let title = match found {
        Some(found) if found.own_lengths => {
            "Throughput, by the own length of steps: the start of a next one is not recorded".to_owned()
        }
        Some(found) => format!(
            "Throughput, from a host step's start to the next start, {} of {} steps",
            count(found.steps),
            count(found.of)
        ),
        None => "Throughput".to_owned(),
    };
    Grid::new(&title, ["", "mean", "max", "min"], rows)
}
