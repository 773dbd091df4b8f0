//! `stepscope recover`: makes files of the raw recordings that a killed program, or a killed `stepscope record`, left.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use stepscope::present::text::{bytes, counted};
use stepscope_format::raw::EXTENSION;

use super::recover_options::RecoverOptions;
use crate::record::convert::{ConvertedFile, convert, files_of};
use crate::record::messages::bad_usage;
use crate::record::options::Format;
use crate::result::Result;
use crate::written::{is_standard, name_of};

/// Makes the files; the recordings stay.
pub(crate) fn run(options: &RecoverOptions) -> Result<ExitCode> {
    let folders = folders(options.folder.components().as_path())?;
    if folders.len() > 1 && options.output.is_some() {
        let count = folders.len();
        return Ok(bad_usage(&format!(
            "{count} folders hold recordings, and get a file each: leave out -o, or name one of them"
        )));
    }
    let mut code = ExitCode::SUCCESS;
    for folder in &folders {
        let output = options.output.clone().unwrap_or_else(|| folder.with_extension("stepscope"));
        let format = match Format::of_output(&output) {
            Ok(format) => format,
            Err(message) => return Ok(bad_usage(&message)),
        };
        let files = files_of(folder, &output, format)?;
        if files.len() > 1 && is_standard(&output) {
            let count = files.len();
            return Ok(bad_usage(&format!(
                "{count} ranks do not fit into standard output: -o FILE writes a file each"
            )));
        }
        let existing: Vec<String> = files
            .iter()
            .filter(|file| {
                !options.force && !is_standard(file) && file.symlink_metadata().is_ok_and(|about| !is_device(&about))
            })
            .map(|file| file.display().to_string())
            .collect();
        if !existing.is_empty() {
            let exist = if existing.len() == 1 { "exists" } else { "exist" };
            eprintln!("error: {} {exist}: --force replaces, -o writes elsewhere", existing.join(", "));
            code = ExitCode::FAILURE;
        } else if options.dry_run {
            files.iter().for_each(|file| eprintln!("{}: would be written from {}", file.display(), folder.display()));
        } else {
            tell(&convert(folder, &output, format, false)?.0);
        }
    }
    Ok(code)
}

/// Whether it is neither file, link nor folder, such as `/dev/null`: writing to it replaces nothing.
fn is_device(about: &Metadata) -> bool {
    !(about.is_file() || about.is_dir() || about.is_symlink())
}

/// The folders with recordings: the named one and those directly in it; only the named one if there are none.
fn folders(folder: &Path) -> Result<BTreeSet<PathBuf>> {
    let failed = |error: io::Error| format!("{}: {error}", folder.display());
    let mut found = BTreeSet::new();
    if has_recordings(folder).map_err(failed)? {
        found.insert(folder.to_owned());
    }
    for entry in fs::read_dir(folder).map_err(failed)?.flatten() {
        // A link may lead anywhere.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            match has_recordings(&entry.path()) {
                Ok(true) => drop(found.insert(entry.path())),
                Ok(false) => {}
                Err(error) => eprintln!("not looked into: {}: {error}", entry.path().display()),
            }
        }
    }
    Ok(if found.is_empty() { BTreeSet::from([folder.to_owned()]) } else { found })
}

fn has_recordings(folder: &Path) -> io::Result<bool> {
    let mut names = fs::read_dir(folder)?.flatten().map(|entry| entry.file_name());
    Ok(names.any(|name| name.to_string_lossy().ends_with(EXTENSION)))
}

fn tell(made: &[ConvertedFile]) {
    for one in made {
        let found = &one.recovered;
        let size = one.path.metadata().map_or_else(|_| String::new(), |about| format!("{}, ", bytes(about.len())));
        eprintln!(
            "{}: {size}{} of {}, {} of them not closed",
            name_of(&one.path),
            counted(found.records, "record", "records"),
            counted(found.processes.into(), "process", "processes"),
            found.processes - found.closed
        );
        if found.dropped > 0 {
            eprintln!(
                "{}: {} dropped: the disk was full",
                name_of(&one.path),
                counted(found.dropped, "record was", "records were")
            );
        }
        if found.lost > 0 {
            eprintln!(
                "{}: {} not be recorded: it says which",
                name_of(&one.path),
                counted(found.lost, "event could", "events could")
            );
        }
        for (path, damage) in &found.damages {
            eprintln!("{}: {damage}", path.display());
        }
    }
}
