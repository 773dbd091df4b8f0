//! `stepscope export`.

use std::collections::BTreeSet;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use stepscope::analyze::{AnalysisConfig, JobConfig, RankClock};
use stepscope::export::perfetto::{ExportConfig, GraphChoice, Level, Written, write_on, write_packets};
use stepscope::{Rank, job_of_digests, rows_in_job};

use crate::args::{ExportFormat, ExportOptions};
use crate::grid::printable;
use crate::open;
use crate::result::Result;
use crate::written::{Readers, beside_first_as, is_standard, name_of};

/// Formats by the end of a file's name: Perfetto's own format or JSON, compressed or not.
const ENDS: [(&str, (bool, bool)); 6] = [
    (".pftrace", (true, false)),
    (".pftrace.gz", (true, true)),
    (".perfetto-trace", (true, false)),
    (".perfetto-trace.gz", (true, true)),
    (".json", (false, false)),
    (".json.gz", (false, true)),
];

/// Writes one trace of the chosen ranks.
pub(crate) fn run(options: &ExportOptions) -> Result {
    let (packets, is_compressed) = form(&options.output, options.format)?;
    let form = Form { packets, is_compressed, readers: Readers::Usual };
    let mut ranks = Vec::new();
    // Digests of all ranks, chosen or not: clocks are solved from all of them together.
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
        return Err(format!("{}: only tables, no events to export", printable(&rank.file)));
    }
    let level = if options.summary { Level::Summary } else { Level::Detail };
    let span = match (&options.range, chosen.first()) {
        (Some(range), Some(first)) => Some(range.of(first)?),
        _ => None,
    };
    let rows = rows_in_job(digests.iter().map(|(_, digest)| digest.is_some()));
    let job = job_of_digests(digests, &JobConfig::default()).filter(|_| chosen.len() > 1).unwrap_or_default();
    let clocks = job.clocks_of(ranks.iter().map(|(place, _)| rows[*place]));
    let written = to_file(
        (&chosen, &clocks),
        ExportConfig { level, span, graphs: graphs_of(options, &chosen)? },
        &options.output,
        form,
    )?;
    eprintln!(
        "{}: {} slices, {} marks, {} arrows, {} counter values",
        name_of(&options.output),
        written.slices,
        written.instants,
        written.flows,
        written.samples
    );
    Ok(())
}

/// The graphs that are chosen, which some of the ranks has.
fn graphs_of(options: &ExportOptions, ranks: &[&Rank]) -> Result<GraphChoice> {
    let steps = ranks.iter().flat_map(|rank| &rank.analysis.steps.steps);
    let known: BTreeSet<u64> = steps.filter_map(|step| step.graph).collect();
    match options.graphs.iter().find(|graph| !known.contains(graph)) {
        None => Ok(GraphChoice { only: options.graphs.clone(), apart: options.split_graphs }),
        Some(graph) if known.is_empty() => {
            Err(format!("no graph {graph}: the traces do not say which graph a step ran"))
        }
        Some(graph) => {
            let known: Vec<String> = known.iter().map(u64::to_string).collect();
            Err(format!("no graph {graph}: the traces have {}", known.join(", ")))
        }
    }
}

fn is_chosen(options: &ExportOptions, rank: &Rank) -> bool {
    options.ranks.is_empty() || rank.rank.is_some_and(|rank| options.ranks.contains(&rank))
}

/// Format of the output: Perfetto's own format or JSON, compressed or not. The name defines it, unless the format is
/// given; a name of another format is an error.
fn form(output: &Path, format: Option<ExportFormat>) -> Result<(bool, bool)> {
    let given = format.map(|format| format == ExportFormat::Pftrace);
    let name = output.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let named = ENDS.iter().find(|(end, _)| name.ends_with(end)).map(|(_, form)| *form);
    // A name without an end, a pipe or a device says nothing.
    let stem = name.strip_suffix(".gz").unwrap_or(&name);
    let extension = Path::new(stem).extension().map(|end| end.to_string_lossy().into_owned());
    let says_nothing = is_standard(output) || extension.is_none();
    match (given, named) {
        (Some(given), named) => Ok((given, named.map_or_else(|| is_compressed(output), |(_, gz)| gz))),
        (None, Some(named)) => Ok(named),
        (None, None) if says_nothing => Ok((false, is_compressed(output))),
        (None, None) => Err(format!(
            "{}: export writes .json, .json.gz, .pftrace and .pftrace.gz, not .{}; --format json writes JSON under any name",
            output.display(),
            extension.unwrap_or_default()
        )),
    }
}

/// Whether a file's name is that of a compressed one.
pub(crate) fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}

/// Form of a written trace.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_says_what_is_written() {
        let form = |name: &str, format| form(Path::new(name), format);
        for (name, expected) in [
            ("a.json", (false, false)),
            ("a.JSON.GZ", (false, true)),
            ("a.b/c.pftrace", (true, false)),
            ("a.perfetto-trace.gz", (true, true)),
            ("-", (false, false)),
            ("a", (false, false)),
            ("a.gz", (false, true)),
            ("/dev/stdout", (false, false)),
        ] {
            assert_eq!(form(name, None), Ok(expected), "{name}");
        }
        for name in ["e.csv", "e.html", "e.csv.gz", "e.json.zst", "e.stepscope", "e.txt"] {
            let refused = form(name, None).expect_err(name);
            assert!(refused.starts_with(name) && refused.contains(".pftrace.gz, not ."), "{refused}");
            assert_eq!(form(name, Some(ExportFormat::Json)), Ok((false, name.ends_with(".gz"))), "{name}");
        }
        assert_eq!(form("-", Some(ExportFormat::Pftrace)), Ok((true, false)));
    }
}
