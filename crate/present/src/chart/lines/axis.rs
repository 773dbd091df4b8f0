//! Ticks of an axis and their labels.

use crate::text::number;
use stepscope_trace::RecordedUnit;

/// The fewest ticks that may be requested.
pub(super) const SHARP: f64 = 1.0;

/// An axis's ticks.
pub(super) struct Axis {
    /// Their places and labels.
    pub(super) ticks: Vec<(f64, String)>,
}

impl Axis {
    /// About `most` ticks at round values within the range; only at whole numbers if `is_whole`.
    pub(super) fn of(unit: RecordedUnit, range: (f64, f64), most: f64, is_whole: bool) -> Self {
        let step = step(unit, (range.1 - range.0) / most.max(SHARP)).max(if is_whole { 1.0 } else { 0.0 });
        let largest = range.0.abs().max(range.1.abs());
        let (scale, name) = shown_in(unit, largest, step);
        let decimals = decimals(step / scale);
        let first = (range.0 / step).ceil();
        // A tick at the very end counts despite rounding errors of the sums.
        let end = range.1 + step * 1e-9;
        let places = (0..200).map(|index| (first + f64::from(index)) * step).take_while(|value| *value <= end);
        let label = |value: f64| {
            let text = match value / scale {
                0.0 => "0".to_owned(),
                whole if scale == 1.0 && decimals == 0 => number(whole),
                part => format!("{part:.decimals$}"),
            };
            if name.is_empty() { text } else { format!("{text} {name}") }
        };
        Self { ticks: places.map(|value| (value, label(value))).collect() }
    }
}

const SECOND: f64 = 1e9;

/// The smallest round step that is no shorter.
fn step(unit: RecordedUnit, least: f64) -> f64 {
    let least = if least.is_finite() && least > 1e-12 { least } else { 1e-12 };
    match unit {
        RecordedUnit::Bytes if least >= 1.0 => {
            let mut step = 1.0;
            while step < least {
                step *= 2.0;
            }
            step
        }
        RecordedUnit::Nanoseconds if least > 50.0 * SECOND => {
            let steps = [60.0, 120.0, 300.0, 600.0, 1200.0, 1800.0, 3600.0, 7200.0, 21_600.0, 43_200.0];
            let found = steps.into_iter().map(|seconds| seconds * SECOND).find(|step| *step >= least);
            found.unwrap_or_else(|| decimal_step(least / (3600.0 * SECOND)) * 3600.0 * SECOND)
        }
        // Nanoseconds and bytes have no parts; a number may.
        RecordedUnit::Nanoseconds | RecordedUnit::Bytes => decimal_step(least).max(1.0),
        RecordedUnit::Share => decimal_step(least * 100.0) / 100.0,
        RecordedUnit::BytesPerSecond
        | RecordedUnit::Flops
        | RecordedUnit::FlopsPerSecond
        | RecordedUnit::Number
        | RecordedUnit::Text => decimal_step(least),
    }
}

/// 1, 2 or 5 times a power of ten.
fn decimal_step(least: f64) -> f64 {
    let mut power = 1.0;
    while power * 10.0 <= least {
        power *= 10.0;
    }
    let mut parts = 1.0;
    while power / parts > least {
        parts *= 10.0;
    }
    let power = power / parts;
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|step| *step >= least).unwrap_or(power * 10.0)
}

/// The unit of an axis's labels: its size, and its name.
fn shown_in(unit: RecordedUnit, largest: f64, step: f64) -> (f64, &'static str) {
    const TIMES: [(f64, &str); 4] = [(SECOND, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")];
    const KIB: f64 = 1024.0;
    const BYTES: [(f64, &str); 6] = [
        (KIB * KIB * KIB * KIB * KIB, "PiB"),
        (KIB * KIB * KIB * KIB, "TiB"),
        (KIB * KIB * KIB, "GiB"),
        (KIB * KIB, "MiB"),
        (KIB, "KiB"),
        (1.0, "B"),
    ];
    let of = |units: &[(f64, &'static str)]| {
        units.iter().find(|(one, _)| largest >= *one).or(units.last()).copied().unwrap_or((1.0, ""))
    };
    match unit {
        RecordedUnit::Nanoseconds if step >= 1800.0 * SECOND => (3600.0 * SECOND, "h"),
        RecordedUnit::Nanoseconds if step >= 60.0 * SECOND => (60.0 * SECOND, "min"),
        RecordedUnit::Nanoseconds => of(&TIMES),
        RecordedUnit::Bytes => of(&BYTES),
        RecordedUnit::BytesPerSecond => of(&[(1e9, "GB/s"), (1e6, "MB/s"), (1e3, "kB/s"), (1.0, "B/s")]),
        RecordedUnit::Flops => of(&[(1e12, "TFLOP"), (1e9, "GFLOP"), (1e6, "MFLOP"), (1e3, "kFLOP"), (1.0, "FLOP")]),
        RecordedUnit::FlopsPerSecond => {
            of(&[(1e12, "TFLOP/s"), (1e9, "GFLOP/s"), (1e6, "MFLOP/s"), (1e3, "kFLOP/s"), (1.0, "FLOP/s")])
        }
        RecordedUnit::Share => (0.01, "%"),
        RecordedUnit::Number | RecordedUnit::Text => (1.0, ""),
    }
}

/// The number of decimals that distinguish the ticks.
fn decimals(step: f64) -> usize {
    let mut scaled = step;
    let mut decimals = 0;
    while decimals < 12 && (scaled - scaled.round()).abs() > 1e-6 * scaled {
        scaled *= 10.0;
        decimals += 1;
    }
    decimals
}
