//! `stepscope redact`: a copy of a trace without secrets, and without paths and host names by choice.
//!
//! The file is read twice from front to back: first to find secrets and names of hosts, then to copy it. Nothing holds its text.

mod pseudonyms;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use stepscope_collector::{create_private, recover_file};
use stepscope_format::compact;
use stepscope_format::raw::HEADER_TAG;
use stepscope_format::secrets::CopyMask;

use self::pseudonyms::Pseudonyms;
use crate::Result;
use crate::args::RedactOptions;
use crate::copy::{Text, layers};
use crate::export::is_compressed;
use crate::written::beside_first;

/// Bytes by which it is known what a file is.
const HEAD: usize = 512;

/// Writes the copy.
pub(crate) fn run(options: &RedactOptions) -> Result {
    let (input, output) = (&options.file, &options.output);
    let to_standard_output = output.as_os_str() == "-";
    if !to_standard_output {
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
    let text = Text::whole(source, layers(&head));
    check_format(input, &text.head(HEAD).map_err(failed)?)?;

    let mut names = Pseudonyms::new(options.paths, options.hosts);
    let mut mask = CopyMask::default();
    let look = text.pass(&mut mask, &mut names, &mut io::sink());
    if let Some(damage) = look.map_err(failed)? {
        eprintln!("{}: {damage}: the copy holds what could be read", input.display());
    }
    names.replace();
    let mut mask = mask.again();
    let mut copy = |out: &mut dyn Write| -> io::Result<()> {
        if to_standard_output || !is_compressed(output) {
            return text.pass(&mut mask, &mut names, out).map(drop);
        }
        let mut gz = GzEncoder::new(out, Compression::default());
        text.pass(&mut mask, &mut names, &mut gz)?;
        gz.finish().map(drop)
    };
    if to_standard_output {
        copy(&mut io::stdout().lock()).map_err(|error| format!("standard output: {error}"))?;
    } else {
        beside_first(output, |file| copy(file))?;
    }
    let found = mask.found();
    let secrets = match found.count {
        0 => "no secrets found".to_owned(),
        count => format!("secrets masked: {count} ({})", found.list()),
    };
    eprintln!("{}: {secrets}{}", if to_standard_output { "-".into() } else { output.to_string_lossy() }, names.told());
    Ok(())
}

/// The copy never takes the place of what it is made of, and of another file only if that is wanted.
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

/// Refuses what cannot be copied text by text, and says what can be done.
fn check_format(path: &Path, head: &[u8]) -> Result {
    let is_tar = head.get(257..262) == Some(b"ustar");
    let what = if head.starts_with(b"PK\x03\x04") || is_tar {
        "it is an archive: unpack it and redact the files in it"
    } else if head.starts_with(&compact::TAG) {
        return Ok(());
    } else if head.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace()) {
        "only JSON, text and Stepscope's recordings can be redacted: `stepscope export FILE -o clean.json.gz` writes a copy of \
         this trace in which secrets are masked"
    } else {
        return Ok(());
    };
    Err(format!("{}: {what}", path.display()))
}

/// A raw recording as a compact file; it goes with this value.
struct Temporary(PathBuf);

impl Temporary {
    fn of(recording: &Path) -> Result<Self> {
        let temporary = Self(std::env::temp_dir().join(format!("stepscope-redact-{}.stepscope", std::process::id())));
        let failed = |error: io::Error| format!("{}: {error}", recording.display());
        let mut file = create_private(&temporary.0).map_err(failed)?;
        recover_file(recording, &mut file).map_err(failed)?;
        Ok(temporary)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
