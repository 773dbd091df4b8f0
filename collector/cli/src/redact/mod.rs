//! `stepscope redact`: a copy of a trace without secrets, and without paths and host names by choice.
//!
//! The file is read twice from front to back: first to find secrets and names of hosts, then to copy it. Its text is
//! never kept.

mod archive;
mod format;
mod pseudonyms;
mod temporary;

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use stepscope_format::raw::HEADER_TAG;
use stepscope_format::secrets::{CopyMask, FoundSecrets};

use self::archive::Archive;
use self::format::{HEAD, check_format};
use self::pseudonyms::Pseudonyms;
use self::temporary::Temporary;
use crate::args::RedactOptions;
use crate::copy::{Text, layers};
use crate::export::is_compressed;
use crate::result::Result;
use crate::written::{beside_first, is_standard};

/// Writes the copy.
pub(crate) fn run(options: &RedactOptions) -> Result {
    let (input, output) = (&options.file, &options.output);
    if !is_standard(output) {
        check_output(input, output, options.force)?;
    }
    let failed = |error: io::Error| format!("{}: {error}", input.display());
    if fs::metadata(input).map_err(failed)?.is_dir() {
        return Err(format!("{}: it is a folder: redact its files one by one", input.display()));
    }
    let head = Text::whole(input, Vec::new()).head(HEAD).map_err(failed)?;
    let mut converted = None;
    if head.starts_with(&HEADER_TAG.to_le_bytes()) {
        if output.extension().is_some_and(|end| end == "steprec") {
            return Err(format!(
                "{}: a raw recording is copied as a .stepscope file: name the output so",
                output.display()
            ));
        }
        converted = Some(Temporary::of(input)?);
    }
    let source = converted.as_ref().map_or(input.as_path(), |temporary| temporary.0.as_path());
    let layers = layers(&head);
    let text = Text::whole(source, layers.clone());
    let head = text.head(HEAD).map_err(failed)?;
    let mut names = Pseudonyms::new(options.paths, options.hosts);
    let found = if archive::is_archive(&head) {
        let mut archive = Archive::open(input, output, &text, &head, &layers)?;
        archive.look(&mut names).map_err(failed)?;
        names.replace();
        beside_first(output, |file| archive.write(&mut names, file))?
    } else {
        check_format(input, &head)?;
        copy(input, output, &text, &mut names)?
    };
    eprintln!("{}", archive::told(output, &found, &names));
    Ok(())
}

/// Copies a file that is not an archive, and returns the secrets that were masked in it.
fn copy(input: &Path, output: &Path, text: &Text, names: &mut Pseudonyms) -> Result<FoundSecrets> {
    let failed = |error: io::Error| format!("{}: {error}", input.display());
    let mut mask = CopyMask::default();
    let look = text.pass(&mut mask, names, &mut io::sink());
    if let Some(damage) = look.map_err(failed)? {
        eprintln!("{}: {damage}: the copy contains what could be read", input.display());
    }
    names.replace();
    let mut mask = mask.again();
    let mut copy = |out: &mut dyn Write| -> io::Result<()> {
        if !is_compressed(output) {
            return text.pass(&mut mask, names, out).map(drop);
        }
        let mut gz = GzEncoder::new(out, Compression::default());
        text.pass(&mut mask, names, &mut gz)?;
        gz.finish().map(drop)
    };
    beside_first(output, |file| copy(file))?;
    Ok(mask.found().clone())
}

/// Checks the output: the copy never replaces its source, and another file only with `force`.
fn check_output(input: &Path, output: &Path, force: bool) -> Result {
    let same = |a: &Path, b: &Path| fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b));
    if same(input, output) || is_same_file(input, output) {
        return Err(format!("{}: it is the input: give the copy another name", output.display()));
    }
    if output.is_file() && !force {
        return Err(format!("{}: it exists: --force replaces it", output.display()));
    }
    Ok(())
}

#[cfg(unix)]
fn is_same_file(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |path: &Path| fs::metadata(path).ok().map(|about| (about.dev(), about.ino()));
    id(a).is_some_and(|a| id(b) == Some(a))
}

#[cfg(not(unix))]
fn is_same_file(_a: &Path, _b: &Path) -> bool {
    false
}
