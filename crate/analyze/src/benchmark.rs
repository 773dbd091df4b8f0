//! Throughput, as Paddle's benchmark table has it. METRICS section 3, "Throughput".

use super::phases::{Phase, Phases};
use super::steps::{Step, Steps, is_between};
use stepscope_base::Nanos;

/// Settings of throughput.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchmarkConfig {
    /// Samples in a step; `None`: the steps' own number, and if they have none, steps are counted instead.
    pub samples: Option<u64>,
}

/// A mean, a maximum and a minimum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extremes {
    /// The mean.
    pub avg: f64,
    /// The greatest value.
    pub max: f64,
    /// The least value.
    pub min: f64,
}

impl Extremes {
    /// The extremes of lengths, in seconds; `None` if there are none.
    fn of(lengths: &[Nanos]) -> Option<Self> {
        let of = |least: fn(Nanos, Nanos) -> Nanos| lengths.iter().copied().reduce(least);
        let (max, min) = (seconds(of(Nanos::max)?), seconds(of(Nanos::min)?));
        let total: Nanos = lengths.iter().copied().sum();
        // One division: a mean of equal lengths is that length.
        #[expect(clippy::cast_precision_loss, reason = "a count of steps")]
        let avg = total.0 as f64 / (lengths.len() as f64 * 1e9);
        Some(Self { avg, max, min })
    }
}

/// The benchmark table. Times in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Benchmark {
    /// Number of steps: those that enter averages and whose cost is known.
    pub steps: u64,
    /// Number of steps that enter averages and are recorded whole.
    pub of: u64,
    /// Whether no step has a next one: each counts until its own end.
    pub own_lengths: bool,
    /// Samples in a step, where the user gives them or the steps have them; the mean, where they differ.
    pub samples: Option<u64>,
    /// A step's wait for data; `None` where the trace shows no data loading.
    pub reader_cost: Option<Extremes>,
    /// From a step's start on the host to the next one's, or to its mark's end where marks touch.
    pub batch_cost: Extremes,
    /// Samples, else steps, per second; the mean is that of all steps together.
    pub ips: Extremes,
    /// The mean of [`reader_cost`](Self::reader_cost) as a part of that of [`batch_cost`](Self::batch_cost).
    pub reader_ratio: Option<f64>,
}

/// The throughput of the steps that enter averages; `None` without any.
///
/// A step costs the time until the next one begins: the time between two steps counts, too. The cost of a step without a
/// next one is not known, and it does not count. If no step has a next one, each counts until its own end. Where marks
/// last from step to step ([`Steps::marks_are_whole_steps`]), and less than 1 % of that time is between them, each counts with its
/// mark: the part of the waits is then that of Paddle's own Model Summary.
///
/// ```
/// use stepscope::{Loader, analyze};
/// use stepscope::analyze::BenchmarkConfig;
///
/// // Two steps, of which 5 ms each wait for data; the second one begins 20 ms after the first.
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":20000},
///   {"ph":"X","cat":"cpu_op","name":"enumerate(DataLoader)#_Iter.__next__","pid":1,"tid":1,"ts":0,"dur":5000},
///   {"ph":"X","cat":"user_annotation","name":"ProfilerStep#4","pid":1,"tid":1,"ts":20000,"dur":30000},
///   {"ph":"X","cat":"cpu_op","name":"enumerate(DataLoader)#_Iter.__next__","pid":1,"tid":1,"ts":20000,"dur":5000}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let steps = analyze::steps(&trace, &analyze::StepsConfig::default());
/// let phases = analyze::phases(&trace, &steps);
/// let found = analyze::benchmark(&steps, &phases, BenchmarkConfig { samples: Some(8) }).expect("steps");
/// assert_eq!((found.steps, found.of), (1, 2));
/// assert_eq!((found.batch_cost.avg, found.ips.avg), (0.02, 400.0));
/// assert_eq!(found.reader_ratio, Some(0.25));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn benchmark(steps: &Steps, phases: &Phases, config: BenchmarkConfig) -> Option<Benchmark> {
    let Costs { of, own_lengths, costs } = costs(steps);
    let (chosen, lengths): (Vec<usize>, Vec<Nanos>) = costs.into_iter().unzip();
    let batch_cost = Extremes::of(&lengths)?;
    let loading = |index: &usize| phases.steps.get(*index).map(|times| times[Phase::Dataloader as usize]);
    let waits: Vec<Nanos> = chosen.iter().filter_map(loading).map(|time| time.host).collect();
    let has_reader = chosen.iter().filter_map(loading).any(|time| time.calls > 0);
    let sum = |times: &[Nanos]| times.iter().copied().sum::<Nanos>();
    let said = |index: &usize| config.samples.or(steps.steps.get(*index)?.samples);
    let samples: Option<Vec<u64>> = chosen.iter().map(said).collect();
    Some(Benchmark {
        steps: chosen.len() as u64,
        of,
        own_lengths,
        samples: samples.as_ref().map(|samples| mean(samples)),
        reader_cost: Extremes::of(&waits).filter(|_| has_reader),
        batch_cost,
        ips: rates(&samples.unwrap_or_else(|| vec![1; lengths.len()]), &lengths, batch_cost.avg),
        reader_ratio: sum(&waits).ratio_of(sum(&lengths)).filter(|_| has_reader),
    })
}

/// The work of the steps that [`benchmark`] counts, where each is followed by another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkDone {
    /// Number of steps.
    pub steps: u64,
    /// Their samples, if each says how many it has.
    pub samples: Option<u64>,
    /// The time from each to the next.
    pub time: Nanos,
}

impl WorkDone {
    /// The work of a trace's steps; none if no step has a next one: what a step alone costs is not known.
    #[must_use]
    pub fn of(steps: &Steps) -> Option<Self> {
        let Costs { own_lengths, costs, .. } = costs(steps);
        let time = costs.iter().map(|(_, cost)| *cost).sum();
        let samples = costs.iter().try_fold(0_u64, |sum, (step, _)| sum.checked_add(steps.steps[*step].samples?));
        (!own_lengths && time > Nanos::ZERO).then_some(Self { steps: costs.len() as u64, samples, time })
    }
}

fn mean(counts: &[u64]) -> u64 {
    let sum: u128 = counts.iter().map(|count| u128::from(*count)).sum();
    let len = (counts.len() as u128).max(1);
    u64::try_from((sum + len / 2) / len).unwrap_or(u64::MAX)
}

/// Samples, else steps, per second: of all steps together, of the fastest, of the slowest. `mean`: the mean length.
#[expect(clippy::cast_precision_loss, reason = "counts of samples")]
fn rates(done: &[u64], lengths: &[Nanos], mean: f64) -> Extremes {
    let rate = |(done, length): (&u64, &Nanos)| *done as f64 / seconds(*length);
    let rates = done.iter().zip(lengths).map(rate);
    let all: u128 = done.iter().map(|done| u128::from(*done)).sum();
    Extremes {
        avg: all as f64 / done.len() as f64 / mean,
        max: rates.clone().fold(f64::NEG_INFINITY, f64::max),
        min: rates.fold(f64::INFINITY, f64::min),
    }
}

/// The costs of steps.
struct Costs {
    /// See [`Benchmark::of`].
    of: u64,
    /// See [`Benchmark::own_lengths`].
    own_lengths: bool,
    /// The cost of each step that counts, with its index.
    costs: Vec<(usize, Nanos)>,
}

/// The cost of each step that enters averages.
fn costs(steps: &Steps) -> Costs {
    let is_whole = |index: &usize| {
        let step = &steps.steps[*index];
        !step.host.is_empty() && step.unrecorded() == Nanos::ZERO
    };
    let chosen: Vec<usize> = steps.counted().into_iter().filter(is_whole).collect();
    let of = chosen.len() as u64;
    if are_adjacent(steps, &chosen) {
        let costs = chosen.into_iter().map(|index| (index, steps.steps[index].host.len())).collect();
        return Costs { of, own_lengths: false, costs };
    }
    let until_next = |index: &usize| {
        let step = &steps.steps[*index];
        let next = steps.steps.get(index + 1).filter(|next| follows(step, next))?;
        Some((*index, next.host.start.max(step.host.end) - step.host.start))
    };
    let followed: Vec<(usize, Nanos)> = chosen.iter().filter_map(until_next).collect();
    let own_lengths = followed.is_empty();
    // A step alone takes until its devices have finished; until the next one, they may work on.
    let own = |index: &usize| {
        let step = &steps.steps[*index];
        (*index, step.host.len().max(step.span.len()))
    };
    let costs = if own_lengths { chosen.iter().map(own).collect() } else { followed };
    Costs { of, own_lengths, costs }
}

/// Whether the marks of these steps last from step to step, up to the time that ending one and beginning the next takes.
fn are_adjacent(steps: &Steps, chosen: &[usize]) -> bool {
    let follow = |index: &usize| {
        let step = &steps.steps[*index];
        let next = steps.steps.get(index + 1).filter(|next| follows(step, next))?;
        Some((next.host.start - step.host.end).max(Nanos::ZERO))
    };
    let gaps: Vec<Nanos> = chosen.iter().filter_map(follow).collect();
    let marks = chosen.iter().map(|step| steps.steps[*step].host.len()).sum();
    steps.marks_are_whole_steps && !gaps.is_empty() && !is_between(gaps.into_iter().sum(), marks)
}

/// Whether a step directly follows another: profiling may have paused between steps whose numbers are further apart.
fn follows(step: &Step, next: &Step) -> bool {
    let number = |step: &Step| step.name.parse::<u64>().ok();
    match (number(step), number(next)) {
        (Some(number), Some(next)) => number.checked_add(1) == Some(next),
        _ => true,
    }
}

#[expect(clippy::cast_precision_loss, reason = "rates are shown with a few digits")]
fn seconds(length: Nanos) -> f64 {
    length.0 as f64 / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{StepsConfig, phases, steps};
    use stepscope_input::Loader;

    /// Steps by their number, start and length in ms.
    fn cost_of(marks: &[(u64, i64, i64)]) -> (u64, [i64; 3]) {
        let events: Vec<String> = marks
            .iter()
            .map(|(number, start, length)| {
                format!(
                    r#"{{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{number}","pid":1,"tid":1,"ts":{start}000,"dur":{length}000}}"#
                )
            })
            .collect();
        let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(","));
        let mut loader = Loader::new("test.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        let trace = loader.finish().expect("a trace").trace;
        let steps = steps(&trace, &StepsConfig::default());
        let found = benchmark(&steps, &phases(&trace, &steps), BenchmarkConfig::default()).expect("steps");
        let cost = found.batch_cost;
        (found.steps, [cost.avg, cost.max, cost.min].map(|seconds| (seconds * 1e6).round() as i64))
    }

    #[test]
    fn a_step_costs_the_time_until_the_next_one() {
        assert_eq!(cost_of(&[(1, 0, 15), (2, 30, 15), (3, 62, 15)]), (2, [31_000, 32_000, 30_000]));
        assert_eq!(cost_of(&[(1, 1, 15)]), (1, [15_000; 3]));
        // No number follows the greatest.
        assert_eq!(cost_of(&[(u64::MAX, 0, 15), (0, 30, 15)]).0, 2);
    }

    #[test]
    fn the_last_step_has_no_known_cost() {
        assert_eq!(cost_of(&[(1, 0, 20), (2, 20, 21), (3, 41, 90)]), (2, [20_500, 21_000, 20_000]));
    }

    #[test]
    fn a_pause_of_profiling_is_no_time_of_a_step() {
        assert_eq!(cost_of(&[(1, 0, 20), (2, 20, 20), (7, 500, 20), (8, 520, 90)]), (2, [20_000; 3]));
    }

    /// Steps and waits for data of a Paddle trace by start and length in µs: the number of steps that count, and the part
    /// of the waits. Each step has an operator, but the last one where `ends` is set.
    fn waits_of_paddle(marks: &[(i64, i64, i64)], ends: bool) -> (u64, Option<f64>) {
        let event = |category: &str, name: &str, start: i64, length: i64| {
            let end = start + length;
            format!(
                r#"{{"ph":"X","cat":"{category}","name":"{name}[{length} us]","pid":1,"tid":"1(Python)","ts":{start},"dur":{length},
                    "cname":"","args":{{"start_time":"{start}.000 us","end_time":"{end}.000 us"}}}}"#
            )
        };
        let events = marks.iter().enumerate().flat_map(|(number, (start, length, wait))| {
            let operator = (!ends || number + 1 < marks.len()).then(|| event("Operator", "relu", start + wait, 1));
            [
                event("ProfileStep", &format!("ProfileStep#{number}"), *start, *length),
                event("Dataloader", "_DataLoaderIter", *start, *wait),
            ]
            .into_iter()
            .chain(operator)
        });
        let text = format!(
            r#"{{"displayTimeUnit":"ms","schemaVersion":"1.0.2","span_index":"0","traceEvents":[{}]}}"#,
            events.collect::<Vec<_>>().join(",")
        );
        let mut loader = Loader::new("a.paddle_trace.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        let trace = loader.finish().expect("a trace").trace;
        let steps = steps(&trace, &StepsConfig::default());
        let found = benchmark(&steps, &phases(&trace, &steps), BenchmarkConfig::default()).expect("steps");
        (found.steps, found.reader_ratio.map(|ratio| (ratio * 1e6).round() / 1e6))
    }

    #[test]
    fn marks_of_paddle_last_from_step_to_step() {
        // The last mark is a step's cost, too: 160 of 400 µs.
        let steps = [(0, 100, 10), (100, 100, 10), (201, 200, 140)];
        assert_eq!(waits_of_paddle(&steps, false), (3, Some(0.4)));
        assert_eq!(waits_of_paddle(&steps, true), (2, Some(0.1)), "`stop()` ended the last one");
        // Between marks that do not touch, the program does something: 20 of 210 µs.
        assert_eq!(waits_of_paddle(&[(0, 100, 10), (110, 90, 10), (210, 200, 140)], false), (2, Some(0.095238)));
    }
}
