//! `stepscope recover`: files of the raw recordings that a killed program, or a killed `stepscope record`, left.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use stepscope::present::text::bytes;
use stepscope_format::raw::EXTENSION;

use crate::record::bad_usage;
use crate::record::convert::{Made, convert};
use crate::record::options::Format;
use crate::record::result::counted;
use crate::{Result, open};

#[derive(Debug, Args)]
pub(crate) struct RecoverOptions {
    /// The folder of raw recordings (*.steprec). Folders in it that hold recordings become files of their own, each beside its
    /// folder.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The file to write: a recording (.stepscope), JSON (.json, .json.gz) or Perfetto's format (.pftrace, .pftrace.gz); by default named after the folder. Of several
    /// ranks, each has one of its own: NAME.rank0.stepscope and so on.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Makes the files; the recordings stay.
pub(crate) fn run(options: &RecoverOptions) -> Result<ExitCode> {
    let folders = folders(options.folder.components().as_path())?;
    if folders.len() > 1 && options.output.is_some() {
        let count = folders.len();
        return Ok(bad_usage(&format!(
            "{count} folders hold recordings, and get a file each: leave out -o, or name one of them"
        )));
    }
    for folder in &folders {
        let output = options.output.clone().unwrap_or_else(|| folder.with_extension("stepscope"));
        let format = match Format::of(&output, None) {
            Ok(format) => format,
            Err(message) => return Ok(bad_usage(&message)),
        };
        tell(&convert(folder, &output, format, false)?.0);
    }
    Ok(ExitCode::SUCCESS)
}

/// The folders with recordings: the one that is named and those in it. Where there are none, it is said of the one that is named.
fn folders(folder: &Path) -> Result<BTreeSet<PathBuf>> {
    let files = open::files_in(folder)?;
    let raw = files.iter().filter(|path| path.to_string_lossy().ends_with(EXTENSION));
    let folders: BTreeSet<PathBuf> = raw.filter_map(|path| path.parent()).map(Path::to_owned).collect();
    Ok(if folders.is_empty() { BTreeSet::from([folder.to_owned()]) } else { folders })
}

fn tell(made: &[Made]) {
    for one in made {
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
}
