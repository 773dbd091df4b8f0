//! A trace as Chrome JSON that Perfetto shows without losing anything.
//!
//! Perfetto drops or moves slices that overlap partly, merges processes with odd ids, binds arrows to
//! whatever is on top: so every process and lane gets an id of its own, overlapping slices go to lanes,
//! and arrows start and end where their slice is on top. Times are rebased, with exactly three decimals.
//!
//! What the analyses found is added as lanes of their own (category `stepscope`): the steps, and per
//! device the Overlap Analysis. The member `stepscope` says which thread each lane came from, so that
//! reading the export back gives the same numbers.

mod args;
mod computed;
mod lanes;
mod rows;
mod text;

use std::io;

use self::rows::Rows;
use self::text::Out;
use crate::summary::Rank;
use crate::units::Nanos;

/// How much to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Every event.
    Detail,
    /// Steps, overlap lanes and aggregates per step; no single operator or kernel.
    Summary,
}

/// How many of each kind were written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Slices (`X`).
    pub slices: u64,
    /// Marks (`i`), which Perfetto shows as slices without length.
    pub instants: u64,
    /// Arrows: ends (`f`), each of which makes one arrow with its start.
    pub flows: u64,
    /// Counters' values (`C`).
    pub samples: u64,
}

/// Writes one trace of the given ranks.
///
/// # Errors
///
/// If the sink does not take the bytes.
///
/// ```
/// use stepscope::{Loader, Rank, analyze::AnalysisConfig, export::perfetto};
///
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":2.5,"dur":5}
/// ]}"#;
/// let mut loader = Loader::new("example.json");
/// loader.space(text.len()).copy_from_slice(text);
/// loader.advance(text.len())?;
/// let rank = Rank::new("example.json", 0, loader.finish()?, &AnalysisConfig::standard());
/// let mut export = Vec::new();
/// let written = perfetto::write(&[&rank], perfetto::Level::Detail, &mut export)?;
/// assert_eq!(written.slices, 2); // the operator, and the step that was made of it
/// assert!(String::from_utf8(export)?.contains("\"ts\":0.000,\"dur\":5.000"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(ranks: &[&Rank], level: Level, sink: &mut dyn io::Write) -> io::Result<Written> {
    let mut out = Out::new(sink);
    let start = ranks.iter().filter_map(|rank| rank.trace.meta.origin_unix_ns).min();
    head(&mut out, ranks, start);
    let mut rows = Rows::default();
    for rank in ranks {
        // Ranks with a known absolute time keep their distance; the others start together.
        let shift = rank.trace.meta.origin_unix_ns.zip(start).map_or(0, |(own, first)| own.saturating_sub(first));
        out.rebase(Nanos(shift));
        rows.next_rank();
        computed::write(&mut out, &mut rows, rank, level)?;
        if level == Level::Detail {
            rows::write(&mut out, &mut rows, rank, ranks.len() == 1)?;
        }
    }
    out.raw("\n],\n\"stepscope\":");
    rows.write_lanes(&mut out);
    out.raw("}\n");
    out.flush()?;
    Ok(out.written)
}

/// The members before the events, which tell what the first rank's own file told.
fn head(out: &mut Out<'_>, ranks: &[&Rank], start: Option<i64>) {
    out.raw("{\n\"schemaVersion\":1,\n\"displayTimeUnit\":\"ms\",\n");
    if let Some(start) = start {
        out.raw(&format!("\"baseTimeNanoseconds\":{start},\n"));
    }
    if let Some(rank) = ranks.first() {
        args::devices(out, &rank.trace.meta.devices);
        args::distributed(out, rank);
        args::facts(out, &rank.trace.meta.facts);
    }
    out.raw("\"traceEvents\":[");
}
