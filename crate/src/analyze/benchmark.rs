//! Throughput, as Paddle's benchmark table has it. METRICS section 3, "Throughput".

use super::phases::{Phase, Phases};
use super::steps::Steps;
use crate::units::Nanos;

/// What a person chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchmarkConfig {
    /// Samples in a step; `None`: steps are counted instead.
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
    /// Of some lengths, in seconds; `None` of none.
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
    /// How many steps it is about: those that enter averages.
    pub steps: u64,
    /// Samples in a step, where a person said so.
    pub samples: Option<u64>,
    /// A step's wait for data; `None` where the trace shows no data loading.
    pub reader_cost: Option<Extremes>,
    /// A step's length on the host.
    pub batch_cost: Extremes,
    /// Samples, else steps, per second; the mean is that of all steps together.
    pub ips: Extremes,
    /// The mean of [`reader_cost`](Self::reader_cost) as a part of that of [`batch_cost`](Self::batch_cost).
    pub reader_ratio: Option<f64>,
}

/// The throughput of the steps that enter averages; `None` without any.
///
/// ```
/// use stepscope::{Loader, analyze};
/// use stepscope::analyze::BenchmarkConfig;
///
/// // Two steps, of 20 ms and 30 ms, of which 5 ms each wait for data.
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
/// assert_eq!((found.batch_cost.avg, found.batch_cost.max), (0.025, 0.03));
/// assert_eq!((found.ips.avg, found.ips.max), (320.0, 400.0));
/// assert_eq!(found.reader_ratio, Some(0.2));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn benchmark(steps: &Steps, phases: &Phases, config: BenchmarkConfig) -> Option<Benchmark> {
    let chosen: Vec<usize> = steps.counted().into_iter().filter(|index| !steps.steps[*index].host.is_empty()).collect();
    let lengths: Vec<Nanos> = chosen.iter().map(|index| steps.steps[*index].host.len()).collect();
    let batch_cost = Extremes::of(&lengths)?;
    let loading = |index: &usize| phases.steps.get(*index).map(|times| times[Phase::Dataloader as usize]);
    let waits: Vec<Nanos> = chosen.iter().filter_map(loading).map(|time| time.host).collect();
    let has_reader = chosen.iter().filter_map(loading).any(|time| time.calls > 0);
    let sum = |times: &[Nanos]| times.iter().copied().sum::<Nanos>();
    #[expect(clippy::cast_precision_loss, reason = "a count of samples")]
    let per_step = config.samples.map_or(1.0, |samples| samples as f64);
    let rate = |length: f64| per_step / length;
    Some(Benchmark {
        steps: chosen.len() as u64,
        samples: config.samples,
        reader_cost: Extremes::of(&waits).filter(|_| has_reader),
        batch_cost,
        // The shortest step has the highest rate.
        ips: Extremes { avg: rate(batch_cost.avg), max: rate(batch_cost.min), min: rate(batch_cost.max) },
        reader_ratio: sum(&waits).ratio_of(sum(&lengths)).filter(|_| has_reader),
    })
}

#[expect(clippy::cast_precision_loss, reason = "rates are shown with a few digits")]
fn seconds(length: Nanos) -> f64 {
    length.0 as f64 / 1e9
}
