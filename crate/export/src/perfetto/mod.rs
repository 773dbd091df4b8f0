//! Export of a trace as Chrome JSON, or in Perfetto's own format, without loss in Perfetto.
//!
//! Perfetto drops or moves slices that overlap partly, merges processes with odd ids and binds flows to the topmost
//! slice. So every process and lane gets an id of its own, and overlapping slices go to separate lanes. Flows start
//! and end where their slice is the topmost.
//!
//! Times are rebased and have three decimals. Several ranks share one clock, as [`job`](stepscope_analyze::job())
//! finds it, with jumps and drifts corrected.
//!
//! Results of the analyses are lanes of their own (category `stepscope`): the steps, their parts by the step trace, and
//! per device the Overlap Analysis. The member `stepscope` maps each lane to its thread, so that reading the export
//! back gives the same numbers.
//!
//! A range of time cuts slices at its ends. Perfetto's sums then cover the range only, and reading the export back
//! gives the numbers that the page shows for it. A cut slice has arguments with its original extent:
//! `stepscope clipped`, `stepscope start (ns)`, `stepscope length (ns)`. A flow needs both of its slices, and a
//! counter begins with its value at the start of the range. Kernels of communication have the argument
//! `stepscope communication`, since the operator that shows it may be left out.
//!
//! With a choice of graphs, slices that start in their iterations are written whole; computed lanes of devices are
//! cut to the iterations.

mod args;
mod clocks;
mod computed;
mod config;
mod cut;
mod events;
mod flows;
mod lanes;
mod packets;
mod proto;
mod rows;
mod step_trace;
mod text;
mod thread_ids;

use std::io;
use std::sync::Arc;

use self::clocks::Zeros;
use self::computed::Computed;
use self::events::Events;
use self::packets::Packets;
use self::rows::Rows;
use self::text::{Out, Position};
use stepscope_analyze::{IntervalSet, JobConfig, Rank, RankClock, Step, job_of_digests, rows_in_job};
use stepscope_trace::TrackId;

pub use self::config::{ExportConfig, GraphChoice, Level};
pub use self::text::Written;

/// Writes one trace of the given ranks.
///
/// # Errors
///
/// If the sink does not take the bytes.
///
/// ```
/// use stepscope::{Loader, Rank, analyze::AnalysisConfig};
/// use stepscope::export::perfetto::{ExportConfig, Level, write};
///
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":2.5,"dur":5}
/// ]}"#;
/// let mut loader = Loader::new("example.json");
/// loader.space(text.len()).copy_from_slice(text);
/// loader.advance(text.len())?;
/// let rank = Rank::new("example.json", 0, loader.finish()?, &AnalysisConfig::standard());
/// let mut export = Vec::new();
/// let written = write(&[&rank], ExportConfig::of(Level::Detail), &mut export)?;
/// assert_eq!(written.slices, 2); // the operator, and the step that was made of it
/// assert!(String::from_utf8(export)?.contains("\"ts\":0.000,\"dur\":5.000"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(ranks: &[&Rank], config: ExportConfig, sink: &mut dyn io::Write) -> io::Result<Written> {
    write_on(ranks, &clocks_of(ranks), config, sink)
}

/// Writes some ranks of a larger job, on the clocks that all ranks determine together
/// ([`Job::clocks_of`](stepscope_analyze::Job::clocks_of)).
///
/// # Errors
///
/// If the sink does not take the bytes.
pub fn write_on(
    ranks: &[&Rank],
    clocks: &[Option<RankClock>],
    config: ExportConfig,
    sink: &mut dyn io::Write,
) -> io::Result<Written> {
    let mut out = Out::new(sink);
    fill(&mut out, ranks, config, &Zeros::of(ranks, clocks))?;
    out.flush()?;
    Ok(out.written)
}

/// Writes Perfetto's own format (`.pftrace`): a third of the size, and quicker to open. Only Perfetto reads it; this
/// analyzer does not.
///
/// # Errors
///
/// If the sink does not take the bytes.
pub fn write_packets(
    ranks: &[&Rank],
    clocks: &[Option<RankClock>],
    config: ExportConfig,
    sink: &mut dyn io::Write,
) -> io::Result<Written> {
    let zeros = Zeros::of(ranks, clocks);
    let packets = Box::new(Packets::gather(zeros.start));
    // A flow is part of its slices, but is known only after them: the first pass collects flows.
    let mut nowhere = io::sink();
    let mut out = Out::as_packets(&mut nowhere, packets);
    fill(&mut out, ranks, config.clone(), &zeros)?;
    let mut packets = out.into_packets()?.unwrap_or_default();
    packets.write();
    let mut out = Out::as_packets(sink, packets);
    fill(&mut out, ranks, config, &zeros)?;
    let written = out.written;
    out.into_packets()?;
    Ok(written)
}

/// An export that is written rank by rank in chunks, so that neither all traces nor the whole text need be in memory.
#[derive(Debug)]
pub struct Export {
    course: Course,
    position: Position,
}

impl Export {
    /// Writes the part before the ranks. Needs only the metadata and the clocks of all ranks.
    ///
    /// # Errors
    ///
    /// If the sink does not take the bytes.
    pub fn begin(
        ranks: &[&Rank],
        clocks: &[Option<RankClock>],
        config: ExportConfig,
        sink: &mut dyn io::Write,
    ) -> io::Result<Self> {
        let course = Course::of(ranks, config, Zeros::of(ranks, clocks));
        let mut export = Self { course, position: Position::default() };
        export.go_on(sink, |course, out| {
            head(out, ranks, course.zeros.start);
            Ok(())
        })?;
        Ok(export)
    }

    /// Leaves out all slices except those of some tracks, and with them computed lanes of devices, and counters.
    #[must_use]
    pub fn only(mut self, tracks: Vec<TrackId>) -> Self {
        self.course.only = Some(tracks);
        self
    }

    /// Writes the next rank, or continues with it, until a call has written about `most` bytes. Returns whether the
    /// rank is complete; until then, its trace must not change.
    ///
    /// # Errors
    ///
    /// If the sink does not take the bytes.
    pub fn rank(&mut self, rank: &Rank, most: usize, sink: &mut dyn io::Write) -> io::Result<bool> {
        self.go_on(sink, |course, out| course.rank(out, rank, most))
    }

    /// The share written, roughly, from 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        let Course { done, of, begun, .. } = &self.course;
        let begun = match begun {
            Begun::Nothing => 0.0,
            Begun::Computed(_) => 1.0,
            Begun::Events(events) => 1.0 - events.share(),
        };
        ((*done as f64 - begun) / (*of).max(1) as f64).clamp(0.0, 1.0)
    }

    /// Writes the part after the ranks.
    ///
    /// # Errors
    ///
    /// If the sink does not take the bytes.
    pub fn end(mut self, sink: &mut dyn io::Write) -> io::Result<Written> {
        self.go_on(sink, |course, out| {
            course.end(out);
            Ok(())
        })?;
        Ok(self.position.written)
    }

    fn go_on<T>(
        &mut self,
        sink: &mut dyn io::Write,
        write: impl FnOnce(&mut Course, &mut Out<'_>) -> io::Result<T>,
    ) -> io::Result<T> {
        let mut out = Out::going_on(sink, self.position.clone());
        let done = write(&mut self.course, &mut out)?;
        out.flush()?;
        self.position = out.position();
        Ok(done)
    }
}

/// State that is kept from rank to rank.
#[derive(Debug)]
struct Course {
    config: ExportConfig,
    rows: Rows,
    zeros: Zeros,
    /// The tracks to write; all if none.
    only: Option<Vec<TrackId>>,
    /// The part of the current rank that is being written.
    begun: Begun,
    /// The number of ranks begun.
    done: usize,
    /// The number of all ranks.
    of: usize,
}

/// The part of a rank that is being written.
#[derive(Debug)]
enum Begun {
    Nothing,
    Computed(Computed),
    Events(Box<Events>),
}

impl Course {
    fn of(ranks: &[&Rank], config: ExportConfig, zeros: Zeros) -> Self {
        Self { config, rows: Rows::default(), zeros, only: None, begun: Begun::Nothing, done: 0, of: ranks.len() }
    }

    /// Writes a rank, or continues with it, until `out` has `most` bytes; returns whether the rank is complete.
    fn rank(&mut self, out: &mut Out<'_>, rank: &Rank, most: usize) -> io::Result<bool> {
        let level = self.config.level;
        loop {
            let next = match &mut self.begun {
                Begun::Nothing => Begun::Computed(self.begin(out, rank)?),
                Begun::Computed(computed) => {
                    if !computed.go_on(out, &mut self.rows, rank, most)? {
                        return Ok(false);
                    }
                    match level {
                        Level::Detail => {
                            let only = (self.of == 1, self.only.as_deref());
                            Begun::Events(Box::new(Events::begin(out, &mut self.rows, rank, only)?))
                        }
                        Level::Summary => Begun::Nothing,
                    }
                }
                Begun::Events(events) => {
                    if !events.go_on(out, &mut self.rows, rank, most)? {
                        return Ok(false);
                    }
                    Begun::Nothing
                }
            };
            self.begun = next;
            if let Begun::Nothing = self.begun {
                return Ok(true);
            }
        }
    }

    fn begin(&mut self, out: &mut Out<'_>, rank: &Rank) -> io::Result<Computed> {
        let ExportConfig { level, span, ref graphs } = self.config;
        let clock = |place: usize| self.zeros.clocks.get(place).copied().unwrap_or_default();
        let own = clock(self.done).of_trace(&rank.trace);
        out.rebase(own, span.map(|span| if self.done == 0 { span } else { own.span_of(clock(0), span) }));
        out.only_in(parts_of(rank, &graphs.only));
        self.done += 1;
        self.rows.next_rank();
        Computed::begin(out, &mut self.rows, rank, (level, self.only.is_some()), graphs.clone())
    }

    fn end(&self, out: &mut Out<'_>) {
        out.raw("\n],\n\"stepscope\":");
        self.rows.write_lanes(out, self.config.span);
        out.raw("}\n");
    }
}

/// The iterations of the chosen graphs; none if no graph is chosen.
fn parts_of(rank: &Rank, graphs: &[u64]) -> Option<Arc<IntervalSet>> {
    let is_chosen = |step: &&Step| step.graph.is_some_and(|graph| graphs.contains(&graph));
    let spans = rank.analysis.steps.steps.iter().filter(is_chosen).map(|step| step.span);
    (!graphs.is_empty()).then(|| Arc::new(IntervalSet::of(spans)))
}

/// The clocks of ranks that form the whole job.
fn clocks_of(ranks: &[&Rank]) -> Vec<Option<RankClock>> {
    if ranks.len() < 2 {
        return Vec::new();
    }
    let digests: Vec<_> = ranks.iter().map(|rank| (rank.rank, rank.digest())).collect();
    let rows = rows_in_job(digests.iter().map(|(_, digest)| digest.is_some()));
    let job = job_of_digests(digests, &JobConfig::default()).unwrap_or_default();
    job.clocks_of(rows)
}

fn fill(out: &mut Out<'_>, ranks: &[&Rank], config: ExportConfig, zeros: &Zeros) -> io::Result<()> {
    head(out, ranks, zeros.start);
    let mut course = Course::of(ranks, config, zeros.clone());
    for rank in ranks {
        course.rank(out, rank, usize::MAX)?;
    }
    course.end(out);
    Ok(())
}

/// Writes the members before the events, with the metadata of the first rank's file.
fn head(out: &mut Out<'_>, ranks: &[&Rank], start: Option<i64>) {
    out.raw("{\n\"schemaVersion\":1,\n\"displayTimeUnit\":\"ms\",\n");
    args::producer(out, ranks.first().map(|rank| &rank.trace.meta));
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
