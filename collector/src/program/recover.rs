//! `stepscope recover`: files of the raw recordings that a killed program, or a killed `stepscope record`, left.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use stepscope::present::text::bytes;

use crate::Result;
use crate::record::bad_usage;
use crate::record::convert::convert;
use crate::record::options::Format;
use crate::record::result::counted;

#[derive(Debug, Args)]
pub(crate) struct RecoverOptions {
    /// The folder of raw recordings (*.steprec).
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The file to write: a recording (.stepscope), JSON (.json, .json.gz) or Perfetto's format (.pftrace, .pftrace.gz); by default named after the folder. Of several
    /// ranks, each has one of its own: NAME.rank0.stepscope and so on.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Makes the files; the recordings stay.
pub(crate) fn run(options: &RecoverOptions) -> Result<ExitCode> {
    let folder = options.folder.components().as_path();
    let output = options.output.clone().unwrap_or_else(|| folder.with_extension("stepscope"));
    let format = match Format::of(&output, None) {
        Ok(format) => format,
        Err(message) => return Ok(bad_usage(&message)),
    };
    let (made, _) = convert(folder, &output, format, false)?;
    for one in &made {
        let found = &one.recovered;
        let size = one.path.metadata().map_or(0, |about| about.len());
        eprintln!(
            "{}: {}, {} of {}, {} of them not closed",
            one.path.display(),
            bytes(size),
            counted(found.records, "record", "records"),
            counted(found.processes.into(), "process", "processes"),
            found.processes - found.closed
        );
        if found.dropped > 0 {
            eprintln!(
                "{}: {} dropped: the disk was full",
                one.path.display(),
                counted(found.dropped, "record was", "records were")
            );
        }
        if found.lost > 0 {
            eprintln!(
                "{}: {} not be recorded: it says which",
                one.path.display(),
                counted(found.lost, "event could", "events could")
            );
        }
        for (path, damage) in &found.damages {
            eprintln!("{}: {damage}", path.display());
        }
    }
    Ok(ExitCode::SUCCESS)
}
