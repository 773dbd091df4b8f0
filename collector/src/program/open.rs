//! Files and folders from the command line, read into ranks.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use stepscope::analyze::{AnalysisConfig, StepsConfig};
use stepscope::input::{GunzipEnd, Gunzipper, is_gzip};
use stepscope::{Loaded, Loader, Rank};

use crate::Result;
use crate::args::InputOptions;

/// Bytes read at a time: fits the processor's second-level cache, so that scanning finds them there.
const CHUNK: usize = 256 << 10;

/// Reads and analyses every file.
///
/// A folder's files that are no traces are named on standard error and left out; a named file that
/// cannot be read is a failure.
pub(crate) fn ranks(input: &InputOptions, config: &AnalysisConfig) -> Result<Vec<Rank>> {
    let config = AnalysisConfig { steps: StepsConfig { pattern: input.steps.clone() }, ..config.clone() };
    let mut ranks = Vec::new();
    for path in &input.files {
        if path.is_dir() {
            let before = ranks.len();
            for file in files_in(path)? {
                match rank(&file, &config) {
                    Ok(rank) => ranks.push(rank),
                    Err(message) => eprintln!("left out: {message}"),
                }
            }
            if ranks.len() == before {
                return Err(format!("{}: there is no trace in this folder", path.display()));
            }
        } else {
            ranks.push(rank(path, &config)?);
        }
    }
    ranks.sort_by_key(|rank| rank.rank);
    Ok(ranks)
}

/// A folder's files by name, hidden ones left out.
pub(crate) fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.retain(|file| !file.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with('.')));
    files.sort();
    Ok(files)
}

fn rank(path: &Path, config: &AnalysisConfig) -> Result<Rank> {
    let name = path.display().to_string();
    let bytes = fs::metadata(path).map_err(|error| format!("{name}: {error}"))?.len();
    let loaded = load(path, &name)?;
    let short = path.file_name().map_or_else(|| name.clone(), |name| name.to_string_lossy().into_owned());
    Ok(Rank::new(&short, bytes, loaded, config))
}

/// Reads one file, compressed or not.
fn load(path: &Path, name: &str) -> Result<Loaded> {
    let io = |error: std::io::Error| format!("{name}: {error}");
    let mut file = File::open(path).map_err(io)?;
    let mut loader = Loader::new(name);
    let mut start = [0; 2];
    let known = read_full(&mut file, &mut start).map_err(io)?;
    if is_gzip(&start[..known]) {
        let chain = start.chain(&mut file);
        gunzip(chain, &mut loader, name)?;
    } else {
        loader.space(known).copy_from_slice(&start[..known]);
        loader.advance(known).map_err(|error| error.to_string())?;
        loop {
            let read = read_full(&mut file, loader.space(CHUNK)).map_err(io)?;
            if read == 0 {
                break;
            }
            loader.advance(read).map_err(|error| error.to_string())?;
        }
    }
    loader.finish().map_err(|error| error.to_string())
}

fn gunzip(mut file: impl Read, loader: &mut Loader, name: &str) -> Result {
    let mut gunzip = Gunzipper::default();
    let mut compressed = vec![0; CHUNK];
    loop {
        let read = read_full(&mut file, &mut compressed).map_err(|error| format!("{name}: {error}"))?;
        if read == 0 {
            break;
        }
        let mut input = &compressed[..read];
        loop {
            let (used, written) = gunzip.push(input, loader.space(CHUNK));
            loader.advance(written).map_err(|error| error.to_string())?;
            input = &input[used..];
            if input.is_empty() && written < CHUNK {
                break;
            }
        }
    }
    if let GunzipEnd::Damaged(what) = gunzip.finish() {
        loader.container_damaged(&what);
    }
    Ok(())
}

/// Fills the buffer as far as the file goes.
fn read_full(file: &mut impl Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
