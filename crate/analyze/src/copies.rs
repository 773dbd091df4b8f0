//! Copies and memsets by kind. METRICS section 4.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::coverage::Covered;
use super::devices::GivenPeaks;

use super::per_step::PerStep;
use super::scope::{Scope, activities_in};
use super::statistics::Statistics;
use stepscope_base::{CompactSort, Nanos};
use stepscope_table::{Bar, Field, Rows, Unit, Value};
use stepscope_trace::{Class, NameId, Trace};

/// One kind of copy or memset, as the producer names it: `Memcpy HtoD (Pageable -> Device)`.
#[derive(Clone, Debug, PartialEq)]
pub struct CopyRow {
    /// The kind.
    pub name: NameId,
    /// Copy or memset.
    pub class: Class,
    /// Statistics of the durations.
    pub time: Statistics,
    /// Bytes of the calls that record them.
    pub bytes: u64,
    /// Number of calls that record their bytes.
    pub calls_with_bytes: u64,
    /// The time of those calls.
    pub time_with_bytes: Nanos,
}

impl CopyRow {
    /// GB/s = bytes / time, of the calls that record their bytes.
    #[must_use]
    pub fn gigabytes_per_second(&self) -> Option<f64> {
        self.rate().map(|rate| rate.value)
    }

    /// The same, with the share of the time that these calls cover.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a rate for display")]
    pub fn rate(&self) -> Option<Covered> {
        Covered::of(self.bytes as f64 / self.time_with_bytes.0 as f64, self.time_with_bytes, self.time.total)
    }
}

/// The table of copies and memsets. Rows are [`CopyRow`]s.
pub enum CopyTable {}

/// Context of the rows of the table of copies.
#[derive(Clone, Copy, Debug)]
pub struct CopyContext<'a> {
    /// The trace of the rows.
    pub trace: &'a Trace,
    /// The peaks that the user gave.
    pub peaks: &'a GivenPeaks,
    /// The divisor of sums.
    pub per: PerStep,
}

impl Rows for CopyTable {
    const ID: &'static str = "copies";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::Text, |row, of| of.trace.strings.get(row.name).into()),
        Field::<Self>::new("class", Unit::Word("class"), |row, _| {
            Value::Word(if row.class == Class::Memcpy { "memcpy" } else { "memset" })
        })
        .data(),
        Field::<Self>::new("calls", Unit::Count, |row, of| of.per.count(row.time.calls).into()).part(),
        Field::<Self>::new("total_ns", Unit::Duration, |row, of| of.per.time(row.time.total).into())
            .bar(Bar::OfLargest)
            .part(),
        Field::<Self>::new("mean_ns", Unit::Duration, |row, _| row.time.mean.into()),
        Field::<Self>::new("median_ns", Unit::Duration, |row, _| row.time.median.into()).wide(),
        Field::<Self>::new("min_ns", Unit::Duration, |row, _| row.time.min.into()),
        Field::<Self>::new("max_ns", Unit::Duration, |row, _| row.time.max.into()),
        Field::<Self>::new("bytes", Unit::Bytes, |row, of| {
            (row.calls_with_bytes > 0).then(|| of.per.count(row.bytes)).into()
        })
        .part(),
        Field::<Self>::new("gigabytes_per_second", Unit::GigabytesPerSecond, |row, _| row.rate().into()).covered(),
        Field::<Self>::new("peak_gigabytes_per_second", Unit::GigabytesPerSecond, |row, of| {
            copy_use(of.trace, row, of.peaks).map(|used| used.peak).into()
        })
        .data()
        .omitted(),
        Field::<Self>::new("share_of_peak", Unit::Share, |row, of| {
            copy_use(of.trace, row, of.peaks).map(|used| used.share).into()
        })
        .covered()
        .omitted(),
    ];
    const SORT: &'static str = "total_ns";
    type Row = CopyRow;
    type Context<'a> = CopyContext<'a>;
}

/// The copies and memsets of a trace by kind, the longest total first.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
///
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pinned -> Device)","pid":0,"tid":7,"ts":0,"dur":2,"args":{"bytes":24000}},
///   {"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pinned -> Device)","pid":0,"tid":7,"ts":5,"dur":1,"args":{"bytes":12000}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let rows = analyze::copies(&trace);
/// assert_eq!((rows[0].time.calls, rows[0].bytes, rows[0].time.total), (2, 36_000, Nanos(3_000)));
/// assert_eq!(rows[0].gigabytes_per_second(), Some(12.0));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn copies(trace: &Trace) -> Vec<CopyRow> {
    copies_in(trace, None)
}

/// The copies and memsets of a scope, or of the whole trace, the longest total first.
#[must_use]
pub fn copies_in(trace: &Trace, scope: Option<&Scope<'_>>) -> Vec<CopyRow> {
    struct Group {
        lengths: Vec<Nanos>,
        bytes: u64,
        calls_with_bytes: u64,
        time_with_bytes: Nanos,
    }
    let mut groups: HashMap<(NameId, Class), Group, FxBuildHasher> = HashMap::default();
    for activity in activities_in(trace, scope) {
        let class = trace.slices.class(activity.event);
        if class == Class::Kernel {
            continue;
        }
        let key = (trace.slices.name(activity.event), class);
        let group = groups.entry(key).or_insert_with(|| Group {
            lengths: Vec::new(),
            bytes: 0,
            calls_with_bytes: 0,
            time_with_bytes: Nanos::ZERO,
        });
        let length = trace.slices.length(activity.event);
        group.lengths.push(length);
        if let Some(bytes) = activity.known_bytes() {
            group.bytes = group.bytes.saturating_add(bytes);
            group.calls_with_bytes += 1;
            group.time_with_bytes += length;
        }
    }
    let mut rows: Vec<CopyRow> = groups
        .into_iter()
        .map(|((name, class), mut group)| CopyRow {
            name,
            class,
            time: Statistics::of(&mut group.lengths),
            bytes: group.bytes,
            calls_with_bytes: group.calls_with_bytes,
            time_with_bytes: group.time_with_bytes,
        })
        .collect();
    rows.compact_sort_by(|a, b| {
        let order = b.time.total.cmp(&a.time.total);
        order.then_with(|| trace.strings.get(a.name).cmp(trace.strings.get(b.name))).then_with(|| a.class.cmp(&b.class))
    });
    rows
}

/// A kind of copies compared with the device's peak.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CopyUse {
    /// The peak, in GB/s.
    pub peak: f64,
    /// The achieved part of it: bytes / time / peak.
    pub share: Covered,
}

/// Compares a kind of copies with the peak of the devices, which all have the same. Copies between device and host are
/// compared with the link in one direction. Memsets, and copies within a device, are compared with its memory, which a
/// copy reads and writes. `None` if the device or what the kind moves is not known.
#[must_use]
pub fn copy_use(trace: &Trace, row: &CopyRow, given: &GivenPeaks) -> Option<CopyUse> {
    let mut devices = trace.meta.devices.iter();
    let peaks = given.of_device(devices.next())?;
    if devices.any(|other| given.of_device(Some(other)) != Some(peaks)) {
        return None;
    }
    let name = trace.strings.get(row.name);
    let peak = match row.class {
        Class::Memset => peaks.memory,
        _ if name.contains("HtoD") || name.contains("DtoH") => peaks.link,
        _ if name.contains("DtoD") => peaks.memory / 2.0,
        _ => return None,
    };
    (peak > 0.0).then_some(CopyUse { peak, share: row.rate()?.map(|rate| rate / peak) })
}
