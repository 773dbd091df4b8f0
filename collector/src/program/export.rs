//! `stepscope export`.

use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use stepscope::analyze::{AnalysisConfig, JobConfig, RankClock};
use stepscope::export::perfetto::{ExportConfig, Level, Written, write_on, write_packets};
use stepscope::{Rank, job_of_digests, rows_in_job};

use crate::args::{ExportFormat, ExportOptions};
use crate::grid::printable;
use crate::written::{Readers, beside_first_as};
use crate::{Result, open};

/// Writes one trace of the chosen ranks.
pub(crate) fn run(options: &ExportOptions) -> Result {
    let mut ranks = Vec::new();
    // Of those that are not chosen, too: all together tell whose clock is how.
    let mut digests = Vec::new();
    open::each_rank(&options.input, &AnalysisConfig::standard(), |rank| {
        digests.push((rank.rank, if options.merge { rank.digest() } else { None }));
        if is_chosen(options, &rank) {
            ranks.push((digests.len() - 1, rank));
        }
    })?;
    ranks.sort_by_key(|(_, rank)| rank.rank);
    let chosen: Vec<&Rank> = ranks.iter().map(|(_, rank)| rank).collect();
    match chosen.len() {
        0 => return Err("none of the traces is of the chosen ranks".into()),
        1 => {}
        _ if options.merge => {}
        count => {
            return Err(format!("{count} ranks would go into one file: say --merge, or choose one with --ranks"));
        }
    }
    if let Some(rank) = chosen.iter().find(|rank| !rank.trace.has_events()) {
        return Err(format!("{}: it holds tables alone, nothing with a time to export", printable(&rank.file)));
    }
    let level = if options.summary { Level::Summary } else { Level::Detail };
    let span = match (&options.range, chosen.first()) {
        (Some(range), Some(first)) => Some(range.of(first)?),
        _ => None,
    };
    let packets = options.format.map(|format| format == ExportFormat::Pftrace);
    let packets = packets.unwrap_or_else(|| is_packets(&options.output.to_string_lossy()));
    let form = Form { packets, is_compressed: is_compressed(&options.output), readers: Readers::Usual };
    let rows = rows_in_job(digests.iter().map(|(_, digest)| digest.is_some()));
    let job = job_of_digests(digests, &JobConfig::default()).filter(|_| chosen.len() > 1).unwrap_or_default();
    let clocks = job.clocks_of(ranks.iter().map(|(place, _)| rows[*place]));
    let written = to_file((&chosen, &clocks), ExportConfig { level, span }, &options.output, form)?;
    eprintln!(
        "{}: {} slices, {} marks, {} arrows, {} counter values",
        options.output.display(),
        written.slices,
        written.instants,
        written.flows,
        written.samples
    );
    Ok(())
}

fn is_chosen(options: &ExportOptions, rank: &Rank) -> bool {
    options.ranks.is_empty() || rank.rank.is_some_and(|rank| options.ranks.contains(&rank))
}

/// Whether a file's name is that of Perfetto's own format.
fn is_packets(name: &str) -> bool {
    let name = name.strip_suffix(".gz").unwrap_or(name);
    [".pftrace", ".perfetto-trace"].iter().any(|end| name.ends_with(end))
}

/// Whether a file's name is that of a compressed one.
pub(crate) fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}

/// How a trace is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    /// Perfetto's own format, or JSON.
    pub(crate) packets: bool,
    pub(crate) is_compressed: bool,
    pub(crate) readers: Readers,
}

/// Writes a trace of the ranks.
pub(crate) fn to_file(
    (ranks, clocks): (&[&Rank], &[Option<RankClock>]),
    config: ExportConfig,
    path: &Path,
    form: Form,
) -> Result<Written> {
    let write = if form.packets { write_packets } else { write_on };
    beside_first_as(form.readers, path, |file| {
        if !form.is_compressed {
            return write(ranks, clocks, config, file);
        }
        let mut gz = GzEncoder::new(file, Compression::default());
        let written = write(ranks, clocks, config, &mut gz)?;
        gz.finish()?;
        Ok(written)
    })
}
