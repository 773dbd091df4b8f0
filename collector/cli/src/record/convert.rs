//! From raw recordings to output files: one per rank.
//!
//! A rank is a trace: the analyses compare ranks with each other, which needs one trace per rank, and the page opens
//! several files at once, or their folder. Samples of the machine are in each of them.

use std::io;
use std::path::{Path, PathBuf};

use stepscope::Rank;
use stepscope::analyze::AnalysisConfig;
use stepscope::export::perfetto::{ExportConfig, Level};
use stepscope_collector::{Recovered, ranks, recover_rank};

use super::options::Format;
use crate::args::InputOptions;
use crate::result::Result;
use crate::written::{Readers, beside_first_as, with_end};
use crate::{export, open};

/// A file that was made.
pub(crate) struct ConvertedFile {
    pub(crate) path: PathBuf,
    pub(crate) recovered: Recovered,
}

/// The name of a rank's file.
fn name_of(output: &Path, format: Format, rank: Option<u64>) -> PathBuf {
    let Some(rank) = rank else { return output.to_owned() };
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    let (base, end) = match Format::of_name(&name) {
        Some((_, base)) => (base, &name[base.len()..]),
        None => (&*name, format.end()),
    };
    output.with_file_name(format!("{base}.rank{rank}{end}"))
}

/// The files that [`convert`] makes of a folder of raw recordings.
pub(crate) fn files_of(folder: &Path, output: &Path, format: Format) -> Result<Vec<PathBuf>> {
    let found = ranks(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let several = found.len() > 1;
    Ok(found.iter().map(|rank| name_of(output, format, rank.rank.filter(|_| several))).collect())
}

/// Makes the files of a folder of raw recordings, and returns their ranks if `wanted`.
pub(crate) fn convert(
    folder: &Path,
    output: &Path,
    format: Format,
    wanted: bool,
) -> Result<(Vec<ConvertedFile>, Vec<Rank>)> {
    let failed = |error: &io::Error| format!("{}: {error}", folder.display());
    let found = ranks(folder).map_err(|error| failed(&error))?;
    let several = found.len() > 1;
    let mut all = Vec::new();
    let mut traces = Vec::new();
    for rank in &found {
        let path = name_of(output, format, rank.rank.filter(|_| several));
        // Exports are made from a recording, as from any other trace.
        let compact = match format {
            Format::Stepscope => path.clone(),
            Format::Json | Format::Pftrace => with_end(&path, ".recording.partial"),
        };
        let recovered = beside_first_as(Readers::Owner, &compact, |file| recover_rank(rank, file))?;
        let has_events = recovered.records + recovered.samples > 0;
        let read = (wanted || format != Format::Stepscope) && has_events;
        let opened = if read { opened(&compact, &path) } else { Ok(Vec::new()) };
        if compact != path {
            let _ = std::fs::remove_file(&compact);
        }
        let opened = opened?;
        if format != Format::Stepscope {
            let ranks: Vec<&Rank> = opened.iter().collect();
            if ranks.is_empty() {
                return Err(format!("{}: nothing was recorded", folder.display()));
            }
            // A name without a known end implies no compression, except the format's own.
            let is_named = Format::of_name(&path.to_string_lossy()).is_some();
            let is_compressed = if is_named { export::is_compressed(&path) } else { format.end().ends_with(".gz") };
            let form = export::Form { packets: format == Format::Pftrace, is_compressed, readers: Readers::Owner };
            export::to_file((&ranks, &[]), ExportConfig::of(Level::Detail), &path, form)?;
        }
        all.push(ConvertedFile { path, recovered });
        traces.extend(opened);
    }
    Ok((all, traces))
}

/// Reads a recording, under the name of its output file.
fn opened(compact: &Path, path: &Path) -> Result<Vec<Rank>> {
    let input = InputOptions { files: vec![compact.to_owned()], rank: Vec::new(), verbose: false, steps: None };
    let mut ranks = open::ranks(&input, &AnalysisConfig::standard())?;
    for rank in &mut ranks {
        rank.file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    }
    Ok(ranks)
}
